//! PPA: a playout policy that follows the winners.
//!
//! Tristan Cazenave, "Playout policy adaptation for games", 2015, and "Playout policy adaptation
//! with move features", 2016 (PPAF; with the policy kept from move to move, PPAFM).
//!
//! A move is drawn by `exp(weight of the move)`. After a playout the weight of each of the winner's
//! moves grows by `rate`, and that of each move which could have been played instead, the move
//! itself included, shrinks by `rate` times its probability. The winner's moves are those of the
//! whole game from the root on: what the tree has found out is followed as well as what luck has
//! brought about below it, and it is the better teacher.

use ludex_core::playout::payoffs;
use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, GameExt, Player, PositionOf, Turn};

use crate::montecarlo::backup::Played;
use crate::montecarlo::code_table::{MoveCode, code};
use crate::montecarlo::tree::Opened;

use super::features::Features;
use super::greedy::by_weight;
use super::weights::{Places, Weights};
use super::{Ended, Start};

/// One turn of a game: which of the listed moves was played, and by whom.
#[derive(Clone, Copy, Debug)]
struct Ply {
    mover: Player,
    /// Where its moves begin in the lists, and how many there are.
    first: usize,
    count: usize,
    pick: usize,
}

/// A policy and how it learns.
pub(crate) struct Ppa<G: Game> {
    rate: f64,
    features: Option<Features>,
    weights: Weights,
    choices: Choices<G::Move>,
    turn: Vec<G::Move>,
    plies: Vec<Ply>,
    /// All moves that could be played, ply by ply.
    places: Vec<Places>,
    /// How likely each was.
    odds: Vec<f64>,
}

impl<G: Game> Ppa<G> {
    pub(crate) fn new(rate: f64, features: bool) -> Self {
        Self {
            rate,
            features: features.then(Features::default),
            weights: Weights::default(),
            choices: Choices::default(),
            turn: Vec::new(),
            plies: Vec::new(),
            places: Vec::new(),
            odds: Vec::new(),
        }
    }

    /// Plays on, and notes in `played` what was played, if a trace is wanted.
    pub(crate) fn play(
        &mut self,
        start: Start<'_, G>,
        trace: bool,
        played: &mut Vec<Played>,
    ) -> Result<Ended, Fault> {
        let Start { game, position, random, limit } = start;
        self.plies.clear();
        self.places.clear();
        self.odds.clear();
        for ply in 0..=limit {
            match self.choices.fill(game, position)? {
                Turn::Over => {
                    let payoffs = Some(payoffs(game, position)?);
                    return Ok(Ended { plies: ply, payoffs });
                }
                _ if ply == limit => break,
                Turn::Of(mover) => {
                    let first = self.places.len();
                    self.list(game, position)?;
                    let pick = by_weight(&self.odds[first..], random);
                    self.plies.push(Ply { mover, first, count: self.places.len() - first, pick });
                    let mv = self.choices.lists()[0][pick];
                    if trace {
                        played.push(Played {
                            code: code(game.move_code(&position.state, mv)),
                            mover,
                        });
                    }
                    game.apply(position, &[mv])?;
                }
                Turn::Joint(_) | Turn::Chance => {
                    self.choices.draw(random, &mut self.turn);
                    game.apply(position, &self.turn)?;
                }
            }
        }
        Ok(Ended { plies: limit, payoffs: None })
    }

    /// Adds the moves that can be played to the lists.
    fn list(&mut self, game: &G, position: &PositionOf<G>) -> Result<(), Fault> {
        let Self { weights, features, choices, places, odds, .. } = self;
        let mut namer = Namer::new(weights, features, (game, position));
        for &mv in &choices.lists()[0] {
            let (_, at) = namer.name(mv)?;
            odds.push(namer.weights.odds(at));
            places.push(at);
        }
        Ok(())
    }

    /// What moves of a node are called together with what stands around them; nothing where they
    /// are not told apart by that.
    pub(crate) fn around(
        &mut self,
        position: (&G, &PositionOf<G>),
        moves: &[G::Move],
    ) -> Result<Box<[MoveCode]>, Fault> {
        if self.features.is_none() {
            return Ok(Box::default());
        }
        let mut namer = Namer::new(&mut self.weights, &mut self.features, position);
        moves.iter().map(|&mv| Ok(namer.name(mv)?.0)).collect()
    }

    /// Follows the winner of a game: down the path through the tree, and then through the last
    /// playout. A draw has none.
    pub(crate) fn learn<'t>(
        &mut self,
        path: impl Iterator<Item = (&'t Opened<G::Move>, u32)>,
        rewards: &[f64],
    ) where
        G::Move: 't,
    {
        let Some(winner) = winner(rewards) else { return };
        for (opened, pick) in path.filter(|it| it.0.mover == winner) {
            self.list_again(opened, pick as usize);
        }
        for ply in self.plies.iter().filter(|it| it.mover == winner) {
            let range = ply.first..ply.first + ply.count;
            let total: f64 = self.odds[range.clone()].iter().sum();
            for (number, at) in range.enumerate() {
                let played = if number == ply.pick { 1.0 } else { 0.0 };
                let gain = self.rate * (played - self.odds[at] / total);
                self.weights.add(self.places[at], gain);
            }
        }
        self.weights.settle();
    }

