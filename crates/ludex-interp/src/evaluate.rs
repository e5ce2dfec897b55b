//! The evaluation, the features and the policy that a file gives.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use ludex_core::{Candidates, Fault, Player, Position};
use ludex_ir::PackedMove;

use crate::game::RulesGame;
use crate::machine::Listing;
use crate::reals::real;

/// Evaluations are kept between this and its negative.
const MOST: f64 = 1e6;

/// Moves with their weights.
type Weighed = Vec<(PackedMove, f64)>;

impl RulesGame {
    /// What `evaluate` gave, as bits, for the player to move. The file says whether it is for that
    /// player already, or for the side that the search plays for.
    pub fn evaluation(&self, bits: i64, mover: Player, side: Player) -> f64 {
        let value = real(bits);
        let value = if value.is_nan() { 0.0 } else { value.clamp(-MOST, MOST) };
        let is_for_other = self.program().roles.evaluate_for_side && mover != side;
        if is_for_other { -value } else { value }
    }

    /// Moves as the candidates of the file.
    pub fn candidates_of(&self, moves: Weighed) -> Candidates<PackedMove> {
        Candidates { moves, only: self.program().roles.candidates_only }
    }

    /// The features of a position, seen by the player to move, in the order of
    /// [`Program::features`](ludex_ir::Program::features).
    pub fn features(&self, position: &Position) -> Result<Vec<f64>, Fault> {
        let count = self.program().features.len();
        let Some(features) = self.program().roles.features else { return Ok(vec![0.0; count]) };
        self.ask(position, |machine, ctx| {
            machine.features.resize(count, 0.0);
            let me = machine.mover(ctx);
            machine.run(ctx, features, me as i64)?;
            Ok(std::mem::take(&mut machine.features))
        })
    }

    /// The candidates as the file lists them, best first; `None` if it has none.
    pub(crate) fn weighed(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Weighed>, Fault> {
        let Some(candidates) = self.program().roles.candidates else { return Ok(None) };
        let mut listed = self.ask_for(position, (side, depth), |machine, ctx| {
            let (me, listing) = (machine.mover(ctx), Listing::All { weights: true });
            let start = machine.list_from(ctx, candidates, me, listing, false)?;
            let moves = machine.moves.split_off(start).into_iter();
            let weights = std::mem::take(&mut machine.weights);
            Ok(moves.zip(weights.iter().map(|it| it.unwrap_or(0.0))).collect::<Weighed>())
        })?;
        best_first(&mut listed);
        Ok(Some(listed))
    }

    /// The words of the state that a move leads to.
    pub(crate) fn reached(&self, position: &Position, mv: PackedMove) -> Result<Vec<u64>, Fault> {
        self.ask(position, |machine, ctx| {
            let me = machine.mover(ctx);
            machine.play(ctx, me, mv)?;
            Ok(machine.cells.words().to_vec())
        })
    }
}

/// Sorts moves by their weights; equal weights keep the order in which the file lists them.
pub fn best_first(listed: &mut [(PackedMove, f64)]) {
    listed.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal));
}

/// The first of moves that are the same. Short lists are compared one with another.
pub fn distinct(listed: &[(PackedMove, f64)]) -> Weighed {
    let mut seen: HashSet<PackedMove> = HashSet::new();
    let mut kept: Weighed = Vec::with_capacity(listed.len());
    let few = listed.len() <= 64;
    for &(mv, weight) in listed {
        let is_new = if few { kept.iter().all(|it| it.0 != mv) } else { seen.insert(mv) };
        if is_new {
            kept.push((mv, weight));
        }
    }
    kept
}

/// For each candidate the legal move that leads to the same state, as `reached` tells it, each
/// move once. The first of several legal moves that lead there stands for all.
pub fn matched<S: Eq + Hash, E>(
    legal: &[PackedMove],
    listed: &[(PackedMove, f64)],
    mut reached: impl FnMut(PackedMove) -> Result<S, E>,
) -> Result<Weighed, E> {
    let mut leading: HashMap<S, usize> = HashMap::with_capacity(legal.len());
    for (index, &mv) in legal.iter().enumerate() {
        leading.entry(reached(mv)?).or_insert(index);
    }
    let mut taken = vec![false; legal.len()];
    let mut matched = Vec::new();
    for &(mv, weight) in listed {
        if let Some(&index) = leading.get(&reached(mv)?)
            && !std::mem::replace(&mut taken[index], true)
        {
            matched.push((legal[index], weight));
        }
    }
    Ok(matched)
}
