//! A position of a game, as the command line names it.

use anyhow::Result;
use ludex_core::turns::{Choices, named_turn};
use ludex_core::{Game, State, Trail, Turn};

use crate::args::{EngineKind, FromArgs, PlaceArgs};
use crate::engine::Engine;
use crate::failure::{Mistake, did_you_mean};
use crate::load::{Loaded, load};
use crate::words::{Ending, ending};

/// A position that was reached.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The cells.
    pub(crate) state: State,
    /// The past.
    pub(crate) trail: Trail,
}

/// The game and the position that the arguments name.
pub(crate) fn open(args: &PlaceArgs) -> Result<(Loaded, Place)> {
    open_with(args, args.game.engine.to_answer())
}

/// The game and the position that the arguments name, run by an engine of this kind.
pub(crate) fn open_with(args: &PlaceArgs, engine: EngineKind) -> Result<(Loaded, Place)> {
    let loaded = load(&args.game.game, engine)?;
    let place = reach(&loaded, &loaded.game, &args.from)?;
    Ok((loaded, place))
}

/// The position that the arguments name, reached by the rules of `game`.
pub(crate) fn reach(loaded: &Loaded, game: &Engine, from: &FromArgs) -> Result<Place> {
    let mut place = match &from.position {
        Some(text) => read(game, text)?,
        None => start(game),
    };
    let moves = from.moves.as_deref().unwrap_or_default();
    for (number, name) in (1..).zip(moves.split_whitespace()) {
        place.play(loaded, game, number, name)?;
    }
    Ok(place)
}

/// Where the game starts.
pub(crate) fn start(game: &Engine) -> Place {
    let (state, trail) = game.start();
    Place { state, trail }
}

/// The position that `text` describes.
pub(crate) fn read(game: &Engine, text: &str) -> Result<Place> {
    let state =
        game.read_position(text).map_err(|it| Mistake::in_text("the position", text, &it))?;
    let trail = game.trail_from(&state);
    Ok(Place { state, trail })
}

impl Place {
    /// Plays the move number `number` of `--moves` or of a record.
    pub(crate) fn play(
        &mut self,
        loaded: &Loaded,
        game: &Engine,
        number: u32,
        name: &str,
    ) -> Result<()> {
        let mut choices = Choices::default();
        let turn = choices.fill(game, &self.state, &self.trail);
        if turn.map_err(|it| loaded.blame(it))? == Turn::Over {
            let message = format!("move {number}: the game is over before `{name}`");
            return Err(Mistake::new(message).into());
        }
        let mut moves = Vec::new();
        let found = named_turn(game, &self.state, &self.trail, &choices, name, &mut moves);
        found.map_err(|it| loaded.blame(it))?.map_err(|error| {
            let help = did_you_mean(error.nearest.as_deref()).unwrap_or_else(|| {
                format!("`ludex moves {}` lists the legal moves", loaded.source.spec())
            });
            Mistake::with_help(format!("move {number}: {}", error.message), help)
        })?;
        let played = game.apply(&mut self.state, &mut self.trail, &moves);
        played.map_err(|it| loaded.blame(it))
    }

    /// Who decides next.
    pub(crate) fn turn(&self, loaded: &Loaded) -> Result<Turn> {
        loaded.game.turn(&self.state, &self.trail).map_err(|it| loaded.blame(it))
    }

    /// How the game ended, if it is over.
    pub(crate) fn ending(&self, loaded: &Loaded) -> Result<Option<Ending>> {
        if self.turn(loaded)? != Turn::Over {
            return Ok(None);
        }
        let ending = ending(&loaded.game, &self.state, &self.trail);
        ending.map(Some).map_err(|it| loaded.blame(it))
    }
}
