//! The test of reasons: change what they do not mention, and the item must stay.
//!
//! The claim of an [`Explained`] item is that it is produced in every state
//! that satisfies its reasons. So states are drawn that satisfy them and differ
//! in anything else (never in the player to move), and the plain interpreter
//! is asked whether the item is still there: the same move with the same
//! writes, or the same result. It knows nothing of how the reasons were found.
//!
//! Rules are total: whatever stands in the cells, they must run. A fault in a
//! changed state (a path that grows too long, a move list too large) makes the
//! change say nothing; such changes are counted.

use std::fmt;

use ludex_core::{Fault, Game, Player, Position, Random, State, Trail};
use ludex_interp::RulesGame;
use ludex_ir::{History, Program, verify};

use crate::label::Allowed;
use crate::study::{Clause, Explained, Given, Listed};
use crate::text::reason_text;

/// How many changes were made to check items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    /// Items checked.
    pub items: u64,
    /// Reasons of all items together, history not counted.
    pub reasons: u64,
    /// Changed states in which an item was looked for.
    pub changes: u64,
    /// Changed states in which the rules met a fault.
    pub faults: u64,
}

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: Self) {
        self.items += other.items;
        self.reasons += other.reasons;
        self.changes += other.changes;
        self.faults += other.faults;
    }

    /// How many reasons an item has on average.
    pub fn mean_reasons(&self) -> f64 {
        self.reasons as f64 / self.items.max(1) as f64
    }
}

/// Which changed states an item is looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// This number of states drawn at random: changes of one, of some and of all cells.
    Drawn(u32),
    /// Every cell for itself, with every value (of large domains: some values).
    EverySingle,
}

/// An item that went away in a state that satisfies its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What was to be there.
    pub item: String,
    /// The position it was produced in.
    pub before: String,
    /// The position it is missing in.
    pub after: String,
    /// The cells that differ, and how; as few as were needed.
    pub changed: Vec<String>,
    /// The reasons that were given.
    pub reasons: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} is gone", self.item)?;
        writeln!(f, "  in        {}", self.before)?;
        writeln!(f, "  with      {}", self.changed.join(", "))?;
        writeln!(f, "  giving    {}", self.after)?;
        write!(f, "  reasons   {}", self.reasons.join("; "))
    }
}

/// A game whose reasons are to be checked.
#[derive(Clone, Debug)]
pub struct Checker {
    game: RulesGame,
    /// The same game with `adjudicate` in the place of `result`, to hear it for itself.
    adjudicated: Option<RulesGame>,
}

impl Checker {
    /// For a game.
    pub fn new(game: RulesGame) -> Self {
        let mut program = game.program().clone().into_program();
        let roles = &mut program.roles;
        roles.result = roles.adjudicate.take();
        let adjudicated = roles.result.and_then(|_| verify(program).ok()).map(RulesGame::new);
        Self { game, adjudicated }
    }

    /// The game.
    pub fn game(&self) -> &RulesGame {
        &self.game
    }
}

/// A state, and the player whose moves and results are looked at.
#[derive(Clone, Copy, Debug)]
pub struct ReasonCheck<'a> {
    /// The game.
    pub checker: &'a Checker,
    /// The state.
    pub position: &'a Position,
    /// The player.
    pub me: Player,
    /// Other states of the game, to take contents of cells from.
    pub others: &'a [State],
}

