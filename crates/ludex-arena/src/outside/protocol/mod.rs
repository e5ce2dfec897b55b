//! What programs speak: machines that hear lines and say lines, with no process in sight.
//!
//! Each protocol is asked to say hello, to begin a game and to ask for a move; in between it hears
//! every line that the program says and makes of it what it can. What it does not understand it
//! ignores: programs like to talk.

mod cecp;
mod gomocup;
mod gtp;
mod info;
mod uci;

use std::time::Duration;

use ludex_search::timing::GameClock;

use super::spec::{Language, Spec};

/// What a game is, in the words that protocols have for it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Setting {
    /// What programs that know several games may call it.
    pub variant: String,
    /// How many columns and rows the board has.
    pub size: (usize, usize),
    /// The position it begins with, in the words of the protocol; `None` for the usual one.
    pub start: Option<String>,
    /// What the second player gets for moving second, where the game has that.
    pub komi: Option<f64>,
    /// What the two players are called, first player first.
    pub players: [String; 2],
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who made it: 0 or 1.
    pub player: usize,
    /// What the protocol calls it.
    pub text: String,
}

/// What a program is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// All moves since the position that the game began with.
    pub moves: &'a [Played],
    /// Whose turn it is: 0 or 1.
    pub mover: usize,
    /// What the clocks show, first player's first.
    pub clocks: Option<[GameClock; 2]>,
    /// The time for this move, where there is no clock.
    pub time: Option<Duration>,
    /// At most so many nodes.
    pub nodes: Option<u64>,
    /// At most so many plies.
    pub depth: Option<u32>,
}

/// What a program answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The move, or none.
    pub verdict: Verdict,
    /// What it thinks of the position, from its own view.
    pub score: Option<Score>,
    /// How many plies it looked ahead.
    pub depth: Option<u32>,
    /// How many nodes it visited.
    pub nodes: Option<u64>,
}

/// What a program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It plays this, in the words of its protocol.
    Plays(String),
    /// It gives up.
    Resigns,
}

/// What a program thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(f64),
    /// It wins in so many moves; it loses where that is negative.
    Mate(i32),
}

/// What to say, and whether the program has something to answer before it can go on.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Say {
    /// The lines.
    pub lines: Vec<String>,
    /// Whether to wait.
    pub waits: bool,
}

impl Say {
    /// Lines that will be answered.
    fn and_wait(lines: Vec<String>) -> Self {
        Self { lines, waits: true }
    }
}

/// What a line means.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// Nothing that matters.
    Nothing,
    /// These lines are to be said before anything else happens.
    Say(Vec<String>),
    /// The program is ready.
    Ready,
    /// The answer to the question.
    Answer(Reply),
    /// It cannot do what was asked, in its own words.
    Refused(String),
    /// It claims a result that nobody else has seen, in its own words.
    Claimed(String),
}

/// How a program is spoken to.
pub trait Protocol: Send {
    /// The first words.
    fn hello(&mut self) -> Say;

    /// A game begins. An error says why it cannot be played in this protocol.
    fn begin(&mut self, setting: &Setting) -> Result<Say, String>;

