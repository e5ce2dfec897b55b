//! The games that come with the program: every file of `games/`, taken in when it is built.

/// Names and rules, sorted by name.
pub(crate) const GAMES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The rules of a bundled game.
pub(crate) fn rules(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(it, _)| *it == name).map(|(_, rules)| *rules)
}

/// The names of the bundled games.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|(name, _)| *name)
}
