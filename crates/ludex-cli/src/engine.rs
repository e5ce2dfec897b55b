//! What runs the rules of a game: machine code, or the interpreter.
//!
//! The verbs that play see one type, [`Engine`], which is a [`Game`] either way. The two kinds
//! keep their states in different forms, so a state belongs to the engine that made it. What
//! reads the program itself, as the study does, asks the interpreter inside.

use std::sync::{Arc, Once, OnceLock};

use ludex_core::playout::Playout;
use ludex_core::{
    Advice, Cells, Effort, Fault, Forced, Game, Payoff, Percept, Player, Random, Sought, State,
    Taken, TextError, Trail, Turn,
};
use ludex_interp::RulesGame;
use ludex_ir::{PackedMove, Program};
use ludex_jit::NativeGame;
use ludex_study::Joining;
use ludex_study::threats::{Ground, Place, defences, forced_win};

use crate::args::EngineKind;
use crate::output::note;

/// A game, and what runs its rules.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    runner: Runner,
    /// What a study of the rules knows beforehand, once somebody has asked.
    ground: OnceLock<Arc<Ground>>,
}

#[derive(Clone, Debug)]
enum Runner {
    /// The interpreter, which is what the rules mean.
    Interpreter(Box<RulesGame>),
    /// Machine code made of the rules.
    Native(Box<NativeGame>),
}

/// Puts one question to whichever engine there is.
macro_rules! ask {
    ($engine:expr, $game:ident => $question:expr) => {
        match &$engine.runner {
            Runner::Interpreter($game) => $question,
            Runner::Native($game) => $question,
        }
    };
}

impl Engine {
    /// The game run as asked for; interpreted, with a note, where native code cannot be had.
    pub(crate) fn new(game: RulesGame, kind: EngineKind) -> Self {
        if kind == EngineKind::Interpreter {
            return Self::of(Runner::Interpreter(game.into()));
        }
        match NativeGame::new(game.clone()) {
            Ok(native) => Self::of(Runner::Native(native.into())),
            Err(error) => {
                static TOLD: Once = Once::new();
                TOLD.call_once(|| note(format_args!("note: {error}; interpreting instead")));
                Self::of(Runner::Interpreter(game.into()))
            }
        }
    }

    fn of(runner: Runner) -> Self {
        Self { runner, ground: OnceLock::new() }
    }

    fn ground(&self) -> &Arc<Ground> {
        self.ground.get_or_init(|| Arc::new(Ground::new(self.interpreter())))
    }

    /// Which engine it is.
    pub(crate) fn kind(&self) -> EngineKind {
        match &self.runner {
            Runner::Interpreter(_) => EngineKind::Interpreter,
            Runner::Native(_) => EngineKind::Native,
        }
    }

    /// The interpreter of the same rules.
    pub(crate) fn interpreter(&self) -> &RulesGame {
        match &self.runner {
            Runner::Interpreter(game) => game,
            Runner::Native(game) => game.interpreter(),
        }
    }

    /// The interpreter's state with the same cells.
    pub(crate) fn to_interpreter(&self, state: &State) -> State {
        match &self.runner {
            Runner::Interpreter(_) => state.clone(),
            Runner::Native(game) => game.to_interpreter(state),
        }
    }

    /// The program that the rules became.
    pub(crate) fn program(&self) -> &Program {
        self.interpreter().program()
    }

    /// Bytes of a state in native code; nothing where there is none.
    pub(crate) fn native_state_bytes(&self) -> Option<usize> {
        match &self.runner {
            Runner::Interpreter(_) => None,
            Runner::Native(game) => Some(game.state_bytes()),
        }
    }

    /// The same game, with adjudicated ends in force or not.
    pub(crate) fn with_adjudication(self, adjudicate: bool) -> Self {
        Self::of(match self.runner {
            Runner::Interpreter(game) => {
                Runner::Interpreter(game.with_adjudication(adjudicate).into())
            }
            Runner::Native(game) => Runner::Native(game.with_adjudication(adjudicate).into()),
        })
    }
}

impl Cells for Engine {
    fn raw(&self, state: &State, cell: usize) -> u16 {
        ask!(self, game => game.raw(state, cell))
    }

    fn with_raw(&self, state: &State, cell: usize, raw: u16) -> State {
        ask!(self, game => game.with_raw(state, cell, raw))
    }

    fn forbids(&self, state: &State, trail: &Trail, player: Player) -> Result<bool, Fault> {
        ask!(self, game => game.forbids(state, trail, player))
    }

    fn ending(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
    ) -> Result<Option<Payoff>, Fault> {
        ask!(self, game => game.ending(state, trail, player))
    }

    fn winning_move(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
    ) -> Result<Option<PackedMove>, Fault> {
        ask!(self, game => game.winning_move(state, trail, player))
    }
}

