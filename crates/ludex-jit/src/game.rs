//! [`CompiledGame`]: a program, ready to be played.

use std::borrow::Cow;
use std::sync::Arc;

use ludex_core::playout::Playout;
use ludex_core::{
    Cells, Fault, Game, GameInfo, Payoff, Player, Position, Prover, Random, Roles, Shortcuts,
    State, TextError, Trail, Turn,
};
use ludex_interp::cells::share;
use ludex_interp::{RulesGame, payoffs};
use ludex_ir::{PackedMove, VerifiedProgram};

use crate::code::{Code, Machine};
use crate::error::NativeError;
use crate::native::{Native, Outcomes};

/// What finds forced wins in games given by rules.
pub type RulesProver = dyn Prover<State, Trail, PackedMove>;

/// A game given by rules: run by native code where there is some, and else by the interpreter.
///
/// The two keep their states in different forms: a state belongs to the game that made it and to
/// its clones. Cheap to clone: copies share the program and the code.
#[derive(Clone)]
pub struct CompiledGame {
    rules: RulesGame,
    code: Option<Arc<Code>>,
    start: State,
    prover: Option<Arc<RulesProver>>,
}

impl std::fmt::Debug for CompiledGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompiledGame")
            .field("rules", &self.rules)
            .field("code", &self.code)
            .finish_non_exhaustive()
    }
}

impl CompiledGame {
    /// Compiles rules to native code.
    pub fn native(rules: RulesGame) -> Result<Self, NativeError> {
        Self::for_machine(rules, Machine::default())
    }

    /// Leaves rules to the interpreter.
    pub fn interpreted(rules: RulesGame) -> Self {
        let start = rules.start().state;
        Self { rules, code: None, start, prover: None }
    }

    /// Compiles rules for a machine.
    pub(crate) fn for_machine(rules: RulesGame, machine: Machine) -> Result<Self, NativeError> {
        let most_moves = rules.limits().moves as u64;
        let code = Code::new(rules.program(), most_moves, machine)?;
        let start = Native { code: &code, rules: &rules }.from_interpreter(&rules.start().state);
        Ok(Self { rules, code: Some(Arc::new(code)), start, prover: None })
    }

    /// The same game, with adjudicated ends in force or not: perft goes without. It has no prover:
    /// one that was made for the other rules could be wrong.
    #[must_use]
    pub fn with_adjudication(self, adjudicate: bool) -> Self {
        Self { rules: self.rules.with_adjudication(adjudicate), prover: None, ..self }
    }

    /// The same game, with what finds forced wins in it.
    #[must_use]
    pub fn with_prover(self, prover: Arc<RulesProver>) -> Self {
        Self { prover: Some(prover), ..self }
    }

    /// The same game, interpreted.
    pub fn interpreter(&self) -> &RulesGame {
        &self.rules
    }

    /// The program that the rules became.
    pub fn program(&self) -> &VerifiedProgram {
        self.rules.program()
    }

    /// Whether native code runs the game.
    pub fn is_native(&self) -> bool {
        self.code.is_some()
    }

    /// How many bytes the cells of a state take in native code; `None` where there is none.
    pub fn native_state_bytes(&self) -> Option<usize> {
        self.code.as_ref().map(|it| it.layout.words * 8)
    }

    /// How many bytes native code and its tables take; `None` where there is none.
    pub fn native_code_bytes(&self) -> Option<usize> {
        self.code.as_ref().map(|it| it.bytes)
    }

    /// The native code of the game.
    #[inline]
    pub(crate) fn code(&self) -> Option<Native<'_>> {
        let code = self.code.as_deref()?;
        Some(Native { code, rules: &self.rules })
    }

    /// The interpreter's state with the same cells.
    pub fn to_interpreter<'a>(&self, state: &'a State) -> Cow<'a, State> {
        match self.code() {
            Some(native) => Cow::Owned(native.to_interpreter(state)),
            None => Cow::Borrowed(state),
        }
    }

    /// The state with the cells of an interpreter's state.
    #[allow(clippy::wrong_self_convention, reason = "it is the game that converts")]
    pub fn from_interpreter(&self, state: State) -> State {
        match self.code() {
            Some(native) => native.from_interpreter(&state),
            None => state,
        }
    }

    /// The interpreter's position with the same cells and the same history.
    pub(crate) fn plain<'a>(&self, position: &'a Position) -> Cow<'a, Position> {
        match self.to_interpreter(&position.state) {
            Cow::Borrowed(_) => Cow::Borrowed(position),
            Cow::Owned(state) => Cow::Owned(Position { state, trail: position.trail.clone() }),
        }
    }

    /// Whether a state has the form of this game's states: one of another game or of another
    /// engine must not be asked about.
    pub fn owns(&self, state: &State) -> bool {
        match self.code() {
            Some(native) => native.owns(state),
            None => state.words.len() == self.rules.layout().words(),
        }
    }

    /// The player to move, whether or not the game is over.
    #[inline]
    pub fn mover(&self, state: &State) -> Player {
        match self.code() {
            Some(native) => native.mover(state),
            None => self.rules.mover(state),
        }
    }

    /// What outcomes give a player.
    fn paid(&self, outcomes: &Outcomes, player: Player) -> Result<Payoff, Fault> {
        let payoffs = payoffs(self.program(), outcomes)?;
        Ok(payoffs.get(player.index()).copied().unwrap_or(Payoff::DRAW))
    }

    /// Plays a move by the interpreter.
    #[cold]
    fn apply_slowly(&self, position: &mut Position, mv: PackedMove) -> Result<(), Fault> {
        let mut plain = self.plain(position).into_owned();
        self.rules.apply(&mut plain, &[mv])?;
        let Position { state, trail } = plain;
        *position = Position { state: self.from_interpreter(state), trail };
        Ok(())
    }
}

