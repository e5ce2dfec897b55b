//! The computer's moves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludex::analysis::{SearchResult, names, prepare};
use ludex::clock::RealClock;
use ludex::game::LoadedGame;
use ludex::players::{self, PlayerSpec};
use ludex::ponder::ponder_while;
use ludex::{Error, Result};
use ludex_core::{Clock, Game, Limits, Player, Random};
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;
use ludex_search::timing::{GameClock, TimingConfig, move_time};
use ludex_search::{Line, Proved, SearchError, SearchRoot};

use super::PlayArgs;
use super::session::SeatedGame;
use crate::args::SearchArgs;
use crate::interrupt;

/// The time for a move where none is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The time to prepare, before the game begins.
const TIME_TO_PREPARE: Duration = Duration::from_secs(2);

/// The moves of a line that a hint shows.
const HINTED_MOVES: usize = 8;

/// The strongest level.
const HIGHEST: u8 = 10;

/// The node budgets of the levels from 1 on, and how many of a hundred moves are slips: played at
/// random. The highest level has no limits.
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

/// The computer as a player.
pub(super) struct ComputerPlayer {
    spec: String,
    maker: PlayerSpec,
    search: SearchArgs,
    level: u8,
    /// The clock at the start of a game.
    clock: Option<GameClock>,
    /// What it shows each player now.
    clocks: Vec<GameClock>,
    /// Whether it searches on the time of others.
    ponders: bool,
    /// Ends a search when it is raised.
    stop: &'static AtomicBool,
    player: players::LoadedPlayer,
}

/// A move of the computer.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The move.
    pub(super) name: String,
    /// What it expects, from -1 to 1.
    pub(super) value: f64,
    /// What is proved.
    pub(super) proved: Option<Proved>,
    /// How many nodes were searched.
    pub(super) nodes: u64,
}

/// A suggested move.
#[derive(Clone, Debug)]
pub(super) struct Hint {
    /// The move.
    pub(super) name: String,
    /// Its value, from -1 to 1.
    pub(super) value: f64,
    /// What is proved of it.
    pub(super) proved: Option<Proved>,
    /// How the game might go on.
    pub(super) pv: Vec<String>,
    /// What the player is, and why it was chosen.
    pub(super) why: String,
}

impl ComputerPlayer {
    /// A player as the arguments want it.
    pub(super) fn new(args: &PlayArgs, game: &LoadedGame) -> Result<Self> {
        let spec = args.player.spec().to_owned();
        let maker = PlayerSpec::read(&spec, game)?;
        Ok(Self {
            player: maker.player(args.search.options())?,
            spec,
            maker,
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

    /// Prepares before the first move.
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

    /// Chooses a move in a game that is not over.
    pub(super) fn choose(&mut self, game: &SeatedGame, player: Player) -> Result<Choice> {
        if let Some(slip) = self.slip(game)? {
            return Ok(slip);
        }
        let result = self.search(game, player);
        let result = result.map_err(|it| self.player.blame(game.loaded(), it))?;
        let line = first_line(&result)?;
        let name = game.loaded().game.name(&game.position().state, line.mv);
        let (value, proved, nodes) = (line.value, line.proved, result.nodes);
        Ok(Choice { name, value, proved, nodes })
    }

    /// A random move, as often as the level says.
    fn slip(&self, game: &SeatedGame) -> Result<Option<Choice>> {
        let slips = self.level().map_or(0, |it| it.1);
        // Each move of a game has a stream of its own: an undone move is chosen again alike.
        let number = game.session.turns().len() as u64;
        let mut random = Random::stream(self.search.seed, number, 0);
        if u64::from(random.below(100)) >= slips {
            return Ok(None);
        }
        let mut moves = game.session.moves()?;
        let name = moves.swap_remove(random.below(moves.len() as u32) as usize);
        Ok(Some(Choice { name, value: 0.0, proved: None, nodes: 0 }))
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

    fn search(&mut self, game: &SeatedGame, player: Player) -> Result<SearchResult, SearchError> {
        let root = root(game);
        let real = RealClock::start();
        let mut limits = Limits { clock: &real, ..self.limits() };
        let mut soft = None;
        if let Some(clock) = self.clock {
            self.clocks.resize(game.seats.len(), clock);
            let share = move_time(self.clocks[player.index()], &TimingConfig::default());
            (limits.time, soft) = (Some(share.hard), Some(share.soft));
        }
        // An early end raises the flag of Ctrl-C, and lowers it again.
        let (stop, mut enough) = (self.stop, false);
        let mut watch = |_: &SearchResult| {
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

    /// Searches on the opponent's time, if that is switched on: for as long as `done` takes.
    pub(super) fn ponder<T>(&mut self, game: &SeatedGame, done: impl FnOnce() -> T) -> T {
        if !self.ponders {
            return done();
        }
        ponder_while(&mut self.player, root(game), done)
    }

    /// Suggests a move, at full strength.
    pub(super) fn hint(&self, game: &SeatedGame) -> Result<Hint> {
        let mut player = self.maker.player(self.search.options())?;
        let time = player.time_or(&self.search.limits(None), DEFAULT_TIME);
        let (nodes, depth, stop) = (self.search.nodes, self.search.depth, Some(self.stop));
        let clock = &RealClock::start();
        let limits = Limits { nodes, time, depth, stop, clock };
        let result = player.search(root(game), limits, &mut |_| {});
        let result = result.map_err(|it| player.blame(game.loaded(), it))?;
        let line = first_line(&result)?;
        let (rules, position) = (&game.loaded().game, game.position());
        Ok(Hint {
            name: rules.name(&position.state, line.mv),
            value: line.value,
            proved: line.proved,
            pv: names(rules, position, &line.pv).into_iter().take(HINTED_MOVES).collect(),
            why: player.describe(),
        })
    }
}

/// The root of a search of the present position.
fn root(game: &SeatedGame) -> SearchRoot<'_, CompiledGame> {
    SearchRoot { game: &game.loaded().game, position: game.position() }
}

/// The best line.
fn first_line(result: &SearchResult) -> Result<&Line<PackedMove>> {
    result.lines.first().ok_or_else(|| Error::new("the computer finds no move"))
}
