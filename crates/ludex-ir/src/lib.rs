//! Control-flow graphs over cells: what a rules file becomes, and what every
//! engine, study and tool reads.
//!
//! ```text
//! front end -> Program { cells, geometry, functions } -> interpreter, native code, study
//! ```
//!
//! A [`Program`] is a vector of cells, the geometry of the board, and one
//! [`Function`] (a control-flow graph over mutable registers) per algorithm.
//! It knows no surface language and no machine.
//!
//! Read [`program`] first, then [`inst`]: the doc comment of each instruction
//! is its meaning. [`text`] is how a program is written; [`verify`](mod@verify)
//! says what makes one right. [`post_dominators`], [`may_define`] and
//! [`summary`] are what the study knows about code before it runs.
//!
//! ```
//! use ludex_ir::{Block, Function, PostDominators};
//!
//! let function = Function::parse(
//!     "function \"larger\" (r0, r1) -> r2
//!        registers 3 0 0
//!      b0:
//!        r2 = lt r0 r1
//!        if r2 b1 else b2
//!      b1:
//!        r2 = copy r1
//!        jump b3
//!      b2:
//!        r2 = copy r0
//!        jump b3
//!      b3:
//!        return",
//! )?;
//! assert_eq!(Function::parse(&function.to_string())?, function);
//! assert_eq!(PostDominators::of(&function).block(Block(0)), Some(Block(3)));
//! # Ok::<(), ludex_ir::ParseError>(())
//! ```
//!
//! **Invariant:** what is printed is read back, exactly.

#![forbid(unsafe_code)]

pub mod bits;
pub mod capture_squares;
pub mod inst;
pub mod may_define;
pub mod moves;
mod operands;
pub mod passes;
pub mod post_dominators;
pub mod program;
pub mod reach;
pub mod summary;
pub mod text;
pub mod try_depth;
pub mod verify;

pub use bits::Bits;
pub use capture_squares::CaptureSquares;
pub use inst::{
    ArrayId, Binary, Block, End, Func, Inst, OutcomeKind, PathOf, PathReg, Reg, Say, SetBinary,
    SetId, SetReg, Spread, StatementId, TableId, Unary, Var,
};
pub use may_define::MayDefine;
pub use moves::PackedMove;
pub use operands::Access;
pub use post_dominators::PostDominators;
pub use program::{
    Array, ArrayRole, BlockData, Direction, Function, Geometry, GridKind, History, IndexKind, Look,
    Man, Operand, OperandKind, PositionField, Program, RoleFunctions, SetFamily, Statement, Table,
};
pub use summary::{Summaries, Summary};
pub use text::ParseError;
pub use try_depth::TryDepth;
pub use verify::{VerifiedProgram, VerifyError, verify};
