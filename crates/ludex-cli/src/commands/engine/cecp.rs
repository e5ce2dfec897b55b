//! CECP, the protocol of `XBoard` (T. Mann and H. G. Muller), version 2.
//!
//! The engine keeps the game: moves come one by one, and it answers by itself at its turns, except in
//! force mode. Moves are the names of the rules, in coordinates.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use ludex::analysis::names;
use ludex::notation::{ProtocolNotation, legal_names};
use ludex::{Error, Result};
use ludex_arena::engines::ProtocolKind;
use ludex_arena::quote;
use ludex_core::{Game, Player, Position, Turn};
use ludex_search::timing::{GameClock, TimingConfig, move_time};

use super::search::{Event, Order};
use super::session::EngineSession;
use super::{LONGEST, NAME, in_a_line, score};

/// Known commands without an effect here.
const IGNORED: [&str; 23] = [
    "accepted", "rejected", "random", "hard", "easy", "computer", "name", "rating", "ics", "otim",
    "draw", "hint", "bk", "pause", "resume", "cores", "memory", "egtpath", "option", ".", "nps",
    "white", "black",
];

/// An end of the input within this time of the start of a search came together with its command: all
/// commands were written at once, and the move is still sent.
const AT_ONCE: Duration = Duration::from_millis(200);

/// The characters of a command that an error quotes.
const SHOWN: usize = 60;

/// The part of the time for a move that is used: the rest is for the delay of the answer.
const USED: f64 = 0.95;

/// The session.
pub(super) struct Cecp<'a> {
    session: EngineSession<'a>,
    /// The positions before every move, and the current one last.
    positions: Vec<Position>,
    /// The player that it plays for; `None` in force mode.
    side: Option<Player>,
    /// Whether to send thinking output.
    posts: bool,
    limits: Limits,
    queue: VecDeque<String>,
    /// Whether the input has ended.
    ended: bool,
    /// Whether the move of the running search is no longer wanted.
    leaving: bool,
}

/// The limits of its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Limits {
    /// The time for a move.
    per_move: Option<Duration>,
    /// The moves until the next time control; 0 if there is none.
    moves: u32,
    increment: Duration,
    /// Its clock.
    left: Option<Duration>,
    depth: Option<u32>,
}

impl Limits {
    /// The limits of a move after this number of moves; `None` without limits.
    fn order(&self, made: u32) -> Option<Order> {
        let order = Order { depth: self.depth, ..Order::default() };
        if let Some(time) = self.per_move {
            return Some(Order { hard: Some(time.mul_f64(USED)), ..order });
        }
        let Some(left) = self.left else { return self.depth.map(|_| order) };
        let to_go = made.checked_rem(self.moves).map(|it| self.moves - it);
        let clock = GameClock { left, increment: self.increment, moves_to_go: to_go };
        let share = move_time(clock, &TimingConfig::default());
        Some(Order { soft: Some(share.soft), hard: Some(share.hard), ..order })
    }

    /// `level 40 5:00 0`: moves, minutes and seconds, seconds for each move.
    fn level(&mut self, words: &[&str]) -> Result<()> {
        let [moves, base, increment] = words else { return Err(Error::new("three numbers")) };
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let minutes: u64 = minutes.parse().map_err(|_| Error::new("no number of minutes"))?;
        let seconds: u64 = seconds.parse().map_err(|_| Error::new("no number of seconds"))?;
        self.moves = moves.parse().map_err(|_| Error::new("no number of moves"))?;
        self.increment = span(increment, 1.0)?;
        let seconds = minutes.saturating_mul(60).saturating_add(seconds);
        self.left = Some(Duration::from_secs(seconds).min(LONGEST));
        self.per_move = None;
        Ok(())
    }
}

