//! Why the rules list a move, or give a result.
//!
//! A reason is a cell and what was asked of it. In every position in which the cells are as the
//! reasons say, the rules list the same move or give the same result. The interpreter finds them:
//! native code gives the same answers and keeps no reasons.

use std::collections::BTreeSet;

use ludex_core::text::nearest;
use ludex_core::{Game, GameExt, Player, Position, State, Turn};
use ludex_diagnostics::{LineColumn, line_column};
use ludex_ir::inst::TURN;
use ludex_ir::{OutcomeKind, PackedMove};
use ludex_study::{Clause, Explained, Given, Listed, Reason, Study};

use super::grouped;
use super::report::{Explanation, ReasonsReport, Rule, reasons_of};
use crate::board;
use crate::ending::Ending;
use crate::error::{Error, Result};
use crate::game::LoadedGame;

/// Something explained.
struct Found {
    /// What it is, in words.
    what: String,
    /// For a move, whether it is legal and not only listed by `moves`.
    legal: Option<bool>,
    /// Whose it is.
    player: Player,
    /// Who is to move.
    turn: Player,
    reasons: Vec<Reason>,
    history: bool,
    /// The rule that fired.
    place: u32,
}

/// Why the rules list a move, for the player to move or for another one.
pub fn explain_move(
    loaded: &LoadedGame,
    position: &Position,
    side: Option<Player>,
    name: &str,
) -> Result<ReasonsReport> {
    let game = loaded.game.interpreter();
    let place = interpreted(loaded, position);
    let player = side.unwrap_or_else(|| game.mover(&place.state));
    let state = with_turn(loaded, &place.state, player);
    let study = Study::new(game.program());
    let position = Position { state, trail: place.trail.clone() };
    let listed = study.moves(&position, player).map_err(|it| loaded.blame(it))?;
    let legal = game.named(&position, player, name).map_err(|it| loaded.blame(it))?;
    let found = find(loaded, &position.state, &listed, legal, name)?;
    let who = game.player_name(player);
    let what = if legal.is_some() {
        format!("{who} can play {name}")
    } else {
        format!("the rules list {name} for {who}, but it is not legal here")
    };
    let found = Found {
        what,
        legal: Some(legal.is_some()),
        player,
        turn: player,
        reasons: found.reasons.clone(),
        history: found.history,
        place: found.place,
    };
    Ok(ReasonsReport::of_move(found.explanation(loaded, &place.state)))
}

/// The position as the interpreter has it.
fn interpreted(loaded: &LoadedGame, position: &Position) -> Position {
    let state = loaded.game.to_interpreter(&position.state).into_owned();
    Position { state, trail: position.trail.clone() }
}

/// The same cells with another player to move.
fn with_turn(loaded: &LoadedGame, state: &State, player: Player) -> State {
    let layout = loaded.game.interpreter().layout();
    let mut values = layout.values(state);
    values[turn_cell(loaded)] = i64::from(player.0);
    layout.state(&values)
}

fn turn_cell(loaded: &LoadedGame) -> usize {
    loaded.game.program().arrays[TURN.0 as usize].base
}

/// The listed move that is meant: the legal one, or else the first that is called so.
fn find<'l>(
    loaded: &LoadedGame,
    state: &State,
    listed: &'l [Explained<Listed>],
    legal: Option<PackedMove>,
    name: &str,
) -> Result<&'l Explained<Listed>> {
    if let Some(found) = listed.iter().find(|it| Some(it.item.mv) == legal) {
        return Ok(found);
    }
    let names: Vec<String> =
        listed.iter().map(|it| loaded.game.interpreter().name(state, it.item.mv)).collect();
    if let Some(index) = names.iter().position(|it| it == name) {
        return Ok(&listed[index]);
    }
    let message = format!("`{name}` is not a move that the rules list here");
    let help = match nearest(name, names.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("`ludex moves {}` lists the legal moves", loaded.rules().spec()),
    };
    Err(Error::with_help(message, help))
}

