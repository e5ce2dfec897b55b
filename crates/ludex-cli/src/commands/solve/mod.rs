//! `ludex solve`: what a position is worth, proved; and certificates, which are checked by the
//! rules alone.

mod threats;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use indicatif::ProgressBar;
use ludex::clock::{RealClock, per_second};
use ludex::files::{read_text, write_whole};
use ludex::game::LoadedGame;
use ludex::{EngineKind, Error, Result};
use ludex_core::{Clock, Game, GameExt, Limits, Position, State};
use ludex_ir::{PackedMove, Program};
use ludex_jit::CompiledGame;
use ludex_search::proof::{
    Certificate, DfpnConfig, GameValue, Method, Past, Progress, ProofRun, SolveConfig, Solved,
    Strategy, solve,
};
use ludex_study::history_only_draws;
use serde_json::{Value as Json, json};

use crate::args::{PlaceArgs, ThinkArgs};
use crate::commands::perft::spinner;
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::{GoalArgs, open_goal};
use crate::output::{Out, note};

/// The largest certificate that is read, in bytes.
const LARGEST_CERTIFICATE: u64 = 1 << 30;

/// A plan that is only wanted for its line of play has at most so many positions.
const PLAN_FOR_A_LINE: usize = 100_000;

/// How far away moves are looked for that have to do with a goal.
pub(crate) const USUAL_NEAR: u8 = 3;

/// A board of more squares has many moves that threaten nothing.
const LARGE_BOARD: usize = 100;

/// How far away from men moves are looked for on a large board.
const USUAL_AROUND: u8 = 2;

/// Arguments of `solve`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", |it| it.help("How long to look for a proof: `5s`, `10m` [default: no limit]")),
    mut_arg("nodes", |it| it.help("At most so many positions whose moves are listed [default: no limit]")),
    mut_arg("memory", |it| it.help("How much memory tables may take: `512M`, `2G`")),
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

Methods: retrograde lists all positions, dfpn and pns search for a proof; auto lists them if there
are few and takes dfpn otherwise. threats looks for wins by threats alone (checks, fours, ataris,
and threats of such up to --order): it is quick where there is one, and says unknown, never a
draw, where there is none. No method has a limit of its own but --time and --nodes: threats end
when all shapes up to --order were tried for both sides, which on a large board may take for
ever; Ctrl-C ends any of them. With a goal (see docs/reference/language.md, 6.1) it says whether that can be
reached; where the goal is about a few squares, threats look near by and check what they find
against every reply. dfpn with --threats asks everywhere what is forced and leaves out the
rest, which pays where threats decide. Play that never ends counts as a draw. All methods think on one
thread; --threads, --seed and --depth are taken and mean nothing to them.
Writing a certificate may take as long again as the proof.

Exit codes: 0 a win for the player to move, or verified; 1 not a win, or refused; 3 unknown: the
budget ran out, or threats do not reach.")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// How to find the value: auto, dfpn, pns, retrograde or threats
    #[arg(long, default_value = "auto", value_parser = |it: &str| it.parse::<Way>())]
    method: Way,

    /// 1 for direct threats, 2 for threats of direct threats, 3 for threats of those [default: 2
    /// with threats, 1 with dfpn]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    order: Option<u8>,

    /// With dfpn: look at up to so many positions for threats wherever it comes to, 0 for no look
    /// [default: 0, and 2000 in games of joining, where --order means nothing]
    #[arg(long, value_name = "N")]
    threats: Option<u64>,

    /// With threats: look for moves within so many steps of what the result asks about, and check
    /// what is found against every reply; 0 for all moves [default: 3 with a goal, else 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    near: Option<u8>,

    /// With threats: the attacker looks only at moves that bring a win nearer, where the rules tell
    /// which those are, and else at those within so many steps of a man; 0 for all moves
    /// [default: 2 on boards of more than 100 squares from order 2 on, else 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    around: Option<u8>,

    /// With threats: do not remember what direct threats depend on (to compare)
    #[arg(long)]
    no_zone_table: bool,

    /// With threats: give up a line where there are more counter-strokes than this
    #[arg(long, value_name = "N")]
    counters: Option<usize>,

    /// Write a certificate of the value to this file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Check the certificate in this file instead
    #[arg(long, value_name = "FILE", conflicts_with = "certificate")]
    verify: Option<PathBuf>,

    #[command(flatten)]
    think: ThinkArgs,
}

/// How far away from the men the attacker looks for threats of an order, if nothing is said.
pub(crate) fn usual_around(squares: usize, order: u8) -> Option<u8> {
    (squares > LARGE_BOARD && order >= 2).then_some(USUAL_AROUND)
}

