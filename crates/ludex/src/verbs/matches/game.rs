//! One game between two players.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludex_core::{Budget, Clock, Fault, Game, Player, Turn};
use ludex_search::timing::{GameClock, TimingConfig, share};
use ludex_search::{Limits, Task};

use super::openings::Opening;
use crate::args::ThinkArgs;
use crate::clock::RealClock;
use crate::engine::Engine;
use crate::players::Thinker;
use crate::ponder::meanwhile;
use crate::thinking::{Thought, think_within};

/// How long a player may think.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pace {
    /// As long for every move: what is said and, where nothing is said, a usual time.
    Move(ThinkArgs, Duration),
    /// A clock for the whole game, one for each player.
    Clock(GameClock),
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// By the rules.
    Rules,
    /// A clock ran out.
    Time,
    /// The file of a player is at fault: it loses.
    Fault,
    /// It was too long, and counts as a draw.
    Length,
    /// Somebody pressed Ctrl-C: it does not count.
    Interrupted,
}

impl End {
    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Time => "time",
            Self::Fault => "fault",
            Self::Length => "length",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// The moves after the opening.
    pub(super) moves: Vec<String>,
    /// What the first player got: 1, 1/2 or 0.
    pub(super) points: f64,
    /// Why it ended.
    pub(super) end: End,
    /// The most that a move took beyond its fixed time.
    pub(super) overstep: Duration,
    /// Nodes of each player, first player first.
    pub(super) nodes: [u64; 2],
    /// What went wrong in the thinking of a player file.
    pub(super) fault: Option<Fault>,
}

/// The rules of a match for one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    /// The game.
    pub(super) game: &'a Engine,
    /// How long to think.
    pub(super) pace: Pace,
    /// A game that is longer is a draw.
    pub(super) longest: u32,
    /// Whether players think on the time of their opponents.
    pub(super) ponder: bool,
    /// Ends the game when it is raised.
    pub(super) stop: &'a AtomicBool,
    /// Ends a search; lowered before each.
    pub(super) enough: &'a AtomicBool,
}

impl Terms<'_> {
    /// How long a player may take for a move, where there is no clock.
    fn time_of(&self, player: &Thinker) -> Option<Duration> {
        match &self.pace {
            Pace::Move(think, usual) => player.time_or(think, *usual),
            Pace::Clock(_) => None,
        }
    }
}

impl Played {
    /// The game ends because the file of one player is at fault.
    fn lost_by_fault(self, side: usize, fault: Fault) -> Self {
        let points = if side == 0 { 0.0 } else { 1.0 };
        Self { points, end: End::Fault, fault: Some(fault), ..self }
    }
}

/// Plays one game, first player first.
pub(super) fn play(
    terms: Terms<'_>,
    opening: &Opening,
    players: [&mut Thinker; 2],
) -> Result<Played, Fault> {
    let game = terms.game;
    let mut place = opening.place.clone();
    let mut clocks = match terms.pace {
        Pace::Clock(clock) => Some([clock; 2]),
        Pace::Move(..) => None,
    };
    let mut played = Played {
        moves: Vec::new(),
        points: 0.5,
        end: End::Rules,
        overstep: Duration::ZERO,
        nodes: [0; 2],
        fault: None,
    };
    let [first, second] = players;
    loop {
        let Some(mover) = mover(game.turn(&place.state, &place.trail)?)? else {
            played.points = points(game, &place)?;
            return Ok(played);
        };
        if played.moves.len() >= terms.longest as usize {
            played.end = End::Length;
            return Ok(played);
        }
        let side = mover.index().min(1);
        let (player, other) =
            if side == 0 { (&mut *first, &mut *second) } else { (&mut *second, &mut *first) };
        let task = Task { game, state: &place.state, trail: &place.trail };
        terms.enough.store(terms.stop.load(Ordering::Relaxed), Ordering::Relaxed);
        let time = terms.time_of(player);
        let mut timed = || {
            let clock = RealClock::start();
            let thought = think(player, task, &terms, clocks.map(|it| it[side]), &clock);
            (thought, clock.elapsed())
        };
        let (thought, spent) = if terms.ponder { meanwhile(other, task, timed) } else { timed() };
        let thought = match thought {
            Err(fault) if player.is_file() => return Ok(played.lost_by_fault(side, fault)),
            other => other?,
        };
        if terms.stop.load(Ordering::Relaxed) {
            played.end = End::Interrupted;
            return Ok(played);
        }
        if let Some(time) = time {
            played.overstep = played.overstep.max(spent.saturating_sub(time));
        }
        if let Some(clocks) = &mut clocks {
            let Some(after) = clocks[side].after(spent) else {
                played.end = End::Time;
                played.points = if side == 0 { 0.0 } else { 1.0 };
                return Ok(played);
            };
            clocks[side] = after;
        }
        played.nodes[side] += thought.nodes;
        let mv = thought.best().ok_or_else(no_move)?;
        played.moves.push(game.name(&place.state, mv));
        game.apply(&mut place.state, &mut place.trail, &[mv])?;
    }
}

fn think(
    player: &mut Thinker,
    task: Task<'_, Engine>,
    terms: &Terms<'_>,
    clock: Option<GameClock>,
    real: &RealClock,
) -> Result<Thought, Fault> {
    if let Some(clock) = clock {
        let share = share(clock, &TimingConfig::default());
        return think_within(player, task, share, terms.enough, real);
    }
    let Pace::Move(ThinkArgs { nodes, depth, .. }, _) = terms.pace else { return Err(no_move()) };
    let budget = Budget { nodes, time: terms.time_of(player), depth, stop: Some(terms.enough) };
    player.think(task, &mut Limits { budget, clock: real, watch: &mut |_| {} })
}

fn mover(turn: Turn) -> Result<Option<Player>, Fault> {
    match turn {
        Turn::Over => Ok(None),
        Turn::Of(player) => Ok(Some(player)),
        Turn::Joint(_) | Turn::Chance => Err(Fault {
            code: "no-single-turn",
            message: "matches are for games in which one player moves at a time".to_owned(),
            place: None,
        }),
    }
}

fn no_move() -> Fault {
    let message = "a player has found no move".to_owned();
    Fault { code: "no-move", message, place: None }
}

/// What the first player has got of a game that is over.
fn points(game: &Engine, place: &crate::place::Place) -> Result<f64, Fault> {
    let payoff = |player| game.payoff(&place.state, &place.trail, Player(player));
    let (mine, theirs) = (payoff(0)?.utility, payoff(1)?.utility);
    Ok(if mine > theirs {
        1.0
    } else if mine < theirs {
        0.0
    } else {
        0.5
    })
}
