//! UGI, the universal game interface: UCI, with questions about the rules.
//!
//! UCI is by S. Meyer-Kahlen (2000); UGI adds `query`, and calls players `p1` and `p2`. Both are
//! understood at the same time. What is not understood is answered with `info string error: …`, and
//! commands that must wait for a search do so.
//!
//! Nobody who asked a question goes without an answer: `quit` and the end of the input let a search
//! of so many nodes, plies or milliseconds come to its end, and end any other, with a `bestmove`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use anyhow::{Result, anyhow};
use ludex_core::{Game, Player, Turn};
use ludex_search::timing::{GameClock, TimingConfig, share};
use ludex_search::{Line, Means};

use super::search::{Event, Order, Running, start};
use super::{NAME, Setup};
use crate::args::FromArgs;
use crate::engine::Engine;
use crate::load::Loaded;
use crate::output::Out;
use crate::place::{Place, reach};
use crate::players::{Thinker, make};
use crate::thinking::{Thought, names};

/// Which words are spoken first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `ugi`, `ugiok`.
    Ugi,
    /// `uci`, `uciok`.
    Uci,
}

/// Times are written in milliseconds; longer ones than a year are a mistake.
const LONGEST: u64 = 366 * 24 * 3_600_000;

/// The engine as others see it.
pub(super) struct Ugi<'a> {
    setup: &'a Setup,
    loaded: &'a Loaded,
    game: Arc<Engine>,
    out: &'a mut Out,
    sender: Sender<Event>,
    place: Place,
    spec: String,
    means: Means,
    /// Away while it thinks.
    thinker: Option<Thinker>,
    running: Option<Running>,
    /// The answer of a search that is done before it may be told.
    pending: Option<Thought>,
    /// Commands that wait for the end of a search.
    queue: VecDeque<String>,
    /// Whether no more commands are taken: there are no more, or it was told to quit.
    ending: bool,
    /// Whether the player knows the game.
    prepared: bool,
}

impl<'a> Ugi<'a> {
    /// An engine at the start of a game.
    pub(super) fn new(
        setup: &'a Setup,
        loaded: &'a Loaded,
        place: Place,
        sender: Sender<Event>,
        out: &'a mut Out,
    ) -> Result<Self> {
        Ok(Self {
            setup,
            loaded,
            game: Arc::new(loaded.game.clone()),
            out,
            sender,
            place,
            spec: setup.spec.clone(),
            means: setup.means,
            thinker: Some(make(&setup.spec, setup.means, loaded)?),
            running: None,
            pending: None,
            queue: VecDeque::new(),
            ending: false,
            prepared: false,
        })
    }

