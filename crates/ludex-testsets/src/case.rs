//! One case of a test set: a position, and what is known of it.

/// A case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    /// The game with its options.
    pub(crate) game: String,
    /// The position; the usual start where there is none.
    pub(crate) position: Option<String>,
    /// Moves that are played first.
    pub(crate) moves: Vec<String>,
    /// What is known.
    pub(crate) goal: Goal,
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Goal {
    /// How many sequences of moves there are, depth by depth; some depths may be unknown.
    Counts(Vec<(u32, u64)>),
    /// What a good player finds.
    Play(Known),
    /// Whether something can be reached.
    Reach(Wanted),
}

/// Something to be reached, against all resistance.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    /// The goal, as a file would say it.
    pub(crate) goal: String,
    /// Whether it is the attacker's turn.
    pub(crate) attacks: bool,
    /// Whether it can be reached; nothing where that depends on more than the rules,
    /// as on what else is to be won on the board.
    pub(crate) reached: Option<bool>,
}

/// The solution of a test.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    /// What the position is worth to the player to move: 1, 0 or -1.
    pub(crate) value: Option<i8>,
    /// The moves that solve the case; none where only the value is asked for.
    pub(crate) best: Vec<String>,
    /// The moves that do not.
    pub(crate) avoid: Vec<String>,
    /// What each move is worth to the player who makes it, in points.
    pub(crate) scores: Vec<(String, i64)>,
    /// In how many plies a win comes at the soonest.
    pub(crate) soonest: Option<u32>,
    /// Whether another move solves the case, too, if the player proves that it wins.
    pub(crate) proof: Proof,
}

/// What the proof of a win is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Nothing: the move is asked for.
    #[default]
    IsNothing,
    /// It solves the case if the win is as soon as can be.
    SolvesInTime,
    /// It solves the case.
    Solves,
}

impl Case {
    /// A case of a position.
    pub(crate) fn of(game: impl Into<String>, position: String, known: Known) -> Self {
        let goal = Goal::Play(known);
        Self { game: game.into(), position: Some(position), moves: Vec::new(), goal }
    }
}

/// A kind of file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// What it is called.
    pub(crate) name: &'static str,
    /// When a case is solved, and what would be wrong.
    pub(crate) criterion: &'static str,
    /// Whether a line seems to be of this format.
    pub(crate) accepts: fn(&str) -> bool,
    /// The case of a line; what is wrong with the line otherwise.
    pub(crate) read: fn(&str) -> Result<Case, String>,
}

/// Rows of a board written with one character for each square become rows with numbers for runs
/// of empty squares.
pub(crate) fn packed_row(squares: impl Iterator<Item = Option<char>>) -> String {
    let mut row = String::new();
    let mut empty = 0;
    let flush = |row: &mut String, empty: &mut u32| {
        if *empty > 0 {
            row.push_str(&empty.to_string());
        }
        *empty = 0;
    };
    for square in squares {
        match square {
            None => empty += 1,
            Some(man) => {
                flush(&mut row, &mut empty);
                row.push(man);
            }
        }
    }
    flush(&mut row, &mut empty);
    row
}

/// Whether a text is a short list of plain characters: what names of squares and moves are.
pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= 64 && text.chars().all(|it| it.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_become_numbers() {
        let row = "..x...oo.".chars().map(|it| (it != '.').then_some(it));
        assert_eq!(packed_row(row), "2x3oo1");
    }
}
