//! What came of each case, for whoever wants to know which ones are left.

use serde_json::{Value, json};

/// One case that was tried.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    /// The number of its line in the file.
    pub(super) line: usize,
    pub(super) outcome: Outcome,
    /// What was answered and what was wanted.
    pub(super) said: Exchange,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

/// What was answered and what was wanted, in words; nothing where there was no answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchange {
    /// The move that was chosen, or the line that reaches something.
    pub(super) answer: Option<String>,
    /// What is called proved of it.
    pub(super) proved: Option<&'static str>,
    /// Moves that solve the case.
    pub(super) wanted: Vec<String>,
    /// What the position is worth to the player to move: 1, 0 or -1.
    pub(super) value: Option<i8>,
}

/// What came of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Solved,
    Open,
    Wrong,
}

impl Outcome {
    pub(super) fn of(is_wrong: bool, is_solved: bool) -> Self {
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

impl Tried {
    pub(super) fn as_json(&self) -> Value {
        json!({
            "line": self.line,
            "outcome": self.outcome.name(),
            "answer": self.said.answer,
            "proved": self.said.proved,
            "wanted": self.said.wanted,
            "value": self.said.value,
            "nodes": self.nodes,
            "seconds": self.seconds,
        })
    }

    pub(super) fn as_line(&self) -> String {
        let Exchange { answer, proved, wanted, value } = &self.said;
        let answer = answer.as_deref().unwrap_or("-");
        let proved = proved.map_or(String::new(), |it| format!(", a proved {it}"));
        let wanted = match (wanted.as_slice(), value) {
            ([], None) => String::new(),
            ([], Some(value)) => format!("; wanted: a {}", name_of(*value)),
            (some, _) => format!("; wanted {}", some.join(" ")),
        };
        format!(
            "{:>7} {:<7} {answer}{proved}{wanted} ({} nodes, {:.2} s)",
            self.line,
            self.outcome.name(),
            self.nodes,
            self.seconds
        )
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
        let said = Exchange {
            answer: Some("e2e4".to_owned()),
            proved: Some("win"),
            wanted: vec!["d2d4".to_owned(), "g1f3".to_owned()],
            value: Some(1),
        };
        let mut tried = Tried { line: 7, outcome: Outcome::Open, said, nodes: 12, seconds: 0.5 };
        let told = "      7 open    e2e4, a proved win; wanted d2d4 g1f3 (12 nodes, 0.50 s)";
        assert_eq!(tried.as_line(), told);
        tried.said.wanted.clear();
        let told = "      7 open    e2e4, a proved win; wanted: a win (12 nodes, 0.50 s)";
        assert_eq!(tried.as_line(), told);
        (tried.said, tried.outcome) = (Exchange::default(), Outcome::Solved);
        assert_eq!(tried.as_line(), "      7 solved  - (12 nodes, 0.50 s)");
    }
}
