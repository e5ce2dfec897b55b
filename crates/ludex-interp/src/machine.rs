//! The machine: registers, calls, limits, and what a run leaves behind.
//!
//! A machine is memory that runs reuse; everything about one run that does not
//! change is in its [`Ctx`]. Registers of all open activations lie one after the
//! other in three stacks. The state is a working copy ([`Cells`]) that can be put
//! back to any earlier mark: hypothetical moves cost their writes and no copy.
//!
//! After a [`Halt`] the stacks are as they were when it happened;
//! [`Machine::recover`] or the next [`Machine::load`] puts them right.

use ludex_core::{State, Trail};
use ludex_ir::inst::OutcomeKind;
use ludex_ir::moves::Path;
use ludex_ir::{Func, Function, PackedMove, Reg, SetReg, Var};

use crate::cells::{Cells, Mark};
use crate::fault::{Halt, RunLimits, fault, step_budget, too_deep};
use crate::tables::Tables;
use crate::twins::Twins;
use crate::writes::{Write, record};

/// Registers of all open activations, in words; beyond it the file calls too deep.
const MAX_REGISTER_WORDS: usize = 1 << 22;
/// Writes that may have to be undone at one time.
const MAX_LOG: usize = 1 << 22;
/// Entries of a list of writes.
const MAX_WRITES: usize = 1 << 16;
/// Pieces that the name of a move may have, in bytes.
const MAX_NAME: usize = 4096;

/// What one run may look at.
#[derive(Clone, Copy)]
pub(crate) struct Ctx<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) limits: &'a RunLimits,
    pub(crate) trail: &'a Trail,
    /// The player the search plays for.
    pub(crate) side: i64,
    /// The distance from the root of the search.
    pub(crate) depth: i64,
}

/// Where the registers of an activation begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) ints: usize,
    pub(crate) sets: usize,
    pub(crate) paths: usize,
}

/// What becomes of the moves that a run lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Listing {
    /// Nothing.
    #[default]
    Off,
    /// They are kept, with their weights if `weights`.
    All {
        /// Whether weights are kept as well.
        weights: bool,
    },
    /// The first that is legal for the player ends the run. Those that a `try` hides from a
    /// look at once are kept.
    First {
        /// The player to move.
        me: usize,
        /// How many tries were open when the run began.
        tries: usize,
    },
}

/// What is kept of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sink {
    pub(crate) listing: Listing,
    /// Where the present list begins in the moves.
    pub(crate) list_start: usize,
    /// Whether results count.
    pub(crate) outcomes: bool,
    /// Whether the written form of a move is gathered.
    pub(crate) names: bool,
    /// Whether writes are recorded.
    pub(crate) writes: bool,
}

/// A result statement that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) kind: OutcomeKind,
    pub(crate) score: Option<i64>,
    pub(crate) place: u32,
}

/// What an effect says about the turn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passing {
    /// How many tries were open when the effect began: what is said inside a further one is
    /// hypothetical.
    pub(crate) tries: usize,
    /// The next to move; `None` for the next in order.
    pub(crate) next: Option<usize>,
    /// No earlier position can come back.
    pub(crate) irreversible: bool,
}

/// What a nested run must put back when it is done.
#[derive(Clone, Copy)]
pub(crate) struct Suspended {
    sink: Sink,
    passing: Passing,
    hypothetical: bool,
    cut: bool,
    mark: Mark,
    ints: usize,
    sets: usize,
    paths: usize,
    depth: u32,
    tries: usize,
}

/// Memory for runs.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(crate) cells: Cells,
    pub(crate) ints: Vec<i64>,
    pub(crate) sets: Vec<u64>,
    pub(crate) paths: Vec<Path>,
    depth: u32,
    /// Steps that are left.
    pub(crate) left: u64,
    /// Where the open `try` blocks began.
    pub(crate) tries: Vec<Mark>,
    /// Whether the state is not the one that the trail ends with.
    pub(crate) hypothetical: bool,
    /// Whether the hypothetical move was irreversible.
    pub(crate) cut: bool,
    pub(crate) sink: Sink,
    pub(crate) passing: Passing,
    pub(crate) moves: Vec<PackedMove>,
    pub(crate) weights: Vec<Option<f64>>,
    pub(crate) said: Vec<Said>,
    pub(crate) features: Vec<f64>,
    pub(crate) name: String,
    pub(crate) writes: Vec<Write>,
    /// Sets for operations that cannot work in place.
    pub(crate) spare: [Vec<u64>; 3],
    pub(crate) twins: Twins,
}

