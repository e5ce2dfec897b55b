//! Iterative widening: small shapes first, and never too long on one.
//!
//! Tristan Cazenave, "Iterative widening", 2001. The shapes are tried in turn, each up to a number
//! of positions; those that were not finished come again in the next round with four times as
//! many. A chain of direct threats costs little however long it is, so chains go further than
//! shapes of a higher order.

use std::rc::Rc;

use ludex_core::{Budget, Fault};
use ludex_ir::PackedMove;

use super::attack::{Attack, Searched};
use super::open::{Open, Place, Standing};
use super::proof::{Hold, Win};
use super::shape::Shape;

/// Positions for each shape in the first round.
const FIRST_ROUND: u64 = 1_000;

/// How many direct threats in a row may be threatened.
const THREATENED: [u32; 2] = [1, 16];

/// How many threats of a higher order in a row may be threatened.
const MOST_THREATENED_HIGHER: u32 = 2;

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Direct threats in a row, at most.
    pub longest_chain: u32,
    /// The highest order of a move: 2 for direct threats, 3 for threats of such.
    pub highest_order: u8,
    /// Moves of the attacker in a shape of an order above 2, at most: all such shapes are tried.
    pub most_moves: u32,
    /// Threats in a row that are all of an order above 2, at most; they may be more moves.
    pub longest_higher: u32,
}

impl Default for Reach {
    fn default() -> Self {
        Self { longest_chain: 24, highest_order: 3, most_moves: 11, longest_higher: 8 }
    }
}

impl Reach {
    /// The shapes, in the order in which they are tried.
    pub fn shapes(&self) -> Vec<Rc<Shape>> {
        let mut shapes = Vec::new();
        if self.highest_order > 2 {
            shapes = Shape::all(self.most_moves, self.highest_order);
            shapes.extend(higher_chains(self.highest_order, self.longest_higher));
            shapes.retain(|it| it.order() > 2);
        }
        let longest = if self.highest_order >= 2 { self.longest_chain } else { 0 };
        shapes.extend((0..=longest).map(|it| Rc::new(Shape::chain(it))));
        shapes.sort_by(|a, b| (a.moves(), a.order(), a).cmp(&(b.moves(), b.order(), b)));
        shapes.dedup();
        shapes
    }
}

/// Series of threats of an order above 2 that all threaten the same: few direct threats, or many.
pub(super) fn higher_chains(highest_order: u8, longest: u32) -> Vec<Rc<Shape>> {
    let mut shapes = Vec::new();
    for direct in THREATENED {
        let mut threat = Rc::new(Shape::chain(direct));
        for _ in 3..=highest_order {
            shapes.extend((1..=longest).map(|it| Rc::new(Shape::chain_of(&threat, it))));
            threat = Rc::new(Shape::chain_of(&threat, direct.min(MOST_THREATENED_HIGHER)));
        }
    }
    shapes
}

/// A win, whoever is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It is the attacker's turn.
    Win(Rc<Win>),
    /// It is the defender's turn.
    Hold(Rc<Hold>),
}

impl Proof {
    /// The moves as they go if the defender holds out as long as he can.
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

/// What widening has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The smallest shape that the win has. Where it is the defender's turn it is the shape of
    /// what follows his replies.
    pub shape: Shape,
    /// The win.
    pub proof: Proof,
    /// How many positions it took to play it out against every reply, if that has been done.
    pub checked: Option<u64>,
}

/// What came of widening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Widened {
    /// There is a win.
    Proved(Proved),
    /// No shape within reach wins.
    Nothing,
    /// The budget was spent before that was known.
    Spent,
}

/// Looks for a win of the attacker, whoever is to move.
pub fn prove<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    reach: Reach,
    budget: Budget<'a>,
) -> Result<Widened, Fault> {
    // Chains of direct threats go on from each other, and so do longer series of others.
    let is_longer = |it: &Shape, than: &Shape| {
        it.order() <= 2 && than.order() <= 2
            || it.moves() > reach.most_moves
                && it.parts().map(|it| it.0) == than.parts().map(|it| it.0)
    };
    let plan = Plan { shapes: reach.shapes(), is_longer: &is_longer, first_round: FIRST_ROUND };
    prove_by(attack, place, plan, budget)
}

/// Which shapes are tried, and how.
pub(super) struct Plan<'p> {
    /// The shapes, in the order in which they are tried.
    pub(super) shapes: Vec<Rc<Shape>>,
    /// Whether a shape costs more than another, and waits until that is finished.
    pub(super) is_longer: &'p dyn Fn(&Shape, &Shape) -> bool,
    /// Positions for each shape in the first round.
    pub(super) first_round: u64,
}

/// Looks for a win as planned.
pub(super) fn prove_by<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    Plan { mut shapes, is_longer, first_round }: Plan<'_>,
    budget: Budget<'a>,
) -> Result<Widened, Fault> {
    let mut share = first_round;
    while !shapes.is_empty() {
        let mut unfinished = Vec::new();
        for shape in shapes {
            if unfinished.iter().any(|it: &Rc<Shape>| is_longer(&shape, it)) {
                unfinished.push(shape);
                continue;
            }
            let until = attack.nodes() + share;
            let nodes = budget.nodes.map_or(until, |it| it.min(until));
            attack.set_budget(Budget { nodes: Some(nodes), ..budget });
            attack.set_tried(&shape);
            match look(attack, place, &shape)? {
                Searched::Found(proof) => {
                    let shape = proof.shape(&attack.last_shape());
                    return Ok(Widened::Proved(Proved { shape, proof, checked: None }));
                }
                Searched::Nothing => {}
                Searched::Spent if attack.is_spent(&budget) => return Ok(Widened::Spent),
                Searched::Spent => unfinished.push(shape),
            }
        }
        shapes = unfinished;
        share = share.saturating_mul(4);
    }
    Ok(Widened::Nothing)
}

fn look<G: Open>(
    attack: &mut Attack<'_, G>,
    place: &Place,
    shape: &Shape,
) -> Result<Searched<Proof>, Fault> {
    if place.standing(attack.game, attack.attacker)? == Standing::Turn(attack.attacker) {
        return Ok(match attack.win(place, shape)? {
            Searched::Found(win) => Searched::Found(Proof::Win(win)),
            Searched::Nothing => Searched::Nothing,
            Searched::Spent => Searched::Spent,
        });
    }
    let mut is_spent = false;
    for left in lefts(shape) {
        match attack.hold(place, &left, shape)? {
            Searched::Found(hold) => return Ok(Searched::Found(Proof::Hold(hold))),
            Searched::Nothing => {}
            Searched::Spent => is_spent = true,
        }
    }
    Ok(if is_spent { Searched::Spent } else { Searched::Nothing })
}

/// The shapes that a pass may be answered with where `right` answers a reply: the smaller the
/// better, as less depends on it.
fn lefts(right: &Shape) -> Vec<Shape> {
    let smaller = right.parts().map(|(left, _)| Shape::clone(left));
    smaller.into_iter().chain([right.clone()]).collect()
}
