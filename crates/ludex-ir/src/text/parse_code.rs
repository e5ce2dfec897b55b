//! Reading functions, blocks and instructions.

use super::lex::TokenKind;
use super::parser::{Parser, Result, read_id};
use super::pieces::Piece;
use super::words::Word;
use crate::inst::{Block, End, Inst, PathReg, Reg, SetReg, Var};
use crate::operands::with_instructions;
use crate::program::{BlockData, Function};

/// Functions and blocks.
impl Parser<'_> {
    /// A function from its name on.
    pub(super) fn function_body(&mut self) -> Result<Function> {
        let name = self.text()?;
        let params = self.parenthesised(Self::var)?;
        let result = if self.eat("->") { Some(self.var()?) } else { None };
        self.expect("registers")?;
        let (ints, sets, paths) = (self.number()?, self.number()?, self.number()?);
        let mut names = Vec::new();
        if self.eat("names") {
            while self.peek_var().is_some() {
                names.push((self.var()?, self.text()?));
            }
        }
        let mut blocks = Vec::new();
        while self.peek_second() == Some(&TokenKind::Mark(":")) {
            self.next_id("b", blocks.len())?;
            self.expect(":")?;
            blocks.push(self.block()?);
        }
        Ok(Function { name, params, result, ints, sets, paths, blocks, names })
    }

    fn block(&mut self) -> Result<BlockData> {
        let mut insts = Vec::new();
        loop {
            let end = if self.eat("jump") {
                End::Jump(self.label()?)
            } else if self.eat("return") {
                End::Return
            } else if self.eat("if") {
                let (cond, yes) = (self.reg()?, self.label()?);
                self.expect("else")?;
                End::Branch { cond, yes, no: self.label()? }
            } else {
                let inst = self.inst()?;
                insts.push((inst, self.place()?));
                continue;
            };
            return Ok(BlockData { insts, end: (end, self.place()?) });
        }
    }

    fn label(&mut self) -> Result<Block> {
        Ok(Block(self.id("b")?))
    }
}

/// Registers and cells.
impl Parser<'_> {
    fn peek_var(&self) -> Option<Var> {
        let Some(TokenKind::Word(word)) = self.peek() else { return None };
        let number = |prefix| read_id(word, prefix).and_then(|id| u16::try_from(id).ok());
        let int = number("r").map(|id| Var::Int(Reg(id)));
        let set = || number("s").map(|id| Var::Set(SetReg(id)));
        int.or_else(set).or_else(|| number("p").map(|id| Var::Path(PathReg(id))))
    }

    pub(super) fn var(&mut self) -> Result<Var> {
        let Some(var) = self.peek_var() else { return self.wanted("a register") };
        self.word()?;
        Ok(var)
    }

    pub(super) fn reg(&mut self) -> Result<Reg> {
        Ok(Reg(self.id("r")?))
    }

    pub(super) fn set(&mut self) -> Result<SetReg> {
        Ok(SetReg(self.id("s")?))
    }

    pub(super) fn path(&mut self) -> Result<PathReg> {
        Ok(PathReg(self.id("p")?))
    }
}

/// Reads what comes after the word of an instruction.
macro_rules! readers {
    (; $(
        $class:ident($($param:ident: $type:ty)?), $what:literal {$(
            $($dst:ident =)? $word:literal $name:ident $(changes $change:ident)?
            $(($($field:ident),+))*;
        )*} or {$(
            $($to:ident =)? [$op:ident] $operation:ident $(($($operand:ident),+))*;
        )*}
    )+) => {
        impl Parser<'_> {$(
            fn $class(&mut self $(, $param: $type)?) -> Result<Inst> {
                let word = self.word()?;
                match word {
                    $($word => {
                        $(let ($change,) = Piece::read(self)?;)?
                        $(let ($($field,)+) = Piece::read(self)?;)*
                        return Ok(Inst::$name { $($dst,)? $($change,)? $($($field,)+)* });
                    })*
                    _ => {}
                }
                $(if let Some($op) = Word::read(word) {
                    $(let ($($operand,)+) = Piece::read(self)?;)*
                    return Ok(Inst::$operation { $op, $($to,)? $($($operand,)+)* });
                })*
                self.wanted_before($what)
            }
        )+}
    };
}
with_instructions!(readers!());

/// Instructions.
impl Parser<'_> {
    fn inst(&mut self) -> Result<Inst> {
        let assigns = self.peek_second() == Some(&TokenKind::Mark("="));
        let dst = if assigns { Some(self.var()?) } else { None };
        if assigns {
            self.expect("=")?;
        }
        if self.peek() == Some(&TokenKind::Word("call")) {
            return self.call(dst);
        }
        match dst {
            Some(Var::Int(dst)) => self.int_inst(dst),
            Some(Var::Set(dst)) => self.set_inst(dst),
            Some(Var::Path(dst)) => self.path_inst(dst),
            None => self.action(),
        }
    }
}
