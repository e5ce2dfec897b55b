//! The results of a proof and of a verification as plain data.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ending::in_plies;
use crate::schema::Schema;

/// The value of a position: `ludex.solution/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Solution {
    /// `ludex.solution/1`.
    pub schema: Schema<1>,
    /// `win`, `loss` or `draw` for the player to move, or `unknown`.
    pub value: String,
    /// The line of best play.
    pub pv: Vec<String>,
    /// Nodes visited.
    pub nodes: u64,
    /// Seconds spent.
    pub seconds: f64,
    /// Nodes in a second.
    pub nodes_per_second: f64,
    /// The method that found it.
    pub method: String,
    /// The player to move.
    pub player: String,
    /// In how many plies the game ends, where that is known exactly.
    pub plies: Option<u32>,
    /// In how many plies it ends at most.
    pub within: Option<u32>,
    /// How many positions were listed, by retrograde analysis.
    pub states: Option<u64>,
    /// The condition under which the value is that of the game as it is played.
    pub assumes: Option<String>,
    /// What ran the rules: `native` or `interpreter`.
    pub engine: String,
    /// What a search by threats says besides.
    #[serde(flatten)]
    pub threats: Option<ThreatSearch>,
}

/// What a search by threats says besides the value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreatSearch {
    /// How often the table knew what a direct threat depends on.
    pub zone_hits: u64,
    /// The shape of the win.
    pub shape: Option<String>,
    /// The winner.
    pub winner: Option<String>,
    /// How many positions were searched against every reply.
    pub checked: Option<u64>,
    /// Whether all threats were tried in vain.
    pub exhausted: bool,
}

/// As a person reads it.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} for {}, who is to move", self.value, self.player)?;
        if let Some(assumes) = &self.assumes {
            writeln!(f, "assumed: {assumes}")?;
        }
        if let Some(threats) = &self.threats {
            threats.write_win(f)?;
        }
        if !self.pv.is_empty() {
            writeln!(f, "line: {}", self.pv.join(" "))?;
        }
        match (self.plies, self.within) {
            (Some(plies), _) => writeln!(f, "the game ends in {}", in_plies(plies))?,
            (None, Some(within)) => writeln!(f, "the game ends within {}", in_plies(within))?,
            (None, None) => {}
        }
        if let Some(states) = self.states {
            writeln!(f, "{states} positions")?;
        }
        if let Some(checked) = self.threats.as_ref().and_then(|it| it.checked) {
            writeln!(f, "checked against every reply: {checked} positions")?;
        }
        let Self { nodes, seconds, nodes_per_second: rate, method, engine, .. } = self;
        writeln!(f, "{nodes} nodes in {seconds:.3} s, {rate:.0} per second, {method}, {engine}")
    }
}

impl ThreatSearch {
    fn write_win(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.winner, &self.shape) {
            (Some(winner), Some(shape)) => {
                writeln!(f, "{winner} wins by threats of the shape {shape}")
            }
            _ if self.exhausted => {
                writeln!(f, "no threats within reach win; that says nothing about other wins")
            }
            _ => writeln!(f, "the limits were reached before all threats were tried"),
        }
    }
}

/// Whether a certificate holds: `ludex.verification/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// `ludex.verification/1`.
    pub schema: Schema<1>,
    /// Whether the rules bear the certificate out.
    pub verified: bool,
    /// The value that it shows, or `unknown`.
    pub value: String,
    /// How many positions were visited.
    pub positions: Option<u64>,
    /// Why the certificate was refused.
    pub reason: Option<String>,
    /// The condition under which the value is that of the game as it is played.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub assumes: Option<String>,
    /// Whether the limits were reached first: then the certificate may be right.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub spent: bool,
    /// Seconds spent.
    pub seconds: f64,
}

impl Verification {
    /// A certificate that holds.
    pub(super) fn verified(value: &str, positions: u64) -> Self {
        Self {
            schema: Schema::of("verification"),
            verified: true,
            value: value.to_owned(),
            positions: Some(positions),
            reason: None,
            assumes: None,
            spent: false,
            seconds: 0.0,
        }
    }

    /// A certificate that does not.
    pub(super) fn refused(reason: impl ToString) -> Self {
        let reason = Some(reason.to_string());
        Self { verified: false, positions: None, reason, ..Self::verified("unknown", 0) }
    }
}

/// As a person reads it.
impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.reason {
            return writeln!(f, "refused: {reason}");
        }
        let (value, seconds) = (&self.value, self.seconds);
        let positions = self.positions.unwrap_or(0);
        writeln!(f, "verified: {value}, {positions} positions in {seconds:.3} s")?;
        if let Some(assumes) = &self.assumes {
            writeln!(f, "assumed: {assumes}")?;
        }
        Ok(())
    }
}
