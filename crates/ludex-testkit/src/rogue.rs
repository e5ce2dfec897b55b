//! A program that misbehaves, in every way that programs do.
//!
//! A test binary starts itself as this program: an ignored test that calls [`run`], with the way to
//! misbehave in the variable [`WAY`]. It speaks enough UCI, UGI and USI to get as far as a question, and
//! its honest moves are the first free square of a board of five by five.

use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

/// The variable that says how to misbehave.
pub const WAY: &str = "ROGUE";

/// All ways. Those before `honest` lose a game.
pub const WAYS: [&str; 15] = [
    "crash-at-start",
    "crash",
    "crash-later",
    "hang",
    "hang-with-child",
    "deaf",
    "flood",
    "endless-line",
    "flood-errors",
    "illegal",
    "garbage",
    "slow",
    "closes",
    "resign",
    "honest",
];

const FOR_EVER: Duration = Duration::from_secs(1000);

/// Is the program, to its end.
pub fn run() -> ! {
    let way = std::env::var(WAY).unwrap_or_default();
    match way.as_str() {
        "crash-at-start" => {
            let _ = writeln!(io::stderr(), "there is no book");
            exit(3)
        }
        "deaf" => sleep(FOR_EVER),
        _ => {}
    }
    let mut moves = Vec::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some(hello @ ("uci" | "ugi" | "usi")) => say(&format!("id name Rogue\n{hello}ok\n")),
            Some("isready") => say("readyok\n"),
            Some("position") => {
                moves = words.skip_while(|it| *it != "moves").skip(1).map(str::to_owned).collect();
            }
            Some("go") => answer(&way, &moves),
            Some("quit") => break,
            _ => {}
        }
    }
    exit(0)
}

/// Says something, unless the reader is gone.
fn say(text: &str) {
    say_bytes(text.as_bytes());
}

fn say_bytes(bytes: &[u8]) {
    let mut stdout = io::stdout();
    if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
        exit(1);
    }
}

/// The first free square.
fn honest(moves: &[String]) -> String {
    let squares = ('a'..='e').flat_map(|file| (1..=5).map(move |rank| format!("{file}{rank}")));
    let mut free = squares.filter(|it| !moves.contains(it));
    free.next().unwrap_or_default()
}

fn answer(way: &str, moves: &[String]) {
    let best = format!("info depth 1 score cp 5 nodes 9\nbestmove {}\n", honest(moves));
    match way {
        "crash" => {
            let _ = writeln!(io::stderr(), "assertion failed: fish");
            exit(7)
        }
        "crash-later" if moves.len() >= 4 => exit(7),
        "hang" => sleep(FOR_EVER),
        "hang-with-child" => {
            let script = "trap '' TERM HUP INT; sleep 1000 & wait; sleep 1000";
            let _child = Command::new("sh").args(["-c", script]).stdin(Stdio::null()).spawn();
            sleep(FOR_EVER);
        }
        "flood" => loop {
            say("info string and another line that does not matter\n");
        },
        "endless-line" => loop {
            say("and so on ");
        },
        "flood-errors" => loop {
            if io::stderr().write_all(&[b'x'; 4096]).is_err() {
                exit(1);
            }
        },
        "illegal" => say("bestmove z9\n"),
        "garbage" => say_bytes(b"\xff\xfe\0\nbestmove \xf0\x28\x8c\x28\n"),
        "slow" => {
            sleep(Duration::from_secs(3));
            say(&best);
        }
        "closes" => close_output(),
        "resign" => say("bestmove resign\n"),
        _ => say(&best),
    }
}

/// Goes on living without an output.
fn close_output() {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let _ = Command::new("sh").args(["-c", "exec >&- 2>&-; sleep 1000"]).exec();
    }
    exit(0)
}
