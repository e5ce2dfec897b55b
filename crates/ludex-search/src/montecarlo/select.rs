//! Which move a walk down the tree takes.
//!
//! * UCT: Levente Kocsis and Csaba Szepesvári, "Bandit based Monte-Carlo planning", 2006: the
//!   largest `mean + c * sqrt(ln(visits of the node) / visits of the move)`; an untried move counts
//!   as a constant (first-play urgency: Sylvain Gelly and Yizao Wang, 2006) or comes first.
//! * RAVE: Sylvain Gelly and David Silver, "Combining online and offline knowledge in UCT", 2007:
//!   `(1 - beta) * mean + beta * amaf` where `beta = pA / (pA + p + bias * pA * p)`, `p` playouts
//!   began with the move and `pA` had it later.
//! * GRAVE: Tristan Cazenave, "Generalized rapid action value estimation", 2015: the same, with
//!   the table of the closest ancestor that has seen enough playouts.
//! * Implicit minimax: Marc Lanctot et al., "Monte Carlo tree search with heuristic evaluations
//!   using implicit minimax backups", 2014: `(1 - a) * mean + a * minimax`.
//! * UCD: Abdallah Saffidine, Tristan Cazenave and Jean Méhat, "UCD: upper confidence bound for
//!   rooted directed acyclic graphs", 2010, in its practical form: a move is worth the mean of the
//!   node behind it, however that was reached, and was tried as often as it was tried here.
//! * Progressive bias: Guillaume Chaslot et al., "Progressive strategies for Monte-Carlo tree
//!   search", 2008: the prior of a candidate move counts less with every visit.

use std::sync::atomic::Ordering::Relaxed;

use super::amaf::AmafTable;
use super::config::McConfig;
use super::reward_table;
use super::tree::{Edge, Node, Opened, Tree};

/// An untried move that comes first.
const FIRST: f64 = 1e9;

/// What does not change while the moves of one node are compared.
struct Scale<'a, M> {
    tree: &'a Tree<M>,
    config: &'a McConfig,
    opened: &'a Opened<M>,
    players: usize,
    /// `c * sqrt(ln(visits))`.
    explore: f64,
    /// The table of later moves, with its bias.
    amaf: Option<(&'a AmafTable, f64)>,
}

/// The number of the move to try; `None` where there is none that matters.
pub(crate) fn select<M>(
    tree: &Tree<M>,
    config: &McConfig,
    players: usize,
    (node, opened): (&Node<M>, &Opened<M>),
    amaf: Option<&AmafTable>,
) -> Option<usize> {
    let visits = f64::from(node.visits.load(Relaxed).max(1));
    let explore = config.exploration * visits.ln().sqrt();
    let amaf = amaf.zip(config.amaf).map(|(table, it)| (table, it.bias));
    let scale = Scale { tree, config, opened, players, explore, amaf };
    let mut best = (None, f64::NEG_INFINITY);
    for (number, edge) in opened.edges.iter().enumerate() {
        if edge.settled.load(Relaxed) {
            continue;
        }
        let worth = scale.worth(edge);
        if worth > best.1 {
            best = (Some(number), worth);
        }
    }
    best.0
}

impl<M> Scale<'_, M> {
    /// How much a move asks to be tried.
    fn worth(&self, edge: &Edge<M>) -> f64 {
        let visits = f64::from(edge.visits.load(Relaxed));
        let bias = if edge.prior > 0.0 {
            self.config.candidate_weight * f64::from(edge.prior) / (visits + 1.0)
        } else {
            0.0
        };
        bias + match self.amaf {
            None if visits == 0.0 => self.config.first_play.unwrap_or(FIRST),
            None => self.mean(edge, visits) + self.explore / visits.sqrt(),
            Some((table, bias)) => self.blend(edge, visits, table, bias),
        }
    }

    /// The mean of playouts that began with the move and of those that had it later.
    fn blend(&self, edge: &Edge<M>, visits: f64, table: &AmafTable, bias: f64) -> f64 {
        let later = table.get(edge.move_id).unwrap_or_default();
        let tries = f64::from(later.visits);
        if tries == 0.0 && visits == 0.0 {
            return self.config.first_play.unwrap_or(FIRST);
        }
        let beta = tries / (tries + visits + bias * tries * visits);
        let amaf = reward_table::read(later.value(), self.opened.mover, self.players);
        let own = if visits == 0.0 { 0.0 } else { self.mean(edge, visits) };
        (1.0 - beta) * own + beta * amaf + self.explore / (visits + 1.0).sqrt()
    }

    /// What the move is worth to its mover, from 0 to 1.
    fn mean(&self, edge: &Edge<M>, visits: f64) -> f64 {
        let own = edge.reward.get() / visits;
        if self.tree.known.is_none() && self.config.implicit <= 0.0 {
            return own;
        }
        let Some(child) = edge.child().map(|it| self.tree.node(it)) else { return own };
        let shared = self.tree.known.is_some() && child.visits.load(Relaxed) > 0;
        let own = if shared {
            reward_table::read(child.mean(), self.opened.mover, self.players)
        } else {
            own
        };
        let share = self.config.implicit;
        match child.implicit() {
            Some(value) if share > 0.0 => {
                let value = f64::midpoint(f64::from(value), 1.0);
                (1.0 - share) * own
                    + share * reward_table::read(value, self.opened.mover, self.players)
            }
            _ => own,
        }
    }
}
