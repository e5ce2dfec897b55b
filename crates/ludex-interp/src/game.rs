//! [`RulesGame`]: a program, played.

use std::sync::{Arc, Mutex};

use ludex_core::{
    Advice, Cells, Fault, Game, Payoff, Player, State, Taken, TextError, Trail, Turn,
};
use ludex_ir::{History, PackedMove, Program};

use crate::cells::{Layout, raw, set_raw};
use crate::check::{InvalidProgram, check};
use crate::fault::{Halt, Limits};
use crate::hints::move_code;
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
    limits: Limits,
    adjudicate: bool,
    /// Machines that wait for the next question.
    idle: Arc<Mutex<Vec<Machine>>>,
}

impl RulesGame {
    /// The game of a program.
    pub fn new(program: Program) -> Result<Self, InvalidProgram> {
        check(&program)?;
        let tables = Tables::new(program);
        Ok(Self {
            start: tables.layout.state(&tables.program.start),
            name: tables.program.title.clone(),
            tables: Arc::new(tables),
            options: String::new(),
            rules_hash: 0,
            limits: Limits::default(),
            adjudicate: true,
            idle: Arc::default(),
        })
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
        Self { adjudicate, ..self }
    }

    /// The same game, with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The program.
    pub fn program(&self) -> &Program {
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
    pub fn limits(&self) -> &Limits {
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
        state: &State,
        trail: &Trail,
        player: Player,
    ) -> Result<Vec<PackedMove>, Fault> {
        self.ask(state, trail, |machine, ctx| {
            let listing = Listing::All { weights: false };
            let start = machine.list_emitted(ctx, player.index(), listing)?;
            Ok(machine.moves.split_off(start))
        })
    }

    /// What playing `mv` writes: each cell once, in the order of the first write to it (only two
    /// additions of opposite sign stay apart). Played from the front, the list turns the cells of
    /// `state` into those after the move, turn and counters included.
    pub fn effect_writes(&self, state: &State, mv: PackedMove) -> Result<Vec<Write>, Fault> {
        self.ask(state, &Trail::default(), |machine, ctx| {
            machine.sink = Sink { writes: true, ..Sink::default() };
            let me = machine.mover(ctx);
            machine.play(ctx, me, mv)?;
            Ok(std::mem::take(&mut machine.writes))
        })
    }

    /// What `result`, or else `adjudicate` where it is in force, says when asked for `player`.
    pub fn outcomes(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
    ) -> Result<Vec<Outcome>, Fault> {
        self.ask(state, trail, |machine, ctx| {
            let outcomes = machine.results(ctx, self.adjudicate)?;
            Ok(outcomes.into_iter().filter(|it| it.player == player).collect())
        })
    }

    /// Puts a question about a state to a machine.
    pub(crate) fn ask<T>(
        &self,
        state: &State,
        trail: &Trail,
        question: impl FnOnce(&mut Machine, &Ctx<'_>) -> Result<T, Halt>,
    ) -> Result<T, Fault> {
        self.ask_for(state, trail, (-1, 0), question)
    }

    /// Puts a question to a machine, with the side that the search plays for and its depth.
    pub(crate) fn ask_for<T>(
        &self,
        state: &State,
        trail: &Trail,
        search: (i64, i64),
        question: impl FnOnce(&mut Machine, &Ctx<'_>) -> Result<T, Halt>,
    ) -> Result<T, Fault> {
        let ctx = self.ctx(trail, search);
        let mut machine = self.take_machine();
        machine.load(&ctx, state);
        let answer = question(&mut machine, &ctx);
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

    fn standing(&self, state: &State, trail: &Trail) -> Result<Standing, Fault> {
        self.ask(state, trail, |machine, ctx| machine.standing(ctx, self.adjudicate))
    }
}

impl Cells for RulesGame {
    fn raw(&self, state: &State, cell: usize) -> u16 {
        raw(&state.words, cell)
    }

    fn with_raw(&self, state: &State, cell: usize, raw: u16) -> State {
        let mut next = state.clone();
        set_raw(&mut next.words, cell, raw);
        (next.hash, next.key) = self.layout().hashes(&next.words);
        next
    }

    fn forbids(&self, state: &State, trail: &Trail, player: Player) -> Result<bool, Fault> {
        let Some(illegal) = self.program().roles.illegal else { return Ok(false) };
        self.ask(state, trail, |machine, ctx| {
            machine.hypothetical = true;
            Ok(machine.run(ctx, illegal, i64::from(player.0))? != 0)
        })
    }
}

impl Game for RulesGame {
    type State = State;
    type Trail = Trail;
    type Move = PackedMove;

    fn players(&self) -> usize {
        self.tables.players()
    }

    fn player_name(&self, player: Player) -> String {
        self.program().players.get(player.index()).cloned().unwrap_or_default()
    }

    fn start(&self) -> (State, Trail) {
        (self.start.clone(), self.trail_from(&self.start))
    }

    fn trail_from(&self, state: &State) -> Trail {
        let mut trail = Trail::default();
        if self.program().history != History::None {
            trail.push(state.key);
        }
        trail
    }

    fn turn(&self, state: &State, trail: &Trail) -> Result<Turn, Fault> {
        Ok(match self.standing(state, trail)? {
            Standing::Over(_) => Turn::Over,
            Standing::Open(player) => Turn::Of(Player(player as u8)),
        })
    }

    fn moves(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
        moves: &mut Vec<PackedMove>,
    ) -> Result<(), Fault> {
        moves.clear();
        if self.mover(state) != player {
            return Ok(());
        }
        self.ask(state, trail, |machine, ctx| {
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

    fn apply(
        &self,
        state: &mut State,
        trail: &mut Trail,
        moves: &[PackedMove],
    ) -> Result<(), Fault> {
        let Some(&mv) = moves.first() else { return Ok(()) };
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
        if self.program().history != History::None {
            trail.push(state.key);
        }
        Ok(())
    }

    fn payoff(&self, state: &State, trail: &Trail, player: Player) -> Result<Payoff, Fault> {
        let Standing::Over(outcomes) = self.standing(state, trail)? else {
            return Ok(Payoff::DRAW);
        };
        let payoffs = payoffs(self.program(), &outcomes)?;
        Ok(payoffs.get(player.index()).copied().unwrap_or(Payoff::DRAW))
    }

    fn hash(&self, state: &State) -> u64 {
        state.hash
    }

    fn name(&self, state: &State, mv: PackedMove) -> String {
        self.move_name(state, mv)
    }

    fn position(&self, state: &State) -> String {
        position::write(&self.tables, state)
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        position::read(&self.tables, text)
    }

    fn draw(&self, state: &State) -> String {
        draw::draw(&self.tables, state)
    }

    fn named(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
        name: &str,
    ) -> Result<Option<PackedMove>, Fault> {
        self.move_named(state, trail, player, name)
    }

    fn has_history(&self) -> bool {
        self.remembers()
    }

    fn opinion(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        self.opinion_of_mover(state, trail, side, depth)
    }

    fn advice(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<Advice<PackedMove>>, Fault> {
        self.weighed_moves(state, trail, side, depth)
    }

    fn unchecked_advice(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<Advice<PackedMove>>, Fault> {
        let moves = self.listed_candidates(state, trail, side, depth)?;
        Ok(moves.map(|moves| Advice { moves, only: self.candidates_only() }))
    }

    fn passed(&self, state: &State) -> Option<State> {
        self.with_next_mover(state)
    }

    fn in_check(&self, state: &State, trail: &Trail) -> Result<bool, Fault> {
        let mover = self.mover(state);
        Ok(mover.index() < self.players() && self.forbids(state, trail, mover)?)
    }

    fn kinds(&self) -> usize {
        self.program().kinds.len()
    }

    fn count_men(&self, state: &State, counts: &mut Vec<u32>) {
        self.men_of_all(state, counts);
    }

    fn squares(&self) -> usize {
        self.program().squares
    }

    fn neighbours(&self) -> Vec<Vec<u16>> {
        self.squares_nearby()
    }

    fn lines(&self) -> Vec<(u16, Vec<u16>)> {
        self.straight_rows()
    }

    fn man_codes(&self) -> Vec<(Option<Player>, u8)> {
        self.codes_of_men()
    }

    fn men(&self, state: &State, men: &mut Vec<(u16, u8)>) {
        self.men_with_squares(state, men);
    }

    fn taken(&self, state: &State, mv: PackedMove) -> Taken {
        self.taken_by(state, mv)
    }

    fn moved(&self, state: &State, mv: PackedMove) -> Option<u8> {
        self.moved_by(state, mv)
    }

    fn move_code(&self, state: &State, mv: PackedMove) -> u64 {
        move_code(self.mover(state), mv, self.taken_by(state, mv))
    }

    fn second_hash(&self, state: &State) -> u64 {
        state.second_hash()
    }
}
