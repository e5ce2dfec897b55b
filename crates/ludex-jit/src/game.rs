//! [`NativeGame`]: a program, played by native code.

use std::sync::Arc;

use ludex_core::playout::Playout;
use ludex_core::{
    Advice, Cells, Fault, Game, Payoff, Player, Random, State, Taken, TextError, Trail, Turn,
};
use ludex_interp::cells::share;
use ludex_interp::hints::move_code;
use ludex_interp::{Outcome, RulesGame, payoffs};
use ludex_ir::{ArrayId, History, OutcomeKind, PackedMove, Program, inst::TURN};
use smallvec::{SmallVec, smallvec};

use crate::code::{Algorithm, Code, Machine};
use crate::context::{Context, Said};
use crate::error::NativeError;

/// What was said about a finished game.
pub(crate) type Outcomes = SmallVec<[Outcome; 2]>;

/// A game given by rules, run by native code.
///
/// Cheap to clone: copies share the code.
#[derive(Clone, Debug)]
pub struct NativeGame {
    pub(crate) code: Arc<Code>,
    interpreter: RulesGame,
    start: State,
}

/// How a position stands.
enum Standing {
    Over(Outcomes),
    Open,
}

impl NativeGame {
    /// Compiles a game.
    pub fn new(interpreter: RulesGame) -> Result<Self, NativeError> {
        Self::for_machine(interpreter, Machine::default())
    }

    /// Compiles a game for a machine.
    pub(crate) fn for_machine(
        interpreter: RulesGame,
        machine: Machine,
    ) -> Result<Self, NativeError> {
        let limits = interpreter.limits();
        let most_moves = limits.moves as u64;
        let code = Arc::new(Code::new(interpreter.program(), most_moves, machine)?);
        let start = interpreter.start().0;
        let mut game = Self { code, interpreter, start: start.clone() };
        game.start = game.from_interpreter(&start);
        Ok(game)
    }

    /// The same game, interpreted.
    pub fn interpreter(&self) -> &RulesGame {
        &self.interpreter
    }

    /// The same game, with adjudicated ends in force or not: perft goes without.
    #[must_use]
    pub fn with_adjudication(self, adjudicate: bool) -> Self {
        Self { interpreter: self.interpreter.with_adjudication(adjudicate), ..self }
    }

    /// The program that was compiled.
    pub fn program(&self) -> &Program {
        self.interpreter.program()
    }

    /// How many bytes the cells of a state take.
    pub fn state_bytes(&self) -> usize {
        self.code.layout.words * 8
    }

    /// How many bytes the code and its tables take.
    pub fn code_bytes(&self) -> usize {
        self.code.bytes
    }

    /// The interpreter's state with the same cells.
    pub fn to_interpreter(&self, state: &State) -> State {
        let mut values = Vec::with_capacity(self.program().cells());
        for (id, array) in self.program().arrays.iter().enumerate() {
            let raw = |index| self.code.layout.raw(&state.words, ArrayId(id as u16), index);
            values.extend((0..array.len).map(|index| i64::from(raw(index)) + array.lo));
        }
        self.interpreter.layout().state(&values)
    }

    /// The native state with the cells of an interpreter's state.
    #[allow(clippy::wrong_self_convention, reason = "it is the game that converts")]
    pub fn from_interpreter(&self, state: &State) -> State {
        let program = self.program();
        let layout = self.interpreter.layout();
        let lows: Vec<i64> = (program.arrays.iter())
            .flat_map(|array| std::iter::repeat_n(array.lo, array.len))
            .collect();
        let raw = |cell: usize| (layout.value(state, cell) - lows[cell]) as u16;
        let words = self.code.layout.pack(program, raw);
        State { words: words.into(), hash: state.hash, key: state.key }
    }

    /// The array of a cell, and its place there.
    fn array_of(&self, cell: usize) -> (ArrayId, usize) {
        let arrays = &self.program().arrays;
        let id = arrays.iter().rposition(|it| it.base <= cell).unwrap_or(0);
        (ArrayId(id as u16), cell - arrays[id].base)
    }

    /// The player to move, whether or not the game is over.
    pub fn mover(&self, state: &State) -> Player {
        let lo = self.program().arrays[TURN.0 as usize].lo;
        let raw = self.code.layout.raw(&state.words, TURN, 0);
        Player(u8::try_from(i64::from(raw) + lo).unwrap_or(u8::MAX))
    }

