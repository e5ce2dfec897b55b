//! `ludex match`: games between players.
//!
//! ```text
//! players ──> fixtures ──> pairs of games from one opening, sides exchanged ──> score ──> table
//! ```
//!
//! A game depends on its number and the seed alone, so that with node budgets a match is the same every
//! time, at every concurrency. So is the end of a sequential test, which takes the pairs in their order
//! and not as they end.

mod table;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ludex::Result;
use ludex::game::LoadedGame;
use ludex::matches::{
    Match, MatchEvent, MatchFailure, MatchReport, MatchRequest, OpeningSource, RecordFolder,
    opening_source,
};
use ludex::ponder::processors;
use ludex_arena::TimeControl;
use ludex_arena::adjudication::{Adjudication, Rule};
use ludex_arena::statistics::Sprt;
use ludex_search::timing::GameClock;

use crate::args::{EngineArgs, FromArgs, SearchArgs, duration, game_clock, now, usual_time};
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::load;
use crate::output::{Out, note};
use crate::progress::Progress;

/// The default time of a move.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_millis(200);

/// The default number of games.
const DEFAULT_GAMES: u32 = 20;

/// The number of games after which an undecided sequential test ends.
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
unless --balanced is `no`, a short search keeps only fair ones (35 to 65 % for the first
player). A file of openings has one on each line: moves, or `position: TEXT` and after ` : `
moves from there. Three players or more play a round robin, --games for each pairing.

Percentages and Elo differences have Wilson 95 % intervals. The result line of two players,
`Elo +12.3 ± 8.1, LOS 99.8 %, LLR 2.95 [0, 5] H1 accepted`, has the interval of the pairs, the
likelihood of superiority (LOS) of the first player, and with --sprt the log-likelihood ratio
(LLR) of a sequential test between two differences in normalised Elo, which ends the match
(docs/guide/matches.md). A player that fails loses the game and the match goes on.

In a game for more than two players every group of players plays sets of games from the same
opening, in which each player has each seat once; --games is rounded up to whole sets. The
points of a player are the part of its opponents behind it; a level one counts half.

An external engine is `cmd:` and its command, then options after commas: protocol= (ugi, uci,
usi, cecp, gtp or gomocup), name=, nodes=, depth=, time=, option.NAME=VALUE and others
(docs/guide/external-engines.md).

Thinking time is wall-clock time: more games at once than processors make all players weaker.
With --ponder the player who is not to move searches the position as well; that takes
--concurrency times --threads times two processors, and the match is not repeatable, even
with a node budget."
)]
pub(crate) struct MatchArgs {
    /// A bundled game with its options, or a rules file
    game: String,

    /// The players, two or more: `auto`, `uct:c=0.7`, a player file, an external engine `cmd:./prog args,protocol=uci`
    #[arg(required = true, num_args = 2..)]
    players: Vec<String>,

    /// Number of games of every two players, or of every group [default: 20; with --sprt, until it is decided]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,

    /// A clock for the whole game and an increment for each move, instead of a time for each move: `60s+1s`
    #[arg(long, value_name = "TIME[+INC]", value_parser = game_clock, conflicts_with_all = ["time", "nodes", "depth"])]
    clock: Option<GameClock>,

    /// Number of random moves of the opening; or `none`, or a file of openings
    #[arg(long, value_name = "N|none|FILE", default_value = "4", value_parser = opening_source)]
    openings: OpeningSource,

    /// Whether to keep only openings that a short search scores as fair
    /// [default: yes, in games of two players]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no, action = clap::ArgAction::Set)]
    balanced: Option<bool>,

    /// Number of games at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,

    /// Move limit: a game of this many moves is a draw
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    longest: u32,

    /// Let players search on the time of their opponents as well; takes twice the processors
    #[arg(long)]
    ponder: bool,

    /// Stop as soon as a test between two differences in normalised Elo is decided: `0,5`
    #[arg(long, value_name = "LOW,HIGH", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// Adjudicate a loss when both players report it: least score from even (0 to 1), number of moves in a row
    #[arg(long, value_name = "VALUE,MOVES", value_parser = resign_rule)]
    resign: Option<Rule>,

    /// Adjudicate a draw when both players report it: greatest score from even, number of moves in a row, moves before
    #[arg(long, value_name = "VALUE,MOVES[,AFTER]", value_parser = draw_rule)]
    draw: Option<Rule>,

    /// A move that overruns --time by more than this forfeits the game
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "time")]
    grace: Option<Duration>,

    /// Save the record of every game in this folder
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,

    #[command(flatten)]
    from: FromArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    engine: EngineArgs,

    /// Describe the players
    #[arg(short, long)]
    verbose: bool,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("`--balanced` takes `yes` or `no`".to_owned()),
    }
}

