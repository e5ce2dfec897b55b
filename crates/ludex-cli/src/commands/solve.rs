//! `ludex solve`: what a position is worth, proved; and certificates, which are verified by the
//! rules alone.

use std::path::{Path, PathBuf};

use clap::Args;
use ludex::Result;
use ludex::clock::{RealClock, per_second};
use ludex::files::{read_text, write_whole};
use ludex::game::LoadedGame;
use ludex::solve::{
    Certificate, SolveEvent, SolveMethod, SolveRequest, VerifyRequest, solve, verify,
};
use ludex_core::{GameExt, Limits, Position};

use crate::args::{PositionArgs, SearchArgs};
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::{GoalArgs, open_goal};
use crate::output::{Out, note};
use crate::progress::spinner;

/// The largest certificate that is read, in bytes.
const LARGEST_CERTIFICATE: u64 = 1 << 30;

/// Arguments of `solve`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", |it| it.help("Time limit: `5s`, `10m` [default: none]")),
    mut_arg("nodes", |it| it.help("Node budget, in positions whose moves are listed [default: none]")),
    mut_arg("memory", |it| it.help("Memory for the tables: `512M`, `2G`")),
    mut_arg("depth", |it| it.hide(true)),
    mut_arg("seed", |it| it.hide(true)),
    mut_arg("threads", |it| it.hide(true)),
    after_help = "\
Examples:
  ludex solve connect4:5,4
  ludex solve morris3 --method retrograde --json
  ludex solve hex:4 --certificate hex4.txt
  ludex solve hex:4 --verify hex4.txt --engine interpreter
  ludex solve gomoku --method threats --moves 'h8 h10 i8 j6 j8 a1'
  ludex solve atarigo:6,start=crosscut --method dfpn --threats 1000
  printf 'goal \"Take c3\" for go\\nresult\\n  if me == Black and c3 is empty: victory\\n' > c3.goal
  ludex solve go:9 --position '9/9/9/9/9/1X7/1XO6/2X6/9 b' --method threats --goal c3.goal

Methods: `retrograde` lists all positions, `dfpn` and `pns` search for a proof; `auto` lists them if
there are few and takes `dfpn` otherwise. `threats` searches for wins by threats alone (checks, fours,
ataris, and threats of these up to --order): it is quick where there is one, and says unknown,
never a draw, where there is none.

The only limits are --time and --nodes. Threats end when all shapes up to --order were tried for
both sides, which on a large board may take for ever; Ctrl-C ends any method. With a goal (see
docs/reference/language.md, 6.1) the question is whether the goal can be reached; where it is about
a few squares, threats are searched near by, and a win is verified against every reply. `dfpn` with
--threats searches for threats at every position and prunes what they rule out, which pays where
threats decide. Play that never ends counts as a draw. All methods search on one thread; --threads,
--seed and --depth are accepted and have no effect. Writing a certificate may take as long again as
the proof.

Exit codes: 0 a win for the player to move, or verified; 1 not a win, or refused; 3 unknown: a
limit was reached, or threats do not reach.")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// How to find the value: auto, dfpn, pns, retrograde or threats
    #[arg(long, default_value = "auto", value_parser = |it: &str| it.parse::<SolveMethod>())]
    method: SolveMethod,

    /// 1 for direct threats, 2 for threats of direct threats, 3 for threats of those [default: 2
    /// with threats, 1 with dfpn]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    order: Option<u8>,

    /// With dfpn: the node budget of the threat search at each position, 0 for none
    /// [default: 0, and 2000 in connection games, where --order has no effect]
    #[arg(long, value_name = "N")]
    threats: Option<u64>,

    /// With threats: search moves within this many steps of what the result asks about, and verify
    /// a win against every reply; 0 for all moves [default: 3 with a goal, else 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    near: Option<u8>,

    /// With threats: the attacker tries only moves that bring a win nearer, where the rules tell
    /// which those are, and else those within this many steps of a man; 0 for all moves
    /// [default: 2 on boards of more than 100 squares from order 2 on, else 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    around: Option<u8>,

    /// With threats: no table of what direct threats depend on (to compare)
    #[arg(long)]
    no_zone_table: bool,

    /// With threats: prune a line with more defences than this
    #[arg(long, value_name = "N")]
    counters: Option<usize>,

    /// Write a certificate of the value to this file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Check the certificate in this file instead
    #[arg(long, value_name = "FILE", conflicts_with = "certificate")]
    verify: Option<PathBuf>,

    #[command(flatten)]
    search: SearchArgs,
}

