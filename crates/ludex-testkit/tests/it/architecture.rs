//! The arrows and invariants of ARCHITECTURE.md, as tests.
//!
//! To add an arrow, change the table there, and say why in the commit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{root, sheets};

/// The table of ARCHITECTURE.md: crate, and the crates of ours it may use.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it is in the workspace");
    let rows: Vec<Vec<String>> = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate | may use"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned).collect())
        .collect();
    let all: BTreeSet<String> = rows.iter().map(|row| row[0].clone()).collect();
    rows.into_iter()
        .map(|row| {
            let allowed = if row.len() == 1 && row[0] == "ludex-cli" {
                all.iter().filter(|it| !it.ends_with("testkit")).cloned().collect()
            } else {
                row[1..].iter().cloned().collect()
            };
            (row[0].clone(), allowed)
        })
        .collect()
}

/// Names of our own crates in the `[dependencies]` section of a manifest.
fn ours(manifest: &str) -> BTreeSet<String> {
    manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| name.starts_with("ludex"))
        .map(str::to_owned)
        .collect()
}

fn crates() -> Vec<(String, PathBuf)> {
    let mut crates: Vec<(String, PathBuf)> = fs::read_dir(root().join("crates"))
        .expect("the crates are in the workspace")
        .map(|entry| entry.expect("the folder can be read"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    crates.sort();
    crates
}

#[test]
fn crates_depend_only_downwards() {
    let arrows = arrows();
    for (name, path) in crates() {
        let manifest = fs::read_to_string(path.join("Cargo.toml")).expect("it has a manifest");
        let allowed =
            arrows.get(&name).unwrap_or_else(|| panic!("{name} is not in ARCHITECTURE.md"));
        let extra: Vec<String> = ours(&manifest).difference(allowed).cloned().collect();
        assert!(extra.is_empty(), "{name} may not depend on {extra:?}");
    }
    assert_eq!(arrows.len(), crates().len(), "ARCHITECTURE.md names a crate that does not exist");
}

/// Every Rust file of a crate's library or program, without its tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.file_stem().is_some_and(|it| it == "tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    files
}

/// The code of a file: no comments, no tests.
fn code(text: &str) -> String {
    text.lines()
        .take_while(|line| !line.contains("#[cfg(test)]"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.split(" // ").next().unwrap_or(line).to_lowercase() + "\n")
        .collect()
}

#[test]
fn no_game_is_special() {
    // Words that are games' names but also words of every day.
    let everyday = ["go", "hex", "samegame"];
    let names: Vec<String> = sheets()
        .into_iter()
        .map(|(name, _)| name)
        .filter(|it| !everyday.contains(&it.as_str()))
        .collect();
    let mut found = Vec::new();
    for (krate, path) in crates() {
        // The front end gives examples in its help, the command line names the game that it
        // starts with, the public test sets are about games, and the testkit has games by hand.
        let speaks_of_games = ["ludex-cli", "ludex-rules", "ludex-testsets", "ludex-testkit"];
        if speaks_of_games.contains(&krate.as_str()) {
            continue;
        }
        // SGF itself lists some games by number and title.
        for file in sources(&path.join("src")).iter().filter(|it| !it.ends_with("export/sgf.rs")) {
            let code = code(&fs::read_to_string(file).expect("it is text"));
            for name in &names {
                if code.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|it| it == name)
                {
                    found.push(format!("{}: {name}", file.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "games named behind the front end:\n{}", found.join("\n"));
}

#[test]
fn unsafe_code_is_forbidden_but_where_native_code_is_made() {
    for (name, path) in crates().into_iter().filter(|(name, _)| name != "ludex-jit") {
        let roots = ["src/lib.rs", "src/main.rs"].map(|it| path.join(it));
        for file in roots.iter().filter(|it| it.exists()) {
            let text = fs::read_to_string(file).expect("it is text");
            assert!(text.contains("#![forbid(unsafe_code)]"), "{name}: {}", file.display());
        }
    }
}

#[test]
fn the_core_knows_no_clock_and_no_files() {
    for krate in [
        "ludex-core",
        "ludex-diagnostics",
        "ludex-ir",
        "ludex-rules",
        "ludex-interp",
        "ludex-study",
        "ludex-search",
    ] {
        for file in sources(&root().join("crates").join(krate).join("src")) {
            let code = code(&fs::read_to_string(&file).expect("it is text"));
            for word in ["instant::now", "std::fs", "std::env", "std::net", "systemtime"] {
                assert!(!code.contains(word), "{}: {word}", file.display());
            }
        }
    }
}

#[test]
fn libraries_print_nothing_and_keep_no_process_wide_state() {
    // Memory that a thread keeps for its next call is no state that another thread sees.
    let words = [
        "println!",
        "print!(",
        "process::exit(",
        "static mut ",
        "lazylock<",
        "clap::",
        "io::stdout",
        "io::stderr",
        "io::stdin",
    ];
    let states = ["atomic", "oncelock", "mutex", "rwlock", "stoptoken"];
    for (krate, path) in crates() {
        if matches!(krate.as_str(), "ludex-cli" | "ludex-testkit") {
            continue;
        }
        for file in sources(&path.join("src")) {
            let code = code(&fs::read_to_string(&file).expect("it is text"));
            for word in words {
                assert!(!code.contains(word), "{}: {word}", file.display());
            }
            let mut statics = code.lines().filter(|it| {
                let it =
                    it.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
                it.starts_with("static ") && states.iter().any(|state| it.contains(state))
            });
            assert_eq!(statics.next(), None, "{}", file.display());
        }
    }
}

/// The types at the top level of a crate: those that its `lib.rs` defines or takes from its modules.
fn top_level(lib: &str) -> Vec<String> {
    let is_type = |name: &&str| name.starts_with(|it: char| it.is_ascii_uppercase());
    let last = |item: &str| {
        let mut words = item.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        words.rfind(is_type).map(str::to_owned)
    };
    let mut names = Vec::new();
    for statement in lib.split("\npub ").skip(1) {
        let (word, rest) = statement.split_once(' ').unwrap_or((statement, ""));
        match word {
            "use" if rest.starts_with("ludex_") => {}
            "use" => {
                let items = rest.split(';').next().unwrap_or(rest);
                names.extend(items.split(',').filter_map(last));
            }
            "struct" | "enum" | "trait" | "type" => {
                names.extend(rest.split(['<', '(', ' ', ':', ';']).next().map(str::to_owned));
            }
            _ => {}
        }
    }
    names
}

#[test]
fn different_things_have_different_names() {
    let mut crates_with: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, path) in crates().into_iter().filter(|(name, _)| name != "ludex-testkit") {
        let Ok(lib) = fs::read_to_string(path.join("src/lib.rs")) else { continue };
        for it in top_level(&lib) {
            crates_with.entry(it).or_default().insert(name.clone());
        }
    }
    assert!(crates_with.len() > 100, "the types were not found");
    crates_with.retain(|_, crates| crates.len() > 1);
    assert!(crates_with.is_empty(), "names of two things: {crates_with:?}");
}
