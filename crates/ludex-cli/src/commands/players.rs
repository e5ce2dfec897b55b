//! `ludex players`: what can be given as a player.

use clap::Args;
use ludex::bundled::{self, TEMPLATE};
use ludex::catalogue::players;
use ludex::{Error, Result};

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
(in megabytes), `nodes` and `time` are options of every player. A player that knows one game
is a file, or one of those that come with the program: `othello/table`, or just `table` in a
game of othello. Options after its name override those of the file. In matches and tournaments
a player may also be an external engine: `cmd:stockfish,protocol=uci`
(docs/guide/external-engines.md).")]
pub(crate) struct PlayersArgs {
    /// Print a player file to begin with; some games have one of their own
    #[arg(long, value_name = "GAME", num_args = 0..=1, default_missing_value = "")]
    template: Option<String>,
}

/// Lists the players.
pub(crate) fn run(args: &PlayersArgs, out: &mut Out) -> Done {
    if let Some(game) = &args.template {
        out.text(template(game)?)?;
        return Ok(Answer::Yes);
    }
    let players = players();
    if out.is_json() {
        out.json(&players)?;
        return Ok(Answer::Yes);
    }
    let widest = players.iter().map(|it| it.name.len()).max().unwrap_or(0);
    for it in players {
        let note = match &it.game {
            Some(game) => format!("; plays {game}"),
            None if it.default => " (the default)".to_owned(),
            None => String::new(),
        };
        out.line(format_args!("{:<widest$}  {}{note}", it.name, it.about))?;
    }
    Ok(Answer::Yes)
}

/// The file to begin with for a game; without a game the usual one.
fn template(game: &str) -> Result<&'static str> {
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
