//! Why there is no native code for a game.

use std::fmt;

use cranelift_module::ModuleError;

/// Why a program is not compiled.
#[derive(Debug)]
pub enum NativeError {
    /// The system refuses memory that can be executed.
    Memory(String),
    /// The machine is not one that code is made for.
    Machine(String),
    /// The program has something that native code does not hold.
    Unsupported(&'static str),
    /// The code generator did not accept what it was given.
    Generator(String),
}

impl NativeError {
    pub(crate) fn memory(error: ModuleError) -> Self {
        Self::Memory(error.to_string())
    }

    pub(crate) fn machine(error: impl fmt::Display) -> Self {
        Self::Machine(error.to_string())
    }
}

impl From<Box<ModuleError>> for NativeError {
    fn from(error: Box<ModuleError>) -> Self {
        match *error {
            ModuleError::Allocation { err } => Self::Memory(err.to_string()),
            other => Self::Generator(format!("{other:?}")),
        }
    }
}

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(why) => write!(f, "the system refuses executable memory ({why})"),
            Self::Machine(why) => write!(f, "no native code on this machine ({why})"),
            Self::Unsupported(what) => write!(f, "no native code for {what}"),
            Self::Generator(why) => write!(f, "the code generator gave up ({why})"),
        }
    }
}

impl std::error::Error for NativeError {}
