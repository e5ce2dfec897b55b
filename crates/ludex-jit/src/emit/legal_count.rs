//! Counting legal moves: those that are legal for sure are counted in whole sets,
//! and only the others are listed and tried.
//!
//! Which are legal for sure, the guarded squares tell (see [`ludex_ir::passes::legality_guard`]). A
//! move is doubtful if it touches one of them, or moves a man that is looked for.
//! For a set of moves that differ in one square, the doubtful ones are a set, too.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;
use ludex_ir::passes::legality_guard::{Doubt, LegalityGuard};
use ludex_ir::{Block, Inst, Spread, StatementId, TryDepth};

use super::frame::Frame;
use super::sets::Set;
use super::{Emitter, Mode, Wanted, Written};
use crate::context::LEN;

/// What tells doubtful moves from legal ones.
#[derive(Clone, Debug)]
pub(super) struct LegalCount {
    /// The guarded squares.
    guarded: Set,
    /// The squares with men that a legal move, untried, does not move.
    held: Set,
    guard: LegalityGuard,
    /// How many legal moves have been counted.
    counted: Variable,
}

impl Emitter<'_, '_> {
    /// How many legal moves a player has; the list is used on the way.
    pub(super) fn count_legal(&mut self, player: usize) -> Written<Value> {
        let can = self.can_use_guard(player);
        match self.guarded(player)?.filter(|_| can) {
            Some(guarded) => self.count_with_guard(player, guarded),
            None => self.call_native(Wanted::Legal(player), &[]),
        }
    }

    /// Whether the moves of a player are listed by its own code and nothing else, each once, and
    /// in the position as it is.
    fn can_use_guard(&self, player: usize) -> bool {
        let code = &self.unit.players[player];
        let twins = self.unit.program.statements.iter().any(|it| it.twins);
        if code.legality_guard.is_none() || twins || !self.unit.distinct {
            return false;
        }
        let function = self.unit.program.function(code.roles.moves);
        let depths = TryDepth::of(function);
        let blocks = (0..function.blocks.len()).map(|it| Block(it as u32));
        blocks.flat_map(|block| depths.insts(function, block)).all(|(depth, inst)| match inst {
            Inst::Emit { .. } | Inst::EmitAll { .. } => depth == 0,
            Inst::Call { func, .. } => !self.unit.summaries.function(*func).emits,
            _ => true,
        })
    }

    /// Counts where the position is not illegal as it is; there, every move is tried.
    fn count_with_guard(&mut self, player: usize, guarded: Set) -> Written<Value> {
        let (counted, zero) = (self.new_var(), self.number(0));
        self.b.def_var(counted, zero);
        let [wrong, right, done] = std::array::from_fn(|_| self.b.create_block());
        let is_wrong = self.guards_all(&guarded);
        self.branch(is_wrong, wrong, right);
        self.go_on_in(wrong);
        let count = self.call_native(Wanted::Legal(player), &[])?;
        self.b.def_var(counted, count);
        self.jump(done);
        self.go_on_in(right);
        self.legal_count(player, guarded, counted)?;
        let (sure, listed) = (self.b.use_var(counted), self.load(self.ctx, LEN));
        let all = self.add(sure, listed);
        self.stop_if_too_many(all);
        self.count_allowed(player, counted)?;
        self.jump(done);
        self.go_on_in(done);
        Ok(self.b.use_var(counted))
    }

    /// Counts the moves that are legal for sure and lists the others.
    fn legal_count(&mut self, player: usize, guarded: Set, counted: Variable) -> Written {
        let Some(guard) = &self.unit.players[player].legality_guard else { return Ok(()) };
        let guard = guard.clone();
        let held = self.squares_with(guard.men);
        self.legal_count = Some(LegalCount { guarded, held, guard, counted });
        let zero = self.number(0);
        self.store(zero, self.ctx, LEN);
        let (moves, me) = (self.unit.players[player].roles.moves, self.number(player as i64));
        self.run(moves, Mode::CountLegal, &[super::frame::Operand::Int(me)])?;
        self.legal_count = None;
        Ok(())
    }

