//! Monte-Carlo tree search with its refinements.
//!
//! One engine, [`Mcts`], whose players are settings of one struct, [`McConfig`].
//!
//! * `config`: the settings. `mcts`: the player. `search`: one simulation;
//!   `expand`: a new node.
//! * `tree`: nodes shared by threads. `select`: UCT, RAVE, GRAVE, implicit minimax, UCD.
//! * `playout`: uniform, MAST, n-grams, PPA. `amaf`: AMAF tables. `code_table`, `move_ids`,
//!   `reward_table`: keys and values of tables by moves.
//! * `backup`, `solver`: mean rewards and proved bounds, up the path. `threats`: wins that the
//!   game's prover finds.
//! * `threads`: several threads on one tree. `batch` (virtual loss), `allocation`, `cache_padded`:
//!   how they avoid each other's cache lines. `prune`: the bound on memory, and reuse.
//! * `report`: the result that the tree gives.
//!
//! Chance and turns of several players at once are left to [`uct`](mod@crate::uct).

mod allocation;
mod amaf;
mod backup;
mod batch;
mod cache_padded;
mod code_table;
mod config;
mod expand;
mod mcts;
mod move_ids;
mod playout;
mod prune;
mod report;
mod reward_table;
mod search;
mod select;
mod solver;
mod threads;
mod threats;
mod tree;

use std::sync::Arc;

use ludex_core::{Game, GameExt, Player};

pub use config::{AmafConfig, McConfig, PolicyConfig};
pub use mcts::{EvaluationSource, Mcts};

use crate::error::SearchError;
use crate::evaluation::{AuthorEvaluation, Evaluate, TrainingConfig};
use crate::player::{PlayerOptions, SearchRoot};
use crate::registry::{PlayerFamily, Registry};
use crate::result::mover;
use crate::spec::{Spec, SpecError};
use crate::support;

/// The names of these players, each with what it is in a line.
pub const NAMES: &[(&str, &str)] = &[
    ("mcts", "Monte-Carlo tree search, tuned"),
    ("rave", "Monte-Carlo with RAVE: moves learn from playouts that had them later"),
    ("grave", "Monte-Carlo with GRAVE: RAVE with the table of an ancestor"),
    ("mast", "Monte-Carlo with MAST playouts: moves by their mean reward"),
    ("nst", "Monte-Carlo with n-gram playouts"),
    ("ppa", "Monte-Carlo with playout policy adaptation"),
    ("ppaf", "the same with features of moves"),
    ("ppafm", "the same, and the policy is kept from move to move"),
    ("implicit", "Monte-Carlo with short playouts and implicit minimax backups"),
];

/// The players of this folder.
pub(crate) fn families<G: Game + 'static>() -> Vec<PlayerFamily<G>> {
    let family = |&(name, summary): &(&'static str, &'static str)| {
        let any = support::perfect_information;
        PlayerFamily::new(name, summary, any, move |spec, registry, options| {
            let preset = McConfig::preset(name).expect("each name has its settings");
            let config = configure(spec, preset)?;
            let evaluation = evaluation(spec, registry, options)?;
            Ok(Box::new(Mcts::new(name, config, options, evaluation)))
        })
    };
    NAMES.iter().map(family).collect()
}

/// How long an evaluation is learned for playouts that are cut.
const WORK: u64 = 300_000;

/// Where the evaluation comes from: the author of the rules, unless another one is named.
fn evaluation<G: Game + 'static>(
    spec: &mut Spec,
    registry: &Registry<G>,
    options: PlayerOptions,
) -> Result<EvaluationSource<G>, SpecError> {
    let choice = registry.evaluation(spec, "file")?;
    let work = spec.take_within("work", WORK, 0..=100 * WORK)?;
    let training = TrainingConfig { seed: options.seed, work, ..TrainingConfig::default() };
    Ok(match choice.name() {
        "file" => Box::new(author_evaluation),
        "none" => Box::new(|_| Ok(None)),
        // Values are learned by two opponents.
        _ => Box::new(move |root| {
            let fits = root.game.players() == 2;
            if fits { choice.make(root.game, &training).map(Some) } else { Ok(None) }
        }),
    })
}

/// The author's evaluation, where the rules come with one.
fn author_evaluation<G: Game>(
    root: SearchRoot<'_, G>,
) -> Result<Option<Arc<dyn Evaluate<G>>>, SearchError> {
    let SearchRoot { game, position } = root;
    let side = mover(game, position)?.unwrap_or(Player(0));
    let known = game.evaluate(position, side, 0)?.is_some();
    Ok(known.then(|| Arc::new(AuthorEvaluation) as Arc<dyn Evaluate<G>>))
}

