//! Openings: none, random moves, or those of a file. Random openings can be balanced: a short search
//! keeps only those that are fair to both players.

use std::sync::atomic::{AtomicBool, Ordering};

use ludex_core::turns::{Choices, named_turn};
use ludex_core::{Fault, Game, GameExt, Limits, Player, PositionOf, Random, TextError, Turn};
use ludex_search::{UctConfig, uct};

/// The number of openings that are drawn before the fairest of them is taken.
const ATTEMPTS: u64 = 50;

/// The playouts of the search that evaluates an opening.
const PLAYOUTS: u64 = 2_000;

/// The visits after which a move has a value of its own.
const ENOUGH: u64 = 100;

/// The expected points of the first player in a fair opening.
const FAIR: std::ops::RangeInclusive<f64> = 0.35..=0.65;

/// The most lines of a file of openings.
pub const MOST_OPENINGS: usize = 100_000;

/// How a game begins.
#[derive(Debug)]
pub struct Opening<G: Game> {
    /// The position it begins with, as text; `None` for the usual one.
    pub start: Option<String>,
    /// The same as a state.
    pub start_state: G::State,
    /// The moves that open it.
    pub moves: Vec<G::Move>,
    /// Their names.
    pub names: Vec<String>,
    /// The position after them.
    pub position: PositionOf<G>,
}

// Not derived: a derive would ask the game itself to be `Clone`.
impl<G: Game> Clone for Opening<G> {
    fn clone(&self) -> Self {
        Self {
            start: self.start.clone(),
            start_state: self.start_state.clone(),
            moves: self.moves.clone(),
            names: self.names.clone(),
            position: self.position.clone(),
        }
    }
}

impl<G: Game> Opening<G> {
    /// No opening at all: the game begins where the rules say.
    pub fn none(game: &G) -> Self {
        Self::at(None, game.start())
    }

    /// The game begins with another position.
    pub fn from_position(game: &G, text: &str) -> Result<Self, TextError> {
        let position = game.position(game.read(text)?);
        Ok(Self::at(Some(text.to_owned()), position))
    }

    fn at(start: Option<String>, position: PositionOf<G>) -> Self {
        let start_state = position.state.clone();
        Self { start, start_state, moves: Vec::new(), names: Vec::new(), position }
    }

    /// Plays a move of the opening, which must be legal.
    pub fn play(&mut self, game: &G, mv: G::Move) -> Result<(), Fault> {
        self.names.push(game.name(&self.position.state, mv));
        game.apply(&mut self.position, &[mv])?;
        self.moves.push(mv);
        Ok(())
    }

    /// Plays a move by its name; an error says why it cannot be played.
    pub fn play_named(&mut self, game: &G, name: &str) -> Result<(), TextError> {
        let faulty = |it: Fault| TextError::new(it.message);
        let mut choices = Choices::default();
        let turn = choices.fill(game, &self.position).map_err(faulty)?;
        if turn == Turn::Over {
            return Err(TextError::new(format!("the game is over before `{name}`")));
        }
        let mut moves = Vec::new();
        named_turn(game, &self.position, &choices, name, &mut moves).map_err(faulty)??;
        match moves.as_slice() {
            [mv] => self.play(game, *mv).map_err(faulty),
            _ => Err(TextError::new("openings are of one player's moves at a time")),
        }
    }

    /// Whether the game goes on after it.
    pub fn is_open(&self, game: &G) -> Result<bool, Fault> {
        Ok(game.turn(&self.position)? != Turn::Over)
    }
}

/// The source of openings.
#[derive(Debug)]
pub enum Openings<G: Game> {
    /// None.
    None,
    /// Random moves; with `balanced`, only such that a short search scores as fair.
    Random {
        /// The number of moves.
        plies: u32,
        /// Whether only fair openings are kept.
        balanced: bool,
    },
    /// Those of a file, in order and then again from the first.
    Listed(Vec<Opening<G>>),
}

// Not derived, for the same reason.
impl<G: Game> Clone for Openings<G> {
    fn clone(&self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Random { plies, balanced } => Self::Random { plies: *plies, balanced: *balanced },
            Self::Listed(list) => Self::Listed(list.clone()),
        }
    }
}

impl<G: Game> Openings<G> {
    /// Opening `number` of `seed`, from the position `from`. The search for a balanced one may take
    /// minutes in a slow game: when `stop` is raised, any opening is returned.
    pub fn draw(
        &self,
        game: &G,
        from: &Opening<G>,
        (seed, number): (u64, u64),
        stop: &AtomicBool,
    ) -> Result<Opening<G>, Fault> {
        match self {
            Self::None => Ok(from.clone()),
            Self::Listed(list) if list.is_empty() => Ok(from.clone()),
            Self::Listed(list) => Ok(list[(number % list.len() as u64) as usize].clone()),
            Self::Random { plies, balanced } => {
                let streams = |attempt| Random::stream(seed, number, attempt);
                drawn(game, from, (*plies, *balanced), streams, stop)
            }
        }
    }
}

