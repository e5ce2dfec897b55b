//! Games in threads of their own, each stopped apart.

use std::sync::Arc;
use std::thread;

use ludex::perft::{Root, count};
use ludex::{AnalysisRequest, Error, Session, StopToken, analysis, load};

#[test]
fn two_games_in_two_threads_are_stopped_apart() {
    let search = |name: &str, nodes: u64| {
        let game = Arc::new(load(name).expect("it is bundled"));
        let position = Session::new(game.clone()).position().clone();
        let request = AnalysisRequest::for_nodes(position, nodes).by("uct");
        analysis::start(game, request, StopToken::new()).expect("it can be played")
    };
    let (endless, limited) = (search("hex:7", u64::MAX), search("othello", 3_000));
    let limited = limited.wait().expect("the rules hold");
    assert!(!limited.interrupted && limited.nodes >= 3_000, "{limited:?}");
    endless.stop();
    let endless = endless.wait().expect("the rules hold");
    assert!(endless.interrupted && endless.best.is_some(), "{endless:?}");
}

#[test]
fn a_stopped_count_keeps_what_it_has_and_disturbs_no_other() {
    let (game, stop) = (load("chess").expect("it is bundled"), StopToken::new());
    let position = game.reach(None, "").expect("the start");
    let counted = |stop: &StopToken, depth: u32| {
        let root = Root { game: &game, position: &position, stop };
        count(root, depth, &mut |it| {
            if it.depth == 2 {
                stop.stop();
            }
            Ok(())
        })
    };
    let (one, other) = thread::scope(|scope| {
        let one = scope.spawn(|| counted(&stop, 100).expect("the rules hold"));
        let other = StopToken::new();
        let root = Root { game: &game, position: &position, stop: &other };
        let other = count(root, 3, &mut |_| Ok(())).expect("the rules hold");
        (one.join().expect("a count does not panic"), other)
    });
    assert!(one.interrupted && one.counts == [20, 400], "{one:?}");
    assert!(!other.interrupted && other.counts == [20, 400, 8902], "{other:?}");
}

#[test]
fn an_error_of_the_caller_ends_a_count() {
    let game = load("tictactoe").expect("it is bundled");
    let (position, stop) = (game.reach(None, "").expect("the start"), StopToken::new());
    let root = Root { game: &game, position: &position, stop: &stop };
    let ended = count(root, 3, &mut |_| Err(Error::Stopped));
    assert_eq!(ended, Err(Error::Stopped));
}
