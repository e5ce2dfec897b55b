//! What callers ask of any game: the roles' answers, or slower ones where a game has no such role.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::board::{self, Board};
use crate::game::{Fault, Game, IllegalMove, Player, Turn};
use crate::heuristics::{Candidates, Capture};
use crate::playout::Playout;
use crate::position::PositionOf;
use crate::prover::{Effort, Forced, Prover, Sought};
use crate::random::Random;
use crate::turns::Choices;

/// What callers ask of any game. Implemented for every [`Game`]; nothing here is to be overridden.
pub trait GameExt: Game {
    /// How many players there are.
    #[inline]
    fn players(&self) -> usize {
        self.info().players.len()
    }

    /// What the rules call `player`.
    fn player_name(&self, player: Player) -> String {
        self.info().player_name(player).to_owned()
    }

    /// Whether earlier positions can change what follows.
    #[inline]
    fn has_history(&self) -> bool {
        self.info().has_history
    }

    /// Plays one player's move if it is legal, and otherwise leaves everything as it was.
    fn play(
        &self,
        position: &mut PositionOf<Self>,
        player: Player,
        mv: Self::Move,
    ) -> Result<Result<(), IllegalMove<Self::Move>>, Fault> {
        let mut legal = Vec::new();
        self.moves(position, player, &mut legal)?;
        if !legal.contains(&mv) {
            return Ok(Err(IllegalMove { mv, legal }));
        }
        self.apply(position, &[mv])?;
        Ok(Ok(()))
    }

    /// The position after a move of the player to move.
    fn after(
        &self,
        position: &PositionOf<Self>,
        mv: Self::Move,
    ) -> Result<PositionOf<Self>, Fault> {
        let mut next = position.clone();
        self.apply(&mut next, &[mv])?;
        Ok(next)
    }

    /// The position after a null move, where that makes sense.
    fn after_null_move(&self, position: &PositionOf<Self>) -> Option<PositionOf<Self>> {
        let state = self.null_move(&position.state)?;
        Some(PositionOf::<Self> { state, trail: position.trail.clone() })
    }

    /// How many different turns can be played: 0 when the game is over, and for a joint turn
    /// the product over its players.
    #[inline]
    fn count_moves(&self, position: &PositionOf<Self>) -> Result<u64, Fault> {
        if let Some(count) = self.roles().shortcuts.and_then(|it| it.count_moves(position)) {
            return count;
        }
        let mut choices = Choices::default();
        choices.fill(self, position)?;
        Ok(choices.count())
    }

    /// How much work it is to list the moves of a position, in steps of the engine; `None` where
    /// steps are not counted.
    fn listing_steps(&self, position: &PositionOf<Self>) -> Option<u64> {
        self.roles().shortcuts?.listing_steps(position)
    }

    /// A random move: a player's, each as likely as any other, or chance's by its odds.
    ///
    /// `None` when the game is over, and where several players decide at once: they
    /// have no single move.
    fn random_move(
        &self,
        position: &PositionOf<Self>,
        random: &mut Random,
    ) -> Result<Option<Self::Move>, Fault> {
        let mut choices = Choices::default();
        let turn = choices.fill(self, position)?;
        if !matches!(turn, Turn::Of(_) | Turn::Chance) {
            return Ok(None);
        }
        let mut moves = Vec::new();
        choices.draw(random, &mut moves);
        Ok(moves.first().copied())
    }

    /// The engine's own playout: see [`Shortcuts::playout`](crate::Shortcuts::playout). Callers
    /// want [`Playouts::run`](crate::playout::Playouts::run), which asks for this first.
    #[inline]
    fn playout(
        &self,
        position: &mut PositionOf<Self>,
        random: &mut Random,
        limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        self.roles().shortcuts?.playout(position, random, limit)
    }

    /// The engine's own playout with its moves: see
    /// [`Shortcuts::traced_playout`](crate::Shortcuts::traced_playout).
    #[inline]
    fn traced_playout(
        &self,
        position: &mut PositionOf<Self>,
        random: &mut Random,
        limit: u32,
        moves: &mut Vec<Self::Move>,
    ) -> Option<Result<Playout, Fault>> {
        self.roles().shortcuts?.traced_playout(position, random, limit, moves)
    }

    /// The 64-bit hash of all cells.
    #[inline]
    fn hash(&self, state: &Self::State) -> u64 {
        let kept = self.roles().shortcuts.and_then(|it| it.hash(state));
        kept.unwrap_or_else(|| hash_of(0, state))
    }

    /// Another hash of all cells, independent of [`hash`](GameExt::hash): two states count as equal
    /// only where both agree.
    #[inline]
    fn second_hash(&self, state: &Self::State) -> u64 {
        let own = self.roles().shortcuts.and_then(|it| it.second_hash(state));
        own.unwrap_or_else(|| hash_of(1, state))
    }

