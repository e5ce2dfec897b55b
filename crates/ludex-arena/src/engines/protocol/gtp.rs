//! GTP, the Go text protocol, version 2 (G. Farnebäck, 2002). Some engines for Othello and other games
//! speak it, too.
//!
//! Commands are sent one at a time; an answer begins with `=` or `?` and ends with an empty line.

use std::collections::VecDeque;
use std::time::Duration;

use ludex_search::timing::GameClock;

use super::super::spec::EngineSpec;
use super::info::Info;
use super::{
    Commands, EngineAction, EngineMove, GameSetup, MoveRequest, Protocol, Received, texts, unsent,
    whole_seconds,
};

/// The purpose of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// The engine's name.
    Name,
    /// Its list of commands.
    Commands,
    /// A setting that must not be refused.
    Required,
    /// A setting that may be refused.
    Optional,
    /// A move.
    Move,
}

/// A session.
#[derive(Debug)]
pub(super) struct Gtp {
    settings: Vec<String>,
    name: Option<String>,
    commands: Vec<String>,
    /// Commands that are still to be sent.
    queue: VecDeque<(For, String)>,
    /// The command whose answer is still to come.
    sent: Option<(For, String)>,
    /// The lines of its answer.
    answer: Option<String>,
    /// The moves that the engine has.
    known: Vec<String>,
    players: [String; 2],
    /// Whether the time settings of this game were sent.
    limits_sent: bool,
}

impl Gtp {
    /// A session before the handshake.
    pub(super) fn new(spec: &EngineSpec) -> Self {
        let options = spec.options.iter().map(|(name, value)| format!("{name} {value}"));
        Self {
            settings: options.chain(spec.lines.iter().cloned()).collect(),
            name: None,
            commands: Vec::new(),
            queue: VecDeque::new(),
            sent: None,
            answer: None,
            known: Vec::new(),
            players: ["b".to_owned(), "w".to_owned()],
            limits_sent: false,
        }
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|it| it == command)
    }

    fn push(&mut self, purpose: For, line: impl Into<String>) {
        self.queue.push_back((purpose, line.into()));
    }

    /// The next command, unless an answer is still to come.
    fn next(&mut self) -> Vec<String> {
        if self.sent.is_none() {
            self.sent = self.queue.pop_front();
            self.answer = None;
            return self.sent.iter().map(|(_, line)| line.clone()).collect();
        }
        Vec::new()
    }

    /// Sends main time, byo-yomi time and byo-yomi stones.
    fn time_settings(&mut self, request: &MoveRequest<'_>) {
        let line = match (request.clocks, request.time) {
            (Some(clocks), _) => {
                let GameClock { left, increment, .. } = clocks[request.mover];
                // GTP has no increments: one is sent as byo-yomi of a single stone.
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
            self.push(For::Optional, line);
        }
    }

    fn time_left(&mut self, request: &MoveRequest<'_>) {
        let Some(clocks) = request.clocks.filter(|_| self.knows("time_left")) else { return };
        for (player, clock) in clocks.iter().enumerate() {
            // A main time of 0 would begin byo-yomi.
            let left = clock.left.as_secs().max(1);
            let line = format!("time_left {} {left} 0", self.players[player]);
            self.push(For::Optional, line);
        }
    }

    /// Handles the answer to the sent command.
    fn answered(&mut self, answer: &str) -> Received {
        let Some((purpose, line)) = self.sent.take() else { return Received::Nothing };
        let is_well = answer.starts_with('=');
        // Skip a command id, which we never send.
        let text = answer[1..].trim_start_matches(|it: char| it.is_ascii_digit()).trim();
        match purpose {
            For::Name if is_well => self.name = Some(text.to_owned()),
            For::Commands if is_well => {
                self.commands = text.split_whitespace().take(1000).map(str::to_owned).collect();
            }
            For::Name | For::Commands | For::Optional => {}
            For::Required if !is_well => return Received::Refused(format!("`{line}`: {text}")),
            For::Required => {}
            For::Move if !is_well => return Received::Refused(format!("`{line}`: {text}")),
            For::Move => return self.moved(text),
        }
        let lines = self.next();
        if lines.is_empty() { Received::Ready } else { Received::Send(lines) }
    }

    fn moved(&mut self, text: &str) -> Received {
        let word = text.split_whitespace().next().unwrap_or_default();
        let action = if word.eq_ignore_ascii_case("resign") {
            EngineAction::Resign
        } else {
            // The engine has played it on its board.
            self.known.push(word.to_ascii_lowercase());
            EngineAction::Move(word.to_owned())
        };
        Received::Answer(Info::default().answer(action))
    }
}

/// The colours of the two players by the first letters of their names; by default black moves first.
fn colours(players: &[String; 2]) -> [String; 2] {
    let is_white = |name: &String| name.to_ascii_lowercase().starts_with('w');
    let letters = if is_white(&players[0]) { ["w", "b"] } else { ["b", "w"] };
    letters.map(str::to_owned)
}

impl Protocol for Gtp {
    fn handshake(&mut self) -> Commands {
        self.push(For::Name, "name");
        self.push(For::Commands, "list_commands");
        Commands::awaiting(self.next())
    }

