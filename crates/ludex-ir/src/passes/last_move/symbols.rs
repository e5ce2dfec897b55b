//! Code as expressions: what each register holds at each place, as far as it
//! can be told without running the code.
//!
//! A [`Trace`] walks a function once. Every value becomes a [`Node`] of a
//! common store ([`Symbols`]) in which equal expressions are one node, so two
//! places that compute the same thing are seen to do so. What a loop assigns is
//! unknown at its head; after a branch that joins again a register may hold one
//! value or the other ([`Expr::Select`]).
//!
//! Expressions that look at the state carry its *version*: 0 for the state that
//! the function was called in, another number after each write.

use std::collections::HashMap;

use crate::inst::{Block, End, Func, Inst, PathReg, Reg, SetReg, Unary, Var};
use crate::passes::loops::{Dominators, Loops, Predecessors, predecessors, reverse_postorder};
use crate::program::{Function, Program};
use crate::summary::Summaries;

/// An expression of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::passes) struct Node(u32);

/// How a value comes about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::passes) enum Expr {
    /// An operand of a move, by number.
    Operand(usize),
    /// A number.
    Const(i64),
    /// The empty set.
    Empty,
    /// Nothing is known; each number is another value.
    Unknown(u32),
    /// Some part of a set; each number is another one.
    Part { of: Node, id: u32 },
    /// What an instruction gives; its registers are all written as number 0, what they hold are
    /// the `args`, in the order of [`Inst::uses`].
    Apply { inst: Inst, args: Vec<Node>, version: u32 },
    /// One value or the other.
    Select { cond: Node, yes: Node, no: Node },
}

/// All expressions.
#[derive(Debug, Default)]
pub(in crate::passes) struct Symbols {
    exprs: Vec<Expr>,
    known: HashMap<Expr, Node>,
    unknowns: u32,
}

impl Symbols {
    /// How a value comes about.
    pub(in crate::passes) fn expr(&self, node: Node) -> &Expr {
        &self.exprs[node.0 as usize]
    }

    /// The node of an expression.
    pub(in crate::passes) fn node(&mut self, expr: Expr) -> Node {
        if let Some(&node) = self.known.get(&expr) {
            return node;
        }
        let node = Node(self.exprs.len() as u32);
        self.exprs.push(expr.clone());
        self.known.insert(expr, node);
        node
    }

    /// The node of a number.
    pub(in crate::passes) fn number(&mut self, value: i64) -> Node {
        self.node(Expr::Const(value))
    }

    /// A value of which nothing is known.
    pub(in crate::passes) fn unknown(&mut self) -> Node {
        self.unknowns += 1;
        self.node(Expr::Unknown(self.unknowns))
    }

