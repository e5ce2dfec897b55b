//! What a file may not do, and what is said about it.

use ludex_core::{Fault, Game, Player};
use ludex_ir::inst::{BOARD, TURN};
use ludex_ir::{ArrayRole, Func, Inst, OperandKind, OutcomeKind, Program, Var};

use super::build::*;
use super::games::{game, tic_tac_toe};
use crate::RunLimits;

/// The fault of a game whose `moves` are the given code.
fn fault_of(mut program: Program, moves: Code, limits: RunLimits) -> Fault {
    program.roles.moves = add(&mut program, moves);
    let game = game(program).with_limits(limits);
    let position = game.start();
    let mut moves = Vec::new();
    game.moves(&position, Player(0), &mut moves).expect_err("it must not go well")
}

#[test]
fn loops_end() {
    let mut moves = Code::new("moves");
    let one = moves.number(1);
    moves.repeat(|_| one, |_| {});
    let fault =
        fault_of(tic_tac_toe(3, 3), moves, RunLimits { steps: 10_000, ..RunLimits::default() });
    assert_eq!(fault.code, "step-budget");
    assert_eq!(fault.message, "no end after 10000 steps: is there a loop that never stops?");
}

#[test]
fn endless_writes_end() {
    let mut moves = Code::new("moves");
    let (zero, one) = (moves.number(0), moves.number(1));
    moves.inst(Inst::TryBegin);
    moves.repeat(
        |_| one,
        |moves| {
            moves.put(zero, one);
            moves.put(zero, zero);
        },
    );
    moves.inst(Inst::TryEnd);
    assert_eq!(fault_of(tic_tac_toe(3, 3), moves, RunLimits::default()).code, "step-budget");
}

#[test]
fn recursion_ends() {
    let mut program = tic_tac_toe(3, 3);
    let mut moves = Code::new("moves");
    let own = Func(program.functions.len() as u16);
    moves.inst(Inst::Call { func: own, args: vec![Var::Int(Code::ME)], result: None });
    assert_eq!(fault_of(program.clone(), moves, RunLimits::default()).code, "too-deep");

    // So does a question whose answer asks the question again.
    let mut moves = Code::new("moves");
    let reply = moves.int();
    moves.inst(Inst::Reply { dst: reply, player: Code::ME });
    program.roles.result = None;
    assert_eq!(fault_of(program, moves, RunLimits::default()).code, "too-deep");
}

#[test]
fn hungry_recursion_ends() {
    let mut program = square_board(40, 40, false);
    add_kind(&mut program, "stone", ["X", "o"]);
    let mut moves = Code::new("moves");
    (0..60_000).for_each(|_| {
        moves.set();
    });
    let own = Func(0);
    moves.inst(Inst::Call { func: own, args: vec![Var::Int(Code::ME)], result: None });
    assert_eq!(fault_of(program, moves, RunLimits::default()).code, "too-deep");
}

#[test]
fn lists_are_bounded() {
    let mut moves = Code::new("moves");
    let (one, square) = (moves.number(1), moves.number(0));
    moves.repeat(
        |_| one,
        |moves| {
            let statement = ludex_ir::StatementId(0);
            moves.inst(Inst::Emit { statement, args: vec![Var::Int(square)], weight: None });
        },
    );
    let fault = fault_of(tic_tac_toe(3, 3), moves, RunLimits::default());
    assert_eq!(
        (fault.code, fault.message.as_str()),
        ("too-many-moves", "a position with more than 262144 moves")
    );
}

#[test]
fn values_have_ranges() {
    let mut moves = Code::new("moves");
    let (square, value) = (moves.number(4), moves.number(3));
    moves.inst(Inst::TryBegin);
    moves.put(square, value);
    moves.inst(Inst::TryEnd);
    let fault = fault_of(tic_tac_toe(3, 3), moves, RunLimits::default());
    assert_eq!(fault.code, "out-of-range");
    assert_eq!(fault.message, "`b2` cannot become 3: its range is 0..2");
    assert_eq!(fault.place, Some(4));
}

