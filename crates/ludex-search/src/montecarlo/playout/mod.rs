//! Playouts: how a game goes on below the tree, one file per way to choose.

mod features;
mod greedy;
mod mast;
mod ngram;
mod ppa;
mod uniform;
mod weights;

use ludex_core::{Fault, Game, Payoff, PositionOf, Random};
use smallvec::SmallVec;

use super::backup::Played;
use super::code_table::MoveCode;
use super::config::PolicyConfig;
use super::tree::Opened;
use greedy::Greedy;
use mast::Mast;
use ngram::Ngram;
use ppa::Ppa;
use uniform::Uniform;

/// How a playout went.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    /// How many turns were played.
    pub(crate) plies: u32,
    /// What each player earned; `None` where the limit came before the end.
    pub(crate) payoffs: Option<SmallVec<[Payoff; 4]>>,
}

/// Where a playout begins and what becomes of it.
pub(crate) struct Start<'a, G: Game> {
    pub(crate) game: &'a G,
    /// Becomes the last position.
    pub(crate) position: &'a mut PositionOf<G>,
    pub(crate) random: &'a mut Random,
    /// After this many turns it is broken off.
    pub(crate) limit: u32,
}

/// What one thread has learnt about how to play on, with the memory that it needs for it.
pub(crate) enum PlayoutPolicy<G: Game> {
    Uniform(Uniform<G>),
    Mast(Greedy<G, Mast>),
    Ngram(Greedy<G, Ngram>),
    Adaptive(Box<Ppa<G>>),
}

impl<G: Game> PlayoutPolicy<G> {
    /// A policy that has learned nothing yet.
    pub(crate) fn new(policy: PolicyConfig) -> Self {
        match policy {
            PolicyConfig::Uniform => Self::Uniform(Uniform::default()),
            PolicyConfig::Mast { epsilon, temperature } => {
                Self::Mast(Greedy::new(Mast::default(), epsilon, temperature))
            }
            PolicyConfig::Ngram { epsilon, longest, least } => {
                Self::Ngram(Greedy::new(Ngram::new(longest, least), epsilon, None))
            }
            PolicyConfig::Adaptive { rate, features, .. } => {
                Self::Adaptive(Box::new(Ppa::new(rate, features)))
            }
        }
    }

    /// Plays on, and adds to `played` what was played if `trace` is set or the guide learns from
    /// it. What was played before, in the tree, is in `played` already.
    pub(crate) fn play(
        &mut self,
        start: Start<'_, G>,
        trace: bool,
        played: &mut Vec<Played>,
    ) -> Result<Ended, Fault> {
        match self {
            Self::Uniform(playout_policy) if trace => playout_policy.traced(start, played),
            Self::Uniform(playout_policy) => playout_policy.plain(start),
            Self::Mast(playout_policy) => playout_policy.play(start, played),
            Self::Ngram(playout_policy) => playout_policy.play(start, played),
            Self::Adaptive(playout_policy) => playout_policy.play(start, trace, played),
        }
    }

    /// What moves of a position are called together with what stands around them; nothing where
    /// it is not used.
    pub(crate) fn around(
        &mut self,
        position: (&G, &PositionOf<G>),
        moves: &[G::Move],
    ) -> Result<Box<[MoveCode]>, Fault> {
        match self {
            Self::Adaptive(playout_policy) => playout_policy.around(position, moves),
            _ => Ok(Box::default()),
        }
    }

    /// Learns from how a game ended: the nodes that it came through with the numbers of the moves
    /// taken there, and what was played, those moves included.
    pub(crate) fn learn<'t>(
        &mut self,
        path: impl Iterator<Item = (&'t Opened<G::Move>, u32)>,
        played: &[Played],
        rewards: &[f64],
    ) where
        G::Move: 't,
    {
        match self {
            Self::Uniform(_) => {}
            Self::Mast(playout_policy) => playout_policy.learn(played, rewards),
            Self::Ngram(playout_policy) => playout_policy.learn(played, rewards),
            Self::Adaptive(playout_policy) => playout_policy.learn(path, rewards),
        }
    }
}
