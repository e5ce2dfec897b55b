//! A player file: an evaluation and a policy for one game, compiled together with its rules.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use ludex_jit::CompiledGame;
use ludex_rules::{Compiled, compile_player, parse};
use ludex_search::Spec;

use super::bridge::Bridge;
use super::search_line;
use crate::bundled;
use crate::error::{Error, Result};
use crate::files::{LARGEST_RULES, read_text};
use crate::game::{LoadedGame, unusable};
use crate::goal::is_goal;
use crate::source::Source;

/// How the names of player files end.
const ENDING: &str = ".player";

/// Where player files are, beside the games.
const FOLDER: &str = "players/";

/// A player file that can play.
#[derive(Debug)]
pub struct PlayerFile {
    /// The file with the rules it was compiled with.
    pub loaded: LoadedGame,
    /// From its moves to those of the game.
    pub(crate) bridge: Bridge,
}

/// The text of a player, if `name` stands for a player file of `game`.
///
/// A file comes first; `players/chess/material.player`, `chess/material` and, in a game of
/// chess, `material` are also found in the program itself.
pub(crate) fn find_text(name: &str, game: &str) -> Result<Option<Source>> {
    let path = Path::new(name);
    let is_file = path.is_file();
    if !is_file && let Some((short, text)) = bundled_text(name, game) {
        let file = format!("{FOLDER}{short}{ENDING}");
        return Ok(Some(source(name, file, Cow::Borrowed(text))));
    }
    if is_file || name.contains('/') || name.ends_with(ENDING) {
        let text = read_text(path, LARGEST_RULES)?;
        return Ok(Some(source(name, name.to_owned(), Cow::Owned(text))));
    }
    Ok(None)
}

fn source(name: &str, file: String, text: Cow<'static, str>) -> Source {
    Source { name: name.to_owned(), options: String::new(), file, text }
}

fn bundled_text(name: &str, game: &str) -> Option<(&'static str, &'static str)> {
    let bare = name.strip_suffix(ENDING).unwrap_or(name);
    let bare = bare.strip_prefix(FOLDER).unwrap_or(bare);
    bundled::player(bare).or_else(|| bundled::player(&format!("{game}/{bare}")))
}

/// A player file that comes with the program, by its name or its path.
pub fn find_bundled(name: &str) -> Option<Source> {
    let (short, text) = bundled_text(name, "")?;
    Some(source(name, format!("{FOLDER}{short}{ENDING}"), Cow::Borrowed(text)))
}

/// The game that a player file is for.
pub fn game_of(source: &Source) -> Option<String> {
    parse::parse(&source.text).0.header?.for_game.map(|it| it.text)
}

/// The rules that a player file is for.
pub fn rules_of(source: &Source, game: &str) -> Result<Source> {
    // A game beside the player comes first: its author may be writing both.
    let beside = Path::new(&source.file).with_file_name(format!("{game}.game"));
    if beside.is_file() {
        return Source::find(&beside.display().to_string());
    }
    Source::find(game)
}

/// Compiles a player file with the rules of a game. Its search is checked as well.
pub fn compile(source: &Source, game: &LoadedGame) -> Compiled {
    let mut compiled = compile_player(&game.source.text, &game.source.options, &source.text);
    if let Some(search) = &compiled.search {
        let registry = game.registry().clone();
        compiled.diagnostics.extend(search_line::check(registry, search, game.game.program()));
    }
    compiled
}

impl PlayerFile {
    /// The player of a file, for a game that is loaded.
    pub(crate) fn read(source: Source, game: &LoadedGame) -> Result<Arc<Self>> {
        let wanted = game.source.bare_name();
        let header = parse::parse(&source.text).0.header;
        if header.as_ref().is_some_and(|it| it.is_goal) {
            return Err(not_a_player(&source, &wanted));
        }
        match header.map(|it| it.for_game) {
            Some(Some(found)) if found.text != wanted => {
                return Err(other_game(&source, &found.text, &wanted));
            }
            Some(None) => return Err(not_a_player(&source, &wanted)),
            // The compiler reports a missing header.
            _ => {}
        }
        let compiled = compile(&source, game);
        Self::build(source, compiled, game)
    }

    /// Makes a player of what the compiler gave.
    pub fn build(source: Source, compiled: Compiled, game: &LoadedGame) -> Result<Arc<Self>> {
        if compiled.has_errors() {
            return Err(unusable(&source, &compiled.diagnostics));
        }
        let loaded = LoadedGame::build_player(source, compiled, game)?;
        let bridge = Bridge::new(&loaded.game, &game.game).map_err(|what| {
            let (file, game) = (&loaded.source.file, game.source.spec());
            let message = format!("`{file}` cannot play `{game}`: {what} would not be the same");
            Error::with_help(message, "directions and moves of its own may be too many for it")
        })?;
        Ok(Arc::new(Self { loaded, bridge }))
    }

    /// The search that the file names, or the one that suits it.
    pub(crate) fn search(&self) -> Spec {
        search_line::spec(self.loaded.compiled.search.as_ref(), self.engine().program())
    }

    /// Its evaluation and policy, with the rules.
    pub fn engine(&self) -> &CompiledGame {
        &self.loaded.game
    }

    /// What it calls itself.
    pub(crate) fn title(&self) -> &str {
        &self.loaded.compiled.title
    }
}

fn not_a_player(source: &Source, game: &str) -> Error {
    let what = if is_goal(&source.text) { "goal" } else { "game" };
    let message = format!("`{}` is a {what}, not a player", source.file);
    Error::with_help(message, format!("a player file begins with `player \"Name\" for {game}`"))
}

fn other_game(source: &Source, found: &str, wanted: &str) -> Error {
    let message = format!("`{}` plays `{found}`, not `{wanted}`", source.file);
    Error::with_help(message, "a player file knows one game, which its first line names")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::players::test_players;

    #[test]
    fn a_file_may_name_a_search_of_another_registry() {
        let game = LoadedGame::load("tictactoe", EngineKind::Interpreter).expect("it is bundled");
        let text = "player \"P\" for tictactoe\n\nsearch first\n\nevaluate\n  return 1\n";
        let read =
            |game: &LoadedGame| PlayerFile::read(Source::of_text("p.player", text, ""), game);
        assert!(read(&game).is_err(), "it has no search `first`");
        let game = game.with_registry(test_players::registry());
        let file = read(&game).expect("`first` was added");
        assert_eq!(file.search().name, "first");
    }
}
