//! Pig: roll a die as often as you dare; a one loses the pot, holding banks it.
//!
//! The decision and the roll are two turns: the first is the player's, the second
//! is chance's.

use std::sync::LazyLock;

use ludex_core::info::{Results, Turns};
use ludex_core::{Fault, Game, GameInfo, Payoff, Player, Position, TextError, Turn};

use crate::number;

/// The rules of Pig.
#[derive(Clone, Copy, Debug)]
pub struct Pig {
    /// The points that win when they are banked.
    pub goal: u8,
    /// How many faces the die has, at least 2.
    pub faces: u8,
}

/// The points, and what is happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Points {
    /// Points in the bank, at most the goal.
    pub banked: [u8; 2],
    /// Points at stake.
    pub pot: u8,
    /// Whose turn it is, the roll of a die included.
    pub mover: Player,
    /// Whether the die is in the air.
    pub rolling: bool,
}

/// A decision, or what the die shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Act {
    /// Roll the die.
    Roll,
    /// Bank the pot. Not with an empty one.
    Hold,
    /// Chance: the die shows this.
    Face(u8),
}

impl Pig {
    fn winner(self, state: Points) -> Option<Player> {
        [Player(0), Player(1)].into_iter().find(|it| state.banked[it.index()] >= self.goal)
    }

    fn hold(self, state: &mut Points) {
        let bank = &mut state.banked[state.mover.index()];
        *bank = bank.saturating_add(state.pot).min(self.goal);
        pass(state);
    }
}

fn pass(state: &mut Points) {
    state.pot = 0;
    state.mover = Player(1 - state.mover.0);
}

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo {
    has_chance: true,
    turns: Turns::Several,
    results: Results::Points,
    ..GameInfo::two_players("Ham", "Bacon")
});

impl Game for Pig {
    type State = Points;
    type Trail = ();
    type Move = Act;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Points, ()> {
        Position::of(Points { banked: [0, 0], pot: 0, mover: Player(0), rolling: false })
    }

    fn position(&self, state: Points) -> Position<Points, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<Points, ()>) -> Result<Turn, Fault> {
        Ok(match self.winner(*state) {
            Some(_) => Turn::Over,
            None if state.rolling => Turn::Chance,
            None => Turn::Of(state.mover),
        })
    }

    fn moves(
        &self,
        position: &Position<Points, ()>,
        player: Player,
        moves: &mut Vec<Act>,
    ) -> Result<(), Fault> {
        let state = &position.state;
        moves.clear();
        if self.turn(position)? == Turn::Of(player) {
            moves.push(Act::Roll);
            moves.extend((state.pot > 0).then_some(Act::Hold));
        }
        Ok(())
    }

    fn chances(
        &self,
        Position { state, .. }: &Position<Points, ()>,
        moves: &mut Vec<(Act, f64)>,
    ) -> Result<(), Fault> {
        moves.clear();
        if state.rolling {
            let odd = 1.0 / f64::from(self.faces);
            moves.extend((1..=self.faces).map(|face| (Act::Face(face), odd)));
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<Points, ()>,
        moves: &[Act],
    ) -> Result<(), Fault> {
        match *moves {
            [Act::Roll] => state.rolling = true,
            [Act::Hold] => self.hold(state),
            [Act::Face(face)] => {
                state.rolling = false;
                match face {
                    1 => pass(state),
                    _ => state.pot = state.pot.saturating_add(face).min(self.goal),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<Points, ()>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        let won = self.winner(*state) == Some(player);
        let score = i64::from(state.banked[player.index()]);
        Ok(Payoff { score, utility: if won { 1.0 } else { -1.0 } })
    }

    fn name(&self, _state: &Points, mv: Act) -> String {
        match mv {
            Act::Roll => "roll".to_owned(),
            Act::Hold => "hold".to_owned(),
            Act::Face(face) => face.to_string(),
        }
    }

    fn write(&self, state: &Points) -> String {
        let Points { banked: [ham, bacon], pot, mover, rolling } = state;
        let phase = if *rolling { "rolling" } else { "thinking" };
        format!("{ham} {bacon} {pot} {} {phase}", INFO.player_name(*mover))
    }

    fn read(&self, text: &str) -> Result<Points, TextError> {
        let [ham, bacon, pot, mover, phase] = crate::words(text)?;
        let mover = match mover {
            "Ham" => Player(0),
            "Bacon" => Player(1),
            _ => return Err(TextError::new(format!("`{mover}` is neither Ham nor Bacon"))),
        };
        let rolling = match phase {
            "rolling" => true,
            "thinking" => false,
            _ => return Err(TextError::new(format!("`{phase}` is neither rolling nor thinking"))),
        };
        let banked = [number(ham, self.goal)?, number(bacon, self.goal)?];
        Ok(Points { banked, pot: number(pot, self.goal)?, mover, rolling })
    }
}
