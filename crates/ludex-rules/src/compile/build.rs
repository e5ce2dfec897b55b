//! Building one control-flow graph: blocks, registers, variables in scope.

use std::collections::HashMap;

use ludex_ir::{
    Binary, Block, BlockData, End, Func, Function, Inst, PathReg, Reg, SetReg, TableId, Var,
};

use super::types::Type;

/// A variable of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    /// Its type.
    pub(crate) ty: Type,
    /// Where it lives.
    pub(crate) var: Var,
    /// Whether it is certainly not `none` (a loop over squares gives only squares).
    pub(crate) exists: bool,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    pub(crate) on_break: Block,
    pub(crate) on_continue: Block,
    /// How many `try` blocks were open around the loop.
    pub(crate) tries: usize,
}

/// What a function is lowered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// As written.
    Plain,
    /// Each move statement asks instead whether it would take a man of this kind.
    Takes(u8),
}

/// What statements may do here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// Compute only.
    Function,
    /// List moves.
    Lists,
    /// Change the position.
    Acts,
    /// Say who has won.
    Judges,
    /// Say who has won, or pass.
    Stuck,
    /// Give features.
    Features,
}

impl Context {
    /// What a block is for, as messages say it.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Function => "this block computes a value",
            Self::Lists => "this block lists moves",
            Self::Acts => "this block changes the position",
            Self::Judges => "this block says who has won",
            Self::Stuck => "this block says what happens to a player without a move",
            Self::Features => "this block gives features",
        }
    }
}

/// A function under construction.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) name: String,
    pub(crate) params: Vec<Var>,
    pub(crate) result: Option<(Type, Var)>,
    pub(crate) blocks: Vec<BlockData>,
    pub(crate) names: Vec<(Var, String)>,
    pub(crate) scopes: Vec<HashMap<String, Local>>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) tries: usize,
    pub(crate) mode: Mode,
    pub(crate) context: Context,
    /// Whether candidate weights, `side` and `depth` make sense here.
    pub(crate) heuristic: bool,
    /// The player it is run for.
    pub(crate) me: Reg,
    literals: HashMap<i64, Reg>,
    seen: HashMap<TableId, Reg>,
    current: Block,
    place: u32,
    ints: u16,
    sets: u16,
    paths: u16,
}

impl Builder {
    /// A function whose only parameter yet is `me`.
    pub(crate) fn new(name: &str, mode: Mode, context: Context) -> Self {
        let mut builder = Self {
            name: name.to_owned(),
            params: Vec::new(),
            result: None,
            blocks: Vec::new(),
            names: Vec::new(),
            scopes: vec![HashMap::new()],
            loops: Vec::new(),
            tries: 0,
            mode,
            context,
            heuristic: false,
            me: Reg(0),
            literals: HashMap::new(),
            seen: HashMap::new(),
            current: Block(0),
            place: 0,
            ints: 0,
            sets: 0,
            paths: 0,
        };
        builder.me = builder.int();
        builder.params.push(Var::Int(builder.me));
        builder.names.push((Var::Int(builder.me), "me".to_owned()));
        // Block 0 holds the literals; the body begins in the next.
        let prologue = builder.block();
        let body = builder.block();
        builder.blocks[prologue.0 as usize].end = (End::Jump(body), 0);
        builder.current = body;
        builder
    }

    /// A new number register.
    pub(crate) fn int(&mut self) -> Reg {
        self.ints = self.ints.saturating_add(1);
        Reg(self.ints - 1)
    }

    /// A new set register.
    pub(crate) fn set(&mut self) -> SetReg {
        self.sets = self.sets.saturating_add(1);
        SetReg(self.sets - 1)
    }

    /// A new path register.
    pub(crate) fn path(&mut self) -> PathReg {
        self.paths = self.paths.saturating_add(1);
        PathReg(self.paths - 1)
    }

    /// Whether it has more registers than a function may have.
    pub(crate) fn too_large(&self) -> bool {
        self.ints > 30_000 || self.sets > 2_000 || self.paths > 2_000 || self.blocks.len() > 60_000
    }

    /// A new register for a value of type `ty`.
    pub(crate) fn var(&mut self, ty: Type) -> Var {
        match ty {
            Type::Set => Var::Set(self.set()),
            Type::Path(_) | Type::EmptyPath => Var::Path(self.path()),
            _ => Var::Int(self.int()),
        }
    }

    /// A new block, not yet reached.
    pub(crate) fn block(&mut self) -> Block {
        self.blocks.push(BlockData { insts: Vec::new(), end: (End::Return, 0) });
        Block(self.blocks.len() as u32 - 1)
    }

    /// Goes on writing in `block`.
    pub(crate) fn at(&mut self, block: Block) {
        self.current = block;
    }

    /// The source place of what follows.
    pub(crate) fn place(&mut self, place: u32) {
        self.place = place;
    }

