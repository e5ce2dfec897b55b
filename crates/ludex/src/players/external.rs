//! External engines in the arena: `cmd:./prog args,protocol=uci`.
//!
//! The arena runs the process and its protocol. This module translates between the notation of the
//! protocol and the moves of a game; an answer counts only if it is a legal move.

#[cfg(test)]
mod tests;

use std::env;
use std::path::{Path, PathBuf, absolute};

use ludex_arena::engines::spec::PREFIX;
use ludex_arena::engines::{
    Engine, EngineAction, EngineMove, EngineScore, EngineSpec, EngineSpecError, GameSetup,
    MoveRequest, ProtocolKind,
};
use ludex_arena::{
    Answer, BestMove, Contestant, Failure, FailureKind, GameView, MoveLimits, ReportedScore,
    TimeLimit,
};
use ludex_core::text::nearest;
use ludex_core::{Game, Player, Position, Turn};
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;

use crate::ending::names;
use crate::error::{Error, Result, did_you_mean};
use crate::game::LoadedGame;
use crate::notation::{KOMI, ProtocolNotation, legal_names};

/// The folders of game programs, besides those of `PATH`.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// An external engine of a match, which may be started any number of times.
#[derive(Clone, Debug)]
pub struct ExternalEngine {
    spec: EngineSpec,
    usual: ProtocolKind,
}

/// Whether `spec` is an external engine.
pub(crate) fn is_external(spec: &str) -> bool {
    spec.starts_with(PREFIX)
}

/// Reads `spec` without a game.
pub(crate) fn read(spec: &str) -> Result<EngineSpec> {
    let text = spec.strip_prefix(PREFIX).unwrap_or(spec);
    let spec = EngineSpec::parse(text)
        .map_err(|EngineSpecError { message, help }| Error::Input { message, help })?;
    let program = find(&spec.program)?;
    let program = program.to_str().map(str::to_owned).unwrap_or(spec.program);
    Ok(EngineSpec { program, ..spec })
}

impl ExternalEngine {
    /// The engine of `spec`, for a game.
    pub fn read(spec: &str, game: &LoadedGame) -> Result<Self> {
        Ok(Self { spec: read(spec)?, usual: ProtocolNotation::usual(&game.game) })
    }

    /// The name in its spec, if there is one.
    pub fn asked_name(&self) -> Option<&str> {
        self.spec.name.as_deref().filter(|it| !it.is_empty())
    }

    /// Its number of search threads by its option `Threads`; else 1.
    pub fn threads(&self) -> usize {
        let said = self.spec.options.iter().find(|(it, _)| it.eq_ignore_ascii_case("threads"));
        said.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    }

    /// Makes a contestant.
    pub fn seat<'a>(&self, game: &'a LoadedGame) -> SeatedEngine<'a> {
        let program = Engine::new(self.spec.clone(), self.usual);
        let notation = ProtocolNotation::new(program.protocol(), &game.game);
        SeatedEngine { program, notation, loaded: game, past: None }
    }
}

/// The file of a program: its path, or in one of the folders of programs.
fn find(program: &str) -> Result<PathBuf, Error> {
    if program.contains(['/', '\\']) {
        let path = absolute(program).unwrap_or_else(|_| PathBuf::from(program));
        return if path.is_file() { Ok(path) } else { Err(no_program(program, None)) };
    }
    let folders = || {
        let usual = env::var_os("PATH").unwrap_or_default();
        let usual: Vec<PathBuf> = env::split_paths(&usual).collect();
        usual.into_iter().chain(GAMES.map(PathBuf::from))
    };
    let file = |folder: PathBuf| folder.join(format!("{program}{}", env::consts::EXE_SUFFIX));
    folders().map(file).find(|it| it.is_file()).ok_or_else(|| {
        let named = folders().flat_map(|it| programs(&it)).collect::<Vec<String>>();
        no_program(program, nearest(program, named.iter().map(String::as_str)))
    })
}

/// The names of the files in a folder.
fn programs(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.filter_map(|it| it.file_name().into_string().ok()).collect()
}

fn no_program(program: &str, near: Option<&str>) -> Error {
    let help =
        did_you_mean(near).or_else(|| Some("`cmd:` takes a command, as in a shell".to_owned()));
    Error::Input { message: format!("there is no program `{program}`"), help }
}

/// An external engine in the arena.
pub struct SeatedEngine<'a> {
    program: Engine,
    notation: ProtocolNotation,
    loaded: &'a LoadedGame,
    past: Option<Past>,
}

/// The running game, in the notation of the protocol.
struct Past {
    position: Position,
    moves: Vec<EngineMove>,
}

