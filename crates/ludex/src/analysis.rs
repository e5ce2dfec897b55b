//! Analysing a position: a player searches, and every improvement is an event.
//!
//! ```text
//! start(game, request) ──> Running ──> Event::Improved … Event::Done(Analysis)
//!                            ^ stop()                (from a thread of its own)
//! ```
//!
//! An [`Analysis`] is plain data: moves by name, values, and what is proved.

#[cfg(test)]
mod tests;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ludex_core::{Clock, Game, Limits, Position};
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;
use ludex_search::timing::MoveTime;
use ludex_search::{Line, PlayerOptions, Proved, SearchError, SearchRoot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::RealClock;
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::players::LoadedPlayer;
use crate::schema::Schema;
use crate::stop::StopToken;

/// The result of a search, in moves of the game.
pub type SearchResult = ludex_search::SearchResult<PackedMove>;

/// How long a player may learn about the game before its own time begins.
const TIME_TO_PREPARE: Duration = Duration::from_secs(10);

/// The player that is taken when none is named.
pub fn default_player() -> &'static str {
    "auto"
}

/// The result of a search as plain data: `ludex.analysis/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// `ludex.analysis/1`.
    pub schema: Schema<1>,
    /// The move to play; nothing where no move was found.
    pub best: Option<String>,
    /// The lines that were asked for, the best first.
    pub lines: Vec<AnalysedLine>,
    /// Nodes visited; each search says what it counts as a node.
    pub nodes: u64,
    /// How many plies deep the whole search is; 0 where that has no meaning.
    pub depth: u32,
    /// Seconds since the search began.
    pub seconds: f64,
    /// After how many seconds the best line was found.
    pub found: f64,
    /// Whether the search has ended.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The player, as it was named.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub player: Option<String>,
    /// What the player is and why it was chosen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// Whether the search was stopped before its limits were reached.
    #[serde(skip_serializing_if = "is_false", default)]
    pub interrupted: bool,
}

/// A move with its value. Values are from the view of the player whose move it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnalysedLine {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value, from -1 (lost) to 1 (won).
    pub value: f64,
    /// Whether the value is only an upper bound.
    #[serde(skip_serializing_if = "is_false", default)]
    pub at_most: bool,
    /// The value in the search's own measure, where it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<f64>,
    /// The principal variation, this move first.
    pub pv: Vec<String>,
    /// `win`, `draw` or `loss` where that is proved.
    pub proved: Option<String>,
    /// The utility that is proved, from -1 to 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub utility: Option<f64>,
    /// Whether the utility is exact, and not a bound that decides.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exact: Option<bool>,
    /// In how many plies the game ends at most, where that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plies: Option<u32>,
    /// By how many points, where these are counted and that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub points: Option<i64>,
    /// How many playouts or nodes the value rests on.
    pub visits: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl Analysis {
    /// What a search has answered: at most `lines` of its lines.
    pub fn of(
        game: &CompiledGame,
        position: &Position,
        result: &SearchResult,
        lines: usize,
    ) -> Self {
        let shown = result.lines.iter().take(lines);
        Self {
            schema: Schema::of("analysis"),
            best: result.best().map(|it| game.name(&position.state, it)),
            lines: shown.map(|it| AnalysedLine::of(game, position, it)).collect(),
            nodes: result.nodes,
            depth: result.depth,
            seconds: result.elapsed.as_secs_f64(),
            found: result.found.as_secs_f64(),
            is_final: false,
            player: None,
            description: None,
            interrupted: false,
        }
    }

    /// What is proved of the best move, if anything is.
    pub fn proved(&self) -> Option<&str> {
        self.lines.first()?.proved.as_deref()
    }
}

impl AnalysedLine {
    /// A line of a search.
    pub fn of(game: &CompiledGame, position: &Position, line: &Line<PackedMove>) -> Self {
        Self {
            mv: game.name(&position.state, line.mv),
            value: line.value,
            at_most: line.is_at_most,
            score: line.score,
            pv: names(game, position, &line.pv),
            proved: line.proved.map(|it| it.name().to_owned()),
            utility: line.proved.map(|it| it.utility),
            exact: line.proved.map(|it| it.exact),
            plies: line.proved.and_then(|it| it.plies),
            points: line.proved.and_then(|it| it.points),
            visits: line.visits,
        }
    }

    /// What is proved, in words: `win in 5`, `loss by 2`, `draw`; empty where nothing is.
    pub fn proved_text(&self) -> String {
        let Some(proved) = &self.proved else { return String::new() };
        let when = self.plies.map(|it| format!(" in {it}")).unwrap_or_default();
        let by = self.points.filter(|&it| it != 0).map(|it| format!(" by {}", it.abs()));
        format!("{proved}{when}{}", by.unwrap_or_default())
    }

