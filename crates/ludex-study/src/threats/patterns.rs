//! Winning patterns, read off the rules.
//!
//! Pitrat's program looks for wins that lack one condition or two, and takes the moves that fulfil
//! them. If each move puts one man on one square, all ways to win can be listed at once: on a board
//! full of the attacker's men the result is a victory for every reason there is, each with its own few
//! squares. A pattern that lacks three men is two moves away from being a direct threat, one that lacks
//! two becomes one by a single move, and one with a man of the defender in it is dead. So a move of
//! order n belongs to a pattern that lacks at most n men.
//!
//! Not every game is like that: in connection games, patterns are without number and the rules show one
//! of them. So the patterns are tested on random games: if one of those is won without a known
//! pattern, there are no patterns.

use ludex_core::{Game, GameExt, Limits, Payoff, Player, Position, Random, Turn};
use ludex_interp::RulesGame;
use ludex_ir::{PackedMove, Program};

use super::cell_game::CellGame;
use super::game_analysis::GameAnalysis;
use super::zone::Zone;

/// Steps that listing all patterns may take: a fraction of a second. With more patterns, testing them at
/// each move would not pay either.
const MOST_STEPS: u64 = 200_000;

/// Number of random games.
const GAMES: u64 = 40;

/// Number of them that have to be won.
const FEWEST_WON: u32 = 5;

/// Turns of all of them together, at most: if men can be replaced, a random game need not end.
const MOST_TURNS: u32 = 20_000;

/// How many turns the random games took, and whether the limits ended them.
struct TurnBudget<'a> {
    turns: u32,
    limits: Limits<'a>,
    is_cut_short: bool,
}

impl TurnBudget<'_> {
    /// Whether another turn may be played.
    fn spend_turn(&mut self) -> bool {
        self.turns += 1;
        let is_within = self.turns <= MOST_TURNS;
        self.is_cut_short = is_within && self.limits.is_reached(0);
        is_within && !self.is_cut_short
    }
}

/// The winning patterns of one player.
#[derive(Clone, Debug)]
pub(super) struct Patterns {
    /// For each pattern its squares and the man on each.
    all: Vec<Vec<(usize, u16)>>,
    attacker: Player,
    squares: usize,
}

impl Patterns {
    /// The patterns, if they can be read off the rules. They may be used only if they also
    /// [`explain_random_games`](Self::explain_random_games).
    pub(super) fn listed(
        rules: &RulesGame,
        analysis: &GameAnalysis,
        attacker: Player,
    ) -> Option<Self> {
        let placed = analysis.effects_of(attacker).placements()?;
        let start = rules.start();
        let mut values = rules.layout().values(&start.state);
        for &(cell, raw) in &placed {
            values[cell] = i64::from(raw) + rules.program().cell(cell).0.lo;
        }
        let full = Position { state: rules.layout().state(&values), trail: start.trail };
        let found = analysis.study.ways_to_win(&full, attacker, MOST_STEPS).ok()?;
        let patterns: Option<Vec<_>> =
            found.iter().map(|it| pattern(&Zone::of(it), &placed)).collect();
        let mut patterns = patterns?;
        patterns.sort();
        patterns.dedup();
        Some(Self { all: patterns, attacker, squares: rules.program().squares })
    }

    /// Whether every random game that the attacker wins ends in a known pattern; `None` if the
    /// limits ended the test.
    pub(super) fn explain_random_games<G: CellGame>(
        &self,
        game: &G,
        limits: Limits<'_>,
    ) -> Option<bool> {
        let mut random = Random::stream(0x9a77_e245, 0, 0);
        let mut budget = TurnBudget { turns: 0, limits, is_cut_short: false };
        let mut won = 0;
        for _ in 0..GAMES {
            let Some((position, payoff)) =
                random_game(game, &mut random, self.attacker, &mut budget)
            else {
                return if budget.is_cut_short { None } else { Some(false) };
            };
            if payoff.utility < 1.0 {
                continue;
            }
            won += 1;
            let is_met = |it: &(usize, u16)| game.raw(&position.state, it.0) == it.1;
            if !self.all.iter().any(|pattern| pattern.iter().all(is_met)) {
                return Some(false);
            }
        }
        Some(won >= FEWEST_WON)
    }

    /// Keeps the moves that fulfil a condition of a pattern that lacks at most `most`.
    pub(super) fn keep<G: CellGame>(
        &self,
        (game, program, analysis): (&G, &Program, &GameAnalysis),
        position: &Position,
        most: u8,
        moves: &mut Vec<PackedMove>,
    ) {
        let own = analysis.effects_of(self.attacker);
        let now: Vec<u16> = (0..self.squares).map(|it| game.raw(&position.state, it)).collect();
        let mut is_wanted = vec![false; self.squares];
        for pattern in &self.all {
            let lacking = || pattern.iter().filter(|it| now[it.0] != it.1);
            let is_open = lacking().all(|it| own.can_become(now[it.0], it.1));
            if is_open && lacking().count() <= usize::from(most) {
                lacking().for_each(|it| is_wanted[it.0] = true);
            }
        }
        let wanted = |square: u16| is_wanted.get(usize::from(square)) == Some(&true);
        moves.retain(|&mv| program.squares_of(mv).any(wanted));
    }
}

/// A pattern from its zone; `None` if it needs anything but the attacker's men.
fn pattern(zone: &Zone, placed: &[(usize, u16)]) -> Option<Vec<(usize, u16)>> {
    let man = |cell: usize| {
        let at = placed.binary_search_by_key(&cell, |it| it.0).ok()?;
        Some(placed[at])
    };
    if zone.is_everything() || zone.reasons().is_empty() {
        return None;
    }
    zone.reasons().iter().map(|it| man(it.cell)).collect()
}

/// The end of a random game, and what it is worth to a player; `None` if it was not played to the
/// end.
fn random_game<G: CellGame>(
    game: &G,
    random: &mut Random,
    player: Player,
    budget: &mut TurnBudget<'_>,
) -> Option<(Position, Payoff)> {
    let mut position = game.start();
    while let Turn::Of(_) = game.turn(&position).ok()? {
        if !budget.spend_turn() {
            return None;
        }
        let mv = game.random_move(&position, random).ok()??;
        position = game.after(&position, mv).ok()?;
    }
    let payoff = game.payoff(&position, player).ok()?;
    Some((position, payoff))
}
