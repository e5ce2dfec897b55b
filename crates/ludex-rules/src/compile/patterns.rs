//! Patterns: what may stand on a square, as masks of codes.
//!
//! Bit 0 of a mask is "empty"; bit `c` is the man with code `c`.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::{Binary, Inst, Reg};

use crate::ast::{Expr, ExprKind, Owner, Pattern};

use super::Compiler;
use super::build::Builder;
use super::types::{Const, Type};

/// Whose men a mask is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Anybody,
    Me,
    Others,
    Player(u8),
}

impl Compiler {
    /// The codes of men of `kinds` (all if `None`) that belong to `whose`, seen by `me`.
    fn codes(&self, whose: Whose, kinds: Option<&[u8]>, me: u8) -> i64 {
        let mut mask = 0;
        for (index, man) in self.men.iter().enumerate() {
            let owned = match whose {
                Whose::Anybody => true,
                Whose::Me => man.owner == Some(me),
                Whose::Others => man.owner.is_some_and(|it| it != me),
                Whose::Player(player) => man.owner == Some(player),
            };
            if owned && kinds.is_none_or(|it| it.contains(&man.kind)) {
                mask |= 1_u64 << (index + 1);
            }
        }
        mask as i64
    }

    /// A register with a mask that may depend on `me`.
    fn mask_register(&mut self, b: &mut Builder, masks: Vec<i64>, name: &str) -> Reg {
        if masks.windows(2).all(|it| it[0] == it[1]) {
            return b.literal(masks.first().copied().unwrap_or(0));
        }
        let table = self.table(name, 1, masks);
        b.seen_by_me(table)
    }

    fn masks(&self, whose: Whose, kinds: Option<&[u8]>) -> Vec<i64> {
        (0..self.players.len()).map(|me| self.codes(whose, kinds, me as u8)).collect()
    }

    /// The mask of a word that is a pattern by itself.
    pub(crate) fn word_mask(&mut self, b: &mut Builder, word: &str) -> Option<Reg> {
        let masks = match word {
            "empty" => vec![1],
            "occupied" => vec![self.codes(Whose::Anybody, None, 0)],
            "mine" => self.masks(Whose::Me, None),
            "theirs" => self.masks(Whose::Others, None),
            "neutral" => {
                let owned = |it: &usize| self.men[*it].owner.is_none();
                vec![(0..self.men.len()).filter(owned).map(|it| 1_i64 << (it + 1)).sum()]
            }
            _ => return None,
        };
        Some(self.mask_register(b, masks, word))
    }

    /// The mask of men of `kind` that belong to others than `me`, for each player.
    pub(crate) fn victims(&mut self, b: &mut Builder, kind: u8) -> Reg {
        let masks = self.masks(Whose::Others, Some(&[kind]));
        self.mask_register(b, masks, "victims")
    }

    /// The mask of all men of a constant kind or player, used as a set.
    pub(crate) fn const_mask(&mut self, b: &mut Builder, value: &Const) -> Option<Reg> {
        let mask = match value {
            Const::Kind(kind) => self.codes(Whose::Anybody, Some(&[*kind]), 0),
            Const::Player(player) => self.codes(Whose::Player(*player), None, 0),
            _ => return None,
        };
        Some(self.mask_register(b, vec![mask], "men"))
    }

    /// The mask of a pattern; `None` if it was wrong (and has been reported).
    pub(crate) fn pattern_mask(&mut self, b: &mut Builder, pattern: &Pattern) -> Option<Reg> {
        if let ([Expr { kind: ExprKind::Name(word), .. }], None) =
            (&pattern.kinds[..], &pattern.owner)
        {
            if b.local(word).is_none()
                && let Some(mask) = self.word_mask(b, word)
            {
                return Some(mask);
            }
            if b.local(word).is_none()
                && let Some(player) = self.player_number(word)
            {
                return self.const_mask(b, &Const::Player(player));
            }
        }
        let kinds: Option<Vec<u8>> = pattern
            .kinds
            .iter()
            .map(|kind| match self.fold(Some(b), kind, None) {
                Some(Const::Kind(kind)) => Some(kind),
                _ => None,
            })
            .collect();
        let whose = match &pattern.owner {
            None => Some(Whose::Anybody),
            Some(Owner::My) => Some(Whose::Me),
            Some(Owner::Their) => Some(Whose::Others),
            Some(Owner::Player(player)) => match self.fold(Some(b), player, None) {
                Some(Const::Player(player)) => Some(Whose::Player(player)),
                _ => None,
            },
        };
        if let (Some(kinds), Some(whose)) = (&kinds, whose) {
            let masks = self.masks(whose, Some(kinds));
            self.check_possible(pattern, &masks);
            return Some(self.mask_register(b, masks, "men"));
        }
        self.dynamic_mask(b, pattern)
    }

