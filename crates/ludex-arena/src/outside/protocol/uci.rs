//! UCI, and its relatives UGI and USI, which differ in a few words.
//!
//! UCI is by S. Meyer-Kahlen (2000), USI by T. Romstad for shogi (2007), and UGI is UCI for any game. The
//! whole game is told with every question, so that there is little to remember.

use std::time::Duration;

use ludex_search::timing::GameClock;

use super::super::spec::Spec;
use super::info::Info;
use super::{Asked, Heard, Protocol, Say, Setting, Verdict, texts};

/// The words of one of the three.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    hello: &'static str,
    welcome: &'static str,
    new_game: &'static str,
    position: &'static str,
    /// What the clocks and the increments of the two players are called.
    clocks: [&'static str; 2],
    increments: [&'static str; 2],
    /// Whether the time for a move is told as time that is counted off after the clock has run out.
    byoyomi: bool,
}

/// Chess programs, and those for many of its relatives.
pub(super) const UCI: Dialect = Dialect {
    hello: "uci",
    welcome: "uciok",
    new_game: "ucinewgame",
    position: "fen",
    clocks: ["wtime", "btime"],
    increments: ["winc", "binc"],
    byoyomi: false,
};

/// Programs for any game.
pub(super) const UGI: Dialect = Dialect {
    hello: "ugi",
    welcome: "ugiok",
    new_game: "uginewgame",
    clocks: ["p1time", "p2time"],
    increments: ["p1inc", "p2inc"],
    ..UCI
};

/// Shogi programs. Black begins.
pub(super) const USI: Dialect = Dialect {
    hello: "usi",
    welcome: "usiok",
    new_game: "usinewgame",
    position: "sfen",
    clocks: ["btime", "wtime"],
    increments: ["binc", "winc"],
    byoyomi: true,
};

/// What programs for many games may call the option that is the game.
const VARIANT: [&str; 2] = ["UCI_Variant", "USI_Variant"];

/// What the program has still to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaits {
    Nothing,
    Welcome,
    Readiness,
    Move,
}

/// A conversation.
#[derive(Debug)]
pub(super) struct Uci {
    dialect: Dialect,
    settings: Vec<(String, String)>,
    lines: Vec<String>,
    /// The options that the program has: name and declaration.
    options: Vec<(String, String)>,
    name: Option<String>,
    start: Option<String>,
    awaits: Awaits,
    info: Info,
}

impl Uci {
    /// A conversation that has not begun.
    pub(super) fn new(dialect: Dialect, spec: &Spec) -> Self {
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
        // Nobody has so many options.
        if self.options.len() < 1000 {
            self.options.push((name.trim().to_owned(), declaration.to_owned()));
        }
    }

