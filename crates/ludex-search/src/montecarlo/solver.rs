//! Proved values in the tree: an interval for every node.
//!
//! Mark Winands, Yngvi Björnsson and Jahn-Takeshi Saito, "Monte-Carlo tree search solver", 2008;
//! Tristan Cazenave and Abdallah Saffidine, "Score bounded Monte-Carlo tree search", 2010.
//!
//! The utility of the first player under best play lies between `low` and `high`. A finished game
//! has one value; a node has the best of its moves in both bounds, an untried move counting as
//! anything. A move whose `high` does not pass the node's `low` cannot matter any more and is left
//! alone.
//!
//! **Invariant:** bounds follow from finished games by finitely many steps, so they hold whatever
//! the tree looks like, and they only become narrower. Where the past plays a role a node must have
//! one past: such trees have no transpositions.

use std::sync::atomic::Ordering::Relaxed;

use ludex_core::Player;

use crate::result::Proved;

use super::tree::{Edge, Node, Opened, Tree};

/// What the utility of the first player lies between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: f32,
    pub(crate) high: f32,
}

impl Bounds {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self { low: -1.0, high: 1.0 };

    /// Exactly this.
    pub(crate) fn exact(utility: f32) -> Self {
        Self { low: utility, high: utility }
    }

    /// The same from the view of a player, or back again.
    pub(crate) fn seen_by(self, player: Player) -> Self {
        if player.0 == 1 { Self { low: -self.high, high: -self.low } } else { self }
    }

    /// What both say together.
    pub(crate) fn narrowed(self, by: Self) -> Self {
        Self { low: self.low.max(by.low), high: self.high.min(by.high) }
    }

    /// The value, where it is known.
    pub(crate) fn value(self) -> Option<f32> {
        (self.low >= self.high).then_some(self.low)
    }

    /// As one word, so that threads never see half of it.
    pub(crate) fn pack(self) -> u64 {
        u64::from(self.low.to_bits()) << 32 | u64::from(self.high.to_bits())
    }

    pub(crate) fn unpack(word: u64) -> Self {
        Self { low: f32::from_bits((word >> 32) as u32), high: f32::from_bits(word as u32) }
    }

    /// What may be said of it.
    pub(crate) fn proved(self) -> Option<Proved> {
        let known = |utility: f32, exact| Proved { exact, ..Proved::exactly(utility.into()) };
        match self {
            Self { low, high } if low >= high => Some(known(low, true)),
            Self { low, .. } if low > 0.0 => Some(known(low, false)),
            Self { high, .. } if high < 0.0 => Some(known(high, false)),
            _ => None,
        }
    }
}

/// What is proved of a move, from the view of its mover.
pub(crate) fn bounds_of<M>(tree: &Tree<M>, edge: &Edge<M>, mover: Player) -> Bounds {
    edge.child().map_or(Bounds::UNKNOWN, |child| tree.node(child).bounds().seen_by(mover))
}

/// Draws from the moves of a node what follows for the node itself; whether that is news.
pub(crate) fn raise<M>(tree: &Tree<M>, node: &Node<M>) -> bool {
    let Some(opened) = node.opened.get() else { return false };
    if opened.edges.is_empty() {
        return false;
    }
    let mut best = Bounds { low: -1.0, high: -1.0 };
    for edge in &opened.edges {
        let bounds = bounds_of(tree, edge, opened.mover);
        best = Bounds { low: best.low.max(bounds.low), high: best.high.max(bounds.high) };
    }
    if best.low >= best.high && node.bounds().value().is_none() {
        node.set_plies(plies(tree, opened, best.low));
    }
    let progress = node.narrow(best.seen_by(opened.mover));
    settle(tree, node);
    progress
}

/// In how many plies a node of a known value ends at most: the one who wins hurries, and the one
/// the loser delays. A draw is not hurried.
fn plies<M>(tree: &Tree<M>, opened: &Opened<M>, value: f32) -> Option<u32> {
    let worth_it = |edge: &&Edge<M>| bounds_of(tree, edge, opened.mover).value() == Some(value);
    let plies = |edge: &Edge<M>| Some(tree.node(edge.child()?).plies()? + 1);
    let mut ways = opened.edges.iter().filter(worth_it).map(plies);
    if value > 0.0 {
        ways.flatten().min()
    } else if value < 0.0 {
        ways.try_fold(0, |most, it| it.map(|it| most.max(it)))
    } else {
        None
    }
}

/// Marks the moves that cannot matter any more.
fn settle<M>(tree: &Tree<M>, node: &Node<M>) {
    let Some(opened) = node.opened.get() else { return };
    let sure = node.bounds().seen_by(opened.mover).low;
    for edge in &opened.edges {
        if bounds_of(tree, edge, opened.mover).high <= sure {
            edge.settled.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_survive_packing_and_turning() {
        let bounds = Bounds { low: -0.5, high: 1.0 };
        assert_eq!(Bounds::unpack(bounds.pack()), bounds);
        assert_eq!(bounds.seen_by(Player(1)), Bounds { low: -1.0, high: 0.5 });
        assert_eq!(bounds.seen_by(Player(1)).seen_by(Player(1)), bounds);
    }

    #[test]
    fn only_what_decides_is_said() {
        assert_eq!(Bounds::UNKNOWN.proved(), None);
        assert_eq!(Bounds { low: 0.0, high: 1.0 }.proved(), None);
        assert_eq!(Bounds::exact(0.0).proved(), Some(Proved::DRAW));
        assert_eq!(Bounds::exact(1.0).proved(), Some(Proved::WIN));
        assert!(!Bounds { low: 0.5, high: 1.0 }.proved().unwrap().exact);
    }
}