    fn check_possible(&mut self, pattern: &Pattern, masks: &[i64]) {
        if masks.iter().all(|&it| it == 0) {
            self.report(
                Diagnostic::warning("impossible-pattern", pattern.span, "no man can ever fit this")
                    .label("there is no man with this owner and kind")
                    .help("a `neutral` man has no owner: leave out `my`, `their` or the player"),
            );
        }
    }

    /// A mask looked up in play: the owner or the kind is in a variable.
    fn dynamic_mask(&mut self, b: &mut Builder, pattern: &Pattern) -> Option<Reg> {
        let [kind] = &pattern.kinds[..] else {
            // A list with a kind that is not constant: report the first such.
            for kind in &pattern.kinds {
                if !matches!(self.fold(Some(b), kind, None), Some(Const::Kind(_))) {
                    self.wrong_kind(b, kind);
                    return None;
                }
            }
            return self.mask_union(b, pattern);
        };
        let kind_reg = self.kind_expr(b, kind)?;
        let columns = self.kinds.len();
        let all_players = 0..self.players.len() as u8;
        let dst = b.int();
        match &pattern.owner {
            None => {
                let data =
                    (0..columns as u8).map(|k| self.codes(Whose::Anybody, Some(&[k]), 0)).collect();
                let table = self.table("men of a kind", 1, data);
                b.push(Inst::Lookup { dst, table, i: kind_reg, j: None });
            }
            Some(owner) => {
                let (owner, whose): (Reg, fn(u8) -> Whose) = match owner {
                    Owner::My => (b.me, Whose::Player),
                    Owner::Their => (b.me, |_| Whose::Others),
                    Owner::Player(player) => {
                        (self.expr_as(b, player, Type::Player)?, Whose::Player)
                    }
                };
                let mut data = Vec::new();
                for player in all_players {
                    for kind in 0..columns as u8 {
                        data.push(self.codes(whose(player), Some(&[kind]), player));
                    }
                }
                let table = self.table("men of a player and a kind", columns, data);
                b.push(Inst::Lookup { dst, table, i: owner, j: Some(kind_reg) });
            }
        }
        // A kind or player that is none gives -1, which would fit everything.
        let zero = b.literal(0);
        Some(b.binary(Binary::Max, dst, zero))
    }

    /// Several constant kinds of a player in a variable.
    fn mask_union(&mut self, b: &mut Builder, pattern: &Pattern) -> Option<Reg> {
        let mut total: Option<Reg> = None;
        for kind in &pattern.kinds {
            let single = Pattern {
                owner: pattern.owner.clone(),
                kinds: vec![kind.clone()],
                span: pattern.span,
            };
            let mask = self.pattern_mask(b, &single)?;
            // Different kinds have different codes, so adding is joining.
            total = Some(total.map_or(mask, |it| b.binary(Binary::Add, it, mask)));
        }
        total
    }

    /// A kind of man in a register: a name that is nothing else is taken for a misspelt kind.
    pub(crate) fn kind_expr(&mut self, b: &mut Builder, expr: &Expr) -> Option<Reg> {
        if self.is_unknown_kind(b, expr) {
            self.wrong_kind(b, expr);
            return None;
        }
        self.expr_as(b, expr, Type::Kind)
    }

    fn is_unknown_kind(&mut self, b: &Builder, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name)
            if b.local(name).is_none() && !self.cells.contains_key(name))
            && self.fold(Some(b), expr, None).is_none()
    }

    fn wrong_kind(&mut self, b: &mut Builder, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) if self.is_unknown_kind(b, expr) => {
                let name = name.clone();
                self.unknown_kind(&name, expr.span);
            }
            _ => self.wrong_type_span(
                expr.span,
                "the name of a kind",
                "a list of kinds has no variables; test them one by one: `a is k or a is rook`",
            ),
        }
    }

    /// Reports that something else was expected.
    pub(crate) fn wrong_type_span(&mut self, span: Span, expected: &str, help: &str) {
        self.report(
            Diagnostic::error("wrong-type", span, format!("{expected} is expected here"))
                .label("this is something else")
                .help(help),
        );
    }
}
