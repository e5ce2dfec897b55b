//! Times, clocks and amounts of memory in user notation.

use std::time::Duration;

use ludex_search::timing::GameClock;

/// Reads a time: a number and a unit, seconds where there is none.
pub fn duration(text: &str) -> Result<Duration, String> {
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

/// Reads a game clock: the time at the start and, after a `+`, the increment of each move.
pub fn game_clock(text: &str) -> Result<GameClock, String> {
    let (left, increment) = text.split_once('+').unwrap_or((text, "0"));
    let clock = GameClock::new(duration(left.trim())?, duration(increment.trim())?);
    if clock.left.is_zero() {
        return Err("a clock has some time at the start, as in `60s+1s`".to_owned());
    }
    Ok(clock)
}

/// Reads an amount of memory: a number and a unit, bytes where there is none.
pub fn size(text: &str) -> Result<usize, String> {
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

/// The number at the start of a text, if it is one, and the unit after it.
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
