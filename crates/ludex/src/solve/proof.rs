//! Values found by a proof search or a list of all positions.

use ludex_core::{Game, GameExt, Limits};
use ludex_jit::CompiledGame;
use ludex_search::proof::{
    self, Certificate as ProofCertificate, DfpnConfig, GameValue, Method, Past, Progress, ProofRun,
    SolveConfig, Strategy,
};

use super::report::Solution;
use super::{Certificate, SolveEvent, SolveRequest, Solved, longest_plan, past, scaled};
use crate::clock::{RealClock, per_second};
use crate::engine::EngineKind;
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::schema::Schema;

/// A plan that is only wanted for its line of play has at most this many positions.
const PLAN_FOR_A_LINE: usize = 100_000;

/// The condition on a value that was proved without the history.
pub(super) const ASSUMED: &str = "the game begins here, and repetition is a draw";

type FoundValue = proof::Solved<CompiledGame>;

/// Proves the value of a position.
pub(super) fn solve(
    loaded: &LoadedGame,
    request: &SolveRequest,
    method: Method,
    limits: Limits<'_>,
    observer: &mut dyn FnMut(SolveEvent<'_>),
) -> Result<Solved> {
    if loaded.game.players() != 2 {
        let message = "proofs are for games of two opponents who take turns";
        return Err(Error::with_help(message, format!("`{}` is none", loaded.rules().spec())));
    }
    let past = past(loaded.game.program());
    refuse_what_cannot_be(loaded, request, method, past)?;
    let (threats, order) = (request.threats, request.order.unwrap_or(1));
    let dfpn = DfpnConfig { threats, order, ..DfpnConfig::default() };
    let memory = request.memory;
    let config = SolveConfig { method, past, memory, dfpn, ..SolveConfig::default() };
    let (game, clock) = (&loaded.game, RealClock::start());
    let mut watch = |it: &Progress| observer(SolveEvent::Proof(it));
    let mut run = ProofRun::new(scaled(limits, 1, &clock), &mut watch);
    let found = proof::solve(game, &request.position, &config, &mut run);
    let mut found = found.map_err(|it| loaded.blame(it))?;
    let (nodes, seconds) = (run.nodes, clock.seconds());
    run.limits = scaled(limits, 2, &clock);
    let most = longest_plan(memory);
    let most = if request.certificate { most } else { most.min(PLAN_FOR_A_LINE) };
    let plans = found.strategies(game, &mut run, most).map_err(|it| loaded.blame(it))?;
    let pv = match &plans {
        Some(plans) => {
            let line = found.line(game, plans).map_err(|it| loaded.blame(it))?;
            loaded.line_names(found.root(), &line)?
        }
        None => {
            let first = found.winning_move(game, &mut run).map_err(|it| loaded.blame(it))?;
            first.into_iter().map(|it| game.name(&request.position.state, it)).collect()
        }
    };
    let certificate = if request.certificate {
        certificate(loaded, &found, plans.as_deref())
    } else {
        Certificate::Unwanted
    };
    let solution = Solution { pv, nodes, seconds, ..solution(loaded, &found, plans.as_deref()) };
    let nodes_per_second = per_second(nodes, seconds);
    Ok(Solved { solution: Solution { nodes_per_second, ..solution }, certificate })
}

/// The solution without its line and its cost.
fn solution(
    loaded: &LoadedGame,
    found: &FoundValue,
    plans: Option<&[Strategy<CompiledGame>]>,
) -> Solution {
    let game = &loaded.game;
    // A plan to win shows a bound; retrograde analysis knows the length exactly.
    let longest = || plans.and_then(|it| it.first())?.plies(game, found.past, found.root());
    let is_assumed = found.past == Past::Ignored && game.has_history();
    Solution {
        schema: Schema::of("solution"),
        value: found.value.map_or("unknown".to_owned(), |it| it.to_string()),
        pv: Vec::new(),
        nodes: 0,
        seconds: 0.0,
        nodes_per_second: 0.0,
        method: found.method.name().to_owned(),
        player: game.player_name(found.mover),
        plies: found.plies,
        within: found.plies.or_else(longest),
        states: found.states.map(|it| it as u64),
        assumes: is_assumed.then(|| ASSUMED.to_owned()),
        engine: EngineKind::of(game).name().to_owned(),
        threats: None,
    }
}

fn refuse_what_cannot_be(
    loaded: &LoadedGame,
    request: &SolveRequest,
    method: Method,
    past: Past,
) -> Result<()> {
    let game = &loaded.game;
    if !game.has_history() || past != Past::Exact {
        return Ok(());
    }
    if method == Method::Retrograde {
        let message = format!("the past matters too much in `{}`", loaded.rules().spec());
        let help = "retrograde analysis takes each position as if the game began there; use \
                    --method dfpn";
        return Err(Error::with_help(message, help));
    }
    let position = &request.position;
    if request.certificate && position.trail != game.position(position.state.clone()).trail {
        let message = "a certificate is about a game that begins in the position";
        return Err(Error::with_help(message, "give it by --position alone"));
    }
    Ok(())
}

fn certificate(
    loaded: &LoadedGame,
    found: &FoundValue,
    plans: Option<&[Strategy<CompiledGame>]>,
) -> Certificate {
    let (value, plans): (GameValue, _) = match (found.value, plans) {
        (None, _) => return Certificate::NothingProved,
        (Some(_), None) => return Certificate::NotFound,
        (Some(value), Some(plans)) => (value, plans),
    };
    let (name, rules) = (loaded.rules().spec(), loaded.hash());
    let (root, past) = (found.root(), found.past);
    let certificate = ProofCertificate::new(&loaded.game, &name, rules, root, past, value, plans);
    Certificate::Written(certificate.to_string())
}