/// Reads two differences in normalised Elo: `0,5`.
fn sprt(text: &str) -> Result<Sprt, String> {
    let wrong = || "`--sprt` takes two differences in normalised Elo, as in `0,5`".to_owned();
    let (low, high) = text.split_once(',').ok_or_else(wrong)?;
    let read = |it: &str| it.trim().parse().ok().filter(|it: &f64| it.is_finite());
    let (low, high) = (read(low).ok_or_else(wrong)?, read(high).ok_or_else(wrong)?);
    if low >= high {
        return Err("the first difference has to be less than the second".to_owned());
    }
    Ok(Sprt::new(low, high))
}

/// Reads `0.95,3`: distance from even, number of moves.
pub(crate) fn resign_rule(text: &str) -> Result<Rule, String> {
    let usage = "`--resign` takes a value from 0 to 1 and a number of moves, as in `0.95,3`";
    Rule::read_any_time(text).ok_or_else(|| usage.to_owned())
}

/// Reads `0.02,6,40`: distance from even, number of moves, moves before it.
pub(crate) fn draw_rule(text: &str) -> Result<Rule, String> {
    let usage = "`--draw` takes a value from 0 to 1 and one or two numbers, as in `0.02,6,40`";
    Rule::read(text).ok_or_else(|| usage.to_owned())
}

impl MatchArgs {
    fn time_control(&self) -> TimeControl {
        let SearchArgs { time, nodes, depth, .. } = self.search;
        let is_set = self.clock.is_some() || time.is_some() || nodes.is_some();
        let default_time = (!is_set).then_some(DEFAULT_TIME);
        TimeControl {
            per_move: time,
            default_time,
            clock: self.clock,
            nodes,
            depth,
            grace: self.grace,
        }
    }

    fn request(&self) -> MatchRequest {
        MatchRequest {
            players: self.players.clone(),
            games: self.games(),
            time_control: self.time_control(),
            options: self.search.options(),
            openings: self.openings.clone(),
            balanced: self.balanced,
            position: self.from.position.clone(),
            moves: self.from.moves.clone().unwrap_or_default(),
            concurrency: usize::from(self.concurrency),
            longest: self.longest,
            ponder: self.ponder,
            adjudication: Adjudication { resign: self.resign, draw: self.draw },
            sprt: self.sprt,
        }
    }

    /// The most games of a pairing.
    fn games(&self) -> u32 {
        self.games.unwrap_or(if self.sprt.is_some() { MOST_TESTED } else { DEFAULT_GAMES })
    }
}

/// Plays.
pub(crate) fn run(args: &MatchArgs, out: &mut Out) -> Done {
    let loaded = load(&args.game, args.engine.to_play())?;
    let to_play = Match::new(&loaded, args.request())?;
    let mut folder = RecordFolder::open(args.save.as_deref(), now())?;
    let mut progress = Progress::new(0, 0);
    let mut names = Vec::new();
    let played = to_play.play(interrupt::token(), &mut |event| {
        observe(args, &loaded, event, (&mut names, &mut progress, &mut folder))
    });
    progress.finish();
    let report = match played {
        Ok(report) => report,
        Err(MatchFailure { error, report }) => {
            // The games that were played count. An error of the output is not what went wrong.
            if let Some(report) = report {
                let _ = print(&report, out);
            }
            return Err(error);
        }
    };
    print(&report, out)?;
    Ok(match &report.sprt {
        _ if interrupt::happened() => Answer::Interrupted,
        Some(test) if !test.is_decided() => Answer::Undecided,
        _ => Answer::Yes,
    })
}

fn print(report: &MatchReport, out: &mut Out) -> Result<()> {
    if out.is_json() { Ok(out.json(report)?) } else { table::print(report, out) }
}

/// Shows what happens, and saves the games.
fn observe(
    args: &MatchArgs,
    loaded: &LoadedGame,
    event: MatchEvent<'_>,
    (names, progress, folder): (&mut Vec<String>, &mut Progress, &mut RecordFolder),
) -> Result<()> {
    match event {
        MatchEvent::Begins { players, games, threads } => {
            *names = players.to_vec();
            *progress = Progress::new(games, 0);
            warn_if_crowded(args, threads, games as usize);
        }
        MatchEvent::Player { name, description } if args.verbose => {
            progress.say(format_args!("{name}: {description}"));
        }
        MatchEvent::Player { .. } => {}
        MatchEvent::Failed { name, reason } => {
            progress.say_once(format!("{reason}\n`{name}` loses the game"));
        }
        MatchEvent::Game { fixture, played, score } => {
            folder.save(fixture, played, loaded, names)?;
            progress.game(|| score.to_owned());
        }
        MatchEvent::Discarded(numbers) => numbers.iter().for_each(|&it| folder.remove(it)),
    }
    Ok(())
}

/// Warns if --ponder needs more processors than there are.
fn warn_if_crowded(args: &MatchArgs, threads: usize, games: usize) {
    let games = usize::from(args.concurrency).min(games);
    let (wanted, there) = (2 * threads * games, processors());
    if args.ponder && wanted > there {
        note(format_args!(
            "warning: --ponder keeps {wanted} threads busy on {there} processors: all players are weaker"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
