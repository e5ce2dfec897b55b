//! `ludex engine`: a player as an engine, on standard input and output.
//!
//! ```text
//! lines ──> events ──> protocol (UGI, UCI, USI, CECP, GTP, Gomocup) ──> search on its own thread ──> events
//! ```
//!
//! One thread reads lines, one searches, and the protocol takes the events of both in turn, so that it
//! answers during a search. Only `quit` and the end of the input end it.

mod cecp;
mod gomocup;
mod gtp;
mod options;
mod score;
mod search;
mod session;
mod ugi;

use std::fmt::Display;
use std::io::{self, BufRead, Read};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use cecp::Cecp;
use clap::{Args, ValueEnum};
use gomocup::Gomocup;
use gtp::Gtp;
use ludex::analysis::prepare;
use ludex::players::LoadedPlayer;
use ludex_arena::engines::ProtocolKind;
use ludex_core::Position;
use ludex_jit::CompiledGame;
use ludex_search::PlayerOptions;
use search::{Event, Order};
use session::EngineSession;
use ugi::Ugi;

use crate::args::{FromArgs, GameArgs, PlayerArgs, SearchArgs, usual_time};
use crate::failure::{Answer, Done};
use crate::open::{load, reach};
use crate::output::{Out, note};

/// The name of the engine.
const NAME: &str = "Ludex";

/// The default time of a move.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// The time to prepare at `isready`.
const TIME_TO_PREPARE: Duration = Duration::from_secs(3);

/// Longer times are an error.
const LONGEST: Duration = Duration::from_hours(366 * 24);

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 20;

/// Arguments of `engine`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", usual_time("5s")),
    after_help = "\
Examples:
  ludex engine chess                         UCI, for any chess interface
  ludex engine go:9 --player uct --time 2s   GTP, for any Go interface
  ludex engine breakthrough                  UGI: UCI with `query`
  ludex engine shogi --protocol usi          for any shogi interface
  ludex engine chess --protocol cecp         for XBoard
  ludex engine gomoku:15 --protocol gomocup  for Gomocup managers
  printf 'position startpos moves d1\\ngo nodes 1000\\nquit\\n' | ludex engine connect4

The protocol is GTP for games whose notation says `gtp`, and else UGI, which is UCI as well:
`ugi` or `uci`, `isready`, `setoption`, `position`, `go`, `stop`, `ponderhit`, `query`, `quit`;
`usi` as the first word makes it USI.
--time, --nodes and --depth are the limits of `go` or `genmove` without limits of their own.
After `quit`, or at the end of the input, a search with a node, depth or time limit is finished
and answered; any other one is answered at once. A second `quit` exits at once. In CECP the first
`quit` does, and so does the end of the input, unless all commands came at once."
)]
pub(crate) struct EngineCommandArgs {
    #[command(flatten)]
    game: GameArgs,

    /// Protocol [default: by the game's notation]
    #[arg(long, value_enum)]
    protocol: Option<Protocol>,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    search: SearchArgs,
}

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// UCI with queries about the rules
    Ugi,
    /// Universal Chess Interface
    Uci,
    /// Universal Shogi Interface
    Usi,
    /// Chess Engine Communication Protocol, of `XBoard`
    #[value(alias = "xboard")]
    Cecp,
    /// Go Text Protocol
    Gtp,
    /// Gomocup protocol, for five in a row
    Gomocup,
}

/// The settings of an engine.
struct Setup {
    spec: String,
    options: PlayerOptions,
    /// The limits of a search without limits of its own.
    search: SearchArgs,
    /// The start position.
    position: Position,
}

impl Setup {
    /// Lets a player prepare before a clock runs. A fault occurs again in the search and is
    /// reported there.
    fn prepare(&self, player: &mut LoadedPlayer, game: &CompiledGame) {
        if player.is_timed(&self.search.limits(None)) {
            let _ = prepare(player, game, TIME_TO_PREPARE, &AtomicBool::new(false));
        }
    }

    /// The limits of a search without limits of its own.
    fn usual(&self, player: &LoadedPlayer) -> Order {
        Order {
            nodes: self.search.nodes,
            depth: self.search.depth,
            hard: player.time_or(&self.search.limits(None), DEFAULT_TIME),
            ..Order::default()
        }
    }
}

/// An error in one line, as protocols require.
fn in_a_line(error: impl Display) -> String {
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}

/// Runs until `quit`.
pub(crate) fn run(args: &EngineCommandArgs, out: &mut Out) -> Done {
    let loaded = load(&args.game.game, args.game.engine.to_play())?;
    let position = reach(&loaded, &FromArgs::default())?;
    let notations = &loaded.game.program().look.notations;
    let says_gtp = notations.iter().any(|it| it == "gtp");
    // The UGI session handles UCI and USI as well: the first word decides.
    let protocol = args.protocol.unwrap_or(if says_gtp { Protocol::Gtp } else { Protocol::Ugi });
    let setup = Setup {
        spec: args.player.spec().to_owned(),
        options: args.search.options(),
        search: args.search,
        position: position.clone(),
    };
    if args.player.verbose {
        let player = LoadedPlayer::make(&setup.spec, setup.options, &loaded)?;
        note(format_args!("{}: {}", setup.spec, player.describe()));
    }
    let (sender, events) = mpsc::channel();
    let reader = sender.clone();
    thread::spawn(move || read_lines(&reader));
    let session = EngineSession::new(&setup, loaded, sender, out)?;
    match protocol {
        Protocol::Ugi => Ugi::new(session, position, ProtocolKind::Ugi).run(&events)?,
        Protocol::Uci => Ugi::new(session, position, ProtocolKind::Uci).run(&events)?,
        Protocol::Usi => Ugi::new(session, position, ProtocolKind::Usi).run(&events)?,
        Protocol::Cecp => Cecp::new(session, position).run(&events)?,
        Protocol::Gtp => Gtp::new(session, position).run(&events)?,
        Protocol::Gomocup => Gomocup::new(session, position).run(&events)?,
    }
    Ok(Answer::Yes)
}

/// Sends lines until the end of the input.
fn read_lines(sender: &Sender<Event>) {
    let mut stdin = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        match stdin.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).into_owned();
                if sender.send(Event::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
    let _ = sender.send(Event::End);
}
