//! The `notation` and `expect` blocks.

use ludex_diagnostics::Diagnostic;

use super::blocks::Line;
use super::words::LINE_FORMS;
use super::{Parsed, Parser};
use crate::ast::{Expr, Fact, FactKind, NotationLine, PositionField};
use crate::lex::TokenKind;

impl Line for NotationLine {
    const NESTS: bool = false;

    fn read(parser: &mut Parser<'_>, out: &mut Vec<Self>, _first: bool) -> Parsed<()> {
        let start = parser.span();
        parser.remember_form(LINE_FORMS);
        let line = if parser.eat_word("position") {
            let fields = parser.list(Parser::position_field)?;
            Self::Position(fields, parser.since(start))
        } else {
            Self::Word(parser.name("`position` or the name of a notation")?)
        };
        out.push(line);
        Ok(())
    }
}

impl Parser<'_> {
    fn position_field(&mut self) -> Parsed<PositionField> {
        let span = self.span();
        if self.at(TokenKind::Text) {
            return Ok(PositionField::Text(self.text("a text")?, span));
        }
        let alone = !matches!(self.nth(1).kind, TokenKind::LBracket | TokenKind::Dot);
        match self.word().filter(|_| alone) {
            Some("board") => {
                self.bump();
                Ok(PositionField::Board(span))
            }
            Some("turn") => {
                self.bump();
                Ok(PositionField::Turn(span))
            }
            Some("flags") if self.nth(1).kind == TokenKind::LParen => {
                self.bump();
                self.bump();
                let flags = self.list(Self::flag)?;
                self.expect(TokenKind::RParen, "or `,` after a flag")?;
                Ok(PositionField::Flags(flags, self.since(span)))
            }
            _ => Ok(PositionField::Cell(self.chain()?)),
        }
    }

    /// `K short[White]`: a letter and the cell it stands for.
    fn flag(&mut self) -> Parsed<(String, Expr)> {
        let letter = match self.kind() {
            TokenKind::Text => self.text("a letter")?,
            TokenKind::Name => {
                let span = self.bump().span;
                self.text_of(span).to_owned()
            }
            _ => return self.unexpected("a letter and a cell, such as `K short[White]`"),
        };
        Ok((letter, self.chain()?))
    }
}

impl Line for Fact {
    const NESTS: bool = false;

    fn read(parser: &mut Parser<'_>, out: &mut Vec<Self>, _first: bool) -> Parsed<()> {
        let start = parser.span();
        parser.remember_form(LINE_FORMS);
        let Some(word @ ("perft" | "after" | "solved")) = parser.word() else {
            return parser.unexpected_with(
                "`perft`, `after` or `solved`",
                "facts look like `perft 20, 400`, `after \"e2e4\": goes on` or `solved draw`",
            );
        };
        parser.bump();
        let (with, from) = parser.circumstances()?;
        let kind = match word {
            "perft" => FactKind::Perft(parser.list(Parser::count)?),
            "after" => parser.after()?,
            _ => parser.solved()?,
        };
        out.push(Fact { kind, with, from, span: parser.since(start) });
        Ok(())
    }
}

impl Parser<'_> {
    /// `with "6,6"` and `from "..."`, in any order.
    fn circumstances(&mut self) -> Parsed<(Option<String>, Option<String>)> {
        let (mut with, mut from) = (None, None);
        loop {
            let span = self.span();
            let (slot, what) = match self.word() {
                Some("with") => (&mut with, "the options in double quotes after `with`"),
                Some("from") => (&mut from, "a position in double quotes after `from`"),
                _ => return Ok((with, from)),
            };
            self.bump();
            if slot.replace(self.text(what)?).is_some() {
                let word = self.text_of(span);
                self.report(
                    Diagnostic::error(
                        "unexpected-token",
                        span,
                        format!("a second `{word}` in one fact"),
                    )
                    .label("said already")
                    .help("write one fact for each"),
                );
            }
        }
    }

    fn count(&mut self) -> Parsed<u64> {
        if !self.at(TokenKind::Int) {
            return self.unexpected("a number of positions");
        }
        match self.text_of(self.span()).replace('_', "").parse() {
            Ok(count) => {
                self.bump();
                Ok(count)
            }
            Err(_) => self.number_too_large(),
        }
    }

    /// `after "moves": outcome`.
    fn after(&mut self) -> Parsed<FactKind> {
        let moves = self.text("the moves in double quotes after `after`")?;
        self.expect(TokenKind::Colon, "and an outcome after the moves")?;
        let next = self.nth_word(1);
        if self.at_word("goes") && next == Some("on") {
            self.bump();
            self.bump();
            return Ok(FactKind::After { moves, outcome: None, draw: false });
        }
        if self.at_word("draw") && next != Some("wins") {
            self.bump();
            return Ok(FactKind::After { moves, outcome: None, draw: true });
        }
        if next != Some("wins") {
            return self.unexpected_with(
                "`goes on`, `draw` or a player who `wins`",
                "write for example `after \"e2e4\": goes on`",
            );
        }
        let winner = self.name("the name of a player")?;
        self.bump();
        Ok(FactKind::After { moves, outcome: Some(winner), draw: false })
    }

    fn solved(&mut self) -> Parsed<FactKind> {
        match self.word() {
            Some("win" | "loss" | "draw") => Ok(FactKind::Solved(self.name("an outcome")?)),
            _ => self.unexpected("`win`, `loss` or `draw`"),
        }
    }
}
