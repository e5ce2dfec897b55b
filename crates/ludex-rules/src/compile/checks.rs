//! What is looked at once everything has been declared: whether constants are
//! constant, routines that are never called, promised facts.

use std::collections::BTreeSet;

use ludex_diagnostics::{Diagnostic, Span};

use crate::ast::{Algorithm, Expr, FactKind, File, ItemKind};

use super::Compiler;
use super::build::{Builder, Context, Mode};
use super::fold::Folded;
use super::names::CONSTANT;
use super::types::{Const, Type};
use super::warnings::names_in_expr;

impl Compiler {
    /// Reports blocks and lines that a file may have only once.
    pub(crate) fn check_once(&mut self, file: &File) {
        let mut seen = BTreeSet::new();
        for item in &file.items {
            let word = match &item.kind {
                ItemKind::Algorithm { which, .. } => match which {
                    Algorithm::Moves => "moves",
                    Algorithm::Result => "result",
                    Algorithm::Stuck => "stuck",
                    Algorithm::Adjudicate => "adjudicate",
                    Algorithm::Evaluate | Algorithm::EvaluateForSide => "evaluate",
                    Algorithm::Features => "features",
                    Algorithm::Candidates | Algorithm::CandidatesOnly => "candidates",
                },
                ItemKind::History { .. } => "history",
                ItemKind::ScoreUpTo(_) => "score up to",
                ItemKind::Search { .. } => "search",
                _ => continue,
            };
            if !seen.insert(word) {
                let span = Span { end: item.span.start + word.len() as u32, ..item.span };
                self.report(
                    Diagnostic::error(
                        "duplicate-block",
                        span,
                        format!("the file has a second `{word}`"),
                    )
                    .label("the second one")
                    .help("put everything into one of them and remove the other"),
                );
            }
        }
    }

    /// Reports what a file beside the rules may not declare: a player adds heuristics to a game, and
    /// a goal a result.
    pub(crate) fn check_beside(&mut self, file: &File) {
        let is_goal = super::is_goal(file);
        for item in &file.items {
            let allowed = match &item.kind {
                ItemKind::Const { .. }
                | ItemKind::Region { .. }
                | ItemKind::Map { .. }
                | ItemKind::Routine(_) => true,
                ItemKind::Algorithm { which: Algorithm::Result, .. } => is_goal,
                ItemKind::Search { .. } => !is_goal,
                ItemKind::Algorithm { which, .. } => !is_goal && which.is_heuristic(),
                _ => false,
            };
            if !allowed && is_goal {
                let label = "a goal has a `result`, and what that needs";
                let help = "rules belong in the file of the game, evaluations and candidates in that of a player";
                self.misplaced(item.span, "this", label, help);
            } else if !allowed {
                let (what, label) = (
                    "a rule of the game",
                    "a player file has evaluations and candidates, not rules",
                );
                self.misplaced(item.span, what, label, "it belongs in the file of the game");
            }
        }
        if is_goal {
            self.require_result(file);
        }
    }

    /// Reports a goal that cannot be reached, as it says nothing.
    fn require_result(&mut self, file: &File) {
        let is_result =
            |it: &ItemKind| matches!(it, ItemKind::Algorithm { which: Algorithm::Result, .. });
        if file.items.iter().any(|it| is_result(&it.kind)) {
            return;
        }
        let span = file.header.as_ref().map(|it| it.span).unwrap_or_default();
        self.report(
            Diagnostic::error("missing-result", span, "the goal does not say when it is reached")
                .label("no block `result` in this file")
                .help("add one that gives `victory` to the player who has reached it: `if me == White and d8 is not theirs: victory`"),
        );
    }

    /// Whether every constant is one, and every region a set of squares.
    pub(crate) fn check_constants(&mut self, file: &File) {
        let mut wrong = Vec::new();
        for item in &file.items {
            let (name, value, region) = match &item.kind {
                ItemKind::Const { name, value } => (name, value, false),
                ItemKind::Region { name, value } => (name, value, true),
                _ => continue,
            };
            if self.failed.contains(&name.text) {
                continue;
            }
            match self.fold_all(None, value) {
                None => wrong.push((name.text.clone(), value)),
                Some(folded) if region => self.check_region(folded, value.span),
                Some(_) => {}
            }
        }
        self.failed.extend(wrong.iter().map(|(name, _)| name.clone()));
        let mut circles = BTreeSet::new();
        for (name, value) in wrong {
            self.explain_constant(&name, value, &mut circles);
        }
    }

