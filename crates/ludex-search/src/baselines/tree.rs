//! Alpha-beta to a fixed depth that writes down everything it does, to be drawn.
//!
//! Donald Knuth and Ronald Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6,
//! 1975, in the form that is taught: one player maximises, the other minimises, and the window
//! (alpha, beta) says which values can still matter. Moves are looked at in the order of their
//! names, nothing is remembered and nothing is cut but by the window, so that the drawing can be
//! followed by hand.

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, GameExt, Player, PositionOf};

use crate::evaluation::{Evaluate, MOST, Standpoint};

/// What was done with one position.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// The move that led here, by its name; empty at the root.
    pub name: String,
    /// Whether the player who maximises is to move.
    pub maximises: bool,
    /// What the position came to, for the player who maximises; `None` where it was never
    /// looked at, because the window had closed.
    pub value: Option<f64>,
    /// The window when the search came here.
    pub window: (f64, f64),
    /// Whether the game is over here.
    pub over: bool,
    /// What follows, in the order it was looked at; those that were cut off come last.
    pub children: Vec<TreeNode>,
}

impl TreeNode {
    /// Whether it was cut off.
    pub fn is_cut(&self) -> bool {
        self.value.is_none()
    }

    /// How many nodes there are, this one and the cut ones counted.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(TreeNode::size).sum::<usize>()
    }

    /// How many nodes were cut off without a look.
    pub fn cuts(&self) -> usize {
        usize::from(self.is_cut()) + self.children.iter().map(TreeNode::cuts).sum::<usize>()
    }
}

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// It would have more nodes than may be drawn.
    TooLarge,
    /// The rules are at fault, or it is no game for two opponents.
    Fault(Fault),
}

impl From<Fault> for TreeError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Searches `depth` plies from a position of a game of two players and writes the tree down; at
/// most `most` nodes. Finished games are worth what they are worth times
/// [`WON`]; positions at the last ply are worth what `evaluation` thinks of them, in men.
pub fn alpha_beta_tree<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    evaluation: &dyn Evaluate<G>,
    depth: u32,
    most: usize,
) -> Result<TreeNode, TreeError> {
    let view = TwoPlayer::new(game).ok_or_else(|| Fault {
        code: "two-player-number",
        message: "a tree is drawn for two players".to_owned(),
        place: None,
    })?;
    let Some(side) = view.mover(position)? else {
        let fault = "the game is over in this position".to_owned();
        return Err(Fault { code: "game-over", message: fault, place: None }.into());
    };
    let mut search = Recorder { view, evaluation, side, left: most };
    search.visit(String::new(), position, (0, depth), (f64::NEG_INFINITY, f64::INFINITY))
}

/// What a won game is worth; a lost one is worth the opposite.
pub const WON: f64 = 1000.0;

/// What a drawing needs of an evaluation: numbers that can be checked by counting. The evaluation
/// of the author of the rules, and without one, how many men the player to move has more.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByHand;

impl<G: Game> Evaluate<G> for ByHand {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        if let Some(opinion) = game.evaluate(position, from.side, from.depth)? {
            return Ok((opinion * 1000.0).clamp(f64::from(-MOST), f64::from(MOST)) as i32);
        }
        let mut counts = Vec::new();
        game.count_men(&position.state, &mut counts);
        let kinds = game.board().kinds.max(1);
        let sums: Vec<i32> = counts.chunks(kinds).map(|it| it.iter().sum::<u32>() as i32).collect();
        let mine = sums.get(from.mover.index()).copied().unwrap_or(0);
        let all: i32 = sums.iter().sum();
        Ok((1000 * (2 * mine - all)).clamp(-MOST, MOST))
    }

    fn describe(&self) -> String {
        "the file's own evaluation, or men counted".to_owned()
    }
}

struct Recorder<'a, G: Game> {
    view: TwoPlayer<'a, G>,
    evaluation: &'a dyn Evaluate<G>,
    /// The player who maximises.
    side: Player,
    /// How many more nodes may be drawn.
    left: usize,
}

