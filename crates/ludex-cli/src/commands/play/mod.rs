//! `ludex play`: a game in the terminal.
//!
//! ```text
//! lines typed ──> command ──> game loop ──> events ──> printer (terminal, lines, JSON)
//!                  computer ──────^
//! ```
//!
//! On a terminal there is a board and a prompt. Elsewhere there is one line for
//! each event, and with a budget of nodes and a seed they are always the same.

mod command;
mod computer;
mod console;
mod game_loop;
mod printer;
mod session;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use computer::ComputerPlayer;
use console::Console;
use game_loop::GameLoop;
use ludex::game::LoadedGame;
use ludex::replay::{other_game, with_options_of};
use ludex::{Error, Result, Session};
use ludex_core::GameExt;
use ludex_core::record::Record;
use ludex_search::timing::GameClock;
use printer::Printer;
use session::{Seat, SeatedGame};

use crate::args::{EngineArgs, FromArgs, PlayerArgs, SearchArgs, game_clock, usual_time};
use crate::commands::replay;
use crate::failure::Done;
use crate::open::load;
use crate::output::{Out, note};

/// The game that is played when none is named: its rules take a sentence.
const DEFAULT_GAME: &str = "connect4";

/// Arguments of `play`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", usual_time("1s")),
    after_help = "\
Examples:
  ludex play                              Connect Four against the computer
  ludex play chess --side Black --time 5s
  ludex play hex:7 --side all             two people
  ludex play othello --side none          the computer against itself
  ludex play breakthrough --level 3       an opponent who makes mistakes
  ludex play hex:7 --player uct:c=0.5     another player
  ludex play othello --ponder             it searches while you think
  ludex play --resume game.txt
  printf 'b2\\na1\\n' | ludex play tictactoe --nodes 1000 --seed 1

While playing: type a move, its number or its beginning; `help` lists the commands.
`hint` asks the computer for a move and its reason. Ctrl-C makes the computer move at once; at
the prompt it ends the program. The computer prepares before the game begins (up to 2 s, not
counted in --time; with --nodes it does so at its first move).

With --ponder the computer searches the position until you have typed something; what it has
found is of use whatever you play.

A level limits the nodes of a move, and makes a part of the moves random: level 1 searches 10 nodes
and plays every second move at random, 2: 25 and 35 %, 3: 60 and 25 %, 4: 150 and 15 %, 5: 400 and
10 %, 6: 1000 and 6 %, 7: 3000 and 3 %, 8: 10000 and 1 %, 9: 40000; level 10 has only the time
limit."
)]
pub(crate) struct PlayArgs {
    /// A bundled game with its options, or a rules file [default: connect4]
    game: Option<String>,

    /// Your side: a player's name or number, several with commas, `all` or `none` [default: 1]
    #[arg(long, value_name = "PLAYER")]
    side: Option<String>,

    /// Resume a game that was saved
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    resume: Option<String>,

    /// Save the game in this file at the end
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    #[command(flatten)]
    from: FromArgs,

    /// How strong the computer is, from 1 to 10 [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,

    /// A clock for the computer, and an increment for each move: `5m+3s`
    #[arg(long, value_name = "TIME[+INC]", value_parser = game_clock, conflicts_with = "time")]
    clock: Option<GameClock>,

    /// Let the computer search on your time as well
    #[arg(long, conflicts_with = "level")]
    ponder: bool,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Plays.
pub(crate) fn run(args: &PlayArgs, out: &mut Out) -> Done {
    let record = args.resume.as_deref().map(replay::read).transpose()?;
    let loaded = load(&game_name(args, record.as_ref()), args.engine.to_play())?;
    if let Some(record) = &record {
        replay::warn_of_other_rules(&loaded, record);
        if let Some(other) = other_game(&loaded, record) {
            return Err(Error::new(other));
        }
    }
    let seats = seats(args.side.as_deref(), &loaded)?;
    let mut computer = ComputerPlayer::new(args, &loaded)?;
    let name = computer.name();
    let loaded = Arc::new(loaded);
    let mut session = match (&args.from.position, &record) {
        (Some(text), _) => Session::from_position(loaded.clone(), text)?,
        (None, Some(record)) => Session::from_record(loaded.clone(), record)?,
        (None, None) => Session::new(loaded.clone()),
    };
    let moves = args.from.moves.as_deref().unwrap_or_default();
    moves.split_whitespace().try_for_each(|it| session.play(it))?;
    let game = SeatedGame::new(session, seats, name);
    if game.seats.contains(&Seat::Computer) {
        computer.prepare(&loaded)?;
    }
    if args.player.verbose {
        note(computer.describe());
    }
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut game = GameLoop {
        game,
        computer,
        console: Console::default(),
        printer: Printer::new(out, terminal),
        save: args.save.clone(),
    };
    game.play()
}

/// Which game to play.
fn game_name(args: &PlayArgs, record: Option<&Record>) -> String {
    match (&args.game, record) {
        (Some(game), Some(record)) => with_options_of(game, record),
        (Some(game), None) => game.clone(),
        (None, Some(record)) => record.game.clone(),
        (None, None) => {
            note(format_args!(
                "no game was named: {DEFAULT_GAME} it is; `ludex games` lists the others"
            ));
            DEFAULT_GAME.to_owned()
        }
    }
}

/// Who sits where: by default a person is the first player.
fn seats(side: Option<&str>, loaded: &LoadedGame) -> Result<Vec<Seat>> {
    let mut seats = vec![Seat::Computer; loaded.game.players()];
    match side {
        None => seats[0] = Seat::Person,
        Some("all") => seats.fill(Seat::Person),
        Some("none") => {}
        Some(sides) => {
            for side in sides.split(',').map(str::trim) {
                seats[loaded.player(side)?.index()] = Seat::Person;
            }
        }
    }
    Ok(seats)
}
