//! GTP, the Go text protocol, version 2 (G. Farnebäck, 2002), which programs for Othello and others
//! speak as well.
//!
//! Commands are sent one at a time; an answer begins with `=` or `?` and ends with an empty line.

use std::collections::VecDeque;
use std::time::Duration;

use ludex_search::timing::GameClock;

use super::super::spec::Spec;
use super::info::Info;
use super::{Asked, Heard, Played, Protocol, Say, Setting, Verdict, texts, untold, whole_seconds};

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// What the program calls itself.
    Name,
    /// What it understands.
    Commands,
    /// Something that must be done.
    Duty,
    /// Something that need not be understood.
    Wish,
    /// A move.
    Move,
}

/// A conversation.
#[derive(Debug)]
pub(super) struct Gtp {
    settings: Vec<String>,
    name: Option<String>,
    commands: Vec<String>,
    /// Commands that were not sent yet.
    queue: VecDeque<(For, String)>,
    /// The one that was sent.
    sent: Option<(For, String)>,
    /// The answer to it, as far as it was heard.
    answer: Option<String>,
    /// The moves that the program knows.
    told: Vec<String>,
    players: [String; 2],
    /// The clock that the program was told at the beginning.
    settled: bool,
}

impl Gtp {
    /// A conversation that has not begun.
    pub(super) fn new(spec: &Spec) -> Self {
        let options = spec.options.iter().map(|(name, value)| format!("{name} {value}"));
        Self {
            settings: options.chain(spec.lines.iter().cloned()).collect(),
            name: None,
            commands: Vec::new(),
            queue: VecDeque::new(),
            sent: None,
            answer: None,
            told: Vec::new(),
            players: ["b".to_owned(), "w".to_owned()],
            settled: false,
        }
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|it| it == command)
    }

    fn push(&mut self, purpose: For, line: impl Into<String>) {
        self.queue.push_back((purpose, line.into()));
    }

    /// The next command, if nothing is to be answered.
    fn next(&mut self) -> Vec<String> {
        if self.sent.is_none() {
            self.sent = self.queue.pop_front();
            self.answer = None;
            return self.sent.iter().map(|(_, line)| line.clone()).collect();
        }
        Vec::new()
    }

    /// Main time, time of a period, stones in it, as the protocol has them.
    fn time_settings(&mut self, asked: &Asked<'_>) {
        let line = match (asked.clocks, asked.time) {
            (Some(clocks), _) => {
                let GameClock { left, increment, .. } = clocks[asked.mover];
                // There are no increments: one is told as a period for a single stone.
                let period = if increment.is_zero() { 0 } else { whole_seconds(increment) };
                format!(
                    "time_settings {} {period} {}",
                    left.as_secs().max(1),
                    u64::from(period > 0)
                )
            }
            (None, Some(time)) => format!("time_settings 0 {} 1", whole_seconds(time)),
            (None, None) => return,
        };
        if self.knows("time_settings") {
            self.push(For::Wish, line);
        }
    }

    fn time_left(&mut self, asked: &Asked<'_>) {
        let Some(clocks) = asked.clocks.filter(|_| self.knows("time_left")) else { return };
        for (player, clock) in clocks.iter().enumerate() {
            // No time at all would mean something else.
            let left = clock.left.as_secs().max(1);
            let line = format!("time_left {} {left} 0", self.players[player]);
            self.push(For::Wish, line);
        }
    }

    /// A command was answered.
    fn answered(&mut self, answer: &str) -> Heard {
        let Some((purpose, line)) = self.sent.take() else { return Heard::Nothing };
        let is_well = answer.starts_with('=');
        // An answer may repeat a number, which we never give.
        let text = answer[1..].trim_start_matches(|it: char| it.is_ascii_digit()).trim();
        match purpose {
            For::Name if is_well => self.name = Some(text.to_owned()),
            For::Commands if is_well => {
                self.commands = text.split_whitespace().take(1000).map(str::to_owned).collect();
            }
            For::Name | For::Commands | For::Wish => {}
            For::Duty if !is_well => return Heard::Refused(format!("`{line}`: {text}")),
            For::Duty => {}
            For::Move if !is_well => return Heard::Refused(format!("`{line}`: {text}")),
            For::Move => return self.moved(text),
        }
        let lines = self.next();
        if lines.is_empty() { Heard::Ready } else { Heard::Say(lines) }
    }

    fn moved(&mut self, text: &str) -> Heard {
        let word = text.split_whitespace().next().unwrap_or_default();
        let verdict = if word.eq_ignore_ascii_case("resign") {
            Verdict::Resigns
        } else {
            // The program has played it already.
            self.told.push(word.to_ascii_lowercase());
            Verdict::Plays(word.to_owned())
        };
        Heard::Answer(Info::default().answer(verdict))
    }
}

/// `black` or `white`, by the letter that a player's name begins with; black begins where that does not
/// help.
fn colours(players: &[String; 2]) -> [String; 2] {
    let is_white = |name: &String| name.to_ascii_lowercase().starts_with('w');
    let letters = if is_white(&players[0]) { ["w", "b"] } else { ["b", "w"] };
    letters.map(str::to_owned)
}

impl Protocol for Gtp {
    fn hello(&mut self) -> Say {
        self.push(For::Name, "name");
        self.push(For::Commands, "list_commands");
        Say::and_wait(self.next())
    }

