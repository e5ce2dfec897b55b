//! What running a function may do, with everything it calls.
//!
//! A function *acts* when it changes the position for good: writes cells
//! outside every `try`, or says something about the move being played. Writes
//! inside a `try` are undone before it returns and are kept apart.
//!
//! [`Summaries::of`] starts from "nothing happens" and adds what each
//! instruction does, calls by what is known of their function so far, until
//! nothing is new; so it is right for recursive functions too. Code that block
//! 0 never leads to counts for nothing.

use std::collections::BTreeSet;

use crate::inst::{ArrayId, BOARD, Block, Func, Inst, TURN};
use crate::program::{ArrayRole, Function, History, Program};
use crate::try_depth::TryDepth;

/// What code does to the position and to the move being played.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Acts {
    /// The arrays that may be written.
    pub writes: BTreeSet<ArrayId>,
    /// Whether it may choose the next player.
    pub next: bool,
    /// Whether it may declare that no earlier position can come back.
    pub irreversible: bool,
    /// Whether it may add to the written form of the move.
    pub says: bool,
}

/// What running a piece of code may do, calls included.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Summary {
    /// The arrays whose cells may be looked at.
    pub reads: BTreeSet<ArrayId>,
    /// What stands when the code is done.
    pub acts: Acts,
    /// What is done inside a `try` and undone before the code is done.
    pub tries: Acts,
    /// Whether it may list a move.
    pub emits: bool,
    /// Whether it may give an outcome.
    pub outcomes: bool,
    /// Whether it may give a feature its value.
    pub features: bool,
    /// Whether it may ask if a player has a legal move.
    pub replies: bool,
    /// Whether it may ask about the history.
    pub repeats: bool,
    /// Whether it may ask about the search (side, depth).
    pub asks_search: bool,
}

/// The summary of every function of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summaries {
    functions: Vec<Summary>,
}

impl Acts {
    /// Whether nothing is done.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what other code does.
    pub fn add(&mut self, other: &Self) {
        self.writes.extend(&other.writes);
        self.next |= other.next;
        self.irreversible |= other.irreversible;
        self.says |= other.says;
    }
}

impl Summary {
    /// Adds what other code does that runs `depth` deep in `try`.
    pub fn add(&mut self, other: &Self, depth: u32) {
        self.reads.extend(&other.reads);
        if depth == 0 {
            self.acts.add(&other.acts);
        } else {
            self.tries.add(&other.acts);
        }
        self.tries.add(&other.tries);
        self.emits |= other.emits;
        self.outcomes |= other.outcomes;
        self.features |= other.features;
        self.replies |= other.replies;
        self.repeats |= other.repeats;
        self.asks_search |= other.asks_search;
    }
}

impl Summaries {
    /// Computes them.
    pub fn of(program: &Program) -> Self {
        let depths: Vec<TryDepth> = program.functions.iter().map(TryDepth::of).collect();
        let mut all = Self { functions: vec![Summary::default(); program.functions.len()] };
        let mut changed = true;
        while changed {
            changed = false;
            for (index, function) in program.functions.iter().enumerate() {
                let summary = all.body(program, function, &depths[index]);
                if summary != all.functions[index] {
                    all.functions[index] = summary;
                    changed = true;
                }
            }
        }
        all
    }

    /// What a function does.
    pub fn function(&self, func: Func) -> &Summary {
        &self.functions[func.0 as usize]
    }

    /// What one instruction does, a call with all that it runs.
    pub fn inst(&self, program: &Program, inst: &Inst) -> Summary {
        let mut summary = Summary::default();
        self.add_inst(program, inst, 0, &mut summary);
        summary
    }

    /// Adds what an instruction does that runs `depth` deep in `try`.
    fn add_inst(&self, program: &Program, inst: &Inst, depth: u32, summary: &mut Summary) {
        summary.reads.extend(inst.reads_array());
        let acts = if depth == 0 { &mut summary.acts } else { &mut summary.tries };
        acts.writes.extend(inst.writes_array());
        match inst {
            Inst::Call { func, .. } => self.add_function(*func, depth, summary),
            Inst::Emit { .. } | Inst::EmitAll { .. } => summary.emits = true,
            Inst::Outcome { .. } => summary.outcomes = true,
            Inst::Feature { .. } => summary.features = true,
            Inst::Say { .. } => acts.says = true,
            Inst::Irreversible => acts.irreversible = true,
            Inst::Next { .. } => acts.next = true,
            Inst::Side { .. } | Inst::Depth { .. } => summary.asks_search = true,
            Inst::Repeats { .. } => {
                summary.repeats = true;
                summary.reads.extend(history_reads(program));
            }
            Inst::Reply { .. } => self.add_reply(program, summary),
            _ => {}
        }
    }

    fn body(&self, program: &Program, function: &Function, depths: &TryDepth) -> Summary {
        let mut summary = Summary::default();
        for block in 0..function.blocks.len() as u32 {
            for (depth, inst) in depths.insts(function, Block(block)) {
                self.add_inst(program, inst, depth, &mut summary);
            }
        }
        summary
    }

    /// A reply makes every move in a copy of the position and asks if it is
    /// legal. What that lists and gives stays inside.
    fn add_reply(&self, program: &Program, summary: &mut Summary) {
        let mut inside = Summary::default();
        let effects = program.statements.iter().map(|statement| statement.effect);
        for func in effects.chain([program.roles.moves]).chain(program.roles.illegal) {
            self.add_function(func, 1, &mut inside);
        }
        inside.tries.writes.insert(TURN);
        summary.add(&Summary { emits: false, outcomes: false, features: false, ..inside }, 1);
        summary.replies = true;
    }

    /// Functions that do not exist are the verifier's business.
    fn add_function(&self, func: Func, depth: u32, summary: &mut Summary) {
        if let Some(other) = self.functions.get(func.0 as usize) {
            summary.add(other, depth);
        }
    }
}

/// The arrays that make up the key of a position in the history.
fn history_reads(program: &Program) -> Vec<ArrayId> {
    let everything = || (0..program.arrays.len() as u16).map(ArrayId);
    let counts = |id: &ArrayId| program.arrays[id.0 as usize].role != ArrayRole::Counter;
    match program.history {
        History::None => Vec::new(),
        History::Board => vec![BOARD],
        History::Position => everything().filter(counts).collect(),
    }
}
