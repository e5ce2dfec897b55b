//! Moves as chess players write them (`Nbd7`, `exd6`, `O-O`, `e8=Q+`), found among the legal moves.
//!
//! Legal moves come with names of two squares and perhaps a promotion (`b8d7`, `e7e8q`), and men are
//! read off the rows of the position. This is for games whose notation block says `san`.

use super::squares::Square;

/// The names of the legal moves that a player may mean by `wanted`: usually one, several where the
/// player has not said which man it is, none if it is no legal move.
pub fn find<'n>(wanted: &str, position: &str, legal: &'n [String]) -> Vec<&'n str> {
    if let Some(exact) = legal.iter().find(|it| *it == wanted) {
        return vec![exact];
    }
    let Some(san) = San::parse(wanted) else { return Vec::new() };
    let board = Board::parse(position);
    legal.iter().filter(|it| san.fits(it, &board)).map(String::as_str).collect()
}

/// The men of a position: rows from the bottom, each from the left.
struct Board {
    rows: Vec<Vec<Option<char>>>,
}

impl Board {
    fn parse(position: &str) -> Self {
        let rows = position.split(' ').next().unwrap_or_default().split('/').rev();
        Self { rows: rows.map(row).collect() }
    }

    /// The man on a square, by numbers that may lie outside of the board.
    fn man(&self, column: i32, row: i32) -> Option<char> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        *row.get(usize::try_from(column).ok()?)?
    }

    fn man_on(&self, square: &str) -> Option<char> {
        let (Square { column, rank }, _) = Square::split(square)?;
        self.man(column as i32, rank as i32 - 1)
    }

    /// The kind of man on a square, as a capital letter.
    fn kind(&self, square: &str) -> Option<char> {
        Some(self.man_on(square)?.to_ascii_uppercase())
    }

    /// Whether the king of a side is attacked.
    fn is_check(&self, of_white: bool) -> bool {
        let king = if of_white { 'K' } else { 'k' };
        let squares = (0..self.rows.len() as i32)
            .flat_map(|row| (0..self.rows[row as usize].len() as i32).map(move |it| (it, row)));
        let mut kings = squares.filter(|(column, row)| self.man(*column, *row) == Some(king));
        kings.any(|square| self.is_attacked(square, !of_white))
    }

    fn is_attacked(&self, (column, row): (i32, i32), by_white: bool) -> bool {
        let side = |kind: char| if by_white { kind } else { kind.to_ascii_lowercase() };
        let stands = |dx: i32, dy: i32, kind| self.man(column + dx, row + dy) == Some(side(kind));
        let leaps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let below = if by_white { -1 } else { 1 };
        leaps.iter().any(|(dx, dy)| stands(*dx, *dy, 'N'))
            || [-1, 1].iter().any(|dx| stands(*dx, below, 'P'))
            || RAYS.iter().any(|(dx, dy)| {
                stands(*dx, *dy, 'K') || {
                    let slider = if dx * dy == 0 { 'R' } else { 'B' };
                    let first = self.first(column, row, *dx, *dy);
                    first.is_some_and(|it| it == side(slider) || it == side('Q'))
                }
            })
    }

    /// The first man in a direction.
    fn first(&self, column: i32, row: i32, dx: i32, dy: i32) -> Option<char> {
        let reach = self.rows.iter().map(Vec::len).max().unwrap_or(0).max(self.rows.len()) as i32;
        (1..reach).find_map(|far| self.man(column + far * dx, row + far * dy))
    }
}

/// The directions of queens.
const RAYS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A row of a position: letters for men, numbers for runs of empty squares.
fn row(text: &str) -> Vec<Option<char>> {
    let mut squares = Vec::new();
    for letter in text.chars() {
        match letter.to_digit(10) {
            Some(run) => squares.extend((0..run).map(|_| None)),
            None => squares.push(Some(letter)),
        }
    }
    squares
}

// Writing.

