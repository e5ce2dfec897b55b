//! Connection games: the first player to connect two sides of the board by men of his own wins.
//!
//! A plain search does badly at such games: every square is a move, and a chain that can no longer be
//! cut is many moves away from being connected. What needs no search are *virtual connections*: pairs
//! of groups that their owner can connect whatever the opponent does, composed of smaller ones (Vadim
//! Anshelevich, "A hierarchical approach to computer Hex", 2002). One between the two sides wins. If
//! the opponent is one move away from having one, only moves on its *must-play region* can help (Ryan
//! Hayward and others, "Solving 7×7 Hex: virtual connections and game-state reduction", 2003).
//! [`forced_win`](ConnectionGame::forced_win) and [`only_defences`](ConnectionGame::only_defences)
//! answer these two questions; proof searches ask them in every position.
//!
//! ```text
//! rules ──> is it a connection game? ──> connections of a position ──> a forced win, or the only defences
//!             └─ can only one of the two connect? (planar)
//! ```
//!
//! No game is recognised by its name: [`rules`] reads in the program that a move puts a man on any
//! empty square and nothing else, and that the result is a flood fill from one side to the other;
//! [`planar`] shows that both players cannot have connected.
//!
//! **Invariant:** the answers hold by the rules. Men stay where they are, so what is connected stays
//! connected; more men of one's own never hurt; and as only one player can connect, a virtual
//! connection of his sides is a win.

mod planar;
mod rules;
mod virtual_connections;

use ludex_core::two_player::opponent;
use ludex_core::{Effort, Fault, Forced, Game, Limits, Player, Position, Random, Sought, Turn};
use ludex_ir::{PackedMove, Program};

use crate::threats::CellGame;
use virtual_connections::VirtualConnections;

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

/// A connection game.
#[derive(Clone, Debug)]
pub struct ConnectionGame {
    sides: [Side; 2],
    all: Squares,
    /// Whether a full board seems to have a winner always.
    is_decisive: bool,
}

/// The sides that one player has to connect.
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

/// Number of random full boards that are examined.
const FULL_BOARDS: u64 = 100;

/// Steps of building connections that count as one position.
const STEPS_OF_A_POSITION: u64 = 2_000;

/// The men of one player in a position, and the empty squares.
#[derive(Clone, Copy, Debug)]
struct Men {
    own: Squares,
    empty: Squares,
}

/// Whether building connections has spent the limits after `steps` steps.
fn is_late(limits: Limits<'_>, steps: u64) -> bool {
    limits.is_reached(steps / STEPS_OF_A_POSITION)
}

impl ConnectionGame {
    /// Whether the declarations alone allow a connection game: a quick test before [`Self::of`].
    pub fn may_be(program: &Program) -> bool {
        rules::may_be(program)
    }

    /// Reads the rules; `None` if they are not shown to be those of a connection game.
    pub fn of(program: &Program) -> Option<Self> {
        let sides = rules::read(program)?;
        let ends = [0, 1].map(|player: usize| (sides[player].from, sides[player].to));
        let is_only_one = sides[0].steps == sides[1].steps
            && planar::only_one_connects(&sides[0].steps, ends[0], ends[1]);
        let all = Squares::MAX >> (Squares::BITS as usize - program.squares);
        let is_decisive = (0..FULL_BOARDS).all(|number| either_side_connects(&sides, all, number));
        is_only_one.then_some(Self { sides, all, is_decisive })
    }

    /// Whether a proof search should ask in every position. If a game can end with neither side
    /// connected, much of a proof is about that, and connections say nothing of it. The answer comes
    /// from random full boards; no proof rests on it.
    pub fn is_decisive(&self) -> bool {
        self.is_decisive
    }

    /// A win that the player to move can force, if connections show one.
    pub(crate) fn forced_win<G: CellGame>(
        &self,
        (game, program): (&G, &Program),
        position: &Position,
        effort: Effort<'_>,
    ) -> Result<Sought<Forced<PackedMove>>, Fault> {
        let Turn::Of(mover) = game.turn(position)? else {
            return Ok(Sought { found: None, positions: 0 });
        };
        let (built, positions) = self.connections(game, position, mover, effort);
        let Some((square, carrier)) = built.winning_square() else {
            return Ok(Sought { found: None, positions });
        };
        // Each of his moves is on the carrier, and the last one connects.
        let plies = 2 * carrier.count_ones().max(1) - 1;
        let moves = moves_on(game, program, position, mover)?;
        let fits = |it: &&(usize, PackedMove)| square.is_none_or(|square| it.0 == square);
        let found = moves.iter().find(fits).map(|it| Forced { mv: it.1, plies });
        Ok(Sought { found, positions })
    }

    /// The moves of the player to move that may help against a connection that the opponent
    /// threatens, if connections show one.
    pub(crate) fn only_defences<G: CellGame>(
        &self,
        (game, program): (&G, &Program),
        position: &Position,
        effort: Effort<'_>,
    ) -> Result<Sought<Vec<PackedMove>>, Fault> {
        let Turn::Of(mover) = game.turn(position)? else {
            return Ok(Sought { found: None, positions: 0 });
        };
        let (built, positions) = self.connections(game, position, opponent(mover), effort);
        let Some(must_play) = built.must_play() else {
            return Ok(Sought { found: None, positions });
        };
        let mut moves = moves_on(game, program, position, mover)?;
        moves.retain(|it| must_play >> it.0 & 1 == 1);
        Ok(Sought { found: Some(moves.into_iter().map(|it| it.1).collect()), positions })
    }

    /// The connections of a player, and how many positions they count as.
    fn connections<G: CellGame>(
        &self,
        game: &G,
        position: &Position,
        player: Player,
        effort: Effort<'_>,
    ) -> (VirtualConnections, u64) {
        let side = &self.sides[player.index().min(1)];
        let built = VirtualConnections::build(side, self.men(game, position, side), effort.limits);
        let positions = built.steps / STEPS_OF_A_POSITION + 1;
        (built, positions)
    }

    fn men<G: CellGame>(&self, game: &G, position: &Position, side: &Side) -> Men {
        let mut men = Men { own: 0, empty: 0 };
        for square in squares_of(self.all) {
            match game.raw(&position.state, square) {
                0 => men.empty |= 1 << square,
                raw if raw == side.man => men.own |= 1 << square,
                _ => {}
            }
        }
        men
    }
}

/// Whether one of the players has connected his sides on a random full board.
fn either_side_connects(sides: &[Side; 2], all: Squares, number: u64) -> bool {
    let mut random = Random::stream(0x10_1a, number, 0);
    let mut word = || Squares::from(random.below(u32::MAX));
    let first = (0..4).fold(0, |set: Squares, _| set << 32 | word()) & all;
    sides[0].connects(first) || sides[1].connects(all & !first)
}

impl Side {
    /// Whether these men connect the sides.
    fn connects(&self, men: Squares) -> bool {
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
fn moves_on<G: CellGame>(
    game: &G,
    program: &Program,
    position: &Position,
    mover: Player,
) -> Result<Vec<(usize, PackedMove)>, Fault> {
    let mut moves = Vec::new();
    Game::moves(game, position, mover, &mut moves)?;
    moves.sort_unstable();
    let filled = |mv: PackedMove| program.squares_of(mv).next().map(|it| (usize::from(it), mv));
    Ok(moves.into_iter().filter_map(filled).collect())
}
