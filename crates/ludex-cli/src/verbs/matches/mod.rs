//! `ludex match`: games between players.
//!
//! ```text
//! players ──> fixtures ──> pairs of games from one opening, sides exchanged ──> score ──> table
//! ```
//!
//! What happens in a game follows from its number and the seed, so that with budgets of nodes a
//! match is the same every time, however many games are played at once; that holds for the end of
//! a sequential test as well, which looks at the pairs in their order and not as they end.

mod shares;
mod shelf;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use ludex_arena::adjudication::{Adjudication, Rule};
use ludex_arena::hall::match_fixtures;
use ludex_arena::seating::count_groups;
use ludex_arena::statistics::{Pairs, Sprt, SprtState};
use ludex_arena::{End, Event, Fixture, Flow, Hall, News, Opening, Openings, Pace, Played, Terms};
use ludex_core::Game;
use ludex_search::timing::GameClock;

use crate::arena::{House, OpeningWish, Progress, opening_wish};
use crate::args::{EngineArgs, FromArgs, ThinkArgs, duration, game_clock, usual_time};
use crate::engine::Engine;
use crate::failure::{Answer, Done, Mistake};
use crate::interrupt;
use crate::load::{Loaded, load};
use crate::output::{Out, note};
use crate::place::reach;
use crate::players::{Entrant, titles};
use crate::ponder::processors;
use shelf::Shelf;
use table::{Report, Table};

/// How long a move takes when nothing is said.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_millis(200);

/// How many games there are when nothing is said.
const DEFAULT_GAMES: u32 = 20;

/// The most games of a match between groups of more than two.
const MOST_GAMES: u64 = 10_000_000;

/// After how many games a sequential test that decides nothing is given up.
const MOST_TESTED: u32 = 100_000;

/// Arguments of `match`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", usual_time("200ms")),
    after_help = "\
Examples:
  ludex match breakthrough uct uct:c=0.5 --games 100 --time 200ms
  ludex match connect4 auto uct --games 200 --openings 4 --seed 1 --json
  ludex match hex:7 uct:c=0.4 uct:c=0.7 uct:c=1.4 --games 40 --nodes 2000
  ludex match othello auto uct --clock 60s+1s --games 20
  ludex match hex:7 auto uct --clock 30s --ponder
  ludex match connect4 uct:c=0.5 uct --sprt 0,10 --nodes 500 --concurrency 2
  ludex match othello auto uct --openings lines.txt --save games --resign 0.95,3
  ludex match chess material my.player:depth=3 --games 10 --time 100ms
  ludex match chess 'cmd:stockfish,nodes=1000,name=Fish' auto --games 10
  ludex match tictactoe3 uct uct:c=0.5 random --games 30 --nodes 500
  ludex match go:9 'cmd:gnugo --mode gtp --chinese-rules,time=5s' auto --games 10

Games come in pairs: the same opening with the sides exchanged. Openings are random moves;
unless --balanced is `no`, only openings are kept that a short search thinks fair (35 to
65 % for the first player). A file of openings has one on each line: moves, or `position: TEXT`
and after ` : ` moves from there. Three players or more meet each other in a round robin,
--games for each pairing. Percentages have Wilson's 95 % interval, and so have Elo's
differences; pairs of games give another, better one, how likely the first is the stronger, and
with --sprt a sequential test between two differences in normalised Elo, which ends the match
(docs/arena.md). A player that fails loses the game and the match goes on.

In a game for more than two, every group of as many players plays sets of games from the same
opening, in which everybody sits everywhere once; --games is rounded up to whole sets. Points
are shared: the part of the others one is ahead of, with half for whoever is level.

A program from outside is `cmd:` and its command, then options after commas: protocol= (ugi,
uci, usi, cecp, gtp or gomocup), name=, nodes=, depth=, time=, option.NAME=VALUE and others
(docs/outside-programs.md).

Thinking time is wall-clock time: more games at once than there are
processors make all players weaker. With --ponder the player who is not to move thinks
about the position as well; that takes --concurrency times --threads times two
processors, and the result is not the same every time, whatever the budget."
)]
pub(crate) struct MatchArgs {
    /// A bundled game with its options, or a rules file
    game: String,

    /// The players, two or more: `auto`, `uct:c=0.7`, a player file, a program `cmd:./prog args,protocol=uci`
    #[arg(required = true, num_args = 2..)]
    players: Vec<String>,

    /// How many games every two players, or every group, play against each other [default: 20; with --sprt, until it is decided]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,

    /// A clock for the whole game and what is added for a move, instead of a time for each: `60s+1s`
    #[arg(long, value_name = "TIME[+INC]", value_parser = game_clock, conflicts_with_all = ["time", "nodes", "depth"])]
    clock: Option<GameClock>,

