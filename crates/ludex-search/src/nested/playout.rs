//! Random games of one player, with their moves.

use ludex_core::{Game, GameExt, Payoff, PositionOf, Turn};

use super::runs::Worker;
use crate::error::SearchError;

/// Plays to the end by moves that are all equally likely. They are added to `path`; what the
/// game gives is `None` where it has not ended after `limit` moves.
///
/// The game's own way to play at random is used where it has one. That cannot be interrupted, but
/// it is faster than listing by far.
pub(super) fn uniform<G: Game>(
    worker: &mut Worker<'_, G>,
    mut position: PositionOf<G>,
    limit: u32,
    path: &mut Vec<G::Move>,
) -> Result<Option<Payoff>, SearchError> {
    worker.budget.begin_playout()?;
    worker.budget.tick()?;
    let game = worker.root.game;
    let mut moves = Vec::new();
    let traced = game.traced_playout(&mut position, &mut worker.random, limit, &mut moves);
    if let Some(played) = traced {
        let ended = played?.payoffs.and_then(|all| all.get(worker.player.index()).copied());
        path.extend_from_slice(&moves);
        return Ok(ended);
    }
    for _ in 0..limit {
        worker.budget.tick()?;
        game.moves(&position, worker.player, &mut moves)?;
        let Some(&mv) = worker.random.pick(&moves) else {
            super::must_be_over(game, &position)?;
            return Ok(Some(worker.payoff(&position)?));
        };
        path.push(mv);
        game.apply(&mut position, &[mv])?;
    }
    let is_over = game.turn(&position)? == Turn::Over;
    Ok(if is_over { Some(worker.payoff(&position)?) } else { None })
}
