//! The protocol of the Gomocup tournaments (P. Laštovička, 2000), for games of stones on a square board.
//!
//! Points are a column and a row, counted from 0 from the upper left corner.

use std::time::Duration;

use super::super::spec::Spec;
use super::info::Info;
use super::{Asked, Heard, Played, Protocol, Say, Setting, Verdict, texts, untold};

/// What the program has still to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaits {
    Nothing,
    Name,
    Readiness,
    Move,
}

/// A conversation.
#[derive(Debug)]
pub(super) struct Gomocup {
    settings: Vec<String>,
    name: Option<String>,
    awaits: Awaits,
    /// The stones that the program knows, its own answers with them.
    told: Option<Vec<String>>,
    settled: bool,
}

impl Gomocup {
    /// A conversation that has not begun.
    pub(super) fn new(spec: &Spec) -> Self {
        let options = spec.options.iter().map(|(name, value)| format!("INFO {name} {value}"));
        Self {
            settings: options.chain(spec.lines.iter().cloned()).collect(),
            name: None,
            awaits: Awaits::Nothing,
            told: None,
            settled: false,
        }
    }

    /// What a program is told of its time, as far as it changes.
    fn times(&mut self, asked: &Asked<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let is_first = !std::mem::replace(&mut self.settled, true);
        let millis = |time: Duration| time.as_millis().min(i32::MAX as u128);
        match (asked.clocks, asked.time) {
            (Some(clocks), _) => {
                let left = millis(clocks[asked.mover].left);
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

    /// The question in the shortest words: the first move, the answer to a move, or a whole board.
    fn question(&self, asked: &Asked<'_>) -> Vec<String> {
        let new = self.told.as_ref().and_then(|it| untold(it, asked.moves));
        match (asked.moves, new) {
            ([], _) => vec!["BEGIN".to_owned()],
            (_, Some([last])) if last.player != asked.mover => vec![format!("TURN {}", last.text)],
            _ => board(asked.moves, asked.mover),
        }
    }
}

/// All stones: the program's own are 1, the others 2.
fn board(moves: &[Played], mover: usize) -> Vec<String> {
    let stone = |it: &Played| format!("{},{}", it.text, if it.player == mover { 1 } else { 2 });
    let stones = moves.iter().map(stone);
    std::iter::once("BOARD".to_owned()).chain(stones).chain(["DONE".to_owned()]).collect()
}

fn is_point(line: &str) -> bool {
    let number = |it: &str| it.trim().parse::<u16>().is_ok();
    line.split_once(',').is_some_and(|(x, y)| number(x) && number(y))
}

impl Protocol for Gomocup {
    fn hello(&mut self) -> Say {
        self.awaits = Awaits::Name;
        Say::and_wait(vec!["ABOUT".to_owned()])
    }

    fn begin(&mut self, setting: &Setting) -> Result<Say, String> {
        if setting.start.is_some() {
            return Err("Gomocup has no words for a position to begin with".to_owned());
        }
        let (columns, rows) = setting.size;
        let mut lines = vec![if columns == rows {
            format!("START {columns}")
        } else {
            format!("RECTSTART {columns},{rows}")
        }];
        lines.extend(self.settings.iter().cloned());
        (self.told, self.settled) = (Some(Vec::new()), false);
        self.awaits = Awaits::Readiness;
        Ok(Say::and_wait(lines))
    }

    fn ask(&mut self, asked: &Asked<'_>) -> Result<Vec<String>, String> {
        let mut lines = self.times(asked);
        lines.extend(self.question(asked));
        self.told = Some(texts(asked.moves));
        self.awaits = Awaits::Move;
        Ok(lines)
    }

    fn hear(&mut self, line: &str) -> Heard {
        let line = line.trim();
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match word.as_str() {
            "MESSAGE" | "DEBUG" | "UNKNOWN" | "SUGGEST" | "" => return Heard::Nothing,
            "ERROR" => return Heard::Refused(line.to_owned()),
            _ => {}
        }
        match self.awaits {
            Awaits::Name => {
                let name = line.split("name=\"").nth(1).and_then(|it| it.split('"').next());
                self.name = name.map(str::to_owned);
                self.awaits = Awaits::Nothing;
                Heard::Ready
            }
            Awaits::Readiness if word == "OK" => {
                self.awaits = Awaits::Nothing;
                Heard::Ready
            }
            Awaits::Move if is_point(line) => {
                let text = line.replace(' ', "");
                self.told.get_or_insert_default().push(text.clone());
                self.awaits = Awaits::Nothing;
                Heard::Answer(Info::default().answer(Verdict::Plays(text)))
            }
            // Whatever it is, it is meant to be a move.
            Awaits::Move if line.contains(',') => {
                self.awaits = Awaits::Nothing;
                Heard::Answer(Info::default().answer(Verdict::Plays(line.to_owned())))
            }
            _ => Heard::Nothing,
        }
    }

    fn silence_means_ready(&self) -> Option<Duration> {
        // Not every program says what it is.
        (self.awaits == Awaits::Name).then_some(Duration::from_secs(2))
    }

    fn bye(&self) -> Vec<String> {
        vec!["END".to_owned()]
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{asked, moves, played};
    use super::*;

    fn begun() -> Gomocup {
        let mut five = Gomocup::new(&Spec::parse("five,option.rule=1").unwrap());
        assert_eq!(five.hello().lines, ["ABOUT"]);
        assert_eq!(five.hear(r#"name="Five", version="1.0""#), Heard::Ready);
        assert_eq!(five.name(), Some("Five"));
        let setting = Setting { size: (15, 15), ..Setting::default() };
        assert_eq!(five.begin(&setting).unwrap().lines, ["START 15", "INFO rule 1"]);
        assert_eq!(five.hear("MESSAGE hello"), Heard::Nothing);
        assert_eq!(five.hear("OK"), Heard::Ready);
        five
    }

    #[test]
    fn the_shortest_question_is_asked() {
        let mut five = begun();
        let time = Some(Duration::from_millis(500));
        let game = moves("");
        let lines = five.ask(&Asked { time, ..asked(&game) }).unwrap();
        let limits = ["INFO timeout_turn 500", "INFO timeout_match 0", "INFO time_left 2147483647"];
        assert_eq!(lines[..3], limits);
        assert_eq!(lines[3..], ["BEGIN"]);
        assert_eq!(played(&five.hear("7, 7")), Some("7,7"));
        let game = moves("7,7 8,8");
        assert_eq!(five.ask(&Asked { time, ..asked(&game) }).unwrap(), ["TURN 8,8"]);
        assert_eq!(played(&five.hear("9,9")), Some("9,9"));
        // Something else than it thought: the whole board.
        let game = moves("7,7 8,8 1,1 2,2");
        let lines = five.ask(&asked(&game)).unwrap();
        assert_eq!(lines, ["BOARD", "7,7,1", "8,8,2", "1,1,1", "2,2,2", "DONE"]);
    }

    #[test]
    fn an_opening_is_a_board() {
        let mut five = begun();
        let game = moves("7,7 8,8 9,9");
        let lines = five.ask(&asked(&game)).unwrap();
        assert_eq!(lines, ["BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE"]);
        assert!(matches!(five.hear("ERROR no memory"), Heard::Refused(_)));
    }
}
