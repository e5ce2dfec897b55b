//! Engines that misbehave: each is detected in time, and nothing of it is left.
//!
//! The engines are this very test binary, started with the ignored test `rogue`.
#![cfg(target_os = "linux")]

use std::fs;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use ludex_arena::engines::protocol::EngineScore;
use ludex_arena::engines::{
    Engine, EngineAction, EngineError, EngineMove, EngineSpec, GameSetup, MoveRequest, ProtocolKind,
};
use ludex_testkit::rogue;

/// Marks what this test has started.
const MARK: &str = "ROGUE_OF";

#[test]
#[ignore = "it is not a test but a program that tests start"]
fn rogue() {
    rogue::run();
}

/// An engine that misbehaves this way.
fn program(way: &str, mark: &str) -> Engine {
    let path = std::env::current_exe().expect("there is one");
    let mut spec = EngineSpec::new(path.to_str().expect("it is text"));
    spec.args =
        ["engines::rogue", "--exact", "--ignored", "--nocapture"].map(str::to_owned).to_vec();
    let variables = [(rogue::WAY, way), (MARK, mark)];
    spec.environment = variables.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    spec.margin = Duration::from_millis(50);
    // Long enough for a busy machine, unless silence is the point.
    spec.patience = Duration::from_millis(if way == "deaf" { 200 } else { 20_000 });
    Engine::new(spec, ProtocolKind::Uci)
}

/// Plays against itself until something goes wrong, or four moves were made.
fn play(engine: &mut Engine, time: u64) -> Result<Vec<String>, EngineError> {
    let stop = AtomicBool::new(false);
    engine.begin(&GameSetup::default(), &stop)?;
    let mut moves: Vec<EngineMove> = Vec::new();
    for number in 0..6 {
        let time = Some(Duration::from_millis(time));
        let request =
            MoveRequest { moves: &moves, mover: number % 2, time, ..MoveRequest::default() };
        let reply = engine.think(&request, &stop)?;
        let EngineAction::Move(text) = reply.action else { break };
        moves.push(EngineMove { player: number % 2, text });
    }
    engine.end(false);
    Ok(moves.into_iter().map(|it| it.text).collect())
}

/// The end of a game with an engine of this kind.
fn outcome(way: &str) -> Result<Vec<String>, EngineError> {
    let time = if matches!(way, "hang" | "hang-with-child" | "slow") { 100 } else { 20_000 };
    play(&mut program(way, "outcome"), time)
}

#[track_caller]
fn fails(way: &str, expected: &str) {
    let begun = Instant::now();
    let error = outcome(way).expect_err(way).to_string();
    assert!(error.contains(expected), "{way}: {error}");
    assert!(!error.contains('\n'), "{way}: {error}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{way}: {:?}", begun.elapsed());
}

#[test]
fn each_way_to_misbehave_is_reported() {
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
fn an_engine_is_restarted_after_a_failure() {
    let mut rogue = program("crash-later", "again");
    for _ in 0..3 {
        assert!(matches!(play(&mut rogue, 20_000), Err(EngineError::Crashed(_))));
        assert!(!rogue.is_running());
    }
    let mut honest = program("honest", "again");
    assert!(play(&mut honest, 20_000).is_ok() && play(&mut honest, 20_000).is_ok());
    assert!(honest.is_running(), "it plays one game after the other");
    assert_eq!(honest.name(), Some("Rogue"));
}

#[test]
fn scores_come_with_the_move() {
    let mut honest = program("honest", "scores");
    let stop = AtomicBool::new(false);
    honest.begin(&GameSetup::default(), &stop).unwrap();
    let request = MoveRequest { nodes: Some(5), ..MoveRequest::default() };
    let reply = honest.think(&request, &stop).unwrap();
    assert_eq!(reply.score, Some(EngineScore::Centipawns(5.0)));
    assert_eq!((reply.depth, reply.nodes), (Some(1), Some(9)));
}

#[test]
fn a_stop_interrupts_a_request() {
    let mut hanging = program("hang", "stop");
    let stop = AtomicBool::new(false);
    hanging.begin(&GameSetup::default(), &stop).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let request = MoveRequest { nodes: Some(1), ..MoveRequest::default() };
        assert_eq!(hanging.think(&request, &stop), Err(EngineError::Stopped));
    });
}

#[test]
fn a_missing_engine_cannot_be_started() {
    let mut nothing = Engine::new(EngineSpec::new("/nowhere/at-all"), ProtocolKind::Gtp);
    let error = nothing.begin(&GameSetup::default(), &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(&error, EngineError::NoStart(it) if it.contains("/nowhere/at-all")));
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

/// Plays this number of games with engines that misbehave, several at a time.
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
    // A killed process may take a moment to be gone.
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
