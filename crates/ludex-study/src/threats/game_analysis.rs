//! Static analysis of a game for threat search: made once, shared by all searches.

use std::sync::OnceLock;

use ludex_core::{Limits, Player};
use ludex_interp::RulesGame;
use ludex_ir::Program;

use super::cell_game::CellGame;
use super::move_effects::MoveEffects;
use super::patterns::Patterns;
use super::shape::Shape;
use crate::connections::ConnectionGame;
use crate::study::Study;

/// The winning patterns of one player, as far as they have been computed.
#[derive(Debug, Default)]
struct KnownPatterns {
    /// What is read off the rules. No limits have a say in it.
    listed: OnceLock<Option<Patterns>>,
    /// Whether they explain random games. A test that limits ended is not noted here.
    explain: OnceLock<bool>,
}

impl KnownPatterns {
    /// The patterns, if they have been read off the rules and stood the test.
    fn get(&self) -> Option<&Patterns> {
        let listed = self.listed.get()?.as_ref()?;
        (self.explain.get() == Some(&true)).then_some(listed)
    }
}

/// What threat search derives from the rules of a game.
#[derive(Debug)]
pub struct GameAnalysis {
    pub(super) study: Study,
    /// What the moves of each player can write.
    effects: Vec<MoveEffects>,
    /// Winning patterns of each player, computed on demand.
    patterns: Vec<KnownPatterns>,
    /// The connection game, if it is one, computed on demand.
    connections: OnceLock<Option<ConnectionGame>>,
    /// Whether there is a man that may not be left to be captured.
    pub(super) has_kings: bool,
    /// Whether a single move can win: not if capturing that man is the only way.
    pub(super) wins_at_once: bool,
}

impl GameAnalysis {
    /// Analyses the rules of a game.
    pub fn new(rules: &RulesGame) -> Self {
        let program = rules.program();
        let study = Study::new(program);
        let players = 0..program.players.len() as u8;
        Self {
            patterns: players.clone().map(|_| KnownPatterns::default()).collect(),
            effects: players.map(|it| MoveEffects::of(rules, &study, Player(it))).collect(),
            study,
            connections: OnceLock::new(),
            has_kings: program.roles.royal.is_some(),
            wins_at_once: wins_at_once(program),
        }
    }

    /// The winning patterns of a player, if they can be read off the rules. They are computed once; if
    /// the limits do not suffice, they are unknown to this search, and the next one tries again.
    pub(super) fn patterns<G: CellGame>(
        &self,
        game: (&G, &RulesGame),
        player: Player,
        limits: Limits<'_>,
    ) -> Option<&Patterns> {
        let known = &self.patterns[usize::from(player.0)];
        let (game, rules) = game;
        let listed = known.listed.get_or_init(|| Patterns::listed(rules, self, player)).as_ref()?;
        if known.explain.get().is_none() {
            let explain = listed.explain_random_games(game, limits)?;
            known.explain.get_or_init(|| explain);
        }
        known.get()
    }

    /// The connection game, if the rules are those of one.
    pub fn connections(&self, program: &Program) -> Option<&ConnectionGame> {
        self.connections.get_or_init(|| ConnectionGame::of(program)).as_ref()
    }

    /// The winning patterns of a player, if they have been computed.
    pub(super) fn known_patterns(&self, player: Player) -> Option<&Patterns> {
        self.patterns[usize::from(player.0)].get()
    }

    /// What the moves of the opponent of `attacker` can write. For games of two players.
    pub(super) fn defender_effects(&self, attacker: Player) -> &MoveEffects {
        &self.effects[usize::from(attacker.0 == 0)]
    }

    /// What the moves of a player can write.
    pub(super) fn effects_of(&self, player: Player) -> &MoveEffects {
        &self.effects[usize::from(player.0)]
    }

    /// The shape of a move that ends the game. If a king decides the game, that is a mate: a threat to
    /// capture him without a defence.
    pub(super) fn last_shape(&self) -> Shape {
        last(self.wins_at_once)
    }
}

/// Whether a single move can win by these rules: not if capturing a king is the only way.
fn wins_at_once(program: &Program) -> bool {
    program.roles.royal.is_none() || program.roles.result.is_some()
}

/// The shape of a move that ends the game, by these rules.
pub fn last_shape(program: &Program) -> Shape {
    last(wins_at_once(program))
}

fn last(wins_at_once: bool) -> Shape {
    if wins_at_once { Shape::one() } else { Shape::sequence(1) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::Duration;

    use ludex_core::Clock;

    use super::*;

    /// A clock that is a second later each time it is read.
    #[derive(Default)]
    struct Reads(AtomicU64);

    impl Clock for Reads {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }

    fn tic_tac_toe() -> RulesGame {
        let source = include_str!("../../../../games/tictactoe.game");
        RulesGame::new(ludex_rules::compile(source, "").program.expect("tic-tac-toe compiles"))
    }

    #[test]
    fn limits_that_end_the_test_of_patterns_bind_one_search_only() {
        let (game, player) = (tic_tac_toe(), Player(0));
        let analysis = GameAnalysis::new(&game);
        let flag = AtomicBool::new(true);
        let stopped = Limits { stop: Some(&flag), ..Limits::default() };
        assert!(analysis.patterns((&game, &game), player, stopped).is_none());
        let (clock, time) = (Reads::default(), Some(Duration::from_secs(30)));
        let timed = Limits { time, clock: &clock, ..Limits::default() };
        assert!(analysis.patterns((&game, &game), player, timed).is_none());
        assert!(analysis.known_patterns(player).is_none());
        assert!(analysis.patterns((&game, &game), player, Limits::default()).is_some());
        assert!(analysis.patterns((&game, &game), player, stopped).is_some());
    }
}
