//! The course's ladder: each search as plain as it is taught, and the slow truth that the strong
//! ones are checked against.
//!
//! | rung | file | what it adds |
//! | --- | --- | --- |
//! | `random` | [`random`] | nothing: any legal move |
//! | `minimax` | [`minimax`] | looks at everything, to the end or to a depth with an evaluation |
//! | `alphabeta-plain` | [`alphabeta_plain`] | leaves out what cannot matter |
//! | `alphabeta-table` | [`alphabeta_table`] | does not look at a position twice |
//! | `flat` | [`flat`] | random games, as many for each move |
//! | `ucb` | [`ucb`] | random games where they tell most |
//! | `uct` | [`uct`](mod@uct) | the same all the way down a tree |
//!
//! The first three answer with values on the scale of
//! [`evaluation::scale`](crate::evaluation::scale), the others with mean results.

use ludex_core::Game;

use crate::evaluation::{Choice, choose};
use crate::player::{GamePlayer, PlayerOptions};
use crate::spec::{Spec, SpecError};

pub mod alphabeta_plain;
pub mod alphabeta_table;
mod evaluation;
pub mod flat;
pub mod minimax;
pub mod random;
mod root_moves;
pub mod tree;
pub mod ucb;
pub mod uct;

pub(crate) use root_moves::two_player;

use alphabeta_plain::{AlphaBetaPlain, PlainConfig};
use alphabeta_table::AlphaBetaTable;
use flat::Flat;
use minimax::Minimax;
use random::RandomMover;
use ucb::Ucb;
use uct::Uct;

/// The names of these players, each with what it is in a line.
pub const NAMES: &[(&str, &str)] = &[
    ("minimax", "plain minimax, to the end or to depth=N with an evaluation"),
    ("alphabeta-plain", "alpha-beta as it is taught, in the order of the file's candidates"),
    ("alphabeta-table", "plain alpha-beta with a table of positions"),
    ("flat", "flat Monte-Carlo: as many random games for each move"),
    ("ucb", "UCB1 over the moves of the position"),
    ("uct", "UCT as it was published, c=\u{221a}2"),
    ("random", "any legal move"),
];

/// The player that was asked for, if it is one of these.
pub fn player<G: Game + 'static>(
    spec: &mut Spec,
    options: &PlayerOptions,
) -> Result<Option<Box<dyn GamePlayer<G>>>, SpecError> {
    let player: Box<dyn GamePlayer<G>> = match spec.name.as_str() {
        "minimax" => Box::new(Minimax::new(depth(spec)?, evaluation_choice(spec)?, *options)),
        "alphabeta-plain" => {
            Box::new(AlphaBetaPlain::new(plain(spec)?, evaluation_choice(spec)?, *options))
        }
        "alphabeta-table" => {
            Box::new(AlphaBetaTable::new(depth(spec)?, evaluation_choice(spec)?, *options))
        }
        "flat" => Box::new(Flat { playouts: spec.take("playouts", 10_000)?, seed: options.seed }),
        "ucb" => Box::new(Ucb {
            exploration: spec.take_within("c", std::f64::consts::SQRT_2, 0.0..=1e6)?,
            playouts: spec.take("playouts", 10_000)?,
            seed: options.seed,
        }),
        "uct" => Box::new(Uct {
            exploration: spec.take_within("c", std::f64::consts::SQRT_2, 0.0..=1e6)?,
            playouts: spec.take("playouts", 10_000)?,
            seed: options.seed,
            memory: options.memory,
        }),
        "random" => Box::new(RandomMover::new(options.seed)),
        _ => return Ok(None),
    };
    Ok(Some(player))
}

fn depth(spec: &mut Spec) -> Result<Option<u32>, SpecError> {
    spec.take_given("depth")
}

fn plain(spec: &mut Spec) -> Result<PlainConfig, SpecError> {
    let usual = PlainConfig::default();
    Ok(PlainConfig {
        depth: depth(spec)?,
        candidates: spec.take_switch("candidates", usual.candidates)?,
        trust: spec.take_switch("trust", usual.trust)?,
        ends: spec.take("ends", usual.ends)?,
        exact: spec.take_switch("exact", usual.exact)?,
        unit: spec.take("unit", usual.unit)?.clamp(1, 1_000_000),
    })
}

/// Which evaluation was asked for: without one the file's own or, where it has none, mobility.
fn evaluation_choice(spec: &mut Spec) -> Result<Choice, SpecError> {
    choose(spec, Choice::Auto)
}