    /// Obeys until it is told to quit.
    pub(super) fn run(&mut self, events: &Receiver<Event>) -> Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(line) if is_urgent(&line) => self.obey(&line)?,
                Event::Line(_) if self.ending => {}
                Event::Line(line) if self.running.is_some() => self.queue.push_back(line),
                Event::Line(line) => self.obey(&line)?,
                Event::End => self.end_soon(),
                Event::Improved(thought) => self.info(&thought)?,
                Event::Done(thinker, thought) => self.done(thinker, *thought)?,
            }
            self.answer()?;
            while self.running.is_none() {
                let Some(line) = self.queue.pop_front() else { break };
                self.obey(&line)?;
            }
            if self.ending && self.running.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<()> {
        Ok(self.out.text(&format!("{text}\n"))?)
    }

    fn complain(&mut self, text: &str) -> Result<()> {
        let line = text.lines().next().unwrap_or_default().to_owned();
        self.say(&format!("info string error: {line}"))
    }

    /// Takes no more commands, and ends a search that would not end by itself.
    fn end_soon(&mut self) {
        self.ending = true;
        if let Some(running) = self.running.as_mut().filter(|it| !it.is_to_be_finished()) {
            running.stop();
        }
    }

    /// What was asked before is answered first; who says it twice has no time for that.
    fn quit(&mut self) {
        if self.ending {
            self.queue.clear();
            self.running.iter_mut().for_each(Running::stop);
        }
        self.end_soon();
    }

    /// Obeys one line.
    fn obey(&mut self, line: &str) -> Result<()> {
        let mut words = line.split_whitespace();
        let rest = |words: std::str::SplitWhitespace<'_>| words.map(str::to_owned).collect();
        let done = match words.next() {
            None => Ok(()),
            Some("quit") => {
                self.quit();
                Ok(())
            }
            Some("ugi") => self.introduce(Dialect::Ugi),
            Some("uci") => self.introduce(Dialect::Uci),
            Some("isready") => {
                self.prepare();
                self.say("readyok")
            }
            Some("uginewgame" | "ucinewgame") => {
                self.new_game();
                Ok(())
            }
            Some("setoption") => self.set_option(rest(words)),
            Some("position") => self.position(rest(words)),
            Some("go") => self.go(rest(words)),
            Some("stop") => {
                self.running.iter_mut().for_each(Running::stop);
                Ok(())
            }
            Some("ponderhit") => {
                self.running.iter_mut().for_each(Running::opponent_moved);
                Ok(())
            }
            Some("query") => self.query(words.next()),
            Some("d" | "show") => {
                let board = self.game.draw(&self.place.state);
                self.say(board.trim_end())
            }
            Some("debug" | "register") => Ok(()),
            Some(other) => {
                let other: String = other.chars().take(40).collect();
                Err(anyhow!("`{other}` is not a command"))
            }
        };
        if let Err(error) = done {
            // Nobody listens any more, or somebody said something strange.
            if error.downcast_ref::<std::io::Error>().is_some() {
                return Err(error);
            }
            self.complain(&format!("{error:#}"))?;
        }
        Ok(())
    }

    fn introduce(&mut self, dialect: Dialect) -> Result<()> {
        let Means { threads, memory, .. } = self.means;
        let lines = [
            format!("id name {NAME} {} ({})", env!("CARGO_PKG_VERSION"), self.spec),
            "id author the Ludex project".to_owned(),
            format!("option name Threads type spin default {threads} min 1 max 256"),
            format!("option name Hash type spin default {} min 1 max 1048576", memory >> 20),
            format!("option name Player type string default {}", self.spec),
            "option name Seed type string default 0".to_owned(),
            "option name Ponder type check default false".to_owned(),
        ];
        self.say(&lines.join("\n"))?;
        self.say(if dialect == Dialect::Uci { "uciok" } else { "ugiok" })
    }

    /// Gets to know the game, once for each player.
    fn prepare(&mut self) {
        // Who thinks already gets to know the game by that.
        if self.running.is_some() {
            return;
        }
        if let (Some(thinker), false) = (&mut self.thinker, self.prepared) {
            self.setup.prepare(thinker, &self.game);
            self.prepared = true;
        }
    }

    fn new_game(&mut self) {
        if let Some(thinker) = &mut self.thinker {
            thinker.forget();
        }
        self.place = self.setup.place.clone();
    }

    /// `name N value V`.
    fn set_option(&mut self, words: Vec<String>) -> Result<()> {
        let value = words.iter().position(|it| it == "value").unwrap_or(words.len());
        let name = words.get(1..value).unwrap_or_default().join(" ");
        let text = words.get(value + 1..).unwrap_or_default().join(" ");
        let number = || text.parse::<u64>().map_err(|_| anyhow!("`{text}` is no number"));
        let (mut spec, mut means) = (self.spec.clone(), self.means);
        match name.to_ascii_lowercase().as_str() {
            "threads" => means.threads = number()?.clamp(1, 256) as usize,
            "hash" => means.memory = (number()?.clamp(1, 1 << 20) as usize) << 20,
            "seed" => means.seed = number()?,
            "player" => spec.clone_from(&text),
            "ponder" => return Ok(()),
            _ => return Err(anyhow!("there is no option `{name}`")),
        }
        self.thinker = Some(make(&spec, means, self.loaded)?);
        self.prepared = false;
        (self.spec, self.means) = (spec, means);
        Ok(())
    }

    /// `startpos` or `fen …`, and moves.
    fn position(&mut self, words: Vec<String>) -> Result<()> {
        let moves = words.iter().position(|it| it == "moves").unwrap_or(words.len());
        let position = match words.first().map(String::as_str) {
            Some("startpos") => None,
            Some("fen" | "position") => Some(words[1..moves].join(" ")),
            _ => return Err(anyhow!("`position startpos` or `position fen …` is wanted")),
        };
        let moves = words.get(moves + 1..).unwrap_or_default().join(" ");
        let from = FromArgs { position, moves: Some(moves) };
        self.place = reach(self.loaded, &self.loaded.game, &from)?;
        Ok(())
    }

    fn go(&mut self, words: Vec<String>) -> Result<()> {
        if self.place.ending(self.loaded)?.is_some() {
            self.say("bestmove 0000")?;
            return Err(anyhow!("the game is over"));
        }
        let Turn::Of(mover) = self.place.turn(self.loaded)? else {
            return Err(anyhow!("it is not the turn of one player"));
        };
        let Some(thinker) = &self.thinker else { return Ok(()) };
        let order = order(&words, mover, &self.setup.usual(thinker))?;
        let Some(thinker) = self.thinker.take() else { return Ok(()) };
        let (game, sender) = (self.game.clone(), self.sender.clone());
        self.running = Some(start(thinker, game, self.place.clone(), order, sender));
        if self.ending {
            self.end_soon();
        }
        Ok(())
    }

    fn query(&mut self, what: Option<&str>) -> Result<()> {
        let turn = self.place.turn(self.loaded)?;
        let ending = self.place.ending(self.loaded)?;
        let answer = match what {
            Some("gameover") => (turn == Turn::Over).to_string(),
            Some("p1turn") => (turn == Turn::Of(Player(0))).to_string(),
            Some("result") => match ending.as_ref().map(|it| it.payoffs.as_slice()) {
                None => "none".to_owned(),
                Some([one, two]) if one.utility > two.utility => "p1win".to_owned(),
                Some([one, two]) if one.utility < two.utility => "p2win".to_owned(),
                Some(_) => "draw".to_owned(),
            },
            _ => {
                return Err(anyhow!(
                    "`query gameover`, `query p1turn` or `query result` is wanted"
                ));
            }
        };
        self.say(&format!("response {answer}"))
    }

    fn info(&mut self, thought: &Thought) -> Result<()> {
        let Some(line) = thought.lines.first() else { return Ok(()) };
        let Place { state, trail } = &self.place;
        let pv = names(&self.game, state, trail, &line.pv).join(" ");
        let pondered = self.running.as_ref().map(Running::pondered).unwrap_or_default();
        let elapsed = thought.elapsed + pondered;
        let millis = elapsed.as_millis();
        let rate = thought.nodes as f64 / elapsed.as_secs_f64().max(1e-3);
        let text = format!(
            "info depth {} score {} nodes {} nps {rate:.0} time {millis} pv {pv}",
            thought.depth.max(1),
            score(line),
            thought.nodes,
        );
        self.say(&text)
    }

    fn done(
        &mut self,
        thinker: Thinker,
        thought: Result<Thought, ludex_core::Fault>,
    ) -> Result<()> {
        match thought {
            Ok(thought) => self.pending = Some(thought),
            Err(fault) => {
                self.running = None;
                self.complain(&thinker.blame_shortly(self.loaded, &fault))?;
                self.say("bestmove 0000")?;
            }
        }
        self.thinker = Some(thinker);
        Ok(())
    }

    /// Tells the answer, if there is one and it may be told.
    fn answer(&mut self) -> Result<()> {
        if self.running.as_ref().is_some_and(|it| it.held) {
            return Ok(());
        }
        let Some(thought) = self.pending.take() else { return Ok(()) };
        self.running = None;
        let pv = thought.lines.first().map(|it| it.pv.clone()).unwrap_or_default();
        let Place { state, trail } = &self.place;
        let names = names(&self.game, state, trail, &pv);
        let best = thought.best().map_or("0000".to_owned(), |it| self.game.name(state, it));
        match names.get(1) {
            Some(reply) => self.say(&format!("bestmove {best} ponder {reply}")),
            None => self.say(&format!("bestmove {best}")),
        }
    }
}

