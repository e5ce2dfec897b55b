//! Proofs over real games: known values, agreement of the methods, and certificates, true and
//! forged.

#![expect(clippy::print_stdout, reason = "figures, and what was skipped")]

#[path = "../../../ludex-search/tests/common/proofs.rs"]
mod proofs;

use crate::common::{game, root, setting};
use ludex_core::{Game, Limits, Player};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_search::proof::{Certificate, GameValue, Method, Past, ProofRun, SolveConfig, solve};
use proofs::{METHODS, agreed, certified, solved, solved_from, value, within};

fn native(name: &str) -> CompiledGame {
    CompiledGame::native(game(name)).expect("native code can be made")
}

#[test]
fn games_have_their_known_values() {
    let cases = [
        ("tictactoe", GameValue::Draw),
        ("connect4:4,4", GameValue::Draw),
        ("hex:3", GameValue::Win),
        ("breakthrough:4,4", GameValue::Loss),
        ("domineering:2", GameValue::Win),
        ("domineering:3", GameValue::Win),
        ("domineering:4", GameValue::Win),
        ("clobber:3,3", GameValue::Win),
        ("clobber:4,3", GameValue::Loss),
        ("atarigo:2", GameValue::Loss),
        ("atarigo:3", GameValue::Win),
    ];
    for (name, expected) in cases {
        let game = native(name);
        let methods: &[Method] = match name {
            // Trees without a table are too large here.
            "connect4:4,4" | "tictactoe" => &METHODS[1..],
            _ => &METHODS,
        };
        let found = agreed(name, &game, methods);
        if name != "breakthrough:4,4" && name != "clobber:3,3" {
            assert_eq!(found, expected, "{name}");
        }
    }
}

#[test]
fn larger_games_have_their_known_values() {
    for (name, expected) in [
        ("connect4:5,4", GameValue::Draw),
        ("hex:4", GameValue::Win),
        ("domineering:5", GameValue::Loss),
    ] {
        assert_eq!(value(&native(name), Method::Dfpn), expected, "{name}");
    }
    let name = "breakthrough:5,4";
    agreed(name, &native(name), &[Method::Dfpn, Method::Pns]);
}

#[test]
fn matches_lose_one_in_four() {
    for count in 1..=30 {
        let game = game(&format!("nim-matches:{count}"));
        let expected = if count % 4 == 1 { GameValue::Loss } else { GameValue::Win };
        assert_eq!(agreed("matches", &game, &METHODS[1..]), expected, "{count}");
    }
}

#[test]
fn morris_is_known_in_full() {
    let game = game("morris3");
    let config = SolveConfig { method: Method::Retrograde, ..SolveConfig::default() };
    let start = solved(&game, &config, u64::MAX);
    assert_eq!((start.value, start.states), (Some(GameValue::Win), Some(5_390)));
    let after = |name: &str| {
        let mut position = game.start();
        let mv = game.named(&position, Player(0), name).unwrap().expect("it is legal");
        game.apply(&mut position, &[mv]).unwrap();
        solved_from(&game, &position.state, &config, u64::MAX)
    };
    assert_eq!(start.plies, Some(9));
    let centre = after("b2");
    assert_eq!((centre.value, centre.plies), (Some(GameValue::Loss), Some(8)));
    assert_eq!(after("a1").value, Some(GameValue::Draw));
    assert_eq!(after("b1").value, Some(GameValue::Win));
    // The same by df-pn, as a graph; and exactly, for the win.
    let graph = SolveConfig { method: Method::Dfpn, past: Past::Ignored, ..SolveConfig::default() };
    assert_eq!(solved(&game, &graph, 10_000_000).value, Some(GameValue::Win));
    let exact = SolveConfig { method: Method::Dfpn, ..SolveConfig::default() };
    assert_eq!(solved(&game, &exact, 10_000_000).value, Some(GameValue::Win));
}

