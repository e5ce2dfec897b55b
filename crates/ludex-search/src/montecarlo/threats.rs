//! Forced wins inside the tree: what the game itself can prove of a node that is met often.
//!
//! A playout hardly ever finds the one line of threats that wins, and the tree needs many to see
//! it. A look for it costs as much as some playouts, so it is made once, where many come by.

use std::sync::atomic::Ordering::Relaxed;

use ludex_core::{Effort, Fault, Forced, Game, GameExt, Limits};

use super::search::{Search, Worker};
use super::solver::{self, Bounds};
use super::tree::{NONE, Node, Number, Opened};
use crate::prover_budget::ProverAnswer;

/// About this many turns of a playout take as long as a node of other searches.
const TURNS_OF_A_NODE: u64 = 10;

impl<G: Game> Worker<G> {
    /// Looks for a forced win at the node that the walk has reached, once.
    pub(crate) fn seek_threats(
        &mut self,
        search: &Search<'_, G>,
        (node, opened): (&Node<G::Move>, &Opened<G::Move>),
        positions: u64,
    ) -> Result<(), Fault> {
        let is_known = node.bounds().value().is_some() || opened.edges.is_empty();
        let is_asked = positions > 0 && search.config.solver && search.game.players() == 2;
        if is_known || !is_asked || node.is_searched.load(Relaxed) {
            return Ok(());
        }
        // Playouts that may be made are no positions that may be looked at.
        let limits = Limits { nodes: None, ..search.limits };
        let nodes = self.turns / TURNS_OF_A_NODE;
        let ask = |effort: Effort<'_>| search.game.forced_win(&self.position, effort);
        let look = self.prover_budget.look(limits, positions, nodes, ask)?;
        let ProverAnswer::Answered(found, _) = look else { return Ok(()) };
        node.is_searched.store(true, Relaxed);
        let Some(win) = found else { return Ok(()) };
        let Some(child) = self.behind(search, opened, win)? else { return Ok(()) };
        let child = search.tree.node(child);
        if child.bounds().value().is_none() {
            child.set_plies(Some(win.plies - 1));
        }
        child.narrow(Bounds::exact(1.0).seen_by(opened.mover));
        self.progress |= solver::raise(search.tree, node);
        Ok(())
    }

    /// The node behind a move that wins; `None` if that is no move of this node.
    fn behind(
        &mut self,
        search: &Search<'_, G>,
        opened: &Opened<G::Move>,
        win: Forced<G::Move>,
    ) -> Result<Option<Number>, Fault> {
        let Some(edge) = opened.edges.iter().find(|it| it.mv == win.mv) else { return Ok(None) };
        if let Some(child) = edge.child() {
            return Ok(Some(child));
        }
        let mut position = self.position.clone();
        search.game.apply(&mut position, &[win.mv])?;
        let (hash, second) =
            (search.game.hash(&position.state), || search.game.second_hash(&position.state));
        let (number, _) = search.tree.find_or_add(&mut self.allocation, hash, second);
        Ok(Some(match edge.child.compare_exchange(NONE, number, Relaxed, Relaxed) {
            Ok(_) => number,
            Err(other) => other,
        }))
    }
}
