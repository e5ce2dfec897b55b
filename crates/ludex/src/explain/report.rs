//! Explanations as plain data.

use std::fmt;

use ludex_core::Player;
use ludex_ir::Program;
use ludex_study::text::condition_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ending::Ending;
use crate::schema::Schema;

/// A cell and what was asked of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    /// The cell.
    pub cell: String,
    /// The condition on it.
    pub condition: String,
}

/// The reasons as plain data, as `player` sees them.
pub(super) fn reasons_of<'r>(
    program: &Program,
    reasons: impl Iterator<Item = &'r ludex_study::Reason>,
    player: Player,
) -> Vec<Reason> {
    let plain = |it: &ludex_study::Reason| Reason {
        cell: program.cell_name(it.cell),
        condition: condition_text(program, it.cell, it.allowed, player),
    };
    reasons.map(plain).collect()
}

/// A rule in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The line's text.
    pub text: String,
}

/// Why the rules list a move, or give a result to a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// What is explained, in words.
    pub what: String,
    /// For a move, whether it is legal and not only listed by `moves`.
    pub legal: Option<bool>,
    /// Whose move or result it is.
    pub player: String,
    /// The reasons, without the player to move.
    pub reasons: Vec<Reason>,
    /// The same for people: many squares with the same condition are one line.
    pub lines: Vec<String>,
    /// The player to move.
    pub turn: String,
    /// Whether it depends on earlier positions.
    pub history: bool,
    /// The rule that fired.
    pub rule: Option<Rule>,
    /// The board with the squares of the reasons marked.
    pub board: String,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.what)?;
        if let Some(Rule { file, line, column, text }) = &self.rule {
            writeln!(f, "  by {file}:{line}:{column}: {text}")?;
        }
        writeln!(f, "because")?;
        for line in &self.lines {
            writeln!(f, "  {line}")?;
        }
        if self.history {
            writeln!(f, "  and because of the positions before")?;
        }
        writeln!(f, "  with {} to move", self.turn)?;
        f.write_str(&self.board)
    }
}

/// The reasons of a move or of a result: `ludex.reasons/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReasonsReport {
    /// `ludex.reasons/1`.
    pub schema: Schema<1>,
    /// The explanation; for a result, the first of them.
    #[serde(flatten)]
    pub first: Explanation,
    /// For a result, how the game ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<String>,
    /// For a result, the explanations for all players.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub explanations: Vec<Explanation>,
}

impl ReasonsReport {
    pub(super) fn of_move(first: Explanation) -> Self {
        Self { schema: Schema::of("reasons"), first, result: None, explanations: Vec::new() }
    }

    pub(super) fn of_result(explanations: Vec<Explanation>, ending: &Ending) -> Option<Self> {
        let first = explanations.first()?.clone();
        let result = Some(ending.text.clone());
        Some(Self { result, explanations, ..Self::of_move(first) })
    }
}

impl fmt::Display for ReasonsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.explanations.split_first() else {
            return self.first.fmt(f);
        };
        first.fmt(f)?;
        others.iter().try_for_each(|it| write!(f, "\n{it}"))
    }
}

/// What is threatened in a position, and what stops it: `ludex.threats/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThreatsReport {
    /// `ludex.threats/1`.
    pub schema: Schema<1>,
    /// The player to move.
    pub turn: String,
    /// The result of the game: always nothing, as the game goes on.
    pub result: Option<String>,
    /// Wins that the player to move can force.
    pub plans: Vec<Plan>,
    /// What the other player threatens.
    pub threats: Vec<Threat>,
    /// The moves that stop it; every other move is shown to lose.
    pub defences: Vec<String>,
    /// Those of them that were not searched to the end.
    pub unsure: Vec<String>,
    /// Those of them after which the other player wins all the same, by another way.
    pub refuted_later: Vec<String>,
    /// Those of them that are threats themselves.
    pub counter_threats: Vec<String>,
    /// How many moves there are.
    pub replies: usize,
    /// Whether a limit was reached before everything was tried.
    pub spent: bool,
    /// The board with the squares that the threat needs marked.
    pub board: String,
    /// Why a move is no defence, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why_not: Option<WhyNot>,
    /// All of it for people.
    pub text: String,
}

impl fmt::Display for ThreatsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why_not {
            Some(why_not) => writeln!(f, "{}", why_not.text),
            None => f.write_str(&self.text),
        }
    }
}

/// A win that the player to move can force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// The winner.
    pub player: String,
    /// The first move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The shape of the win.
    pub shape: String,
    /// The line of play.
    pub pv: Vec<String>,
    /// In how many plies the game ends at most.
    pub within: u32,
}

/// A win that the other player could force if nothing were done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Threat {
    /// Who threatens.
    pub player: String,
    /// The first move, if it is known.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The shape of the win.
    pub shape: Option<String>,
    /// The line of play.
    pub pv: Vec<String>,
    /// What the threat needs.
    pub reasons: Vec<Reason>,
    /// Whether it may depend on every square.
    pub everything: bool,
    /// Whether a man could be taken that must not be.
    pub danger: bool,
}

/// Why a move is no defence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WhyNot {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `leaves the threat`, `loses`, `loses later`, `stops the threat` or `unknown`.
    pub verdict: String,
    /// The same in a sentence.
    pub text: String,
}
