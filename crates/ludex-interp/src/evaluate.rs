//! The evaluation, the features and the policy that a file gives.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use ludex_core::{Fault, Game, Player, Position};
use ludex_ir::{Func, PackedMove};

use crate::fault::Halt;
use crate::game::RulesGame;
use crate::machine::{Ctx, Listing, Machine};
use crate::reals::real;

/// Evaluations are kept between this and its negative.
const MOST: f64 = 1e6;

impl RulesGame {
    /// What the file thinks of a position, if it has an opinion.
    ///
    /// The value is for the player to move, or for `side` (the player the search plays for) if
    /// [`evaluates_for_side`](Self::evaluates_for_side).
    pub fn raw_evaluation(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        let Some(evaluate) = self.program().roles.evaluate else { return Ok(None) };
        self.ask_for(position, (i64::from(side.0), i64::from(depth)), |machine, ctx| {
            let me = machine.mover(ctx);
            let value = real(machine.run(ctx, evaluate, me as i64)?);
            Ok(Some(if value.is_nan() { 0.0 } else { value.clamp(-MOST, MOST) }))
        })
    }

    /// Whether [`evaluate`](Self::raw_evaluation) is for the side that the search plays for.
    pub fn evaluates_for_side(&self) -> bool {
        self.program().roles.evaluate_for_side
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

    /// The legal moves that the file thinks worth looking at, best first, with their weights; if
    /// the file says nothing about it, `None`.
    ///
    /// A candidate stands for the legal move that leads to the same position. Equal weights keep
    /// the order in which the file lists them.
    pub fn raw_candidates(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Vec<(PackedMove, f64)>>, Fault> {
        let Some(candidates) = self.program().roles.candidates else { return Ok(None) };
        let mut legal = Vec::new();
        self.moves(position, self.mover(&position.state), &mut legal)?;
        self.ask_for(position, (i64::from(side.0), i64::from(depth)), |machine, ctx| {
            let me = machine.mover(ctx);
            let listed = weighed(machine, ctx, candidates, me)?;
            matched(machine, ctx, me, &legal, &listed).map(Some)
        })
    }

    /// What the file lists, best first, with weights and each move once, whether or not it is
    /// legal: see [`Game::unchecked_advice`].
    pub fn listed_candidates(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Vec<(PackedMove, f64)>>, Fault> {
        let Some(candidates) = self.program().roles.candidates else { return Ok(None) };
        self.ask_for(position, (i64::from(side.0), i64::from(depth)), |machine, ctx| {
            let me = machine.mover(ctx);
            let mut listed = weighed(machine, ctx, candidates, me)?;
            let mut seen = HashSet::new();
            listed.retain(|it| seen.insert(it.0));
            Ok(Some(listed))
        })
    }

    /// Whether nothing but the candidates is to be looked at.
    pub fn candidates_only(&self) -> bool {
        self.program().roles.candidates_only
    }
}

/// What a list of candidates gives, best first.
fn weighed(
    machine: &mut Machine,
    ctx: &Ctx<'_>,
    candidates: Func,
    me: usize,
) -> Result<Vec<(PackedMove, f64)>, Halt> {
    let listing = Listing::All { weights: true };
    let start = machine.list_from(ctx, candidates, me, listing, false)?;
    let emitted = machine.moves.split_off(start);
    let weights = std::mem::take(&mut machine.weights);
    let mut listed: Vec<(PackedMove, f64)> =
        emitted.into_iter().zip(weights.iter().map(|it| it.unwrap_or(0.0))).collect();
    listed.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal));
    Ok(listed)
}

/// For each candidate the legal move that leads to the same state, each move once.
fn matched(
    machine: &mut Machine,
    ctx: &Ctx<'_>,
    me: usize,
    legal: &[PackedMove],
    listed: &[(PackedMove, f64)],
) -> Result<Vec<(PackedMove, f64)>, Halt> {
    let mut leading: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, &mv) in legal.iter().enumerate() {
        let (hash, _) = reached(machine, ctx, me, mv)?;
        leading.entry(hash).or_default().push(index);
    }
    let mut taken = vec![false; legal.len()];
    let mut matched = Vec::new();
    for &(mv, weight) in listed {
        let (hash, words) = reached(machine, ctx, me, mv)?;
        for &index in leading.get(&hash).map_or(&[][..], Vec::as_slice) {
            if machine.leads_to(ctx, me, legal[index], &words)? {
                if !std::mem::replace(&mut taken[index], true) {
                    matched.push((legal[index], weight));
                }
                break;
            }
        }
    }
    Ok(matched)
}

/// The hash and the words of the state that a move leads to.
fn reached(
    machine: &mut Machine,
    ctx: &Ctx<'_>,
    me: usize,
    mv: PackedMove,
) -> Result<(u64, Vec<u64>), Halt> {
    let before = machine.suspend();
    machine.play(ctx, me, mv)?;
    let reached = (machine.cells.hash(), machine.cells.words().to_vec());
    machine.recover(ctx, before);
    Ok(reached)
}
