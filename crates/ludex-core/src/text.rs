//! Errors about text that came from outside, and the word that was meant.

use std::fmt;

/// A text that could not be read: what is wrong, where, and what may have been meant.
///
/// ```
/// use ludex_core::TextError;
///
/// let error = TextError::new("there is no square `e9`").at(3).or_nearest("e9", ["e8", "a1"]);
/// assert_eq!(error.to_string(), "there is no square `e9` (at byte 3); did you mean `e8`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// One line, no full stop.
    pub message: String,
    /// Where in the text, in bytes from its beginning.
    pub at: Option<usize>,
    /// The nearest right word, where there is one.
    pub nearest: Option<String>,
}

impl TextError {
    /// An error that says only what is wrong.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), at: None, nearest: None }
    }

    /// The same error, at byte `offset` of the text.
    #[must_use]
    pub fn at(self, offset: usize) -> Self {
        Self { at: Some(offset), ..self }
    }

    /// The same error, with the candidate nearest to `name` as the word that was meant.
    #[must_use]
    pub fn or_nearest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        Self { nearest: nearest(name, candidates).map(str::to_owned), ..self }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(at) = self.at {
            write!(f, " (at byte {at})")?;
        }
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TextError {}

/// Longer names are cut before they are compared: the text may be hostile.
const LONGEST_COMPARED: usize = 64;

/// The candidate that `name` was most likely meant to be.
///
/// None where even the best would change more than half of the longer of the
/// two: a wild guess is worse than no guess. The first of several equals wins.
///
/// ```
/// use ludex_core::text::nearest;
///
/// assert_eq!(nearest("gomuko", ["chess", "gomoku"]), Some("gomoku"));
/// assert_eq!(nearest("gomuko", ["chess", "hex"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = letters(name);
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = letters(candidate);
            let distance = distance(&name, &other);
            (2 * distance <= name.len().max(other.len())).then_some((distance, candidate))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The letters that are compared: capitals count as small letters.
fn letters(word: &str) -> Vec<char> {
    word.chars().take(LONGEST_COMPARED).flat_map(char::to_lowercase).collect()
}

/// How many letters must be changed, added, dropped or exchanged with their
/// neighbour to turn `from` into `to`.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in to.iter().enumerate() {
            let change = above[j] + usize::from(letter != other);
            let mut best = change.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == to[j - 1] && from[i - 1] == *other {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: &str, to: &str, expected: usize) {
        assert_eq!(distance(&letters(from), &letters(to)), expected, "{from} to {to}");
        assert_eq!(distance(&letters(to), &letters(from)), expected, "{to} to {from}");
    }

    #[test]
    fn distance_counts_edits() {
        check("", "", 0);
        check("", "abc", 3);
        check("chess", "chess", 0);
        check("chess", "Chess", 0);
        check("kitten", "sitting", 3);
        check("gomuko", "gomoku", 2);
        check("e2e4", "e24e", 1);
    }

    #[test]
    fn nearest_prefers_the_first_of_equals() {
        assert_eq!(nearest("e2e5", ["e2e4", "e2e3"]), Some("e2e4"));
        assert_eq!(nearest("e2e5", []), None);
    }

    #[test]
    fn hostile_lengths_are_cut() {
        let long = "x".repeat(1_000_000);
        assert!(nearest(&long, ["a"]).is_none());
        assert!(nearest("a", [long.as_str()]).is_none());
    }

    #[test]
    fn says_only_what_it_knows() {
        assert_eq!(TextError::new("no rows").to_string(), "no rows");
        assert_eq!(TextError::new("no rows").at(2).to_string(), "no rows (at byte 2)");
    }
}
