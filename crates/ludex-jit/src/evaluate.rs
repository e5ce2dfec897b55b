//! The evaluation, the features and the policy that a file gives.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use ludex_core::{Fault, Game, Player, Position, State};
use ludex_interp::reals::real;
use ludex_ir::PackedMove;

use crate::code::Algorithm;
use crate::context::Context;
use crate::game::CompiledGame;
use crate::native::Native;
use crate::twins::leads_to;

/// Evaluations are kept between this and its negative.
const MOST: f64 = 1e6;

impl CompiledGame {
    /// The file's evaluation of a position: see
    /// [`RulesGame::raw_evaluation`](ludex_interp::RulesGame::raw_evaluation).
    pub fn raw_evaluation(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        if self.program().roles.evaluate.is_none() {
            return Ok(None);
        }
        match self.code().and_then(|it| it.evaluation(position, side, depth)) {
            Some(value) => Ok(Some(value)),
            None => self.interpreter().raw_evaluation(&self.plain(position), side, depth),
        }
    }

    /// The features of a position: see
    /// [`RulesGame::features`](ludex_interp::RulesGame::features).
    pub fn features(&self, position: &Position) -> Result<Vec<f64>, Fault> {
        match self.code().and_then(|it| it.features(position)) {
            Some(features) => Ok(features),
            None => self.interpreter().features(&self.plain(position)),
        }
    }

    /// The candidate moves: see
    /// [`RulesGame::raw_candidates`](ludex_interp::RulesGame::raw_candidates).
    pub fn raw_candidates(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Vec<(PackedMove, f64)>>, Fault> {
        if self.program().roles.candidates.is_none() {
            return Ok(None);
        }
        let mut legal = Vec::new();
        self.moves(position, self.mover(&position.state), &mut legal)?;
        let matched = self.code().and_then(|native| {
            let listed = native.weighed(position, side, depth)?;
            native.matched(&position.state, &legal, &listed)
        });
        match matched {
            Some(matched) => Ok(Some(matched)),
            None => self.interpreter().raw_candidates(&self.plain(position), side, depth),
        }
    }

    /// What the file lists, legal or not: see
    /// [`RulesGame::listed_candidates`](ludex_interp::RulesGame::listed_candidates).
    pub fn listed_candidates(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Vec<(PackedMove, f64)>>, Fault> {
        if self.program().roles.candidates.is_none() {
            return Ok(None);
        }
        match self.code().and_then(|it| it.weighed(position, side, depth)) {
            Some(mut listed) => {
                keep_first(&mut listed);
                Ok(Some(listed))
            }
            None => self.interpreter().listed_candidates(&self.plain(position), side, depth),
        }
    }
}

impl Native<'_> {
    /// The file's evaluation.
    fn evaluation(&self, position: &Position, side: Player, depth: u32) -> Option<f64> {
        let evaluate = self.own(&position.state, |it| it.evaluate)?;
        let value = self.ask(position, |context| {
            seen_from(context, side, depth);
            self.code.ask(evaluate, context).value()
        });
        let value = real(value?);
        Some(if value.is_nan() { 0.0 } else { value.clamp(-MOST, MOST) })
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
    fn weighed(
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
        listed.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal));
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
    fn matched(
        &self,
        state: &State,
        legal: &[PackedMove],
        listed: &[(PackedMove, f64)],
    ) -> Option<Vec<(PackedMove, f64)>> {
        let mover = self.mover(state).index();
        let mut block = state.words.to_vec();
        block.extend([state.hash, state.key, 0]);
        let mut leading: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
        for (index, &mv) in legal.iter().enumerate() {
            leading.entry(leads_to(self.code, mover, mv, &block)?).or_default().push(index);
        }
        let mut taken = vec![false; legal.len()];
        let mut matched = Vec::new();
        for &(mv, weight) in listed {
            let reached = leads_to(self.code, mover, mv, &block)?;
            // The first that leads there stands for all.
            if let Some(&index) = leading.get(&reached).and_then(|it| it.first())
                && !std::mem::replace(&mut taken[index], true)
            {
                matched.push((legal[index], weight));
            }
        }
        Some(matched)
    }
}

/// Leaves the first of moves that are the same. Short lists are compared one with another.
fn keep_first(listed: &mut Vec<(PackedMove, f64)>) {
    let mut seen: HashSet<PackedMove> = HashSet::new();
    let mut kept: Vec<(PackedMove, f64)> = Vec::with_capacity(listed.len());
    let few = listed.len() <= 64;
    for &(mv, weight) in listed.iter() {
        let is_new = if few { kept.iter().all(|it| it.0 != mv) } else { seen.insert(mv) };
        if is_new {
            kept.push((mv, weight));
        }
    }
    *listed = kept;
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