    /// Whether both are equal apart from the visits.
    fn differs_only_in_visits(&self, other: &Self) -> bool {
        Self { visits: other.visits, ..self.clone() } == *other
    }

    /// The value in words: `+0.250`, or `≤+0.250` where that is the most.
    pub fn value_text(&self) -> String {
        format!("{}{:+.3}", if self.at_most { "≤" } else { " " }, self.value)
    }
}

/// The names of the moves of a line, each in the position in which it is played.
pub fn names(game: &CompiledGame, position: &Position, pv: &[PackedMove]) -> Vec<String> {
    let mut position = position.clone();
    let mut names = Vec::new();
    for &mv in pv {
        names.push(game.name(&position.state, mv));
        if game.apply(&mut position, &[mv]).is_err() {
            break;
        }
    }
    names
}

/// What is proved of a line, in words: `win in 5`, `loss by 2`, `draw`; empty where nothing is.
pub fn proved_text(proved: Option<Proved>) -> String {
    let Some(proved) = proved else { return String::new() };
    let when = proved.plies.map(|it| format!(" in {it}")).unwrap_or_default();
    let by = proved.points.filter(|&it| it != 0).map(|it| format!(" by {}", it.abs()));
    format!("{}{when}{}", proved.name(), by.unwrap_or_default())
}

/// What is to be analysed, by which player, for how long.
#[derive(Clone, Debug)]
pub struct AnalysisRequest {
    /// The position.
    pub position: Position,
    /// The player, with its options: `auto`, `uct:c=0.7`, a player file.
    pub player: String,
    /// Threads, memory and seed.
    pub options: PlayerOptions,
    /// What may be spent. The stop flag is set by [`start`].
    pub limits: Limits<'static>,
    /// The time where neither the limits nor the player have one.
    pub usual_time: Option<Duration>,
    /// How many lines the events have.
    pub lines: usize,
}

impl AnalysisRequest {
    /// An analysis by the default player for some time.
    pub fn for_time(position: Position, time: Duration) -> Self {
        let limits = Limits { time: Some(time), ..Limits::default() };
        Self { limits, ..Self::for_nodes(position, 0) }
    }

    /// An analysis by the default player with a node budget: with one thread and a seed, the
    /// answer is the same every time.
    pub fn for_nodes(position: Position, nodes: u64) -> Self {
        Self {
            position,
            player: default_player().to_owned(),
            options: PlayerOptions::default(),
            limits: Limits::of_nodes(nodes),
            usual_time: None,
            lines: 3,
        }
    }

    /// The same by another player.
    #[must_use]
    pub fn by(self, player: &str) -> Self {
        Self { player: player.to_owned(), ..self }
    }
}

/// What happens while a player searches.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The player has prepared for the game; its own time begins now.
    Ready {
        /// What the player is and why it was chosen.
        description: String,
        /// How long that took.
        seconds: f64,
    },
    /// The search goes on and has found nothing new.
    Progress {
        /// Nodes visited.
        nodes: u64,
        /// Seconds since the search began.
        seconds: f64,
    },
    /// A shown line or its value has changed, or the search is deeper.
    Improved(Analysis),
    /// The value of the best move is proved.
    Proved(Analysis),
    /// The search has ended; always the last event.
    Done(Result<Analysis>),
}

/// An analysis that runs in a thread of its own.
///
/// It is an iterator over its events and ends after [`Event::Done`]. Dropping it stops this search
/// and no other, and waits for its thread.
#[derive(Debug)]
pub struct Running {
    events: Receiver<Event>,
    /// A child of the caller's token.
    stop: StopToken,
    thread: Option<JoinHandle<()>>,
}

/// Starts an analysis. The token ends it, and is never raised by it.
///
/// What is wrong with the request is returned at once; what goes wrong later comes with
/// [`Event::Done`].
pub fn start(game: Arc<LoadedGame>, request: AnalysisRequest, stop: StopToken) -> Result<Running> {
    if game.ending(&request.position)?.is_some() {
        return Err(Error::new("the game is over in this position"));
    }
    let player = LoadedPlayer::make(&request.player, request.options, &game)?;
    let (sender, events) = channel();
    let stop = stop.child();
    let token = stop.clone();
    let thread = thread::spawn(move || {
        // After a panic nothing of the search is used any more.
        let run = AssertUnwindSafe(|| search(&game, player, &request, &token, &sender));
        let done = catch_unwind(run).unwrap_or_else(|panic| Err(panicked(&*panic)));
        // A caller that has gone away needs no answer.
        let _ = sender.send(Event::Done(done));
    });
    Ok(Running { events, stop, thread: Some(thread) })
}

