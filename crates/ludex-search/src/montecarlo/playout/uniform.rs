//! Playouts in which each legal move is as likely as any other.

use ludex_core::playout::{Playouts, payoffs};
use ludex_core::{Fault, Game, Player, Turn};

use crate::montecarlo::backup::Played;
use crate::montecarlo::codes::code;

use super::{Ended, Start};

/// Memory that playouts share.
pub(crate) struct Uniform<G: Game> {
    playouts: Playouts<G::Move>,
    moves: Vec<G::Move>,
    /// A second game, played again for its codes.
    again: Option<(G::State, G::Trail)>,
}

impl<G: Game> Default for Uniform<G> {
    fn default() -> Self {
        Self { playouts: Playouts::default(), moves: Vec::new(), again: None }
    }
}

impl<G: Game> Uniform<G> {
    /// Plays on as fast as the game can.
    pub(crate) fn plain(&mut self, start: Start<'_, G>) -> Result<Ended, Fault> {
        let Start { game, state, trail, random, limit } = start;
        let played = self.playouts.run(game, state, trail, random, limit)?;
        Ok(Ended { plies: played.plies, payoffs: played.payoffs })
    }

    /// Plays on and notes the moves.
    pub(crate) fn traced(
        &mut self,
        start: Start<'_, G>,
        played: &mut Vec<Played>,
    ) -> Result<Ended, Fault> {
        let Start { game, state, trail, random, limit } = start;
        match &mut self.again {
            Some((old, past)) => {
                old.clone_from(state);
                past.clone_from(trail);
            }
            None => self.again = Some((state.clone(), trail.clone())),
        }
        match game.traced_playout(state, trail, random, limit, &mut self.moves) {
            Some(ended) => {
                let ended = ended?;
                self.replay(game, played)?;
                Ok(Ended { plies: ended.plies, payoffs: ended.payoffs })
            }
            None => self.step_by_step(Start { game, state, trail, random, limit }, played),
        }
    }

    /// Plays the moves again: only the position tells what a move is called.
    fn replay(&mut self, game: &G, played: &mut Vec<Played>) -> Result<(), Fault> {
        let Some((state, trail)) = &mut self.again else { return Ok(()) };
        for &mv in &self.moves {
            played.push(note(game, state, trail, mv)?);
            game.apply(state, trail, &[mv])?;
        }
        Ok(())
    }

    fn step_by_step(
        &mut self,
        start: Start<'_, G>,
        played: &mut Vec<Played>,
    ) -> Result<Ended, Fault> {
        let Start { game, state, trail, random, limit } = start;
        for ply in 0..limit {
            match game.random_move(state, trail, random)? {
                Some(mv) => {
                    played.push(note(game, state, trail, mv)?);
                    game.apply(state, trail, &[mv])?;
                }
                None if game.turn(state, trail)? == Turn::Over => {
                    return Ok(Ended { plies: ply, payoffs: Some(payoffs(game, state, trail)?) });
                }
                // Several decide at once: nothing to note from here on.
                None => {
                    let limit = limit - ply;
                    let rest = self.plain(Start { game, state, trail, random, limit })?;
                    return Ok(Ended { plies: ply + rest.plies, ..rest });
                }
            }
        }
        let over = game.turn(state, trail)? == Turn::Over;
        let payoffs = if over { Some(payoffs(game, state, trail)?) } else { None };
        Ok(Ended { plies: limit, payoffs })
    }
}

/// What is noted of a move.
pub(crate) fn note<G: Game>(
    game: &G,
    state: &G::State,
    trail: &G::Trail,
    mv: G::Move,
) -> Result<Played, Fault> {
    let mover = if game.players() <= 2 {
        Player(0)
    } else {
        match game.turn(state, trail)? {
            Turn::Of(player) => player,
            _ => Player(0),
        }
    };
    Ok(Played { code: code(game.move_code(state, mv)), mover })
}
