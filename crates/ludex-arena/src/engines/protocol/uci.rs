//! UCI, and its relatives UGI and USI, which differ in a few words.
//!
//! UCI is by S. Meyer-Kahlen (2000), USI by T. Romstad for shogi (2007), and UGI is UCI for any game.
//! Every request sends the whole game, so that a session has little state.

use std::time::Duration;

use ludex_search::timing::GameClock;

use super::super::spec::EngineSpec;
use super::info::Info;
use super::{Commands, EngineAction, GameSetup, MoveRequest, Protocol, Received, texts};

/// The keywords of one of the three.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    hello: &'static str,
    welcome: &'static str,
    new_game: &'static str,
    position: &'static str,
    /// The keywords of the two players' clocks and increments.
    clocks: [&'static str; 2],
    increments: [&'static str; 2],
    /// Whether the time for a move is sent as byo-yomi.
    byoyomi: bool,
}

/// For chess and its variants.
pub(super) const UCI: Dialect = Dialect {
    hello: "uci",
    welcome: "uciok",
    new_game: "ucinewgame",
    position: "fen",
    clocks: ["wtime", "btime"],
    increments: ["winc", "binc"],
    byoyomi: false,
};

/// For any game.
pub(super) const UGI: Dialect = Dialect {
    hello: "ugi",
    welcome: "ugiok",
    new_game: "uginewgame",
    clocks: ["p1time", "p2time"],
    increments: ["p1inc", "p2inc"],
    ..UCI
};

/// For shogi. Black moves first.
pub(super) const USI: Dialect = Dialect {
    hello: "usi",
    welcome: "usiok",
    new_game: "usinewgame",
    position: "sfen",
    clocks: ["btime", "wtime"],
    increments: ["binc", "winc"],
    byoyomi: true,
};

/// The names of the option that selects the game.
const VARIANT: [&str; 2] = ["UCI_Variant", "USI_Variant"];

/// The reply that is still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaits {
    Nothing,
    Welcome,
    Readiness,
    Move,
}

/// A session.
#[derive(Debug)]
pub(super) struct Uci {
    dialect: Dialect,
    settings: Vec<(String, String)>,
    lines: Vec<String>,
    /// The engine's options: name and declaration.
    options: Vec<(String, String)>,
    name: Option<String>,
    start: Option<String>,
    awaits: Awaits,
    info: Info,
}

impl Uci {
    /// A session before the handshake.
    pub(super) fn new(dialect: Dialect, spec: &EngineSpec) -> Self {
        Self {
            dialect,
            settings: spec.options.clone(),
            lines: spec.lines.clone(),
            options: Vec::new(),
            name: None,
            start: None,
            awaits: Awaits::Nothing,
            info: Info::default(),
        }
    }

    fn option(&self, name: &str) -> Option<&(String, String)> {
        self.options.iter().find(|(it, _)| it.eq_ignore_ascii_case(name))
    }

    /// `name Skill Level type spin default 20 …`.
    fn offered(&mut self, words: &str) {
        let words = words.trim_start().strip_prefix("name ").unwrap_or(words);
        let (name, declaration) = words.split_once(" type ").unwrap_or((words, ""));
        // A bound for hostile engines; real ones have fewer.
        if self.options.len() < 1000 {
            self.options.push((name.trim().to_owned(), declaration.to_owned()));
        }
    }