    fn begin(&mut self, setting: &Setting) -> Result<Say, String> {
        if setting.start.is_some() {
            return Err("GTP has no words for a position to begin with".to_owned());
        }
        let (columns, rows) = setting.size;
        if columns != rows {
            return Err(format!("GTP has no words for a board of {columns} by {rows}"));
        }
        self.players = colours(&setting.players);
        self.told.clear();
        self.settled = false;
        for line in self.settings.clone() {
            self.push(For::Duty, line);
        }
        if self.knows("boardsize") {
            self.push(For::Duty, format!("boardsize {columns}"));
        }
        self.push(For::Duty, "clear_board");
        if let Some(komi) = setting.komi.filter(|_| self.knows("komi")) {
            self.push(For::Wish, format!("komi {komi}"));
        }
        Ok(Say::and_wait(self.next()))
    }

    fn ask(&mut self, asked: &Asked<'_>) -> Result<Vec<String>, String> {
        let lower = |it: &Played| Played { text: it.text.to_ascii_lowercase(), ..it.clone() };
        let all: Vec<Played> = asked.moves.iter().map(lower).collect();
        let new = untold(&self.told, &all).ok_or("moves were taken back")?.len();
        for played in &asked.moves[asked.moves.len() - new..] {
            let line = format!("play {} {}", self.players[played.player], played.text);
            // Some programs for games in which nobody passes but who must pass by themselves.
            let is_pass = played.text.eq_ignore_ascii_case("pass");
            self.push(if is_pass { For::Wish } else { For::Duty }, line);
        }
        self.told = texts(&all);
        if !std::mem::replace(&mut self.settled, true) {
            self.time_settings(asked);
        }
        self.time_left(asked);
        self.push(For::Move, format!("genmove {}", self.players[asked.mover]));
        Ok(self.next())
    }

    fn hear(&mut self, line: &str) -> Heard {
        match &mut self.answer {
            None if line.starts_with(['=', '?']) => {
                self.answer = Some(line.to_owned());
                Heard::Nothing
            }
            None => Heard::Nothing,
            Some(_) if line.trim().is_empty() => {
                let answer = self.answer.take().unwrap_or_default();
                self.answered(&answer)
            }
            Some(answer) => {
                // The longest answer is the list of commands.
                if answer.len() < 1 << 16 {
                    answer.push('\n');
                    answer.push_str(line);
                }
                Heard::Nothing
            }
        }
    }

    fn grain(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{asked, clock, moves, played};
    use super::*;

    fn answer(gtp: &mut Gtp, text: &str) -> Heard {
        for line in text.lines() {
            assert_eq!(gtp.hear(line), Heard::Nothing);
        }
        gtp.hear("")
    }

    fn said(lines: &[&str]) -> Heard {
        Heard::Say(lines.iter().map(|it| (*it).to_owned()).collect())
    }

    fn greeted(spec: &str) -> Gtp {
        let mut gtp = Gtp::new(&Spec::parse(spec).unwrap());
        assert_eq!(gtp.hello().lines, ["name"]);
        assert_eq!(answer(&mut gtp, "= Stones"), said(&["list_commands"]));
        let commands = "= boardsize\nclear_board\nkomi\ntime_settings\ntime_left\nplay\ngenmove";
        assert_eq!(answer(&mut gtp, commands), Heard::Ready);
        gtp
    }

    fn setting() -> Setting {
        Setting { size: (9, 9), komi: Some(7.5), ..Setting::default() }
    }

    #[test]
    fn commands_go_one_at_a_time() {
        let mut gtp = greeted("stones,option.level=3");
        assert_eq!(gtp.begin(&setting()).unwrap().lines, ["level 3"]);
        assert_eq!(answer(&mut gtp, "="), said(&["boardsize 9"]));
        assert_eq!(answer(&mut gtp, "="), said(&["clear_board"]));
        assert_eq!(answer(&mut gtp, "="), said(&["komi 7.5"]));
        assert_eq!(answer(&mut gtp, "? never"), Heard::Ready, "a wish need not be granted");
        let game = moves("E5");
        let question = Asked { clocks: Some([clock(60_000, 0), clock(59_000, 0)]), ..asked(&game) };
        assert_eq!(gtp.ask(&question).unwrap(), ["play b E5"]);
        assert_eq!(answer(&mut gtp, "="), said(&["time_settings 59 0 0"]));
        assert_eq!(answer(&mut gtp, "="), said(&["time_left b 60 0"]));
        assert_eq!(answer(&mut gtp, "="), said(&["time_left w 59 0"]));
        assert_eq!(answer(&mut gtp, "="), said(&["genmove w"]));
        let heard = answer(&mut gtp, "= C3");
        assert_eq!(played(&heard), Some("C3"));
        // Its own move is known to it.
        let game = moves("E5 C3 D4");
        assert_eq!(gtp.ask(&asked(&game)).unwrap(), ["play w D4"].map(|it| it.replace('w', "b")));
        assert_eq!(answer(&mut gtp, "="), said(&["genmove w"]));
        let heard = answer(&mut gtp, "= resign");
        assert!(matches!(heard, Heard::Answer(it) if it.verdict == Verdict::Resigns));
        assert_eq!(gtp.name(), Some("Stones"));
    }

    #[test]
    fn refusals_are_heard() {
        let mut gtp = greeted("stones");
        gtp.begin(&setting()).unwrap();
        let heard = answer(&mut gtp, "? unacceptable size");
        assert_eq!(heard, Heard::Refused("`boardsize 9`: unacceptable size".to_owned()));
        assert!(gtp.begin(&Setting { size: (9, 7), ..setting() }).is_err());
        let start = Some("x".to_owned());
        assert!(gtp.begin(&Setting { start, ..setting() }).is_err());
    }

    #[test]
    fn black_need_not_begin() {
        let names = |one: &str, two: &str| [one.to_owned(), two.to_owned()];
        assert_eq!(colours(&names("White", "Black")), ["w", "b"]);
        assert_eq!(colours(&names("Black", "White")), ["b", "w"]);
        assert_eq!(colours(&names("Red", "Blue")), ["b", "w"]);
    }
}
