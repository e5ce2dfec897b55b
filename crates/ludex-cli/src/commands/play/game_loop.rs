//! The table: a game, the keyboard, the computer and the printer, and whose turn it is.

use std::path::{Path, PathBuf};

use ludex::files::write_whole;
use ludex::replay::other_game;
use ludex::{Error, Result};
use ludex_core::{Game, GameExt, Player};

use super::command::{Command, pick};
use super::computer::ComputerPlayer;
use super::console::{Console, Typed};
use super::printer::{Event, Printer};
use super::session::{Seat, Session};
use crate::commands::replay;
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
    pub(super) session: Session<'a>,
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
        let told = self.printer.end(&self.session);
        if let Some(path) = &self.save {
            write_whole(path, &self.session.record().to_string())?;
        }
        let answer = played?;
        told?;
        Ok(answer)
    }

    fn run(&mut self) -> Done {
        self.printer.print(&self.session, &Event::Begin)?;
        let mut told_end = false;
        loop {
            let next = if let Some(player) = self.session.mover()? {
                told_end = false;
                self.turn(player)?
            } else {
                if !std::mem::replace(&mut told_end, true) {
                    let ending = self.session.ending()?;
                    self.printer.print(&self.session, &Event::Over(ending.as_ref()))?;
                }
                self.after_the_end()?
            };
            if let Next::Stop(answer) = next {
                return Ok(answer);
            }
        }
    }

    /// One turn of a player: a person types, or the computer thinks.
    fn turn(&mut self, player: Player) -> Result<Next> {
        match self.session.seats[player.index()] {
            Seat::Person => self.ask(Some(player)),
            Seat::Computer => self.search(player),
        }
    }

    /// Games can be saved, taken back and begun anew after their end.
    fn after_the_end(&mut self) -> Result<Next> {
        if self.session.has_person() { self.ask(None) } else { Ok(Next::Stop(Answer::Yes)) }
    }

    fn search(&mut self, player: Player) -> Result<Next> {
        let result = self.computer.choose(&self.session, player)?;
        // Among computers there is no prompt at which to stop.
        if interrupt::take() && !self.session.has_person() {
            return Ok(Next::Stop(Answer::Interrupted));
        }
        let name = self.session.play(player, result.mv)?;
        let event = Event::Moved { player, name: &name, result: Some(&result) };
        self.printer.print(&self.session, &event)?;
        Ok(Next::GoOn)
    }

    /// Asks a person for a command, for `player` if the game is not over.
    fn ask(&mut self, player: Option<Player>) -> Result<Next> {
        let name = player.map(|it| self.session.loaded.game.player_name(it)).unwrap_or_default();
        self.printer.prompt(&format!("{name}> "))?;
        match self.read(player.is_some()) {
            Typed::Interrupt => Ok(Next::Stop(Answer::Interrupted)),
            Typed::End => Ok(Next::Stop(Answer::Yes)),
            Typed::Line(line) => self.obey(player, Command::parse(&line)),
        }
    }

    /// Waits for a line. Meanwhile the computer may think, if it has something to think about.
    fn read(&mut self, is_on: bool) -> Typed {
        let Self { session, computer, console, .. } = self;
        if is_on && session.seats.contains(&Seat::Computer) {
            return computer.ponder(session, || console.read());
        }
        console.read()
    }

    fn obey(&mut self, player: Option<Player>, command: Command) -> Result<Next> {
        let done = match (command, player) {
            (Command::Quit, _) => return Ok(Next::Stop(Answer::Yes)),
            (Command::Nothing, _) => Ok(()),
            (Command::Help, _) => self.tell(&Event::Help),
            (Command::Board, _) => self.tell(&Event::Board),
            (Command::Moves, _) => self.list(),
            (Command::Hint, Some(_)) => self.hint(),
            (Command::Undo, _) => self.undo(),
            (Command::New, _) => self.restart(),
            (Command::Save(file), _) => self.save(&file),
            (Command::Resume(file), _) => self.resume(&file),
            (Command::Resign, Some(player)) => self.resign(player),
            (Command::Move(name), Some(player)) => self.play_typed(player, &name),
            (Command::Resign | Command::Hint | Command::Move(_), None) => {
                self.tell(&Event::Refused("the game is over; `undo`, `new` or `quit`"))
            }
        };
        // A typing mistake does not end the game.
        match done {
            Ok(()) => {}
            Err(error @ Error::Io { .. }) => return Err(error),
            Err(error) => self.tell(&Event::Refused(&error.to_string()))?,
        }
        Ok(Next::GoOn)
    }

    fn tell(&mut self, event: &Event<'_>) -> Result<()> {
        Ok(self.printer.print(&self.session, event)?)
    }

    fn list(&mut self) -> Result<()> {
        let moves =
            if self.session.mover()?.is_some() { self.session.moves()? } else { Vec::new() };
        let names: Vec<String> = moves.into_iter().map(|(name, _)| name).collect();
        self.tell(&Event::Moves(&names))
    }

    fn play_typed(&mut self, player: Player, wanted: &str) -> Result<()> {
        let moves = self.session.moves()?;
        let names: Vec<&str> = moves.iter().map(|(name, _)| name.as_str()).collect();
        let mv = match pick(wanted, &names) {
            Ok(index) => moves[index].1,
            // There may be other ways to write it: another path of a chain of jumps.
            Err(message) => match self.session.named(wanted)? {
                Ok(mv) => mv,
                Err(_) => return self.tell(&Event::Refused(&message)),
            },
        };
        let name = self.session.play(player, mv)?;
        self.tell(&Event::Moved { player, name: &name, result: None })
    }

    fn hint(&mut self) -> Result<()> {
        let hint = self.computer.hint(&self.session)?;
        // Ctrl-C ended the thinking, not the game.
        interrupt::take();
        self.tell(&Event::Hint(&hint))
    }

    fn undo(&mut self) -> Result<()> {
        let over = self.session.mover()?.is_none();
        match self.session.undo() {
            0 if !over => self.tell(&Event::Refused("there is nothing to take back")),
            turns => self.tell(&Event::Undone(turns)),
        }
    }

    fn restart(&mut self) -> Result<()> {
        self.session.restart();
        self.computer.restart();
        self.tell(&Event::Begin)
    }

    fn resign(&mut self, player: Player) -> Result<()> {
        self.session.resign(player);
        self.tell(&Event::Resigned(player))
    }

    fn save(&mut self, file: &str) -> Result<()> {
        if file.is_empty() {
            return self.tell(&Event::Refused("say where: save FILE"));
        }
        match write_whole(Path::new(file), &self.session.record().to_string()) {
            Ok(()) => self.tell(&Event::Saved(file)),
            Err(error) => self.tell(&Event::Refused(&format!("{error:#}"))),
        }
    }

    /// Goes on with the game of a record; a bad one changes nothing.
    fn resume(&mut self, file: &str) -> Result<()> {
        if file.is_empty() {
            return self.tell(&Event::Refused("say which: resume FILE"));
        }
        let record = replay::read(file)?;
        let loaded = self.session.loaded;
        if let Some(message) = other_game(loaded, &record) {
            return self.tell(&Event::Refused(&message));
        }
        let position = match &record.start {
            Some(text) => loaded.read(text)?,
            None => loaded.game.start(),
        };
        let seats = self.session.seats.clone();
        let computer = self.session.computer.clone();
        let mut session = Session::new(loaded, seats, computer, (position, record.start.clone()));
        session.play_all(record.turns.iter().map(|it| it.name.as_str()))?;
        self.session = session;
        self.computer.restart();
        self.tell(&Event::Board)
    }
}
