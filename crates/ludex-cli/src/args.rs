//! Arguments that several verbs share, and the values they may have.

use std::time::Duration;

use clap::{Arg, Args, ValueEnum};
use ludex_arena::units::size;
pub(crate) use ludex_arena::units::{duration, game_clock};

/// Which game, and what runs it.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameArgs {
    /// A bundled game with its options (`hex:11`, `chess:castling=no`), or a rules file
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// What runs the game.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct EngineArgs {
    /// What runs the rules [default: native to play and to search, else interpreter]
    #[arg(long, value_enum)]
    engine: Option<EngineKind>,
}

impl EngineArgs {
    /// For whatever plays.
    pub(crate) fn to_play(self) -> EngineKind {
        self.engine.unwrap_or(EngineKind::Native)
    }

    /// For a question or two: the interpreter has answered before native code is made.
    pub(crate) fn to_answer(self) -> EngineKind {
        self.engine.unwrap_or(EngineKind::Interpreter)
    }
}

/// Which game and which position of it.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlaceArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) from: FromArgs,
}

/// Which position of a game.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FromArgs {
    /// The position to begin with, as `ludex show` writes it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,

    /// Moves to play first, from the start or from the position: 'e2e4 e7e5'
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

/// What runs the rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineKind {
    /// Machine code made of the rules
    Native,
    /// The interpreter: slower, and what native code must agree with
    Interpreter,
}

impl EngineKind {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Interpreter => "interpreter",
        }
    }
}

/// How long a verb may think.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ThinkArgs {
    /// How long to think about a move: `5s`, `500ms`, `2m`
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,

    /// At most so many nodes for a move: positions or playouts, whatever the player counts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// At most so many turns ahead, for players that look ahead by depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,

    /// Seed of all random choices
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many threads a player thinks with
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: u32,

    /// How much memory trees and tables of a player may take: `512M`, `2G`
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    pub(crate) memory: usize,
}

/// The help of `--time` where a verb has a usual time.
pub(crate) fn usual_time(usual: &'static str) -> impl FnOnce(Arg) -> Arg {
    move |time| {
        time.help(format!(
            "How long to think about a move: `5s`, `500ms`, `2m` [default: {usual}, unless --nodes is said]"
        ))
    }
}