    /// Adds the moves of a node of the tree to the lists.
    fn list_again(&mut self, opened: &Opened<G::Move>, pick: usize) {
        let first = self.places.len();
        for (number, edge) in opened.edges.iter().enumerate() {
            let alone = self.weights.alone(edge.code);
            let around = opened.around.get(number).filter(|&&it| it != edge.code);
            let around = around.map(|&code| self.weights.around(code));
            let at = Places { alone, around };
            self.odds.push(self.weights.odds(at));
            self.places.push(at);
        }
        self.plies.push(Ply { mover: opened.mover, first, count: opened.edges.len(), pick });
    }
}

/// Finds the weights of the moves of one position.
struct Namer<'a, G: Game> {
    weights: &'a mut Weights,
    features: Option<&'a mut Features>,
    position: (&'a G, &'a PositionOf<G>),
}

impl<'a, G: Game> Namer<'a, G> {
    fn new(
        weights: &'a mut Weights,
        features: &'a mut Option<Features>,
        position: (&'a G, &'a PositionOf<G>),
    ) -> Self {
        let mut features = features.as_mut();
        if let Some(features) = &mut features {
            features.turn();
        }
        Self { weights, features, position }
    }

    /// What a move is called with what stands around it, and where its weights are.
    fn name(&mut self, mv: G::Move) -> Result<(MoveCode, Places), Fault> {
        let (game, position) = self.position;
        let code = code(game.move_code(&position.state, mv));
        let alone = self.weights.alone(code);
        let Some(features) = &mut self.features else {
            return Ok((code, Places { alone, around: None }));
        };
        let (refined, around) = features.refine(self.weights, self.position, (mv, code, alone))?;
        Ok((refined, Places { alone, around }))
    }
}

/// Who has won; nothing in a draw.
fn winner(rewards: &[f64]) -> Option<Player> {
    let best = rewards.iter().copied().fold(0.5, f64::max);
    let number = rewards.iter().position(|&it| it >= best && it > 0.5)?;
    Some(Player(number as u8))
}

#[cfg(test)]
mod tests {
    use ludex_testkit::TicTacToe;

    use super::*;
    use crate::montecarlo::move_ids::NO_MOVE_ID;
    use crate::montecarlo::tree::Edge;

    type Move = <TicTacToe as Game>::Move;

    /// A node at which moves called 1 and 2 can be played; 3 and 4 is what they are called with
    /// what stands around them.
    fn node(mover: Player) -> Opened<Move> {
        let start = TicTacToe.start();
        let mv = TicTacToe.named(&start, Player(0), "a1").unwrap().unwrap();
        let edges = [1, 2].map(|code| Edge::new(mv, (code, NO_MOVE_ID)));
        let mut opened = Opened::new(mover, edges.into(), false);
        opened.around = [3, 4].into();
        opened
    }

    /// How likely the first of the two moves is.
    fn likely(ppa: &mut Ppa<TicTacToe>) -> f64 {
        let [first, other] = [(1, 3), (2, 4)].map(|(alone, around)| {
            let (alone, around) = (ppa.weights.alone(alone), ppa.weights.around(around));
            ppa.weights.odds(Places { alone, around: Some(around) })
        });
        first / (first + other)
    }

    #[test]
    fn what_the_winner_chose_in_the_tree_is_followed() {
        let mut ppa = Ppa::new(0.32, true);
        let (mine, theirs) = (node(Player(0)), node(Player(1)));
        ppa.learn([(&mine, 0), (&theirs, 1)].into_iter(), &[1.0, 0.0]);
        // One weight of 0.16 more and another one of 0.16 less, for each of two.
        let first = likely(&mut ppa);
        assert!((first - 1.0 / (1.0 + (-0.32_f64).exp())).abs() < 1e-6, "{first}");
        ppa.learn([(&mine, 0), (&theirs, 1)].into_iter(), &[0.5, 0.5]);
        assert!((likely(&mut ppa) - first).abs() < 1e-9, "a draw teaches nothing");
        ppa.learn([(&mine, 0), (&theirs, 1)].into_iter(), &[0.0, 1.0]);
        assert!(likely(&mut ppa) < first);
    }

    #[test]
    fn what_was_played_below_the_tree_is_followed() {
        let mut ppa = Ppa::<TicTacToe>::new(0.32, false);
        let start = TicTacToe.start();
        let mut random = ludex_core::Random::stream(1, 0, 0);
        let code_of = |text: &str| {
            let mv = TicTacToe.named(&start, Player(0), text).unwrap().unwrap();
            code(TicTacToe.move_code(&start.state, mv))
        };
        let (mut state, mut played) = (start, Vec::new());
        let start = Start { game: &TicTacToe, position: &mut state, random: &mut random, limit: 1 };
        ppa.play(start, true, &mut played).unwrap();
        ppa.learn(std::iter::empty(), &[1.0, 0.0]);
        let mut odds = |code| {
            let alone = ppa.weights.alone(code);
            ppa.weights.odds(Places { alone, around: None })
        };
        let chosen = odds(played[0].code);
        let more = ["a1", "b1", "c1"].into_iter().filter(|it| code_of(it) != played[0].code);
        assert!(chosen > 1.3 && more.into_iter().all(|it| odds(code_of(it)) < 1.0));
    }
}
