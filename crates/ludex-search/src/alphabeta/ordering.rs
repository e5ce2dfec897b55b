//! In which order moves are looked at: a cut is the sooner the better.
//!
//! First the move that the transposition table has, then candidate moves, then captures, the most
//! valuable man first and by the least valuable one; then the killers (Selim Akl and Monroe
//! Newborn, "The principal continuation and the killer heuristic", 1977), the answer that refuted
//! the last move before (Jos Uiterwijk, "The countermove heuristic", 1992) and the rest by their
//! history (Jonathan Schaeffer, "The history heuristic and alpha-beta search enhancements in
//! practice", 1989).

use std::hash::{Hash, Hasher};

use ludex_core::{Capture, Game, GameExt, Player};

use super::config::AlphaBetaConfig;

/// Moves have their histories in a table of this size; two moves in one place share it.
const PLACES: usize = 1 << 12;

/// The values of men count up to this, and histories stay below.
const MOST: i32 = 1 << 20;

const CANDIDATE: i32 = 1 << 29;
const CAPTURE: i32 = 1 << 28;
const KILLER: i32 = 1 << 26;
const COUNTER: i32 = 1 << 24;

/// What has been learned about moves, whatever the position.
#[derive(Debug)]
pub(crate) struct Ordering<M> {
    history: Vec<i32>,
    counters: Vec<Option<M>>,
}

/// A move to be looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    pub(crate) rank: i32,
    /// Its number in the list of the position.
    pub(crate) number: u32,
    /// Its place in the history.
    pub(crate) place: u16,
    pub(crate) is_capture: bool,
}

/// Puts candidate moves before everything else, in their order.
pub(crate) fn prefer<M: Eq>(ranked: &mut [Ranked], list: &[M], candidates: &[M]) {
    if candidates.is_empty() {
        return;
    }
    for it in ranked {
        let mv = &list[it.number as usize];
        if let Some(place) = candidates.iter().position(|other| other == mv) {
            it.rank = CANDIDATE.saturating_sub(place as i32).max(CAPTURE + 16 * MOST);
        }
    }
}

/// What is known of a position before its moves are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hints<M> {
    pub(crate) mover: Player,
    /// The place of the move that led here.
    pub(crate) last: Option<u16>,
    pub(crate) killers: [Option<M>; 2],
    /// The number of the move that comes first in any case, and is not ranked.
    pub(crate) first: Option<u32>,
    /// Whether men can be taken in this game.
    pub(crate) captures: bool,
}

impl<M: Copy + Eq + Hash> Ordering<M> {
    pub(crate) fn new() -> Self {
        Self { history: vec![0; 2 * PLACES], counters: vec![None; 2 * PLACES] }
    }

    /// A new search begins: the past counts less.
    pub(crate) fn fade(&mut self) {
        self.history.iter_mut().for_each(|it| *it /= 4);
    }

    /// The place of a move.
    pub(crate) fn place(mv: M, mover: Player) -> u16 {
        let mut hasher = Quick(u64::from(mover.0));
        mv.hash(&mut hasher);
        let player = usize::from(mover.0 & 1) * PLACES;
        (player + (hasher.finish() >> 40) as usize % PLACES) as u16
    }

    /// Ranks the moves of a position.
    #[allow(clippy::too_many_arguments, reason = "they are one position and one list")]
    pub(crate) fn rank<G: Game<Move = M>>(
        &self,
        game: &G,
        state: &G::State,
        config: &AlphaBetaConfig,
        worth: impl Fn(u8) -> i32,
        list: &[M],
        hints: &Hints<M>,
        ranked: &mut Vec<Ranked>,
    ) {
        ranked.clear();
        let counter = hints.last.and_then(|it| self.counters[usize::from(it)]);
        for (number, &mv) in (0..).zip(list) {
            if hints.first == Some(number) {
                continue;
            }
            let place = Self::place(mv, hints.mover);
            let taken = if hints.captures { game.capture(state, mv) } else { Capture::Nothing };
            let mut rank = if config.history { self.history[usize::from(place)] } else { 0 };
            if let Capture::Man(kind) = taken {
                let with = game.mover_kind(state, mv).map_or(0, &worth);
                // What a capture has done elsewhere counts where exchanges are alike.
                rank = CAPTURE + 8 * by_exchange(worth(kind), with) + rank / 16;
            } else if hints.killers[0] == Some(mv) {
                rank += KILLER + 1;
            } else if hints.killers[1] == Some(mv) {
                rank += KILLER;
            } else if config.counter && counter == Some(mv) {
                rank += COUNTER;
            }
            let is_capture = matches!(taken, Capture::Man(_));
            ranked.push(Ranked { rank, number, place, is_capture });
        }
    }

    /// A move has refuted what came before; those tried before it have not.
    pub(crate) fn refuted(
        &mut self,
        mv: M,
        place: u16,
        last: Option<u16>,
        depth: i32,
        failed: &[Ranked],
    ) {
        let bonus = (depth * depth).min(400);
        self.credit(place, bonus);
        for other in failed.iter().filter(|it| !it.is_capture) {
            self.credit(other.place, -bonus / 2);
        }
        if let Some(last) = last {
            self.counters[usize::from(last)] = Some(mv);
        }
    }

    /// The nearer to the bound, the smaller the step: old merits wear off.
    fn credit(&mut self, place: u16, bonus: i32) {
        let value = &mut self.history[usize::from(place)];
        *value += 32 * bonus - *value * bonus.abs() / 512;
    }
}

/// Puts the best of the moves from `at` on in its place: the first few by looking, the rest by
/// sorting once.
pub(crate) fn bring_best(ranked: &mut [Ranked], at: usize) {
    const LOOKED: usize = 6;
    let better =
        |one: &Ranked, other: &Ranked| (other.rank, one.number).cmp(&(one.rank, other.number));
    if at < LOOKED {
        let best = (at..ranked.len()).min_by(|&a, &b| better(&ranked[a], &ranked[b]));
        if let Some(best) = best {
            ranked.swap(at, best);
        }
    } else if at == LOOKED {
        ranked[at..].sort_unstable_by(better);
    }
}

/// The most valuable man first, and taken by the least valuable one.
pub(crate) fn by_exchange(taken: i32, with: i32) -> i32 {
    taken.clamp(-MOST, MOST) - with.clamp(0, MOST) / 64
}

/// A hasher for plain small values, much faster than one that resists attacks.
struct Quick(u64);

impl Quick {
    fn fold(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.fold(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.fold(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.fold(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.fold(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.fold(word);
    }

    fn write_u128(&mut self, word: u128) {
        self.fold(word as u64);
        self.fold((word >> 64) as u64);
    }
}
