//! Reading functions, blocks and instructions.

use super::lex::TokenKind;
use super::parser::{Parser, Result, read_id};
use super::words::Word;
use crate::inst::{
    ArrayId, Binary, Block, End, Func, Inst, PathReg, Reg, Say, SetBinary, SetId, SetReg, Spread,
    StatementId, TableId, Unary, Var,
};
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

    fn var(&mut self) -> Result<Var> {
        let Some(var) = self.peek_var() else { return self.wanted("a register") };
        self.word()?;
        Ok(var)
    }

    fn reg(&mut self) -> Result<Reg> {
        Ok(Reg(self.id("r")?))
    }

    fn set(&mut self) -> Result<SetReg> {
        Ok(SetReg(self.id("s")?))
    }

    fn path(&mut self) -> Result<PathReg> {
        Ok(PathReg(self.id("p")?))
    }

    /// `a2` or `a2[r1]`.
    fn cell(&mut self) -> Result<(ArrayId, Option<Reg>)> {
        Ok((ArrayId(self.id("a")?), self.index()?))
    }

    fn index(&mut self) -> Result<Option<Reg>> {
        if !self.eat("[") {
            return Ok(None);
        }
        let index = self.reg()?;
        self.expect("]")?;
        Ok(Some(index))
    }
}

