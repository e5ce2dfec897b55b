//! Labelled execution: the interpreter's run, with every value's label beside it.
//!
//! A branch whose condition depends on cells is put on the **control stack** of
//! its activation until its conjugate, where its sides meet again. Meanwhile
//! all that is assigned, listed or written carries its label. At the conjugate
//! comes the **relevant-slice step**: whatever either side *may* have assigned
//! (registers, arrays of cells, what is said about the turn) gets the label as
//! well, since the other side would have assigned, or not assigned, it.
//!
//! **Theorem** (threats, 1.3). If a run in state *s* lists an item with label
//! R, a run in any state that satisfies R lists it too. Call a variable *low*
//! if R implies its label. Whenever the label of the top of the control stack
//! is implied by R, the two runs are at the same place and agree on all low
//! variables: a branch on a low condition goes the same way in both; one on
//! another condition may part them, but they meet at the conjugate, and by then
//! nothing that either may have assigned is low.
//!
//! `control` has the stack, `query` the questions that cells are asked, `step` the
//! instructions, `sets` those on sets, `count` comparisons of sizes, `history`
//! what was there before, `play` what moves do, `can_move` the question whether a
//! player has a move.
//!
//! **Worlds.** A run may be about changed states too, one change in each; then
//! `worlds`, `world_values`, `world_steps`, `world_branches` and `lazy_sets` carry them along. See docs/how/forcings.md.
//!
//! A branch whose condition adds nothing to the label it runs under is not put
//! on the stack: the entry below, or the caller's, covers what it decides.

mod can_move;
mod control;
mod count;
mod history;
mod lazy_sets;
mod play;
mod query;
mod sets;
mod step;
mod world_branches;
mod world_steps;
mod world_values;
pub(crate) mod worlds;

use ludex_core::{Fault, Position, Trail};
use ludex_interp::Write;
use ludex_ir::moves::Path;
use ludex_ir::{Block, End, Func, Function, OutcomeKind, PackedMove, Reg, SetReg, Var};

use crate::cells::{Cells, Mark};
use crate::code::Code;
use crate::label::{Label, Labels};
use crate::set::LabelledSet;

use control::Control;
use sets::WhereSets;
use world_values::WorldValues;
use worlds::Worlds;

/// A move that was listed, and why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emission {
    pub(crate) mv: PackedMove,
    pub(crate) label: Label,
    pub(crate) place: u32,
}

/// A result that was given, and why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    pub(crate) kind: OutcomeKind,
    pub(crate) score: Option<i64>,
    pub(crate) label: Label,
    pub(crate) place: u32,
}

/// What the effect of a move has done up to this point.
#[derive(Debug, Default)]
struct Deeds {
    /// Whether an effect is being run whose writes are wanted.
    wanted: bool,
    writes: Vec<Write>,
    /// What the writes, and all that is said about the turn, depend on.
    label: Label,
    /// How many tries were open when the effect began: what is said in a further one is hypothetical.
    tries: usize,
    next: Option<usize>,
    irreversible: bool,
}

/// The registers of an activation.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The number of the function.
    function: usize,
    ints: Vec<(i64, Label)>,
    sets: Vec<LabelledSet>,
    paths: Vec<(Path, Label)>,
    /// Registers that were given the size of a set in the present block, with the set.
    counted: Vec<(Reg, LabelledSet)>,
    control: Control,
    /// What is different in changed worlds.
    beside: WorldValues,
}

/// One run after the other about one state.
pub(crate) struct Machine<'a> {
    code: &'a Code,
    trail: &'a Trail,
    /// The key of the present position.
    present: u64,
    /// Whose turn it is there.
    turn: u16,
    pub(crate) labels: Labels,
    cells: Cells,
    wheres: WhereSets,
    /// Where the open `try` blocks began.
    tries: Vec<Mark>,
    /// Whether the state is not the one that the trail ends with.
    hypothetical: bool,
    /// Whether the hypothetical move was irreversible.
    cut: bool,
    /// Whether labels are not wanted at the moment.
    silent: bool,
    depth: u32,
    /// Steps that are left.
    left: u64,
    emitted: Vec<Emission>,
    said: Vec<Said>,
    /// What it depends on that no more was said.
    undecided: Label,
    deeds: Deeds,
    /// The changed worlds that the run is about as well.
    pub(crate) worlds: Worlds,
    /// Whether what runs now is run for all worlds together.
    sharing: bool,
}

impl<'a> Machine<'a> {
    /// A machine for questions about a state, as if it were the turn of `turn`.
    pub(crate) fn new(code: &'a Code, position: &'a Position, turn: Option<usize>) -> Self {
        let cells = 0..code.program.cells();
        let mut raws: Vec<u16> =
            cells.map(|cell| ludex_interp::cells::raw(&position.state.words, cell)).collect();
        let before = raws[code.turn_cell];
        raws[code.turn_cell] = turn.map_or(before, |it| it as u16);
        let hypothetical = raws[code.turn_cell] != before;
        Self {
            code,
            trail: &position.trail,
            present: position.state.key,
            turn: before,
            labels: Labels::new(),
            cells: Cells::new(raws, code.program.arrays.len()),
            wheres: WhereSets::default(),
            tries: Vec::new(),
            hypothetical,
            cut: false,
            silent: false,
            depth: 0,
            left: code.limits.steps,
            emitted: Vec::new(),
            said: Vec::new(),
            undecided: Label::NONE,
            deeds: Deeds::default(),
            worlds: Worlds::default(),
            sharing: false,
        }
    }

