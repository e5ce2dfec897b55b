//! A game whose first hash is all but useless: who trusts it alone takes one position for another.

use ludex_core::{
    Fault, Game, GameExt, GameInfo, Payoff, Player, PositionOf, Roles, RolesOf, Shortcuts,
    TextError, Turn,
};

/// The same rules with a hash of few different values.
pub(crate) struct Colliding<G> {
    pub(crate) game: G,
    pub(crate) hashes: u64,
}

impl<G: Game> Game for Colliding<G> {
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

    fn roles(&self) -> RolesOf<'_, Self> {
        Roles { shortcuts: Some(self), ..Roles::default() }
    }
}

impl<G: Game> Shortcuts<G::State, G::Trail, G::Move> for Colliding<G> {
    fn hash(&self, state: &G::State) -> Option<u64> {
        // Spread out, so that tables use all of their places.
        Some((self.game.hash(state) % self.hashes).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn second_hash(&self, state: &G::State) -> Option<u64> {
        Some(self.game.second_hash(state))
    }
}
