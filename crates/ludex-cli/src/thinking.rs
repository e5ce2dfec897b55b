//! What players are given, and what they have come to in words and in JSON.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use ludex_core::{Budget, Clock, Fault, Game, State, Trail};
use ludex_ir::PackedMove;
use ludex_search::timing::Share;
use ludex_search::{Limits, Line, Means, Proved, Task, players};
use serde_json::{Value, json};

use crate::args::ThinkArgs;
use crate::clock::RealClock;
use crate::engine::Engine;
use crate::players::Thinker;

/// What a player of ours has come to.
pub(crate) type Thought = ludex_search::Thought<PackedMove>;

/// The players that are taken when none is named, in this order: the first that there is.
const DEFAULTS: [&str; 2] = ["auto", "uct"];

/// Which player thinks.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlayerArgs {
    /// Who thinks: a player with its options (`uct:c=0.7`) or a player file; `ludex players` lists them [default: auto]
    #[arg(long, value_name = "SPEC")]
    pub(crate) player: Option<String>,

    /// Say what the player is, and why
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl PlayerArgs {
    /// The player, as somebody may write it.
    pub(crate) fn spec(&self) -> &str {
        self.player.as_deref().unwrap_or_else(|| default_player())
    }
}

/// The player that is taken when none is named.
pub(crate) fn default_player() -> &'static str {
    let names = players::names();
    let known = |wanted: &&&str| names.iter().any(|(name, _)| name == *wanted);
    DEFAULTS.iter().find(known).copied().unwrap_or("uct")
}

impl ThinkArgs {
    /// What a player is given for all its moves.
    pub(crate) fn means(&self) -> Means {
        Means { threads: self.threads as usize, seed: self.seed, memory: self.memory }
    }
}

/// Lets a player get to know a game before a clock runs, where thinking is limited by time. What
/// is limited by nodes must not depend on the speed of the machine: such a player does it with its
/// first move.
pub(crate) fn prepare(
    thinker: &mut Thinker,
    game: &Engine,
    time: Duration,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let budget = Budget { time: Some(time), stop: Some(stop), ..Budget::default() };
    let clock = RealClock::start();
    thinker.prepare(game, &mut Limits { budget, clock: &clock, watch: &mut |_| {} })
}

/// Lets a player think with a share of a game clock: it is stopped at the first improvement after
/// the soft limit, and at the hard limit in any case.
pub(crate) fn think_within(
    thinker: &mut Thinker,
    task: Task<'_, Engine>,
    share: Share,
    stop: &AtomicBool,
    clock: &dyn Clock,
) -> Result<Thought, Fault> {
    let budget = Budget { time: Some(share.hard), stop: Some(stop), ..Budget::default() };
    let mut watch = |_: &Thought| {
        if clock.elapsed() >= share.soft {
            stop.store(true, Ordering::Relaxed);
        }
    };
    thinker.think(task, &mut Limits { budget, clock, watch: &mut watch })
}

/// The names of the moves of a line, each in the position in which it is played.
pub(crate) fn names(game: &Engine, state: &State, trail: &Trail, pv: &[PackedMove]) -> Vec<String> {
    let (mut state, mut trail) = (state.clone(), trail.clone());
    let mut names = Vec::new();
    for &mv in pv {
        names.push(game.name(&state, mv));
        if game.apply(&mut state, &mut trail, &[mv]).is_err() {
            break;
        }
    }
    names
}

/// What is known of a line in words: `win in 5`, `loss by 2`, `draw`; nothing if nothing is known.
pub(crate) fn proved_text(proved: Option<Proved>) -> String {
    let Some(proved) = proved else { return String::new() };
    let when = proved.plies.map(|it| format!(" in {it}")).unwrap_or_default();
    let by = proved.points.filter(|&it| it != 0).map(|it| format!(" by {}", it.abs()));
    format!("{}{when}{}", proved.name(), by.unwrap_or_default())
}

/// What a line is believed to be worth: `+0.250`, or `≤+0.250` where that is the most.
pub(crate) fn value_text(line: &Line<PackedMove>) -> String {
    format!("{}{:+.3}", if line.is_at_most { "≤" } else { " " }, line.value)
}

/// A line in JSON.
pub(crate) fn line_json(
    game: &Engine,
    state: &State,
    trail: &Trail,
    line: &Line<PackedMove>,
) -> Value {
    let mut value = json!({
        "move": game.name(state, line.mv),
        "value": line.value,
        "pv": names(game, state, trail, &line.pv),
        "proved": line.proved.map(Proved::name),
        "visits": line.visits,
    });
    if line.is_at_most {
        value["at_most"] = json!(true);
    }
    if let Some(score) = line.score {
        value["score"] = json!(score);
    }
    if let Some(proved) = line.proved {
        value["utility"] = json!(proved.utility);
        value["exact"] = json!(proved.exact);
        value["plies"] = json!(proved.plies);
        if let Some(points) = proved.points {
            value["points"] = json!(points);
        }
    }
    value
}

/// What a player has come to, in JSON: at most `lines` of its lines.
pub(crate) fn thought_json(
    game: &Engine,
    state: &State,
    trail: &Trail,
    thought: &Thought,
    lines: usize,
) -> Value {
    let shown = thought.lines.iter().take(lines);
    json!({
        "best": thought.best().map(|it| game.name(state, it)),
        "lines": shown.map(|it| line_json(game, state, trail, it)).collect::<Vec<_>>(),
        "nodes": thought.nodes,
        "depth": thought.depth,
        "seconds": thought.elapsed.as_secs_f64(),
        "found": thought.found.as_secs_f64(),
    })
}