    /// A win that the player to move can force: see
    /// [`Prover::forced_win`]. Not found where there is no prover.
    fn forced_win(
        &self,
        position: &PositionOf<Self>,
        effort: Effort<'_>,
    ) -> Result<Sought<Forced<Self::Move>>, Fault> {
        match self.roles().prover {
            Some(prover) => prover.forced_win(position, effort),
            None => Ok(Sought { found: None, positions: 0 }),
        }
    }

    /// The only defences against a threatened win: see
    /// [`Prover::only_defences`]. Not found where there is no prover.
    fn only_defences(
        &self,
        position: &PositionOf<Self>,
        effort: Effort<'_>,
    ) -> Result<Sought<Vec<Self::Move>>, Fault> {
        match self.roles().prover {
            Some(prover) => prover.only_defences(position, effort),
            None => Ok(Sought { found: None, positions: 0 }),
        }
    }

    /// Whether a prover answers quickly and often decides.
    fn has_decisive_prover(&self) -> bool {
        self.roles().prover.is_some_and(Prover::is_decisive)
    }

    /// The author's evaluation: see [`Heuristics::evaluate`](crate::Heuristics::evaluate).
    fn evaluate(
        &self,
        position: &PositionOf<Self>,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        self.roles().heuristics.map_or(Ok(None), |it| it.evaluate(position, side, depth))
    }

    /// The author's policy: see [`Heuristics::candidates`](crate::Heuristics::candidates).
    fn candidates(
        &self,
        position: &PositionOf<Self>,
        side: Player,
        depth: u32,
    ) -> Result<Option<Candidates<Self::Move>>, Fault> {
        self.roles().heuristics.map_or(Ok(None), |it| it.candidates(position, side, depth))
    }

    /// The same without a check against the legal moves: see
    /// [`Heuristics::unchecked_candidates`](crate::Heuristics::unchecked_candidates).
    fn unchecked_candidates(
        &self,
        position: &PositionOf<Self>,
        side: Player,
        depth: u32,
    ) -> Result<Option<Candidates<Self::Move>>, Fault> {
        self.roles()
            .heuristics
            .map_or(Ok(None), |it| it.unchecked_candidates(position, side, depth))
    }

    /// The state after a null move, where that makes sense.
    #[inline]
    fn null_move(&self, state: &Self::State) -> Option<Self::State> {
        self.roles().heuristics?.null_move(state)
    }

    /// Whether the player to move is in check.
    #[inline]
    fn in_check(&self, position: &PositionOf<Self>) -> Result<bool, Fault> {
        self.roles().heuristics.map_or(Ok(false), |it| it.in_check(position))
    }

    /// The squares and men of the game; an empty board where it has none.
    #[inline]
    fn board(&self) -> &Board {
        self.roles().board.unwrap_or(&board::NONE)
    }

    /// Replaces the contents of `counts` by how many men each player has of each kind; by nothing
    /// where that is not known.
    #[inline]
    fn count_men(&self, state: &Self::State, counts: &mut Vec<u32>) {
        counts.clear();
        if let Some(heuristics) = self.roles().heuristics {
            heuristics.count_men(state, counts);
        }
    }

    /// Replaces the contents of `men` by the square and the code of every man on the board.
    #[inline]
    fn men(&self, state: &Self::State, men: &mut Vec<(u16, u8)>) {
        men.clear();
        if let Some(heuristics) = self.roles().heuristics {
            heuristics.men(state, men);
        }
    }

    /// Which man a move captures, as far as that is seen without playing it.
    #[inline]
    fn capture(&self, state: &Self::State, mv: Self::Move) -> Capture {
        self.roles().heuristics.map_or(Capture::Unknown, |it| it.capture(state, mv))
    }

    /// The kind of the man that makes a move, as far as that is seen without playing it.
    #[inline]
    fn mover_kind(&self, state: &Self::State, mv: Self::Move) -> Option<u8> {
        self.roles().heuristics?.mover_kind(state, mv)
    }

    /// A number for what a move does, whatever the position: see
    /// [`Heuristics::move_code`](crate::Heuristics::move_code).
    #[inline]
    fn move_code(&self, state: &Self::State, mv: Self::Move) -> u64 {
        let own = self.roles().heuristics.and_then(|it| it.move_code(state, mv));
        own.unwrap_or_else(|| hash_of(0, &mv))
    }
}

impl<G: Game + ?Sized> GameExt for G {}

/// A hash of a value: two salts give independent ones.
fn hash_of<T: Hash>(salt: u64, value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    if salt != 0 {
        salt.hash(&mut hasher);
    }
    value.hash(&mut hasher);
    hasher.finish()
}
