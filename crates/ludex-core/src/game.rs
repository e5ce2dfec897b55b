//! The central trait: the rules of a game, as a referee needs them.

use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::info::GameInfo;
use crate::position::PositionOf;
use crate::roles::{Roles, RolesOf};
use crate::text::TextError;

/// One of the players, counted from 0 in the order the rules name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

impl Player {
    /// The position of this player in tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of players, at most 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PlayerSet(pub u64);

impl PlayerSet {
    /// The set of the first `count` players.
    pub const fn first(count: usize) -> Self {
        Self(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    /// Whether `player` belongs to the set.
    pub const fn contains(self, player: Player) -> bool {
        player.0 < 64 && self.0 >> player.0 & 1 == 1
    }

    /// The players of the set, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        (0..64).map(Player).filter(move |&player| self.contains(player))
    }

    /// How many players the set has.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no player.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Who decides next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// No player: the game has ended and [`Game::payoff`] tells how.
    Over,
    /// One player.
    Of(Player),
    /// Several players at once; none sees the others' choices.
    Joint(PlayerSet),
    /// Chance; [`Game::chances`] gives its moves with their probabilities.
    Chance,
}

/// What a player has earned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoff {
    /// Points, where the game counts them; otherwise 1, 0 and -1 for victory, draw and loss.
    pub score: i64,
    /// How good that is, from -1 (worst) to 1 (best).
    pub utility: f64,
}

impl Payoff {
    /// The payoff of a player who has won.
    pub const WIN: Self = Self { score: 1, utility: 1.0 };
    /// The payoff of a player who has drawn.
    pub const DRAW: Self = Self { score: 0, utility: 0.0 };
    /// The payoff of a player who has lost.
    pub const LOSS: Self = Self { score: -1, utility: -1.0 };
}

/// What a player perceives when a turn has been played, where that is not everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Percept(pub String);

/// An error of the rules that only showed in play: a loop without end, two
/// results that contradict each other, a list of moves past its bound.
///
/// It is the file's fault, never the caller's, and it is reported like any
/// other error of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Stable name, for tests and for looking it up.
    pub code: &'static str,
    /// What happened, in the words of the file's author.
    pub message: String,
    /// Where in the source it happened, as an opaque number of the front end.
    pub place: Option<u32>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Fault {}

/// The move was not among the legal ones. The state is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove<M> {
    /// The move that was refused.
    pub mv: M,
    /// What could have been played instead.
    pub legal: Vec<M>,
}

/// The code of the [`Fault`] of a game whose turn is chance's and which gives chance no moves.
const NO_CHANCES: &str = "no-chances";

/// The rules of a game: what a referee needs.
///
/// A `Game` is the *rules*; a [`State`](Game::State) is one position under them and nothing else.
/// What a rule needs to know of earlier positions is in the [`Trail`](Game::Trail) beside it; a
/// [`Position`](crate::Position) is both.
///
/// Who implements the required methods gets every player and every measurement of the workspace.
/// What a game can do better or knows besides its rules, it says in its [`roles`](Game::roles).
/// Callers use [`GameExt`](crate::GameExt), which asks the roles and has a slower answer where a
/// game has none.
///
/// # Laws
///
/// Callers may rely on these; [`laws::check`](crate::laws::check) plays random
/// games to test them on any implementation.
///
/// 1. *Progress.* Where the turn is a player's, that player has a move; where it
///    is joint, each of its players has; where it is chance's, the probabilities
///    are positive and sum to 1. Where it is over, no player has a move.
/// 2. *Distinct.* `moves` never lists a move twice, and no two moves of one
///    state have the same name.
/// 3. *Membership.* [`play`](crate::GameExt::play) accepts every listed move and refuses all
///    others, leaving the position untouched.
/// 4. *Purity.* Equal positions and equal moves give equal answers. A
///    move means the same whatever order it was listed in.
/// 5. *Independence.* What is done to a copy is not seen in the original.
/// 6. *Text.* `read` reads what `write` writes; `named` reads what `name` writes.
/// 7. *Hash.* Equal states have equal hashes, and a hash kept up to date by
///    `apply` is the hash of the same state read from its text.
/// 8. *Shortcuts.* Counting moves, drawing one and playing to the end give what listing and
///    playing give.
pub trait Game: Send + Sync {
    /// One position: the cells and nothing else.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// What the rules remember of earlier positions (for repetition); zero-sized or empty
    /// where they do not ask.
    type Trail: Clone + Default + PartialEq + Hash + Debug + Send + Sync;

    /// One choice: a small plain value of at most 16 bytes.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// What kind of game it is: its players, who moves when, what a result is.
    fn info(&self) -> &GameInfo;

    /// The position the game starts from.
    fn start(&self) -> PositionOf<Self>;

    /// The first position of a game that starts from `state`.
    fn position(&self, state: Self::State) -> PositionOf<Self>;

    /// Who decides next.
    fn turn(&self, position: &PositionOf<Self>) -> Result<Turn, Fault>;

    /// Replaces the contents of `moves` by every legal move of `player`.
    ///
    /// The buffer belongs to the caller so that a search can reuse it. A player
    /// who is not to move has no moves. Chance's moves are those of
    /// [`chances`](Game::chances).
    fn moves(
        &self,
        position: &PositionOf<Self>,
        player: Player,
        moves: &mut Vec<Self::Move>,
    ) -> Result<(), Fault>;

    /// Replaces the contents of `moves` by chance's moves with their probabilities. A game whose
    /// turn is never chance's need not say anything; the call is a fault then.
    fn chances(
        &self,
        _position: &PositionOf<Self>,
        moves: &mut Vec<(Self::Move, f64)>,
    ) -> Result<(), Fault> {
        moves.clear();
        let message = "chance never moves in this game".to_owned();
        Err(Fault { code: NO_CHANCES, message, place: None })
    }

    /// Plays a turn: one legal move for each player whose turn it is, lowest
    /// player first; a single one where the turn is one player's or chance's.
    ///
    /// It trusts its caller. A move that was not listed may give a nonsense
    /// state, never a panic; moves of users go through [`play`](crate::GameExt::play).
    fn apply(&self, position: &mut PositionOf<Self>, moves: &[Self::Move]) -> Result<(), Fault>;

    /// What `player` has earned. Meaningful when the turn is over.
    fn payoff(&self, position: &PositionOf<Self>, player: Player) -> Result<Payoff, Fault>;

    /// What people call `mv` in `state`.
    fn name(&self, state: &Self::State, mv: Self::Move) -> String;

    /// The legal move of `player` that people call `name`, if there is one.
    fn named(
        &self,
        position: &PositionOf<Self>,
        player: Player,
        name: &str,
    ) -> Result<Option<Self::Move>, Fault> {
        let mut moves = Vec::new();
        self.moves(position, player, &mut moves)?;
        Ok(moves.into_iter().find(|&mv| self.name(&position.state, mv) == name))
    }

    /// The state as text.
    fn write(&self, state: &Self::State) -> String;

    /// The state that `text` describes.
    fn read(&self, text: &str) -> Result<Self::State, TextError>;

    /// The state drawn for a person.
    fn draw(&self, state: &Self::State) -> String {
        self.write(state)
    }

    /// What `player` perceives of the last turn; `None` where every player sees everything.
    fn percept(&self, _position: &PositionOf<Self>, _player: Player) -> Option<Percept> {
        None
    }

    /// What the game can do faster than its rules say, and what it knows besides them.
    fn roles(&self) -> RolesOf<'_, Self> {
        Roles::default()
    }
}
