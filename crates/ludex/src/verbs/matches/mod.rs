//! `ludex match`: games between players.
//!
//! ```text
//! players ──> pairings ──> pairs of games from one opening, sides exchanged ──> score ──> table
//! ```
//!
//! One thread plays the pairs that fall to it one after the other, with players of its own, so that
//! with budgets of nodes and a seed a match is the same every time, however many games are
//! played at once.

mod game;
mod openings;

mod table;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use indicatif::ProgressBar;
use ludex_core::{Fault, Game, Random};
use ludex_search::Means;
use ludex_search::timing::GameClock;

use crate::args::{EngineArgs, FromArgs, ThinkArgs, game_clock, usual_time};
use crate::clock::RealClock;
use crate::failure::{Answer, Done, Mistake};
use crate::interrupt;
use crate::load::{Loaded, load};
use crate::output::{Out, note};
use crate::place::{Place, reach};
use crate::players::{Recipe, Thinker};
use crate::ponder::processors;
use crate::thinking::prepare;
use game::{End, Pace, Played, Terms, play};
use openings::Openings;
use table::Table;

/// How long a move takes when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_millis(200);

/// How long a player may take to get to know the game, before the first one begins.
const TIME_TO_PREPARE: Duration = Duration::from_secs(10);

/// How often to look for Ctrl-C.
const TICK: Duration = Duration::from_millis(20);

/// Where nobody looks at a progress bar, how many seconds pass between two lines.
const SECONDS_BETWEEN_LINES: f64 = 30.0;

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
  ludex match chess material my.player:depth=3 --games 10 --time 100ms

Games come in pairs: the same opening with the sides exchanged. Openings are random moves;
unless --balanced is `no`, only openings are kept that a short search thinks fair (35 to
65 % for the first player). Three players or more meet each other in a round robin, --games
for each pairing. Percentages have Wilson's 95 % interval, and so have Elo's
differences. Thinking time is wall-clock time: more games at once than there are
processors make all players weaker. With --ponder the player who is not to move thinks
about the position as well; that takes --concurrency times --threads times two
processors, and the result is not the same every time, whatever the budget."
)]
pub(crate) struct MatchArgs {
    /// A bundled game with its options, or a rules file
    game: String,

    /// The players, two or more: `auto`, `uct:c=0.7`, a player file
    #[arg(required = true, num_args = 2..)]
    players: Vec<String>,

    /// How many games every two players play against each other
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    /// A clock for the whole game and what is added for a move, instead of a time for each: `60s+1s`
    #[arg(long, value_name = "TIME[+INC]", value_parser = game_clock, conflicts_with_all = ["time", "nodes", "depth"])]
    clock: Option<GameClock>,

    /// How many random moves open a game
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=1000))]
    openings: u32,

    /// Whether to take only openings that look fair
    #[arg(long, value_name = "yes|no", default_value = "yes", value_parser = yes_or_no, action = clap::ArgAction::Set)]
    balanced: bool,

    /// How many games to play at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,

    /// A game that is not over after so many moves is a draw
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    longest: u32,

    /// Let players think on the time of their opponents, too; takes twice the processors
    #[arg(long)]
    ponder: bool,

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

/// Two games, or one where their number is odd, from the same opening.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// Who plays first in the first game, and who second.
    players: [usize; 2],
    /// Number of the opening.
    opening: u64,
    /// How many games: one or two.
    games: u32,
}

/// A game with its circumstances.
#[derive(Clone, Debug)]
struct Report {
    /// Who plays, first player first.
    players: [usize; 2],
    /// Number of the opening.
    number: u64,
    /// The opening's moves.
    opening: Vec<String>,
    /// What happened.
    played: Played,
}

/// What a thread that plays tells.
enum Message {
    /// A game is over.
    Game(Box<Report>),
    /// The rules or a player are at fault.
    Fault(Fault),
    /// The file of this player is at fault, which lost it a game.
    Lost(usize, String),
    /// What its players say of themselves.
    Players(Vec<String>),
}

