//! A game that can be stopped while it is being counted or played.
//!
//! Perft and playouts are loops of the core that know no clock. They do pass
//! faults up, so a game that answers with a fault of our own stops them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludex_core::playout::Playout;
use ludex_core::{Fault, Game, Payoff, Percept, Player, Random, TextError, Turn};

/// Code of the fault that stops a loop.
const STOPPED: &str = "stopped-from-outside";

/// A game that answers as `game` does until it is stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched<'a, G> {
    /// The game itself.
    pub(crate) game: &'a G,
    /// Stops it when raised.
    pub(crate) stop: &'a AtomicBool,
    /// Stops it when the time has come.
    pub(crate) until: Option<Instant>,
}

impl<G> Watched<'_, G> {
    /// Whether to stop.
    pub(crate) fn is_stopped(&self) -> bool {
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
pub(crate) fn was_stopped(fault: &Fault) -> bool {
    fault.code == STOPPED
}

impl<G: Game> Game for Watched<'_, G> {
    type State = G::State;
    type Trail = G::Trail;
    type Move = G::Move;

    fn players(&self) -> usize {
        self.game.players()
    }

    fn player_name(&self, player: Player) -> String {
        self.game.player_name(player)
    }

    fn start(&self) -> (Self::State, Self::Trail) {
        self.game.start()
    }

    fn trail_from(&self, state: &Self::State) -> Self::Trail {
        self.game.trail_from(state)
    }

    fn turn(&self, state: &Self::State, trail: &Self::Trail) -> Result<Turn, Fault> {
        self.check()?;
        self.game.turn(state, trail)
    }

    fn moves(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        player: Player,
        moves: &mut Vec<Self::Move>,
    ) -> Result<(), Fault> {
        self.game.moves(state, trail, player, moves)
    }

    fn chances(
        &self,
        state: &Self::State,
        moves: &mut Vec<(Self::Move, f64)>,
    ) -> Result<(), Fault> {
        self.game.chances(state, moves)
    }

    fn apply(
        &self,
        state: &mut Self::State,
        trail: &mut Self::Trail,
        moves: &[Self::Move],
    ) -> Result<(), Fault> {
        self.game.apply(state, trail, moves)
    }

    fn payoff(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        player: Player,
    ) -> Result<Payoff, Fault> {
        self.game.payoff(state, trail, player)
    }

    fn hash(&self, state: &Self::State) -> u64 {
        self.game.hash(state)
    }

    fn name(&self, state: &Self::State, mv: Self::Move) -> String {
        self.game.name(state, mv)
    }

    fn position(&self, state: &Self::State) -> String {
        self.game.position(state)
    }

    fn read_position(&self, text: &str) -> Result<Self::State, TextError> {
        self.game.read_position(text)
    }

    fn draw(&self, state: &Self::State) -> String {
        self.game.draw(state)
    }

    fn percept(&self, state: &Self::State, player: Player) -> Option<Percept> {
        self.game.percept(state, player)
    }

    fn named(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        player: Player,
        name: &str,
    ) -> Result<Option<Self::Move>, Fault> {
        self.game.named(state, trail, player, name)
    }

    fn listing_steps(&self, state: &Self::State, trail: &Self::Trail) -> Option<u64> {
        self.game.listing_steps(state, trail)
    }

    fn count_moves(&self, state: &Self::State, trail: &Self::Trail) -> Result<u64, Fault> {
        self.check()?;
        self.game.count_moves(state, trail)
    }

    fn random_move(
        &self,
        state: &Self::State,
        trail: &Self::Trail,
        random: &mut Random,
    ) -> Result<Option<Self::Move>, Fault> {
        self.check()?;
        self.game.random_move(state, trail, random)
    }

    /// A playout of the game's own is not stopped in the middle: it is short.
    fn playout(
        &self,
        state: &mut Self::State,
        trail: &mut Self::Trail,
        random: &mut Random,
        limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        match self.check() {
            Ok(()) => self.game.playout(state, trail, random, limit),
            Err(fault) => Some(Err(fault)),
        }
    }
}
