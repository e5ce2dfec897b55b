//! Lists the rules files in `games/` and writes a table that takes them into the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let games = here.join("../../games");
    println!("cargo::rerun-if-changed={}", games.display());

    let mut table = String::from("&[\n");
    for path in rules_files(&games) {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().expect("it ends in `.game`").to_string_lossy().into_owned();
        let path = path.canonicalize().expect("it was listed");
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .expect("strings take everything");
    }
    table.push_str("]\n");

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("bundled.rs"), table).expect("the build directory can be written");
}

/// The rules files of a directory, sorted by name.
fn rules_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the games are beside the crates");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the directory can be listed").path())
        .filter(|path| path.extension().is_some_and(|it| it == "game"))
        .collect();
    paths.sort_by_key(|path| path.file_stem().map(std::ffi::OsStr::to_owned));
    paths
}
