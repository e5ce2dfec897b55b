//! A game that is played: moves by name, taken back, read and written.

use std::sync::Arc;

use ludex_arena::record::END_TAG;
use ludex_core::record::{Played, Record, result_text};
use ludex_core::{Game, GameExt, Payoff, Player, Position, Turn};

use crate::ending::{Ending, names, turn_text};
use crate::error::{Error, Result};
use crate::game::LoadedGame;

/// A game in progress: its positions and the turns between them.
#[derive(Clone, Debug)]
pub struct Session {
    game: Arc<LoadedGame>,
    /// The text of the first position, if it is not the usual start.
    start: Option<String>,
    /// The positions before every turn, and the present one last.
    positions: Vec<Position>,
    turns: Vec<String>,
    resigned: Option<Player>,
}

impl Session {
    /// A game at its start.
    pub fn new(game: impl Into<Arc<LoadedGame>>) -> Self {
        let game = game.into();
        let positions = vec![game.game.start()];
        Self { game, start: None, positions, turns: Vec::new(), resigned: None }
    }

    /// A game that begins with the position that `text` describes.
    pub fn from_position(game: impl Into<Arc<LoadedGame>>, text: &str) -> Result<Self> {
        let game = game.into();
        let positions = vec![game.read(text)?];
        Ok(Self { start: Some(text.to_owned()), positions, ..Self::new(game) })
    }

