//! Two engines for the same rules, compared on random play.
//!
//! The reference plays at random; the other engine plays the same moves. In every
//! state both are asked everything: who is to move, the moves as a set, the state
//! after each of them, the payoffs, hashes, heuristics. A fault must be a fault in
//! both, except that a budget may be spent in one of them only: engines count
//! steps differently.

#![allow(dead_code, reason = "each test file uses the part it needs")]

mod engine;
mod hints;
mod playouts;
mod traces;

use std::fmt::{Debug, Write as _};

use ludex_core::{Candidates, Fault, Game, GameExt, Payoff, Player, Position, Random, Trail, Turn};
use ludex_interp::RulesGame;
use ludex_ir::{ArrayRole, PackedMove};

pub(crate) use engine::Engine;

/// How much is compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// How many states, over all games together.
    pub(crate) states: usize,
    /// After how many turns a game is left for the next.
    pub(crate) plies: usize,
    /// In how many states after moves of a position, picked at random, the engines are compared.
    pub(crate) children: usize,
    /// In every n-th position, n the first number, the second number of them is picked instead.
    pub(crate) more_children: (usize, usize),
    /// Whether the turn is compared even where the moves show it.
    pub(crate) ask_turn: bool,
    /// How many random games the other engine plays to the end by itself.
    pub(crate) playouts: usize,
    /// How many turns of them are followed.
    pub(crate) followed: u32,
    /// Whether every other game starts from a state whose cells are filled at random.
    pub(crate) wild: bool,
}

/// What has been compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) states: usize,
    pub(crate) games: usize,
    pub(crate) finished: usize,
    pub(crate) moves: usize,
    pub(crate) children: usize,
    pub(crate) faults: usize,
    pub(crate) playouts: usize,
    /// Moves that playouts told.
    pub(crate) traced: usize,
}

/// The same position in both engines.
#[derive(Clone, Debug)]
pub(crate) struct Pair<S> {
    pub(crate) position: Position,
    pub(crate) other: Position<S, Trail>,
}

/// Compares `other` with the reference; the message tells the first difference.
pub(crate) fn compare<E: Engine>(
    reference: &RulesGame,
    other: &E,
    seed: u64,
    plan: &Plan,
) -> Result<Tally, String> {
    let mut comparison = Comparison { reference, other, plan, tally: Tally::default() };
    let mut game = 0;
    // A game may end at once, in a fault or not: then there are not enough states to be had.
    while comparison.tally.states < plan.states && game < plan.states / 4 + 8 {
        let mut random = Random::stream(seed, game as u64, 0);
        let mut played = Vec::new();
        let wild = plan.wild && game % 2 == 1;
        let pair =
            if wild { wild_start(reference, other, &mut random) } else { start(reference, other) };
        let from = reference.write(&pair.position.state);
        comparison.game(pair, &mut random, &mut played).map_err(|difference| {
            let played = played.join(" ");
            format!("{difference}\nseed {seed}, game {game} from {from}, after: {played}")
        })?;
        game += 1;
    }
    for number in 0..plan.playouts {
        playouts::check(reference, other, seed, number as u64, plan.followed)
            .map_err(|difference| format!("{difference}\nseed {seed}, playout {number}"))?;
        comparison.tally.playouts += 1;
        // Most are short, some come to their end.
        let limit = if number % 5 == 0 { plan.followed * 10 } else { plan.followed };
        comparison.tally.traced += traces::check(reference, other, seed, number as u64, limit)
            .map_err(|difference| format!("{difference}\nseed {seed}, trace {number}"))?;
    }
    Ok(comparison.tally)
}

struct Comparison<'a, E> {
    reference: &'a RulesGame,
    other: &'a E,
    plan: &'a Plan,
    tally: Tally,
}

