//! The game and the position that arguments name.

use clap::Args;
use ludex::game::LoadedGame;
use ludex::source::Source;
use ludex::{EngineKind, Result, goal};
use ludex_core::Position;

use crate::args::{FromArgs, PositionArgs};
use crate::output::note;

/// The game that `spec` names; a note says so where it has to be interpreted.
pub(crate) fn load(spec: &str, engine: EngineKind) -> Result<LoadedGame> {
    Ok(noted(LoadedGame::load(spec, engine)?))
}

/// The game, with a note where it has no native code.
fn noted(game: LoadedGame) -> LoadedGame {
    if let Some(reason) = game.no_native() {
        note(format_args!("note: {reason}; interpreting instead"));
    }
    game
}

/// The game and the position that the arguments name.
pub(crate) fn open(args: &PositionArgs) -> Result<(LoadedGame, Position)> {
    open_with(args, args.game.engine.to_answer())
}

/// The game and the position that the arguments name, run by an engine of this kind.
pub(crate) fn open_with(args: &PositionArgs, engine: EngineKind) -> Result<(LoadedGame, Position)> {
    let loaded = load(&args.game.game, engine)?;
    let position = reach(&loaded, &args.from)?;
    Ok((loaded, position))
}

/// The position that the arguments name.
pub(crate) fn reach(loaded: &LoadedGame, from: &FromArgs) -> Result<Position> {
    let moves = from.moves.as_deref().unwrap_or_default();
    loaded.reach(from.position.as_deref(), moves)
}

/// What is to be reached.
#[derive(Args, Clone, Debug)]
pub(crate) struct GoalArgs {
    /// A goal to reach instead of winning the game: a file, or the text of one
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
}

impl GoalArgs {
    /// Whether there is one.
    pub(crate) fn is_given(&self) -> bool {
        self.goal.is_some()
    }
}

/// The game, with its goal if there is one, and the position that the arguments name.
pub(crate) fn open_goal(
    args: &PositionArgs,
    goal: &GoalArgs,
    engine: EngineKind,
) -> Result<(LoadedGame, Position)> {
    let spec = &args.game.game;
    let loaded = match &goal.goal {
        None => load(spec, engine)?,
        Some(text) => noted(goal::with_goal(Source::find(spec)?, goal::find(text)?, engine)?),
    };
    let position = reach(&loaded, &args.from)?;
    Ok((loaded, position))
}
