//! `ludex ir`: what a rules file becomes.

use std::borrow::Cow;

use clap::Args;
use ludex::{Error, Result};
use ludex_core::text::nearest;
use ludex_ir::passes::optimise;
use ludex_ir::{Func, Program};
use ludex_jit::CompiledGame;
use serde_json::json;

use crate::args::GameArgs;
use crate::failure::{Answer, Done};
use crate::open::load;
use crate::output::Out;

/// Arguments of `ir`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex ir tictactoe
  ludex ir chess --function moves
  ludex ir hex:5 --optimised")]
pub(crate) struct IrArgs {
    #[command(flatten)]
    game: GameArgs,

    /// Show the program after all passes, as native code is made of it
    #[arg(long)]
    optimised: bool,

    /// Show one function only
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
}

/// Prints the program.
pub(crate) fn run(args: &IrArgs, out: &mut Out) -> Done {
    let loaded = load(&args.game.game, args.game.engine.to_play())?;
    let mut program: Cow<'_, Program> = Cow::Borrowed(loaded.game.program());
    if args.optimised {
        program = Cow::Owned(optimise(&program).program);
    }
    let text = match &args.function {
        Some(name) => functions(&program, name)?,
        None => program.to_string(),
    };
    let size = StateSize::of(&loaded.game);
    if out.is_json() {
        let names: Vec<&str> = program.functions.iter().map(|it| it.name.as_str()).collect();
        out.json(&json!({
            "program": text,
            "functions": names,
            "cells": size.cells,
            "state_bytes": size.native.unwrap_or(size.interpreted),
            "native_state_bytes": size.native,
            "interpreter_state_bytes": size.interpreted,
        }))?;
        return Ok(Answer::Yes);
    }
    out.text(&text)?;
    if args.function.is_none() {
        out.line(format_args!("\n; {}", size.text()))?;
    }
    Ok(Answer::Yes)
}

/// How large a state is.
#[derive(Clone, Copy, Debug)]
struct StateSize {
    cells: usize,
    /// Bytes in native code, where there is such.
    native: Option<usize>,
    /// Bytes in the interpreter.
    interpreted: usize,
}

impl StateSize {
    fn of(game: &CompiledGame) -> Self {
        Self {
            cells: game.program().cells(),
            native: game.native_state_bytes(),
            interpreted: 8 * game.interpreter().layout().words(),
        }
    }

    fn text(self) -> String {
        let Self { cells, interpreted, .. } = self;
        let native = self.native.map(|it| format!("{it} bytes natively, ")).unwrap_or_default();
        format!("a state has {cells} cells in {native}{interpreted} bytes interpreted")
    }
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
    Err(Error::with_help(format!("there is no function called `{name}`"), help))
}
