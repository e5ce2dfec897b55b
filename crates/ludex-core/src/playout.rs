//! Games played to the end by random moves.

use smallvec::SmallVec;

use crate::ext::GameExt;
use crate::game::{Fault, Game, Payoff, Player, Turn};
use crate::position::PositionOf;
use crate::random::Random;
use crate::turns::Choices;

/// What a playout came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Playout {
    /// How many turns were played.
    pub plies: u32,
    /// What each player earned; `None` where the limit came before the end.
    pub payoffs: Option<SmallVec<[Payoff; 4]>>,
    /// The number of turns that could be played, summed over the positions met; `None` where
    /// they were not counted, because moves were drawn without listing them.
    pub branching: Option<u64>,
}

/// Plays random games; kept for the memory of its lists.
///
/// Players choose uniformly, chance by its odds, and the turns of several
/// players at once are drawn independently.
#[derive(Clone, Debug)]
pub struct Playouts<M> {
    choices: Choices<M>,
    turn: Vec<M>,
}

impl<M> Default for Playouts<M> {
    fn default() -> Self {
        Self { choices: Choices::default(), turn: Vec::new() }
    }
}

impl<M: Copy> Playouts<M> {
    /// Plays on from `state`, which becomes the last position, for at most
    /// `limit` turns: in the game's own way if it has one, and else by listing.
    pub fn run<G: Game<Move = M>>(
        &mut self,
        game: &G,
        position: &mut PositionOf<G>,
        random: &mut Random,
        limit: u32,
    ) -> Result<Playout, Fault> {
        match game.playout(position, random, limit) {
            Some(played) => played,
            None => self.listed(game, position, random, limit),
        }
    }

    /// The same by listing the turns of every position, which counts them, too.
    pub fn listed<G: Game<Move = M>>(
        &mut self,
        game: &G,
        position: &mut PositionOf<G>,
        random: &mut Random,
        limit: u32,
    ) -> Result<Playout, Fault> {
        let mut playout = Playout { plies: 0, payoffs: None, branching: None };
        let mut branching = 0_u64;
        loop {
            if self.choices.fill(game, position)? == Turn::Over {
                playout.payoffs = Some(payoffs(game, position)?);
            }
            if playout.payoffs.is_some() || playout.plies == limit {
                playout.branching = Some(branching);
                return Ok(playout);
            }
            branching = branching.saturating_add(self.choices.count());
            playout.plies += 1;
            self.choices.draw(random, &mut self.turn);
            game.apply(position, &self.turn)?;
        }
    }
}

/// One random game from the start, of at most `limit` turns.
pub fn playout<G: Game>(game: &G, random: &mut Random, limit: u32) -> Result<Playout, Fault> {
    let mut position = game.start();
    Playouts::default().run(game, &mut position, random, limit)
}

/// What each player has earned in a finished game, first player first.
pub fn payoffs<G: Game>(
    game: &G,
    position: &PositionOf<G>,
) -> Result<SmallVec<[Payoff; 4]>, Fault> {
    (0..game.players()).map(|player| game.payoff(position, Player(player as u8))).collect()
}
