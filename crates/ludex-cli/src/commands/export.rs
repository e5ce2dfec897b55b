//! `ludex export`: records of games as other programs read them.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ludex::Error;
use ludex::export::{Export, Format, export};
use ludex::replay::{other_game, with_options_of};

use crate::args::EngineArgs;
use crate::commands::replay::{read, warn_of_other_rules};
use crate::failure::{Answer, Done};
use crate::open::load;
use crate::output::Out;

/// Arguments of `export`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex export chess game.txt > game.pgn
  ludex export chess run/games/*.txt > all.pgn
  ludex export hex:11 game.txt --to sgf
  ludex export go:9 - < game.txt

PGN is for games whose notation says `san`, SGF for those that say `sgf` (`ludex games` has
them). Clocks and scores of the record become comments.")]
pub(crate) struct ExportArgs {
    /// A bundled game with its options, or a rules file
    game: String,

    /// The records; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Output format [default: the first in the game's notation]
    #[arg(long, value_parser = format_values())]
    to: Option<Format>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// The formats, as they are written on the command line.
fn format_values() -> impl TypedValueParser<Value = Format> {
    let help = |format: Format| match format {
        Format::Pgn => "Portable game notation, for chess",
        Format::Sgf => "Smart game format, for Go, Hex, Gomoku, Othello and the like",
        Format::Text => "The record itself, tidied",
    };
    let values = Format::ALL.map(|it| PossibleValue::new(it.name()).help(help(it)));
    let named = |name: String| Format::ALL.into_iter().find(|it| it.name() == name);
    PossibleValuesParser::new(values).try_map(move |it| named(it).ok_or("no such format"))
}

/// Writes the records.
pub(crate) fn run(args: &ExportArgs, out: &mut Out) -> Done {
    let mut export_all = Export::new(Format::Text, Vec::new());
    for file in &args.files {
        let record = read(file)?;
        let loaded = load(&with_options_of(&args.game, &record), args.engine.to_answer())?;
        warn_of_other_rules(&loaded, &record);
        if let Some(difference) = other_game(&loaded, &record) {
            return Err(Error::new(format!("`{file}`: {difference}")));
        }
        export_all.format = Format::chosen(args.to, &loaded)?;
        export_all.games.push(export(&loaded, &record, export_all.format)?);
    }
    out.result(&export_all)?;
    Ok(Answer::Yes)
}
