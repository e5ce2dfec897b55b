//! The board and the start of the game.

use ludex_diagnostics::Span;

use super::blocks::{Branch, Line};
use super::words::LINE_FORMS;
use super::{Parsed, Parser};
use crate::ast::{Board, Expr, ItemKind, Name, StartKind, StartLine, Wrap};
use crate::lex::TokenKind;

/// A line of the block of `board graph`.
enum GraphLine {
    Points(Vec<Point>),
    Lines(Vec<Vec<Name>>),
}

type Point = (Name, Option<(i64, i64)>);

impl Line for GraphLine {
    const NESTS: bool = false;

    fn read(parser: &mut Parser<'_>, out: &mut Vec<Self>, _first: bool) -> Parsed<()> {
        parser.remember_form(LINE_FORMS);
        let line = if parser.eat_word("points") {
            Self::Points(parser.list(Parser::point)?)
        } else if parser.eat_word("lines") {
            Self::Lines(parser.graph_lines()?)
        } else {
            return parser.unexpected_with(
                "`points` or `lines`",
                "the block of `board graph` has lines such as `points a1 (0,0), b1 (1,0)` and `lines a1 b1`",
            );
        };
        out.push(line);
        Ok(())
    }
}

impl Parser<'_> {
    pub(super) fn board(&mut self) -> Parsed<ItemKind> {
        let board = match self.word() {
            Some("square") => {
                self.bump();
                self.square_board()?
            }
            Some("hex") => {
                self.bump();
                let (columns, rows) = self.size()?;
                Board::Hex { columns, rows }
            }
            Some("graph") => {
                self.bump();
                self.graph()
            }
            _ => {
                return self.unexpected_with(
                    "`square`, `hex` or `graph` after `board`",
                    "write for example `board square 8 by 8`",
                );
            }
        };
        Ok(ItemKind::Board(board))
    }

    fn square_board(&mut self) -> Parsed<Board> {
        let (columns, rows) = self.size()?;
        let (mut wrap, mut on) = (Wrap::None, None);
        loop {
            if self.eat_word("wrap") {
                wrap = self.wrap()?;
            } else if self.eat_word("on") {
                on = Some(self.colour()?);
            } else {
                return Ok(Board::Square { columns, rows, wrap, on });
            }
        }
    }

    /// `8 by 8`.
    fn size(&mut self) -> Parsed<(Expr, Expr)> {
        let columns = self.operand()?;
        self.expect_word("by", "between columns and rows")?;
        Ok((columns, self.operand()?))
    }

    fn wrap(&mut self) -> Parsed<Wrap> {
        let wrap = match self.word() {
            Some("columns") => Wrap::Columns,
            Some("rows") => Wrap::Rows,
            Some("both") => Wrap::Both,
            _ => return self.unexpected("`columns`, `rows` or `both` after `wrap`"),
        };
        self.bump();
        Ok(wrap)
    }

    fn colour(&mut self) -> Parsed<Name> {
        match self.word() {
            Some("dark" | "light") => self.name("a colour"),
            _ => self.unexpected("`dark` or `light` after `on`"),
        }
    }

    fn graph(&mut self) -> Board {
        let (mut points, mut lines) = (Vec::new(), Vec::new());
        for line in self.block("board graph") {
            match line {
                GraphLine::Points(more) => points.extend(more),
                GraphLine::Lines(more) => lines.extend(more),
            }
        }
        Board::Graph { points, lines }
    }

    /// `a1 (0,0)`; the coordinates may be left out.
    fn point(&mut self) -> Parsed<Point> {
        let name = self.name("the name of a point")?;
        if !self.eat(TokenKind::LParen) {
            return Ok((name, None));
        }
        let x = self.coordinate()?;
        self.expect(TokenKind::Comma, "between the two coordinates")?;
        let y = self.coordinate()?;
        self.expect(TokenKind::RParen, "after the coordinates")?;
        Ok((name, Some((x, y))))
    }

    fn coordinate(&mut self) -> Parsed<i64> {
        let negative = self.eat(TokenKind::Minus);
        if !self.at(TokenKind::Int) {
            return self.unexpected("a whole number");
        }
        let value = self.int()?;
        Ok(if negative { -value } else { value })
    }

    /// `a b c; d e`: the semicolons belong to the line, which therefore takes all of it.
    fn graph_lines(&mut self) -> Parsed<Vec<Vec<Name>>> {
        let mut lines = Vec::new();
        loop {
            let mut line = vec![self.name("the name of a point")?];
            while self.at(TokenKind::Name) {
                line.push(self.name("the name of a point")?);
            }
            lines.push(line);
            let more = self.at(TokenKind::Semicolon)
                && !matches!(self.nth_word(1), Some("points" | "lines") | None);
            if !more {
                return Ok(lines);
            }
            self.bump();
        }
    }
}

impl Line for StartLine {
    const NESTS: bool = true;

    fn read(parser: &mut Parser<'_>, out: &mut Vec<Self>, first: bool) -> Parsed<()> {
        parser.deeper(|p| {
            let start = p.span();
            p.remember_form(LINE_FORMS);
            let line = if p.eat_word("if") {
                p.branch(start, first)?
            } else {
                let kind = p.start_line()?;
                StartLine { kind, span: p.since(start) }
            };
            out.push(line);
            Ok(())
        })
    }
}

impl Branch for StartLine {
    fn branch(cond: Expr, then: Vec<Self>, otherwise: Vec<Self>, span: Span) -> Self {
        Self { kind: StartKind::If { cond, then, otherwise }, span }
    }
}

impl Parser<'_> {
    fn start_line(&mut self) -> Parsed<StartKind> {
        match self.word() {
            Some("rows") if self.nth(1).kind == TokenKind::Text => {
                self.bump();
                Ok(StartKind::Rows(self.text("the rows in double quotes")?))
            }
            Some("set") if self.nth_word(1) != Some("on") => {
                self.bump();
                let cell = self.chain()?;
                self.expect(TokenKind::Assign, "and a value after the cell")?;
                Ok(StartKind::Set { cell, value: self.expr()? })
            }
            Some("scatter") if self.nth_word(1) != Some("on") => self.scatter(),
            Some("turn") if self.nth_word(1) != Some("on") => {
                self.bump();
                Ok(StartKind::Turn(self.expr()?))
            }
            _ => self.placement(),
        }
    }

    fn scatter(&mut self) -> Parsed<StartKind> {
        self.bump();
        let men = self.list(Self::man)?;
        self.expect_word("on", "after the men that are scattered")?;
        let on = self.expr()?;
        self.expect_word("seed", "and a number at the end")?;
        Ok(StartKind::Scatter { men, on, seed: self.expr()? })
    }

    /// `White pawn on rank(2), e4`.
    fn placement(&mut self) -> Parsed<StartKind> {
        let man = self.man()?;
        if !self.eat_word("on") {
            return self.unexpected_with(
                "`on` after the man",
                "a line of `start` says where men stand: `White pawn on rank(2)`, or is `rows`, `set`, `scatter`, `turn` or `if`",
            );
        }
        Ok(StartKind::Place { man, on: self.list(Self::expr)? })
    }
}
