//! GTP, the Go text protocol, version 2 (G. Farnebäck, 2002).
//!
//! The letters of GTP points skip I; those of the game's names do not. Size and komi are options of the
//! game: changing one reloads the game.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use ludex::notation::KOMI;
use ludex::notation::gtp::{ours, theirs};
use ludex::{Error, Result};
use ludex_core::{Game, GameExt, Player, Position, Turn};
use ludex_search::timing::{GameClock, TimingConfig, move_time};

use super::options::{SIDE, has_option};
use super::search::{Event, Order};
use super::session::EngineSession;
use super::{NAME, in_a_line};

/// The supported commands.
const COMMANDS: [&str; 16] = [
    "boardsize",
    "clear_board",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// The session.
pub(super) struct Gtp<'a> {
    session: EngineSession<'a>,
    /// The positions before every move, and the current one last.
    positions: Vec<Position>,
    settings: GameClock,
    /// The time left of each player; `None` without a clock.
    clocks: [Option<GameClock>; 2],
    queue: VecDeque<String>,
    ended: bool,
}

impl<'a> Gtp<'a> {
    /// An engine at the start of a game.
    pub(super) fn new(session: EngineSession<'a>, position: Position) -> Self {
        Self {
            session,
            positions: vec![position],
            settings: GameClock::new(Duration::ZERO, Duration::ZERO),
            clocks: [None; 2],
            queue: VecDeque::new(),
            ended: false,
        }
    }

