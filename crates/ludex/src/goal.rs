//! A goal beside the rules: what is to be reached in a game, instead of winning it.

use std::borrow::Cow;
use std::path::Path;

use ludex_rules::{Compiled, compile_goal, parse};

use crate::engine::EngineKind;
use crate::error::{Error, Result};
use crate::files::{LARGEST_RULES, read_text};
use crate::game::{LoadedGame, unusable};
use crate::source::Source;

/// What the first word of a goal is.
const WORD: &str = "goal ";

/// A goal that is given as text.
pub fn of_text(text: String) -> Source {
    Source::of_text("the goal", text, "")
}

/// The goal that an argument names or is.
pub fn find(goal: &str) -> Result<Source> {
    let is_text = goal.trim_start().starts_with(WORD) || goal.contains('\n');
    if is_text && !Path::new(goal).is_file() {
        return Ok(of_text(goal.to_owned()));
    }
    let text = read_text(Path::new(goal), LARGEST_RULES)?;
    Ok(Source { file: goal.to_owned(), text: Cow::Owned(text), ..of_text(String::new()) })
}

/// The game of some rules in which a goal is to be reached.
pub fn with_goal(rules: Source, goal: Source, engine: EngineKind) -> Result<LoadedGame> {
    refuse_others(&rules, &goal)?;
    let compiled = compile(&rules, &goal)?;
    if compiled.has_errors() {
        return Err(unusable(&goal, &compiled.diagnostics));
    }
    LoadedGame::build_goal(goal, compiled, rules, engine)
}

/// Whether a text is that of a goal.
pub fn is_goal(text: &str) -> bool {
    parse::parse(text).0.header.is_some_and(|it| it.is_goal)
}

/// Compiles a goal with the rules it is for, which must be right.
pub fn compile(rules: &Source, goal: &Source) -> Result<Compiled> {
    let game = ludex_rules::compile(&rules.text, &rules.options);
    if game.has_errors() {
        return Err(unusable(rules, &game.diagnostics));
    }
    Ok(compile_goal(&rules.text, &rules.options, &goal.text))
}

/// Refuses files that are no goals, and goals of other games.
fn refuse_others(rules: &Source, goal: &Source) -> Result<()> {
    let wanted = rules.bare_name();
    let help = format!("a goal begins with `goal \"Title\" for {wanted}`");
    match parse::parse(&goal.text).0.header {
        Some(header) if !header.is_goal => {
            let message = format!("`{}` is no goal", goal.file);
            Err(Error::with_help(message, help))
        }
        Some(header) => match header.for_game.filter(|it| it.text != wanted) {
            Some(game) => {
                let message = format!("`{}` is for `{}`, not `{wanted}`", goal.file, game.text);
                Err(Error::with_help(message, help))
            }
            None => Ok(()),
        },
        // The compiler reports a missing header.
        None => Ok(()),
    }
}
