//! The game with those who play it: who sits where, and what taking back means for them.

use std::sync::Arc;
use std::time::Duration;

use ludex::ending::Ending;
use ludex::game::LoadedGame;
use ludex::{Error, Result, Session};
use ludex_arena::record::DATE_TAG;
use ludex_core::record::Record;
use ludex_core::{Player, Position, Turn};

use crate::args::now;

/// Who decides for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// A person at the keyboard.
    Person,
    /// The program.
    Computer,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub(super) struct SeatedGame {
    pub(super) session: Session,
    /// Who sits where, first player first.
    pub(super) seats: Vec<Seat>,
    /// What records call the program.
    pub(super) computer: String,
    /// When it began.
    date: Option<String>,
}

impl SeatedGame {
    /// A game that begins now.
    pub(super) fn new(session: Session, seats: Vec<Seat>, computer: String) -> Self {
        Self { session, seats, computer, date: now().utc_before(Duration::ZERO) }
    }

    /// The rules.
    pub(super) fn loaded(&self) -> &Arc<LoadedGame> {
        self.session.game()
    }

    /// The present position.
    pub(super) fn position(&self) -> &Position {
        self.session.position()
    }

    /// What records call who sits there.
    pub(super) fn seat_name(&self, seat: Seat) -> &str {
        match seat {
            Seat::Person => "person",
            Seat::Computer => &self.computer,
        }
    }

    /// Whether a person sits at the keyboard.
    pub(super) fn has_person(&self) -> bool {
        self.seats.contains(&Seat::Person)
    }

    /// Who is to move; nothing when the game is over.
    pub(super) fn mover(&self) -> Result<Option<Player>> {
        match self.session.turn()? {
            Turn::Over => Ok(None),
            Turn::Of(player) => Ok(Some(player)),
            Turn::Joint(_) | Turn::Chance => {
                let message = "turns of chance and of several players cannot be played here yet";
                Err(Error::new(message))
            }
        }
    }

    /// Takes back everything since a person was last to move: how many turns that is.
    pub(super) fn undo(&mut self) -> usize {
        let seats = &self.seats;
        self.session.undo_to(|it| seats[it.index()] == Seat::Person)
    }

    /// How the game ended, if it is over.
    pub(super) fn ending(&self) -> Result<Option<Ending>> {
        self.session.ending()
    }

    /// The record of the game.
    pub(super) fn record(&self) -> Record {
        let players = self.seats.iter().map(|it| self.seat_name(*it).to_owned()).collect();
        let mut record = self.session.record(players);
        record.tags.splice(0..0, self.date.clone().map(|it| (DATE_TAG.to_owned(), it)));
        record
    }
}