#[test]
fn tiny_tables_do_no_harm() {
    for (name, expected) in [
        ("tictactoe", GameValue::Draw),
        ("connect4:4,4", GameValue::Draw),
        ("hex:3", GameValue::Win),
        ("domineering:4", GameValue::Win),
        ("clobber:4,3", GameValue::Loss),
        ("atarigo:3", GameValue::Win),
    ] {
        for memory in [0, 4 << 10, 64 << 10] {
            let method = Method::Dfpn;
            let config = SolveConfig { method, memory, ..SolveConfig::default() };
            let solved = solved(&native(name), &config, 300_000);
            assert!(solved.value.is_none_or(|it| it == expected), "{name} {memory}");
        }
    }
}

#[test]
fn stopping_anywhere_does_no_harm() {
    for (name, expected) in [
        ("tictactoe", GameValue::Draw),
        ("domineering:4", GameValue::Win),
        ("clobber:4,3", GameValue::Loss),
    ] {
        let game = native(name);
        for nodes in 0..60 {
            for method in METHODS {
                let config = SolveConfig { method, memory: 1 << 22, ..SolveConfig::default() };
                let solved = solved(&game, &config, 37 * nodes);
                assert!(solved.value.is_none_or(|it| it == expected), "{name} {nodes}");
            }
        }
    }
}

/// Once the value is known nothing more is asked.
#[test]
fn a_budget_that_suffices_is_not_used_up() {
    for name in ["domineering:4", "hex:3", "breakthrough:4,4"] {
        let game = native(name);
        let config = SolveConfig { method: Method::Dfpn, ..SolveConfig::default() };
        let position = game.start();
        let spent = within(50_000_000, |run| {
            let solved = solve(&game, &position, &config, run).expect("the rules are right");
            assert!(solved.value.is_some(), "{name}");
            run.nodes
        });
        let enough = solved(&game, &config, spent).value;
        let short = solved(&game, &config, spent - 1).value;
        assert!(enough.is_some() && short.is_none(), "{name}: {spent} nodes");
    }
}

#[test]
fn plans_of_games_can_be_certified() {
    for name in
        ["tictactoe", "hex:3", "domineering:4", "clobber:4,3", "atarigo:3", "nim-matches:15"]
    {
        let (interpreted, native) = (game(name), native(name));
        for method in [Method::Dfpn, Method::Retrograde] {
            // A table so small that much of the proof must be found again.
            let memory = if method == Method::Dfpn { 1 << 20 } else { 64 << 20 };
            let config = SolveConfig { method, memory, ..SolveConfig::default() };
            let mut solved = solved(&native, &config, 10_000_000);
            let text = certified(&native, &mut solved).expect("a plan is found");
            // The interpreter has another layout of states and agrees.
            let read = Certificate::read(&text).unwrap();
            let verified = within(u64::MAX, |bounds| read.verify(&interpreted, bounds, 1_000_000));
            assert!(verified.unwrap().is_ok(), "{name}");
        }
    }
}

/// Checks a certificate of tic-tac-toe or of matches that was tampered with.
fn refused(game: &RulesGame, text: &str) -> String {
    let read = match Certificate::read(text) {
        Ok(read) => read,
        Err(refusal) => return refusal.to_string(),
    };
    match within(u64::MAX, |bounds| read.verify(game, bounds, 10_000)).unwrap() {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(refusal) => refusal.to_string(),
    }
}