impl Game for Engine {
    type State = State;
    type Trail = Trail;
    type Move = PackedMove;

    fn players(&self) -> usize {
        ask!(self, game => game.players())
    }

    fn player_name(&self, player: Player) -> String {
        ask!(self, game => game.player_name(player))
    }

    fn start(&self) -> (State, Trail) {
        ask!(self, game => game.start())
    }

    fn trail_from(&self, state: &State) -> Trail {
        ask!(self, game => game.trail_from(state))
    }

    fn turn(&self, state: &State, trail: &Trail) -> Result<Turn, Fault> {
        ask!(self, game => game.turn(state, trail))
    }

    fn moves(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
        moves: &mut Vec<PackedMove>,
    ) -> Result<(), Fault> {
        ask!(self, game => game.moves(state, trail, player, moves))
    }

    fn chances(&self, state: &State, moves: &mut Vec<(PackedMove, f64)>) -> Result<(), Fault> {
        ask!(self, game => game.chances(state, moves))
    }

    fn apply(
        &self,
        state: &mut State,
        trail: &mut Trail,
        moves: &[PackedMove],
    ) -> Result<(), Fault> {
        ask!(self, game => game.apply(state, trail, moves))
    }

    fn payoff(&self, state: &State, trail: &Trail, player: Player) -> Result<Payoff, Fault> {
        ask!(self, game => game.payoff(state, trail, player))
    }

    fn hash(&self, state: &State) -> u64 {
        ask!(self, game => game.hash(state))
    }

    fn name(&self, state: &State, mv: PackedMove) -> String {
        ask!(self, game => game.name(state, mv))
    }

    fn position(&self, state: &State) -> String {
        ask!(self, game => game.position(state))
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        ask!(self, game => game.read_position(text))
    }

    fn draw(&self, state: &State) -> String {
        ask!(self, game => game.draw(state))
    }

    fn percept(&self, state: &State, player: Player) -> Option<Percept> {
        ask!(self, game => game.percept(state, player))
    }

    fn named(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
        name: &str,
    ) -> Result<Option<PackedMove>, Fault> {
        ask!(self, game => game.named(state, trail, player, name))
    }

    fn listing_steps(&self, state: &State, trail: &Trail) -> Option<u64> {
        ask!(self, game => game.listing_steps(state, trail))
    }

    fn count_moves(&self, state: &State, trail: &Trail) -> Result<u64, Fault> {
        ask!(self, game => game.count_moves(state, trail))
    }

    fn random_move(
        &self,
        state: &State,
        trail: &Trail,
        random: &mut Random,
    ) -> Result<Option<PackedMove>, Fault> {
        ask!(self, game => game.random_move(state, trail, random))
    }

    fn playout(
        &self,
        state: &mut State,
        trail: &mut Trail,
        random: &mut Random,
        limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        ask!(self, game => game.playout(state, trail, random, limit))
    }

    fn traced_playout(
        &self,
        state: &mut State,
        trail: &mut Trail,
        random: &mut Random,
        limit: u32,
        moves: &mut Vec<PackedMove>,
    ) -> Option<Result<Playout, Fault>> {
        ask!(self, game => game.traced_playout(state, trail, random, limit, moves))
    }

    fn forced_win(
        &self,
        state: &State,
        trail: &Trail,
        effort: Effort<'_>,
    ) -> Result<Sought<Forced<PackedMove>>, Fault> {
        let place = Place { state: state.clone(), trail: trail.clone() };
        let (ground, rules) = (self.ground(), self.interpreter());
        ask!(self, game => forced_win(ground, (&**game, rules), &place, effort))
    }

    fn defences(
        &self,
        state: &State,
        trail: &Trail,
        effort: Effort<'_>,
    ) -> Result<Sought<Vec<PackedMove>>, Fault> {
        let place = Place { state: state.clone(), trail: trail.clone() };
        let (ground, rules) = (self.ground(), self.interpreter());
        ask!(self, game => defences(ground, (&**game, rules), &place, effort))
    }

    fn sees_what_is_forced(&self) -> bool {
        let program = self.program();
        Joining::may_be(program) && self.ground().joining(program).is_some_and(Joining::is_decisive)
    }

    fn has_history(&self) -> bool {
        ask!(self, game => game.has_history())
    }

    fn opinion(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        ask!(self, game => game.opinion(state, trail, side, depth))
    }

