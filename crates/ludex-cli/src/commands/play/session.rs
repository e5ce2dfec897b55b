//! The game so far: who sits where, what was played, and how to take it back.

use std::time::Duration;

use ludex::ending::{Ending, names};
use ludex::game::LoadedGame;
use ludex::{Error, Result};
use ludex_arena::record::{DATE_TAG, END_TAG};
use ludex_core::record::{Played, Record, result_text};
use ludex_core::turns::{Choices, named_turn, turn_name};
use ludex_core::{Game, GameExt, Payoff, Player, Position, TextError, Turn};
use ludex_ir::PackedMove;

use crate::args::now;

/// Who decides for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// A person at the keyboard.
    Person,
    /// The program.
    Computer,
}

/// A turn that was played.
#[derive(Clone, Debug)]
struct Step {
    before: Position,
    name: String,
    player: Player,
}

/// A game in progress.
#[derive(Debug)]
pub(super) struct Session<'a> {
    /// The rules.
    pub(super) loaded: &'a LoadedGame,
    /// Who sits where, first player first.
    pub(super) seats: Vec<Seat>,
    /// The present position.
    pub(super) position: Position,
    /// What records call the program.
    pub(super) computer: String,
    first: (Position, Option<String>),
    steps: Vec<Step>,
    resigned: Option<Player>,
    /// When it began.
    date: Option<String>,
}

impl<'a> Session<'a> {
    /// A game that begins at a position, whose text is given if it is not the usual one.
    pub(super) fn new(
        loaded: &'a LoadedGame,
        seats: Vec<Seat>,
        computer: String,
        first: (Position, Option<String>),
    ) -> Self {
        let (position, steps) = (first.0.clone(), Vec::new());
        let date = now().utc_before(Duration::ZERO);
        Self { loaded, seats, position, computer, first, steps, resigned: None, date }
    }

    /// What records call who sits there.
    pub(super) fn seat_name(&self, seat: Seat) -> &str {
        match seat {
            Seat::Person => "person",
            Seat::Computer => &self.computer,
        }
    }

    /// How many turns were played.
    pub(super) fn length(&self) -> usize {
        self.steps.len()
    }

    /// Whether a person sits at the keyboard.
    pub(super) fn has_person(&self) -> bool {
        self.seats.contains(&Seat::Person)
    }

    /// Who is to move; nothing when the game is over.
    pub(super) fn mover(&self) -> Result<Option<Player>> {
        if self.resigned.is_some() {
            return Ok(None);
        }
        match self.loaded.turn(&self.position)? {
            Turn::Over => Ok(None),
            Turn::Of(player) => Ok(Some(player)),
            Turn::Joint(_) | Turn::Chance => {
                let message = "turns of chance and of several players cannot be played here yet";
                Err(Error::new(message))
            }
        }
    }

    /// The legal moves with their names, sorted by name.
    pub(super) fn moves(&self) -> Result<Vec<(String, PackedMove)>> {
        let position = &self.position;
        let game = &self.loaded.game;
        let mut choices = Choices::default();
        choices.fill(game, position).map_err(|it| self.loaded.blame(it))?;
        let moves = choices.lists().iter().flatten();
        let mut named: Vec<(String, PackedMove)> =
            moves.map(|&mv| (turn_name(game, &position.state, &[mv]), mv)).collect();
        named.sort();
        Ok(named)
    }

    /// The move that rules call `name`, where several ways of writing it may exist.
    pub(super) fn named(&self, name: &str) -> Result<Result<PackedMove, TextError>> {
        let position = &self.position;
        let game = &self.loaded.game;
        let blame = |fault| self.loaded.blame(fault);
        let mut choices = Choices::default();
        choices.fill(game, position).map_err(blame)?;
        let mut turn = Vec::new();
        let found = named_turn(game, position, &choices, name, &mut turn).map_err(blame)?;
        Ok(found.map(|()| turn[0]))
    }

    /// Plays a legal move of the player to move; gives its name.
    pub(super) fn play(&mut self, player: Player, mv: PackedMove) -> Result<String> {
        let game = &self.loaded.game;
        let name = game.name(&self.position.state, mv);
        let mut after = self.position.clone();
        let played = game.apply(&mut after, &[mv]);
        played.map_err(|it| self.loaded.blame(it))?;
        let before = std::mem::replace(&mut self.position, after);
        self.steps.push(Step { before, name: name.clone(), player });
        Ok(name)
    }

    /// Plays moves by their names.
    pub(super) fn play_all<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Result<()> {
        for name in names {
            let number = self.length() + 1;
            let Some(player) = self.mover()? else {
                let message = format!("move {number}: the game is over before `{name}`");
                return Err(Error::new(message));
            };
            let mv = self.named(name)?.map_err(|error| {
                let message = format!("move {number}: {}", error.message);
                Error::with_nearest(message, error.nearest.as_deref())
            })?;
            self.play(player, mv)?;
        }
        Ok(())
    }

    /// Takes back everything since a person was last to move: how many turns that is.
    pub(super) fn undo(&mut self) -> usize {
        if self.resigned.take().is_some() {
            return 0;
        }
        let person = |step: &Step| self.seats[step.player.index()] == Seat::Person;
        let Some(last) = self.steps.iter().rposition(person) else { return 0 };
        let undone = self.steps.len() - last;
        self.position = self.steps[last].before.clone();
        self.steps.truncate(last);
        undone
    }

    /// Goes back to the beginning.
    pub(super) fn restart(&mut self) {
        self.position = self.first.0.clone();
        self.steps.clear();
        self.resigned = None;
    }

    /// A player gives up.
    pub(super) fn resign(&mut self, player: Player) {
        self.resigned = Some(player);
    }

    /// How the game ended, if it is over.
    pub(super) fn ending(&self) -> Result<Option<Ending>> {
        match self.resigned {
            Some(player) => Ok(self.conceded(player)),
            None => self.loaded.ending(&self.position),
        }
    }

    /// What giving up means: among two players, the other one wins.
    fn conceded(&self, player: Player) -> Option<Ending> {
        let mut payoffs = vec![Payoff::WIN; 2];
        *payoffs.get_mut(player.index())? = Payoff::LOSS;
        (self.seats.len() == 2).then(|| Ending::new(&names(&self.loaded.game), payoffs))
    }

    /// The record of the game so far.
    pub(super) fn record(&self) -> Record {
        let ending = self.ending().ok().flatten();
        let name = |player| self.loaded.game.player_name(player);
        let date = self.date.clone().map(|it| (DATE_TAG.to_owned(), it));
        let resigned =
            self.resigned.map(|it| (END_TAG.to_owned(), format!("{} resigns", name(it))));
        Record {
            game: self.loaded.source.spec(),
            rules: Some(format!("{:016x}", self.loaded.source.hash())),
            start: self.first.1.clone(),
            players: self.seats.iter().map(|it| self.seat_name(*it).to_owned()).collect(),
            result: ending.map(|it| result_text(&it.payoffs)),
            tags: date.into_iter().chain(resigned).collect(),
            turns: self.steps.iter().map(|it| Played::new(it.name.clone())).collect(),
        }
    }
}
