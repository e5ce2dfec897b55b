//! What a tree says about its root.

use std::sync::atomic::Ordering::Relaxed;

use ludex_core::Player;

use crate::result::{Line, Proved, SearchResult};

use super::reward_table;
use super::solver::{Bounds, bounds_of};
use super::tree::{Edge, Number, Opened, ROOT, Tree};

/// The longest line that is reported.
const LONGEST_PV: usize = 64;

/// How a move is ranked: proved and better than the estimates, estimated, proved and worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Sure,
    Believed,
    Worse,
}

/// How many moves at the root are reported with a line. To follow all of some hundreds takes
/// milliseconds after the time is up.
const MOST_FOLLOWED: usize = 16;

/// All moves at the root, the one to play first.
pub(crate) fn result<M: Copy + Ord>(tree: &Tree<M>, players: usize) -> SearchResult<M> {
    let Some(opened) = tree.node(ROOT).opened.get() else { return SearchResult::default() };
    let lines = ranked(tree, opened, players).into_iter().enumerate().map(|(place, number)| {
        let edge = &opened.edges[number];
        let bounds = bounds_of(tree, edge, opened.mover);
        let mut pv = vec![edge.mv];
        if let Some(child) = edge.child().filter(|_| place < MOST_FOLLOWED) {
            follow(tree, child, players, &mut pv);
        }
        Line {
            value: value(tree, edge, opened.mover, players),
            proved: bounds.proved().map(|it| Proved { plies: plies(tree, edge), ..it }),
            visits: edge.visits.load(Relaxed).into(),
            pv,
            ..Line::new(edge.mv)
        }
    });
    SearchResult { lines: lines.collect(), ..SearchResult::default() }
}

/// The move to play.
pub(crate) fn best<M: Copy + Ord>(tree: &Tree<M>, players: usize) -> Option<M> {
    let opened = tree.node(ROOT).opened.get()?;
    ranked(tree, opened, players).first().map(|&it| opened.edges[it].mv)
}

/// In how many plies the game ends at most after a move, the move itself counted.
fn plies<M>(tree: &Tree<M>, edge: &Edge<M>) -> Option<u32> {
    let node = tree.node(edge.child()?);
    node.bounds().value()?;
    Some(node.plies()? + 1)
}

/// The value of a move for its mover, from -1 to 1, within the proved bounds.
fn value<M>(tree: &Tree<M>, edge: &Edge<M>, mover: Player, players: usize) -> f64 {
    let bounds = bounds_of(tree, edge, mover);
    let shared = edge.child().filter(|_| tree.known.is_some()).map(|it| tree.node(it));
    let mean = match shared {
        Some(node) if node.visits.load(Relaxed) > 0 => {
            reward_table::read(node.mean(), mover, players)
        }
        _ => edge.mean(),
    };
    // An estimate lies within the proved bounds.
    (2.0 * mean - 1.0).min(bounds.high.into()).max(bounds.low.into())
}

/// The numbers of the moves, the one to play first.
///
/// Of moves with estimates, the one with most visits (it can no longer be overtaken by a lucky
/// few). A proved move is tried no more, so its visits say nothing: it goes before where it is
/// worth more than the estimate, and behind all of them otherwise. What cannot be better than
/// something sure goes behind as well.
fn ranked<M: Copy + Ord>(tree: &Tree<M>, opened: &Opened<M>, players: usize) -> Vec<usize> {
    struct Entry<M> {
        number: usize,
        bounds: Bounds,
        visits: u32,
        value: f64,
        /// To the end, the fewer the better; more where the game is lost.
        plies: i64,
        mv: M,
    }
    let mut entries: Vec<Entry<M>> = (0..opened.edges.len())
        .map(|number| {
            let edge = &opened.edges[number];
            let bounds = bounds_of(tree, edge, opened.mover);
            let value = value(tree, edge, opened.mover, players);
            let visits = edge.visits.load(Relaxed);
            let plies = plies(tree, edge).map_or(i64::from(u32::MAX), i64::from);
            let plies = if value < 0.0 { -plies } else { plies };
            Entry { number, bounds, visits, value, plies, mv: edge.mv }
        })
        .collect();
    let sure = entries.iter().map(|it| it.bounds.low).fold(-1.0, f32::max);
    let open = |entry: &Entry<M>| entry.bounds.value().is_none() && entry.bounds.high > sure;
    let robust = entries.iter().filter(|it| open(it)).max_by_key(|it| it.visits);
    let robust = robust.map_or(f64::NEG_INFINITY, |it| it.value);
    let rank = |entry: &Entry<M>| match entry.bounds.value() {
        _ if open(entry) => Rank::Believed,
        Some(value) if value >= sure && (value >= 1.0 || f64::from(value) > robust) => Rank::Sure,
        _ => Rank::Worse,
    };
    entries.sort_by(|one, other| {
        let by_value = other.value.total_cmp(&one.value);
        let by_visits = other.visits.cmp(&one.visits);
        let rank = (rank(one), rank(other));
        let within = if rank.0 == Rank::Believed {
            by_visits.then(by_value)
        } else {
            by_value.then(one.plies.cmp(&other.plies)).then(by_visits)
        };
        rank.0.cmp(&rank.1).then(within).then(one.mv.cmp(&other.mv))
    });
    entries.into_iter().map(|it| it.number).collect()
}

/// Adds the moves that look best from a node on.
fn follow<M: Copy + Ord>(tree: &Tree<M>, number: Number, players: usize, pv: &mut Vec<M>) {
    let mut number = number;
    while let Some(opened) = tree.node(number).opened.get() {
        let first = ranked(tree, opened, players).first().map(|&it| &opened.edges[it]);
        let Some(edge) = first.filter(|it| it.visits.load(Relaxed) > 0) else { return };
        if pv.len() >= LONGEST_PV {
            return;
        }
        pv.push(edge.mv);
        match edge.child() {
            Some(child) => number = child,
            None => return,
        }
    }
}
