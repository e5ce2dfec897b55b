//! Chains of jumps over neutral stones: paths, recursion in tries, twins.

use ludex_core::laws::{LawsConfig, assert_holds};
use ludex_core::{Game, Player, Turn};
use ludex_ir::inst::BOARD;
use ludex_ir::{Binary, Func, Inst, OperandKind, PathOf, Program, Reg, RoleFunctions, Say, Var};

use super::build::*;
use super::games::{after, game, names};

/// The man's code and the stone's.
const MAN: i64 = 1;
const STONE: i64 = 2;

/// One jump from `from` along `dir` over a stone, which goes away: the square it leads to.
fn jump(code: &mut Code, from: Reg, dir: Reg) -> Reg {
    let (man, empty) = (code.number(MAN), code.number(0));
    let over = code.step(from, dir);
    let to = code.step(over, dir);
    code.put(from, empty);
    code.put(over, empty);
    code.put(to, man);
    to
}

/// Whether a jump from `from` along `dir` can be made.
fn can_jump(code: &mut Code, from: Reg, dir: Reg) -> Reg {
    let (stone, empty) = (code.number(1 << STONE), code.number(1));
    let over = code.step(from, dir);
    let to = code.step(over, dir);
    let stone = code.test(over, stone);
    let empty = code.test(to, empty);
    code.op(Binary::Mul, stone, empty)
}

/// Both players move the same man, by one or more jumps in the four directions.
pub(crate) fn jumps(columns: usize, rows: usize, start: &str) -> Program {
    let mut program = square_board(columns, rows, false);
    add_neutral(&mut program, "man", "M");
    add_neutral(&mut program, "stone", "s");

    let mut effect = Code::new("jump");
    let from = effect.param();
    let way = effect.path_param();
    effect.say(Say::Square(from));
    let (one, index, length, at) = (effect.number(1), effect.number(0), effect.int(), effect.int());
    effect.inst(Inst::Copy { dst: at, src: from });
    effect.repeat(
        |effect| {
            effect.inst(Inst::PathLen { dst: length, path: way });
            effect.op(Binary::Lt, index, length)
        },
        |effect| {
            let dir = effect.int();
            effect.inst(Inst::PathItem { dst: dir, path: way, index, of: PathOf::Directions });
            let to = jump(effect, at, dir);
            effect.inst(Inst::Copy { dst: at, src: to });
            effect.say(Say::Square(at));
            effect.inst(Inst::Binary { op: Binary::Add, dst: index, a: index, b: one });
        },
    );
    let operands = [("from", OperandKind::Square), ("way", OperandKind::PathOfDirections)];
    let statement = add_statement(&mut program, &operands, true, effect);

    // chain(me, from, at, way) comes right after this function.
    let chain = Func(program.functions.len() as u16);
    let mut code = Code::new("chain");
    let (from, at) = (code.param(), code.param());
    let way = code.path_param();
    code.each_direction(FOUR, |code, dir| {
        let can = can_jump(code, at, dir);
        code.when(can, |code| {
            let longer = code.path();
            code.inst(Inst::PathPush { dst: longer, src: way, item: dir, of: PathOf::Directions });
            let args = vec![Var::Int(from), Var::Path(longer)];
            code.inst(Inst::Emit { statement, args, weight: None });
            code.inst(Inst::TryBegin);
            let to = jump(code, at, dir);
            let args = vec![Var::Int(Code::ME), Var::Int(from), Var::Int(to), Var::Path(longer)];
            code.inst(Inst::Call { func: chain, args, result: None });
            code.inst(Inst::TryEnd);
        });
    });
    assert_eq!(add(&mut program, code), chain);

    let mut moves = Code::new("moves");
    let mask = moves.number(1 << MAN);
    let men = moves.squares_with(mask);
    moves.each(men, |moves, square| {
        let way = moves.path();
        moves.inst(Inst::PathEmpty { dst: way });
        let args = vec![Var::Int(Code::ME), Var::Int(square), Var::Int(square), Var::Path(way)];
        moves.inst(Inst::Call { func: chain, args, result: None });
    });
    let moves = add(&mut program, moves);
    program.roles = RoleFunctions::of(moves);
    let rows: Vec<&str> = start.split('/').rev().collect();
    for (row, text) in rows.iter().enumerate() {
        for (column, letter) in text.chars().enumerate() {
            program.start[row * columns + column] = match letter {
                'M' => MAN,
                's' => STONE,
                _ => 0,
            };
        }
    }
    program
}

#[test]
fn a_diamond_has_two_ways_and_one_move() {
    // Round the whole diamond: a1 c1 c3 a3 and back, either way, empties the same board.
    let game = game(jumps(3, 3, ".s./s.s/Ms."));
    let position = game.start();
    assert_eq!(
        names(&game, &position),
        ["a1a3", "a1a3c3", "a1a3c3c1", "a1a3c3c1a1", "a1c1", "a1c1c3", "a1c1c3a3"]
    );
    assert_eq!(game.pseudo_moves(&position, Player(0)).map(|it| it.len()), Ok(8));
    // The other way round is understood as well.
    let named = |name| game.named(&position, Player(0), name).expect("no fault");
    assert_eq!(named("a1c1c3a3a1"), named("a1a3c3c1a1"));
    assert!(named("a1a3c3c1a1").is_some());
    assert_eq!(named("a1c1a1"), None);
}

#[test]
fn who_cannot_jump_loses() {
    let game = game(jumps(3, 3, ".s./s.s/Ms."));
    let position = after(&game, "a1a3c3c1a1");
    assert_eq!(game.turn(&position), Ok(Turn::Over));
    let payoff = |player| game.payoff(&position, Player(player)).map(|it| it.utility);
    assert_eq!((payoff(0), payoff(1)), (Ok(1.0), Ok(-1.0)));
}

#[test]
fn chains_keep_the_laws() {
    let start = "s.s.s/.sMs./s.s.s/.s.s./s.s.s";
    let report = assert_holds(
        &game(jumps(5, 5, start)),
        &LawsConfig { positions: 200, ..LawsConfig::default() },
    );
    assert!(report.widest > 3 && report.finished > 10, "{report:?}");
}

#[test]
fn a_path_can_be_too_long() {
    // A path of squares holds as many as fit in a move: here a loop pushes until it cannot.
    let mut program = jumps(3, 3, ".s./s.s/Ms.");
    let mut moves = Code::new("moves");
    let (one, way) = (moves.number(1), moves.path());
    moves.repeat(
        |_| one,
        |moves| {
            moves.inst(Inst::PathPush { dst: way, src: way, item: one, of: PathOf::Directions });
        },
    );
    program.roles.moves = add(&mut program, moves);
    let game = game(program);
    let position = game.start();
    let fault = game.turn(&position).expect_err("it goes on for ever");
    assert_eq!(fault.code, "path-too-long");
    assert!(fault.place.is_some());
    assert_eq!(BOARD.0, 0);
}
