//! Smart game format, version 4 (A. Hollosi, 1997), for games of stones.
//!
//! Points are two letters, column and row from the upper left corner; on boards of hexagons they are
//! written by their names.

use ludex_arena::record::{DATE_TAG, tag};
use ludex_core::record::Record;
use ludex_core::{GameExt, Turn};
use ludex_ir::GridKind;

use super::{Cut, Walk, clock_in, player};
use crate::date::parts;
use crate::ending::names;
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::notation::KOMI;
use crate::notation::squares::Square;

/// The format's list of games: title, number, and whether ranks count from the top. Other games are
/// written with the stones of the first.
const LISTED: [(&str, u32, bool); 4] =
    [("Go", 1, false), ("Othello", 2, true), ("Gomoku", 4, false), ("Hex", 11, true)];

/// A record as SGF.
pub(super) fn text(loaded: &LoadedGame, record: &Record, walk: &Walk<'_>) -> Result<String> {
    let board = Board::new(loaded);
    let mut text = String::from("(;FF[4]CA[UTF-8]");
    text.push_str(&format!("AP[Ludex:{}]", env!("CARGO_PKG_VERSION")));
    for (key, value) in root(loaded, record, walk, &board)? {
        text.push_str(&format!("{key}[{}]", escaped(&value)));
    }
    text.push_str(&board.setup(loaded, walk));
    text.push('\n');
    for (number, step) in walk.steps.iter().enumerate() {
        let colour = board.colours[step.player.index().min(1)];
        let point = board.point(step.name).ok_or_else(|| {
            Error::new(format!("move {}: `{}` cannot be written as SGF", number + 1, step.name))
        })?;
        text.push_str(&format!(";{colour}[{}]", escaped(&point)));
        if let Some(comment) = step.comment {
            let left = clock_in(comment).map(|it| format!("{colour}L[{it:.3}]"));
            text.push_str(&left.unwrap_or_default());
            text.push_str(&format!("C[{}]", escaped(comment)));
        }
        if number % 8 == 7 || step.comment.is_some() {
            text.push('\n');
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(")\n");
    Ok(text)
}

/// The properties of the whole game.
fn root(
    loaded: &LoadedGame,
    record: &Record,
    walk: &Walk<'_>,
    board: &Board,
) -> Result<Vec<(String, String)>> {
    let title = &loaded.compiled.title;
    let (columns, rows) = (board.columns, board.rows);
    let size = if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
    let mut found = vec![("GM", board.number.to_string()), ("SZ", size), ("GN", title.clone())];
    for side in 0..2 {
        let key = if board.colours[side] == 'B' { "PB" } else { "PW" };
        found.push((key, player(record, side).to_owned()));
    }
    let options = &loaded.compiled.options;
    if let Some(komi) = options.iter().find(|it| it.name == KOMI) {
        let half_points: f64 = komi.value.parse().unwrap_or(0.0);
        found.push(("KM", (half_points / 2.0).to_string()));
    }
    let date = tag(record, DATE_TAG).and_then(parts);
    found.extend(date.map(|(day, _)| ("DT", day.to_owned())));
    found.extend(result(loaded, record, walk, board)?.map(|it| ("RE", it)));
    Ok(found.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// The winner, and the termination if not by the rules: `B+`, `W+T`, `0`.
fn result(
    loaded: &LoadedGame,
    record: &Record,
    walk: &Walk<'_>,
    board: &Board,
) -> Result<Option<String>> {
    let Some(points) = walk.points(loaded, record)? else { return Ok(None) };
    let how = match Cut::of(record) {
        Some(Cut::Time) => "T",
        Some(Cut::Resignation) => "R",
        Some(Cut::Forfeit) => "F",
        _ => "",
    };
    Ok(Some(if points > 0.5 {
        format!("{}+{how}", board.colours[0])
    } else if points < 0.5 {
        format!("{}+{how}", board.colours[1])
    } else {
        "0".to_owned()
    }))
}

/// How points and players are written.
struct Board {
    /// The number of the game.
    number: u32,
    columns: usize,
    rows: usize,
    from_top: bool,
    is_hex: bool,
    /// Letters of the players.
    colours: [char; 2],
}

impl Board {
    fn new(loaded: &LoadedGame) -> Self {
        let look = &loaded.game.program().look;
        let listed = LISTED.iter().find(|(title, ..)| *title == loaded.compiled.title);
        let (_, number, from_top) = *listed.unwrap_or(&LISTED[0]);
        let white_begins = names(&loaded.game).first().is_some_and(|it| it.starts_with(['W', 'w']));
        Self {
            number,
            columns: look.columns,
            rows: look.rows,
            from_top,
            is_hex: look.grid == GridKind::Hex,
            colours: if white_begins { ['W', 'B'] } else { ['B', 'W'] },
        }
    }

    /// A point in the format's letters; a pass is nothing at all.
    fn point(&self, name: &str) -> Option<String> {
        if name == "pass" {
            return Some(String::new());
        }
        if self.is_hex {
            let swaps = name.contains("swap");
            return Some(if swaps { "swap-pieces".to_owned() } else { name.to_owned() });
        }
        let (Square { column, rank }, rest) = Square::split(name)?;
        let row = if self.from_top { rank - 1 } else { self.rows.checked_sub(rank)? };
        rest.is_empty().then(|| Some(format!("{}{}", letter(column)?, letter(row)?)))?
    }

    /// The stones of the start position, and the player to move if that is not the first.
    fn setup(&self, loaded: &LoadedGame, walk: &Walk<'_>) -> String {
        let game = &loaded.game;
        let codes = &game.board().men;
        let mut men = Vec::new();
        game.men(&walk.start.state, &mut men);
        men.sort_unstable();
        let squares = &game.program().look.squares;
        let mut text = String::new();
        for side in 0..2 {
            let own = men.iter().filter(|(_, code)| {
                let owner = codes.get(usize::from(*code)).and_then(|it| it.0);
                owner.is_some_and(|it| it.index() == side)
            });
            let points =
                own.filter_map(|(square, _)| self.point(squares.get(usize::from(*square))?));
            let points: Vec<String> = points.collect();
            if !points.is_empty() {
                text.push_str(&format!("A{}[{}]", self.colours[side], points.join("][")));
            }
        }
        let first = loaded.turn(&walk.start);
        if let Ok(Turn::Of(player)) = first
            && player.index() == 1
        {
            text.push_str(&format!("PL[{}]", self.colours[1]));
        }
        text
    }
}

/// Letters for numbers: a to z, then A to Z.
fn letter(number: usize) -> Option<char> {
    ('a'..='z').chain('A'..='Z').nth(number)
}

/// A text between brackets.
fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace(']', r"\]")
}
