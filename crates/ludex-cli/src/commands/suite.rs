//! `ludex suite`: public test sets.

use clap::Args;
use indicatif::ProgressBar;
use ludex::Result;
use ludex_testsets::{Reaching, SetReport, Suite, SuiteEvent, SuiteRequest, TestSet};

use crate::args::{EngineArgs, PlayerArgs, SearchArgs, usual_time};
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::output::{Out, note};

/// The number of skipped lines of a file that are reported one by one.
const SHOWN_SKIPS: u64 = 20;

/// Arguments of `suite`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", usual_time("1s")),
    after_help = "\
Examples:
  ludex suite data/connect4/Test_L3_R1.txt --nodes 100000
  ludex suite data/chess/*.epd data/chess/mates.tsv --time 1s --threads 2
  ludex suite data/othello/ffo-20-39.obf --player uct --nodes 10000 --json
  ludex suite data/chess/perft_standard.epd --nodes 1000000
  ludex suite positions.epd --game ./my-chess.game
  ludex suite data/go/gnugo_reading.tsv --nodes 10000
  printf '1\\tattack C3\\t9\\tB4 B3 C2\\tC3\\t1 D3\\n' > ladder.tsv
  ludex suite ladder.tsv --nodes 10000

Formats: connect-four move strings with a score, Othello OBF, chess mates and EPD with bm, am
and dm, Hex puzzles and openings, Lines of Action wins, counts of move sequences, and Go reading:
a number, the question (`attack C3`, `defend C3`), the size of the board, black stones, white
stones and the answer (1 yes, 0 no, 2 and 3 by ko), with tabs between them.

A case that is not solved is no error; `wrong` counts false claims of a proof and counts of moves
that differ. Exit code 1 if there is any. Sequences of moves are counted as far as --nodes allows
(5000000), and captures are searched by threats, without a player. With --judge another player
searches the moves that are not proved: `kept` and `errors` count those that keep the value of the
position and those that do not."
)]
pub(crate) struct SuiteArgs {
    /// Files of test cases; their format is recognised by their lines
    #[arg(required = true)]
    files: Vec<String>,

    /// The game, where it is not the usual one of the format: `chess:castling=no`, a rules file
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// At most this many cases of each file
    #[arg(long, value_name = "N")]
    cases: Option<u64>,

    /// List each case with its answer; with --json in `results`
    #[arg(long)]
    each: bool,

    /// Another player, which finds out whether the chosen move keeps the value of the position
    #[arg(long, value_name = "SPEC")]
    judge: Option<String>,

    /// Its node budget for a move
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    judge_nodes: u64,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the sets.
pub(crate) fn run(args: &SuiteArgs, out: &mut Out) -> Done {
    let stop = interrupt::token();
    let mut suite = Suite::new(args.request(), stop.clone())?;
    let mut wrong = 0;
    if !out.is_json() {
        out.line(format_args!(
            "{:>7} {:>7} {:>7} {:>7} {:>14} {:>10}  file",
            "cases", "solved", "wrong", "skipped", "nodes", "seconds"
        ))?;
    }
    for file in &args.files {
        let report = run_set(args, &mut suite, &TestSet::read(file)?);
        print(&report, out)?;
        wrong += report.wrong;
        if stop.is_stopped() {
            return Ok(Answer::Interrupted);
        }
    }
    if let Some(description) = suite.describe().filter(|_| args.player.verbose) {
        note(format_args!("{}: {description}", args.player.spec()));
    }
    Ok(if wrong == 0 { Answer::Yes } else { Answer::No })
}

impl SuiteArgs {
    fn request(&self) -> SuiteRequest {
        SuiteRequest {
            player: self.player.spec().to_owned(),
            judge: self.judge.clone(),
            judge_nodes: self.judge_nodes,
            game: self.game.clone(),
            engine: self.engine.to_play(),
            options: self.search.options(),
            limits: self.search.limits(None),
            cases: self.cases,
            lists_cases: self.each,
        }
    }
}

/// Runs a set, with a bar that shows how far it is.
fn run_set(args: &SuiteArgs, suite: &mut Suite, set: &TestSet) -> SetReport {
    let (file, lines) = (&set.file, set.len() as u64);
    let bar = ProgressBar::new(args.cases.unwrap_or(lines).min(lines));
    let mut skipped = 0;
    let report = suite.run(set, &mut |event| match event {
        SuiteEvent::Line => bar.inc(1),
        SuiteEvent::Wrong { line, reason } => {
            bar.suspend(|| note(format_args!("{file}:{line}: wrong: {reason}")));
        }
        SuiteEvent::Skipped { line, reason } => {
            skipped += 1;
            if skipped <= SHOWN_SKIPS {
                bar.suspend(|| note(format_args!("{file}:{line}: skipped: {reason}")));
            }
        }
    });
    bar.finish_and_clear();
    if skipped > SHOWN_SKIPS {
        note(format_args!("{file}: {} more lines were skipped", skipped - SHOWN_SKIPS));
    }
    report
}

fn print(report: &SetReport, out: &mut Out) -> Result<()> {
    if out.is_json() {
        return Ok(out.json(report)?);
    }
    for case in &report.results {
        out.line(case)?;
    }
    let SetReport { cases, solved, wrong, skipped, nodes, seconds, file, criterion, .. } = report;
    out.line(format_args!(
        "{cases:>7} {solved:>7} {wrong:>7} {skipped:>7} {nodes:>14} {seconds:>10.2}  {file}"
    ))?;
    out.line(format_args!("        {criterion}"))?;
    if report.kept + report.errors > 0 {
        out.line(format_args!(
            "        {} moves are known to keep the value, {} to lose it",
            report.kept, report.errors
        ))?;
    }
    if let Some(Reaching { provable, unknown, apart, apart_proved }) = report.reaching {
        out.line(format_args!(
            "        {provable} can be proved at best; {unknown} unknown; {apart} cases of ko apart, \
             {apart_proved} of them proved"
        ))?;
    }
    Ok(())
}
