//! `ludex rate`: ratings from records.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use ludex::error::Context;
use ludex::files::read_text;
use ludex::{Error, Result};
use ludex_arena::rating::{HeadToHead, MOST_PLAYERS, ratings, weight};
use ludex_arena::record::points;
use ludex_arena::statistics::{Estimate, Score};
use ludex_core::record::{LONGEST_RECORD, Record};
use serde_json::{Value, json};

use crate::commands::replay;
use crate::failure::{Answer, Done};
use crate::output::{Out, note};

/// The folder of a tournament's games.
const GAMES: &str = "games";

/// Arguments of `rate`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex rate club.run
  ludex rate games/*.txt --mean 1500
  ludex rate monday.run tuesday.run --game chess --json

A folder stands for all its records, the folder of a tournament for its games. Ratings are the
maximum-likelihood ratings of the Bradley-Terry model on the Elo scale: 400 points more win
ten times as often. A draw is half a win. The prior is one virtual draw of every player with an
average one, so that a player that won every game has a rating. A game of N players counts as
the games of every two of them, each with the weight 2/N.")]
pub(crate) struct RateArgs {
    /// Records, or folders with records
    #[arg(required = true)]
    files: Vec<String>,

    /// Only games of this name, whatever their options
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Mean of the ratings
    #[arg(long, value_name = "N", default_value_t = 0.0, allow_hyphen_values = true)]
    mean: f64,
}

/// A player and its games.
#[derive(Clone, Debug, Default)]
struct Rated {
    name: String,
    games: u64,
    /// Its points, at most one in each game.
    points: f64,
    /// Its wins, draws and losses; in a game of more than two players, against each of them.
    score: Score,
}

/// Rates.
pub(crate) fn run(args: &RateArgs, out: &mut Out) -> Done {
    if !args.mean.is_finite() {
        return Err(Error::new("`--mean` is a number"));
    }
    let book = read(args)?;
    let ratings = ratings(book.players.len(), &book.head_to_heads(), args.mean);
    let mut lines: Vec<Line<'_>> = ratings.into_iter().zip(&book.players).collect();
    lines.sort_by(|a, b| b.0.value.total_cmp(&a.0.value));
    if out.is_json() {
        let ratings: Vec<Value> = lines.iter().map(line_json).collect();
        out.json(&json!({ "ratings": ratings, "games": book.games }))?;
    } else {
        tell(&lines, out)?;
    }
    Ok(Answer::Yes)
}

/// The records of all files.
fn read(args: &RateArgs) -> Result<Book> {
    let mut book = Book::default();
    for file in &args.files {
        for record in records(file)? {
            book.add(&record, args.game.as_deref());
        }
    }
    let skipped = book.unfinished;
    if skipped > 0 {
        note(format_args!("note: games without a result, or of one player: {skipped}"));
    }
    if book.players.is_empty() {
        return Err(Error::new("there is no finished game of two players or more to rate"));
    }
    if book.players.len() > MOST_PLAYERS {
        let message = format!("at most {MOST_PLAYERS} players are rated together");
        return Err(Error::new(message));
    }
    Ok(book)
}

/// A rating and its player.
type Line<'a> = (Estimate, &'a Rated);

fn line_json((rating, it): &Line<'_>) -> Value {
    json!({
        "player": it.name,
        "rating": rating.value,
        "low": rating.low,
        "high": rating.high,
        "games": it.games,
        "wins": it.score.wins,
        "draws": it.score.draws,
        "losses": it.score.losses,
        "points": it.points,
    })
}

fn tell(lines: &[Line<'_>], out: &mut Out) -> Result<()> {
    let widest = lines.iter().map(|it| it.1.name.chars().count()).max().unwrap_or(0).max(6);
    out.line(format_args!(
        "{:>4} {:<widest$} {:>8} {:>8} {:>6} {:>8} {:>6}",
        "", "player", "rating", "± 95 %", "games", "points", "%"
    ))?;
    for (number, (rating, it)) in (1..).zip(lines) {
        out.line(format_args!(
            "{number:>3}. {:<widest$} {:>8.0} {:>8.0} {:>6} {:>8} {:>6.1}",
            it.name,
            rating.value,
            rating.high - rating.value,
            it.games,
            it.points,
            100.0 * it.points / it.games.max(1) as f64,
        ))?;
    }
    Ok(())
}

/// The games that count.
#[derive(Debug, Default)]
struct Book {
    numbers: BTreeMap<String, usize>,
    players: Vec<Rated>,
    met: BTreeMap<[usize; 2], HeadToHead>,
    games: u64,
    unfinished: u64,
}

impl Book {
    fn add(&mut self, record: &Record, game: Option<&str>) {
        let name = record.game.split(':').next().unwrap_or_default();
        if game.is_some_and(|it| it != name && it != record.game) {
            return;
        }
        let seats = record.players.len();
        let Some(points) = points(record).filter(|it| it.seats() == seats) else {
            self.unfinished += 1;
            return;
        };
        let names: BTreeSet<&String> = record.players.iter().collect();
        if names.len() < seats {
            // A game of a player against itself says nothing about its strength.
            self.unfinished += 1;
            return;
        }
        let numbers: Vec<usize> = record.players.iter().map(|it| self.number(it)).collect();
        for (seat, &number) in numbers.iter().enumerate() {
            self.players[number].games += 1;
            self.players[number].points += points.of(seat);
        }
        for ([one, other], points) in points.pairs() {
            self.meet([numbers[one], numbers[other]], points, weight(seats));
        }
        self.games += 1;
    }

    /// Adds a result of the first player against the second.
    fn meet(&mut self, pair: [usize; 2], points: f64, weight: f64) {
        self.players[pair[0]].score.add(points);
        self.players[pair[1]].score.add(1.0 - points);
        let (pair, points) =
            if pair[0] < pair[1] { (pair, points) } else { ([pair[1], pair[0]], 1.0 - points) };
        let met =
            self.met.entry(pair).or_insert(HeadToHead { players: pair, points: 0.0, games: 0.0 });
        met.points += weight * points;
        met.games += weight;
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.players.push(Rated { name: name.to_owned(), ..Rated::default() });
        self.numbers.insert(name.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }

    fn head_to_heads(&self) -> Vec<HeadToHead> {
        self.met.values().copied().collect()
    }
}

/// The records of a file or a folder.
fn records(file: &str) -> Result<Vec<Record>> {
    let path = Path::new(file);
    if !path.is_dir() {
        return Ok(vec![replay::read(file)?]);
    }
    let games = path.join(GAMES);
    let folder = if games.is_dir() { games } else { path.to_owned() };
    let shown = folder.display().to_string();
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read `{shown}`"))?;
    let mut files = Vec::<PathBuf>::new();
    for entry in entries {
        files.push(entry.with_context(|| format!("cannot read `{shown}`"))?.path());
    }
    files.sort();
    let mut records = Vec::new();
    for path in files.iter().filter(|it| it.extension().is_some_and(|it| it == "txt")) {
        match Record::parse(&read_text(path, LONGEST_RECORD as u64)?) {
            Ok(record) => records.push(record),
            Err(error) => note(format_args!("note: `{}`: {}", path.display(), error.message)),
        }
    }
    Ok(records)
}