/// Instructions.
impl Parser<'_> {
    fn inst(&mut self) -> Result<Inst> {
        if self.peek_second() != Some(&TokenKind::Mark("=")) {
            return self.action();
        }
        let dst = self.var()?;
        self.expect("=")?;
        if self.eat("call") {
            return self.call(Some(dst));
        }
        match dst {
            Var::Int(dst) => self.int_inst(dst),
            Var::Set(dst) => self.set_inst(dst),
            Var::Path(dst) => self.path_inst(dst),
        }
    }

    fn call(&mut self, result: Option<Var>) -> Result<Inst> {
        let func = Func(self.id("f")?);
        Ok(Inst::Call { func, args: self.parenthesised(Self::var)?, result })
    }

    fn int_inst(&mut self, dst: Reg) -> Result<Inst> {
        Ok(match self.word()? {
            "const" => Inst::Const { dst, value: self.number()? },
            "copy" => Inst::Copy { dst, src: self.reg()? },
            "lookup" => self.lookup(dst)?,
            "pair" => {
                let (i, j) = (self.reg()?, self.reg()?);
                self.expect("of")?;
                Inst::Pair { dst, i, j, rows: self.number()?, columns: self.number()? }
            }
            "step" => Inst::Step { dst, from: self.reg()?, dir: self.reg()? },
            "hop" => Inst::Hop { dst, from: self.reg()?, dir: self.reg()?, count: self.reg()? },
            "list_len" => Inst::ListLen { dst, list: self.reg()? },
            "list_item" => Inst::ListItem { dst, list: self.reg()?, index: self.reg()? },
            "load" => {
                let (array, index) = self.cell()?;
                Inst::Load { dst, array, index }
            }
            "test" => {
                let (array, index) = self.cell()?;
                Inst::Test { dst, array, index, mask: self.reg()? }
            }
            "test_range" => {
                let (array, index) = self.cell()?;
                Inst::TestRange { dst, array, index, lo: self.number()?, hi: self.number()? }
            }
            "contains" => Inst::Contains { dst, set: self.set()?, square: self.reg()? },
            "count" => Inst::Count { dst, set: self.set()? },
            "any" => Inst::Any { dst, set: self.set()? },
            "next_member" => Inst::NextMember { dst, set: self.set()?, after: self.reg()? },
            "path_len" => Inst::PathLen { dst, path: self.path()? },
            "path_item" => {
                let (path, index) = (self.path()?, self.reg()?);
                self.expect("of")?;
                Inst::PathItem { dst, path, index, of: self.value()? }
            }
            "repeats" => Inst::Repeats { dst },
            "reply" => Inst::Reply { dst, player: self.reg()? },
            "side" => Inst::Side { dst },
            "depth" => Inst::Depth { dst },
            word => self.operation(dst, word)?,
        })
    }

    /// An operation on one or two numbers.
    fn operation(&mut self, dst: Reg, word: &str) -> Result<Inst> {
        if let Some(op) = Unary::read(word) {
            return Ok(Inst::Unary { op, dst, src: self.reg()? });
        }
        if let Some(op) = Binary::read(word) {
            return Ok(Inst::Binary { op, dst, a: self.reg()?, b: self.reg()? });
        }
        self.wanted_before("an instruction that gives a number")
    }

    fn lookup(&mut self, dst: Reg) -> Result<Inst> {
        let table = TableId(self.id("t")?);
        self.expect("[")?;
        let i = self.reg()?;
        let j = if self.eat(",") { Some(self.reg()?) } else { None };
        self.expect("]")?;
        Ok(Inst::Lookup { dst, table, i, j })
    }

    fn set_inst(&mut self, dst: SetReg) -> Result<Inst> {
        Ok(match self.word()? {
            "family" => Inst::SetConst { dst, family: SetId(self.id("c")?), index: self.index()? },
            "where" => Inst::SetWhere { dst, mask: self.reg()? },
            "load" => {
                let (array, index) = self.cell()?;
                Inst::SetLoad { dst, array, index }
            }
            "copy" => Inst::SetCopy { dst, src: self.set()? },
            "shift" => Inst::Shift { dst, src: self.set()?, dir: self.reg()? },
            "neighbours" => Inst::Neighbours { dst, src: self.set()?, list: self.reg()? },
            "leap" => {
                let (src, dir) = (self.set()?, self.reg()?);
                Inst::Leap { dst, src, dir, count: self.number()? }
            }
            "slide" => {
                Inst::Slide { dst, from: self.set()?, through: self.set()?, dir: self.reg()? }
            }
            "rays" => {
                Inst::Rays { dst, from: self.reg()?, through: self.set()?, list: self.reg()? }
            }
            "flood" => {
                Inst::Flood { dst, from: self.set()?, within: self.set()?, list: self.reg()? }
            }
            "line" => Inst::Line { dst, from: self.reg()?, dir: self.reg()?, count: self.reg()? },
            "reach" => Inst::Reach { dst, from: self.reg()?, dir: self.reg()?, count: self.reg()? },
            "axis" => Inst::Axis { dst, from: self.reg()?, dir: self.reg()? },
            "between" => Inst::Between { dst, a: self.reg()?, b: self.reg()? },
            word => match SetBinary::read(word) {
                Some(op) => Inst::SetBinary { op, dst, a: self.set()?, b: self.set()? },
                None => return self.wanted_before("an instruction that gives a set"),
            },
        })
    }

    fn path_inst(&mut self, dst: PathReg) -> Result<Inst> {
        Ok(match self.word()? {
            "empty" => Inst::PathEmpty { dst },
            "copy" => Inst::PathCopy { dst, src: self.path()? },
            "push" => {
                let (src, item) = (self.path()?, self.reg()?);
                self.expect("of")?;
                Inst::PathPush { dst, src, item, of: self.value()? }
            }
            _ => return self.wanted_before("an instruction that gives a path"),
        })
    }

    /// An instruction without a result of its own.
    fn action(&mut self) -> Result<Inst> {
        Ok(match self.word()? {
            "store" => {
                let (array, index) = self.cell()?;
                Inst::Store { array, index, value: self.reg()? }
            }
            "increase" => {
                let (array, index) = self.cell()?;
                Inst::Add { array, index, delta: self.reg()? }
            }
            "store_all" => Inst::StoreAll { set: self.set()?, value: self.reg()? },
            "set_store" => {
                let (array, index) = self.cell()?;
                Inst::SetStore { array, index, src: self.set()? }
            }
            "include" => self.set_update(true)?,
            "exclude" => self.set_update(false)?,
            "insert" => Inst::SetInsert { set: self.set()?, square: self.reg()? },
            "remove" => Inst::SetRemove { set: self.set()?, square: self.reg()? },
            "call" => self.call(None)?,
            "try" => Inst::TryBegin,
            "undo" => Inst::TryEnd,
            "emit" => {
                let statement = StatementId(self.id("m")?);
                let args = self.parenthesised(Self::var)?;
                let weight = if self.eat("weight") { Some(self.reg()?) } else { None };
                Inst::Emit { statement, args, weight }
            }
            "emit_all" => {
                let (statement, set) = (StatementId(self.id("m")?), self.set()?);
                Inst::EmitAll { statement, set, args: self.parenthesised(Self::spread)? }
            }
            "outcome" => self.outcome()?,
            "feature" => Inst::Feature { index: self.number()?, value: self.reg()? },
            "say" => Inst::Say(self.say()?),
            "irreversible" => Inst::Irreversible,
            "next" => Inst::Next { player: self.reg()? },
            _ => return self.wanted_before("an instruction"),
        })
    }

    fn spread(&mut self) -> Result<Spread> {
        if self.eat("member") {
            return Ok(Spread::Member);
        }
        if self.eat("table") {
            return Ok(Spread::Table(TableId(self.id("t")?)));
        }
        Ok(Spread::Same(self.reg()?))
    }

    fn set_update(&mut self, add: bool) -> Result<Inst> {
        let (array, index) = self.cell()?;
        Ok(Inst::SetUpdate { array, index, src: self.set()?, add })
    }

    fn outcome(&mut self) -> Result<Inst> {
        let kind = self.value()?;
        let score = if self.eat("(") {
            let score = self.reg()?;
            self.expect(")")?;
            Some(score)
        } else {
            None
        };
        Ok(Inst::Outcome { kind, score })
    }

    fn say(&mut self) -> Result<Say> {
        Ok(match self.word()? {
            "square" => Say::Square(self.reg()?),
            "becomes" => Say::Becomes(self.reg()?),
            "drops" => Say::Drops(self.reg()?),
            "kind" => Say::Kind(self.reg()?),
            "number" => Say::Number(self.reg()?),
            "direction" => Say::Direction(self.reg()?),
            "player" => Say::Player(self.reg()?),
            "text" => Say::Text(self.text()?),
            _ => return self.wanted_before("what is written"),
        })
    }
}