/// Plays.
pub(crate) fn run(args: &MatchArgs, out: &mut Out) -> Done {
    let loaded = load(&args.game, args.engine.to_play())?;
    if loaded.game.players() != 2 {
        let message = format!("`{}` is not a game of two players", loaded.source.spec());
        return Err(Mistake::new(message).into());
    }
    let place = reach(&loaded, &loaded.game, &args.from)?;
    if place.ending(&loaded)?.is_some() {
        return Err(Mistake::new("the game is over in this position").into());
    }
    // Wrong players are told before anything is played.
    let recipes = args.players.iter().map(|it| Recipe::read(it, &loaded));
    let recipes = recipes.collect::<Result<Vec<Recipe>>>()?;
    let pairs = pairs(args.players.len(), args.games);
    if args.ponder {
        warn_if_crowded(args, &recipes, pairs.len());
    }
    interrupt::listen();
    let table = Table::new(args.players.clone());
    let hall = Hall { args, loaded: &loaded, recipes: &recipes, place: &place };
    let table = play_all(hall, &pairs, table)?;
    table.tell(out)?;
    Ok(if interrupt::happened() { Answer::Interrupted } else { Answer::Yes })
}

/// Says so if players that think at the same time take the processors from each other.
fn warn_if_crowded(args: &MatchArgs, recipes: &[Recipe], pairs: usize) {
    let threads = recipes.iter().map(|it| it.threads(args.think.means())).max().unwrap_or(1);
    let games = usize::from(args.concurrency).min(pairs);
    let (wanted, there) = (2 * threads * games, processors());
    if wanted > there {
        note(format_args!(
            "warning: --ponder keeps {wanted} threads busy and there are {there} processors: all players are weaker for it"
        ));
    }
}

/// All pairs of games: every two players meet, from the same openings.
fn pairs(players: usize, games: u32) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for opening in 0..games.div_ceil(2) {
        let games = (games - 2 * opening).min(2);
        for one in 0..players {
            for other in one + 1..players {
                // Where a pair has one game only, both come first equally often.
                pairs.push(Pair { players: [one, other], opening: u64::from(opening), games });
            }
        }
    }
    pairs
}

/// Plays all pairs on as many threads as were asked for.
fn play_all(hall: Hall<'_>, pairs: &[Pair], mut table: Table) -> Result<Table> {
    let Hall { args, loaded, .. } = hall;
    let total: u32 = pairs.iter().map(|it| it.games).sum();
    let workers = usize::from(args.concurrency).min(pairs.len());
    let flags: Vec<(AtomicBool, AtomicBool)> =
        (0..workers).map(|_| (AtomicBool::new(false), AtomicBool::new(false))).collect();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for (worker, flags) in flags.iter().enumerate() {
            let worker = Worker { hall, number: worker, workers, flags };
            let sender = sender.clone();
            scope.spawn(move || worker.run(pairs, &sender));
        }
        drop(sender);
        let stop = || {
            for (stop, enough) in &flags {
                stop.store(true, Ordering::Relaxed);
                enough.store(true, Ordering::Relaxed);
            }
        };
        collect(args, &receiver, total, &mut table, &stop)
    })
    .map_err(|fault| loaded.blame(fault))?;
    Ok(table)
}

/// Takes what the threads tell, until they are done.
fn collect(
    args: &MatchArgs,
    receiver: &Receiver<Message>,
    total: u32,
    table: &mut Table,
    stop: &dyn Fn(),
) -> Result<(), Fault> {
    let progress = ProgressBar::new(u64::from(total));
    let clock = RealClock::start();
    let mut told = 0.0;
    let mut result = Ok(());
    let mut described = false;
    // What goes wrong once goes wrong again: each fault is shown once.
    let mut blamed = BTreeSet::new();
    loop {
        if interrupt::happened() {
            stop();
        }
        match receiver.recv_timeout(TICK) {
            Ok(Message::Game(report)) => {
                table.add(*report);
                progress.inc(1);
                progress.set_message(table.short());
                if progress.is_hidden() && clock.seconds() - told > SECONDS_BETWEEN_LINES {
                    told = clock.seconds();
                    note(format_args!("{} of {total} games: {}", table.games(), table.short()));
                }
            }
            Ok(Message::Fault(fault)) => {
                stop();
                result = Err(fault);
            }
            Ok(Message::Lost(player, shown)) => {
                if blamed.insert((player, shown.clone())) {
                    let spec = &args.players[player];
                    progress.suspend(|| note(format_args!("{shown}\n`{spec}` loses the game")));
                }
            }
            Ok(Message::Players(lines)) => {
                if args.verbose && !described {
                    progress.suspend(|| lines.iter().for_each(note));
                }
                described = true;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                progress.finish_and_clear();
                return result;
            }
        }
    }
}

/// Where a match is played: what all threads share.
#[derive(Clone, Copy)]
struct Hall<'a> {
    args: &'a MatchArgs,
    loaded: &'a Loaded,
    recipes: &'a [Recipe],
    place: &'a Place,
}

