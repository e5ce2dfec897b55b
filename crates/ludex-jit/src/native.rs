//! [`Native`]: what native code answers about a game.

use ludex_core::{Player, Position, State, Turn};
use ludex_interp::{Outcome, RulesGame, payoffs};
use ludex_ir::{ArrayId, History, OutcomeKind, PackedMove, Program, inst::TURN};
use smallvec::{SmallVec, smallvec};

use crate::code::{Algorithm, Code};
use crate::context::{Context, Said};

/// What was said about a finished game.
pub(crate) type Outcomes = SmallVec<[Outcome; 2]>;

/// How a position stands.
enum Standing {
    Over(Outcomes),
    Open,
}

/// The native code of a game, with its rules.
///
/// Every answer is an option: `None` says that the code gave up, and the interpreter is to be asked
/// the same question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Native<'g> {
    pub(crate) code: &'g Code,
    pub(crate) rules: &'g RulesGame,
}

impl Native<'_> {
    pub(crate) fn program(&self) -> &Program {
        self.rules.program()
    }

    /// The interpreter's state with the same cells.
    pub(crate) fn to_interpreter(self, state: &State) -> State {
        let mut values = Vec::with_capacity(self.program().cells());
        for (id, array) in self.program().arrays.iter().enumerate() {
            let raw = |index| self.code.layout.raw(&state.words, ArrayId(id as u16), index);
            values.extend((0..array.len).map(|index| i64::from(raw(index)) + array.lo));
        }
        self.rules.layout().state(&values)
    }

    /// The native state with the cells of an interpreter's state.
    #[allow(clippy::wrong_self_convention, reason = "it is the code that converts")]
    pub(crate) fn from_interpreter(&self, state: &State) -> State {
        let program = self.program();
        let layout = self.rules.layout();
        let lows: Vec<i64> = (program.arrays.iter())
            .flat_map(|array| std::iter::repeat_n(array.lo, array.len))
            .collect();
        let raw = |cell: usize| (layout.value(state, cell) - lows[cell]) as u16;
        let words = self.code.layout.pack(program, raw);
        State { words: words.into(), hash: state.hash, key: state.key }
    }

    /// The array of a cell, and its place there.
    pub(crate) fn array_of(&self, cell: usize) -> (ArrayId, usize) {
        let arrays = &self.program().arrays;
        let id = arrays.iter().rposition(|it| it.base <= cell).unwrap_or(0);
        (ArrayId(id as u16), cell - arrays[id].base)
    }

    /// Whether a state has the form of this code's states.
    #[inline]
    pub(crate) fn owns(&self, state: &State) -> bool {
        state.words.len() == self.code.layout.words
    }

    /// The raw value of a cell.
    #[inline]
    pub(crate) fn raw(&self, state: &State, cell: usize) -> u16 {
        let (array, index) = self.array_of(cell);
        self.code.layout.raw(&state.words, array, index)
    }

    /// The player to move, whether or not the game is over.
    pub(crate) fn mover(&self, state: &State) -> Player {
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
        position: &Position,
        question: impl FnOnce(&mut Context) -> Option<T>,
    ) -> Option<T> {
        if !self.owns(&position.state) {
            return None;
        }
        self.code.with(self.steps(), |context| {
            self.load(context, position);
            question(context)
        })
    }

    /// Makes a position that of a context.
    pub(crate) fn load(&self, context: &mut Context, position: &Position) {
        context.load(&position.state);
        if self.remembers() {
            context.set_keys(position.trail.keys());
        }
        context.adjudicate = u64::from(self.rules.adjudicates());
    }

    /// What native code may spend on a question, or on a turn of a random game.
    pub(crate) fn steps(&self) -> i64 {
        i64::try_from(self.rules.limits().steps).unwrap_or(i64::MAX)
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
            if !unsafe { crate::twins::unite(self.code, context, block, player) } {
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

impl Native<'_> {
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
}

/// The questions of a [`Game`](ludex_core::Game).
impl Native<'_> {
    /// Whether the game is over; `None` also where what was said contradicts itself.
    pub(crate) fn turn(&self, position: &Position) -> Option<Turn> {
        let mover = self.mover_index(&position.state)?;
        match self.ask(position, |context| self.standing(context, mover))? {
            Standing::Open => Some(Turn::Of(Player(mover as u8))),
            Standing::Over(outcomes) => self.agrees(&outcomes).then_some(Turn::Over),
        }
    }

    /// The legal moves of the player to move.
    pub(crate) fn moves(&self, position: &Position, moves: &mut Vec<PackedMove>) -> Option<()> {
        let mover = self.mover_index(&position.state)?;
        self.ask(position, |context| {
            self.list(context, mover)?;
            moves.extend_from_slice(context.listed());
            Some(())
        })
    }

    /// Plays a move; nothing has changed if the code gave up.
    pub(crate) fn apply(&self, position: &mut Position, mv: PackedMove) -> Option<()> {
        let mover = self.mover_index(&position.state)?;
        let is_irreversible = self.play(position, mover, mv)?;
        if is_irreversible {
            position.trail.cut();
        }
        if self.remembers() {
            position.trail.push(position.state.key);
        }
        Some(())
    }

    /// What was said if the game is over.
    pub(crate) fn over(&self, position: &Position) -> Option<Outcomes> {
        let mover = self.mover_index(&position.state)?;
        match self.ask(position, |context| self.standing(context, mover))? {
            Standing::Open => Some(Outcomes::new()),
            Standing::Over(outcomes) => Some(outcomes),
        }
    }

    /// What the result, or else the adjudication, says.
    pub(crate) fn ending(&self, position: &Position) -> Option<Outcomes> {
        let mover = self.mover_index(&position.state)?;
        self.ask(position, |context| self.results(context, mover))
    }

    /// The smallest move that wins at once, if there is one. Where earlier positions count, a
    /// position after a move has more of them, which is not for native code.
    pub(crate) fn winning_move(
        &self,
        position: &Position,
        player: Player,
    ) -> Option<SmallVec<[PackedMove; 1]>> {
        if self.remembers() || self.mover(&position.state) != player {
            return None;
        }
        self.ask(position, |context| self.winning(context, player.index()))
    }

    /// Whether the rules forbid `player` to make this position.
    pub(crate) fn forbids(&self, position: &Position, player: Player) -> Option<bool> {
        let Some(illegal) = self.code.players.get(player.index()).and_then(|it| it.illegal) else {
            return Some(false);
        };
        self.ask(position, |context| {
            context.hypothetical = 1;
            Some(self.code.ask(illegal, context).value()? != 0)
        })
    }

    /// How many legal moves there are.
    pub(crate) fn count_moves(&self, position: &Position) -> Option<u64> {
        let mover = self.mover_index(&position.state)?;
        self.ask(position, |context| self.count(context, mover))
    }

    /// The steps that listing the legal moves takes.
    pub(crate) fn listing_steps(&self, position: &Position) -> Option<u64> {
        let mover = self.mover_index(&position.state)?;
        self.ask(position, |context| {
            self.list(context, mover)?;
            u64::try_from(context.steps - context.fuel).ok()
        })
    }

    /// Lets a player play a move; gives whether that was irreversible. `None` if native code gave
    /// up, and then nothing has changed.
    fn play(&self, position: &mut Position, mover: usize, mv: PackedMove) -> Option<bool> {
        if !self.owns(&position.state) {
            return None;
        }
        self.code.with(self.steps(), |context| {
            self.load(context, position);
            context.irreversible = 0;
            self.code.play(mover, mv.0, context).value()?;
            context.save(&mut position.state);
            Some(context.irreversible != 0)
        })
    }
}
