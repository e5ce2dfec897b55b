//! Evaluations, features, candidates; turns that do not alternate; what tries leave behind.

use ludex_core::{Game, Heuristics, Player, Trail};
use ludex_ir::{Binary, History, Inst, OperandKind, Program, Say, Unary, Var};

use super::build::*;
use super::games::{after, game, put_stone, tic_tac_toe};

/// Tic-tac-toe whose features are the number of my stones and whether I am the side searched for.
fn advised() -> Program {
    let mut program = tic_tac_toe(3, 3);
    program.features = vec!["men".to_owned(), "side".to_owned()];

    let mut features = Code::new("features");
    let man = features.my_man();
    let mask = features.mask(man);
    let mine = features.squares_with(mask);
    let (count, side) = (features.int(), features.int());
    features.inst(Inst::Count { dst: count, set: mine });
    features.inst(Inst::Unary { op: Unary::Real, dst: count, src: count });
    features.inst(Inst::Feature { index: 0, value: count });
    features.inst(Inst::Side { dst: side });
    features.inst(Inst::Unary { op: Unary::Real, dst: side, src: side });
    features.inst(Inst::Feature { index: 1, value: side });
    program.roles.features = Some(add(&mut program, features));

    // Ten to the seventh for the first player, which is too much; the depth for the other.
    let mut evaluate = Code::new("evaluate");
    let (value, much) = (evaluate.int(), evaluate.number(10_000_000));
    evaluate.returns(Var::Int(value));
    evaluate.inst(Inst::Depth { dst: value });
    let zero = evaluate.number(0);
    let first = evaluate.op(Binary::Eq, Code::ME, zero);
    evaluate.when(first, |evaluate| evaluate.inst(Inst::Copy { dst: value, src: much }));
    evaluate.inst(Inst::Unary { op: Unary::Real, dst: value, src: value });
    program.roles.evaluate = Some(add(&mut program, evaluate));
    program
}

/// Adds candidates: squares with their weights, from a statement of their own.
fn candidates(program: &mut Program, listed: &[(i64, Option<i64>)]) {
    let statement = add_statement(program, &[("a", OperandKind::Square)], false, put_stone());
    let mut code = Code::new("candidates");
    for &(square, weight) in listed {
        let square = code.number(square);
        let weight = weight.map(|weight| {
            let weight = code.number(weight);
            code.inst(Inst::Unary { op: Unary::Real, dst: weight, src: weight });
            weight
        });
        code.inst(Inst::Emit { statement, args: vec![Var::Int(square)], weight });
    }
    program.roles.candidates = Some(add(program, code));
}

fn listed(program: Program, moves: &str) -> Vec<(String, f64)> {
    let game = game(program);
    let position = after(&game, moves);
    let candidates = game.candidates(&position, Player(0), 0).expect("no fault");
    let candidates = candidates.expect("the file has some");
    candidates
        .moves
        .into_iter()
        .map(|(mv, weight)| (game.name(&position.state, mv), weight))
        .collect()
}

#[test]
fn files_have_heuristics() {
    let game = game(advised());
    let position = after(&game, "a1 b1 c1");
    assert_eq!(game.evaluate(&position, Player(0), 17), Ok(Some(17.0)));
    assert_eq!(game.features(&position), Ok(vec![1.0, -1.0]));
    let position = game.start();
    assert_eq!(game.evaluate(&position, Player(0), 17), Ok(Some(1e6)));
    assert_eq!(game.candidates(&position, Player(0), 0), Ok(None));
}

#[test]
fn candidates_stand_for_legal_moves() {
    let mut program = advised();
    candidates(&mut program, &[(8, None), (4, None), (0, None), (8, None)]);
    let names = |it: Vec<(String, f64)>| it.into_iter().map(|it| it.0).collect::<Vec<_>>();
    assert_eq!(names(listed(program.clone(), "")), ["c3", "b2", "a1"]);
    // Taken squares are no legal moves.
    assert_eq!(names(listed(program, "a1 b2")), ["c3"]);
}

#[test]
fn candidates_are_ordered_by_weight() {
    let mut program = advised();
    candidates(
        &mut program,
        &[(1, Some(2)), (8, Some(5)), (2, Some(2)), (3, Some(-1)), (8, Some(1))],
    );
    let listed: Vec<(String, i64)> =
        listed(program, "").into_iter().map(|(name, weight)| (name, weight as i64)).collect();
    let expected = [("c3", 5), ("b1", 2), ("c1", 2), ("a2", -1)];
    assert_eq!(listed, expected.map(|(name, weight)| (name.to_owned(), weight)));
}

/// An effect that tries something first: what is said there does not count.
fn trying(outside: impl FnOnce(&mut Code)) -> Program {
    let mut program = tic_tac_toe(3, 3);
    program.history = History::Position;
    let mut effect = Code::new("put");
    let square = effect.param();
    let man = effect.my_man();
    effect.inst(Inst::TryBegin);
    effect.inst(Inst::Irreversible);
    effect.inst(Inst::Next { player: Code::ME });
    effect.say(Say::Text("nonsense".to_owned()));
    effect.put(square, man);
    effect.inst(Inst::TryEnd);
    effect.put(square, man);
    effect.say(Say::Square(square));
    outside(&mut effect);
    let put = program.statements[0].effect.0 as usize;
    let func = add(&mut program, effect);
    program.functions.swap(put, func.0 as usize);
    program
}

#[test]
fn what_is_tried_is_not_said() {
    let game = game(trying(|_| {}));
    let position = after(&game, "a1 b2");
    assert_eq!((game.write(&position.state).as_str(), position.trail.len()), ("3/1o1/X2 w", 3));
    let writes = |mv| game.effect_writes(&position.state, mv).map(|it| it.len());
    let mv = game.named(&position, Player(0), "c3").expect("no fault").expect("legal");
    assert_eq!(writes(mv), Ok(2));
}

#[test]
fn turns_need_not_alternate() {
    let game = game(trying(|effect| {
        effect.inst(Inst::Irreversible);
        effect.inst(Inst::Next { player: Code::ME });
        let none = effect.number(-1);
        effect.inst(Inst::Next { player: none });
    }));
    let position = after(&game, "a1 b2");
    assert_eq!((game.write(&position.state).as_str(), position.trail.len()), ("3/1X1/X2 w", 1));
    assert_eq!(game.position(position.state.clone()).trail.count(position.state.key), 1);
    assert_eq!(position.trail.count(position.state.key), 1);
    assert!(Trail::default().is_empty());
}
