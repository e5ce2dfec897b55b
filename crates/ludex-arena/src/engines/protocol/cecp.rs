//! CECP, the protocol of `XBoard` (T. Mann and H. G. Muller), version 2.
//!
//! The engine keeps the position. While it plays it answers every move by itself; in force mode it only
//! follows. Moves are sent in coordinates, and its moves are passed on as they are.

use std::time::Duration;

use ludex_search::timing::GameClock;

use super::super::spec::EngineSpec;
use super::info::Info;
use super::{
    Commands, EngineAction, EngineMove, GameSetup, MoveRequest, Protocol, Received, texts, unsent,
    whole_seconds,
};

/// The time for the `feature` lines, by the protocol.
const TIME_FOR_FEATURES: Duration = Duration::from_secs(2);

/// The protocol's name of chess.
const NORMAL: &str = "normal";

/// The features of the engine that matter here.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Features {
    user_move: bool,
    ping: bool,
    set_board: bool,
    time: bool,
    reuse: bool,
    variants: Vec<String>,
    /// Whether it sent `done=0`: it needs more time.
    unfinished: bool,
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
            unfinished: false,
        }
    }
}

/// The reply that is still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaits {
    Nothing,
    Features,
    Pong(u32),
    Move,
}

/// A session.
#[derive(Debug)]
pub(super) struct Cecp {
    settings: Vec<String>,
    features: Features,
    name: Option<String>,
    awaits: Awaits,
    /// The moves that the engine has.
    known: Vec<String>,
    /// Whether it plays, and not in force mode.
    plays: bool,
    limits_sent: bool,
    pings: u32,
    mover: usize,
    info: Info,
}

impl Cecp {
    /// A session before the handshake.
    pub(super) fn new(spec: &EngineSpec) -> Self {
        let option = |(name, value): &(String, String)| match value.as_str() {
            "" => format!("option {name}"),
            _ => format!("option {name}={value}"),
        };
        Self {
            settings: spec.options.iter().map(option).chain(spec.lines.iter().cloned()).collect(),
            features: Features::default(),
            name: None,
            awaits: Awaits::Nothing,
            known: Vec::new(),
            plays: false,
            limits_sent: false,
            pings: 0,
            mover: 0,
            info: Info::default(),
        }
    }

