//! The protocol of the Gomocup tournaments (P. Laštovička, 2000), for games in which stones are put on a
//! square board.
//!
//! Points are a column and a row, counted from 0 from the upper left corner. Every line is answered
//! by one line: a move, `OK`, `ERROR` or `UNKNOWN`.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use ludex::notation::{ProtocolNotation, legal_names};
use ludex::{Error, Result};
use ludex_arena::engines::ProtocolKind;
use ludex_core::{Game, Position, Turn};
use ludex_search::timing::{GameClock, TimingConfig, move_time};

use super::options::{SIDE, has_option};
use super::search::{Event, Order};
use super::session::EngineSession;
use super::{NAME, in_a_line};

/// The session.
pub(super) struct Gomocup<'a> {
    session: EngineSession<'a>,
    position: Position,
    /// The stones of a `BOARD` command: the points and their owners.
    board: Option<Vec<(String, String)>>,
    /// The times of `INFO`, in milliseconds; 0 is a move at once.
    turn_time: Option<u64>,
    match_time: Option<u64>,
    time_left: Option<u64>,
}

impl<'a> Gomocup<'a> {
    /// An engine at the start of a game.
    pub(super) fn new(session: EngineSession<'a>, position: Position) -> Self {
        Self { session, position, board: None, turn_time: None, match_time: None, time_left: None }
    }

    /// Runs until `END`.
    pub(super) fn run(&mut self, events: &Receiver<Event>) -> Result<()> {
        loop {
            let line = match events.recv() {
                Ok(Event::Line(line)) => line,
                Ok(Event::End) | Err(_) => return Ok(()),
                Ok(Event::Improved(_) | Event::Done(..)) => continue,
            };
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if word.eq_ignore_ascii_case("END") {
                return Ok(());
            }
            let answer = match self.obey(word, rest.trim(), events) {
                Ok(answer) => answer,
                Err(error) => Some(format!("ERROR {}", in_a_line(error))),
            };
            if let Some(answer) = answer {
                self.session.say(&answer)?;
            }
        }
    }

    fn obey(&mut self, word: &str, rest: &str, events: &Receiver<Event>) -> Result<Option<String>> {
        if self.board.is_some() {
            return self.stone(word, events);
        }
        match word.to_ascii_uppercase().as_str() {
            "" => Ok(None),
            "START" => self.begin(rest).map(Some),
            "RESTART" => {
                self.clear();
                Ok(Some("OK".to_owned()))
            }
            "BEGIN" => self.generate(events).map(Some),
            "TURN" => {
                self.play(rest)?;
                self.generate(events).map(Some)
            }
            "BOARD" => {
                self.board = Some(Vec::new());
                Ok(None)
            }
            "INFO" => {
                self.inform(rest);
                Ok(None)
            }
            "ABOUT" => {
                let version = env!("CARGO_PKG_VERSION");
                Ok(Some(format!(
                    "name=\"{NAME}\", version=\"{version}\", author=\"the Ludex project\""
                )))
            }
            _ => Ok(Some("UNKNOWN command".to_owned())),
        }
    }

    fn begin(&mut self, size: &str) -> Result<String> {
        let wrong = |_| Error::new("`START` takes the side of the board, as in `START 15`");
        let size: u32 = size.parse().map_err(wrong)?;
        let look = &self.session.game.program().look;
        let (columns, rows) = (look.columns, look.rows);
        if (columns, rows) != (size as usize, size as usize) {
            if !has_option(&self.session.loaded, SIDE) {
                return Err(Error::new("unsupported size"));
            }
            self.session.reload(SIDE, size).map_err(|_| Error::new("unsupported size"))?;
        }
        self.clear();
        self.session.prepare();
        Ok("OK".to_owned())
    }

    fn clear(&mut self) {
        self.position = self.session.game.start();
        self.session.forget();
    }

