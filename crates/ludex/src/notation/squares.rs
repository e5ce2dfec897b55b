//! The names of squares, taken apart: `e4`, `h10`, `aa3`.

/// A square of a board, as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// Counted from 0, from the left.
    pub column: usize,
    /// Counted from 1, from the bottom.
    pub rank: usize,
}

impl Square {
    /// The square that a text begins with, and the rest of it.
    pub fn split(text: &str) -> Option<(Self, &str)> {
        let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
        let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=2).contains(&letters) || !(1..=3).contains(&digits) {
            return None;
        }
        let (name, rest) = text.split_at(letters + digits);
        // After z comes aa.
        let value = |sum: usize, it: u8| sum * 26 + usize::from(it - b'a') + 1;
        let column = name[..letters].bytes().fold(0, value) - 1;
        let rank = name[letters..].parse().ok().filter(|&it| it > 0)?;
        Some((Self { column, rank }, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart() {
        assert_eq!(Square::split("e4"), Some((Square { column: 4, rank: 4 }, "")));
        assert_eq!(Square::split("h10g8"), Some((Square { column: 7, rank: 10 }, "g8")));
        assert_eq!(Square::split("ab3+"), Some((Square { column: 27, rank: 3 }, "+")));
        for nonsense in ["", "pass", "4e", "P@e4", "e", "é4", "e0", "e9999"] {
            assert_eq!(Square::split(nonsense), None, "{nonsense}");
        }
    }
}
