//! UGI, the universal game interface: UCI, with queries about the rules.
//!
//! UCI is by S. Meyer-Kahlen (2000); UGI adds `query`, and calls players `p1` and `p2`; USI, for shogi, is
//! by T. Romstad (2007) and has other names for squares and positions. The first word selects the
//! protocol. Unknown commands are answered with `info string error: …`, and commands that must wait for a
//! search do so.
//!
//! Every `go` gets a `bestmove`: after `quit` and the end of the input a search with a node, depth or time
//! limit is finished, and any other one is stopped.

use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use ludex::analysis::{SearchResult, names};
use ludex::notation::{ProtocolNotation, legal_names};
use ludex::players::LoadedPlayer;
use ludex::{Error, Result};
use ludex_arena::engines::ProtocolKind;
use ludex_core::{Game, Player, Position, Turn};
use ludex_ir::PackedMove;
use ludex_search::PlayerOptions;
use ludex_search::timing::{GameClock, TimingConfig, move_time};

use super::search::{Event, Order, Running};
use super::session::EngineSession;
use super::{LONGEST, NAME, in_a_line, score};
use crate::args::FromArgs;
use crate::open::reach;

/// The part of byo-yomi that is used: the rest is for the delay of the answer.
const BYOYOMI: f64 = 0.95;

/// The session.
pub(super) struct Ugi<'a> {
    session: EngineSession<'a>,
    position: Position,
    /// The protocol, and its notation of the game.
    language: ProtocolKind,
    notation: ProtocolNotation,
    running: Option<Running>,
    /// The answer of a finished search that waits for `stop`.
    pending: Option<SearchResult>,
    /// Commands that wait for the end of a search.
    queue: VecDeque<String>,
    /// Whether no more commands are taken, after `quit` or the end of the input.
    ending: bool,
}

impl<'a> Ugi<'a> {
    /// An engine at the start of a game.
    pub(super) fn new(
        session: EngineSession<'a>,
        position: Position,
        language: ProtocolKind,
    ) -> Self {
        let notation = ProtocolNotation::new(language, &session.game);
        let (pending, queue) = (None, VecDeque::new());
        Self { session, position, language, notation, running: None, pending, queue, ending: false }
    }

