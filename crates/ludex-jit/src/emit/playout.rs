//! A random game to its end, as one loop.
//!
//! ```text
//! who is to move? ─> [limit] ─> choose ─> play ─> ended? ─> who is to move? ...
//!                                 └─ nothing to choose: stuck
//! ```
//!
//! Where all moves are listed for whole sets, nothing is listed: the sets are
//! counted, a number is drawn, and the move is the one with that number. Else
//! the moves are listed and one is drawn; a forbidden one is taken off the list
//! and another drawn. Both ways every legal move is as likely as any other.
//!
//! The code for each player stands by itself, so that whose turn it is need not
//! be asked as long as the rules say who comes next.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, StackSlot, Value};
use cranelift_frontend::Variable;
use ludex_ir::inst::TURN;
use ludex_ir::passes::After;
use ludex_ir::passes::loops::Loops;
use ludex_ir::{Func, Function, Inst, SetBinary, SetReg, Spread, StatementId};

use super::frame::Operand;
use super::moves::{Choice, Site};
use super::play::Empty;
use super::sets::Set;
use super::{Emitter, Mode, Wanted, Written};
use crate::context::{
    ADJUDICATE, CUT, IRREVERSIBLE, KEYS, KEYS_CAP, KEYS_LEN, LEN, LIMIT, MOVES, PLIES, RANDOM,
    SAID, STEPS, STOPPED,
};
use crate::deposit::DEPOSIT;

/// How a random game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The limit came first.
    Limit = 0,
    /// The result said something when asked for the player.
    Result = 1,
    /// The adjudication said something.
    Adjudicated = 2,
    /// The player had no move, and what was said about that is the end.
    Stuck = 3,
}

/// An ending and whom it concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) ending: Ending,
    pub(crate) player: usize,
    /// Whether the result is known to say nothing for everybody else.
    pub(crate) alone: bool,
}

impl End {
    const fn new(ending: Ending, player: usize) -> Self {
        Self { ending, player, alone: false }
    }

    /// One number for all: the player in the lowest four bits, then the ending.
    const fn code(self) -> i64 {
        (self.alone as i64) << 8 | (self.ending as i64) << 4 | self.player as i64
    }

    /// What a code says.
    pub(crate) const fn of(code: i64) -> Option<Self> {
        let ending = match code >> 4 & 15 {
            0 => Ending::Limit,
            1 => Ending::Result,
            2 => Ending::Adjudicated,
            3 => Ending::Stuck,
            _ => return None,
        };
        Some(Self { ending, player: (code & 15) as usize, alone: code >> 8 == 1 })
    }
}

/// Where moves are listed for a whole set.
struct Listing {
    statement: StatementId,
    args: Vec<Spread>,
    /// Whether all squares of the set are empty.
    on_empty: bool,
}

/// Whether a set that is made once has only empty squares.
fn only_empty(function: &Function, set: SetReg) -> bool {
    let insts = || function.blocks.iter().flat_map(|block| &block.insts).map(|(inst, _)| inst);
    let mut made = insts().filter(|inst| inst.assigns() == Some(set.into()));
    let (Some(inst), None) = (made.next(), made.next()) else { return false };
    match *inst {
        Inst::SetWhere { mask, .. } => {
            let mut masks = insts().filter(|inst| inst.assigns() == Some(mask.into()));
            matches!(masks.next(), Some(Inst::Const { value: 1, .. })) && masks.next().is_none()
        }
        Inst::SetBinary { op: SetBinary::Intersection, a, b, .. } => {
            only_empty(function, a) || only_empty(function, b)
        }
        Inst::SetBinary { op: SetBinary::Difference, a, .. } => only_empty(function, a),
        _ => false,
    }
}

/// A square drawn from a set.
struct Chosen {
    square: Value,
    /// Its bit in its word, where that is at hand.
    bit: Option<Value>,
}

/// The places of the loop.
struct Loop {
    /// Where each player is to move.
    movers: Vec<Block>,
    /// Looks who is to move.
    dispatch: Block,
    /// The end, with its code.
    over: Block,
    plies: Variable,
    slot: StackSlot,
}

