//! What no rules file may bring about, and what happens without executable memory.

use std::io;

use cranelift_jit::{BranchProtection, JITMemoryKind, JITMemoryProvider};
use cranelift_module::ModuleResult;
use ludex_core::laws::{LawsConfig, assert_holds};
use ludex_core::playout::Playouts;
use ludex_core::{Game, GameExt, Random, State, Turn};
use ludex_interp::{RulesGame, RunLimits};
use ludex_ir::PackedMove;

use crate::code::Machine;
use crate::{CompiledGame, NativeError};

fn rules(source: &str) -> RulesGame {
    let compiled = ludex_rules::compile(source, "");
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    RulesGame::new(program)
}

fn native(source: &str) -> CompiledGame {
    CompiledGame::native(rules(source)).expect("this machine runs native code")
}

mod corners;

const HEAD: &str = "game \"Test\"\nboard square 3 by 3\nplayers A, B\nmen stone\n";

/// The code of the fault that a list of moves ends with, by both engines.
fn faults(source: &str) -> [Option<&'static str>; 2] {
    let game = native(&format!("{HEAD}{source}"));
    let position = game.start();
    let mover = game.mover(&position.state);
    let mut moves = Vec::new();
    let native = game.moves(&position, mover, &mut moves).err().map(|fault| fault.code);
    let plain = game.plain(&position);
    let interpreted = game.interpreter().moves(&plain, mover, &mut moves);
    [native, interpreted.err().map(|fault| fault.code)]
}

/// A provider of memory that gives memory to write to and refuses to let it be run.
struct NeverRuns(Vec<Vec<u64>>);

impl JITMemoryProvider for NeverRuns {
    fn allocate(&mut self, size: usize, _: u64, _: JITMemoryKind) -> io::Result<*mut u8> {
        self.0.push(vec![0; size / 8 + 16]);
        let memory = self.0.last_mut().expect("it was just put there");
        Ok(memory.as_mut_ptr().cast())
    }

    unsafe fn free_memory(&mut self) {
        self.0.clear();
    }

    fn finalize(&mut self, _: BranchProtection) -> ModuleResult<()> {
        let refusal = io::Error::from(io::ErrorKind::PermissionDenied);
        Err(cranelift_module::ModuleError::Allocation { err: refusal })
    }
}

#[test]
fn refused_memory_is_an_error_that_says_so() {
    let game = rules(&format!("{HEAD}moves\n  for a in empty: move put my stone on a\n"));
    let machine = Machine { memory: Some(Box::new(NeverRuns(Vec::new()))), ..Machine::default() };
    let refused = CompiledGame::for_machine(game, machine);
    let error = refused.expect_err("the memory cannot be run");
    assert!(matches!(error, NativeError::Memory(_)), "{error:?}");
    assert!(error.to_string().contains("refuses executable memory"), "{error}");
}

#[test]
fn endless_loops_end() {
    let source = "moves\n  let n = 0\n  while n < 5\n    n = n * 1\n  move put my stone on a1\n";
    assert_eq!(faults(source), [Some("step-budget"); 2]);
}

#[test]
fn endless_loops_end_a_playout_too() {
    let source = "moves\n  for a in empty: move put my stone on a\n\
                  result\n  let n = count(mine)\n  while n == 2\n    n = n * 1\n";
    let game = native(&format!("{HEAD}{source}"));
    let mut position = game.start();
    let mut random = Random::stream(1, 0, 0);
    let played = Playouts::default().run(&game, &mut position, &mut random, 100);
    assert_eq!(played.map_err(|fault| fault.code), Err("step-budget"));
}

#[test]
fn endless_recursion_ends() {
    let source = "function deep(n: int): int\n  return deep(n + 1) + 1\n\
                  moves\n  if deep(0) > 0: move put my stone on a1\n";
    assert_eq!(faults(source), [Some("too-deep"); 2]);
}

#[test]
fn too_many_moves_are_refused() {
    let game = rules(&format!(
        "{HEAD}moves\n  for a in empty\n    for n in 1..500: move put my stone on a, set x = n\n"
    ).replace("men stone\n", "men stone\ncell x: 0..1000\n"));
    let game = game.with_limits(RunLimits { moves: 1000, ..RunLimits::default() });
    let game = CompiledGame::native(game).expect("this machine runs native code");
    let position = game.start();
    let fault = game.moves(&position, game.mover(&position.state), &mut Vec::new());
    assert_eq!(fault.map_err(|fault| fault.code), Err("too-many-moves"));
}

#[test]
fn values_outside_their_range_are_faults() {
    let source = "moves\n  move put my stone on a1, set x = 7\n";
    let source = format!("{HEAD}{source}").replace("men stone\n", "men stone\ncell x: 0..3\n");
    let game = native(&source);
    let mut position = game.start();
    let before = position.state.clone();
    let mut moves = Vec::new();
    game.moves(&position, game.mover(&position.state), &mut moves).expect("to list it is no fault");
    let fault = game.apply(&mut position, &moves).expect_err("x has no such value");
    assert_eq!(fault.code, "out-of-range");
    assert_eq!(position.state, before, "a move that fails changes nothing");
}

#[test]
fn indices_outside_their_range_touch_nothing() {
    let source = "cell x[player]: 0..3\ncell s[player]: set\n\
        moves\n  for a in empty\n    let k = a.rank * 100 - 150\n    \
        move put my stone on at(k, k), set x[next(next(me))] = 1, put my stone on at(a.file + k, 1)\n";
    let game = native(&format!("{HEAD}{source}"));
    let reference = game.interpreter();
    let position = game.start();
    let mut moves = Vec::new();
    game.moves(&position, game.mover(&position.state), &mut moves).expect("rules are total");
    for mv in moves {
        let (mut mine, mut theirs) = (position.clone(), game.plain(&position).into_owned());
        game.apply(&mut mine, &[mv]).expect("rules are total");
        reference.apply(&mut theirs, &[mv]).expect("rules are total");
        assert_eq!(*game.plain(&mine), theirs);
    }
}

