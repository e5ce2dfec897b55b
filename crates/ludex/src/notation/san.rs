//! Moves as chess players write them (`Nbd7`, `exd6`, `O-O`, `e8=Q+`), found among the legal moves.
//!
//! Legal moves come with names of two squares and perhaps a promotion (`b8d7`, `e7e8q`), and men are
//! read off the rows of the position. This is for games whose notation block says `san`.

/// The names of the legal moves that a player may mean by `wanted`: usually one, several where the
/// player has not said which man it is, none if it is no legal move.
pub(crate) fn find<'n>(wanted: &str, position: &str, legal: &'n [String]) -> Vec<&'n str> {
    if let Some(exact) = legal.iter().find(|it| *it == wanted) {
        return vec![exact];
    }
    let Some(san) = San::parse(wanted) else { return Vec::new() };
    let board = Board::parse(position);
    legal.iter().filter(|it| san.fits(it, &board)).map(String::as_str).collect()
}

/// The men of a position, by the names of their squares.
struct Board {
    men: Vec<(String, char)>,
}

impl Board {
    fn parse(position: &str) -> Self {
        let rows: Vec<&str> = position.split(' ').next().unwrap_or_default().split('/').collect();
        let mut men = Vec::new();
        for (from_top, row) in rows.iter().enumerate() {
            let rank = rows.len() - from_top;
            let mut file = 0_u32;
            for letter in row.chars() {
                if let Some(run) = letter.to_digit(10) {
                    file += run;
                } else {
                    let column = char::from_u32(u32::from('a') + file).unwrap_or('?');
                    men.push((format!("{column}{rank}"), letter));
                    file += 1;
                }
            }
        }
        Self { men }
    }

    /// The kind of man on a square, as a capital letter.
    fn kind(&self, square: &str) -> Option<char> {
        let found = self.men.iter().find(|(it, _)| it == square)?;
        Some(found.1.to_ascii_uppercase())
    }
}

/// A move as it is written, taken apart.
#[derive(Debug, PartialEq, Eq)]
enum San {
    /// The king goes two files to this file.
    Castles(char),
    /// A man goes to a square.
    Moves {
        kind: char,
        file: Option<char>,
        rank: Option<char>,
        to: String,
        promotion: Option<char>,
    },
}

impl San {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(['+', '#', '!', '?', ',']);
        match text.replace('0', "O").as_str() {
            "O-O" => return Some(Self::Castles('g')),
            "O-O-O" => return Some(Self::Castles('c')),
            _ => {}
        }
        if !text.is_ascii() {
            return None;
        }
        let first = text.chars().next()?;
        let kind = if "KQRBN".contains(first) { first } else { 'P' };
        let mut rest = if kind == 'P' { text } else { &text[1..] }.to_owned();
        let mut promotion = None;
        if let Some((before, after)) = rest.clone().split_once('=') {
            promotion = after.chars().next();
            rest.truncate(before.len());
        } else if kind == 'P' && rest.ends_with(|it| "QRBN".contains(it)) {
            promotion = rest.pop();
        }
        let rest = rest.replace(['x', '-', ':'], "");
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let mut to_letters = to.chars();
        let is_square = to_letters.next().is_some_and(|it| it.is_ascii_lowercase())
            && to_letters.next().is_some_and(|it| it.is_ascii_digit());
        let file = origin.chars().find(char::is_ascii_lowercase);
        let rank = origin.chars().find(char::is_ascii_digit);
        let known = usize::from(file.is_some()) + usize::from(rank.is_some());
        (is_square && known == origin.len()).then(|| Self::Moves {
            kind,
            file,
            rank,
            to: to.to_owned(),
            promotion,
        })
    }

    /// Whether the move called `name` is meant.
    fn fits(&self, name: &str, board: &Board) -> bool {
        let Some((from, rest)) = name.split_at_checked(2) else { return false };
        let Some((to, promoted)) = rest.split_at_checked(2) else { return false };
        let kind = board.kind(from);
        let (from_file, from_rank) = (from.chars().next(), from.chars().nth(1));
        match self {
            Self::Castles(file) => {
                kind == Some('K') && from_file == Some('e') && to.starts_with(*file)
            }
            Self::Moves { kind: wanted, file, rank, to: goal, promotion } => {
                let promoted = promoted.chars().next().map(|it| it.to_ascii_uppercase());
                kind == Some(*wanted)
                    && to == goal
                    && file.is_none_or(|it| from_file == Some(it))
                    && rank.is_none_or(|it| from_rank == Some(it))
                    && promoted == *promotion
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(position: &str, legal: &[&str], wanted: &str, expected: &[&str]) {
        let legal: Vec<String> = legal.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(find(wanted, position, &legal), expected, "{wanted}");
    }

    #[test]
    fn men_squares_and_signs() {
        let position = "r3k2r/1P3ppp/8/3pP3/8/1N3N2/5PPP/R3K2R w KQkq d6 0 1";
        let legal = [
            "b3d4", "f3d4", "e5d6", "e5e6", "b7b8q", "b7b8n", "b7a8q", "e1g1", "e1c1", "a1a8",
            "e1d1",
        ];
        check(position, &legal, "Nbd4", &["b3d4"]);
        check(position, &legal, "N3d4", &["b3d4", "f3d4"]);
        check(position, &legal, "Nd4", &["b3d4", "f3d4"]);
        check(position, &legal, "exd6", &["e5d6"]);
        check(position, &legal, "e6!", &["e5e6"]);
        check(position, &legal, "b8=Q+", &["b7b8q"]);
        check(position, &legal, "b8N", &["b7b8n"]);
        check(position, &legal, "bxa8=Q", &["b7a8q"]);
        check(position, &legal, "O-O", &["e1g1"]);
        check(position, &legal, "0-0-0", &["e1c1"]);
        check(position, &legal, "Rxa8+", &["a1a8"]);
        check(position, &legal, "Kd1", &["e1d1"]);
        check(position, &legal, "e1d1", &["e1d1"]);
    }

    #[test]
    fn nonsense_is_no_move() {
        for wanted in ["", "x", "Q", "é4", "Nxx", "====", "O-O-O-O", "Ke"] {
            check("8/8 w", &["a1b2"], wanted, &[]);
        }
    }
}
