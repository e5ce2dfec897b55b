//! Games as text: the records that `ludex replay` reads, with clocks and scores.
//!
//! ```text
//! game: connect4
//! players: Ann, Bob
//! result: 1, -1
//! date: 2026-11-16T15:04:05Z
//! points: 1, 0
//! opening: 2
//! moves: 4
//! end: Bob lost on time
//!
//! 1. d1 d2 c1 {value=+0.250 depth=8 nodes=1234 time=0.120 clock=59.880} e1
//! ```
//!
//! `date` is the start of the game in UTC, `points` the result in points, whatever the scores of the game
//! mean, `opening` the number of moves of the opening, `moves` the number of all moves. `end` is there
//! where the rules did not end the game. The comment of a move holds the mover's score of the position
//! (`value=` from -1 to 1, `told=` as the engine writes it), search depth and nodes, the seconds it took,
//! and the seconds left on its clock.

use std::time::Duration;

use ludex_core::record::{Played as Turn, Record};

use crate::game::{MoveMade, PlayedGame};
use crate::points::Points;

/// The header with the termination, where the rules did not end the game.
pub const END_TAG: &str = "end";

/// The header with the points: `1, 0`, `0.5, 0.5`, `0, 1`; of more players `0.25, 1, 0.25`.
pub const POINTS_TAG: &str = "points";

/// The header with the start of the game, in UTC: `2026-11-16T15:04:05Z`.
pub const DATE_TAG: &str = "date";

/// The header with the number of moves of the opening.
pub const OPENING_TAG: &str = "opening";

/// The header with the number of all moves, which reveals a truncated record.
pub const MOVES_TAG: &str = "moves";

/// The headers of a record that the game itself does not give.
#[derive(Clone, Debug, Default)]
pub struct Heading<'a> {
    /// The game with its options.
    pub game: String,
    /// Hash of its rules.
    pub rules: Option<String>,
    /// The players' names, first player first.
    pub players: Vec<&'a str>,
    /// The start of the game, from the caller: the arena has clocks, but no calendar.
    pub date: Option<String>,
    /// More headers.
    pub tags: Vec<(String, String)>,
}

/// The record of a game.
pub fn record(played: &PlayedGame, heading: Heading<'_>) -> Record {
    let date = heading.date.map(|it| (DATE_TAG.to_owned(), it));
    let mut tags: Vec<(String, String)> = date.into_iter().collect();
    tags.push((POINTS_TAG.to_owned(), played.points.to_string()));
    if !played.opening.is_empty() {
        tags.push((OPENING_TAG.to_owned(), played.opening.len().to_string()));
    }
    // Before the end: a record truncated after that would pass for an older one without a number of moves.
    let moves = played.opening.len() + played.moves.len();
    tags.push((MOVES_TAG.to_owned(), moves.to_string()));
    if let Some(words) = played.end.words(&heading.players) {
        tags.push((END_TAG.to_owned(), words));
    }
    tags.extend(heading.tags);
    let opening = played.opening.iter().map(Turn::new);
    let moves = played.moves.iter().map(|it| Turn { name: it.name.clone(), comment: comment(it) });
    Record {
        game: heading.game,
        rules: heading.rules,
        start: played.start.clone(),
        players: heading.players.iter().map(|&it| it.to_owned()).collect(),
        result: Some(result_of(played)),
        tags,
        turns: opening.chain(moves).collect(),
    }
}

