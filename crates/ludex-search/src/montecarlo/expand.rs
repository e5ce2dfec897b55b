//! Expansion: the moves of a node, with their priors and what ends the game at once.

use ludex_core::{Fault, Game, GameExt, Player, Random, Turn};

use super::code_table::code;
use super::move_ids::NO_MOVE_ID;
use super::search::{Search, Worker, value_of_end};
use super::solver;
use super::tree::{Edge, Node, Opened};
use crate::error::SearchError;
use crate::evaluation::{Standpoint, usable_weights};
use crate::result::mover;
use crate::support::Unsupported;

impl<G: Game> Worker<G> {
    /// Lists the moves of the node that the walk has reached.
    pub(super) fn open(
        &mut self,
        search: &Search<'_, G>,
        node: &Node<G::Move>,
    ) -> Result<(), SearchError> {
        let (game, config) = (search.game, search.config);
        let mover = match self.choices.fill(game, &self.position)? {
            Turn::Over => None,
            Turn::Of(player) => Some(player),
            Turn::Joint(_) | Turn::Chance => return Err(Unsupported::NoSingleTurn.into()),
        };
        let listed = self.choices.lists().first().filter(|_| mover.is_some());
        let mut moves = listed.cloned().unwrap_or_default();
        // Of equals the first is tried first, and no order of listing is to be favoured.
        shuffle(&mut moves, &mut self.random);
        let around = self.playout_policy.around((game, &self.position), &moves)?;
        let (coded, marked) = (config.needs_codes(), config.amaf.is_some());
        let known = self.later.known();
        let mut names = |mv| {
            let code = if coded { code(game.move_code(&self.position.state, mv)) } else { 0 };
            (code, if marked { known.move_id(&search.tree.move_ids, code) } else { NO_MOVE_ID })
        };
        let mut edges: Vec<Edge<G::Move>> =
            moves.into_iter().map(|mv| Edge::new(mv, names(mv))).collect();
        if mover.is_some() && config.candidate_weight > 0.0 {
            self.set_priors(search, &mut edges)?;
        }
        if mover.is_some() && config.look && config.solver && game.players() <= 2 {
            self.look(search, &mut edges)?;
        }
        let mut opened = Opened::new(mover.unwrap_or(Player(0)), edges, config.amaf.is_some());
        opened.around = around;
        let bytes = opened.bytes();
        if node.opened.set(Box::new(opened)).is_ok() {
            self.allocation.spend(search.tree, bytes);
            self.progress |= config.look && config.solver && solver::raise(search.tree, node);
        }
        Ok(())
    }

    /// Sets the priors of moves: by the author's candidates or, without them, by the policy of the
    /// evaluation.
    fn set_priors(
        &self,
        search: &Search<'_, G>,
        edges: &mut [Edge<G::Move>],
    ) -> Result<(), SearchError> {
        let depth = self.path.len() as u32;
        let author = search.game.candidates(&self.position, search.side, depth)?;
        if let Some(candidates) = author.filter(|it| !it.moves.is_empty()) {
            let largest = candidates.moves.iter().map(|it| it.1).fold(f64::MIN_POSITIVE, f64::max);
            for edge in edges {
                if let Some((_, weight)) = candidates.moves.iter().find(|it| it.0 == edge.mv) {
                    edge.prior = (weight / largest).clamp(0.0, 1.0) as f32;
                }
            }
        } else if let Some(evaluation) = search.evaluation
            && let Some(mover) = mover(search.game, &self.position)?
        {
            let moves: Vec<G::Move> = edges.iter().map(|it| it.mv).collect();
            let from = Standpoint { mover, side: search.side, depth };
            let policy = evaluation.policy(search.game, &self.position, from, &moves)?;
            let priors = priors(&usable_weights(policy.unwrap_or_default()));
            for (edge, prior) in edges.iter_mut().zip(priors) {
                edge.prior = prior;
            }
        }
        Ok(())
    }

    /// Plays every move to see whether it ends the game.
    fn look(&mut self, search: &Search<'_, G>, edges: &mut [Edge<G::Move>]) -> Result<(), Fault> {
        let mut position = self.position.clone();
        for edge in edges {
            position.clone_from(&self.position);
            search.game.apply(&mut position, &[edge.mv])?;
            let over = search.game.turn(&position)? == Turn::Over;
            if over && let Some(bounds) = value_of_end(search.game, &position)? {
                let hash = search.game.hash(&position.state);
                let second = || search.game.second_hash(&position.state);
                let (child, _) = search.tree.find_or_add(&mut self.allocation, hash, second);
                search.tree.node(child).set_plies(Some(0));
                search.tree.node(child).narrow(bounds);
                *edge.child.get_mut() = child;
            }
        }
        Ok(())
    }
}

/// The prior of each move, from 0 to 1, by its weight: 1 for the largest; 1 for all where all are 0.
fn priors(weights: &[f32]) -> Vec<f32> {
    let largest = weights.iter().copied().fold(0.0, f32::max);
    let prior = |&weight: &f32| if largest > 0.0 { weight / largest } else { 1.0 };
    weights.iter().map(prior).collect()
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn priors_of(weights: &[f32]) -> Vec<f32> {
        priors(&usable_weights(weights.to_vec()))
    }

    #[test]
    fn the_largest_weight_is_the_prior_1() {
        assert_eq!(priors_of(&[1.0, 4.0, 0.0]), [0.25, 1.0, 0.0]);
        assert_eq!(priors_of(&[1e-40, 5e-41]), [1.0, 5e-41 / 1e-40]);
    }

    #[test]
    fn a_weight_that_is_negative_or_no_number_counts_as_0() {
        assert_eq!(priors_of(&[f32::NAN, -3.0, 2.0, 1.0]), [0.0, 0.0, 1.0, 0.5]);
        assert_eq!(priors_of(&[f32::INFINITY, 0.0]), [1.0, 0.0]);
    }

    #[test]
    fn without_a_positive_weight_all_moves_are_equal() {
        assert_eq!(priors_of(&[0.0, 0.0]), [1.0, 1.0]);
        assert_eq!(priors_of(&[-1.0, f32::NAN]), [1.0, 1.0]);
        assert!(priors_of(&[]).is_empty());
    }
}
