//! Expressions, by precedence climbing.
//!
//! | level | operators |
//! | --- | --- |
//! | 1 | `or` |
//! | 2 | `and` |
//! | 3 | `not` |
//! | 4 | comparisons; `any` and `no`, whose operand is of level 5 |
//! | 5 | `\|` |
//! | 6 | `&` |
//! | 7 | `+ -` |
//! | 8 | `* / %` |
//! | 9 | `-x`, `~x` |
//! | 10 | `x.name`, `f(x)`, `x[i]`, `White pawn` |

use ludex_diagnostics::{Diagnostic, Span};

use super::words::{VALUE_SYNONYMS, beside};
use super::{MAX_HEIGHT, Parsed, Parser, is_reserved, mistakes};
use crate::ast::{BinaryOp, Expr, ExprKind, Name, Pattern, UnaryOp};
use crate::lex::TokenKind;

const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const UNION: u8 = 5;
const INTERSECTION: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;

/// What stands between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    Is,
}

impl Parser<'_> {
    /// An expression of any kind.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.level(OR)
    }

    /// An expression without comparisons, where `in` is not an operator.
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        self.level(UNION)
    }

    fn level(&mut self, min: u8) -> Parsed<Expr> {
        self.deeper(|p| {
            let mut left = p.prefix()?;
            let mut compared = false;
            while let Some((op, level, tokens)) = p.infix().filter(|it| it.1 >= min) {
                if level == COMPARISON && std::mem::replace(&mut compared, true) {
                    return p.chained();
                }
                compared &= level >= COMPARISON;
                left = p.infix_rest(left, op, level, tokens)?;
            }
            Ok(left)
        })
    }

    /// The right side of an operator, and the whole.
    fn infix_rest(&mut self, left: Expr, op: Infix, level: u8, tokens: usize) -> Parsed<Expr> {
        let height = self.height;
        let foreign = match self.kind() {
            TokenKind::AndAnd => Some("and"),
            TokenKind::OrOr => Some("or"),
            _ => None,
        };
        if let Some(ours) = foreign {
            self.foreign(self.span(), ours);
        }
        for _ in 0..tokens {
            self.bump();
        }
        let start = left.span;
        let kind = match op {
            Infix::Is => {
                let negated = self.eat_word("not");
                let pattern = self.pattern()?;
                ExprKind::Is { square: Box::new(left), pattern, negated }
            }
            Infix::Binary(op) => {
                let right = self.level(level + 1)?;
                ExprKind::Binary(op, Box::new(left), Box::new(right))
            }
        };
        self.node(kind, start, height)
    }

    /// The operator that is next, its level and how many tokens it has.
    fn infix(&self) -> Option<(Infix, u8, usize)> {
        use BinaryOp::*;
        let (op, level) = match self.kind() {
            TokenKind::Name => return self.word_infix(),
            TokenKind::OrOr => (Or, OR),
            TokenKind::AndAnd => (And, AND),
            TokenKind::Eq => (Eq, COMPARISON),
            TokenKind::Ne => (Ne, COMPARISON),
            TokenKind::Lt => (Lt, COMPARISON),
            TokenKind::Le => (Le, COMPARISON),
            TokenKind::Gt => (Gt, COMPARISON),
            TokenKind::Ge => (Ge, COMPARISON),
            TokenKind::Pipe => (Union, UNION),
            TokenKind::Amp => (Intersection, INTERSECTION),
            TokenKind::Plus => (Add, SUM),
            TokenKind::Minus => (Sub, SUM),
            TokenKind::Star => (Mul, PRODUCT),
            TokenKind::Slash => (Div, PRODUCT),
            TokenKind::Percent => (Rem, PRODUCT),
            _ => return None,
        };
        Some((Infix::Binary(op), level, 1))
    }

    fn word_infix(&self) -> Option<(Infix, u8, usize)> {
        Some(match self.word()? {
            "or" => (Infix::Binary(BinaryOp::Or), OR, 1),
            "and" => (Infix::Binary(BinaryOp::And), AND, 1),
            "in" => (Infix::Binary(BinaryOp::In), COMPARISON, 1),
            "not" if self.nth_word(1) == Some("in") => {
                (Infix::Binary(BinaryOp::NotIn), COMPARISON, 2)
            }
            "is" => (Infix::Is, COMPARISON, 1),
            _ => return None,
        })
    }

    fn chained<T>(&mut self) -> Parsed<T> {
        let diagnostic =
            Diagnostic::error("chained-comparison", self.span(), "one comparison follows another")
                .label("the second comparison")
                .help("compare twice: `a < b and b < c`");
        self.fail(diagnostic)
    }

    /// Operators that stand before their operand.
    fn prefix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let (op, level) = match (self.kind(), self.word()) {
            (TokenKind::Minus, _) => (UnaryOp::Neg, None),
            (TokenKind::Tilde, _) => (UnaryOp::Complement, None),
            (TokenKind::Bang, _) => {
                self.foreign(start, "not");
                (UnaryOp::Not, Some(NOT))
            }
            (_, Some("not")) => (UnaryOp::Not, Some(NOT)),
            (_, Some("any")) => (UnaryOp::Any, Some(UNION)),
            (_, Some("no")) if self.nth_word(1) == Some("reply") => {
                self.bump();
                self.bump();
                return Ok(self.leaf(ExprKind::NoReply, start));
            }
            (_, Some("no")) if self.operand_follows(1) => (UnaryOp::No, Some(UNION)),
            _ => return self.suffixed(),
        };
        self.bump();
        let operand = match level {
            Some(level) => self.level(level)?,
            None => self.deeper(Self::prefix)?,
        };
        let height = self.height;
        self.node(ExprKind::Unary(op, Box::new(operand)), start, height)
    }

    /// Whether the token `n` places ahead can begin an operand of `no`.
    pub(super) fn operand_follows(&self, n: usize) -> bool {
        match self.nth(n).kind {
            TokenKind::Name => {
                let word = self.nth_word(n).unwrap_or_default();
                matches!(word, "my" | "their") || self.names_kind(n)
            }
            TokenKind::LParen | TokenKind::LBrace | TokenKind::Tilde => true,
            _ => false,
        }
    }

    /// An operand with what belongs to it, and a kind after a player.
    fn suffixed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let expr = self.chain()?;
        let owner = matches!(
            expr.kind,
            ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Call { .. } | ExprKind::Index(..)
        );
        if !(owner && self.names_kind(0)) {
            return Ok(expr);
        }
        let height = self.height;
        let pattern = self.owned_by(expr)?;
        self.node(ExprKind::Pattern(pattern), start, height)
    }

    /// An operand with its properties and indices.
    pub(super) fn chain(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut expr = self.primary()?;
        loop {
            let height = self.height;
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    ExprKind::Member(Box::new(expr), self.property()?)
                }
                TokenKind::LBracket => {
                    self.bump();
                    let index = self.expr()?;
                    self.close(TokenKind::RBracket, "index")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                _ => return Ok(expr),
            };
            expr = self.node(kind, start, height)?;
        }
    }

    fn property(&mut self) -> Parsed<Name> {
        match self.word() {
            Some(word) => Ok(Name { text: word.to_owned(), span: self.bump().span }),
            None => self.unexpected_with(
                "a property after `.`",
                "write for example `a.north`, `a.kind` or `a.empty`",
            ),
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        match self.kind() {
            TokenKind::Int => {
                let value = self.int()?;
                Ok(self.leaf(ExprKind::Int(value), start))
            }
            TokenKind::Real => {
                self.bump();
                let digits = self.text_of(start).replace('_', "");
                Ok(self.leaf(ExprKind::Real(digits.parse().unwrap_or(f64::INFINITY)), start))
            }
            TokenKind::Text => {
                self.bump();
                Ok(self.leaf(ExprKind::Text(self.unquoted(start)), start))
            }
            TokenKind::LParen => self.parenthesis(),
            TokenKind::LBracket => self.elements(TokenKind::RBracket, "list", ExprKind::List),
            TokenKind::LBrace => self.elements(TokenKind::RBrace, "set", ExprKind::Set),
            TokenKind::Name => self.named(),
            _ => self.no_expression(),
        }
    }

    /// A whole number.
    pub(super) fn int(&mut self) -> Parsed<i64> {
        let span = self.span();
        match self.text_of(span).replace('_', "").parse() {
            Ok(value) => {
                self.bump();
                Ok(value)
            }
            Err(_) => self.number_too_large(),
        }
    }

    pub(super) fn number_too_large<T>(&mut self) -> Parsed<T> {
        let diagnostic =
            Diagnostic::error("number-too-large", self.span(), "this number is too large")
                .label("does not fit in 64 bits")
                .help("is a space or a point missing in it?");
        self.fail(diagnostic)
    }

    /// What starts with a word.
    fn named(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let word = self.text_of(start);
        match word {
            "my" | "their" => {
                let pattern = self.pattern()?;
                let height = self.height;
                self.node(ExprKind::Pattern(pattern), start, height)
            }
            "they" | "we" if self.nth_word(1) == Some("could") => self.could_take(word == "they"),
            "no" => {
                self.bump();
                Ok(self.leaf(ExprKind::Name(word.to_owned()), start))
            }
            _ if is_reserved(word) => self.no_expression(),
            _ if self.nth(1).kind == TokenKind::LParen => self.call(),
            _ => {
                self.bump();
                let ours = beside(VALUE_SYNONYMS, word);
                if let Some(ours) = ours {
                    self.foreign(start, ours);
                }
                Ok(self.leaf(ExprKind::Name(ours.unwrap_or(word).to_owned()), start))
            }
        }
    }

    /// `they could take king`.
    fn could_take(&mut self, they: bool) -> Parsed<Expr> {
        let start = self.bump().span;
        self.bump();
        if !self.eat_word("take") {
            return self.unexpected_with(
                "`take` after `could`",
                "write for example `they could take king`",
            );
        }
        let kind = self.name("a kind of man after `could take`")?;
        Ok(self.leaf(ExprKind::CouldTake { they, kind }, start))
    }

    /// `f(x, y)`, perhaps `as p`.
    fn call(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let name = self.name("the name of a function")?;
        let (args, mut height) = self.sequence(TokenKind::RParen, "call")?;
        let mut as_player = None;
        if self.eat_word("as") {
            as_player = Some(Box::new(self.deeper(Self::chain)?));
            height = height.max(self.height);
        }
        self.height = height;
        self.node(ExprKind::Call { name, args, as_player }, start, height)
    }

    fn elements(
        &mut self,
        closer: TokenKind,
        what: &str,
        make: fn(Vec<Expr>) -> ExprKind,
    ) -> Parsed<Expr> {
        let start = self.span();
        let (elements, height) = self.sequence(closer, what)?;
        self.height = height;
        self.node(make(elements), start, height)
    }

    /// Expressions with commas between, and the brackets around them; with the height of the highest.
    fn sequence(&mut self, closer: TokenKind, what: &str) -> Parsed<(Vec<Expr>, usize)> {
        self.bump();
        let mut elements = Vec::new();
        let mut height = 0;
        // A comma after the last element is fine: long lists have one element on each line.
        while !self.eat(closer) {
            elements.push(self.expr()?);
            height = height.max(self.height);
            if self.at(TokenKind::Assign) {
                let span = self.span();
                return self.fail(mistakes::assign_in_condition(span));
            }
            if !self.eat(TokenKind::Comma) {
                self.close(closer, what)?;
                break;
            }
        }
        Ok((elements, height))
    }

    fn close(&mut self, closer: TokenKind, what: &str) -> Parsed<()> {
        if self.eat(closer) {
            return Ok(());
        }
        let sign = closer.describe();
        let help = match self.kind() {
            TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => {
                format!(
                    "what is opened with one kind of bracket is closed with the same kind: write {sign}"
                )
            }
            TokenKind::DotDot => {
                "a range cannot stand in brackets; `for i in 1..n` counts".to_owned()
            }
            _ => format!("put `,` between the parts of this {what}, and {sign} at its end"),
        };
        self.unexpected_with(&format!("{sign} or `,` in this {what}"), &help)
    }

    /// `(e)`, a step `(1,2)`, or kinds of men `(rook, bishop, queen)`.
    fn parenthesis(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.nth(1).kind == TokenKind::RParen {
            self.bump();
            return self.no_expression();
        }
        let (mut elements, height) = self.sequence(TokenKind::RParen, "bracket")?;
        self.height = height;
        let span = self.since(start);
        match elements.len() {
            1 => Ok(Expr { span, ..elements.remove(0) }),
            2 => {
                let y = Box::new(elements.remove(1));
                let x = Box::new(elements.remove(0));
                self.node(ExprKind::Step(x, y), start, height)
            }
            _ => {
                let pattern = Pattern { owner: None, kinds: elements, span };
                self.node(ExprKind::Pattern(pattern), start, height)
            }
        }
    }

    fn leaf(&mut self, kind: ExprKind, start: Span) -> Expr {
        self.height = 0;
        Expr::new(kind, self.since(start))
    }

    /// A node over the expression read last and, before it, one of height `left`.
    fn node(&mut self, kind: ExprKind, start: Span, left: usize) -> Parsed<Expr> {
        self.height = self.height.max(left) + 1;
        let span = self.since(start);
        if self.height > MAX_HEIGHT {
            // Taking a tall tree down is recursive too, but this one is only just too tall.
            let here = self.span();
            return self.fail(mistakes::too_long(here));
        }
        Ok(Expr::new(kind, span))
    }
}