    fn mover_index(&self, state: &State) -> Option<usize> {
        let mover = self.mover(state).index();
        (mover < self.code.players.len()).then_some(mover)
    }

    /// Puts a question to native code; `None` if it gave up.
    pub(crate) fn ask<T>(
        &self,
        state: &State,
        trail: &Trail,
        question: impl FnOnce(&mut Context) -> Option<T>,
    ) -> Option<T> {
        if state.words.len() != self.code.layout.words {
            return None;
        }
        self.code.with(self.steps(), |context| {
            self.load(context, state, trail);
            question(context)
        })
    }

    /// Makes a position that of a context.
    pub(crate) fn load(&self, context: &mut Context, state: &State, trail: &Trail) {
        context.load(state);
        if self.remembers() {
            context.set_keys(trail.keys());
        }
        context.adjudicate = u64::from(self.interpreter.adjudicates());
    }

    /// What native code may spend on a question, or on a turn of a random game.
    pub(crate) fn steps(&self) -> i64 {
        i64::try_from(self.interpreter.limits().steps).unwrap_or(i64::MAX)
    }

    pub(crate) fn remembers(&self) -> bool {
        self.program().history != History::None
    }

    /// What an algorithm says for each player.
    fn ask_each(
        &self,
        context: &mut Context,
        of: impl Fn(&crate::code::PlayerEntries) -> Option<Algorithm>,
    ) -> Option<Outcomes> {
        let mut outcomes = Outcomes::new();
        for (player, entries) in self.code.players.iter().enumerate() {
            if let Some(algorithm) = of(entries) {
                context.hush();
                self.code.ask(algorithm, context).value()?;
                gather(&context.said, player, &mut outcomes);
            }
        }
        context.hush();
        Some(outcomes)
    }

    /// What the result, or else the adjudication, says; empty if the game goes on.
    fn results(&self, context: &mut Context, mover: usize) -> Option<Outcomes> {
        let outcomes = self.ask_each(context, |it| it.result)?;
        if !outcomes.is_empty() || context.adjudicate == 0 {
            return Some(outcomes);
        }
        let outcomes = self.ask_each(context, |it| it.adjudicate)?;
        if !outcomes.is_empty() && self.code.has_legal(mover, context).value()? == 0 {
            // An end by the rules comes before one by agreement.
            let said = self.stuck(context, mover)?;
            if !said.is_empty() {
                return Some(said);
            }
        }
        Some(outcomes)
    }

    /// What happens to a player who has no legal move: the moves it then has are listed, and
    /// what is said is the end.
    fn stuck(&self, context: &mut Context, player: usize) -> Option<Outcomes> {
        let mut outcomes = Outcomes::new();
        context.len = 0;
        if let Some(stuck) = self.code.players[player].stuck {
            context.hush();
            self.code.ask(stuck, context).value()?;
            gather(&context.said, player, &mut outcomes);
            context.hush();
        }
        if !outcomes.is_empty() {
            context.len = 0;
        } else if context.len == 0 {
            outcomes.push(loss(player));
        } else if !self.code.distinct {
            let block = context.block.as_ptr();
            // SAFETY: the block of the context, which `ask` made from a state of this game, and
            // which nothing changes meanwhile.
            if !unsafe { crate::twins::unite(&self.code, context, block, player) } {
                return None;
            }
        }
        Some(outcomes)
    }

    fn standing(&self, context: &mut Context, mover: usize) -> Option<Standing> {
        let mut outcomes = self.results(context, mover)?;
        if outcomes.is_empty() && self.code.has_legal(mover, context).value()? == 0 {
            outcomes = self.stuck(context, mover)?;
        }
        Some(if outcomes.is_empty() { Standing::Open } else { Standing::Over(outcomes) })
    }

    /// What ends the game in the position of the context.
    pub(crate) fn ended(&self, context: &mut Context) -> Option<Outcomes> {
        let lo = self.program().arrays[TURN.0 as usize].lo;
        let raw = self.code.layout.raw(&context.block, TURN, 0);
        let mover = usize::try_from(i64::from(raw) + lo).ok()?;
        match self.standing(context, mover)? {
            Standing::Over(outcomes) => Some(outcomes),
            Standing::Open => Some(Outcomes::new()),
        }
    }

