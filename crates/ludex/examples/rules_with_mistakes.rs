//! Compiles rules from a string and shows what is wrong with them.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use ludex::{EngineKind, Error, LoadedGame, Source};

const RULES: &str = r#"game "Line of two"
board square 3 by 1
players A, B
men stone

moves
  for a in squares
    if a is emty: put stone on a

result
  if line(mine, 2): victory
"#;

pub(crate) fn main() -> ludex::Result<()> {
    let source = Source::of_text("two.game", RULES, "");
    let error = LoadedGame::of_source(source, EngineKind::Native).expect_err("`emty` is a mistake");
    println!("{error}");
    let Error::Rules(rules) = &error else { return Err(error) };
    assert!(rules.diagnostics.iter().any(|it| it.help.is_some()));

    let mended = Source::of_text("two.game", RULES.replace("emty", "empty"), "");
    match LoadedGame::of_source(mended, EngineKind::Native) {
        Ok(game) => println!("{} has {} players", game.source.name, game.info().players.len()),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
