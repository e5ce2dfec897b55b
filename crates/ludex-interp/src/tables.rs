//! A program with what a machine wants to look up fast.

use ludex_ir::inst::TURN;
use ludex_ir::{ArrayId, ArrayRole, CaptureSquares, OperandKind, PathOf, Program, VerifiedProgram};

use crate::cells::Layout;
use crate::code::Code;
use crate::geometry::Board;
use crate::squares;

/// An array of cells, as instructions need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) base: usize,
    pub(crate) len: usize,
    pub(crate) lo: i64,
    pub(crate) hi: i64,
}

/// A counter cell and its highest raw value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    pub(crate) cell: usize,
    pub(crate) top: u16,
}

/// How wide the elements of a path are and how many fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathShape {
    pub(crate) bits: u32,
    pub(crate) capacity: usize,
}

/// A program and its tables. Never changes.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) program: VerifiedProgram,
    pub(crate) layout: Layout,
    pub(crate) squares: ludex_core::Board,
    pub(crate) board: Board,
    pub(crate) slots: Vec<Slot>,
    /// The functions, ready to be run.
    pub(crate) codes: Vec<Code>,
    pub(crate) counters: Vec<Counter>,
    /// The kind and width of each operand of each statement.
    pub(crate) operands: Vec<Vec<(OperandKind, u32)>>,
    /// On which squares moves may take men.
    pub(crate) capture_squares: CaptureSquares,
    path_of_squares: PathShape,
    path_of_directions: PathShape,
}

impl Tables {
    /// The tables of a program.
    pub(crate) fn new(program: VerifiedProgram) -> Self {
        let shape = |kind| PathShape {
            bits: program.operand_bits(kind),
            capacity: program.path_capacity(kind),
        };
        let slot = |array: &ludex_ir::Array| Slot {
            base: array.base,
            len: array.len,
            lo: array.lo,
            hi: array.hi,
        };
        let width =
            |operand: &ludex_ir::Operand| (operand.kind, program.operand_bits(operand.kind));
        Self {
            layout: Layout::new(&program),
            squares: squares::board(&program),
            board: Board::new(&program),
            slots: program.arrays.iter().map(slot).collect(),
            codes: program.functions.iter().map(Code::new).collect(),
            counters: counters(&program),
            operands: program
                .statements
                .iter()
                .map(|statement| statement.operands.iter().map(width).collect())
                .collect(),
            capture_squares: CaptureSquares::of(&program),
            path_of_squares: shape(OperandKind::PathOfSquares),
            path_of_directions: shape(OperandKind::PathOfDirections),
            program,
        }
    }

    /// The array with this number.
    #[inline]
    pub(crate) fn slot(&self, array: ArrayId) -> &Slot {
        &self.slots[array.0 as usize]
    }

    /// The cell of the player to move.
    pub(crate) fn turn_cell(&self) -> usize {
        self.slot(TURN).base
    }

    /// What paths of this kind look like.
    #[inline]
    pub(crate) fn path(&self, of: PathOf) -> PathShape {
        match of {
            PathOf::Squares => self.path_of_squares,
            PathOf::Directions => self.path_of_directions,
        }
    }

    /// The shape of a path operand; `None` if it is no path.
    pub(crate) fn operand_path(&self, kind: OperandKind) -> Option<PathShape> {
        match kind {
            OperandKind::PathOfSquares => Some(self.path_of_squares),
            OperandKind::PathOfDirections => Some(self.path_of_directions),
            _ => None,
        }
    }

    /// How many players there are.
    pub(crate) fn players(&self) -> usize {
        self.program.players.len()
    }
}

fn counters(program: &Program) -> Vec<Counter> {
    let arrays = program.arrays.iter().filter(|array| array.role == ArrayRole::Counter);
    arrays
        .flat_map(|array| {
            let top = (array.hi - array.lo) as u16;
            (array.base..array.base + array.len).map(move |cell| Counter { cell, top })
        })
        .collect()
}
