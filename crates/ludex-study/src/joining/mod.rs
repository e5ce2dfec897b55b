//! Games of joining: who first joins two sides of the board by men of his own has won.
//!
//! In such games a search drowns: every square is a move, and a chain that cannot be cut any more is
//! not joined for many moves yet. What can be told without a search are *connections*: pairs of
//! groups that their owner can join whatever the opponent does, made of smaller ones (Vadim
//! Anshelevich, "A hierarchical approach to computer Hex", 2002). One that joins the two sides wins,
//! and where the opponent is one move away from such a thing, only moves on the squares that it
//! needs can help (Ryan Hayward and others, "Solving 7×7 Hex: virtual connections and game-state
//! reduction", 2003). That is what [`forced_win`](Joining::forced_win) and
//! [`defences`](Joining::defences) tell, and proof searches ask for in every position.
//!
//! ```text
//! rules ──> is it such a game? ──> connections of a position ──> a forced win, or the only defences
//!             └─ can only one of the two join? (planar)
//! ```
//!
//! No game is known by its name: [`rules`] reads in the program that a move puts a man on any empty
//! square and nothing else, and that the result asks for a flood from one side to the other;
//! [`planar`] shows that both cannot have joined.
//!
//! **Invariant:** what is told holds by the rules. Men stay where they are, so what joins once
//! joins for good; more men of one's own never hurt; and as only one player can join, who is sure
//! to join is sure to win.

mod connections;
mod planar;
mod rules;

use ludex_core::two_player::opponent;
use ludex_core::{Budget, Clock, Effort, Fault, Forced, Game, Player, Random, Sought, Turn};
use ludex_ir::{PackedMove, Program};

use crate::threats::{Open, Place};
use connections::Connections;

/// A set of squares.
type Squares = u128;

/// The squares of a set, lowest first.
fn squares_of(mut set: Squares) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(lowest)
    })
}

/// A game of joining.
#[derive(Clone, Debug)]
pub struct Joining {
    sides: [Side; 2],
    all: Squares,
    /// Whether somebody seems to have joined whenever the board is full.
    is_decisive: bool,
}

/// What one player has to join.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    /// The raw value of a cell with a man of this player.
    man: u16,
    /// One side of the board.
    from: Squares,
    /// The other side.
    to: Squares,
    /// The squares one step away from each.
    steps: Vec<Squares>,
}

/// So many full boards are looked at.
const FULL_BOARDS: u64 = 100;

/// How many steps of building connections count as one position.
const STEPS_OF_A_POSITION: u64 = 2_000;

/// The men of one player in a position, and where there are none.
#[derive(Clone, Copy, Debug)]
struct Men {
    own: Squares,
    empty: Squares,
}

/// How long to build connections.
struct Patience<'a> {
    budget: Budget<'a>,
    clock: &'a dyn Clock,
}

impl Patience<'_> {
    fn is_over(&self, steps: u64) -> bool {
        self.budget.is_spent(steps / STEPS_OF_A_POSITION, self.clock)
    }
}

impl Joining {
    /// Whether it is worth while to read the rules more closely: a look at what there is of them.
    pub fn may_be(program: &Program) -> bool {
        rules::may_be(program)
    }

    /// Reads the rules; `None` if they are those of another kind of game, or if it cannot be shown
    /// that they are not.
    pub fn of(program: &Program) -> Option<Self> {
        let sides = rules::read(program)?;
        let ends = [0, 1].map(|player: usize| (sides[player].from, sides[player].to));
        let is_only_one = sides[0].steps == sides[1].steps
            && planar::only_one_joins(&sides[0].steps, ends[0], ends[1]);
        let all = Squares::MAX >> (Squares::BITS as usize - program.squares);
        let is_decisive = (0..FULL_BOARDS).all(|number| somebody_joins(&sides, all, number));
        is_only_one.then_some(Self { sides, all, is_decisive })
    }

    /// Whether it is worth while to ask everywhere: where a game can end without anybody having
    /// joined, much of a proof is about that, and connections tell nothing of it. Random full boards
    /// say so, and nothing that is proved rests on it.
    pub fn is_decisive(&self) -> bool {
        self.is_decisive
    }

