//! Tic-tac-toe: counts, laws, payoffs, names, writes.

use ludex_core::laws::{LawsConfig, assert_holds};
use ludex_core::perft::perft_counts;
use ludex_core::{Game, Payoff, Player, Position, Turn};
use ludex_ir::inst::BOARD;
use ludex_ir::{
    Binary, Inst, OperandKind, OutcomeKind, Program, RoleFunctions, Say, SetBinary, Var, verify,
};

use super::build::*;
use crate::{Outcome, RulesGame, Write};

/// `me`'s stone goes to the operand.
pub(crate) fn put_stone() -> Code {
    let mut effect = Code::new("put");
    let square = effect.param();
    let man = effect.my_man();
    effect.put(square, man);
    effect.say(Say::Square(square));
    effect
}

/// Lists a move on every empty square.
pub(crate) fn list_empty(statement: ludex_ir::StatementId) -> Code {
    let mut moves = Code::new("moves");
    let one = moves.number(1);
    let empty = moves.squares_with(one);
    moves.each(empty, |moves, square| {
        moves.inst(Inst::Emit { statement, args: vec![Var::Int(square)], weight: None });
    });
    moves
}

/// `me` has three in a row.
fn three() -> Code {
    let mut code = Code::new("three");
    let found = code.number(0);
    code.returns(Var::Int(found));
    let man = code.my_man();
    let mask = code.mask(man);
    let mine = code.squares_with(mask);
    let (one, count) = (code.number(1), code.number(3));
    code.each(mine, |code, square| {
        code.each_direction(HALF, |code, dir| {
            let line = code.set();
            code.inst(Inst::Line { dst: line, from: square, dir, count });
            let any = code.any(line);
            let rest = code.set_op(SetBinary::Difference, line, mine);
            let missing = code.any(rest);
            let full = code.op(Binary::Lt, missing, any);
            code.when(full, |code| code.inst(Inst::Copy { dst: found, src: one }));
        });
    });
    code
}

pub(crate) fn tic_tac_toe(columns: usize, rows: usize) -> Program {
    let mut program = square_board(columns, rows, false);
    add_kind(&mut program, "stone", ["X", "o"]);
    let put = add_statement(&mut program, &[("a", OperandKind::Square)], false, put_stone());
    let moves = add(&mut program, list_empty(put));
    program.roles = RoleFunctions::of(moves);
    let three = add(&mut program, three());
    let mut result = Code::new("result");
    let won = result.int();
    result.inst(Inst::Call {
        func: three,
        args: vec![Var::Int(Code::ME)],
        result: Some(Var::Int(won)),
    });
    result.when(won, |result| result.outcome(OutcomeKind::Victory));
    program.roles.result = Some(add(&mut program, result));
    let mut stuck = Code::new("stuck");
    stuck.outcome(OutcomeKind::Draw);
    program.roles.stuck = Some(add(&mut program, stuck));
    program
}

pub(crate) fn game(program: Program) -> RulesGame {
    RulesGame::new(verify(program).expect("the test builds a right program"))
}

/// The position after moves given by name.
pub(crate) fn after(game: &RulesGame, names: &str) -> Position {
    let mut position = game.start();
    for name in names.split_whitespace() {
        let mv = game.named(&position, game.mover(&position.state), name).expect("no fault");
        let mv = mv
            .unwrap_or_else(|| panic!("`{name}` is not legal in {}", game.write(&position.state)));
        game.apply(&mut position, &[mv]).expect("no fault");
    }
    position
}

pub(crate) fn names(game: &RulesGame, position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, game.mover(&position.state), &mut moves).expect("no fault");
    let mut names: Vec<String> = moves.iter().map(|&mv| game.name(&position.state, mv)).collect();
    names.sort();
    names
}

#[test]
fn tic_tac_toe_has_its_known_counts() {
    let game = game(tic_tac_toe(3, 3));
    let position = game.start();
    let counts = perft_counts(&game, &position, 10).expect("no fault");
    assert_eq!(counts, [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]);
}

#[test]
fn tic_tac_toe_keeps_the_laws() {
    let report = assert_holds(&game(tic_tac_toe(3, 3)), &LawsConfig::default());
    assert!(report.finished > 10 && report.met_again > 10, "{report:?}");
    assert_holds(&game(tic_tac_toe(9, 9)), &LawsConfig { positions: 100, ..LawsConfig::default() });
}

#[test]
fn ends_are_paid() {
    let game = game(tic_tac_toe(3, 3));
    let won = after(&game, "a1 a2 b1 b2 c1");
    assert_eq!(game.turn(&won), Ok(Turn::Over));
    assert_eq!(game.payoff(&won, Player(0)), Ok(Payoff::WIN));
    assert_eq!(game.payoff(&won, Player(1)), Ok(Payoff::LOSS));
    assert_eq!(names(&game, &won), [""; 0]);
    let said = game.outcomes(&won, Player(0)).expect("no fault");
    assert!(matches!(said[..], [Outcome { kind: OutcomeKind::Victory, player: Player(0), .. }]));

    let drawn = after(&game, "a1 b1 c1 b2 a2 c2 b3 a3 c3");
    assert_eq!(game.turn(&drawn), Ok(Turn::Over));
    assert_eq!(game.payoff(&drawn, Player(1)), Ok(Payoff::DRAW));
    assert_eq!(game.draw(&drawn.state), "3 o X X\n2 X o o\n1 X o X\n  a b c\nBlack to move\n");
}

