//! What stops a run: the limits that every file has to keep, and their breach.

use ludex_core::Fault;

/// How much one question to a rules file may cost.
///
/// A question is one call of a method of [`RulesGame`](crate::RulesGame): to list
/// all legal moves of a position is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// How many instructions may be run. Operations on sets count by the words they touch.
    pub steps: u64,
    /// How deep functions may call each other.
    pub depth: u32,
    /// How many moves one list may have, twins included.
    pub moves: usize,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { steps: 50_000_000, depth: 200, moves: 262_144 }
    }
}

/// Why a run stopped before its end.
#[derive(Debug)]
pub(crate) enum Halt {
    /// All that was wanted is there.
    Enough,
    /// The file did something it may not.
    Fault(Box<Fault>),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(Box::new(fault))
    }
}

impl From<Halt> for Fault {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Fault(fault) => *fault,
            Halt::Enough => Self {
                code: "stopped",
                message: "the run was stopped before its end".to_owned(),
                place: None,
            },
        }
    }
}

/// A fault at a place of the source, where 0 is no place.
#[cold]
pub(crate) fn fault(code: &'static str, message: String, place: u32) -> Fault {
    Fault { code, message, place: (place != 0).then_some(place) }
}

#[cold]
pub(crate) fn step_budget(limits: &RunLimits, place: u32) -> Halt {
    let steps = limits.steps;
    let message = format!("no end after {steps} steps: is there a loop that never stops?");
    fault("step-budget", message, place).into()
}

#[cold]
pub(crate) fn too_deep(limits: &RunLimits, place: u32) -> Halt {
    let depth = limits.depth;
    let message = format!("functions call each other more than {depth} deep");
    fault("too-deep", message, place).into()
}

#[cold]
pub(crate) fn too_many_moves(limits: &RunLimits, place: u32) -> Halt {
    let message = format!("a position with more than {} moves", limits.moves);
    fault("too-many-moves", message, place).into()
}
