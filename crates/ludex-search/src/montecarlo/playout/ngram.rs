//! N-grams: the mean reward of a move after the moves before it.
//!
//! Mandy Tak, Mark Winands and Yngvi Björnsson, "N-grams and the last-good-reply policy applied in
//! general game playing", 2012 (NST: n-gram selection technique).

use ludex_core::Player;

use crate::montecarlo::backup::Played;
use crate::montecarlo::code_table::{CodeTable, Mean, MoveCode, join};
use crate::montecarlo::reward_table;

use super::greedy::MoveScorer;

/// Beyond this many sequences, longer ones are not learned any more: they are a few megabytes.
const MOST: usize = 1 << 19;

/// No longer sequences than this.
const LONGEST: usize = 8;

/// Mean rewards of sequences of moves.
#[derive(Clone, Debug)]
pub(crate) struct Ngram {
    longest: usize,
    least: u32,
    options: CodeTable<Mean>,
}

impl Ngram {
    pub(crate) fn new(longest: usize, least: u32) -> Self {
        Self { longest: longest.clamp(1, LONGEST), least, options: CodeTable::default() }
    }

    /// The codes of the sequences that end with `code`, the shortest first.
    fn sequences(&self, code: MoveCode, before: &[Played]) -> impl Iterator<Item = MoveCode> {
        let longer = before.iter().rev().take(self.longest - 1).scan(code, |so_far, it| {
            *so_far = join(*so_far, it.code);
            Some(*so_far)
        });
        std::iter::once(code).chain(longer)
    }
}

impl MoveScorer for Ngram {
    fn value(&self, code: MoveCode, mover: Player, players: usize, played: &[Played]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (length, sequence) in self.sequences(code, played).enumerate() {
            let mean = self.options.get(sequence).unwrap_or_default();
            // A single move counts from the first time on.
            if mean.visits >= if length == 0 { 1 } else { self.least } {
                sum += reward_table::read(mean.value(), mover, players);
                count += 1.0;
            }
        }
        if count > 0.0 { sum / count } else { 0.5 }
    }

    fn learn(&mut self, played: &[Played], rewards: &[f64]) {
        for (number, it) in played.iter().enumerate() {
            let reward = reward_table::write(rewards, it.mover);
            let full = self.options.len() >= MOST;
            let sequences: [Option<MoveCode>; LONGEST] = {
                let mut all = self.sequences(it.code, &played[..number]);
                std::array::from_fn(|_| all.next())
            };
            for sequence in sequences.into_iter().flatten() {
                if !full || self.options.get(sequence).is_some() {
                    self.options.entry(sequence).add(reward);
                }
            }
        }
    }
}
