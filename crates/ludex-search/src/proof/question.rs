//! What is asked of a position, and what counts as the same position.
//!
//! Every proof here answers one kind of question: *can this player force an end that is worth
//! more than so much?* The player who tries is the *attacker*. Play that never ends is no end, so
//! it never helps the attacker; as attackers always ask for more than 0, this is the same as saying
//! that endless play is a draw. "At least a draw" is the other side's failure to get more than 0,
//! and any other bound is turned round in the same way: see [`Question::at_least`].
//!
//! What is the same position? Where the rules never ask for the past, equal cells are. Where they
//! do, there are two readings, and [`Past`] says which one is meant:
//!
//! * [`Past::Exact`]: the rules as they are. Positions are the same if cells *and* trail are.
//! * [`Past::Ignored`]: every position is taken as if the game began there. This is the game as a
//!   graph: a repetition ends nothing and forbids nothing, and who can only repeat has not won.
//!   Where the rules use the past for nothing but to end repetitions in a draw, a
//!   game that begins without a past has the same value either way: who can force a win can force
//!   it without ever repeating a position, and who cannot is not helped by a draw. Where they
//!   use it otherwise (to forbid moves, to punish), it is another game.

use std::fmt;
use std::hash::{Hash, Hasher};

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Fault, Game, GameExt, Limits, Player, PositionOf};

use crate::support::{Unsupported, opponents};

/// Utilities that differ by no more than this are the same.
pub const ROUNDING: f64 = 1e-9;

/// Can the attacker force an end that is worth more than this?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// Who tries.
    pub attacker: Player,
    /// What the end must be worth more than, to the attacker: 0 or more.
    pub above: f64,
}

impl Question {
    /// Can `attacker` force a win?
    pub fn wins(attacker: Player) -> Self {
        Self { attacker, above: ROUNDING }
    }

    /// The question that decides whether `player` can be sure of `value`, and the answer to it
    /// that means yes.
    ///
    /// For more than 0 the player is the attacker; else the opponent must not get more than
    /// the opposite, and endless play is good enough.
    pub fn at_least(player: Player, value: f64) -> (Self, bool) {
        if value > 0.0 {
            (Self { attacker: player, above: value - ROUNDING }, true)
        } else {
            (Self { attacker: opponent(player), above: ROUNDING - value }, false)
        }
    }

    /// What an end that is worth `utility` to the attacker means.
    pub fn judge(self, utility: f64) -> EndClass {
        if utility > self.above {
            EndClass::Reached
        } else if -utility > self.above {
            EndClass::Opposite
        } else {
            EndClass::Between
        }
    }
}

/// What an end means for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndClass {
    /// The attacker has what was asked for.
    Reached,
    /// The other side has got as much.
    Opposite,
    /// Neither has.
    Between,
}

/// What has come of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStatus {
    /// The attacker can force it.
    Proved,
    /// The attacker cannot.
    Disproved,
    /// The budget or the memory ran out before.
    Unknown,
}

/// What the past counts for, in games whose rules ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// As the rules say.
    Exact,
    /// Nothing: each position is taken as if the game began there.
    Ignored,
}

/// A name of a position that two different ones share only by an accident of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Key {
    /// Where it is looked up.
    pub first: u64,
    /// What must agree as well.
    pub second: u64,
}

impl Key {
    /// A key that depends on both, and on their order.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            first: mix(self.first.rotate_left(17) ^ other.first),
            second: mix(self.second.rotate_left(29).wrapping_add(other.second)),
        }
    }
}

/// The end of `SplitMix64`: every bit of the number moves every bit of the answer.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A game of two opponents, with what its past counts for.
#[derive(Debug)]
pub struct View<'g, G> {
    game: TwoPlayer<'g, G>,
    past: Past,
    has_history: bool,
}

impl<G> Clone for View<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for View<'_, G> {}

impl<'g, G: Game> View<'g, G> {
    /// The view of `game`, which must have two players.
    pub fn new(game: &'g G, past: Past) -> Result<Self, Unsupported> {
        let has_history = game.has_history();
        Ok(Self { game: opponents(game)?, past, has_history })
    }

