//! A game that can be played, with the text it came from.

use std::sync::Arc;

use ludex_core::text::nearest;
use ludex_core::turns::{Choices, named_turn, turn_name};
use ludex_core::{Fault, Game, GameInfo, Player, Position, Turn};
use ludex_diagnostics::{Diagnostic, Severity, Span, line_column};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;
use ludex_rules::codes::fault_help;
use ludex_rules::{Compiled, compile};
use ludex_search::SearchError;

use crate::ending::{Ending, count, ending, names};
use crate::engine::{self, EngineKind};
use crate::error::{Error, Result};
use crate::players::Registry;
use crate::source::{Source, fnv1a};

/// A game, with the text it came from.
#[derive(Clone, Debug)]
pub struct LoadedGame {
    /// The text.
    pub source: Source,
    /// What the compiler made of it.
    pub compiled: Compiled,
    /// The game.
    pub game: CompiledGame,
    /// For a player or a goal, the rules it is for.
    rules: Option<Source>,
    /// Why there is no native code although it was asked for.
    no_native: Option<String>,
    /// The players and evaluations that can be named, and what they have measured of the game.
    registry: Arc<Registry>,
}

/// The game that `spec` names, as native code: a bundled game or a rules file, with options after
/// a colon (`hex:11`).
pub fn load(spec: &str) -> Result<LoadedGame> {
    LoadedGame::load(spec, EngineKind::Native)
}

impl LoadedGame {
    /// The game that `spec` names, run by an engine of this kind.
    pub fn load(spec: &str, engine: EngineKind) -> Result<Self> {
        Self::of_source(Source::find(spec)?, engine)
    }

    /// The game of a text of rules, run by an engine of this kind.
    pub fn of_source(source: Source, engine: EngineKind) -> Result<Self> {
        let compiled = compile(&source.text, &source.options);
        Self::build(source, compiled, engine)
    }

    /// Makes a game of what the compiler gave.
    pub fn build(source: Source, compiled: Compiled, engine: EngineKind) -> Result<Self> {
        Self::build_with(source, None, compiled, engine, Registry::standard().into())
    }

    /// Makes the game that a player file searches: that of `game`, with the file's evaluation
    /// and policy. It is run by the same engine, or refused.
    pub fn build_player(source: Source, compiled: Compiled, game: &Self) -> Result<Self> {
        let (rules, engine) = (game.source.clone(), EngineKind::of(&game.game));
        let registry = game.registry.clone();
        let player = Self::build_with(source, Some(rules), compiled, engine, registry)?;
        let Some(reason) = &player.no_native else { return Ok(player) };
        let (file, game) = (&player.source.file, game.source.spec());
        let message = format!("`{file}` cannot play `{game}` as native code: {reason}");
        Err(Error::with_help(message, "`--engine interpreter` interprets both"))
    }

    /// Makes the game in which a goal is to be reached.
    pub fn build_goal(
        goal: Source,
        compiled: Compiled,
        rules: Source,
        engine: EngineKind,
    ) -> Result<Self> {
        Self::build_with(goal, Some(rules), compiled, engine, Registry::standard().into())
    }

    fn build_with(
        source: Source,
        rules: Option<Source>,
        mut compiled: Compiled,
        engine: EngineKind,
        registry: Arc<Registry>,
    ) -> Result<Self> {
        let Some(program) = compiled.program.take() else {
            return Err(unusable(&source, &compiled.diagnostics));
        };
        let game = RulesGame::new(program)
            .with_name(source.bare_name(), source.options.clone())
            .with_rules_hash(source.hash());
        let (game, no_native) = engine::compile(game, engine);
        Ok(Self { source, compiled, game, rules, no_native, registry })
    }

    /// The same game with the players and evaluations of a registry.
    ///
    /// Analyses, matches and tournaments of the game take their players from there. What players
    /// measure of the game is kept there, too, so that it is measured once.
    #[must_use]
    pub fn with_registry(self, registry: Arc<Registry>) -> Self {
        Self { registry, ..self }
    }

    /// The players and evaluations that can be named.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// The rules: the text itself, or what a player or a goal is for.
    pub fn rules(&self) -> &Source {
        self.rules.as_ref().unwrap_or(&self.source)
    }

    /// What kind of game it is.
    pub fn info(&self) -> &GameInfo {
        self.game.info()
    }

    /// Why the rules are interpreted although native code was asked for.
    pub fn no_native(&self) -> Option<&str> {
        self.no_native.as_deref()
    }

    /// The same game with or without its adjudicated ends (repetition, move counts).
    #[must_use]
    pub fn with_adjudication(self, adjudicate: bool) -> Self {
        Self { game: engine::with_adjudication(self.game, adjudicate), ..self }
    }