    /// How many random moves open a game; or `none`, or a file of openings
    #[arg(long, value_name = "N|none|FILE", default_value = "4", value_parser = opening_wish)]
    openings: OpeningWish,

    /// Whether to take only openings that look fair
    /// [default: yes, in games of two players]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no, action = clap::ArgAction::Set)]
    balanced: Option<bool>,

    /// How many games to play at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,

    /// A game that is not over after so many moves is a draw
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    longest: u32,

    /// Let players think on the time of their opponents, too; takes twice the processors
    #[arg(long)]
    ponder: bool,

    /// Stop as soon as a test between two differences in normalised Elo is decided: `0,5`
    #[arg(long, value_name = "LOW,HIGH", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// End a game that both players have called decided, at least so far from even (0 to 1), in so many moves in a row
    #[arg(long, value_name = "VALUE,MOVES", value_parser = resign_rule)]
    resign: Option<Rule>,

    /// End a game as a draw that both have called even, at most so far from it, in so many moves in a row, after so many moves
    #[arg(long, value_name = "VALUE,MOVES[,AFTER]", value_parser = draw_rule)]
    draw: Option<Rule>,

    /// A move that takes so much longer than --time loses the game
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "time")]
    grace: Option<Duration>,

    /// Save the record of every game in this folder
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,

    #[command(flatten)]
    from: FromArgs,

    #[command(flatten)]
    think: ThinkArgs,

    #[command(flatten)]
    engine: EngineArgs,

    /// Say what the players are, and why
    #[arg(short, long)]
    verbose: bool,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("`yes` or `no` is wanted".to_owned()),
    }
}

/// Reads two differences in normalised Elo: `0,5`.
fn sprt(text: &str) -> Result<Sprt, String> {
    let wrong = || "two differences in normalised Elo are wanted, as in `0,5`".to_owned();
    let (low, high) = text.split_once(',').ok_or_else(wrong)?;
    let read = |it: &str| it.trim().parse().ok().filter(|it: &f64| it.is_finite());
    let (low, high) = (read(low).ok_or_else(wrong)?, read(high).ok_or_else(wrong)?);
    if low >= high {
        return Err("the first difference has to be less than the second".to_owned());
    }
    Ok(Sprt::new(low, high))
}

/// Reads `0.95,3`: how far from even, and in how many moves.
pub(crate) fn resign_rule(text: &str) -> Result<Rule, String> {
    let wanted = "a value from 0 to 1 and a number of moves are wanted, as in `0.95,3`";
    Rule::read_any_time(text).ok_or_else(|| wanted.to_owned())
}

/// Reads `0.02,6,40`: how far from even, in how many moves, after how many.
pub(crate) fn draw_rule(text: &str) -> Result<Rule, String> {
    let wanted = "a value from 0 to 1 and one or two numbers are wanted, as in `0.02,6,40`";
    Rule::read(text).ok_or_else(|| wanted.to_owned())
}

impl MatchArgs {
    fn pace(&self) -> Pace {
        let ThinkArgs { time, nodes, depth, .. } = self.think;
        let said = self.clock.is_some() || time.is_some() || nodes.is_some();
        let usual = (!said).then_some(DEFAULT_TIME);
        Pace { per_move: time, usual, clock: self.clock, nodes, depth, grace: self.grace }
    }

    /// How many games a pairing has at most.
    fn games(&self) -> u32 {
        self.games.unwrap_or(if self.sprt.is_some() { MOST_TESTED } else { DEFAULT_GAMES })
    }
}

/// Plays.
pub(crate) fn run(args: &MatchArgs, out: &mut Out) -> Done {
    let loaded = load(&args.game, args.engine.to_play())?;
    check_players(args, &loaded)?;
    let from = beginning(args, &loaded)?;
    // Wrong players are told before anything is played.
    let entrants = args.players.iter().map(|it| Entrant::read(it, &loaded));
    let entrants = vec![entrants.collect::<Result<Vec<Entrant>>>()?];
    let seats = loaded.game.players();
    let openings = args.openings.made(&loaded.game, args.balanced.unwrap_or(seats == 2))?;
    let fixtures = match_fixtures(args.players.len(), seats, args.games());
    if args.ponder {
        warn_if_crowded(args, &entrants[0], fixtures.len());
    }
    let shelf = Shelf::open(args.save.as_deref())?;
    interrupt::listen();
    let games = [loaded];
    let (means, pace) = (args.think.means(), args.pace());
    let house = House { games: &games, entrants: &entrants, means, pace };
    let (table, saved) = play_all(args, &house, (from, openings), &fixtures, shelf)?;
    let decided = table.sprt_state();
    table.tell(out)?;
    saved?;
    Ok(match decided {
        _ if interrupt::happened() => Answer::Interrupted,
        Some(SprtState::Open) => Answer::Undecided,
        _ => Answer::Yes,
    })
}

