//! A game whose first hash is all but useless: who trusts it alone takes one position for another.

use ludex_core::{Fault, Game, Payoff, Player, TextError, Turn};

/// The same rules with a hash of so many different values.
pub(crate) struct Colliding<G> {
    pub(crate) game: G,
    pub(crate) hashes: u64,
}

impl<G: Game> Game for Colliding<G> {
    type State = G::State;
    type Trail = G::Trail;
    type Move = G::Move;

    fn hash(&self, state: &G::State) -> u64 {
        // Spread out, so that tables use all of their places.
        (self.game.hash(state) % self.hashes).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn second_hash(&self, state: &G::State) -> u64 {
        self.game.second_hash(state)
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn player_name(&self, player: Player) -> String {
        self.game.player_name(player)
    }

    fn start(&self) -> (G::State, G::Trail) {
        self.game.start()
    }

    fn trail_from(&self, state: &G::State) -> G::Trail {
        self.game.trail_from(state)
    }

    fn turn(&self, state: &G::State, trail: &G::Trail) -> Result<Turn, Fault> {
        self.game.turn(state, trail)
    }

    fn moves(
        &self,
        state: &G::State,
        trail: &G::Trail,
        player: Player,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Fault> {
        self.game.moves(state, trail, player, moves)
    }

    fn apply(
        &self,
        state: &mut G::State,
        trail: &mut G::Trail,
        moves: &[G::Move],
    ) -> Result<(), Fault> {
        self.game.apply(state, trail, moves)
    }

    fn payoff(&self, state: &G::State, trail: &G::Trail, player: Player) -> Result<Payoff, Fault> {
        self.game.payoff(state, trail, player)
    }

    fn name(&self, state: &G::State, mv: G::Move) -> String {
        self.game.name(state, mv)
    }

    fn position(&self, state: &G::State) -> String {
        self.game.position(state)
    }

    fn read_position(&self, text: &str) -> Result<G::State, TextError> {
        self.game.read_position(text)
    }

    fn has_history(&self) -> bool {
        self.game.has_history()
    }
}