    /// The number that a node is, if it is one.
    pub(in crate::passes) fn constant(&self, node: Node) -> Option<i64> {
        match *self.expr(node) {
            Expr::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The instruction and what it works on, if a node is what one gives.
    pub(in crate::passes) fn applied(&self, node: Node) -> Option<(&Inst, &[Node], u32)> {
        match self.expr(node) {
            Expr::Apply { inst, args, version } => Some((inst, args, *version)),
            _ => None,
        }
    }

    fn part(&mut self, of: Node) -> Node {
        self.unknowns += 1;
        self.node(Expr::Part { of, id: self.unknowns })
    }

    fn select(&mut self, cond: Node, yes: Node, no: Node) -> Node {
        if yes == no { yes } else { self.node(Expr::Select { cond, yes, no }) }
    }

    /// What an instruction gives for given arguments.
    fn apply(&mut self, program: &Program, inst: &Inst, args: Vec<Node>, version: u32) -> Node {
        let same = |node: Option<&Node>| node.copied();
        let simple = match *inst {
            Inst::Const { value, .. } => Some(self.number(value)),
            Inst::Copy { .. } | Inst::SetCopy { .. } | Inst::PathCopy { .. } => same(args.first()),
            Inst::Lookup { table, j, .. } => {
                let value = self.looked_up(program, table.0, &args, j.is_some());
                value.map(|value| self.number(value))
            }
            Inst::Unary { op: Unary::Not, .. } => {
                let value = args.first().and_then(|&it| self.constant(it));
                value.map(|value| self.number(i64::from(value == 0)))
            }
            _ => None,
        };
        simple.unwrap_or_else(|| {
            let version = if looks_at_state(inst) { version } else { 0 };
            self.node(Expr::Apply { inst: bare(inst), args, version })
        })
    }

    /// An entry of a table at known places.
    fn looked_up(&self, program: &Program, table: u16, args: &[Node], two: bool) -> Option<i64> {
        let table = program.tables.get(table as usize)?;
        let i = usize::try_from(self.constant(*args.first()?)?).ok()?;
        let j = if two { usize::try_from(self.constant(*args.get(1)?)?).ok()? } else { 0 };
        let inside = i < table.rows && j < table.columns;
        inside.then(|| table.data[i * table.columns + j])
    }
}

/// Whether what it gives depends on the state or on how it came about.
pub(in crate::passes) fn looks_at_state(inst: &Inst) -> bool {
    let asks = matches!(
        inst,
        Inst::Repeats { .. } | Inst::Reply { .. } | Inst::Side { .. } | Inst::Depth { .. }
    );
    asks || inst.reads_array().is_some()
}

/// The instruction with all its registers written as number 0.
fn bare(inst: &Inst) -> Inst {
    let mut inst = inst.clone();
    inst.rename_all(|var| match var {
        Var::Int(_) => Reg(0).into(),
        Var::Set(_) => SetReg(0).into(),
        Var::Path(_) => PathReg(0).into(),
    });
    inst
}

/// What the registers hold at one place.
#[derive(Clone, Debug)]
struct Env {
    ints: Vec<Node>,
    sets: Vec<Node>,
    paths: Vec<Node>,
    version: u32,
}

impl Env {
    fn get(&self, var: Var) -> Node {
        match var {
            Var::Int(reg) => self.ints[reg.0 as usize],
            Var::Set(reg) => self.sets[reg.0 as usize],
            Var::Path(reg) => self.paths[reg.0 as usize],
        }
    }

    fn set(&mut self, var: Var, node: Node) {
        match var {
            Var::Int(reg) => self.ints[reg.0 as usize] = node,
            Var::Set(reg) => self.sets[reg.0 as usize] = node,
            Var::Path(reg) => self.paths[reg.0 as usize] = node,
        }
    }

    fn vars(&self) -> impl Iterator<Item = Var> + use<> {
        let ints = (0..self.ints.len() as u16).map(|it| Var::Int(Reg(it)));
        let sets = (0..self.sets.len() as u16).map(|it| Var::Set(SetReg(it)));
        let paths = (0..self.paths.len() as u16).map(|it| Var::Path(PathReg(it)));
        ints.chain(sets).chain(paths)
    }
}

/// What one instruction works on and gives.
#[derive(Clone, Debug)]
pub(in crate::passes) struct Seen {
    /// What it works on, in the order of [`Inst::uses`].
    pub(in crate::passes) args: Vec<Node>,
    /// What it gives.
    pub(in crate::passes) value: Option<Node>,
}

/// What one block does.
#[derive(Clone, Debug, Default)]
pub(in crate::passes) struct BlockTrace {
    /// Its instructions.
    pub(in crate::passes) insts: Vec<Seen>,
    /// What its branch looks at.
    pub(in crate::passes) cond: Option<Node>,
}

/// A function, seen as expressions.
#[derive(Debug)]
pub(in crate::passes) struct Trace {
    blocks: Vec<Option<BlockTrace>>,
    /// Which block dominates which.
    pub(in crate::passes) dominators: Dominators,
    /// The loops.
    pub(in crate::passes) loops: Loops,
    /// The blocks that run, in an order in which a block comes after all that lead to it, but
    /// for edges that close loops.
    pub(in crate::passes) order: Vec<Block>,
    before: Predecessors,
    /// What loops assign: the value at the head, the head, the register, the value before.
    carried: HashMap<Node, (Block, Var, Node)>,
}

/// A branch that was taken for certain: what it looked at, and whether that was not 0.
pub(in crate::passes) type Literal = (Node, bool);

impl Trace {
    /// Walks a function whose parameters hold `params`; `None` if its loops have several entries.
    pub(in crate::passes) fn of(
        symbols: &mut Symbols,
        program: &Program,
        summaries: &Summaries,
        func: Func,
        params: &[Node],
    ) -> Option<Self> {
        let function = program.function(func);
        let trace = Self {
            blocks: vec![None; function.blocks.len()],
            dominators: Dominators::of(function),
            loops: Loops::of(function),
            order: reverse_postorder(function),
            before: predecessors(function),
            carried: HashMap::new(),
        };
        trace.is_reducible().then(|| {
            let mut walk = Walk { symbols, program, summaries, function, trace, ends: Vec::new() };
            walk.run(params);
            walk.trace
        })
    }

    /// What a block does; `None` if it never runs.
    pub(in crate::passes) fn block(&self, block: Block) -> Option<&BlockTrace> {
        self.blocks[block.0 as usize].as_ref()
    }

    /// The head of the loop that a value is unknown at because the loop assigns its register, the
    /// register, and what it held before the loop.
    pub(in crate::passes) fn carried(&self, node: Node) -> Option<(Block, Var, Node)> {
        self.carried.get(&node).copied()
    }

    /// The values that are unknown at the head of a loop.
    pub(in crate::passes) fn carried_by(&self, header: Block) -> impl Iterator<Item = Node> + '_ {
        self.carried.iter().filter(move |it| it.1.0 == header).map(|it| *it.0)
    }

    /// Whether an edge closes a loop.
    pub(in crate::passes) fn is_back(&self, from: Block, to: Block) -> bool {
        self.dominators.dominates(to, from)
    }

    /// The blocks that lead to a block without closing a loop.
    pub(in crate::passes) fn forward(&self, to: Block) -> Vec<Block> {
        let before = self.before[to.0 as usize].iter().copied();
        before.filter(|&from| !self.is_back(from, to)).collect()
    }

    fn is_reducible(&self) -> bool {
        let mut seen = vec![false; self.blocks.len()];
        self.order.iter().all(|&block| {
            seen[block.0 as usize] = true;
            self.forward(block).iter().all(|from| seen[from.0 as usize])
        })
    }

    /// Which side of the branch at the end of `at` leads to `block` for certain, if one does:
    /// every way from `at` to `block` without passing `at` again begins with that side.
    pub(in crate::passes) fn side(
        &self,
        function: &Function,
        at: Block,
        block: Block,
    ) -> Option<bool> {
        let End::Branch { yes, no, .. } = function.block(at).end.0 else { return None };
        let only = |to: Block| {
            yes != no && self.before[to.0 as usize] == [at] && self.dominators.dominates(to, block)
        };
        if only(yes) {
            Some(true)
        } else if only(no) {
            Some(false)
        } else {
            None
        }
    }

    /// What must have been so for a block to be reached: the branches that dominate it.
    pub(in crate::passes) fn conditions(&self, function: &Function, block: Block) -> Vec<Literal> {
        let above =
            std::iter::successors(self.dominators.parent(block), |&it| self.dominators.parent(it));
        above
            .filter_map(|at| {
                let cond = self.block(at)?.cond?;
                Some((cond, self.side(function, at, block)?))
            })
            .collect()
    }
}

struct Walk<'a> {
    symbols: &'a mut Symbols,
    program: &'a Program,
    summaries: &'a Summaries,
    function: &'a Function,
    trace: Trace,
    /// What the registers hold at the end of each block.
    ends: Vec<Option<Env>>,
}

