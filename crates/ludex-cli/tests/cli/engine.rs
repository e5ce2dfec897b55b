//! `engine`: what other programs hear.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{LUDEX, ludex_reading};

/// An engine that runs.
struct Engine {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Engine {
    fn new(args: &[&str]) -> Self {
        let mut child = Command::new(LUDEX)
            .arg("engine")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was built");
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, stdin, stdout }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("it listens");
    }

    /// The first line that begins so.
    fn hear(&mut self, wanted: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(
                self.stdout.read_line(&mut line).expect("it writes text"),
                0,
                "no `{wanted}`"
            );
            if line.starts_with(wanted) {
                return line.trim_end().to_owned();
            }
        }
    }

    /// Everything up to the first line that begins so.
    fn hear_until(&mut self, wanted: &str) -> String {
        let mut heard = String::new();
        while !heard.lines().last().is_some_and(|it| it.starts_with(wanted)) {
            assert_ne!(self.stdout.read_line(&mut heard).expect("it writes text"), 0, "{heard}");
        }
        heard
    }

    fn quit(mut self) {
        self.say("quit");
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }
}

#[test]
fn uci_for_chess() {
    let mut engine = Engine::new(&["chess", "--player", "uct"]);
    engine.say("uci");
    engine.hear("id name Ludex");
    engine.hear("uciok");
    engine.say("setoption name Hash value 64");
    engine.say("setoption name Threads value 1");
    engine.say("isready");
    engine.hear("readyok");
    engine.say("ucinewgame");
    engine.say("position fen 6k1/p4ppp/8/8/8/8/5PPP/1R4K1 w - - 3 37 moves g1f1 a7a6");
    engine.say("go nodes 2000");
    assert!(engine.hear("bestmove").starts_with("bestmove b1b8"), "mate in one");
    engine.say("position startpos moves e2e4 e7e5");
    engine.say("go wtime 400 btime 400 winc 0 binc 0");
    assert_eq!(engine.hear("bestmove").split(' ').nth(1).map(str::len), Some(4));
    engine.quit();
}

#[test]
fn a_search_without_end_is_stopped_at_once() {
    let mut engine = Engine::new(&["connect4", "--player", "uct"]);
    engine.say("ugi");
    engine.hear("ugiok");
    engine.say("position startpos moves d1");
    engine.say("go infinite");
    engine.say("isready");
    engine.hear("readyok");
    // It must wait until it is asked, and answer then.
    std::thread::sleep(Duration::from_millis(100));
    let asked = Instant::now();
    engine.say("stop");
    engine.hear("bestmove ");
    // Other tests may have the processor; without them it is a matter of milliseconds.
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    engine.say("go ponder p1time 100 p2time 100");
    engine.say("ponderhit");
    engine.hear("bestmove ");
    engine.quit();
}

#[test]
fn questions_about_the_rules() {
    let mut engine = Engine::new(&["tictactoe", "--player", "uct", "--nodes", "50"]);
    for (moves, over, first, result) in [
        ("", "false", "true", "none"),
        ("moves b2", "false", "false", "none"),
        ("moves a1 a3 b1 b3 c1", "true", "false", "p1win"),
        ("moves a1 a3 b1 b3 c2 c3", "true", "false", "p2win"),
    ] {
        engine.say(&format!("position startpos {moves}"));
        for (question, answer) in [("gameover", over), ("p1turn", first), ("result", result)] {
            engine.say(&format!("query {question}"));
            assert_eq!(engine.hear("response"), format!("response {answer}"), "{moves} {question}");
        }
    }
    engine.quit();
}