    /// Lists the legal moves in the context; none if the game is over.
    fn list(&self, context: &mut Context, mover: usize) -> Option<()> {
        let outcomes = self.results(context, mover)?;
        if !outcomes.is_empty() {
            context.len = 0;
            return self.agrees(&outcomes).then_some(());
        }
        if self.code.legal(mover, context).value()? == 0 {
            let outcomes = self.stuck(context, mover)?;
            return self.agrees(&outcomes).then_some(());
        }
        Some(())
    }

    /// How many legal moves there are, with as little listing as can be.
    fn count(&self, context: &mut Context, mover: usize) -> Option<u64> {
        let outcomes = self.results(context, mover)?;
        if !outcomes.is_empty() {
            return self.agrees(&outcomes).then_some(0);
        }
        let plain = self.code.distinct && self.program().roles.illegal.is_none();
        let count = if plain {
            context.len = 0;
            self.code.ask(self.code.players[mover].count, context).value()?;
            context.len
        } else {
            self.code.count_legal(mover, context).value()? as u64
        };
        if count == 0 {
            let outcomes = self.stuck(context, mover)?;
            return self.agrees(&outcomes).then_some(context.len);
        }
        Some(count)
    }

    /// Whether what was said does not contradict itself. If it does, that is a fault, and the
    /// interpreter says it.
    fn agrees(&self, outcomes: &Outcomes) -> bool {
        outcomes.len() <= 1 || payoffs(self.program(), outcomes).is_ok()
    }
}

pub(crate) fn loss(player: usize) -> Outcome {
    Outcome { player: Player(player as u8), kind: OutcomeKind::Loss, score: None, place: 0 }
}

/// Adds what was said about the game of a player.
pub(crate) fn gather(said: &Said, player: usize, outcomes: &mut Outcomes) {
    let player = Player(player as u8);
    let kinds = [OutcomeKind::Victory, OutcomeKind::Loss, OutcomeKind::Draw, OutcomeKind::Score];
    for kind in kinds {
        if said.kinds >> kind as u64 & 1 == 1 {
            let score = (kind == OutcomeKind::Score).then_some(said.score);
            let place = said.places[kind as usize] as u32;
            outcomes.push(Outcome { player, kind, score, place });
        }
    }
    if said.differs != 0 {
        let place = said.other_place as u32;
        let score = Some(said.other);
        outcomes.push(Outcome { player, kind: OutcomeKind::Score, score, place });
    }
}

impl NativeGame {
    /// The smallest move by which `player` wins at once, if there is one. All are
    /// tried without a copy of the state for each. (`None` is for code that gave up.)
    fn winning(&self, context: &mut Context, player: usize) -> Option<SmallVec<[PackedMove; 1]>> {
        self.list(context, player)?;
        let mut moves: SmallVec<[PackedMove; 64]> = context.listed().into();
        moves.sort_unstable();
        let block = context.block.clone();
        for mv in moves {
            context.fuel = context.steps;
            self.code.play(player, mv.0, context).value()?;
            let outcomes = self.ended(context)?;
            context.block.copy_from_slice(&block);
            let is_won = match outcomes.as_slice() {
                [] => false,
                _ => payoffs(self.program(), &outcomes).ok()?.get(player)?.utility >= 1.0,
            };
            if is_won {
                return Some(smallvec![mv]);
            }
        }
        Some(SmallVec::new())
    }

    /// The same, one move after the other.
    fn winning_slowly(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
    ) -> Result<Option<PackedMove>, Fault> {
        self.interpreter.winning_move(&self.to_interpreter(state), trail, player)
    }
}

impl Cells for NativeGame {
    fn winning_move(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
    ) -> Result<Option<PackedMove>, Fault> {
        // Where the past counts, a position after a move has more of it.
        if self.remembers() || self.mover(state) != player {
            return self.winning_slowly(state, trail, player);
        }
        match self.ask(state, trail, |context| self.winning(context, player.index())) {
            Some(found) => Ok(found.first().copied()),
            None => self.winning_slowly(state, trail, player),
        }
    }

