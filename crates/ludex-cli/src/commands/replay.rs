//! `ludex replay`: is a record right?

use std::io;
use std::path::Path;

use clap::Args;
use ludex::Result;
use ludex::files::{read_limited, read_text};
use ludex::game::LoadedGame;
use ludex::replay::{self, check, has_other_rules, with_options_of};
use ludex_core::record::{LONGEST_RECORD, Record};

use crate::args::EngineArgs;
use crate::failure::{Answer, Done};
use crate::open::load;
use crate::output::{Out, note};

/// Arguments of `replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex replay chess game.txt
  ludex replay hex:11 - < game.txt

Exit code 1 if the record does not follow the rules. A record is lines of
`key: value`, an empty line, and the moves, as `ludex play` saves it.")]
pub(crate) struct ReplayArgs {
    /// A bundled game with its options, or a rules file
    game: String,

    /// The record; `-` is standard input
    file: String,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Replays a record.
pub(crate) fn run(args: &ReplayArgs, out: &mut Out) -> Done {
    let record = read(&args.file)?;
    let loaded = load(&with_options_of(&args.game, &record), args.engine.to_answer())?;
    let report = check(&loaded, &record);
    warn_of_other_rules(&loaded, &record);
    out.result(&report)?;
    Ok(if report.ok { Answer::Yes } else { Answer::No })
}

/// Reads a record from a file or from standard input.
pub(crate) fn read(file: &str) -> Result<Record> {
    let limit = LONGEST_RECORD as u64;
    let text = match file {
        "-" => read_limited(io::stdin().lock(), limit, "standard input")?,
        _ => read_text(Path::new(file), limit)?,
    };
    replay::parse(&text, file)
}

/// Warns if a record was made with another text of the rules.
pub(crate) fn warn_of_other_rules(loaded: &LoadedGame, record: &Record) {
    if has_other_rules(loaded, record) {
        note("note: the record was made with another text of the rules");
    }
}
