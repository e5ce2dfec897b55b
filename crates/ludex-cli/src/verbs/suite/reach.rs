//! Cases in which something is to be reached: threats look for it, and no player has a part in it.

use anyhow::Result;
use ludex_core::{Budget, Game, Player, Turn};
use ludex_study::threats::widening::{Reach, Widened};
use ludex_study::threats::{Attack, Config, Place as Point, prove_near};

use super::case::Wanted;
use super::{DEFAULT_TIME, SuiteArgs};
use crate::clock::RealClock;
use crate::failure::Mistake;
use crate::goal::{of_text, with_goal};
use crate::interrupt;
use crate::load::find;
use crate::place::read;
use crate::verbs::solve::USUAL_NEAR;

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
    let loaded = with_goal(find(game)?, of_text(wanted.goal.clone()), args.engine.to_play())?;
    let game = &loaded.game;
    let place = read(game, position)?;
    let Turn::Of(mover) = place.turn(&loaded)? else {
        return Err(Mistake::new("the goal is reached, or the game is over").into());
    };
    let attacker = if wanted.attacks { mover } else { Player(1 - mover.0) };
    let point = Point { state: place.state, trail: place.trail };
    let time = args.think.time.or(args.think.nodes.is_none().then_some(DEFAULT_TIME));
    let stop = Some(interrupt::listen());
    let budget = Budget { nodes: args.think.nodes, time, depth: None, stop };
    let config = Config { near: Some(USUAL_NEAR), ..Config::default() };
    let reach = Reach { highest_order: HIGHEST_ORDER, ..Reach::default() };
    let clock = RealClock::start();
    let mut attack = Attack::new((game, game.interpreter()), attacker, config, budget, &clock);
    let found = prove_near(&mut attack, &point, reach, (budget, &clock));
    let found = found.map_err(|it| loaded.blame(it))?;
    let (nodes, seconds) = (attack.nodes(), clock.seconds());
    let mut line = Vec::new();
    let mut here = point;
    if let Widened::Proved(proved) = &found {
        for mv in proved.proof.line() {
            line.push(game.name(&here.state, mv));
            here = here.after(game, mv).map_err(|it| loaded.blame(it))?;
        }
    }
    Ok(Reached { proved: matches!(found, Widened::Proved(_)), line, nodes, seconds })
}