    /// The same rules with other options, run alike.
    pub fn with_options(&self, options: &str) -> Result<Self> {
        let source = Source { options: options.to_owned(), ..self.source.clone() };
        let game = Self::of_source(source, EngineKind::of(&self.game))?;
        Ok(game.with_registry(self.registry.clone()))
    }

    /// A hash of all that decides who wins: the rules, and the goal if there is one.
    pub fn hash(&self) -> u64 {
        match &self.rules {
            None => self.source.hash(),
            Some(rules) => fnv1a(&[rules.text.as_bytes(), self.source.text.as_bytes()].join(&0)),
        }
    }

    /// The position that `text` describes.
    pub fn read(&self, text: &str) -> Result<Position> {
        let state = self.game.read(text).map_err(|it| Error::in_text("the position", text, &it))?;
        Ok(self.game.position(state))
    }

    /// The position after some moves, from the start or from a position.
    pub fn reach(&self, position: Option<&str>, moves: &str) -> Result<Position> {
        let mut reached = match position {
            Some(text) => self.read(text)?,
            None => self.game.start(),
        };
        for (number, name) in (1..).zip(moves.split_whitespace()) {
            self.play(&mut reached, number, name)?;
        }
        Ok(reached)
    }

    /// Refuses a position of another game, or of the same game run by another engine.
    pub fn accepts(&self, position: &Position) -> Result<()> {
        if self.game.owns(&position.state) {
            return Ok(());
        }
        let (spec, engine) = (self.source.spec(), EngineKind::of(&self.game).name());
        let message = format!("the position is not one of `{spec}`, run by the engine `{engine}`");
        Err(Error::with_help(message, "write it with the game it is of, and read it with this one"))
    }

    /// Plays the turn called `name`, and gives its name as the rules write it; `number` is what
    /// messages call it.
    pub fn play(&self, position: &mut Position, number: u32, name: &str) -> Result<String> {
        self.accepts(position)?;
        let mut choices = Choices::default();
        let turn = choices.fill(&self.game, position);
        if turn.map_err(|it| self.blame(it))? == Turn::Over {
            return Err(Error::new(format!("move {number}: the game is over before `{name}`")));
        }
        let mut moves = Vec::new();
        let found = named_turn(&self.game, position, &choices, name, &mut moves);
        found.map_err(|it| self.blame(it))?.map_err(|error| {
            let message = format!("move {number}: {}", error.message);
            if error.nearest.is_some() {
                return Error::with_nearest(message, error.nearest.as_deref());
            }
            let spec = self.source.spec();
            Error::with_help(message, format!("`ludex moves {spec}` lists the legal moves"))
        })?;
        let name = turn_name(&self.game, &position.state, &moves);
        self.game.apply(position, &moves).map_err(|it| self.blame(it))?;
        Ok(name)
    }

    /// The names of the legal moves, sorted.
    pub fn moves(&self, position: &Position) -> Result<Vec<String>> {
        self.accepts(position)?;
        let mut choices = Choices::default();
        choices.fill(&self.game, position).map_err(|it| self.blame(it))?;
        let mut turn = Vec::new();
        let mut names = Vec::new();
        for index in 0..choices.count() {
            choices.nth(index, &mut turn);
            names.push(turn_name(&self.game, &position.state, &turn));
        }
        names.sort();
        Ok(names)
    }

    /// The names of the moves of a line that is played from a position.
    pub fn line_names(&self, from: &Position, line: &[PackedMove]) -> Result<Vec<String>> {
        self.accepts(from)?;
        let mut position = from.clone();
        let mut names = Vec::new();
        for &mv in line {
            names.push(self.game.name(&position.state, mv));
            self.game.apply(&mut position, &[mv]).map_err(|it| self.blame(it))?;
        }
        Ok(names)
    }

    /// Who decides next.
    pub fn turn(&self, position: &Position) -> Result<Turn> {
        self.accepts(position)?;
        self.game.turn(position).map_err(|it| self.blame(it))
    }

    /// How the game ended, if it is over.
    pub fn ending(&self, position: &Position) -> Result<Option<Ending>> {
        if self.turn(position)? != Turn::Over {
            return Ok(None);
        }
        ending(&self.game, position).map(Some).map_err(|it| self.blame(it))
    }

