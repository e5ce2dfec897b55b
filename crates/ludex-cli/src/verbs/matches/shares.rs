//! The results of a match in a game for more than two.

use anyhow::Result;
use ludex_arena::statistics::shares::{Place, Shares, places};
use serde_json::{Value, json};

use super::table::{Report, Table, estimate_json};
use crate::output::Out;

/// What somebody made.
struct Line<'a> {
    name: &'a str,
    shares: Shares,
    place: Place,
}

/// What everybody made, in the order in which the players were named.
fn lines<'a>(players: &'a [String], games: &[Report]) -> Vec<Line<'a>> {
    let mut shares = vec![Shares::default(); players.len()];
    for Report { fixture, played } in games {
        for (seat, &entrant) in fixture.entrants.iter().enumerate() {
            shares[entrant].add(played.points.of(seat));
        }
    }
    let rates: Vec<_> = shares.iter().map(|it| it.rate()).collect();
    let named = players.iter().zip(shares).zip(places(&rates));
    named.map(|((name, shares), place)| Line { name, shares, place }).collect()
}

/// What each seat made, whoever sat on it.
fn seats(count: usize, games: &[Report]) -> Vec<Shares> {
    let mut seats = vec![Shares::default(); count];
    for report in games {
        for (seat, shares) in seats.iter_mut().enumerate() {
            shares.add(report.played.points.of(seat));
        }
    }
    seats
}

/// Tells everything.
pub(super) fn tell(table: &Table, out: &mut Out) -> Result<()> {
    let lines = lines(&table.players, &table.games);
    let widest = lines.iter().map(|it| it.name.chars().count()).max().unwrap_or(0).max(6);
    out.line(format_args!(
        "{:<widest$} {:>6} {:>6} {:>8} {:>8} {:>15} {:>6} {:>9}",
        "player", "games", "won", "points", "%", "95 %", "place", "95 %",
    ))?;
    for Line { name, shares, place: Place { place, range: (best, worst) } } in &lines {
        let rate = shares.rate();
        out.line(format_args!(
            "{name:<widest$} {:>6} {:>6} {:>8.1} {:>8.1} {:>15} {place:>6} {:>9}",
            shares.games,
            shares.won,
            shares.points,
            100.0 * rate.value,
            format!("{:.1} .. {:.1}", 100.0 * rate.low, 100.0 * rate.high),
            format!("{best} .. {worst}"),
        ))?;
    }
    if table.games.is_empty() {
        out.line("no game was played to its end")?;
        return Ok(());
    }
    let seats = seats(table.seats, &table.games);
    let seats: Vec<String> =
        seats.iter().map(|it| format!("{:.1}", 100.0 * it.rate().value)).collect();
    out.line(format_args!(
        "by seat {} % of {} games; longest overstep {:.1} ms",
        seats.join(", "),
        table.games.len(),
        1000.0 * table.overstep().as_secs_f64(),
    ))?;
    Ok(())
}

/// What everybody made, and what every seat did.
pub(super) fn as_json(table: &Table) -> (Value, Value) {
    let lines = lines(&table.players, &table.games);
    let lines = lines.iter().map(|Line { name, shares, place }| {
        json!({
            "player": name,
            "games": shares.games,
            "won": shares.won,
            "points": shares.points,
            "rate": estimate_json(shares.rate()),
            "place": place.place,
            "places": [place.range.0, place.range.1],
        })
    });
    let seats = seats(table.seats, &table.games);
    let seats = seats.iter().map(|it| estimate_json(it.rate()));
    (Value::Array(lines.collect()), Value::Array(seats.collect()))
}
