//! [`RulesGame`]: a program, played.

use std::sync::{Arc, Mutex};

use ludex_core::{
    Cells, Fault, Game, GameInfo, Payoff, Player, Position, Roles, Shortcuts, State, TextError,
    Trail, Turn,
};
use ludex_ir::{PackedMove, VerifiedProgram};

use crate::cells::{Layout, raw};
use crate::fault::{Halt, RunLimits};
use crate::info::info;
use crate::machine::{Ctx, Listing, Machine, Sink};
use crate::tables::Tables;
use crate::verdict::{Outcome, Standing, payoffs};
use crate::writes::Write;
use crate::{draw, position};

/// A game given by rules, run by the interpreter.
///
/// Cheap to clone: copies share the program and the memory of its runs.
#[derive(Clone, Debug)]
pub struct RulesGame {
    tables: Arc<Tables>,
    start: State,
    name: String,
    options: String,
    rules_hash: u64,
    limits: RunLimits,
    adjudicate: bool,
    /// What kind of game it is, with the ends that are in force.
    info: Arc<GameInfo>,
    /// Machines that wait for the next question.
    idle: Arc<Mutex<Vec<Machine>>>,
}

impl RulesGame {
    /// The game of a program.
    pub fn new(program: VerifiedProgram) -> Self {
        let tables = Tables::new(program);
        Self {
            start: tables.layout.state(&tables.program.start),
            name: tables.program.title.clone(),
            options: String::new(),
            rules_hash: 0,
            limits: RunLimits::default(),
            adjudicate: true,
            info: Arc::new(info(&tables.program)),
            idle: Arc::default(),
            tables: Arc::new(tables),
        }
    }

    /// The same game, called `name` with `options` (as in `hex:11`).
    #[must_use]
    pub fn with_name(self, name: impl Into<String>, options: impl Into<String>) -> Self {
        Self { name: name.into(), options: options.into(), ..self }
    }

    /// The same game, with the hash of the text of its rules.
    #[must_use]
    pub fn with_rules_hash(self, rules_hash: u64) -> Self {
        Self { rules_hash, ..self }
    }

    /// The same game, with adjudicated ends in force or not: perft goes without.
    #[must_use]
    pub fn with_adjudication(self, adjudicate: bool) -> Self {
        let mut info = GameInfo::clone(&self.info);
        // Without its adjudicated ends it is another game.
        info.identity = info.identity.map(|it| it ^ u64::from(adjudicate != self.adjudicate));
        Self { adjudicate, info: info.into(), ..self }
    }

    /// The same game, with other limits.
    #[must_use]
    pub fn with_limits(self, limits: RunLimits) -> Self {
        Self { limits, ..self }
    }

    /// The program.
    pub fn program(&self) -> &VerifiedProgram {
        &self.tables.program
    }

    /// What the game is called.
    pub fn name_of_game(&self) -> &str {
        &self.name
    }

    /// The options it was made with, as written after the colon.
    pub fn options(&self) -> &str {
        &self.options
    }

    /// The hash of the text of its rules, as given by the caller.
    pub fn rules_hash(&self) -> u64 {
        self.rules_hash
    }

    /// How much one question may cost.
    pub fn limits(&self) -> &RunLimits {
        &self.limits
    }

