//! Whole random games of an engine, followed turn by turn.
//!
//! An engine that plays a game in one call does not tell its moves. But a smaller
//! limit gives the beginning of the same game; so the positions between are had by
//! asking with the limits 0, 1, 2 and so on, and each must follow from the one
//! before by a legal move of the reference.
//!
//! An engine that draws a move and then asks whether it is legal does not play the others. A
//! move that faults when it is played is then met only if it is drawn, where the
//! reference, which lists by playing all of them, faults at once: the game is followed to there.

use ludex_core::playout::{Playouts, payoffs};
use ludex_core::{Fault, Game, GameExt, Position, PositionOf, Random, Turn};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::{Engine, Pair, agree, exact, is_budget, same_states, start};

/// Follows one random game of `other` for at most `plies` turns.
pub(crate) fn check<E: Engine>(
    reference: &RulesGame,
    other: &E,
    seed: u64,
    number: u64,
    plies: u32,
) -> Result<(), String> {
    let first = start(reference, other);
    let mut pair = first.clone();
    let mut has_own_way = true;
    for limit in 0..=plies {
        let mut last = first.other.clone();
        let mut random = Random::stream(seed, number, 1);
        let own = other.playout(&mut last, &mut random, limit);
        // An engine that gives up on the way leaves the game to lists of moves, which are drawn
        // from in another order: that is another game.
        if own.is_none() && limit > 0 && has_own_way {
            return Ok(());
        }
        has_own_way = own.is_some();
        let mut by_lists = || Playouts::default().listed(other, &mut last, &mut random, limit);
        let playout = match own.unwrap_or_else(&mut by_lists) {
            Ok(playout) => playout,
            Err(fault) if is_budget(&fault) => return Ok(()),
            Err(_) => return faults_too(reference, &pair.position),
        };
        is_whole(other, &last.state)?;
        if playout.plies == limit && limit > 0 {
            let mv = match leading(reference, other, &pair, &last) {
                Ok(Some(mv)) => mv,
                // The reference cannot list these moves, and the engine has drawn one that is fine.
                Err(_) => return Ok(()),
                Ok(None) => {
                    let (from, to) = (&pair.position.state, other.reference_state(&last.state));
                    let (from, to) = (reference.write(from), reference.write(&to));
                    return Err(format!("no move leads from {from} to {to}"));
                }
            };
            reference
                .apply(&mut pair.position, &[mv])
                .map_err(|fault| format!("a playout goes through a fault: {fault}"))?;
            pair.other = last;
        } else if last != pair.other {
            return Err(format!("another game when it has {limit} turns"));
        }
        same_states(other, &pair, "in a playout")?;
        let position = &pair.position;
        let at = |text: &str| format!("{text} at {}", reference.write(&position.state));
        let over = match reference.turn(position) {
            Ok(turn) => turn == Turn::Over,
            Err(fault) if is_budget(&fault) => return Ok(()),
            Err(fault) if !faults_when_listing(reference, position) => {
                return Err(at(&format!("no fault, as in the reference ({fault}),")));
            }
            Err(_) => return Ok(()),
        };
        if over != playout.payoffs.is_some() {
            return Err(at(if over { "a game goes on" } else { "a game has ended" }));
        }
        if let Some(earned) = playout.payoffs {
            let mine = payoffs(reference, position)
                .map(|it| it.into_iter().map(exact).collect::<Vec<_>>());
            let theirs = Ok(earned.into_iter().map(exact).collect());
            return agree("payoffs of a playout", mine, theirs).map(|_| ()).map_err(|it| at(&it));
        }
    }
    Ok(())
}

/// That a state is what its cells say, hash included: it comes back the same from the reference.
fn is_whole<E: Engine>(other: &E, state: &E::State) -> Result<(), String> {
    if other.own_state(&other.reference_state(state)) == *state {
        Ok(())
    } else {
        Err("a playout ends in a state that contradicts itself".to_owned())
    }
}

/// A fault in a random game: the reference has one here, too, or after one of the moves.
fn faults_too(reference: &RulesGame, position: &Position) -> Result<(), String> {
    let Ok(Turn::Of(player)) = reference.turn(position) else { return Ok(()) };
    let mut moves = Vec::new();
    if reference.moves(position, player, &mut moves).is_err() {
        return Ok(());
    }
    let faulty = |&mv: &PackedMove| {
        let mut next = position.clone();
        reference.apply(&mut next, &[mv]).is_err()
            || reference.turn(&next).is_err()
            || faults_when_listing(reference, &next)
            || payoffs(reference, &next).is_err()
    };
    if moves.iter().any(faulty) {
        Ok(())
    } else {
        Err(format!("a fault in a playout near {}", reference.write(&position.state)))
    }
}

/// Whether the moves of a position cannot be listed without a fault.
fn faults_when_listing(reference: &RulesGame, position: &Position) -> bool {
    reference.moves(position, reference.mover(&position.state), &mut Vec::new()).is_err()
}

/// A legal move of the reference that leads to where the other engine stands.
fn leading<E: Engine>(
    reference: &RulesGame,
    other: &E,
    before: &Pair<E::State>,
    last: &PositionOf<E>,
) -> Result<Option<PackedMove>, Fault> {
    let mut moves = Vec::new();
    let player = reference.mover(&before.position.state);
    reference.moves(&before.position, player, &mut moves)?;
    Ok(moves.into_iter().find(|&mv| {
        let mut next = before.other.clone();
        let played = other.apply(&mut next, &[mv]);
        played.is_ok() && next == *last
    }))
}
