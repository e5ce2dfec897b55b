//! Measures wins by threats on public sets and on Atari Go.
//!
//! ```text
//! threats mates FILE [NODES]        chess mates: FEN, moves, line; of those whose line is all checks
//! threats gomoku FILE [NODES]       boards with fours and threes to be found, under free rules
//! threats atarigo OPTIONS [MOVES]   each shape apart, by how many such threats in a row
//! ```

#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use ludex_core::{Cells, Game, GameExt, Limits, Player, Position};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_study::threats::widening::{Proof, Reach, Widened, prove};
use ludex_study::threats::{Attack, Config, Searched, Shape, verify};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["mates", file, rest @ ..] => mates(file, number(rest, 100_000)),
        ["gomoku", file, rest @ ..] => gomoku(file, number(rest, 10_000_000)),
        ["atarigo", options, rest @ ..] => atarigo(options, number(rest, 3) as u32),
        _ => println!("threats mates FILE [NODES] | gomoku FILE [NODES] | atarigo OPTIONS [MOVES]"),
    }
}

fn number(rest: &[&str], usual: u64) -> u64 {
    rest.first().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

fn game(name: &str, options: &str) -> CompiledGame {
    let root = Path::new(option_env!("CARGO_MANIFEST_DIR").unwrap_or("crates/ludex-testkit"));
    let path = root.join("../../games").join(format!("{name}.game"));
    let source = fs::read_to_string(path).expect("there is such a game");
    let program = ludex_rules::compile(&source, options).program.expect("it has no errors");
    CompiledGame::native(RulesGame::new(program)).expect("it compiles")
}

fn read(game: &CompiledGame, text: &str) -> Option<Position> {
    Some(game.position(game.read(text).ok()?))
}

/// Direct threats only.
fn chains() -> Reach {
    Reach { highest_order: 2, ..Reach::default() }
}

/// Looks for a win, and checks it.
fn solved(
    game: &CompiledGame,
    attacker: Player,
    position: &Position,
    reach: Reach,
    nodes: u64,
) -> (Option<Proof>, u64) {
    let budget = Limits::of_nodes(nodes);
    let rules = (game, game.interpreter());
    let mut attack = Attack::new(rules, attacker, Config::default(), budget);
    let widened = prove(&mut attack, position, reach, budget).expect("the rules run");
    let Widened::Proved(proved) = widened else { return (None, attack.nodes()) };
    let limits = Limits::default();
    let (verdict, _) =
        verify(game, attacker, position, &proved.proof, limits).expect("the rules run");
    assert_eq!(verdict, Ok(()), "a false claim");
    (Some(proved.proof), attack.nodes())
}

/// Whether every move of the side that begins gives check.
fn is_all_checks(game: &CompiledGame, position: &Position, line: &str) -> Option<bool> {
    let mut here = position.clone();
    for (ply, name) in line.split_whitespace().enumerate() {
        let mover = game.mover(&here.state);
        let mv = game.named(&here, mover, name).ok()??;
        here = game.after(&here, mv).ok()?;
        let passed = game.after_null_move(&here)?;
        let defender = game.mover(&here.state);
        if ply % 2 == 0 && !game.forbids(&passed, defender).ok()? {
            return Some(false);
        }
    }
    Some(true)
}

fn mates(file: &str, nodes: u64) {
    let game = game("chess", "");
    let text = fs::read_to_string(file).expect("there is such a file");
    let (mut cases, mut checks, mut found, mut exact, mut others) = (0, 0, 0, 0, 0);
    let (mut all_nodes, clock) = (0, Instant::now());
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        let mut fields = line.split('\t');
        let (Some(fen), Some(moves), Some(line)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let Some(position) = read(&game, &format!("{fen} 0 1")) else { continue };
        cases += 1;
        let is_checks = is_all_checks(&game, &position, line).unwrap_or(false);
        let mover = game.mover(&position.state);
        let (proof, spent) = solved(&game, mover, &position, chains(), nodes);
        all_nodes += spent;
        checks += u32::from(is_checks);
        if let Some(Proof::Win(win)) = proof {
            found += u32::from(is_checks);
            others += u32::from(!is_checks);
            exact += u32::from(moves.parse() == Ok(win.plies().div_ceil(2)));
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!("{cases} mates, {checks} with a line that is all checks: {found} of these found");
    println!("{others} others have a mate by checks too; {exact} of all found are the shortest");
    println!("{all_nodes} nodes in {seconds:.1} s, {nodes} for each at most");
}

/// The boards of a file: name, attacker, rows from the top.
fn boards(text: &str) -> Vec<(String, Player, Vec<String>)> {
    let mut boards: Vec<(String, Player, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.split(']').next().unwrap_or_default().to_owned();
            let attacker = Player(u8::from(line.contains("attacker=White")));
            let kind = if line.contains("kind=VCF") { "fours" } else { "threes" };
            boards.push((format!("{name} ({kind})"), attacker, Vec::new()));
        } else if line.len() == 15
            && line.chars().all(|it| "ox.".contains(it))
            && let Some(board) = boards.last_mut()
        {
            board.2.push(line.to_owned());
        }
    }
    boards.retain(|it| it.2.len() == 15);
    boards
}

/// A board as the game writes it: black is `x` there.
fn position_text(rows: &[String], attacker: Player) -> String {
    let row = |row: &String| -> String {
        let mut text = String::new();
        let mut empty = 0;
        for man in row.chars().chain(['/']) {
            if man == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            match man {
                'o' => text.push('X'),
                'x' => text.push('O'),
                _ => {}
            }
        }
        text
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("{} {}", rows.join("/"), if attacker == Player(0) { "b" } else { "w" })
}

fn gomoku(file: &str, nodes: u64) {
    let game = game("gomoku", "15");
    let text = fs::read_to_string(file).expect("there is such a file");
    for (name, attacker, rows) in boards(&text) {
        let text = position_text(&rows, attacker);
        let Some(position) = read(&game, &text) else {
            println!("{name}: not read: {text}");
            continue;
        };
        let clock = Instant::now();
        let reach = if name.ends_with("(fours)") { chains() } else { Reach::default() };
        let (proof, spent) = solved(&game, attacker, &position, reach, nodes);
        let told = match proof {
            Some(Proof::Win(win)) => format!("won within {} plies", win.plies()),
            _ => "not found".to_owned(),
        };
        println!("{name}: {told}, {spent} nodes, {:.2} s", clock.elapsed().as_secs_f64());
    }
}

fn atarigo(options: &str, most: u32) {
    let game = game("atarigo", options);
    let position = game.start();
    let two = Rc::new(Shape::sequence(1));
    let four = Rc::new(Shape::new(Rc::clone(&two), Rc::clone(&two)));
    let paper = Rc::new(Shape::new(Rc::clone(&two), Rc::clone(&four)));
    for threat in [Rc::new(Shape::one()), Rc::clone(&two), four, paper] {
        for count in 0..=most {
            let rules = (&game, game.interpreter());
            let budget = Limits::of_nodes(200_000_000);
            let mut attack = Attack::new(rules, Player(0), Config::default(), budget);
            let clock = Instant::now();
            let found = attack.win(&position, &Shape::sequence_of(&threat, count));
            let told = match found.expect("the rules run") {
                Searched::Found(win) => format!("won within {} plies", win.plies()),
                Searched::Nothing => "nothing".to_owned(),
                Searched::Spent => "given up".to_owned(),
            };
            let seconds = clock.elapsed().as_secs_f64();
            println!(
                "{count} threats of {threat}: {told}, {} nodes, {seconds:.2} s",
                attack.nodes()
            );
            if told != "nothing" {
                break;
            }
        }
    }
}