#[test]
fn forged_certificates_are_refused() {
    let game = game("nim-matches:6");
    let config = SolveConfig { method: Method::Dfpn, memory: 1 << 20, ..SolveConfig::default() };
    let text = certified(&game, &mut solved(&game, &config, 1_000_000)).expect("a plan is found");
    let forged = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in\n{text}");
        refused(&game, &text.replacen(from, to, 1))
    };
    assert!(forged("value: win", "value: loss").contains("show a win"));
    assert!(forged("value: win", "value: rubbish").contains("not a value"));
    assert!(forged("First wins", "Second wins").contains("show a loss"));
    assert!(forged("First wins", "First holds").contains("one plan to win"));
    assert!(forged("First wins", "Neither wins").contains("no player"));
    assert!(forged("position: ", "position: x").contains("the position"));
    assert!(forged("\nend", "").contains("ends before"));
    assert!(forged("ludex-certificate 1", "ludex-certificate 2").contains("not a certificate"));
    assert!(forged("past: none", "past: perhaps").contains("not a past"));
    // Moves: taken away, made illegal, made bad.
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|it| it.contains('\t')).expect("there is a move");
    for number in first..lines.len() - 1 {
        let without: Vec<&str> =
            (0..).zip(&lines).filter(|(it, _)| *it != number).map(|(_, it)| *it).collect();
        assert!(refused(&game, &without.join("\n")).contains("no move"), "{number}");
        let position = lines[number].split('\t').next().unwrap();
        for mv in ["1", "2", "3", "4", ""] {
            let forged = format!("{position}\t{mv}");
            if forged != lines[number] {
                let mut changed = lines.clone();
                changed[number] = &forged;
                let why = refused(&game, &changed.join("\n"));
                let known = ["not legal", "not as claimed", "no move"];
                assert!(known.iter().any(|it| why.contains(it)), "{why}");
            }
        }
    }
    // Cut off anywhere, or with a byte changed, it is refused or still right; it never panics.
    for at in 0..text.len() {
        if text.is_char_boundary(at) && at + 1 < text.len() {
            refused(&game, &text[..at]);
        }
    }
}

#[test]
fn published_sizes_agree() {
    let path = root().join("../shared/data/solved/connect4_sizes.tsv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return;
    };
    let most = setting("LUDEX_PROOF_CELLS", 20);
    let mut checked = 0;
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        let (rows, cells) = line.split_once('\t').expect("a height and its widths");
        for cell in cells.split(' ') {
            let (columns, outcome) = cell.split_once(':').expect("a width and its outcome");
            let size: u64 = rows.parse::<u64>().unwrap() * columns.parse::<u64>().unwrap();
            if size <= most {
                let expected = match outcome.as_bytes()[0] {
                    b'1' => GameValue::Win,
                    b'2' => GameValue::Loss,
                    _ => GameValue::Draw,
                };
                let game = native(&format!("connect4:{columns},{rows}"));
                assert_eq!(value(&game, Method::Dfpn), expected, "{columns} by {rows}");
                checked += 1;
            }
        }
    }
    assert!(checked > 0);
}

/// The time since it was made.
struct RealClock(std::time::Instant);

impl ludex_core::Clock for RealClock {
    fn elapsed(&self) -> std::time::Duration {
        self.0.elapsed()
    }
}

/// Prints how long proofs take. By hand:
/// `LUDEX_PROOF_FIGURES='hex:4 pns/hex:3 dfpn+/hex:4' cargo test -p ludex-testkit --test it proof::figures -- --ignored --nocapture`.
#[test]
#[ignore = "figures, by hand"]
fn figures() {
    let wanted = std::env::var("LUDEX_PROOF_FIGURES").unwrap_or_else(|_| "hex:4".to_owned());
    let limit = std::time::Duration::from_secs(setting("LUDEX_PROOF_SECONDS", 60));
    for word in wanted.split_whitespace() {
        let (method, name) = word.split_once('/').unwrap_or(("dfpn", word));
        let mut method = method.to_owned();
        let plain = method.ends_with('+');
        method.truncate(method.trim_end_matches('+').len());
        let method: Method = method.parse().expect("there is such a method");
        let game = native(name);
        let clock = RealClock(std::time::Instant::now());
        let mut silent = |_: &_| {};
        let limits = Limits { time: Some(limit), clock: &clock, ..Limits::default() };
        let mut run = ProofRun::new(limits, &mut silent);
        let mut config = SolveConfig { method, past: Past::Ignored, ..SolveConfig::default() };
        config.dfpn.weak = !plain;
        let position = game.start();
        let solved = solve(&game, &position, &config, &mut run).expect("the rules are right");
        let seconds = clock.0.elapsed().as_secs_f64();
        let value = solved.value.map_or("unknown".to_owned(), |it| it.to_string());
        let rate = run.nodes as f64 / seconds;
        println!("{word}: {value}, {} nodes, {seconds:.2} s, {rate:.0}/s", run.nodes);
    }
}