#[test]
fn writes_lead_where_the_move_does() {
    let game = game(tic_tac_toe(3, 3));
    let position = after(&game, "a1 b2");
    let mv = game.named(&position, Player(0), "c3").expect("no fault").expect("legal");
    let writes = game.effect_writes(&position.state, mv).expect("no fault");
    assert_eq!(writes, [Write::Set(8, 1), Write::Set(turn_cell(game.program()), 1)]);
    let mut next = position.clone();
    game.apply(&mut next, &[mv]).expect("no fault");
    let mut values = game.layout().values(&position.state);
    for write in writes {
        match write {
            Write::Set(cell, value) => values[cell] = value,
            Write::Add(cell, delta) => values[cell] += delta,
        }
    }
    assert_eq!(game.layout().state(&values), next.state);
    assert_eq!(game.layout().state(&values).hash, next.state.hash);
}

#[test]
fn garbage_moves_do_no_harm() {
    let game = game(tic_tac_toe(3, 3));
    for bits in [u128::MAX, 0xff, 1, 0x00ff_ff00, 0x1f00, 0] {
        let mut position = game.start();
        // Square numbers that are none leave the board alone.
        game.apply(&mut position, &[ludex_ir::PackedMove(bits)]).expect("no fault");
        assert_eq!(game.layout().values(&position.state)[..9], [0; 9]);
        assert!(!game.name(&position.state, ludex_ir::PackedMove(bits)).is_empty());
    }
    let mut position = game.start();
    assert_eq!(game.apply(&mut position, &[]), Ok(()));
}

#[test]
fn emitted_moves_are_listed_once() {
    let mut program = tic_tac_toe(3, 3);
    let mut twice = Code::new("twice");
    for _ in 0..2 {
        let moves = program.roles.moves;
        twice.inst(Inst::Call { func: moves, args: vec![Var::Int(Code::ME)], result: None });
    }
    program.roles.moves = add(&mut program, twice);
    let game = game(program);
    let position = game.start();
    assert_eq!(game.pseudo_moves(&position, Player(0)).expect("no fault").len(), 18);
    assert_eq!(names(&game, &position).len(), 9);
}

#[test]
fn nothing_is_left_of_what_is_tried() {
    // `moves` fills the whole board inside nested tries and looks again afterwards.
    let mut program = tic_tac_toe(3, 3);
    let mut moves = Code::new("moves");
    let (zero, one) = (moves.number(0), moves.number(1));
    let none = moves.squares_with(zero);
    let empty = moves.squares_with(one);
    let man = moves.my_man();
    moves.inst(Inst::TryBegin);
    moves.inst(Inst::StoreAll { set: empty, value: man });
    moves.inst(Inst::TryBegin);
    moves.inst(Inst::StoreAll { set: empty, value: zero });
    let inner = moves.squares_with(one);
    moves.inst(Inst::TryEnd);
    let outer = moves.squares_with(one);
    moves.inst(Inst::TryEnd);
    let after = moves.squares_with(one);
    // Inside all was empty again, between nothing was, and after it all is as before.
    let wrong = moves.set_op(SetBinary::Difference, after, inner);
    let wrong = moves.set_op(SetBinary::Union, wrong, outer);
    let wrong = moves.any(wrong);
    let right = moves.op(Binary::Eq, wrong, zero);
    moves.inst(Inst::SetCopy { dst: none, src: after });
    moves.when(right, |moves| {
        moves.each(none, |moves, square| {
            let statement = ludex_ir::StatementId(0);
            moves.inst(Inst::Emit { statement, args: vec![Var::Int(square)], weight: None });
        });
    });
    program.roles.moves = add(&mut program, moves);
    let game = game(program);
    let position = game.start();
    let counts = perft_counts(&game, &position, 5).expect("no fault");
    assert_eq!(counts, [9, 72, 504, 3024, 15120]);
    assert_holds(&game, &LawsConfig { positions: 100, ..LawsConfig::default() });
}

#[test]
fn a_man_may_stand_anywhere_and_rules_still_run() {
    let game = game(tic_tac_toe(3, 3));
    let state = game.read("XXX/ooo/3 w").expect("a position, if an odd one");
    let fault = game.turn(&Position::of(state)).expect_err("both have won");
    assert_eq!(fault.code, "conflicting-results");
    assert_eq!(fault.message, "`victory` for White and `victory` for Black contradict each other");
    assert_eq!(BOARD.0, 0);
}
