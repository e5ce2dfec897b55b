//! Games loaded and played at random.

use std::error::Error;
use std::time::Instant;

use ludex_core::playout::Playouts;
use ludex_core::{Fault, Game, Random};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use serde_json::{Value, json};

use crate::limits::{Ceilings, NAMES};
use crate::{Args, memory};

/// The bundled games: names and rules.
const GAMES: &[(&str, &str)] = ludex::bundled::GAMES;

/// The longest playout, in moves.
const LONGEST: u32 = 10_000;

/// The clock is looked at about this often.
const TICK: f64 = 0.001;

/// Every bundled game, with the options that the outside program plays it with.
pub(crate) fn all() -> Vec<String> {
    let spec = |name: &str| {
        let same = |it: &&str| it.split(':').next() == Some(name);
        NAMES.iter().map(|(_, ours)| *ours).find(same).unwrap_or(name).to_owned()
    };
    GAMES.iter().map(|(name, _)| spec(name)).collect()
}

/// A game in both its forms.
pub(crate) struct Loaded {
    pub(crate) spec: String,
    pub(crate) interpreter: RulesGame,
    pub(crate) native: Result<Native, String>,
}

/// A game as native code, and what that cost.
pub(crate) struct Native {
    pub(crate) game: CompiledGame,
    /// Seconds to make it.
    compile: f64,
    /// Growth of the memory in use.
    memory: Option<u64>,
}

/// Loads a bundled game.
pub(crate) fn load(spec: &str) -> Result<Loaded, Box<dyn Error>> {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let found = GAMES.iter().find(|(it, _)| *it == name);
    let (_, rules) = found.ok_or_else(|| format!("there is no bundled game called `{name}`"))?;
    let program = ludex_rules::compile(rules, options).program;
    let program = program.ok_or_else(|| format!("`{spec}` does not compile"))?;
    let interpreter = RulesGame::new(program);
    let native = Native::new(&interpreter);
    Ok(Loaded { spec: spec.to_owned(), interpreter, native })
}

impl Native {
    fn new(interpreter: &RulesGame) -> Result<Self, String> {
        let before = memory::resident();
        let start = Instant::now();
        let game = CompiledGame::native(interpreter.clone()).map_err(|it| it.to_string())?;
        let compile = start.elapsed().as_secs_f64();
        let after = memory::resident();
        let memory = after.zip(before).map(|(after, before)| after.saturating_sub(before));
        Ok(Self { game, compile, memory })
    }
}

/// How fast something is played.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rate {
    playouts: u64,
    moves: u64,
    seconds: f64,
}

impl Rate {
    pub(crate) fn moves_per_second(self) -> f64 {
        self.moves as f64 / self.seconds
    }

    fn as_json(self) -> Value {
        json!({
            "moves_per_second": self.moves_per_second(),
            "playouts_per_second": self.playouts as f64 / self.seconds,
            "mean_length": self.moves as f64 / self.playouts as f64,
        })
    }
}

/// Plays random games from the start until the time is over.
pub(crate) fn rate<G: Game>(game: &G, seconds: f64, seed: u64) -> Result<Rate, Fault> {
    let first = game.start();
    let mut position = first.clone();
    let mut playouts = Playouts::default();
    let mut random = Random::stream(seed, 0, 0);
    let mut rate = Rate::default();
    let mut batch = 1_u64;
    let start = Instant::now();
    while rate.playouts == 0 || rate.seconds < seconds {
        for _ in 0..batch {
            position.clone_from(&first);
            let played = playouts.run(game, &mut position, &mut random, LONGEST)?;
            rate.moves += u64::from(played.plies);
        }
        rate.playouts += batch;
        let now = start.elapsed().as_secs_f64();
        if now - rate.seconds < TICK {
            batch *= 2;
        }
        rate.seconds = now;
    }
    Ok(rate)
}

/// What was measured of one game.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) spec: String,
    pub(crate) interpreter: Rate,
    pub(crate) native: Option<MeasuredNative>,
    /// Moves per second of the game written by hand.
    pub(crate) ceiling: Option<f64>,
    /// Why there is no native code.
    pub(crate) refused: Option<String>,
}

/// What was measured of native code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeasuredNative {
    pub(crate) rate: Rate,
    pub(crate) compile: f64,
    pub(crate) code_bytes: usize,
    pub(crate) state_bytes: usize,
    pub(crate) memory: Option<u64>,
}

/// Plays one game in both its forms.
pub(crate) fn measure(
    game: &Loaded,
    args: &Args,
    ceilings: &Ceilings,
) -> Result<Measured, Box<dyn Error>> {
    let Loaded { spec, interpreter, native } = game;
    let blame = |fault: Fault| format!("{spec}: {fault}");
    let interpreter = rate(interpreter, args.seconds, args.seed).map_err(blame)?;
    let measured = match native {
        Err(_) => None,
        Ok(Native { game, compile, memory }) => Some(MeasuredNative {
            rate: rate(game, args.seconds, args.seed).map_err(blame)?,
            compile: *compile,
            code_bytes: game.native_code_bytes().unwrap_or(0),
            state_bytes: game.native_state_bytes().unwrap_or(0),
            memory: *memory,
        }),
    };
    Ok(Measured {
        spec: spec.clone(),
        interpreter,
        native: measured,
        ceiling: ceilings.get(spec).copied(),
        refused: native.as_ref().err().cloned(),
    })
}

impl Measured {
    /// Moves per second of native code.
    pub(crate) fn native_rate(&self) -> Option<f64> {
        self.native.map(|it| it.rate.moves_per_second())
    }

    /// How many times faster native code is than the interpreter.
    pub(crate) fn gain(&self) -> Option<f64> {
        self.native_rate().map(|it| it / self.interpreter.moves_per_second())
    }

    /// How much of the ceiling native code reaches.
    pub(crate) fn of_ceiling(&self) -> Option<f64> {
        self.native_rate().zip(self.ceiling).map(|(native, ceiling)| native / ceiling)
    }

    pub(crate) fn as_json(&self) -> Value {
        let native = self.native.map(|it| {
            let mut value = it.rate.as_json();
            value["compile_seconds"] = json!(it.compile);
            value["code_bytes"] = json!(it.code_bytes);
            value["state_bytes"] = json!(it.state_bytes);
            value["memory_bytes"] = json!(it.memory);
            value
        });
        json!({
            "game": self.spec,
            "interpreter": self.interpreter.as_json(),
            "native": native,
            "refused": self.refused,
            "native_to_interpreter": self.gain(),
            "ceiling_moves_per_second": self.ceiling,
            "native_to_ceiling": self.of_ceiling(),
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn every_bundled_game_is_measured_once() {
        let specs = all();
        assert_eq!(specs.len(), GAMES.len());
        assert!(NAMES.iter().all(|(_, ours)| specs.iter().any(|it| it == ours)), "{specs:?}");
    }

    #[test]
    fn a_game_is_measured() {
        let args = Args::parse_from(["speed", "--seconds", "0.01"]);
        let game = load("hex:11").expect("it is bundled");
        let ceilings = Ceilings::from([("hex:11".to_owned(), 1e6)]);
        let measured = measure(&game, &args, &ceilings).expect("the rules are good");
        assert!(measured.interpreter.moves_per_second() > 0.0);
        assert_eq!(measured.native.is_some(), measured.refused.is_none());
        assert_eq!(measured.of_ceiling(), measured.native_rate().map(|it| it / 1e6));
        assert!(crate::table::row(&measured).starts_with("hex:11 "));
        assert_eq!(measured.as_json()["ceiling_moves_per_second"], 1e6);
        assert!(load("chequers").is_err());
    }
}