/// The scores by the rules; where they did not end the game, 1 for the sole winner, -1 for the sole loser
/// and 0 for the others.
fn result_of(played: &PlayedGame) -> String {
    let of_points = |it: &f64| if *it >= 1.0 { 1 } else { -i64::from(*it <= 0.0) };
    let scores = match played.scores.as_slice() {
        [] => played.points.all().iter().map(of_points).collect(),
        scores => scores.to_vec(),
    };
    scores.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The most seats of a record that is read.
const MOST_SEATS: usize = 64;

/// The points of a record, or without a `points` header those of its result, where the higher score is
/// ahead. `None` for a game that was not finished or had one player.
pub fn points(record: &Record) -> Option<Points> {
    let text = tag(record, POINTS_TAG).or(record.result.as_deref())?;
    let values = text.split(',').take(MOST_SEATS + 1).map(|it| it.trim().parse::<f64>().ok());
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    let fits = (2..=MOST_SEATS).contains(&values.len()) && values.iter().all(|it| !it.is_nan());
    fits.then(|| Points::of_values(&values))
}

/// Whether a text is the whole record of a finished game, and not a truncated one. Every player has to
/// have points.
pub fn is_whole(text: &str, record: &Record) -> bool {
    let seats = points(record).map_or(0, |it| it.seats());
    seats > 0 && seats == record.players.len() && text.ends_with('\n') && has_all_moves(record)
}

/// Whether no move is missing. An older record without their number has at least one, unless something
/// else than the rules ended the game: that may have been before the first move.
fn has_all_moves(record: &Record) -> bool {
    let moves = record.turns.len();
    match tag(record, MOVES_TAG) {
        Some(number) => number.parse() == Ok(moves),
        None => moves > 0 || tag(record, END_TAG).is_some(),
    }
}

/// The value of a header that has no field of its own.
pub fn tag<'a>(record: &'a Record, key: &str) -> Option<&'a str> {
    record.tags.iter().find(|(it, _)| it == key).map(|(_, value)| value.as_str())
}

