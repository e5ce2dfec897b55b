//! Portable game notation (S. J. Edwards, 1994), in its export format as far as records have its data.

use ludex_arena::record::{DATE_TAG, END_TAG, tag};
use ludex_core::record::Record;
use ludex_core::{Game, Position};

use super::{Cut, Step, Walk, clock_in, player};
use crate::date::parts;
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::notation::{legal_names, san};

/// Where lines are wrapped.
const WIDTH: usize = 79;

/// A record as PGN.
pub(super) fn text(loaded: &LoadedGame, record: &Record, walk: &Walk<'_>) -> Result<String> {
    let result = match walk.points(loaded, record)? {
        Some(points) if points > 0.5 => "1-0",
        Some(points) if points < 0.5 => "0-1",
        Some(_) => "1/2-1/2",
        None => "*",
    };
    let mut text: String =
        tags(record, result).iter().map(|(key, value)| tag_line(key, value)).collect();
    text.push('\n');
    let mut words = move_text(loaded, walk, first_number(record))?;
    if let Some(end) = tag(record, END_TAG) {
        words.extend(comment_words(end));
    }
    words.push(result.to_owned());
    text.push_str(&wrapped(&words));
    Ok(text)
}

fn tags(record: &Record, result: &str) -> Vec<(&'static str, String)> {
    let said = |key: &str| tag(record, key).map(str::to_owned);
    let date = tag(record, DATE_TAG).and_then(parts);
    let day = date.map(|(day, _)| day.replace('-', "."));
    let unknown = || "?".to_owned();
    let mut tags = vec![
        ("Event", said("event").or_else(|| said("tournament")).unwrap_or_else(unknown)),
        ("Site", said("site").unwrap_or_else(unknown)),
        ("Date", day.clone().unwrap_or_else(|| "????.??.??".to_owned())),
        ("Round", said("round").unwrap_or_else(unknown)),
        ("White", player(record, 0).to_owned()),
        ("Black", player(record, 1).to_owned()),
        ("Result", result.to_owned()),
    ];
    if let (Some(day), Some((_, Some(time)))) = (day, date) {
        tags.push(("UTCDate", day));
        tags.push(("UTCTime", time.to_owned()));
    }
    if let Some(start) = &record.start {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", start.clone()));
    }
    let termination = match Cut::of(record) {
        Some(Cut::Time) => Some("time forfeit"),
        Some(Cut::Forfeit) => Some("rules infraction"),
        Some(Cut::Adjudication) => Some("adjudication"),
        Some(Cut::Resignation) => Some("normal"),
        Some(Cut::Other) => Some("unterminated").filter(|_| result == "*"),
        None => None,
    };
    tags.extend(termination.map(|it| ("Termination", it.to_owned())));
    tags
}

fn tag_line(key: &str, value: &str) -> String {
    let clean: String = value.chars().filter(|it| !it.is_control()).collect();
    let escaped = clean.replace('\\', r"\\").replace('"', "\\\"");
    format!("[{key} \"{escaped}\"]\n")
}

/// The number of the first move: positions have it at their end.
fn first_number(record: &Record) -> usize {
    let said = record.start.as_deref().and_then(|it| it.split_whitespace().nth(5)?.parse().ok());
    said.filter(|it| (1..=9999).contains(it)).unwrap_or(1)
}

/// The moves with their numbers, from `first` on, and comments, word by word.
fn move_text(loaded: &LoadedGame, walk: &Walk<'_>, first: usize) -> Result<Vec<String>> {
    let mut words = Vec::new();
    // A game that begins with the second player's move begins with `1...`.
    let offset = walk.steps.first().map_or(0, |it| it.player.index().min(1));
    let mut is_numbered = false;
    for (number, step) in walk.steps.iter().enumerate() {
        let ply = number + offset;
        let (full, half) = (ply / 2 + first, ply % 2);
        if half == 0 {
            words.push(format!("{full}."));
        } else if !is_numbered {
            words.push(format!("{full}..."));
        }
        words.push(san_of(loaded, walk, number, step)?);
        is_numbered = step.comment.is_none();
        words.extend(step.comment.into_iter().flat_map(comment_of));
    }
    Ok(words)
}

/// A move with its sign for check.
fn san_of(loaded: &LoadedGame, walk: &Walk<'_>, number: usize, step: &Step<'_>) -> Result<String> {
    let game = &loaded.game;
    let legal =
        |it: &Position, player| legal_names(game, it, player).map_err(|it| loaded.blame(it));
    let before = game.write(&step.before.state);
    let written = san::write(step.name, &before, &legal(&step.before, step.player)?);
    let written = written.ok_or_else(|| {
        Error::new(format!("move {}: `{}` cannot be written as PGN", number + 1, step.name))
    })?;
    let after = walk.steps.get(number + 1).map_or(&walk.end, |it| &it.before);
    // Checkmate ends the game with a win.
    let is_won =
        loaded.ending(after)?.is_some_and(|it| it.payoffs.iter().any(|it| it.utility > 0.0));
    Ok(format!("{written}{}", san::sign(&game.write(&after.state), !is_won)))
}

/// A comment, with the clock as PGN readers expect it.
fn comment_of(comment: &str) -> Vec<String> {
    let clock = clock_in(comment).map(|seconds| {
        // Rounded as a whole: there are no 60 seconds in a minute.
        let tenths = (seconds * 10.0).round() as u64;
        let (whole, tenth) = (tenths / 10, tenths % 10);
        let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
        format!("[%clk {hours}:{minutes:02}:{seconds:02}.{tenth}] ")
    });
    comment_words(&format!("{}{comment}", clock.unwrap_or_default()))
}

fn comment_words(text: &str) -> Vec<String> {
    let clean = text.replace('{', "(").replace('}', ")");
    let mut words: Vec<String> = clean.split_whitespace().map(str::to_owned).collect();
    if let Some(first) = words.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
    words
}

/// Words on lines that are not too long.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 {
            let breaks = width + 1 + length > WIDTH;
            text.push(if breaks { '\n' } else { ' ' });
            width = if breaks { 0 } else { width + 1 };
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_tags_escaped() {
        let words: Vec<String> = (0..40).map(|it| format!("word{it}")).collect();
        let text = wrapped(&words);
        assert!(text.lines().all(|it| it.len() <= WIDTH));
        assert_eq!(text.split_whitespace().count(), 40);
        assert_eq!(tag_line("White", "a \"b\"\n\\"), "[White \"a \\\"b\\\"\\\\\"]\n");
    }

    #[test]
    fn clocks_are_told_to_programs() {
        let words = comment_of("depth=3 clock=3725.25");
        assert_eq!(words.join(" "), "{[%clk 1:02:05.3] depth=3 clock=3725.25}");
        assert_eq!(comment_of("clock=59.97").join(" "), "{[%clk 0:01:00.0] clock=59.97}");
        assert_eq!(comment_words("a } b"), ["{a", ")", "b}"]);
    }
}
