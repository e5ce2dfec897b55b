//! Reads the values of the keys of a tournament file.

use std::fmt::Write;
use std::time::Duration;

use ludex_core::text::nearest;

use super::{Kind, MOST_PLAYERS, OpeningPlan, Scoring};
use crate::adjudication::Rule;
use crate::units;

pub(super) fn whole<T: std::str::FromStr + PartialOrd + std::fmt::Display>(
    text: &str,
    range: std::ops::RangeInclusive<T>,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|it| range.contains(it));
    number.ok_or_else(|| {
        let mut message = format!("`{text}` is no whole number from {}", range.start());
        // An upper bound that is only that of the type is left out.
        let end = range.end().to_string();
        if end.len() < 12 {
            let _ = write!(message, " to {end}");
        }
        message
    })
}

pub(super) fn some_time(text: &str) -> Result<Duration, String> {
    let time = units::duration(text)?;
    if time.is_zero() { Err("the time is zero".to_owned()) } else { Ok(time) }
}

pub(super) fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("`{text}` is neither `yes` nor `no`")),
    }
}

pub(super) fn kind(text: &str) -> Result<Kind, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["round-robin"] => Ok(Kind::RoundRobin),
        ["double", "round-robin"] | ["double-round-robin"] => Ok(Kind::DoubleRoundRobin),
        ["gauntlet"] => Ok(Kind::Gauntlet(1)),
        ["gauntlet", heroes] => Ok(Kind::Gauntlet(whole(heroes, 1..=MOST_PLAYERS)?)),
        ["swiss", rounds] => Ok(Kind::Swiss(whole(rounds, 1..=1000)?)),
        ["swiss"] => Err("how many rounds? write `swiss 5`".to_owned()),
        ["knockout"] => Ok(Kind::Knockout),
        _ => {
            let first = words.first().copied().unwrap_or_default();
            let known = ["round-robin", "double", "gauntlet", "swiss", "knockout"];
            Err(match nearest(first, known) {
                Some(near) if near != first => {
                    format!("there is no kind `{text}`; did you mean `{near}`?")
                }
                _ => format!("there is no kind `{text}`"),
            })
        }
    }
}

pub(super) fn scoring(text: &str) -> Result<Scoring, String> {
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    let sensible = |it: &f64| it.is_finite() && it.abs() <= 1e6;
    match numbers.as_slice() {
        &[win, draw, loss]
            if text.split_whitespace().count() == 3 && numbers.iter().all(sensible) =>
        {
            if win < draw || draw < loss {
                return Err(
                    "a win is worth no less than a draw, and a draw no less than a loss".to_owned()
                );
            }
            Ok(Scoring { win, draw, loss })
        }
        _ => Err("`scoring` takes three numbers: for a win, a draw and a loss".to_owned()),
    }
}

pub(super) fn openings(text: &str) -> Result<OpeningPlan, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match word {
        "none" if rest.is_empty() => Ok(OpeningPlan::None),
        "random" | "balanced" => {
            Ok(OpeningPlan::Random { plies: whole(rest, 0..=1000)?, balanced: word == "balanced" })
        }
        "file" if !rest.is_empty() => Ok(OpeningPlan::File(rest.to_owned())),
        _ => Err(match nearest(word, ["none", "random", "balanced", "file"]) {
            Some(near) if near != word => {
                format!("there are no openings `{text}`; did you mean `{near}`?")
            }
            _ => format!("there are no openings `{text}`"),
        }),
    }
}

/// `0.02 6`, `0.02 6 40`, or `never`.
pub(super) fn draw_rule(text: &str) -> Result<Option<Rule>, String> {
    let usage = "`draw` takes a value from 0 to 1 and one or two numbers of moves";
    unless_never(text, Rule::read, usage)
}

/// `0.95 3`, or `never`.
pub(super) fn resign_rule(text: &str) -> Result<Option<Rule>, String> {
    unless_never(
        text,
        Rule::read_any_time,
        "`resign` takes a value from 0 to 1 and a number of moves",
    )
}

fn unless_never(
    text: &str,
    read: impl Fn(&str) -> Option<Rule>,
    usage: &str,
) -> Result<Option<Rule>, String> {
    if text == "never" {
        return Ok(None);
    }
    read(text).map(Some).ok_or_else(|| usage.to_owned())
}
