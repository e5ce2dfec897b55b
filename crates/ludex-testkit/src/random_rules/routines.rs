//! Functions, actions and procedures. A routine calls only those before it, so
//! that only the idioms of [`moves`](super::moves) recurse.

use super::author::{Author, Section, Type};
use super::material::Routine;

impl Author<'_> {
    /// Writes some routines.
    pub(super) fn routines(&mut self) {
        for _ in 0..self.below(4) {
            self.function();
        }
        if self.percent(15) && self.on_board() {
            self.chain_length();
        }
        for _ in 0..self.below(3) {
            self.action_routine();
        }
        for _ in 0..self.below(2) {
            self.procedure();
        }
    }

    /// Parameters, brought into sight, and how they are written.
    fn parameters(&mut self) -> (Vec<Type>, String) {
        let types = if self.on_board() {
            &[Type::Square, Type::Square, Type::Int, Type::Set, Type::Direction, Type::Directions][..]
        } else {
            &[Type::Int, Type::Bool][..]
        };
        let params: Vec<Type> =
            (0..self.below(3)).filter_map(|_| self.random.pick(types).copied()).collect();
        let written: Vec<String> = params
            .iter()
            .map(|&of| {
                let assignable = self.percent(30);
                format!("{}: {}", self.declare(of, assignable), of.name())
            })
            .collect();
        (params, written.join(", "))
    }

    fn function(&mut self) {
        let types = if self.on_board() {
            &[Type::Int, Type::Int, Type::Bool, Type::Set, Type::Set, Type::Square, Type::Direction]
                [..]
        } else {
            &[Type::Int, Type::Bool][..]
        };
        let Some(gives) = self.random.pick(types).copied() else { return };
        let name = self.fresh("f");
        let seen = self.scope.len();
        let (params, written) = self.parameters();
        let header = format!("function {name}({written}): {}", gives.name());
        self.section(Section::Function, &header, |author| {
            author.statements(2);
            if author.percent(30) {
                let (condition, value) = (author.truth(2), author.value(gives, 1));
                author.line(&format!("if {condition}: return {value}"));
            }
            let value = author.value(gives, 2);
            author.line(&format!("return {value}"));
        });
        self.scope.truncate(seen);
        self.sheet.functions.push(Routine { name, params, gives: Some(gives) });
    }

    /// The length of the longest chain of jumps: a recursion with `try`.
    fn chain_length(&mut self) {
        let name = self.fresh("longest");
        let list = self.directions();
        self.section(
            Section::Function,
            &format!("function {name}(b: square, n: int): int"),
            |author| {
                author.line("let best = 0");
                author.line("if n > 5: return 0");
                author.block(&format!("for d in {list}"), |author| {
                    author.block("if b + d is theirs and b + d + d is empty", |author| {
                        author.line("let e = b + d + d");
                        author.block("try b to e, take b + d", |author| {
                            author.line(&format!("best = max(best, 1 + {name}(e, n + 1))"));
                        });
                    });
                });
                author.line("return best");
            },
        );
        let params = vec![Type::Square, Type::Int];
        self.sheet.functions.push(Routine { name, params, gives: Some(Type::Int) });
    }

    fn action_routine(&mut self) {
        let name = self.fresh("act");
        let seen = self.scope.len();
        let (params, written) = self.parameters();
        self.section(Section::Action, &format!("action {name}({written})"), |it| it.statements(2));
        self.scope.truncate(seen);
        self.sheet.actions.push(Routine { name, params, gives: None });
    }

    fn procedure(&mut self) {
        let name = self.fresh("list");
        let seen = self.scope.len();
        let (params, written) = self.parameters();
        let header = format!("procedure {name}({written})");
        self.section(Section::Moves, &header, |author| {
            if author.percent(30) {
                let condition = author.truth(2);
                author.line(&format!("if {condition}: return"));
            }
            author.statements(2);
        });
        self.scope.truncate(seen);
        self.sheet.procedures.push(Routine { name, params, gives: None });
    }
}
