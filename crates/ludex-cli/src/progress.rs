//! Progress of a match: a bar in a terminal, elsewhere a line now and then.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use ludex::clock::RealClock;

use crate::output::note;

/// The seconds between two lines where there is no terminal.
const SECONDS_BETWEEN_LINES: f64 = 30.0;

/// The least seconds between two scores beside the bar: adding up may take a while.
const SECONDS_BETWEEN_SCORES: f64 = 0.1;

/// How the bar looks.
const LOOK: &str = "{elapsed_precise} {wide_bar} {pos}/{len} games, {eta} left  {msg}";

/// The progress of a match or a tournament.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    clock: RealClock,
    /// When the last message was shown, in seconds.
    shown_at: f64,
    total: u64,
    done: u64,
    /// The messages that were shown: a repeated failure is shown once.
    shown: BTreeSet<String>,
}

impl Progress {
    /// The progress of `total` games, of which `done` were played before.
    pub(crate) fn new(total: u64, done: u64) -> Self {
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template(LOOK) {
            bar.set_style(style);
        }
        bar.set_position(done);
        Self { bar, clock: RealClock::start(), shown_at: 0.0, total, done, shown: BTreeSet::new() }
    }

    /// Changes the number of games, which may depend on results.
    pub(crate) fn expect(&mut self, total: u64) {
        self.total = total;
        self.bar.set_length(total);
    }

    /// Counts a game and shows the score.
    pub(crate) fn game(&mut self, score: impl FnOnce() -> String) {
        self.done += 1;
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            if self.clock.seconds() - self.shown_at > SECONDS_BETWEEN_SCORES {
                self.shown_at = self.clock.seconds();
                self.bar.set_message(score());
            }
        } else if self.clock.seconds() - self.shown_at > SECONDS_BETWEEN_LINES {
            self.shown_at = self.clock.seconds();
            note(format_args!("{} of {} games: {}", self.done, self.total, score()));
        }
    }

    /// Shows a message beside the bar.
    pub(crate) fn say(&self, text: impl Display) {
        self.bar.suspend(|| note(text));
    }

    /// Shows a message, unless it was shown before.
    pub(crate) fn say_once(&mut self, text: String) {
        if !self.shown.contains(&text) {
            self.say(&text);
            self.shown.insert(text);
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// An indicator that turns while one waits, on a terminal only.
pub(crate) fn spinner() -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}
