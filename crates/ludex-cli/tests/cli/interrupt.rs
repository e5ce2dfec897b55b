//! Ctrl-C: the answer so far, and exit code 130.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::run::command;

/// Starts the program; `stdin` is kept open while the child lives.
fn spawned(args: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = child.expect("the program was built");
    let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    (child, stdout)
}

/// Starts the program and waits until it has written a line that begins so.
fn started(args: &[&str], wanted: &str) -> (Child, BufReader<ChildStdout>) {
    let (child, mut stdout) = spawned(args);
    let mut line = String::new();
    while !line.trim_start().starts_with(wanted) {
        line.clear();
        assert_ne!(stdout.read_line(&mut line).expect("it writes text"), 0, "ended too soon");
    }
    (child, stdout)
}

/// Waits until Ctrl-C would be heard: on a busy machine that takes a while.
fn listening(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let caught = |text: &str| {
        let mask = text.lines().find_map(|it| it.strip_prefix("SigCgt:"))?.trim().to_owned();
        // Signal 2, counted from 1.
        Some(u64::from_str_radix(&mask, 16).ok()? & 0b10 != 0)
    };
    for _ in 0..3000 {
        match std::fs::read_to_string(&status) {
            Ok(text) if caught(&text) == Some(true) => break,
            Ok(_) => std::thread::sleep(std::time::Duration::from_millis(10)),
            // There is no such folder here.
            Err(_) => break,
        }
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
}

/// Presses Ctrl-C.
fn press(child: &Child) {
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.expect("there is a `kill`").success());
}

/// Presses Ctrl-C: the exit code, and what was written after it.
fn interrupt(mut child: Child, mut stdout: BufReader<ChildStdout>) -> (Option<i32>, String) {
    press(&child);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("it writes text");
    (child.wait().expect("it ends").code(), rest)
}

#[test]
fn perft_gives_what_it_has() {
    let (child, stdout) = started(&["perft", "chess", "9"], "2 ");
    let (code, rest) = interrupt(child, stdout);
    assert_eq!(code, Some(130));
    assert!(rest.lines().last().is_some_and(|it| it.contains(" per second, ")), "{rest}");
}

#[test]
fn play_gives_the_record_at_the_prompt() {
    let (child, stdout) = started(&["play", "tictactoe", "--side", "O", "--nodes", "9"], "move ");
    let (code, rest) = interrupt(child, stdout);
    assert_eq!(code, Some(130));
    assert!(rest.contains("game: tictactoe") && rest.contains("\n1. "), "{rest}");
}

#[test]
fn thinking_on_the_time_of_others_ends_too() {
    let args = ["play", "connect4", "--player", "uct", "--nodes", "9", "--ponder"];
    let (child, stdout) = started(&args, "player Yellow");
    std::thread::sleep(std::time::Duration::from_millis(100));
    let (code, rest) = interrupt(child, stdout);
    assert_eq!(code, Some(130));
    assert!(rest.contains("game: connect4"), "{rest}");
    let (mut child, _stdout) = started(&args, "player Yellow");
    drop(child.stdin.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "the end of the input is an end");
}

#[test]
fn a_thinking_computer_moves_at_once() {
    let args = ["play", "tictactoe", "--time", "1h", "--moves", "b2"];
    let (child, mut stdout) = started(&args, "player O");
    press(&child);
    let mut line = String::new();
    stdout.read_line(&mut line).expect("it writes text");
    assert!(line.starts_with("move O "), "{line}");
    assert_eq!(interrupt(child, stdout).0, Some(130));
}

#[test]
fn an_analysis_gives_the_best_so_far() {
    let args = ["analyse", "connect4", "--player", "uct", "--time", "1h", "--json"];
    let (child, stdout) = spawned(&args);
    listening(&child);
    let (code, rest) = interrupt(child, stdout);
    assert_eq!(code, Some(130));
    let last = rest.lines().last().unwrap_or_default();
    assert!(last.contains("\"final\":true") && last.contains("\"interrupted\":true"), "{rest}");
}

#[test]
fn a_tournament_tells_how_it_stands_and_goes_on_later() {
    let folder = crate::run::Folder::new();
    let file = folder.write(
        "club.txt",
        "game tictactoe\nplayer Ann uct\nplayer Bob random\ngames 6\ntime 150ms\n",
    );
    let (mut child, stdout) = spawned(&["tournament", &file]);
    let first = folder.path("club.run/games/00001.txt");
    while !std::path::Path::new(&first).exists() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended too soon");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let (code, rest) = interrupt(child, stdout);
    assert_eq!(code, Some(130));
    assert!(rest.contains("of 6 games played") && !rest.contains("6 of 6"), "{rest}");
    let told = crate::run::json(&["tournament", &file]);
    assert_eq!(told["played"], 6);
}

#[test]
fn two_at_once_are_one_and_a_match_tells_its_score() {
    let args = ["match", "tictactoe", "uct", "flat", "--games", "1000000", "--nodes", "3000"];
    let (mut child, mut stdout) = spawned(&args);
    listening(&child);
    let id = child.id();
    let twice = format!("kill -INT {id}; sleep 0.02; kill -INT {id}");
    Command::new("sh").args(["-c", &twice]).status().expect("there is a shell");
    let mut told = String::new();
    stdout.read_to_string(&mut told).expect("it writes text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(told.starts_with("player ") && told.contains("the first player won"), "{told}");
}

/// A fair opening of this game takes minutes to find.
#[test]
fn a_match_that_looks_for_an_opening_ends_too() {
    let args = ["match", "phutball", "random", "random", "--games", "2", "--nodes", "1"];
    let (child, stdout) = spawned(&args);
    listening(&child);
    let begun = std::time::Instant::now();
    let (code, _) = interrupt(child, stdout);
    assert_eq!(code, Some(130));
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
}
