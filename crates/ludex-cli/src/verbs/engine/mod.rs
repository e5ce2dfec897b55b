//! `ludex engine`: a player as a program for others, on standard input and output.
//!
//! ```text
//! lines ──> events ──> protocol (UGI, UCI, USI, CECP, GTP, Gomocup) ──> search on its own thread ──> events
//! ```
//!
//! One thread reads lines, one thinks, and the protocol takes what comes from both in turn, so that
//! it answers while a search goes on. Nothing that is said to it ends it but `quit` and the end
//! of the input.

mod cecp;
mod gomocup;
mod gtp;
mod options;
mod score;
mod search;
mod station;
mod ugi;

use std::fmt::Display;
use std::io::{self, BufRead, Read};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ludex_arena::outside::Language;
use ludex_search::Means;

use crate::args::{FromArgs, GameArgs, ThinkArgs, usual_time};
use crate::engine::Engine;
use crate::failure::{Answer, Done};
use crate::load::load;
use crate::output::{Out, note};
use crate::place::{Place, reach};
use crate::players::{Thinker, make};
use crate::thinking::{PlayerArgs, prepare};
use search::{Event, Order};
use station::Station;

/// What it calls itself.
const NAME: &str = "Ludex";

/// How long a move takes when nobody says anything.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// How long a player may take to get to know the game, when it is asked whether it is ready.
const TIME_TO_PREPARE: Duration = Duration::from_secs(3);

/// Longer times are a mistake.
const LONGEST: Duration = Duration::from_hours(366 * 24);

/// The longest line that is read whole.
const LONGEST_LINE: u64 = 1 << 20;

/// Arguments of `engine`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", usual_time("5s")),
    after_help = "\
Examples:
  ludex engine chess                         UCI, for any chess program
  ludex engine go:9 --player uct --time 2s   GTP, for any Go program
  ludex engine breakthrough                  UGI: UCI with `query`
  ludex engine shogi --protocol usi          for front ends of shogi
  ludex engine chess --protocol cecp         for XBoard
  ludex engine gomoku:15 --protocol gomocup  for managers of five-in-a-row programs
  printf 'position startpos moves d1\\ngo nodes 1000\\nquit\\n' | ludex engine connect4

The protocol is GTP for games whose notation says `gtp`, and else UGI, which is UCI as well:
`ugi` or `uci`, `isready`, `setoption`, `position`, `go`, `stop`, `ponderhit`, `query`, `quit`;
`usi` as the first word makes it USI.
--time, --nodes and --depth hold where `go` or `genmove` have no limits of their own.
After `quit`, or at the end of the input, a search of so many nodes, plies or milliseconds is
finished and answered; any other one is answered at once. `quit` twice ends everything. In CECP
`quit` once does, and so does the end of the input, unless all commands came at once."
)]
pub(crate) struct EngineVerbArgs {
    #[command(flatten)]
    game: GameArgs,

    /// What is spoken [default: what the game's notation says]
    #[arg(long, value_enum)]
    protocol: Option<Protocol>,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    think: ThinkArgs,
}

/// What is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// UCI with questions about the rules
    Ugi,
    /// What chess programs speak
    Uci,
    /// What shogi programs speak
    Usi,
    /// What `XBoard` speaks with its engines
    #[value(alias = "xboard")]
    Cecp,
    /// What Go programs speak
    Gtp,
    /// What five-in-a-row programs speak
    Gomocup,
}

/// What an engine begins with.
struct Setup {
    spec: String,
    means: Means,
    /// How long to think where nobody says.
    think: ThinkArgs,
    /// Where a game begins.
    place: Place,
}

impl Setup {
    /// Lets a player get to know the game before a clock runs. What goes wrong goes wrong again
    /// when it thinks, and is told then.
    fn prepare(&self, thinker: &mut Thinker, game: &Engine) {
        if thinker.is_timed(&self.think) {
            let _ = prepare(thinker, game, TIME_TO_PREPARE, &AtomicBool::new(false));
        }
    }

    /// How long a player thinks where nobody says.
    fn usual(&self, thinker: &Thinker) -> Order {
        Order {
            nodes: self.think.nodes,
            depth: self.think.depth,
            hard: thinker.time_or(&self.think, DEFAULT_TIME),
            ..Order::default()
        }
    }
}

/// What is wrong, in the one line that a protocol has for it.
fn in_a_line(error: impl Display) -> String {
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}

/// Speaks until it is told to quit.
pub(crate) fn run(args: &EngineVerbArgs, out: &mut Out) -> Done {
    let loaded = load(&args.game.game, args.game.engine.to_play())?;
    let place = reach(&loaded, &loaded.game, &FromArgs::default())?;
    let notations = &loaded.game.program().look.notations;
    let says_gtp = notations.iter().any(|it| it == "gtp");
    // Who speaks UGI understands UCI and USI as well: the first word decides.
    let protocol = args.protocol.unwrap_or(if says_gtp { Protocol::Gtp } else { Protocol::Ugi });
    let setup = Setup {
        spec: args.player.spec().to_owned(),
        means: args.think.means(),
        think: args.think,
        place: place.clone(),
    };
    if args.player.verbose {
        let player = make(&setup.spec, setup.means, &loaded)?;
        note(format_args!("{}: {}", setup.spec, player.describe()));
    }
    let (sender, events) = mpsc::channel();
    let reader = sender.clone();
    thread::spawn(move || read_lines(&reader));
    match protocol {
        Protocol::Ugi | Protocol::Uci | Protocol::Usi => {
            let language = match protocol {
                Protocol::Uci => Language::Uci,
                Protocol::Usi => Language::Usi,
                _ => Language::Ugi,
            };
            ugi::Ugi::new(&setup, &loaded, (place, language), sender, out)?.run(&events)?;
        }
        Protocol::Cecp => {
            cecp::Cecp::new(Station::new(&setup, loaded, sender, out)?, place).run(&events)?;
        }
        Protocol::Gtp => {
            gtp::Gtp::new(Station::new(&setup, loaded, sender, out)?, place).run(&events)?;
        }
        Protocol::Gomocup => {
            gomocup::Gomocup::new(Station::new(&setup, loaded, sender, out)?, place)
                .run(&events)?;
        }
    }
    Ok(Answer::Yes)
}

/// Sends lines until there are no more.
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
