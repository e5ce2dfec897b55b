//! Cases in which something is to be reached: threats look for it, and no player has a part in it.

use ludex::clock::RealClock;
use ludex::goal::{of_text, with_goal};
use ludex::source::Source;
use ludex::{Error, Result};
use ludex_core::{Game, GameExt, Limits, Player, Turn};
use ludex_study::threats::widening::{Reach, Widened};
use ludex_study::threats::{Attack, Config, prove_verified};

use super::case::Wanted;
use super::{DEFAULT_TIME, SuiteArgs};
use crate::commands::solve::USUAL_NEAR;
use crate::interrupt;

/// A string with four liberties is captured by moves of order 4.
const HIGHEST_ORDER: u8 = 4;

/// What came of a case.
pub(super) struct Reached {
    /// Whether it is proved that the goal can be reached. If it is not, nothing is known.
    pub(super) proved: bool,
    /// The moves of the proof, in our names.
    pub(super) line: Vec<String>,
    /// What it cost.
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

/// Looks for a way to reach a goal.
pub(super) fn reach(
    args: &SuiteArgs,
    game: &str,
    position: &str,
    wanted: &Wanted,
) -> Result<Reached> {
    let loaded =
        with_goal(Source::find(game)?, of_text(wanted.goal.clone()), args.engine.to_play())?;
    let game = &loaded.game;
    let place = loaded.read(position)?;
    let Turn::Of(mover) = loaded.turn(&place)? else {
        return Err(Error::new("the goal is reached, or the game is over"));
    };
    let attacker = if wanted.attacks { mover } else { Player(1 - mover.0) };
    let point = place;
    let time = args.think.time.or(args.think.nodes.is_none().then_some(DEFAULT_TIME));
    let stop = Some(interrupt::listen());
    let clock = RealClock::start();
    let limits = Limits { nodes: args.think.nodes, time, depth: None, stop, clock: &clock };
    let config = Config { relevance_zone: Some(USUAL_NEAR), ..Config::default() };
    let reach = Reach { highest_order: HIGHEST_ORDER, ..Reach::default() };
    let clock = RealClock::start();
    let mut attack = Attack::new((game, game.interpreter()), attacker, config, limits);
    let found = prove_verified(&mut attack, &point, reach, limits);
    let found = found.map_err(|it| loaded.blame(it))?;
    let (nodes, seconds) = (attack.nodes(), clock.seconds());
    let mut line = Vec::new();
    let mut here = point;
    if let Widened::Proved(proved) = &found {
        for mv in proved.proof.line() {
            line.push(game.name(&here.state, mv));
            here = game.after(&here, mv).map_err(|it| loaded.blame(it))?;
        }
    }
    Ok(Reached { proved: matches!(found, Widened::Proved(_)), line, nodes, seconds })
}