impl Walk<'_> {
    fn run(&mut self, params: &[Node]) {
        self.ends = vec![None; self.function.blocks.len()];
        for block in self.trace.order.clone() {
            let env = if block == Block(0) { self.start(params) } else { self.merge(block) };
            let mut env = self.enter_loop(block, env);
            let data = self.function.block(block);
            let insts = data.insts.iter().map(|(inst, _)| self.inst(inst, &mut env)).collect();
            let cond = match data.end.0 {
                End::Branch { cond, .. } => Some(env.get(cond.into())),
                _ => None,
            };
            self.trace.blocks[block.0 as usize] = Some(BlockTrace { insts, cond });
            self.ends[block.0 as usize] = Some(env);
        }
    }

    fn start(&mut self, params: &[Node]) -> Env {
        let zero = self.symbols.number(0);
        let empty = self.symbols.node(Expr::Empty);
        let path = self.symbols.unknown();
        let mut env = Env {
            ints: vec![zero; self.function.ints as usize],
            sets: vec![empty; self.function.sets as usize],
            paths: vec![path; self.function.paths as usize],
            version: 0,
        };
        for (&param, &node) in self.function.params.iter().zip(params) {
            env.set(param, node);
        }
        env
    }

    /// What the registers hold where several ways meet.
    fn merge(&mut self, block: Block) -> Env {
        let from = self.trace.forward(block);
        let ends: Vec<Env> =
            from.iter().filter_map(|it| self.ends[it.0 as usize].clone()).collect();
        let mut env = ends[0].clone();
        if ends.iter().any(|it| it.version != env.version) {
            env.version = self.fresh_version();
        }
        for var in env.vars() {
            let values: Vec<Node> = ends.iter().map(|it| it.get(var)).collect();
            if values.iter().any(|&it| it != values[0]) {
                let joined = self.join(block, &from, &values);
                env.set(var, joined);
            }
        }
        env
    }

    /// The one value or the other, if the nearest branch above decides which.
    fn join(&mut self, block: Block, from: &[Block], values: &[Node]) -> Node {
        let found = self.decided(block, from, values);
        match found {
            Some((cond, yes, no)) => self.symbols.select(cond, yes, no),
            None => self.symbols.unknown(),
        }
    }

    fn decided(&self, block: Block, from: &[Block], values: &[Node]) -> Option<(Node, Node, Node)> {
        let at = self.trace.dominators.parent(block)?;
        let cond = self.trace.block(at)?.cond?;
        let End::Branch { yes, no, .. } = self.function.block(at).end.0 else { return None };
        let mut sides: [Option<Node>; 2] = [None, None];
        for (&from, &value) in from.iter().zip(values) {
            let side = if from == at {
                (yes != no).then_some(yes == block)?
            } else {
                self.trace.side(self.function, at, from)?
            };
            let kept = sides[usize::from(side)].get_or_insert(value);
            if *kept != value {
                return None;
            }
        }
        Some((cond, sides[1]?, sides[0]?))
    }

    /// At the head of a loop, whatever the loop assigns is unknown; a set that it only takes
    /// squares out of is a part of what it was.
    fn enter_loop(&mut self, block: Block, mut env: Env) -> Env {
        let found = self.trace.loops.all().iter().find(|it| it.header == block).cloned();
        let Some(found) = found else { return env };
        let (mut assigned, mut only_removed, mut writes) = (Vec::new(), Vec::new(), false);
        for &inside in &found.blocks {
            for (inst, _) in &self.function.block(inside).insts {
                writes |= self.writes(inst);
                match (inst, inst.assigns()) {
                    (Inst::SetRemove { .. }, Some(var)) => only_removed.push(var),
                    (_, Some(var)) => assigned.push(var),
                    _ => {}
                }
            }
        }
        for &var in &only_removed {
            let part = self.symbols.part(env.get(var));
            env.set(var, part);
        }
        for &var in &assigned {
            let unknown = self.symbols.unknown();
            self.trace.carried.insert(unknown, (block, var, env.get(var)));
            env.set(var, unknown);
        }
        if writes {
            env.version = self.fresh_version();
        }
        env
    }

    fn inst(&mut self, inst: &Inst, env: &mut Env) -> Seen {
        let args: Vec<Node> = inst.uses().into_iter().map(|var| env.get(var)).collect();
        let value = inst.assigns().map(|var| {
            let node = match inst {
                Inst::Call { .. } => self.symbols.unknown(),
                _ => self.symbols.apply(self.program, inst, args.clone(), env.version),
            };
            env.set(var, node);
            node
        });
        if self.writes(inst) {
            env.version = self.fresh_version();
        }
        Seen { args, value }
    }

    fn fresh_version(&mut self) -> u32 {
        self.symbols.unknowns += 1;
        self.symbols.unknowns
    }

    fn writes(&self, inst: &Inst) -> bool {
        match inst {
            Inst::TryEnd => true,
            Inst::Call { func, .. } => !self.summaries.function(*func).acts.writes.is_empty(),
            _ => inst.writes_array().is_some(),
        }
    }
}
