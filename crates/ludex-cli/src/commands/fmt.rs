//! `ludex fmt`: the usual layout of rules and player files.

use std::io;
use std::path::Path;

use clap::Args;
use ludex::files::{LARGEST_RULES, read_limited, read_text, write_whole};
use ludex::{Error, Result, Source};
use ludex_rules::fmt::format;
use serde_json::json;

use crate::failure::{Answer, Done};
use crate::output::Out;

/// The name that stands for standard input.
const STDIN: &str = "-";

/// Arguments of `fmt`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex fmt my.game
  ludex fmt --check games/*.game
  ludex fmt - < my.game

A file with errors is not touched.")]
pub(crate) struct FmtArgs {
    /// Files to format in place; `-` reads standard input and writes standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Only list the files that would change
    #[arg(long)]
    check: bool,
}

/// Formats the files.
pub(crate) fn run(args: &FmtArgs, out: &mut Out) -> Done {
    let mut changed = false;
    for file in &args.files {
        changed |= one(file, args.check, out)?;
    }
    Ok(if changed && args.check { Answer::No } else { Answer::Yes })
}

/// Formats one file: whether it was or would be changed.
fn one(file: &str, check: bool, out: &mut Out) -> Result<bool> {
    let stdin = file == STDIN;
    let text = if stdin {
        read_limited(io::stdin().lock(), LARGEST_RULES, "standard input")?
    } else {
        read_text(Path::new(file), LARGEST_RULES)?
    };
    let name = if stdin { "standard input" } else { file };
    let formatted = format(&text)
        .map_err(|errors| Error::in_rules(Source::of_text(name, text.clone(), ""), errors, None))?;
    let changed = formatted != text;
    if changed && !check && !stdin {
        write_whole(Path::new(file), &formatted)?;
    }
    if out.is_json() {
        let mut value = json!({ "file": file, "changed": changed });
        if stdin && !check {
            value["text"] = json!(formatted);
        }
        out.json(&value)?;
    } else if stdin && !check {
        out.text(&formatted)?;
    } else if changed {
        out.line(name)?;
    }
    Ok(changed)
}
