//! The positions that playouts come through again and again.
//!
//! A learnt policy plays nearly the same game each time, and the rules would list the same moves of
//! the same positions. This is a graph of the positions that were met twice, by whatever ways, with
//! their moves, the numbers of the moves' codes, and where the moves lead. A playout asks the rules
//! only where it leaves the graph. What is known of a position does not depend on any policy, so
//! the graph serves until it is full, and then begins anew.

use std::collections::HashMap;

use ludex_core::{Game, GameExt, PositionOf};

/// The number of a position in the graph.
pub(super) type Number = u32;

/// No position.
pub(super) const NOWHERE: Number = u32::MAX;

/// One position, and where its moves are.
pub(super) struct Node<G: Game> {
    /// The position.
    pub(super) position: PositionOf<G>,
    /// The first of its moves in the lists of the graph.
    first: u32,
    /// How many moves there are.
    len: u32,
}

/// What is known of a position that a playout has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It is in the graph.
    As(Number),
    /// It was met before: the graph should have it.
    Again,
    /// It was never met, as far as is remembered.
    Not,
}

/// The graph.
pub(super) struct Positions<G: Game> {
    /// The positions, by their numbers.
    all: Vec<Node<G>>,
    moves: Vec<G::Move>,
    codes: Vec<u32>,
    children: Vec<Number>,
    /// The positions by their hashes.
    numbers: HashMap<u64, Number>,
    /// Hashes of positions that were met, each in one place, where a later one replaces it.
    met: Vec<u64>,
    /// How many positions there may be.
    most: usize,
}

/// About how many bytes a position takes with its moves. What a state owns cannot be seen from
/// here; this is generous for all but the largest boards.
const BYTES_PER_POSITION: usize = 2_048;

/// How many positions are remembered to have been met.
const MET: usize = 1 << 16;

/// How many moves count as one position.
const MOVES_PER_POSITION: usize = 32;

impl<G: Game> Positions<G> {
    /// A graph that takes about `memory` bytes.
    pub(super) fn new(memory: usize) -> Self {
        let most = (memory / BYTES_PER_POSITION).clamp(16, 1 << 20);
        let (all, moves, codes, children) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (numbers, met) = (HashMap::new(), vec![0; MET]);
        Self { all, moves, codes, children, numbers, met, most }
    }

    /// Whether another position may be added.
    pub(super) fn has_room(&self) -> bool {
        self.all.len().max(self.moves.len() / MOVES_PER_POSITION) < self.most
    }

    /// Forgets everything if there is no room for another position.
    pub(super) fn make_room(&mut self) {
        if self.has_room() {
            return;
        }
        self.all.clear();
        self.moves.clear();
        self.codes.clear();
        self.children.clear();
        self.numbers.clear();
    }

    /// What is known of a position. One that is not known counts as met from now on.
    pub(super) fn meet(&mut self, game: &G, position: &PositionOf<G>) -> Known {
        let hash = game.hash(&position.state);
        if let Some(&number) = self.numbers.get(&hash) {
            let it = self.at(number);
            let is_same = it.position == *position;
            // Where two positions have one hash, the first has it to itself.
            return if is_same { Known::As(number) } else { Known::Not };
        }
        let place = hash as usize & (MET - 1);
        if std::mem::replace(&mut self.met[place], hash) == hash {
            Known::Again
        } else {
            Known::Not
        }
    }

    /// Adds a position that was met.
    pub(super) fn add(
        &mut self,
        game: &G,
        position: &PositionOf<G>,
        moves: &[G::Move],
        codes: &[u32],
    ) -> Number {
        let number = self.all.len() as Number;
        self.numbers.insert(game.hash(&position.state), number);
        let (first, len) = (self.moves.len() as u32, moves.len() as u32);
        self.moves.extend_from_slice(moves);
        self.codes.extend_from_slice(codes);
        self.children.resize(self.moves.len(), NOWHERE);
        let position = position.clone();
        self.all.push(Node { position, first, len });
        number
    }

    /// The position with a number.
    pub(super) fn at(&self, number: Number) -> &Node<G> {
        &self.all[number as usize]
    }

    /// The moves of a position and the numbers of their codes.
    pub(super) fn choices(&self, number: Number) -> (&[G::Move], &[u32]) {
        let range = self.range(number);
        (&self.moves[range.clone()], &self.codes[range])
    }

    /// Where a move leads, if that is known.
    pub(super) fn child(&self, number: Number, place: usize) -> Number {
        self.children[self.range(number)][place]
    }

    /// Notes where a move leads.
    pub(super) fn link(&mut self, number: Number, place: usize, child: Number) {
        let range = self.range(number);
        self.children[range][place] = child;
    }

    fn range(&self, number: Number) -> std::ops::Range<usize> {
        let Node { first, len, .. } = self.all[number as usize];
        first as usize..(first + len) as usize
    }
}
