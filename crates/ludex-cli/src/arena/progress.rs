//! What is shown while games are played: a bar in a terminal, a line now and then elsewhere.

use std::collections::BTreeSet;
use std::fmt::Display;

use indicatif::{ProgressBar, ProgressStyle};

use crate::clock::RealClock;
use crate::output::note;

/// Where nobody looks at a progress bar, how many seconds pass between two lines.
const SECONDS_BETWEEN_LINES: f64 = 30.0;

/// How many seconds pass at least between two scores beside the bar: adding up may take a while.
const SECONDS_BETWEEN_SCORES: f64 = 0.1;

/// How the bar looks.
const LOOK: &str = "{elapsed_precise} {wide_bar} {pos}/{len} games, {eta} left  {msg}";

/// How far the games have come.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    clock: RealClock,
    told: f64,
    total: u64,
    done: u64,
    /// What was said already: what goes wrong once goes wrong again, and is shown once.
    said: BTreeSet<String>,
}

impl Progress {
    /// Nothing played yet of so many games, but for `done` that were played before.
    pub(crate) fn new(total: u64, done: u64) -> Self {
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template(LOOK) {
            bar.set_style(style);
        }
        bar.set_position(done);
        Self { bar, clock: RealClock::start(), told: 0.0, total, done, said: BTreeSet::new() }
    }

    /// So many games there will be: where that depends on results, it changes.
    pub(crate) fn expect(&mut self, total: u64) {
        self.total = total;
        self.bar.set_length(total);
    }

    /// A game is over, and this is the score now.
    pub(crate) fn game(&mut self, score: impl FnOnce() -> String) {
        self.done += 1;
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            if self.clock.seconds() - self.told > SECONDS_BETWEEN_SCORES {
                self.told = self.clock.seconds();
                self.bar.set_message(score());
            }
        } else if self.clock.seconds() - self.told > SECONDS_BETWEEN_LINES {
            self.told = self.clock.seconds();
            note(format_args!("{} of {} games: {}", self.done, self.total, score()));
        }
    }

    /// Says something beside the bar.
    pub(crate) fn say(&self, text: impl Display) {
        self.bar.suspend(|| note(text));
    }

    /// Says something, unless it was said before.
    pub(crate) fn say_once(&mut self, text: String) {
        if !self.said.contains(&text) {
            self.say(&text);
            self.said.insert(text);
        }
    }

    /// Nothing more to show.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
