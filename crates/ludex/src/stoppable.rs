//! A game that can be stopped while it is being counted or played.
//!
//! Perft and playouts are loops of the core, which reads no clock. They pass faults up, so a game
//! that answers with a fault of its own stops them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludex_core::playout::Playout;
use ludex_core::{
    Fault, Game, GameExt, GameInfo, Payoff, Player, PositionOf, Random, Roles, Shortcuts,
    TextError, Turn,
};

/// Code of the fault that stops a loop.
const STOPPED: &str = "stopped-from-outside";

/// A game that answers as `game` does until it is stopped.
#[derive(Clone, Copy, Debug)]
pub struct Stoppable<'a, G> {
    /// The game itself.
    pub game: &'a G,
    /// Stops it when raised.
    pub stop: &'a AtomicBool,
    /// Stops it when the time has come.
    pub until: Option<Instant>,
}

impl<G> Stoppable<'_, G> {
    /// Whether to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|it| it <= Instant::now())
    }

    fn check(&self) -> Result<(), Fault> {
        if self.is_stopped() {
            return Err(Fault { code: STOPPED, message: "stopped".to_owned(), place: None });
        }
        Ok(())
    }
}

/// Whether a fault only says that the game was stopped.
pub fn was_stopped(fault: &Fault) -> bool {
    fault.code == STOPPED
}

impl<G: Game> Game for Stoppable<'_, G> {
    type State = G::State;
    type Trail = G::Trail;
    type Move = G::Move;

    fn info(&self) -> &GameInfo {
        self.game.info()
    }

    fn start(&self) -> PositionOf<G> {
        self.game.start()
    }

    fn position(&self, state: G::State) -> PositionOf<G> {
        self.game.position(state)
    }

    fn turn(&self, position: &PositionOf<G>) -> Result<Turn, Fault> {
        self.check()?;
        self.game.turn(position)
    }

    fn moves(
        &self,
        position: &PositionOf<G>,
        player: Player,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Fault> {
        self.game.moves(position, player, moves)
    }

    fn chances(
        &self,
        position: &PositionOf<G>,
        moves: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Fault> {
        self.game.chances(position, moves)
    }

    fn apply(&self, position: &mut PositionOf<G>, moves: &[G::Move]) -> Result<(), Fault> {
        self.game.apply(position, moves)
    }

    fn payoff(&self, position: &PositionOf<G>, player: Player) -> Result<Payoff, Fault> {
        self.game.payoff(position, player)
    }

    fn name(&self, state: &G::State, mv: G::Move) -> String {
        self.game.name(state, mv)
    }

    fn write(&self, state: &G::State) -> String {
        self.game.write(state)
    }

    fn read(&self, text: &str) -> Result<G::State, TextError> {
        self.game.read(text)
    }

    fn roles(&self) -> Roles<'_, G::State, G::Trail, G::Move> {
        Roles { shortcuts: Some(self), ..Roles::default() }
    }
}

impl<G: Game> Shortcuts<G::State, G::Trail, G::Move> for Stoppable<'_, G> {
    fn count_moves(&self, position: &PositionOf<G>) -> Option<Result<u64, Fault>> {
        match self.check() {
            Ok(()) => self.game.roles().shortcuts?.count_moves(position),
            Err(fault) => Some(Err(fault)),
        }
    }

    /// A playout of the game's own is not stopped in the middle: it is short.
    fn playout(
        &self,
        position: &mut PositionOf<G>,
        random: &mut Random,
        limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        match self.check() {
            Ok(()) => self.game.playout(position, random, limit),
            Err(fault) => Some(Err(fault)),
        }
    }
}
