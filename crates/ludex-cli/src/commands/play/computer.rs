//! The computer's moves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludex::analysis::{names, prepare};
use ludex::clock::RealClock;
use ludex::game::LoadedGame;
use ludex::players::{self, PlayerSpec};
use ludex::ponder::ponder_while;
use ludex::{Error, Result};
use ludex_core::{Clock, Fault, Limits, Player, Random};
use ludex_ir::PackedMove;
use ludex_search::timing::{GameClock, TimingConfig, share};
use ludex_search::{Proved, SearchRoot};

use super::PlayArgs;
use super::session::Session;
use crate::args::SearchArgs;
use crate::interrupt;

/// How long the computer thinks when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// How long it may take to get to know the game, before it begins.
const TIME_TO_PREPARE: Duration = Duration::from_secs(2);

/// The strongest level.
const HIGHEST: u8 = 10;

/// What the levels from 1 on may look at, in nodes, and how many of a hundred moves are slips:
/// played at random. The highest level has no limits.
const LEVELS: [(u64, u64); HIGHEST as usize - 1] = [
    (10, 50),
    (25, 35),
    (60, 25),
    (150, 15),
    (400, 10),
    (1_000, 6),
    (3_000, 3),
    (10_000, 1),
    (40_000, 0),
];

/// How the computer thinks.
pub(super) struct ComputerPlayer {
    spec: String,
    recipe: PlayerSpec,
    search: SearchArgs,
    level: u8,
    /// The clock at the start of a game.
    clock: Option<GameClock>,
    /// What it shows each player now.
    clocks: Vec<GameClock>,
    /// Whether it thinks on the time of others.
    ponders: bool,
    /// Ends a search when it is raised.
    stop: &'static AtomicBool,
    player: players::LoadedPlayer,
}

/// What the computer came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchResult {
    /// Its move.
    pub(super) mv: PackedMove,
    /// What it expects, from -1 to 1.
    pub(super) value: f64,
    /// What it knows.
    pub(super) proved: Option<Proved>,
    /// How many nodes that rests on.
    pub(super) nodes: u64,
}

/// A suggested move.
#[derive(Clone, Debug)]
pub(super) struct Hint {
    /// The move.
    pub(super) name: String,
    /// What it is believed to be worth.
    pub(super) value: f64,
    /// What is known of it.
    pub(super) proved: Option<Proved>,
    /// How the game might go on.
    pub(super) pv: Vec<String>,
    /// Who says so.
    pub(super) why: String,
}

impl ComputerPlayer {
    /// A player as the arguments want it.
    pub(super) fn new(args: &PlayArgs, game: &LoadedGame) -> Result<Self> {
        let spec = args.player.spec().to_owned();
        let recipe = PlayerSpec::read(&spec, game)?;
        Ok(Self {
            player: recipe.player(args.search.options())?,
            spec,
            recipe,
            search: args.search,
            level: args.level.unwrap_or(HIGHEST),
            clock: args.clock,
            clocks: Vec::new(),
            ponders: args.ponder,
            stop: interrupt::listen(),
        })
    }

    /// What records call it.
    pub(super) fn name(&self) -> String {
        if self.level == HIGHEST {
            return self.spec.clone();
        }
        format!("{} (level {})", self.spec, self.level)
    }

    /// What it is, and why.
    pub(super) fn describe(&self) -> String {
        format!("{}: {}", self.spec, self.player.describe())
    }

    /// Gets to know the game before the first move.
    pub(super) fn prepare(&mut self, game: &LoadedGame) -> Result<()> {
        if self.clock.is_none() && !self.player.is_timed(&self.search.limits(None)) {
            return Ok(());
        }
        let prepared = prepare(&mut self.player, &game.game, TIME_TO_PREPARE, self.stop);
        prepared.map_err(|it| self.player.blame(game, it))
    }

    /// Another game begins.
    pub(super) fn restart(&mut self) {
        self.player.forget();
        self.clocks.clear();
    }

    /// Thinks about the present position of a game that is not over.
    pub(super) fn choose(&mut self, session: &Session<'_>, player: Player) -> Result<SearchResult> {
        if let Some(slip) = self.slip(session)? {
            return Ok(slip);
        }
        let result = self.search(session, player);
        let result = result.map_err(|it| self.player.blame(session.loaded, it))?;
        let line = result.lines.first();
        let line = line.ok_or_else(|| Error::new("the computer finds no move"))?;
        Ok(SearchResult {
            mv: line.mv,
            value: line.value,
            proved: line.proved,
            nodes: result.nodes,
        })
    }

