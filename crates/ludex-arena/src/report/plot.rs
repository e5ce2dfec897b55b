//! The ratings as SVG: a dot for each player with its 95 % interval.

use std::fmt::Write;

use super::escape::html;
use crate::statistics::Estimate;

const WIDTH: f64 = 760.0;
const NAMES: f64 = 220.0;
const ROW: f64 = 24.0;

/// The characters of a name that fit.
const LETTERS: usize = 26;

/// The ratings, one row for each player.
pub fn ratings(rated: &[(&str, Estimate)]) -> String {
    let rated: Vec<(&str, Estimate)> =
        rated.iter().map(|(name, it)| (*name, finite(*it))).collect();
    let low = rated.iter().map(|it| it.1.low).fold(0.0, f64::min);
    let high = rated.iter().map(|it| it.1.high).fold(0.0, f64::max);
    let step = step((high - low).max(1.0) / 6.0);
    let (low, high) = ((low / step).floor() * step, ((high / step).ceil() * step).max(low + step));
    let x = |rating: f64| NAMES + (rating - low) / (high - low) * (WIDTH - NAMES - 20.0);
    let height = ROW * (rated.len() as f64 + 1.5);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" role=\"img\" aria-label=\"ratings\" \
         font-size=\"12\">\n"
    );
    let lines = ((high - low) / step).round() as i32;
    for line in 0..=lines.clamp(1, 50) {
        let rating = low + step * f64::from(line);
        let (at, bottom) = (x(rating), height - ROW);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"0\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#8884\"/>\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{rating:.0}</text>",
            height - 8.0
        );
    }
    for (row, (name, rating)) in rated.iter().enumerate() {
        let y = ROW * (row as f64 + 0.7);
        let mut short: String = name.chars().take(LETTERS).collect();
        if name.chars().nth(LETTERS).is_some() {
            short.push('…');
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <line x1=\"{:.1}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\" stroke=\"#4a7fb5\" stroke-width=\"2\"/>\
             <circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"#4a7fb5\"/>",
            NAMES - 10.0,
            y + 4.0,
            html(&short),
            x(rating.low),
            x(rating.high),
            x(rating.value),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// An estimate with finite numbers, which can be drawn.
fn finite(it: Estimate) -> Estimate {
    let sane = |number: f64, else_it: f64| {
        if number.is_finite() { number.clamp(-1e5, 1e5) } else { else_it }
    };
    let value = sane(it.value, 0.0);
    Estimate { value, low: sane(it.low, value).min(value), high: sane(it.high, value).max(value) }
}

/// A round number near `wanted`: 1, 2 or 5 times a power of ten.
fn step(wanted: f64) -> f64 {
    let power = 10_f64.powf(wanted.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|it| it * power >= wanted);
    times.unwrap_or(10.0) * power
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "these numbers are exact")]
mod tests {
    use super::*;

    #[test]
    fn lines_are_at_round_numbers() {
        assert_eq!([step(0.9), step(13.0), step(70.0), step(501.0)], [1.0, 20.0, 100.0, 1000.0]);
    }

    #[test]
    fn every_player_has_a_row() {
        let rating = Estimate { value: 120.0, low: 80.0, high: 160.0 };
        let svg = ratings(&[("Ann", rating), ("<Bob>", Estimate { value: -120.0, ..rating })]);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("&lt;Bob&gt;") && svg.ends_with("</svg>"));
        assert!(ratings(&[]).ends_with("</svg>"));
    }
}