    /// Runs until `quit`.
    pub(super) fn run(&mut self, events: &Receiver<Event>) -> Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(line) if is_urgent(&line) => self.obey(&line)?,
                Event::Line(_) if self.ending => {}
                Event::Line(line) if self.running.is_some() => self.queue.push_back(line),
                Event::Line(line) => self.obey(&line)?,
                Event::End => self.end_soon(),
                Event::Improved(result) => self.info(&result)?,
                Event::Done(player, result) => self.done(player, *result)?,
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
        self.session.say(text)
    }

    fn complain(&mut self, error: impl Display) -> Result<()> {
        self.say(&format!("info string error: {}", in_a_line(error)))
    }

    /// Takes no more commands, and ends a search that would not end by itself.
    fn end_soon(&mut self) {
        self.ending = true;
        if let Some(running) = self.running.as_mut().filter(|it| !it.is_to_be_finished()) {
            running.stop();
        }
    }

    /// `quit`: requests before it are answered first; a second one exits at once.
    fn quit(&mut self) {
        if self.ending {
            self.queue.clear();
            self.running.iter_mut().for_each(Running::stop);
        }
        self.end_soon();
    }

    /// Executes a line.
    fn obey(&mut self, line: &str) -> Result<()> {
        let mut words = line.split_whitespace();
        let rest = |words: std::str::SplitWhitespace<'_>| words.map(str::to_owned).collect();
        let done = match words.next() {
            None => Ok(()),
            Some("quit") => {
                self.quit();
                Ok(())
            }
            Some("ugi") => self.introduce(ProtocolKind::Ugi),
            Some("uci") => self.introduce(ProtocolKind::Uci),
            Some("usi") => self.introduce(ProtocolKind::Usi),
            Some("isready") => {
                // A running search has prepared.
                if self.running.is_none() {
                    self.session.prepare();
                }
                self.say("readyok")
            }
            Some("uginewgame" | "ucinewgame" | "usinewgame") => {
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
                let board = self.session.game.draw(&self.position.state);
                self.say(board.trim_end())
            }
            Some("debug" | "register" | "gameover") => Ok(()),
            Some(other) => {
                let other: String = other.chars().take(40).collect();
                Err(Error::new(format!("`{other}` is not a command")))
            }
        };
        if let Err(error) = done {
            // A closed output ends the session; any other error is reported.
            if matches!(error, Error::Io { .. }) {
                return Err(error);
            }
            self.complain(error)?;
        }
        Ok(())
    }

    fn introduce(&mut self, language: ProtocolKind) -> Result<()> {
        (self.language, self.notation) =
            (language, ProtocolNotation::new(language, &self.session.loaded.game));
        let usi = if language == ProtocolKind::Usi { "USI_" } else { "" };
        let PlayerOptions { threads, memory, .. } = self.session.options;
        let lines = [
            format!("id name {NAME} {} ({})", env!("CARGO_PKG_VERSION"), self.session.spec),
            "id author the Ludex project".to_owned(),
            format!("option name Threads type spin default {threads} min 1 max 256"),
            format!("option name {usi}Hash type spin default {} min 1 max 1048576", memory >> 20),
            format!("option name Player type string default {}", self.session.spec),
            "option name Seed type string default 0".to_owned(),
            format!("option name {usi}Ponder type check default false"),
        ];
        self.say(&lines.join("\n"))?;
        self.say(&format!("{}ok", language.name()))
    }

    fn new_game(&mut self) {
        self.session.forget();
        self.position = self.session.setup.position.clone();
    }

    /// `name N value V`.
    fn set_option(&mut self, words: Vec<String>) -> Result<()> {
        let value = words.iter().position(|it| it == "value").unwrap_or(words.len());
        let name = words.get(1..value).unwrap_or_default().join(" ");
        let text = words.get(value + 1..).unwrap_or_default().join(" ");
        let number =
            || text.parse::<u64>().map_err(|_| Error::new(format!("`{text}` is no number")));
        let (mut spec, mut options) = (self.session.spec.clone(), self.session.options);
        let key = name.to_ascii_lowercase();
        match key.strip_prefix("usi_").unwrap_or(&key) {
            "threads" => options.threads = number()?.clamp(1, 256) as usize,
            "hash" => options.memory = (number()?.clamp(1, 1 << 20) as usize) << 20,
            "seed" => options.seed = number()?,
            "player" => spec.clone_from(&text),
            "ponder" => return Ok(()),
            _ => return Err(Error::new(format!("there is no option `{name}`"))),
        }
        self.session.change_player(spec, options)
    }

    /// `startpos` or `fen …`, and moves.
    fn position(&mut self, words: Vec<String>) -> Result<()> {
        let moves = words.iter().position(|it| it == "moves").unwrap_or(words.len());
        let position = match words.first().map(String::as_str) {
            Some("startpos") => None,
            Some("fen" | "sfen" | "position") => {
                let text = words[1..moves].join(" ");
                let read = self.notation.read_position(&text);
                Some(read.ok_or_else(|| Error::new(format!("`{text}` is no position")))?)
            }
            _ => return Err(Error::new("`position` takes `startpos` or `fen …`")),
        };
        let moves = words.get(moves + 1..).unwrap_or_default();
        self.position = if self.language == ProtocolKind::Usi {
            let from = FromArgs { position, moves: None };
            self.followed(reach(&self.session.loaded, &from)?, moves)?
        } else {
            let from = FromArgs { position, moves: Some(moves.join(" ")) };
            reach(&self.session.loaded, &from)?
        };
        Ok(())
    }

    /// The position after moves in the notation of the protocol.
    fn followed(&self, mut position: Position, moves: &[String]) -> Result<Position> {
        for (number, text) in (1..).zip(moves) {
            let Turn::Of(mover) = self.session.loaded.turn(&position)? else {
                return Err(Error::new(format!("move {number}: the game is over before `{text}`")));
            };
            let legal = legal_names(&self.session.game, &position, mover);
            let legal = legal.map_err(|it| self.session.loaded.blame(it))?;
            let name = self.notation.ours(text, &self.session.game.write(&position.state), &legal);
            let name = name.ok_or_else(|| {
                Error::new(format!("move {number}: `{text}` is not a legal move"))
            })?;
            self.session.loaded.play(&mut position, number, name)?;
        }
        Ok(position)
    }

    /// The notation of the moves from here on.
    fn their_names(&self, moves: &[PackedMove]) -> Vec<String> {
        let position = &self.position;
        let names = names(&self.session.game, position, moves);
        names.iter().map(|it| self.notation.theirs(it)).collect()
    }

    /// The answer to `go` without a move to play.
    fn no_move(&self) -> &'static str {
        if self.language == ProtocolKind::Usi { "bestmove resign" } else { "bestmove 0000" }
    }

    fn go(&mut self, words: Vec<String>) -> Result<()> {
        if self.session.loaded.ending(&self.position)?.is_some() {
            self.say(self.no_move())?;
            return Err(Error::new("the game is over"));
        }
        let Turn::Of(mover) = self.session.loaded.turn(&self.position)? else {
            self.say(self.no_move())?;
            return Err(Error::new("it is not the turn of one player"));
        };
        let usual = self.session.usual();
        let order = match order(&words, (mover, self.language), &usual) {
            Ok(order) => order,
            // The interface waits for a move all the same.
            Err(error) => {
                self.complain(format_args!("{error:#}; the usual limits hold"))?;
                let says = |word: &str| words.iter().any(|it| it == word);
                Order { endless: says("infinite"), ponder: says("ponder"), ..usual }
            }
        };
        self.running = Some(self.session.start(&self.position, order)?);
        if self.ending {
            self.end_soon();
        }
        Ok(())
    }

    fn query(&mut self, what: Option<&str>) -> Result<()> {
        let turn = self.session.loaded.turn(&self.position)?;
        let ending = self.session.loaded.ending(&self.position)?;
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
                return Err(Error::new(
                    "`query` takes `gameover`, `p1turn` or `result`, as in `query result`",
                ));
            }
        };
        self.say(&format!("response {answer}"))
    }

    fn info(&mut self, result: &SearchResult) -> Result<()> {
        let Some(line) = result.lines.first() else { return Ok(()) };
        let pv = self.their_names(&line.pv).join(" ");
        let score =
            if self.language == ProtocolKind::Usi { score::usi(line) } else { score::uci(line) };
        let pondered = self.running.as_ref().map(Running::pondered).unwrap_or_default();
        let elapsed = result.elapsed + pondered;
        let millis = elapsed.as_millis();
        let rate = result.nodes as f64 / elapsed.as_secs_f64().max(1e-3);
        let text = format!(
            "info depth {} score {score} nodes {} nps {rate:.0} time {millis} pv {pv}",
            result.depth.max(1),
            result.nodes,
        );
        self.say(&text)
    }

    fn done(
        &mut self,
        player: LoadedPlayer,
        result: Result<SearchResult, ludex_search::SearchError>,
    ) -> Result<()> {
        match result {
            Ok(result) => self.pending = Some(result),
            Err(fault) => {
                self.running = None;
                self.complain(player.blame_shortly(&self.session.loaded, &fault))?;
                self.say(self.no_move())?;
            }
        }
        self.session.take_back(player);
        Ok(())
    }

    /// Sends the answer, unless it waits for `stop`.
    fn answer(&mut self) -> Result<()> {
        if self.running.as_ref().is_some_and(|it| it.held) {
            return Ok(());
        }
        let Some(result) = self.pending.take() else { return Ok(()) };
        self.running = None;
        let pv = result.lines.first().map(|it| it.pv.clone()).unwrap_or_default();
        let names = self.their_names(&pv);
        let Some(best) = result.best() else { return self.say(self.no_move()) };
        let best = self.notation.theirs(&self.session.game.name(&self.position.state, best));
        match names.get(1) {
            Some(reply) => self.say(&format!("bestmove {best} ponder {reply}")),
            None => self.say(&format!("bestmove {best}")),
        }
    }
}