/// What is done to find a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A search for a proof, or a list of all positions.
    Proof(Method),
    /// Wins by threats.
    Threats,
}

impl FromStr for Way {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "threats" {
            return Ok(Self::Threats);
        }
        text.parse().map(Self::Proof).map_err(|it: String| it.replace(" and ", ", threats and "))
    }
}

impl SolveArgs {
    /// What may be spent, and as much again for what comes after a proof.
    fn limits<'a>(&self, times: u32, clock: &'a dyn Clock) -> Limits<'a> {
        Limits {
            clock,
            nodes: self.think.nodes.map(|it| it.saturating_mul(times.into())),
            time: self.think.time.map(|it| it.saturating_mul(times)),
            depth: None,
            stop: Some(interrupt::listen()),
        }
    }

    /// How far away from what the result asks about threats are looked for; everywhere if there
    /// is no number.
    fn near(&self) -> Option<u8> {
        let usual = if self.goal.is_given() { USUAL_NEAR } else { 0 };
        Some(self.near.unwrap_or(usual)).filter(|&it| it > 0)
    }

    /// How far away from the men the attacker looks for moves; everywhere if there is no number.
    fn around(&self, squares: usize) -> Option<u8> {
        let usual = || usual_around(squares, self.order.unwrap_or(2));
        self.around.map_or_else(usual, |it| Some(it).filter(|&it| it > 0))
    }

    /// How many positions a plan may have.
    fn longest_plan(&self) -> usize {
        self.think.memory / (2 * size_of::<State>())
    }
}

/// Solves or verifies.
pub(crate) fn run(args: &SolveArgs, out: &mut Out) -> Done {
    let (loaded, place) = open_goal(&args.place, &args.goal, args.place.game.engine.to_play())?;
    if let Some(path) = &args.verify {
        return verify(args, &loaded, &place, path, out);
    }
    if loaded.ending(&place)?.is_some() {
        return Err(Error::new("the game is over in this position"));
    }
    let Way::Proof(method) = args.method else {
        return threats::run(args, &loaded, &place, out);
    };
    let past = reading(loaded.game.program());
    refuse_what_cannot_be(args, &loaded, &place, past)?;
    let (threats, order) = (args.threats, args.order.unwrap_or(1));
    let dfpn = DfpnConfig { threats, order, ..DfpnConfig::default() };
    let memory = args.think.memory;
    let config = SolveConfig { method, past, memory, dfpn, ..SolveConfig::default() };
    let game = &loaded.game;
    let clock = RealClock::start();
    let progress = spinner();
    let mut watch = |it: &Progress| progress.set_message(told(it, &clock));
    let mut bounds = ProofRun::new(args.limits(1, &clock), &mut watch);
    let solved = solve(game, &place, &config, &mut bounds);
    let mut solved = solved.map_err(|it| loaded.blame(it))?;
    let (nodes, seconds) = (bounds.nodes, clock.seconds());
    bounds.limits = args.limits(2, &clock);
    progress.set_message("the line of play");
    let most = match args.certificate {
        Some(_) => args.longest_plan(),
        None => args.longest_plan().min(PLAN_FOR_A_LINE),
    };
    let plans = solved.plans(game, &mut bounds, most).map_err(|it| loaded.blame(it))?;
    let first = match plans {
        Some(_) => None,
        None => solved.winning_move(game, &mut bounds).map_err(|it| loaded.blame(it))?,
    };
    progress.finish_and_clear();
    let pv = match first {
        Some(mv) => vec![game.name(&place.state, mv)],
        None => line(&loaded, &solved, plans.as_deref())?,
    };
    let report = Report { loaded: &loaded, solved: &solved, pv, nodes, seconds };
    let written = write(args, &loaded, &solved, plans.as_deref())?;
    report.tell(plans.as_deref(), out)?;
    Ok(match solved.value {
        None if interrupt::happened() => Answer::Interrupted,
        None => Answer::Undecided,
        Some(_) if !written => Answer::Undecided,
        Some(GameValue::Win) => Answer::Yes,
        Some(GameValue::Draw | GameValue::Loss) => Answer::No,
    })
}

/// How it goes, in a line.
fn told(progress: &Progress, clock: &RealClock) -> String {
    let rate = per_second(progress.nodes, clock.seconds());
    let nodes = format!("{} nodes, {rate:.0} per second", progress.nodes);
    match progress.numbers {
        Some((question, proof, disproof)) => {
            let who = question.attacker.0 + 1;
            format!("{nodes}; player {who} wins? proof {proof}, disproof {disproof}")
        }
        None if progress.states > 0 => format!("{nodes}; {} positions", progress.states),
        None => nodes,
    }
}

