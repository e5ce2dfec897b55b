//! What kind of game a program is, read from its code.

use std::hash::{DefaultHasher, Hash, Hasher};

use ludex_core::GameInfo;
use ludex_core::info::{Information, Results, Turns};
use ludex_ir::{History, Inst, OutcomeKind, Program};

/// What kind of game a program is.
pub fn info(program: &Program) -> GameInfo {
    GameInfo {
        players: program.players.clone(),
        turns: turns(program),
        has_chance: false,
        information: Information::Perfect,
        // Of two players, what one gets is the opposite of what the other gets.
        zero_sum: program.players.len() == 2,
        results: results(program),
        has_history: program.history != History::None,
        longest: None,
        identity: Some(identity(program)),
    }
}

/// The hash of a program: that of its rules with their options.
fn identity(program: &Program) -> u64 {
    let mut hasher = DefaultHasher::new();
    program.hash(&mut hasher);
    hasher.finish()
}

fn turns(program: &Program) -> Turns {
    if program.players.len() == 1 {
        Turns::Single
    } else if instructions(program).any(|it| matches!(it, Inst::Next { .. })) {
        Turns::Several
    } else {
        Turns::Alternating
    }
}

fn results(program: &Program) -> Results {
    let says = |kind: OutcomeKind| {
        let says = move |it: &Inst| matches!(it, Inst::Outcome { kind: said, .. } if *said == kind);
        instructions(program).any(says)
    };
    if says(OutcomeKind::Score) {
        Results::Points
    } else if says(OutcomeKind::Draw) || program.players.len() > 2 {
        // Of three, the loss of one is no victory of another.
        Results::WinDrawLoss
    } else {
        Results::WinLoss
    }
}

fn instructions(program: &Program) -> impl Iterator<Item = &Inst> {
    let blocks = program.functions.iter().flat_map(|it| &it.blocks);
    blocks.flat_map(|block| block.insts.iter().map(|(inst, _)| inst))
}
