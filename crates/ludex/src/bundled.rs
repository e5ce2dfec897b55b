//! What comes with the program: every file of `games/` and `players/`, taken in when it is built.

/// Names and rules, sorted by name.
pub const GAMES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// Player files: their names (`chess/material`) and texts, sorted by name.
pub const PLAYERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/players.rs"));

/// A player file to begin with.
pub const TEMPLATE: &str = include_str!("../players/template.player");

/// The rules of a bundled game.
pub fn rules(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(it, _)| *it == name).map(|(_, rules)| *rules)
}

/// The names of the bundled games.
pub fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|(name, _)| *name)
}

/// A bundled player file: its name and its text.
pub fn player(name: &str) -> Option<(&'static str, &'static str)> {
    PLAYERS.iter().find(|(it, _)| *it == name).copied()
}

/// The names of the bundled player files.
pub fn player_names() -> impl Iterator<Item = &'static str> {
    PLAYERS.iter().map(|(name, _)| *name)
}
