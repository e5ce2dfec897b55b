//! Games and states for tests: the files of `games/`, and random play.

#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs")]

use ludex_core::GameExt;
pub mod bench;
pub mod programs;

use std::path::Path;

use ludex_core::{Game, Player, Position, Random, Turn};
use ludex_interp::RulesGame;

/// Smaller boards than usual for some games, so that the tests stay quick.
const OPTIONS: [(&str, &str); 9] = [
    ("amazons", "6"),
    ("atarigo", "6"),
    ("go", "5"),
    ("gomoku", "8"),
    ("hex", "5"),
    ("othello", "6"),
    ("phutball", "9,7"),
    ("samegame", "columns=6,rows=6"),
    ("loa", "6"),
];

/// How much more than usual the tests are to do.
pub fn scale() -> u32 {
    std::env::var("LUDEX_STUDY_SCALE").ok().and_then(|it| it.parse().ok()).unwrap_or(1)
}

/// The text of a rules file.
pub fn source(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name);
    std::fs::read_to_string(path.with_extension("game")).expect("the game is there")
}

/// A game of `games/`; `None` if it does not compile.
pub fn game(name: &str, options: &str) -> Option<RulesGame> {
    let program = ludex_rules::compile(&source(name), options).program?;
    Some(RulesGame::new(program).with_name(name, options))
}

/// A game from a text.
pub fn game_of(source: &str) -> RulesGame {
    let compiled = ludex_rules::compile(source, "");
    let program = compiled.program.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
    RulesGame::new(program)
}

/// All games of `games/` that compile, on boards that are not too large.
pub fn games() -> Vec<RulesGame> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let files = std::fs::read_dir(folder).expect("the games are there");
    let stem = |path: &Path| Some(path.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|it| it == "game"))
        .filter_map(|path| stem(&path))
        .collect();
    names.sort();
    let options = |name: &str| OPTIONS.iter().find(|it| it.0 == name).map_or("", |it| it.1);
    names.iter().filter_map(|name| game(name, options(name))).collect()
}

/// States met in random play, the last ones of games among them.
pub fn met(game: &RulesGame, games: u32, per_game: usize, random: &mut Random) -> Vec<Position> {
    let mut all = Vec::new();
    for _ in 0..games {
        let mut line = Vec::new();
        let mut position = game.start();
        for _ in 0..300 {
            line.push(position.clone());
            let Ok(Turn::Of(player)) = game.turn(&position) else { break };
            let mut moves = Vec::new();
            if game.moves(&position, player, &mut moves).is_err() {
                break;
            }
            let Some(&mv) = random.pick(&moves) else { break };
            if game.apply(&mut position, &[mv]).is_err() {
                break;
            }
        }
        all.extend(line.pop());
        for _ in 1..per_game {
            if !line.is_empty() {
                let index = random.below(line.len() as u32) as usize;
                all.push(line.swap_remove(index));
            }
        }
    }
    all
}

/// States with anything in their cells, squares more or less empty. Rules are total: they must run.
pub fn scrambled(game: &RulesGame, count: u32, random: &mut Random) -> Vec<Position> {
    let program = game.program();
    let draw = |random: &mut Random| {
        let emptiness = f64::from(random.below(5)) / 4.0;
        let mut values = Vec::with_capacity(program.cells());
        for array in &program.arrays {
            for _ in 0..array.len {
                let empty = array.base == 0 && random.chance() < emptiness;
                let size = (array.hi - array.lo + 1) as u32;
                values.push(if empty { 0 } else { array.lo + i64::from(random.below(size)) });
            }
        }
        let state = game.layout().state(&values);
        game.position(state)
    };
    (0..count).map(|_| draw(random)).collect()
}

/// The players of a game.
pub fn players(game: &RulesGame) -> impl Iterator<Item = Player> + use<> {
    (0..game.players() as u8).map(Player)
}

/// Nine squares, a few cells of every kind; functions are added.
pub const FRAME: &str = r#"
game "Random"
players "White" "Black"
kinds "man" "king"
squares 9
history position
man 0 0 "M"
man 0 1 "K"
man 1 0 "m"
man none 1 "n"
array a0 "board" board [] base 0 cells 9 from 0 to 4 default 0
array a1 "turn" turn [] base 9 cells 1 from 0 to 1 default 0
array a2 "hand" number [4] base 10 cells 4 from -1 to 8 default 0
array a3 "seen" set [2] base 14 cells 18 from 0 to 1 default 0
array a4 "clock" counter [] base 32 cells 1 from 0 to 100 default 0
statement m0 f1 (number "x", number "y")
statement m1 f2 (square "a", path_of_squares "way")
roles
  moves f0
  result f3
function f0 "moves" (r0) registers 1 0 0 b0: return
function f1 "effect" (r0, r1, r2) registers 3 0 0 b0: return
function f2 "follow" (r0, r1, p0) registers 2 0 1 b0: return
function f3 "result" (r0) registers 1 0 0 b0: return
table t0 "mask" 2 2
  3 20 9 1
table t1 "square" 3 3
  0..8
family c0 "some"
  {6..8} {0..2} {}
start 0*33
direction d0 "up" compass opposite d1 3..8 -1*3
direction d1 "down" compass opposite d0 -1*3 0..5
direction d2 "east" compass opposite d3 1 2 -1 4 5 -1 7 8 -1
direction d3 "west" compass opposite d2 -1 0 1 -1 3 4 -1 6 7
list l0 0 1 2 3
list l1 0 2
look
  squares "a1" "b1" "c1" "a2" "b2" "c2" "a3" "b3" "c3"
  grid square 3 3
  at 0..8
  kinds "M" "K"
  players "w" "b"
"#;
