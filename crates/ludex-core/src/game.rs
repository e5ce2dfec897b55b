//! The central trait: the rules of a game, as a referee and a search need them.

use std::fmt::{self, Debug};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::budget::{Budget, Clock, StoppedClock};
use crate::playout::Playout;
use crate::random::Random;
use crate::text::TextError;
use crate::turns::Choices;

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
    /// Nobody: the game has ended and [`Game::payoff`] tells how.
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

/// The rules of a game.
///
/// A `Game` is the *rules*; a [`State`](Game::State) is one position under
/// them and nothing else. What a rule needs to know of the past is in the
/// [`Trail`](Game::Trail) that travels beside the state.
///
/// # Laws
///
/// Callers may rely on these; [`laws::check`](crate::laws::check) plays random
/// games to test them on any implementation.
///
/// 1. *Progress.* Where the turn is a player's, that player has a move; where it
///    is joint, each of its players has; where it is chance's, the probabilities
///    are positive and sum to 1. Where it is over, nobody has a move.
/// 2. *Distinct.* `moves` never lists a move twice, and no two moves of one
///    state have the same name.
/// 3. *Membership.* `play` accepts every listed move and refuses all others,
///    leaving state and trail untouched.
/// 4. *Purity.* Equal states and trails and equal moves give equal answers. A
///    move means the same whatever order it was listed in.
/// 5. *Independence.* What is done to a copy is not seen in the original.
/// 6. *Text.* `read_position` reads what `position` writes; `named` reads what
///    `name` writes.
/// 7. *Hash.* Equal states have equal hashes, and a hash kept up to date by
///    `apply` is the hash of the same state read from its text.
/// 8. *Shortcuts.* [`count_moves`](Game::count_moves), [`random_move`](Game::random_move) and
///    [`playout`](Game::playout) come to what listing and playing comes to.
pub trait Game: Send + Sync {
    /// One position: the cells and nothing else.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// What the rules remember of the past (for repetition); zero-sized or empty
    /// where they do not ask.
    type Trail: Clone + Default + PartialEq + Hash + Debug + Send + Sync;

    /// One choice: a small plain value of at most 16 bytes.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// How many players there are.
    fn players(&self) -> usize;

    /// What the rules call `player`.
    fn player_name(&self, player: Player) -> String;

    /// The position the game starts from, with the trail that belongs to it.
    fn start(&self) -> (Self::State, Self::Trail);

    /// The trail of a game that starts from `state`.
    fn trail_from(&self, state: &Self::State) -> Self::Trail;

    /// Who decides next.
    fn turn(&self, state: &Self::State, trail: &Self::Trail) -> Result<Turn, Fault>;

    /// Replaces the contents of `moves` by every legal move of `player`.
    ///
    /// The buffer belongs to the caller so that a search can reuse it. A player
    /// who is not to move has no moves. Chance is asked through
    /// [`chances`](Game::chances).
    fn moves(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        player: Player,
        moves: &mut Vec<Self::Move>,
    ) -> Result<(), Fault>;

    /// Replaces the contents of `moves` by chance's moves with their probabilities.
    fn chances(
        &self,
        _state: &Self::State,
        moves: &mut Vec<(Self::Move, f64)>,
    ) -> Result<(), Fault> {
        moves.clear();
        Ok(())
    }

    /// Plays a turn: one legal move for each player whose turn it is, lowest
    /// player first; a single one where the turn is one player's or chance's.
    ///
    /// It trusts its caller. A move that was not listed may give a nonsense
    /// state, never a panic; moves from outside go through [`play`](Game::play).
    fn apply(
        &self,
        state: &mut Self::State,
        trail: &mut Self::Trail,
        moves: &[Self::Move],
    ) -> Result<(), Fault>;

    /// What `player` has earned. Meaningful when the turn is over.
    fn payoff(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        player: Player,
    ) -> Result<Payoff, Fault>;

    /// The 64-bit hash of all cells.
    fn hash(&self, state: &Self::State) -> u64;

    /// What people call `mv` in `state`.
    fn name(&self, state: &Self::State, mv: Self::Move) -> String;

    /// The position as text.
    fn position(&self, state: &Self::State) -> String;

    /// The position that `text` describes.
    fn read_position(&self, text: &str) -> Result<Self::State, TextError>;

    /// The position drawn for a person.
    fn draw(&self, state: &Self::State) -> String {
        self.position(state)
    }

    /// What `player` perceives of the last turn; `None` where everybody sees everything.
    fn percept(&self, _state: &Self::State, _player: Player) -> Option<Percept> {
        None
    }

    /// The legal move of `player` that people call `name`, if there is one.
    fn named(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        player: Player,
        name: &str,
    ) -> Result<Option<Self::Move>, Fault> {
        let mut moves = Vec::new();
        self.moves(state, trail, player, &mut moves)?;
        Ok(moves.into_iter().find(|&mv| self.name(state, mv) == name))
    }