impl<E: Engine> Comparison<'_, E> {
    /// One random game.
    fn game(
        &mut self,
        mut pair: Pair<E::State>,
        random: &mut Random,
        played: &mut Vec<String>,
    ) -> Result<(), String> {
        self.tally.games += 1;
        same_states(self.other, &pair, "at the start")?;
        for _ in 0..self.plan.plies {
            self.tally.states += 1;
            let Some(moves) = self.state(&pair, random)? else {
                self.tally.faults += 1;
                return Ok(());
            };
            let Some(&mv) = random.pick(&moves) else {
                self.tally.finished += 1;
                return Ok(());
            };
            played.push(self.reference.name(&pair.position.state, mv));
            if !self.apply(&mut pair, mv)? || self.tally.states >= self.plan.states {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Compares everything about one position; gives the moves, or nothing after a fault.
    fn state(
        &mut self,
        pair: &Pair<E::State>,
        random: &mut Random,
    ) -> Result<Option<Vec<PackedMove>>, String> {
        let mover = self.reference.mover(&pair.position.state);
        let Some(mut moves) = self.moves(pair, mover)? else { return Ok(None) };
        let Some(turn) = self.turn(pair, &moves, mover)? else { return Ok(None) };
        self.tally.moves += moves.len();
        if (turn == Turn::Over) != moves.is_empty() {
            return Err(self.told(pair, &format!("{} moves where it is {turn:?}", moves.len())));
        }
        if turn == Turn::Over && !self.payoffs(pair)? {
            return Ok(None);
        }
        self.shortcuts(pair, &moves).map_err(|it| self.told(pair, &it))?;
        self.heuristics(pair, mover)?;
        hints::check(self.reference, self.other, pair, &moves)
            .map_err(|it| self.told(pair, &it))?;
        self.children(pair, &mut moves, random)?;
        Ok(Some(moves))
    }

    /// The legal moves, sorted: they are a set.
    fn moves(
        &self,
        pair: &Pair<E::State>,
        mover: Player,
    ) -> Result<Option<Vec<PackedMove>>, String> {
        let (mut moves, mut others) = (Vec::new(), Vec::new());
        let mine = self.reference.moves(&pair.position, mover, &mut moves);
        let theirs = self.other.moves(&pair.other, mover, &mut others);
        let Some(()) = agree("moves", mine, theirs).map_err(|it| self.told(pair, &it))? else {
            return Ok(None);
        };
        moves.sort_unstable();
        others.sort_unstable();
        if moves != others {
            return Err(self.told(pair, &self.listed(pair, &moves, &others)));
        }
        Ok(Some(moves))
    }

    /// That counting and drawing agree with listing.
    fn shortcuts(&self, pair: &Pair<E::State>, moves: &[PackedMove]) -> Result<(), String> {
        match self.other.count_moves(&pair.other) {
            Ok(count) if count != moves.len() as u64 => {
                return Err(format!("counted {count} moves, there are {}", moves.len()));
            }
            Err(fault) if !is_budget(&fault) => return Err(format!("counting moves: {fault}")),
            _ => {}
        }
        let mut random = Random::stream(pair.position.state.hash, 0, 0);
        match self.other.random_move(&pair.other, &mut random) {
            Ok(None) if !moves.is_empty() => Err("no random move".to_owned()),
            Ok(Some(mv)) if !moves.contains(&mv) => Err(format!("{mv:?}, drawn, is not legal")),
            Err(fault) if !is_budget(&fault) => Err(format!("drawing a move: {fault}")),
            _ => Ok(()),
        }
    }

    /// What only one of two lists of moves has.
    fn listed(&self, pair: &Pair<E::State>, moves: &[PackedMove], others: &[PackedMove]) -> String {
        let mut text = format!("{} moves against {}", moves.len(), others.len());
        let mut only = |label: &str, list: &[PackedMove], without: &[PackedMove]| {
            let names: Vec<String> = list
                .iter()
                .filter(|it| !without.contains(it))
                .take(20)
                .map(|&it| format!("{} ({it:?})", self.reference.name(&pair.position.state, it)))
                .collect();
            let _ = write!(text, "\nonly in {label}: {}", names.join(", "));
        };
        only("the reference", moves, others);
        only("the other", others, moves);
        text
    }

    fn turn(
        &self,
        pair: &Pair<E::State>,
        moves: &[PackedMove],
        mover: Player,
    ) -> Result<Option<Turn>, String> {
        let mine = if self.plan.ask_turn {
            self.reference.turn(&pair.position)
        } else {
            Ok(if moves.is_empty() { Turn::Over } else { Turn::Of(mover) })
        };
        let theirs = self.other.turn(&pair.other);
        agree("turn", mine, theirs).map_err(|it| self.told(pair, &it))
    }

    /// Whether there are payoffs, which are then the same.
    fn payoffs(&self, pair: &Pair<E::State>) -> Result<bool, String> {
        for player in (0..self.reference.players()).map(|it| Player(it as u8)) {
            let mine = self.reference.payoff(&pair.position, player).map(exact);
            let theirs = self.other.payoff(&pair.other, player).map(exact);
            let both = agree("payoff", mine, theirs).map_err(|it| self.told(pair, &it))?;
            if both.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn heuristics(&self, pair: &Pair<E::State>, mover: Player) -> Result<(), String> {
        let program = self.reference.program();
        let (position, other) = (&pair.position, &pair.other);
        if program.roles.evaluate.is_some() {
            let bits = |value: Option<f64>| value.map(f64::to_bits);
            let mine = self.reference.evaluate(position, mover, 3).map(bits);
            let theirs = self.other.evaluate(other, mover, 3).map(bits);
            agree("evaluate", mine, theirs).map_err(|it| self.told(pair, &it))?;
        }
        if program.roles.features.is_some() {
            let bits =
                |values: Vec<f64>| -> Vec<u64> { values.into_iter().map(f64::to_bits).collect() };
            let mine = self.reference.features(position).map(bits);
            let theirs = self.other.features(other).map(bits);
            agree("features", mine, theirs).map_err(|it| self.told(pair, &it))?;
        }
        if program.roles.candidates.is_some() {
            let mine = self.reference.candidates(position, mover, 3);
            let theirs = self.other.candidates(other, mover, 3);
            let leads =
                |list: Option<Candidates<PackedMove>>| self.leads(pair, list.map(|it| it.moves));
            agree("candidates", mine.map(leads), theirs.map(leads))
                .map_err(|it| self.told(pair, &it))?;
        }
        Ok(())
    }

    /// Where candidates lead, with their weights: of moves that lead to the same position any may
    /// be named.
    fn leads(
        &self,
        pair: &Pair<E::State>,
        list: Option<Vec<(PackedMove, f64)>>,
    ) -> Option<Vec<(u64, u64)>> {
        let hash = |mv| {
            let mut next = pair.position.clone();
            let played = self.reference.apply(&mut next, &[mv]);
            if played.is_ok() { next.state.hash } else { 0 }
        };
        list.map(|list| list.into_iter().map(|(mv, w)| (hash(mv), w.to_bits())).collect())
    }

    /// Compares the states after some of the moves, and how the game stands in them.
    fn children(
        &mut self,
        pair: &Pair<E::State>,
        moves: &mut [PackedMove],
        random: &mut Random,
    ) -> Result<(), String> {
        let (every, more) = self.plan.more_children;
        let many = self.tally.states.is_multiple_of(every);
        for at in 0..moves.len().min(if many { more } else { self.plan.children }) {
            let left = (moves.len() - at) as u32;
            moves.swap(at, at + random.below(left) as usize);
            let mut child = pair.clone();
            let compared = self.child(&mut child, moves[at]);
            let compared = compared.and_then(|done| {
                if done && !self.plan.wild {
                    hints::quiet_is_quiet::<E>(self.reference, pair, &child, moves[at])?;
                }
                Ok(done)
            });
            let compared = compared.map_err(|it| {
                let name = self.reference.name(&pair.position.state, moves[at]);
                format!("{it}\nafter the move {name} of {}", self.at(pair))
            })?;
            self.tally.children += usize::from(compared);
        }
        Ok(())
    }

    /// Compares the position after a move; whether it could be done.
    fn child(&self, child: &mut Pair<E::State>, mv: PackedMove) -> Result<bool, String> {
        if !self.apply(child, mv)? {
            return Ok(false);
        }
        self.standing(child)?;
        Ok(true)
    }

    /// How the game stands in a position.
    fn standing(&self, pair: &Pair<E::State>) -> Result<(), String> {
        if !self.plan.ask_turn {
            return Ok(());
        }
        let mine = self.reference.turn(&pair.position);
        let theirs = self.other.turn(&pair.other);
        // One legal move is enough to say whose turn it is. Whether one that faults is tried before
        // depends on the order of the list, which is free.
        if mine.is_err() != theirs.is_err()
            && self.moves(pair, self.reference.mover(&pair.position.state))?.is_none()
        {
            return Ok(());
        }
        let turn = agree("turn", mine, theirs).map_err(|it| self.told(pair, &it))?;
        if turn == Some(Turn::Over) {
            self.payoffs(pair)?;
        }
        Ok(())
    }

    /// Plays a move in both; whether it could be done.
    fn apply(&self, pair: &mut Pair<E::State>, mv: PackedMove) -> Result<bool, String> {
        let mine = self.reference.apply(&mut pair.position, &[mv]);
        let theirs = self.other.apply(&mut pair.other, &[mv]);
        let both = agree("apply", mine, theirs).map_err(|it| self.told(pair, &it))?;
        if both.is_some() {
            same_states(self.other, pair, "after a move").map_err(|it| self.told(pair, &it))?;
        }
        Ok(both.is_some())
    }

    fn told(&self, pair: &Pair<E::State>, difference: &str) -> String {
        format!("{difference}\nat {}", self.at(pair))
    }

    fn at(&self, pair: &Pair<E::State>) -> String {
        self.reference.write(&pair.position.state)
    }
}

/// Both engines at the start.
pub(crate) fn start<E: Engine>(reference: &RulesGame, other: &E) -> Pair<E::State> {
    Pair { position: reference.start(), other: other.start() }
}

/// Both engines at a state whose cells are filled at random: any contents can be played.
fn wild_start<E: Engine>(reference: &RulesGame, other: &E, random: &mut Random) -> Pair<E::State> {
    let program = reference.program();
    let full = random.below(100);
    let mut values = Vec::new();
    for array in &program.arrays {
        for _ in 0..array.len {
            let width = u32::try_from(array.hi - array.lo + 1).unwrap_or(u32::MAX);
            values.push(match array.role {
                ArrayRole::Board | ArrayRole::Set if random.below(100) >= full => 0,
                _ => array.lo + i64::from(random.below(width)),
            });
        }
    }
    let state = reference.layout().state(&values);
    let other = other.position(other.own_state(&state));
    Pair { position: reference.position(state), other }
}

/// That two states are the same in every cell and every hash.
fn same_states<E: Engine>(other: &E, pair: &Pair<E::State>, when: &str) -> Result<(), String> {
    let shown = other.reference_state(&pair.other.state);
    let (state, hash) = (&pair.position.state, other.hash(&pair.other.state));
    let key = other.key(&pair.other.state);
    if shown.words != state.words {
        return Err(format!("other cells {when}"));
    }
    if (shown.hash, hash) != (state.hash, state.hash) {
        return Err(format!("hash {hash:x}, not {:x}, {when}", state.hash));
    }
    if (shown.key, key) != (state.key, state.key) {
        return Err(format!("key {key:x}, not {:x}, {when}", state.key));
    }
    if pair.position.trail != pair.other.trail {
        return Err(format!("another trail {when}"));
    }
    Ok(())
}

/// A payoff to the last bit.
pub(crate) fn exact(payoff: Payoff) -> (i64, u64) {
    (payoff.score, payoff.utility.to_bits())
}

/// Whether a fault is about how much was asked, which engines count differently.
pub(crate) fn is_budget(fault: &Fault) -> bool {
    matches!(fault.code, "step-budget" | "too-deep" | "too-many-moves")
}

/// Two answers: the same value, or a fault in both (then nothing), or a difference.
pub(crate) fn agree<T: PartialEq + Debug>(
    what: &str,
    mine: Result<T, Fault>,
    theirs: Result<T, Fault>,
) -> Result<Option<T>, String> {
    match (mine, theirs) {
        (Ok(mine), Ok(theirs)) if mine == theirs => Ok(Some(mine)),
        (Ok(mine), Ok(theirs)) => Err(format!("{what}: {mine:?} against {theirs:?}")),
        (Err(_), Err(_)) => Ok(None),
        (Err(fault), _) | (_, Err(fault)) if is_budget(&fault) => Ok(None),
        (Err(fault), Ok(value)) => Err(format!("{what}: a fault ({fault}) against {value:?}")),
        (Ok(value), Err(fault)) => Err(format!("{what}: {value:?} against a fault ({fault})")),
    }
}
