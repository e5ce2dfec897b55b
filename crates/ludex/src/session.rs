//! A game that is played: moves by name, taken back, read and written.

use std::sync::Arc;

use ludex_core::{Game, Position, Turn};

use crate::ending::{Ending, turn_text};
use crate::error::Result;
use crate::game::LoadedGame;

/// A game in progress: the positions so far and the turns between them.
#[derive(Clone, Debug)]
pub struct Session {
    game: Arc<LoadedGame>,
    /// The positions before every turn, and the present one last.
    positions: Vec<Position>,
    turns: Vec<String>,
}

impl Session {
    /// A game at its start.
    pub fn new(game: impl Into<Arc<LoadedGame>>) -> Self {
        let game = game.into();
        let start = game.game.start();
        Self { game, positions: vec![start], turns: Vec::new() }
    }

    /// A game that begins with the position that `text` describes.
    pub fn from_position(game: impl Into<Arc<LoadedGame>>, text: &str) -> Result<Self> {
        let game = game.into();
        let start = game.read(text)?;
        Ok(Self { game, positions: vec![start], turns: Vec::new() })
    }

    /// The rules.
    pub fn game(&self) -> &Arc<LoadedGame> {
        &self.game
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a session has a position from the beginning")
    }

    /// The turns that were played, by name.
    pub fn turns(&self) -> &[String] {
        &self.turns
    }

    /// The names of the legal moves, sorted.
    pub fn moves(&self) -> Result<Vec<String>> {
        self.game.moves(self.position())
    }

    /// Plays the turn called `name`; what is not legal changes nothing.
    pub fn play(&mut self, name: &str) -> Result<()> {
        let mut next = self.position().clone();
        self.game.play(&mut next, self.turns.len() as u32 + 1, name)?;
        self.positions.push(next);
        self.turns.push(name.to_owned());
        Ok(())
    }

    /// Takes the last turn back: its name, if there was one.
    pub fn undo(&mut self) -> Option<String> {
        let turn = self.turns.pop()?;
        self.positions.pop();
        Some(turn)
    }

    /// Who decides next, by name; nothing when the game is over.
    pub fn to_move(&self) -> Result<Option<String>> {
        Ok(turn_text(&self.game.game, self.turn()?))
    }

    /// Who decides next.
    pub fn turn(&self) -> Result<Turn> {
        self.game.turn(self.position())
    }

    /// How the game ended, if it is over.
    pub fn ending(&self) -> Result<Option<Ending>> {
        self.game.ending(self.position())
    }

    /// The position as text, as [`Session::from_position`] reads it.
    pub fn write(&self) -> String {
        self.game.game.write(&self.position().state)
    }

    /// The position drawn with letters.
    pub fn draw(&self) -> String {
        self.game.game.draw(&self.position().state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::load;

    #[test]
    fn what_is_undone_was_never_played() {
        let mut session = Session::new(load("connect4").expect("it is bundled"));
        let before = session.write();
        session.play("d1").expect("it is legal");
        assert!(session.play("d9").is_err());
        assert_eq!(session.turns(), ["d1"]);
        assert_eq!(session.undo().as_deref(), Some("d1"));
        assert_eq!((session.write(), session.undo()), (before, None));
    }

    #[test]
    fn a_game_ends() {
        let mut session = Session::new(load("tictactoe").expect("it is bundled"));
        for name in ["a1", "b1", "a2", "b2", "a3"] {
            session.play(name).expect("it is legal");
        }
        let ending = session.ending().expect("the rules hold").expect("three in a row");
        assert!(ending.text.contains("wins"), "{}", ending.text);
        assert_eq!(session.moves(), Ok(Vec::new()));
        let again = Session::from_position(session.game().clone(), &session.write());
        assert_eq!(again.expect("it was written").position().state, session.position().state);
    }
}
