//! Men and patterns: what may stand on a square, and what is put there.

use super::words::can_be_kind;
use super::{Parsed, Parser, is_reserved};
use crate::ast::{Expr, ExprKind, Man, Owner, Pattern};
use crate::lex::TokenKind;

impl Parser<'_> {
    /// Whether the token `n` places ahead is a word that can be a kind of man.
    pub(super) fn names_kind(&self, n: usize) -> bool {
        let joins = match self.nth(n + 1).kind {
            TokenKind::Int | TokenKind::Real | TokenKind::LParen | TokenKind::Minus => true,
            TokenKind::Name => !self.nth_word(n + 1).is_some_and(is_reserved),
            _ => false,
        };
        self.nth_word(n).is_some_and(|word| can_be_kind(word, joins))
    }

    /// `my` or `their`.
    fn possessive(&mut self) -> Option<Owner> {
        let owner = match self.word()? {
            "my" => Owner::My,
            "their" => Owner::Their,
            _ => return None,
        };
        self.bump();
        Some(owner)
    }

    /// What stands after `is`: `empty`, `my pawn`, `their (rook, queen)`, `White pawn`, `(rook, queen)`.
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        let start = self.span();
        if let Some(owner) = self.possessive() {
            let kinds = self.kinds()?;
            return Ok(Pattern { owner: Some(owner), kinds, span: self.since(start) });
        }
        if self.at(TokenKind::LParen) {
            let kinds = self.kinds()?;
            return Ok(Pattern { owner: None, kinds, span: self.since(start) });
        }
        let first = self.deeper(Self::chain)?;
        if self.names_kind(0) {
            return self.owned_by(first);
        }
        Ok(Pattern { owner: None, kinds: vec![first], span: self.since(start) })
    }

    /// The kind in `White pawn`; the player has been read.
    pub(super) fn owned_by(&mut self, player: Expr) -> Parsed<Pattern> {
        let start = player.span;
        let kind = self.deeper(Self::chain)?;
        Ok(Pattern {
            owner: Some(Owner::Player(Box::new(player))),
            kinds: vec![kind],
            span: self.since(start),
        })
    }

    /// A kind, or several in brackets.
    fn kinds(&mut self) -> Parsed<Vec<Expr>> {
        if !self.eat(TokenKind::LParen) {
            return Ok(vec![self.kind_of_man()?]);
        }
        let mut height = 0;
        let kinds = self.list(|p| {
            let kind = p.kind_of_man()?;
            height = height.max(p.height);
            Ok(kind)
        })?;
        self.height = height;
        self.expect(TokenKind::RParen, "after the kinds of men")?;
        Ok(kinds)
    }

    fn kind_of_man(&mut self) -> Parsed<Expr> {
        if self.word().is_none_or(is_reserved) {
            return self.unexpected_with(
                "a kind of man",
                "a kind follows the owner: `my king`, `their (rook, queen)`",
            );
        }
        self.deeper(Self::chain)
    }

    /// A man that is put somewhere: `my stone`, `White pawn`, `ball`.
    pub(super) fn man(&mut self) -> Parsed<Man> {
        let start = self.span();
        if let Some(owner) = self.possessive() {
            let kind = self.kind_of_man()?;
            return Ok(Man { owner: Some(owner), kind, span: self.since(start) });
        }
        if !self.at(TokenKind::LParen) && self.word().is_none_or(is_reserved) {
            return self.unexpected_with(
                "a man",
                "name a kind of man, perhaps with its owner: `king`, `my king`, `White king`",
            );
        }
        let first = self.deeper(Self::chain)?;
        let (owner, kind) = if self.names_kind(0) {
            (Some(Owner::Player(Box::new(first))), self.deeper(Self::chain)?)
        } else {
            (None, first)
        };
        Ok(Man { owner, kind, span: self.since(start) })
    }

    /// Whether an expression is a player and a kind side by side.
    pub(super) fn is_juxtaposed(expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Pattern(Pattern { owner: Some(Owner::Player(_)), .. }))
    }
}
