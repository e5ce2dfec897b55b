//! What an engine for rules can be asked besides what every game can.

use ludex_core::{Fault, Game, Position, PositionOf, State, Trail};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;

/// An engine that is held to what the interpreter answers.
pub(crate) trait Engine: Game<Move = PackedMove, Trail = Trail> {
    /// A state in the layout of the interpreter.
    fn reference_state(&self, state: &Self::State) -> State;

    /// A state of the interpreter in the layout of this engine.
    fn own_state(&self, state: &State) -> Self::State;

    /// The hash of what the rules compare for repetition, as it was kept up to date.
    fn key(&self, state: &Self::State) -> u64;

    /// The features of a position.
    fn features(&self, position: &PositionOf<Self>) -> Result<Vec<f64>, Fault>;
}

/// The interpreter, running another program for the same rules.
impl Engine for RulesGame {
    fn reference_state(&self, state: &State) -> State {
        state.clone()
    }

    fn own_state(&self, state: &State) -> State {
        state.clone()
    }

    fn key(&self, state: &State) -> u64 {
        state.key
    }

    fn features(&self, position: &Position) -> Result<Vec<f64>, Fault> {
        self.features(position)
    }
}

/// Native code.
impl Engine for CompiledGame {
    fn reference_state(&self, state: &State) -> State {
        self.to_interpreter(state).into_owned()
    }

    fn own_state(&self, state: &State) -> State {
        self.from_interpreter(state.clone())
    }

    fn key(&self, state: &State) -> u64 {
        state.key
    }

    fn features(&self, position: &Position) -> Result<Vec<f64>, Fault> {
        self.features(position)
    }
}