/// Says so if these players cannot play this game as is asked.
fn check_players(args: &MatchArgs, loaded: &Loaded) -> Result<()> {
    let (game, seats, players) = (loaded.source.spec(), loaded.game.players(), args.players.len());
    let mistake = |message: String| Err(Mistake::new(message).into());
    if seats < 2 {
        return mistake(format!("nobody plays against anybody in `{game}`, a game of one player"));
    }
    if args.sprt.is_some() && players != 2 {
        return mistake("`--sprt` is a test between two players".to_owned());
    }
    if players < seats {
        let message = format!("`{game}` is a game of {seats} players, and there are {players}");
        return Err(Mistake::with_help(message, "one may be named several times").into());
    }
    if seats == 2 {
        return Ok(());
    }
    let for_two = [
        ("--resign", args.resign.is_some()),
        ("--draw", args.draw.is_some()),
        ("--balanced yes", args.balanced == Some(true)),
    ];
    if let Some((option, _)) = for_two.iter().find(|it| it.1) {
        return mistake(format!("`{option}` is for games of two players; `{game}` has {seats}"));
    }
    if count_groups(players, seats).saturating_mul(args.games().into()) > MOST_GAMES {
        return mistake(format!("{players} players make too many groups of {seats}"));
    }
    Ok(())
}

/// Where all games begin.
fn beginning(args: &MatchArgs, loaded: &Loaded) -> Result<Opening<Engine>> {
    // What is wrong with a position or a move is told in the same words everywhere.
    let place = reach(loaded, &loaded.game, &args.from)?;
    if place.ending(loaded)?.is_some() {
        return Err(Mistake::new("the game is over in this position").into());
    }
    let mut from = match &args.from.position {
        Some(text) => Opening::from_position(&loaded.game, text),
        None => Ok(Opening::none(&loaded.game)),
    };
    for name in args.from.moves.as_deref().unwrap_or_default().split_whitespace() {
        from = from.and_then(|mut it| it.play_named(&loaded.game, name).map(|()| it));
    }
    from.map_err(|it| Mistake::new(it.message).into())
}

/// Says so if players that think at the same time take the processors from each other.
fn warn_if_crowded(args: &MatchArgs, entrants: &[Entrant], fixtures: usize) {
    let threads = entrants.iter().map(|it| it.threads(args.think.means())).max().unwrap_or(1);
    let games = usize::from(args.concurrency).min(fixtures);
    let (wanted, there) = (2 * threads * games, processors());
    if wanted > there {
        note(format_args!(
            "warning: --ponder keeps {wanted} threads busy and there are {there} processors: all players are weaker for it"
        ));
    }
}

/// Plays all games, as many at once as were asked for: the results, and whether they were saved.
fn play_all(
    args: &MatchArgs,
    house: &House<'_>,
    (from, openings): (Opening<Engine>, Openings<Engine>),
    fixtures: &[Fixture],
    shelf: Shelf,
) -> Result<(Table, Result<()>)> {
    let loaded = &house.games[0];
    let stop = AtomicBool::new(false);
    let adjudication = Adjudication { resign: args.resign, draw: args.draw };
    let (longest, ponder) = (args.longest, args.ponder);
    let terms =
        Terms { game: &loaded.game, pace: house.pace, longest, adjudication, ponder, stop: &stop };
    let events = [Event { terms, from, openings }];
    let (tables, seed) = (usize::from(args.concurrency), args.think.seed);
    let hall = Hall { events: &events, host: house, tables, seed, stop: &stop };
    let mut desk = Desk::new(args, house, shelf, fixtures.len() as u64);
    let played = hall.play(fixtures, |news| desk.hear(news));
    desk.progress.finish();
    played.map_err(|it| loaded.blame(it.fault))?;
    Ok((desk.table, desk.saved))
}

/// Takes down what happens.
struct Desk<'a> {
    args: &'a MatchArgs,
    house: &'a House<'a>,
    /// What the players are called.
    names: Vec<String>,
    table: Table,
    progress: Progress,
    test: Option<Test>,
    described: bool,
    shelf: Shelf,
    saved: Result<()>,
}

impl<'a> Desk<'a> {
    fn new(args: &'a MatchArgs, house: &'a House<'a>, shelf: Shelf, total: u64) -> Self {
        let names = titles(&args.players, &house.entrants[0]);
        Self {
            args,
            house,
            table: Table::new(names.clone(), house.games[0].game.players(), args.sprt),
            names,
            progress: Progress::new(total, 0),
            test: args.sprt.map(Test::new),
            described: false,
            shelf,
            saved: Ok(()),
        }
    }

