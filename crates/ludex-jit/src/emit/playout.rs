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
use cranelift_codegen::ir::{Block, StackSlot, Value};
use cranelift_frontend::Variable;
use ludex_ir::inst::TURN;
use ludex_ir::passes::After;
use ludex_ir::passes::loops::Loops;
use ludex_ir::{Func, Function, Inst, Spread, StatementId};

use super::draw::Chosen;
use super::empties::sets_of_empty_squares;
use super::frame::Operand;
use super::moves::{Choice, Site};
use super::play::Empty;
use super::sets::Set;
use super::{Emitter, Mode, Trace, Wanted, Written};
use crate::context::{
    ADJUDICATE, CUT, IRREVERSIBLE, KEYS, KEYS_CAP, KEYS_LEN, LEN, LIMIT, MOVES, PLIES, SAID, STEPS,
    STOPPED,
};

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
    /// Whether the result is known to say nothing for the other players.
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

/// The places of the loop.
pub(super) struct Loop {
    /// Where each player is to move.
    movers: Vec<Block>,
    /// Looks who is to move.
    dispatch: Block,
    /// The end, with its code.
    over: Block,
    pub(super) plies: Variable,
    slot: StackSlot,
    /// Whether the moves are noted.
    pub(super) trace: Trace,
}

impl Emitter<'_, '_> {
    pub(super) fn playout(&mut self, trace: Trace) -> Written<Value> {
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
            trace,
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
        if code.roles.illegal.is_some() || twins || !self.unit.distinct {
            return None;
        }
        let function = self.unit.program.function(code.roles.moves);
        let loops = Loops::of(function);
        let empty = sets_of_empty_squares(function);
        let mut sites = Vec::new();
        for block in ludex_ir::passes::loops::reverse_postorder(function) {
            for (inst, _) in &function.block(block).insts {
                match inst {
                    Inst::EmitAll { statement, args, set } if loops.innermost(block).is_none() => {
                        let on_empty = empty.contains(set);
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
        let moves = self.unit.players[player].roles.moves;
        let me = Operand::Int(self.number(player as i64));
        self.run(moves, Mode::Sample, &[me])?;
        let sites = std::mem::take(&mut self.sites);
        let sets: Vec<Set> = sites.iter().map(|site| self.use_set(&site.set)).collect();
        let counts: Vec<Value> = sets.iter().map(|set| self.count(set)).collect();
        let zero = self.number(0);
        let total = counts.iter().fold(zero, |sum, &count| self.add(sum, count));
        // Sets of that number of squares cannot have more than a list may; several of them can.
        if sites.len() * self.unit.program.squares > self.unit.most_moves as usize {
            self.stop_if_too_many(total);
        }
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
        if places.trace == Trace::Kept {
            let (low, high) = self.pack(statement, operands);
            self.note(places, low, high)?;
        }
        let next = self.play(player, statement, operands, empty)?;
        self.turn_over(places)?;
        let after = self.unit.players[player].after.get(statement.0 as usize);
        let after: Vec<After> = (0..self.unit.program.players.len())
            .map(|it| after.and_then(|all| all.get(it)).copied().unwrap_or(After::Whole))
            .collect();
        for (asked, &what) in after.iter().enumerate() {
            // Earlier players have been asked, and the result said nothing.
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
        let Some(result) = self.unit.players[end.player].roles.result else { return Ok(()) };
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
            if let Some(func) = code.roles.adjudicate
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
        let moves = self.unit.players[player].roles.moves;
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
        let filter = ask_illegal && self.unit.players[player].roles.illegal.is_some();
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
            self.save_block(places.slot)?;
            let cut = self.load(self.ctx, CUT);
            let wrong = self.play_and_ask(player, low, high)?;
            self.store(cut, self.ctx, CUT);
            let undo = self.b.create_block();
            self.branch(wrong, undo, played);
            self.go_on_in(undo);
            self.restore_block(places.slot)?;
            self.drop_listed(place, len);
            self.jump(head);
        } else {
            self.call_native(Wanted::Play(player), &[low, high])?;
            self.jump(played);
        }
        self.go_on_in(played);
        if places.trace == Trace::Kept {
            self.note(places, low, high)?;
        }
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
        let stuck = self.unit.players[player].roles.stuck;
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
}