    /// What a function lists when run for player `me`.
    pub(crate) fn moves(&mut self, func: Func, me: usize) -> Result<Vec<Emission>, Fault> {
        self.emitted.clear();
        self.run(func, me as i64)?;
        Ok(std::mem::take(&mut self.emitted))
    }

    /// Limits the steps of a run.
    pub(crate) fn with_steps(mut self, steps: u64) -> Self {
        self.left = self.left.min(steps);
        self
    }

    /// What a function says of the game of player `me`.
    pub(crate) fn outcomes(&mut self, func: Func, me: usize) -> Result<Vec<Said>, Fault> {
        self.said.clear();
        self.run(func, me as i64)?;
        Ok(std::mem::take(&mut self.said))
    }

    /// What it depends on that a function says nothing of the game of player `me`; `None` if it
    /// does.
    pub(crate) fn silence(&mut self, func: Func, me: usize) -> Result<Option<Label>, Fault> {
        self.undecided = Label::NONE;
        let said = self.outcomes(func, me)?;
        Ok(said.is_empty().then_some(self.undecided))
    }

    /// What `stuck` says of the game of player `me`; `None` if it lists moves instead.
    pub(crate) fn stuck(&mut self, func: Func, me: usize) -> Result<Option<Vec<Said>>, Fault> {
        let said = self.outcomes(func, me)?;
        let moves = std::mem::take(&mut self.emitted);
        Ok(if said.is_empty() && !moves.is_empty() { None } else { Some(said) })
    }

    /// The label of everything there is: all cells, and the history if the rules ask about it.
    pub(crate) fn everything(&mut self) -> Label {
        let mut all = self.all_cells(false);
        if self.code.program.history != ludex_ir::History::None {
            let history = self.history();
            all = self.labels.union(all, history);
        }
        all
    }

    /// Runs a function for player `me`; its result if that is a number.
    fn run(&mut self, func: Func, me: i64) -> Result<i64, Fault> {
        let function = self.code.program.function(func);
        let mut frame = self.frame(func, Label::NONE);
        if let Some(&Var::Int(reg)) = function.params.first() {
            frame.ints[reg.0 as usize].0 = me;
        }
        self.exec(function, &mut frame, 0)?;
        Ok(match function.result {
            Some(Var::Int(reg)) => frame.ints[reg.0 as usize].0,
            _ => 0,
        })
    }

    /// An activation with all registers 0 or empty, run under a condition.
    fn frame(&self, func: Func, condition: Label) -> Frame {
        let function = self.code.program.function(func);
        let empty = || {
            let squares = ludex_ir::Bits::empty(self.code.board.squares);
            LabelledSet::constant(squares, Label::NONE)
        };
        Frame {
            function: func.0 as usize,
            ints: vec![(0, Label::NONE); function.ints as usize],
            sets: if function.sets == 0 {
                Vec::new()
            } else {
                vec![empty(); function.sets as usize]
            },
            paths: vec![(Path::default(), Label::NONE); function.paths as usize],
            counted: Vec::new(),
            control: Control::new(condition),
            beside: WorldValues::default(),
        }
    }

    /// Runs a function whose parameters are in place.
    fn exec(&mut self, function: &Function, frame: &mut Frame, place: u32) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > self.code.limits.depth {
            let depth = self.code.limits.depth;
            return Err(fault(
                "too-deep",
                format!("functions call each other more than {depth} deep"),
                place,
            ));
        }
        self.walk(function, frame, 0, None)?;
        self.leave(frame);
        self.meet(frame, None);
        self.depth -= 1;
        Ok(())
    }

    /// Runs from a block until the function is left, or until block `until` is reached.
    fn walk(
        &mut self,
        function: &Function,
        frame: &mut Frame,
        mut at: usize,
        until: Option<Block>,
    ) -> Result<(), Fault> {
        loop {
            let here = Some(Block(at as u32));
            self.arrive(frame, at);
            self.meet(frame, here);
            if until == here {
                return Ok(());
            }
            frame.counted.clear();
            frame.beside.counted.clear();
            let block = &function.blocks[at];
            self.spend(block.insts.len() + 1, block.end.1)?;
            for (inst, place) in &block.insts {
                if self.sharing {
                    self.step_everywhere(frame, inst, *place)?;
                } else {
                    self.step(frame, inst, *place)?;
                }
            }
            at = match block.end.0 {
                End::Jump(to) => to.0 as usize,
                End::Branch { cond, yes, no } => {
                    if self.sharing {
                        self.split(function, frame, at)?;
                    }
                    let (value, label) = frame.int(cond);
                    self.part(frame, at, label);
                    (if value != 0 { yes } else { no }).0 as usize
                }
                End::Return => return Ok(()),
            };
        }
    }

    /// Counts steps against the budget.
    fn spend(&mut self, steps: usize, place: u32) -> Result<(), Fault> {
        let Some(left) = self.left.checked_sub(steps as u64) else {
            let steps = self.code.limits.steps;
            return Err(fault("step-budget", format!("no end after {steps} steps"), place));
        };
        self.left = left;
        Ok(())
    }
}

impl Frame {
    fn int(&self, reg: Reg) -> (i64, Label) {
        self.ints[reg.0 as usize]
    }

    fn set(&self, reg: SetReg) -> &LabelledSet {
        &self.sets[reg.0 as usize]
    }

    /// The label that everything runs under at present.
    fn condition(&self) -> Label {
        self.control.condition()
    }
}

/// A fault at a place of the source, where 0 is no place.
#[cold]
fn fault(code: &'static str, message: String, place: u32) -> Fault {
    Fault { code, message, place: (place != 0).then_some(place) }
}
