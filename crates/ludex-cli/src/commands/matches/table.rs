//! The results of a match in a terminal.

use ludex::Result;
use ludex::matches::{Interval, MatchReport, Meeting, Share, Standing};

use crate::output::Out;

/// Prints the results.
pub(super) fn print(report: &MatchReport, out: &mut Out) -> Result<()> {
    match (&report.elo, &report.shares) {
        (Some(standings), _) => print_pairs(report, standings, out),
        (None, Some(shares)) => print_groups(report, shares, out),
        (None, None) => Ok(()),
    }
}

/// The results of a game of two.
fn print_pairs(report: &MatchReport, standings: &[Standing], out: &mut Out) -> Result<()> {
    let rows: Vec<Row> = standings.iter().map(Row::of_standing).collect();
    let meetings: Vec<Row> = report.table.iter().map(Row::of_meeting).collect();
    let rows = if standings.len() > 2 { [rows, meetings].concat() } else { rows };
    let widest = rows.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
    let widest = widest.max("player".len());
    out.line(format_args!(
        "{:<widest$} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8} {:>15} {:>7} {:>15}",
        "player", "games", "won", "drawn", "lost", "points", "%", "95 %", "Elo", "95 %",
    ))?;
    for row in &rows {
        out.line(row.text(widest))?;
    }
    if let [meeting] = report.table.as_slice() {
        print_pentanomial(meeting, out)?;
    }
    if let Some(summary) = &report.summary {
        out.line(summary)?;
    }
    if report.games.is_empty() {
        out.line("no finished game")?;
        return Ok(());
    }
    let first = report.first_player.and_then(|it| it.value).unwrap_or_default();
    out.line(format_args!(
        "the first player won {:.1} % of {} games; longest time overrun {:.1} ms",
        100.0 * first,
        report.games.len(),
        1000.0 * report.longest_overrun,
    ))?;
    Ok(())
}

fn print_pentanomial(meeting: &Meeting, out: &mut Out) -> Result<()> {
    let pairs = meeting.pentanomial.unwrap_or_default();
    if pairs.iter().sum::<u64>() > 0 {
        let counts: Vec<String> = pairs.iter().map(u64::to_string).collect();
        out.line(format_args!("pairs with 0, ½, 1, 1½, 2 points: {}", counts.join(", ")))?;
    }
    Ok(())
}

/// A row of the table.
#[derive(Clone)]
struct Row {
    name: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    points: f64,
    rate: Interval,
    elo: Interval,
}

impl Row {
    fn of_standing(it: &Standing) -> Self {
        Self {
            name: it.player.clone(),
            games: it.games,
            won: it.won,
            drawn: it.drawn,
            lost: it.lost,
            points: it.points,
            rate: it.rate,
            elo: Interval { value: it.elo, low: it.low, high: it.high },
        }
    }

    fn of_meeting(it: &Meeting) -> Self {
        let unknown = Interval { value: None, low: None, high: None };
        Self {
            name: format!("{} : {}", it.a, it.b),
            games: it.games,
            won: it.wins,
            drawn: it.draws,
            lost: it.losses,
            points: it.points,
            rate: it.rate.unwrap_or(unknown),
            elo: it.elo.unwrap_or(unknown),
        }
    }

    fn text(&self, widest: usize) -> String {
        let is_won = self.rate.value.is_some_and(|it| it > 0.5);
        let [low, high] =
            [(self.elo.low, false), (self.elo.high, true)].map(|(it, up)| elo(it, up));
        format!(
            "{:<widest$} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8.1} {:>15} {:>7} {:>15}",
            self.name,
            self.games,
            self.won,
            self.drawn,
            self.lost,
            self.points,
            percent(self.rate.value),
            range(self.rate),
            elo(self.elo.value, is_won),
            format!("{low} .. {high}"),
        )
    }
}

/// An Elo difference; nothing is infinity, upwards or downwards.
fn elo(elo: Option<f64>, is_up: bool) -> String {
    match elo {
        Some(elo) => format!("{elo:+.0}"),
        None if is_up => "+∞".to_owned(),
        None => "−∞".to_owned(),
    }
}

fn percent(rate: Option<f64>) -> f64 {
    100.0 * rate.unwrap_or_default()
}

fn range(rate: Interval) -> String {
    format!("{:.1} .. {:.1}", percent(rate.low), percent(rate.high))
}

/// The results of a game of more than two.
fn print_groups(report: &MatchReport, shares: &[Share], out: &mut Out) -> Result<()> {
    let widest = shares.iter().map(|it| it.player.chars().count()).max().unwrap_or(0).max(6);
    out.line(format_args!(
        "{:<widest$} {:>6} {:>6} {:>8} {:>8} {:>15} {:>6} {:>9}",
        "player", "games", "won", "points", "%", "95 %", "rank", "95 %",
    ))?;
    for it in shares {
        let [best, worst] = it.places;
        out.line(format_args!(
            "{:<widest$} {:>6} {:>6} {:>8.1} {:>8.1} {:>15} {:>6} {:>9}",
            it.player,
            it.games,
            it.won,
            it.points,
            percent(it.rate.value),
            range(it.rate),
            it.place,
            format!("{best} .. {worst}"),
        ))?;
    }
    if report.games.is_empty() {
        out.line("no finished game")?;
        return Ok(());
    }
    let seats = report.seats.iter().flatten();
    let seats: Vec<String> = seats.map(|it| format!("{:.1}", percent(it.value))).collect();
    out.line(format_args!(
        "by seat {} % of {} games; longest time overrun {:.1} ms",
        seats.join(", "),
        report.games.len(),
        1000.0 * report.longest_overrun,
    ))?;
    Ok(())
}
