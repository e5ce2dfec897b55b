//! A few quick games of a player file against a player that moves at random, and its speed.
//!
//! The games show whether the evaluation works in the positions that arise in play; they do not
//! show how strong the player is.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ludex_core::{Fault, Game, GameExt, Limits, Player, Position, Random, Turn};
use ludex_jit::CompiledGame;
use ludex_search::SearchError;
use ludex_search::{PlayerOptions, SearchRoot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CheckRequest;
use super::findings::{Failing, Findings};
use crate::clock::RealClock;
use crate::ending::count;
use crate::error::Result;
use crate::game::LoadedGame;
use crate::players::{LoadedPlayer, PlayerSpec};
use crate::stop::StopToken;

/// The number of games, in each seat in turn.
const GAMES: u64 = 6;

/// How many of the longest moves the time for all games allows.
const MOVES_IN_TIME: u32 = 80;

/// How long speed is measured.
const MEASURED: Duration = Duration::from_millis(150);

/// The games of a player file, and its speed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// The search of the player.
    pub search: String,
    /// Games that ended.
    pub games: u64,
    /// Games it won.
    pub wins: u64,
    /// Games it drew.
    pub draws: u64,
    /// Games it lost.
    pub losses: u64,
    /// Moves it made.
    pub moves: u64,
    /// Moves in a second.
    pub moves_per_second: f64,
    /// Nodes in a second, as its search counts them.
    pub nodes_per_second: f64,
    /// Evaluations in a second, if the file has one.
    pub evaluations_per_second: Option<f64>,
    /// Lists of candidates in a second, if the file has them.
    pub candidates_per_second: Option<f64>,
    /// The time for a move, in milliseconds.
    pub milliseconds_per_move: u64,
}

impl Trial {
    /// The trial as people read it, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { wins, draws, losses, search, .. } = self;
        let games = count(self.games as i64, "game");
        let mut speeds = vec![
            format!(
                "{} moves/s with at most {} ms each",
                rounded(self.moves_per_second),
                self.milliseconds_per_move
            ),
            format!("{} nodes/s", rounded(self.nodes_per_second)),
        ];
        let (evaluations, candidates) = (self.evaluations_per_second, self.candidates_per_second);
        speeds.extend(evaluations.map(|it| format!("{} evaluations/s", rounded(it))));
        speeds.extend(candidates.map(|it| format!("{} lists of candidates/s", rounded(it))));
        vec![
            format!(
                "{games} against `random`: {wins} won, {draws} drawn, {losses} lost; thinks with \
                 `{search}`"
            ),
            format!("speed: {}", speeds.join(", ")),
        ]
    }
}

/// Plays, and adds what was seen to the report.
pub(super) fn play(
    spec: &PlayerSpec,
    engine: &CompiledGame,
    game: &LoadedGame,
    request: &CheckRequest,
    (stop, report): (&StopToken, &mut Findings),
) -> Result<()> {
    let options = PlayerOptions { seed: request.seed, ..PlayerOptions::default() };
    let allowed = (request.time / MOVES_IN_TIME).max(Duration::from_millis(1));
    let mut games = Games {
        engine,
        game,
        request,
        stop,
        until: Instant::now() + request.time,
        player: spec.player(options)?,
        trial: Trial {
            search: spec.search().to_string(),
            milliseconds_per_move: allowed.as_millis() as u64,
            ..Trial::default()
        },
        allowed,
        spent: Duration::ZERO,
        nodes: 0,
        seen: Vec::new(),
        turns: Vec::new(),
        position: game.game.start(),
    };
    let played = (0..GAMES).try_for_each(|number| games.game(number));
    if let Err(fault) = played.and_then(|()| Ok(games.measure()?)) {
        let failing = Failing {
            what: fault.to_string(),
            moves: games.turns.clone(),
            position: game.game.write(&games.position.state),
        };
        report.fault(games.player.diagnostic(game, &fault), failing);
    }
    report.trial = Some(games.finished());
    Ok(())
}