#[test]
fn writes_off_the_board_are_nothing() {
    let mut program = tic_tac_toe(3, 3);
    let moves = program.roles.moves;
    let mut code = Code::new("moves");
    code.inst(Inst::TryBegin);
    for index in [-1, 9, i64::MAX] {
        let (index, value) = (code.number(index), code.number(77));
        code.put(index, value);
        code.inst(Inst::Add { array: TURN, index: Some(index), delta: value });
        code.inst(Inst::Load { dst: value, array: BOARD, index: Some(index) });
    }
    code.inst(Inst::TryEnd);
    code.inst(Inst::Call { func: moves, args: vec![Var::Int(Code::ME)], result: None });
    program.roles.moves = add(&mut program, code);
    let game = game(program);
    let position = game.start();
    assert_eq!(game.pseudo_moves(&position, Player(0)).map(|it| it.len()), Ok(9));
}

#[test]
fn moves_remember_only_so_much() {
    let mut program = tic_tac_toe(3, 3);
    let mut effect = Code::new("effect");
    effect.param();
    let statement = add_statement(&mut program, &[("points", OperandKind::Number)], false, effect);
    let mut moves = Code::new("moves");
    let number = moves.number(40_000);
    moves.inst(Inst::Emit { statement, args: vec![Var::Int(number)], weight: None });
    let fault = fault_of(program, moves, RunLimits::default());
    assert_eq!(fault.code, "number-too-large");
    assert_eq!(fault.message, "a move cannot remember `points`, which is 40000");
}

/// What the game pays if `result` says, for each player, what `said` gives.
fn paid(players: usize, said: &[(usize, OutcomeKind, i64)]) -> Result<Vec<f64>, String> {
    let mut program = tic_tac_toe(3, 3);
    program.players = (0..players).map(|it| format!("P{it}")).collect();
    program.look.players = program.players.clone();
    program.men.truncate(1);
    program.men[0].owner = None;
    program.score_up_to = Some(10);
    finish(&mut program);
    let mut result = Code::new("result");
    for &(player, kind, score) in said {
        let (player, number) = (result.number(player as i64), result.number(score));
        let score = (kind == OutcomeKind::Score).then_some(number);
        let asked = result.op(ludex_ir::Binary::Eq, Code::ME, player);
        result.when(asked, |result| result.inst(Inst::Outcome { kind, score }));
    }
    program.roles.result = Some(add(&mut program, result));
    let game = game(program);
    let position = game.start();
    (0..players)
        .map(|player| game.payoff(&position, Player(player as u8)).map(|it| it.utility))
        .collect::<Result<_, _>>()
        .map_err(|fault| fault.message)
}

#[test]
fn results_are_put_together() {
    use OutcomeKind::{Draw, Loss, Score, Victory};
    assert_eq!(paid(2, &[(0, Victory, 0)]), Ok(vec![1.0, -1.0]));
    assert_eq!(paid(2, &[(1, Loss, 0)]), Ok(vec![1.0, -1.0]));
    assert_eq!(paid(2, &[(0, Victory, 0), (1, Loss, 0)]), Ok(vec![1.0, -1.0]));
    assert_eq!(paid(2, &[(0, Draw, 0), (1, Draw, 0)]), Ok(vec![0.0, 0.0]));
    assert_eq!(paid(2, &[(0, Score, 3), (1, Score, 7)]), Ok(vec![-1.0, 1.0]));
    assert_eq!(paid(2, &[(0, Score, 7), (1, Score, 7)]), Ok(vec![0.0, 0.0]));
    assert_eq!(paid(2, &[(0, Score, -7)]), Ok(vec![-1.0, 1.0]));
    assert_eq!(paid(3, &[(1, Loss, 0)]), Ok(vec![0.0, -1.0, 0.0]));
    assert_eq!(paid(3, &[(1, Victory, 0), (2, Loss, 0)]), Ok(vec![-1.0, 1.0, -1.0]));
    assert_eq!(paid(3, &[(0, Score, 5), (1, Score, 5), (2, Score, 1)]), Ok(vec![0.0, 0.0, -1.0]));
    assert_eq!(paid(1, &[(0, Victory, 0)]), Ok(vec![1.0]));
    assert_eq!(paid(1, &[(0, Score, 10)]), Ok(vec![1.0]));
    assert_eq!(paid(1, &[(0, Score, 5)]), Ok(vec![0.0]));
    assert_eq!(paid(1, &[(0, Score, 99)]), Ok(vec![1.0]));
}

