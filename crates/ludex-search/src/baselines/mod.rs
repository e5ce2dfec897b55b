//! Baseline searches: each as plain as it is taught, and the slow truth that the strong searches
//! are checked against.
//!
//! | player | file | what it adds |
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

use std::f64::consts::SQRT_2;

use ludex_core::Game;

use crate::registry::PlayerFamily;
use crate::spec::{Spec, SpecError};
use crate::support;

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

use alphabeta_plain::{AlphaBetaPlain, PlainConfig};
use alphabeta_table::AlphaBetaTable;
use flat::Flat;
use minimax::Minimax;
use random::RandomMover;
use ucb::Ucb;
use uct::Uct;

/// The players of this folder.
pub(crate) fn families<G: Game + 'static>() -> Vec<PlayerFamily<G>> {
    let (any, two) = (support::perfect_information, support::two_opponents);
    vec![
        PlayerFamily::new(
            "minimax",
            "plain minimax, to the end or to depth=N with an evaluation",
            two,
            |spec, registry, options| {
                let evaluation = registry.evaluation(spec, "auto")?;
                Ok(Box::new(Minimax::new(depth(spec)?, evaluation, options)))
            },
        ),
        PlayerFamily::new(
            "alphabeta-plain",
            "alpha-beta as it is taught, in the order of the file's candidates",
            two,
            |spec, registry, options| {
                let evaluation = registry.evaluation(spec, "auto")?;
                Ok(Box::new(AlphaBetaPlain::new(plain(spec)?, evaluation, options)))
            },
        ),
        PlayerFamily::new(
            "alphabeta-table",
            "plain alpha-beta with a table of positions",
            two,
            |spec, registry, options| {
                let evaluation = registry.evaluation(spec, "auto")?;
                Ok(Box::new(AlphaBetaTable::new(depth(spec)?, evaluation, options)))
            },
        ),
        PlayerFamily::new(
            "flat",
            "flat Monte-Carlo: as many random games for each move",
            any,
            |spec, _, options| Ok(Box::new(Flat { playouts: playouts(spec)?, seed: options.seed })),
        ),
        PlayerFamily::new("ucb", "UCB1 over the moves of the position", any, |spec, _, options| {
            let (exploration, playouts) = (exploration(spec)?, playouts(spec)?);
            Ok(Box::new(Ucb { exploration, playouts, seed: options.seed }))
        }),
        PlayerFamily::new(
            "uct",
            "UCT as it was published, c=\u{221a}2",
            any,
            |spec, _, options| {
                let usual = Uct::new(options);
                let (exploration, playouts) = (exploration(spec)?, playouts(spec)?);
                Ok(Box::new(Uct { exploration, playouts, ..usual }))
            },
        ),
        PlayerFamily::new("random", "any legal move", any, |_, _, options| {
            Ok(Box::new(RandomMover::new(options.seed)))
        }),
    ]
}

/// Playouts where the limits have no end.
const PLAYOUTS: u64 = 10_000;

fn playouts(spec: &mut Spec) -> Result<u64, SpecError> {
    spec.take("playouts", PLAYOUTS)
}

fn exploration(spec: &mut Spec) -> Result<f64, SpecError> {
    spec.take_within("c", SQRT_2, 0.0..=1e6)
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
