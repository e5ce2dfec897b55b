//! Whole random games of an engine that tells their moves, played again by the reference.
//!
//! Each move must be one that the reference lists, and the last position and the payoffs must be
//! those that the engine came to. The same generator must give the same game where the moves are
//! not asked for.

use ludex_core::playout::{Playout, payoffs};
use ludex_core::{Game, GameExt, Position, Random, Trail, Turn};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::{Engine, Pair, agree, exact, same_states, start};

/// Games start from positions up to this number of turns after the start.
const TURNS_BEFORE: u32 = 40;

/// A random game and where it ended.
struct Traced<S> {
    playout: Playout,
    end: Position<S, Trail>,
    moves: Vec<PackedMove>,
}

/// Follows one random game of `other` of at most `limit` turns from a random position; gives
/// how many moves it had.
pub(crate) fn check<E: Engine>(
    reference: &RulesGame,
    other: &E,
    seed: u64,
    number: u64,
    limit: u32,
) -> Result<usize, String> {
    let mut random = Random::stream(seed, number, 3);
    let Some(pair) = position(reference, other, &mut random) else { return Ok(0) };
    let traced = trace(other, &pair, &random, limit)?;
    let Some(traced) = traced else { return Ok(0) };
    let count = traced.moves.len();
    if count != traced.playout.plies as usize || count > limit as usize {
        return Err(format!("{count} moves of {} turns, at most {limit}", traced.playout.plies));
    }
    replay(reference, other, pair, traced)?;
    Ok(count)
}

/// A position that random moves lead to; `None` after a fault, which others look at.
fn position<E: Engine>(
    reference: &RulesGame,
    other: &E,
    random: &mut Random,
) -> Option<Pair<E::State>> {
    let mut pair = start(reference, other);
    for _ in 0..random.below(TURNS_BEFORE) {
        let before = pair.clone();
        let Some(mv) = reference.random_move(&pair.position, random).ok()? else {
            return Some(before);
        };
        reference.apply(&mut pair.position, &[mv]).ok()?;
        other.apply(&mut pair.other, &[mv]).ok()?;
        if reference.turn(&pair.position).ok()? == Turn::Over {
            return Some(before);
        }
    }
    Some(pair)
}

/// A random game with its moves, which must be the game that is played without them; `None` where
/// the engine has no own way, or meets a fault.
fn trace<E: Engine>(
    other: &E,
    pair: &Pair<E::State>,
    random: &Random,
    limit: u32,
) -> Result<Option<Traced<E::State>>, String> {
    let mut end = pair.other.clone();
    let mut last = end.clone();
    let (mut drawn, mut again) = (random.clone(), random.clone());
    // A buffer with something in it: its contents must be replaced.
    let mut moves = vec![PackedMove(u128::MAX); 3];
    let traced = other.traced_playout(&mut end, &mut drawn, limit, &mut moves);
    let plain = other.playout(&mut last, &mut again, limit);
    let same = (&end, &drawn) == (&last, &again);
    match (traced, plain) {
        (None, None) if moves == [PackedMove(u128::MAX); 3] && same => Ok(None),
        (Some(Err(one)), Some(Err(two))) if one == two => Ok(None),
        (Some(Ok(playout)), Some(Ok(plain))) if playout == plain && same => {
            Ok(Some(Traced { playout, end, moves }))
        }
        (traced, plain) => Err(format!("with its moves {traced:?}, without them {plain:?}")),
    }
}

/// Plays the moves again; the end must be the same.
fn replay<E: Engine>(
    reference: &RulesGame,
    other: &E,
    mut pair: Pair<E::State>,
    traced: Traced<E::State>,
) -> Result<(), String> {
    let mut moves = Vec::new();
    for (turn, &mv) in traced.moves.iter().enumerate() {
        let player = reference.mover(&pair.position.state);
        if reference.moves(&pair.position, player, &mut moves).is_err() {
            // The reference cannot list these moves, and the engine has drawn one that is fine.
            return Ok(());
        }
        if !moves.contains(&mv) {
            let at = reference.write(&pair.position.state);
            return Err(format!("{mv:?}, played in turn {turn}, is not listed at {at}"));
        }
        reference
            .apply(&mut pair.position, &[mv])
            .map_err(|fault| format!("a playout goes through a fault: {fault}"))?;
    }
    pair.other = traced.end;
    same_states(other, &pair, "after the moves of a playout")?;
    same_end(reference, &pair, traced.playout)
}

/// That the reference sees the game as ended, or not, as the playout does, and pays the same.
fn same_end<S>(reference: &RulesGame, pair: &Pair<S>, playout: Playout) -> Result<(), String> {
    let position = &pair.position;
    // A fault that drawing does not meet is followed where no moves are told.
    let Ok(turn) = reference.turn(position) else { return Ok(()) };
    let over = turn == Turn::Over;
    if over != playout.payoffs.is_some() {
        let at = reference.write(&position.state);
        return Err(format!("over is {over} after the moves of a playout, at {at}"));
    }
    let Some(earned) = playout.payoffs else { return Ok(()) };
    let mine = payoffs(reference, position).map(|it| it.into_iter().map(exact).collect::<Vec<_>>());
    agree("payoffs after the moves", mine, Ok(earned.into_iter().map(exact).collect())).map(|_| ())
}