/// A time in parts of this number of seconds.
fn span(text: &str, seconds: f64) -> Result<Duration> {
    let number: f64 = text.parse().map_err(|_| Error::new("no number"))?;
    let time = (number * seconds).clamp(0.0, LONGEST.as_secs_f64());
    Duration::try_from_secs_f64(time).map_err(|_| Error::new("no time"))
}

impl<'a> Cecp<'a> {
    /// An engine at the start of a game, in which it plays for the second player.
    pub(super) fn new(session: EngineSession<'a>, position: Position) -> Self {
        Self {
            session,
            positions: vec![position],
            side: Some(Player(1)),
            posts: false,
            limits: Limits::default(),
            queue: VecDeque::new(),
            ended: false,
            leaving: false,
        }
    }

    /// Runs until `quit`.
    pub(super) fn run(&mut self, events: &Receiver<Event>) -> Result<()> {
        while let Some(line) = self.line(events) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some((&command, rest)) = words.split_first() else { continue };
            if command == "quit" {
                return Ok(());
            }
            if let Err(error) = self.obey(command, rest) {
                // A closed output ends the session; any other error is reported.
                if matches!(error, Error::Io { .. }) {
                    return Err(error);
                }
                let text = in_a_line(&error);
                self.session.say(&format!("Error ({text}): {}", quote(&line, SHOWN)))?;
            }
            self.answer(events)?;
        }
        Ok(())
    }

    /// The next line; `None` at the end of the input.
    fn line(&mut self, events: &Receiver<Event>) -> Option<String> {
        if let Some(line) = self.queue.pop_front() {
            return Some(line);
        }
        while !self.ended {
            match events.recv() {
                Ok(Event::Line(line)) => return Some(line),
                Ok(Event::Improved(_) | Event::Done(..)) => {}
                Ok(Event::End) | Err(_) => self.ended = true,
            }
        }
        None
    }

    fn position(&self) -> &Position {
        self.positions.last().expect("there is always a position")
    }

    fn obey(&mut self, command: &str, words: &[&str]) -> Result<()> {
        match (command, words) {
            ("xboard", _) => self.session.say(""),
            ("protover", _) => self.introduce(),
            ("new", _) => {
                self.begin(self.session.game.start());
                Ok(())
            }
            ("variant", [name]) if *name == self.variant() => Ok(()),
            ("variant", _) => Err(Error::new("unknown variant")),
            ("setboard", _) => self.set_board(&words.join(" ")),
            ("force" | "result", _) => {
                self.side = None;
                Ok(())
            }
            ("go", _) => {
                self.side = self.mover()?;
                Ok(())
            }
            ("playother", _) => {
                let mover = self.mover()?;
                self.side = mover.map(|it| Player(1 - it.0.min(1)));
                Ok(())
            }
            ("usermove", [text]) => self.user_move(text),
            ("undo", _) => self.undo(1),
            ("remove", _) => self.undo(2),
            ("ping", _) => self.session.say(&format!("pong {}", words.join(" "))),
            ("post", _) => {
                self.posts = true;
                Ok(())
            }
            ("nopost", _) => {
                self.posts = false;
                Ok(())
            }
            ("?", _) => Ok(()),
            ("level", _) => self.limits.level(words),
            ("st", [time]) => {
                self.limits.per_move = Some(span(time, 1.0)?);
                Ok(())
            }
            ("sd", [depth]) => {
                let depth: u32 = depth.parse().map_err(|_| Error::new("no number"))?;
                self.limits.depth = Some(depth.clamp(1, 10_000));
                Ok(())
            }
            ("time", [left]) => {
                self.limits.left = Some(span(left, 0.01)?);
                Ok(())
            }
            (command, _) if IGNORED.contains(&command) => Ok(()),
            // A move without `usermove`, as older interfaces send it.
            (text, [])
                if text.starts_with(|it: char| it.is_ascii_lowercase())
                    && self.is_move(text)? =>
            {
                self.user_move(text)
            }
            _ => Err(Error::new("unknown command")),
        }
    }

    fn introduce(&mut self) -> Result<()> {
        let (version, spec) = (env!("CARGO_PKG_VERSION"), self.session.setup.spec.clone());
        let spec = spec.replace('"', "'");
        let variant = self.variant();
        self.session.say(&format!(
            "feature done=0\n\
             feature myname=\"{NAME} {version} ({spec})\" variants=\"{variant}\" ping=1 setboard=1 usermove=1\n\
             feature time=1 reuse=1 sigint=0 sigterm=0 colors=0 san=0 analyze=0 draw=0 debug=0\n\
             feature done=1"
        ))
    }

    fn notation(&self) -> ProtocolNotation {
        ProtocolNotation::new(ProtocolKind::Cecp, &self.session.game)
    }

    /// The protocol's name of the game.
    fn variant(&self) -> String {
        self.notation().variant(&self.session.loaded.source.bare_name()).to_owned()
    }

    fn begin(&mut self, position: Position) {
        self.positions = vec![position];
        self.side = Some(Player(1));
        self.limits = Limits { depth: None, per_move: None, ..self.limits };
        self.session.forget();
        self.session.prepare();
    }

    fn set_board(&mut self, text: &str) -> Result<()> {
        let text = self.notation().read_position(text).ok_or_else(|| Error::new("no position"))?;
        let side = self.side;
        let position = self.session.loaded.read(&text)?;
        (self.positions, self.side) = (vec![position], side);
        Ok(())
    }

    /// The player to move; `None` when the game is over.
    fn mover(&self) -> Result<Option<Player>> {
        Ok(match self.session.loaded.turn(self.position())? {
            Turn::Of(player) => Some(player),
            Turn::Over | Turn::Chance | Turn::Joint(_) => None,
        })
    }

    /// The name of the legal move of a text.
    fn named(&self, text: &str) -> Result<Option<String>> {
        let Some(player) = self.mover()? else { return Ok(None) };
        let position = self.position();
        let EngineSession { game, loaded, .. } = &self.session;
        let legal = legal_names(game, position, player).map_err(|it| loaded.blame(it))?;
        Ok(self.notation().ours(text, &game.write(&position.state), &legal).map(str::to_owned))
    }

    fn is_move(&self, text: &str) -> Result<bool> {
        Ok(self.named(text)?.is_some())
    }

    fn user_move(&mut self, text: &str) -> Result<()> {
        match self.named(text)? {
            Some(name) => self.play(&name),
            None => self.session.say(&format!("Illegal move: {}", quote(text, SHOWN))),
        }
    }

    fn play(&mut self, name: &str) -> Result<()> {
        let mut position = self.position().clone();
        self.session.loaded.play(&mut position, 1, name)?;
        self.positions.push(position);
        Ok(())
    }

    fn undo(&mut self, moves: usize) -> Result<()> {
        if self.positions.len() <= moves {
            return Err(Error::new("there is no move to take back"));
        }
        self.positions.truncate(self.positions.len() - moves);
        Ok(())
    }

    /// Moves as long as it is its turn.
    fn answer(&mut self, events: &Receiver<Event>) -> Result<()> {
        while let Some(side) = self.side.filter(|_| !self.leaving) {
            if self.mover()? != Some(side) || self.queue.iter().any(|it| takes_over(it)) {
                return Ok(());
            }
            let Some(name) = self.search(events)? else { return Ok(()) };
            self.play(&name)?;
            self.session.say(&format!("move {name}"))?;
            if let Some(ending) = self.session.loaded.ending(self.position())? {
                let utilities: Vec<f64> = ending.payoffs.iter().map(|it| it.utility).collect();
                let result = match utilities.as_slice() {
                    [one, other] if one > other => "1-0",
                    [one, other] if one < other => "0-1",
                    _ => "1/2-1/2",
                };
                self.session.say(&format!("{result} {{{}}}", ending.text))?;
            }
        }
        Ok(())
    }

    /// The best move; `None` if force mode was entered meanwhile, or if the search found none.
    fn search(&mut self, events: &Receiver<Event>) -> Result<Option<String>> {
        let made = (self.positions.len() / 2) as u32;
        let order = self.limits.order(made).unwrap_or_else(|| self.session.usual());
        let position = self.position().clone();
        let game = self.session.game.clone();
        let mut abandoned = false;
        let Self { session, queue, ended, leaving, posts, .. } = self;
        let result = session.search(&position, order, events, |event, running, out| {
            match event {
                Event::Line(line) if line.trim() == "?" => running.stop(),
                Event::Line(line) => {
                    let quits = line.trim() == "quit";
                    *leaving |= quits;
                    if takes_over(&line) || quits {
                        abandoned |= !quits;
                        running.stop();
                    }
                    queue.push_back(line);
                }
                Event::End => {
                    *ended = true;
                    if !running.is_to_be_finished() || running.age() > AT_ONCE {
                        *leaving = true;
                        running.stop();
                    }
                }
                Event::Improved(result) if *posts => {
                    let Some(line) = result.lines.first() else { return };
                    let pv = names(&game, &position, &line.pv).join(" ");
                    let hundredths = result.elapsed.as_millis() / 10;
                    let (depth, score) = (result.depth.max(1), score::cecp(line));
                    // A closed pipe is noticed when the move is sent.
                    let _ =
                        out.text(&format!("{depth} {score} {hundredths} {} {pv}\n", result.nodes));
                }
                Event::Improved(_) | Event::Done(..) => {}
            }
        });
        let result = match result {
            Ok(result) => result,
            Err(error) => {
                self.side = None;
                self.session.say(&format!("tellusererror {}", in_a_line(&error)))?;
                return Ok(None);
            }
        };
        if abandoned {
            return Ok(None);
        }
        let best = result.best().map(|it| self.session.game.name(&self.position().state, it));
        if best.is_none() && !self.leaving {
            self.side = None;
            self.session.say("tellusererror there is no move")?;
        }
        Ok(best)
    }
}

