//! A program made ready for labelled runs: everything that is the same for
//! every state is computed once.

use ludex_interp::RunLimits;
use ludex_interp::cells::Layout;
use ludex_ir::inst::TURN;
use ludex_ir::{
    ArrayId, ArrayRole, Block, Function, MayDefine, OperandKind, PathOf, Program, Reg, SetReg,
    Summaries, Var,
};

use crate::board::Board;
use crate::constants::{Constants, follow};
use crate::liveness::Live;
use crate::loops::unroll;

/// The program, its loops over sets unrolled, and what runs look up in it.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) program: Program,
    pub(crate) board: Board,
    pub(crate) layout: Layout,
    pub(crate) limits: RunLimits,
    /// Whether what a branch may have assigned gets its condition at the conjugate.
    pub(crate) relevant_slice: bool,
    pub(crate) turn_cell: usize,
    /// Cells that count turns.
    pub(crate) counters: Vec<usize>,
    /// Cells that make up the key of the history.
    pub(crate) keyed: Vec<bool>,
    /// The array of each cell.
    arrays: Vec<ArrayId>,
    /// For each function the branches of its blocks.
    branches: Vec<Vec<Option<Branch>>>,
    path_of_squares: PathShape,
    path_of_directions: PathShape,
}

/// What a branch decides.
#[derive(Debug)]
pub(crate) struct Branch {
    /// Where its sides meet again; `None`: where the function is left.
    pub(crate) conjugate: Option<Block>,
    /// What it may assign that is wanted there.
    pub(crate) vars: Vec<Var>,
    /// The same, for registers that can be assigned one value only, with that value.
    pub(crate) flags: Vec<(Reg, i64)>,
    /// The arrays that may differ there.
    pub(crate) writes: Vec<ArrayId>,
    /// Whether something may be said about the turn.
    pub(crate) speaks: bool,
    /// Whether an outcome may be given.
    pub(crate) decides: bool,
    /// The sets that either side may look at.
    pub(crate) sets: Vec<SetReg>,
}

/// How wide the elements of a path are and how many fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathShape {
    pub(crate) bits: u32,
    pub(crate) capacity: usize,
}

impl Code {
    pub(crate) fn new(program: &Program, relevant_slice: bool, limits: RunLimits) -> Self {
        let mut program = program.clone();
        for function in &mut program.functions {
            unroll(function, program.squares);
        }
        let summaries = Summaries::of(&program);
        let shape = |kind| PathShape {
            bits: program.operand_bits(kind),
            capacity: program.path_capacity(kind),
        };
        let all_arrays = program.arrays.iter().enumerate();
        let repeat = |(id, array): (usize, &ludex_ir::Array)| {
            std::iter::repeat_n(ArrayId(id as u16), array.len)
        };
        let is_counter = |id: &ArrayId| program.arrays[id.0 as usize].role == ArrayRole::Counter;
        let arrays: Vec<ArrayId> = all_arrays.flat_map(repeat).collect();
        Self {
            board: Board::new(&program),
            layout: Layout::new(&program),
            limits,
            relevant_slice,
            turn_cell: program.arrays[TURN.0 as usize].base,
            counters: (0..arrays.len()).filter(|&cell| is_counter(&arrays[cell])).collect(),
            keyed: arrays.iter().map(|&id| is_keyed(&program, id)).collect(),
            arrays,
            branches: program
                .functions
                .iter()
                .map(|function| branches(&program, &summaries, function))
                .collect(),
            path_of_squares: shape(OperandKind::PathOfSquares),
            path_of_directions: shape(OperandKind::PathOfDirections),
            program,
        }
    }

    /// The array of a cell.
    pub(crate) fn array_of(&self, cell: usize) -> ArrayId {
        self.arrays[cell]
    }

    /// How many values a cell may have.
    pub(crate) fn domain(&self, cell: usize) -> usize {
        let array = &self.program.arrays[self.arrays[cell].0 as usize];
        (array.hi - array.lo + 1) as usize
    }

    /// The number that stands for the history in labels.
    pub(crate) fn history_cell(&self) -> usize {
        self.arrays.len()
    }

    /// The branch at the end of a block.
    pub(crate) fn branch(&self, function: usize, block: usize) -> &Branch {
        self.branches[function][block].as_ref().expect("the block ends in a branch")
    }

    /// What paths of this kind look like.
    pub(crate) fn path(&self, of: PathOf) -> PathShape {
        match of {
            PathOf::Squares => self.path_of_squares,
            PathOf::Directions => self.path_of_directions,
        }
    }
}

fn is_keyed(program: &Program, array: ArrayId) -> bool {
    let role = program.arrays[array.0 as usize].role;
    match program.history {
        ludex_ir::History::None => false,
        ludex_ir::History::Board => role == ArrayRole::Board,
        ludex_ir::History::Position => role != ArrayRole::Counter,
    }
}

fn branches(program: &Program, summaries: &Summaries, function: &Function) -> Vec<Option<Branch>> {
    let may_define = MayDefine::of(program, summaries, function);
    let live = Live::of(function);
    let constants = Constants::of(function);
    let blocks = (0..function.blocks.len() as u32).map(Block);
    blocks
        .map(|block| {
            let it = may_define.branch(block)?;
            let meet = it.conjugate.map(|block| block.0 as usize);
            let mut branch = Branch {
                conjugate: it.conjugate,
                vars: Vec::new(),
                flags: Vec::new(),
                writes: it.acts.writes.iter().copied().collect(),
                speaks: it.acts.next || it.acts.irreversible,
                decides: it.outcomes,
                sets: sets_after(function, &live, block),
            };
            for &var in it.vars.iter().filter(|&&var| live.wanted(var, meet)) {
                match only_value(function, &constants, &it.region, var) {
                    Some(flag) => branch.flags.push(flag),
                    None => branch.vars.push(var),
                }
            }
            Some(branch)
        })
        .collect()
}

/// The sets that are wanted where a branch leads to.
fn sets_after(function: &Function, live: &Live, block: Block) -> Vec<SetReg> {
    let ends = || function.block(block).end.0.successors();
    let wanted = |&set: &SetReg| ends().any(|it| live.wanted(set.into(), Some(it.0 as usize)));
    (0..function.sets).map(SetReg).filter(wanted).collect()
}

/// The value that is assigned to a register wherever some blocks assign it, if it is one constant.
fn only_value(
    function: &Function,
    constants: &Constants,
    blocks: &[Block],
    var: Var,
) -> Option<(Reg, i64)> {
    let Var::Int(reg) = var else { return None };
    let mut only = None;
    for &block in blocks {
        let mut known = constants.at(block);
        for (inst, _) in &function.block(block).insts {
            let value = follow(&mut known, inst);
            if inst.assigns() == Some(var) {
                let value = value?;
                if only.is_some_and(|it| it != value) {
                    return None;
                }
                only = Some(value);
            }
        }
    }
    Some((reg, only?))
}
