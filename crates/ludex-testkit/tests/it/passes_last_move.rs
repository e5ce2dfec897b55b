//! What the last move alone decides is what the whole result says, and what is
//! called distinct is never listed twice.
//!
//! For the first, a game is made to remember its last move: further cells hold
//! the statement and its operands, and the result asks what that move can have
//! brought about. It must say the same as the game itself, after every move.

use std::collections::BTreeSet;

use crate::common::{for_all, game, setting, sheets};
use ludex_core::{Game, GameExt, Player, Position, Random, Turn};
use ludex_interp::RulesGame;
use ludex_ir::passes::last_move::{self, Mover};
use ludex_ir::passes::{After, Optimised, distinct, optimise};
use ludex_ir::{
    Array, ArrayId, ArrayRole, Binary, Block, BlockData, End, Func, Function, IndexKind, Inst,
    OutcomeKind, PackedMove, Program, Reg, SetBinary, SetReg, Var, verify,
};

const SEED: u64 = 0x1a57;

/// Small boards, where games end soon, besides the games as they come.
const OTHERS: [&str; 8] = [
    "connect4:5,4",
    "gomoku:7",
    "gomoku:9,exact=yes",
    "hex:3",
    "hex:5",
    "hex:4,swap=yes",
    "breakthrough:5,5",
    "mnk:5,5,4",
];