    fn ending(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
    ) -> Result<Option<Payoff>, Fault> {
        let outcomes = self
            .mover_index(state)
            .and_then(|mover| self.ask(state, trail, |context| self.results(context, mover)));
        match outcomes {
            Some(outcomes) if outcomes.is_empty() => Ok(None),
            Some(outcomes) => Ok(payoffs(self.program(), &outcomes)?.get(player.index()).copied()),
            None => self.interpreter.ending(&self.to_interpreter(state), trail, player),
        }
    }

    fn raw(&self, state: &State, cell: usize) -> u16 {
        let (array, index) = self.array_of(cell);
        self.code.layout.raw(&state.words, array, index)
    }

    fn with_raw(&self, state: &State, cell: usize, raw: u16) -> State {
        let (array, index) = self.array_of(cell);
        let old = self.code.layout.raw(&state.words, array, index);
        let mut next = state.clone();
        self.code.layout.set(&mut next.words, array, index, raw);
        let change = share(cell, old) ^ share(cell, raw);
        next.hash ^= change;
        if self.code.layout.keyed[usize::from(array.0)] {
            next.key ^= change;
        }
        next
    }

    fn forbids(&self, state: &State, trail: &Trail, player: Player) -> Result<bool, Fault> {
        let Some(illegal) = self.code.players.get(player.index()).and_then(|it| it.illegal) else {
            return Ok(false);
        };
        let answer = self.ask(state, trail, |context| {
            context.hypothetical = 1;
            self.code.ask(illegal, context).value()
        });
        match answer {
            Some(value) => Ok(value != 0),
            None => self.interpreter.forbids(&self.to_interpreter(state), trail, player),
        }
    }
}

impl Game for NativeGame {
    type State = State;
    type Trail = Trail;
    type Move = PackedMove;

    fn players(&self) -> usize {
        self.code.players.len()
    }

    fn player_name(&self, player: Player) -> String {
        self.interpreter.player_name(player)
    }

    fn start(&self) -> (State, Trail) {
        (self.start.clone(), self.trail_from(&self.start))
    }

    fn trail_from(&self, state: &State) -> Trail {
        self.interpreter.trail_from(state)
    }

    fn turn(&self, state: &State, trail: &Trail) -> Result<Turn, Fault> {
        let answer = self.mover_index(state).and_then(|mover| {
            let standing = self.ask(state, trail, |context| self.standing(context, mover))?;
            Some((mover, standing))
        });
        match answer {
            Some((mover, Standing::Open)) => Ok(Turn::Of(Player(mover as u8))),
            Some((_, Standing::Over(outcomes))) if self.agrees(&outcomes) => Ok(Turn::Over),
            _ => self.interpreter.turn(&self.to_interpreter(state), trail),
        }
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
        let done = self.mover_index(state).and_then(|mover| {
            self.ask(state, trail, |context| {
                self.list(context, mover)?;
                moves.extend_from_slice(context.listed());
                Some(())
            })
        });
        match done {
            Some(()) => Ok(()),
            None => self.interpreter.moves(&self.to_interpreter(state), trail, player, moves),
        }
    }

    fn apply(
        &self,
        state: &mut State,
        trail: &mut Trail,
        moves: &[PackedMove],
    ) -> Result<(), Fault> {
        let Some(&mv) = moves.first() else { return Ok(()) };
        let played = self.mover_index(state).and_then(|mover| self.play(state, trail, mover, mv));
        let Some(irreversible) = played else { return self.apply_slowly(state, trail, mv) };
        if irreversible {
            trail.cut();
        }
        if self.remembers() {
            trail.push(state.key);
        }
        Ok(())
    }

    fn payoff(&self, state: &State, trail: &Trail, player: Player) -> Result<Payoff, Fault> {
        let standing = self
            .mover_index(state)
            .and_then(|mover| self.ask(state, trail, |context| self.standing(context, mover)));
        match standing {
            Some(Standing::Open) => Ok(Payoff::DRAW),
            Some(Standing::Over(outcomes)) => {
                let payoffs = payoffs(self.program(), &outcomes)?;
                Ok(payoffs.get(player.index()).copied().unwrap_or(Payoff::DRAW))
            }
            None => self.interpreter.payoff(&self.to_interpreter(state), trail, player),
        }
    }

