//! Walks as the passes write them say what they said: rules made of walks, on
//! boards of several shapes, played by the interpreter on the program as it is, on the
//! optimised program, and by native code.

use crate::common::setting;
use crate::compare::{Plan, compare};
use ludex_interp::RulesGame;
use ludex_interp::geometry::Board;
use ludex_ir::passes::optimise;
use ludex_ir::{Inst, Program, SetBinary, VerifiedProgram, verify};
use ludex_jit::CompiledGame;

const BOARDS: [&str; 7] = [
    "square 6 by 6",
    "square 3 by 9",
    "square 11 by 7",
    "square 6 by 5 wrap columns",
    "square 4 by 6 wrap both",
    "hex 5 by 5",
    "square 9 by 9 on dark",
];

/// Discs between the new one and another are turned over, as far as a stone lets them.
const TURNING: &str = "
function enclosed(a: square, d: direction): set
  let discs = {}
  let b = a + d
  while b is theirs
    discs = discs | b
    b = b + d
  if b is mine: return discs
  return {}

moves
  for a in empty
    move put my man on a
      for d in DIRECTIONS: put my man on enclosed(a, d)
      write a
";

/// Every disc is turned over that can be seen, the last squares too.
const TURNING_BACK: &str = "
function seen(a: square, d: direction): set
  let discs = {}
  let b = a + d
  let far = no
  while b is empty
    far = yes
    b = b + d
  if far and b is theirs: discs = discs | b
  return discs

moves
  for a in empty
    move put my man on a
      for d in DIRECTIONS: put my man on seen(a, d)
      write a
";

/// As many steps as there are men on the line, over own men only.
const COUNTED: &str = "
moves
  for a in mine
    for d in DIRECTIONS
      let far = count(axis(a, d) & occupied)
      let clear = yes
      let b = a
      for i in 1..far
        if b is theirs: clear = no
        b = b + d
      if clear
        if b is empty: quiet move a to b
        if b is theirs: move a to b, irreversible
  for a in empty & rank(1): move put my man on a
";

/// The number of steps may be none, and what lies on the way is gathered.
const GATHERED: &str = "
function far(a: square, d: direction): int
  return count(theirs & axis(a, d)) - 1

function way(a: square, d: direction): set
  let men = {}
  let own = {}
  let b = a
  for i in 1..far(a, d)
    if b is theirs: men = men | b
    else: own = own | b
    b = b + d
  if count(own) > 2: return own
  return men

moves
  for a in mine
    for d in DIRECTIONS
      let b = a
      for i in 1..far(a, d): b = b + d
      if b is empty
        move a to b
          put my man on way(a, d)
  for a in empty: move put my man on a
";

fn sheet(board: &str, rules: &str) -> String {
    let directions = if board.starts_with("hex") { "six" } else { "eight" };
    let head = format!("game \"Walks\"\nboard {board}\nplayers One, Two\nmen man \"X\" \"O\"\n");
    format!("{head}{}", rules.replace("DIRECTIONS", directions))
}

fn program(text: &str) -> VerifiedProgram {
    let compiled = ludex_rules::compile(text, "");
    compiled.program.unwrap_or_else(|| panic!("{text}\n{:?}", compiled.diagnostics))
}

fn plan() -> Plan {
    Plan {
        states: setting("LUDEX_PASS_STATES", 120) as usize,
        plies: 30,
        children: 4,
        more_children: (3, 30),
        ask_turn: true,
        playouts: 1,
        followed: 30,
        wild: true,
    }
}

/// Plays rules on every board in three ways.
fn check(rules: &str) {
    let seed = setting("LUDEX_SEED", 5);
    for board in BOARDS {
        let game = RulesGame::new(program(&sheet(board, rules)));
        let optimised = verify(optimise(game.program()).program);
        let fast = RulesGame::new(optimised.unwrap_or_else(|it| panic!("{board}: {it:?}")));
        let tally = compare(&game, &fast, seed, &plan());
        let tally = tally.unwrap_or_else(|it| panic!("{board}: {it}"));
        assert!(tally.moves > 100, "{board}: {tally:?}");
        let native = CompiledGame::native(game.clone()).expect("there is native code for it");
        compare(&game, &native, seed, &plan()).unwrap_or_else(|it| panic!("{board}, native: {it}"));
    }
}

#[test]
fn walks_that_gather() {
    check(TURNING);
}

#[test]
fn walks_to_the_first_man() {
    check(TURNING_BACK);
}

#[test]
fn walks_of_so_many_steps() {
    check(COUNTED);
}