/// A thread that plays some of the pairs.
#[derive(Clone, Copy)]
struct Worker<'a> {
    hall: Hall<'a>,
    /// Which thread it is, of how many.
    number: usize,
    workers: usize,
    /// Ends the match, and ends a search.
    flags: &'a (AtomicBool, AtomicBool),
}

impl Worker<'_> {
    fn run(&self, pairs: &[Pair], sender: &Sender<Message>) {
        let mut players = Vec::new();
        for (number, recipe) in self.hall.recipes.iter().enumerate() {
            // That it can be made was seen before.
            let Ok(player) = recipe.thinker(self.means(number)) else { return };
            players.push(player);
        }
        if let Err(fault) = self.prepare(&mut players) {
            let _ = sender.send(Message::Fault(fault));
            return;
        }
        for pair in pairs.iter().skip(self.number).step_by(self.workers) {
            if let Err(fault) = self.pair(*pair, &mut players, sender) {
                let _ = sender.send(Message::Fault(fault));
                return;
            }
            if self.flags.0.load(Ordering::Relaxed) {
                return;
            }
        }
        let names = self.hall.args.players.iter().zip(&players);
        let lines = names.map(|(spec, player)| format!("{spec}: {}", player.describe()));
        let _ = sender.send(Message::Players(lines.collect()));
    }

    /// Lets the players get to know the game before any clock runs.
    fn prepare(&self, players: &mut [Thinker]) -> Result<(), Fault> {
        let MatchArgs { think, clock, .. } = self.hall.args;
        for player in players.iter_mut().filter(|it| clock.is_some() || it.is_timed(think)) {
            match prepare(player, &self.hall.loaded.game, TIME_TO_PREPARE, &self.flags.1) {
                // What goes wrong goes wrong again in its first game, and loses that one.
                Err(_) if player.is_file() => {}
                other => other?,
            }
        }
        Ok(())
    }

    /// Every player of every thread draws random numbers of its own.
    fn means(&self, player: usize) -> Means {
        let means = self.hall.args.think.means();
        let seed = Random::stream(means.seed, player as u64, self.number as u64).next_u64();
        Means { seed, ..means }
    }

    fn pair(
        &self,
        pair: Pair,
        players: &mut [Thinker],
        sender: &Sender<Message>,
    ) -> Result<(), Fault> {
        let Hall { args, loaded, place, .. } = self.hall;
        let openings =
            Openings { plies: args.openings, balanced: args.balanced, seed: args.think.seed };
        let opening = openings.draw(&loaded.game, place, pair.opening)?;
        let [one, other] = pair.players;
        for turn in 0..pair.games {
            let exchanged = turn == 1 || (pair.games == 1 && pair.opening % 2 == 1);
            let [a, b] = if exchanged { [other, one] } else { [one, other] };
            let mut played = self.game(&opening, players, [a, b])?;
            if let Some(fault) = played.fault.take() {
                let loser = if played.points > 0.5 { b } else { a };
                let shown = players[loser].blame(loaded, fault);
                let _ = sender.send(Message::Lost(loser, shown.to_string()));
            }
            if played.end == End::Interrupted {
                return Ok(());
            }
            let opening = opening.moves.clone();
            let report = Report { players: [a, b], number: pair.opening, opening, played };
            if sender.send(Message::Game(Box::new(report))).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn game(
        &self,
        opening: &openings::Opening,
        players: &mut [Thinker],
        sides: [usize; 2],
    ) -> Result<Played, Fault> {
        let Hall { args, loaded, .. } = self.hall;
        let pace = match args.clock {
            Some(clock) => Pace::Clock(clock),
            None => Pace::Move(args.think, DEFAULT_TIME),
        };
        let terms = Terms {
            game: &loaded.game,
            pace,
            longest: args.longest,
            ponder: args.ponder,
            stop: &self.flags.0,
            enough: &self.flags.1,
        };
        for side in sides {
            players[side].forget();
        }
        let (low, high) = (sides[0].min(sides[1]), sides[0].max(sides[1]));
        let (before, after) = players.split_at_mut(high);
        let (first, second) = (&mut before[low], &mut after[0]);
        let pair = if sides[0] == low { [first, second] } else { [second, first] };
        play(terms, opening, pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody() {
        let pairs = pairs(3, 5);
        let games: u32 = pairs.iter().map(|it| it.games).sum();
        assert_eq!(games, 15);
        assert_eq!(pairs.iter().filter(|it| it.players == [0, 2]).count(), 3);
    }
}
