//! What is known of a game before any search: made once, shared by all searches.

use std::sync::OnceLock;

use ludex_core::Player;
use ludex_interp::RulesGame;
use ludex_ir::Program;

use super::foreign::Foreign;
use super::open::Open;
use super::patterns::{Limits, Patterns};
use super::shape::Shape;
use crate::joining::Joining;
use crate::study::Study;

/// A game made ready for the search of threats.
#[derive(Debug)]
pub struct Ground {
    pub(super) study: Study,
    /// What each player can do to the cells.
    foreign: Vec<Foreign>,
    /// What the wins of each player are made of, once that has been asked.
    patterns: Vec<OnceLock<Option<Patterns>>>,
    /// What the players have to join, if that is what the game is about, once it has been asked.
    joining: OnceLock<Option<Joining>>,
    /// Whether there is a man that may not be left to be taken.
    pub(super) has_kings: bool,
    /// Whether one move can win: not where taking that man is the only way.
    pub(super) wins_at_once: bool,
}

impl Ground {
    /// Reads the rules of a game.
    pub fn new(rules: &RulesGame) -> Self {
        let program = rules.program();
        let study = Study::new(program);
        let players = 0..program.players.len() as u8;
        Self {
            patterns: players.clone().map(|_| OnceLock::new()).collect(),
            foreign: players.map(|it| Foreign::of(rules, &study, Player(it))).collect(),
            study,
            joining: OnceLock::new(),
            has_kings: program.roles.royal.is_some(),
            wins_at_once: wins_at_once(program),
        }
    }

    /// What the wins of a player are made of, if the rules tell. That is found out once; where
    /// the time did not suffice, it is not known for good.
    pub(super) fn patterns<G: Open>(
        &self,
        game: (&G, &RulesGame),
        player: Player,
        limits: Limits<'_>,
    ) -> Option<&Patterns> {
        let known = &self.patterns[usize::from(player.0)];
        known.get_or_init(|| Patterns::new(game, self, player, limits)).as_ref()
    }

    /// What the players have to join, if that is what the game is about.
    pub fn joining(&self, program: &Program) -> Option<&Joining> {
        self.joining.get_or_init(|| Joining::of(program)).as_ref()
    }

    /// What the wins of a player are made of, where it has been asked before.
    pub(super) fn known_patterns(&self, player: Player) -> Option<&Patterns> {
        self.patterns[usize::from(player.0)].get()?.as_ref()
    }

    /// What the opponent of `attacker` can do to the cells. Asked in games of two only.
    pub(super) fn foreign(&self, attacker: Player) -> &Foreign {
        &self.foreign[usize::from(attacker.0 == 0)]
    }

    /// What a player can do to the cells.
    pub(super) fn own(&self, player: Player) -> &Foreign {
        &self.foreign[usize::from(player.0)]
    }

    /// The shape of a move that ends the game. Where a king is at stake that is a mate: a threat
    /// to take him that nothing helps against.
    pub(super) fn last_shape(&self) -> Shape {
        last(self.wins_at_once)
    }
}

/// Whether one move can win by these rules: not where taking a king is the only way.
fn wins_at_once(program: &Program) -> bool {
    program.roles.royal.is_none() || program.roles.result.is_some()
}

/// The shape of a move that ends the game, by these rules.
pub fn last_shape(program: &Program) -> Shape {
    last(wins_at_once(program))
}

fn last(wins_at_once: bool) -> Shape {
    if wins_at_once { Shape::one() } else { Shape::chain(1) }
}
