//! Tests of the events and of what ends an analysis.

use super::*;
use crate::engine::EngineKind;
use crate::players::test_players;

/// An analysis of the start of tic-tac-toe by a player that only tests have.
fn started(player: &str, stop: &StopToken) -> Running {
    let game = LoadedGame::load("tictactoe", EngineKind::Interpreter).expect("it is bundled");
    let position = game.reach(None, "").expect("the start");
    let request = AnalysisRequest::for_nodes(position, 10).by(player);
    let game = game.with_registry(test_players::registry());
    let running = start(game.into(), request, stop.clone());
    running.expect("it is a player of the registry")
}

#[test]
fn an_analysis_never_raises_the_token_of_its_caller() {
    let stop = StopToken::new();
    let mut running = started("first", &stop);
    let done = running.find(|it| matches!(it, Event::Done(_)));
    assert!(matches!(done, Some(Event::Done(Ok(it))) if it.best.is_some() && !it.interrupted));
    drop(running);
    started("waits", &stop).stop();
    drop(started("waits", &stop));
    assert!(!stop.is_stopped());
}

#[test]
fn analyses_with_one_token_are_stopped_apart_and_together() {
    let stop = StopToken::new();
    let [gone, one, other] = [(); 3].map(|()| started("waits", &stop));
    drop(gone);
    assert!(!one.stop.is_stopped() && one.events.try_recv().is_err(), "it goes on");
    stop.stop();
    for running in [one, other] {
        let analysis = running.wait().expect("it has a move");
        assert!(analysis.interrupted && analysis.best.is_some(), "{analysis:?}");
    }
}

#[test]
fn a_search_that_panics_ends_with_its_message() {
    let events: Vec<Event> = started("panics", &StopToken::new()).collect();
    let Some(Event::Done(Err(error))) = events.last() else { panic!("{events:?}") };
    assert!(error.to_string().contains("a test wants this"), "{error}");
    let error = started("panics", &StopToken::new()).wait().expect_err("it panics");
    assert!(error.to_string().starts_with("internal error"), "{error}");
}

#[test]
fn a_player_of_another_registry_is_unknown_to_ours() {
    let game: Arc<LoadedGame> =
        LoadedGame::load("tictactoe", EngineKind::Interpreter).expect("it is bundled").into();
    let position = game.reach(None, "").expect("the start");
    let request = AnalysisRequest::for_nodes(position, 10).by("first");
    assert!(start(game, request, StopToken::new()).is_err());
    let analysis = started("first", &StopToken::new()).wait().expect("it was added");
    assert_eq!(analysis.description.as_deref(), Some("first"));
}

/// An analysis with a line for each move and value.
fn shown(lines: &[(&str, f64)], visits: u64) -> Analysis {
    let line = |&(mv, value): &(&str, f64)| AnalysedLine {
        mv: mv.to_owned(),
        value,
        at_most: false,
        score: None,
        pv: vec![mv.to_owned()],
        proved: None,
        utility: None,
        exact: None,
        plies: None,
        points: None,
        visits,
    };
    Analysis {
        schema: Schema::of("analysis"),
        best: lines.first().map(|it| it.0.to_owned()),
        lines: lines.iter().map(line).collect(),
        nodes: visits,
        depth: 1,
        seconds: 0.0,
        found: 0.0,
        is_final: false,
        player: None,
        description: None,
        interrupted: false,
    }
}

#[test]
fn news_in_any_line_is_an_improvement() {
    let (events, received) = channel();
    let mut sender = EventSender { events: &events, last: None };
    let mut is_news = |lines: &[(&str, f64)], visits: u64| {
        sender.send(shown(lines, visits));
        matches!(received.try_recv(), Ok(Event::Improved(_)))
    };
    assert!(is_news(&[("a1", 0.5), ("b2", 0.0)], 10));
    assert!(!is_news(&[("a1", 0.5), ("b2", 0.0)], 20), "only more visits");
    assert!(is_news(&[("a1", 0.5), ("b2", 0.25)], 30), "another value");
    assert!(is_news(&[("a1", 0.5), ("c3", 0.25)], 40), "another move");
    assert!(is_news(&[("a1", 0.5), ("c3", 0.25), ("b2", 0.0)], 50), "one line more");
    assert!(!is_news(&[("a1", 0.5), ("c3", 0.25), ("b2", 0.0)], 60));
}
