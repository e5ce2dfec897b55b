//! What instructions are written with: single fields, and fields that are written as one.

use std::fmt::Display;

use super::parser::{Parser, Result};
use super::print_code::{Spelling, list};
use super::words::Word;
use crate::inst::{
    ArrayId, Func, OutcomeKind, PathOf, PathReg, Reg, Say, SetId, SetReg, Spread, StatementId,
    TableId, Var,
};
use crate::program::Program;

/// A piece of the text of an instruction: the fields of one pair of brackets in the table of
/// `operands.rs`.
pub(super) trait Piece: Sized {
    /// Its text; empty if there is nothing to write.
    fn show(&self, spell: Spelling<'_>) -> String;
    /// Reads what [`show`](Self::show) writes.
    fn read(parser: &mut Parser<'_>) -> Result<Self>;
}

macro_rules! registers {
    ($($type:ident $reader:ident),+) => {$(
        impl Piece for ($type,) {
            fn show(&self, spell: Spelling<'_>) -> String {
                spell.var(self.0)
            }

            fn read(parser: &mut Parser<'_>) -> Result<Self> {
                Ok((parser.$reader()?,))
            }
        }
    )+};
}
registers!(Reg reg, SetReg set, PathReg path);

macro_rules! numbers {
    ($($type:ident),+) => {$(
        impl Piece for ($type,) {
            fn show(&self, _: Spelling<'_>) -> String {
                self.0.to_string()
            }

            fn read(parser: &mut Parser<'_>) -> Result<Self> {
                Ok((parser.number()?,))
            }
        }
    )+};
}
numbers!(i64, u16);

impl Piece for (StatementId,) {
    fn show(&self, _: Spelling<'_>) -> String {
        self.0.to_string()
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        Ok((StatementId(parser.id("m")?),))
    }
}

/// `of 8 8`.
impl Piece for (u32, u32) {
    fn show(&self, _: Spelling<'_>) -> String {
        format!("of {} {}", self.0, self.1)
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        parser.expect("of")?;
        Ok((parser.number()?, parser.number()?))
    }
}

/// `of squares`.
impl Piece for (PathOf,) {
    fn show(&self, _: Spelling<'_>) -> String {
        format!("of {}", self.0.word())
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        parser.expect("of")?;
        Ok((parser.value()?,))
    }
}

/// `weight r1`, or nothing.
impl Piece for (Option<Reg>,) {
    fn show(&self, spell: Spelling<'_>) -> String {
        self.0.map_or_else(String::new, |reg| format!("weight {}", spell.var(reg)))
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        Ok((if parser.eat("weight") { Some(parser.reg()?) } else { None },))
    }
}

/// `a2` or `a2[r1]`.
impl Piece for (ArrayId, Option<Reg>) {
    fn show(&self, spell: Spelling<'_>) -> String {
        let named = |it: &Program| it.arrays.get(self.0.0 as usize).map(|it| it.name.clone());
        indexed(spell, spell.global(self.0, named), self.1)
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        Ok((ArrayId(parser.id("a")?), index(parser)?))
    }
}

/// `c2` or `c2[r1]`.
impl Piece for (SetId, Option<Reg>) {
    fn show(&self, spell: Spelling<'_>) -> String {
        let named = |it: &Program| it.families.get(self.0.0 as usize).map(|it| it.name.clone());
        indexed(spell, spell.global(self.0, named), self.1)
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        Ok((SetId(parser.id("c")?), index(parser)?))
    }
}

fn indexed(spell: Spelling<'_>, name: String, index: Option<Reg>) -> String {
    match index {
        Some(index) => format!("{name}[{}]", spell.var(index)),
        None => name,
    }
}

fn index(parser: &mut Parser<'_>) -> Result<Option<Reg>> {
    if !parser.eat("[") {
        return Ok(None);
    }
    let index = parser.reg()?;
    parser.expect("]")?;
    Ok(Some(index))
}

/// `t2[r1]` or `t2[r1, r2]`.
impl Piece for (TableId, Reg, Option<Reg>) {
    fn show(&self, spell: Spelling<'_>) -> String {
        let &(table, i, j) = self;
        let named = |it: &Program| it.tables.get(table.0 as usize).map(|it| it.name.clone());
        let both: Vec<Reg> = [i].into_iter().chain(j).collect();
        format!("{}[{}]", spell.global(table, named), list(&both, |&reg| spell.var(reg)))
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        let table = TableId(parser.id("t")?);
        parser.expect("[")?;
        let i = parser.reg()?;
        let j = if parser.eat(",") { Some(parser.reg()?) } else { None };
        parser.expect("]")?;
        Ok((table, i, j))
    }
}

/// `f2(r1, s1)`.
impl Piece for (Func, Vec<Var>) {
    fn show(&self, spell: Spelling<'_>) -> String {
        let named = |it: &Program| it.functions.get(self.0.0 as usize).map(|it| it.name.clone());
        called(&spell.global(self.0, named), &self.1, |&var| spell.var(var))
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        Ok((Func(parser.id("f")?), parser.parenthesised(Parser::var)?))
    }
}

/// `m2(r1, p1)`.
impl Piece for (StatementId, Vec<Var>) {
    fn show(&self, spell: Spelling<'_>) -> String {
        called(&self.0, &self.1, |&var| spell.var(var))
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        Ok((StatementId(parser.id("m")?), parser.parenthesised(Parser::var)?))
    }
}

/// `s1(member, table t1, r1)`.
impl Piece for (SetReg, Vec<Spread>) {
    fn show(&self, spell: Spelling<'_>) -> String {
        called(&spell.var(self.0), &self.1, |it| match *it {
            Spread::Member => "member".to_owned(),
            Spread::Table(table) => format!("table {table}"),
            Spread::Same(reg) => spell.var(reg),
        })
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        let spread = |parser: &mut Parser<'_>| {
            Ok(if parser.eat("member") {
                Spread::Member
            } else if parser.eat("table") {
                Spread::Table(TableId(parser.id("t")?))
            } else {
                Spread::Same(parser.reg()?)
            })
        };
        Ok((parser.set()?, parser.parenthesised(spread)?))
    }
}

fn called<T>(name: &impl Display, args: &[T], show: impl Fn(&T) -> String) -> String {
    format!("{name}({})", list(args, show))
}

/// `draw` or `score(r1)`.
impl Piece for (OutcomeKind, Option<Reg>) {
    fn show(&self, spell: Spelling<'_>) -> String {
        let score = self.1.map_or_else(String::new, |it| format!("({})", spell.var(it)));
        format!("{}{score}", self.0.word())
    }

    fn read(parser: &mut Parser<'_>) -> Result<Self> {
        let kind = parser.value()?;
        if !parser.eat("(") {
            return Ok((kind, None));
        }
        let score = parser.reg()?;
        parser.expect(")")?;
        Ok((kind, Some(score)))
    }
}

macro_rules! say {
    ($($word:literal $variant:ident),+) => {
        /// `square r1` or `text "x"`.
        impl Piece for (Say,) {
            fn show(&self, spell: Spelling<'_>) -> String {
                match &self.0 {
                    $(Say::$variant(reg) => format!(concat!($word, " {}"), spell.var(*reg)),)+
                    Say::Text(text) => format!("text {text:?}"),
                }
            }

            fn read(parser: &mut Parser<'_>) -> Result<Self> {
                Ok((match parser.word()? {
                    $($word => Say::$variant(parser.reg()?),)+
                    "text" => Say::Text(parser.text()?),
                    _ => return parser.wanted_before("what is written"),
                },))
            }
        }
    };
}
say!("square" Square, "becomes" Becomes, "drops" Drops, "kind" Kind, "number" Number, "direction" Direction, "player" Player);
