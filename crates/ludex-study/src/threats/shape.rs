//! Shapes of threat trees.
//!
//! Tristan Cazenave counts, for each order, how many moves of the attacker a threat needs at most:
//! (6,3,2,0) has six of order 1, three of order 2, two of order 3. The order of a move is how many
//! moves in a row win if the defender passes each time: a move of order 1 wins, one of order 2
//! threatens to win. A tree of order o is a move, then what follows if the defender passes (*left*,
//! of order o-1), and what follows every reply that prevents that (*right*, of order o at most).
//! After a reply it is not easier than after a pass, so left is contained in right.
//!
//! Two different trees can have the same counts, so it is the tree that is kept.

use std::fmt;
use std::rc::Rc;

/// A tree of the attacker's moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    order: u8,
    moves: u32,
    parts: Option<(Rc<Shape>, Rc<Shape>)>,
}

impl Shape {
    /// One move that wins: (1,0).
    pub fn one() -> Self {
        Self { order: 1, moves: 1, parts: None }
    }

    /// A move of the order above `left`, and what follows a pass and a reply.
    pub fn new(left: Rc<Self>, right: Rc<Self>) -> Self {
        let moves = 1 + left.moves + right.moves;
        Self { order: left.order + 1, moves, parts: Some((left, right)) }
    }

    /// A sequence of direct threats (checks, fours, ataris), then a win: (n+1,n,0).
    pub fn sequence(threats: u32) -> Self {
        Self::sequence_of(&Rc::new(Self::one()), threats)
    }

    /// A sequence of moves that each threaten to win by `threat`, then that win.
    pub fn sequence_of(threat: &Rc<Self>, threats: u32) -> Self {
        let follow = |rest: Self, _| Self::new(Rc::clone(threat), Rc::new(rest));
        (0..threats).fold(Self::clone(threat), follow)
    }

    /// How many moves in a row win if the defender passes.
    pub fn order(&self) -> u8 {
        self.order
    }

    /// How many moves of the attacker there are in the tree.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// The shapes after a pass and after a reply; `None` for a move that wins.
    pub fn parts(&self) -> Option<(&Rc<Self>, &Rc<Self>)> {
        self.parts.as_ref().map(|(left, right)| (left, right))
    }

    /// How many moves of the attacker the longest line has.
    pub fn depth(&self) -> u32 {
        self.parts.as_ref().map_or(1, |(left, right)| 1 + left.depth().max(right.depth()))
    }

    /// How many moves there are of each order, the lowest first, and a 0.
    pub fn counts(&self) -> Vec<u32> {
        let mut counts = vec![0; usize::from(self.order) + 1];
        self.count(&mut counts);
        counts
    }

    fn count(&self, counts: &mut [u32]) {
        counts[usize::from(self.order) - 1] += 1;
        if let Some((left, right)) = &self.parts {
            left.count(counts);
            right.count(counts);
        }
    }

    /// Whether a win of this shape is one of shape `other` as well.
    pub fn fits_in(&self, other: &Self) -> bool {
        match (&self.parts, &other.parts) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((left, right)), Some((wider, longer))) => {
                left.fits_in(wider) && right.fits_in(longer)
            }
        }
    }

    /// The smallest shape in which both fit.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        match (&self.parts, &other.parts) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some((left, right)), Some((wider, longer))) => {
                Self::new(Rc::new(left.joined(wider)), Rc::new(right.joined(longer)))
            }
        }
    }

    /// All shapes within these bounds on the number of moves and the order, small ones first.
    pub fn all(most_moves: u32, highest: u8) -> Vec<Rc<Self>> {
        let mut shapes = vec![Rc::new(Self::one())];
        for moves in 2..=most_moves {
            let mut found: Vec<Rc<Self>> = Vec::new();
            for left in shapes.iter().filter(|it| it.order < highest) {
                let room = moves.checked_sub(1 + left.moves);
                let fits = |it: &&Rc<Self>| Some(it.moves) == room && left.fits_in(it);
                let ordered = |it: &&Rc<Self>| it.order <= left.order + 1;
                for right in shapes.iter().filter(fits).filter(ordered) {
                    found.push(Rc::new(Self::new(Rc::clone(left), Rc::clone(right))));
                }
            }
            found.sort_by_key(|it| it.order);
            shapes.extend(found);
        }
        shapes
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = self.counts().iter().map(u32::to_string).collect();
        write!(f, "({})", counts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_of_the_paper() {
        let one = Rc::new(Shape::one());
        let two = Rc::new(Shape::sequence(1));
        let three = Rc::new(Shape::new(Rc::clone(&two), Rc::clone(&two)));
        let paper = Shape::new(Rc::clone(&two), Rc::clone(&three));
        assert_eq!(one.to_string(), "(1,0)");
        assert_eq!(two.to_string(), "(2,1,0)");
        assert_eq!(Shape::sequence(2).to_string(), "(3,2,0)");
        assert_eq!(three.to_string(), "(4,2,1,0)");
        assert_eq!(paper.to_string(), "(6,3,2,0)");
        assert_eq!((paper.order(), paper.moves(), paper.depth()), (3, 11, 4));
    }

    #[test]
    fn all_shapes_of_eleven_moves() {
        let mut shapes: Vec<String> = Shape::all(11, 3).iter().map(ToString::to_string).collect();
        shapes.sort();
        let paper = "(1,0) (2,1,0) (3,2,0) (4,2,1,0) (4,3,0) (5,3,1,0) (5,4,0) (6,3,2,0) \
                     (6,4,1,0) (6,4,1,0) (6,5,0)";
        assert_eq!(shapes.join(" "), paper);
    }

    #[test]
    fn smaller_shapes_fit_in_larger_ones() {
        let shapes = Shape::all(11, 3);
        let one = &shapes[0];
        assert!(shapes.iter().all(|it| one.fits_in(it) && it.fits_in(it)));
        assert!(Shape::sequence(1).fits_in(&Shape::sequence(3)));
        assert!(!Shape::sequence(3).fits_in(&Shape::sequence(1)));
        for one in &shapes {
            for other in &shapes {
                let both = one.joined(other);
                assert!(one.fits_in(&both) && other.fits_in(&both), "{one} {other} {both}");
            }
        }
        assert_eq!(shapes[0].joined(&Shape::sequence(2)), Shape::sequence(2));
    }
}
