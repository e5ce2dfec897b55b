//! The results of a test set as plain data.

use std::fmt;

use serde::Serialize;

/// The results of a test set.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SetReport {
    /// The file.
    pub file: String,
    /// The name of its format.
    pub format: &'static str,
    /// When a case is solved, and when an answer is wrong.
    pub criterion: &'static str,
    /// How many cases were tried.
    pub cases: u64,
    /// How many were solved.
    pub solved: u64,
    /// How many answers were wrong: claimed to be proved and false, or a wrong count.
    pub wrong: u64,
    /// How many lines could not be read.
    pub skipped: u64,
    /// How many moves are known to keep the value of their position.
    pub kept: u64,
    /// How many moves are known to lose it.
    pub errors: u64,
    /// Nodes searched or counted.
    pub nodes: u64,
    /// Seconds spent on it.
    pub seconds: f64,
    /// Each case, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<CaseReport>,
    /// The cases in which a goal is to be reached, if there are any.
    #[serde(flatten)]
    pub reaching: Option<Reaching>,
}

/// The results of cases in which a goal is to be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reaching {
    /// Cases in which it can be reached, as the file says.
    pub provable: u64,
    /// Cases in which nothing was proved.
    pub unknown: u64,
    /// Cases that cannot be compared.
    pub apart: u64,
    /// How many of those were proved.
    pub apart_proved: u64,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseReport {
    /// The number of its line.
    pub line: usize,
    /// How it ended.
    pub outcome: Outcome,
    /// The answer and the solution.
    #[serde(flatten)]
    pub answer: Answer,
    /// Nodes searched.
    pub nodes: u64,
    /// Seconds spent.
    pub seconds: f64,
}

/// An answer and what was wanted; nothing where there was no answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The move that was chosen, or the line that reaches the goal.
    #[serde(rename = "answer")]
    pub chosen: Option<String>,
    /// The result that is claimed to be proved of it.
    pub proved: Option<&'static str>,
    /// The moves that solve the case.
    pub wanted: Vec<String>,
    /// The value of the position for the player to move: 1, 0 or -1.
    pub value: Option<i8>,
}

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is solved.
    Solved,
    /// It is neither solved nor answered wrongly.
    Open,
    /// The answer is wrong.
    Wrong,
}

impl Outcome {
    pub(crate) fn of(is_wrong: bool, is_solved: bool) -> Self {
        match (is_wrong, is_solved) {
            (true, _) => Self::Wrong,
            (false, true) => Self::Solved,
            (false, false) => Self::Open,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Open => "open",
            Self::Wrong => "wrong",
        }
    }
}

/// In a line.
impl fmt::Display for CaseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer { chosen, proved, wanted, value } = &self.answer;
        let answer = chosen.as_deref().unwrap_or("-");
        let proved = proved.map_or(String::new(), |it| format!(", a proved {it}"));
        let wanted = match (wanted.as_slice(), value) {
            ([], None) => String::new(),
            ([], Some(value)) => format!("; wanted: a {}", name_of(*value)),
            (some, _) => format!("; wanted {}", some.join(" ")),
        };
        let (line, outcome) = (self.line, self.outcome.name());
        let (nodes, seconds) = (self.nodes, self.seconds);
        write!(f, "{line:>7} {outcome:<7} {answer}{proved}{wanted} ({nodes} nodes, {seconds:.2} s)")
    }
}

/// What a value is called.
fn name_of(value: i8) -> &'static str {
    match value.signum() {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_told_on_one_line() {
        let answer = Answer {
            chosen: Some("e2e4".to_owned()),
            proved: Some("win"),
            wanted: vec!["d2d4".to_owned(), "g1f3".to_owned()],
            value: Some(1),
        };
        let mut case =
            CaseReport { line: 7, outcome: Outcome::Open, answer, nodes: 12, seconds: 0.5 };
        let told = "      7 open    e2e4, a proved win; wanted d2d4 g1f3 (12 nodes, 0.50 s)";
        assert_eq!(case.to_string(), told);
        case.answer.wanted.clear();
        let told = "      7 open    e2e4, a proved win; wanted: a win (12 nodes, 0.50 s)";
        assert_eq!(case.to_string(), told);
        (case.answer, case.outcome) = (Answer::default(), Outcome::Solved);
        assert_eq!(case.to_string(), "      7 solved  - (12 nodes, 0.50 s)");
    }

    #[test]
    fn goals_are_counted_beside_the_other_cases() {
        let reaching = Some(Reaching { provable: 1, unknown: 2, apart: 3, apart_proved: 4 });
        let report = SetReport { cases: 5, reaching, ..SetReport::default() };
        let json = serde_json::to_value(&report).expect("plain data is JSON");
        let counts = ["cases", "provable", "unknown", "apart", "apart_proved"];
        assert_eq!(counts.map(|it| json[it].as_u64().unwrap_or(0)), [5, 1, 2, 3, 4]);
        let json = serde_json::to_value(SetReport::default()).expect("plain data is JSON");
        assert!(json.get("provable").is_none() && json.get("results").is_none());
    }
}
