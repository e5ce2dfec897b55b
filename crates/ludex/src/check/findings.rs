//! Collects what is wrong with a file.

use std::collections::{BTreeMap, BTreeSet};

use ludex_core::GameExt;
use ludex_diagnostics::{Diagnostic, Span, line_column};
use ludex_ir::StatementId;
use ludex_ir::reach::Reach;

use super::report::Promises;
use super::statistics::Statistics;
use super::trial::Trial;
use crate::ending::names;
use crate::game::LoadedGame;
use crate::source::Source;

/// From fewer games nothing is concluded.
const FEW: u64 = 5;

/// A position in which something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failing {
    /// What was found.
    pub(super) what: String,
    /// The moves that led there.
    pub(super) moves: Vec<String>,
    /// The position.
    pub(super) position: String,
}

/// A diagnostic, with the position in which it was found if it was found in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) diagnostic: Diagnostic,
    pub(super) failing: Option<Failing>,
}

/// Everything that was found.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    pub(super) source: Source,
    pub(super) all: Vec<Finding>,
    /// What may be an accident of the sample.
    pub(super) notes: Vec<String>,
    pub(super) promises: Promises,
    pub(super) statistics: Option<Statistics>,
    pub(super) trial: Option<Trial>,
}

impl Findings {
    /// What the compiler found.
    pub(super) fn new(source: Source, diagnostics: Vec<Diagnostic>) -> Self {
        let findings = diagnostics.into_iter();
        Self {
            source,
            all: findings.map(|diagnostic| Finding { diagnostic, failing: None }).collect(),
            notes: Vec::new(),
            promises: Promises::default(),
            statistics: None,
            trial: None,
        }
    }

    /// The rules failed in play.
    pub(super) fn fault(&mut self, diagnostic: Diagnostic, failing: Failing) {
        self.all.push(Finding { diagnostic, failing: Some(failing) });
    }

    /// A promise of the file is not kept.
    pub(super) fn broken(&mut self, diagnostic: Diagnostic) {
        self.promises.broken += 1;
        self.all.push(Finding { diagnostic, failing: None });
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
            self.all.push(Finding { diagnostic, failing: None });
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
        results: &BTreeMap<String, u64>,
    ) {
        // Candidates list moves of their own, which are not played.
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
        self.all.push(Finding { diagnostic, failing: Some(failing) });
    }
}