    /// A random move, as often as the level says.
    fn slip(&self, session: &Session<'_>) -> Result<Option<SearchResult>> {
        let slips = self.level().map_or(0, |it| it.1);
        // Each move of a game has a stream of its own, so that an undone move is result of alike.
        let mut random = Random::stream(self.search.seed, session.length() as u64, 0);
        if u64::from(random.below(100)) >= slips {
            return Ok(None);
        }
        let moves = session.moves()?;
        let mv = moves[random.below(moves.len() as u32) as usize].1;
        Ok(Some(SearchResult { mv, value: 0.0, proved: None, nodes: 0 }))
    }

    /// Nodes and slips of the level.
    fn level(&self) -> Option<(u64, u64)> {
        LEVELS.get(usize::from(self.level) - 1).copied()
    }

    fn limits(&self) -> Limits<'static> {
        let level = self.level().map(|it| it.0);
        let nodes = [self.search.nodes, level].into_iter().flatten().min();
        let time = self.player.time_or(&self.search.limits(None), DEFAULT_TIME);
        let (depth, stop) = (self.search.depth, Some(self.stop));
        Limits { nodes, time, depth, stop, ..Limits::default() }
    }

    fn search(
        &mut self,
        session: &Session<'_>,
        player: Player,
    ) -> Result<ludex::analysis::SearchResult, Fault> {
        let position = &session.position;
        let root = SearchRoot { game: &session.loaded.game, position };
        let real = RealClock::start();
        let mut limits = Limits { clock: &real, ..self.limits() };
        let mut soft = None;
        if let Some(clock) = self.clock {
            self.clocks.resize(session.seats.len(), clock);
            let share = share(self.clocks[player.index()], &TimingConfig::default());
            (limits.time, soft) = (Some(share.hard), Some(share.soft));
        }
        // An early end raises the flag of Ctrl-C, and lowers it again.
        let (stop, mut enough) = (self.stop, false);
        let mut watch = |_: &ludex::analysis::SearchResult| {
            if soft.is_some_and(|it| real.elapsed() >= it) {
                enough = true;
                stop.store(true, Ordering::Relaxed);
            }
        };
        let result = self.player.search(root, limits, &mut watch)?;
        if enough {
            interrupt::take();
        }
        if self.clock.is_some() {
            let clock = &mut self.clocks[player.index()];
            // The computer does not lose on time here: an empty clock still has its increment.
            let empty = GameClock { left: clock.increment, ..*clock };
            *clock = clock.after(real.elapsed()).unwrap_or(empty);
        }
        Ok(result)
    }

    /// Thinks on the opponent's time, if that is switched on: for as long as `done` takes.
    pub(super) fn ponder<T>(&mut self, session: &Session<'_>, done: impl FnOnce() -> T) -> T {
        if !self.ponders {
            return done();
        }
        let position = &session.position;
        ponder_while(&mut self.player, SearchRoot { game: &session.loaded.game, position }, done)
    }

    /// Suggests a move, at full strength.
    pub(super) fn hint(&self, session: &Session<'_>) -> Result<Hint> {
        let mut player = self.recipe.player(self.search.options())?;
        let position = &session.position;
        let game = &session.loaded.game;
        let root = SearchRoot { game, position };
        let time = player.time_or(&self.search.limits(None), DEFAULT_TIME);
        let (nodes, depth, stop) = (self.search.nodes, self.search.depth, Some(self.stop));
        let clock = &RealClock::start();
        let result = player.search(root, Limits { nodes, time, depth, stop, clock }, &mut |_| {});
        let result = result.map_err(|it| player.blame(session.loaded, it))?;
        let line = result.lines.first();
        let line = line.ok_or_else(|| Error::new("the computer finds no move"))?;
        let pv = names(game, position, &line.pv);
        Ok(Hint {
            name: ludex_core::Game::name(game, &position.state, line.mv),
            value: line.value,
            proved: line.proved,
            pv: pv.into_iter().take(8).collect(),
            why: player.describe(),
        })
    }
}
