//! The seam between the arena and its players.
//!
//! The referee calls a contestant from one thread at a time: [`begin`] a game, [`think`] at each of its
//! turns, and [`end`] the game. The referee trusts no answer: it looks the move up among the legal ones
//! and measures the time itself. Every error is a [`Failure`], which loses the game and nothing more.
//!
//! # An external engine
//!
//! ```text
//! begin   start the process if it does not run (after a crash in the last game) and announce the game;
//!         FailureKind::Crashed, or Unavailable, if it cannot be started
//! think   send the position: GameView::start (None: the usual one) and GameView::names, all moves
//!         since then, the opening's first; then the MoveLimits in the protocol's words.
//!         Wait for the answer no longer than MoveLimits::deadline, polling GameView::stop, and return
//!         it as Answer::Text: the referee reads it as a move of this position.
//!         A protocol with its own move notation (SAN, USI squares) translates from GameView::moves
//!         and GameView::game, and may answer with Answer::Move.
//!         Silence: TimedOut. End of output: Crashed. Too much output: Flooded. Nonsense: Protocol.
//! end     announce the end of the game if the protocol can; kill the process after a failure.
//! drop    end the process and wait for its exit: nothing is left running.
//! ```
//!
//! [`begin`]: Contestant::begin
//! [`think`]: Contestant::think
//! [`end`]: Contestant::end

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use ludex_core::{Fault, Game, Player, PositionOf};
use ludex_search::SearchRoot;

use crate::quote::quote;
use crate::time_control::MoveLimits;

/// How many characters of a wrong answer a message quotes.
const SHOWN: usize = 60;

/// A player of `G` in the arena.
pub trait Contestant<G: Game>: Send {
    /// A game begins, in which the contestant plays `seat`. It forgets all other games.
    ///
    /// `seed` differs for every game and every seat, and is the same when the match is played again:
    /// random choices drawn from it make a match repeatable, whatever the concurrency. The view is
    /// that after the opening; another contestant may be to move.
    fn begin(&mut self, view: &GameView<'_, G>, seat: Player, seed: u64) -> Result<(), Failure>;

    /// Chooses a move at its turn. The referee takes the time until the answer off its clock.
    fn think(
        &mut self,
        view: &GameView<'_, G>,
        limits: &MoveLimits,
    ) -> Result<BestMove<G::Move>, Failure>;

    /// Searches, on the opponent's time, the position in which the opponent is to move, until `stop`
    /// is raised.
    fn ponder(&mut self, _view: &GameView<'_, G>, _stop: &AtomicBool) {}

    /// The game is over: `how` says it in words, `failed` whether this contestant's failure ended it.
    /// There may be another game, or none. Where the opponent could not begin, this comes without a
    /// `begin`.
    fn end(&mut self, _how: &str, _failed: bool) {}

    /// Whether it has limits of its own, which replace the default time: see
    /// [`TimeControl::default_time`].
    ///
    /// [`TimeControl::default_time`]: crate::time_control::TimeControl::default_time
    fn has_own_limits(&self) -> bool {
        false
    }

    /// What it is and why, in one line, for verbose output.
    fn describe(&self) -> String;
}

/// The running game, as a contestant sees it.
#[derive(Debug)]
pub struct GameView<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub position: &'a PositionOf<G>,
    /// The position that the game began with, as text; `None` for the usual one.
    pub start: Option<&'a str>,
    /// The same as a state.
    pub start_state: &'a G::State,
    /// All moves since then, the opening's first. Each is a single player's.
    pub moves: &'a [G::Move],
    /// Their names in the rules.
    pub names: &'a [String],
    /// The match is being stopped: the answer will not count.
    pub stop: &'a AtomicBool,
}

impl<'a, G: Game> GameView<'a, G> {
    /// The root position for a search.
    pub fn root(&self) -> SearchRoot<'a, G> {
        SearchRoot { game: self.game, position: self.position }
    }

    /// Whether the match is being stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

// Not derived: a derive would ask the game itself to be `Copy`.
impl<G: Game> Clone for GameView<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for GameView<'_, G> {}

/// A contestant's answer, with what its search reports.
#[derive(Clone, Debug, PartialEq)]
pub struct BestMove<M> {
    /// The move.
    pub answer: Answer<M>,
    /// The score of the position, from the contestant's view.
    pub score: Option<ReportedScore>,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

impl<M> BestMove<M> {
    /// An answer without a search report.
    pub fn new(answer: Answer<M>) -> Self {
        Self { answer, score: None, depth: None, nodes: None }
    }
}

/// The answer itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<M> {
    /// A move; an illegal one loses the game.
    Move(M),
    /// A move by its name; a name of no legal move loses the game.
    Text(String),
    /// The contestant resigns.
    Resign,
}

/// The score that a contestant reports with its move, from its own view.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedScore {
    /// From -1 (lost) to 1 (won): what adjudication reads.
    pub value: f64,
    /// The score as the contestant writes it, if it does: `cp 35`, `mate 3`. One line.
    pub text: Option<String>,
}

impl ReportedScore {
    /// A score from -1 to 1.
    pub fn new(value: f64) -> Self {
        let value = if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
        Self { value, text: None }
    }

    /// A score in centipawns. A pawn more wins about 64 % of the points: the logistic curve of Elo's
    /// rating with 100 points for a pawn.
    pub fn of_centipawns(centipawns: f64) -> Self {
        let rate = 1.0 / (1.0 + 10_f64.powf(-centipawns / 400.0));
        Self { text: Some(format!("cp {centipawns:.0}")), ..Self::new(2.0 * rate - 1.0) }
    }
}

/// Why a contestant loses a game that the rules did not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// The reason, in one line for the record.
    pub reason: String,
    /// The fault of a player file, where that is the cause.
    pub fault: Option<Fault>,
}

/// Kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// The engine ended, or closed its output.
    Crashed,
    /// No answer came in time.
    TimedOut,
    /// The answer is no legal move.
    Illegal,
    /// It wrote more output than the limit.
    Flooded,
    /// It violated its protocol.
    Protocol,
    /// Its player file has a fault.
    Fault,
    /// It cannot be started.
    Unavailable,
    /// Not the contestant's failure: the rules of the game have a fault, which ends the match.
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

    /// Its name in records and in JSON.
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

    /// The failure of a player whose answer is no legal move.
    pub fn illegal(answer: &str) -> Self {
        let shown = quote(answer, SHOWN);
        Self::new(FailureKind::Illegal, format!("`{shown}` is no legal move"))
    }

    /// The failure of a player whose file has a fault.
    pub fn of_file(fault: Fault) -> Self {
        Self::with_fault(FailureKind::Fault, fault)
    }

    /// A fault of the rules themselves: it ends the match without a loser.
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