impl SolveArgs {
    fn limits(&self) -> Limits<'static> {
        self.search.limits(Some(interrupt::listen()))
    }

    fn request(&self, position: Position) -> SolveRequest {
        SolveRequest {
            position,
            method: self.method,
            has_goal: self.goal.is_given(),
            order: self.order,
            threats: self.threats,
            near: self.near,
            around: self.around,
            zone_table: !self.no_zone_table,
            most_defences: self.counters,
            memory: self.search.memory,
            certificate: self.certificate.is_some(),
        }
    }
}

/// Solves or verifies.
pub(crate) fn run(args: &SolveArgs, out: &mut Out) -> Done {
    let (loaded, position) =
        open_goal(&args.position, &args.goal, args.position.game.engine.to_play())?;
    if let Some(path) = &args.verify {
        return run_verify(args, &loaded, position, path, out);
    }
    let (progress, clock) = (spinner(), RealClock::start());
    let solved = solve(&loaded, &args.request(position), args.limits(), &mut |event| {
        progress.set_message(event_text(&loaded, event, &clock));
    });
    progress.finish_and_clear();
    let solved = solved?;
    let is_written = write(args, &solved.certificate)?;
    out.result(&solved.solution)?;
    Ok(match solved.solution.value.as_str() {
        "unknown" if interrupt::happened() => Answer::Interrupted,
        "unknown" => Answer::Undecided,
        _ if !is_written => Answer::Undecided,
        "win" => Answer::Yes,
        _ => Answer::No,
    })
}

/// The progress in a line.
fn event_text(loaded: &LoadedGame, event: SolveEvent<'_>, clock: &RealClock) -> String {
    let nodes_text =
        |nodes: u64| format!("{nodes} nodes, {:.0} per second", per_second(nodes, clock.seconds()));
    match event {
        SolveEvent::Threats { attacker, nodes, shape } => {
            let who = loaded.game.player_name(attacker);
            match shape {
                Some(shape) => {
                    format!("{}; threats of {who} of the shape {shape}", nodes_text(nodes))
                }
                None => format!("threats of {who}"),
            }
        }
        SolveEvent::Proof(progress) => {
            let nodes = nodes_text(progress.nodes);
            match progress.numbers {
                Some((question, proof, disproof)) => {
                    let who = question.attacker.0 + 1;
                    format!("{nodes}; player {who} wins? proof {proof}, disproof {disproof}")
                }
                None if progress.states > 0 => format!("{nodes}; {} positions", progress.states),
                None => nodes,
            }
        }
    }
}

/// Writes the certificate, if one is wanted: false if the value is proved and it is missing.
fn write(args: &SolveArgs, certificate: &Certificate) -> Result<bool> {
    match (certificate, &args.certificate) {
        (Certificate::Written(text), Some(path)) => write_whole(path, text)?,
        (Certificate::NothingProved, _) => {
            note("note: no certificate was written: nothing is proved");
        }
        (Certificate::NotFound, _) => {
            note(
                "note: no certificate was written: a limit was reached, or no plan works without \
                 the history",
            );
            return Ok(false);
        }
        (Certificate::Unwanted | Certificate::Written(_), _) => {}
    }
    Ok(true)
}

/// Verifies a certificate.
fn run_verify(
    args: &SolveArgs,
    loaded: &LoadedGame,
    position: Position,
    path: &Path,
    out: &mut Out,
) -> Done {
    let text = read_text(path, LARGEST_CERTIFICATE)?;
    let from = &args.position.from;
    let is_named = from.position.is_some() || from.moves.is_some();
    let request = VerifyRequest {
        text: &text,
        name: &path.display().to_string(),
        position: is_named.then_some(position),
        has_goal: args.goal.is_given(),
        memory: args.search.memory,
    };
    let (progress, clock) = (spinner(), RealClock::start());
    let verification = verify(loaded, &request, args.limits(), &mut |event| {
        progress.set_message(event_text(loaded, event, &clock));
    });
    progress.finish_and_clear();
    let verification = verification?;
    out.result(&verification)?;
    Ok(match verification.verified {
        true => Answer::Yes,
        false if verification.spent && interrupt::happened() => Answer::Interrupted,
        false if verification.spent => Answer::Undecided,
        false => Answer::No,
    })
}