    fn hash(&self, state: &State) -> u64 {
        state.hash
    }

    fn name(&self, state: &State, mv: PackedMove) -> String {
        self.interpreter.name(&self.to_interpreter(state), mv)
    }

    fn position(&self, state: &State) -> String {
        self.interpreter.position(&self.to_interpreter(state))
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        Ok(self.from_interpreter(&self.interpreter.read_position(text)?))
    }

    fn draw(&self, state: &State) -> String {
        self.interpreter.draw(&self.to_interpreter(state))
    }

    fn named(
        &self,
        state: &State,
        trail: &Trail,
        player: Player,
        name: &str,
    ) -> Result<Option<PackedMove>, Fault> {
        self.interpreter.named(&self.to_interpreter(state), trail, player, name)
    }

    fn listing_steps(&self, state: &State, trail: &Trail) -> Option<u64> {
        let mover = self.mover_index(state)?;
        self.ask(state, trail, |context| {
            self.list(context, mover)?;
            u64::try_from(context.steps - context.fuel).ok()
        })
    }

    fn count_moves(&self, state: &State, trail: &Trail) -> Result<u64, Fault> {
        let count = self
            .mover_index(state)
            .and_then(|mover| self.ask(state, trail, |context| self.count(context, mover)));
        match count {
            Some(count) => Ok(count),
            None => self.interpreter.count_moves(&self.to_interpreter(state), trail),
        }
    }

    fn playout(
        &self,
        state: &mut State,
        trail: &mut Trail,
        random: &mut Random,
        limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        self.random_game(state, trail, random, limit, None)
    }

    fn traced_playout(
        &self,
        state: &mut State,
        trail: &mut Trail,
        random: &mut Random,
        limit: u32,
        moves: &mut Vec<PackedMove>,
    ) -> Option<Result<Playout, Fault>> {
        self.random_game(state, trail, random, limit, Some(moves))
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
        let only = self.interpreter().candidates_only();
        Ok(moves.map(|moves| Advice { moves, only }))
    }

    fn passed(&self, state: &State) -> Option<State> {
        self.with_next_mover(state)
    }

    fn in_check(&self, state: &State, trail: &Trail) -> Result<bool, Fault> {
        self.forbids(state, trail, self.mover(state))
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
        self.interpreter().squares_nearby()
    }

    fn lines(&self) -> Vec<(u16, Vec<u16>)> {
        self.interpreter().straight_rows()
    }

    fn man_codes(&self) -> Vec<(Option<Player>, u8)> {
        self.interpreter().codes_of_men()
    }

    fn men(&self, state: &State, men: &mut Vec<(u16, u8)>) {
        self.men_with_squares(state, men);
    }

    fn taken(&self, state: &State, mv: PackedMove) -> Taken {
        self.taken_by(state, self.mover(state), mv)
    }

    fn moved(&self, state: &State, mv: PackedMove) -> Option<u8> {
        self.moved_by(state, mv)
    }

    fn move_code(&self, state: &State, mv: PackedMove) -> u64 {
        let mover = self.mover(state);
        move_code(mover, mv, self.taken_by(state, mover, mv))
    }

    fn second_hash(&self, state: &State) -> u64 {
        state.second_hash()
    }
}

impl NativeGame {
    /// Lets a player play a move; gives whether that was irreversible. `None` if native code gave
    /// up, and then nothing has changed.
    fn play(&self, state: &mut State, trail: &Trail, mover: usize, mv: PackedMove) -> Option<bool> {
        if state.words.len() != self.code.layout.words {
            return None;
        }
        self.code.with(self.steps(), |context| {
            self.load(context, state, trail);
            context.irreversible = 0;
            self.code.play(mover, mv.0, context).value()?;
            context.save(state);
            Some(context.irreversible != 0)
        })
    }
}

impl NativeGame {
    /// Plays a move by the interpreter.
    #[cold]
    fn apply_slowly(
        &self,
        state: &mut State,
        trail: &mut Trail,
        mv: PackedMove,
    ) -> Result<(), Fault> {
        let mut plain = self.to_interpreter(state);
        self.interpreter.apply(&mut plain, trail, &[mv])?;
        *state = self.from_interpreter(&plain);
        Ok(())
    }
}