    /// Runs until `quit`.
    pub(super) fn run(&mut self, events: &Receiver<Event>) -> Result<()> {
        while let Some(line) = self.line(events) {
            let line: String = line.chars().filter(|it| !it.is_control() || *it == '\t').collect();
            let line = line.split('#').next().unwrap_or_default();
            let mut words: VecDeque<&str> = line.split_whitespace().collect();
            let Some(first) = words.front() else { continue };
            let id = first.parse::<u32>().ok();
            if id.is_some() {
                words.pop_front();
            }
            let id = id.map(|it| it.to_string()).unwrap_or_default();
            let Some(command) = words.pop_front() else { continue };
            let words: Vec<&str> = words.into_iter().collect();
            let text = match self.obey(command, &words, events) {
                Ok(answer) => format!("={id} {}", answer.trim_end()),
                Err(error) => format!("?{id} {}", in_a_line(error)),
            };
            self.session.say(&format!("{}\n", text.trim_end()))?;
            if command == "quit" {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next line; `None` at the end of the input.
    fn line(&mut self, events: &Receiver<Event>) -> Option<String> {
        if let Some(line) = self.queue.pop_front() {
            return Some(line);
        }
        if self.ended {
            return None;
        }
        loop {
            match events.recv() {
                Ok(Event::Line(line)) => return Some(line),
                Ok(Event::End) | Err(_) => return None,
                Ok(Event::Improved(_) | Event::Done(..)) => {}
            }
        }
    }

    fn position(&self) -> &Position {
        self.positions.last().expect("there is always a position")
    }

    fn obey(&mut self, command: &str, words: &[&str], events: &Receiver<Event>) -> Result<String> {
        let none = String::new();
        match command {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok(NAME.to_owned()),
            "version" => Ok(format!("{} ({})", env!("CARGO_PKG_VERSION"), self.session.setup.spec)),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => {
                Ok(words.first().is_some_and(|it| COMMANDS.contains(it)).to_string())
            }
            "quit" => Ok(none),
            "boardsize" => self.board_size(words).map(|()| none),
            "clear_board" => {
                self.clear();
                Ok(none)
            }
            "komi" => self.komi(words).map(|()| none),
            "play" => self.play(words).map(|()| none),
            "undo" => self.undo().map(|()| none),
            "genmove" => self.generate(words, events, true),
            "reg_genmove" => self.generate(words, events, false),
            "time_settings" => self.time_settings(words).map(|()| none),
            "time_left" => self.time_left(words).map(|()| none),
            "showboard" => Ok(format!("\n{}", self.session.game.draw(&self.position().state))),
            _ => Err(Error::new("unknown command")),
        }
    }

    fn clear(&mut self) {
        self.positions = vec![self.session.game.start()];
        let has_clock = self.settings.left > Duration::ZERO;
        self.clocks = [has_clock.then_some(self.settings); 2];
        self.session.forget();
        self.session.prepare();
    }

    fn board_size(&mut self, words: &[&str]) -> Result<()> {
        let unacceptable = || Error::new("unacceptable size");
        let [size] = words else { return Err(Error::new("a size is wanted")) };
        let size: u32 = size.parse().map_err(|_| Error::new("boardsize not an integer"))?;
        if !has_option(&self.session.loaded, SIDE) || size > 25 {
            return Err(unacceptable());
        }
        self.session.reload(SIDE, size).map_err(|_| unacceptable())?;
        self.clear();
        Ok(())
    }

    fn komi(&mut self, words: &[&str]) -> Result<()> {
        let [komi] = words else { return Err(Error::new("a komi is wanted")) };
        let komi: f64 = komi.parse().map_err(|_| Error::new("komi not a float"))?;
        if !komi.is_finite() {
            return Err(Error::new("komi not a float"));
        }
        // A game without komi ignores it.
        if has_option(&self.session.loaded, KOMI) {
            let half_points = (2.0 * komi).round().max(0.0) as u32;
            // The moves stay: positions do not depend on komi.
            self.session.reload(KOMI, half_points).map_err(|_| Error::new("unacceptable komi"))?;
        }
        Ok(())
    }

    /// The position with `player` to move, even if it moved last.
    fn turned_to(&self, player: Player) -> Result<Position> {
        let position = self.position();
        match self.session.loaded.turn(position)? {
            Turn::Over => Err(Error::new("the game is over")),
            Turn::Of(mover) if mover == player => Ok(position.clone()),
            _ => {
                let state = self.session.game.null_move(&position.state);
                let state = state.ok_or_else(|| Error::new("it is the other player's turn"))?;
                let trail = position.trail.clone();
                Ok(Position { state, trail })
            }
        }
    }

    fn play(&mut self, words: &[&str]) -> Result<()> {
        let [colour, vertex] = words else {
            return Err(Error::new("a colour and a point are wanted"));
        };
        let player = self.colour(colour)?;
        let mut position = self.turned_to(player)?;
        let name = ours(vertex).ok_or_else(|| Error::new("invalid vertex"))?;
        let played = self.session.loaded.play(&mut position, 1, &name);
        played.map_err(|error| match error {
            fault @ Error::Rules(_) => fault,
            _ => Error::new("illegal move"),
        })?;
        self.positions.push(position);
        Ok(())
    }

    fn colour(&self, text: &str) -> Result<Player> {
        let letter = text.to_ascii_lowercase();
        let named = |player: u8| {
            let name = self.session.game.player_name(Player(player)).to_ascii_lowercase();
            name == letter || (letter.len() == 1 && name.starts_with(&letter))
        };
        (0..self.session.game.players() as u8)
            .find(|it| named(*it))
            .map(Player)
            .ok_or_else(|| Error::new("invalid colour"))
    }

    fn undo(&mut self) -> Result<()> {
        if self.positions.len() < 2 {
            return Err(Error::new("cannot undo"));
        }
        self.positions.pop();
        Ok(())
    }

    fn generate(
        &mut self,
        words: &[&str],
        events: &Receiver<Event>,
        played: bool,
    ) -> Result<String> {
        let [colour] = words else { return Err(Error::new("a colour is wanted")) };
        let player = self.colour(colour)?;
        let mut position = self.turned_to(player)?;
        let order = match self.clocks[player.index().min(1)] {
            Some(clock) => {
                let share = move_time(clock, &TimingConfig::default());
                Order { soft: Some(share.soft), hard: Some(share.hard), ..Order::default() }
            }
            None => self.session.usual(),
        };
        let Self { session, queue, ended, .. } = self;
        let result = session.search(&position, order, events, |event, running, _| {
            match event {
                Event::Line(line) => queue.push_back(line),
                Event::End => *ended = true,
                Event::Improved(_) | Event::Done(..) => {}
            }
            // A list of commands that ends with `quit` is executed to its end.
            let hurries = !running.is_to_be_finished();
            if hurries && queue.iter().any(|it| it.trim() == "quit") {
                running.stop();
            }
        })?;
        let best = result.best().ok_or_else(|| Error::new("there is no move"))?;
        let name = self.session.game.name(&position.state, best);
        if played {
            let done = self.session.game.apply(&mut position, &[best]);
            done.map_err(|it| self.session.loaded.blame(it))?;
            self.positions.push(position);
            if let Some(clock) = &mut self.clocks[player.index().min(1)] {
                *clock = clock.after(result.elapsed).unwrap_or(*clock);
            }
        }
        Ok(theirs(&name))
    }

    /// Main time, byo-yomi time in seconds, and byo-yomi stones.
    fn time_settings(&mut self, words: &[&str]) -> Result<()> {
        let [main, period, stones] = words else {
            return Err(Error::new("three numbers are wanted"));
        };
        let (main, period) = (seconds(main)?, seconds(period)?);
        let stones: u32 = stones.parse().map_err(|_| Error::new("syntax error"))?;
        // A byo-yomi time without stones is no limit.
        if period > Duration::ZERO && stones == 0 {
            self.settings = GameClock::new(Duration::ZERO, Duration::ZERO);
            self.clocks = [None; 2];
            return Ok(());
        }
        self.settings = if main > Duration::ZERO {
            GameClock::new(main, Duration::ZERO)
        } else {
            GameClock { moves_to_go: Some(stones.max(1)), ..GameClock::new(period, Duration::ZERO) }
        };
        self.clocks = [Some(self.settings); 2];
        Ok(())
    }

    fn time_left(&mut self, words: &[&str]) -> Result<()> {
        let [colour, left, stones] = words else {
            return Err(Error::new("a colour, a time and stones"));
        };
        let player = self.colour(colour)?;
        let left = seconds(left)?;
        let stones: u32 = stones.parse().map_err(|_| Error::new("syntax error"))?;
        let moves_to_go = (stones > 0).then_some(stones);
        let clock = GameClock { moves_to_go, ..GameClock::new(left, Duration::ZERO) };
        self.clocks[player.index().min(1)] = Some(clock);
        Ok(())
    }
}

fn seconds(text: &str) -> Result<Duration> {
    let number: f64 = text.parse().map_err(|_| Error::new("syntax error"))?;
    Duration::try_from_secs_f64(number.clamp(0.0, 1e8)).map_err(|_| Error::new("syntax error"))
}