    /// The game of a record, up to its last turn.
    pub fn from_record(game: impl Into<Arc<LoadedGame>>, record: &Record) -> Result<Self> {
        let mut session = match &record.start {
            Some(text) => Self::from_position(game, text)?,
            None => Self::new(game),
        };
        record.turns.iter().try_for_each(|it| session.play(&it.name))?;
        Ok(session)
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

    /// The names of the legal moves, sorted; none when the game is over.
    pub fn moves(&self) -> Result<Vec<String>> {
        if self.resigned.is_some() { Ok(Vec::new()) } else { self.game.moves(self.position()) }
    }

    /// Plays the turn called `name`; an illegal one changes nothing.
    pub fn play(&mut self, name: &str) -> Result<()> {
        if let Some(player) = self.resigned {
            let player = self.game.game.player_name(player);
            return Err(Error::new(format!("the game is over: {player} has resigned")));
        }
        let mut next = self.position().clone();
        let name = self.game.play(&mut next, self.turns.len() as u32 + 1, name)?;
        self.positions.push(next);
        self.turns.push(name);
        Ok(())
    }

    /// Takes the last turn back: its name, if there was one.
    pub fn undo(&mut self) -> Option<String> {
        let turn = self.turns.pop()?;
        self.positions.pop();
        self.resigned = None;
        Some(turn)
    }

    /// Takes back the last turn of a player for whom `is_wanted` holds, and all turns after it: how
    /// many turns that is. A resignation is taken back alone.
    pub fn undo_to(&mut self, is_wanted: impl Fn(Player) -> bool) -> usize {
        if self.resigned.take().is_some() {
            return 0;
        }
        let wanted = |it: &Position| matches!(self.game.game.turn(it), Ok(Turn::Of(player)) if is_wanted(player));
        let before = self.positions.split_last().map_or(&[][..], |it| it.1);
        let Some(last) = before.iter().rposition(wanted) else { return 0 };
        let undone = self.turns.len() - last;
        self.positions.truncate(last + 1);
        self.turns.truncate(last);
        undone
    }

    /// Goes back to the beginning.
    pub fn restart(&mut self) {
        self.positions.truncate(1);
        self.turns.clear();
        self.resigned = None;
    }

    /// A player resigns: the game is over. Refused when it is over already.
    pub fn resign(&mut self, player: Player) -> Result<()> {
        let players = self.game.game.players();
        if player.index() >= players {
            let (spec, number) = (self.game.source.spec(), player.index() + 1);
            let message = format!("`{spec}` has {players} players: there is no player {number}");
            return Err(Error::new(message));
        }
        if self.turn()? == Turn::Over {
            return Err(Error::new("the game is over: it is too late to resign"));
        }
        self.resigned = Some(player);
        Ok(())
    }

    /// Who decides next, by name; nothing when the game is over.
    pub fn to_move(&self) -> Result<Option<String>> {
        Ok(turn_text(&self.game.game, self.turn()?))
    }

    /// Who decides next.
    pub fn turn(&self) -> Result<Turn> {
        if self.resigned.is_some() { Ok(Turn::Over) } else { self.game.turn(self.position()) }
    }

    /// How the game ended, if it is over. Of two players, one wins when the other resigns.
    pub fn ending(&self) -> Result<Option<Ending>> {
        let Some(resigned) = self.resigned else { return self.game.ending(self.position()) };
        let mut payoffs = vec![Payoff::WIN; self.game.game.players()];
        payoffs[resigned.index()] = Payoff::LOSS;
        Ok((payoffs.len() == 2).then(|| Ending::new(&names(&self.game.game), payoffs)))
    }

    /// The record of the game, with these names of its players.
    pub fn record(&self, players: Vec<String>) -> Record {
        let resigned = self
            .resigned
            .map(|it| (END_TAG.to_owned(), format!("{} resigns", self.game.game.player_name(it))));
        Record {
            game: self.game.source.spec(),
            rules: Some(format!("{:016x}", self.game.source.hash())),
            start: self.start.clone(),
            players,
            result: self.ending().ok().flatten().map(|it| result_text(&it.payoffs)),
            tags: resigned.into_iter().collect(),
            turns: self.turns.iter().map(|it| Played::new(it.clone())).collect(),
        }
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

    #[test]
    fn a_game_is_resigned_recorded_and_resumed() {
        let mut session = Session::new(load("tictactoe").expect("it is bundled"));
        for name in ["a1", "b1", "a2"] {
            session.play(name).expect("it is legal");
        }
        session.resign(Player(1)).expect("the game is on");
        let ending = session.ending().expect("the rules hold").expect("it is over");
        assert_eq!((ending.verdict.as_str(), session.to_move()), ("X wins", Ok(None)));
        let record = session.record(vec!["Ann".to_owned(), "Bob".to_owned()]);
        assert_eq!((record.result.as_deref(), record.turns.len()), (Some("1, -1"), 3));
        assert_eq!(session.undo_to(|it| it == Player(0)), 0, "only the resignation");
        assert_eq!(session.undo_to(|it| it == Player(0)), 1);
        let resumed = Session::from_record(session.game().clone(), &record);
        assert_eq!(resumed.expect("it is legal").turns(), ["a1", "b1", "a2"]);
    }

    #[test]
    fn only_a_player_of_a_game_that_is_on_resigns() {
        let mut session = Session::new(load("tictactoe").expect("it is bundled"));
        assert!(session.resign(Player(7)).is_err(), "there are two players");
        assert_eq!(session.ending(), Ok(None));
        for name in ["a1", "b1", "a2", "b2", "a3"] {
            session.play(name).expect("it is legal");
        }
        assert!(session.resign(Player(0)).is_err(), "X has won");
        let record = session.record(vec!["Ann".to_owned(), "Bob".to_owned()]);
        assert_eq!((record.result.as_deref(), record.tags.len()), (Some("1, -1"), 0));
    }

    #[test]
    fn nothing_is_played_after_a_resignation() {
        let mut session = Session::new(load("tictactoe").expect("it is bundled"));
        session.resign(Player(0)).expect("the game is on");
        assert!(session.resign(Player(1)).is_err(), "X has resigned");
        let error = session.play("a1").expect_err("the game is over");
        assert_eq!(error.to_string(), "the game is over: X has resigned");
        assert_eq!((session.turns().len(), session.to_move()), (0, Ok(None)));
        assert_eq!(session.undo_to(|_| true), 0, "the resignation is taken back");
        session.play("a1").expect("the game is on again");
    }
}
