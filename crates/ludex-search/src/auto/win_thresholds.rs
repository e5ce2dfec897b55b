//! Measures the thresholds of [`win_probe`](super::win_probe): how near to a forced win usual
//! positions look.
//!
//! df-pn's numbers count replies. In a game in which an attacker may nearly always give check, they
//! promise much in most positions and mean little. So the player plays some quick games against
//! itself, and df-pn searches positions long before their ends. Only what is rare there is a sign
//! of a win.

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, GameExt, Limits, PositionOf, Random};

use super::endgame::Endgame;
use super::win_probe::{WinThresholds, nearness};
use crate::error::SearchError;
use crate::player::{GamePlayer, SearchRoot};
use crate::proof::player::Wanted;

/// Games, the random moves at their beginnings, and the longest one.
const GAMES: u32 = 4;
const OPENING: u32 = 4;
const LONGEST: usize = 120;

/// Nodes for a move of these games, and for a probe of a position.
const NODES: u64 = 500;
const LOOK: u64 = 1_000;

/// Plies between sampled positions, plies before the end at least, and samples of a game at most.
const APART: usize = 10;
const BEFORE_THE_END: usize = 16;
const OF_A_GAME: usize = 6;

/// Fewer positions do not tell what is usual.
const FEWEST: usize = 12;

/// One position in this many may seem near to a win.
const NEAR: usize = 8;

/// Estimates without a proof are hardly ever above this.
const MOST: f64 = 0.97;

/// Thresholds are never below these.
const USUAL: WinThresholds = WinThresholds { near: 0.5, trusted: 0.7 };

/// Thresholds being measured.
pub(super) struct ThresholdMeasurement<G: Game> {
    seed: u64,
    games: u32,
    /// The positions of the game that is being played.
    board: Vec<PositionOf<G>>,
    /// Positions to be looked at.
    samples: Vec<PositionOf<G>>,
    estimates: Vec<f64>,
}

impl<G: Game> ThresholdMeasurement<G> {
    /// Nothing is known yet.
    pub(super) fn new(seed: u64) -> Self {
        let (board, samples, estimates) = (Vec::new(), Vec::new(), Vec::new());
        Self { seed, games: 0, board, samples, estimates }
    }

    /// Whether all positions were searched.
    pub(super) fn is_done(&self) -> bool {
        self.games >= GAMES && self.samples.is_empty()
    }

    /// Plays a move, or probes a position.
    pub(super) fn step(
        &mut self,
        view: TwoPlayer<'_, G>,
        player: &mut dyn GamePlayer<G>,
        proofs: &mut Endgame,
        limits: Limits<'_>,
    ) -> Result<(), SearchError> {
        if self.games < GAMES {
            return self.play(view, player, limits);
        }
        self.look(view, proofs, limits);
        Ok(())
    }

    fn play(
        &mut self,
        view: TwoPlayer<'_, G>,
        player: &mut dyn GamePlayer<G>,
        limits: Limits<'_>,
    ) -> Result<(), SearchError> {
        if self.board.is_empty() {
            player.forget();
            self.board.push(self.opening(view)?);
        }
        let Some(position) = self.board.last() else { return Ok(()) };
        let is_over = view.mover(position)?.is_none();
        if is_over || self.board.len() > LONGEST {
            self.end();
            return Ok(());
        }
        let mut next = position.clone();
        let root = SearchRoot { game: view.game(), position };
        let limits = within(limits, NODES);
        if let Some(mv) = player.search(root, limits, &mut |_| ())?.best() {
            view.apply(&mut next, mv)?;
        }
        self.board.push(next);
        Ok(())
    }

    /// The position after some random moves.
    fn opening(&self, view: TwoPlayer<'_, G>) -> Result<PositionOf<G>, Fault> {
        let game = view.game();
        let mut random = Random::stream(self.seed, u64::from(self.games), 0x5_e45e);
        let mut position = game.start();
        for _ in 0..OPENING {
            let Some(mv) = game.random_move(&position, &mut random)? else { break };
            game.apply(&mut position, &[mv])?;
        }
        Ok(position)
    }

    /// A game has ended.
    fn end(&mut self) {
        self.games += 1;
        let long_before = self.board.len().saturating_sub(BEFORE_THE_END);
        let game = self.board.drain(..).take(long_before);
        self.samples.extend(game.skip(APART / 2).step_by(APART).take(OF_A_GAME));
    }

    fn look(&mut self, view: TwoPlayer<'_, G>, proofs: &mut Endgame, limits: Limits<'_>) {
        let Some(position) = self.samples.pop() else { return };
        let root = SearchRoot { game: view.game(), position: &position };
        let known = proofs.prove(root, within(limits, LOOK), &mut |_| (), Wanted::Win);
        self.estimates.extend(known.map(|it| nearness(&it.result)));
    }

    /// The thresholds; nothing where too little was seen.
    pub(super) fn thresholds(&self) -> Option<WinThresholds> {
        thresholds(&self.estimates)
    }
}

/// A limit of `nodes`, with the stop flag of `limits`.
fn within(limits: Limits<'_>, nodes: u64) -> Limits<'_> {
    let Limits { stop, clock, .. } = limits;
    Limits { stop, clock, ..Limits::of_nodes(nodes) }
}

/// The thresholds where these estimates are usual, if anything but a proof is rare. One of the
/// positions may have been a win that was overlooked.
fn thresholds(estimates: &[f64]) -> Option<WinThresholds> {
    let mut falling = estimates.to_vec();
    falling.sort_by(|one, other| other.total_cmp(one));
    let near = *falling.get(falling.len() / NEAR).filter(|_| falling.len() >= FEWEST)?;
    let thresholds =
        WinThresholds { near: USUAL.near.max(near), trusted: USUAL.trusted.max(falling[1]) };
    (near < MOST).then_some(thresholds)
}

#[cfg(test)]
mod tests {
    use ludex_testkit::TicTacToe;

    use super::*;
    use crate::player::PlayerOptions;

    #[test]
    fn what_is_rare_is_unusual() {
        assert_eq!(thresholds(&[0.0; 8]), None, "too few to tell");
        assert_eq!(thresholds(&[-0.2; 24]), Some(USUAL));
        assert_eq!(thresholds(&[[0.0; 12], [1.0; 12]].concat()), None, "everything seems near");
        let mut promising = vec![0.1; 12];
        promising.extend([0.8; 11]);
        promising.push(1.0);
        assert_eq!(thresholds(&promising), Some(WinThresholds { near: 0.8, trusted: 0.8 }));
    }

    #[test]
    fn games_that_are_too_short_tell_nothing() {
        let mut player =
            crate::player("alphabeta:eval=material", PlayerOptions::default()).unwrap();
        let mut win_thresholds = ThresholdMeasurement::new(1);
        let view = TwoPlayer::new(&TicTacToe).unwrap();
        let (mut proofs, mut steps) = (Endgame::new(1 << 20), 0);
        while !win_thresholds.is_done() {
            win_thresholds.step(view, &mut *player, &mut proofs, Limits::default()).unwrap();
            steps += 1;
        }
        assert!(steps > 8 && win_thresholds.thresholds().is_none());
    }
}
