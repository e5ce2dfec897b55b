//! Programs from outside in the arena: `cmd:./prog args,protocol=uci`.
//!
//! The arena knows how to speak with a process; here its words become moves of a game, and the other
//! way round. What it answers is looked for among the legal moves, and nothing else is believed.

#[cfg(test)]
mod tests;

use std::env;
use std::path::{Path, PathBuf, absolute};

use anyhow::Result;
use ludex_arena::outside::protocol::{Asked, Score};
use ludex_arena::outside::spec::{PREFIX, SpecError};
use ludex_arena::outside::{Language, Played, Program, Question, Setting, Spec, Verdict};
use ludex_arena::{
    Allowance, Answer, Choice, Contestant, Failure, FailureKind, Opinion, Situation, Time,
};
use ludex_core::text::nearest;
use ludex_core::{Game, Player, State, Trail, Turn};
use ludex_ir::PackedMove;

use crate::engine::Engine;
use crate::failure::{Mistake, did_you_mean};
use crate::load::Loaded;
use crate::notation::{KOMI, Tongue, legal_names};
use crate::words::names;

/// Where programs that play games may be, besides the usual places.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// A program that takes part, ready to be started as often as one likes.
#[derive(Clone, Debug)]
pub(crate) struct Brought {
    spec: Spec,
    usual: Language,
}

/// Whether `spec` is a program from outside.
pub(crate) fn is_outside(spec: &str) -> bool {
    spec.starts_with(PREFIX)
}

/// Reads `spec` where no game is known yet.
pub(crate) fn read(spec: &str) -> Result<Spec> {
    let text = spec.strip_prefix(PREFIX).unwrap_or(spec);
    let spec = Spec::parse(text)
        .map_err(|SpecError { message, help }| Mistake::Plain { message, help })?;
    let program = find(&spec.program)?;
    let program = program.to_str().map(str::to_owned).unwrap_or(spec.program);
    Ok(Spec { program, ..spec })
}

impl Brought {
    /// The program that `spec` asks for, for a game.
    pub(crate) fn read(spec: &str, game: &Loaded) -> Result<Self> {
        Ok(Self { spec: read(spec)?, usual: Tongue::usual(&game.game) })
    }

    /// What to call it, if somebody has said so.
    pub(crate) fn asked_name(&self) -> Option<&str> {
        self.spec.name.as_deref().filter(|it| !it.is_empty())
    }

    /// How many threads it thinks with, as far as anybody has said.
    pub(crate) fn threads(&self) -> usize {
        let said = self.spec.options.iter().find(|(it, _)| it.eq_ignore_ascii_case("threads"));
        said.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    }

    /// Seats it.
    pub(crate) fn seat<'a>(&self, game: &'a Loaded) -> SeatedProgram<'a> {
        let program = Program::new(self.spec.clone(), self.usual);
        let tongue = Tongue::new(program.language(), &game.game);
        SeatedProgram { program, tongue, loaded: game, past: None }
    }
}

/// The file of a program: where the path leads, or in one of the folders for programs.
fn find(program: &str) -> Result<PathBuf, Mistake> {
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

fn no_program(program: &str, near: Option<&str>) -> Mistake {
    let help = did_you_mean(near)
        .or_else(|| Some("after `cmd:` stands a command, as in a shell".to_owned()));
    Mistake::Plain { message: format!("there is no program `{program}`"), help }
}

/// A program in the arena.
pub(crate) struct SeatedProgram<'a> {
    program: Program,
    tongue: Tongue,
    loaded: &'a Loaded,
    past: Option<Past>,
}

/// The game so far, in the words of the program.
struct Past {
    state: State,
    trail: Trail,
    moves: Vec<Played>,
}