    /// The lines that set what was asked for; an option that the program does not have is an error.
    fn set_options(&self, setting: &Setting) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let is_variant = |it: &str| VARIANT.iter().any(|name| name.eq_ignore_ascii_case(it));
        let says_variant = self.settings.iter().any(|(it, _)| is_variant(it));
        let offered = VARIANT.iter().find_map(|it| self.option(it));
        if let Some((name, declaration)) = offered.filter(|_| !says_variant) {
            let mut words = declaration.split_whitespace();
            let variant = setting.variant.as_str();
            if words.any(|it| it == variant) {
                lines.push(format!("setoption name {name} value {variant}"));
            }
        }
        for (name, value) in &self.settings {
            // A program that lists no options at all may have some still.
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

    fn position(&self, asked: &Asked<'_>) -> String {
        let mut line = match &self.start {
            None => "position startpos".to_owned(),
            Some(text) => format!("position {} {text}", self.dialect.position),
        };
        if !asked.moves.is_empty() {
            line.push_str(" moves ");
            line.push_str(&texts(asked.moves).join(" "));
        }
        line
    }

    fn go(&self, asked: &Asked<'_>) -> String {
        let Dialect { clocks, increments, byoyomi, .. } = self.dialect;
        let mut line = "go".to_owned();
        let mut add = |name: &str, number: u128| line.push_str(&format!(" {name} {number}"));
        if let Some(left) = asked.clocks {
            for (side, GameClock { left, .. }) in left.iter().enumerate() {
                add(clocks[side], left.as_millis());
            }
            let has_increment = left.iter().any(|it| !it.increment.is_zero());
            for (side, GameClock { increment, .. }) in left.iter().enumerate() {
                // USI programs of old know no increments: they are told only where there are any.
                if has_increment || !byoyomi {
                    add(increments[side], increment.as_millis());
                }
            }
            if let Some(moves) = left[asked.mover].moves_to_go {
                add("movestogo", moves.into());
            }
        } else if let Some(time) = asked.time {
            if byoyomi {
                add("btime", 0);
                add("wtime", 0);
            }
            let name = if byoyomi { "byoyomi" } else { "movetime" };
            add(name, time.max(Duration::from_millis(1)).as_millis());
        }
        if let Some(nodes) = asked.nodes {
            add("nodes", nodes.into());
        }
        if let Some(depth) = asked.depth {
            add("depth", depth.into());
        }
        if line == "go" { "go infinite".to_owned() } else { line }
    }

    fn best_move(&mut self, rest: &str) -> Heard {
        if self.awaits != Awaits::Move {
            return Heard::Nothing;
        }
        self.awaits = Awaits::Nothing;
        let word = rest.split_whitespace().next().unwrap_or_default();
        match word {
            "win" => Heard::Claimed("bestmove win".to_owned()),
            "resign" => Heard::Answer(self.info.answer(Verdict::Resigns)),
            _ => Heard::Answer(self.info.answer(Verdict::Plays(word.to_owned()))),
        }
    }
}

impl Protocol for Uci {
    fn hello(&mut self) -> Say {
        self.awaits = Awaits::Welcome;
        Say::and_wait(vec![self.dialect.hello.to_owned()])
    }

    fn begin(&mut self, setting: &Setting) -> Result<Say, String> {
        let mut lines = self.set_options(setting)?;
        lines.extend(self.lines.iter().cloned());
        // USI programs load their knowledge when they are asked whether they are ready.
        let (ready, new) = ("isready".to_owned(), self.dialect.new_game.to_owned());
        lines.extend(if self.dialect.byoyomi { [ready, new] } else { [new, ready] });
        self.start.clone_from(&setting.start);
        self.awaits = Awaits::Readiness;
        Ok(Say::and_wait(lines))
    }

    fn ask(&mut self, asked: &Asked<'_>) -> Result<Vec<String>, String> {
        let limited = asked.clocks.is_some()
            || asked.time.is_some()
            || asked.nodes.is_some()
            || asked.depth.is_some();
        if !limited {
            return Err(
                "nobody says how long it may think; give a time, nodes or a depth".to_owned()
            );
        }
        self.awaits = Awaits::Move;
        self.info = Info::default();
        Ok(vec![self.position(asked), self.go(asked)])
    }

    fn hear(&mut self, line: &str) -> Heard {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "id" => {
                if let Some(name) = rest.trim_start().strip_prefix("name ") {
                    self.name = Some(name.trim().to_owned());
                }
            }
            "option" if self.awaits == Awaits::Welcome => self.offered(rest),
            "info" if self.awaits == Awaits::Move => self.info.hear_uci(line),
            "bestmove" => return self.best_move(rest),
            "readyok" if self.awaits == Awaits::Readiness => {
                self.awaits = Awaits::Nothing;
                return Heard::Ready;
            }
            _ if word == self.dialect.welcome && self.awaits == Awaits::Welcome => {
                self.awaits = Awaits::Nothing;
                return Heard::Ready;
            }
            _ => {}
        }
        Heard::Nothing
    }

