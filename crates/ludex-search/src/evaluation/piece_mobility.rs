//! Values of men by their mobility: a guess for an unknown game.
//!
//! Jacques Pitrat, "Realization of a general game-playing program", 1968, measures a position by
//! the number of moves; here it is the men that are measured so. In positions of random games each
//! kind of man has some moves on the average, and a man is worth as many. That is right for games
//! in which men are for moving and taking, and nothing at all for others, so it has to be tried
//! out.

use std::sync::Arc;

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Capture, Fault, Game, GameExt, Player, PositionOf, Random};

use crate::error::SearchError;

use super::{Evaluate, EvaluationTraining, Material, Mobility, Standpoint};

/// How many random games are looked at, and how many positions of them, about.
const GAMES: u64 = 60;
const POSITIONS: u32 = 600;

/// A random game is broken off after this many turns.
const LONGEST: u32 = 300;

/// The value of a man that moves like the mean of all, in thousandths.
const MEAN: f64 = 2500.0;

/// What one move more is worth beside the men.
const A_MOVE: i32 = 12;

/// Men by how freely they move, and mobility.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceMobility {
    men: Material,
    mobility: Mobility,
}

impl PieceMobility {
    /// The values for a game; `None` where all men are alike, or none is ever taken.
    pub fn of<G: Game>(game: &G, seed: u64) -> Result<Option<Self>, Fault> {
        let mut counting = MobilityCount::new(game, seed);
        while !counting.is_done() {
            counting.step(game)?;
        }
        Ok(counting.piece_mobility())
    }
}

impl<G: Game> Evaluate<G> for PieceMobility {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        let men = self.men.evaluate(game, position, from)?;
        Ok(men.saturating_add(self.mobility.evaluate(game, position, from)?))
    }

    fn man(&self, kind: u8) -> Option<i32> {
        Evaluate::<G>::man(&self.men, kind)
    }

    fn describe(&self) -> String {
        "values of men by their freedom".to_owned()
    }
}

/// Moves and men of each kind, being counted in random games.
pub(crate) struct MobilityCount<G: Game> {
    seed: u64,
    games: u64,
    /// For each kind, how often a man of it was there when its owner was to move, and its moves.
    men: Vec<u32>,
    moves: Vec<u32>,
    takings: u32,
    counts: Vec<u32>,
    list: Vec<G::Move>,
}

impl<G: Game> EvaluationTraining<G> for MobilityCount<G> {
    fn step(&mut self, game: &G) -> Result<(), SearchError> {
        Ok(Self::step(self, game)?)
    }

    fn is_done(&self) -> bool {
        Self::is_done(self)
    }

    fn work(&self) -> u64 {
        self.games
    }

    /// Men by their mobility; all worth the same where nothing can be said.
    fn evaluation(&mut self) -> Arc<dyn Evaluate<G>> {
        match self.piece_mobility() {
            Some(piece_mobility) => Arc::new(piece_mobility),
            None => Arc::<Material>::default(),
        }
    }
}

impl<G: Game> MobilityCount<G> {
    /// Nothing is counted yet.
    pub(crate) fn new(game: &G, seed: u64) -> Self {
        let kinds = vec![0; game.board().kinds];
        Self {
            seed,
            games: 0,
            men: kinds.clone(),
            moves: kinds,
            takings: 0,
            counts: Vec::new(),
            list: Vec::new(),
        }
    }

    /// Whether there is nothing left to do.
    pub(crate) fn is_done(&self) -> bool {
        // A man alone, whatever it does, is like all others.
        self.games >= GAMES || self.men.len() < 2
    }

    /// Looks at one game more.
    pub(crate) fn step(&mut self, game: &G) -> Result<(), Fault> {
        self.games += 1;
        let Some(view) = TwoPlayer::new(game) else { return Ok(()) };
        self.random_game(view, &mut Random::stream(self.seed, self.games, 0xf4ee))
    }

    /// What was counted, if it tells anything.
    pub(crate) fn piece_mobility(&self) -> Option<PieceMobility> {
        let mobility = Mobility { weight: A_MOVE };
        self.values().map(|values| PieceMobility { men: Material { values }, mobility })
    }

    fn random_game(&mut self, view: TwoPlayer<'_, G>, random: &mut Random) -> Result<(), Fault> {
        let game = view.game();
        let mut position = game.start();
        for _ in 0..LONGEST {
            let Some(mover) = view.mover(&position)? else { break };
            if random.below(LONGEST) < POSITIONS / GAMES as u32 {
                self.position(view, &position, mover)?;
            }
            let Some(mv) = game.random_move(&position, random)? else { break };
            game.apply(&mut position, &[mv])?;
        }
        Ok(())
    }

    /// Counts the men of the player to move, and the moves of each.
    fn position(
        &mut self,
        view: TwoPlayer<'_, G>,
        position: &PositionOf<G>,
        mover: Player,
    ) -> Result<(), Fault> {
        let game = view.game();
        game.count_men(&position.state, &mut self.counts);
        let own = self.counts.chunks(self.men.len()).nth(mover.index()).unwrap_or_default();
        self.men.iter_mut().zip(own).for_each(|(sum, count)| *sum += count);
        view.moves(position, mover, &mut self.list)?;
        for &mv in &self.list {
            self.takings += u32::from(matches!(game.capture(&position.state, mv), Capture::Man(_)));
            if let Some(kind) = game.mover_kind(&position.state, mv) {
                self.moves[usize::from(kind)] += 1;
            }
        }
        Ok(())
    }

    /// A value for each kind, if they differ.
    fn values(&self) -> Option<Vec<i32>> {
        let piece_mobility =
            |kind: usize| f64::from(self.moves[kind]) / f64::from(self.men[kind].max(1));
        let all: Vec<f64> = (0..self.men.len()).map(piece_mobility).collect();
        let met: Vec<f64> = all.iter().copied().filter(|it| *it > 0.0).collect();
        let mean = met.iter().sum::<f64>() / met.len().max(1) as f64;
        let differ = met.iter().any(|it| (it - mean).abs() > mean / 4.0);
        let values = all.iter().map(|it| (MEAN * it / mean) as i32).collect();
        (met.len() > 1 && differ && self.takings > 0).then_some(values)
    }
}

#[cfg(test)]
mod tests {
    use ludex_testkit::TicTacToe;

    use super::*;

    #[test]
    fn where_all_men_are_alike_it_says_nothing() {
        assert_eq!(PieceMobility::of(&TicTacToe, 1), Ok(None));
    }
}
