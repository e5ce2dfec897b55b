//! A goal beside the rules: what is to be reached in a game, instead of winning it.

use std::borrow::Cow;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use ludex_rules::{Compiled, compile_goal, parse};

use crate::args::{EngineKind, PlaceArgs};
use crate::failure::Mistake;
use crate::files::{LARGEST_RULES, read_text};
use crate::load::{Loaded, Source, build_goal, find, load, unusable};
use crate::place::{Place, reach};

/// What the first word of a goal is.
const WORD: &str = "goal ";

/// What is to be reached.
#[derive(Args, Clone, Debug)]
pub(crate) struct GoalArgs {
    /// A goal to reach instead of winning the game: a file, or the text of one
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
}

impl GoalArgs {
    /// Whether there is one.
    pub(crate) fn is_given(&self) -> bool {
        self.goal.is_some()
    }
}

/// The game, with its goal if there is one, and the position that the arguments name.
pub(crate) fn open(
    args: &PlaceArgs,
    goal: &GoalArgs,
    engine: EngineKind,
) -> Result<(Loaded, Place)> {
    let spec = &args.game.game;
    let loaded = match &goal.goal {
        None => load(spec, engine)?,
        Some(goal) => with_goal(find(spec)?, source(goal)?, engine)?,
    };
    let place = reach(&loaded, &loaded.game, &args.from)?;
    Ok((loaded, place))
}

/// A goal that is given as text.
pub(crate) fn of_text(text: String) -> Source {
    let name = "the goal".to_owned();
    Source { file: name.clone(), name, options: String::new(), text: Cow::Owned(text) }
}

/// The goal that an argument names or is.
fn source(goal: &str) -> Result<Source> {
    let is_text = goal.trim_start().starts_with(WORD) || goal.contains('\n');
    if is_text && !Path::new(goal).is_file() {
        return Ok(of_text(goal.to_owned()));
    }
    let text = read_text(Path::new(goal), LARGEST_RULES)?;
    Ok(Source { file: goal.to_owned(), text: Cow::Owned(text), ..of_text(String::new()) })
}

/// The game of some rules in which a goal is to be reached.
pub(crate) fn with_goal(rules: Source, goal: Source, engine: EngineKind) -> Result<Loaded> {
    refuse_others(&rules, &goal)?;
    let compiled = compile(&rules, &goal)?;
    if compiled.has_errors() {
        return Err(unusable(&goal, &compiled.diagnostics).into());
    }
    build_goal(goal, compiled, rules, engine)
}

/// Whether a text is that of a goal.
pub(crate) fn is_goal(text: &str) -> bool {
    parse::parse(text).0.header.is_some_and(|it| it.is_goal)
}

/// Compiles a goal with the rules it is for, which must be right.
pub(crate) fn compile(rules: &Source, goal: &Source) -> Result<Compiled> {
    let game = ludex_rules::compile(&rules.text, &rules.options);
    if game.has_errors() {
        return Err(unusable(rules, &game.diagnostics).into());
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
            Err(Mistake::with_help(message, help).into())
        }
        Some(header) => match header.for_game.filter(|it| it.text != wanted) {
            Some(game) => {
                let message = format!("`{}` is for `{}`, not `{wanted}`", goal.file, game.text);
                Err(Mistake::with_help(message, help).into())
            }
            None => Ok(()),
        },
        // What has no header at all is told by the compiler.
        None => Ok(()),
    }
}
