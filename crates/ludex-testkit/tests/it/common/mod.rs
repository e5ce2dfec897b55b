//! The bundled rules files, for tests that walk through all of them.

#![allow(dead_code, reason = "each test file uses the part it needs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ludex_interp::RulesGame;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names and texts of all bundled games, in order.
pub(crate) fn sheets() -> Vec<(String, String)> {
    let mut sheets: Vec<(String, String)> = fs::read_dir(root().join("games"))
        .expect("the games are in the workspace")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|it| it == "game"))
        .map(|path| {
            let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("it is text"))
        })
        .collect();
    sheets.sort();
    sheets
}

/// A game from the text of its rules.
pub(crate) fn game_of(source: &str, options: &str) -> RulesGame {
    let compiled = ludex_rules::compile(source, options);
    let shown = ludex_diagnostics::render(
        &compiled.diagnostics,
        ludex_diagnostics::SourceText::new("game", source),
    );
    let program = compiled.program.unwrap_or_else(|| panic!("{shown}"));
    RulesGame::new(program)
}

/// A bundled game by name, with options after a colon.
pub(crate) fn game(name: &str) -> RulesGame {
    let (name, options) = name.split_once(':').unwrap_or((name, ""));
    let path = root().join("games").join(format!("{name}.game"));
    game_of(&fs::read_to_string(path).expect("there is such a game"), options)
}

/// Runs `job` on every item, on as many threads as there are cores, largest
/// `cost` first; gives what went wrong.
pub(crate) fn for_all<T: Sync>(
    items: &[T],
    cost: impl Fn(&T) -> u64,
    job: impl Fn(&T) -> Result<(), String> + Sync,
) -> Vec<String> {
    let mut order: Vec<&T> = items.iter().collect();
    order.sort_by_key(|it| std::cmp::Reverse(cost(it)));
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(message) = job(item) {
                        wrong.lock().expect("no job panics while it holds the lock").push(message);
                    }
                }
            });
        }
    });
    wrong.into_inner().expect("no job panics while it holds the lock")
}

/// A number from the environment, for longer runs by hand.
pub(crate) fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}