    /// `timeout_turn 5000` and others; unknown keys are ignored, as the protocol requires.
    fn inform(&mut self, text: &str) {
        let Some((key, value)) = text.split_once(char::is_whitespace) else { return };
        let Ok(value) = value.trim().parse::<u64>() else { return };
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn_time = Some(value),
            "timeout_match" => self.match_time = Some(value).filter(|&it| it > 0),
            "time_left" => self.time_left = Some(value),
            _ => {}
        }
    }

    /// A line of a board; the last one requests a move.
    fn stone(&mut self, line: &str, events: &Receiver<Event>) -> Result<Option<String>> {
        if !line.eq_ignore_ascii_case("DONE") {
            let (point, whose) = line.rsplit_once(',').unwrap_or((line, ""));
            let stones = self.board.get_or_insert_default();
            if stones.len() < 1 << 16 {
                stones.push((point.to_owned(), whose.trim().to_owned()));
            }
            return Ok(None);
        }
        let stones = self.board.take().unwrap_or_default();
        self.clear();
        for point in in_turn(&stones).ok_or_else(|| Error::new("no game leads to such a board"))? {
            self.play(point)?;
        }
        self.generate(events).map(Some)
    }

    fn notation(&self) -> ProtocolNotation {
        ProtocolNotation::new(ProtocolKind::Gomocup, &self.session.game)
    }

    fn play(&mut self, point: &str) -> Result<()> {
        let position = &self.position;
        let EngineSession { loaded, game, .. } = &self.session;
        let Turn::Of(player) = loaded.turn(&self.position)? else {
            return Err(Error::new("the game is over"));
        };
        let legal = legal_names(game, position, player);
        let legal = legal.map_err(|it| loaded.blame(it))?;
        let point = point.replace(' ', "");
        let found = self.notation().ours(&point, "", &legal);
        let name =
            found.ok_or_else(|| Error::new(format!("`{point}` is no legal move")))?.to_owned();
        loaded.play(&mut self.position, 1, &name).map(|_| ())
    }

    /// The limits of a search.
    fn order(&self) -> Order {
        let millis = |it: u64| Duration::from_millis(it.max(1));
        let turn = self.turn_time.map(millis);
        let left = self.match_time.and(self.time_left).map(|it| {
            let share =
                move_time(GameClock::new(millis(it), Duration::ZERO), &TimingConfig::default());
            share.hard
        });
        match turn.into_iter().chain(left).min() {
            // A part of the time is for the delay of the answer.
            Some(time) => Order { hard: Some(time.mul_f64(0.9)), ..Order::default() },
            None => self.session.usual(),
        }
    }

    fn generate(&mut self, events: &Receiver<Event>) -> Result<String> {
        if self.session.loaded.ending(&self.position)?.is_some() {
            return Err(Error::new("the game is over"));
        }
        let order = self.order();
        let begun = Instant::now();
        // The protocol has no commands during a search.
        let result =
            self.session.search(
                &self.position,
                order,
                events,
                |event, running, _| match event {
                    Event::Line(line) if line.trim().eq_ignore_ascii_case("END") => running.stop(),
                    Event::End if !running.is_to_be_finished() => running.stop(),
                    _ => {}
                },
            )?;
        let best = result.best().ok_or_else(|| Error::new("there is no move"))?;
        let EngineSession { loaded, game, .. } = &self.session;
        let name = game.name(&self.position.state, best);
        loaded.play(&mut self.position, 1, &name).map(|_| ())?;
        if let Some(left) = &mut self.time_left {
            *left = left.saturating_sub(begun.elapsed().as_millis() as u64);
        }
        Ok(self.notation().theirs(&name))
    }
}

/// The points of a board in an order in which they may have been played: the engine's own stones are 1,
/// and it is to move.
fn in_turn(stones: &[(String, String)]) -> Option<Vec<&str>> {
    let of = |whose: &str| -> Vec<&str> {
        stones.iter().filter(|(_, it)| it == whose).map(|(point, _)| point.as_str()).collect()
    };
    let (own, other) = (of("1"), of("2"));
    let (first, second) = match own.len() + other.len() {
        total if total != stones.len() => return None,
        _ if own.len() == other.len() => (own, other),
        _ if own.len() + 1 == other.len() => (other, own),
        _ => return None,
    };
    let mut points = Vec::new();
    for (number, point) in first.iter().enumerate() {
        points.push(*point);
        points.extend(second.get(number).copied());
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(text: &str) -> Option<Vec<String>> {
        let stones: Vec<(String, String)> = text
            .split_whitespace()
            .filter_map(|it| it.split_once(':'))
            .map(|(point, whose)| (point.to_owned(), whose.to_owned()))
            .collect();
        in_turn(&stones).map(|it| it.into_iter().map(str::to_owned).collect())
    }

    #[test]
    fn a_board_is_a_game() {
        assert_eq!(ordered("a:2 b:2 c:1").unwrap(), ["a", "c", "b"]);
        assert_eq!(ordered("a:2 c:1").unwrap(), ["c", "a"]);
        assert_eq!(ordered("").unwrap(), Vec::<String>::new());
        assert_eq!(ordered("a:1"), None, "it would be the other's turn");
        assert_eq!(ordered("a:3 b:2"), None);
    }
}