/// Why the game is over: what the rules say, for one player or for all.
pub fn explain_result(
    loaded: &LoadedGame,
    position: &Position,
    side: Option<Player>,
) -> Result<ReasonsReport> {
    let Some(ending) = loaded.ending(position)? else {
        let message = "the game goes on here, so there is no result to explain";
        return Err(Error::with_help(message, "name a move with --move"));
    };
    let position = interpreted(loaded, position);
    let study = Study::new(loaded.game.program());
    let turn = loaded.game.interpreter().mover(&position.state);
    let mut explained = Vec::new();
    for player in (0..loaded.game.players()).map(|it| Player(it as u8)) {
        let given = given(loaded, &study, &position, player)?;
        if side.is_none_or(|it| it == player) {
            let found = given.into_iter().map(|it| found(loaded, player, turn, it));
            explained.extend(found.map(|it| it.explanation(loaded, &position.state)));
        }
    }
    ReasonsReport::of_result(explained, &ending).ok_or_else(|| nothing_said(loaded, side, &ending))
}

/// What the rules say for a player: `result` and `adjudicate` come before `stuck`.
fn given(
    loaded: &LoadedGame,
    study: &Study,
    position: &Position,
    player: Player,
) -> Result<Vec<Explained<Given>>> {
    let blame = |fault| loaded.blame(fault);
    // Having no legal move comes before what is adjudicated, so ask without that first.
    let ruled = loaded.game.interpreter().clone().with_adjudication(false);
    let mut by_result = false;
    for other in (0..ruled.players()).map(|it| Player(it as u8)) {
        by_result |= !ruled.outcomes(position, other).map_err(blame)?.is_empty();
    }
    let stuck = !by_result && ruled.turn(position).map_err(blame)? == Turn::Over;
    if !stuck {
        return study.results(position, player).map_err(blame);
    }
    if ruled.mover(&position.state) == player {
        return study.stuck(position, player).map_err(blame);
    }
    Ok(Vec::new())
}

/// A result with its reasons.
fn found(loaded: &LoadedGame, player: Player, turn: Player, it: Explained<Given>) -> Found {
    let who = loaded.game.player_name(player);
    let outcome = match (it.item.kind, it.item.score) {
        (OutcomeKind::Victory, _) => format!("{who} has won"),
        (OutcomeKind::Loss, _) => format!("{who} has lost"),
        (OutcomeKind::Draw, _) => format!("it is a draw for {who}"),
        (OutcomeKind::Score, score) => format!("{who} has {} points", score.unwrap_or(0)),
    };
    let part = match it.item.clause {
        Clause::Result => "",
        Clause::Adjudicate => ", by adjudication",
        Clause::Stuck => ", having no move",
    };
    Found {
        legal: None,
        what: outcome + part,
        player,
        turn,
        reasons: it.reasons,
        history: it.history,
        place: it.place,
    }
}

fn nothing_said(loaded: &LoadedGame, side: Option<Player>, ending: &Ending) -> Error {
    let who = side.map_or_else(|| "any player".to_owned(), |it| loaded.game.player_name(it));
    let message = format!("the rules say nothing for {who} here; the result is: {}", ending.text);
    Error::with_help(message, "leave out --side to see what they say for the others")
}

impl Found {
    /// The same as plain data.
    fn explanation(self, loaded: &LoadedGame, state: &State) -> Explanation {
        let program = loaded.game.program();
        // The turn is shown apart.
        let turn = turn_cell(loaded);
        let reasons: Vec<&Reason> = self.reasons.iter().filter(|it| it.cell != turn).collect();
        let cells = reasons.iter().map(|it| it.cell);
        let squares: BTreeSet<usize> = cells.filter(|&it| it < program.squares).collect();
        let values = loaded.game.interpreter().layout().values(state);
        Explanation {
            legal: self.legal,
            player: loaded.game.player_name(self.player),
            reasons: reasons_of(program, reasons.iter().copied(), self.player),
            lines: grouped::lines(program, reasons.iter().copied(), self.player),
            turn: loaded.game.player_name(self.turn),
            history: self.history,
            rule: rule(loaded, self.place),
            board: board::draw_marked(program, &values, &squares),
            what: self.what,
        }
    }
}

/// The rule that fired, with its place in the file.
fn rule(loaded: &LoadedGame, place: u32) -> Option<Rule> {
    let span = loaded.span(place)?;
    let source = loaded.source_at(place);
    let LineColumn { line, column } = line_column(&source.text, span.start as usize);
    let text = source.text.lines().nth(line - 1)?.trim().to_owned();
    Some(Rule { file: source.file.clone(), line, column, text })
}
