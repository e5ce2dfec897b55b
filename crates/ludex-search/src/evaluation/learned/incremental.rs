//! What a position is worth, quickly: the positions after each move differ from the one before in a
//! few squares only.

use ludex_core::{Game, GameExt, Player};

use super::weights::{Weights, WindowWeights, probability};

/// The values as they are looked up, and the position that the others are compared with.
#[derive(Clone, Debug, Default)]
pub(super) struct IncrementalEvaluation {
    /// For each man on each square.
    men_values: Vec<f32>,
    /// For each player to move, direction and filling; empty where windows are not used.
    windows: Vec<f32>,
    /// The position before the move, and the sum of its windows for each player to move.
    before: Vec<u8>,
    sums: [f32; 2],
    /// The position being looked at.
    board: Vec<u8>,
    men: Vec<(u16, u8)>,
    /// Windows that have been counted already.
    counted: Vec<u16>,
}

/// More squares than this, and everything is counted anew.
const FEW: usize = 8;

impl IncrementalEvaluation {
    /// Takes over the values as they are.
    pub(super) fn learn(&mut self, weights: &Weights) {
        let men = weights.squares * weights.codes();
        self.men_values = (0..men).map(|it| weights.man(it as u32)).collect();
        self.windows = weights.windows.as_ref().map_or_else(Vec::new, WindowWeights::table);
    }

    /// Looks at the position that the next ones will be compared with.
    pub(super) fn look<G: Game>(&mut self, weights: &Weights, game: &G, state: &G::State) {
        let Some(windows) = &weights.windows else { return };
        game.men(state, &mut self.men);
        windows.shape.fill(&self.men, &mut self.before);
        self.sums = [0, 1].map(|mover| self.sum_of_all(weights, mover, &self.before));
    }

    fn sum_of_all(&self, weights: &Weights, mover: usize, board: &[u8]) -> f32 {
        let Some(windows) = &weights.windows else { return 0.0 };
        let table = self.table(mover);
        let mut sum = 0.0;
        windows.shape.for_each(board, |direction, filling| {
            sum += table[direction * windows.shape.fillings + filling];
        });
        sum
    }

    fn table(&self, mover: usize) -> &[f32] {
        let half = self.windows.len() / 2;
        &self.windows[half * mover..][..half]
    }

    /// The probability that the first player wins.
    pub(super) fn predict<G: Game>(
        &mut self,
        weights: &Weights,
        game: &G,
        state: &G::State,
        mover: Player,
        mobility: f32,
    ) -> f32 {
        game.men(state, &mut self.men);
        let sign = if mover == Player(0) { 1.0 } else { -1.0 };
        let mut sum = weights.apart_from_men(sign, mobility);
        for &(square, code) in &self.men {
            sum += self.men_values[usize::from(code) * weights.squares + usize::from(square)];
        }
        probability(sum + sign * self.windows_after(weights, mover.index().min(1)))
    }

    /// The sum of the windows of the position whose men have just been asked for.
    fn windows_after(&mut self, weights: &Weights, mover: usize) -> f32 {
        let Some(windows) = &weights.windows else { return 0.0 };
        let shape = &windows.shape;
        let mut board = std::mem::take(&mut self.board);
        shape.fill(&self.men, &mut board);
        let changed: Vec<usize> =
            (0..board.len()).filter(|&it| board[it] != self.before[it]).take(FEW + 1).collect();
        let sum = if changed.len() > FEW {
            self.sum_of_all(weights, mover, &board)
        } else {
            let mut counted = std::mem::take(&mut self.counted);
            counted.clear();
            counted.extend(changed.iter().flat_map(|&it| shape.through(it)));
            if changed.len() > 1 {
                counted.sort_unstable();
                counted.dedup();
            }
            let (table, mut sum) = (self.table(mover), self.sums[mover]);
            for &window in &counted {
                let base = shape.direction(window) * shape.fillings;
                sum += table[base + shape.filling(window, &board)]
                    - table[base + shape.filling(window, &self.before)];
            }
            self.counted = counted;
            sum
        };
        self.board = board;
        sum
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::GameExt;
    use std::sync::Arc;

    use ludex_core::two_player::TwoPlayer;
    use ludex_core::{Game, Player, Random};
    use ludex_testkit::TicTacToe;

    use super::super::model::Model;
    use super::super::weights::{Pace, Weights, WindowWeights};
    use super::IncrementalEvaluation;
    use crate::evaluation::patterns::Shape;

    /// Values learned from a few random targets: all different, and of no use.
    fn some_weights(random: &mut Random) -> (Weights, Model) {
        let game = &TicTacToe;
        let mut weights = Weights::new(game.board().squares, 2);
        let shape = Shape::of(game).expect("it has rows");
        weights.windows = Some(WindowWeights::new(Arc::new(shape), &game.board().men));
        let mut model = Model::new(weights.clone(), game.board().men.clone(), 1);
        let mut position = game.start();
        for _ in 0..200 {
            let Some(mv) = game.random_move(&position, random).unwrap() else {
                position = game.start();
                continue;
            };
            game.apply(&mut position, &[mv]).unwrap();
            let sample = model.sample(game, &position, position.state.mover).unwrap();
            weights.learn(&sample, random.chance() as f32, Pace { rate: 0.3, decay: 0.01 });
        }
        (weights, model)
    }

    #[test]
    fn what_is_seen_quickly_is_what_all_features_add_up_to() {
        let game = &TicTacToe;
        let view = TwoPlayer::new(game).unwrap();
        let mut random = Random::stream(1, 2, 3);
        let (weights, mut model) = some_weights(&mut random);
        let mut incremental = IncrementalEvaluation::default();
        incremental.learn(&weights);
        for _ in 0..200 {
            let mut position = game.start();
            incremental.look(&weights, game, &position.state);
            while view.mover(&position).unwrap().is_some() {
                // Some positions are compared with one that is many men away.
                if random.below(2) == 0 {
                    incremental.look(&weights, game, &position.state);
                }
                let mv = game.random_move(&position, &mut random).unwrap().unwrap();
                game.apply(&mut position, &[mv]).unwrap();
                for mover in [Player(0), Player(1)] {
                    let sample = model.sample(game, &position, mover).unwrap();
                    let slow = weights.predict(&sample);
                    let quick = incremental.predict(
                        &weights,
                        game,
                        &position.state,
                        mover,
                        sample.mobility,
                    );
                    assert!((slow - quick).abs() < 1e-4, "{slow} {quick}");
                }
            }
        }
    }
}
