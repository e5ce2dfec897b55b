//! Many games at once: each exactly once, the same however many at once, and never the last because of
//! somebody's failure.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use ludex_arena::adjudication::Adjudication;
use ludex_arena::hall::match_fixtures;
use ludex_arena::{
    Allowance, Answer, Choice, Contestant, End, Event, Failure, FailureKind, Flow, Hall, Host,
    News, Opening, Openings, Pace, Played, Situation, Terms,
};
use ludex_core::{Game, Player, Random};
use ludex_testkit::tictactoe::TicTacToe;

/// Plays any move; may fail at any of them.
struct Anything {
    random: Random,
    fails: bool,
}

impl Contestant<TicTacToe> for Anything {
    fn begin(&mut self, _: &Situation<'_, TicTacToe>, _: Player, seed: u64) -> Result<(), Failure> {
        self.random = Random::stream(seed, 0, 0);
        Ok(())
    }

    fn think(
        &mut self,
        situation: &Situation<'_, TicTacToe>,
        _: &Allowance,
    ) -> Result<Choice<<TicTacToe as Game>::Move>, Failure> {
        if self.fails && self.random.below(4) == 0 {
            return Err(Failure::new(FailureKind::Crashed, "it fell over"));
        }
        let mv = situation.game.random_move(situation.state, situation.trail, &mut self.random);
        let mv = mv.map_err(Failure::of_rules)?.expect("somebody is to move");
        Ok(Choice::new(Answer::Move(mv)))
    }

    fn describe(&self) -> String {
        "any move".to_owned()
    }
}

/// Entrant 2 fails now and then, and entrant 3 is never there.
#[derive(Default)]
struct Door {
    seated: AtomicUsize,
}

impl Host<TicTacToe> for Door {
    fn seat(
        &self,
        _: usize,
        entrant: usize,
    ) -> Result<Box<dyn Contestant<TicTacToe> + '_>, Failure> {
        self.seated.fetch_add(1, Ordering::Relaxed);
        if entrant == 3 {
            return Err(Failure::new(FailureKind::Unavailable, "nobody knows where it is"));
        }
        Ok(Box::new(Anything { random: Random::stream(0, 0, 0), fails: entrant == 2 }))
    }
}

/// All games between so many entrants, by their numbers.
fn games(entrants: usize, tables: usize, door: &Door) -> Vec<(u64, Played)> {
    let stop = AtomicBool::new(false);
    let terms = Terms {
        game: &TicTacToe,
        pace: Pace::of_nodes(1),
        longest: 100,
        adjudication: Adjudication::default(),
        ponder: false,
        stop: &stop,
    };
    let openings = Openings::Random { plies: 1, balanced: false };
    let event = Event { terms, from: Opening::none(&TicTacToe), openings };
    let hall = Hall { events: &[event], host: door, tables, seed: 3, stop: &stop };
    let mut games = Vec::new();
    let played = hall.play(&match_fixtures(entrants, 2, 10), |news| {
        if let News::Over(fixture, mut played) = news {
            // Times are never the same.
            played.moves.iter_mut().for_each(|it| it.spent = None);
            games.push((fixture.number, *played));
        }
        Flow::GoOn
    });
    assert_eq!(played, Ok(()));
    games.sort_by_key(|it| it.0);
    games
}

#[test]
fn games_are_the_same_however_many_are_played_at_once() {
    let one = games(4, 1, &Door::default());
    assert_eq!(one.len(), 60);
    assert!(one.iter().zip(0..).all(|(game, number)| game.0 == number), "each exactly once");
    for tables in [2, 3, 8] {
        assert_eq!(one, games(4, tables, &Door::default()));
    }
}

#[test]
fn failures_are_lost_games_and_the_others_are_played() {
    let games = games(4, 2, &Door::default());
    let failed = |kind| {
        let ends = games.iter().map(|it| &it.1.end);
        ends.filter(|it| matches!(it, End::Failed(_, failure) if failure.kind == kind)).count()
    };
    assert_eq!(failed(FailureKind::Unavailable), 30, "whoever is not there loses all");
    assert!(failed(FailureKind::Crashed) > 3);
    assert!(games.iter().filter(|it| it.1.end == End::Rules).count() >= 10);
}

#[test]
fn contestants_keep_their_seats_but_not_without_end() {
    let door = Door::default();
    games(3, 1, &door);
    assert_eq!(door.seated.load(Ordering::Relaxed), 3);
    let door = Door::default();
    let many = games(40, 1, &door);
    assert_eq!(many.len(), 7800);
    assert!(door.seated.load(Ordering::Relaxed) > 40);
}

#[test]
fn it_stops_when_told() {
    let stop = AtomicBool::new(false);
    let (adjudication, pace) = (Adjudication::default(), Pace::of_nodes(1));
    let terms =
        Terms { game: &TicTacToe, pace, longest: 100, adjudication, ponder: false, stop: &stop };
    let event = Event { terms, from: Opening::none(&TicTacToe), openings: Openings::None };
    let hall = Hall { events: &[event], host: &Door::default(), tables: 2, seed: 3, stop: &stop };
    let mut seen = 0;
    let played = hall.play(&match_fixtures(2, 2, 100_000), |news| {
        seen += usize::from(matches!(news, News::Over(..)));
        // Whoever writes games down is slower than those who play them.
        thread::sleep(Duration::from_millis(5));
        if seen >= 5 { Flow::Stop } else { Flow::GoOn }
    });
    assert_eq!(played, Ok(()));
    assert!((5..20).contains(&seen), "nobody plays far ahead: {seen}");
}
