//! What `check` has to say about a file.

use std::collections::BTreeSet;

use ludex::Result;
use ludex::ending::{Ending, count, has_points, names};
use ludex::game::LoadedGame;
use ludex::source::Source;
use ludex_core::GameExt;
use ludex_diagnostics::{Diagnostic, Severity, Span, line_column};
use ludex_ir::StatementId;
use ludex_ir::reach::Reach;
use serde_json::{Value, json};

use super::sample::Results;
use super::trial::Trial;
use crate::output::{Out, colour, note};

/// From fewer games nothing is concluded.
const FEW: u64 = 5;

/// A position in which something was found.
#[derive(Clone, Debug)]
pub(super) struct Failing {
    /// What was found.
    pub(super) what: String,
    /// The moves that led there.
    pub(super) moves: Vec<String>,
    /// The position.
    pub(super) position: String,
}

/// A diagnostic, with the position in which it was found if it was found in play.
#[derive(Clone, Debug)]
struct Finding {
    diagnostic: Diagnostic,
    failing: Option<Failing>,
}

/// What was counted in random games.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    /// Games played.
    pub(super) games: u64,
    /// Games that had no end within the limit.
    pub(super) unfinished: u64,
    /// How often each result was seen.
    pub(super) results: Results,
    plies: u64,
    shortest: u64,
    longest: u64,
    branching: u64,
    /// Lowest, highest and sum of each player's points, where there are points.
    points: Vec<(i64, i64, i64)>,
    players: Vec<String>,
}

impl Statistics {
    /// Nothing yet, for a game of these players.
    pub(super) fn of(players: Vec<String>) -> Self {
        Self { players, ..Self::default() }
    }

    /// Counts one game.
    pub(super) fn add(&mut self, length: u64, branching: u64, ending: Option<&Ending>) {
        self.shortest = if self.games == 0 { length } else { self.shortest.min(length) };
        self.longest = self.longest.max(length);
        self.games += 1;
        self.plies += length;
        self.branching += branching;
        let Some(ending) = ending else {
            self.unfinished += 1;
            return;
        };
        *self.results.entry(ending.verdict.clone()).or_default() += 1;
        self.add_points(ending);
    }

    fn add_points(&mut self, ending: &Ending) {
        if self.points.is_empty() && !has_points(&ending.payoffs) {
            return;
        }
        self.points.resize(ending.payoffs.len(), (i64::MAX, i64::MIN, 0));
        for ((low, high, sum), score) in self.points.iter_mut().zip(ending.scores()) {
            *low = score.min(*low);
            *high = score.max(*high);
            *sum = sum.saturating_add(score);
        }
    }

    /// Games that came to an end.
    pub(super) fn finished(&self) -> u64 {
        self.games - self.unfinished
    }

    fn mean_length(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    fn mean_branching(&self) -> f64 {
        self.branching as f64 / self.plies.max(1) as f64
    }

    fn as_json(&self) -> Value {
        json!({
            "games": self.games,
            "unfinished": self.unfinished,
            "length": { "mean": self.mean_length(), "min": self.shortest, "max": self.longest },
            "branching": self.mean_branching(),
            "results": self.results,
            "points": self.points_json(),
        })
    }

    fn points_json(&self) -> Vec<Value> {
        let each = self.players.iter().zip(&self.points);
        each.map(|(name, &(low, high, sum))| {
            json!({ "player": name, "mean": self.mean_points(sum), "min": low, "max": high })
        })
        .collect()
    }

    fn mean_points(&self, sum: i64) -> f64 {
        sum as f64 / self.finished().max(1) as f64
    }

    fn text(&self) -> String {
        let results: Vec<String> =
            self.results.iter().map(|(it, n)| format!("{it}: {n}")).collect();
        let points: Vec<String> = self
            .players
            .iter()
            .zip(&self.points)
            .map(|(name, &(low, high, sum))| {
                format!("{name} {:.1} points ({low} to {high})", self.mean_points(sum))
            })
            .collect();
        let parts: Vec<String> = results.into_iter().chain(points).collect();
        format!(
            "{}, {:.1} moves long ({} to {}), {:.1} to choose from; {}",
            count(self.games as i64, "random game"),
            self.mean_length(),
            self.shortest,
            self.longest,
            self.mean_branching(),
            if parts.is_empty() { "no result".to_owned() } else { parts.join(", ") },
        )
    }
}

/// Everything there is to say about a file.
#[derive(Clone, Debug)]
pub(super) struct Report {
    source: Source,
    findings: Vec<Finding>,
    /// What may be an accident of the sample.
    notes: Vec<String>,
    /// What the file promises.
    pub(super) promises: Promises,
    /// What was counted, where games were played.
    pub(super) statistics: Option<Statistics>,
    /// What came of the games of a player file.
    pub(super) trial: Option<Trial>,
}

/// How many promises of a file were kept, and how many would take too long to try.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Promises {
    /// Tried and found true.
    pub(super) kept: u64,
    /// Not tried.
    pub(super) untried: u64,
    broken: u64,
}