    /// It is the program's turn: what does it play? An error says why it cannot be asked.
    fn ask(&mut self, asked: &Asked<'_>) -> Result<Vec<String>, String>;

    /// A line was said.
    fn hear(&mut self, line: &str) -> Heard;

    /// How long to wait for something at hello, where silence means something, too.
    fn silence_means_ready(&self) -> Option<Duration> {
        None
    }

    /// The game is over.
    fn end(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The last words.
    fn bye(&self) -> Vec<String> {
        vec!["quit".to_owned()]
    }

    /// Whether the program can play another game without being started anew.
    fn is_reusable(&self) -> bool {
        true
    }

    /// The shortest time for a move that can be told.
    fn grain(&self) -> Duration {
        Duration::from_millis(1)
    }

    /// What the program calls itself.
    fn name(&self) -> Option<&str>;
}

/// The machine that speaks a language.
pub fn protocol(language: Language, spec: &Spec) -> Box<dyn Protocol> {
    match language {
        Language::Ugi => Box::new(uci::Uci::new(uci::UGI, spec)),
        Language::Uci => Box::new(uci::Uci::new(uci::UCI, spec)),
        Language::Usi => Box::new(uci::Uci::new(uci::USI, spec)),
        Language::Cecp => Box::new(cecp::Cecp::new(spec)),
        Language::Gtp => Box::new(gtp::Gtp::new(spec)),
        Language::Gomocup => Box::new(gomocup::Gomocup::new(spec)),
    }
}

/// The texts of moves.
fn texts(moves: &[Played]) -> Vec<String> {
    moves.iter().map(|it| it.text.clone()).collect()
}

/// Whole seconds, at least one: what is less than a second is told as a second.
fn whole_seconds(time: Duration) -> u64 {
    (time.as_millis() as u64).div_ceil(1000).max(1)
}

/// What was not yet told of a list of moves; `None` if something else was told.
fn untold<'a>(told: &[String], moves: &'a [Played]) -> Option<&'a [Played]> {
    let same = moves.iter().zip(told).all(|(mv, told)| mv.text == *told);
    (same && told.len() <= moves.len()).then(|| &moves[told.len()..])
}

#[cfg(test)]
mod testing {
    use super::*;

    /// A question without limits about a game of alternate turns.
    pub(super) fn moves(text: &str) -> Vec<Played> {
        let texts = text.split_whitespace().map(str::to_owned);
        texts.enumerate().map(|(number, text)| Played { player: number % 2, text }).collect()
    }

    pub(super) fn asked(moves: &[Played]) -> Asked<'_> {
        Asked { moves, mover: moves.len() % 2, ..Asked::default() }
    }

    pub(super) fn clock(left: u64, increment: u64) -> GameClock {
        GameClock::new(Duration::from_millis(left), Duration::from_millis(increment))
    }

    /// The move of an answer.
    pub(super) fn played(heard: &Heard) -> Option<&str> {
        match heard {
            Heard::Answer(Reply { verdict: Verdict::Plays(text), .. }) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::testing::{asked, clock, moves};
    use super::*;

    const LANGUAGES: [Language; 6] = [
        Language::Ugi,
        Language::Uci,
        Language::Usi,
        Language::Cecp,
        Language::Gtp,
        Language::Gomocup,
    ];

    /// Words that mean something to one protocol or another, and others.
    fn line() -> impl Strategy<Value = String> {
        let words = "uciok|ugiok|usiok|readyok|option|name|type|info|depth|score|cp|mate|nodes|multipv|bestmove|\
                     resign|win|feature|done=1|done=0|ping=1|myname=\"|san=1|pong 1|move|My move is|:|Illegal move|\
                     1-0|0-1|1/2-1/2|=|\\?|=7|OK|ERROR|MESSAGE|7,7|e2e4|-1|99999999999999999999|é|\"|";
        let word = prop::sample::select(words.split('|').collect::<Vec<_>>());
        prop::collection::vec(word, 0..6).prop_map(|it| it.join(" "))
    }

    proptest! {
        #[test]
        fn whatever_is_said_is_heard(lines in prop::collection::vec(line(), 0..40), noise in any::<String>()) {
            let game = moves("e2e4 e7e5 g1f3");
            let setting = Setting { size: (9, 9), variant: "normal".to_owned(), ..Setting::default() };
            for language in LANGUAGES {
                let mut protocol = protocol(language, &Spec::new("prog"));
                protocol.hello();
                for (number, line) in lines.iter().chain([&noise]).enumerate() {
                    match number % 10 {
                        3 => drop(protocol.begin(&setting)),
                        5 => {
                            let clocks = Some([clock(900, 1), clock(0, 0)]);
                            drop(protocol.ask(&Asked { clocks, ..asked(&game[..number % 4]) }));
                        }
                        9 => drop(protocol.end()),
                        _ => {}
                    }
                    let heard = protocol.hear(line);
                    // Whatever is to be said to it is on lines of its own.
                    if let Heard::Say(said) = heard {
                        prop_assert!(said.iter().all(|it| !it.contains('\n')));
                    }
                }
                drop(protocol.bye());
            }
        }
    }
}