    /// The lines that set the options; an unknown option is an error.
    fn set_options(&self, setup: &GameSetup) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let is_variant = |it: &str| VARIANT.iter().any(|name| name.eq_ignore_ascii_case(it));
        let says_variant = self.settings.iter().any(|(it, _)| is_variant(it));
        let offered = VARIANT.iter().find_map(|it| self.option(it));
        if let Some((name, declaration)) = offered.filter(|_| !says_variant) {
            let mut words = declaration.split_whitespace();
            let variant = setup.variant.as_str();
            if words.any(|it| it == variant) {
                lines.push(format!("setoption name {name} value {variant}"));
            }
        }
        for (name, value) in &self.settings {
            // An engine without a list of options may have some.
            if !self.options.is_empty() && self.option(name).is_none() {
                return Err(self.no_option(name));
            }
            lines.push(match value.as_str() {
                "" => format!("setoption name {name}"),
                _ => format!("setoption name {name} value {value}"),
            });
        }
        Ok(lines)
    }

    fn no_option(&self, name: &str) -> String {
        let names = self.options.iter().map(|(it, _)| it.as_str());
        match ludex_core::text::nearest(name, names) {
            Some(near) => format!("it has no option `{name}`; did you mean `{near}`?"),
            None => format!("it has no option `{name}`"),
        }
    }

    fn position(&self, request: &MoveRequest<'_>) -> String {
        let mut line = match &self.start {
            None => "position startpos".to_owned(),
            Some(text) => format!("position {} {text}", self.dialect.position),
        };
        if !request.moves.is_empty() {
            line.push_str(" moves ");
            line.push_str(&texts(request.moves).join(" "));
        }
        line
    }

    fn go(&self, request: &MoveRequest<'_>) -> String {
        let Dialect { clocks, increments, byoyomi, .. } = self.dialect;
        let mut line = "go".to_owned();
        let mut add = |name: &str, number: u128| line.push_str(&format!(" {name} {number}"));
        if let Some(left) = request.clocks {
            for (side, GameClock { left, .. }) in left.iter().enumerate() {
                add(clocks[side], left.as_millis());
            }
            let has_increment = left.iter().any(|it| !it.increment.is_zero());
            for (side, GameClock { increment, .. }) in left.iter().enumerate() {
                // Old USI engines do not know increments: they are sent only where there are any.
                if has_increment || !byoyomi {
                    add(increments[side], increment.as_millis());
                }
            }
            if let Some(moves) = left[request.mover].moves_to_go {
                add("movestogo", moves.into());
            }
        } else if let Some(time) = request.time {
            if byoyomi {
                add("btime", 0);
                add("wtime", 0);
            }
            let name = if byoyomi { "byoyomi" } else { "movetime" };
            add(name, time.max(Duration::from_millis(1)).as_millis());
        }
        if let Some(nodes) = request.nodes {
            add("nodes", nodes.into());
        }
        if let Some(depth) = request.depth {
            add("depth", depth.into());
        }
        if line == "go" { "go infinite".to_owned() } else { line }
    }

    fn best_move(&mut self, rest: &str) -> Received {
        if self.awaits != Awaits::Move {
            return Received::Nothing;
        }
        self.awaits = Awaits::Nothing;
        let word = rest.split_whitespace().next().unwrap_or_default();
        match word {
            "win" => Received::Claimed("bestmove win".to_owned()),
            "resign" => Received::Answer(self.info.answer(EngineAction::Resign)),
            _ => Received::Answer(self.info.answer(EngineAction::Move(word.to_owned()))),
        }
    }
}

impl Protocol for Uci {
    fn handshake(&mut self) -> Commands {
        self.awaits = Awaits::Welcome;
        Commands::awaiting(vec![self.dialect.hello.to_owned()])
    }

    fn begin(&mut self, setup: &GameSetup) -> Result<Commands, String> {
        let mut lines = self.set_options(setup)?;
        lines.extend(self.lines.iter().cloned());
        // USI engines load their data at `isready`, before the new game.
        let (ready, new) = ("isready".to_owned(), self.dialect.new_game.to_owned());
        lines.extend(if self.dialect.byoyomi { [ready, new] } else { [new, ready] });
        self.start.clone_from(&setup.start);
        self.awaits = Awaits::Readiness;
        Ok(Commands::awaiting(lines))
    }

    fn request_move(&mut self, request: &MoveRequest<'_>) -> Result<Vec<String>, String> {
        let limited = request.clocks.is_some()
            || request.time.is_some()
            || request.nodes.is_some()
            || request.depth.is_some();
        if !limited {
            return Err("there is no limit for its move; give a time, nodes or a depth".to_owned());
        }
        self.awaits = Awaits::Move;
        self.info = Info::default();
        Ok(vec![self.position(request), self.go(request)])
    }

