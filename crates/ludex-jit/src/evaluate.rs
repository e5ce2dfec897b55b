//! The evaluation, the features and the policy that a file gives.

use ludex_core::{Fault, Player, Position, State};
use ludex_interp::evaluate::{best_first, matched};
use ludex_ir::PackedMove;

use crate::code::Algorithm;
use crate::context::Context;
use crate::game::CompiledGame;
use crate::native::Native;
use crate::twins::leads_to;

impl CompiledGame {
    /// The features of a position: see
    /// [`RulesGame::features`](ludex_interp::RulesGame::features).
    pub fn features(&self, position: &Position) -> Result<Vec<f64>, Fault> {
        match self.code().and_then(|it| it.features(position)) {
            Some(features) => Ok(features),
            None => self.interpreter().features(&self.plain(position)),
        }
    }
}

impl Native<'_> {
    /// What the file's evaluation gives, as bits.
    pub(crate) fn evaluation(&self, position: &Position, side: Player, depth: u32) -> Option<i64> {
        let evaluate = self.own(&position.state, |it| it.evaluate)?;
        self.ask(position, |context| {
            seen_from(context, side, depth);
            self.code.ask(evaluate, context).value()
        })
    }

    /// The file's features.
    fn features(&self, position: &Position) -> Option<Vec<f64>> {
        let features = self.own(&position.state, |it| it.features)?;
        self.ask(position, |context| {
            context.clear_features(self.program().features.len());
            self.code.ask(features, context).value()?;
            Some(context.features().iter().map(|&bits| f64::from_bits(bits)).collect())
        })
    }

    /// The candidates as the file lists them, best first.
    pub(crate) fn weighed(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Option<Vec<(PackedMove, f64)>> {
        let algorithm = self.own(&position.state, |it| it.candidates)?;
        let mut listed = self.ask(position, |context| {
            seen_from(context, side, depth);
            context.weigh_moves();
            self.code.ask(algorithm, context).value()?;
            let weights = context.weighed().iter().map(|&bits| weight(bits));
            Some(context.listed().iter().copied().zip(weights).collect::<Vec<_>>())
        })?;
        best_first(&mut listed);
        Some(listed)
    }

    /// An algorithm of the player to move.
    fn own(
        &self,
        state: &State,
        of: impl Fn(&crate::code::PlayerEntries) -> Option<Algorithm>,
    ) -> Option<Algorithm> {
        of(self.code.players.get(self.mover(state).index())?)
    }

    /// For each candidate the legal move that leads to the same state, each move once.
    pub(crate) fn matched(
        &self,
        state: &State,
        legal: &[PackedMove],
        listed: &[(PackedMove, f64)],
    ) -> Option<Vec<(PackedMove, f64)>> {
        let mover = self.mover(state).index();
        let mut block = state.words.to_vec();
        block.extend([state.hash, state.key, 0]);
        matched(legal, listed, |mv| leads_to(self.code, mover, mv, &block).ok_or(())).ok()
    }
}

fn seen_from(context: &mut Context, side: Player, depth: u32) {
    context.side = i64::from(side.0);
    context.depth = i64::from(depth);
}

/// A weight as the file gave it; 0 for none.
fn weight(bits: u64) -> f64 {
    let weight = f64::from_bits(bits);
    if weight.is_nan() { 0.0 } else { weight }
}
