//! Cases in which a goal is to be reached: a search by threats looks for a win, and no player has
//! a part in it.

use ludex::clock::RealClock;
use ludex::goal::{of_text, with_goal};
use ludex::solve::USUAL_NEAR;
use ludex::source::Source;
use ludex::{EngineKind, Error, Result};
use ludex_core::{Limits, Player, Turn};
use ludex_study::threats::widening::{Reach, Widened};
use ludex_study::threats::{Attack, Config, prove_verified};

use crate::case::Wanted;

/// A string with four liberties is captured by moves of order 4.
const HIGHEST_ORDER: u8 = 4;

/// The result of a case.
pub(crate) struct Reached {
    /// Whether it is proved that the goal can be reached. If it is not, nothing is known.
    pub(crate) proved: bool,
    /// The moves of the proof, as the rules name them.
    pub(crate) line: Vec<String>,
    /// Nodes searched.
    pub(crate) nodes: u64,
    /// Seconds spent.
    pub(crate) seconds: f64,
}

/// Searches for a way to reach a goal.
pub(crate) fn reach(
    (game, engine): (&str, EngineKind),
    position: &str,
    wanted: &Wanted,
    limits: Limits<'_>,
) -> Result<Reached> {
    let loaded = with_goal(Source::find(game)?, of_text(wanted.goal.clone()), engine)?;
    let game = &loaded.game;
    let position = loaded.read(position)?;
    let Turn::Of(mover) = loaded.turn(&position)? else {
        return Err(Error::new("the goal is reached, or the game is over"));
    };
    let attacker = if wanted.attacks { mover } else { Player(1 - mover.0) };
    let clock = RealClock::start();
    let limits = Limits { clock: &clock, ..limits };
    let config = Config { relevance_zone: Some(USUAL_NEAR), ..Config::default() };
    let reach = Reach { highest_order: HIGHEST_ORDER, ..Reach::default() };
    let mut attack = Attack::new((game, game.interpreter()), attacker, config, limits);
    let found = prove_verified(&mut attack, &position, reach, limits);
    let found = found.map_err(|it| loaded.blame(it))?;
    let (nodes, seconds) = (attack.nodes(), clock.seconds());
    let line = match &found {
        Widened::Proved(proved) => loaded.line_names(&position, &proved.proof.line())?,
        Widened::Nothing | Widened::Spent => Vec::new(),
    };
    Ok(Reached { proved: matches!(found, Widened::Proved(_)), line, nodes, seconds })
}