    /// Plays one player's move if it is legal, and otherwise leaves everything as it was.
    fn play(
        &self,
        state: &mut Self::State,
        trail: &mut Self::Trail,
        player: Player,
        mv: Self::Move,
    ) -> Result<Result<(), IllegalMove<Self::Move>>, Fault> {
        let mut legal = Vec::new();
        self.moves(state, trail, player, &mut legal)?;
        if !legal.contains(&mv) {
            return Ok(Err(IllegalMove { mv, legal }));
        }
        self.apply(state, trail, &[mv])?;
        Ok(Ok(()))
    }

    // Shortcuts: an engine that can do better than list and choose says so here.

    /// How many different turns can be played: 0 when the game is over, and for a joint turn
    /// the product over its players.
    fn count_moves(&self, state: &Self::State, trail: &Self::Trail) -> Result<u64, Fault> {
        let mut choices = Choices::default();
        choices.fill(self, state, trail)?;
        Ok(choices.count())
    }

    /// How much work it is to list the moves of a position, in steps of whoever runs the rules; the same
    /// every time. `None` where steps are not counted.
    fn listing_steps(&self, _state: &Self::State, _trail: &Self::Trail) -> Option<u64> {
        None
    }

    /// A random move: a player's, each as likely as any other, or chance's by its odds.
    ///
    /// `None` when the game is over, and where several players decide at once: they
    /// have no single move.
    fn random_move(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        random: &mut Random,
    ) -> Result<Option<Self::Move>, Fault> {
        let mut choices = Choices::default();
        let turn = choices.fill(self, state, trail)?;
        if !matches!(turn, Turn::Of(_) | Turn::Chance) {
            return Ok(None);
        }
        let mut moves = Vec::new();
        choices.draw(random, &mut moves);
        Ok(moves.first().copied())
    }

    /// Plays on at random for at most `limit` turns, as
    /// [`Playouts::listed`](crate::playout::Playouts::listed) would, where the engine has a
    /// faster way; `None`, with nothing done, where it has none.
    ///
    /// `state` and `trail` become the last position. A game that is over after exactly
    /// `limit` turns has its payoffs. The numbers drawn from `random` are the engine's
    /// affair: equal generators give equal games from one engine, not from two.
    ///
    /// Callers want [`Playouts::run`](crate::playout::Playouts::run), which asks this first.
    fn playout(
        &self,
        _state: &mut Self::State,
        _trail: &mut Self::Trail,
        _random: &mut Random,
        _limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        None
    }

    /// The same, and `moves` becomes the moves that were played, in their order; `None`, with
    /// nothing done, where the engine has no faster way than listing, and for turns that are not
    /// one player's. Equal generators give the game that `playout` plays.
    fn traced_playout(
        &self,
        _state: &mut Self::State,
        _trail: &mut Self::Trail,
        _random: &mut Random,
        _limit: u32,
        _moves: &mut Vec<Self::Move>,
    ) -> Option<Result<Playout, Fault>> {
        None
    }

    // Proofs: what can be known without a search of one's own.

    /// A win that the player to move can force, if one is found with so much effort; that none is
    /// found says nothing.
    ///
    /// A win that is told is one by the rules, whatever the opponent does. Only for games of two
    /// players, in which one's win is the other's loss.
    fn forced_win(
        &self,
        _state: &Self::State,
        _trail: &Self::Trail,
        _effort: Effort<'_>,
    ) -> Result<Sought<Forced<Self::Move>>, Fault> {
        Ok(Sought { found: None, positions: 0 })
    }

    /// The moves of the player to move that may help against a win that the opponent threatens, if
    /// such a threat is found with so much effort. Every other move loses by the rules; where none
    /// is left, all do. They are told in order.
    fn defences(
        &self,
        _state: &Self::State,
        _trail: &Self::Trail,
        _effort: Effort<'_>,
    ) -> Result<Sought<Vec<Self::Move>>, Fault> {
        Ok(Sought { found: None, positions: 0 })
    }

    /// Whether [`forced_win`](Game::forced_win) and [`defences`](Game::defences) are seen at once and
    /// tell much, so that a proof should ask everywhere.
    fn sees_what_is_forced(&self) -> bool {
        false
    }

    // Hints: what helps a search to play well. They change no answer of the rules, and nothing
    // that is called proved may rest on them.

    /// Whether what happened before can change what follows: false only where the trail is
    /// never asked.
    fn has_history(&self) -> bool {
        true
    }

    /// What the author of the rules thinks of a position, from the view of the player to move;
    /// `None` without an opinion. `side` is the player that the search plays for and `depth` how
    /// many turns below its root the position is.
    fn opinion(
        &self,
        _state: &Self::State,
        _trail: &Self::Trail,
        _side: Player,
        _depth: u32,
    ) -> Result<Option<f64>, Fault> {
        Ok(None)
    }

