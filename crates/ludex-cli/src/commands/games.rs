//! `ludex games`: the bundled games.

use clap::Args;
use ludex::catalogue::{GameEntry, games};

use crate::failure::{Answer, Done};
use crate::output::Out;

/// Arguments of `games`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex games
  ludex games --json | jq -r '.[].name'

Options stand after a colon, in this order or by name: hex:11, chess:castling=no.")]
pub(crate) struct GamesArgs {
    /// Show what kind of game each one is
    #[arg(short, long)]
    verbose: bool,
}

/// Lists the bundled games.
pub(crate) fn run(args: &GamesArgs, out: &mut Out) -> Done {
    let games = games();
    if out.is_json() {
        out.json(&games)?;
        return Ok(Answer::Yes);
    }
    let width = |of: &dyn Fn(&GameEntry) -> usize| games.iter().map(of).max().unwrap_or(0);
    let names = width(&|it| it.name.len());
    let titles = width(&|it| it.title.chars().count());
    let players = width(&|it| it.players.names.join(", ").len());
    for it in &games {
        let options: Vec<String> = it.options.iter().map(ToString::to_string).collect();
        let row = format!(
            "{:names$}  {:titles$}  {:players$}  {}",
            it.name,
            it.title,
            it.players.names.join(", "),
            options.join(", ")
        );
        out.line(row.trim_end())?;
        if let Some(info) = it.info.as_ref().filter(|_| args.verbose) {
            out.line(format_args!("{:names$}  {}", "", info.text))?;
        }
    }
    Ok(Answer::Yes)
}
