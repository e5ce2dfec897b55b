//! What comes with the program: every file of `games/` and `players/`, taken in when it is built.

/// Names and rules, sorted by name.
pub(crate) const GAMES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// Player files: their names (`chess/material`) and texts, sorted by name.
pub(crate) const PLAYERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/players.rs"));

/// A player file to begin with.
pub(crate) const TEMPLATE: &str = include_str!("../../../players/template.player");

/// The rules of a bundled game.
pub(crate) fn rules(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(it, _)| *it == name).map(|(_, rules)| *rules)
}

/// The names of the bundled games.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|(name, _)| *name)
}

/// A bundled player file: its name and its text.
pub(crate) fn player(name: &str) -> Option<(&'static str, &'static str)> {
    PLAYERS.iter().find(|(it, _)| *it == name).copied()
}

/// The names of the bundled player files.
pub(crate) fn player_names() -> impl Iterator<Item = &'static str> {
    PLAYERS.iter().map(|(name, _)| *name)
}
