//! `ludex games`: the bundled games.

use clap::Args;
use ludex::bundled::GAMES;
use ludex_rules::compile;
use ludex_rules::compile::{OptionInfo, OptionKind};
use serde_json::{Value, json};

use crate::failure::{Answer, Done};
use crate::output::Out;

/// Arguments of `games`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex games
  ludex games --json | jq -r '.[].name'

Options stand after a colon, in this order or by name: hex:11, chess:castling=no.")]
pub(crate) struct GamesArgs {}

/// What is told about a game.
struct Entry {
    name: &'static str,
    title: String,
    players: Vec<String>,
    options: Vec<OptionInfo>,
}

/// Lists the bundled games.
pub(crate) fn run(_: &GamesArgs, out: &mut Out) -> Done {
    let entries: Vec<Entry> = GAMES.iter().map(|(name, rules)| entry(name, rules)).collect();
    if out.is_json() {
        out.json(&entries.iter().map(as_json).collect::<Vec<Value>>())?;
        return Ok(Answer::Yes);
    }
    let width = |of: &dyn Fn(&Entry) -> usize| entries.iter().map(of).max().unwrap_or(0);
    let names = width(&|it| it.name.len());
    let titles = width(&|it| it.title.chars().count());
    let players = width(&|it| it.players.join(", ").len());
    for it in &entries {
        let options: Vec<String> = it.options.iter().map(option_text).collect();
        let row = format!(
            "{:names$}  {:titles$}  {:players$}  {}",
            it.name,
            it.title,
            it.players.join(", "),
            options.join(", ")
        );
        out.line(row.trim_end())?;
    }
    Ok(Answer::Yes)
}

fn entry(name: &'static str, rules: &str) -> Entry {
    let compiled = compile(rules, "");
    let players = compiled.program.map(|it| it.players).unwrap_or_default();
    Entry { name, title: compiled.title, players, options: compiled.options }
}

/// An option with its default and its range: `n=11 (2..26)`.
fn option_text(option: &OptionInfo) -> String {
    let values = match &option.kind {
        OptionKind::Number(lo, hi) => format!(" ({lo}..{hi})"),
        OptionKind::Truth => String::new(),
        OptionKind::Words(words) => format!(" ({})", words.join("|")),
    };
    format!("{}={}{values}", option.name, option.default)
}

fn as_json(entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "title": entry.title,
        "players": { "number": entry.players.len(), "names": entry.players },
        "options": entry.options.iter().map(option_json).collect::<Vec<_>>(),
    })
}

fn option_json(option: &OptionInfo) -> Value {
    let (kind, range) = match &option.kind {
        OptionKind::Number(lo, hi) => ("number", json!([lo, hi])),
        OptionKind::Truth => ("truth", json!(["yes", "no"])),
        OptionKind::Words(words) => ("word", json!(words)),
    };
    json!({ "name": option.name, "kind": kind, "default": option.default, "range": range })
}
