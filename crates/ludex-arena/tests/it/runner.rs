//! The runner plays each game exactly once, the same at every concurrency, and goes on after failures.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use ludex_arena::adjudication::Adjudication;
use ludex_arena::match_fixtures;
use ludex_arena::{
    Answer, BestMove, Competition, Conditions, Contestant, Failure, FailureKind, Flow, GameView,
    MoveLimits, Opening, Openings, PlayedGame, Roster, Runner, Termination, TimeControl, Update,
};
use ludex_core::{Game, GameExt, Player, Random};
use ludex_testkit::tictactoe::TicTacToe;

/// Plays any move; may fail at any of them.
struct Anything {
    random: Random,
    fails: bool,
}

impl Contestant<TicTacToe> for Anything {
    fn begin(&mut self, _: &GameView<'_, TicTacToe>, _: Player, seed: u64) -> Result<(), Failure> {
        self.random = Random::stream(seed, 0, 0);
        Ok(())
    }

    fn think(
        &mut self,
        view: &GameView<'_, TicTacToe>,
        _: &MoveLimits,
    ) -> Result<BestMove<<TicTacToe as Game>::Move>, Failure> {
        if self.fails && self.random.below(4) == 0 {
            return Err(Failure::new(FailureKind::Crashed, "it fell over"));
        }
        let mv = view.game.random_move(view.position, &mut self.random);
        let mv = mv.map_err(Failure::of_rules)?.expect("a player is to move");
        Ok(BestMove::new(Answer::Move(mv)))
    }

    fn describe(&self) -> String {
        "any move".to_owned()
    }
}

/// Entrant 2 fails now and then, and entrant 3 is never there.
#[derive(Default)]
struct Entrants {
    seated: AtomicUsize,
}

impl Roster<TicTacToe> for Entrants {
    fn contestant(
        &self,
        _: usize,
        entrant: usize,
    ) -> Result<Box<dyn Contestant<TicTacToe> + '_>, Failure> {
        self.seated.fetch_add(1, Ordering::Relaxed);
        if entrant == 3 {
            return Err(Failure::new(FailureKind::Unavailable, "it is missing"));
        }
        Ok(Box::new(Anything { random: Random::stream(0, 0, 0), fails: entrant == 2 }))
    }
}

/// All games between this number of entrants, by their numbers.
fn games(entrants: usize, concurrency: usize, roster: &Entrants) -> Vec<(u64, PlayedGame)> {
    let stop = AtomicBool::new(false);
    let conditions = Conditions {
        game: &TicTacToe,
        time_control: TimeControl::of_nodes(1),
        longest: 100,
        adjudication: Adjudication::default(),
        ponder: false,
        stop: &stop,
    };
    let openings = Openings::Random { plies: 1, balanced: false };
    let event = Competition { conditions, from: Opening::none(&TicTacToe), openings };
    let runner = Runner { events: &[event], roster, concurrency, seed: 3, stop: &stop };
    let mut games = Vec::new();
    let played = runner.play(&match_fixtures(entrants, 2, 10), |update| {
        if let Update::GameOver(fixture, mut played) = update {
            // Times are never the same.
            played.moves.iter_mut().for_each(|it| it.spent = None);
            games.push((fixture.number, *played));
        }
        Flow::Continue
    });
    assert_eq!(played, Ok(()));
    games.sort_by_key(|it| it.0);
    games
}

#[test]
fn games_are_the_same_however_many_are_played_at_once() {
    let one = games(4, 1, &Entrants::default());
    assert_eq!(one.len(), 60);
    assert!(one.iter().zip(0..).all(|(game, number)| game.0 == number), "each exactly once");
    for concurrency in [2, 3, 8] {
        assert_eq!(one, games(4, concurrency, &Entrants::default()));
    }
}

#[test]
fn failures_are_lost_games_and_the_others_are_played() {
    let games = games(4, 2, &Entrants::default());
    let failed = |kind| {
        let ends = games.iter().map(|it| &it.1.end);
        ends.filter(|it| matches!(it, Termination::Failed(_, failure) if failure.kind == kind))
            .count()
    };
    assert_eq!(failed(FailureKind::Unavailable), 30, "an unavailable entrant loses all");
    assert!(failed(FailureKind::Crashed) > 3);
    assert!(games.iter().filter(|it| it.1.end == Termination::Rules).count() >= 10);
}

#[test]
fn contestants_keep_their_seats_but_not_without_end() {
    let roster = Entrants::default();
    games(3, 1, &roster);
    assert_eq!(roster.seated.load(Ordering::Relaxed), 3);
    let roster = Entrants::default();
    let many = games(40, 1, &roster);
    assert_eq!(many.len(), 7800);
    assert!(roster.seated.load(Ordering::Relaxed) > 40);
}

#[test]
fn it_stops_when_told() {
    let stop = AtomicBool::new(false);
    let (adjudication, time_control) = (Adjudication::default(), TimeControl::of_nodes(1));
    let conditions = Conditions {
        game: &TicTacToe,
        time_control,
        longest: 100,
        adjudication,
        ponder: false,
        stop: &stop,
    };
    let event =
        Competition { conditions, from: Opening::none(&TicTacToe), openings: Openings::None };
    let runner = Runner {
        events: &[event],
        roster: &Entrants::default(),
        concurrency: 2,
        seed: 3,
        stop: &stop,
    };
    let mut seen = 0;
    let played = runner.play(&match_fixtures(2, 2, 100_000), |update| {
        seen += usize::from(matches!(update, Update::GameOver(..)));
        // An observer that is slower than the games.
        thread::sleep(Duration::from_millis(5));
        if seen >= 5 { Flow::Stop } else { Flow::Continue }
    });
    assert_eq!(played, Ok(()));
    assert!((5..20).contains(&seen), "the games do not run ahead: {seen}");
}
