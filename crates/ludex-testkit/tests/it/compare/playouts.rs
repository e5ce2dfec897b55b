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
use ludex_core::{Fault, Game, Random, State, Trail, Turn};
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
        let (mut last, mut behind) = (first.other_state.clone(), first.other_trail.clone());
        let mut random = Random::stream(seed, number, 1);
        let own = other.playout(&mut last, &mut behind, &mut random, limit);
        // An engine that gives up on the way leaves the game to lists of moves, which are drawn
        // from in another order: that is another game.
        if own.is_none() && limit > 0 && has_own_way {
            return Ok(());
        }
        has_own_way = own.is_some();
        let mut by_lists =
            || Playouts::default().listed(other, &mut last, &mut behind, &mut random, limit);
        let playout = match own.unwrap_or_else(&mut by_lists) {
            Ok(playout) => playout,
            Err(fault) if is_budget(&fault) => return Ok(()),
            Err(_) => return faults_too(reference, &pair.state, &pair.trail),
        };
        is_whole(other, &last)?;
        if playout.plies == limit && limit > 0 {
            let mv = match leading(reference, other, &pair, (&last, &behind)) {
                Ok(Some(mv)) => mv,
                // The reference cannot list these moves, and the engine has drawn one that is fine.
                Err(_) => return Ok(()),
                Ok(None) => {
                    let (from, to) = (&pair.state, other.reference_state(&last));
                    let (from, to) = (reference.position(from), reference.position(&to));
                    return Err(format!("no move leads from {from} to {to}"));
                }
            };
            reference
                .apply(&mut pair.state, &mut pair.trail, &[mv])
                .map_err(|fault| format!("a playout goes through a fault: {fault}"))?;
            (pair.other_state, pair.other_trail) = (last, behind);
        } else if last != pair.other_state || behind != pair.other_trail {
            return Err(format!("another game when it has {limit} turns"));
        }
        same_states(other, &pair, "in a playout")?;
        let (state, trail) = (&pair.state, &pair.trail);
        let at = |text: &str| format!("{text} at {}", reference.position(state));
        let over = match reference.turn(state, trail) {
            Ok(turn) => turn == Turn::Over,
            Err(fault) if is_budget(&fault) => return Ok(()),
            Err(fault) if !faults_when_listing(reference, state, trail) => {
                return Err(at(&format!("no fault, as in the reference ({fault}),")));
            }
            Err(_) => return Ok(()),
        };
        if over != playout.payoffs.is_some() {
            return Err(at(if over { "a game goes on" } else { "a game has ended" }));
        }
        if let Some(earned) = playout.payoffs {
            let mine = payoffs(reference, state, trail)
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
        Err("a playout comes to a state that contradicts itself".to_owned())
    }
}

/// A fault in a random game: the reference has one here, too, or after one of the moves.
fn faults_too(reference: &RulesGame, state: &State, trail: &Trail) -> Result<(), String> {
    let Ok(Turn::Of(player)) = reference.turn(state, trail) else { return Ok(()) };
    let mut moves = Vec::new();
    if reference.moves(state, trail, player, &mut moves).is_err() {
        return Ok(());
    }
    let faulty = |&mv: &PackedMove| {
        let (mut state, mut trail) = (state.clone(), trail.clone());
        reference.apply(&mut state, &mut trail, &[mv]).is_err()
            || reference.turn(&state, &trail).is_err()
            || faults_when_listing(reference, &state, &trail)
            || payoffs(reference, &state, &trail).is_err()
    };
    if moves.iter().any(faulty) {
        Ok(())
    } else {
        Err(format!("a fault in a playout near {}", reference.position(state)))
    }
}

/// Whether the moves of a position cannot be listed without a fault.
fn faults_when_listing(reference: &RulesGame, state: &State, trail: &Trail) -> bool {
    reference.moves(state, trail, reference.mover(state), &mut Vec::new()).is_err()
}

/// A legal move of the reference that leads to where the other engine stands.
fn leading<E: Engine>(
    reference: &RulesGame,
    other: &E,
    before: &Pair<E::State>,
    (last, behind): (&E::State, &Trail),
) -> Result<Option<PackedMove>, Fault> {
    let mut moves = Vec::new();
    let player = reference.mover(&before.state);
    reference.moves(&before.state, &before.trail, player, &mut moves)?;
    Ok(moves.into_iter().find(|&mv| {
        let (mut state, mut trail) = (before.other_state.clone(), before.other_trail.clone());
        let played = other.apply(&mut state, &mut trail, &[mv]);
        played.is_ok() && state == *last && trail == *behind
    }))
}
