//! Hand-written games and helpers for tests.
//!
//! One game per file, each for a kind of turn that algorithms tend to forget:
//!
//! | game | players | what it is for |
//! | --- | --- | --- |
//! | [`Nim`] | 2 | the winner is known in closed form |
//! | [`TicTacToe`] | 2 | a draw; counts and values are known; twin of a rules file |
//! | [`Coins`] | 2 | points; the best score is known |
//! | [`Pyramid`] | 1 | a puzzle whose best score is known |
//! | [`Trio`] | 3 | more than two players |
//! | [`Rps`] | 2 | joint turns, percepts |
//! | [`Pig`] | 2 | chance |
//! | [`Maze`] | 2 | cycles, and a rule about them |
//! | [`Loops`] | 2 | circles, with four rules about repetition |
//! | [`Explicit`] | any | every node written down, to test searches |
//!
//! [`solve`] knows the exact value of every position of a small game;
//! [`random_rules`](fn@random_rules) writes rules files that no author would write;
//! [`markdown`] finds the examples in a page of the book.
//!
//! **Invariant:** nothing that is shipped depends on this crate.

#![allow(clippy::disallowed_methods, reason = "games that misbehave on purpose wait for a clock")]
#![forbid(unsafe_code)]

pub mod coins;
pub mod explicit;
pub mod loops;
pub mod markdown;
pub mod maze;
pub mod nim;
pub mod pig;
pub mod pyramid;
pub mod random_rules;
pub mod rogue;
pub mod rps;
pub mod solve;
pub mod tictactoe;
pub mod trio;

pub use coins::Coins;
pub use explicit::{Explicit, Node};
pub use loops::{Loops, Repetition};
pub use maze::Maze;
pub use nim::Nim;
pub use pig::Pig;
pub use pyramid::Pyramid;
pub use random_rules::random_rules;
pub use rps::Rps;
pub use tictactoe::TicTacToe;
pub use trio::Trio;

use ludex_core::TextError;

/// A hash of `words`, computed anew each time: the fixtures keep none.
fn hash_words(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(0x243f_6a88_85a3_08d3, |hash: u64, word| {
        let mixed = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    })
}

/// A number in a position's text, at most `most`.
fn number(word: &str, most: u8) -> Result<u8, TextError> {
    match word.parse() {
        Ok(number) if number <= most => Ok(number),
        _ => Err(TextError::new(format!("`{word}` is not a number from 0 to {most}"))),
    }
}

/// The words of a position's text, which must be exactly `N`.
fn words<const N: usize>(text: &str) -> Result<[&str; N], TextError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = words.len();
    words.try_into().map_err(|_| TextError::new(format!("{count} words and not {N}")))
}