    /// The legal moves that the author of the rules would look at, best first, with their weights;
    /// `None` without an opinion.
    fn advice(
        &self,
        _state: &Self::State,
        _trail: &Self::Trail,
        _side: Player,
        _depth: u32,
    ) -> Result<Option<Advice<Self::Move>>, Fault> {
        Ok(None)
    }

    /// The same as [`advice`](Game::advice), taken at its word: each move can be played, but nobody
    /// has looked whether the rules list it, or list it under this number. Much faster where legal
    /// moves are many; what comes of it is a belief, and a move to be made is never taken from here.
    fn unchecked_advice(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<Advice<Self::Move>>, Fault> {
        self.advice(state, trail, side, depth)
    }

    /// The same position with the next player to move, as if the mover had passed; `None` where
    /// that makes no sense. It need not be legal, nor even possible.
    fn passed(&self, _state: &Self::State) -> Option<Self::State> {
        None
    }

    /// Whether the rules would forbid the player to move to leave the position as it is: a king that
    /// could be taken, say. Something has to be done about that, so the position is not quiet, and
    /// a pass says nothing of it.
    fn in_check(&self, _state: &Self::State, _trail: &Self::Trail) -> Result<bool, Fault> {
        Ok(false)
    }

    /// How many kinds of men there are; 0 where there are no men.
    fn kinds(&self) -> usize {
        0
    }

    /// Replaces the contents of `counts` by how many men each player has of each kind: those of
    /// the first player first, [`kinds`](Game::kinds) numbers for each.
    fn count_men(&self, _state: &Self::State, counts: &mut Vec<u32>) {
        counts.clear();
    }

    /// How many squares there are for men to stand on; 0 where there is no board.
    fn squares(&self) -> usize {
        0
    }

    /// The squares next to each square, by the single steps that the rules speak of; nothing where
    /// that is not known.
    fn neighbours(&self) -> Vec<Vec<u16>> {
        Vec::new()
    }

    /// The straight rows of squares, as long as they are: along each of the board's directions and
    /// not also back, each with the number of its direction; nothing where that is not known.
    fn lines(&self) -> Vec<(u16, Vec<u16>)> {
        Vec::new()
    }

    /// The men that there can be: who owns them (nobody, perhaps) and of which kind they are. The
    /// number of a man in this list is its code.
    fn man_codes(&self) -> Vec<(Option<Player>, u8)> {
        Vec::new()
    }

    /// Replaces the contents of `men` by every man on the board, its square and its code, in an
    /// order that may be any.
    fn men(&self, _state: &Self::State, men: &mut Vec<(u16, u8)>) {
        men.clear();
    }

    /// Which man, another player's or nobody's, a move takes, as far as that is seen without playing
    /// it.
    fn taken(&self, _state: &Self::State, _mv: Self::Move) -> Taken {
        Taken::Unknown
    }

    /// The kind of the man that makes a move, as far as that is seen without playing it.
    fn moved(&self, _state: &Self::State, _mv: Self::Move) -> Option<u8> {
        None
    }

    /// A number for what a move does, whatever the position: equal for the same move of the
    /// same player where it takes a man both times or neither time, different for others, up to the
    /// accidents of hashing.
    fn move_code(&self, _state: &Self::State, mv: Self::Move) -> u64 {
        let mut hasher = DefaultHasher::new();
        mv.hash(&mut hasher);
        hasher.finish()
    }

    /// Another hash of all cells, independent of [`hash`](Game::hash): a position counts as
    /// known again only where both agree. Two implementations of one game need not have the same.
    fn second_hash(&self, state: &Self::State) -> u64 {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    }
}

/// How far to look for what is forced.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// 1 for threats to win at once, 2 for threats of such threats, and so on.
    pub order: u8,
    /// What may be spent; its nodes are positions that are looked at.
    pub budget: Budget<'a>,
    /// Tells the time.
    pub clock: &'a dyn Clock,
}

impl Effort<'_> {
    /// A look at so many positions, which takes as long as it takes.
    pub fn of_positions(positions: u64, order: u8) -> Self {
        Effort { order, budget: Budget::of_nodes(positions), clock: &StoppedClock }
    }
}

impl Debug for Effort<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { order, budget, .. } = self;
        f.debug_struct("Effort").field("order", order).field("budget", budget).finish()
    }
}

/// What came of looking for what is forced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought<T> {
    /// What was found.
    pub found: Option<T>,
    /// How many positions were looked at.
    pub positions: u64,
}

/// A win that can be forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced<M> {
    /// The move that begins it.
    pub mv: M,
    /// In how many turns the game is won at the latest, this move included.
    pub plies: u32,
}

/// What the author of the rules would look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice<M> {
    /// The moves with their weights, best first.
    pub moves: Vec<(M, f64)>,
    /// Whether nothing else is to be looked at.
    pub only: bool,
}

/// What a move takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taken {
    /// No man of another player.
    Nothing,
    /// A man of this kind, or the first of several.
    Man(u8),
    /// That is only seen when it is played.
    Unknown,
}
