//! A few quick games of a player file against a player that moves at random, and its speed.
//!
//! The games show whether the opinions work in the positions that come up in play; nobody learns
//! from them how strong the player is.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ludex::Result;
use ludex::clock::RealClock;
use ludex::ending::count;
use ludex::game::LoadedGame;
use ludex::players::{LoadedPlayer, PlayerSpec};
use ludex_core::{Fault, Game, GameExt, Limits, Player, Position, Random, Turn};
use ludex_jit::CompiledGame;
use ludex_search::{PlayerOptions, SearchRoot};
use serde_json::{Value, json};

use super::report::{Failing, Report};
use crate::interrupt;

/// So many games at most, first one seat and then the next.
const GAMES: u64 = 6;

/// So many moves of the longest allowed would take the time for all games.
const MOVES_IN_TIME: u32 = 80;

/// How long speed is measured.
const MEASURED: Duration = Duration::from_millis(150);

/// How much to play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// For so long at most.
    pub(super) time: Duration,
    /// So many turns in a game at most.
    pub(super) plies: u32,
    /// Seed of the games.
    pub(super) seed: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    /// The search that thinks.
    search: String,
    /// Games that came to an end: won, drawn, lost.
    won: u64,
    drawn: u64,
    lost: u64,
    /// Moves of the player, and how long it thought about them.
    moves: u64,
    thought: Duration,
    /// Nodes, as the search counts them.
    nodes: u64,
    /// How long it could think about a move.
    allowed: Duration,
    /// Evaluations and lists of candidates in a second, where the file has them.
    evaluations: Option<f64>,
    candidates: Option<f64>,
}

/// Plays, and adds what was seen to the report.
pub(super) fn play(
    recipe: &PlayerSpec,
    engine: &CompiledGame,
    game: &LoadedGame,
    plan: &Plan,
    report: &mut Report,
) -> Result<()> {
    let means = PlayerOptions { seed: plan.seed, ..PlayerOptions::default() };
    let mut table = Table {
        engine,
        game,
        plan,
        until: Instant::now() + plan.time,
        thinker: recipe.player(means)?,
        trial: Trial {
            search: recipe.search().to_owned(),
            allowed: (plan.time / MOVES_IN_TIME).max(Duration::from_millis(1)),
            ..Trial::default()
        },
        seen: Vec::new(),
        turns: Vec::new(),
        place: game.game.start(),
    };
    let played = (0..GAMES).try_for_each(|number| table.game(number));
    if let Err(fault) = played.and_then(|()| table.measure()) {
        let failing = Failing {
            what: fault.message.clone(),
            moves: table.turns.clone(),
            position: game.game.write(&table.place.state),
        };
        report.fault(table.thinker.diagnostic(game, &fault), failing);
    }
    report.trial = Some(table.trial);
    Ok(())
}

/// A game in progress, and what has been seen so far.
struct Table<'a> {
    /// The rules with the opinions of the file.
    engine: &'a CompiledGame,
    game: &'a LoadedGame,
    plan: &'a Plan,
    until: Instant,
    thinker: LoadedPlayer,
    trial: Trial,
    /// Positions in which the player moved.
    seen: Vec<Position>,
    turns: Vec<String>,
    place: Position,
}

