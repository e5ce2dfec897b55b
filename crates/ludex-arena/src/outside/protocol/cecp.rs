//! CECP, the protocol of `XBoard` (T. Mann and H. G. Muller), version 2.
//!
//! The program keeps the position and answers every move by itself while it plays; in force mode it
//! only follows. Moves are sent in coordinates, and whatever comes back is passed on.

use std::time::Duration;

use ludex_search::timing::GameClock;

use super::super::spec::Spec;
use super::info::Info;
use super::{Asked, Heard, Played, Protocol, Say, Setting, Verdict, texts, untold, whole_seconds};

/// How long a program may take to say what it can; the protocol says two seconds.
const TIME_FOR_FEATURES: Duration = Duration::from_secs(2);

/// What the protocol calls its usual game.
const NORMAL: &str = "normal";

/// What the program can do, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Features {
    user_move: bool,
    ping: bool,
    set_board: bool,
    time: bool,
    reuse: bool,
    variants: Vec<String>,
    /// Whether it has asked to be waited for.
    wait: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            user_move: false,
            ping: false,
            set_board: false,
            time: true,
            reuse: true,
            variants: Vec::new(),
            wait: false,
        }
    }
}

/// What the program has still to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaits {
    Nothing,
    Features,
    Pong(u32),
    Move,
}

/// A conversation.
#[derive(Debug)]
pub(super) struct Cecp {
    settings: Vec<String>,
    features: Features,
    name: Option<String>,
    awaits: Awaits,
    /// The moves that the program knows.
    told: Vec<String>,
    /// Whether it answers moves by itself.
    plays: bool,
    settled: bool,
    pings: u32,
    mover: usize,
    info: Info,
}

impl Cecp {
    /// A conversation that has not begun.
    pub(super) fn new(spec: &Spec) -> Self {
        let option = |(name, value): &(String, String)| match value.as_str() {
            "" => format!("option {name}"),
            _ => format!("option {name}={value}"),
        };
        Self {
            settings: spec.options.iter().map(option).chain(spec.lines.iter().cloned()).collect(),
            features: Features::default(),
            name: None,
            awaits: Awaits::Nothing,
            told: Vec::new(),
            plays: false,
            settled: false,
            pings: 0,
            mover: 0,
            info: Info::default(),
        }
    }

    /// `ping=1 myname="Fish 1" done=1`.
    fn hear_features(&mut self, text: &str) -> Heard {
        let mut replies = Vec::new();
        let mut done = false;
        for (key, value) in pairs(text) {
            let yes = value == "1";
            let mut accepted = true;
            match key {
                "usermove" => self.features.user_move = yes,
                "ping" => self.features.ping = yes,
                "setboard" => self.features.set_board = yes,
                "time" => self.features.time = yes,
                "reuse" => self.features.reuse = yes,
                "myname" => self.name = Some(value.to_owned()),
                "variants" => {
                    self.features.variants =
                        value.split(',').take(1000).map(|it| it.trim().to_owned()).collect();
                }
                "done" => {
                    done = yes;
                    self.features.wait = !yes;
                }
                // Coordinates are what everybody understands.
                "san" => accepted = !yes,
                _ => {}
            }
            let word = if accepted { "accepted" } else { "rejected" };
            replies.push(format!("{word} {key}"));
        }
        if done && self.awaits == Awaits::Features {
            self.awaits = Awaits::Nothing;
            return Heard::Ready;
        }
        // Who has said all is told nothing more: some take the answers for moves.
        if self.awaits == Awaits::Features { Heard::Say(replies) } else { Heard::Nothing }
    }

    fn variant(&self, setting: &Setting) -> Result<Option<String>, String> {
        let variant = setting.variant.as_str();
        if variant == NORMAL {
            return Ok(None);
        }
        // A program that names no variants plays the usual game only.
        if self.features.variants.iter().any(|it| it == variant) {
            return Ok(Some(format!("variant {variant}")));
        }
        let says = self.settings.iter().any(|it| it.starts_with("variant "));
        if says { Ok(None) } else { Err(format!("it does not know the variant `{variant}`")) }
    }

    fn move_line(&self, text: &str) -> String {
        if self.features.user_move { format!("usermove {text}") } else { text.to_owned() }
    }

    /// The limits that hold for the whole game.
    fn limits(&self, asked: &Asked<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        match (asked.clocks, asked.time) {
            (Some(clocks), _) => {
                let GameClock { left, increment, moves_to_go } = clocks[asked.mover];
                let left = whole_seconds(left);
                let (minutes, seconds) = (left / 60, left % 60);
                let moves = moves_to_go.unwrap_or(0);
                lines.push(format!("level {moves} {minutes}:{seconds:02} {}", increment.as_secs()));
            }
            (None, Some(time)) => lines.push(format!("st {}", whole_seconds(time))),
            (None, None) => {}
        }
        if let Some(depth) = asked.depth {
            lines.push(format!("sd {depth}"));
        }
        lines
    }