#[test]
fn states_and_moves_of_another_game_do_no_harm() {
    let game = native(&format!("{HEAD}moves\n  for a in empty: move put my stone on a\n"));
    let start = game.start();
    let foreign = ludex_core::Position::of(State::zeroed(77));
    let native = game.code().expect("it is native");
    assert_eq!(native.ask(&foreign, |_| Some(())), None);
    for bits in [u128::MAX, 0xff, 1 << 100, 0x0123_4567_89ab_cdef_0123_4567_89ab_cd00] {
        let mut position = start.clone();
        let _ = game.apply(&mut position, &[PackedMove(bits)]);
        assert!(game.turn(&position).is_ok());
    }
}

#[test]
fn a_state_survives_the_way_to_the_interpreter_and_back() {
    let game = native(&format!("{HEAD}moves\n  for a in empty: move put my stone on a\n"));
    let mut position = game.start();
    let mut random = Random::stream(3, 0, 0);
    while game.turn(&position).expect("the rules are right") != Turn::Over {
        let back = game.from_interpreter(game.to_interpreter(&position.state).into_owned());
        assert_eq!(
            (back.words.clone(), back.hash, back.key),
            (position.state.words.clone(), position.state.hash, position.state.key)
        );
        let mv = game.random_move(&position, &mut random).expect("the rules are right");
        game.apply(&mut position, mv.as_slice()).expect("the rules are right");
    }
}

/// Random games on a machine, each as its moves and its last position.
fn random_games(source: &str, deposits: bool) -> Vec<(Vec<PackedMove>, State)> {
    let machine = Machine { deposits, ..Machine::default() };
    let game = CompiledGame::for_machine(rules(source), machine).expect("this machine runs it");
    let mut random = Random::stream(5, 0, 0);
    let mut one = || {
        let mut position = game.start();
        let mut moves = Vec::new();
        let played = game.traced_playout(&mut position, &mut random, 1000, &mut moves);
        played.expect("it is native").expect("the rules are right");
        (moves, position.state)
    };
    (0..20).map(|_| one()).collect()
}

#[test]
fn squares_are_drawn_alike_with_and_without_the_instruction_for_it() {
    if crate::deposit::deposit().is_none() {
        return;
    }
    for board in ["1 by 1", "3 by 3", "7 by 6", "8 by 8", "9 by 8", "11 by 11", "16 by 16"] {
        let source = format!(
            "game \"Test\"\nboard square {board}\nplayers A, B\nmen stone\n\
             moves\n  for a in empty: move put my stone on a\n"
        );
        assert_eq!(random_games(&source, true), random_games(&source, false), "{board}");
    }
}

#[test]
fn a_result_for_two_at_once_is_asked_of_both() {
    let source = "moves\n  for a in empty: move put my stone on a\n\
                  result\n  if count(empty) == 2: victory\n";
    let game = native(&format!("{HEAD}{source}"));
    let mut position = game.start();
    let mut random = Random::stream(1, 0, 0);
    let played = Playouts::default().run(&game, &mut position, &mut random, 100);
    let turn = game.interpreter().turn(&game.plain(&position));
    assert_eq!(played.map(|_| ()).map_err(|it| it.code), turn.map(|_| ()).map_err(|it| it.code));
}

#[test]
fn a_game_that_is_too_long_to_note_leaves_everything_as_it_was() {
    let game = native(&format!("{HEAD}moves\n  move pass\n"));
    let mut position = game.start();
    let mut random = Random::stream(1, 0, 0);
    let mut moves = vec![PackedMove(7)];
    let before = (position.clone(), random.clone());
    let played = game.traced_playout(&mut position, &mut random, u32::MAX, &mut moves);
    assert_eq!(played, None);
    assert_eq!(before, (position.clone(), random.clone()));
    assert_eq!(moves, [PackedMove(7)]);
    for limit in [0, 1, 255, 256, 257, 100_000] {
        let played = game.traced_playout(&mut position, &mut random, limit, &mut moves);
        let played = played.expect("it is short").expect("the rules are right");
        assert_eq!((played.plies, moves.len()), (limit, limit as usize));
    }
}

#[test]
fn a_fault_in_a_game_that_is_noted_is_left_to_those_who_list() {
    let source = "moves\n  for a in empty: move put my stone on a\n\
                  result\n  let n = count(mine)\n  while n == 2\n    n = n * 1\n";
    let game = native(&format!("{HEAD}{source}"));
    let mut position = game.start();
    let (before, mut moves) = (position.state.clone(), Vec::new());
    let mut random = Random::stream(1, 0, 0);
    let played = game.traced_playout(&mut position, &mut random, 100, &mut moves);
    assert_eq!((played, moves, position.state), (None, Vec::new(), before));
}

#[test]
fn the_laws_hold_for_moves_drawn_from_sets_and_from_lists() {
    let sets = "moves\n  for a in empty: move put my stone on a\n";
    let lists = "moves\n  for a in empty: move put my stone on a\nillegal if b2 is mine\n";
    for source in [sets, lists] {
        let config = LawsConfig { positions: 300, ..LawsConfig::default() };
        assert_holds(&native(&format!("{HEAD}{source}")), &config);
    }
}
