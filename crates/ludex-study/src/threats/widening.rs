//! Iterative widening: small shapes first, each with a limited number of nodes.
//!
//! Tristan Cazenave, "Iterative widening", 2001. The shapes are tried in turn, each up to a number
//! of nodes; unfinished shapes are tried again in the next round with four times as many. A sequence of
//! direct threats costs little even if it is long, so the bound on sequences is higher than that on
//! shapes of a higher order.

use std::rc::Rc;

use ludex_core::{Fault, Limits, Position};
use ludex_ir::PackedMove;

use super::attack::{Attack, Searched};
use super::cell_game::{CellGame, Status, status};
use super::proof::{Hold, Win};
use super::shape::Shape;

/// Nodes for each shape in the first round.
const FIRST_ROUND: u64 = 1_000;

/// Lengths of the sequences of direct threats that a higher sequence threatens.
const THREATENED: [u32; 2] = [1, 16];

/// The same for sequences of a higher order, at most.
const MOST_THREATENED_HIGHER: u32 = 2;

/// Bounds on the shapes.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Direct threats in a row, at most.
    pub longest_sequence: u32,
    /// The highest order of a move: 2 for direct threats, 3 for threats of such.
    pub highest_order: u8,
    /// Moves of the attacker in a shape of an order above 2, at most: all such shapes are tried.
    pub most_moves: u32,
    /// Threats in a row that are all of an order above 2, at most; they may be more moves.
    pub longest_higher: u32,
}

impl Default for Reach {
    fn default() -> Self {
        Self { longest_sequence: 24, highest_order: 3, most_moves: 11, longest_higher: 8 }
    }
}

impl Reach {
    /// The shapes, in the order in which they are tried.
    pub fn shapes(&self) -> Vec<Rc<Shape>> {
        let mut shapes = Vec::new();
        if self.highest_order > 2 {
            shapes = Shape::all(self.most_moves, self.highest_order);
            shapes.extend(higher_sequences(self.highest_order, self.longest_higher));
            shapes.retain(|it| it.order() > 2);
        }
        let longest = if self.highest_order >= 2 { self.longest_sequence } else { 0 };
        shapes.extend((0..=longest).map(|it| Rc::new(Shape::sequence(it))));
        shapes.sort_by(|a, b| (a.moves(), a.order(), a).cmp(&(b.moves(), b.order(), b)));
        shapes.dedup();
        shapes
    }
}

/// Sequences of threats of an order above 2 that all threaten the same: few direct threats, or many.
pub(super) fn higher_sequences(highest_order: u8, longest: u32) -> Vec<Rc<Shape>> {
    let mut shapes = Vec::new();
    for direct in THREATENED {
        let mut threat = Rc::new(Shape::sequence(direct));
        for _ in 3..=highest_order {
            shapes.extend((1..=longest).map(|it| Rc::new(Shape::sequence_of(&threat, it))));
            threat = Rc::new(Shape::sequence_of(&threat, direct.min(MOST_THREATENED_HIGHER)));
        }
    }
    shapes
}

/// A proof of a win, with either player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It is the attacker's turn.
    Win(Rc<Win>),
    /// It is the defender's turn.
    Hold(Rc<Hold>),
}

impl Proof {
    /// The line of play with the longest defence.
    pub fn line(&self) -> Vec<PackedMove> {
        match self {
            Self::Win(win) => win.line(),
            Self::Hold(hold) => hold.line(),
        }
    }

    /// The smallest shape that it has, where `last` is that of a move that ends the game.
    pub fn shape(&self, last: &Shape) -> Shape {
        match self {
            Self::Win(win) => win.shape(last),
            Self::Hold(hold) => hold.shape(last),
        }
    }
}

/// A win and its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The smallest shape that the win has. Where it is the defender's turn it is the shape of
    /// what follows his replies.
    pub shape: Shape,
    /// The win.
    pub proof: Proof,
    /// Positions of the verification against every reply, if there was one.
    pub checked: Option<u64>,
}

