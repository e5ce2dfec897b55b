//! The seam between the arena and whatever plays in it.
//!
//! A contestant is asked three things, in this order and from one thread at a time: [`begin`] a game,
//! [`think`] about a position as often as it is its turn, and [`end`] the game. The referee trusts no
//! answer: a move is looked up among the legal ones, the time is measured outside, and whatever goes
//! wrong is a [`Failure`] that loses the game and nothing more.
//!
//! # An outside program
//!
//! ```text
//! begin   start the program if it does not run (a crash in the last game), say that a game begins;
//!         FailureKind::Crashed, or Unavailable, if it cannot be started
//! think   write the position: Situation::start (None: the usual one) and Situation::names, all moves
//!         since then, the opening's first; then the limits of the Allowance in the protocol's words.
//!         Wait for the answer no longer than Allowance::deadline, looking at Situation::stop now
//!         and then, and give it as Answer::Text: the referee reads it as a move of this position.
//!         A protocol with names of its own for moves (SAN, USI squares) translates them itself, from
//!         Situation::moves and game, and may answer with Answer::Move.
//!         Silence: TimedOut. End of output: Crashed. Too much output: Flooded. Nonsense: Protocol.
//! end     say that the game is over if the protocol has words for it; kill the program after a failure.
//! drop    end the program, and wait for its end: nothing is left running.
//! ```
//!
//! [`begin`]: Contestant::begin
//! [`think`]: Contestant::think
//! [`end`]: Contestant::end

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use ludex_core::{Fault, Game, Player};
use ludex_search::Task;

use crate::clocks::Allowance;
use crate::quote::quote;

/// How much of a wrong answer is shown.
const SHOWN: usize = 60;

/// Whatever plays games of `G` in the arena.
pub trait Contestant<G: Game>: Send {
    /// A game begins, in which it plays `seat`. What it knew of another game is to be forgotten.
    ///
    /// `seed` is another one for every game and every seat, and the same when the match is played
    /// again: random choices that follow it make a match repeatable, however many games are played
    /// at once. The situation is that after the opening; it need not be the contestant's turn.
    fn begin(
        &mut self,
        situation: &Situation<'_, G>,
        seat: Player,
        seed: u64,
    ) -> Result<(), Failure>;

    /// It is its turn: what does it play? The time until it answers is taken off its clock.
    fn think(
        &mut self,
        situation: &Situation<'_, G>,
        allowance: &Allowance,
    ) -> Result<Choice<G::Move>, Failure>;

    /// The opponent thinks about this situation, and it may as well, until `stop` is raised.
    fn ponder(&mut self, _situation: &Situation<'_, G>, _stop: &AtomicBool) {}

    /// The game is over: how, in words, and whether that was the contestant's own failure. There may
    /// be another game, or none. Where the opponent could not even begin, this comes without a
    /// `begin`.
    fn end(&mut self, _how: &str, _failed: bool) {}

    /// Whether it has limits of its own, so that the usual time is not for it: see [`Pace::usual`].
    ///
    /// [`Pace::usual`]: crate::clocks::Pace::usual
    fn has_own_limits(&self) -> bool {
        false
    }

    /// What it is and why, in a line, for those who ask.
    fn describe(&self) -> String;
}

/// Where a game stands.
#[derive(Debug)]
pub struct Situation<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub state: &'a G::State,
    /// What the rules remember of the past.
    pub trail: &'a G::Trail,
    /// The position that the game began with, as text; `None` where it is the usual one.
    pub start: Option<&'a str>,
    /// The same as a state.
    pub start_state: &'a G::State,
    /// All moves since then, the opening's first. Each is a single player's.
    pub moves: &'a [G::Move],
    /// What the rules call them.
    pub names: &'a [String],
    /// Somebody wants an end: whatever is answered will not count.
    pub stop: &'a AtomicBool,
}

impl<'a, G: Game> Situation<'a, G> {
    /// The position as searches are given it.
    pub fn task(&self) -> Task<'a, G> {
        Task { game: self.game, state: self.state, trail: self.trail }
    }

    /// Whether somebody wants an end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