    /// Whether adjudicated ends are in force.
    pub fn adjudicates(&self) -> bool {
        self.adjudicate
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Where the cells lie in a state.
    pub fn layout(&self) -> &Layout {
        &self.tables.layout
    }

    /// The player to move, whether or not the game is over.
    pub fn mover(&self, state: &State) -> Player {
        let player = self.tables.layout.value(state, self.tables.turn_cell());
        Player(u8::try_from(player).unwrap_or(u8::MAX))
    }

    /// What the `moves` of the file list for `player`, as if it were that player's turn and
    /// whether or not the game is over: with twins, before `illegal` and `stuck`.
    pub fn pseudo_moves(
        &self,
        position: &Position,
        player: Player,
    ) -> Result<Vec<PackedMove>, Fault> {
        self.ask(position, |machine, ctx| {
            let listing = Listing::All { weights: false };
            let start = machine.list_emitted(ctx, player.index(), listing)?;
            Ok(machine.moves.split_off(start))
        })
    }

    /// What playing `mv` writes: each cell once, in the order of the first write to it (only two
    /// additions of opposite sign stay apart). Played from the front, the list turns the cells of
    /// `state` into those after the move, turn and counters included.
    pub fn effect_writes(&self, state: &State, mv: PackedMove) -> Result<Vec<Write>, Fault> {
        self.ask_state(state, |machine, ctx| {
            machine.sink = Sink { writes: true, ..Sink::default() };
            let me = machine.mover(ctx);
            machine.play(ctx, me, mv)?;
            Ok(std::mem::take(&mut machine.writes))
        })
    }

    /// What `result`, or else `adjudicate` where it is in force, says when asked for `player`.
    pub fn outcomes(&self, position: &Position, player: Player) -> Result<Vec<Outcome>, Fault> {
        self.ask(position, |machine, ctx| {
            let outcomes = machine.results(ctx, self.adjudicate)?;
            Ok(outcomes.into_iter().filter(|it| it.player == player).collect())
        })
    }

    /// Puts a question about a position to a machine.
    pub(crate) fn ask<T>(
        &self,
        position: &Position,
        question: impl FnOnce(&mut Machine, &Ctx<'_>) -> Result<T, Halt>,
    ) -> Result<T, Fault> {
        self.run(&position.state, &self.ctx(&position.trail, (-1, 0)), question)
    }

    /// Puts a question about a state to a machine, where the history does not matter.
    pub(crate) fn ask_state<T>(
        &self,
        state: &State,
        question: impl FnOnce(&mut Machine, &Ctx<'_>) -> Result<T, Halt>,
    ) -> Result<T, Fault> {
        let trail = Trail::default();
        self.run(state, &self.ctx(&trail, (-1, 0)), question)
    }

    /// Puts a question to a machine, with the side that the search plays for and its depth.
    pub(crate) fn ask_for<T>(
        &self,
        position: &Position,
        (side, depth): (Player, u32),
        question: impl FnOnce(&mut Machine, &Ctx<'_>) -> Result<T, Halt>,
    ) -> Result<T, Fault> {
        let search = (i64::from(side.0), i64::from(depth));
        self.run(&position.state, &self.ctx(&position.trail, search), question)
    }

    fn run<T>(
        &self,
        state: &State,
        ctx: &Ctx<'_>,
        question: impl FnOnce(&mut Machine, &Ctx<'_>) -> Result<T, Halt>,
    ) -> Result<T, Fault> {
        let mut machine = self.take_machine();
        machine.load(ctx, state);
        let answer = question(&mut machine, ctx);
        self.give_machine(machine);
        answer.map_err(Fault::from)
    }

    fn ctx<'a>(&'a self, trail: &'a Trail, (side, depth): (i64, i64)) -> Ctx<'a> {
        Ctx { tables: &self.tables, limits: &self.limits, trail, side, depth }
    }

    fn take_machine(&self) -> Machine {
        let idle = self.idle.lock();
        idle.ok().and_then(|mut idle| idle.pop()).unwrap_or_default()
    }

    fn give_machine(&self, machine: Machine) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(machine);
        }
    }

    fn standing(&self, position: &Position) -> Result<Standing, Fault> {
        self.ask(position, |machine, ctx| machine.standing(ctx, self.adjudicate))
    }
}

impl Cells for RulesGame {
    fn raw(&self, state: &State, cell: usize) -> u16 {
        raw(&state.words, cell)
    }

    fn with_raw(&self, state: &State, cell: usize, raw: u16) -> State {
        let mut next = state.clone();
        self.layout().set(&mut next, cell, raw);
        next
    }

    fn forbids(&self, position: &Position, player: Player) -> Result<bool, Fault> {
        let Some(illegal) = self.program().roles.illegal else { return Ok(false) };
        self.ask(position, |machine, ctx| {
            machine.hypothetical = true;
            Ok(machine.run(ctx, illegal, i64::from(player.0))? != 0)
        })
    }
}

impl Game for RulesGame {
    type State = State;
    type Trail = Trail;
    type Move = PackedMove;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Position {
        self.position(self.start.clone())
    }

    fn position(&self, state: State) -> Position {
        let mut position: Position = Position::of(state);
        if self.info.has_history {
            position.trail.push(position.state.key);
        }
        position
    }

    fn turn(&self, position: &Position) -> Result<Turn, Fault> {
        Ok(match self.standing(position)? {
            Standing::Over(_) => Turn::Over,
            Standing::Open(player) => Turn::Of(Player(player as u8)),
        })
    }

    fn moves(
        &self,
        position: &Position,
        player: Player,
        moves: &mut Vec<PackedMove>,
    ) -> Result<(), Fault> {
        moves.clear();
        if self.mover(&position.state) != player {
            return Ok(());
        }
        self.ask(position, |machine, ctx| {
            let mut outcomes = machine.results(ctx, self.adjudicate)?;
            let mut start = machine.moves.len();
            if outcomes.is_empty() {
                start = machine.list_legal(ctx, player.index())?;
                if machine.moves.len() == start {
                    (start, outcomes) = machine.stuck(ctx, player.index())?;
                }
            }
            if !outcomes.is_empty() {
                // What contradicts itself is no end, but a fault.
                payoffs(self.program(), &outcomes)?;
            }
            moves.extend_from_slice(&machine.moves[start..]);
            Ok(())
        })
    }

    fn apply(&self, position: &mut Position, moves: &[PackedMove]) -> Result<(), Fault> {
        let Some(&mv) = moves.first() else { return Ok(()) };
        let Position { state, trail } = position;
        let ctx = self.ctx(trail, (-1, 0));
        let mut machine = self.take_machine();
        machine.load(&ctx, state);
        let me = machine.mover(&ctx);
        let played = machine.play(&ctx, me, mv);
        let irreversible = machine.passing.irreversible;
        if played.is_ok() {
            machine.cells.save(state);
        }
        self.give_machine(machine);
        played?;
        if irreversible {
            trail.cut();
        }
        if self.info.has_history {
            trail.push(state.key);
        }
        Ok(())
    }

    fn payoff(&self, position: &Position, player: Player) -> Result<Payoff, Fault> {
        let Standing::Over(outcomes) = self.standing(position)? else {
            return Ok(Payoff::DRAW);
        };
        let payoffs = payoffs(self.program(), &outcomes)?;
        Ok(payoffs.get(player.index()).copied().unwrap_or(Payoff::DRAW))
    }

    fn name(&self, state: &State, mv: PackedMove) -> String {
        self.move_name(state, mv)
    }

    fn named(
        &self,
        position: &Position,
        player: Player,
        name: &str,
    ) -> Result<Option<PackedMove>, Fault> {
        self.move_named(position, player, name)
    }

    fn write(&self, state: &State) -> String {
        position::write(&self.tables, state)
    }

    fn read(&self, text: &str) -> Result<State, TextError> {
        position::read(&self.tables, text)
    }

    fn draw(&self, state: &State) -> String {
        draw::draw(&self.tables, state)
    }

    fn roles(&self) -> Roles<'_, State, Trail, PackedMove> {
        Roles {
            shortcuts: Some(self),
            heuristics: Some(self),
            prover: None,
            board: Some(&self.tables.squares),
        }
    }
}

impl Shortcuts<State, Trail, PackedMove> for RulesGame {
    fn hash(&self, state: &State) -> Option<u64> {
        Some(state.hash)
    }

    fn second_hash(&self, state: &State) -> Option<u64> {
        Some(state.second_hash())
    }
}
