//! The protocols of external engines: state machines that read and write lines, without a process.
//!
//! A session begins with a handshake; then come games with requests for moves. The protocol reads every
//! line of the engine's output and ignores those that it does not know.

mod cecp;
mod gomocup;
mod gtp;
mod info;
mod uci;

use std::time::Duration;

use ludex_search::timing::GameClock;

use super::spec::{EngineSpec, ProtocolKind};

/// The game to play, in the terms of protocols.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GameSetup {
    /// Its name among the variants of the protocol.
    pub variant: String,
    /// The columns and rows of the board.
    pub size: (usize, usize),
    /// The position it begins with, in the notation of the protocol; `None` for the usual one.
    pub start: Option<String>,
    /// The compensation of the second player, in games that have one.
    pub komi: Option<f64>,
    /// The names of the two players in the rules, first player first.
    pub players: [String; 2],
}

/// A move in the notation of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// The player that made it: 0 or 1.
    pub player: usize,
    /// Its notation.
    pub text: String,
}

/// A request for a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveRequest<'a> {
    /// All moves since the position that the game began with.
    pub moves: &'a [EngineMove],
    /// The player to move: 0 or 1.
    pub mover: usize,
    /// The clocks, first player's first.
    pub clocks: Option<[GameClock; 2]>,
    /// The time limit of this move, without clocks.
    pub time: Option<Duration>,
    /// The node budget.
    pub nodes: Option<u64>,
    /// The greatest search depth, in plies.
    pub depth: Option<u32>,
}

/// The reply to a request for a move.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineReply {
    /// The move, or a resignation.
    pub action: EngineAction,
    /// The score of the position, from the engine's view.
    pub score: Option<EngineScore>,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

/// The action of an engine at its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineAction {
    /// A move in the notation of its protocol.
    Move(String),
    /// It resigns.
    Resign,
}

/// The score that an engine reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EngineScore {
    /// Centipawns.
    Centipawns(f64),
    /// Mate in this many moves; negative if the engine is mated.
    Mate(i32),
}

/// Commands for the engine.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Commands {
    /// The lines.
    pub lines: Vec<String>,
    /// Whether the engine replies to them before the next command.
    pub awaits_reply: bool,
}

impl Commands {
    /// Lines with a reply.
    fn awaiting(lines: Vec<String>) -> Self {
        Self { lines, awaits_reply: true }
    }
}

/// The meaning of a line of output.
#[derive(Clone, Debug, PartialEq)]
pub enum Received {
    /// Nothing that matters here.
    Nothing,
    /// These lines are to be sent next.
    Send(Vec<String>),
    /// The engine is ready.
    Ready,
    /// The reply to the request.
    Answer(EngineReply),
    /// The engine refuses, in its own words.
    Refused(String),
    /// The engine claims a result, in its own words.
    Claimed(String),
}

/// One session with an engine.
pub trait Protocol: Send {
    /// The first commands.
    fn handshake(&mut self) -> Commands;

    /// Begins a game. An error says why the protocol cannot express it.
    fn begin(&mut self, setup: &GameSetup) -> Result<Commands, String>;

    /// Requests a move. An error says why the protocol cannot express the request.
    fn request_move(&mut self, request: &MoveRequest<'_>) -> Result<Vec<String>, String>;

    /// Reads a line of output.
    fn read_line(&mut self, line: &str) -> Received;

    /// The time after which silence in the handshake means that the engine is ready.
    fn silence_means_ready(&self) -> Option<Duration> {
        None
    }

    /// The commands at the end of a game.
    fn end(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The commands that end the engine.
    fn quit(&self) -> Vec<String> {
        vec!["quit".to_owned()]
    }

    /// Whether the engine can play another game without a restart.
    fn is_reusable(&self) -> bool {
        true
    }

    /// The resolution of times for a move.
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    /// The name that the engine reports.
    fn name(&self) -> Option<&str>;
}

/// A session of this protocol.
pub fn protocol(kind: ProtocolKind, spec: &EngineSpec) -> Box<dyn Protocol> {
    match kind {
        ProtocolKind::Ugi => Box::new(uci::Uci::new(uci::UGI, spec)),
        ProtocolKind::Uci => Box::new(uci::Uci::new(uci::UCI, spec)),
        ProtocolKind::Usi => Box::new(uci::Uci::new(uci::USI, spec)),
        ProtocolKind::Cecp => Box::new(cecp::Cecp::new(spec)),
        ProtocolKind::Gtp => Box::new(gtp::Gtp::new(spec)),
        ProtocolKind::Gomocup => Box::new(gomocup::Gomocup::new(spec)),
    }
}

/// The notations of moves.
fn texts(moves: &[EngineMove]) -> Vec<String> {
    moves.iter().map(|it| it.text.clone()).collect()
}

/// Whole seconds, rounded up to at least one.
fn whole_seconds(time: Duration) -> u64 {
    (time.as_millis() as u64).div_ceil(1000).max(1)
}

/// The moves that the engine does not have yet; `None` if it has others.
fn unsent<'a>(known: &[String], moves: &'a [EngineMove]) -> Option<&'a [EngineMove]> {
    let same = moves.iter().zip(known).all(|(mv, known)| mv.text == *known);
    (same && known.len() <= moves.len()).then(|| &moves[known.len()..])
}

