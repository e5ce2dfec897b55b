//! Constants: what can be computed before the game is played.
//!
//! Words such as `forward` depend on the player, so folding is done with `me`
//! unknown first and then for each player.

use ludex_diagnostics::Diagnostic;
use ludex_ir::Bits;

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

use super::Compiler;
use super::build::Builder;
use super::types::Const;

/// Expressions inside expressions, through the constants they name.
const MAX_FOLD_DEPTH: usize = 1500;

/// Constants that may be made of each other in a chain.
const MAX_FOLDING: usize = 100;

/// A constant that may differ by player.
#[derive(Clone, Debug)]
pub(crate) enum Folded {
    /// The same for everybody.
    Same(Const),
    /// One for each player.
    Each(Vec<Const>),
}

impl Compiler {
    /// The constant that `expr` is, the same for all players or one for each.
    pub(crate) fn fold_all(&mut self, b: Option<&Builder>, expr: &Expr) -> Option<Folded> {
        if let Some(value) = self.fold(b, expr, None) {
            return Some(Folded::Same(value));
        }
        let values: Option<Vec<Const>> =
            (0..self.players.len()).map(|me| self.fold(b, expr, Some(me as u8))).collect();
        values.filter(|it| !it.is_empty()).map(Folded::Each)
    }

    /// The whole number that a constant expression is; reports what is not.
    pub(crate) fn fold_int(&mut self, expr: &Expr) -> Option<i64> {
        match self.fold(None, expr, None) {
            Some(Const::Int(value)) => Some(value),
            _ => {
                let diagnostic =
                    Diagnostic::error("not-constant", expr.span, "this must be a constant number")
                        .help("use numbers, options and constants here");
                match &expr.kind {
                    ExprKind::Broken => {}
                    ExprKind::Name(name) if self.failed.contains(name) => {}
                    ExprKind::Name(name) => {
                        self.failed.insert(name.clone());
                        self.report(
                            diagnostic
                                .label(format!("`{name}` is not an option or a constant that is a number"))
                                .help(format!("declare it: `option {name} = 8 in 1..20`, or `const {name} = 8`")),
                        );
                    }
                    _ => self.report(diagnostic.label("known only in play, or not a number")),
                }
                None
            }
        }
    }

    /// The constant that `expr` is, with `me` known or not. `None` if it is not constant.
    pub(crate) fn fold(
        &mut self,
        b: Option<&Builder>,
        expr: &Expr,
        me: Option<u8>,
    ) -> Option<Const> {
        if self.fold_depth > MAX_FOLD_DEPTH {
            return None;
        }
        self.fold_depth += 1;
        let value = self.fold_kind(b, expr, me);
        self.fold_depth -= 1;
        value
    }

    fn fold_kind(&mut self, b: Option<&Builder>, expr: &Expr, me: Option<u8>) -> Option<Const> {
        match &expr.kind {
            ExprKind::Int(value) => Some(Const::Int(*value)),
            ExprKind::Real(value) => Some(Const::Real(*value)),
            ExprKind::Text(text) => Some(Const::Text(text.clone())),
            ExprKind::Name(name) => self.fold_name(b, name, me),
            ExprKind::Step(x, y) => {
                let x = self.fold(b, x, me)?;
                let y = self.fold(b, y, me)?;
                let (Const::Int(x), Const::Int(y)) = (x, y) else { return None };
                self.board.direction((x, y)).map(Const::Direction)
            }
            ExprKind::List(items) if !items.is_empty() => {
                let items: Option<Vec<Const>> =
                    items.iter().map(|it| self.fold(b, it, me)).collect();
                // A list of lists could not be walked through, and might double in size each time.
                items
                    .filter(|it| !it.iter().any(|it| matches!(it, Const::List(_))))
                    .map(Const::List)
            }
            ExprKind::Set(items) => self.fold_set(b, items, me),
            ExprKind::Unary(op, x) => self.fold_unary(b, *op, x, me),
            ExprKind::Binary(op, x, y) => self.fold_binary(b, *op, x, y, me),
            ExprKind::Member(x, name) => {
                let Const::Square(square) = self.fold(b, x, me)? else { return None };
                let (column, row) = self.board.coordinates[square]?;
                match name.text.as_str() {
                    "file" => Some(Const::Int(column as i64 + 1)),
                    "rank" => Some(Const::Int(row as i64 + 1)),
                    "exists" => Some(Const::Bool(true)),
                    word => {
                        let direction = self.direction_word(word, me)?;
                        Some(self.step_const(square, direction))
                    }
                }
            }
            ExprKind::Call { name, args, as_player: None } => {
                self.fold_call(b, &name.text, args, me)
            }
            _ => None,
        }
    }