impl Machine {
    /// Gets ready for a new question about `state`.
    pub(crate) fn load(&mut self, ctx: &Ctx<'_>, state: &State) {
        self.cells.load(&ctx.tables.layout, state);
        self.ints.clear();
        self.sets.clear();
        self.paths.clear();
        self.depth = 0;
        self.left = ctx.limits.steps.min(i64::MAX as u64);
        self.tries.clear();
        self.hypothetical = false;
        self.cut = false;
        self.sink = Sink::default();
        self.passing = Passing::default();
        self.moves.clear();
        self.weights.clear();
        self.said.clear();
        self.features.clear();
        self.name.clear();
        self.writes.clear();
        for spare in &mut self.spare {
            spare.clear();
            spare.resize(ctx.tables.board.words, 0);
        }
    }

    /// Runs a function for player `me`; its result if that is a number.
    pub(crate) fn run(&mut self, ctx: &Ctx<'_>, func: Func, me: i64) -> Result<i64, Halt> {
        let function = ctx.tables.program.function(func);
        let frame = self.enter(ctx, function, 0)?;
        self.set_me(function, frame, me);
        self.exec(ctx, func, frame)?;
        let result = match function.result {
            Some(Var::Int(reg)) => self.int(frame, reg),
            _ => 0,
        };
        self.leave(frame);
        Ok(result)
    }

    /// Puts `me` into the first parameter.
    pub(crate) fn set_me(&mut self, function: &Function, frame: Frame, me: i64) {
        if let Some(&Var::Int(reg)) = function.params.first() {
            self.set_int(frame, reg, me);
        }
    }

    /// Opens an activation with all its registers 0 or empty.
    pub(crate) fn enter(
        &mut self,
        ctx: &Ctx<'_>,
        function: &Function,
        place: u32,
    ) -> Result<Frame, Halt> {
        let frame = Frame { ints: self.ints.len(), sets: self.sets.len(), paths: self.paths.len() };
        let ints = frame.ints + function.ints as usize;
        let sets = frame.sets + function.sets as usize * ctx.tables.board.words;
        let paths = frame.paths + function.paths as usize;
        self.depth += 1;
        if self.depth > ctx.limits.depth || ints + sets + 4 * paths > MAX_REGISTER_WORDS {
            return Err(too_deep(ctx.limits, place));
        }
        // A call costs what its registers cost, so that calls alone cannot run for ever.
        let registers = ints - frame.ints + (sets - frame.sets) + 4 * (paths - frame.paths);
        self.spend(ctx, 12 + registers / 4, place)?;
        self.ints.resize(ints, 0);
        self.sets.resize(sets, 0);
        self.paths.resize(paths, Path::default());
        Ok(frame)
    }

    /// Closes the activation that `frame` belongs to.
    pub(crate) fn leave(&mut self, frame: Frame) {
        self.ints.truncate(frame.ints);
        self.sets.truncate(frame.sets);
        self.paths.truncate(frame.paths);
        self.depth -= 1;
    }

    /// Begins a run inside a run: what it may change, to be put back by [`recover`](Self::recover).
    pub(crate) fn suspend(&mut self) -> Suspended {
        Suspended {
            sink: std::mem::take(&mut self.sink),
            passing: std::mem::take(&mut self.passing),
            hypothetical: self.hypothetical,
            cut: self.cut,
            mark: self.cells.mark(),
            ints: self.ints.len(),
            sets: self.sets.len(),
            paths: self.paths.len(),
            depth: self.depth,
            tries: self.tries.len(),
        }
    }

    /// Ends a run inside a run, wherever it stopped: its writes are undone.
    pub(crate) fn recover(&mut self, ctx: &Ctx<'_>, suspended: Suspended) {
        self.cells.back(&ctx.tables.layout, suspended.mark);
        self.sink = suspended.sink;
        self.passing = suspended.passing;
        self.hypothetical = suspended.hypothetical;
        self.cut = suspended.cut;
        self.ints.truncate(suspended.ints);
        self.sets.truncate(suspended.sets);
        self.paths.truncate(suspended.paths);
        self.depth = suspended.depth;
        self.tries.truncate(suspended.tries);
    }