    /// A win that the player to move can force, if connections show one.
    pub(crate) fn forced_win<G: Open>(
        &self,
        (game, program): (&G, &Program),
        place: &Place,
        effort: Effort<'_>,
    ) -> Result<Sought<Forced<PackedMove>>, Fault> {
        let Turn::Of(mover) = game.turn(&place.state, &place.trail)? else {
            return Ok(Sought { found: None, positions: 0 });
        };
        let (built, positions) = self.connections(game, place, mover, effort);
        let Some((square, carrier)) = built.winning_square() else {
            return Ok(Sought { found: None, positions });
        };
        // Each of his moves is on the carrier, and the last one joins.
        let plies = 2 * carrier.count_ones().max(1) - 1;
        let moves = moves_on(game, program, place, mover)?;
        let fits = |it: &&(usize, PackedMove)| square.is_none_or(|square| it.0 == square);
        let found = moves.iter().find(fits).map(|it| Forced { mv: it.1, plies });
        Ok(Sought { found, positions })
    }

    /// The moves of the player to move that may help against what the opponent is about to join,
    /// if connections show that.
    pub(crate) fn defences<G: Open>(
        &self,
        (game, program): (&G, &Program),
        place: &Place,
        effort: Effort<'_>,
    ) -> Result<Sought<Vec<PackedMove>>, Fault> {
        let Turn::Of(mover) = game.turn(&place.state, &place.trail)? else {
            return Ok(Sought { found: None, positions: 0 });
        };
        let (built, positions) = self.connections(game, place, opponent(mover), effort);
        let Some(needed) = built.needed() else { return Ok(Sought { found: None, positions }) };
        let mut moves = moves_on(game, program, place, mover)?;
        moves.retain(|it| needed >> it.0 & 1 == 1);
        Ok(Sought { found: Some(moves.into_iter().map(|it| it.1).collect()), positions })
    }

    /// The connections of a player, and how many positions they count as.
    fn connections<G: Open>(
        &self,
        game: &G,
        place: &Place,
        player: Player,
        effort: Effort<'_>,
    ) -> (Connections, u64) {
        let side = &self.sides[player.index().min(1)];
        let patience = Patience { budget: effort.budget, clock: effort.clock };
        let built = Connections::build(side, self.men(game, place, side), &patience);
        let positions = built.steps / STEPS_OF_A_POSITION + 1;
        (built, positions)
    }

    fn men<G: Open>(&self, game: &G, place: &Place, side: &Side) -> Men {
        let mut men = Men { own: 0, empty: 0 };
        for square in squares_of(self.all) {
            match game.raw(&place.state, square) {
                0 => men.empty |= 1 << square,
                raw if raw == side.man => men.own |= 1 << square,
                _ => {}
            }
        }
        men
    }
}

/// Whether somebody has joined on a random full board.
fn somebody_joins(sides: &[Side; 2], all: Squares, number: u64) -> bool {
    let mut random = Random::stream(0x10_1a, number, 0);
    let mut word = || Squares::from(random.below(u32::MAX));
    let first = (0..4).fold(0, |set: Squares, _| set << 32 | word()) & all;
    sides[0].is_joined_by(first) || sides[1].is_joined_by(all & !first)
}

impl Side {
    /// Whether these men join the sides.
    fn is_joined_by(&self, men: Squares) -> bool {
        let mut joined = self.from & men;
        loop {
            let near = squares_of(joined).fold(0, |set, square| set | self.steps[square]);
            let more = joined | near & men;
            if more == joined {
                return joined & self.to != 0;
            }
            joined = more;
        }
    }
}

/// The moves of the player to move with the squares that they fill, in order.
fn moves_on<G: Open>(
    game: &G,
    program: &Program,
    place: &Place,
    mover: Player,
) -> Result<Vec<(usize, PackedMove)>, Fault> {
    let mut moves = Vec::new();
    Game::moves(game, &place.state, &place.trail, mover, &mut moves)?;
    moves.sort_unstable();
    let filled = |mv: PackedMove| program.squares_of(mv).next().map(|it| (usize::from(it), mv));
    Ok(moves.into_iter().filter_map(filled).collect())
}