    fn fold_name(&mut self, b: Option<&Builder>, name: &str, me: Option<u8>) -> Option<Const> {
        if b.is_some_and(|b| b.local(name).is_some()) || self.cells.contains_key(name) {
            return None;
        }
        if let Some(value) = self.constants.get(name).cloned() {
            if self.folding.len() > MAX_FOLDING || self.folding.iter().any(|it| it == name) {
                return None;
            }
            // A constant may be used many times in another, and that one in a third.
            let key = (name.to_owned(), me);
            if let Some(known) = self.folded.get(&key) {
                return known.clone();
            }
            self.folding.push(name.to_owned());
            let value = self.fold(None, &value, me);
            self.folding.pop();
            self.folded.insert(key, value.clone());
            return value;
        }
        if let Some(value) = self.options.get(name).cloned() {
            return Some(value);
        }
        if let Some(player) = self.player_number(name) {
            return Some(Const::Player(player));
        }
        if let Some(kind) = self.kind_number(name) {
            return Some(Const::Kind(kind));
        }
        if let Some(&square) = self.board.by_name.get(name) {
            return Some(Const::Square(square));
        }
        if let Some(direction) = self.direction_word(name, me) {
            return Some(Const::Direction(direction));
        }
        if let Some(list) = self.list_word(name, me) {
            return Some(Const::List(list.into_iter().map(Const::Direction).collect()));
        }
        let word = self.is_option_word(name);
        match name {
            "yes" => Some(Const::Bool(true)),
            "no" => Some(Const::Bool(false)),
            "none" => Some(Const::None),
            "me" => me.map(Const::Player),
            "opponent" => {
                me.map(|me| Const::Player(((me as usize + 1) % self.players.len()) as u8))
            }
            "players" => Some(Const::List(
                (0..self.players.len()).map(|it| Const::Player(it as u8)).collect(),
            )),
            "kinds" => {
                Some(Const::List((0..self.kinds.len()).map(|it| Const::Kind(it as u8)).collect()))
            }
            "all" => Some(Const::Set(self.grid_set(|_, _| true))),
            "dark" => Some(Const::Set(self.grid_set(|column, row| (column + row) % 2 == 0))),
            "light" => Some(Const::Set(self.grid_set(|column, row| (column + row) % 2 == 1))),
            _ if word && !matches!(name, "empty" | "mine" | "theirs" | "occupied" | "neutral") => {
                Some(Const::Word(name.to_owned()))
            }
            _ => None,
        }
    }

    /// Whether some option may have this word as its value.
    pub(crate) fn is_option_word(&self, word: &str) -> bool {
        let has = |words: &[String]| words.iter().any(|it| it == word);
        let kinds = self.option_infos.iter().map(|it| &it.kind);
        kinds.into_iter().any(|it| matches!(it, super::OptionKind::Words(words) if has(words)))
    }

    /// The squares of the grid whose column and row (from 0) satisfy a test.
    pub(crate) fn grid_set(&self, keep: impl Fn(usize, usize) -> bool) -> Bits {
        let mut bits = Bits::empty(self.board.squares());
        for (square, at) in self.board.coordinates.iter().enumerate() {
            if at.is_some_and(|(column, row)| keep(column, row)) {
                bits.insert(square);
            }
        }
        bits
    }

    /// A direction by its word, absolute or as `me` sees it.
    pub(crate) fn direction_word(&mut self, word: &str, me: Option<u8>) -> Option<u16> {
        if let Some(direction) = self.board.named_direction(word) {
            return Some(direction);
        }
        if !matches!(word, "forward" | "back" | "left" | "right") {
            return None;
        }
        let (x, y) = self.forwards.get(me? as usize).copied().flatten()?;
        self.board.direction(match word {
            "forward" => (x, y),
            "back" => (-x, -y),
            "left" => (-y, x),
            _ => (y, -x),
        })
    }

    fn list_word(&mut self, word: &str, me: Option<u8>) -> Option<Vec<u16>> {
        if word == "forwards" {
            let forward = self.forwards.get(me? as usize).copied().flatten()?;
            return self.board.fan(forward);
        }
        let words = self.board.list_word(word)?;
        words.iter().map(|it| self.board.named_direction(it)).collect()
    }

    fn add_directions(&mut self, a: u16, b: u16) -> Option<u16> {
        let (a, b) = (self.board.offset(a), self.board.offset(b));
        self.board.direction((a.0 + b.0, a.1 + b.1))
    }

    fn step_const(&self, square: usize, direction: u16) -> Const {
        let to = self.board.geometry.directions[direction as usize].steps[square];
        usize::try_from(to).map_or(Const::None, Const::Square)
    }

