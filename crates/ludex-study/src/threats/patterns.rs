//! What a win is made of, read off the rules.
//!
//! Pitrat's program looks for wins that lack one condition or two, and takes the moves that fulfil
//! them. Where a move puts one man on one square, all ways to win are seen at once: on a board that is
//! full of the attacker's men the result is a victory for every reason there is, each with its own
//! few squares. A way to win that lacks three men is two moves away from being a direct threat, one
//! that lacks two becomes one by a single move; a way with a man of the defender's in it is
//! none any more. So a move of order n is one of a way that lacks n men at most.
//!
//! Not every game is like that: where men are connected, ways are without number and the rules
//! show one of them. So what was read is tried on random games: if one is won in no way
//! that is known, nothing is concluded.

use ludex_core::{Budget, Clock, Game, Payoff, Player, Random, Turn};
use ludex_interp::RulesGame;
use ludex_ir::{PackedMove, Program};

use super::ground::Ground;
use super::open::{Open, Place};
use super::zone::Zone;

/// So many steps the rules may take to tell all ways: a fraction of a second. Where there are more,
/// to go through them at each move would not pay either.
const MOST_STEPS: u64 = 200_000;

/// So many random games are played.
const GAMES: u64 = 40;

/// So many of them have to be won.
const FEWEST_WON: u32 = 5;

/// So many turns they may take together: where men can be replaced, a random game need not end.
const MOST_TURNS: u32 = 20_000;

/// How long it may take.
pub(super) type Limits<'a> = (Budget<'a>, &'a dyn Clock);

/// The ways to win of one player.
#[derive(Clone, Debug)]
pub(super) struct Patterns {
    /// For each way the squares, and what has to stand there.
    ways: Vec<Vec<(usize, u16)>>,
    attacker: Player,
    squares: usize,
}

impl Patterns {
    /// The ways to win, if they can be read off the rules.
    pub(super) fn new<G: Open>(
        (game, rules): (&G, &RulesGame),
        ground: &Ground,
        attacker: Player,
        limits: Limits<'_>,
    ) -> Option<Self> {
        let placed = ground.own(attacker).placements()?;
        let (start, trail) = rules.start();
        let mut values = rules.layout().values(&start);
        for &(cell, raw) in &placed {
            values[cell] = i64::from(raw) + rules.program().cell(cell).0.lo;
        }
        let full = rules.layout().state(&values);
        let found = ground.study.ways_to_win(&full, &trail, attacker, MOST_STEPS).ok()?;
        let ways: Option<Vec<_>> = found.iter().map(|it| way(&Zone::of(it), &placed)).collect();
        let mut ways = ways?;
        ways.sort();
        ways.dedup();
        let patterns = Self { ways, attacker, squares: rules.program().squares };
        patterns.explain_random_games(game, limits).then_some(patterns)
    }

    /// Whether all games that the attacker wins at random are won in a way that is known.
    fn explain_random_games<G: Open>(&self, game: &G, (budget, clock): Limits<'_>) -> bool {
        let mut random = Random::stream(0x9a77_e245, 0, 0);
        let (mut won, mut turns) = (0, 0);
        let mut goes_on = || {
            turns += 1;
            turns <= MOST_TURNS && !budget.is_spent(0, clock)
        };
        for _ in 0..GAMES {
            let Some((place, payoff)) = random_game(game, &mut random, self.attacker, &mut goes_on)
            else {
                return false;
            };
            if payoff.utility < 1.0 {
                continue;
            }
            won += 1;
            let is_met = |it: &(usize, u16)| game.raw(&place.state, it.0) == it.1;
            if !self.ways.iter().any(|way| way.iter().all(is_met)) {
                return false;
            }
        }
        won >= FEWEST_WON
    }

    /// Keeps the moves that fulfil a condition of a way to win that lacks `most` at most.
    pub(super) fn keep<G: Open>(
        &self,
        (game, program, ground): (&G, &Program, &Ground),
        place: &Place,
        most: u8,
        moves: &mut Vec<PackedMove>,
    ) {
        let own = ground.own(self.attacker);
        let now: Vec<u16> = (0..self.squares).map(|it| game.raw(&place.state, it)).collect();
        let mut is_wanted = vec![false; self.squares];
        for way in &self.ways {
            let lacking = || way.iter().filter(|it| now[it.0] != it.1);
            let is_open = lacking().all(|it| own.can_become(now[it.0], it.1));
            if is_open && lacking().count() <= usize::from(most) {
                lacking().for_each(|it| is_wanted[it.0] = true);
            }
        }
        let wanted = |square: u16| is_wanted.get(usize::from(square)) == Some(&true);
        moves.retain(|&mv| program.squares_of(mv).any(wanted));
    }
}

/// A way to win by its squares; `None` if it asks for something else than the attacker's men.
fn way(zone: &Zone, placed: &[(usize, u16)]) -> Option<Vec<(usize, u16)>> {
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
fn random_game<G: Open>(
    game: &G,
    random: &mut Random,
    player: Player,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<(Place, Payoff)> {
    let (state, trail) = game.start();
    let mut place = Place { state, trail };
    while let Turn::Of(_) = game.turn(&place.state, &place.trail).ok()? {
        if !goes_on() {
            return None;
        }
        let mv = game.random_move(&place.state, &place.trail, random).ok()??;
        place = place.after(game, mv).ok()?;
    }
    let payoff = game.payoff(&place.state, &place.trail, player).ok()?;
    Some((place, payoff))
}
