//! Shogi's own squares and positions: files are numbers from the right, ranks letters from the top.

use super::squares::Square;

/// What USI calls the move `name`: `7g7f`, `8h2b+`, `P*5e`.
pub fn theirs(name: &str, columns: usize, rows: usize) -> Option<String> {
    let square = |it: Square| {
        let file = columns.checked_sub(it.column).filter(|&it| it > 0)?;
        let rank = rows.checked_sub(it.rank)?;
        let letter = char::from(b'a' + u8::try_from(rank).ok().filter(|&it| it < 26)?);
        Some(format!("{file}{letter}"))
    };
    if let Some((man, to)) = name.split_once('@') {
        let (to, rest) = Square::split(to)?;
        return rest.is_empty().then(|| Some(format!("{man}*{}", square(to)?)))?;
    }
    let (from, rest) = Square::split(name)?;
    let (to, rest) = Square::split(rest)?;
    Some(format!("{}{}{rest}", square(from)?, square(to)?))
}

/// The order in which the men of a hand are written.
const HAND: &str = "KRBGSNLP";

/// A position of the rules as SFEN: `rows turn hand.Black=P2 …` becomes `rows b 2P 1`.
pub fn sfen(position: &str, players: &[String]) -> Option<String> {
    let mut words = position.split(' ');
    let (rows, turn) = (words.next()?, words.next()?);
    let side = players.iter().position(|it| it == turn)?;
    let mut hands = String::new();
    let cells: Vec<&str> = words.collect();
    for (player, letters) in cells.iter().filter_map(|it| hand(it)) {
        let cased = |it: char| if player == 0 { it } else { it.to_ascii_lowercase() };
        let mut men = men(letters)?;
        men.sort_by_key(|(man, _)| HAND.find(*man));
        for (man, count) in men.into_iter().filter(|(_, count)| *count > 0) {
            if count > 1 {
                hands.push_str(&count.to_string());
            }
            hands.push(cased(man));
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    Some(format!("{rows} {} {hands} 1", ["b", "w"].get(side)?))
}

/// The other way round: `rows b 2P 1` becomes `rows turn hand.Black=P2`.
pub fn position(sfen: &str, players: &[String]) -> Option<String> {
    let mut words = sfen.split_whitespace();
    let rows = words.next()?;
    let side = ["b", "w"].iter().position(|it| words.clone().next() == Some(it))?;
    let mut text = format!("{rows} {}", players.get(side)?);
    let hands = words.nth(1).filter(|it| *it != "-").unwrap_or_default();
    let mut men = [String::new(), String::new()];
    let mut rest = hands;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let man = rest[digits..].chars().next().filter(char::is_ascii_alphabetic)?;
        let count = if digits == 0 { "1" } else { &rest[..digits] };
        men[usize::from(man.is_ascii_lowercase())]
            .push_str(&format!("{}{count}", man.to_ascii_uppercase()));
        rest = &rest[digits + 1..];
    }
    for (name, men) in ["Black", "White"].iter().zip(&men).filter(|it| !it.1.is_empty()) {
        text.push_str(&format!(" hand.{name}={men}"));
    }
    Some(text)
}

/// Whose hand a word of a position is, and what is in it: the first is the first player's.
fn hand(word: &str) -> Option<(usize, &str)> {
    let (key, men) = word.split_once('=')?;
    let player = key.strip_prefix("hand.")?;
    Some((usize::from(!player.eq_ignore_ascii_case("black")), men))
}

/// `P2G1`, taken apart.
fn men(text: &str) -> Option<Vec<(char, u32)>> {
    let mut men = Vec::new();
    let mut rest = text;
    while let Some(man) = rest.chars().next() {
        if !man.is_ascii_uppercase() {
            return None;
        }
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let count = rest[1..=digits].parse().unwrap_or(1);
        men.push((man, count));
        rest = &rest[1 + digits..];
    }
    Some(men)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_move_has_no_name() {
        for name in ["", "pass", "P@", "e2", "z9z9", "a99b99"] {
            assert_eq!(theirs(name, 9, 9), None, "{name}");
        }
        assert_eq!(theirs("a1b2", 5, 5).as_deref(), Some("5e4d"));
    }

    #[test]
    fn hands_are_in_order() {
        let players = ["b".to_owned(), "w".to_owned()];
        let text = "4k/5 w hand.Black=G1R1 hand.White=P15N1";
        assert_eq!(sfen(text, &players).as_deref(), Some("4k/5 w RGn15p 1"));
        assert_eq!(sfen("4k/5 b", &players).as_deref(), Some("4k/5 b - 1"));
        assert_eq!(sfen("4k/5 x", &players), None);
        assert_eq!(sfen("4k/5 b hand.Black=é", &players), None);
        let back = position("4k/5 w RGn15p 1", &players);
        assert_eq!(back.as_deref(), Some("4k/5 w hand.Black=R1G1 hand.White=N1P15"));
        assert_eq!(position("4k/5 b - 1", &players).as_deref(), Some("4k/5 b"));
        for nonsense in ["", "4k/5", "4k/5 x - 1", "4k/5 b é 1", "4k/5 b 2 1", "4k/5 b P* 1"] {
            assert_eq!(position(nonsense, &players), None, "{nonsense}");
        }
    }
}
