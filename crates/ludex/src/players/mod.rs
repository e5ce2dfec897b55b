//! From the text of a player to the player.
//!
//! ```text
//! uct:c=0.7 ─────────────────────────────> Spec ──┐
//! players/chess/material.player:depth=2 ─> Spec ──┴─> PlayerSpec ──> LoadedPlayer
//!                        (file, search_line, bridge)
//! cmd:./prog args,protocol=uci ──────────> a process in the arena (external)
//! ```
//!
//! A player file is compiled with the rules of the game that is played and searches with a program
//! of its own; its moves come back as moves of the game.

mod bridge;
mod entrant;
mod external;
pub mod file;
mod loaded;
mod own;
mod search_line;
#[cfg(test)]
pub(crate) mod test_players;

use std::sync::Arc;

use ludex_core::text::nearest;
use ludex_core::{Fault, Game};
use ludex_jit::CompiledGame;
use ludex_search::spec::SpecOption;
use ludex_search::{PlayerFamily, PlayerOptions, Spec, SpecError, Unsupported};

use crate::bundled;
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::source::split;

pub use entrant::{Entrant, titles};
use file::PlayerFile;
pub use loaded::LoadedPlayer;
use own::OwnLimits;

/// Players and evaluations of loaded games by name.
pub type Registry = ludex_search::Registry<CompiledGame>;

/// What a `SPEC` stands for, from which any number of players can be made.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    registry: Arc<Registry>,
    search: Spec,
    own: OwnLimits,
    file: Option<Arc<PlayerFile>>,
}

impl PlayerSpec {
    /// What `spec` stands for in a game.
    pub fn read(spec: &str, game: &LoadedGame) -> Result<Self> {
        let registry = game.registry();
        if external::is_external(spec) {
            return Err(only_in_matches(spec));
        }
        let (name, options) = split(spec);
        if registry.family(name).is_ok() {
            return Self::of_search(registry.clone(), spec);
        }
        let Some(source) = file::find_text(name, &game.source.bare_name())? else {
            return Err(unknown(registry, name, &game.source.bare_name()));
        };
        Self::of_file(PlayerFile::read(source, game)?, options)
    }

    fn of_search(registry: Arc<Registry>, spec: &str) -> Result<Self> {
        let spec = spec.parse().and_then(|it| Self::new(registry, it, None));
        spec.map_err(wrong)
    }

    /// A player file with other settings than its own.
    pub fn of_file(file: Arc<PlayerFile>, options: &str) -> Result<Self> {
        let registry = file.loaded.registry().clone();
        let spec = with_options(file.search(), options);
        let spec = spec.and_then(|it| Self::new(registry, it, Some(file)));
        spec.map_err(wrong)
    }

    /// A search with its options, which are checked.
    pub(crate) fn new(
        registry: Arc<Registry>,
        mut search: Spec,
        file: Option<Arc<PlayerFile>>,
    ) -> Result<Self, SpecError> {
        let own = OwnLimits::take(&mut search)?;
        registry.make(search.clone(), PlayerOptions::default())?;
        Ok(Self { registry, search, own, file })
    }

    /// Whether it plays games like this one.
    pub fn supports(&self, game: &LoadedGame) -> Result<(), Unsupported> {
        let family = self.registry.family(&self.search.name);
        family.map_or(Ok(()), |it| it.supports(game.game.info()))
    }

    /// The search, with its options.
    pub fn search(&self) -> &Spec {
        &self.search
    }

    /// How many threads it searches with, where `options` are given to those that do not say.
    pub fn threads(&self, options: PlayerOptions) -> usize {
        let said = self.search.get("threads").and_then(|it| it.parse().ok());
        said.unwrap_or(options.threads)
    }

    /// A hash of the player file, if there is one.
    pub fn text_hash(&self) -> Option<u64> {
        self.file.as_ref().map(|it| it.loaded.source.hash())
    }

    /// The error for a fault of its search, with the line that is at fault.
    fn blame(&self, game: &LoadedGame, fault: Fault) -> Error {
        self.file.as_ref().map_or(game, |it| &it.loaded).blame(fault)
    }

    /// Makes the player.
    pub fn player(&self, options: PlayerOptions) -> Result<LoadedPlayer> {
        let player = self.registry.make(self.search.clone(), options).map_err(wrong)?;
        Ok(LoadedPlayer::new(player, self.own, self.file.clone()))
    }
}

/// A search with other options: `depth=2,nodes=100`. `search=uct` is another search, with none of
/// the options of the first.
fn with_options(mut spec: Spec, options: &str) -> Result<Spec, SpecError> {
    for option in SpecOption::list(options, 0)? {
        if option.key == "search" {
            spec = Spec::new(option.value);
        } else {
            spec.set(option);
        }
    }
    Ok(spec)
}

/// Says so if `spec` is no player of any game, where the game is not known yet.
pub fn refuse_unknown(spec: &str) -> Result<()> {
    if external::is_external(spec) {
        return Err(only_in_matches(spec));
    }
    let (name, _) = split(spec);
    let registry = Registry::standard();
    if registry.family(name).is_ok() {
        return PlayerSpec::of_search(registry.into(), spec).map(|_| ());
    }
    let mut shipped = bundled::player_names().filter_map(|it| it.split_once('/'));
    if shipped.any(|(_, short)| short == name) || file::find_text(name, "")?.is_some() {
        return Ok(());
    }
    Err(unknown(&registry, name, ""))
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
    let help = error.help.unwrap_or_else(|| "`ludex players` lists the players".to_owned());
    Error::with_help(error.message, help)
}

/// There is no such player, in this game at least.
fn unknown(registry: &Registry, name: &str, game: &str) -> Error {
    let of_game = |it: &&str| it.rsplit_once('/').is_some_and(|(_, short)| short == name);
    if let Some(other) = bundled::player_names().find(of_game) {
        let found = other.split('/').next().unwrap_or_default();
        let message = format!("`{name}` plays `{found}`, not `{game}`");
        let help = "a player file knows one game; `ludex players` lists them";
        return Error::with_help(message, help);
    }
    let short = bundled::player_names().filter_map(|it| it.split_once('/'));
    let short = short.filter(|(of, _)| *of == game).map(|(_, short)| short);
    let names = registry.players().iter().map(PlayerFamily::name).chain(short);
    let message = match nearest(name, names) {
        Some(near) => format!("there is no player `{name}`; did you mean `{near}`?"),
        None => format!("there is no player `{name}`"),
    };
    Error::with_help(message, "`ludex players` lists the players")
}
