//! A game ends and has the right loser, whatever a contestant does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ludex_arena::adjudication::{Adjudication, Rule};
use ludex_arena::record::{self, Heading};
use ludex_arena::{
    Answer, BestMove, Conditions, Contestant, Failure, FailureKind, GameView, MoveLimits, Opening,
    PlayedGame, ReportedScore, Termination, TimeControl, TimeLimit, play_game,
};
use ludex_core::{Fault, Game, Player};
use ludex_search::timing::GameClock;
use ludex_testkit::tictactoe::TicTacToe;
use ludex_testkit::trio::Trio;

type Move = <TicTacToe as Game>::Move;

/// Plays by a script.
struct Scripted<F> {
    act: F,
    ended: Option<(String, bool)>,
    seeds: Vec<u64>,
}

impl<F> Scripted<F>
where
    F: FnMut(&GameView<'_, TicTacToe>, &MoveLimits) -> Result<BestMove<Move>, Failure> + Send,
{
    fn new(act: F) -> Self {
        Self { act, ended: None, seeds: Vec::new() }
    }
}

impl<F> Contestant<TicTacToe> for Scripted<F>
where
    F: FnMut(&GameView<'_, TicTacToe>, &MoveLimits) -> Result<BestMove<Move>, Failure> + Send,
{
    fn begin(&mut self, _: &GameView<'_, TicTacToe>, _: Player, seed: u64) -> Result<(), Failure> {
        self.seeds.push(seed);
        Ok(())
    }

    fn think(
        &mut self,
        view: &GameView<'_, TicTacToe>,
        limits: &MoveLimits,
    ) -> Result<BestMove<Move>, Failure> {
        (self.act)(view, limits)
    }

    fn end(&mut self, how: &str, failed: bool) {
        self.ended = Some((how.to_owned(), failed));
    }

    fn describe(&self) -> String {
        "scripted".to_owned()
    }
}

fn first_move(view: &GameView<'_, TicTacToe>) -> BestMove<Move> {
    let mut names = Vec::new();
    let mut moves = Vec::new();
    let player = Player((view.moves.len() % 2) as u8);
    view.game.moves(view.position, player, &mut moves).expect("right rules");
    names.extend(moves.iter().map(|&it| view.game.name(&view.position.state, it)));
    names.sort();
    BestMove::new(Answer::Text(names[0].clone()))
}

static NEVER: AtomicBool = AtomicBool::new(false);

fn conditions(time_control: TimeControl) -> Conditions<'static, TicTacToe> {
    let adjudication = Adjudication::default();
    Conditions {
        game: &TicTacToe,
        time_control,
        longest: 100,
        adjudication,
        ponder: false,
        stop: &NEVER,
    }
}

/// A game in which the second player does this at its first turn.
fn against(
    time_control: TimeControl,
    act: impl FnMut(&GameView<'_, TicTacToe>, &MoveLimits) -> Result<BestMove<Move>, Failure> + Send,
) -> Result<PlayedGame, Fault> {
    let mut good = Scripted::new(|it: &GameView<'_, TicTacToe>, _: &MoveLimits| Ok(first_move(it)));
    let mut bad = Scripted::new(act);
    let played = play_game(
        &conditions(time_control),
        &Opening::none(&TicTacToe),
        &mut [&mut good, &mut bad],
        7,
    );
    if let Ok(PlayedGame { end: Termination::Failed(..), .. }) = &played {
        assert!(bad.ended.as_ref().is_some_and(|it| it.1), "it learns of its failure");
        assert!(good.ended.as_ref().is_some_and(|it| !it.1));
    }
    played
}

#[test]
fn every_failure_loses_the_game_and_is_recorded() {
    for kind in FailureKind::ALL.into_iter().filter(|&it| it != FailureKind::Rules) {
        let played =
            against(TimeControl::default(), |_, _| Err(Failure::new(kind, "it went wrong")));
        let played = played.expect("the rules are right");
        assert_eq!((played.points.of(0), played.end.loser()), (1.0, Some(1)), "{kind:?}");
        let heading =
            Heading { game: "t".to_owned(), players: vec!["A", "B"], ..Heading::default() };
        let text = record::record(&played, heading).to_string();
        let line = format!("end: B failed ({}): it went wrong", kind.name());
        assert!(text.contains(&line), "{text}");
    }
}

#[test]
fn illegal_answers_lose() {
    for answer in [Answer::Text("z9".to_owned()), Answer::Text("a\u{7}\n1".repeat(99))] {
        let choice = BestMove::new(answer);
        let played =
            against(TimeControl::default(), |_, _| Ok(choice.clone())).expect("right rules");
        let Termination::Failed(1, failure) = &played.end else { panic!("{:?}", played.end) };
        assert_eq!(failure.kind, FailureKind::Illegal);
        assert!(failure.reason.len() < 200 && !failure.reason.contains('\n'), "{failure}");
    }
    // A move that was legal a moment ago.
    let played =
        against(TimeControl::default(), |it, _| Ok(BestMove::new(Answer::Move(it.moves[0]))));
    assert_eq!(played.expect("right rules").end.name(), "illegal");
}

#[test]
fn giving_up_is_a_loss() {
    let played = against(TimeControl::default(), |_, _| Ok(BestMove::new(Answer::Resign)));
    assert_eq!(played.expect("right rules").end, Termination::Resigned(1));
}

#[test]
fn a_fault_of_the_rules_has_no_loser() {
    let fault = Fault { code: "steps", message: "without end".to_owned(), place: Some(3) };
    let played = against(TimeControl::default(), |_, _| Err(Failure::of_rules(fault.clone())));
    assert_eq!(played, Err(fault));
}

#[test]
fn clocks_run_out() {
    let clock = GameClock::new(Duration::from_millis(40), Duration::ZERO);
    let time_control = TimeControl { clock: Some(clock), ..TimeControl::default() };
    let played = against(time_control, |it, limits| {
        assert!(matches!(limits.time, TimeLimit::Game { .. }));
        thread::sleep(Duration::from_millis(60));
        Ok(first_move(it))
    });
    let played = played.expect("right rules");
    assert_eq!((played.points.of(0), &played.end), (1.0, &Termination::TimeForfeit(1)));
    assert_eq!(played.moves.len(), 1, "a move after a time forfeit is not played");
    assert!(played.moves[0].left.is_some_and(|it| it <= clock.left));
}

#[test]
fn a_game_that_is_too_long_is_a_draw() {
    let mut players = [0, 1]
        .map(|_| Scripted::new(|it: &GameView<'_, TicTacToe>, _: &MoveLimits| Ok(first_move(it))));
    let [first, second] = &mut players;
    let conditions = Conditions { longest: 3, ..conditions(TimeControl::of_nodes(5)) };
    let played = play_game(&conditions, &Opening::none(&TicTacToe), &mut [first, second], 7);
    let played = played.expect("right rules");
    assert_eq!((played.points.of(0), played.moves.len()), (0.5, 3));
    assert_eq!(played.end, Termination::MoveLimit);
    assert_ne!(players[0].seeds, players[1].seeds, "each has a seed of its own");
}

#[test]
fn both_may_agree_on_the_result() {
    let say = |value: f64| {
        Scripted::new(move |it: &GameView<'_, TicTacToe>, _: &MoveLimits| {
            Ok(BestMove { score: Some(ReportedScore::new(value)), ..first_move(it) })
        })
    };
    let (mut winner, mut loser) = (say(0.99), say(-0.99));
    let resign = Some(Rule { value: 0.9, moves: 2, after: 0 });
    let adjudication = Adjudication { resign, draw: None };
    let conditions = Conditions { adjudication, ..conditions(TimeControl::default()) };
    let opening = Opening::none(&TicTacToe);
    let played =
        play_game(&conditions, &opening, &mut [&mut winner, &mut loser], 7).expect("right rules");
    assert_eq!((played.moves.len(), &played.end), (4, &Termination::AdjudicatedLoss(1)));
    assert!(played.points.of(0) > 0.5);
}

#[test]
fn a_stop_interrupts_a_game() {
    let stop = AtomicBool::new(false);
    let mut good = Scripted::new(|it: &GameView<'_, TicTacToe>, _: &MoveLimits| Ok(first_move(it)));
    let mut other = Scripted::new(|it: &GameView<'_, TicTacToe>, _: &MoveLimits| {
        stop.store(true, Ordering::Relaxed);
        Ok(first_move(it))
    });
    let conditions = Conditions { stop: &stop, ..conditions(TimeControl::default()) };
    let played =
        play_game(&conditions, &Opening::none(&TicTacToe), &mut [&mut good, &mut other], 7);
    assert_eq!(played.expect("right rules").end, Termination::Interrupted);
}

/// Takes this number of stones from the heap, or fails at its second turn.
struct Taker {
    stones: u8,
    fails: bool,
    turns: u32,
    pondered: u32,
}

impl Taker {
    fn new(stones: u8) -> Self {
        Self { stones, fails: false, turns: 0, pondered: 0 }
    }
}

impl Contestant<Trio> for Taker {
    fn begin(&mut self, _: &GameView<'_, Trio>, _: Player, _: u64) -> Result<(), Failure> {
        Ok(())
    }

    fn think(
        &mut self,
        view: &GameView<'_, Trio>,
        _: &MoveLimits,
    ) -> Result<BestMove<u8>, Failure> {
        self.turns += 1;
        if self.fails && self.turns == 2 {
            return Err(Failure::new(FailureKind::Crashed, "it fell over"));
        }
        Ok(BestMove::new(Answer::Move(self.stones.min(view.position.state.stones))))
    }

    fn ponder(&mut self, _: &GameView<'_, Trio>, _: &AtomicBool) {
        self.pondered += 1;
    }

    fn describe(&self) -> String {
        "takes stones".to_owned()
    }
}

#[test]
fn three_play_a_game_of_three() {
    let game = Trio { stones: 9 };
    let adjudication = Adjudication::default();
    let clock = GameClock::new(Duration::from_mins(1), Duration::ZERO);
    let time_control = TimeControl { clock: Some(clock), ..TimeControl::default() };
    let conditions = Conditions {
        game: &game,
        time_control,
        longest: 100,
        adjudication,
        ponder: true,
        stop: &NEVER,
    };
    let mut takers = [2, 1, 3].map(Taker::new);
    let play = |takers: &mut [Taker; 3], conditions: &Conditions<'_, Trio>| {
        let [a, b, c] = takers;
        play_game(conditions, &Opening::none(&game), &mut [a, b, c], 7)
    };
    // 9, 7, 6, 3, 1: the second player takes the last stone, and the one before it draws.
    let played = play(&mut takers, &conditions).expect("right rules");
    assert_eq!(played.points.to_string(), "0.5, 1, 0");
    assert_eq!(played.scores, [0, 1, -1]);
    assert_eq!(
        played.moves.iter().map(|it| it.seat).collect::<Vec<_>>(),
        [0, 1, 2, 0, 1].map(Some)
    );
    assert!(played.moves.iter().all(|it| it.left.is_some_and(|it| it <= clock.left)));
    assert_eq!(takers.each_ref().map(|it| it.pondered), [3, 3, 4], "at the turns of the others");

    takers = [1, 1, 1].map(Taker::new);
    takers[2].fails = true;
    let played = play(&mut takers, &conditions).expect("right rules");
    assert_eq!(
        (played.points.to_string().as_str(), played.end.loser()),
        ("0.75, 0.75, 0", Some(2))
    );
    let heading = Heading { players: vec!["A", "B", "C"], ..Heading::default() };
    let text = record::record(&played, heading).to_string();
    assert!(text.contains("players: A, B, C") && text.contains("result: 0, 0, -1"), "{text}");
    assert!(text.contains("end: C failed (crash)"), "{text}");

    let resign = Some(Rule { value: 0.9, moves: 2, after: 0 });
    let cut = Conditions { adjudication: Adjudication { resign, draw: None }, ..conditions };
    assert!(play(&mut takers, &cut).is_err(), "two can agree on a result, three cannot");
    let [a, b, _] = &mut takers;
    assert!(
        play_game(&conditions, &Opening::none(&game), &mut [a, b], 7).is_err(),
        "one is missing"
    );
}