    fn advice(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<Advice<PackedMove>>, Fault> {
        ask!(self, game => game.advice(state, trail, side, depth))
    }

    fn unchecked_advice(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<Advice<PackedMove>>, Fault> {
        ask!(self, game => game.unchecked_advice(state, trail, side, depth))
    }

    fn passed(&self, state: &State) -> Option<State> {
        ask!(self, game => game.passed(state))
    }

    fn in_check(&self, state: &State, trail: &Trail) -> Result<bool, Fault> {
        ask!(self, game => game.in_check(state, trail))
    }

    fn kinds(&self) -> usize {
        ask!(self, game => game.kinds())
    }

    fn count_men(&self, state: &State, counts: &mut Vec<u32>) {
        ask!(self, game => game.count_men(state, counts));
    }

    fn squares(&self) -> usize {
        ask!(self, game => game.squares())
    }

    fn neighbours(&self) -> Vec<Vec<u16>> {
        ask!(self, game => game.neighbours())
    }

    fn lines(&self) -> Vec<(u16, Vec<u16>)> {
        ask!(self, game => game.lines())
    }

    fn man_codes(&self) -> Vec<(Option<Player>, u8)> {
        ask!(self, game => game.man_codes())
    }

    fn men(&self, state: &State, men: &mut Vec<(u16, u8)>) {
        ask!(self, game => game.men(state, men));
    }

    fn taken(&self, state: &State, mv: PackedMove) -> Taken {
        ask!(self, game => game.taken(state, mv))
    }

    fn moved(&self, state: &State, mv: PackedMove) -> Option<u8> {
        ask!(self, game => game.moved(state, mv))
    }

    fn move_code(&self, state: &State, mv: PackedMove) -> u64 {
        ask!(self, game => game.move_code(state, mv))
    }

    fn second_hash(&self, state: &State) -> u64 {
        ask!(self, game => game.second_hash(state))
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::Budget;
    use ludex_core::budget::StoppedClock;
    use ludex_search::proof::{Bounds, SolveConfig, Value, solve as solve_position};
    use ludex_search::{Limits, Means, Task, Thought, player};
    use ludex_testkit::solve::{Solution, solve};

    use super::*;
    use crate::load::load;

    fn think(game: &Engine, text: &str, state: &State, threads: usize) -> Thought<PackedMove> {
        let trail = game.trail_from(state);
        let budget = Budget::of_nodes(400);
        let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| {} };
        let means = Means { threads, ..Means::default() };
        let mut player = player::<Engine>(text, means).expect("there is such a player");
        player.think(Task { game, state, trail: &trail }, &mut limits).expect("the rules run")
    }

    /// Compares what is called won with the truth; how many such moves there were.
    fn check(game: &Engine, state: &State, text: &str, truth: &Solution<State>) -> usize {
        let trail = game.trail_from(state);
        let Ok(Turn::Of(mover)) = game.turn(state, &trail) else { return 0 };
        let thought = think(game, text, state, 1 + text.len() % 2);
        let mut claims = 0;
        for line in thought.lines.iter().filter(|it| it.proved.is_some()) {
            let proved = line.proved.expect("it was filtered");
            let (mut after, mut past) = (state.clone(), trail.clone());
            game.apply(&mut after, &mut past, &[line.mv]).expect("the rules run");
            let value = f64::from(truth.value(&after, mover));
            let place = game.position(state);
            assert!((proved.utility - value).abs() < 1e-6, "{text}, {place}: {proved:?}");
            claims += usize::from(value > 0.0);
        }
        claims
    }

    #[test]
    fn a_game_of_joining_is_solved_with_few_nodes() {
        let game = load("hex:5", EngineKind::Native).expect("it is bundled").game;
        let (state, trail) = game.start();
        let mut silent = |_: &_| {};
        let mut bounds = Bounds::new(Budget::of_nodes(1_000), &StoppedClock, &mut silent);
        let config = SolveConfig { memory: 1 << 20, ..SolveConfig::default() };
        let mut solved = solve_position(&game, &state, &trail, &config, &mut bounds).unwrap();
        assert_eq!(solved.value, Some(Value::Win));
        let mv = solved.winning_move(&game, &mut bounds).unwrap().expect("a win begins somehow");
        assert!(bounds.nodes <= 1_000, "{}", bounds.nodes);
        // After it the other one has lost, which a second proof says by itself.
        let (mut after, mut past) = (state, trail);
        game.apply(&mut after, &mut past, &[mv]).unwrap();
        let solved = solve_position(&game, &after, &past, &config, &mut bounds).unwrap();
        assert_eq!((solved.value, bounds.nodes <= 1_000), (Some(Value::Loss), true));
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
            let game = load(name, EngineKind::Native).expect("it is bundled").game;
            let truth = solve(&game, 2_000_000).expect("it is small");
            let mut random = Random::stream(3, 0, 0);
            let mut claims = 0;
            for round in 0..24 {
                let (mut state, mut trail) = game.start();
                for _ in 0..round % 12 {
                    let Ok(Some(mv)) = game.random_move(&state, &trail, &mut random) else { break };
                    game.apply(&mut state, &mut trail, &[mv]).expect("the rules run");
                }
                claims += players.map(|it| check(&game, &state, it, &truth)).iter().sum::<usize>();
            }
            assert!(claims > 10, "{name}: {claims}");
        }
    }
}