    fn check_region(&mut self, folded: Folded, span: Span) {
        let values = match folded {
            Folded::Same(value) => vec![value],
            Folded::Each(values) => values,
        };
        if values.into_iter().any(|it| self.as_bits(it).is_none()) {
            self.report(
                Diagnostic::error("wrong-type", span, "a region is a set of squares")
                    .label("this is something else")
                    .help("use `const` for a number, a direction or a list"),
            );
        }
    }

    /// Reports why a constant is not constant. `circles` are the constants whose circle was reported.
    fn explain_constant(&mut self, name: &str, value: &Expr, circles: &mut BTreeSet<String>) {
        let met = self.made_of(name);
        if met.contains(name) {
            if met.is_disjoint(circles) {
                circles.extend(met);
                self.report(
                    Diagnostic::error(
                        "circular-constant",
                        value.span,
                        format!("`{name}` is made of itself"),
                    )
                    .label(format!("to know this, `{name}` must be known"))
                    .help("give one of the constants in this circle a value of its own"),
                );
            }
            return;
        }
        let mut names = Vec::new();
        names_in_expr(value, &mut names);
        if names.iter().any(|it| self.failed.contains(it)) {
            return;
        }
        if !self.explain(value) {
            self.report(
                Diagnostic::error(
                    "not-constant",
                    value.span,
                    format!("`{name}` must be known before the game is played"),
                )
                .label("depends on the position")
                .help(format!("make it a function: `function {name}(): …`")),
            );
        }
    }

    /// The constants that a constant is made of, directly or not.
    fn made_of(&self, name: &str) -> BTreeSet<String> {
        let mut met = BTreeSet::new();
        let mut todo = vec![name.to_owned()];
        while let Some(next) = todo.pop() {
            let Some(value) = self.constants.get(&next) else { continue };
            let mut names = Vec::new();
            names_in_expr(value, &mut names);
            names.retain(|it| self.constants.contains_key(it) && met.insert(it.clone()));
            todo.extend(names);
        }
        met
    }

    /// Looks for what is wrong with an expression that is not constant but should be; whether there
    /// was something to report.
    pub(crate) fn explain(&mut self, expr: &Expr) -> bool {
        let before = self.diagnostics.len();
        let mut b = Builder::new(CONSTANT, Mode::Plain, Context::Function);
        let val = self.expr(&mut b, expr);
        self.diagnostics.len() > before || val.ty == Type::Broken
    }

    /// Compiles the routines that are never called, to see whether they are right, and forgets them.
    pub(crate) fn check_unused(&mut self, file: &File) {
        let (functions, statements) = (self.functions.len(), self.statements.len());
        for item in &file.items {
            if let ItemKind::Routine(routine) = &item.kind
                && !self.failed.contains(&routine.name.text)
            {
                self.lower_routine(routine, Mode::Plain);
            }
        }
        self.lower_pending();
        self.functions.truncate(functions);
        self.statements.truncate(statements);
        self.check_facts(file);
    }

    /// Whether promised winners are players.
    fn check_facts(&mut self, file: &File) {
        for item in &file.items {
            let ItemKind::Expect(facts) = &item.kind else { continue };
            for fact in facts {
                if let FactKind::After { outcome: Some(winner), .. } = &fact.kind
                    && self.player_number(&winner.text).is_none()
                {
                    self.unknown_player(&winner.text, winner.span);
                }
            }
        }
    }

    /// A constant truth value; reports what is not.
    pub(crate) fn constant_truth(&mut self, cond: &Expr) -> Option<bool> {
        if let Some(Const::Bool(value)) = self.fold(None, cond, None) {
            return Some(value);
        }
        let mut b = Builder::new(CONSTANT, Mode::Plain, Context::Function);
        if self.expr_as(&mut b, cond, Type::Bool).is_some() {
            self.report(
                Diagnostic::error(
                    "not-constant",
                    cond.span,
                    "this must be known before the game is played",
                )
                .label("depends on the position")
                .help("compare options and constants: `if n >= 6`, `if start == crosscut`"),
            );
        }
        None
    }
}