impl Cells for CompiledGame {
    fn raw(&self, state: &State, cell: usize) -> u16 {
        match self.code() {
            Some(native) => native.raw(state, cell),
            None => self.rules.raw(state, cell),
        }
    }

    fn with_raw(&self, state: &State, cell: usize, raw: u16) -> State {
        let Some(native) = self.code() else { return self.rules.with_raw(state, cell, raw) };
        let (array, index) = native.array_of(cell);
        let layout = &native.code.layout;
        let old = layout.raw(&state.words, array, index);
        let mut next = state.clone();
        layout.set(&mut next.words, array, index, raw);
        let change = share(cell, old) ^ share(cell, raw);
        next.hash ^= change;
        if layout.keyed[usize::from(array.0)] {
            next.key ^= change;
        }
        next
    }

    fn forbids(&self, position: &Position, player: Player) -> Result<bool, Fault> {
        match self.code().and_then(|it| it.forbids(position, player)) {
            Some(forbids) => Ok(forbids),
            None => self.rules.forbids(&self.plain(position), player),
        }
    }

    fn ending(&self, position: &Position, player: Player) -> Result<Option<Payoff>, Fault> {
        match self.code().and_then(|it| it.ending(position)) {
            Some(outcomes) if outcomes.is_empty() => Ok(None),
            Some(outcomes) => Ok(payoffs(self.program(), &outcomes)?.get(player.index()).copied()),
            None => self.rules.ending(&self.plain(position), player),
        }
    }

    fn winning_move(
        &self,
        position: &Position,
        player: Player,
    ) -> Result<Option<PackedMove>, Fault> {
        match self.code().and_then(|it| it.winning_move(position, player)) {
            Some(found) => Ok(found.first().copied()),
            None => self.rules.winning_move(&self.plain(position), player),
        }
    }
}

impl Game for CompiledGame {
    type State = State;
    type Trail = Trail;
    type Move = PackedMove;

    fn info(&self) -> &GameInfo {
        self.rules.info()
    }

    fn start(&self) -> Position {
        self.position(self.start.clone())
    }

    fn position(&self, state: State) -> Position {
        self.rules.position(state)
    }

    fn turn(&self, position: &Position) -> Result<Turn, Fault> {
        match self.code().and_then(|it| it.turn(position)) {
            Some(turn) => Ok(turn),
            None => self.rules.turn(&self.plain(position)),
        }
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
        match self.code().and_then(|it| it.moves(position, moves)) {
            Some(()) => Ok(()),
            None => self.rules.moves(&self.plain(position), player, moves),
        }
    }

    fn apply(&self, position: &mut Position, moves: &[PackedMove]) -> Result<(), Fault> {
        let Some(native) = self.code() else { return self.rules.apply(position, moves) };
        let Some(&mv) = moves.first() else { return Ok(()) };
        match native.apply(position, mv) {
            Some(()) => Ok(()),
            None => self.apply_slowly(position, mv),
        }
    }

    fn payoff(&self, position: &Position, player: Player) -> Result<Payoff, Fault> {
        match self.code().and_then(|it| it.over(position)) {
            Some(outcomes) if outcomes.is_empty() => Ok(Payoff::DRAW),
            Some(outcomes) => self.paid(&outcomes, player),
            None => self.rules.payoff(&self.plain(position), player),
        }
    }

    fn name(&self, state: &State, mv: PackedMove) -> String {
        self.rules.name(&self.to_interpreter(state), mv)
    }

    fn named(
        &self,
        position: &Position,
        player: Player,
        name: &str,
    ) -> Result<Option<PackedMove>, Fault> {
        self.rules.named(&self.plain(position), player, name)
    }

    fn write(&self, state: &State) -> String {
        self.rules.write(&self.to_interpreter(state))
    }

    fn read(&self, text: &str) -> Result<State, TextError> {
        Ok(self.from_interpreter(self.rules.read(text)?))
    }

    fn draw(&self, state: &State) -> String {
        self.rules.draw(&self.to_interpreter(state))
    }

    #[inline]
    fn roles(&self) -> Roles<'_, State, Trail, PackedMove> {
        let prover = self.prover.as_deref();
        if self.code.is_none() {
            return Roles { prover, ..self.rules.roles() };
        }
        let board = self.rules.roles().board;
        Roles { shortcuts: Some(self), heuristics: Some(self), prover, board }
    }
}

impl Shortcuts<State, Trail, PackedMove> for CompiledGame {
    fn count_moves(&self, position: &Position) -> Option<Result<u64, Fault>> {
        self.code()?.count_moves(position).map(Ok)
    }

    fn listing_steps(&self, position: &Position) -> Option<u64> {
        self.code()?.listing_steps(position)
    }

    fn playout(
        &self,
        position: &mut Position,
        random: &mut Random,
        limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        self.code()?.random_game(position, random, limit, None)
    }

    fn traced_playout(
        &self,
        position: &mut Position,
        random: &mut Random,
        limit: u32,
        moves: &mut Vec<PackedMove>,
    ) -> Option<Result<Playout, Fault>> {
        self.code()?.random_game(position, random, limit, Some(moves))
    }

    fn hash(&self, state: &State) -> Option<u64> {
        Some(state.hash)
    }

    fn second_hash(&self, state: &State) -> Option<u64> {
        Some(state.second_hash())
    }
}