    /// `ping=1 myname="Fish 1" done=1`.
    fn read_features(&mut self, text: &str) -> Received {
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
                    self.features.unfinished = !yes;
                }
                // Coordinates are what every engine understands.
                "san" => accepted = !yes,
                _ => {}
            }
            let word = if accepted { "accepted" } else { "rejected" };
            replies.push(format!("{word} {key}"));
        }
        if done && self.awaits == Awaits::Features {
            self.awaits = Awaits::Nothing;
            return Received::Ready;
        }
        // After `done=1` nothing is sent: some engines read `accepted` as a move.
        if self.awaits == Awaits::Features { Received::Send(replies) } else { Received::Nothing }
    }

    fn variant(&self, setup: &GameSetup) -> Result<Option<String>, String> {
        let variant = setup.variant.as_str();
        if variant == NORMAL {
            return Ok(None);
        }
        // An engine without a list of variants plays chess only.
        if self.features.variants.iter().any(|it| it == variant) {
            return Ok(Some(format!("variant {variant}")));
        }
        let says = self.settings.iter().any(|it| it.starts_with("variant "));
        if says { Ok(None) } else { Err(format!("it does not know the variant `{variant}`")) }
    }

    fn move_line(&self, text: &str) -> String {
        if self.features.user_move { format!("usermove {text}") } else { text.to_owned() }
    }

    /// The limits of the whole game.
    fn limits(&self, request: &MoveRequest<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        match (request.clocks, request.time) {
            (Some(clocks), _) => {
                let GameClock { left, increment, moves_to_go } = clocks[request.mover];
                let left = whole_seconds(left);
                let (minutes, seconds) = (left / 60, left % 60);
                let moves = moves_to_go.unwrap_or(0);
                lines.push(format!("level {moves} {minutes}:{seconds:02} {}", increment.as_secs()));
            }
            (None, Some(time)) => lines.push(format!("st {}", whole_seconds(time))),
            (None, None) => {}
        }
        if let Some(depth) = request.depth {
            lines.push(format!("sd {depth}"));
        }
        lines
    }

    fn clocks(&self, request: &MoveRequest<'_>) -> Vec<String> {
        let Some(clocks) = request.clocks.filter(|_| self.features.time) else { return Vec::new() };
        let hundredths = |side: usize| clocks[side].left.as_millis() / 10;
        let (own, other) = (hundredths(request.mover), hundredths(1 - request.mover));
        vec![format!("time {own}"), format!("otim {other}")]
    }

    fn moved(&mut self, text: &str) -> Received {
        if self.awaits != Awaits::Move {
            return Received::Nothing;
        }
        self.awaits = Awaits::Nothing;
        let text = text.split_whitespace().next().unwrap_or_default().to_owned();
        self.known.push(text.clone());
        self.plays = true;
        Received::Answer(self.info.answer(EngineAction::Move(text)))
    }

    fn claimed(&mut self, line: &str) -> Received {
        if self.awaits != Awaits::Move {
            return Received::Nothing;
        }
        self.awaits = Awaits::Nothing;
        let lost = if self.mover == 0 { "0-1" } else { "1-0" };
        if line.starts_with(lost) || line.starts_with("resign") {
            return Received::Answer(self.info.answer(EngineAction::Resign));
        }
        Received::Claimed(line.to_owned())
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

/// The move in `move e2e4`, or in `My move is: e2e4` of old engines.
fn announced(line: &str) -> Option<&str> {
    let text = line.strip_prefix("move ").or_else(|| {
        let text = line.strip_prefix("My move is")?.trim_start();
        text.strip_prefix(':')
    })?;
    Some(text.trim())
}

impl Protocol for Cecp {
    fn handshake(&mut self) -> Commands {
        self.awaits = Awaits::Features;
        Commands::awaiting(vec!["xboard".to_owned(), "protover 2".to_owned()])
    }

    fn begin(&mut self, setup: &GameSetup) -> Result<Commands, String> {
        let mut lines = vec!["new".to_owned()];
        lines.extend(self.variant(setup)?);
        lines.extend(["force", "easy", "post"].map(str::to_owned));
        lines.extend(self.settings.iter().cloned());
        if let Some(start) = &setup.start {
            if !self.features.set_board {
                return Err("it cannot set up a position".to_owned());
            }
            lines.push(format!("setboard {start}"));
        }
        self.known.clear();
        (self.plays, self.limits_sent) = (false, false);
        if !self.features.ping {
            self.awaits = Awaits::Nothing;
            return Ok(Commands { lines, awaits_reply: false });
        }
        self.pings += 1;
        lines.push(format!("ping {}", self.pings));
        self.awaits = Awaits::Pong(self.pings);
        Ok(Commands::awaiting(lines))
    }

    fn request_move(&mut self, request: &MoveRequest<'_>) -> Result<Vec<String>, String> {
        let new = unsent(&self.known, request.moves);
        let new: &[EngineMove] = new.ok_or("moves were taken back")?;
        let mut lines = Vec::new();
        if !std::mem::replace(&mut self.limits_sent, true) {
            lines.extend(self.limits(request));
        }
        match new {
            [last] if self.plays => {
                lines.extend(self.clocks(request));
                lines.push(self.move_line(&last.text));
            }
            _ => {
                if self.plays {
                    lines.push("force".to_owned());
                }
                lines.extend(new.iter().map(|it| self.move_line(&it.text)));
                lines.extend(self.clocks(request));
                lines.push("go".to_owned());
            }
        }
        self.known = texts(request.moves);
        (self.awaits, self.mover) = (Awaits::Move, request.mover);
        self.info = Info::default();
        Ok(lines)
    }

    fn read_line(&mut self, line: &str) -> Received {
        let line = line.trim();
        if let Some(text) = line.strip_prefix("feature ") {
            return self.read_features(text);
        }
        if let Some(text) = announced(line) {
            return self.moved(text);
        }
        if let Some(number) = line.strip_prefix("pong ") {
            let number = number.trim().parse().ok();
            if number.is_some_and(|it| self.awaits == Awaits::Pong(it)) {
                self.awaits = Awaits::Nothing;
                return Received::Ready;
            }
        }
        let is_result = ["1-0", "0-1", "1/2-1/2", "resign"].iter().any(|it| line.starts_with(it));
        if is_result {
            return self.claimed(line);
        }
        // Some engines reply this to unknown commands as well.
        let is_known = |text: &str| self.known.iter().any(|it| it == text);
        let refused = line.strip_prefix("Illegal move").and_then(|it| it.split_whitespace().last());
        if self.awaits == Awaits::Move && refused.is_some_and(is_known) {
            return Received::Refused(line.to_owned());
        }
        if self.awaits == Awaits::Move {
            self.info.read_cecp(line);
        }
        Received::Nothing
    }

    fn silence_means_ready(&self) -> Option<Duration> {
        // Engines of version 1 reply nothing at all.
        let is_old = self.awaits == Awaits::Features && !self.features.unfinished;
        is_old.then_some(TIME_FOR_FEATURES)
    }

    fn end(&mut self) -> Vec<String> {
        (self.awaits, self.plays) = (Awaits::Nothing, false);
        vec!["force".to_owned()]
    }

    fn is_reusable(&self) -> bool {
        self.features.reuse
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

    fn greeted(features: &str) -> Cecp {
        let mut cecp = Cecp::new(&EngineSpec::parse("old,option.Contempt=5").unwrap());
        assert_eq!(cecp.handshake().lines, ["xboard", "protover 2"]);
        for line in features.lines() {
            cecp.read_line(line);
        }
        cecp
    }

    fn setup(variant: &str) -> GameSetup {
        GameSetup { variant: variant.to_owned(), ..GameSetup::default() }
    }

    #[test]
    fn features_are_read() {
        let mut cecp = greeted("");
        let received =
            cecp.read_line(r#"feature myname="Old One 2" ping=1 san=1 usermove=1 option="A = b""#);
        let Received::Send(lines) = received else { panic!("{received:?}") };
        assert_eq!(
            lines[..4],
            ["accepted myname", "accepted ping", "rejected san", "accepted usermove"]
        );
        assert!(cecp.silence_means_ready().is_some());
        cecp.read_line("feature done=0");
        assert!(cecp.silence_means_ready().is_none());
        assert_eq!(cecp.read_line("feature setboard=1 reuse=0 done=1"), Received::Ready);
        assert_eq!((cecp.name(), cecp.is_reusable()), (Some("Old One 2"), false));
    }

    #[test]
    fn a_game() {
        let mut cecp = greeted("feature ping=1 usermove=1 done=1");
        let lines = cecp.begin(&setup("normal")).unwrap().lines;
        assert_eq!(lines, ["new", "force", "easy", "post", "option Contempt=5", "ping 1"]);
        assert_eq!(cecp.read_line("pong 7"), Received::Nothing);
        assert_eq!(cecp.read_line("pong 1"), Received::Ready);
        let game = moves("e2e4 e7e5");
        let clocks = Some([clock(90_000, 1000), clock(80_000, 1000)]);
        let lines = cecp.request_move(&MoveRequest { clocks, ..request_for(&game) }).unwrap();
        let opening =
            ["level 0 1:30 1", "usermove e2e4", "usermove e7e5", "time 9000", "otim 8000", "go"];
        assert_eq!(lines, opening);
        cecp.read_line("5 30 10 1000 g1f3");
        let received = cecp.read_line("move g1f3");
        assert_eq!(played(&received), Some("g1f3"));
        assert_eq!(cecp.read_line("1/2-1/2 {later}"), Received::Nothing, "no move was requested");
        let game = moves("e2e4 e7e5 g1f3 b8c6");
        let lines = cecp.request_move(&MoveRequest { clocks, ..request_for(&game) }).unwrap();
        assert_eq!(lines, ["time 9000", "otim 8000", "usermove b8c6"]);
        assert!(
            matches!(cecp.read_line("0-1 {White resigns}"), Received::Answer(it) if it.action == EngineAction::Resign)
        );
    }

    #[test]
    fn claims_and_refusals() {
        let mut cecp = greeted("feature done=1");
        let say = cecp.begin(&setup("normal")).unwrap();
        assert!(!say.awaits_reply, "there is no reply without a ping");
        let game = moves("e2e4");
        let time = Some(Duration::from_millis(200));
        let lines = cecp.request_move(&MoveRequest { time, ..request_for(&game) }).unwrap();
        assert_eq!(lines, ["st 1", "e2e4", "go"]);
        assert!(matches!(cecp.read_line("0-1 {Black mates}"), Received::Claimed(_)));
        cecp.request_move(&MoveRequest { time, ..request_for(&game) }).unwrap();
        assert_eq!(cecp.read_line("Illegal move: sd 2"), Received::Nothing, "that is no move");
        assert!(matches!(cecp.read_line("Illegal move: e2e4"), Received::Refused(_)));
        assert_eq!(played(&cecp.read_line("My move is : d7d5")), Some("d7d5"));
        assert!(cecp.begin(&setup("giant")).is_err());
        let start = Some("8/8 w".to_owned());
        assert!(cecp.begin(&GameSetup { start, ..setup("normal") }).is_err());
    }
}
