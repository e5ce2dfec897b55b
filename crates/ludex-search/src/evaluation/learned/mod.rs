//! Values learned by self-play, for a game without an author's evaluation.
//!
//! What is learned is linear: a value for each man on each square, for the right to move, for
//! being the first player and, where they help, for mobility and for what stands in short rows of
//! squares ([`Patterns`]). The sum of a position is read as the logarithm of the odds that the
//! first player wins.
//!
//! 1. *Random games.* Some thousands of them; positions from them, with their results, give the
//!    first values by logistic regression. It is seen here whether mobility
//!    helps.
//! 2. *Self-play.* Games by the values themselves, one ply deep and with some moves at random, and
//!    TD(lambda): the value of a position is moved towards a mean of what the following positions
//!    were evaluated at and of the result (Richard Sutton, "Learning to predict by the
//!    methods of temporal differences", 1988). Nothing is learned from before a random move.
//!
//! Steps are as long as the past of each value allows (John Duchi, Elad Hazan and Yoram Singer,
//! "Adaptive subgradient methods", 2011). A man on a square has the value of the man everywhere
//! and a difference; differences are drawn towards nothing, so that squares that are hardly ever
//! met say nothing by accident.
//!
//! The work is counted and not timed: equal seeds give equal values. Before each game of step 2 is
//! learned from, it is predicted; how well that goes is the `correlation` that tells whether such
//! an evaluation is worth having.

mod correlation;
mod incremental;
mod model;
mod training;
mod weights;

use ludex_core::{Fault, Game, GameExt, PositionOf, TextError};

pub use training::{Training, TrainingConfig};

use crate::error::SearchError;

use super::squares::with_men;
use super::{Evaluate, Patterns, Squares, Standpoint};

/// Values learned by self-play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// The values.
    pub squares: Squares,
    /// The values of what stands in short rows, where they help.
    pub patterns: Option<Patterns>,
    /// How well the values predict games that they were not learned from, from -1 to 1: the
    /// correlation of prediction and result in the middle of self-played games.
    pub correlation: f64,
    /// How many games they were learned from.
    pub games: u64,
}

/// The first line of values as text.
const HEADER: &str = "ludex-values 1";

impl Learned {
    /// Learns a game from nothing but its rules.
    pub fn from_self_play<G: Game>(game: &G, config: &TrainingConfig) -> Result<Self, SearchError> {
        let mut training = Training::new(game, config.clone());
        while !training.is_done() {
            training.step(game)?;
        }
        Ok(training.learned())
    }

    /// Whether these can be values of a game.
    pub fn fits<G: Game>(&self, game: &G) -> bool {
        let Squares { squares, table, .. } = &self.squares;
        let rows = self.patterns.as_ref().is_none_or(|it| it.fits(game));
        rows && *squares == game.board().squares && table.len() == squares * game.board().men.len()
    }

    /// The values as text, to be stored beside the rules.
    pub fn to_text(&self) -> String {
        let Squares { squares, table, bias, tempo, mobility, kinds } = &self.squares;
        let row = |values: &[i32]| {
            let words: Vec<String> = values.iter().map(i32::to_string).collect();
            words.join(" ")
        };
        let codes = table.len().checked_div(*squares).unwrap_or(0);
        let mut text = format!(
            "{HEADER}\nsquares {squares}\ncodes {codes}\ngames {}\ncorrelation {}\nbias {bias}\n\
             tempo {tempo}\nmobility {mobility}\nkinds {}\n",
            self.games,
            self.correlation,
            row(kinds)
        );
        for man in table.chunks((*squares).max(1)) {
            text += &format!("man {}\n", row(man));
        }
        if let Some(Patterns { contents, width, directions, table, .. }) = &self.patterns {
            text += &format!("rows {contents} {width} {directions}\n");
            for fillings in table.chunks((table.len() / (2 * directions).max(1)).max(1)) {
                text += &format!("row {}\n", row(fillings));
            }
        }
        text
    }

    /// The values that a text holds.
    pub fn from_text(text: &str) -> Result<Self, TextError> {
        let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
        if lines.next() != Some(HEADER) {
            return Err(TextError::new(format!("values begin with the line `{HEADER}`")));
        }
        let (mut learned, mut codes) = (Self::default(), 0_usize);
        let (mut sizes, mut fillings) = (Vec::new(), Vec::new());
        for line in lines {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "squares" => learned.squares.squares = number(rest)?,
                "codes" => codes = number(rest)?,
                "games" => learned.games = number(rest)?,
                "correlation" => learned.correlation = number(rest)?,
                "bias" => learned.squares.bias = number(rest)?,
                "tempo" => learned.squares.tempo = number(rest)?,
                "mobility" => learned.squares.mobility = number(rest)?,
                "kinds" => learned.squares.kinds = row(rest)?,
                "man" => learned.squares.table.extend(row::<i32>(rest)?),
                "rows" => sizes = row::<usize>(rest)?,
                "row" => fillings.extend(row::<i32>(rest)?),
                _ => return Err(TextError::new(format!("`{word}` is no part of values"))),
            }
        }
        let all = learned.squares.squares.checked_mul(codes);
        if all != Some(learned.squares.table.len()) {
            return Err(TextError::new("there is not a value for every man on every square"));
        }
        if let [contents, width, directions] = sizes[..] {
            learned.patterns = Patterns::new(contents, width, directions, fillings);
        }
        if learned.patterns.is_none() && !sizes.is_empty() {
            return Err(TextError::new("there is not a value for every filling of a row"));
        }
        Ok(learned)
    }
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, TextError> {
    word.parse().map_err(|_| TextError::new(format!("`{word}` is not a number")))
}

fn row<T: std::str::FromStr>(words: &str) -> Result<Vec<T>, TextError> {
    words.split_whitespace().map(number).collect()
}

impl<G: Game> Evaluate<G> for Learned {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        let (of_men, of_rows) = with_men(game, &position.state, |men| {
            let rows = self.patterns.as_ref().map_or(0, |it| it.sum(game, men, from.mover));
            (self.squares.sum_of(men), rows)
        });
        let value = self.squares.with_sum(of_men, game, position, from.mover)?;
        Ok(value.saturating_add(of_rows))
    }

    fn man(&self, kind: u8) -> Option<i32> {
        <Squares as Evaluate<G>>::man(&self.squares, kind)
    }

    fn describe(&self) -> String {
        let Self { correlation, games, .. } = self;
        let what = if self.patterns.is_some() { "values of men and rows" } else { "values" };
        format!("{what} learned from {games} games (correlation {correlation:.2})")
    }
}
