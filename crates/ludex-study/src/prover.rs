//! [`StudyProver`]: answers the questions of searches by a study of the rules.

use std::fmt;
use std::sync::{Arc, OnceLock};

use ludex_core::{Effort, Fault, Forced, Position, Prover, Sought, State, Trail};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use crate::connections::ConnectionGame;
use crate::threats::{self, CellGame, GameAnalysis};

/// The prover of a game given by rules: virtual connections in a connection game, else threats.
///
/// The rules are analysed at the first question, and once.
pub struct StudyProver<G> {
    game: G,
    rules: RulesGame,
    analysis: OnceLock<Arc<GameAnalysis>>,
}

impl<G: CellGame> StudyProver<G> {
    /// The prover of `game`, whose interpreter is `rules`.
    pub fn new(game: G, rules: RulesGame) -> Self {
        Self { game, rules, analysis: OnceLock::new() }
    }

    fn analysis(&self) -> &Arc<GameAnalysis> {
        self.analysis.get_or_init(|| Arc::new(GameAnalysis::new(&self.rules)))
    }

    fn connections(&self) -> Option<&ConnectionGame> {
        self.analysis().connections(self.rules.program())
    }
}

impl<G: CellGame> Prover<State, Trail, PackedMove> for StudyProver<G> {
    fn forced_win(
        &self,
        position: &Position,
        effort: Effort<'_>,
    ) -> Result<Sought<Forced<PackedMove>>, Fault> {
        match self.connections() {
            Some(it) => it.forced_win((&self.game, self.rules.program()), position, effort),
            None => {
                threats::forced_win(self.analysis(), (&self.game, &self.rules), position, effort)
            }
        }
    }

    fn only_defences(
        &self,
        position: &Position,
        effort: Effort<'_>,
    ) -> Result<Sought<Vec<PackedMove>>, Fault> {
        match self.connections() {
            Some(it) => it.only_defences((&self.game, self.rules.program()), position, effort),
            None => {
                let game = (&self.game, &self.rules);
                threats::only_defences(self.analysis(), game, position, effort)
            }
        }
    }

    fn is_decisive(&self) -> bool {
        ConnectionGame::may_be(self.rules.program())
            && self.connections().is_some_and(ConnectionGame::is_decisive)
    }
}

impl<G> fmt::Debug for StudyProver<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StudyProver").field("rules", &self.rules).finish_non_exhaustive()
    }
}