impl Report {
    /// A report of what the compiler found.
    pub(super) fn new(source: Source, diagnostics: Vec<Diagnostic>) -> Self {
        let findings =
            diagnostics.into_iter().map(|it| Finding { diagnostic: it, failing: None }).collect();
        Self {
            source,
            findings,
            notes: Vec::new(),
            promises: Promises::default(),
            statistics: None,
            trial: None,
        }
    }

    /// Whether the file cannot be used.
    pub(super) fn has_errors(&self) -> bool {
        self.of(Severity::Error).next().is_some()
    }

    fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |it| it.diagnostic.severity == severity)
    }

    /// The rules failed in play.
    pub(super) fn fault(&mut self, diagnostic: Diagnostic, failing: Failing) {
        self.findings.push(Finding { diagnostic, failing: Some(failing) });
    }

    /// A promise of the file is not kept.
    pub(super) fn broken(&mut self, diagnostic: Diagnostic) {
        self.promises.broken += 1;
        self.findings.push(Finding { diagnostic, failing: None });
    }

    /// Two moves are written alike.
    pub(super) fn same_name(&mut self, failing: Failing) {
        let message = format!("two moves of one position are both written `{}`", failing.what);
        let help = "use `write` in the move to tell them apart";
        self.warn("same-name", message, help, failing);
    }

    /// The text of a position does not give it back.
    pub(super) fn lost_text(&mut self, failing: Failing) {
        let message = format!("the position `{}` is not read back as it was written", failing.what);
        let help = "give each man a symbol of its own, and each cell a place or a name";
        self.warn("lost-position", message, help, failing);
    }

    /// Some games did not end.
    pub(super) fn unfinished(&mut self, unfinished: u64, games: u64, plies: u32) {
        if unfinished == games && games >= FEW {
            let message = format!("no random game of {games} ended within {plies} moves");
            let help = "is there an end for games in which nothing happens? See `adjudicate`";
            let diagnostic = Diagnostic::warning("no-end", Span::default(), message).help(help);
            self.findings.push(Finding { diagnostic, failing: None });
        } else {
            self.notes
                .push(format!("{unfinished} of {games} games did not end within {plies} moves"));
        }
    }

    /// Moves and results that never came up.
    pub(super) fn never_seen(
        &mut self,
        loaded: &LoadedGame,
        listed: &BTreeSet<u32>,
        results: &Results,
    ) {
        // Candidates list moves of their own, which nobody plays as such.
        let program = loaded.game.program();
        let rules = Reach::of(program, program.roles.rules()).statements;
        let place = |it: &StatementId| program.statements[it.0 as usize].place;
        let mut places: Vec<u32> = rules.iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        for span in
            places.iter().filter(|it| !listed.contains(it)).filter_map(|it| loaded.span(*it))
        {
            let line = line_column(&self.source.text, span.start as usize).line;
            self.notes.push(format!("the move of line {line} was never listed"));
        }
        let names = names(&loaded.game);
        if loaded.game.players() > 1 {
            for name in names {
                let wins = |it: &&String| it.starts_with(&format!("{name} win"));
                if !results.keys().any(|it| wins(&it)) {
                    self.notes.push(format!("{name} never won"));
                }
            }
        }
    }

    fn warn(&mut self, code: &'static str, message: String, help: &str, failing: Failing) {
        let diagnostic = Diagnostic::warning(code, Span::default(), message).help(help);
        self.findings.push(Finding { diagnostic, failing: Some(failing) });
    }

    /// Prints it: what is wrong on standard error, what was counted on standard output.
    pub(super) fn print(&self, out: &mut Out) -> Result<()> {
        if out.is_json() {
            return Ok(out.json(&self.as_json())?);
        }
        for finding in &self.findings {
            note(self.finding_text(finding));
        }
        for text in &self.notes {
            note(format_args!("note: {}: {text}", self.source.file));
        }
        let errors = self.of(Severity::Error).count();
        let warnings = self.of(Severity::Warning).count();
        let verdict = match (errors, warnings) {
            (0, 0) => "ok".to_owned(),
            (0, _) => count(warnings as i64, "warning"),
            (_, 0) => count(errors as i64, "error"),
            _ => {
                format!("{}, {}", count(errors as i64, "error"), count(warnings as i64, "warning"))
            }
        };
        out.line(format_args!("{}: {verdict}", self.source.file))?;
        if let Some(statistics) = self.statistics.as_ref().filter(|it| it.games > 0) {
            out.line(format_args!("  {}", statistics.text()))?;
        }
        for line in self.trial.iter().flat_map(Trial::lines) {
            out.line(format_args!("  {line}"))?;
        }
        let Promises { kept, untried, broken } = self.promises;
        if kept + untried + broken > 0 {
            out.line(format_args!(
                "  promises: {kept} kept, {broken} broken, {untried} not tried"
            ))?;
        }
        Ok(())
    }

    fn finding_text(&self, finding: &Finding) -> String {
        let Finding { diagnostic, failing } = finding;
        let mut text = if diagnostic.span == Span::default() {
            self.placeless_text(diagnostic)
        } else {
            self.source.render(std::slice::from_ref(diagnostic), colour())
        };
        if let Some(failing) = failing {
            let moves = if failing.moves.is_empty() {
                "at the start".to_owned()
            } else {
                format!("after {}", failing.moves.join(" "))
            };
            text.push_str(&format!("  in play: {moves}\n  position: {}\n", failing.position));
        }
        text
    }

    fn placeless_text(&self, diagnostic: &Diagnostic) -> String {
        let Diagnostic { severity, code, message, .. } = diagnostic;
        let mut text = format!("{severity}[{code}]: {}: {message}\n", self.source.file);
        if let Some(help) = &diagnostic.help {
            text.push_str(&format!("  = help: {help}\n"));
        }
        text
    }

    fn as_json(&self) -> Value {
        let all = |severity| self.of(severity).map(|it| self.finding_json(it)).collect::<Vec<_>>();
        json!({
            "file": self.source.file,
            "errors": all(Severity::Error),
            "warnings": all(Severity::Warning),
            "notes": self.notes,
            "promises": {
                "kept": self.promises.kept,
                "broken": self.promises.broken,
                "untried": self.promises.untried,
            },
            "statistics": self.statistics.as_ref().map(Statistics::as_json),
            "player": self.trial.as_ref().map(Trial::as_json),
        })
    }

    fn finding_json(&self, finding: &Finding) -> Value {
        let Finding { diagnostic, failing } = finding;
        let text = &self.source.text;
        let start = line_column(text, diagnostic.span.start as usize);
        let end = line_column(text, diagnostic.span.end as usize);
        let mut value = json!({
            "code": diagnostic.code,
            "message": diagnostic.message,
            "line": start.line,
            "column": start.column,
            "end_line": end.line,
            "end_column": end.column,
            "label": diagnostic.label,
            "help": diagnostic.help,
        });
        if let Some(failing) = failing {
            value["moves"] = json!(failing.moves);
            value["position"] = json!(failing.position);
        }
        value
    }
}
