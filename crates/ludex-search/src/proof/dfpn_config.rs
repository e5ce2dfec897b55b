//! The settings of df-pn.

use ludex_core::{Game, GameExt};

use crate::spec::{Spec, SpecError};

/// What df-pn does by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DfpnConfig {
    /// How far a child may pass the second best before the search leaves it, as a part of it.
    pub epsilon: f64,
    /// Whether a fresh leaf starts with the number of its moves; otherwise with 1. `None`: unless
    /// it is looked for what is forced, which tells more of a position than how many moves it has.
    pub mobility: Option<bool>,
    /// Whether the largest child plus one for each other takes the position of the sum.
    pub weak: bool,
    /// How many positions to look at for what is forced in each; not at all with 0. `None` leaves
    /// it to the game: some where it sees that at once, and not at all elsewhere.
    pub threats: Option<u64>,
    /// The order of threats that are looked for: see [`Effort`](ludex_core::Effort).
    pub order: u8,
}

impl DfpnConfig {
    /// The same with the options of a spec.
    pub(crate) fn with(self, spec: &mut Spec) -> Result<Self, SpecError> {
        Ok(Self {
            epsilon: spec.take_within("epsilon", self.epsilon, 0.0..=100.0)?,
            mobility: spec.take_given_switch("mobility")?,
            weak: spec.take_switch("weak", self.weak)?,
            threats: spec.take_given("threats")?,
            order: spec.take_within("order", self.order, 0..=2)?,
        })
    }
}

impl Default for DfpnConfig {
    fn default() -> Self {
        Self { epsilon: 0.25, mobility: None, weak: true, threats: None, order: 1 }
    }
}

/// What may be spent on one look where the game sees what is forced at once.
const AT_ONCE: u64 = 2_000;

impl DfpnConfig {
    /// The same with everything decided that was left open.
    pub(super) fn for_game<G: Game>(self, game: &G) -> Self {
        let by_game = || if game.has_decisive_prover() { AT_ONCE } else { 0 };
        let threats = self.threats.unwrap_or_else(by_game);
        let mobility = self.mobility.unwrap_or(threats == 0);
        Self { threats: Some(threats), mobility: Some(mobility), ..self }
    }

    /// Whether leaves start with the number of their moves, once that is decided.
    pub(super) fn counts_moves(&self) -> bool {
        self.mobility == Some(true)
    }

    /// How many positions to look at for what is forced, once that is decided.
    pub(super) fn look(&self) -> u64 {
        self.threats.unwrap_or(0)
    }
}
