//! What kind of game a game is, as plain data.

use ludex_core::GameInfo;
use ludex_core::info::{Information, Results, Turns};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of game a game is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InfoReport {
    /// The names of the players, in their order.
    pub players: Vec<String>,
    /// Who moves when: `single`, `alternating`, `several` (a player may move several times
    /// running) or `simultaneous`.
    pub turns: String,
    /// Whether chance moves.
    pub chance: bool,
    /// What players see of the position: `perfect` or `imperfect` information.
    pub information: String,
    /// Whether what the players earn always sums to zero.
    pub zero_sum: bool,
    /// What the end gives: `win/loss`, `win/draw/loss` or `points`.
    pub results: String,
    /// Whether earlier positions can change what follows.
    pub history: bool,
    /// A number of turns after which every game is over, if one is known.
    pub longest: Option<u32>,
    /// All of it in a line.
    pub text: String,
}

impl From<&GameInfo> for InfoReport {
    fn from(info: &GameInfo) -> Self {
        let turns = match info.turns {
            Turns::Single => "single",
            Turns::Alternating => "alternating",
            Turns::Several => "several",
            Turns::Simultaneous => "simultaneous",
        };
        let information = match info.information {
            Information::Perfect => "perfect",
            Information::Imperfect => "imperfect",
        };
        let results = match info.results {
            Results::WinLoss => "win/loss",
            Results::WinDrawLoss => "win/draw/loss",
            Results::Points => "points",
        };
        Self {
            players: info.players.clone(),
            turns: turns.to_owned(),
            chance: info.has_chance,
            information: information.to_owned(),
            zero_sum: info.zero_sum,
            results: results.to_owned(),
            history: info.has_history,
            longest: info.longest,
            text: info.to_string(),
        }
    }
}