/// How a proof may treat the history of these rules.
fn reading(program: &Program) -> Past {
    if history_only_draws(program) { Past::Ignored } else { Past::Exact }
}

fn refuse_what_cannot_be(
    args: &SolveArgs,
    loaded: &LoadedGame,
    place: &Position,
    past: Past,
) -> Result<()> {
    let game = &loaded.game;
    if game.has_history() && past == Past::Exact {
        if args.method == Way::Proof(Method::Retrograde) {
            let message = format!("the past matters too much in `{}`", loaded.rules().spec());
            let help = "retrograde analysis takes each position as if the game began there; use \
                        --method dfpn";
            return Err(Error::with_help(message, help));
        }
        if args.certificate.is_some() && place.trail != game.position(place.state.clone()).trail {
            let message = "a certificate is about a game that begins in the position";
            return Err(Error::with_help(message, "give it by --position alone"));
        }
    }
    Ok(())
}

/// The line of best play, by names.
fn line(
    loaded: &LoadedGame,
    solved: &Solved<CompiledGame>,
    plans: Option<&[Strategy<CompiledGame>]>,
) -> Result<Vec<String>> {
    let Some(plans) = plans else { return Ok(Vec::new()) };
    let game = &loaded.game;
    let moves: Vec<PackedMove> = solved.line(game, plans).map_err(|it| loaded.blame(it))?;
    let mut position = solved.root().clone();
    let mut names = Vec::new();
    for mv in moves {
        names.push(game.name(&position.state, mv));
        game.apply(&mut position, &[mv]).map_err(|it| loaded.blame(it))?;
    }
    Ok(names)
}

/// What is said where a certificate is wanted and nothing is known.
const NOTHING_PROVED: &str = "note: no certificate was written: nothing is proved";

/// Writes the certificate, if one is wanted: false if it could not be had.
fn write(
    args: &SolveArgs,
    loaded: &LoadedGame,
    solved: &Solved<CompiledGame>,
    plans: Option<&[Strategy<CompiledGame>]>,
) -> Result<bool> {
    let Some(path) = &args.certificate else { return Ok(true) };
    let Some(value) = solved.value else {
        note(NOTHING_PROVED);
        return Ok(true);
    };
    let Some(plans) = plans else {
        note(
            "note: no certificate was written: the budget ran out, or no plan does without the past",
        );
        return Ok(false);
    };
    let (name, rules) = (loaded.rules().spec(), loaded.hash());
    let (root, past) = (solved.root(), solved.past);
    let certificate = Certificate::new(&loaded.game, &name, rules, root, past, value, plans);
    write_whole(path, &certificate.to_string())?;
    Ok(true)
}

/// What was found.
struct Report<'a> {
    loaded: &'a LoadedGame,
    solved: &'a Solved<CompiledGame>,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
}

impl Report<'_> {
    fn tell(&self, plans: Option<&[Strategy<CompiledGame>]>, out: &mut Out) -> Result<()> {
        let value = self.solved.value.map_or("unknown".to_owned(), |it| it.to_string());
        let plies = self.solved.plies;
        // A plan to win shows a bound; retrograde analysis knows it exactly.
        let within =
            plies.or_else(|| plans.and_then(|it| it.first()).and_then(|it| self.longest(it)));
        let assumes = self.assumes();
        if out.is_json() {
            out.json(&json!({
                "value": value,
                "pv": self.pv,
                "nodes": self.nodes,
                "seconds": self.seconds,
                "nodes_per_second": per_second(self.nodes, self.seconds),
                "method": self.solved.method.name(),
                "player": self.loaded.game.player_name(self.solved.mover),
                "plies": plies,
                "within": within,
                "states": self.solved.states,
                "assumes": assumes,
                "engine": EngineKind::of(&self.loaded.game).name(),
            }))?;
            return Ok(());
        }
        let player = self.loaded.game.player_name(self.solved.mover);
        out.line(format_args!("{value} for {player}, who is to move"))?;
        if let Some(assumes) = assumes {
            out.line(format_args!("assumed: {assumes}"))?;
        }
        if !self.pv.is_empty() {
            out.line(format_args!("line: {}", self.pv.join(" ")))?;
        }
        match (plies, within) {
            (Some(plies), _) => out.line(format_args!("the game ends in {}", in_plies(plies)))?,
            (None, Some(within)) => {
                out.line(format_args!("the game ends within {}", in_plies(within)))?;
            }
            (None, None) => {}
        }
        if let Some(states) = self.solved.states {
            out.line(format_args!("{states} positions"))?;
        }
        let (rate, method) = (per_second(self.nodes, self.seconds), self.solved.method.name());
        let engine = EngineKind::of(&self.loaded.game).name();
        out.line(format_args!(
            "{} nodes in {:.3} s, {rate:.0} per second, {method}, {engine}",
            self.nodes, self.seconds
        ))?;
        Ok(())
    }

    fn longest(&self, strategy: &Strategy<CompiledGame>) -> Option<u32> {
        strategy.plies(&self.loaded.game, self.solved.past, self.solved.root())
    }

    /// The condition under which the value is that of the game as it is played.
    fn assumes(&self) -> Option<&'static str> {
        let ignored = self.solved.past == Past::Ignored && self.loaded.game.has_history();
        ignored.then_some("the game begins here, and repetition is a draw")
    }
}