impl Emitter<'_, '_> {
    pub(super) fn playout(&mut self) -> Written<Value> {
        let players = self.unit.program.players.len();
        let plies = self.new_var();
        let zero = self.number(0);
        self.b.def_var(plies, zero);
        self.keep_in_registers();
        let over = self.b.create_block();
        self.b.append_block_param(over, cranelift_codegen::ir::types::I64);
        let places = Loop {
            movers: (0..players).map(|_| self.b.create_block()).collect(),
            dispatch: self.b.create_block(),
            over,
            plies,
            slot: self.block_slot(),
        };
        self.store(zero, self.ctx, SAID);
        self.ask_all(&places)?;
        self.jump(places.dispatch);
        self.dispatch(&places);
        for player in 0..players {
            self.mover(&places, player)?;
        }
        self.go_on_in(over);
        // Each turn has had its own steps; those of the last one are of no interest.
        let steps = self.load(self.ctx, STEPS);
        self.b.def_var(self.fuel, steps);
        self.flush();
        let plies = self.b.use_var(plies);
        self.store(plies, self.ctx, PLIES);
        Ok(self.b.block_params(over)[0])
    }

    /// Goes to the code of the player to move.
    fn dispatch(&mut self, places: &Loop) {
        self.go_on_in(places.dispatch);
        let raw = self.raw_cell(TURN, None);
        let lo = self.unit.program.arrays[TURN.0 as usize].lo;
        let turn = self.plus(raw, lo);
        for (player, &mover) in places.movers.iter().enumerate() {
            let other = self.b.create_block();
            let his = self.is_number(IntCC::Equal, turn, player as i64);
            self.branch(his, mover, other);
            self.go_on_in(other);
        }
        let status = self.number(STOPPED);
        self.stop(status);
    }

    /// What a player does when it is his turn.
    fn mover(&mut self, places: &Loop, player: usize) -> Written {
        self.go_on_in(places.movers[player]);
        let steps = self.load(self.ctx, STEPS);
        self.b.def_var(self.fuel, steps);
        let plies = self.b.use_var(places.plies);
        let limit = self.load(self.ctx, LIMIT);
        let enough = self.is(IntCC::UnsignedGreaterThanOrEqual, plies, limit);
        let on = self.b.create_block();
        self.end_if(places, enough, End::new(Ending::Limit, player), on);
        let stuck = self.b.create_block();
        match self.sites_of(player) {
            Some(sites) => self.choose_from_sets(places, player, sites, stuck)?,
            None => self.choose_from_list(places, player, stuck)?,
        }
        self.go_on_in(stuck);
        self.stuck(places, player)
    }

    /// Ends the game if a condition holds, else goes on in a block.
    fn end_if(&mut self, places: &Loop, cond: Value, end: End, on: Block) {
        let over = self.b.create_block();
        self.b.set_cold_block(over);
        self.branch(cond, over, on);
        self.go_on_in(over);
        let code = self.number(end.code());
        self.jump_with(places.over, code);
        self.go_on_in(on);
    }

    /// The sets that a player's moves are listed for, if there is nothing else.
    fn sites_of(&self, player: usize) -> Option<Vec<Listing>> {
        let code = &self.unit.players[player];
        let twins = self.unit.program.statements.iter().any(|it| it.twins);
        if code.illegal.is_some() || twins || !self.unit.distinct {
            return None;
        }
        let function = self.unit.program.function(code.moves);
        let loops = Loops::of(function);
        let mut sites = Vec::new();
        for block in ludex_ir::passes::loops::reverse_postorder(function) {
            for (inst, _) in &function.block(block).insts {
                match inst {
                    Inst::EmitAll { statement, args, set } if loops.innermost(block).is_none() => {
                        let on_empty = only_empty(function, *set);
                        sites.push(Listing { statement: *statement, args: args.clone(), on_empty });
                    }
                    Inst::EmitAll { .. } | Inst::Emit { .. } => return None,
                    Inst::Call { func, .. } if self.unit.summaries.function(*func).emits => {
                        return None;
                    }
                    _ => {}
                }
            }
        }
        Some(sites)
    }