#[cfg(test)]
mod testing {
    use super::*;

    /// The moves of a game of alternate turns.
    pub(super) fn moves(text: &str) -> Vec<EngineMove> {
        let texts = text.split_whitespace().map(str::to_owned);
        texts.enumerate().map(|(number, text)| EngineMove { player: number % 2, text }).collect()
    }

    pub(super) fn request_for(moves: &[EngineMove]) -> MoveRequest<'_> {
        MoveRequest { moves, mover: moves.len() % 2, ..MoveRequest::default() }
    }

    pub(super) fn clock(left: u64, increment: u64) -> GameClock {
        GameClock::new(Duration::from_millis(left), Duration::from_millis(increment))
    }

    /// The move of a reply.
    pub(super) fn played(received: &Received) -> Option<&str> {
        match received {
            Received::Answer(EngineReply { action: EngineAction::Move(text), .. }) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::testing::{clock, moves, request_for};
    use super::*;

    const PROTOCOLS: [ProtocolKind; 6] = [
        ProtocolKind::Ugi,
        ProtocolKind::Uci,
        ProtocolKind::Usi,
        ProtocolKind::Cecp,
        ProtocolKind::Gtp,
        ProtocolKind::Gomocup,
    ];

    /// Words of the protocols, and others.
    fn line() -> impl Strategy<Value = String> {
        let words = "uciok|ugiok|usiok|readyok|option|name|type|info|depth|score|cp|mate|nodes|multipv|bestmove|\
                     resign|win|feature|done=1|done=0|ping=1|myname=\"|san=1|pong 1|move|My move is|:|Illegal move|\
                     1-0|0-1|1/2-1/2|=|\\?|=7|OK|ERROR|MESSAGE|7,7|e2e4|-1|99999999999999999999|é|\"|";
        let word = prop::sample::select(words.split('|').collect::<Vec<_>>());
        prop::collection::vec(word, 0..6).prop_map(|it| it.join(" "))
    }

    proptest! {
        #[test]
        fn no_line_makes_a_protocol_panic(lines in prop::collection::vec(line(), 0..40), noise in any::<String>()) {
            let game = moves("e2e4 e7e5 g1f3");
            let setup = GameSetup { size: (9, 9), variant: "normal".to_owned(), ..GameSetup::default() };
            for kind in PROTOCOLS {
                let mut protocol = protocol(kind, &EngineSpec::new("prog"));
                protocol.handshake();
                for (number, line) in lines.iter().chain([&noise]).enumerate() {
                    match number % 10 {
                        3 => drop(protocol.begin(&setup)),
                        5 => {
                            let clocks = Some([clock(900, 1), clock(0, 0)]);
                            drop(protocol.request_move(&MoveRequest { clocks, ..request_for(&game[..number % 4]) }));
                        }
                        9 => drop(protocol.end()),
                        _ => {}
                    }
                    let received = protocol.read_line(line);
                    // Every command is a single line.
                    if let Received::Send(lines) = received {
                        prop_assert!(lines.iter().all(|it| !it.contains('\n')));
                    }
                }
                drop(protocol.quit());
            }
        }
    }
}
