//! What an algorithm reaches: functions through calls, statements through emissions.

use std::collections::BTreeSet;

use crate::inst::{Func, Inst, StatementId};
use crate::program::{Program, RoleFunctions};

/// The functions and statements that some functions reach, themselves included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Functions, effects of emitted statements among them.
    pub functions: BTreeSet<Func>,
    /// Statements that are emitted.
    pub statements: BTreeSet<StatementId>,
}

impl Reach {
    /// What `roots` reach in `program`.
    pub fn of(program: &Program, roots: impl IntoIterator<Item = Func>) -> Self {
        let mut reach = Self::default();
        let mut todo: Vec<Func> = roots.into_iter().collect();
        while let Some(func) = todo.pop() {
            let Some(function) = program.functions.get(func.0 as usize) else { continue };
            if !reach.functions.insert(func) {
                continue;
            }
            for (inst, _) in function.blocks.iter().flat_map(|block| &block.insts) {
                match inst {
                    Inst::Call { func, .. } => todo.push(*func),
                    Inst::Emit { statement, .. } | Inst::EmitAll { statement, .. } => {
                        reach.statements.insert(*statement);
                        todo.extend(
                            program.statements.get(statement.0 as usize).map(|it| it.effect),
                        );
                    }
                    _ => {}
                }
            }
        }
        reach
    }
}

impl RoleFunctions {
    /// The algorithms that are rules: not the evaluations, features and candidates.
    pub fn rules(&self) -> impl Iterator<Item = Func> {
        let others = [self.result, self.stuck, self.adjudicate, self.illegal];
        std::iter::once(self.moves).chain(others.into_iter().flatten())
    }
}