    /// The player with this name or number (from 1).
    pub fn player(&self, side: &str) -> Result<Player> {
        let names = names(&self.game);
        let called = names.iter().position(|it| it.eq_ignore_ascii_case(side));
        let number = || side.parse().ok().filter(|it| (1..=names.len()).contains(it));
        if let Some(found) = called.or_else(|| number().map(|it| it - 1)) {
            return Ok(Player(found as u8));
        }
        let help = match nearest(side, names.iter().map(String::as_str)) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("the players are {}", names.join(", ")),
        };
        Err(Error::with_help(format!("there is no player called `{side}`"), help))
    }

    /// Why a search or the rules failed; a fault of the rules is shown with its line.
    pub fn blame(&self, error: impl Into<SearchError>) -> Error {
        let fault = match error.into() {
            SearchError::Rules(fault) => fault,
            SearchError::Stopped => return Error::Stopped,
            error @ SearchError::Unsupported(_) => {
                return Error::with_help(error.to_string(), "`auto` and `uct` play any game");
            }
        };
        let source = self.source_of(&fault);
        match self.place(&fault) {
            Some(span) => Error::in_rules(source.clone(), vec![diagnostic(&fault, span)], None),
            None => Error::new(format!("{}: {} [{}]", source.file, fault.message, fault.code)),
        }
    }

    /// The same in one line: `my.game:12: …`.
    pub fn blame_shortly(&self, fault: &Fault) -> String {
        let source = self.source_of(fault);
        let line = self.place(fault).map(|it| line_column(&source.text, it.start as usize).line);
        let line = line.map(|it| format!(":{it}")).unwrap_or_default();
        format!("{}{line}: {}", source.file, fault.message)
    }

    /// A fault as a diagnostic of the file. What a player file does wrong in a routine of the
    /// rules has no place in it.
    pub fn diagnostic(&self, fault: &Fault) -> Diagnostic {
        let place = self.place(fault).filter(|_| !self.is_of_rules(fault));
        diagnostic(fault, place.unwrap_or_default())
    }

    /// Whether a fault of a player file is in the rules it is for.
    fn is_of_rules(&self, fault: &Fault) -> bool {
        fault.place.is_some_and(|it| self.compiled.rules_places.contains(&it))
    }

    /// The text in which a fault is.
    fn source_of(&self, fault: &Fault) -> &Source {
        fault.place.map_or(&self.source, |it| self.source_at(it))
    }

    /// The text in which a place of the program is.
    pub fn source_at(&self, place: u32) -> &Source {
        let is_in_rules = self.compiled.rules_places.contains(&place);
        self.rules.as_ref().filter(|_| is_in_rules).unwrap_or(&self.source)
    }

    fn place(&self, fault: &Fault) -> Option<Span> {
        fault.place.and_then(|it| self.span(it))
    }

    /// The text that a place of the program stands for.
    pub fn span(&self, place: u32) -> Option<Span> {
        self.compiled.spans.get((place as usize).checked_sub(1)?).copied()
    }
}

/// Why a file cannot be used.
pub fn unusable(source: &Source, diagnostics: &[Diagnostic]) -> Error {
    let errors: Vec<Diagnostic> =
        diagnostics.iter().filter(|it| it.severity == Severity::Error).cloned().collect();
    // Options are not in the file: there is no line to show.
    if let Some(it) = errors.iter().find(|it| it.code == "bad-option") {
        let message = format!("`{}`: {}", source.spec(), it.message);
        return Error::Input { message, help: it.help.clone() };
    }
    let total = count(errors.len() as i64, "error");
    let conclusion = format!("`{}` cannot be used: {total}", source.file);
    Error::in_rules(source.clone(), errors, Some(conclusion))
}

fn diagnostic(fault: &Fault, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(fault.code, span, fault.message.clone());
    match fault_help(fault.code) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prover_stays_without_adjudication() {
        for engine in [EngineKind::Native, EngineKind::Interpreter] {
            let loaded = LoadedGame::load("gomoku", engine).expect("it is bundled");
            assert!(loaded.game.roles().prover.is_some(), "{engine:?}");
            let loaded = loaded.with_adjudication(false);
            assert!(loaded.game.roles().prover.is_some(), "{engine:?}");
        }
    }

    #[test]
    fn a_position_of_another_game_or_engine_is_refused() {
        let small = load("tictactoe").expect("it is bundled");
        let large = load("chess").expect("it is bundled");
        let interpreted = LoadedGame::load("chess", EngineKind::Interpreter);
        let interpreted = interpreted.expect("it is bundled");
        for (one, other) in [(&small, &large), (&large, &small), (&interpreted, &large)] {
            let mut start = other.game.start();
            assert!(one.turn(&start).is_err());
            assert!(one.moves(&start).is_err());
            assert!(one.ending(&start).is_err());
            assert!(one.play(&mut start, 1, "a1").is_err());
            assert!(one.line_names(&start, &[]).is_err());
            assert!(other.accepts(&start).is_ok());
        }
    }
}
