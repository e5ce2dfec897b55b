//! Records are written, read and played through again, in every kind of game.

use ludex_core::record::{Played, Record, ReplayReason, replay, result_text};
use ludex_core::turns::{Choices, turn_name};
use ludex_core::{Game, GameExt, PositionOf, Random, Turn};
use ludex_testkit::{Explicit, Nim, Node, Pig, Rps, TicTacToe, Trio};

/// A random game, written down.
fn random_record<G: Game>(game: &G, number: u64) -> (Record, PositionOf<G>) {
    let mut random = Random::stream(3, number, 0);
    let mut position = game.start();
    let mut record = Record { game: "fixture".to_owned(), ..Record::default() };
    let mut choices = Choices::default();
    let mut turn = Vec::new();
    while choices.fill(game, &position).unwrap() != Turn::Over {
        choices.draw(&mut random, &mut turn);
        record.turns.push(Played::new(turn_name(game, &position.state, &turn)));
        game.apply(&mut position, &turn).unwrap();
    }
    (record, position)
}

fn check<G: Game>(game: &G) {
    for number in 0..20 {
        let (record, end) = random_record(game, number);
        let read = Record::parse(&record.to_string()).unwrap();
        assert_eq!(read, record);
        let replayed = replay(game, &read).unwrap();
        assert_eq!(replayed.position, end);
        assert_eq!(replayed.turn, Turn::Over);
        assert_eq!(replayed.payoffs.len(), game.players());
    }
}

#[test]
fn random_games_are_played_through_again() {
    check(&Nim::new(&[3, 4, 5]));
    check(&TicTacToe);
    check(&Trio { stones: 20 });
    check(&Rps { rounds: 5 });
    check(&Pig { goal: 20, faces: 6 });
}

#[test]
fn awkward_names_are_played_through_again() {
    let game = Explicit::new(
        1,
        vec![
            Node::of(0, &[("(move a b)", 1), ("1.", 1)]),
            Node::of(0, &[("", 2), ("+", 2), ("{x}", 2), ("50%", 2)]),
            Node::end(&[0.0]),
        ],
    );
    check(&game);
}

#[track_caller]
fn refused<G: Game>(game: &G, text: &str, message: &str) -> ReplayReason {
    let error = replay(game, &Record::parse(text).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), message);
    error.reason
}

#[test]
fn errors_name_the_turn_and_the_nearest_move() {
    refused(
        &TicTacToe,
        "game: t\n\n1. b2 a1 b9",
        "turn 3: `b9` is not a legal move; did you mean `b1`?",
    );
    refused(&TicTacToe, "game: t\n\nzug", "turn 1: `zug` is not a legal move");
    refused(&TicTacToe, "game: t\n\na1 a2 b1 b2 c1 c2", "turn 6: `c2` comes after the game's end");
    let reason =
        refused(&TicTacToe, "game: t\nstart: 3/3 X\n\na1", "the start `3/3 X`: 2 rows and not 3");
    assert!(matches!(reason, ReplayReason::Start(_)));
    let rps = Rps { rounds: 2 };
    refused(&rps, "game: r\n\nrock", "turn 1: `rock` has 1 moves, not 2");
    refused(
        &rps,
        "game: r\n\nrock+papr",
        "turn 1: `papr` is not a legal move; did you mean `paper`?",
    );
    refused(&rps, "game: r\n\nrock+bow", "turn 1: `bow` is not a legal move");
    refused(&Pig { goal: 9, faces: 6 }, "game: p\n\nroll 7", "turn 2: `7` is not a legal move");
}

#[test]
fn faults_are_reported_with_their_turn() {
    let game = Explicit::new(1, vec![Node::of(0, &[("on", 1)]), Node::Fault]);
    let message = "turn 1, `on`: the rules fail at node 1";
    let reason = refused(&game, "game: x\n\non", message);
    assert!(matches!(reason, ReplayReason::Fault(_)));
    refused(&game, "game: x\n\non on", "turn 2, `on`: the rules fail at node 1");
    refused(&game, "game: x\nstart: node 1\n", "at the start: the rules fail at node 1");
}

#[test]
fn an_unfinished_record_ends_where_it_ends() {
    let replayed = replay(&TicTacToe, &Record::parse("game: t\n\nb2").unwrap()).unwrap();
    assert_eq!(replayed.turn, Turn::Of(ludex_core::Player(1)));
    assert!(replayed.payoffs.is_empty());
}

#[test]
fn a_start_of_its_own() {
    let text = "game: t\nstart: OO1/XX1/3 X\nresult: 1, -1\n\n1. c2\n";
    let record = Record::parse(text).unwrap();
    let replayed = replay(&TicTacToe, &record).unwrap();
    assert_eq!(Some(result_text(&replayed.payoffs)), record.result);
    assert_eq!(record.to_string(), text);
}
