//! `ludex tournament`: a tournament from a small text file, which can resume.

use std::path::PathBuf;

use clap::Args;
use ludex::tournament::{Tournament, TournamentEvent, TournamentRequest};

use crate::args::{EngineArgs, now};
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::output::{Out, note};
use crate::progress::Progress;

/// Arguments of `tournament`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex tournament club.txt
  ludex tournament club.txt --folder results --concurrency 2
  ludex tournament club.txt --json

A tournament file has lines of a key and a value:
  name      Club championship
  game      connect4               several games may be played
  player    Ann uct:c=0.7          a name and a player
  player    \"Bob Lee\" alphabeta
  player    Old cmd:./prog args,protocol=ugi    an external engine (docs/guide/external-engines.md)
  published Ann 24                 points of another table, shown beside ours
  kind      double round-robin     or round-robin, gauntlet, swiss 5, knockout
  games     2                      in each pairing, of each game
  scoring   2 1 0                  for a win, a draw and a loss
  nodes     1000                   or time 200ms, clock 5m+1s, depth 4
  openings  balanced 4             or none, random 4, file lines.txt
  longest   200                    the move limit: then a draw
and concurrency, seed, resign, draw, grace, ponder, threads, memory; see docs/guide/matches.md.

Every game is saved in the folder as it ends. An interrupted run resumes when the same
command is given again; a file that was changed meanwhile is refused. The folder gets a
report, report.html, with every game move by move.")]
pub(crate) struct TournamentArgs {
    /// The tournament file
    file: PathBuf,

    /// Where the games are saved [default: beside the file, with the ending `.run`]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Number of games at once [default: as the file says, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Plays the remaining games.
pub(crate) fn run(args: &TournamentArgs, out: &mut Out) -> Done {
    let tournament = Tournament::open(&TournamentRequest {
        folder: args.folder.clone(),
        concurrency: args.concurrency,
        engine: args.engine.to_play(),
        now: now(),
        ..TournamentRequest::new(&args.file)
    })?;
    let mut progress: Option<Progress> = None;
    let played = tournament.play(interrupt::token(), &mut |event| show(event, &mut progress));
    if let Some(progress) = &progress {
        progress.finish();
    }
    let report = played?;
    out.result(&report)?;
    if !out.is_json() {
        out.line(format_args!("\nreport: {}", report.report))?;
    }
    Ok(if interrupt::happened() { Answer::Interrupted } else { Answer::Yes })
}

/// Shows what happens.
fn show(event: TournamentEvent<'_>, progress: &mut Option<Progress>) {
    match (event, progress) {
        (TournamentEvent::Interpreted(reason), _) => {
            note(format_args!("note: {reason}; interpreting instead"));
        }
        (TournamentEvent::Damaged(path), _) => note(format_args!(
            "note: `{}` is not the whole record of a game: it is played again",
            path.display()
        )),
        (TournamentEvent::Begins { played, expected }, progress) => {
            if played > 0 {
                note(format_args!("{played} of {expected} games were played already"));
            }
            *progress = Some(Progress::new(expected, played));
        }
        (TournamentEvent::Expected(expected), Some(progress)) => progress.expect(expected),
        (TournamentEvent::Failed { name, reason }, Some(progress)) => {
            progress.say_once(format!("{reason}\n`{name}` loses the game"));
        }
        (TournamentEvent::Game(leaders), Some(progress)) => progress.game(|| leaders.to_owned()),
        (_, None) => {}
    }
}
