//! The table: a game, the keyboard, the computer and the printer, and whose turn it is.

use std::path::{Path, PathBuf};

use ludex::files::write_whole;
use ludex::replay::other_game;
use ludex::{Error, Result, Session};
use ludex_core::{GameExt, Player};

use super::command::{Command, pick};
use super::computer::ComputerPlayer;
use super::console::{Console, Typed};
use super::printer::{Event, Printer};
use super::session::{Seat, SeatedGame};
use crate::commands::replay::{self, warn_of_other_rules};
use crate::failure::{Answer, Done};
use crate::interrupt;

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The game goes on.
    GoOn,
    /// Enough, with this answer.
    Stop(Answer),
}

/// Everything that a game needs.
pub(super) struct GameLoop<'a> {
    pub(super) game: SeatedGame,
    pub(super) computer: ComputerPlayer,
    pub(super) console: Console,
    pub(super) printer: Printer<'a>,
    /// Where the record goes at the end.
    pub(super) save: Option<PathBuf>,
}

impl GameLoop<'_> {
    /// Plays until the game is left; the record comes last, whatever happened.
    pub(super) fn play(&mut self) -> Done {
        let played = self.run();
        let printed = self.printer.end(&self.game);
        if let Some(path) = &self.save {
            write_whole(path, &self.game.record().to_string())?;
        }
        let answer = played?;
        printed?;
        Ok(answer)
    }

    fn run(&mut self) -> Done {
        self.printer.print(&self.game, &Event::Begin)?;
        let mut is_end_shown = false;
        loop {
            let next = if let Some(player) = self.game.mover()? {
                is_end_shown = false;
                self.turn(player)?
            } else {
                if !std::mem::replace(&mut is_end_shown, true) {
                    let ending = self.game.ending()?;
                    self.printer.print(&self.game, &Event::Over(ending.as_ref()))?;
                }
                self.after_the_end()?
            };
            if let Next::Stop(answer) = next {
                return Ok(answer);
            }
        }
    }

    /// One turn of a player: a person types, or the computer searches.
    fn turn(&mut self, player: Player) -> Result<Next> {
        match self.game.seats[player.index()] {
            Seat::Person => self.ask(Some(player)),
            Seat::Computer => self.search(player),
        }
    }

    /// Games can be saved, taken back and begun anew after their end.
    fn after_the_end(&mut self) -> Result<Next> {
        if self.game.has_person() { self.ask(None) } else { Ok(Next::Stop(Answer::Yes)) }
    }

    fn search(&mut self, player: Player) -> Result<Next> {
        let choice = self.computer.choose(&self.game, player)?;
        // Among computers there is no prompt at which to stop.
        if interrupt::take() && !self.game.has_person() {
            return Ok(Next::Stop(Answer::Interrupted));
        }
        self.game.session.play(&choice.name)?;
        let event = Event::Moved { player, name: &choice.name, choice: Some(&choice) };
        self.printer.print(&self.game, &event)?;
        Ok(Next::GoOn)
    }

    /// Asks a person for a command, for `player` if the game is not over.
    fn ask(&mut self, player: Option<Player>) -> Result<Next> {
        let name = player.map(|it| self.game.loaded().game.player_name(it)).unwrap_or_default();
        self.printer.prompt(&format!("{name}> "))?;
        match self.read(player.is_some()) {
            Typed::Interrupt => Ok(Next::Stop(Answer::Interrupted)),
            Typed::End => Ok(Next::Stop(Answer::Yes)),
            Typed::Line(line) => self.obey(player, Command::parse(&line)),
        }
    }

    /// Waits for a line; the computer may search meanwhile.
    fn read(&mut self, is_on: bool) -> Typed {
        let Self { game, computer, console, .. } = self;
        if is_on && game.seats.contains(&Seat::Computer) {
            return computer.ponder(game, || console.read());
        }
        console.read()
    }

    fn obey(&mut self, player: Option<Player>, command: Command) -> Result<Next> {
        let done = match (command, player) {
            (Command::Quit, _) => return Ok(Next::Stop(Answer::Yes)),
            (Command::Nothing, _) => Ok(()),
            (Command::Help, _) => self.show(&Event::Help),
            (Command::Board, _) => self.show(&Event::Board),
            (Command::Moves, _) => self.list(),
            (Command::Hint, Some(_)) => self.hint(),
            (Command::Undo, _) => self.undo(),
            (Command::New, _) => self.restart(),
            (Command::Save(file), _) => self.save(&file),
            (Command::Resume(file), _) => self.resume(&file),
            (Command::Resign, Some(player)) => self.resign(player),
            (Command::Move(name), Some(player)) => self.play_typed(player, &name),
            (Command::Resign | Command::Hint | Command::Move(_), None) => {
                self.show(&Event::Refused("the game is over; `undo`, `new` or `quit`"))
            }
        };
        // A typing mistake does not end the game.
        match done {
            Ok(()) => {}
            Err(error @ Error::Io { .. }) => return Err(error),
            Err(error) => self.show(&Event::Refused(&error.to_string()))?,
        }
        Ok(Next::GoOn)
    }

    fn show(&mut self, event: &Event<'_>) -> Result<()> {
        Ok(self.printer.print(&self.game, event)?)
    }

    fn list(&mut self) -> Result<()> {
        let names = self.game.session.moves()?;
        self.show(&Event::Moves(&names))
    }

    fn play_typed(&mut self, player: Player, wanted: &str) -> Result<()> {
        let names = self.game.session.moves()?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let played = match pick(wanted, &names) {
            Ok(index) => self.game.session.play(names[index]),
            // There may be other ways to write it: another path of a chain of jumps.
            Err(message) => match self.game.session.play(wanted) {
                Err(Error::Input { .. }) => return self.show(&Event::Refused(&message)),
                played => played,
            },
        };
        played?;
        let name = self.game.session.turns().last().cloned().unwrap_or_default();
        self.show(&Event::Moved { player, name: &name, choice: None })
    }

    fn hint(&mut self) -> Result<()> {
        let hint = self.computer.hint(&self.game)?;
        // Ctrl-C ended the thinking, not the game.
        interrupt::take();
        self.show(&Event::Hint(&hint))
    }

    fn undo(&mut self) -> Result<()> {
        let over = self.game.mover()?.is_none();
        match self.game.undo() {
            0 if !over => self.show(&Event::Refused("there is nothing to take back")),
            turns => self.show(&Event::Undone(turns)),
        }
    }

    fn restart(&mut self) -> Result<()> {
        self.game.session.restart();
        self.computer.restart();
        self.show(&Event::Begin)
    }

    fn resign(&mut self, player: Player) -> Result<()> {
        self.game.session.resign(player)?;
        self.show(&Event::Resigned(player))
    }

    fn save(&mut self, file: &str) -> Result<()> {
        if file.is_empty() {
            return self.show(&Event::Refused("name the file: save FILE"));
        }
        match write_whole(Path::new(file), &self.game.record().to_string()) {
            Ok(()) => self.show(&Event::Saved(file)),
            Err(error) => self.show(&Event::Refused(&format!("{error:#}"))),
        }
    }

    /// Goes on with the game of a record; a bad one changes nothing.
    fn resume(&mut self, file: &str) -> Result<()> {
        if file.is_empty() {
            return self.show(&Event::Refused("name the file: resume FILE"));
        }
        let record = replay::read(file)?;
        let loaded = self.game.loaded();
        if let Some(message) = other_game(loaded, &record) {
            return self.show(&Event::Refused(&message));
        }
        warn_of_other_rules(loaded, &record);
        let session = Session::from_record(loaded.clone(), &record)?;
        let (seats, computer) = (self.game.seats.clone(), self.game.computer.clone());
        self.game = SeatedGame::new(session, seats, computer);
        self.computer.restart();
        self.show(&Event::Board)
    }
}