    fn clocks(&self, asked: &Asked<'_>) -> Vec<String> {
        let Some(clocks) = asked.clocks.filter(|_| self.features.time) else { return Vec::new() };
        let hundredths = |side: usize| clocks[side].left.as_millis() / 10;
        let (own, other) = (hundredths(asked.mover), hundredths(1 - asked.mover));
        vec![format!("time {own}"), format!("otim {other}")]
    }

    fn moved(&mut self, text: &str) -> Heard {
        if self.awaits != Awaits::Move {
            return Heard::Nothing;
        }
        self.awaits = Awaits::Nothing;
        let text = text.split_whitespace().next().unwrap_or_default().to_owned();
        self.told.push(text.clone());
        self.plays = true;
        Heard::Answer(self.info.answer(Verdict::Plays(text)))
    }

    fn claimed(&mut self, line: &str) -> Heard {
        if self.awaits != Awaits::Move {
            return Heard::Nothing;
        }
        self.awaits = Awaits::Nothing;
        let lost = if self.mover == 0 { "0-1" } else { "1-0" };
        if line.starts_with(lost) || line.starts_with("resign") {
            return Heard::Answer(self.info.answer(Verdict::Resigns));
        }
        Heard::Claimed(line.to_owned())
    }
}

/// `key=value` and `key="a value"`.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim();
    while let Some((key, after)) = rest.split_once('=') {
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.push((key.trim(), value));
        rest = after.trim_start();
    }
    pairs
}

/// The move in a line that announces one: `move e2e4`, and as some of the old ones have it.
fn announced(line: &str) -> Option<&str> {
    let text = line.strip_prefix("move ").or_else(|| {
        let text = line.strip_prefix("My move is")?.trim_start();
        text.strip_prefix(':')
    })?;
    Some(text.trim())
}

impl Protocol for Cecp {
    fn hello(&mut self) -> Say {
        self.awaits = Awaits::Features;
        Say::and_wait(vec!["xboard".to_owned(), "protover 2".to_owned()])
    }

    fn begin(&mut self, setting: &Setting) -> Result<Say, String> {
        let mut lines = vec!["new".to_owned()];
        lines.extend(self.variant(setting)?);
        lines.extend(["force", "easy", "post"].map(str::to_owned));
        lines.extend(self.settings.iter().cloned());
        if let Some(start) = &setting.start {
            if !self.features.set_board {
                return Err("it cannot set up a position".to_owned());
            }
            lines.push(format!("setboard {start}"));
        }
        self.told.clear();
        (self.plays, self.settled) = (false, false);
        if !self.features.ping {
            self.awaits = Awaits::Nothing;
            return Ok(Say { lines, waits: false });
        }
        self.pings += 1;
        lines.push(format!("ping {}", self.pings));
        self.awaits = Awaits::Pong(self.pings);
        Ok(Say::and_wait(lines))
    }

    fn ask(&mut self, asked: &Asked<'_>) -> Result<Vec<String>, String> {
        let new = untold(&self.told, asked.moves);
        let new: &[Played] = new.ok_or("moves were taken back")?;
        let mut lines = Vec::new();
        if !std::mem::replace(&mut self.settled, true) {
            lines.extend(self.limits(asked));
        }
        match new {
            [last] if self.plays => {
                lines.extend(self.clocks(asked));
                lines.push(self.move_line(&last.text));
            }
            _ => {
                if self.plays {
                    lines.push("force".to_owned());
                }
                lines.extend(new.iter().map(|it| self.move_line(&it.text)));
                lines.extend(self.clocks(asked));
                lines.push("go".to_owned());
            }
        }
        self.told = texts(asked.moves);
        (self.awaits, self.mover) = (Awaits::Move, asked.mover);
        self.info = Info::default();
        Ok(lines)
    }

    fn hear(&mut self, line: &str) -> Heard {
        let line = line.trim();
        if let Some(text) = line.strip_prefix("feature ") {
            return self.hear_features(text);
        }
        if let Some(text) = announced(line) {
            return self.moved(text);
        }
        if let Some(number) = line.strip_prefix("pong ") {
            let number = number.trim().parse().ok();
            if number.is_some_and(|it| self.awaits == Awaits::Pong(it)) {
                self.awaits = Awaits::Nothing;
                return Heard::Ready;
            }
        }
        let is_result = ["1-0", "0-1", "1/2-1/2", "resign"].iter().any(|it| line.starts_with(it));
        if is_result {
            return self.claimed(line);
        }
        // Some say this of commands that they do not know.
        let is_told = |text: &str| self.told.iter().any(|it| it == text);
        let refused = line.strip_prefix("Illegal move").and_then(|it| it.split_whitespace().last());
        if self.awaits == Awaits::Move && refused.is_some_and(is_told) {
            return Heard::Refused(line.to_owned());
        }
        if self.awaits == Awaits::Move {
            self.info.hear_cecp(line);
        }
        Heard::Nothing
    }

