//! Counts sequences of moves (perft): depth by depth, for each first move, and against another
//! game.

mod against;
mod divide;

use std::fmt;

use ludex_core::Position;
use ludex_core::perft::perft;
use ludex_jit::CompiledGame;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::{RealClock, per_second};
use crate::engine::EngineKind;
use crate::error::Result;
use crate::game::LoadedGame;
use crate::schema::Schema;
use crate::stop::StopToken;
use crate::stoppable::{Stoppable, was_stopped};

pub use against::{Comparison, Difference, FirstDifference, compare};
pub use divide::{DivideEvent, Part, divide};

/// A position to count from, and what ends the count.
#[derive(Clone, Copy, Debug)]
pub struct Root<'a> {
    /// The game. Adjudicated ends count where it has them:
    /// [`LoadedGame::with_adjudication`] takes them away.
    pub game: &'a LoadedGame,
    /// The position.
    pub position: &'a Position,
    /// Ends the count.
    pub stop: &'a StopToken,
}

impl<'a> Root<'a> {
    /// The same game at another position.
    fn at(self, position: &'a Position) -> Self {
        Self { position, ..self }
    }

    fn stoppable(&self) -> Stoppable<'a, CompiledGame> {
        Stoppable { game: &self.game.game, stop: self.stop.flag(), until: None }
    }
}

/// How many sequences of moves there are: `ludex.perft/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PerftReport {
    /// `ludex.perft/1`.
    pub schema: Schema<1>,
    /// The counts, depth 1 first; none where the parts were not all counted.
    pub counts: Vec<u64>,
    /// The counts for each first move, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub divide: Option<Vec<Part>>,
    /// Positions counted in a second, at the last depth.
    pub nodes_per_second: f64,
    /// Seconds spent.
    pub seconds: f64,
    /// What ran the rules: `native` or `interpreter`.
    pub engine: String,
    /// Whether the count was stopped.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub interrupted: bool,
}

/// The count of a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The depth.
    pub depth: u32,
    /// How many sequences of that length there are.
    pub count: u64,
    /// Seconds spent on it.
    pub seconds: f64,
}

/// Counts depth after depth, up to `depth`.
///
/// Each depth goes to `observer` when it is counted, as the next one takes longer; an error of the
/// observer ends the count.
pub fn count(
    root: Root<'_>,
    depth: u32,
    observer: &mut dyn FnMut(Depth) -> Result<()>,
) -> Result<PerftReport> {
    let game = root.stoppable();
    let mut report = PerftReport::new(root.game);
    for depth in 1..=depth {
        let clock = RealClock::start();
        // Once no game is so long, no game is longer.
        let count = match report.counts.last() {
            Some(0) => Ok(0),
            _ => perft(&game, root.position, depth),
        };
        let seconds = clock.seconds();
        report.seconds += seconds;
        let count = match count {
            Err(fault) if was_stopped(&fault) => {
                report.interrupted = true;
                break;
            }
            count => count.map_err(|it| root.game.blame(it))?,
        };
        report.counts.push(count);
        report.nodes_per_second = per_second(count, seconds);
        observer(Depth { depth, count, seconds })?;
    }
    Ok(report)
}

impl PerftReport {
    fn new(game: &LoadedGame) -> Self {
        Self {
            schema: Schema::of("perft"),
            counts: Vec::new(),
            divide: None,
            nodes_per_second: 0.0,
            seconds: 0.0,
            engine: EngineKind::of(&game.game).name().to_owned(),
            interrupted: false,
        }
    }
}

/// A row of the table of depths.
impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, count, seconds } = self;
        write!(f, "{depth:>5} {count:>20} {seconds:>12.3}")
    }
}
