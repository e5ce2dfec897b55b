//! Openings: some random moves from the start, fair to both if that is wanted.

use ludex_core::budget::StoppedClock;
use ludex_core::{Budget, Fault, Game, Player, Random, Turn};
use ludex_search::{UctConfig, uct};

use crate::engine::Engine;
use crate::place::Place;

/// How many openings are drawn before the fairest of them is taken.
const ATTEMPTS: u64 = 50;

/// How long a short search judges an opening, in playouts.
const PLAYOUTS: u64 = 2_000;

/// A move that was tried so often has a value of its own.
const ENOUGH: u64 = 100;

/// What the first player may be expected to win of a fair opening.
const FAIR: std::ops::RangeInclusive<f64> = 0.35..=0.65;

/// The opening of a pair of games.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    /// The position after it.
    pub(super) place: Place,
    /// Its moves.
    pub(super) moves: Vec<String>,
}

/// What openings are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Openings {
    /// How many random moves they have.
    pub(super) plies: u32,
    /// Whether both sides must have a chance.
    pub(super) balanced: bool,
    /// Seed of the random moves.
    pub(super) seed: u64,
}

impl Openings {
    /// Opening number `number`, from the place where all games begin.
    pub(super) fn draw(&self, game: &Engine, from: &Place, number: u64) -> Result<Opening, Fault> {
        let mut best: Option<(f64, Opening)> = None;
        for attempt in 0..ATTEMPTS {
            let mut random = Random::stream(self.seed, number, attempt);
            let Some(opening) = self.attempt(game, from, &mut random)? else { continue };
            if !self.balanced || self.plies == 0 {
                return Ok(opening);
            }
            let rate = first_player_rate(game, &opening.place, random.next_u64())?;
            if FAIR.contains(&rate) {
                return Ok(opening);
            }
            let bias = (rate - 0.5).abs();
            if best.as_ref().is_none_or(|(least, _)| bias < *least) {
                best = Some((bias, opening));
            }
        }
        let start = || Opening { place: from.clone(), moves: Vec::new() };
        Ok(best.map_or_else(start, |(_, opening)| opening))
    }

    /// Random moves; nothing if the game is over before they are played.
    fn attempt(
        &self,
        game: &Engine,
        from: &Place,
        random: &mut Random,
    ) -> Result<Option<Opening>, Fault> {
        let mut place = from.clone();
        let mut moves = Vec::new();
        for _ in 0..self.plies {
            let Some(mv) = game.random_move(&place.state, &place.trail, random)? else {
                return Ok(None);
            };
            moves.push(game.name(&place.state, mv));
            game.apply(&mut place.state, &mut place.trail, &[mv])?;
        }
        let over = game.turn(&place.state, &place.trail)? == Turn::Over;
        Ok((!over).then_some(Opening { place, moves }))
    }
}

/// What a short search expects the first player to win, from 0 to 1.
fn first_player_rate(game: &Engine, place: &Place, seed: u64) -> Result<f64, Fault> {
    let config = UctConfig { seed, ..UctConfig::default() };
    let budget = Budget::of_nodes(PLAYOUTS);
    let report = uct(game, &place.state, &place.trail, &config, &budget, &StoppedClock)?;
    // The best line is judged; but where there are so many moves that none was tried often, the
    // mean of all playouts says more.
    let decision = report.decisions.first();
    let line = decision.and_then(|it| it.lines.first()).filter(|it| it.visits >= ENOUGH);
    let value = match (decision, line) {
        (Some(decision), Some(line)) if decision.player == Player(0) => line.value,
        (Some(_), Some(line)) => -line.value,
        _ => report.values.first().copied().unwrap_or(0.0),
    };
    Ok(f64::midpoint(value, 1.0))
}
