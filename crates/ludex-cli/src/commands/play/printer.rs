//! How the events of a game are shown: on a terminal, in plain lines, or in JSON.

use std::io;

use ludex::analysis::proved_text;
use ludex::ending::{Ending, count};
use ludex_core::{Game, GameExt, Player};
use ludex_search::Proved;
use serde_json::{Value, json};

use super::command::HELP;
use super::computer::{Choice, Hint};
use super::session::SeatedGame;
use crate::output::{Out, note};

/// Moves are listed in lines of about this width.
const WIDTH: usize = 78;

/// What is shown.
#[derive(Debug)]
pub(super) enum Event<'e> {
    /// The game begins.
    Begin,
    /// The board, because it was asked for.
    Board,
    /// The legal moves.
    Moves(&'e [String]),
    /// A move was played, by the computer after a search.
    Moved { player: Player, name: &'e str, choice: Option<&'e Choice> },
    /// A number of moves was taken back.
    Undone(usize),
    /// A player resigned.
    Resigned(Player),
    /// The record was saved.
    Saved(&'e str),
    /// The game is over; nothing where there is no result.
    Over(Option<&'e Ending>),
    /// A command that was refused.
    Refused(&'e str),
    /// The commands.
    Help,
    /// A move that might be good.
    Hint(&'e Hint),
}

/// Prints events.
#[derive(Debug)]
pub(super) struct Printer<'o> {
    out: &'o mut Out,
    terminal: bool,
}

impl<'o> Printer<'o> {
    /// For a terminal, unless JSON is wanted.
    pub(super) fn new(out: &'o mut Out, terminal: bool) -> Self {
        let terminal = terminal && !out.is_json();
        Self { out, terminal }
    }

    /// Asks a person for a line; a program needs no prompt.
    pub(super) fn prompt(&mut self, text: &str) -> io::Result<()> {
        if self.terminal { self.out.text(text) } else { Ok(()) }
    }

    /// Tells an event.
    pub(super) fn print(&mut self, seated: &SeatedGame, event: &Event<'_>) -> io::Result<()> {
        if self.out.is_json() {
            return self.out.json(&as_json(seated, event));
        }
        if let (Event::Refused(message), false) = (event, self.terminal) {
            note(format_args!("error: {message}"));
            return Ok(());
        }
        let text = if self.terminal { in_full(seated, event) } else { in_a_line(seated, event) };
        self.out.line(text)
    }

    /// Ends with the record of the game.
    pub(super) fn end(&mut self, seated: &SeatedGame) -> io::Result<()> {
        let record = seated.record().to_string();
        if self.out.is_json() {
            return self.out.json(&json!({ "event": "record", "record": record }));
        }
        self.out.text(&format!("\n{record}"))
    }
}

/// Names of the players, and what sits there.
fn seats(seated: &SeatedGame) -> Vec<(String, &str)> {
    let name = |index: usize| seated.loaded().game.player_name(Player(index as u8));
    let seats = seated.seats.iter().enumerate();
    seats.map(|(index, &seat)| (name(index), seated.seat_name(seat))).collect()
}

// For a person.

fn in_full(seated: &SeatedGame, event: &Event<'_>) -> String {
    let game = &seated.loaded().game;
    let board = || format!("\n{}", game.draw(&seated.position().state));
    match event {
        Event::Begin => beginning(seated) + &board(),
        Event::Board => board(),
        Event::Moves(moves) => numbered(moves),
        Event::Moved { player, name, choice } => {
            let who = game.player_name(*player);
            let choice = choice.map(choice_text).unwrap_or_default();
            format!("{who} plays {name}{choice}{}", board())
        }
        Event::Undone(turns) => format!("{} taken back{}", count(*turns as i64, "move"), board()),
        Event::Resigned(player) => format!("{} resigns", game.player_name(*player)),
        Event::Saved(file) => format!("saved in `{file}`"),
        Event::Over(ending) => {
            let result = ending.map(|it| format!(": {}", it.text)).unwrap_or_default();
            let hint = "\n`new` begins again, `quit` stops";
            format!("the game is over{result}{}", if seated.has_person() { hint } else { "" })
        }
        Event::Refused(message) => (*message).to_owned(),
        Event::Help => HELP.to_owned(),
        Event::Hint(hint) => hint_text(hint),
    }
}

/// A hint with its reason: what is expected, and by which player.
fn hint_text(hint: &Hint) -> String {
    let proved = proved_text(hint.proved);
    let worth = if proved.is_empty() { format!("{:+.2} for you", hint.value) } else { proved };
    let line = hint.pv.join(" ");
    format!("try {}: {worth}; expected is {line}\n({})", hint.name, hint.why)
}

fn choice_text(choice: &Choice) -> String {
    let Choice { value, nodes, proved, .. } = choice;
    let proved = proved_text(*proved);
    let value = if proved.is_empty() { format!("{value:+.2}") } else { proved };
    format!(" ({}, {value})", count(*nodes as i64, "node"))
}

/// What game it is, who plays, and what to type.
fn beginning(seated: &SeatedGame) -> String {
    let loaded = seated.loaded();
    // A rules file begins with a comment that says in a line what the game is about.
    let about = loaded.source.text.lines().next().and_then(|it| it.strip_prefix('#'));
    let about = about.unwrap_or(&loaded.compiled.title).trim();
    let seats: Vec<String> =
        seats(seated).iter().map(|(name, seat)| format!("{name}: {seat}")).collect();
    format!("{about}\n{}\n`help` lists what you can type", seats.join(", "))
}

/// The moves with their numbers, in columns.
fn numbered(moves: &[String]) -> String {
    let widest = moves.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    let digits = moves.len().to_string().len();
    let columns = (WIDTH / (digits + widest + 4)).max(1);
    let cells: Vec<String> =
        (1..).zip(moves).map(|(number, it)| format!("{number:>digits$}  {it:<widest$}")).collect();
    let rows: Vec<String> =
        cells.chunks(columns).map(|row| row.join("  ").trim_end().to_owned()).collect();
    rows.join("\n")
}

// For a program.

fn in_a_line(seated: &SeatedGame, event: &Event<'_>) -> String {
    let game = &seated.loaded().game;
    match event {
        Event::Begin => {
            let seats = seats(seated);
            let seats = seats.iter().map(|(name, seat)| format!("\nplayer {name} {seat}"));
            format!("game {}{}", seated.loaded().source.spec(), seats.collect::<String>())
        }
        Event::Board => format!("position {}", game.write(&seated.position().state)),
        Event::Moves(moves) => format!("moves {}", moves.join(" ")),
        Event::Moved { player, name, .. } => format!("move {} {name}", game.player_name(*player)),
        Event::Undone(turns) => format!("undo {turns}"),
        Event::Resigned(player) => format!("resign {}", game.player_name(*player)),
        Event::Saved(file) => format!("saved {file}"),
        Event::Over(Some(ending)) => format!("result {}", ending.text),
        Event::Over(None) => "result none".to_owned(),
        Event::Refused(message) => format!("refused {message}"),
        Event::Help => HELP.to_owned(),
        Event::Hint(hint) => format!("hint {}", hint.name),
    }
}

fn as_json(seated: &SeatedGame, event: &Event<'_>) -> Value {
    let game = &seated.loaded().game;
    match event {
        Event::Begin => {
            let player = |(name, seat): (String, &str)| json!({ "name": name, "seat": seat });
            let players: Vec<Value> = seats(seated).into_iter().map(player).collect();
            json!({ "event": "game", "game": seated.loaded().source.spec(), "players": players })
        }
        Event::Board => json!({
            "event": "board",
            "position": game.write(&seated.position().state),
            "board": game.draw(&seated.position().state),
        }),
        Event::Moves(moves) => json!({ "event": "moves", "moves": moves }),
        Event::Moved { player, name, choice } => {
            let mut value =
                json!({ "event": "move", "player": game.player_name(*player), "move": name });
            if let Some(choice) = choice {
                value["value"] = json!(choice.value);
                value["nodes"] = json!(choice.nodes);
            }
            value
        }
        Event::Undone(turns) => json!({ "event": "undo", "moves": turns }),
        Event::Resigned(player) => {
            json!({ "event": "resign", "player": game.player_name(*player) })
        }
        Event::Saved(file) => json!({ "event": "saved", "file": file }),
        Event::Over(ending) => json!({
            "event": "result",
            "result": ending.map(|it| &it.text),
            "scores": ending.map(Ending::scores),
        }),
        Event::Refused(message) => json!({ "event": "refused", "message": message }),
        Event::Help => json!({ "event": "help", "text": HELP }),
        Event::Hint(hint) => json!({
            "event": "hint",
            "move": hint.name,
            "value": hint.value,
            "proved": hint.proved.map(Proved::name),
            "pv": hint.pv,
            "why": hint.why,
        }),
    }
}
