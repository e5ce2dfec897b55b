//! Proves what a position is worth, writes certificates of it, and verifies them by the rules
//! alone.
//!
//! ```text
//! SolveRequest ──> solve ──> Solved (Solution + certificate) ──> file ──> verify ──> Verification
//! ```

mod proof;
mod report;
mod threats;
mod verification;

use std::str::FromStr;

use ludex_core::{Clock, Limits, Player, Position, State};
use ludex_ir::Program;
use ludex_search::proof::{Method, Past, Progress};
use ludex_study::history_only_draws;
use ludex_study::threats::Shape;

use crate::error::{Error, Result};
use crate::game::LoadedGame;

pub use report::{Solution, ThreatSearch, Verification};
pub use verification::{VerifyRequest, verify};

/// How near to what a goal asks about moves are searched, where nothing else is said.
pub const USUAL_NEAR: u8 = 3;

/// A board of more squares has many moves that threaten nothing.
const LARGE_BOARD: usize = 100;

/// How near to a man moves are searched on a large board.
const USUAL_AROUND: u8 = 2;

/// How near to a man the attacker searches for threats of an order, where nothing else is said.
pub fn usual_around(squares: usize, order: u8) -> Option<u8> {
    (squares > LARGE_BOARD && order >= 2).then_some(USUAL_AROUND)
}

/// How a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveMethod {
    /// A proof search, or a list of all positions.
    Proof(Method),
    /// A search for wins by threats.
    Threats,
}

impl FromStr for SolveMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "threats" {
            return Ok(Self::Threats);
        }
        text.parse().map(Self::Proof).map_err(|it: String| it.replace(" and ", ", threats and "))
    }
}

/// What is to be solved, and how.
#[derive(Clone, Debug)]
pub struct SolveRequest {
    /// The position.
    pub position: Position,
    /// How its value is found.
    pub method: SolveMethod,
    /// Whether a goal is to be reached, and not the game to be won.
    pub has_goal: bool,
    /// The highest order of threats: by default 2 for threats, 1 for df-pn.
    pub order: Option<u8>,
    /// For df-pn: the node budget of the threat search at each position.
    pub threats: Option<u64>,
    /// For threats: how near to what the result asks about moves are searched; 0 for all moves.
    pub near: Option<u8>,
    /// For threats: how near to a man the attacker searches; 0 for all moves.
    pub around: Option<u8>,
    /// For threats: whether a table keeps what direct threats depend on.
    pub zone_table: bool,
    /// For threats: a line with more defences is pruned.
    pub most_defences: Option<usize>,
    /// Bytes for the tables.
    pub memory: usize,
    /// Whether a certificate is wanted.
    pub certificate: bool,
}

impl SolveRequest {
    /// A position solved by the method that suits it, without a certificate.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            method: SolveMethod::Proof(Method::Auto),
            has_goal: false,
            order: None,
            threats: None,
            near: None,
            around: None,
            zone_table: true,
            most_defences: None,
            memory: 256 << 20,
            certificate: false,
        }
    }

    /// The radius around what the result asks about; everywhere if there is no number.
    fn near(&self) -> Option<u8> {
        let usual = if self.has_goal { USUAL_NEAR } else { 0 };
        Some(self.near.unwrap_or(usual)).filter(|&it| it > 0)
    }

    /// The radius around men; everywhere if there is no number.
    fn around(&self, squares: usize) -> Option<u8> {
        let usual = || usual_around(squares, self.order.unwrap_or(2));
        self.around.map_or_else(usual, |it| Some(it).filter(|&it| it > 0))
    }
}

/// What happens during a proof.
#[derive(Clone, Copy, Debug)]
pub enum SolveEvent<'a> {
    /// The progress of a proof search.
    Proof(&'a Progress),
    /// The progress of a threat search.
    Threats {
        /// Whose threats they are.
        attacker: Player,
        /// Nodes visited.
        nodes: u64,
        /// The shape that is searched; nothing at the beginning.
        shape: Option<&'a Shape>,
    },
}

/// A solution with its certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The solution.
    pub solution: Solution,
    /// The certificate, if one was wanted.
    pub certificate: Certificate,
}

/// What became of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// None was wanted.
    Unwanted,
    /// Its text.
    Written(String),
    /// Nothing is proved.
    NothingProved,
    /// The value is proved, but the limits were reached before a plan was found.
    NotFound,
}

/// Solves a position. Progress goes to `observer`; the clock of `limits` is not used.
pub fn solve(
    game: &LoadedGame,
    request: &SolveRequest,
    limits: Limits<'_>,
    observer: &mut dyn FnMut(SolveEvent<'_>),
) -> Result<Solved> {
    if game.ending(&request.position)?.is_some() {
        return Err(Error::new("the game is over in this position"));
    }
    match request.method {
        SolveMethod::Proof(method) => proof::solve(game, request, method, limits, observer),
        SolveMethod::Threats => threats::solve(game, request, limits, observer),
    }
}

/// The limits, and as much again for what follows a proof.
fn scaled<'a>(limits: Limits<'a>, times: u32, clock: &'a dyn Clock) -> Limits<'a> {
    Limits {
        clock,
        nodes: limits.nodes.map(|it| it.saturating_mul(times.into())),
        time: limits.time.map(|it| it.saturating_mul(times)),
        depth: None,
        ..limits
    }
}

/// The positions that a plan may have.
fn longest_plan(memory: usize) -> usize {
    memory / (2 * size_of::<State>())
}

/// How a proof may treat the history of these rules.
fn past(program: &Program) -> Past {
    if history_only_draws(program) { Past::Ignored } else { Past::Exact }
}
