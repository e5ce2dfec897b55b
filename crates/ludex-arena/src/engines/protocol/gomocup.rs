//! The protocol of the Gomocup tournaments (P. Laštovička, 2000), for games of stones on a square board.
//!
//! Points are a column and a row, counted from 0 from the upper left corner.

use std::time::Duration;

use super::super::spec::EngineSpec;
use super::info::Info;
use super::{
    Commands, EngineAction, EngineMove, GameSetup, MoveRequest, Protocol, Received, texts, unsent,
};

/// The reply that is still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaits {
    Nothing,
    Name,
    Readiness,
    Move,
}

/// A session.
#[derive(Debug)]
pub(super) struct Gomocup {
    settings: Vec<String>,
    name: Option<String>,
    awaits: Awaits,
    /// The stones that the engine has, its own moves included.
    known: Option<Vec<String>>,
    limits_sent: bool,
}

impl Gomocup {
    /// A session before the handshake.
    pub(super) fn new(spec: &EngineSpec) -> Self {
        let options = spec.options.iter().map(|(name, value)| format!("INFO {name} {value}"));
        Self {
            settings: options.chain(spec.lines.iter().cloned()).collect(),
            name: None,
            awaits: Awaits::Nothing,
            known: None,
            limits_sent: false,
        }
    }

    /// The time limits that have changed.
    fn times(&mut self, request: &MoveRequest<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let is_first = !std::mem::replace(&mut self.limits_sent, true);
        let millis = |time: Duration| time.as_millis().min(i32::MAX as u128);
        match (request.clocks, request.time) {
            (Some(clocks), _) => {
                let left = millis(clocks[request.mover].left);
                if is_first {
                    lines.push(format!("INFO timeout_turn {left}"));
                    lines.push(format!("INFO timeout_match {left}"));
                }
                lines.push(format!("INFO time_left {left}"));
            }
            (None, Some(time)) if is_first => {
                lines.push(format!("INFO timeout_turn {}", millis(time)));
                lines.push("INFO timeout_match 0".to_owned());
                lines.push(format!("INFO time_left {}", i32::MAX));
            }
            _ => {}
        }
        lines
    }

    /// The shortest command for a move: `BEGIN`, `TURN` after one move, or `BOARD`.
    fn command(&self, request: &MoveRequest<'_>) -> Vec<String> {
        let new = self.known.as_ref().and_then(|it| unsent(it, request.moves));
        match (request.moves, new) {
            ([], _) => vec!["BEGIN".to_owned()],
            (_, Some([last])) if last.player != request.mover => {
                vec![format!("TURN {}", last.text)]
            }
            _ => board(request.moves, request.mover),
        }
    }
}

/// All stones: the engine's own are 1, the others 2.
fn board(moves: &[EngineMove], mover: usize) -> Vec<String> {
    let stone = |it: &EngineMove| format!("{},{}", it.text, if it.player == mover { 1 } else { 2 });
    let stones = moves.iter().map(stone);
    std::iter::once("BOARD".to_owned()).chain(stones).chain(["DONE".to_owned()]).collect()
}

fn is_point(line: &str) -> bool {
    let number = |it: &str| it.trim().parse::<u16>().is_ok();
    line.split_once(',').is_some_and(|(x, y)| number(x) && number(y))
}

impl Protocol for Gomocup {
    fn handshake(&mut self) -> Commands {
        self.awaits = Awaits::Name;
        Commands::awaiting(vec!["ABOUT".to_owned()])
    }

    fn begin(&mut self, setup: &GameSetup) -> Result<Commands, String> {
        if setup.start.is_some() {
            return Err("Gomocup has no words for a position to begin with".to_owned());
        }
        let (columns, rows) = setup.size;
        let mut lines = vec![if columns == rows {
            format!("START {columns}")
        } else {
            format!("RECTSTART {columns},{rows}")
        }];
        lines.extend(self.settings.iter().cloned());
        (self.known, self.limits_sent) = (Some(Vec::new()), false);
        self.awaits = Awaits::Readiness;
        Ok(Commands::awaiting(lines))
    }