    /// The game itself.
    pub fn game(self) -> &'g G {
        self.game.game()
    }

    /// Whether there is a past and it counts.
    pub fn remembers(self) -> bool {
        self.has_history && self.past == Past::Exact
    }

    /// Whether there is a past and it does not count.
    pub fn ignores(self) -> bool {
        self.has_history && self.past == Past::Ignored
    }

    /// A position to begin with.
    pub fn root(self, position: &PositionOf<G>) -> PositionOf<G> {
        if self.ignores() { self.game().position(position.state.clone()) } else { position.clone() }
    }

    /// The name of a position.
    pub fn key(self, position: &PositionOf<G>) -> Key {
        let game = self.game();
        let key =
            Key { first: game.hash(&position.state), second: game.second_hash(&position.state) };
        if self.remembers() { key.join(past_key(&position.trail)) } else { key }
    }

    /// Who is to move; `None` when the game is over.
    pub fn mover(self, position: &PositionOf<G>) -> Result<Option<Player>, Fault> {
        self.game.mover(position)
    }

    /// Replaces the contents of `moves` by every move of `mover`, in an order of their own that
    /// does not depend on the engine.
    pub fn moves(
        self,
        position: &PositionOf<G>,
        mover: Player,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Fault> {
        self.game.moves(position, mover, moves)?;
        if moves.is_empty() {
            // Nothing to deal with would be a proof.
            let message = "a player is to move and has no move".to_owned();
            return Err(Fault { code: "no-move", message, place: None });
        }
        moves.sort_unstable();
        Ok(())
    }

    /// Makes `next` the position after a move.
    pub fn follow(
        self,
        position: &PositionOf<G>,
        mv: G::Move,
        next: &mut PositionOf<G>,
    ) -> Result<(), Fault> {
        next.clone_from(position);
        self.game.apply(next, mv)?;
        if self.ignores() {
            *next = self.game().position(next.state.clone());
        }
        Ok(())
    }

    /// What a finished game is worth to `player`.
    pub fn utility(self, position: &PositionOf<G>, player: Player) -> Result<f64, Fault> {
        self.game.value(position, player)
    }
}

/// A key of what the rules remember.
fn past_key<T: Hash>(trail: &T) -> Key {
    let mut mixer = Mixer(Key { first: 0x9ae1_6a3b_2f90_404f, second: 0xcbf2_9ce4_8422_2325 });
    trail.hash(&mut mixer);
    mixer.0
}

/// Makes a key of whatever is hashed, a word at a time: more than the 64 bits that a hasher gives.
struct Mixer(Key);

impl Mixer {
    fn add(&mut self, word: u64) {
        self.0 = self.0.join(Key { first: word, second: word.rotate_left(32) });
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0.first
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_ne_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }
}

/// A proof under way: its limits, the nodes it has visited, and who observes it.
pub struct ProofRun<'a> {
    /// When to end; the depth is not looked at.
    pub limits: Limits<'a>,
    /// Called now and then with how far the proof is.
    pub observer: &'a mut dyn FnMut(&Progress),
    /// Positions visited so far: those whose moves were listed.
    pub nodes: u64,
}

impl fmt::Debug for ProofRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limits, nodes, observer: _ } = self;
        f.debug_struct("ProofRun")
            .field("limits", limits)
            .field("nodes", nodes)
            .finish_non_exhaustive()
    }
}

/// How a proof goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Positions looked at.
    pub nodes: u64,
    /// How far the present question is from a proof and from a disproof, where that is counted.
    pub numbers: Option<(Question, u32, u32)>,
    /// Positions found, where they are all to be found.
    pub states: usize,
}

/// The number of nodes between two reports.
const REPORT: u64 = 1 << 14;

impl<'a> ProofRun<'a> {
    /// A proof that has not begun.
    pub fn new(limits: Limits<'a>, observer: &'a mut dyn FnMut(&Progress)) -> Self {
        Self { limits, observer, nodes: 0 }
    }

    /// Whether the proof must end. A node costs much more than reading the clock.
    pub fn is_over(&self) -> bool {
        self.limits.is_reached(self.nodes)
    }

    /// Counts a node.
    pub(crate) fn count(&mut self, numbers: impl FnOnce() -> Option<(Question, u32, u32)>) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(REPORT) {
            (self.observer)(&Progress { nodes: self.nodes, numbers: numbers(), states: 0 });
        }
    }
}

/// What was seen of ends: how much may be said of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndValues {
    /// Whether an end was met, or play without end, that gives neither side what was asked for.
    pub between: bool,
    /// The least that an end which is not drawn was worth to its winner.
    pub least: f64,
}

impl Default for EndValues {
    fn default() -> Self {
        Self { between: false, least: 1.0 }
    }
}

impl EndValues {
    /// Takes an end into account.
    pub(crate) fn note(&mut self, end: EndClass, utility: f64) {
        match end {
            EndClass::Between => self.between = true,
            EndClass::Reached | EndClass::Opposite => self.least = self.least.min(utility.abs()),
        }
    }
}