    /// Counts steps against the budget.
    #[inline]
    pub(crate) fn spend(&mut self, ctx: &Ctx<'_>, steps: usize, place: u32) -> Result<(), Halt> {
        match self.left.checked_sub(steps as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(step_budget(ctx.limits, place)),
        }
    }

    /// Goes one level deeper for a run that is no call.
    pub(crate) fn deepen(&mut self, ctx: &Ctx<'_>, place: u32) -> Result<(), Halt> {
        self.depth += 1;
        if self.depth > ctx.limits.depth { Err(too_deep(ctx.limits, place)) } else { Ok(()) }
    }

    /// The value of a number register.
    #[inline]
    pub(crate) fn int(&self, frame: Frame, reg: Reg) -> i64 {
        self.ints[frame.ints + reg.0 as usize]
    }

    /// Sets a number register.
    #[inline]
    pub(crate) fn set_int(&mut self, frame: Frame, reg: Reg, value: i64) {
        self.ints[frame.ints + reg.0 as usize] = value;
    }

    /// Where the words of a set register begin.
    #[inline]
    pub(crate) fn set_at(ctx: &Ctx<'_>, frame: Frame, reg: SetReg) -> usize {
        frame.sets + reg.0 as usize * ctx.tables.board.words
    }

    /// Copies a register of one activation to one of another, or of the same.
    pub(crate) fn copy(&mut self, ctx: &Ctx<'_>, from: (Frame, Var), to: (Frame, Var)) {
        match (from.1, to.1) {
            (Var::Int(a), Var::Int(b)) => {
                let value = self.int(from.0, a);
                self.set_int(to.0, b, value);
            }
            (Var::Set(a), Var::Set(b)) => {
                let (a, b) = (Self::set_at(ctx, from.0, a), Self::set_at(ctx, to.0, b));
                self.sets.copy_within(a..a + ctx.tables.board.words, b);
            }
            (Var::Path(a), Var::Path(b)) => {
                let path = self.paths[from.0.paths + a.0 as usize];
                self.paths[to.0.paths + b.0 as usize] = path;
            }
            // The check of the program has ruled out any other pair.
            _ => {}
        }
    }

    /// Sets a cell to a value that must be in its domain.
    pub(crate) fn store(
        &mut self,
        ctx: &Ctx<'_>,
        cell: usize,
        value: i64,
        (lo, hi): (i64, i64),
        place: u32,
    ) -> Result<(), Halt> {
        if value < lo || value > hi {
            let name = ctx.tables.program.cell_name(cell);
            let message = format!("`{name}` cannot become {value}: its range is {lo}..{hi}");
            return Err(fault("out-of-range", message, place).into());
        }
        self.remember(Write::Set(cell, value), (lo, hi));
        self.write(ctx, cell, (value - lo) as u16, place)
    }

    /// Adds to a cell, stopping at the ends of its domain.
    pub(crate) fn add(
        &mut self,
        ctx: &Ctx<'_>,
        cell: usize,
        delta: i64,
        (lo, hi): (i64, i64),
        place: u32,
    ) -> Result<(), Halt> {
        let value = i64::from(self.cells.raw(cell)) + lo;
        let value = value.saturating_add(delta).clamp(lo, hi);
        self.remember(Write::Add(cell, delta), (lo, hi));
        self.write(ctx, cell, (value - lo) as u16, place)
    }

    fn write(&mut self, ctx: &Ctx<'_>, cell: usize, raw: u16, place: u32) -> Result<(), Halt> {
        if self.cells.log_len() >= MAX_LOG {
            return Err(step_budget(ctx.limits, place));
        }
        self.cells.write(&ctx.tables.layout, cell, raw);
        Ok(())
    }

    /// Records a write that will not be undone.
    fn remember(&mut self, write: Write, (lo, hi): (i64, i64)) {
        if self.sink.writes && self.tries.is_empty() && self.writes.len() < MAX_WRITES {
            record(&mut self.writes, write, lo, hi);
        }
    }

    /// Adds a piece to the name of the move, which stays short whatever the file does.
    pub(crate) fn say(&mut self, piece: &str) {
        if self.name.len() + piece.len() <= MAX_NAME {
            self.name.push_str(piece);
        }
    }
}