    fn hear(&mut self, news: News) -> Flow {
        match news {
            News::Over(fixture, played) => return self.over(fixture, *played),
            News::Players(lines) if self.args.verbose && !self.described => {
                self.described = true;
                for (entrant, line) in lines {
                    self.progress.say(format_args!("{}: {line}", self.names[entrant]));
                }
            }
            News::Players(_) | News::Nothing => {}
        }
        if interrupt::happened() { Flow::Stop } else { Flow::GoOn }
    }

    fn over(&mut self, fixture: Fixture, played: Played) -> Flow {
        if let End::Failed(seat, failure) = &played.end {
            let entrant = fixture.entrants[*seat];
            let shown = self.house.entrants[0][entrant].blame(&self.house.games[0], failure);
            let name = &self.names[entrant];
            self.progress.say_once(format!("{shown}\n`{name}` loses the game"));
        }
        if self.saved.is_ok() {
            let game = &self.house.games[0];
            self.saved = self.shelf.save(&fixture, &played, game, &self.names);
        }
        let (number, points) = (fixture.number, played.points.of(0));
        self.table.add(Report { fixture, played });
        let table = &self.table;
        self.progress.game(|| table.short());
        if self.saved.is_err() || interrupt::happened() {
            return Flow::Stop;
        }
        let Some(test) = &mut self.test else { return Flow::GoOn };
        match test.add(number, points) {
            Some(games) => {
                self.keep_first(games);
                Flow::Stop
            }
            None => Flow::GoOn,
        }
    }

    /// The first so many games have decided the test: what else was played does not count.
    fn keep_first(&mut self, games: u64) {
        for number in self.table.keep_first(games) {
            self.shelf.remove(number);
        }
    }
}

/// A sequential test that looks at pairs in their order, whenever they end.
struct Test {
    sprt: Sprt,
    /// Points of the first entrant in games that cannot be looked at yet.
    waiting: BTreeMap<u64, f64>,
    pairs: Pairs,
    /// How many games have been looked at.
    seen: u64,
    decided: bool,
}

impl Test {
    fn new(sprt: Sprt) -> Self {
        let (waiting, pairs) = (BTreeMap::new(), Pairs::default());
        Self { sprt, waiting, pairs, seen: 0, decided: false }
    }

    /// Adds a game; after how many games the test was decided, if this decides it.
    fn add(&mut self, number: u64, points_of_first_seat: f64) -> Option<u64> {
        // In the second game of a pair the sides are exchanged.
        let exchanged = number % 2 == 1;
        let points = if exchanged { 1.0 - points_of_first_seat } else { points_of_first_seat };
        self.waiting.insert(number, points);
        while !self.decided {
            let (one, other) = (self.waiting.get(&self.seen)?, self.waiting.get(&(self.seen + 1))?);
            self.pairs.add(one + other);
            self.waiting.remove(&self.seen);
            self.waiting.remove(&(self.seen + 1));
            self.seen += 2;
            self.decided = self.sprt.state(self.pairs) != SprtState::Open;
        }
        Some(self.seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_looks_at_pairs_in_their_order() {
        let results =
            |number: u64| if number.is_multiple_of(2) { 1.0 } else { f64::from(number % 6 == 1) };
        let decided = |order: &[u64]| {
            let mut test = Test::new(Sprt::new(0.0, 200.0));
            order.iter().find_map(|&it| test.add(it, results(it)))
        };
        let order: Vec<u64> = (0..200).collect();
        let mut shuffled = order.clone();
        shuffled.chunks_mut(5).for_each(<[u64]>::reverse);
        let games = decided(&order);
        assert!(games.is_some_and(|it| it > 2 && it < 200), "{games:?}");
        assert_eq!(games, decided(&shuffled));
    }

    #[test]
    fn rules_are_read() {
        assert_eq!(resign_rule("0.95,3"), Ok(Rule { value: 0.95, moves: 3, after: 0 }));
        assert_eq!(draw_rule("0.02, 6, 40"), Ok(Rule { value: 0.02, moves: 6, after: 40 }));
        for text in ["", "1", "2,3", "0.5,0", "0.5,x", "NaN,3", "0.9,3,4", "0.9,3,0"] {
            assert!(resign_rule(text).is_err(), "{text}");
        }
        assert!(draw_rule("0.5,3,4,5").is_err() && draw_rule("0.5").is_err());
        assert!(sprt("0,2").is_ok() && sprt("2,0").is_err() && sprt("0").is_err());
        assert!(sprt("-1.75,0.25").is_ok() && sprt("NaN,1").is_err());
    }
}