impl<G: Game> Recorder<'_, G> {
    fn visit(
        &mut self,
        name: String,
        position: &PositionOf<G>,
        (ply, depth): (u32, u32),
        window: (f64, f64),
    ) -> Result<TreeNode, TreeError> {
        self.left = self.left.checked_sub(1).ok_or(TreeError::TooLarge)?;
        let mover = self.view.mover(position)?;
        let maximises = mover.map_or(ply % 2 == 0, |it| it == self.side);
        let mut node = TreeNode {
            name,
            maximises,
            value: None,
            window,
            over: mover.is_none(),
            children: vec![],
        };
        match mover {
            None => node.value = Some(WON * self.view.value(position, self.side)?),
            Some(mover) if depth == 0 => {
                node.value = Some(self.evaluate(position, mover, ply)?);
            }
            Some(mover) => self.look(&mut node, position, mover, (ply, depth))?,
        }
        Ok(node)
    }

    /// Looks at the moves one after the other, until the window is closed.
    fn look(
        &mut self,
        node: &mut TreeNode,
        position: &PositionOf<G>,
        mover: Player,
        (ply, depth): (u32, u32),
    ) -> Result<(), TreeError> {
        let (mut alpha, mut beta) = node.window;
        let mut best = if node.maximises { f64::NEG_INFINITY } else { f64::INFINITY };
        for (name, mv) in self.named_moves(position, mover)? {
            if alpha >= beta {
                node.children.push(self.cut(name, !node.maximises, (alpha, beta))?);
                continue;
            }
            let mut next = position.clone();
            self.view.apply(&mut next, mv)?;
            let child = self.visit(name, &next, (ply + 1, depth - 1), (alpha, beta))?;
            let value = child.value.unwrap_or(best);
            if node.maximises {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            node.children.push(child);
        }
        node.value = Some(best);
        Ok(())
    }

    fn cut(
        &mut self,
        name: String,
        maximises: bool,
        window: (f64, f64),
    ) -> Result<TreeNode, TreeError> {
        self.left = self.left.checked_sub(1).ok_or(TreeError::TooLarge)?;
        Ok(TreeNode { name, maximises, value: None, window, over: false, children: vec![] })
    }

    fn named_moves(
        &self,
        position: &PositionOf<G>,
        mover: Player,
    ) -> Result<Vec<(String, G::Move)>, Fault> {
        let mut moves = Vec::new();
        self.view.moves(position, mover, &mut moves)?;
        let game = self.view.game();
        let mut named: Vec<_> =
            moves.into_iter().map(|it| (game.name(&position.state, it), it)).collect();
        named.sort();
        Ok(named)
    }

    /// The evaluation for the player who maximises, in men.
    fn evaluate(&self, position: &PositionOf<G>, mover: Player, ply: u32) -> Result<f64, Fault> {
        let game = self.view.game();
        let from = Standpoint { mover, side: self.side, depth: ply };
        let value = self.evaluation.evaluate(game, position, from)?;
        let value = f64::from(value.clamp(-MOST, MOST)) / 1000.0;
        Ok(if mover == self.side { value } else { -value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::AuthorEvaluation;
    use ludex_testkit::tictactoe::TicTacToe;

    fn minimax<G: Game>(
        view: TwoPlayer<'_, G>,
        position: &PositionOf<G>,
        side: Player,
        depth: u32,
    ) -> f64 {
        let Some(mover) = view.mover(position).unwrap() else {
            return WON * view.value(position, side).unwrap();
        };
        if depth == 0 {
            return 0.0;
        }
        let mut moves = Vec::new();
        view.moves(position, mover, &mut moves).unwrap();
        let values = moves.into_iter().map(|mv| {
            let mut position = position.clone();
            view.apply(&mut position, mv).unwrap();
            minimax(view, &position, side, depth - 1)
        });
        if mover == side {
            values.fold(f64::NEG_INFINITY, f64::max)
        } else {
            values.fold(f64::INFINITY, f64::min)
        }
    }

    #[test]
    fn the_root_has_the_value_of_minimax() {
        let game = TicTacToe;
        let mut random = ludex_core::Random::stream(1, 0, 0);
        for _ in 0..20 {
            let mut position = game.start();
            for _ in 0..4 {
                let mv = game.random_move(&position, &mut random).unwrap().unwrap();
                game.apply(&mut position, &[mv]).unwrap();
            }
            let view = TwoPlayer::new(&game).unwrap();
            let side = view.mover(&position).unwrap().unwrap();
            let tree = alpha_beta_tree(&game, &position, &AuthorEvaluation, 3, 10_000).unwrap();
            assert_eq!(tree.value, Some(minimax(view, &position, side, 3)));
            assert!(tree.children.iter().all(|it| !it.is_cut()), "nothing is cut at the root");
        }
    }

    #[test]
    fn a_tree_that_is_too_large_is_refused() {
        let game = TicTacToe;
        let position = game.start();
        let tree = alpha_beta_tree(&game, &position, &AuthorEvaluation, 4, 100);
        assert_eq!(tree, Err(TreeError::TooLarge));
    }
}
