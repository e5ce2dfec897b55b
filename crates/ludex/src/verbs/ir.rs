//! `ludex ir`: what a rules file becomes.

use anyhow::Result;
use clap::Args;
use ludex_core::text::nearest;
use ludex_ir::{Func, Program};
use serde_json::json;

use crate::args::GameArgs;
use crate::failure::{Answer, Done, Mistake};
use crate::load::load;
use crate::output::Out;

/// Arguments of `ir`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex ir tictactoe
  ludex ir chess --function moves")]
pub(crate) struct IrArgs {
    #[command(flatten)]
    game: GameArgs,

    /// Show one function only
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
}

/// Prints the program.
pub(crate) fn run(args: &IrArgs, out: &mut Out) -> Done {
    let loaded = load(&args.game.game)?;
    let program = loaded.game.program();
    let text = match &args.function {
        Some(name) => functions(program, name)?,
        None => program.to_string(),
    };
    let (cells, bytes) = (program.cells(), 8 * loaded.game.layout().words());
    if out.is_json() {
        let names: Vec<&str> = program.functions.iter().map(|it| it.name.as_str()).collect();
        out.json(
            &json!({ "program": text, "functions": names, "cells": cells, "state_bytes": bytes }),
        )?;
        return Ok(Answer::Yes);
    }
    out.text(&text)?;
    if args.function.is_none() {
        out.line(format_args!("\n; a state has {cells} cells in {bytes} bytes"))?;
    }
    Ok(Answer::Yes)
}

/// The functions called `name`: one routine may be compiled in several ways.
fn functions(program: &Program, name: &str) -> Result<String> {
    let indexed = || (0..).zip(&program.functions);
    let found: Vec<String> = indexed()
        .filter(|(_, it)| it.name == name)
        .map(|(index, _)| program.function_text(Func(index)))
        .collect();
    if !found.is_empty() {
        return Ok(found.join("\n"));
    }
    let names: Vec<&str> = indexed().map(|(_, it)| it.name.as_str()).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("the functions are {}", names.join(", ")),
    };
    Err(Mistake::with_help(format!("there is no function called `{name}`"), help).into())
}
