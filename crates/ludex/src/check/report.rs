//! The results of a check as plain data.

use std::fmt;

use ludex_core::GameInfo;
use ludex_diagnostics::{Diagnostic, Severity, Span, line_column};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::{Failing, Findings};
use super::statistics::Statistics;
use super::trial::Trial;
use crate::ending::count;
use crate::info::InfoReport;
use crate::schema::Schema;
use crate::source::Source;

/// Whether a file is right: `ludex.check/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckReport {
    /// `ludex.check/1`.
    pub schema: Schema<1>,
    /// The file.
    pub file: String,
    /// What kind of game it is; nothing where the file has errors.
    pub info: Option<InfoReport>,
    /// What is wrong.
    pub errors: Vec<Finding>,
    /// What may be wrong.
    pub warnings: Vec<Finding>,
    /// What may be an accident of the sample.
    pub notes: Vec<String>,
    /// The promises of the file.
    pub promises: Promises,
    /// What was counted in random games, if any were played.
    pub statistics: Option<Statistics>,
    /// The games of a player file.
    pub player: Option<Trial>,
    /// The errors and warnings as they were found, for [`CheckReport::diagnostics`].
    #[serde(skip)]
    rendered: Vec<Rendered>,
}

/// How many promises of a file were kept, and how many would take too long to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Promises {
    /// Tried and found true.
    pub kept: u64,
    /// Tried and found false.
    pub broken: u64,
    /// Not tried.
    pub untried: u64,
}

/// An error or a warning with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Its stable code.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// The line where it begins, from 1.
    pub line: usize,
    /// The column where it begins, from 1.
    pub column: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The column where it ends.
    pub end_column: usize,
    /// The words beside the marked text.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The moves that led to it, if it was found in play.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moves: Option<Vec<String>>,
    /// The position in which it was found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub position: Option<String>,
}

/// A finding with its source, from which it is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rendered {
    source: Source,
    diagnostic: Diagnostic,
    failing: Option<Failing>,
}

impl CheckReport {
    pub(super) fn new(findings: Findings, info: Option<&GameInfo>) -> Self {
        let Findings { source, all: findings, notes, promises, statistics, trial } = findings;
        let all = |severity: Severity| {
            let some = findings.iter().filter(move |it| it.diagnostic.severity == severity);
            some.map(|it| Finding::new(&source, &it.diagnostic, it.failing.as_ref())).collect()
        };
        Self {
            schema: Schema::of("check"),
            file: source.file.clone(),
            info: info.map(InfoReport::from),
            errors: all(Severity::Error),
            warnings: all(Severity::Warning),
            notes,
            promises,
            statistics,
            player: trial,
            rendered: findings
                .into_iter()
                .map(|it| Rendered {
                    source: source.clone(),
                    diagnostic: it.diagnostic,
                    failing: it.failing,
                })
                .collect(),
        }
    }

    /// Whether the file cannot be used.
    pub fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The errors, the warnings and the notes as people read them.
    pub fn diagnostics(&self, colour: bool) -> Vec<String> {
        let findings = self.rendered.iter().map(|it| it.text(colour));
        let notes = self.notes.iter().map(|it| format!("note: {}: {it}", self.file));
        findings.chain(notes).collect()
    }
}

impl Finding {
    fn new(source: &Source, diagnostic: &Diagnostic, failing: Option<&Failing>) -> Self {
        let start = line_column(&source.text, diagnostic.span.start as usize);
        let end = line_column(&source.text, diagnostic.span.end as usize);
        Self {
            code: diagnostic.code.to_owned(),
            message: diagnostic.message.clone(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            label: diagnostic.label.clone(),
            help: diagnostic.help.clone(),
            moves: failing.map(|it| it.moves.clone()),
            position: failing.map(|it| it.position.clone()),
        }
    }
}

impl Rendered {
    fn text(&self, colour: bool) -> String {
        let mut text = if self.diagnostic.span == Span::default() {
            self.placeless_text()
        } else {
            self.source.render(std::slice::from_ref(&self.diagnostic), colour)
        };
        if let Some(failing) = &self.failing {
            let moves = match failing.moves.as_slice() {
                [] => "at the start".to_owned(),
                moves => format!("after {}", moves.join(" ")),
            };
            text.push_str(&format!("  in play: {moves}\n  position: {}\n", failing.position));
        }
        text
    }

    fn placeless_text(&self) -> String {
        let Diagnostic { severity, code, message, .. } = &self.diagnostic;
        let mut text = format!("{severity}[{code}]: {}: {message}\n", self.source.file);
        if let Some(help) = &self.diagnostic.help {
            text.push_str(&format!("  = help: {help}\n"));
        }
        text
    }
}

/// What was counted; the errors and warnings are in [`CheckReport::diagnostics`].
impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = || count(self.errors.len() as i64, "error");
        let warnings = || count(self.warnings.len() as i64, "warning");
        let verdict = match (self.errors.len(), self.warnings.len()) {
            (0, 0) => "ok".to_owned(),
            (0, _) => warnings(),
            (_, 0) => errors(),
            _ => format!("{}, {}", errors(), warnings()),
        };
        writeln!(f, "{}: {verdict}", self.file)?;
        if let Some(info) = &self.info {
            writeln!(f, "  {}", info.text)?;
        }
        if let Some(statistics) = self.statistics.as_ref().filter(|it| it.games > 0) {
            writeln!(f, "  {statistics}")?;
        }
        for line in self.player.iter().flat_map(Trial::lines) {
            writeln!(f, "  {line}")?;
        }
        let Promises { kept, untried, broken } = self.promises;
        if kept + untried + broken > 0 {
            writeln!(f, "  promises: {kept} kept, {broken} broken, {untried} not tried")?;
        }
        Ok(())
    }
}
