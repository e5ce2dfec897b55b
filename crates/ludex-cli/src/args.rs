//! Arguments that several subcommands share, and the values they may have.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args};
use ludex::EngineKind;
use ludex::analysis::default_player;
use ludex::date::Now;
use ludex_arena::units::size;

pub(crate) use ludex_arena::units::{duration, game_clock};
use ludex_core::Limits;
use ludex_search::PlayerOptions;
use std::sync::atomic::AtomicBool;

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
    #[arg(long, value_parser = engine())]
    engine: Option<EngineKind>,
}

impl EngineArgs {
    /// For games and searches.
    pub(crate) fn to_play(self) -> EngineKind {
        self.engine.unwrap_or(EngineKind::Native)
    }

    /// For a single question, which the interpreter answers before native code is made.
    pub(crate) fn to_answer(self) -> EngineKind {
        self.engine.unwrap_or(EngineKind::Interpreter)
    }
}

/// Which game and which position of it.
#[derive(Args, Clone, Debug)]
pub(crate) struct PositionArgs {
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

/// The limits of a search.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SearchArgs {
    /// Time limit for a move: `5s`, `500ms`, `2m`
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,

    /// Node budget for a move: positions or playouts, whichever the player counts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// Depth limit in plies, for players that search by depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,

    /// Seed of all random choices
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// The threads of a player
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: u32,

    /// Memory for the trees and tables of a player: `512M`, `2G`
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    pub(crate) memory: usize,
}

/// The help of `--time` where a subcommand has a usual time.
pub(crate) fn usual_time(usual: &'static str) -> impl FnOnce(Arg) -> Arg {
    move |time| {
        time.help(format!(
            "Time limit for a move: `5s`, `500ms`, `2m` [default: {usual}, unless --nodes is given]"
        ))
    }
}

/// Which player searches.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlayerArgs {
    /// The player, with its options (`uct:c=0.7`), or a player file; `ludex players` lists them [default: auto]
    #[arg(long, value_name = "SPEC")]
    pub(crate) player: Option<String>,

    /// Show what the player is, and why it was chosen
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl PlayerArgs {
    /// The player, as it may be written.
    pub(crate) fn spec(&self) -> &str {
        self.player.as_deref().unwrap_or_else(|| default_player())
    }
}

impl SearchArgs {
    /// What a player is given for all its moves.
    pub(crate) fn options(&self) -> PlayerOptions {
        PlayerOptions { threads: self.threads as usize, seed: self.seed, memory: self.memory }
    }

    /// What may be spent on a move.
    pub(crate) fn limits<'a>(&self, stop: Option<&'a AtomicBool>) -> Limits<'a> {
        Limits { nodes: self.nodes, time: self.time, depth: self.depth, stop, ..Limits::default() }
    }
}

/// What runs the rules, as it is written on the command line.
fn engine() -> impl TypedValueParser<Value = EngineKind> {
    let values = [
        PossibleValue::new("native").help("Machine code made of the rules"),
        PossibleValue::new("interpreter")
            .help("The interpreter: slower, and what native code must agree with"),
    ];
    PossibleValuesParser::new(values).try_map(|it| it.parse::<EngineKind>())
}

/// The variable that fixes the time, in seconds since 1970, so that output is the same every time:
/// the convention of reproducible builds.
const FIXED_TIME: &str = "SOURCE_DATE_EPOCH";

/// The time that the dates of records are made of.
pub(crate) fn now() -> Now {
    let fixed = std::env::var(FIXED_TIME).ok();
    fixed.and_then(|it| Now::fixed(&it)).unwrap_or_default()
}