/// A game in progress, and what was counted before.
struct Games<'a> {
    /// The rules with the evaluation and the policy of the file.
    engine: &'a CompiledGame,
    game: &'a LoadedGame,
    request: &'a CheckRequest,
    stop: &'a StopToken,
    until: Instant,
    player: LoadedPlayer,
    trial: Trial,
    /// The time for a move.
    allowed: Duration,
    /// The time that the player took.
    spent: Duration,
    nodes: u64,
    /// Positions in which the player moved.
    seen: Vec<Position>,
    turns: Vec<String>,
    position: Position,
}

impl Games<'_> {
    fn is_late(&self) -> bool {
        self.stop.is_stopped() || self.until <= Instant::now()
    }

    /// Plays one game; one that does not end in time does not count.
    fn game(&mut self, number: u64) -> Result<(), SearchError> {
        let game = &self.game.game;
        let seat = Player((number % game.players() as u64) as u8);
        let mut random = Random::stream(self.request.seed, number, 0);
        self.position = game.start();
        self.turns.clear();
        self.player.forget();
        while self.turns.len() < self.request.plies as usize && !self.is_late() {
            let position = &self.position;
            let mv = match game.turn(position)? {
                Turn::Over => return Ok(self.ended(seat)?),
                Turn::Of(player) if player == seat => self.choose()?,
                _ => game.random_move(position, &mut random)?,
            };
            // Joint turns and turns of chance are not played here.
            let Some(mv) = mv else { return Ok(()) };
            self.turns.push(game.name(&self.position.state, mv));
            game.apply(&mut self.position, &[mv])?;
        }
        Ok(())
    }

    fn choose(&mut self) -> Result<Option<ludex_ir::PackedMove>, SearchError> {
        self.seen.push(self.position.clone());
        let stop = Some(self.stop.flag());
        let position = &self.position;
        let root = SearchRoot { game: &self.game.game, position };
        let clock = RealClock::start();
        let before = Instant::now();
        let (time, clock) = (Some(self.allowed), &clock);
        let limits = Limits { time, stop, clock, ..Limits::default() };
        let result = self.player.search(root, limits, &mut |_| {})?;
        self.spent += before.elapsed();
        self.trial.moves += 1;
        self.nodes += result.nodes;
        Ok(result.best())
    }

    fn ended(&mut self, seat: Player) -> Result<(), Fault> {
        let game = &self.game.game;
        let position = &self.position;
        let utility = game.payoff(position, seat)?.utility;
        *match utility {
            it if it > 0.0 => &mut self.trial.wins,
            it if it < 0.0 => &mut self.trial.losses,
            _ => &mut self.trial.draws,
        } += 1;
        Ok(())
    }

    /// Measures how fast the evaluation and the policy are, in the positions that were seen.
    fn measure(&mut self) -> Result<(), Fault> {
        let roles = &self.engine.program().roles;
        let side = Player(0);
        if roles.evaluate.is_some() {
            self.trial.evaluations_per_second = self.per_second(|engine, position| {
                black_box(engine.evaluate(position, side, 0)?);
                Ok(())
            })?;
        }
        if roles.candidates.is_some() {
            self.trial.candidates_per_second = self.per_second(|engine, position| {
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
        while !self.seen.is_empty() && began.elapsed() < MEASURED && !self.stop.is_stopped() {
            for place in &self.seen {
                if let Err(fault) = ask(self.engine, place) {
                    (self.position, self.turns) = (place.clone(), Vec::new());
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

    /// The trial with its rates.
    fn finished(mut self) -> Trial {
        let per_second = |number: u64| number as f64 / self.spent.as_secs_f64().max(1e-9);
        self.trial.games = self.trial.wins + self.trial.draws + self.trial.losses;
        self.trial.moves_per_second = per_second(self.trial.moves);
        self.trial.nodes_per_second = per_second(self.nodes);
        self.trial
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