impl SeatedEngine<'_> {
    fn setting(&self, start: Option<&str>) -> Result<GameSetup, Failure> {
        let start = start.map(|it| self.notation.position(it)).transpose();
        let start = start.map_err(|it| Failure::new(FailureKind::Protocol, it))?;
        let names = names(&self.loaded.game);
        let [first, second] = names.as_slice() else {
            return Err(Failure::new(FailureKind::Protocol, "it plays games of two players only"));
        };
        let options = &self.loaded.compiled.options;
        let komi = options.iter().find(|it| it.name == KOMI).and_then(|it| it.value.parse().ok());
        Ok(GameSetup {
            variant: self.notation.variant(&self.loaded.source.bare_name()).to_owned(),
            size: self.notation.size(),
            start,
            komi: komi.map(|half_points: f64| half_points / 2.0),
            players: [first.clone(), second.clone()],
        })
    }

    /// Translates the new moves for the engine.
    fn follow(&mut self, view: &GameView<'_, CompiledGame>) -> Result<(), Failure> {
        let game = view.game;
        let past = self.past.get_or_insert_with(|| Past {
            position: game.position(view.start_state.clone()),
            moves: Vec::new(),
        });
        let known = past.moves.len();
        for (mv, name) in view.moves.iter().zip(view.names).skip(known) {
            let turn = game.turn(&past.position).map_err(Failure::of_rules)?;
            let Turn::Of(player) = turn else {
                let reason = "no protocol supports the turns of chance";
                return Err(Failure::new(FailureKind::Protocol, reason));
            };
            let text = self.notation.theirs(name);
            past.moves.push(EngineMove { player: player.index().min(1), text });
            game.apply(&mut past.position, &[*mv]).map_err(Failure::of_rules)?;
        }
        Ok(())
    }

    fn read_move(
        &self,
        view: &GameView<'_, CompiledGame>,
        seat: Player,
        text: &str,
    ) -> Result<String, Failure> {
        let GameView { game, position, .. } = view;
        let legal = legal_names(game, position, seat).map_err(Failure::of_rules)?;
        let found = self.notation.ours(text, &game.write(&position.state), &legal);
        found.map(str::to_owned).ok_or_else(|| Failure::illegal(text))
    }
}

impl Contestant<CompiledGame> for SeatedEngine<'_> {
    fn begin(
        &mut self,
        view: &GameView<'_, CompiledGame>,
        _seat: Player,
        _seed: u64,
    ) -> Result<(), Failure> {
        self.past = None;
        let setting = self.setting(view.start)?;
        Ok(self.program.begin(&setting, view.stop)?)
    }

    fn think(
        &mut self,
        view: &GameView<'_, CompiledGame>,
        limits: &MoveLimits,
    ) -> Result<BestMove<PackedMove>, Failure> {
        self.follow(view)?;
        let turn = view.game.turn(view.position);
        let Turn::Of(seat) = turn.map_err(Failure::of_rules)? else {
            return Err(Failure::new(FailureKind::Protocol, "no player has the turn"));
        };
        let mover = seat.index().min(1);
        let (clocks, time) = match limits.time {
            TimeLimit::Unlimited => (None, None),
            TimeLimit::Move(time) => (None, Some(time)),
            TimeLimit::Game { own, other } => {
                (Some(if mover == 0 { [own, other] } else { [other, own] }), None)
            }
        };
        let MoveLimits { nodes, depth, .. } = *limits;
        let moves = self.past.as_ref().map(|it| it.moves.as_slice()).unwrap_or_default();
        let request = MoveRequest { moves, mover, clocks, time, nodes, depth };
        let reply = self.program.think(&request, view.stop)?;
        let answer = match reply.action {
            EngineAction::Resign => Answer::Resign,
            EngineAction::Move(text) => Answer::Text(self.read_move(view, seat, &text)?),
        };
        let score = reply.score.map(reported);
        Ok(BestMove { answer, score, depth: reply.depth, nodes: reply.nodes })
    }

    fn end(&mut self, _how: &str, failed: bool) {
        self.program.end(failed);
    }

    fn has_own_limits(&self) -> bool {
        self.program.spec().has_own_limits()
    }

    fn describe(&self) -> String {
        let spec = self.program.spec();
        let name = spec.name.as_deref().or(self.program.name()).unwrap_or_else(|| spec.title());
        let command =
            [spec.program.as_str()].into_iter().chain(spec.args.iter().map(String::as_str));
        let command: Vec<&str> = command.collect();
        format!(
            "{name}, an external engine (`{}`, {})",
            command.join(" "),
            self.program.protocol().name()
        )
    }
}

fn reported(score: EngineScore) -> ReportedScore {
    match score {
        EngineScore::Centipawns(number) => ReportedScore::of_centipawns(number),
        EngineScore::Mate(moves) => {
            let value = if moves > 0 { 1.0 } else { -1.0 };
            ReportedScore { text: Some(format!("mate {moves}")), ..ReportedScore::new(value) }
        }
    }
}