/// The commands that cannot wait for the end of a search.
fn is_urgent(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "stop" | "quit" | "isready" | "ponderhit" | "")
}

/// The limits in the words of `go`, or else `default`.
fn order(
    words: &[String],
    (mover, language): (Player, ProtocolKind),
    default: &Order,
) -> Result<Order> {
    let mut order = Order::default();
    let (mut left, mut increment, mut moves_to_go) = ([None; 2], [Duration::ZERO; 2], None);
    let mut byoyomi = None;
    // In shogi black begins, in chess white.
    let (white, black) = if language == ProtocolKind::Usi { (1, 0) } else { (0, 1) };
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64> {
            let text = words.next().unwrap_or_default();
            // Interfaces send negative times after a time forfeit.
            let number =
                text.parse::<i64>().map_err(|_| Error::new(format!("`{word}` wants a number")))?;
            Ok(number.max(0) as u64)
        };
        let millis = |number: u64| Duration::from_millis(number).min(LONGEST);
        match word {
            "infinite" => order.endless = true,
            "ponder" => order.ponder = true,
            "movetime" => order.hard = Some(millis(number()?)),
            "nodes" => order.nodes = Some(number()?.max(1)),
            "depth" => order.depth = Some(number()?.clamp(1, 10_000) as u32),
            "p1time" => left[0] = Some(millis(number()?)),
            "p2time" => left[1] = Some(millis(number()?)),
            "wtime" => left[white] = Some(millis(number()?)),
            "btime" => left[black] = Some(millis(number()?)),
            "p1inc" => increment[0] = millis(number()?),
            "p2inc" => increment[1] = millis(number()?),
            "winc" => increment[white] = millis(number()?),
            "binc" => increment[black] = millis(number()?),
            "byoyomi" => byoyomi = Some(millis(number()?)),
            "movestogo" => moves_to_go = Some(number()?.clamp(1, 10_000) as u32),
            _ => {}
        }
    }
    let side = mover.index().min(1);
    if let (Some(byoyomi), None) = (byoyomi.filter(|it| !it.is_zero()), order.hard) {
        // Byo-yomi is there for every move; of the clock a part is used.
        let own = byoyomi.mul_f64(BYOYOMI);
        let left = left[side].filter(|it| !it.is_zero());
        let share =
            left.map(|it| move_time(GameClock::new(it, Duration::ZERO), &TimingConfig::default()));
        order.soft = share.as_ref().map(|it| it.soft + own);
        order.hard = Some(share.map_or(own, |it| it.hard + own));
    } else if let (Some(left), None) = (left[side], order.hard) {
        let clock = GameClock { left, increment: increment[side], moves_to_go };
        let share = move_time(clock, &TimingConfig::default());
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
        order(&words, (Player(1), ProtocolKind::Uci), &default)
    }

    #[test]
    fn shogi_clocks_are_read() {
        let parsed = |text: &str, player| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            order(&words, (Player(player), ProtocolKind::Usi), &Order::default()).unwrap()
        };
        let second = Duration::from_secs(1);
        let counted = parsed("btime 0 wtime 0 byoyomi 1000", 0);
        assert_eq!((counted.soft, counted.hard), (None, Some(second.mul_f64(BYOYOMI))));
        // Black is the first player here.
        let clock = |player| parsed("btime 600000 wtime 1000 byoyomi 1000", player).hard.unwrap();
        assert!(clock(0) > 5 * second && clock(1) < 2 * second);
        assert!(parsed("btime 600000 wtime 1000 binc 0 winc 0", 0).soft.unwrap() > second);
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
}