impl Table<'_> {
    fn is_late(&self) -> bool {
        interrupt::happened() || self.until <= Instant::now()
    }

    /// Plays one game; one that does not end in time does not count.
    fn game(&mut self, number: u64) -> Result<(), Fault> {
        let game = &self.game.game;
        let seat = Player((number % game.players() as u64) as u8);
        let mut random = Random::stream(self.plan.seed, number, 0);
        self.place = game.start();
        self.turns.clear();
        self.thinker.forget();
        while self.turns.len() < self.plan.plies as usize && !self.is_late() {
            let position = &self.place;
            let mv = match game.turn(position)? {
                Turn::Over => return self.ended(seat),
                Turn::Of(player) if player == seat => self.think()?,
                _ => game.random_move(position, &mut random)?,
            };
            // Nobody has said yet how one moves where several decide at once.
            let Some(mv) = mv else { return Ok(()) };
            self.turns.push(game.name(&self.place.state, mv));
            game.apply(&mut self.place, &[mv])?;
        }
        Ok(())
    }

    fn think(&mut self) -> Result<Option<ludex_ir::PackedMove>, Fault> {
        self.seen.push(self.place.clone());
        let stop = Some(interrupt::listen());
        let position = &self.place;
        let task = SearchRoot { game: &self.game.game, position };
        let clock = RealClock::start();
        let before = Instant::now();
        let (time, clock) = (Some(self.trial.allowed), &clock);
        let limits = Limits { time, stop, clock, ..Limits::default() };
        let thought = self.thinker.search(task, limits, &mut |_| {})?;
        self.trial.thought += before.elapsed();
        self.trial.moves += 1;
        self.trial.nodes += thought.nodes;
        Ok(thought.best())
    }

    fn ended(&mut self, seat: Player) -> Result<(), Fault> {
        let game = &self.game.game;
        let position = &self.place;
        let utility = game.payoff(position, seat)?.utility;
        *match utility {
            it if it > 0.0 => &mut self.trial.won,
            it if it < 0.0 => &mut self.trial.lost,
            _ => &mut self.trial.drawn,
        } += 1;
        Ok(())
    }

    /// Measures how fast the opinions are, in the positions that were seen.
    fn measure(&mut self) -> Result<(), Fault> {
        let roles = &self.engine.program().roles;
        let side = Player(0);
        if roles.evaluate.is_some() {
            self.trial.evaluations = self.per_second(|engine, position| {
                black_box(engine.evaluate(position, side, 0)?);
                Ok(())
            })?;
        }
        if roles.candidates.is_some() {
            self.trial.candidates = self.per_second(|engine, position| {
                black_box(engine.candidates(position, side, 0)?);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn per_second(
        &mut self,
        ask: impl Fn(&CompiledGame, &Position) -> Result<(), Fault>,
    ) -> Result<Option<f64>, Fault> {
        let began = Instant::now();
        let mut asked = 0_u64;
        while !self.seen.is_empty() && began.elapsed() < MEASURED && !interrupt::happened() {
            for place in &self.seen {
                if let Err(fault) = ask(self.engine, place) {
                    (self.place, self.turns) = (place.clone(), Vec::new());
                    return Err(fault);
                }
                asked += 1;
                if began.elapsed() >= MEASURED {
                    break;
                }
            }
        }
        Ok((asked > 0).then(|| asked as f64 / began.elapsed().as_secs_f64()))
    }
}

impl Trial {
    fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    fn per_second(&self, number: u64) -> f64 {
        number as f64 / self.thought.as_secs_f64().max(1e-9)
    }

    /// What is told to people, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { won, drawn, lost, .. } = self;
        let mut lines = vec![format!(
            "{} against `random`: {won} won, {drawn} drawn, {lost} lost; thinks with `{}`",
            count(self.games() as i64, "game"),
            self.search,
        )];
        let mut speeds = vec![
            format!(
                "{} moves/s with at most {} ms each",
                rounded(self.per_second(self.moves)),
                self.allowed.as_millis()
            ),
            format!("{} nodes/s", rounded(self.per_second(self.nodes))),
        ];
        speeds.extend(self.evaluations.map(|it| format!("{} evaluations/s", rounded(it))));
        speeds.extend(self.candidates.map(|it| format!("{} lists of candidates/s", rounded(it))));
        lines.push(format!("speed: {}", speeds.join(", ")));
        lines
    }

    /// The same for programs.
    pub(super) fn as_json(&self) -> Value {
        json!({
            "search": self.search,
            "games": self.games(),
            "wins": self.won,
            "draws": self.drawn,
            "losses": self.lost,
            "moves": self.moves,
            "moves_per_second": self.per_second(self.moves),
            "nodes_per_second": self.per_second(self.nodes),
            "evaluations_per_second": self.evaluations,
            "candidates_per_second": self.candidates,
        })
    }
}

/// A speed with three digits that mean something: `1,230,000`.
fn rounded(number: f64) -> String {
    let unit = 10_f64.powf((number.max(1.0).log10().floor() - 2.0).max(0.0));
    let digits = format!("{:.0}", (number / unit).round() * unit);
    let groups: Vec<String> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|it| String::from_utf8_lossy(it).into_owned())
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_rounded() {
        assert_eq!(rounded(1_234_567.0), "1,230,000");
        assert_eq!(rounded(43.2), "43");
        assert_eq!(rounded(0.0), "0");
        assert_eq!(rounded(999.6), "1,000");
    }
}