/// Result of iterative widening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Widened {
    /// There is a win.
    Proved(Proved),
    /// No shape within reach wins.
    Nothing,
    /// The budget was spent before the search was complete.
    Spent,
}

/// Looks for a win of the attacker, with either player to move.
pub fn prove<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    position: &Position,
    reach: Reach,
    limits: Limits<'a>,
) -> Result<Widened, Fault> {
    // A sequence contains all shorter ones of the same threat, so it waits for them.
    let is_longer = |it: &Shape, than: &Shape| {
        it.order() <= 2 && than.order() <= 2
            || it.moves() > reach.most_moves
                && it.parts().map(|it| it.0) == than.parts().map(|it| it.0)
    };
    let plan = Plan { shapes: reach.shapes(), is_longer: &is_longer, first_round: FIRST_ROUND };
    prove_by(attack, position, plan, limits)
}

/// Which shapes are tried, and how.
pub(super) struct Plan<'p> {
    /// The shapes, in the order in which they are tried.
    pub(super) shapes: Vec<Rc<Shape>>,
    /// Whether a shape costs more than another, and waits until that is finished.
    pub(super) is_longer: &'p dyn Fn(&Shape, &Shape) -> bool,
    /// Nodes for each shape in the first round.
    pub(super) first_round: u64,
}

/// Looks for a win as planned.
pub(super) fn prove_by<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    position: &Position,
    Plan { mut shapes, is_longer, first_round }: Plan<'_>,
    limits: Limits<'a>,
) -> Result<Widened, Fault> {
    let mut nodes_per_shape = first_round;
    while !shapes.is_empty() {
        let mut unfinished = Vec::new();
        for shape in shapes {
            if unfinished.iter().any(|it: &Rc<Shape>| is_longer(&shape, it)) {
                unfinished.push(shape);
                continue;
            }
            let until = attack.nodes() + nodes_per_shape;
            let nodes = limits.nodes.map_or(until, |it| it.min(until));
            attack.set_limits(Limits { nodes: Some(nodes), ..limits });
            attack.set_tried(&shape);
            match prove_shape(attack, position, &shape)? {
                Searched::Found(proof) => {
                    let shape = proof.shape(&attack.last_shape());
                    return Ok(Widened::Proved(Proved { shape, proof, checked: None }));
                }
                Searched::Nothing => {}
                Searched::Spent if attack.is_spent(&limits) => return Ok(Widened::Spent),
                Searched::Spent => unfinished.push(shape),
            }
        }
        shapes = unfinished;
        nodes_per_shape = nodes_per_shape.saturating_mul(4);
    }
    Ok(Widened::Nothing)
}

/// Looks for a win of one shape.
fn prove_shape<G: CellGame>(
    attack: &mut Attack<'_, G>,
    position: &Position,
    shape: &Shape,
) -> Result<Searched<Proof>, Fault> {
    if status(attack.game, position, attack.attacker)? == Status::Turn(attack.attacker) {
        return Ok(match attack.win(position, shape)? {
            Searched::Found(win) => Searched::Found(Proof::Win(win)),
            Searched::Nothing => Searched::Nothing,
            Searched::Spent => Searched::Spent,
        });
    }
    let mut is_spent = false;
    for left in lefts(shape) {
        match attack.hold(position, &left, shape)? {
            Searched::Found(hold) => return Ok(Searched::Found(Proof::Hold(hold))),
            Searched::Nothing => {}
            Searched::Spent => is_spent = true,
        }
    }
    Ok(if is_spent { Searched::Spent } else { Searched::Nothing })
}

/// Shapes of the answer to a pass if `right` answers a reply, the smaller one first: a smaller threat
/// depends on less.
fn lefts(right: &Shape) -> Vec<Shape> {
    let smaller = right.parts().map(|(left, _)| Shape::clone(left));
    smaller.into_iter().chain([right.clone()]).collect()
}
