//! Why a search stopped in the middle.

use ludex_core::Fault;

/// Why a search stopped in the middle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Halt {
    /// The budget is spent.
    Spent,
    /// The rules are at fault.
    Fault(Fault),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Halt {
    /// The fault, where that was the reason; a spent budget is none.
    pub(crate) fn fault(self) -> Result<(), Fault> {
        match self {
            Self::Spent => Ok(()),
            Self::Fault(fault) => Err(fault),
        }
    }
}