    /// Adds the listed moves that are allowed when they are tried.
    fn count_allowed(&mut self, player: usize, counted: Variable) -> Written {
        let len = self.load(self.ctx, LEN);
        let (at, zero) = (self.new_var(), self.number(0));
        self.b.def_var(at, zero);
        let [head, body, done] = std::array::from_fn(|_| self.b.create_block());
        self.jump(head);
        self.go_on_in(head);
        let index = self.b.use_var(at);
        let more = self.is(IntCC::UnsignedLessThan, index, len);
        self.branch(more, body, done);
        self.go_on_in(body);
        let (low, high) = self.listed(index);
        let wrong = self.call_native(Wanted::Forbidden(player), &[low, high])?;
        let one = self.number(1);
        let allowed = self.sub(one, wrong);
        self.add_to(counted, allowed);
        self.add_to(at, one);
        self.jump(head);
        self.go_on_in(done);
        Ok(())
    }

    fn add_to(&mut self, var: Variable, more: Value) {
        let old = self.b.use_var(var);
        let new = self.add(old, more);
        self.b.def_var(var, new);
    }

    /// Of the moves for a set, counts those that are legal for sure; gives the set of the others.
    pub(super) fn sift(
        &mut self,
        frame: &Frame<'_>,
        statement: StatementId,
        set: &Set,
        args: &[Spread],
    ) -> Set {
        let Some(legal_count) = self.legal_count.clone() else { return set.clone() };
        let Some(doubts) = legal_count.guard.doubts(statement.0 as usize) else {
            return set.clone();
        };
        let mut doubtful = self.empty();
        for doubt in doubts {
            let there = match doubt {
                Doubt::Guarded(it) => self.leads_into(frame, args[it], &legal_count.guarded),
                Doubt::Man(it) => self.leads_into(frame, args[it], &legal_count.held),
                Doubt::NoSquare(it) => Some(self.leads_nowhere(frame, args[it])),
            };
            let Some(there) = there else { return set.clone() };
            doubtful = self.union(&doubtful, &there);
        }
        let sure = self.difference(set, &doubtful);
        let count = self.count(&sure);
        self.add_to(legal_count.counted, count);
        self.intersection(set, &doubtful)
    }

    /// The squares for which an operand is one of `squares`; `None` if that cannot be told for
    /// all at once.
    fn leads_into(&mut self, frame: &Frame<'_>, arg: Spread, squares: &Set) -> Option<Set> {
        match arg {
            Spread::Member => Some(squares.clone()),
            Spread::Table(table) => {
                let to = self.spread_table(table.0 as usize);
                self.moved_back(squares, &to)
            }
            Spread::Same(reg) => {
                let square = self.int(frame, reg);
                let hit = self.contains(squares, square);
                Some(self.all_or_none(hit))
            }
        }
    }

    /// The squares for which an operand is no square.
    fn leads_nowhere(&mut self, frame: &Frame<'_>, arg: Spread) -> Set {
        match arg {
            Spread::Member => self.empty(),
            Spread::Table(table) => {
                let squares = self.unit.program.squares;
                let is_square = |to: i64| usize::try_from(to).is_ok_and(|it| it < squares);
                let mut words = vec![0; self.words()];
                for (from, to) in self.spread_table(table.0 as usize).into_iter().enumerate() {
                    words[from / 64] |= u64::from(!is_square(to)) << (from % 64);
                }
                self.constant_set(&words)
            }
            Spread::Same(reg) => {
                let square = self.int(frame, reg);
                let outside = self.is_no_square(square);
                self.all_or_none(outside)
            }
        }
    }

    /// All bits of a set for 1, none for 0.
    fn all_or_none(&mut self, bit: Value) -> Set {
        let all = self.b.ins().ineg(bit);
        vec![all; self.words()]
    }

    /// Whether a set of guarded squares has them all: the position as it is would be illegal.
    pub(super) fn guards_all(&mut self, guarded: &Set) -> Value {
        let full = self.full();
        let all = self.constant_set(&full);
        let missing = self.difference(&all, guarded);
        let some = self.has_any(&missing);
        self.is_number(IntCC::Equal, some, 0)
    }
}