// Not derived: a derive would ask the game itself to be `Copy`.
impl<G: Game> Clone for Situation<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Situation<'_, G> {}

/// What a contestant plays, and what it thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub answer: Answer<M>,
    /// What it believes the position to be worth for itself.
    pub opinion: Option<Opinion>,
    /// How many plies it looked ahead.
    pub depth: Option<u32>,
    /// How many nodes it visited.
    pub nodes: Option<u64>,
}

impl<M> Choice<M> {
    /// An answer with nothing said about it.
    pub fn new(answer: Answer<M>) -> Self {
        Self { answer, opinion: None, depth: None, nodes: None }
    }
}

/// An answer to the question what to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<M> {
    /// A move; if it is not a legal one, the game is lost.
    Move(M),
    /// A move by its name; if there is no such one, the game is lost.
    Text(String),
    /// The game is given up.
    Resign,
}

/// What a position is believed to be worth, from the view of whoever says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// From -1 (lost) to 1 (won): what adjudication looks at.
    pub value: f64,
    /// The same in words of its own, where it has any: `cp 35`, `mate 3`. One line.
    pub told: Option<String>,
}

impl Opinion {
    /// An opinion from -1 to 1.
    pub fn new(value: f64) -> Self {
        let value = if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
        Self { value, told: None }
    }

    /// An opinion in hundredths of a pawn, as many programs have it. A pawn more wins about
    /// 64 % of the points: the logistic curve of Elo's rating with 100 points for a pawn.
    pub fn of_centipawns(centipawns: f64) -> Self {
        let rate = 1.0 / (1.0 + 10_f64.powf(-centipawns / 400.0));
        Self { told: Some(format!("cp {centipawns:.0}")), ..Self::new(2.0 * rate - 1.0) }
    }
}

/// Why a contestant has lost a game without having been beaten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// What happened, in words that go into the record: one line.
    pub reason: String,
    /// Where a player file is at fault, what it did wrong.
    pub fault: Option<Fault>,
}

/// Kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// The program ended, or closed its output.
    Crashed,
    /// There was no answer in time.
    TimedOut,
    /// The answer is no legal move.
    Illegal,
    /// It wrote more than anybody can read.
    Flooded,
    /// It broke the rules of its protocol.
    Protocol,
    /// A player file is at fault.
    Fault,
    /// It cannot be started.
    Unavailable,
    /// Not the contestant's failure at all: the rules of the game are at fault, and nobody can play.
    Rules,
}

impl FailureKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Crashed,
        Self::TimedOut,
        Self::Illegal,
        Self::Flooded,
        Self::Protocol,
        Self::Fault,
        Self::Unavailable,
        Self::Rules,
    ];

    /// What it is called in records and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crashed => "crash",
            Self::TimedOut => "time",
            Self::Illegal => "illegal",
            Self::Flooded => "flood",
            Self::Protocol => "protocol",
            Self::Fault => "fault",
            Self::Unavailable => "unavailable",
            Self::Rules => "rules",
        }
    }
}

impl Failure {
    /// A failure of this kind.
    pub fn new(kind: FailureKind, reason: impl Into<String>) -> Self {
        Self { kind, reason: reason.into(), fault: None }
    }

    /// The failure of a player that has answered this, which is no legal move.
    pub fn illegal(answer: &str) -> Self {
        let shown = quote(answer, SHOWN);
        Self::new(FailureKind::Illegal, format!("`{shown}` is no legal move"))
    }

    /// The failure of a player whose file did something wrong.
    pub fn of_file(fault: Fault) -> Self {
        Self::with_fault(FailureKind::Fault, fault)
    }

    /// A fault of the rules themselves: it ends the match, and nobody has lost.
    pub fn of_rules(fault: Fault) -> Self {
        Self::with_fault(FailureKind::Rules, fault)
    }

    fn with_fault(kind: FailureKind, fault: Fault) -> Self {
        Self { kind, reason: fault.message.clone(), fault: Some(fault) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Failure {}