/// A move as chess players write it, without a sign for check; nothing if `name` is not two squares and
/// perhaps a promotion.
pub fn write(name: &str, position: &str, legal: &[String]) -> Option<String> {
    let board = Board::parse(position);
    let (from, to, promotion) = squares(name)?;
    let kind = board.kind(from)?;
    let (from_file, to_file) = (&from[..1], &to[..1]);
    if kind == 'K' && from_file == "e" && matches!(to_file, "g" | "c") {
        return Some(if to_file == "g" { "O-O" } else { "O-O-O" }.to_owned());
    }
    // A pawn that changes its file takes something, if only in passing.
    let takes = board.man_on(to).is_some() || (kind == 'P' && from_file != to_file);
    let sign = if takes { "x" } else { "" };
    if kind == 'P' {
        let origin = if takes { from_file } else { "" };
        let promotion = promotion.map(|it| format!("={}", it.to_ascii_uppercase()));
        return Some(format!("{origin}{sign}{to}{}", promotion.unwrap_or_default()));
    }
    let others = legal.iter().filter_map(|it| squares(it));
    let others = others.filter(|it| it.1 == to && it.0 != from && board.kind(it.0) == Some(kind));
    let others: Vec<&str> = others.map(|it| it.0).collect();
    let shares = |part: std::ops::Range<usize>| {
        others.iter().any(|it| it.get(part.clone()) == from.get(part.clone()))
    };
    let origin = match (others.is_empty(), shares(0..1), shares(1..2)) {
        (true, ..) => "",
        (_, false, _) => from_file,
        (_, true, false) => &from[1..],
        (_, true, true) => from,
    };
    Some(format!("{kind}{origin}{sign}{to}"))
}

/// The sign behind a move that led to this position: check, and mate where there is no reply.
pub fn sign(position: &str, has_reply: bool) -> &'static str {
    let of_white = position.split(' ').nth(1) == Some("w");
    match (Board::parse(position).is_check(of_white), has_reply) {
        (true, true) => "+",
        (true, false) => "#",
        (false, _) => "",
    }
}

/// The squares of a move's name, and what the man becomes.
fn squares(name: &str) -> Option<(&str, &str, Option<char>)> {
    let (_, rest) = Square::split(name)?;
    let (_, becomes) = Square::split(rest)?;
    let from = &name[..name.len() - rest.len()];
    let to = &rest[..rest.len() - becomes.len()];
    Some((from, to, becomes.chars().next()))
}

// Reading.

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
    fn what_is_written_can_be_read() {
        let position = "r3k2r/1P3ppp/8/3pP3/8/1N3N2/5PPP/R3K2R w KQkq d6 0 1";
        let legal = [
            "b3d4", "f3d4", "e5d6", "e5e6", "b7b8q", "b7b8n", "b7a8q", "e1g1", "e1c1", "a1a8",
            "e1d1",
        ]
        .map(str::to_owned);
        let written: Vec<String> =
            legal.iter().filter_map(|it| write(it, position, &legal)).collect();
        assert_eq!(
            written,
            ["Nbd4", "Nfd4", "exd6", "e6", "b8=Q", "b8=N", "bxa8=Q", "O-O", "O-O-O", "Rxa8", "Kd1"]
        );
        for (name, san) in legal.iter().zip(&written) {
            assert_eq!(find(san, position, &legal), [name]);
        }
    }

    #[test]
    fn checks_and_mates_have_signs() {
        assert_eq!(sign("4k3/8/8/8/8/8/8/4R2K b - - 0 1", true), "+");
        assert_eq!(sign("4k3/8/8/8/4p3/8/8/4R2K b - - 0 1", true), "");
        assert_eq!(sign("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", false), "#");
        assert_eq!(sign("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", false), "", "stalemate");
        assert_eq!(sign("8/8/8/8/8/2k5/1p6/K7 w - - 0 1", true), "+", "a pawn");
        assert_eq!(sign("8/8/8/8/8/1np5/8/K7 w - - 0 1", true), "+", "a knight");
    }

    #[test]
    fn nonsense_is_no_move() {
        for wanted in ["", "x", "Q", "é4", "Nxx", "====", "O-O-O-O", "Ke"] {
            check("8/8 w", &["a1b2"], wanted, &[]);
        }
    }
}
