//! What a move changes: which squares, what stood there and what stands there
//! after it, and which other cells.

use std::collections::BTreeSet;

use super::listed::{Codes, OFF, every_code};
use super::symbols::{Expr, Node, Symbols, Trace, looks_at_state};
use crate::inst::{ArrayId, BOARD, Binary, Block, Func, Inst, TURN};
use crate::post_dominators::PostDominators;
use crate::program::{ArrayRole, Program};
use crate::summary::Summaries;
use crate::try_depth::TryDepth;

/// A change of board cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The square, which the operands of the move decide; `None` for any squares.
    pub(super) square: Option<Node>,
    /// What may have stood there.
    pub(super) before: Codes,
    /// What may stand there now.
    pub(super) after: Codes,
}

/// All that a move of a statement may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changes {
    /// The board.
    pub(super) board: Vec<Change>,
    /// The arrays, but for the board.
    pub(super) arrays: BTreeSet<ArrayId>,
    /// What stands for certain on some square after the move: one of these codes.
    pub(super) leaves: Option<Codes>,
    /// Who was and is to move, if the turn is passed on in the usual order.
    pub(super) passing: Option<Passing>,
}

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passing {
    /// Before the move.
    pub(super) before: usize,
    /// After it.
    pub(super) after: usize,
}

impl Change {
    /// Whether a cell that did not hold one of `mask` may hold one now.
    pub(super) fn gains(&self, mask: Codes) -> bool {
        self.after & mask != 0 && self.before & !mask & !OFF != 0
    }

    /// Whether a cell that held one of `mask` may hold none now.
    pub(super) fn loses(&self, mask: Codes) -> bool {
        self.before & mask != 0 && self.after & !mask != 0
    }
}

impl Changes {
    /// What the effect of a statement changes when player `me` moves; `operands` is what stands
    /// on the squares that are the operands.
    pub(super) fn of(
        symbols: &mut Symbols,
        program: &Program,
        summaries: &Summaries,
        (effect, me): (Func, usize),
        operands: &[Codes],
    ) -> Option<Self> {
        let does = &summaries.function(effect).acts;
        let usual = !does.next && !does.writes.contains(&TURN);
        let passing =
            usual.then_some(Passing { before: me, after: (me + 1) % program.players.len() });
        let me = symbols.number(me as i64);
        let rest = (0..operands.len()).map(|it| symbols.node(Expr::Operand(it)));
        let params: Vec<Node> = std::iter::once(me).chain(rest.collect::<Vec<_>>()).collect();
        let trace = Trace::of(symbols, program, summaries, effect, &params)?;
        let mut find = Find {
            symbols,
            program,
            operands,
            changes: Self { board: Vec::new(), arrays: always(program), leaves: None, passing },
        };
        find.run(&trace, summaries, effect);
        Some(find.changes)
    }
}

/// The arrays that every move may change: the turn and the counters.
fn always(program: &Program) -> BTreeSet<ArrayId> {
    let counter = |id: &ArrayId| program.arrays[id.0 as usize].role == ArrayRole::Counter;
    (0..program.arrays.len() as u16).map(ArrayId).filter(counter).chain([TURN]).collect()
}

struct Find<'a> {
    symbols: &'a Symbols,
    program: &'a Program,
    operands: &'a [Codes],
    changes: Changes,
}

