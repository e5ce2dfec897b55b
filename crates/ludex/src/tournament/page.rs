//! The report of a tournament, with the boards of its games.

use std::collections::BTreeMap;

use ludex_arena::record::{END_TAG, points, read_move, tag};
use ludex_arena::report::Page;
use ludex_arena::report::replay::Replay;
use ludex_arena::tournament::Schedule;
use ludex_core::record::Record;
use ludex_core::turns::{Choices, named_turn};
use ludex_core::{Fault, Game};
use ludex_jit::CompiledGame;

use super::Tournament;
use super::folder::Folder;
use super::report::Scores;
use crate::error::Result;

/// The most boards of a report: browsers do not open larger pages.
const MOST_BOARDS: usize = 100_000;

/// Writes the report into the folder.
pub(super) fn write(
    folder: &Folder,
    tournament: &Tournament,
    scores: &Scores<'_>,
    schedule: &Schedule,
    records: &BTreeMap<u64, Record>,
) -> Result<()> {
    let mut room = MOST_BOARDS;
    let mut games = Vec::new();
    for round in &schedule.rounds {
        for fixture in &round.fixtures {
            let Some(record) = records.get(&fixture.number) else { continue };
            let game = &tournament.games[fixture.event].game;
            let boards = if record.turns.len() < room { boards(game, record) } else { Vec::new() };
            room -= boards.len().min(room);
            games.push(replay(fixture.number + 1, round.number, record, boards));
        }
    }
    games.sort_by_key(|it| it.number);
    let plan = &tournament.plan;
    let page = Page {
        title: plan.name.clone(),
        conditions: tournament.lines(),
        names: plan.players.iter().map(|it| it.name.clone()).collect(),
        published: plan.players.iter().map(|it| it.published).collect(),
        standings: scores.standings.clone(),
        crosstable: scores.table.clone(),
        expected: scores.expected,
        games,
    };
    folder.write("report.html", &page.html())
}

fn replay(number: u64, round: u32, record: &Record, boards: Vec<String>) -> Replay {
    let result = record.result.clone().unwrap_or_default();
    Replay {
        number,
        game: record.game.clone(),
        round,
        players: record.players.clone(),
        points: points(record).unwrap_or_default(),
        how: tag(record, END_TAG).map_or(result, str::to_owned),
        moves: record.turns.iter().map(|it| it.name.clone()).collect(),
        notes: record.turns.iter().map(note).collect(),
        boards,
    }
}

/// A note on a move: score, depth, nodes, time.
fn note(turn: &ludex_core::record::Played) -> String {
    let made = read_move(turn);
    let parts = [
        made.value.map(|it| format!("{it:+.2}")),
        made.score_text,
        made.depth.map(|it| format!("depth {it}")),
        made.nodes.map(|it| format!("{it} nodes")),
        made.spent.map(|it| format!("{:.2} s", it.as_secs_f64())),
        made.left.map(|it| format!("{:.1} s left", it.as_secs_f64())),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The boards of a game, up to the first move that cannot be replayed.
fn boards(game: &CompiledGame, record: &Record) -> Vec<String> {
    let mut position = match record.start.as_deref().map(|it| game.read(it)) {
        None => game.start(),
        Some(Ok(state)) => game.position(state),
        Some(Err(_)) => return Vec::new(),
    };
    let mut boards = vec![game.draw(&position.state)];
    let mut choices = Choices::default();
    let mut moves = Vec::new();
    for turn in &record.turns {
        let mut play = || -> Result<bool, Fault> {
            choices.fill(game, &position)?;
            let found = named_turn(game, &position, &choices, &turn.name, &mut moves)?;
            if found.is_err() {
                return Ok(false);
            }
            game.apply(&mut position, &moves)?;
            Ok(true)
        };
        if !matches!(play(), Ok(true)) {
            break;
        }
        boards.push(game.draw(&position.state));
    }
    boards
}
