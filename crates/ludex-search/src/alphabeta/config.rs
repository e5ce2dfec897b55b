//! What alpha-beta does and leaves out.

use crate::evaluation::MOST;
use crate::evaluation::scale::Aim;
use crate::spec::{Spec, SpecError};

/// What alpha-beta does by default.
///
/// The first group changes how long a search takes and not what it finds; tests hold each of them
/// against plain minimax. The second looks less closely where little is to be expected: there the
/// value of a depth is another one, and only what is proved is the same.
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaBetaConfig {
    /// How many plies to look ahead at most.
    pub depth: u32,
    /// Whether positions are remembered.
    pub table: bool,
    /// Whether the table answers only for the depth that is asked for and, where the rules look
    /// back, for the same way: then it changes no value. For tests, and slow.
    pub strict: bool,
    /// Half the width of the window around the last value; 0 for an open one.
    pub window: i32,
    /// Whether all moves but the first are first tried with an empty window.
    pub pvs: bool,
    /// Whether moves that refuted a sister are tried early, two for each ply.
    pub killers: bool,
    /// Whether moves that refuted anything anywhere are tried early.
    pub history: bool,
    /// Whether the move that refuted the last move before is tried early.
    pub counter: bool,
    /// Whether captures are tried before quiet moves.
    pub captures: bool,

    /// Whether the candidates of the author of the rules are tried first, or alone if that is
    /// what the author wants.
    pub candidates: bool,

    /// Whether it is tried what happens if the player to move passes.
    pub null: NullMove,
    /// Whether late moves are searched less deep.
    pub lmr: bool,
    /// Whether a single reply and a threat to win at once are searched deeper.
    pub extend: bool,
    /// Whether captures are followed beyond the horizon.
    pub quiesce: bool,
    /// Whether hopeless and won positions near the horizon are given up early.
    pub futility: bool,

    /// How many positions are looked at for a forced win of the player to move, where a position
    /// is met for the first time; 0 for no such look.
    pub threats: u64,
    /// How many plies must be left for that.
    pub threats_depth: u32,

    /// What an end is worth.
    pub aim: Aim,
    /// How many moves of the position are searched as if they were the best.
    pub lines: usize,
}

/// Whether to try a null move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullMove {
    /// Never.
    No,
    /// Always.
    Yes,
    /// Where a test of the game has shown that passing is no good.
    Tested,
}

impl Default for AlphaBetaConfig {
    fn default() -> Self {
        Self {
            depth: DEEPEST,
            table: true,
            strict: false,
            window: 400,
            pvs: true,
            killers: true,
            history: true,
            counter: true,
            captures: true,
            candidates: true,
            null: NullMove::Tested,
            lmr: true,
            extend: true,
            quiesce: true,
            futility: true,
            threats: 0,
            threats_depth: 3,
            aim: Aim::Utility,
            lines: 1,
        }
    }
}

/// No search goes deeper than this.
pub(crate) const DEEPEST: u32 = 120;

impl AlphaBetaConfig {
    /// The search of BING, a program for Lines of Action: negamax, iterative deepening, principal
    /// variation search, null move, two killers, history and table, and nothing else.
    pub fn bing() -> Self {
        Self {
            window: 0,
            counter: false,
            captures: false,
            candidates: false,
            lmr: false,
            extend: false,
            quiesce: false,
            futility: false,
            threats: 0,
            ..Self::default()
        }
    }

    /// Only what changes no value, and a table that changes none.
    pub fn exact() -> Self {
        Self {
            strict: true,
            candidates: false,
            null: NullMove::No,
            lmr: false,
            extend: false,
            quiesce: false,
            futility: false,
            threats: 0,
            ..Self::default()
        }
    }

    /// Nothing at all: plain negamax with a window.
    pub fn bare() -> Self {
        Self {
            table: false,
            window: 0,
            pvs: false,
            killers: false,
            history: false,
            counter: false,
            captures: false,
            ..Self::exact()
        }
    }

    /// This configuration with what a user has said.
    pub(crate) fn with(self, spec: &mut Spec) -> Result<Self, SpecError> {
        Ok(Self {
            depth: spec.take("depth", self.depth)?.clamp(1, DEEPEST),
            table: spec.take_switch("table", self.table)?,
            strict: spec.take_switch("strict", self.strict)?,
            // A wider one is open.
            window: spec.take("window", self.window)?.clamp(0, MOST),
            pvs: spec.take_switch("pvs", self.pvs)?,
            killers: spec.take_switch("killers", self.killers)?,
            history: spec.take_switch("history", self.history)?,
            counter: spec.take_switch("counter", self.counter)?,
            captures: spec.take_switch("captures", self.captures)?,
            candidates: spec.take_switch("candidates", self.candidates)?,
            null: spec.take("null", self.null)?,
            lmr: spec.take_switch("lmr", self.lmr)?,
            extend: spec.take_switch("extend", self.extend)?,
            quiesce: spec.take_switch("quiesce", self.quiesce)?,
            futility: spec.take_switch("futility", self.futility)?,
            threats: spec.take("threats", self.threats)?,
            threats_depth: spec.take("threats_depth", self.threats_depth)?,
            aim: spec.take("aim", self.aim)?,
            lines: spec.take("lines", self.lines)?.max(1),
        })
    }
}

impl std::str::FromStr for NullMove {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "no" | "off" => Ok(Self::No),
            "yes" | "on" => Ok(Self::Yes),
            "tested" => Ok(Self::Tested),
            _ => Err(()),
        }
    }
}