#[test]
fn contradictions_are_named() {
    use OutcomeKind::{Draw, Loss, Score, Victory};
    let message = |a, b| Err(format!("{a} and {b} contradict each other"));
    assert_eq!(paid(2, &[(0, Loss, 0), (1, Loss, 0)]), message("`loss` for P0", "`loss` for P1"));
    assert_eq!(
        paid(2, &[(0, Victory, 0), (0, Draw, 0)]),
        message("`victory` for P0", "`draw` for P0")
    );
    assert_eq!(
        paid(1, &[(0, Score, 1), (0, Score, 2)]),
        message("`score 1` for P0", "`score 2` for P0")
    );
    assert_eq!(
        paid(2, &[(0, Score, 1), (1, Score, 2), (0, Victory, 0)]),
        message("`victory` for P0", "`score 1` for P0")
    );
}

#[test]
fn counters_grow_unless_set() {
    let mut program = tic_tac_toe(3, 3);
    let clock = add_cells(&mut program, "clock", ArrayRole::Counter, &[], (0, 2));
    let put = program.statements[0].effect.0 as usize;
    // Playing a corner resets the clock, also when it is 0 already.
    let mut effect = Code::new("put");
    let square = effect.param();
    let (man, zero) = (effect.my_man(), effect.number(0));
    effect.put(square, man);
    let corner = effect.op(ludex_ir::Binary::Eq, square, zero);
    effect.when(corner, |effect| {
        effect.inst(Inst::Store { array: clock, index: None, value: zero });
    });
    effect.say(ludex_ir::Say::Square(square));
    let func = add(&mut program, effect);
    program.functions.swap(put, func.0 as usize);
    let game = game(program);
    let clock = |moves| {
        let state = super::games::after(&game, moves).state;
        game.layout().value(&state, 10)
    };
    assert_eq!(clock("a1"), 0);
    assert_eq!(clock("b1"), 1);
    assert_eq!(clock("b1 b2"), 2);
    assert_eq!(clock("b1 b2 b3"), 2);
    assert_eq!(clock("b1 b2 a1"), 0);
}

#[test]
fn a_reply_is_a_legal_move() {
    // `moves` lists nothing when the opponent could not reply; on a full board no player can.
    let mut program = tic_tac_toe(1, 1);
    let mut result = Code::new("result");
    let (reply, one) = (result.int(), result.number(1));
    let other = result.op(ludex_ir::Binary::Sub, one, Code::ME);
    result.inst(Inst::Reply { dst: reply, player: other });
    let zero = result.number(0);
    let stuck = result.op(ludex_ir::Binary::Eq, reply, zero);
    result.when(stuck, |result| result.outcome(OutcomeKind::Draw));
    program.roles.result = Some(add(&mut program, result));
    let game = game(program);
    let position = game.start();
    assert_eq!(game.turn(&position), Ok(ludex_core::Turn::Of(Player(0))));
    let full = game.read("X b").expect("a position");
    assert_eq!(game.turn(&ludex_core::Position::of(full)), Ok(ludex_core::Turn::Over));
}

#[test]
fn a_condition_is_computed_where_it_stands() {
    // The loop's condition is computed before the loop and changed in it: were the two taken
    // for one, the loop would not end.
    let mut program = tic_tac_toe(3, 3);
    let mut code = Code::new("moves");
    let zero = code.number(0);
    let going = code.op(ludex_ir::Binary::Eq, zero, zero);
    code.repeat(|_| going, |code| code.inst(Inst::Copy { dst: going, src: zero }));
    let moves = program.roles.moves;
    code.inst(Inst::Call { func: moves, args: vec![Var::Int(Code::ME)], result: None });
    program.roles.moves = add(&mut program, code);
    let game = game(program);
    let position = game.start();
    assert_eq!(game.pseudo_moves(&position, Player(0)).map(|it| it.len()), Ok(9));
}

#[test]
fn empty_circles_end() {
    use ludex_ir::{Block, End};
    let mut program = tic_tac_toe(3, 3);
    let moves = program.roles.moves.0 as usize;
    let function = &mut program.functions[moves];
    function.blocks.truncate(2);
    for (block, to) in function.blocks.iter_mut().zip([1, 0]) {
        block.insts.clear();
        block.end = (End::Jump(Block(to)), 7);
    }
    let game = game(program);
    let position = game.start();
    let fault = game.turn(&position).expect_err("it goes round");
    assert_eq!((fault.code, fault.place), ("step-budget", Some(7)));
}
