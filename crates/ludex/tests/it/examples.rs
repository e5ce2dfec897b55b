//! Every example runs to its end, and is short enough to be read at once.

use std::fs;
use std::path::Path;

/// The longest example, in lines.
const LONGEST: usize = 40;

/// What an example's `main` gives back: nothing, or a result.
trait Ended {
    /// Panics where the example has failed.
    fn expect_success(self);
}

impl Ended for () {
    fn expect_success(self) {}
}

impl<E: std::fmt::Debug> Ended for Result<(), E> {
    fn expect_success(self) {
        self.expect("the example runs");
    }
}

/// A test for each example, and a list of them.
macro_rules! examples {
    ($($name:ident: $path:literal,)*) => {
        $(
            #[path = $path]
            mod $name;
        )*

        mod runs {
            use super::Ended;
            $(
                #[test]
                fn $name() {
                    super::$name::main().expect_success();
                }
            )*
        }

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

examples! {
    evaluation_in_rust: "../../examples/evaluation_in_rust.rs",
    explain: "../../examples/explain.rs",
    game_in_rust: "../../examples/game_in_rust.rs",
    match_with_intervals: "../../examples/match_with_intervals.rs",
    play_a_game: "../../examples/play_a_game.rs",
    player_in_rust: "../../examples/player_in_rust.rs",
    prove_and_verify: "../../examples/prove_and_verify.rs",
    records: "../../examples/records.rs",
    rules_with_mistakes: "../../examples/rules_with_mistakes.rs",
    stop_from_another_thread: "../../examples/stop_from_another_thread.rs",
    stream_an_analysis: "../../examples/stream_an_analysis.rs",
    ten_games_at_once: "../../examples/ten_games_at_once.rs",
}

#[test]
fn every_example_is_short_and_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = Vec::new();
    for entry in folder.read_dir().expect("there are examples") {
        let path = entry.expect("it can be listed").path();
        let lines = fs::read_to_string(&path).expect("it is text").lines().count();
        assert!(lines <= LONGEST, "{} has {lines} lines", path.display());
        found.push(path.file_stem().expect("it has a name").to_string_lossy().into_owned());
    }
    found.sort();
    assert_eq!(found, NAMES);
}