/// The error for a search that panicked.
fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("internal error: the search panicked: {}", text.unwrap_or("no message"));
    Error::with_help(message, "this is a mistake in the player, not in the request")
}

impl Running {
    /// Ends this search soon: the best answer so far comes with [`Event::Done`].
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Waits for the end and gives the answer.
    pub fn wait(mut self) -> Result<Analysis> {
        let mut last = Err(Error::Stopped);
        for event in &mut self {
            if let Event::Done(done) = event {
                last = done;
            }
        }
        last
    }
}

impl Iterator for Running {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.events.recv().ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            if !thread.is_finished() {
                self.stop.stop();
            }
            let _ = thread.join();
        }
    }
}

/// Searches, and sends what happens.
fn search(
    game: &LoadedGame,
    mut player: LoadedPlayer,
    request: &AnalysisRequest,
    stop: &StopToken,
    events: &Sender<Event>,
) -> Result<Analysis> {
    let limits = request.limits;
    let time = request.usual_time.map_or(limits.time, |it| player.time_or(&limits, it));
    if player.is_timed(&limits) {
        let clock = RealClock::start();
        let ready = prepare(&mut player, &game.game, TIME_TO_PREPARE, stop.flag());
        ready.map_err(|it| player.blame(game, it))?;
        let (description, seconds) = (player.describe(), clock.seconds());
        let _ = events.send(Event::Ready { description, seconds });
    }
    let position = &request.position;
    let mut sender = EventSender { events, last: None };
    let mut watch =
        |it: &SearchResult| sender.send(Analysis::of(&game.game, position, it, request.lines));
    let root = SearchRoot { game: &game.game, position };
    let clock = &RealClock::start();
    let limits = Limits { time, stop: Some(stop.flag()), clock, ..limits };
    let result = player.search(root, limits, &mut watch).map_err(|it| player.blame(game, it))?;
    Ok(Analysis {
        is_final: true,
        player: Some(request.player.clone()),
        description: Some(player.describe()),
        interrupted: stop.is_stopped(),
        ..Analysis::of(&game.game, position, &result, request.lines)
    })
}

/// Sends what is new, and only the progress where nothing is.
struct EventSender<'a> {
    events: &'a Sender<Event>,
    last: Option<Analysis>,
}

impl EventSender<'_> {
    fn send(&mut self, now: Analysis) {
        let was = self.last.as_ref();
        let is_proof = now.proved().is_some() && was.and_then(Analysis::proved).is_none();
        let event = if is_proof {
            Event::Proved(now.clone())
        } else if was.is_some_and(|it| is_unchanged(it, &now)) {
            Event::Progress { nodes: now.nodes, seconds: now.seconds }
        } else {
            Event::Improved(now.clone())
        };
        self.last = Some(now);
        // A caller that has gone away needs no event.
        let _ = self.events.send(event);
    }
}

/// Whether the lines and the depth are the same as before.
fn is_unchanged(was: &Analysis, now: &Analysis) -> bool {
    let mut both = was.lines.iter().zip(&now.lines);
    was.lines.len() == now.lines.len()
        && was.depth == now.depth
        && both.all(|(was, now)| was.differs_only_in_visits(now))
}

/// Lets a player learn about a game before a clock runs, where thinking is limited by time. What
/// is limited by nodes must not depend on the speed of the machine: such a player learns with its
/// first move.
pub fn prepare(
    player: &mut LoadedPlayer,
    game: &CompiledGame,
    time: Duration,
    stop: &AtomicBool,
) -> Result<(), SearchError> {
    let clock = &RealClock::start();
    player.prepare(game, Limits { time: Some(time), stop: Some(stop), clock, ..Limits::default() })
}

/// Lets a player search with a share of a game clock: it is stopped at the first improvement after
/// the soft limit, and at the hard limit in any case.
pub fn think_within(
    player: &mut LoadedPlayer,
    root: SearchRoot<'_, CompiledGame>,
    share: MoveTime,
    stop: &AtomicBool,
    clock: &dyn Clock,
) -> Result<SearchResult, SearchError> {
    let limits = Limits { time: Some(share.hard), stop: Some(stop), clock, ..Limits::default() };
    let mut watch = |_: &SearchResult| {
        if clock.elapsed() >= share.soft {
            stop.store(true, Ordering::Relaxed);
        }
    };
    player.search(root, limits, &mut watch)
}