#[test]
fn after_a_move_the_result_is_what_the_move_brought_about() {
    let names: Vec<String> = sheets().into_iter().map(|it| it.0).collect();
    let others = OTHERS.iter().map(|&it| it.to_owned());
    let all: Vec<String> = names.into_iter().chain(others).collect();
    let wrong = for_all(
        &all,
        |_| 1,
        |name| {
            let plain = game(name);
            let optimised = optimise(plain.program());
            let remembers = remembering(&optimised);
            compare(name, &plain, &remembers, setting("LUDEX_STATES", 150))
        },
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rows as set-wise compilation writes them, whether or not it has come to that yet.
#[test]
fn rows_are_found_from_the_last_move() {
    let cases = [
        ("tictactoe", 3, false),
        ("morris3", 3, false),
        ("connect4:6,5", 4, false),
        ("gomoku:15", 5, true),
        ("mnk:16,13,4", 4, true),
        ("mnk:20,20,6", 6, true),
    ];
    for (name, count, from_the_square) in cases {
        for doubling in [false, true] {
            let plain = game(name);
            let mut program = plain.program().clone().into_program();
            let results: Vec<Option<Func>> = (0..2)
                .map(|player| Some(add(&mut program, rows(player, count, doubling))))
                .collect();
            program.roles.result = Some(add(&mut program, by_player(&results)));
            let optimised = with_after(program, &results);
            let players = &optimised.players;
            let for_mover = players.iter().enumerate().map(|(me, it)| it.after[0][me]);
            let nothing = players
                .iter()
                .enumerate()
                .all(|(me, it)| it.after.iter().all(|it| it[1 - me] == After::Nothing));
            assert!(nothing, "{name}: the other player's rows");
            let near = for_mover.clone().all(|it| matches!(it, After::Function(_)));
            assert_eq!(near, from_the_square, "{name}");
            let remembers = remembering(&optimised);
            compare(name, &plain, &remembers, 1500).unwrap_or_else(|err| panic!("{err}"));
        }
    }
}

#[test]
fn the_result_of_a_joining_move_is_found_from_it() {
    let plain = game("hex:6");
    let optimised = optimise(plain.program());
    for (me, code) in optimised.players.iter().enumerate() {
        assert!(matches!(code.after[0][me], After::Function(_)), "{:?}", code.after);
        assert_eq!(code.after[0][1 - me], After::Nothing);
    }
    compare("hex:6", &plain, &remembering(&optimised), 2000).unwrap_or_else(|err| panic!("{err}"));
}

#[test]
fn what_is_distinct_is_never_listed_twice() {
    let names: Vec<String> = sheets().into_iter().map(|it| it.0).collect();
    let others = OTHERS.iter().map(|&it| it.to_owned());
    let all: Vec<String> = names.into_iter().chain(others).collect();
    let wrong = for_all(
        &all,
        |_| 1,
        |name| {
            let plain = game(name);
            let optimised = optimise(plain.program());
            let claims: Vec<Vec<bool>> = optimised
                .players
                .iter()
                .map(|code| distinct::distinct(&optimised.program, code.roles.moves))
                .collect();
            let fast = RulesGame::new(verify(optimised.program).map_err(|it| format!("{it:?}"))?);
            repeats(name, &fast, &claims, setting("LUDEX_STATES", 150))
        },
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Which games have which of the two, for readers of the log.
#[test]
fn most_games_list_no_move_twice() {
    for name in [
        "tictactoe",
        "connect4",
        "gomoku",
        "hex",
        "breakthrough",
        "othello",
        "mnk",
        "loa",
        "chess",
        "shogi",
        "minishogi",
        "xiangqi",
        "morris9",
        "amazons",
    ] {
        let optimised = optimise(game(name).program());
        for code in &optimised.players {
            let claims = distinct::distinct(&optimised.program, code.roles.moves);
            assert!(claims.iter().all(|&it| it), "{name}: {claims:?}");
        }
    }
}

/// Plays random games in both and compares what is said after every move of every position.
fn compare(name: &str, plain: &RulesGame, other: &RulesGame, states: u64) -> Result<(), String> {
    let plain = plain.clone().with_adjudication(false);
    let other = other.clone().with_adjudication(false);
    let mut random = Random::stream(SEED, 0, 0);
    let mut seen = 0;
    while seen < states {
        let (mut here, mut there) = (plain.start(), other.start());
        for _ in 0..400 {
            let Ok(Turn::Of(player)) = plain.turn(&here) else { break };
            let mut moves = Vec::new();
            plain.moves(&here, player, &mut moves).map_err(|it| it.to_string())?;
            // All moves of a few positions are many; a sample of them will do.
            while moves.len() > 12 {
                let index = random.below(moves.len() as u32) as usize;
                moves.swap_remove(index);
            }
            for &mv in &moves {
                let (a, b) = (applied(&plain, &here, mv), applied(&other, &there, mv));
                for asked in 0..plain.players() as u8 {
                    let (a, b) = (said(&plain, &a, asked)?, said(&other, &b, asked)?);
                    if a != b {
                        let line = plain.name(&here.state, mv);
                        return Err(format!(
                            "{name} (seed {SEED:#x}): after {line:?} player {asked} hears {b:?}, \
                             not {a:?}, in\n{}",
                            plain.draw(&here.state)
                        ));
                    }
                }
            }
            seen += 1;
            let Some(&mv) = random.pick(&moves) else { break };
            (here, there) = (applied(&plain, &here, mv), applied(&other, &there, mv));
        }
        seen += 1;
    }
    Ok(())
}

fn applied(game: &RulesGame, position: &Position, mv: PackedMove) -> Position {
    let mut next = position.clone();
    let _ = game.apply(&mut next, &[mv]);
    next
}

fn said(
    game: &RulesGame,
    position: &Position,
    player: u8,
) -> Result<BTreeSet<(OutcomeKind, Option<i64>)>, String> {
    let said = game.outcomes(position, Player(player)).map_err(|it| it.to_string())?;
    Ok(said.iter().map(|it| (it.kind, it.score)).collect())
}

/// Plays random games and looks for moves that are listed twice against what is claimed.
fn repeats(name: &str, game: &RulesGame, claims: &[Vec<bool>], states: u64) -> Result<(), String> {
    let mut random = Random::stream(SEED, 1, 0);
    let mut seen = 0;
    while seen < states {
        let mut position = game.start();
        for _ in 0..400 {
            let Ok(Turn::Of(player)) = game.turn(&position) else { break };
            listed_once(name, game, &position, player, &claims[player.index()])?;
            let mut moves = Vec::new();
            game.moves(&position, player, &mut moves).map_err(|it| it.to_string())?;
            seen += 1;
            let Some(&mv) = random.pick(&moves) else { break };
            position = applied(game, &position, mv);
        }
        seen += 1;
    }
    Ok(())
}

fn listed_once(
    name: &str,
    game: &RulesGame,
    position: &Position,
    player: Player,
    claims: &[bool],
) -> Result<(), String> {
    let mut listed = game.pseudo_moves(position, player).map_err(|it| it.to_string())?;
    listed.sort_unstable();
    for pair in listed.windows(2).filter(|pair| pair[0] == pair[1]) {
        let Some((statement, _)) = game.program().statement_of(pair[0]) else { continue };
        if claims[statement.0 as usize] {
            let shown = game.draw(&position.state);
            return Err(format!("{name} (seed {SEED:#x}): {statement} repeats in\n{shown}"));
        }
    }
    Ok(())
}

fn add(program: &mut Program, function: Function) -> Func {
    program.functions.push(function);
    Func(program.functions.len() as u16 - 1)
}

/// A program whose code is the same for all players, with what can be said after its moves.
fn with_after(program: Program, results: &[Option<Func>]) -> Optimised {
    let mut optimised = optimise(&program);
    optimised.program = program;
    let program = &mut optimised.program;
    let effects: Vec<Func> = program.statements.iter().map(|it| it.effect).collect();
    let (moves, stuck) = (program.roles.moves, program.roles.stuck);
    for (me, code) in optimised.players.iter_mut().enumerate() {
        let mover = Mover { me, moves, stuck, effects: &effects };
        code.after = last_move::after(program, mover, results);
        code.roles.result = results[me];
    }
    optimised
}

/// The first four directions that are no opposites of each other.
const AXES: [i64; 4] = [0, 2, 4, 6];

/// A result function: `count` in a row along one of the axes of a square board.
fn rows(player: usize, count: usize, doubling: bool) -> Function {
    let mut insts = vec![Inst::Const { dst: Reg(1), value: 2 << player }];
    insts.push(Inst::SetWhere { dst: SetReg(0), mask: Reg(1) });
    for axis in AXES {
        insts.push(Inst::Const { dst: Reg(2), value: axis });
        insts.push(Inst::SetCopy { dst: SetReg(1), src: SetReg(0) });
        let mut have = 1;
        while have < count {
            let step = if doubling { have.min(count - have) } else { 1 };
            let src = if doubling { SetReg(1) } else { SetReg(3) };
            if !doubling && have == 1 {
                insts.push(Inst::SetCopy { dst: SetReg(3), src: SetReg(0) });
            }
            let count = step as u16;
            insts.push(Inst::Leap { dst: SetReg(3), src, dir: Reg(2), count });
            let op = SetBinary::Intersection;
            insts.push(Inst::SetBinary { op, dst: SetReg(1), a: SetReg(1), b: SetReg(3) });
            have += step;
        }
        insts.push(Inst::SetBinary {
            op: SetBinary::Union,
            dst: SetReg(2),
            a: SetReg(2),
            b: SetReg(1),
        });
    }
    insts.push(Inst::Any { dst: Reg(3), set: SetReg(2) });
    let says = vec![Inst::Outcome { kind: OutcomeKind::Victory, score: None }];
    let branch = End::Branch { cond: Reg(3), yes: Block(1), no: Block(2) };
    let blocks = [(insts, branch), (says, End::Jump(Block(2))), (Vec::new(), End::Return)];
    function("rows", 1, (4, 4), blocks.into_iter().collect())
}

/// Calls the function of the player that is asked for.
fn by_player(results: &[Option<Func>]) -> Function {
    let mut code = Chooser::new("result", 1);
    for (player, &result) in results.iter().enumerate() {
        code.when(&[(Reg(0), player as i64)], |_| {
            result.map(|func| call(func, &[Reg(0)])).into_iter().collect()
        });
    }
    code.finish()
}

fn call(func: Func, args: &[Reg]) -> Inst {
    Inst::Call { func, args: args.iter().copied().map(Var::Int).collect(), result: None }
}

fn function(
    name: &str,
    params: u16,
    (ints, sets): (u16, u16),
    blocks: Vec<(Vec<Inst>, End)>,
) -> Function {
    let blocks = blocks.into_iter().map(|(insts, end)| BlockData {
        insts: insts.into_iter().map(|it| (it, 0)).collect(),
        end: (end, 0),
    });
    Function {
        name: name.to_owned(),
        params: (0..params).map(|it| Var::Int(Reg(it))).collect(),
        result: None,
        ints,
        sets,
        paths: 0,
        blocks: blocks.collect(),
        names: Vec::new(),
    }
}

/// Writes a function that does one thing or another, by the values of some registers.
struct Chooser {
    name: &'static str,
    params: u16,
    ints: u16,
    blocks: Vec<(Vec<Inst>, End)>,
}

impl Chooser {
    fn new(name: &'static str, params: u16) -> Self {
        Self { name, params, ints: params, blocks: vec![(Vec::new(), End::Return)] }
    }

    fn fresh(&mut self) -> Reg {
        self.ints += 1;
        Reg(self.ints - 1)
    }

    /// Does something and returns, if all registers have the values.
    fn when(&mut self, wanted: &[(Reg, i64)], does: impl FnOnce(&mut Self) -> Vec<Inst>) {
        let mut tests = Vec::new();
        for &(a, value) in wanted {
            let (b, cond) = (self.fresh(), self.fresh());
            let insts = vec![
                Inst::Const { dst: b, value },
                Inst::Binary { op: Binary::Eq, dst: cond, a, b },
            ];
            tests.push((insts, cond));
        }
        let does = does(self);
        let first = self.blocks.len() - 1;
        let (body, next) = (Block((first + tests.len()) as u32), first + tests.len() + 1);
        let no = Block(next as u32);
        for (index, (insts, cond)) in tests.into_iter().enumerate() {
            let yes = Block((first + index + 1) as u32);
            let end = End::Branch { cond, yes, no };
            match self.blocks.get_mut(first + index) {
                Some(block) => {
                    block.0.extend(insts);
                    block.1 = end;
                }
                None => self.blocks.push((insts, end)),
            }
        }
        assert_eq!(self.blocks.len(), body.0 as usize, "the body follows its tests");
        self.blocks.push((does, End::Return));
        self.blocks.push((Vec::new(), End::Return));
    }

    fn finish(self) -> Function {
        function(self.name, self.params, (self.ints, 0), self.blocks)
    }
}

/// The game that remembers its last move and asks only what that can have brought about.
fn remembering(optimised: &Optimised) -> RulesGame {
    let mut program = optimised.program.clone();
    let memory = memory(&mut program);
    for statement in 0..program.statements.len() {
        let effect = remember(&program, memory, statement);
        program.statements[statement].effect = add(&mut program, effect);
    }
    if let Some(whole) = program.roles.result {
        let result = ask(optimised, &program, memory, whole);
        program.roles.result = Some(add(&mut program, result));
    }
    RulesGame::new(verify(program).expect("it is a program"))
}

/// The cells that hold the last move: the statement, the mover, the operands, each plus 2.
/// Counters are no part of what makes a position come back.
fn memory(program: &mut Program) -> ArrayId {
    let len = 2 + program.statements.iter().map(|it| it.operands.len()).max().unwrap_or(0);
    let base = program.cells();
    program.arrays.push(Array {
        name: "last move".to_owned(),
        role: ArrayRole::Counter,
        indices: vec![IndexKind::Number(len as u32)],
        base,
        len,
        lo: 0,
        hi: 60_000,
        default: 0,
    });
    program.start.extend(vec![0; len]);
    ArrayId(program.arrays.len() as u16 - 1)
}

fn remember(program: &Program, array: ArrayId, statement: usize) -> Function {
    let old = program.statements[statement].effect;
    let mut new = program.function(old).clone();
    let params = new.params.clone();
    let (place, two, value) = (Reg(new.ints), Reg(new.ints + 1), Reg(new.ints + 2));
    let number = Reg(new.ints + 3);
    new.ints += 4;
    let mut insts = vec![
        Inst::Const { dst: two, value: 2 },
        Inst::Const { dst: number, value: statement as i64 },
    ];
    let me = params[0];
    let values = [Var::Int(number), me].into_iter().chain(params[1..].iter().copied());
    for (index, var) in values.enumerate() {
        let Var::Int(reg) = var else { continue };
        insts.push(Inst::Const { dst: place, value: index as i64 });
        insts.push(Inst::Binary { op: Binary::Add, dst: value, a: reg, b: two });
        insts.push(Inst::Store { array, index: Some(place), value });
    }
    insts.push(Inst::Call { func: old, args: params, result: None });
    new.blocks = vec![BlockData {
        insts: insts.into_iter().map(|it| (it, 0)).collect(),
        end: (End::Return, 0),
    }];
    new
}

/// What the last move can have brought about; the whole result where that is not known.
fn ask(optimised: &Optimised, program: &Program, array: ArrayId, whole: Func) -> Function {
    let mut code = Chooser::new("result", 1);
    let two = code.fresh();
    code.blocks[0].0.push(Inst::Const { dst: two, value: 2 });
    let load = |code: &mut Chooser, index: usize| {
        let (place, dst) = (code.fresh(), code.fresh());
        code.blocks[0].0.push(Inst::Const { dst: place, value: index as i64 });
        code.blocks[0].0.push(Inst::Load { dst, array, index: Some(place) });
        code.blocks[0].0.push(Inst::Binary { op: Binary::Sub, dst, a: dst, b: two });
        dst
    };
    let cells: Vec<Reg> =
        (0..program.arrays[array.0 as usize].len).map(|it| load(&mut code, it)).collect();
    for (me, player) in optimised.players.iter().enumerate() {
        for (statement, asked) in player.after.iter().enumerate() {
            let operands = &program.statements[statement].operands;
            if operands.iter().any(|it| it.kind.is_path()) {
                continue;
            }
            for (asked, &after) in asked.iter().enumerate() {
                let wanted =
                    [(cells[0], statement as i64), (cells[1], me as i64), (Reg(0), asked as i64)];
                let mut args = vec![Reg(0)];
                args.extend(&cells[2..2 + operands.len()]);
                match after {
                    After::Whole => {}
                    After::Nothing => code.when(&wanted, |_| Vec::new()),
                    After::Function(func) => code.when(&wanted, |_| vec![call(func, &args)]),
                }
            }
        }
    }
    let last = code.blocks.len() - 1;
    code.blocks[last].0.push(call(whole, &[Reg(0)]));
    code.finish()
}