impl ReasonCheck<'_> {
    /// Looks for a move of `me` in changed states.
    pub fn check_move(
        &self,
        explained: &Explained<Listed>,
        changes: Changes,
        random: &mut Random,
    ) -> Result<Tally, Violation> {
        let there = |position: &Position| self.has_move(&explained.item, position);
        self.check(explained, changes, random, &there, || {
            let position = self.for_mover(self.position);
            self.game().name(&position.state, explained.item.mv)
        })
    }

    /// Looks for a result of `me` in changed states. (Results of `stuck` depend on everything; there
    /// is nothing to change.)
    pub fn check_result(
        &self,
        explained: &Explained<Given>,
        changes: Changes,
        random: &mut Random,
    ) -> Result<Tally, Violation> {
        let there = |position: &Position| self.has_result(&explained.item, position);
        self.check(explained, changes, random, &there, || format!("{:?}", explained.item.kind))
    }

    /// Looks for an end of the game in changed states where there is said to be none.
    pub fn check_silence(
        &self,
        explained: &Explained<()>,
        changes: Changes,
        random: &mut Random,
    ) -> Result<Tally, Violation> {
        let there = |position: &Position| self.is_silent(position);
        self.check(explained, changes, random, &there, || "that the game is not over".to_owned())
    }

    fn is_silent(&self, position: &Position) -> Result<bool, Fault> {
        for player in 0..self.program().players.len() {
            if !self.game().outcomes(position, Player(player as u8))?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The position as if it were the turn of `me`.
    pub fn for_mover(&self, position: &Position) -> Position {
        let layout = self.game().layout();
        let mut values = layout.values(&position.state);
        values[turn_cell(self.program())] = i64::from(self.me.0);
        Position { state: layout.state(&values), trail: position.trail.clone() }
    }

    fn game(&self) -> &RulesGame {
        &self.checker.game
    }

    fn program(&self) -> &Program {
        self.game().program()
    }

    fn has_move(&self, listed: &Listed, position: &Position) -> Result<bool, Fault> {
        let position = self.for_mover(position);
        Ok(self.game().pseudo_moves(&position, self.me)?.contains(&listed.mv)
            && self.game().effect_writes(&position.state, listed.mv)? == listed.writes)
    }

    fn has_result(&self, given: &Given, position: &Position) -> Result<bool, Fault> {
        let game = match (given.clause, &self.checker.adjudicated) {
            (Clause::Adjudicate, Some(game)) => game,
            (Clause::Stuck, _) => return Ok(true),
            _ => self.game(),
        };
        let outcomes = game.outcomes(position, self.me)?;
        Ok(outcomes.iter().any(|it| it.kind == given.kind && it.score == given.score))
    }

    fn check<T>(
        &self,
        explained: &Explained<T>,
        changes: Changes,
        random: &mut Random,
        there: &dyn Fn(&Position) -> Result<bool, Fault>,
        name: impl FnOnce() -> String,
    ) -> Result<Tally, Violation> {
        let reasons = explained.reasons.len() as u64;
        let mut tally = Tally { items: 1, reasons, ..Tally::default() };
        let allowed = self.allowed(explained);
        let gone = |values: &[i64], repeats: Option<usize>| {
            let state = self.game().layout().state(values);
            let trail = self.history(&state, repeats);
            there(&Position { state, trail }).map(|it| !it)
        };
        let drawn: Vec<Vec<i64>> = match changes {
            Changes::Drawn(count) => (0..count).map(|it| self.draw(&allowed, it, random)).collect(),
            Changes::EverySingle => self.every_single(&allowed, random),
        };
        for values in drawn {
            let repeats = (!explained.history).then(|| random.below(4) as usize);
            tally.changes += 1;
            match gone(&values, repeats) {
                Ok(false) => {}
                Ok(true) => {
                    let fewest = self.shrink(values, |it| matches!(gone(it, repeats), Ok(true)));
                    return Err(self.violation(explained, &fewest, name()));
                }
                Err(_) => tally.faults += 1,
            }
        }
        Ok(tally)
    }

    /// What each cell may be: by its reason, or by its domain; the turn stays.
    fn allowed<T>(&self, explained: &Explained<T>) -> Vec<Allowed> {
        let program = self.program();
        let size = |array: &ludex_ir::Array| (array.hi - array.lo + 1) as usize;
        let mut allowed: Vec<Allowed> = program
            .arrays
            .iter()
            .flat_map(|array| std::iter::repeat_n(Allowed::anything(size(array)), array.len))
            .collect();
        for reason in &explained.reasons {
            allowed[reason.cell] = reason.allowed;
        }
        let turn = turn_cell(program);
        let raw = ludex_interp::cells::raw(&self.position.state.words, turn);
        allowed[turn] = Allowed::exactly(raw, program.players.len());
        allowed
    }

    /// New values for all cells. One change in three is of a single cell, one of all, one of some of
    /// the cells; squares are more or less empty, and may be as in another state of the game.
    fn draw(&self, allowed: &[Allowed], change: u32, random: &mut Random) -> Vec<i64> {
        let layout = self.game().layout();
        let mut values = layout.values(&self.position.state);
        let other = random.pick(self.others).filter(|_| change.is_multiple_of(2));
        let emptiness = f64::from(random.below(5)) / 4.0;
        let share = match change % 3 {
            0 => 0.0,
            1 => 1.0,
            _ => random.chance(),
        };
        let single = random.below(values.len() as u32) as usize;
        for (cell, value) in values.iter_mut().enumerate() {
            if (share == 0.0 && cell != single) || (share > 0.0 && random.chance() > share) {
                continue;
            }
            let lo = self.program().cell(cell).0.lo;
            let before = (*value - lo) as u16;
            let drawn = match other {
                Some(state) => (layout.value(state, cell) - lo) as u16,
                None if cell < self.program().squares && random.chance() < emptiness => 0,
                None => draw_value(allowed[cell], before, random),
            };
            if allowed[cell].contains(drawn) {
                *value = i64::from(drawn) + lo;
            } else {
                *value = i64::from(draw_value(allowed[cell], before, random)) + lo;
            }
        }
        values
    }

    /// The state with one cell changed, for every cell and value.
    fn every_single(&self, allowed: &[Allowed], random: &mut Random) -> Vec<Vec<i64>> {
        let before = self.game().layout().values(&self.position.state);
        let mut all = Vec::new();
        for (cell, &allowed) in allowed.iter().enumerate() {
            let lo = self.program().cell(cell).0.lo;
            let raw = (before[cell] - lo) as u16;
            let raws: Vec<u16> = match allowed {
                Allowed::Values(_) => allowed.iter().collect(),
                Allowed::Range { .. } => (0..6).map(|_| draw_value(allowed, raw, random)).collect(),
            };
            for new in raws.into_iter().filter(|&it| it != raw) {
                let mut values = before.clone();
                values[cell] = i64::from(new) + lo;
                all.push(values);
            }
        }
        all
    }

    /// A history in which the position of `state` stands `repeats` times; without a number, as
    /// often as the present one stands in the present history.
    fn history(&self, state: &State, repeats: Option<usize>) -> Trail {
        if self.program().history == History::None {
            return Trail::default();
        }
        if repeats.is_none() && state.key == self.position.state.key {
            return self.position.trail.clone();
        }
        let mut trail = Trail::default();
        let repeats = repeats.unwrap_or_else(|| self.position.trail.count(self.position.state.key));
        (0..repeats).for_each(|_| trail.push(state.key));
        trail
    }

    /// Puts cells back to what they were, one after the other, as long as the item stays away.
    fn shrink(&self, mut values: Vec<i64>, gone: impl Fn(&[i64]) -> bool) -> Vec<i64> {
        let before = self.game().layout().values(&self.position.state);
        for cell in 0..values.len() {
            let changed = std::mem::replace(&mut values[cell], before[cell]);
            if changed != before[cell] && !gone(&values) {
                values[cell] = changed;
            }
        }
        values
    }

    fn violation<T>(&self, explained: &Explained<T>, values: &[i64], item: String) -> Violation {
        let layout = self.game().layout();
        let before = layout.values(&self.position.state);
        let cells = (0..values.len()).filter(|&it| before[it] != values[it]);
        let describe = |cell: usize| {
            format!("{} {} -> {}", self.program().cell_name(cell), before[cell], values[cell])
        };
        let text = |reason| reason_text(self.program(), reason, self.me);
        let mut reasons: Vec<String> = explained.reasons.iter().map(text).collect();
        reasons.extend(explained.history.then(|| "history".to_owned()));
        Violation {
            item,
            before: self.game().write(&self.position.state),
            after: self.game().write(&layout.state(values)),
            changed: cells.map(describe).collect(),
            reasons,
        }
    }
}

/// A value that is allowed: any one, and in large domains rather one near the present or the ends.
fn draw_value(allowed: Allowed, before: u16, random: &mut Random) -> u16 {
    match allowed {
        Allowed::Values(mask) => {
            let index = random.below(mask.count_ones());
            allowed.iter().nth(index as usize).unwrap_or(before)
        }
        Allowed::Range { lo, hi } => match random.below(5) {
            0 => lo,
            1 => hi,
            2 => before.saturating_sub(1).clamp(lo, hi),
            3 => before.saturating_add(1).clamp(lo, hi),
            _ => lo + random.below(u32::from(hi - lo) + 1) as u16,
        },
    }
}

fn turn_cell(program: &Program) -> usize {
    program.arrays[ludex_ir::inst::TURN.0 as usize].base
}