fn drawn<G: Game>(
    game: &G,
    from: &Opening<G>,
    (plies, balanced): (u32, bool),
    streams: impl Fn(u64) -> Random,
    stop: &AtomicBool,
) -> Result<Opening<G>, Fault> {
    let mut best: Option<(f64, Opening<G>)> = None;
    for attempt in 0..ATTEMPTS {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut random = streams(attempt);
        let Some(opening) = random_moves(game, from, plies, &mut random)? else { continue };
        if !balanced || plies == 0 {
            return Ok(opening);
        }
        let rate = first_player_rate(game, &opening, random.next_u64(), stop)?;
        if FAIR.contains(&rate) {
            return Ok(opening);
        }
        let bias = (rate - 0.5).abs();
        if best.as_ref().is_none_or(|(least, _)| bias < *least) {
            best = Some((bias, opening));
        }
    }
    Ok(best.map_or_else(|| from.clone(), |(_, opening)| opening))
}

/// Random moves; `None` if the game is over before they are played.
fn random_moves<G: Game>(
    game: &G,
    from: &Opening<G>,
    plies: u32,
    random: &mut Random,
) -> Result<Option<Opening<G>>, Fault> {
    let mut opening = from.clone();
    for _ in 0..plies {
        let Some(mv) = game.random_move(&opening.position, random)? else {
            return Ok(None);
        };
        opening.play(game, mv)?;
    }
    Ok(opening.is_open(game)?.then_some(opening))
}

/// The expected points of the first player by a short search, from 0 to 1.
fn first_player_rate<G: Game>(
    game: &G,
    opening: &Opening<G>,
    seed: u64,
    stop: &AtomicBool,
) -> Result<f64, Fault> {
    let config = UctConfig { seed, ..UctConfig::default() };
    let limits = Limits { stop: Some(stop), ..Limits::of_nodes(PLAYOUTS) };
    let report = uct(game, &opening.position, &config, limits)?;
    // The best line counts; where the moves are too many for any to be visited often, the mean of
    // all playouts is more precise.
    let decision = report.decisions.first();
    let line = decision.and_then(|it| it.lines.first()).filter(|it| it.visits >= ENOUGH);
    let value = match (decision, line) {
        (Some(decision), Some(line)) if decision.player == Player(0) => line.value,
        (Some(_), Some(line)) => -line.value,
        _ => report.values.first().copied().unwrap_or(0.0),
    };
    Ok(f64::midpoint(value, 1.0))
}

/// Reads a file of openings. Each line is one: the names of its moves, or `position: TEXT` and, after
/// another colon with spaces around it, moves from there. Empty lines and what follows a `#` at the
/// start of a line are skipped. The error names the line.
pub fn read_openings<G: Game>(game: &G, text: &str) -> Result<Vec<Opening<G>>, TextError> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if openings.len() >= MOST_OPENINGS {
            return Err(TextError::new(format!("a file has at most {MOST_OPENINGS} openings")));
        }
        let opening = read_line(game, line).map_err(|error| TextError {
            message: format!("line {number}: {}", error.message),
            at: None,
            nearest: error.nearest,
        })?;
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err(TextError::new("there is no opening in it"));
    }
    Ok(openings)
}

fn read_line<G: Game>(game: &G, line: &str) -> Result<Opening<G>, TextError> {
    let (mut opening, moves) = match line.strip_prefix("position:") {
        Some(rest) => {
            let (position, moves) = rest.split_once(" : ").unwrap_or((rest, ""));
            (Opening::from_position(game, position.trim())?, moves)
        }
        None => (Opening::none(game), line),
    };
    for name in moves.split_whitespace() {
        opening.play_named(game, name)?;
    }
    if !opening.is_open(game).map_err(|it| TextError::new(it.message))? {
        return Err(TextError::new("the game is over after this opening"));
    }
    Ok(opening)
}

#[cfg(test)]
mod tests {
    use ludex_testkit::tictactoe::TicTacToe;

    use super::*;

    #[test]
    fn a_file_has_moves_and_positions() {
        let game = TicTacToe;
        let start = game.write(&game.start().state);
        let text = format!("# a comment\n\nb2 a1\nposition: {start} : b2\n");
        let openings = read_openings(&game, &text).expect("it is right");
        assert_eq!(openings.len(), 2);
        assert_eq!(openings[0].names, ["b2", "a1"]);
        assert_eq!(openings[1].start.as_deref(), Some(start.as_str()));
        assert_eq!(openings[1].names, ["b2"]);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, expected) in [
            ("b2\nb2 b2", "line 2: "),
            ("", "no opening"),
            ("position: nonsense", "line 1: "),
            ("a1 b1 a2 b2 a3", "the game is over"),
        ] {
            let error = read_openings(&TicTacToe, text).expect_err(text);
            assert!(error.message.contains(expected), "{text}: {}", error.message);
        }
    }

    #[test]
    fn openings_follow_their_seed() {
        let game = TicTacToe;
        let from = Opening::none(&game);
        let wanted = Openings::Random { plies: 2, balanced: true };
        let stop = AtomicBool::new(false);
        let draw =
            |seed, number| wanted.draw(&game, &from, (seed, number), &stop).expect("right rules");
        assert_eq!(draw(1, 0).names, draw(1, 0).names);
        assert!((0..20).any(|it| draw(1, it).names != draw(1, 0).names));
        assert_eq!(draw(1, 0).names.len(), 2);
    }

    #[test]
    fn a_stop_ends_the_search_for_openings() {
        let game = TicTacToe;
        let wanted = Openings::Random { plies: 2, balanced: true };
        let stop = AtomicBool::new(true);
        let drawn = wanted.draw(&game, &Opening::none(&game), (1, 0), &stop).expect("right rules");
        assert!(drawn.names.is_empty(), "{:?}", drawn.names);
    }
}
