//! Programs that misbehave: each is found out in time, and nothing of it is left.
//!
//! The programs are this very test binary, started with the ignored test `rogue`.
#![cfg(target_os = "linux")]

use std::fs;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use ludex_arena::outside::protocol::Score;
use ludex_arena::outside::{
    Asked, Language, Played, Program, Question, Setting, Spec, Trouble, Verdict,
};
use ludex_testkit::rogue;

/// Marks what this test has started.
const MARK: &str = "ROGUE_OF";

#[test]
#[ignore = "it is not a test but a program that tests start"]
fn rogue() {
    rogue::run();
}

/// A program that misbehaves this way.
fn program(way: &str, mark: &str) -> Program {
    let path = std::env::current_exe().expect("there is one");
    let mut spec = Spec::new(path.to_str().expect("it is text"));
    spec.args =
        ["outside::rogue", "--exact", "--ignored", "--nocapture"].map(str::to_owned).to_vec();
    let variables = [(rogue::WAY, way), (MARK, mark)];
    spec.environment = variables.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    spec.margin = Duration::from_millis(50);
    // Long enough for a busy machine, unless silence is the point.
    spec.patience = Duration::from_millis(if way == "deaf" { 200 } else { 20_000 });
    Program::new(spec, Language::Uci)
}

/// Plays against itself until something goes wrong, or four moves were made.
fn play(program: &mut Program, time: u64) -> Result<Vec<String>, Trouble> {
    let stop = AtomicBool::new(false);
    program.begin(&Setting::default(), &stop)?;
    let mut moves: Vec<Played> = Vec::new();
    for number in 0..6 {
        let time = Some(Duration::from_millis(time));
        let asked = Asked { moves: &moves, mover: number % 2, time, ..Asked::default() };
        let question = Question { asked, stop: &stop };
        let reply = program.think(&question)?;
        let Verdict::Plays(text) = reply.verdict else { break };
        moves.push(Played { player: number % 2, text });
    }
    program.end(false);
    Ok(moves.into_iter().map(|it| it.text).collect())
}

/// How a game with a program of this kind ends.
fn outcome(way: &str) -> Result<Vec<String>, Trouble> {
    let time = if matches!(way, "hang" | "hang-with-child" | "slow") { 100 } else { 20_000 };
    play(&mut program(way, "outcome"), time)
}

#[track_caller]
fn fails(way: &str, expected: &str) {
    let begun = Instant::now();
    let trouble = outcome(way).expect_err(way).to_string();
    assert!(trouble.contains(expected), "{way}: {trouble}");
    assert!(!trouble.contains('\n'), "{way}: {trouble}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{way}: {:?}", begun.elapsed());
}

#[test]
fn each_way_to_misbehave_is_told() {
    fails("crash-at-start", "exit status: 3; its last words: `there is no book`");
    fails("crash", "exit status: 7; its last words: `assertion failed: fish`");
    fails("crash-later", "exit status: 7");
    fails("hang", "no move within 0.15 s");
    fails("hang-with-child", "no move within 0.15 s");
    fails("slow", "no move within 0.15 s");
    fails("deaf", "no answer within 0.20 s");
    fails("flood", "flooded its output");
    fails("endless-line", "flooded its output with an endless line");
    fails("flood-errors", "flooded its error output");
    fails("closes", "closed its output");
}

#[test]
fn what_can_be_read_is_passed_on() {
    assert_eq!(outcome("illegal").unwrap()[0], "z9");
    assert!(outcome("garbage").unwrap()[0].contains('\u{fffd}'));
    assert_eq!(outcome("resign").unwrap(), Vec::<String>::new());
    assert_eq!(outcome("honest").unwrap(), ["a1", "a2", "a3", "a4", "a5", "b1"]);
}

#[test]
fn a_program_is_started_again_after_a_failure() {
    let mut rogue = program("crash-later", "again");
    for _ in 0..3 {
        assert!(matches!(play(&mut rogue, 20_000), Err(Trouble::Crashed(_))));
        assert!(!rogue.is_running());
    }
    let mut honest = program("honest", "again");
    assert!(play(&mut honest, 20_000).is_ok() && play(&mut honest, 20_000).is_ok());
    assert!(honest.is_running(), "it plays one game after the other");
    assert_eq!(honest.name(), Some("Rogue"));
}