impl Find<'_> {
    fn run(&mut self, trace: &Trace, summaries: &Summaries, effect: Func) {
        let function = self.program.function(effect);
        let depths = TryDepth::of(function);
        let conjugates = PostDominators::of(function);
        let always = |block: Block| {
            std::iter::successors(Some(Block(0)), |&it| conjugates.block(it)).any(|it| it == block)
        };
        for &block in &trace.order {
            let Some(seen) = trace.block(block) else { continue };
            let certain = always(block) && trace.loops.innermost(block).is_none();
            for ((depth, inst), seen) in depths.insts(function, block).zip(&seen.insts) {
                if depth == 0 {
                    self.inst(summaries, inst, &seen.args, certain);
                }
            }
        }
    }

    fn inst(&mut self, summaries: &Summaries, inst: &Inst, args: &[Node], certain: bool) {
        match inst {
            Inst::Store { array: BOARD, index, .. } => {
                // The board has many cells; without an index it is the first.
                let square = index.map(|_| args[0]);
                let value = self.codes(args[args.len() - 1]);
                self.store(square, value & !OFF, certain);
            }
            Inst::StoreAll { .. } => {
                let change = Change {
                    square: None,
                    before: every_code(self.program),
                    after: self.codes(args[1]) & !OFF,
                };
                self.put(change);
            }
            Inst::Add { array: BOARD, .. } => self.put(self.anything()),
            Inst::Call { func, .. } => {
                let writes = &summaries.function(*func).acts.writes;
                if writes.contains(&BOARD) {
                    self.put(self.anything());
                }
                self.changes.arrays.extend(writes.iter().filter(|&&it| it != BOARD));
            }
            _ => self.changes.arrays.extend(inst.writes_array()),
        }
    }

    fn anything(&self) -> Change {
        let every = every_code(self.program);
        Change { square: None, before: every, after: every }
    }

    fn store(&mut self, square: Option<Node>, after: Codes, certain: bool) {
        let before = square.map_or(OFF | every_code(self.program), |it| self.before(it));
        let stable = square.filter(|&it| is_stable(self.symbols, it));
        self.put(Change { square: stable, before: before & !OFF, after });
        if certain && before & OFF == 0 {
            self.changes.leaves = Some(after);
        }
    }

    /// Adds a change. What an earlier one left may be gone.
    fn put(&mut self, change: Change) {
        if let Some(leaves) = &mut self.changes.leaves {
            *leaves |= change.after;
        }
        self.changes.board.push(change);
    }

    /// What stood on a square before the move.
    fn before(&self, square: Node) -> Codes {
        match *self.symbols.expr(square) {
            Expr::Operand(index) => self.operands[index],
            _ => every_code(self.program) | OFF,
        }
    }

    /// The codes that a number may be; -1 counts as no square.
    fn codes(&self, value: Node) -> Codes {
        let every = every_code(self.program);
        match self.symbols.expr(value) {
            Expr::Const(value) => 1u64.checked_shl(*value as u32).unwrap_or(0) & every,
            Expr::Select { yes, no, .. } => self.codes(*yes) | self.codes(*no),
            Expr::Apply {
                inst: Inst::Load { array: BOARD, index: Some(_), .. },
                args,
                version,
            } => {
                if *version == 0 {
                    self.before(args[0])
                } else {
                    every | OFF
                }
            }
            Expr::Apply { inst: Inst::Binary { op: Binary::Max, .. }, args, .. } => {
                self.no_less_than_empty(args)
            }
            _ => every | OFF,
        }
    }

    /// The codes of `max(value, 0)`: what is on no square counts as empty.
    fn no_less_than_empty(&self, args: &[Node]) -> Codes {
        let zero = |&node: &Node| self.symbols.constant(node) == Some(0);
        let codes = match args {
            [value, other] | [other, value] if zero(other) => self.codes(*value),
            _ => return every_code(self.program),
        };
        if codes & OFF == 0 { codes } else { codes & !OFF | 1 }
    }
}

/// Whether an expression follows from the operands alone, so that it is the same after the move.
fn is_stable(symbols: &Symbols, node: Node) -> bool {
    match symbols.expr(node) {
        Expr::Operand(_) | Expr::Const(_) => true,
        Expr::Apply { inst, args, .. } => {
            let changes = inst.changes_in_place();
            !changes && !looks_at_state(inst) && args.iter().all(|&it| is_stable(symbols, it))
        }
        Expr::Empty | Expr::Unknown(_) | Expr::Part { .. } | Expr::Select { .. } => false,
    }
}
