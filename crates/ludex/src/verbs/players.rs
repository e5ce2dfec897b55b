//! `ludex players`: what can be given as a player.

use clap::Args;
use ludex_rules::parse;
use ludex_search::players::names;
use serde_json::{Value, json};

use crate::bundled::{PLAYERS, TEMPLATE};
use crate::failure::{Answer, Done};
use crate::output::Out;
use crate::thinking::default_player;

/// Arguments of `players`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex players
  ludex players --json | jq -r '.[].name'
  ludex players --template > my.player

Options follow a name after a colon, `uct:c=0.7,threads=2`; `threads`, `seed` and `memory`
(in megabytes), `nodes` and `time` may be said for every player. A player that knows one game
is a file, or one of those that come with the program: `othello/table`, or just `table` in a
game of othello. Options after its name override those of the file. In matches and tournaments
a player may also be a program of somebody else: `cmd:stockfish,protocol=uci`
(docs/outside-programs.md).")]
pub(crate) struct PlayersArgs {
    /// Print a player file to begin with
    #[arg(long)]
    template: bool,
}

/// A player of one game.
struct Shipped {
    name: &'static str,
    game: String,
    title: String,
}

/// Lists the players.
pub(crate) fn run(args: &PlayersArgs, out: &mut Out) -> Done {
    if args.template {
        out.text(TEMPLATE)?;
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

fn shipped(name: &'static str, text: &str) -> Option<Shipped> {
    let header = parse::parse(text).0.header?;
    Some(Shipped { name, game: header.for_game?.text, title: header.title })
}

fn as_json(it: &Shipped) -> Value {
    json!({ "name": it.name, "about": it.title, "default": false, "game": it.game })
}
