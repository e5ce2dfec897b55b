//! Lists the rules files in `games/` and the player files in `players/`, and writes tables that take
//! them into the program.

#![allow(clippy::disallowed_methods, reason = "a build script reads the bundled files")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let games = entries(&here.join("games"));
    let games = games.into_iter().filter(|it| ends_in(it, "game"));
    write_table("games.rs", games.map(|path| (stem(&path), path)));

    let folders = entries(&here.join("players")).into_iter().filter(|it| it.is_dir());
    let players = folders.flat_map(|folder| {
        let game = stem(&folder);
        let files = entries(&folder).into_iter().filter(|it| ends_in(it, "player"));
        files.map(move |path| (format!("{game}/{}", stem(&path)), path))
    });
    write_table("players.rs", players);
}

/// Writes a table of names and texts.
fn write_table(name: &str, files: impl Iterator<Item = (String, PathBuf)>) {
    let mut table = String::from("&[\n");
    for (name, path) in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let path = path.canonicalize().expect("it was listed");
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .expect("strings take everything");
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join(name), table).expect("the build directory can be written");
}

/// What is in a directory, sorted by name.
fn entries(directory: &Path) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={}", directory.display());
    let entries = fs::read_dir(directory).expect("games and players are beside the crates");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the directory can be listed").path()).collect();
    paths.sort_by_key(|path| stem(path));
    paths
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("what was listed has a name").to_string_lossy().into_owned()
}

fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|it| it == ending)
}