/// The search report and the clock of a move, as a comment.
fn comment(made: &MoveMade) -> Option<String> {
    let seconds = |it: Duration| format!("{:.3}", it.as_secs_f64());
    let parts = [
        ("value", made.value.map(|it| format!("{it:+.3}"))),
        (
            "told",
            made.score_text.as_ref().map(|it| it.split_whitespace().collect::<Vec<_>>().join("_")),
        ),
        ("depth", made.depth.filter(|&it| it > 0).map(|it| it.to_string())),
        ("nodes", made.nodes.map(|it| it.to_string())),
        ("time", made.spent.map(seconds)),
        ("clock", made.left.map(seconds)),
    ];
    let parts = parts.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?)));
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// A move of a record with its comment. Unknown words are skipped.
pub fn read_move(turn: &Turn) -> MoveMade {
    let mut made = MoveMade { name: turn.name.clone(), ..MoveMade::default() };
    let seconds = |it: &str| Duration::try_from_secs_f64(it.parse().ok()?).ok();
    let words = turn.comment.as_deref().unwrap_or_default().split_whitespace();
    for (key, value) in words.filter_map(|it| it.split_once('=')) {
        match key {
            "value" => made.value = value.parse().ok().filter(|it: &f64| it.is_finite()),
            "told" => made.score_text = Some(value.replace('_', " ")),
            "depth" => made.depth = value.parse().ok(),
            "nodes" => made.nodes = value.parse().ok(),
            "time" => made.spent = seconds(value),
            "clock" => made.left = seconds(value),
            _ => {}
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Termination;

    fn played() -> PlayedGame {
        let made = MoveMade {
            name: "b2".to_owned(),
            seat: Some(1),
            spent: Some(Duration::from_millis(120)),
            left: Some(Duration::from_millis(59_880)),
            value: Some(0.25),
            score_text: Some("cp 35".to_owned()),
            depth: Some(8),
            nodes: Some(1234),
        };
        PlayedGame {
            start: None,
            opening: vec!["a1".to_owned()],
            moves: vec![made],
            points: Points::lost_by(0, 2),
            scores: Vec::new(),
            end: Termination::TimeForfeit(0),
            overrun: Duration::ZERO,
            nodes: vec![0; 2],
        }
    }

    #[test]
    fn comments_of_moves_survive() {
        let game = "tictactoe".to_owned();
        let date = Some("2026-11-16T15:04:05Z".to_owned());
        let heading = Heading { game, players: vec!["Ann", "Bob"], date, ..Heading::default() };
        let text = record(&played(), heading).to_string();
        let read = Record::parse(&text).expect("it is a record");
        assert_eq!(read.to_string(), text);
        assert_eq!(points(&read), Some(Points::lost_by(0, 2)));
        assert_eq!(tag(&read, END_TAG), Some("Ann lost on time"));
        assert_eq!(tag(&read, OPENING_TAG), Some("1"));
        assert_eq!(tag(&read, DATE_TAG), Some("2026-11-16T15:04:05Z"));
        let made = MoveMade { seat: Some(1), ..read_move(&read.turns[1]) };
        assert_eq!(made, played().moves[0]);
    }

    #[test]
    fn a_truncated_record_is_not_whole() {
        let players = vec!["Ann", "Bob"];
        let heading = Heading { game: "g".to_owned(), players, ..Heading::default() };
        let text = record(&played(), heading).to_string();
        let whole = |text: &str| Record::parse(text).is_ok_and(|it| is_whole(text, &it));
        assert!(whole(&text));
        for length in 0..text.len() {
            assert!(!whole(&text[..length]), "{}", &text[..length]);
        }
    }

    /// A record of two players with these additional headers and moves.
    fn is_whole_with(headers: &str, moves: &str) -> bool {
        let text = format!("game: g\nplayers: Ann, Bob\nresult: 1, -1\n{headers}{moves}");
        Record::parse(&text).is_ok_and(|it| is_whole(&text, &it))
    }

    #[test]
    fn older_records_do_not_count_their_moves() {
        let moves = "\n1. a1 b2\n";
        assert!(is_whole_with("", moves) && is_whole_with("moves: 2\n", moves));
        assert!(!is_whole_with("", ""), "cut off before its moves");
        assert!(is_whole_with("end: Bob lost on time\n", ""), "there never were any");
        assert!(is_whole_with("moves: 0\nend: Bob lost on time\n", ""));
        for count in ["1", "3", "two", "-2", "99999999999999999999"] {
            assert!(!is_whole_with(&format!("moves: {count}\n"), moves), "{count}");
        }
        assert!(!is_whole_with("moves: none\nend: Bob lost on time\n", ""));
    }

    #[test]
    fn every_player_has_points() {
        let whole = |players: &str, points: &str| {
            let text = format!("game: g\nplayers: {players}\npoints: {points}\n\n1. a1 b2\n");
            Record::parse(&text).is_ok_and(|it| is_whole(&text, &it))
        };
        assert!(whole("Ann, Bob", "1, 0") && whole("Ann, Bob, Cid", "1, 0.5, 0"));
        assert!(!whole("Ann, Bob", "1, 0.5, 0") && !whole("Ann, Bob", "1"));
        assert!(!whole("Ann, Bob, Cid", "1, 0") && !whole("Ann, Bob, Cid", "1, 0, 0, 0"));
        let text = "game: g\npoints: 1, 0\n\n1. a1 b2\n";
        assert!(!Record::parse(text).is_ok_and(|it| is_whole(text, &it)), "there are no players");
    }

    #[test]
    fn points_are_read_from_any_record() {
        let of = |text: &str| {
            let points = points(&Record::parse(text).expect("it is a record"));
            points.map(|it| it.to_string()).unwrap_or_default()
        };
        assert_eq!(of("game: g\nresult: 40, 24\n"), "1, 0");
        assert_eq!(of("game: g\nresult: 0, 0\n"), "0.5, 0.5");
        assert_eq!(of("game: g\nresult: 70, 65\npoints: 0, 1\n"), "0, 1");
        assert_eq!(of("game: g\nresult: -1, 1, -1\n"), "0.25, 1, 0.25");
        assert_eq!(of("game: g\npoints: 1, 0.6667, 0.3333, 0\n"), "1, 0.6667, 0.3333, 0");
        let many = format!("game: g\nresult: {}\n", ["0"; 1000].join(", "));
        for text in ["game: g\n", "game: g\nresult: nonsense\n", "game: g\nresult: 17\n", &many] {
            assert_eq!(of(text), "");
        }
    }
}
