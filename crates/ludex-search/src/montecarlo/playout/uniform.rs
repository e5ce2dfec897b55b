//! Playouts in which each legal move is as likely as any other.

use ludex_core::playout::{Playouts, payoffs};
use ludex_core::{Fault, Game, GameExt, Player, PositionOf, Turn};

use crate::montecarlo::backup::Played;
use crate::montecarlo::code_table::code;

use super::{Ended, Start};

/// Memory that playouts share.
pub(crate) struct Uniform<G: Game> {
    playouts: Playouts<G::Move>,
    moves: Vec<G::Move>,
    /// A second game, played again for its codes.
    again: Option<PositionOf<G>>,
}

impl<G: Game> Default for Uniform<G> {
    fn default() -> Self {
        Self { playouts: Playouts::default(), moves: Vec::new(), again: None }
    }
}

impl<G: Game> Uniform<G> {
    /// Plays on as fast as the game can.
    pub(crate) fn plain(&mut self, start: Start<'_, G>) -> Result<Ended, Fault> {
        let Start { game, position, random, limit } = start;
        let played = self.playouts.run(game, position, random, limit)?;
        Ok(Ended { plies: played.plies, payoffs: played.payoffs })
    }

    /// Plays on and notes the moves.
    pub(crate) fn traced(
        &mut self,
        start: Start<'_, G>,
        played: &mut Vec<Played>,
    ) -> Result<Ended, Fault> {
        let Start { game, position, random, limit } = start;
        match &mut self.again {
            Some(old) => old.clone_from(position),
            None => self.again = Some(position.clone()),
        }
        match game.traced_playout(position, random, limit, &mut self.moves) {
            Some(ended) => {
                let ended = ended?;
                self.replay(game, played)?;
                Ok(Ended { plies: ended.plies, payoffs: ended.payoffs })
            }
            None => self.step_by_step(Start { game, position, random, limit }, played),
        }
    }

    /// Plays the moves again: only the position tells what a move is called.
    fn replay(&mut self, game: &G, played: &mut Vec<Played>) -> Result<(), Fault> {
        let Some(position) = &mut self.again else { return Ok(()) };
        for &mv in &self.moves {
            played.push(note(game, position, mv)?);
            game.apply(position, &[mv])?;
        }
        Ok(())
    }

    fn step_by_step(
        &mut self,
        start: Start<'_, G>,
        played: &mut Vec<Played>,
    ) -> Result<Ended, Fault> {
        let Start { game, position, random, limit } = start;
        for ply in 0..limit {
            match game.random_move(position, random)? {
                Some(mv) => {
                    played.push(note(game, position, mv)?);
                    game.apply(position, &[mv])?;
                }
                None if game.turn(position)? == Turn::Over => {
                    return Ok(Ended { plies: ply, payoffs: Some(payoffs(game, position)?) });
                }
                // Several decide at once: nothing to note from here on.
                None => {
                    let limit = limit - ply;
                    let rest = self.plain(Start { game, position, random, limit })?;
                    return Ok(Ended { plies: ply + rest.plies, ..rest });
                }
            }
        }
        let over = game.turn(position)? == Turn::Over;
        let payoffs = if over { Some(payoffs(game, position)?) } else { None };
        Ok(Ended { plies: limit, payoffs })
    }
}

/// What is noted of a move.
pub(crate) fn note<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    mv: G::Move,
) -> Result<Played, Fault> {
    let mover = if game.players() <= 2 {
        Player(0)
    } else {
        match game.turn(position)? {
            Turn::Of(player) => player,
            _ => Player(0),
        }
    };
    Ok(Played { code: code(game.move_code(&position.state, mv)), mover })
}