impl SeatedProgram<'_> {
    fn setting(&self, start: Option<&str>) -> Result<Setting, Failure> {
        let start = start.map(|it| self.tongue.position(it)).transpose();
        let start = start.map_err(|it| Failure::new(FailureKind::Protocol, it))?;
        let names = names(&self.loaded.game);
        let [first, second] = names.as_slice() else {
            return Err(Failure::new(FailureKind::Protocol, "it plays games of two players only"));
        };
        let options = &self.loaded.compiled.options;
        let komi = options.iter().find(|it| it.name == KOMI).and_then(|it| it.value.parse().ok());
        Ok(Setting {
            variant: self.tongue.variant(&self.loaded.source.bare_name()).to_owned(),
            size: self.tongue.size(),
            start,
            komi: komi.map(|half_points: f64| half_points / 2.0),
            players: [first.clone(), second.clone()],
        })
    }

    /// Brings what the program is told up to date.
    fn follow(&mut self, situation: &Situation<'_, Engine>) -> Result<(), Failure> {
        let game = situation.game;
        let past = self.past.get_or_insert_with(|| Past {
            state: situation.start_state.clone(),
            trail: game.trail_from(situation.start_state),
            moves: Vec::new(),
        });
        let known = past.moves.len();
        for (mv, name) in situation.moves.iter().zip(situation.names).skip(known) {
            let turn = game.turn(&past.state, &past.trail).map_err(Failure::of_rules)?;
            let Turn::Of(player) = turn else {
                let reason = "no protocol has words for the turns of chance";
                return Err(Failure::new(FailureKind::Protocol, reason));
            };
            let text = self.tongue.theirs(name);
            past.moves.push(Played { player: player.index().min(1), text });
            game.apply(&mut past.state, &mut past.trail, &[*mv]).map_err(Failure::of_rules)?;
        }
        Ok(())
    }

    fn read_move(
        &self,
        situation: &Situation<'_, Engine>,
        seat: Player,
        text: &str,
    ) -> Result<String, Failure> {
        let Situation { game, state, trail, .. } = situation;
        let legal = legal_names(game, state, trail, seat).map_err(Failure::of_rules)?;
        let found = self.tongue.ours(text, &game.position(state), &legal);
        found.map(str::to_owned).ok_or_else(|| Failure::illegal(text))
    }
}

impl Contestant<Engine> for SeatedProgram<'_> {
    fn begin(
        &mut self,
        situation: &Situation<'_, Engine>,
        _seat: Player,
        _seed: u64,
    ) -> Result<(), Failure> {
        self.past = None;
        let setting = self.setting(situation.start)?;
        Ok(self.program.begin(&setting, situation.stop)?)
    }

    fn think(
        &mut self,
        situation: &Situation<'_, Engine>,
        allowance: &Allowance,
    ) -> Result<Choice<PackedMove>, Failure> {
        self.follow(situation)?;
        let turn = situation.game.turn(situation.state, situation.trail);
        let Turn::Of(seat) = turn.map_err(Failure::of_rules)? else {
            return Err(Failure::new(
                FailureKind::Protocol,
                "it was asked when it is nobody's turn",
            ));
        };
        let mover = seat.index().min(1);
        let (clocks, time) = match allowance.time {
            Time::Unlimited => (None, None),
            Time::Move(time) => (None, Some(time)),
            Time::Game { own, other } => {
                (Some(if mover == 0 { [own, other] } else { [other, own] }), None)
            }
        };
        let Allowance { nodes, depth, .. } = *allowance;
        let moves = self.past.as_ref().map(|it| it.moves.as_slice()).unwrap_or_default();
        let asked = Asked { moves, mover, clocks, time, nodes, depth };
        let question = Question { asked, stop: situation.stop };
        let reply = self.program.think(&question)?;
        let answer = match reply.verdict {
            Verdict::Resigns => Answer::Resign,
            Verdict::Plays(text) => Answer::Text(self.read_move(situation, seat, &text)?),
        };
        let opinion = reply.score.map(opinion);
        Ok(Choice { answer, opinion, depth: reply.depth, nodes: reply.nodes })
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
            "{name}, a program from outside (`{}`, {})",
            command.join(" "),
            self.program.language().name()
        )
    }
}

fn opinion(score: Score) -> Opinion {
    match score {
        Score::Centipawns(number) => Opinion::of_centipawns(number),
        Score::Mate(moves) => {
            let value = if moves > 0 { 1.0 } else { -1.0 };
            Opinion { told: Some(format!("mate {moves}")), ..Opinion::new(value) }
        }
    }
}