#[test]
fn opinions_come_with_the_move() {
    let mut honest = program("honest", "opinions");
    let stop = AtomicBool::new(false);
    honest.begin(&Setting::default(), &stop).unwrap();
    let asked = Asked { nodes: Some(5), ..Asked::default() };
    let question = Question { asked, stop: &stop };
    let reply = honest.think(&question).unwrap();
    assert_eq!(reply.score, Some(Score::Centipawns(5.0)));
    assert_eq!((reply.depth, reply.nodes), (Some(1), Some(9)));
}

#[test]
fn whoever_wants_an_end_gets_it() {
    let mut hanging = program("hang", "stop");
    let stop = AtomicBool::new(false);
    hanging.begin(&Setting::default(), &stop).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let asked = Asked { nodes: Some(1), ..Asked::default() };
        let question = Question { asked, stop: &stop };
        assert_eq!(hanging.think(&question), Err(Trouble::Stopped));
    });
}

#[test]
fn a_program_that_is_not_there_cannot_be_started() {
    let mut nothing = Program::new(Spec::new("/nowhere/at-all"), Language::Gtp);
    let trouble = nothing.begin(&Setting::default(), &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(&trouble, Trouble::NoStart(it) if it.contains("/nowhere/at-all")));
}

/// The processes that carry a mark.
fn left_behind(mark: &str) -> Vec<String> {
    let wanted = format!("{MARK}={mark}");
    let processes = fs::read_dir("/proc").expect("this is Linux").flatten();
    let marked = processes.filter(|it| {
        let environment = fs::read(it.path().join("environ")).unwrap_or_default();
        environment.split(|it| *it == 0).any(|it| it == wanted.as_bytes())
    });
    marked.map(|it| it.file_name().to_string_lossy().into_owned()).collect()
}

fn open_files() -> usize {
    fs::read_dir("/proc/self/fd").expect("this is Linux").count()
}

fn resident_pages() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").expect("this is Linux");
    text.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("it is a number")
}

fn threads() -> usize {
    fs::read_dir("/proc/self/task").expect("this is Linux").count()
}

/// The children of this process, those with them that have ended and were not reaped.
fn children() -> usize {
    let own = std::process::id().to_string();
    let processes = fs::read_dir("/proc").expect("this is Linux").flatten();
    let parent = |stat: String| Some(stat.rsplit_once(')')?.1.split(' ').nth(2)?.to_owned());
    let stats = processes.filter_map(|it| fs::read_to_string(it.path().join("stat")).ok());
    stats.filter_map(parent).filter(|it| *it == own).count()
}

/// Plays so many games with programs that misbehave, several at a time.
fn misbehave(games: usize, mark: &str) {
    let ways = &rogue::WAYS;
    thread::scope(|scope| {
        for worker in 0..8 {
            scope.spawn(move || {
                for game in (worker..games).step_by(8) {
                    let mut rogue = program(ways[game % ways.len()], mark);
                    let _ = play(&mut rogue, 100);
                }
            });
        }
    });
}

/// Two hundred games; as many as `LUDEX_ROGUE_GAMES` says.
#[test]
fn nothing_is_left_behind() {
    let games = std::env::var("LUDEX_ROGUE_GAMES").ok().and_then(|it| it.parse().ok());
    let games = games.unwrap_or(200);
    // What is allocated once for every thread and every way is not a leak.
    misbehave(8 * rogue::WAYS.len(), "warm");
    let before = [open_files(), threads(), children()];
    let pages = resident_pages();
    misbehave(games, "leak");
    // Who was killed may take a moment to be gone.
    let gone = (0..100).any(|_| {
        thread::sleep(Duration::from_millis(50));
        left_behind("leak").is_empty()
    });
    assert!(gone, "{:?}", left_behind("leak"));
    // Other tests of this binary run at the same time: wait for a quiet moment.
    let settled = (0..200).any(|_| {
        thread::sleep(Duration::from_millis(50));
        let now = [open_files(), threads(), children()];
        now.iter().zip(before).all(|(now, before)| *now <= before)
    });
    assert!(settled, "{:?} and {before:?}", [open_files(), threads(), children()]);
    let grown = resident_pages().saturating_sub(pages);
    assert!(grown < 8 << 10, "{grown} pages more than before");
}