    fn request_move(&mut self, request: &MoveRequest<'_>) -> Result<Vec<String>, String> {
        let mut lines = self.times(request);
        lines.extend(self.command(request));
        self.known = Some(texts(request.moves));
        self.awaits = Awaits::Move;
        Ok(lines)
    }

    fn read_line(&mut self, line: &str) -> Received {
        let line = line.trim();
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match word.as_str() {
            "MESSAGE" | "DEBUG" | "UNKNOWN" | "SUGGEST" | "" => return Received::Nothing,
            "ERROR" => return Received::Refused(line.to_owned()),
            _ => {}
        }
        match self.awaits {
            Awaits::Name => {
                let name = line.split("name=\"").nth(1).and_then(|it| it.split('"').next());
                self.name = name.map(str::to_owned);
                self.awaits = Awaits::Nothing;
                Received::Ready
            }
            Awaits::Readiness if word == "OK" => {
                self.awaits = Awaits::Nothing;
                Received::Ready
            }
            Awaits::Move if is_point(line) => {
                let text = line.replace(' ', "");
                self.known.get_or_insert_default().push(text.clone());
                self.awaits = Awaits::Nothing;
                Received::Answer(Info::default().answer(EngineAction::Move(text)))
            }
            // It is meant as a move: the referee judges it.
            Awaits::Move if line.contains(',') => {
                self.awaits = Awaits::Nothing;
                Received::Answer(Info::default().answer(EngineAction::Move(line.to_owned())))
            }
            _ => Received::Nothing,
        }
    }

    fn silence_means_ready(&self) -> Option<Duration> {
        // Not every engine replies to `ABOUT`.
        (self.awaits == Awaits::Name).then_some(Duration::from_secs(2))
    }

    fn quit(&self) -> Vec<String> {
        vec!["END".to_owned()]
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{moves, played, request_for};
    use super::*;

    fn begun() -> Gomocup {
        let mut five = Gomocup::new(&EngineSpec::parse("five,option.rule=1").unwrap());
        assert_eq!(five.handshake().lines, ["ABOUT"]);
        assert_eq!(five.read_line(r#"name="Five", version="1.0""#), Received::Ready);
        assert_eq!(five.name(), Some("Five"));
        let setup = GameSetup { size: (15, 15), ..GameSetup::default() };
        assert_eq!(five.begin(&setup).unwrap().lines, ["START 15", "INFO rule 1"]);
        assert_eq!(five.read_line("MESSAGE hello"), Received::Nothing);
        assert_eq!(five.read_line("OK"), Received::Ready);
        five
    }

    #[test]
    fn the_shortest_command_is_sent() {
        let mut five = begun();
        let time = Some(Duration::from_millis(500));
        let game = moves("");
        let lines = five.request_move(&MoveRequest { time, ..request_for(&game) }).unwrap();
        let limits = ["INFO timeout_turn 500", "INFO timeout_match 0", "INFO time_left 2147483647"];
        assert_eq!(lines[..3], limits);
        assert_eq!(lines[3..], ["BEGIN"]);
        assert_eq!(played(&five.read_line("7, 7")), Some("7,7"));
        let game = moves("7,7 8,8");
        assert_eq!(
            five.request_move(&MoveRequest { time, ..request_for(&game) }).unwrap(),
            ["TURN 8,8"]
        );
        assert_eq!(played(&five.read_line("9,9")), Some("9,9"));
        // The moves differ from those that it has: the whole board.
        let game = moves("7,7 8,8 1,1 2,2");
        let lines = five.request_move(&request_for(&game)).unwrap();
        assert_eq!(lines, ["BOARD", "7,7,1", "8,8,2", "1,1,1", "2,2,2", "DONE"]);
    }

    #[test]
    fn an_opening_is_a_board() {
        let mut five = begun();
        let game = moves("7,7 8,8 9,9");
        let lines = five.request_move(&request_for(&game)).unwrap();
        assert_eq!(lines, ["BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE"]);
        assert!(matches!(five.read_line("ERROR no memory"), Received::Refused(_)));
    }
}