#[test]
fn walks_of_so_many_steps_that_gather() {
    check(GATHERED);
}

/// How often an optimised program has an instruction.
fn count(board: &str, rules: &str, wanted: fn(&Inst) -> bool) -> usize {
    let optimised = optimise(&program(&sheet(board, rules))).program;
    let blocks = optimised.functions.iter().flat_map(|it| &it.blocks);
    blocks.flat_map(|it| &it.insts).filter(|(inst, _)| wanted(inst)).count()
}

#[test]
fn walks_become_sets_where_they_end() {
    let rays = |inst: &Inst| matches!(inst, Inst::Rays { .. });
    let hops = |inst: &Inst| matches!(inst, Inst::Hop { .. });
    let stores = |inst: &Inst| matches!(inst, Inst::StoreAll { .. });
    let lists = |inst: &Inst| matches!(inst, Inst::EmitAll { .. });
    let single = |inst: &Inst| matches!(inst, Inst::Emit { .. });
    // Eight directions for each of two players.
    assert_eq!(count(BOARDS[0], TURNING, rays), 16);
    assert_eq!(count(BOARDS[0], TURNING, stores), 2);
    assert_eq!(count(BOARDS[0], COUNTED, hops), 16);
    assert_eq!(count(BOARDS[0], COUNTED, lists), 6);
    assert_eq!(count(BOARDS[0], COUNTED, single), 0);
    // Round a cylinder two of them have no end.
    assert_eq!(count(BOARDS[3], COUNTED, hops), 12);
    assert_eq!(count(BOARDS[4], COUNTED, hops), 0);
}

/// Many steps at once are as many single ones, round a circle too.
#[test]
fn hops_are_steps() {
    for board in BOARDS {
        let program = program(&sheet(board, TURNING));
        let (board, squares) = (Board::new(&program), program.squares as i64);
        for dir in -1..program.geometry.directions.len() as i64 {
            for from in -1..=squares {
                let (mut at, mut passed) = (from, vec![0_u64; board.words]);
                for count in 0..3 * squares {
                    let on_board = (0..squares).contains(&at);
                    assert_eq!(board.hop(from, dir, count), if on_board { at } else { -1 });
                    let mut reached = vec![u64::MAX; board.words];
                    board.reach(&mut reached, from, dir, count);
                    assert_eq!(reached, passed, "{count} steps in direction {dir} from {from}");
                    if on_board {
                        passed[at as usize / 64] |= 1 << (at % 64);
                    }
                    at = board.step(at, dir);
                }
                assert_eq!(board.hop(from, dir, -1), board.hop(from, dir, 0));
            }
        }
    }
}

/// Rules in which every step is a hop of one step, and every square that is added to a set what
/// one step reaches: the instructions on directions that end and on others.
#[test]
fn hops_of_one_step_play_the_same_game() {
    for (board, rules) in BOARDS.iter().flat_map(|&it| [(it, TURNING), (it, COUNTED)]) {
        let plain = RulesGame::new(program(&sheet(board, rules)));
        let hopping = verify(with_hops(plain.program().clone().into_program()));
        let hopping = RulesGame::new(hopping.unwrap_or_else(|it| panic!("{board}: {it:?}")));
        let native = CompiledGame::native(hopping.clone()).expect("there is native code for it");
        let told = |it: &String| format!("{board}: {it}");
        compare(&plain, &hopping, 1, &plan()).unwrap_or_else(|it| panic!("{}", told(&it)));
        compare(&plain, &native, 1, &plan()).unwrap_or_else(|it| panic!("native, {}", told(&it)));
    }
}

fn with_hops(mut program: Program) -> Program {
    for function in &mut program.functions {
        let (one, none) = (function.fresh_int(), function.fresh_int());
        let here = function.fresh_set();
        for block in &mut function.blocks {
            let insts = std::mem::take(&mut block.insts);
            block.insts = insts
                .into_iter()
                .flat_map(|(inst, place)| {
                    let count = Inst::Const { dst: one, value: 1 };
                    let new = match inst {
                        Inst::Step { dst, from, dir } => {
                            vec![count, Inst::Hop { dst, from, dir, count: one }]
                        }
                        Inst::SetInsert { set, square } => vec![
                            count,
                            Inst::Const { dst: none, value: 0 },
                            Inst::Reach { dst: here, from: square, dir: none, count: one },
                            Inst::SetBinary { op: SetBinary::Union, dst: set, a: set, b: here },
                        ],
                        inst => vec![inst],
                    };
                    new.into_iter().map(move |inst| (inst, place))
                })
                .collect();
        }
    }
    program
}