    fn read_line(&mut self, line: &str) -> Received {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "id" => {
                if let Some(name) = rest.trim_start().strip_prefix("name ") {
                    self.name = Some(name.trim().to_owned());
                }
            }
            "option" if self.awaits == Awaits::Welcome => self.offered(rest),
            "info" if self.awaits == Awaits::Move => self.info.read_uci(line),
            "bestmove" => return self.best_move(rest),
            "readyok" if self.awaits == Awaits::Readiness => {
                self.awaits = Awaits::Nothing;
                return Received::Ready;
            }
            _ if word == self.dialect.welcome && self.awaits == Awaits::Welcome => {
                self.awaits = Awaits::Nothing;
                return Received::Ready;
            }
            _ => {}
        }
        Received::Nothing
    }

    fn end(&mut self) -> Vec<String> {
        // Only USI has a command for it. The result is not known here.
        if self.dialect.byoyomi { vec!["gameover draw".to_owned()] } else { Vec::new() }
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{clock, moves, played, request_for};
    use super::*;

    fn greeted(dialect: Dialect, options: &str, spec: &str) -> Uci {
        let mut uci = Uci::new(dialect, &EngineSpec::parse(spec).unwrap());
        assert_eq!(uci.handshake().lines, [dialect.hello]);
        assert_eq!(uci.read_line("id name Fish 1"), Received::Nothing);
        for line in options.lines() {
            assert_eq!(uci.read_line(line), Received::Nothing);
        }
        assert_eq!(uci.read_line(dialect.welcome), Received::Ready);
        uci
    }

    fn setup(variant: &str) -> GameSetup {
        GameSetup { variant: variant.to_owned(), ..GameSetup::default() }
    }

    #[test]
    fn a_game_of_uci() {
        let mut uci = greeted(
            UCI,
            "option name Skill Level type spin default 20",
            "fish,option.skill level=3",
        );
        let begun = uci.begin(&setup("x")).unwrap();
        assert_eq!(begun.lines, ["setoption name skill level value 3", "ucinewgame", "isready"]);
        assert_eq!(uci.read_line("readyok"), Received::Ready);
        let moves = moves("e2e4 e7e5");
        let request = MoveRequest {
            clocks: Some([clock(5000, 100), clock(4000, 100)]),
            ..request_for(&moves)
        };
        let lines = uci.request_move(&request).unwrap();
        assert_eq!(lines[0], "position startpos moves e2e4 e7e5");
        assert_eq!(lines[1], "go wtime 5000 btime 4000 winc 100 binc 100");
        uci.read_line("info depth 3 score cp 12 nodes 44 pv g1f3");
        let answer = uci.read_line("bestmove g1f3 ponder b8c6");
        assert_eq!(played(&answer), Some("g1f3"));
        assert_eq!(uci.read_line("bestmove g1f3"), Received::Nothing, "no move was requested");
        let request = MoveRequest { nodes: Some(100), depth: Some(4), ..request_for(&moves) };
        assert_eq!(uci.request_move(&request).unwrap()[1], "go nodes 100 depth 4");
        assert!(uci.request_move(&request_for(&moves)).is_err());
        assert_eq!(uci.name(), Some("Fish 1"));
    }

    #[test]
    fn variants_are_set_where_they_are_known() {
        let options = "option name UCI_Variant type combo default chess var chess var big";
        let mut uci = greeted(UCI, options, "fish");
        assert_eq!(
            uci.begin(&setup("big")).unwrap().lines[0],
            "setoption name UCI_Variant value big"
        );
        assert_eq!(uci.begin(&setup("small")).unwrap().lines[0], "ucinewgame");
        let mut uci = greeted(UCI, options, "fish,option.UCI_Variant=chess");
        let lines = uci.begin(&setup("big")).unwrap().lines;
        assert_eq!(lines[0], "setoption name UCI_Variant value chess");
        let mut uci = greeted(UCI, options, "fish,option.UCI_Varant=chess");
        assert!(uci.begin(&setup("big")).unwrap_err().contains("`UCI_Variant`"));
    }

    #[test]
    fn a_game_of_usi() {
        let mut usi = greeted(USI, "", "gps");
        let start = Some("9/9 b - 1".to_owned());
        let begun = usi.begin(&GameSetup { start, ..GameSetup::default() }).unwrap();
        assert_eq!(begun.lines, ["isready", "usinewgame"]);
        assert_eq!(usi.read_line("readyok"), Received::Ready);
        let moves = moves("7g7f");
        let request = MoveRequest { time: Some(Duration::from_secs(1)), ..request_for(&moves) };
        let lines = usi.request_move(&request).unwrap();
        assert_eq!(lines[0], "position sfen 9/9 b - 1 moves 7g7f");
        assert_eq!(lines[1], "go btime 0 wtime 0 byoyomi 1000");
        assert!(
            matches!(usi.read_line("bestmove resign"), Received::Answer(it) if it.action == EngineAction::Resign)
        );
        usi.request_move(&request).unwrap();
        assert!(matches!(usi.read_line("bestmove win"), Received::Claimed(_)));
    }

    #[test]
    fn players_of_ugi_are_numbered() {
        let mut ugi = greeted(UGI, "", "prog");
        let moves = moves("");
        let request =
            MoveRequest { clocks: Some([clock(1, 0), clock(2, 0)]), ..request_for(&moves) };
        let lines = ugi.request_move(&request).unwrap();
        assert_eq!(lines, ["position startpos", "go p1time 1 p2time 2 p1inc 0 p2inc 0"]);
        ugi.read_line("bestmove");
        ugi.request_move(&request).unwrap();
        assert_eq!(played(&ugi.read_line("bestmove")), Some(""), "the referee refuses it");
    }
}
