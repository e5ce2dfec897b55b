//! Heuristics: evaluations, features and candidates, where reals may be used.

use super::author::{Author, Section, Type};
use super::material::Routine;

impl Author<'_> {
    /// Writes some heuristics, or none.
    pub(super) fn heuristics(&mut self) {
        if !self.percent(55) {
            return;
        }
        self.reals = true;
        if self.percent(40) {
            self.real_function();
        }
        if self.percent(70) {
            let header = self.word(&["evaluate", "evaluate", "evaluate for side"]);
            self.section(Section::Heuristic, &header, |author| {
                author.statements(2);
                let value = author.real(3);
                author.line(&format!("return {value}"));
            });
        }
        if self.percent(50) {
            self.section(Section::Heuristic, "features", Self::features);
        }
        if self.percent(50) && self.on_board() {
            let header = self.word(&["candidates", "candidates", "candidates only"]);
            self.section(Section::Heuristic, &header, Self::candidates);
        }
        self.reals = false;
    }

    fn real_function(&mut self) {
        let name = self.fresh("g");
        let seen = self.scope.len();
        let param = self.declare(Type::Real, true);
        let header = format!("function {name}({param}: real): real");
        self.section(Section::Function, &header, |author| {
            author.statements(1);
            let value = author.real(2);
            author.line(&format!("return {value}"));
        });
        self.scope.truncate(seen);
        let routine = Routine { name, params: vec![Type::Real], gives: Some(Type::Real) };
        self.sheet.functions.push(routine);
    }

    fn features(&mut self) {
        for _ in 0..self.between(1, 3) {
            if self.percent(30) {
                self.statements(1);
            }
            let (name, value) = (self.fresh("feature"), self.real(2));
            self.line(&format!("feature {name} = {value}"));
        }
    }

    fn candidates(&mut self) {
        let (set, list) = (self.set(1), self.directions());
        self.looped("for a in mine", |author| {
            author.see("a", Type::Square);
            author.looped(&format!("for b in neighbours(a, {list}) & ({set})"), |author| {
                author.see("b", Type::Square);
                let weight = author.real(2);
                author.line(&format!("move a to b weight {weight}"));
            });
        });
        let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        self.line(&format!("for b in empty: move put my {kind} on b weight count(mine)"));
    }
}
