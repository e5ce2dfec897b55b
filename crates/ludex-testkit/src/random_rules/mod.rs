//! Random small rules files, to try engines against each other on rules that
//! no author would write.
//!
//! A file is made in the order in which a person would write it: the board and the
//! men, the routines, the moves, the ends, the heuristics. Half of its paragraphs are
//! idioms that real games use (steps, slides, jumps in a chain, floods, lines of k),
//! with random parts; the others are random statements of the right types. Nearly
//! every file compiles; the rest is refused with diagnostics.

mod author;
mod board;
mod ends;
mod heuristics;
mod material;
mod moves;
mod routines;
mod statements;
mod values;

use ludex_core::Random;

use author::Author;

/// The text of a random rules file.
///
/// ```
/// use ludex_core::Random;
/// use ludex_testkit::random_rules;
///
/// let text = random_rules(&mut Random::stream(1, 0, 0));
/// assert!(text.starts_with("game \"Random\""));
/// assert!(text.contains("\nmoves\n"));
/// ```
pub fn random_rules(random: &mut Random) -> String {
    let mut author = Author::new(random);
    author.line("game \"Random\"");
    author.material();
    author.routines();
    author.moves();
    author.ends();
    author.heuristics();
    author.text
}