pub(super) fn in_plies(plies: u32) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// Checks a certificate.
fn verify(
    args: &SolveArgs,
    loaded: &LoadedGame,
    place: &Position,
    path: &Path,
    out: &mut Out,
) -> Done {
    let text = read_text(path, LARGEST_CERTIFICATE)?;
    if text.starts_with(ludex_study::threats::certificate::FIRST_LINE) {
        return threats::verify_file(args, loaded, place, (path, &text), out);
    }
    let certificate = match Certificate::read(&text) {
        Ok(certificate) => certificate,
        Err(refusal) => return Err(Error::new(format!("`{}`: {refusal}", path.display()))),
    };
    let clock = RealClock::start();
    let progress = spinner();
    let verdict = check(args, loaded, place, &certificate, &clock, &progress)?;
    progress.finish_and_clear();
    let seconds = clock.seconds();
    let json = |verified: bool, value: &str, rest: Json| {
        let mut json = json!({ "verified": verified, "value": value, "seconds": seconds });
        if let (Some(json), Json::Object(rest)) = (json.as_object_mut(), rest) {
            json.extend(rest);
        }
        json
    };
    match verdict {
        Ok(positions) => {
            let value = certificate.value;
            if out.is_json() {
                out.json(&json(true, &value.to_string(), json!({ "positions": positions })))?;
            } else {
                out.line(format_args!(
                    "verified: {value}, {positions} positions in {seconds:.3} s"
                ))?;
                if certificate.past == Some(Past::Ignored) {
                    out.line("assumed: the game begins here, and repetition is a draw")?;
                }
            }
            Ok(Answer::Yes)
        }
        Err(why) => {
            if out.is_json() {
                out.json(&json(false, "unknown", json!({ "reason": why.to_string() })))?;
            } else {
                out.line(format_args!("refused: {why}"))?;
            }
            Ok(match why.spent {
                true if interrupt::happened() => Answer::Interrupted,
                true => Answer::Undecided,
                false => Answer::No,
            })
        }
    }
}

/// Why a certificate of this game, by the hash of its rules and its position, is about something
/// else, if it is.
fn not_about_this(
    args: &SolveArgs,
    loaded: &LoadedGame,
    place: &Position,
    (game, rules, position): (&str, u64, &str),
) -> Option<String> {
    let source = loaded.rules();
    let options = game.rsplit_once(':').map_or("", |it| it.1);
    let ours = source.spec();
    if game == ours && rules != loaded.hash() {
        let goal = if args.goal.is_given() {
            "or of the goal"
        } else {
            "or it was for a goal: say which by --goal"
        };
        return Some(format!("it is about `{ours}` with another text of the rules, {goal}"));
    }
    if rules != loaded.hash() || options != source.options {
        return Some(format!("it is about `{game}`, and these are other rules: `{ours}`"));
    }
    let is_named = args.place.from.position.is_some() || args.place.from.moves.is_some();
    let is_other = is_named && position != loaded.game.write(&place.state);
    is_other.then(|| "it is about another position".to_owned())
}

fn check(
    args: &SolveArgs,
    loaded: &LoadedGame,
    place: &Position,
    certificate: &Certificate,
    clock: &RealClock,
    progress: &ProgressBar,
) -> Result<Result<usize, ludex_search::proof::Refusal>> {
    use ludex_search::proof::Refusal;
    let Certificate { game, rules, position, .. } = certificate;
    if let Some(reason) = not_about_this(args, loaded, place, (game, *rules, position)) {
        return Ok(Err(Refusal::new(reason)));
    }
    if certificate.past == Some(Past::Ignored) && reading(loaded.game.program()) == Past::Exact {
        return Ok(Err(Refusal::new("it ignores the past, and the past matters in these rules")));
    }
    let mut watch = |it: &Progress| progress.set_message(told(it, clock));
    let mut bounds = ProofRun::new(args.limits(1, clock), &mut watch);
    let most = args.longest_plan();
    certificate.verify(&loaded.game, &mut bounds, most).map_err(|it| loaded.blame(it))
}
