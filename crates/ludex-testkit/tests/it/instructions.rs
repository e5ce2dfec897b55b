//! No place forgets an instruction: each is printed and read, verified, run by the interpreter,
//! run by native code, and explained. What a new one needs is in docs/contributing/instruction.md.

use std::collections::BTreeSet;

use crate::compare::{Plan, compare};
use ludex_core::{Fault, Game, Player};
use ludex_interp::RulesGame;
use ludex_ir::{Inst, PackedMove, Program, Var, verify};
use ludex_jit::CompiledGame;
use ludex_study::Study;

/// A game of putting men on nine squares, whose function `f8` is the one that is tried.
const GAME: &str = include_str!("instructions.ir");

/// The roles that may run an instruction, each by itself.
const ROLES: [&str; 5] = ["moves", "result", "effect", "features", "candidates"];

/// The game, in which a role runs an instruction and uses what it gives.
fn program(inst: &Inst, role: &str) -> Program {
    let given = match inst.assigns() {
        Some(Var::Int(reg)) => format!("r2 = copy {reg}"),
        Some(Var::Set(set)) => format!("r2 = count {set}"),
        Some(Var::Path(path)) => format!("r2 = path_len {path}"),
        None => String::new(),
    };
    let line = match inst {
        Inst::TryBegin => format!("{inst} undo"),
        Inst::TryEnd => format!("try {inst}"),
        _ => inst.to_string(),
    };
    // A move is listed from a `try`, as nothing else may be done to the position there.
    let (begin, end) = if role == "moves" { ("try", "undo") } else { ("", "") };
    let text = GAME
        .replace("{instruction}", &format!("{begin} {line} {end} {given}"))
        .replace(&format!("{{{role}}}"), "r1 = call f8(r0)");
    let text = ROLES.iter().fold(text, |text, role| text.replace(&format!("{{{role}}}"), ""));
    Program::parse(&text).unwrap_or_else(|error| panic!("`{inst}`: {error}\n{text}"))
}

fn plan() -> Plan {
    Plan {
        states: 12,
        plies: 9,
        children: 2,
        more_children: (3, 9),
        ask_turn: true,
        playouts: 2,
        followed: 9,
        wild: true,
    }
}

fn is_answered(program: Program, inst: &Inst) {
    assert_eq!(Program::parse(&program.to_string()).as_ref(), Ok(&program), "`{inst}`");
    let game = RulesGame::new(verify(program).expect("it has been verified"));
    let native = CompiledGame::native(game.clone());
    let native = native.unwrap_or_else(|error| panic!("`{inst}`: {error}"));
    compare(&game, &native, 1, &plan()).unwrap_or_else(|error| panic!("`{inst}`: {error}"));
    is_explained(&game, inst);
}

/// The study lists what the interpreter lists. It reads rules as they were written, and says so
/// of an instruction that only passes make.
fn is_explained(game: &RulesGame, inst: &Inst) {
    let (study, start) = (Study::new(game.program()), game.start());
    let moves = study.moves(&start, Player(0)).map(|it| it.len());
    let results = study.results(&start, Player(0)).map(|it| it.len());
    if let Err(fault) = moves.as_ref().and(results.as_ref())
        && fault.code == "optimised-code"
    {
        assert!(is_of_passes(inst), "the study does not know `{inst}`");
        return;
    }
    let listed: Result<BTreeSet<PackedMove>, Fault> =
        game.pseudo_moves(&start, Player(0)).map(|it| it.into_iter().collect());
    assert_eq!(moves, listed.map(|it| it.len()), "`{inst}`");
    assert_eq!(results, game.outcomes(&start, Player(0)).map(|it| it.len()), "`{inst}`");
}

const fn is_of_passes(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::SetRemove { .. }
            | Inst::Leap { .. }
            | Inst::Slide { .. }
            | Inst::Rays { .. }
            | Inst::Hop { .. }
            | Inst::Reach { .. }
            | Inst::EmitAll { .. }
    )
}

#[test]
fn every_instruction_is_known_everywhere() {
    for inst in Inst::samples() {
        let mut tried = 0;
        for role in ROLES {
            let program = program(&inst, role);
            if ludex_ir::verify::errors(&program).is_empty() {
                is_answered(program, &inst);
                tried += 1;
            }
        }
        assert!(tried > 0, "no role may run `{inst}`");
    }
}

/// A sample is what its text says, and the names of its registers can be changed.
#[test]
fn every_register_of_an_instruction_is_seen() {
    for inst in Inst::samples() {
        let mut renamed = inst.clone();
        renamed.rename_all(|var| match var {
            Var::Int(_) => Var::Int(ludex_ir::Reg(7)),
            Var::Set(_) => Var::Set(ludex_ir::SetReg(7)),
            Var::Path(_) => Var::Path(ludex_ir::PathReg(7)),
        });
        let text = inst.to_string();
        let is_register = |word: &&str| matches!(*word, "r1" | "s1" | "p1");
        let words = |text: &str| -> Vec<String> {
            let split = text.split(|it: char| !it.is_alphanumeric() && it != '_');
            split.map(str::to_owned).collect()
        };
        let expected: Vec<String> = (words(&text).iter())
            .map(|word| {
                if is_register(&word.as_str()) { format!("{}7", &word[..1]) } else { word.clone() }
            })
            .collect();
        assert_eq!(words(&renamed.to_string()), expected, "`{text}`");
        let seen = inst.uses().len() + usize::from(inst.assigns().is_some());
        let written = words(&text).iter().filter(|it| is_register(&it.as_str())).count();
        assert_eq!(seen, written + usize::from(inst.changes_in_place()), "`{text}`");
    }
}