    fn silence_means_ready(&self) -> Option<Duration> {
        // Programs of the first version say nothing at all.
        let is_old = self.awaits == Awaits::Features && !self.features.wait;
        is_old.then_some(TIME_FOR_FEATURES)
    }

    fn end(&mut self) -> Vec<String> {
        (self.awaits, self.plays) = (Awaits::Nothing, false);
        vec!["force".to_owned()]
    }

    fn is_reusable(&self) -> bool {
        self.features.reuse
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

    fn greeted(features: &str) -> Cecp {
        let mut cecp = Cecp::new(&Spec::parse("old,option.Contempt=5").unwrap());
        assert_eq!(cecp.hello().lines, ["xboard", "protover 2"]);
        for line in features.lines() {
            cecp.hear(line);
        }
        cecp
    }

    fn setting(variant: &str) -> Setting {
        Setting { variant: variant.to_owned(), ..Setting::default() }
    }

    #[test]
    fn features_are_read() {
        let mut cecp = greeted("");
        let heard =
            cecp.hear(r#"feature myname="Old One 2" ping=1 san=1 usermove=1 option="A = b""#);
        let Heard::Say(lines) = heard else { panic!("{heard:?}") };
        assert_eq!(
            lines[..4],
            ["accepted myname", "accepted ping", "rejected san", "accepted usermove"]
        );
        assert!(cecp.silence_means_ready().is_some());
        cecp.hear("feature done=0");
        assert!(cecp.silence_means_ready().is_none());
        assert_eq!(cecp.hear("feature setboard=1 reuse=0 done=1"), Heard::Ready);
        assert_eq!((cecp.name(), cecp.is_reusable()), (Some("Old One 2"), false));
    }

    #[test]
    fn a_game() {
        let mut cecp = greeted("feature ping=1 usermove=1 done=1");
        let lines = cecp.begin(&setting("normal")).unwrap().lines;
        assert_eq!(lines, ["new", "force", "easy", "post", "option Contempt=5", "ping 1"]);
        assert_eq!(cecp.hear("pong 7"), Heard::Nothing);
        assert_eq!(cecp.hear("pong 1"), Heard::Ready);
        let game = moves("e2e4 e7e5");
        let clocks = Some([clock(90_000, 1000), clock(80_000, 1000)]);
        let lines = cecp.ask(&Asked { clocks, ..asked(&game) }).unwrap();
        let opening =
            ["level 0 1:30 1", "usermove e2e4", "usermove e7e5", "time 9000", "otim 8000", "go"];
        assert_eq!(lines, opening);
        cecp.hear("5 30 10 1000 g1f3");
        let heard = cecp.hear("move g1f3");
        assert_eq!(played(&heard), Some("g1f3"));
        assert_eq!(cecp.hear("1/2-1/2 {later}"), Heard::Nothing, "nobody has asked");
        let game = moves("e2e4 e7e5 g1f3 b8c6");
        let lines = cecp.ask(&Asked { clocks, ..asked(&game) }).unwrap();
        assert_eq!(lines, ["time 9000", "otim 8000", "usermove b8c6"]);
        assert!(
            matches!(cecp.hear("0-1 {White resigns}"), Heard::Answer(it) if it.verdict == Verdict::Resigns)
        );
    }

    #[test]
    fn claims_and_refusals() {
        let mut cecp = greeted("feature done=1");
        let say = cecp.begin(&setting("normal")).unwrap();
        assert!(!say.waits, "nobody answers without a ping");
        let game = moves("e2e4");
        let time = Some(Duration::from_millis(200));
        let lines = cecp.ask(&Asked { time, ..asked(&game) }).unwrap();
        assert_eq!(lines, ["st 1", "e2e4", "go"]);
        assert!(matches!(cecp.hear("0-1 {Black mates}"), Heard::Claimed(_)));
        cecp.ask(&Asked { time, ..asked(&game) }).unwrap();
        assert_eq!(cecp.hear("Illegal move: sd 2"), Heard::Nothing, "that is no move");
        assert!(matches!(cecp.hear("Illegal move: e2e4"), Heard::Refused(_)));
        assert_eq!(played(&cecp.hear("My move is : d7d5")), Some("d7d5"));
        assert!(cecp.begin(&setting("giant")).is_err());
        let start = Some("8/8 w".to_owned());
        assert!(cecp.begin(&Setting { start, ..setting("normal") }).is_err());
    }
}