    fn end(&mut self) -> Vec<String> {
        // Only USI has words for it; whoever wins knows it already.
        if self.dialect.byoyomi { vec!["gameover draw".to_owned()] } else { Vec::new() }
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{asked, clock, moves, played};
    use super::*;

    fn greeted(dialect: Dialect, options: &str, spec: &str) -> Uci {
        let mut uci = Uci::new(dialect, &Spec::parse(spec).unwrap());
        assert_eq!(uci.hello().lines, [dialect.hello]);
        assert_eq!(uci.hear("id name Fish 1"), Heard::Nothing);
        for line in options.lines() {
            assert_eq!(uci.hear(line), Heard::Nothing);
        }
        assert_eq!(uci.hear(dialect.welcome), Heard::Ready);
        uci
    }

    fn setting(variant: &str) -> Setting {
        Setting { variant: variant.to_owned(), ..Setting::default() }
    }

    #[test]
    fn a_game_of_uci() {
        let mut uci = greeted(
            UCI,
            "option name Skill Level type spin default 20",
            "fish,option.skill level=3",
        );
        let begun = uci.begin(&setting("x")).unwrap();
        assert_eq!(begun.lines, ["setoption name skill level value 3", "ucinewgame", "isready"]);
        assert_eq!(uci.hear("readyok"), Heard::Ready);
        let moves = moves("e2e4 e7e5");
        let question =
            Asked { clocks: Some([clock(5000, 100), clock(4000, 100)]), ..asked(&moves) };
        let lines = uci.ask(&question).unwrap();
        assert_eq!(lines[0], "position startpos moves e2e4 e7e5");
        assert_eq!(lines[1], "go wtime 5000 btime 4000 winc 100 binc 100");
        uci.hear("info depth 3 score cp 12 nodes 44 pv g1f3");
        let answer = uci.hear("bestmove g1f3 ponder b8c6");
        assert_eq!(played(&answer), Some("g1f3"));
        assert_eq!(uci.hear("bestmove g1f3"), Heard::Nothing, "nobody has asked");
        let question = Asked { nodes: Some(100), depth: Some(4), ..asked(&moves) };
        assert_eq!(uci.ask(&question).unwrap()[1], "go nodes 100 depth 4");
        assert!(uci.ask(&asked(&moves)).is_err());
        assert_eq!(uci.name(), Some("Fish 1"));
    }

    #[test]
    fn variants_are_set_where_they_are_known() {
        let options = "option name UCI_Variant type combo default chess var chess var big";
        let mut uci = greeted(UCI, options, "fish");
        assert_eq!(
            uci.begin(&setting("big")).unwrap().lines[0],
            "setoption name UCI_Variant value big"
        );
        assert_eq!(uci.begin(&setting("small")).unwrap().lines[0], "ucinewgame");
        let mut uci = greeted(UCI, options, "fish,option.UCI_Variant=chess");
        let lines = uci.begin(&setting("big")).unwrap().lines;
        assert_eq!(lines[0], "setoption name UCI_Variant value chess");
        let mut uci = greeted(UCI, options, "fish,option.UCI_Varant=chess");
        assert!(uci.begin(&setting("big")).unwrap_err().contains("`UCI_Variant`"));
    }

    #[test]
    fn a_game_of_usi() {
        let mut usi = greeted(USI, "", "gps");
        let start = Some("9/9 b - 1".to_owned());
        let begun = usi.begin(&Setting { start, ..Setting::default() }).unwrap();
        assert_eq!(begun.lines, ["isready", "usinewgame"]);
        assert_eq!(usi.hear("readyok"), Heard::Ready);
        let moves = moves("7g7f");
        let question = Asked { time: Some(Duration::from_secs(1)), ..asked(&moves) };
        let lines = usi.ask(&question).unwrap();
        assert_eq!(lines[0], "position sfen 9/9 b - 1 moves 7g7f");
        assert_eq!(lines[1], "go btime 0 wtime 0 byoyomi 1000");
        assert!(
            matches!(usi.hear("bestmove resign"), Heard::Answer(it) if it.verdict == Verdict::Resigns)
        );
        usi.ask(&question).unwrap();
        assert!(matches!(usi.hear("bestmove win"), Heard::Claimed(_)));
    }

    #[test]
    fn players_of_ugi_are_numbered() {
        let mut ugi = greeted(UGI, "", "prog");
        let moves = moves("");
        let question = Asked { clocks: Some([clock(1, 0), clock(2, 0)]), ..asked(&moves) };
        let lines = ugi.ask(&question).unwrap();
        assert_eq!(lines, ["position startpos", "go p1time 1 p2time 2 p1inc 0 p2inc 0"]);
        ugi.hear("bestmove");
        ugi.ask(&question).unwrap();
        assert_eq!(played(&ugi.hear("bestmove")), Some(""), "whoever reads it will refuse it");
    }
}
