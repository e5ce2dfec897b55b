//! What day it is, in UTC, for records.

use std::env;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Whoever wants the same output every time says what time it is by this variable, in seconds since 1970: the
/// convention of reproducible builds.
const SAID: &str = "SOURCE_DATE_EPOCH";

/// The date and time of a moment so long ago, as in `2026-11-16T15:04:05Z`. Nothing if the clock says
/// something from before 1970.
pub(crate) fn utc_before(ago: Duration) -> Option<String> {
    let said = env::var(SAID).ok().and_then(|it| it.parse().ok());
    let now = match said {
        Some(seconds) => Duration::from_secs(seconds),
        None => SystemTime::now().duration_since(UNIX_EPOCH).ok()?.saturating_sub(ago),
    };
    Some(utc(now.as_secs()))
}

/// So many seconds after 1970 began.
fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z", second % 60)
}

/// Year, month and day of so many days after the first of January 1970.
///
/// Years are counted from the first of March here, so that the day that is there only every four years is the
/// last of one; 400 of them have 146,097 days.
fn civil(days: u64) -> (u64, u64, u64) {
    // Days since the first of March of the year 0.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months of 31, 30, 31, 30, 31 days, again and again, have 153 days in five.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (400 * era + year + later, month, day)
}

/// The day of a date as records have it, `2026-11-16`, and the time of day, where it is told.
pub(crate) fn parts(date: &str) -> Option<(&str, Option<&str>)> {
    let (day, time) = match date.trim().split_once('T') {
        Some((day, time)) => (day, Some(time.trim_end_matches('Z'))),
        None => (date.trim(), None),
    };
    let shaped = |text: &str, shape: &str| {
        let fits = |(it, of): (char, char)| if of == '0' { it.is_ascii_digit() } else { it == of };
        text.len() == shape.len() && text.chars().zip(shape.chars()).all(fits)
    };
    let time = time.filter(|it| shaped(it, "00:00:00"));
    shaped(day, "0000-00-00").then_some((day, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(951_868_799), "2000-02-29T23:59:59Z");
        assert_eq!(utc(1_709_164_800), "2024-02-29T00:00:00Z");
        assert_eq!(utc(4_107_542_400), "2100-03-01T00:00:00Z", "2100 has no 29th of February");
        assert_eq!(utc(1_794_841_445), "2026-11-16T15:04:05Z");
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut last = civil(0);
        for day in 1..100_000 {
            let now = civil(day);
            let follows = now == (last.0, last.1, last.2 + 1)
                || now == (last.0, last.1 + 1, 1)
                || (now == (last.0 + 1, 1, 1) && (last.1, last.2) == (12, 31));
            assert!(follows && now.2 <= 31, "{last:?} {now:?}");
            last = now;
        }
    }

    #[test]
    fn dates_are_read() {
        assert_eq!(parts("2026-11-16T15:04:05Z"), Some(("2026-11-16", Some("15:04:05"))));
        assert_eq!(parts("2026-11-16"), Some(("2026-11-16", None)));
        assert_eq!(parts("2026-11-16Tsoon"), Some(("2026-11-16", None)));
        for text in ["", "yesterday", "2026.11.16", "2026-11-1", "T", "éééé-éé-éé"] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
