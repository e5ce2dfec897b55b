//! Random games, to see whether a file does in play what it promises.
//!
//! Every position is asked for its turn and its moves. In every eighth one the names of the moves
//! and the text of the position are tested as well, which takes longer.

use std::collections::BTreeSet;
use std::time::Instant;

use ludex_core::turns::{Choices, turn_name};
use ludex_core::{Fault, Game, Position, Random, Turn};
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;

use super::CheckRequest;
use super::findings::{Failing, Findings};
use super::statistics::Statistics;
use crate::ending::{ending, names};
use crate::game::LoadedGame;
use crate::stop::StopToken;
use crate::stoppable::{Stoppable, was_stopped};

/// In one of this many positions names and texts are tested.
const EVERY: u64 = 8;

/// Plays random games and adds what was seen to the report.
pub(super) fn play(
    loaded: &LoadedGame,
    request: &CheckRequest,
    stop: &StopToken,
    report: &mut Findings,
) {
    let until = Instant::now() + request.time;
    let stoppable = Stoppable { game: &loaded.game, stop: stop.flag(), until: Some(until) };
    let mut sample = Sample::new(loaded, &stoppable);
    for number in 0..request.games {
        let mut random = Random::stream(request.seed, number, 0);
        match sample.game(number, request.plies, &mut random) {
            Ok(()) => {}
            Err(fault) if was_stopped(&fault) => break,
            Err(fault) => {
                sample.fail(fault, report);
                break;
            }
        }
    }
    sample.report(request, report);
}

/// What was counted and found.
struct Sample<'a> {
    loaded: &'a LoadedGame,
    game: &'a Stoppable<'a, CompiledGame>,
    players: Vec<String>,
    statistics: Statistics,
    /// Statements of which a move was listed.
    listed: BTreeSet<u32>,
    /// The first position with two moves of the same name.
    same_name: Option<Failing>,
    /// The first position whose text does not give it back.
    lost_text: Option<Failing>,
    /// The game in progress.
    turns: Vec<String>,
    position: Position,
    choices: Choices<PackedMove>,
}

impl<'a> Sample<'a> {
    fn new(loaded: &'a LoadedGame, game: &'a Stoppable<'a, CompiledGame>) -> Self {
        let position = game.start();
        Self {
            loaded,
            game,
            players: names(game),
            statistics: Statistics::default(),
            listed: BTreeSet::new(),
            same_name: None,
            lost_text: None,
            turns: Vec::new(),
            position,
            choices: Choices::default(),
        }
    }

    /// Plays one game.
    fn game(&mut self, number: u64, plies: u32, random: &mut Random) -> Result<(), Fault> {
        self.position = self.game.start();
        self.turns.clear();
        let mut branching = 0;
        let mut turn = Vec::new();
        loop {
            let length = self.turns.len() as u64;
            if self.choices.fill(self.game, &self.position)? == Turn::Over {
                let ending = ending(self.game, &self.position)?;
                self.statistics.add(&self.players, length, branching, Some(&ending));
                return Ok(());
            }
            if length == u64::from(plies) {
                self.statistics.add(&self.players, length, branching, None);
                return Ok(());
            }
            branching += self.choices.count();
            self.test(number + length);
            self.choices.draw(random, &mut turn);
            self.turns.push(turn_name(self.game, &self.position.state, &turn));
            self.game.apply(&mut self.position, &turn)?;
        }
    }

    /// Tests the position and its moves.
    fn test(&mut self, number: u64) {
        let program = self.loaded.game.program();
        for mv in self.choices.lists().iter().flatten() {
            self.listed.extend(program.statement_of(*mv).map(|(_, statement)| statement.place));
        }
        if !number.is_multiple_of(EVERY) {
            return;
        }
        if self.same_name.is_none() {
            self.same_name = self.twice().map(|name| self.failing(&name));
        }
        if self.lost_text.is_none() {
            let text = self.game.write(&self.position.state);
            if self.game.read(&text).as_ref() != Ok(&self.position.state) {
                self.lost_text = Some(self.failing(&text));
            }
        }
    }

    /// A name that two moves of the present position have.
    fn twice(&self) -> Option<String> {
        let mut names = BTreeSet::new();
        let moves = self.choices.lists().iter().flatten();
        moves
            .map(|mv| self.game.name(&self.position.state, *mv))
            .find(|name| !names.insert(name.clone()))
    }

    fn failing(&self, what: &str) -> Failing {
        Failing {
            what: what.to_owned(),
            moves: self.turns.clone(),
            position: self.game.write(&self.position.state),
        }
    }

    /// Adds a fault of the rules to the report.
    fn fail(&mut self, fault: Fault, report: &mut Findings) {
        let failing = self.failing(&fault.message);
        report.fault(self.loaded.diagnostic(&fault), failing);
    }

    /// Adds everything else to the report.
    fn report(self, request: &CheckRequest, report: &mut Findings) {
        let statistics = self.statistics;
        if let Some(failing) = self.same_name {
            report.same_name(failing);
        }
        if let Some(failing) = self.lost_text {
            report.lost_text(failing);
        }
        if statistics.unfinished > 0 {
            report.unfinished(statistics.unfinished, statistics.games, request.plies);
        }
        if statistics.finished() > 0 {
            report.never_seen(self.loaded, &self.listed, &statistics.results);
        }
        report.statistics = Some(statistics.averaged());
    }
}