    fn begin(&mut self, setup: &GameSetup) -> Result<Commands, String> {
        if setup.start.is_some() {
            return Err("GTP has no words for a position to begin with".to_owned());
        }
        let (columns, rows) = setup.size;
        if columns != rows {
            return Err(format!("GTP has no words for a board of {columns} by {rows}"));
        }
        self.players = colours(&setup.players);
        self.known.clear();
        self.limits_sent = false;
        for line in self.settings.clone() {
            self.push(For::Required, line);
        }
        if self.knows("boardsize") {
            self.push(For::Required, format!("boardsize {columns}"));
        }
        self.push(For::Required, "clear_board");
        if let Some(komi) = setup.komi.filter(|_| self.knows("komi")) {
            self.push(For::Optional, format!("komi {komi}"));
        }
        Ok(Commands::awaiting(self.next()))
    }

    fn request_move(&mut self, request: &MoveRequest<'_>) -> Result<Vec<String>, String> {
        let lower =
            |it: &EngineMove| EngineMove { text: it.text.to_ascii_lowercase(), ..it.clone() };
        let all: Vec<EngineMove> = request.moves.iter().map(lower).collect();
        let new = unsent(&self.known, &all).ok_or("moves were taken back")?.len();
        for played in &request.moves[request.moves.len() - new..] {
            let line = format!("play {} {}", self.players[played.player], played.text);
            // Some engines for games with forced passes only play those by themselves.
            let is_pass = played.text.eq_ignore_ascii_case("pass");
            self.push(if is_pass { For::Optional } else { For::Required }, line);
        }
        self.known = texts(&all);
        if !std::mem::replace(&mut self.limits_sent, true) {
            self.time_settings(request);
        }
        self.time_left(request);
        self.push(For::Move, format!("genmove {}", self.players[request.mover]));
        Ok(self.next())
    }

    fn read_line(&mut self, line: &str) -> Received {
        match &mut self.answer {
            None if line.starts_with(['=', '?']) => {
                self.answer = Some(line.to_owned());
                Received::Nothing
            }
            None => Received::Nothing,
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
                Received::Nothing
            }
        }
    }

    fn resolution(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{clock, moves, played, request_for};
    use super::*;

    fn answer(gtp: &mut Gtp, text: &str) -> Received {
        for line in text.lines() {
            assert_eq!(gtp.read_line(line), Received::Nothing);
        }
        gtp.read_line("")
    }

    fn said(lines: &[&str]) -> Received {
        Received::Send(lines.iter().map(|it| (*it).to_owned()).collect())
    }

    fn greeted(spec: &str) -> Gtp {
        let mut gtp = Gtp::new(&EngineSpec::parse(spec).unwrap());
        assert_eq!(gtp.handshake().lines, ["name"]);
        assert_eq!(answer(&mut gtp, "= Stones"), said(&["list_commands"]));
        let commands = "= boardsize\nclear_board\nkomi\ntime_settings\ntime_left\nplay\ngenmove";
        assert_eq!(answer(&mut gtp, commands), Received::Ready);
        gtp
    }

    fn setup() -> GameSetup {
        GameSetup { size: (9, 9), komi: Some(7.5), ..GameSetup::default() }
    }

    #[test]
    fn commands_go_one_at_a_time() {
        let mut gtp = greeted("stones,option.level=3");
        assert_eq!(gtp.begin(&setup()).unwrap().lines, ["level 3"]);
        assert_eq!(answer(&mut gtp, "="), said(&["boardsize 9"]));
        assert_eq!(answer(&mut gtp, "="), said(&["clear_board"]));
        assert_eq!(answer(&mut gtp, "="), said(&["komi 7.5"]));
        assert_eq!(
            answer(&mut gtp, "? never"),
            Received::Ready,
            "an optional command may be refused"
        );
        let game = moves("E5");
        let request = MoveRequest {
            clocks: Some([clock(60_000, 0), clock(59_000, 0)]),
            ..request_for(&game)
        };
        assert_eq!(gtp.request_move(&request).unwrap(), ["play b E5"]);
        assert_eq!(answer(&mut gtp, "="), said(&["time_settings 59 0 0"]));
        assert_eq!(answer(&mut gtp, "="), said(&["time_left b 60 0"]));
        assert_eq!(answer(&mut gtp, "="), said(&["time_left w 59 0"]));
        assert_eq!(answer(&mut gtp, "="), said(&["genmove w"]));
        let received = answer(&mut gtp, "= C3");
        assert_eq!(played(&received), Some("C3"));
        // It has its own move already.
        let game = moves("E5 C3 D4");
        assert_eq!(
            gtp.request_move(&request_for(&game)).unwrap(),
            ["play w D4"].map(|it| it.replace('w', "b"))
        );
        assert_eq!(answer(&mut gtp, "="), said(&["genmove w"]));
        let received = answer(&mut gtp, "= resign");
        assert!(matches!(received, Received::Answer(it) if it.action == EngineAction::Resign));
        assert_eq!(gtp.name(), Some("Stones"));
    }

    #[test]
    fn refusals_are_reported() {
        let mut gtp = greeted("stones");
        gtp.begin(&setup()).unwrap();
        let received = answer(&mut gtp, "? unacceptable size");
        assert_eq!(received, Received::Refused("`boardsize 9`: unacceptable size".to_owned()));
        assert!(gtp.begin(&GameSetup { size: (9, 7), ..setup() }).is_err());
        let start = Some("x".to_owned());
        assert!(gtp.begin(&GameSetup { start, ..setup() }).is_err());
    }

    #[test]
    fn black_need_not_begin() {
        let names = |one: &str, two: &str| [one.to_owned(), two.to_owned()];
        assert_eq!(colours(&names("White", "Black")), ["w", "b"]);
        assert_eq!(colours(&names("Black", "White")), ["b", "w"]);
        assert_eq!(colours(&names("Red", "Blue")), ["b", "w"]);
    }
}
