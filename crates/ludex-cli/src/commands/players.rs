//! `ludex players`: what can be given as a player.

use clap::Args;
use ludex::Error;
use ludex::analysis::default_player;
use ludex::bundled::{self, PLAYERS, TEMPLATE};
use ludex_rules::parse;
use ludex_search::players::names;
use serde_json::{Value, json};

use crate::failure::{Answer, Done};
use crate::output::Out;

/// Arguments of `players`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex players
  ludex players --json | jq -r '.[].name'
  ludex players --template > my.player
  ludex players --template phutball > my.player

Options follow a name after a colon, `uct:c=0.7,threads=2`; `threads`, `seed` and `memory`
(in megabytes), `nodes` and `time` may be said for every player. A player that knows one game
is a file, or one of those that come with the program: `othello/table`, or just `table` in a
game of othello. Options after its name override those of the file. In matches and tournaments
a player may also be a program of somebody else: `cmd:stockfish,protocol=uci`
(docs/guide/external-engines.md).")]
pub(crate) struct PlayersArgs {
    /// Print a player file to begin with; some games have one of their own
    #[arg(long, value_name = "GAME", num_args = 0..=1, default_missing_value = "")]
    template: Option<String>,
}

/// A player of one game.
struct Shipped {
    name: &'static str,
    game: String,
    title: String,
}

/// Lists the players.
pub(crate) fn run(args: &PlayersArgs, out: &mut Out) -> Done {
    if let Some(game) = &args.template {
        out.text(template(game)?)?;
        return Ok(Answer::Yes);
    }
    let default = default_player();
    let shipped: Vec<Shipped> = PLAYERS.iter().filter_map(|it| shipped(it.0, it.1)).collect();
    if out.is_json() {
        let search = |(name, about): (&str, &str)| json!({ "name": name, "about": about, "default": name == default, "game": null });
        let searches = names().into_iter().map(search);
        out.json(&Value::Array(searches.chain(shipped.iter().map(as_json)).collect()))?;
        return Ok(Answer::Yes);
    }
    let widths = names().into_iter().map(|it| it.0.len());
    let widest = widths.chain(shipped.iter().map(|it| it.name.len())).max().unwrap_or(0);
    for (name, about) in names() {
        let mark = if name == default { " (the default)" } else { "" };
        out.line(format_args!("{name:<widest$}  {about}{mark}"))?;
    }
    for Shipped { name, game, title } in shipped {
        out.line(format_args!("{name:<widest$}  {title}; plays {game}"))?;
    }
    Ok(Answer::Yes)
}

/// The file to begin with for a game; without a game the usual one.
fn template(game: &str) -> Result<&'static str, Error> {
    if game.is_empty() {
        return Ok(TEMPLATE);
    }
    if let Some((_, text)) = bundled::player(&format!("{game}/template")) {
        return Ok(text);
    }
    let with_own = bundled::player_names().filter_map(|it| it.strip_suffix("/template"));
    let with_own: Vec<&str> = with_own.collect();
    let message = format!("`{game}` has no template of its own");
    let help = format!("{} has; `--template` alone is for any game", with_own.join(", "));
    Err(Error::with_help(message, help))
}

fn shipped(name: &'static str, text: &str) -> Option<Shipped> {
    let header = parse::parse(text).0.header?;
    Some(Shipped { name, game: header.for_game?.text, title: header.title })
}

fn as_json(it: &Shipped) -> Value {
    json!({ "name": it.name, "about": it.title, "default": false, "game": it.game })
}
