//! Whether a program makes sense. What passes here can be run by every engine
//! without a fault of the machinery, whatever the state: a [`VerifiedProgram`].
//!
//! **Limits**
//! - There are at most `MAX_SQUARES` squares, `MAX_CELLS` cells, `MAX_MEN` men,
//!   `MAX_STATEMENTS` move statements and `MAX_PLAYERS` players, and at least
//!   one player.
//!
//! **Men and cells** (`data.rs`)
//! - A man's owner and kind exist; no two men are the same.
//! - The board is array 0 and nothing else is: one cell per square, 0 to the
//!   number of men. The turn is array 1 and nothing else is: one cell, one
//!   value per player.
//! - Arrays follow each other without gaps from cell 0.
//! - An array has as many cells as its indices make (times the squares, for
//!   sets), at least one value and at most `MAX_DOMAIN`, and its default is in its
//!   domain.
//! - Truth values and sets are 0 to 1; squares, players and kinds begin at -1
//!   and end with the last of them.
//! - The start has one value per cell, inside the domain.
//!
//! **Constants and geometry** (`data.rs`)
//! - A table has rows times columns entries.
//! - A constant set has the words of this board and no square outside it.
//! - A direction has one step per square, to a square or -1; its opposite
//!   exists and has it as its own opposite.
//! - Lists hold directions that exist.
//! - Names of squares, kinds and players are complete; the drawing shows
//!   squares that exist; position fields name cells that exist, and flags are cells
//!   of truth values.
//!
//! **Moves** (`roles.rs`)
//! - A statement has at most one path, and last; its operands fit in a move, a
//!   path with one element at least.
//! - Its effect exists and takes `me` and the operands, class by class.
//!
//! **Code** (`code.rs`)
//! - A function has a block; its first parameter is a number (`me`); parameters
//!   are different registers.
//! - Registers, blocks, arrays, tables, families, functions, statements and
//!   features that are named exist.
//! - Calls match parameters in number and class; a wanted result is given, in
//!   its class. Listed moves match their statement the same way.
//! - `test` is asked of arrays of at most 64 values; whole sets are read and
//!   written in arrays of sets; a table of several columns is looked up by two
//!   numbers; a score, and nothing else, comes with a number; the past is asked
//!   about only if the program says so.
//! - `try` and `undo` are balanced: one depth for every place, none open where
//!   the function is left (see [`TryDepth`](crate::try_depth::TryDepth)).
//!
//! **Roles** (`roles.rs`)
//! - Their functions exist and take exactly `me`; `illegal` and `evaluate` give
//!   a number.
//! - Each does only what it is for, with all that it calls: only effects change
//!   the position outside `try`, or speak about the move being played; only
//!   `moves`, `candidates` and `stuck` list moves; only `result`, `stuck` and
//!   `adjudicate` give outcomes; only `features` gives features; only
//!   `candidates`, `evaluate` and `features` ask about the search.
//! - The royal kind exists.
//!
//! Not checked: that values are used as what they are (a real as a real, a
//! square as a square), and that loops end.

mod code;
mod data;
mod roles;

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;
use std::sync::Arc;

use crate::inst::{Block, Func};
use crate::program::Program;

/// One thing that is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The function it is in; `None` for what is not code.
    pub function: Option<Func>,
    /// What it is in, by name: the function, or the part of the program.
    pub name: String,
    /// The block it is in, if it is in one.
    pub block: Option<Block>,
    /// The instruction or end it is about, as text; empty if it is about none.
    pub inst: String,
    /// What is wrong.
    pub message: String,
}

impl Display for VerifyError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.function {
            Some(func) => write!(f, "{func} {:?}", self.name)?,
            None => f.write_str(&self.name)?,
        }
        if let Some(block) = self.block {
            write!(f, ", {block}")?;
        }
        if !self.inst.is_empty() {
            write!(f, ", `{}`", self.inst)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl Error for VerifyError {}

/// A program that obeys every rule in the header of this module. Only [`verify`] makes one. Cheap
/// to clone: copies share the program.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedProgram(Arc<Program>);

impl VerifiedProgram {
    /// The program, to be changed and verified again.
    pub fn into_program(self) -> Program {
        Arc::unwrap_or_clone(self.0)
    }
}

impl Deref for VerifiedProgram {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.0
    }
}

/// Checks every rule in the header of this module. All that is wrong is
/// reported; what the roles do only once the rest is right.
pub fn verify(program: Program) -> Result<VerifiedProgram, Vec<VerifyError>> {
    let errors = errors(&program);
    if errors.is_empty() { Ok(VerifiedProgram(Arc::new(program))) } else { Err(errors) }
}

/// What [`verify`] finds wrong with a program.
pub fn errors(program: &Program) -> Vec<VerifyError> {
    let mut errors = Errors::default();
    data::check(program, &mut errors);
    code::check(program, &mut errors);
    roles::check_signatures(program, &mut errors);
    if errors.0.is_empty() {
        roles::check_abilities(program, &mut errors);
    }
    errors.0
}

/// What is wrong so far.
#[derive(Default)]
struct Errors(Vec<VerifyError>);

impl Errors {
    /// Notes what is wrong with a part that is not code, unless `right`.
    fn part(&mut self, right: bool, name: impl Into<String>, message: impl Into<String>) {
        if !right {
            self.0.push(VerifyError {
                function: None,
                name: name.into(),
                block: None,
                inst: String::new(),
                message: message.into(),
            });
        }
    }

    /// Notes something wrong in a function.
    fn code(&mut self, program: &Program, at: At<'_>, message: impl Into<String>) {
        self.0.push(VerifyError {
            function: Some(at.func),
            name: program.function(at.func).name.clone(),
            block: at.block,
            inst: at.inst.map_or_else(String::new, ToString::to_string),
            message: message.into(),
        });
    }
}

/// A place in the code.
#[derive(Clone, Copy)]
struct At<'a> {
    func: Func,
    block: Option<Block>,
    inst: Option<&'a dyn Display>,
}
