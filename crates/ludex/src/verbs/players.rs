//! `ludex players`: what can be given as a player.

use clap::Args;
use ludex_search::players::names;
use serde_json::{Value, json};

use crate::failure::{Answer, Done};
use crate::output::Out;
use crate::thinking::default_player;

/// Arguments of `players`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex players
  ludex players --json | jq -r '.[].name'

Options follow a name after a colon, `uct:c=0.7,threads=2`; `threads`, `seed` and `memory`
(in megabytes) may be said for every player.")]
pub(crate) struct PlayersArgs {}

/// Lists the players.
pub(crate) fn run(_args: &PlayersArgs, out: &mut Out) -> Done {
    let default = default_player();
    if out.is_json() {
        let entry = |(name, about): (&str, &str)| json!({ "name": name, "about": about, "default": name == default });
        out.json(&Value::Array(names().into_iter().map(entry).collect()))?;
        return Ok(Answer::Yes);
    }
    let widest = names().iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, about) in names() {
        let mark = if name == default { " (the default)" } else { "" };
        out.line(format_args!("{name:<widest$}  {about}{mark}"))?;
    }
    Ok(Answer::Yes)
}
