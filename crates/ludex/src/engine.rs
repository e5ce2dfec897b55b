//! What runs the rules of a game: native code, or the interpreter.

use std::str::FromStr;
use std::sync::Arc;

use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_study::StudyProver;

/// What runs the rules of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// Native code made of the rules.
    #[default]
    Native,
    /// The interpreter: slower, and what native code must agree with.
    Interpreter,
}

impl EngineKind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Interpreter => "interpreter",
        }
    }

    /// What runs a game.
    pub fn of(game: &CompiledGame) -> Self {
        if game.is_native() { Self::Native } else { Self::Interpreter }
    }
}

impl FromStr for EngineKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kinds = [Self::Native, Self::Interpreter];
        let found = kinds.into_iter().find(|it| it.name() == text);
        found.ok_or_else(|| format!("`{text}` is no engine: write `native` or `interpreter`"))
    }
}

/// The game run as asked for, with what a study can prove of it; and why it is interpreted, if
/// native code was asked for and cannot be had.
pub(crate) fn compile(rules: RulesGame, kind: EngineKind) -> (CompiledGame, Option<String>) {
    let (game, refused) = run_by(rules, kind);
    (with_prover(game), refused)
}

/// The game with or without its adjudicated ends, and with what a study can prove of it then.
pub(crate) fn with_adjudication(game: CompiledGame, adjudicate: bool) -> CompiledGame {
    with_prover(game.with_adjudication(adjudicate))
}

fn with_prover(game: CompiledGame) -> CompiledGame {
    let prover = StudyProver::new(game.clone(), game.interpreter().clone());
    game.with_prover(Arc::new(prover))
}

fn run_by(rules: RulesGame, kind: EngineKind) -> (CompiledGame, Option<String>) {
    if kind == EngineKind::Interpreter {
        return (CompiledGame::interpreted(rules), None);
    }
    match CompiledGame::native(rules.clone()) {
        Ok(game) => (game, None),
        Err(error) => (CompiledGame::interpreted(rules), Some(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Game, GameExt, Limits, Position, Random, State, Turn};
    use ludex_ir::PackedMove;
    use ludex_search::proof::{GameValue, ProofRun, SolveConfig, solve as solve_position};
    use ludex_search::{PlayerOptions, SearchResult, SearchRoot, player};
    use ludex_testkit::solve::{Solution, solve};

    use super::*;
    use crate::game::LoadedGame;

    fn search(
        game: &CompiledGame,
        text: &str,
        position: &Position,
        threads: usize,
    ) -> SearchResult<PackedMove> {
        let limits = Limits::of_nodes(400);
        let options = PlayerOptions { threads, ..PlayerOptions::default() };
        let mut player = player::<CompiledGame>(text, options).expect("there is such a player");
        player.search(SearchRoot { game, position }, limits, &mut |_| {}).expect("the rules run")
    }

    /// Compares what is called won with the truth; how many such moves there were.
    fn check(
        game: &CompiledGame,
        position: &Position,
        text: &str,
        truth: &Solution<State>,
    ) -> usize {
        let Ok(Turn::Of(mover)) = game.turn(position) else { return 0 };
        let result = search(game, text, position, 1 + text.len() % 2);
        let mut claims = 0;
        for line in result.lines.iter().filter(|it| it.proved.is_some()) {
            let proved = line.proved.expect("it was filtered");
            let after = game.after(position, line.mv).expect("the rules run");
            let value = f64::from(truth.value(&after.state, mover));
            let place = game.write(&position.state);
            assert!((proved.utility - value).abs() < 1e-6, "{text}, {place}: {proved:?}");
            claims += usize::from(value > 0.0);
        }
        claims
    }

    #[test]
    fn a_game_of_joining_is_solved_with_few_nodes() {
        let game = LoadedGame::load("hex:5", EngineKind::Native).expect("it is bundled").game;
        let position = game.start();
        let mut silent = |_: &_| {};
        let mut bounds = ProofRun::new(Limits::of_nodes(1_000), &mut silent);
        let config = SolveConfig { memory: 1 << 20, ..SolveConfig::default() };
        let mut solved = solve_position(&game, &position, &config, &mut bounds).unwrap();
        assert_eq!(solved.value, Some(GameValue::Win));
        let mv = solved.winning_move(&game, &mut bounds).unwrap().expect("a win begins somehow");
        assert!(bounds.nodes <= 1_000, "{}", bounds.nodes);
        // After it the other one has lost, which a second proof says by itself.
        let after = game.after(&position, mv).unwrap();
        let solved = solve_position(&game, &after, &config, &mut bounds).unwrap();
        assert_eq!((solved.value, bounds.nodes <= 1_000), (Some(GameValue::Loss), true));
    }

    #[test]
    fn wins_that_players_take_from_threats_are_wins() {
        let players = [
            "alphabeta:threats=200,threats_depth=1",
            "alphabeta:threats=200,threats_depth=1,table=no",
            "bing:threats=50,threats_depth=2",
            "mcts:threats=200,threats_at=1",
            "grave:threats=50,threats_at=2,transpositions=yes",
        ];
        for name in ["connect4:4,4", "breakthrough:4,4", "morris3", "mnk:4,3,3"] {
            let game = LoadedGame::load(name, EngineKind::Native).expect("it is bundled").game;
            let truth = solve(&game, 2_000_000).expect("it is small");
            let mut random = Random::stream(3, 0, 0);
            let mut claims = 0;
            for round in 0..24 {
                let mut position = game.start();
                for _ in 0..round % 12 {
                    let Ok(Some(mv)) = game.random_move(&position, &mut random) else { break };
                    game.apply(&mut position, &[mv]).expect("the rules run");
                }
                claims +=
                    players.map(|it| check(&game, &position, it, &truth)).iter().sum::<usize>();
            }
            assert!(claims > 10, "{name}: {claims}");
        }
    }
}