/// What cannot wait for the end of a search.
fn is_urgent(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "stop" | "quit" | "isready" | "ponderhit" | "")
}

/// How good a line is, in UCI's words.
fn score<M>(line: &Line<M>) -> String {
    if let Some(proved) = line.proved {
        match (proved.name(), proved.plies) {
            ("win", Some(plies)) => return format!("mate {}", plies.div_ceil(2)),
            ("loss", Some(plies)) => return format!("mate -{}", plies / 2),
            ("draw", _) => return "cp 0".to_owned(),
            _ => {}
        }
    }
    let value = line.value.clamp(-0.9999, 0.9999);
    format!("cp {:.0}", 400.0 * ((1.0 + value) / (1.0 - value)).log10())
}

/// What the words of `go` ask for; where they say nothing, `default`.
fn order(words: &[String], mover: Player, default: &Order) -> Result<Order> {
    let mut order = Order::default();
    let (mut left, mut increment, mut moves_to_go) = ([None; 2], [Duration::ZERO; 2], None);
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64> {
            let text = words.next().unwrap_or_default();
            // Engines are sent negative times when a clock has run out.
            let number = text.parse::<i64>().map_err(|_| anyhow!("`{word}` wants a number"))?;
            Ok(number.max(0) as u64)
        };
        let millis = |number: u64| Duration::from_millis(number.min(LONGEST));
        match word {
            "infinite" => order.endless = true,
            "ponder" => order.ponder = true,
            "movetime" => order.hard = Some(millis(number()?)),
            "nodes" => order.nodes = Some(number()?.max(1)),
            "depth" => order.depth = Some(number()?.clamp(1, 10_000) as u32),
            "wtime" | "p1time" => left[0] = Some(millis(number()?)),
            "btime" | "p2time" => left[1] = Some(millis(number()?)),
            "winc" | "p1inc" => increment[0] = millis(number()?),
            "binc" | "p2inc" => increment[1] = millis(number()?),
            "movestogo" => moves_to_go = Some(number()?.clamp(1, 10_000) as u32),
            _ => {}
        }
    }
    let side = mover.index().min(1);
    if let (Some(left), None) = (left[side], order.hard) {
        let clock = GameClock { left, increment: increment[side], moves_to_go };
        let share = share(clock, &TimingConfig::default());
        (order.soft, order.hard) = (Some(share.soft), Some(share.hard));
    }
    let limited = order.nodes.is_some() || order.depth.is_some() || order.hard.is_some();
    if !limited && !order.endless {
        return Ok(Order { ponder: order.ponder, ..*default });
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Order> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let default = Order { hard: Some(Duration::from_secs(9)), ..Order::default() };
        order(&words, Player(1), &default)
    }

    #[test]
    fn limits_are_read() {
        assert_eq!(parsed("nodes 100").unwrap().nodes, Some(100));
        assert_eq!(parsed("movetime 250").unwrap().hard, Some(Duration::from_millis(250)));
        assert_eq!(parsed("").unwrap().hard, Some(Duration::from_secs(9)));
        assert!(parsed("infinite").unwrap().endless);
        let clock = parsed("wtime 1 btime 60000 winc 0 binc 1000 movestogo 20").unwrap();
        assert!(clock.soft.unwrap() > Duration::from_secs(2), "{clock:?}");
        assert!(parsed("wtime -5 btime -5").unwrap().hard.is_some());
        assert!(parsed("ponder p2time 1000").unwrap().ponder);
        assert!(parsed("nodes many").is_err());
        assert!(parsed("movetime").is_err());
    }

    #[test]
    fn scores_are_in_uci_words() {
        let mut line = Line::new(0_u8);
        assert_eq!(score(&line), "cp 0");
        line.proved = Some(ludex_search::Proved::WIN.within(5));
        assert_eq!(score(&line), "mate 3");
        line.proved = Some(ludex_search::Proved::LOSS.within(4));
        assert_eq!(score(&line), "mate -2");
    }
}