/// A preset with the options of a spec.
fn configure(spec: &mut Spec, preset: McConfig) -> Result<McConfig, SpecError> {
    let amaf = amaf(spec, preset.amaf)?;
    let policy = policy(spec, preset.policy)?;
    Ok(McConfig {
        exploration: spec.take_within("c", preset.exploration, 0.0..=MOST)?,
        first_play: first_play(spec, preset.first_play)?,
        amaf,
        policy,
        playout_plies: spec.take_within("plies", preset.playout_plies, 1..=u32::MAX)?,
        cut: above_zero(spec.take("cut", preset.cut.unwrap_or(0))?),
        implicit: spec.take_within("implicit", preset.implicit, 0.0..=1.0)?,
        solver: spec.take_switch("solver", preset.solver)?,
        transpositions: spec.take_switch("transpositions", preset.transpositions)?,
        reuse: spec.take_switch("reuse", preset.reuse)?,
        candidate_weight: spec.take_within("advice", preset.candidate_weight, 0.0..=MOST)?,
        open_at: spec.take("open", preset.open_at)?,
        look: spec.take_switch("look", preset.look)?,
        threats: spec.take("threats", preset.threats)?,
        threats_at: spec.take("threats_at", preset.threats_at)?,
        playouts: spec.take("playouts", preset.playouts)?,
    })
}

/// No weight is larger than this.
const MOST: f64 = 1e6;

/// The least temperature: below, an exponential would be more than any number.
const COLDEST: f64 = 0.01;

/// How hot moves are drawn, where they are; 0 takes the best.
fn temperature_of(spec: &mut Spec, preset: Option<f64>) -> Result<Option<f64>, SpecError> {
    let heat = spec.take_within("temperature", preset.unwrap_or(0.0), 0.0..=MOST)?;
    Ok((heat > 0.0).then_some(heat.max(COLDEST)))
}

/// 0 means without.
fn above_zero(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

/// What an untried move counts as: a number, or `first`.
fn first_play(spec: &mut Spec, preset: Option<f64>) -> Result<Option<f64>, SpecError> {
    match spec.take_given::<String>("fpu")?.as_deref() {
        None => Ok(preset),
        Some("first") => Ok(None),
        Some(number) => match number.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(spec.error("fpu", "`fpu` is a number or `first`")),
        },
    }
}

fn amaf(spec: &mut Spec, preset: Option<AmafConfig>) -> Result<Option<AmafConfig>, SpecError> {
    let usual = preset.unwrap_or(AmafConfig::GRAVE);
    let on = spec.take_switch("amaf", preset.is_some())?;
    let reference = spec.take("ref", usual.reference)?;
    let bias = spec.take_within("bias", usual.bias, 0.0..=MOST)?;
    Ok(on.then_some(AmafConfig { reference, bias }))
}

fn policy(spec: &mut Spec, preset: PolicyConfig) -> Result<PolicyConfig, SpecError> {
    let preset = match spec.take_given::<String>("policy")?.as_deref() {
        None => preset,
        Some("uniform") => PolicyConfig::Uniform,
        Some("mast") => PolicyConfig::MAST,
        Some("nst") => PolicyConfig::NGRAM,
        Some("ppa") => PolicyConfig::PPA,
        Some("ppaf") => PolicyConfig::PPAF,
        Some("ppafm") => PolicyConfig::PPAFM,
        Some(other) => {
            let known = "`uniform`, `mast`, `nst`, `ppa`, `ppaf` or `ppafm`";
            return Err(spec.error("policy", format!("`policy` is {known}, not `{other}`")));
        }
    };
    Ok(match preset {
        PolicyConfig::Uniform => PolicyConfig::Uniform,
        PolicyConfig::Mast { epsilon, temperature } => PolicyConfig::Mast {
            epsilon: spec.take_within("epsilon", epsilon, 0.0..=1.0)?,
            temperature: temperature_of(spec, temperature)?,
        },
        PolicyConfig::Ngram { epsilon, longest, least } => PolicyConfig::Ngram {
            epsilon: spec.take_within("epsilon", epsilon, 0.0..=1.0)?,
            longest: spec.take("longest", longest)?,
            least: spec.take("least", least)?,
        },
        PolicyConfig::Adaptive { rate, features, keep } => PolicyConfig::Adaptive {
            rate: spec.take_within("rate", rate, 0.0..=MOST)?,
            features: spec.take_switch("features", features)?,
            keep: spec.take_switch("keep", keep)?,
        },
    })
}