    /// Counts the sets, draws a number and plays the move that has it.
    fn choose_from_sets(
        &mut self,
        places: &Loop,
        player: usize,
        listings: Vec<Listing>,
        stuck: Block,
    ) -> Written {
        self.sites = listings.iter().map(|it| self.new_site(it.statement, &it.args)).collect();
        self.filled = 0;
        let moves = self.unit.players[player].moves;
        let me = Operand::Int(self.number(player as i64));
        self.run(moves, Mode::Sample, &[me])?;
        let sites = std::mem::take(&mut self.sites);
        let sets: Vec<Set> = sites.iter().map(|site| self.use_set(&site.set)).collect();
        let counts: Vec<Value> = sets.iter().map(|set| self.count(set)).collect();
        let zero = self.number(0);
        let total = counts.iter().fold(zero, |sum, &count| self.add(sum, count));
        let some = self.b.create_block();
        self.branch(total, some, stuck);
        self.go_on_in(some);
        let mut place = self.below(total);
        for (index, (site, set)) in sites.iter().zip(&sets).enumerate() {
            let (here, further) = (self.b.create_block(), self.b.create_block());
            if index + 1 == sites.len() {
                self.jump(here);
            } else {
                let inside = self.is(IntCC::UnsignedLessThan, place, counts[index]);
                self.branch(inside, here, further);
            }
            self.go_on_in(here);
            let Chosen { square, bit } = self.select(set, place)?;
            let operands = self.chosen(site, square);
            let empty = site.args.iter().position(|it| matches!(it, Choice::Member));
            let empty = empty.filter(|_| listings[index].on_empty);
            let empty = empty.map(|operand| Empty { operand, bit });
            self.play_known(places, player, (site.statement, empty), &operands)?;
            self.go_on_in(further);
            place = self.sub(place, counts[index]);
        }
        // The last site has no further one; its block is never reached.
        let status = self.number(STOPPED);
        self.stop(status);
        Ok(())
    }

    /// The operands of the move for a square of a site.
    fn chosen(&mut self, site: &Site, member: Value) -> Vec<Operand> {
        let value = |it: &mut Self, choice: &Choice| match *choice {
            Choice::Member => member,
            Choice::Table(table) => it.entry(table, member),
            Choice::Same(var) => it.b.use_var(var),
        };
        site.args.iter().map(|choice| Operand::Int(value(self, choice))).collect()
    }

    /// Plays a move of a known statement and goes on with the game.
    fn play_known(
        &mut self,
        places: &Loop,
        player: usize,
        (statement, empty): (StatementId, Option<Empty>),
        operands: &[Operand],
    ) -> Written {
        let next = self.play(player, statement, operands, empty)?;
        self.turn_over(places)?;
        let after = self.unit.players[player].after.get(statement.0 as usize);
        let after: Vec<After> = (0..self.unit.program.players.len())
            .map(|it| after.and_then(|all| all.get(it)).copied().unwrap_or(After::Whole))
            .collect();
        for (asked, &what) in after.iter().enumerate() {
            // Whoever comes earlier has been asked and said nothing.
            let alone = after[asked + 1..].iter().all(|it| matches!(it, After::Nothing));
            let end = End { ending: Ending::Result, player: asked, alone };
            match what {
                After::Nothing => {}
                After::Whole => self.ask_result(places, end)?,
                After::Function(func) => {
                    let me = Operand::Int(self.number(asked as i64));
                    let args: Vec<Operand> =
                        std::iter::once(me).chain(operands.iter().cloned()).collect();
                    self.ask(places, func, &args, end)?;
                }
            }
        }
        self.ask_adjudicate(places)?;
        match next {
            Some(next) => self.jump(places.movers[next]),
            None => self.jump(places.dispatch),
        }
        Ok(())
    }

