//! From `SPEC` on the command line to a player that thinks.
//!
//! ```text
//! uct:c=0.7 ───────────────────────────────> a search ──┐
//! players/chess/material.player:depth=2 ─> evaluation ──┴──> LoadedPlayer
//!                                (file)      (bridge)
//! cmd:./prog args,protocol=uci ──> a process ─────────────> in the arena (outside)
//! ```
//!
//! A player file is compiled with the rules of the game that is played and thinks with a program
//! of its own; its moves come back as moves of the game.

mod bridge;
mod entrant;
pub mod file;
mod loaded;
mod outside;
mod own;
mod search_line;

use std::sync::Arc;

use ludex_core::Fault;
use ludex_core::text::nearest;
use ludex_search::spec::SpecError;
use ludex_search::{PlayerOptions, players};

use crate::bundled;
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::source::split;

pub use entrant::{Entrant, titles};
use file::PlayerFile;
pub use loaded::LoadedPlayer;
use own::OwnLimits;
use search_line::Wish;

/// What a `SPEC` stands for, ready to be made as often as one likes.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// The search, with its options.
    search: String,
    own: OwnLimits,
    file: Option<Arc<PlayerFile>>,
}

impl PlayerSpec {
    /// What `spec` stands for in a game.
    pub fn read(spec: &str, game: &LoadedGame) -> Result<Self> {
        if outside::is_outside(spec) {
            return Err(only_in_matches(spec).into());
        }
        let (name, options) = split(spec);
        if is_search(name) {
            return Self::of_search(name, options);
        }
        let Some(source) = file::find_text(name, &game.source.bare_name())? else {
            return Err(unknown(name, &game.source.bare_name()).into());
        };
        let file = PlayerFile::read(source, game)?;
        Self::of_file(file, options)
    }

    fn of_search(name: &str, options: &str) -> Result<Self> {
        let wish = Wish { name: name.to_owned(), settings: Vec::new() };
        Self::wished(wish.with(options), None).map_err(|it| wrong(it).into())
    }

    /// A player file with other settings than its own.
    pub fn of_file(file: Arc<PlayerFile>, options: &str) -> Result<Self> {
        let wish = file.wish().with(options);
        Self::wished(wish, Some(file)).map_err(|it| wrong(it).into())
    }

    fn wished(
        wish: Result<Wish, SpecError>,
        file: Option<Arc<PlayerFile>>,
    ) -> Result<Self, SpecError> {
        let (search, own) = wish?.made()?;
        Ok(Self { search, own, file })
    }

    /// The search, with its options.
    pub fn search(&self) -> &str {
        &self.search
    }

    /// How many threads it thinks with, where `means` are given to those who do not say.
    pub fn threads(&self, means: PlayerOptions) -> usize {
        let said =
            split(&self.search).1.split(',').find_map(|it| it.trim().strip_prefix("threads="));
        said.and_then(|it| it.parse().ok()).unwrap_or(means.threads)
    }

    /// A hash of the player file, if there is one.
    pub fn text_hash(&self) -> Option<u64> {
        self.file.as_ref().map(|it| it.loaded.source.hash())
    }

    /// The error for a fault of its thinking, with the line that is at fault.
    fn blame(&self, game: &LoadedGame, fault: Fault) -> Error {
        self.file.as_ref().map_or(game, |it| &it.loaded).blame(fault)
    }

    /// Makes the player.
    pub fn player(&self, means: PlayerOptions) -> Result<LoadedPlayer> {
        let player = players::player(&self.search, means).map_err(wrong)?;
        Ok(LoadedPlayer::new(player, self.own, self.file.clone()))
    }
}

fn is_search(name: &str) -> bool {
    players::names().iter().any(|(it, _)| *it == name)
}

/// Says so if `spec` is no player of any game, where the game is not known yet.
pub fn refuse_unknown(spec: &str) -> Result<()> {
    if outside::is_outside(spec) {
        return Err(only_in_matches(spec).into());
    }
    let (name, options) = split(spec);
    if is_search(name) {
        return PlayerSpec::of_search(name, options).map(|_| ());
    }
    let mut shipped = bundled::player_names().filter_map(|it| it.split_once('/'));
    if shipped.any(|(_, short)| short == name) || file::find_text(name, "")?.is_some() {
        return Ok(());
    }
    Err(unknown(name, "").into())
}

fn only_in_matches(spec: &str) -> Error {
    let message =
        format!("`{spec}` is an external engine, which plays in matches and tournaments only");
    Error::with_help(
        message,
        "`ludex match GAME A B` plays a match; see docs/guide/external-engines.md",
    )
}

fn wrong(error: SpecError) -> Error {
    Error::with_help(error.message, "`ludex players` lists the players")
}

/// There is no such player, in this game at least.
fn unknown(name: &str, game: &str) -> Error {
    let of_game = |it: &&str| it.rsplit_once('/').is_some_and(|(_, short)| short == name);
    if let Some(other) = bundled::player_names().find(of_game) {
        let found = other.split('/').next().unwrap_or_default();
        let message = format!("`{name}` plays `{found}`, not `{game}`");
        let help = "a player file knows one game; `ludex players` lists them";
        return Error::with_help(message, help);
    }
    let searches = players::names();
    let short = bundled::player_names().filter_map(|it| it.split_once('/'));
    let short = short.filter(|(of, _)| *of == game).map(|(_, short)| short);
    let names = searches.iter().map(|(it, _)| *it).chain(short);
    let message = match nearest(name, names) {
        Some(near) => format!("there is no player `{name}`; did you mean `{near}`?"),
        None => format!("there is no player `{name}`"),
    };
    Error::with_help(message, "`ludex players` lists the players")
}