#[test]
fn garbage_is_answered_and_survived() {
    let input = "hello\nposition\nposition fen x y z\nposition startpos moves z9\ngo nodes\ngo depth x\n\
                 query\nquery weather\nsetoption\nsetoption name Player value nobody\nsetoption name Hash value x\n\
                 stop\nponderhit\n\u{0}\u{1}\ngo nodes 10\nposition startpos moves a1\ngo nodes 10\n";
    let args = ["engine", "tictactoe", "--player", "uct", "--nodes", "50"];
    let ran = ludex_reading(input, &args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let count = |begin: &str| ran.stdout.lines().filter(|it| it.starts_with(begin)).count();
    assert_eq!(count("bestmove "), 4, "{}", ran.stdout);
    assert!(count("info string error: ") >= 10, "{}", ran.stdout);
}

#[test]
fn gtp_for_go() {
    let input = "1 protocol_version\n2 boardsize 9\n3 clear_board\n4 komi 6.5\n5 play b J9\n6 genmove w\n\
                 7 known_command genmove\n8 play w i1\n9 play b J9\n10 undo\n11 undo\n12 boardsize 99\n\
                 13 rubbish\n14 time_settings 1 0 0\n15 time_left b 1 0\n16 genmove b\n17 showboard\n\
                 play white A1 # twice in a row\n18 quit\n";
    let args = ["engine", "go", "--player", "uct", "--nodes", "20"];
    let ran = ludex_reading(input, &args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let answers: Vec<&str> = ran.stdout.split("\n\n").collect();
    assert_eq!(answers[0], "=1 2");
    assert_eq!(answers[4], "=5", "{}", ran.stdout);
    assert!(answers[5].starts_with("=6 ") && !answers[5].contains('I'), "{}", answers[5]);
    assert_eq!(answers[6], "=7 true");
    assert_eq!(answers[7], "?8 invalid vertex");
    assert_eq!(answers[8], "?9 illegal move");
    assert_eq!((answers[9], answers[10]), ("=10", "=11"));
    assert_eq!(answers[11], "?12 unacceptable size");
    assert_eq!(answers[12], "?13 unknown command");
    assert!(answers[15].starts_with("=16 "), "{}", answers[15]);
    assert!(
        answers[16].starts_with("=17 \n") || answers[16].starts_with("=17\n"),
        "{}",
        answers[16]
    );
    assert_eq!(answers[17], "=", "{}", ran.stdout);
    assert_eq!(answers[18], "=18");
}

/// A position in which White mates at once.
const MATE: &str = "position fen 6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1";

#[test]
fn the_opponents_time_is_free() {
    let mut engine = Engine::new(&["connect4", "--player", "uct"]);
    engine.say("ugi");
    engine.hear("option name Ponder type check");
    engine.hear("ugiok");
    engine.say("setoption name Ponder value true");
    engine.say("position startpos moves d1");
    engine.say("go ponder movetime 50");
    engine.say("isready");
    engine.hear("readyok");
    // The time that it was given has passed, and does not count.
    std::thread::sleep(Duration::from_millis(150));
    engine.say("isready");
    assert!(!engine.hear_until("readyok").contains("bestmove"), "it speaks only when it is asked");
    engine.say("ponderhit");
    let best = engine.hear("bestmove ");
    assert_eq!(best.split(' ').nth(2), Some("ponder"), "a reply is expected: {best}");
    // The opponent has played something else.
    engine.say("go ponder p1time 60000 p2time 60000");
    std::thread::sleep(Duration::from_millis(50));
    let asked = Instant::now();
    engine.say("stop");
    engine.hear("bestmove ");
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    engine.quit();
}

#[test]
fn pondering_that_is_done_early_waits() {
    let mut engine = Engine::new(&["chess", "--player", "uct"]);
    engine.say(MATE);
    engine.say("go ponder nodes 500");
    std::thread::sleep(Duration::from_millis(200));
    engine.say("isready");
    assert!(!engine.hear_until("readyok").contains("bestmove"));
    engine.say("ponderhit");
    assert!(engine.hear("bestmove").starts_with("bestmove b1b8"));
    engine.quit();
}

#[test]
fn what_was_asked_before_quit_is_answered() {
    let args = ["engine", "chess", "--player", "uct"];
    for limit in
        ["nodes 2000", "movetime 200", "infinite", "ponder nodes 10", "wtime 900 btime 900"]
    {
        let ran = ludex_reading(&format!("{MATE}\ngo {limit}\nquit\n"), &args);
        assert_eq!(ran.code, 0, "{limit} {ran:?}");
        assert!(ran.stdout.lines().last().is_some_and(|it| it.starts_with("bestmove ")), "{limit}");
    }
    // Amounts are worked off whole, one question after the other.
    let input = format!("{MATE}\ngo nodes 2000\nposition startpos\ngo nodes 3000\nquit\nd\n");
    let ran = ludex_reading(&input, &args);
    let best: Vec<&str> = ran.stdout.lines().filter(|it| it.starts_with("bestmove")).collect();
    assert_eq!(best.len(), 2, "{}", ran.stdout);
    assert!(best[0].starts_with("bestmove b1b8"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("a b c"), "nothing is done after `quit`: {}", ran.stdout);
    // The same without `quit`: a search without end that began after the last line ends, too.
    let ran = ludex_reading(&format!("{MATE}\ngo nodes 2000\ngo infinite\n"), &args);
    assert_eq!(ran.stdout.matches("bestmove").count(), 2, "{}", ran.stdout);
}

#[test]
fn quit_twice_ends_everything_at_once() {
    let mut engine = Engine::new(&["chess", "--player", "uct"]);
    engine.say("go movetime 600000");
    engine.say("quit");
    engine.say("quit");
    let asked = Instant::now();
    engine.hear("bestmove ");
    assert_eq!(engine.child.wait().expect("it ends").code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}

#[test]
fn a_list_of_gtp_commands_is_played_whole() {
    let input = "genmove b\ngenmove w\nquit\n";
    let args = ["engine", "go:5", "--player", "uct", "--nodes", "300"];
    let ran = ludex_reading(input, &args);
    assert_eq!(ran.stdout, ludex_reading(input, &args).stdout, "nodes: always the same");
    assert_eq!(ran.stdout.matches('=').count(), 3, "{}", ran.stdout);
}

#[test]
fn shogi_is_spoken() {
    let mut engine = Engine::new(&["minishogi", "--player", "uct"]);
    engine.say("usi");
    let told = engine.hear_until("usiok");
    assert!(
        told.contains("option name USI_Hash") && told.contains("option name USI_Ponder"),
        "{told}"
    );
    engine.say("setoption name USI_Hash value 16");
    engine.say("isready");
    engine.hear("readyok");
    engine.say("usinewgame");
    engine.say("position startpos moves 1e1d 5a5b");
    engine.say("go nodes 300");
    let info = engine.hear("info depth");
    let is_square = |it: &str| {
        let letters: Vec<char> = it.chars().collect();
        matches!(letters.as_slice(), ['1'..='5', 'a'..='e', ..])
    };
    let pv = info.split(" pv ").nth(1).unwrap_or_default();
    assert!(pv.split(' ').all(|it| is_square(it) || it.contains('*')), "{info}");
    let best = engine.hear("bestmove");
    assert!(is_square(best.split(' ').nth(1).unwrap_or_default()), "{best}");
    engine.say("position startpos moves 1e1a");
    assert!(engine.hear("info string error").contains("`1e1a` is not a legal move"));
    // A gold in hand wins at once, wherever it is dropped beside the king.
    engine.say("position sfen 4k/5/4G/5/K4 b G 1");
    engine.say("go byoyomi 500");
    let best = engine.hear("bestmove");
    assert!(best.starts_with("bestmove G*"), "{best}");
    engine.say("gameover win");
    engine.say("position sfen 4k/4G/4G/5/K4 w - 1");
    engine.say("go nodes 5");
    assert_eq!(engine.hear("bestmove"), "bestmove resign", "mated");
    assert!(engine.hear("info string error").contains("the game is over"));
    engine.say("position sfen nonsense");
    assert!(engine.hear("info string error").contains("is no position"));
    engine.quit();
}

#[test]
fn xboard_is_spoken() {
    let mut engine =
        Engine::new(&["chess", "--protocol", "xboard", "--player", "uct", "--nodes", "200"]);
    engine.say("xboard");
    engine.say("protover 2");
    let told = engine.hear_until("feature done=1");
    assert!(told.contains("ping=1") && told.contains("variants=\"normal\""), "{told}");
    assert!(told.contains("myname=\"Ludex "), "{told}");
    engine.say("accepted ping");
    engine.say("new");
    engine.say("ping 1");
    assert_eq!(engine.hear("pong"), "pong 1");
    // It plays black, and answers by itself.
    engine.say("post");
    engine.say("usermove e2e4");
    let told = engine.hear_until("move ");
    let thought = told.lines().next().unwrap_or_default().split(' ').count();
    assert!(thought >= 5, "depth, score, time, nodes and moves: {told}");
    engine.say("nopost");
    // A move may come without a word before it, and be written as people do.
    engine.say("force");
    engine.say("d2d4");
    engine.say("usermove h7h6");
    engine.say("usermove Nf3");
    engine.say("usermove a1a8");
    assert_eq!(engine.hear("Illegal"), "Illegal move: a1a8");
    engine.say("remove");
    engine.say("undo");
    engine.say("setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    engine.say("go");
    assert_eq!(engine.hear("move "), "move a1a8");
    assert!(engine.hear("1-0").contains("White wins"));
    engine.say("white\nblack");
    engine.say("dance");
    assert_eq!(engine.hear("Error"), "Error (unknown command): dance");
    engine.say("variant crazyhouse");
    assert!(engine.hear("Error").contains("unknown variant"));
    engine.quit();
}

#[test]
fn xboard_may_change_its_mind() {
    let mut engine =
        Engine::new(&["chess", "--protocol", "cecp", "--player", "uct", "--time", "1h"]);
    engine.say("new");
    engine.say("usermove e2e4");
    std::thread::sleep(Duration::from_millis(100));
    engine.say("force");
    engine.say("ping 2");
    assert_eq!(engine.hear_until("pong 2"), "pong 2\n", "the move is not wanted any more");
    let begun = Instant::now();
    engine.say("go");
    std::thread::sleep(Duration::from_millis(100));
    engine.say("?");
    engine.hear("move ");
    engine.say("level 0 0:02 0");
    engine.say("time 100");
    engine.say("otim 100");
    engine.say("usermove a2a3");
    engine.hear("move ");
    engine.say("st 1");
    engine.say("usermove a3a4");
    engine.hear("move ");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    engine.say("usermove b2b3");
    engine.quit();
}

#[test]
fn xboard_leaves_when_it_is_told_to() {
    let thinking = || {
        let mut engine = Engine::new(&["chess", "--protocol", "cecp", "--player", "uct"]);
        engine.say("new");
        engine.say("st 3600");
        engine.say("ping 1");
        engine.hear("pong 1");
        engine.say("go");
        std::thread::sleep(Duration::from_millis(700));
        (engine, Instant::now())
    };
    let (engine, told) = thinking();
    engine.quit();
    assert!(told.elapsed() < Duration::from_secs(20), "{:?}", told.elapsed());
    // What waits behind the search is not thought about either.
    let (mut engine, told) = thinking();
    engine.say("ping 7\nplayother\ngo");
    engine.quit();
    assert!(told.elapsed() < Duration::from_secs(20), "{:?}", told.elapsed());
    let (Engine { mut child, stdin, stdout }, told) = thinking();
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(told.elapsed() < Duration::from_secs(20), "{:?}", told.elapsed());
    drop(stdout);
}

#[test]
fn xboard_answers_what_was_written_all_at_once() {
    let args = ["engine", "chess", "--protocol", "cecp", "--player", "uct"];
    let begun = Instant::now();
    let ran = ludex_reading("new\nst 1\ngo\n", &args);
    assert!(ran.code == 0 && ran.stdout.contains("move "), "{ran:?}");
    assert!(begun.elapsed() > Duration::from_millis(900), "the whole time was used");
}

#[test]
fn limits_that_cannot_be_read_are_told_and_answered() {
    for (game, protocol, words) in [
        ("minishogi", "usi", "btime x wtime 5"),
        ("minishogi", "usi", "byoyomi x"),
        ("tictactoe", "ugi", "nodes"),
        ("tictactoe", "ugi", "movetime 1e3 nodes 5"),
    ] {
        let mut engine = Engine::new(&[game, "--player", "uct", "--nodes", "50"]);
        engine.say(&format!("{protocol}\nposition startpos\ngo {words}"));
        let heard = engine.hear_until("bestmove ");
        assert!(heard.contains("info string error: `"), "{words}: {heard}");
        assert!(heard.contains("wants a number"), "{words}: {heard}");
        engine.quit();
    }
}