    fn fold_set(&mut self, b: Option<&Builder>, items: &[Expr], me: Option<u8>) -> Option<Const> {
        let mut bits = Bits::empty(self.board.squares());
        for item in items {
            match self.fold(b, item, me)? {
                Const::Square(square) => bits.insert(square),
                Const::None => {}
                Const::Set(set) => bits = bits.zip(&set, |a, b| a | b),
                _ => return None,
            }
        }
        Some(Const::Set(bits))
    }

    /// A constant as a set, where a square may stand for itself.
    pub(crate) fn as_bits(&self, value: Const) -> Option<Bits> {
        match value {
            Const::Set(bits) => Some(bits),
            Const::Square(square) => {
                let mut bits = Bits::empty(self.board.squares());
                bits.insert(square);
                Some(bits)
            }
            Const::None => Some(Bits::empty(self.board.squares())),
            _ => None,
        }
    }

    fn fold_unary(
        &mut self,
        b: Option<&Builder>,
        op: UnaryOp,
        x: &Expr,
        me: Option<u8>,
    ) -> Option<Const> {
        match (op, self.fold(b, x, me)?) {
            (UnaryOp::Neg, Const::Int(x)) => Some(Const::Int(x.wrapping_neg())),
            (UnaryOp::Neg, Const::Real(x)) => Some(Const::Real(-x)),
            (UnaryOp::Neg, Const::Direction(x)) => {
                Some(Const::Direction(self.board.geometry.directions[x as usize].opposite))
            }
            (UnaryOp::Not, Const::Bool(x)) => Some(Const::Bool(!x)),
            (UnaryOp::Complement, value) => {
                let bits = self.as_bits(value)?;
                Some(Const::Set(self.grid_set(|_, _| true).zip(&bits, |a, b| a & !b)))
            }
            (UnaryOp::Any, value) => Some(Const::Bool(!self.as_bits(value)?.is_empty())),
            (UnaryOp::No, value) => Some(Const::Bool(self.as_bits(value)?.is_empty())),
            _ => None,
        }
    }