/// Whether a line cancels the running search.
fn takes_over(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "force" | "new" | "result" | "undo" | "remove" | "setboard" | "playother")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let mut limits = Limits::default();
        assert_eq!(limits.order(0), None);
        limits.level(&["40", "5:30", "2.5"]).unwrap();
        assert_eq!(limits.left, Some(Duration::from_secs(330)));
        assert_eq!((limits.moves, limits.increment), (40, Duration::from_millis(2500)));
        let (early, late) = (limits.order(0).unwrap(), limits.order(39).unwrap());
        assert!(early.soft < late.soft, "the last move before the control may take more");
        limits.left = Some(span("100", 0.01).unwrap());
        assert!(limits.order(0).unwrap().hard <= Some(Duration::from_secs(1)));
        limits.per_move = Some(span("2", 1.0).unwrap());
        assert_eq!(limits.order(7).unwrap().hard, Some(Duration::from_millis(1900)));
        let depth = Limits { depth: Some(3), ..Limits::default() };
        assert_eq!(depth.order(0).map(|it| (it.depth, it.hard)), Some((Some(3), None)));
        for words in [&["1", "2"][..], &["x", "5", "0"], &["0", "5:x", "0"], &["0", "5", "soon"]] {
            assert!(Limits::default().level(words).is_err(), "{words:?}");
        }
        assert!(Limits::default().level(&["0", "99999999999999999999", "0"]).is_err());
        assert!(Limits::default().level(&["0", "9999999999999999", "1e300"]).is_ok());
    }

    #[test]
    fn who_takes_over_is_known() {
        assert!(takes_over("force\n") && takes_over("new") && takes_over("setboard x"));
        assert!(!takes_over("ping 1") && !takes_over("time 3") && !takes_over(""));
    }
}