    /// Adds an instruction.
    pub(crate) fn push(&mut self, inst: Inst) {
        let place = self.place;
        self.blocks[self.current.0 as usize].insts.push((inst, place));
    }

    /// Ends the block; what follows goes to a block that nothing reaches until
    /// [`Builder::at`] is called.
    pub(crate) fn end(&mut self, end: End) {
        let place = self.place;
        self.blocks[self.current.0 as usize].end = (end, place);
        self.current = self.block();
    }

    /// Ends the block with a jump and goes on in `block`.
    pub(crate) fn jump_to(&mut self, block: Block) {
        self.close(End::Jump(block));
        self.at(block);
    }

    /// Ends the block without opening another: the caller says where to go on.
    pub(crate) fn close(&mut self, end: End) {
        let place = self.place;
        self.blocks[self.current.0 as usize].end = (end, place);
    }

    /// A new register that holds `value` at first.
    pub(crate) fn constant(&mut self, value: i64) -> Reg {
        let dst = self.int();
        self.push(Inst::Const { dst, value });
        dst
    }

    /// A register that holds `value` and is never written again. It is set once, at the
    /// beginning of the function, so that loops need not set it each time round.
    pub(crate) fn literal(&mut self, value: i64) -> Reg {
        if let Some(&reg) = self.literals.get(&value) {
            return reg;
        }
        let dst = self.int();
        self.blocks[0].insts.push((Inst::Const { dst, value }, 0));
        self.literals.insert(value, dst);
        dst
    }

    /// A register that holds the entry of a table for `me`, looked up once at the beginning.
    pub(crate) fn seen_by_me(&mut self, table: TableId) -> Reg {
        if let Some(&reg) = self.seen.get(&table) {
            return reg;
        }
        let dst = self.int();
        let inst = Inst::Lookup { dst, table, i: self.me, j: None };
        self.blocks[0].insts.push((inst, 0));
        self.seen.insert(table, dst);
        dst
    }

    /// `a op b` in a new register.
    pub(crate) fn binary(&mut self, op: Binary, a: Reg, b: Reg) -> Reg {
        let dst = self.int();
        self.push(Inst::Binary { op, dst, a, b });
        dst
    }

    /// Branches on `cond`.
    pub(crate) fn branch(&mut self, cond: Reg, yes: Block, no: Block) {
        self.close(End::Branch { cond, yes, no });
    }

    /// Runs another function.
    pub(crate) fn call(&mut self, func: Func, args: Vec<Var>, result: Option<Var>) {
        self.push(Inst::Call { func, args, result });
    }

    /// The variable called `name`, innermost first.
    pub(crate) fn local(&self, name: &str) -> Option<Local> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// Declares a variable in the innermost scope.
    pub(crate) fn declare(&mut self, name: &str, local: Local) {
        self.names.push((local.var, name.to_owned()));
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), local);
        }
    }

    /// Copies `src` to `dst`, which must be of the same class.
    pub(crate) fn copy(&mut self, dst: Var, src: Var) {
        match (dst, src) {
            (Var::Int(dst), Var::Int(src)) => self.push(Inst::Copy { dst, src }),
            (Var::Set(dst), Var::Set(src)) => self.push(Inst::SetCopy { dst, src }),
            (Var::Path(dst), Var::Path(src)) => self.push(Inst::PathCopy { dst, src }),
            _ => {}
        }
    }

    /// The finished function, without the blocks that nothing reaches.
    pub(crate) fn finish(self) -> Function {
        let mut function = Function {
            name: self.name,
            params: self.params,
            result: self.result.map(|(_, var)| var),
            ints: self.ints,
            sets: self.sets,
            paths: self.paths,
            blocks: self.blocks,
            names: self.names,
        };
        drop_unreachable(&mut function);
        function
    }
}

/// Removes blocks that cannot be reached and renumbers the rest in order.
fn drop_unreachable(function: &mut Function) {
    let mut reached = vec![false; function.blocks.len()];
    let mut todo = vec![Block(0)];
    while let Some(block) = todo.pop() {
        if !std::mem::replace(&mut reached[block.0 as usize], true) {
            match function.blocks[block.0 as usize].end.0 {
                End::Jump(to) => todo.push(to),
                End::Branch { yes, no, .. } => todo.extend([yes, no]),
                End::Return => {}
            }
        }
    }
    let mut next = 0;
    let number: Vec<Block> = reached
        .iter()
        .map(|&kept| {
            next += u32::from(kept);
            Block(next.saturating_sub(1))
        })
        .collect();
    let mut kept = reached.into_iter();
    function.blocks.retain(|_| kept.next().unwrap_or(false));
    for block in &mut function.blocks {
        match &mut block.end.0 {
            End::Jump(to) => *to = number[to.0 as usize],
            End::Branch { yes, no, .. } => {
                *yes = number[yes.0 as usize];
                *no = number[no.0 as usize];
            }
            End::Return => {}
        }
    }
}
