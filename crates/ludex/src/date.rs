//! What day it is, in UTC, for records.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The last second of the year 9999: later years have too many digits for a date.
const LAST: u64 = 253_402_300_799;

/// The time that dates are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Now {
    /// The system's clock.
    #[default]
    Clock,
    /// Always the same moment, in seconds since 1970: the output is the same every time.
    Fixed(u64),
}

impl Now {
    /// The moment that a text stands for, in seconds since 1970, unless no calendar has it.
    pub fn fixed(text: &str) -> Option<Self> {
        text.trim().parse().ok().filter(|&it| it <= LAST).map(Self::Fixed)
    }

    /// The date and time some time ago, as in `2026-11-16T15:04:05Z`. Nothing if the clock shows a
    /// time before 1970 or after 9999. A fixed moment is the answer whatever `ago` is.
    pub fn utc_before(self, ago: Duration) -> Option<String> {
        let seconds = match self {
            Self::Fixed(seconds) => seconds,
            Self::Clock => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
                now.saturating_sub(ago).as_secs()
            }
        };
        (seconds <= LAST).then(|| utc(seconds))
    }
}

/// The moment `seconds` after 1970 began.
fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z", second % 60)
}

/// Year, month and day, `days` after the first of January 1970.
///
/// Years are counted from the first of March here, so that the leap day is the last day of a year;
/// 400 years have 146,097 days.
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

/// The day of a date as records have it, `2026-11-16`, and the time of day, where it is given; only
/// those that the calendar and the clock have.
pub(crate) fn parts(date: &str) -> Option<(&str, Option<&str>)> {
    let (day, time) = match date.trim().split_once('T') {
        Some((day, time)) => (day, Some(time.trim_end_matches('Z'))),
        None => (date.trim(), None),
    };
    let shaped = |text: &str, shape: &str| {
        let fits = |(it, of): (char, char)| if of == '0' { it.is_ascii_digit() } else { it == of };
        text.len() == shape.len() && text.chars().zip(shape.chars()).all(fits)
    };
    let time = time.filter(|it| shaped(it, "00:00:00") && is_time(it));
    (shaped(day, "0000-00-00") && is_day(day)).then_some((day, time))
}

/// The numbers of a text with something between them.
fn numbers(text: &str, between: char) -> Vec<u32> {
    text.split(between).filter_map(|it| it.parse().ok()).collect()
}

fn is_day(text: &str) -> bool {
    let [year, month, day] = numbers(text, '-')[..] else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Some minutes have 61 seconds.
fn is_time(text: &str) -> bool {
    matches!(numbers(text, ':')[..], [0..24, 0..60, 0..=60])
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

    #[test]
    fn days_that_are_not_there_are_not_believed() {
        for text in ["2026-99-99T99:99:99Z", "2026-00-01", "2026-01-00", "2026-04-31"] {
            assert_eq!(parts(text), None, "{text}");
        }
        assert_eq!(parts("2023-02-29"), None);
        assert_eq!(parts("1900-02-29"), None);
        assert_eq!(parts("2000-02-29"), Some(("2000-02-29", None)));
        assert_eq!(parts("2016-12-31T23:59:60Z"), Some(("2016-12-31", Some("23:59:60"))));
        for time in ["24:00:00", "23:60:00", "23:59:61"] {
            assert_eq!(parts(&format!("2026-11-16T{time}Z")), Some(("2026-11-16", None)), "{time}");
        }
    }

    #[test]
    fn moments_beyond_the_calendar_are_ignored() {
        assert_eq!(utc(LAST), "9999-12-31T23:59:59Z");
        assert_eq!(Now::fixed(" 1794841445\n"), Some(Now::Fixed(1_794_841_445)));
        for text in ["", "-1", "soon", "253402300800", "18446744073709551615"] {
            assert_eq!(Now::fixed(text), None, "{text}");
        }
    }
}
