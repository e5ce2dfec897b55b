//! The same game with another value of an option: another size of the board, another komi.

use ludex::game::LoadedGame;
use ludex::players::LoadedPlayer;
use ludex::{EngineKind, Result};

use super::Setup;
use crate::open::load;

/// The option that is the side of the board.
pub(super) const SIDE: &str = "n";

/// Whether a game has an option.
pub(super) fn has_option(game: &LoadedGame, name: &str) -> bool {
    game.compiled.options.iter().any(|it| it.name == name)
}

/// A game with another value of an option, and a player for it.
pub(super) fn reloaded(
    setup: &Setup,
    game: &LoadedGame,
    key: &str,
    value: u32,
) -> Result<(LoadedGame, LoadedPlayer)> {
    let known: Vec<&str> = game.compiled.options.iter().map(|it| it.name.as_str()).collect();
    let options = with_option(&game.source.options, &known, key, value);
    let loaded = load(&format!("{}:{options}", game.source.name), EngineKind::of(&game.game))?;
    let player = LoadedPlayer::make(&setup.spec, setup.options, &loaded)?;
    Ok((loaded, player))
}

/// Options with one of them changed: those without a name get theirs first.
fn with_option(options: &str, known: &[&str], key: &str, value: u32) -> String {
    let mut given: Vec<(String, String)> = Vec::new();
    let parts = options.split(',').map(str::trim).filter(|it| !it.is_empty());
    for (number, part) in parts.enumerate() {
        match part.split_once('=') {
            Some((name, value)) => given.push((name.to_owned(), value.to_owned())),
            None => {
                let name = known.get(number).copied().unwrap_or_default();
                given.push((name.to_owned(), part.to_owned()));
            }
        }
    }
    given.retain(|(name, _)| name != key);
    given.push((key.to_owned(), value.to_string()));
    let parts: Vec<String> = given.iter().map(|(name, value)| format!("{name}={value}")).collect();
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_changed_by_name() {
        let known = ["n", "komi"];
        assert_eq!(with_option("", &known, "n", 9), "n=9");
        assert_eq!(with_option("13,komi=11", &known, "n", 9), "komi=11,n=9");
        assert_eq!(with_option("13", &known, "komi", 15), "n=13,komi=15");
    }
}
