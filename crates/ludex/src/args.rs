//! Arguments that several verbs share, and the values they may have.

use std::time::Duration;

use clap::{Arg, Args, ValueEnum};
use ludex_search::timing::GameClock;

/// Which game, and what runs it.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameArgs {
    /// A bundled game with its options (`hex:11`, `chess:castling=no`), or a rules file
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// What runs the game.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct EngineArgs {
    /// What runs the rules [default: native to play and to search, else interpreter]
    #[arg(long, value_enum)]
    engine: Option<EngineKind>,
}

impl EngineArgs {
    /// For whatever plays.
    pub(crate) fn to_play(self) -> EngineKind {
        self.engine.unwrap_or(EngineKind::Native)
    }

    /// For a question or two: the interpreter has answered before native code is made.
    pub(crate) fn to_answer(self) -> EngineKind {
        self.engine.unwrap_or(EngineKind::Interpreter)
    }
}

/// Which game and which position of it.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlaceArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) from: FromArgs,
}

/// Which position of a game.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FromArgs {
    /// The position to begin with, as `ludex show` writes it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,

    /// Moves to play first, from the start or from the position: 'e2e4 e7e5'
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

/// What runs the rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineKind {
    /// Machine code made of the rules
    Native,
    /// The interpreter: slower, and what native code must agree with
    Interpreter,
}

impl EngineKind {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Interpreter => "interpreter",
        }
    }
}

/// How long a verb may think.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ThinkArgs {
    /// How long to think about a move: `5s`, `500ms`, `2m`
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,

    /// At most so many nodes for a move: positions or playouts, whatever the player counts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// At most so many turns ahead, for players that look ahead by depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,

    /// Seed of all random choices
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many threads a player thinks with
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: u32,

    /// How much memory trees and tables of a player may take: `512M`, `2G`
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    pub(crate) memory: usize,
}

/// The help of `--time` where a verb has a usual time.
pub(crate) fn usual_time(usual: &'static str) -> impl FnOnce(Arg) -> Arg {
    move |time| {
        time.help(format!(
            "How long to think about a move: `5s`, `500ms`, `2m` [default: {usual}, unless --nodes is said]"
        ))
    }
}

/// Reads a time: a number and a unit, seconds where there is none.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = number_and_unit(text);
    let scale = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; use `ms`, `s`, `m` or `h`")),
    };
    let seconds = number.ok_or("a time is a number and a unit, as in `5s`")? * scale;
    Duration::try_from_secs_f64(seconds).map_err(|_| "that is too long".to_owned())
}

/// Reads a game clock: what there is at the start and, after a `+`, what is added for each move.
pub(crate) fn game_clock(text: &str) -> Result<GameClock, String> {
    let (left, increment) = text.split_once('+').unwrap_or((text, "0"));
    let clock = GameClock::new(duration(left.trim())?, duration(increment.trim())?);
    if clock.left.is_zero() {
        return Err("a clock has some time at the start, as in `60s+1s`".to_owned());
    }
    Ok(clock)
}

/// Reads an amount of memory: a number and a unit, bytes where there is none.
fn size(text: &str) -> Result<usize, String> {
    let (number, unit) = number_and_unit(text);
    let scale = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 1.0,
        "K" => 1024.0,
        "M" => 1024.0 * 1024.0,
        "G" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{unit}` is not a unit of memory; use `K`, `M` or `G`")),
    };
    let bytes = number.ok_or("memory is a number and a unit, as in `512M`")? * scale;
    Ok(bytes as usize)
}

/// The number a text begins with, if it is a sensible one, and what follows it.
fn number_and_unit(text: &str) -> (Option<f64>, &str) {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(text.len());
    (text[..end].parse().ok(), text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("5s"), Ok(Duration::from_secs(5)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2m"), Ok(Duration::from_mins(2)));
        assert!(duration("s").is_err());
        assert!(duration("-1s").is_err());
        assert!(duration("5 parsecs").is_err());
        assert!(duration("99999999999999999999999h").is_err());
    }

    #[test]
    fn clocks_may_have_an_increment() {
        let seconds = Duration::from_secs;
        assert_eq!(game_clock("60s+1s"), Ok(GameClock::new(seconds(60), seconds(1))));
        assert_eq!(game_clock("2m"), Ok(GameClock::new(seconds(120), seconds(0))));
        assert!(game_clock("0").is_err());
        assert!(game_clock("+1").is_err());
        assert!(game_clock("1+x").is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("64 KiB"), Ok(64 << 10));
        assert_eq!(size("100"), Ok(100));
        assert!(size("lots").is_err());
        assert!(size("1T").is_err());
    }
}