    fn fold_binary(
        &mut self,
        b: Option<&Builder>,
        op: BinaryOp,
        x: &Expr,
        y: &Expr,
        me: Option<u8>,
    ) -> Option<Const> {
        // A word of an option may also be a word of the language: `start == empty`.
        let is_word = |this: &Self, expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if this.is_option_word(name));
        // The right side first: in a long sum it is the short one, and one that is not constant settles it.
        let mut y = self.fold(b, y, me).ok_or(y);
        if y.as_ref().is_err_and(|it| !is_word(self, it)) {
            return None;
        }
        let mut x = self.fold(b, x, me).ok_or(x);
        let as_word = |expr: &Expr| match &expr.kind {
            ExprKind::Name(name) if is_word(self, expr) => Some(Const::Word(name.clone())),
            _ => None,
        };
        match (&x, &y) {
            (Ok(Const::Word(_)), Err(other)) => y = as_word(other).ok_or(*other),
            (Err(other), Ok(Const::Word(_))) => x = as_word(other).ok_or(*other),
            _ => {}
        }
        let (x, y) = (x.ok()?, y.ok()?);
        match (op, &x, &y) {
            (BinaryOp::And, Const::Bool(x), Const::Bool(y)) => Some(Const::Bool(*x && *y)),
            (BinaryOp::Or, Const::Bool(x), Const::Bool(y)) => Some(Const::Bool(*x || *y)),
            (BinaryOp::Eq, Const::Word(x), Const::Word(y)) => Some(Const::Bool(x == y)),
            (BinaryOp::Ne, Const::Word(x), Const::Word(y)) => Some(Const::Bool(x != y)),
            (BinaryOp::Eq | BinaryOp::Ne, _, _)
                if x.ty() == y.ty() && x.number().is_some() && y.number().is_some() =>
            {
                Some(Const::Bool((x.number() == y.number()) == (op == BinaryOp::Eq)))
            }
            (BinaryOp::Add, Const::Square(square), Const::Direction(direction)) => {
                Some(self.step_const(*square, *direction))
            }
            (BinaryOp::Add, Const::None, Const::Direction(_)) => Some(Const::None),
            (BinaryOp::Add, Const::Direction(x), Const::Direction(y)) => {
                self.add_directions(*x, *y).map(Const::Direction)
            }
            (BinaryOp::Mul, Const::Int(n), Const::Direction(d))
            | (BinaryOp::Mul, Const::Direction(d), Const::Int(n)) => {
                let (dx, dy) = self.board.offset(*d);
                let scaled = (dx.checked_mul(*n)?, dy.checked_mul(*n)?);
                self.board.direction(scaled).map(Const::Direction)
            }
            (BinaryOp::In | BinaryOp::NotIn, Const::Square(square), Const::Set(set)) => {
                Some(Const::Bool(set.contains(*square) == (op == BinaryOp::In)))
            }
            (_, Const::Int(x), Const::Int(y)) => fold_numbers(op, *x, *y),
            (_, Const::Real(_), Const::Int(_) | Const::Real(_))
            | (_, Const::Int(_), Const::Real(_)) => fold_reals(op, real(&x)?, real(&y)?),
            (BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Sub, _, _) => {
                let (x, y) = (self.as_bits(x)?, self.as_bits(y)?);
                Some(Const::Set(x.zip(&y, |a, b| match op {
                    BinaryOp::Union => a | b,
                    BinaryOp::Intersection => a & b,
                    _ => a & !b,
                })))
            }
            _ => None,
        }
    }

    fn fold_call(
        &mut self,
        b: Option<&Builder>,
        name: &str,
        args: &[Expr],
        me: Option<u8>,
    ) -> Option<Const> {
        let args: Option<Vec<Const>> = args.iter().map(|it| self.fold(b, it, me)).collect();
        match (name, &args?[..]) {
            ("rank", [Const::Int(k)]) => {
                Some(Const::Set(self.grid_set(|_, row| row as i64 + 1 == *k)))
            }
            ("file", [Const::Int(k)]) => {
                Some(Const::Set(self.grid_set(|column, _| column as i64 + 1 == *k)))
            }
            ("at", [Const::Int(column), Const::Int(row)]) => Some(
                self.board
                    .square_at(column.saturating_sub(1), row.saturating_sub(1))
                    .map_or(Const::None, Const::Square),
            ),
            ("edge", [Const::Direction(d)]) => {
                let steps = self.board.geometry.directions[*d as usize].steps.clone();
                let mut bits = self.grid_set(|_, _| true);
                for (square, &to) in steps.iter().enumerate() {
                    if to >= 0 {
                        bits.words[square / 64] &= !(1 << (square % 64));
                    }
                }
                Some(Const::Set(bits))
            }
            ("shift", [from, Const::Direction(d)]) => {
                let from = self.as_bits(from.clone())?;
                let steps = &self.board.geometry.directions[*d as usize].steps;
                let mut bits = Bits::empty(self.board.squares());
                for square in from.iter() {
                    if let Ok(to) = usize::try_from(steps[square]) {
                        bits.insert(to);
                    }
                }
                Some(Const::Set(bits))
            }
            ("count", [Const::List(items)]) => Some(Const::Int(items.len() as i64)),
            ("count", [value]) => Some(Const::Int(self.as_bits(value.clone())?.len() as i64)),
            ("first", [value]) => {
                let bits = self.as_bits(value.clone())?;
                let first = bits.iter().next();
                Some(first.map_or(Const::None, Const::Square))
            }
            ("abs", [Const::Int(x)]) => Some(Const::Int(x.wrapping_abs())),
            ("min", [Const::Int(x), Const::Int(y)]) => Some(Const::Int(*x.min(y))),
            ("max", [Const::Int(x), Const::Int(y)]) => Some(Const::Int(*x.max(y))),
            ("real", [Const::Int(x)]) => Some(Const::Real(*x as f64)),
            ("next", [Const::Player(p)]) => {
                Some(Const::Player(((*p as usize + 1) % self.players.len()) as u8))
            }
            _ => None,
        }
    }
}

fn real(value: &Const) -> Option<f64> {
    match value {
        Const::Int(x) => Some(*x as f64),
        Const::Real(x) => Some(*x),
        _ => None,
    }
}

fn fold_numbers(op: BinaryOp, x: i64, y: i64) -> Option<Const> {
    Some(match op {
        BinaryOp::Add => Const::Int(x.wrapping_add(y)),
        BinaryOp::Sub => Const::Int(x.wrapping_sub(y)),
        BinaryOp::Mul => Const::Int(x.wrapping_mul(y)),
        BinaryOp::Div => Const::Int(x.checked_div(y).unwrap_or(0)),
        BinaryOp::Rem => Const::Int(x.checked_rem(y).unwrap_or(0)),
        BinaryOp::Lt => Const::Bool(x < y),
        BinaryOp::Le => Const::Bool(x <= y),
        BinaryOp::Gt => Const::Bool(x > y),
        BinaryOp::Ge => Const::Bool(x >= y),
        _ => return None,
    })
}

fn fold_reals(op: BinaryOp, x: f64, y: f64) -> Option<Const> {
    Some(match op {
        BinaryOp::Add => Const::Real(x + y),
        BinaryOp::Sub => Const::Real(x - y),
        BinaryOp::Mul => Const::Real(x * y),
        BinaryOp::Div => Const::Real(if y == 0.0 { 0.0 } else { x / y }),
        BinaryOp::Lt => Const::Bool(x < y),
        BinaryOp::Le => Const::Bool(x <= y),
        BinaryOp::Gt => Const::Bool(x > y),
        BinaryOp::Ge => Const::Bool(x >= y),
        _ => return None,
    })
}
