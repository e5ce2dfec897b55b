//! Every example runs to its end.

/// What an example's `main` gives back: nothing, or a result.
trait Ended {
    /// Panics where the example has failed.
    fn expect_success(self);
}

impl Ended for () {
    fn expect_success(self) {}
}

impl Ended for ludex::Result<()> {
    fn expect_success(self) {
        self.expect("the example runs");
    }
}

#[path = "../../examples/game_in_rust.rs"]
#[allow(clippy::print_stdout, reason = "an example is a program")]
mod game_in_rust;

#[path = "../../examples/play_a_game.rs"]
#[allow(clippy::print_stdout, reason = "an example is a program")]
mod play_a_game;

#[path = "../../examples/rules_with_mistakes.rs"]
#[allow(clippy::print_stdout, reason = "an example is a program")]
mod rules_with_mistakes;

#[path = "../../examples/stop_from_another_thread.rs"]
#[allow(clippy::print_stdout, reason = "an example is a program")]
mod stop_from_another_thread;

#[path = "../../examples/stream_an_analysis.rs"]
#[allow(clippy::print_stdout, reason = "an example is a program")]
mod stream_an_analysis;

#[path = "../../examples/ten_games_at_once.rs"]
#[allow(clippy::print_stdout, reason = "an example is a program")]
mod ten_games_at_once;

#[test]
fn game_in_rust_runs() {
    game_in_rust::main().expect_success();
}

#[test]
fn play_a_game_runs() {
    play_a_game::main().expect_success();
}

#[test]
fn rules_with_mistakes_runs() {
    rules_with_mistakes::main().expect_success();
}

#[test]
fn stop_from_another_thread_runs() {
    stop_from_another_thread::main().expect_success();
}

#[test]
fn stream_an_analysis_runs() {
    stream_an_analysis::main().expect_success();
}

#[test]
fn ten_games_at_once_runs() {
    ten_games_at_once::main().expect_success();
}