    /// What a turn leaves besides the position: one more turn, one more key.
    fn turn_over(&mut self, places: &Loop) -> Written {
        let plies = self.b.use_var(places.plies);
        let plies = self.plus(plies, 1);
        self.b.def_var(places.plies, plies);
        if !self.has_history() {
            return Ok(());
        }
        let irreversible = self.load(self.ctx, IRREVERSIBLE);
        let (zero, len) = (self.number(0), self.load(self.ctx, KEYS_LEN));
        let len = self.choose(irreversible, zero, len);
        let cap = self.load(self.ctx, KEYS_CAP);
        let full = self.is(IntCC::UnsignedGreaterThanOrEqual, len, cap);
        let (grow, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(grow);
        self.branch(full, grow, on);
        self.go_on_in(grow);
        let refused = self.call_helper("more_keys", &[self.ctx])?;
        self.stop_if(refused, STOPPED);
        self.jump(on);
        self.go_on_in(on);
        let keys = self.load(self.ctx, KEYS);
        let key_byte = self.unit.layout.key_byte() as i32;
        let key = self.state_word(key_byte);
        let byte = self.shl(len, 3);
        let at = self.add(keys, byte);
        self.store(key, at, 0);
        let len = self.plus(len, 1);
        self.store(len, self.ctx, KEYS_LEN);
        Ok(())
    }

    /// Asks everything about the end of the game.
    fn ask_all(&mut self, places: &Loop) -> Written {
        let players = self.unit.program.players.len();
        for player in 0..players {
            let alone = player + 1 == players;
            self.ask_result(places, End { ending: Ending::Result, player, alone })?;
        }
        self.ask_adjudicate(places)
    }

    fn ask_result(&mut self, places: &Loop, end: End) -> Written {
        let Some(result) = self.unit.players[end.player].result else { return Ok(()) };
        let me = Operand::Int(self.number(end.player as i64));
        self.ask(places, result, &[me], end)
    }

    /// Runs a function; the game is over if it says something.
    fn ask(&mut self, places: &Loop, func: Func, args: &[Operand], end: End) -> Written {
        self.run(func, Mode::Off, args)?;
        let said = self.load(self.ctx, SAID);
        let on = self.b.create_block();
        self.end_if(places, said, end, on);
        Ok(())
    }

    fn ask_adjudicate(&mut self, places: &Loop) -> Written {
        let players = self.unit.players;
        let mut asked: Vec<Func> = Vec::new();
        for code in players {
            if let Some(func) = code.adjudicate
                && !asked.iter().any(|&it| self.same_code(it, func))
            {
                asked.push(func);
            }
        }
        if asked.is_empty() {
            return Ok(());
        }
        let in_force = self.load(self.ctx, ADJUDICATE);
        let (ask, on) = (self.b.create_block(), self.b.create_block());
        self.branch(in_force, ask, on);
        self.go_on_in(ask);
        for func in asked {
            let zero = self.number(0);
            let end = End::new(Ending::Adjudicated, 0);
            self.ask(places, func, &[Operand::Int(zero)], end)?;
        }
        self.jump(on);
        self.go_on_in(on);
        Ok(())
    }

    /// Whether two functions are the same code, so that one answer serves for both.
    fn same_code(&self, a: Func, b: Func) -> bool {
        let [a, b] = [a, b].map(|func| self.unit.program.function(func));
        let bare = |it: &Function| {
            it.blocks
                .iter()
                .map(|block| {
                    let insts: Vec<Inst> = block.insts.iter().map(|(it, _)| it.clone()).collect();
                    (insts, block.end.0.clone())
                })
                .collect::<Vec<_>>()
        };
        a == b || bare(a) == bare(b)
    }

    /// Lists the moves and draws until one is allowed.
    fn choose_from_list(&mut self, places: &Loop, player: usize, stuck: Block) -> Written {
        let zero = self.number(0);
        self.store(zero, self.ctx, LEN);
        let me = self.number(player as i64);
        let moves = self.unit.players[player].moves;
        self.call_native(Wanted::Function(moves, Mode::List), &[me])?;
        self.unite(player)?;
        self.draw_from_list(places, player, stuck, true)
    }

    /// Leaves one of each kind in the list, where there may be more.
    pub(super) fn unite(&mut self, player: usize) -> Written {
        let twins = self.unit.program.statements.iter().any(|it| it.twins);
        if self.unit.distinct && !twins {
            return Ok(());
        }
        let me = self.number(player as i64);
        self.flush();
        let refused = self.call_helper("unite", &[self.ctx, self.state, me])?;
        self.stop_if(refused, STOPPED);
        Ok(())
    }

    /// Plays a move of the list at random; goes to `none` if none is allowed.
    fn draw_from_list(
        &mut self,
        places: &Loop,
        player: usize,
        none: Block,
        ask_illegal: bool,
    ) -> Written {
        let filter = ask_illegal && self.unit.players[player].illegal.is_some();
        let (head, draw, played) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.jump(head);
        self.go_on_in(head);
        let len = self.load(self.ctx, LEN);
        self.branch(len, draw, none);
        self.go_on_in(draw);
        let place = self.below(len);
        let (low, high) = self.listed(place);
        if filter {
            self.save_block(places.slot);
            let cut = self.load(self.ctx, CUT);
            let wrong = self.play_and_ask(player, low, high)?;
            self.store(cut, self.ctx, CUT);
            let undo = self.b.create_block();
            self.branch(wrong, undo, played);
            self.go_on_in(undo);
            self.restore_block(places.slot);
            self.drop_listed(place, len);
            self.jump(head);
        } else {
            self.call_native(Wanted::Play(player), &[low, high])?;
            self.jump(played);
        }
        self.go_on_in(played);
        self.turn_over(places)?;
        self.ask_all(places)?;
        self.jump(places.dispatch);
        Ok(())
    }

    /// Puts the last move of the list in the place of another.
    fn drop_listed(&mut self, place: Value, len: Value) {
        let last = self.plus(len, -1);
        let (low, high) = self.listed(last);
        let moves = self.load(self.ctx, MOVES);
        let byte = self.shl(place, 4);
        let at = self.add(moves, byte);
        self.store(low, at, 0);
        self.store(high, at, 8);
        self.store(last, self.ctx, LEN);
    }

    /// What happens to a player who has no legal move.
    fn stuck(&mut self, places: &Loop, player: usize) -> Written {
        let over = self.b.create_block();
        let stuck = self.unit.players[player].stuck;
        if let Some(stuck) = stuck.filter(|&it| !self.unit.summaries.function(it).emits) {
            // Nothing is listed, so this is the end. Put here it costs the loop no call, which
            // would take registers from it.
            let me = Operand::Int(self.number(player as i64));
            self.run(stuck, Mode::Off, &[me])?;
            self.jump(over);
        } else if let Some(stuck) = stuck {
            let zero = self.number(0);
            self.store(zero, self.ctx, LEN);
            let me = self.number(player as i64);
            self.call_native(Wanted::Function(stuck, Mode::List), &[me])?;
            let said = self.load(self.ctx, SAID);
            let on = self.b.create_block();
            self.branch(said, over, on);
            self.go_on_in(on);
            self.unite(player)?;
            self.draw_from_list(places, player, over, false)?;
        } else {
            self.jump(over);
        }
        self.go_on_in(over);
        let code = self.number(End::new(Ending::Stuck, player).code());
        self.jump_with(places.over, code);
        Ok(())
    }

    /// A number from 0 to `bound - 1`, as `Random::below` draws it.
    fn below(&mut self, bound: Value) -> Value {
        let [draw, unfair, done] = std::array::from_fn(|_| self.b.create_block());
        self.b.append_block_param(done, cranelift_codegen::ir::types::I64);
        self.jump(draw);
        self.go_on_in(draw);
        let bits = self.next_random();
        let bits = self.shr(bits, 32);
        let product = self.b.ins().imul(bits, bound);
        let low = self.masked(product, 0xffff_ffff);
        let fair = self.is(IntCC::UnsignedGreaterThanOrEqual, low, bound);
        let check = self.b.create_block();
        self.b.set_cold_block(check);
        self.b.set_cold_block(unfair);
        let high = self.shr(product, 32);
        let args = [cranelift_codegen::ir::BlockArg::Value(high)];
        self.b.ins().brif(fair, done, &args, check, &[]);
        self.go_on_in(check);
        let all = self.number(1 << 32);
        let rest = self.sub(all, bound);
        let rest = self.b.ins().urem(rest, bound);
        let wrong = self.is(IntCC::UnsignedLessThan, low, rest);
        self.b.ins().brif(wrong, unfair, &[], done, &args);
        self.go_on_in(unfair);
        self.jump(draw);
        self.go_on_in(done);
        self.b.block_params(done)[0]
    }

    /// The next output of xoshiro256**.
    ///
    /// Its state stays in memory: nothing waits for it, and four registers are better used for
    /// the position, which everything waits for.
    fn next_random(&mut self) -> Value {
        let [a, b, c, d] = [0, 8, 16, 24].map(|byte| self.load(self.ctx, RANDOM + byte));
        let five = self.b.ins().imul_imm_s(b, 5);
        let seven = self.b.ins().rotl_imm_u(five, 7);
        let result = self.b.ins().imul_imm_s(seven, 9);
        let (c1, d1) = (self.xor(c, a), self.xor(d, b));
        let new_a = self.xor(a, d1);
        let new_b = self.xor(b, c1);
        let shifted = self.shl(b, 17);
        let new_c = self.xor(c1, shifted);
        let new_d = self.b.ins().rotl_imm_u(d1, 45);
        for (value, byte) in [new_a, new_b, new_c, new_d].into_iter().zip([0, 8, 16, 24]) {
            self.store(value, self.ctx, RANDOM + byte);
        }
        result
    }

    /// The square of a set that has `place` squares below it in the set.
    ///
    /// What lies below each byte is counted before it is known which byte is wanted, so that
    /// finding it is a few comparisons and does not wait for one count after the other.
    fn select(&mut self, set: &Set, place: Value) -> Written<Chosen> {
        let (word, place, base) = self.select_word(set, place);
        if self.unit.deposits {
            return self.deposited(word, place, base);
        }
        let bytes = self.unit.program.squares.clamp(1, 64).div_ceil(8);
        let mut half = bytes.next_power_of_two() / 2;
        let mut below: Vec<Value> = (1..2 * half).map(|it| self.count_below(word, it)).collect();
        let (mut rest, mut shift, mut before) = (word, base, self.number(0));
        while half > 0 {
            let middle = below[half - 1];
            let further = self.is(IntCC::UnsignedGreaterThanOrEqual, place, middle);
            let high = self.shr(rest, half as i64 * 8);
            rest = self.choose(further, high, rest);
            let moved = self.plus(shift, half as i64 * 8);
            shift = self.choose(further, moved, shift);
            before = self.choose(further, middle, before);
            let (lower, upper) = (&below[..half - 1], &below[half..]);
            below = lower.iter().zip(upper).map(|(&a, &b)| self.choose(further, b, a)).collect();
            half /= 2;
        }
        let place = self.sub(place, before);
        let table = self.unit.pool.words(places_in_bytes());
        let byte = self.masked(rest, 0xff);
        let row = self.shl(byte, 3);
        let entry = self.add(row, place);
        let bit = self.byte_entry(table, entry);
        Ok(Chosen { square: self.add(shift, bit), bit: None })
    }

    /// The same in one word by the machine's own instruction.
    fn deposited(&mut self, word: Value, place: Value, base: Value) -> Written<Chosen> {
        let bit = self.bit(place);
        let bit = self.call_helper(DEPOSIT, &[bit, word])?;
        let place = self.b.ins().ctz(bit);
        Ok(Chosen { square: self.add(base, place), bit: Some(bit) })
    }

    /// The word of a set that the square in a place is in, its place there, and the word's first
    /// square.
    fn select_word(&mut self, set: &Set, place: Value) -> (Value, Value, Value) {
        let zero = self.number(0);
        let (mut word, mut base, mut before, mut below) = (set[0], zero, zero, zero);
        for (index, pair) in set.windows(2).enumerate() {
            let count = self.b.ins().popcnt(pair[0]);
            below = self.add(below, count);
            let further = self.is(IntCC::UnsignedGreaterThanOrEqual, place, below);
            word = self.choose(further, pair[1], word);
            before = self.choose(further, below, before);
            let first = self.number((index as i64 + 1) * 64);
            base = self.choose(further, first, base);
        }
        (word, self.sub(place, before), base)
    }

    /// How many bits are set in the lowest bytes of a word.
    fn count_below(&mut self, word: Value, bytes: usize) -> Value {
        let low = if bytes < 8 { self.masked(word, (1 << (bytes * 8)) - 1) } else { word };
        self.b.ins().popcnt(low)
    }
}

/// For each byte and each number below 8 the place of the bit that has that number among those
/// that are set.
fn places_in_bytes() -> Vec<u64> {
    let place = |byte: u64, number: usize| (0..8).filter(|bit| byte >> bit & 1 == 1).nth(number);
    (0..256)
        .map(|byte| (0..8).fold(0, |row, it| row | place(byte, it).unwrap_or(0) << (it * 8)))
        .collect()
}
