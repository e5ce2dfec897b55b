//! A few quick games between two players, to see which of them a game suits.
//!
//! Each game is played twice with sides exchanged, from an opening of random moves. The budgets are
//! nodes: what a node of either costs is reckoned from figures of the game and not measured, so
//! that the outcome is the same on every machine. A trial can be broken off between any two moves
//! and goes on later. Where the moves of a position take long to list, it ends before its games do,
//! and the pairs that have ended until then count. (The steps of that are counted by native code
//! only.)

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, GameExt, Limits, Player, PositionOf, Random};

use crate::error::SearchError;
use crate::player::{GamePlayer, SearchRoot};
use crate::profile::GameProfile;

/// Random moves at the beginning.
const OPENING: u32 = 4;

/// With fewer playouts for a move Monte-Carlo would show nothing.
const FEWEST_PLAYOUTS: f64 = 30.0;

/// Steps of the rules that a trial may take. Ordinary games do not come near it.
const MOST_STEPS: f64 = 1e10;

/// A turn of a playout lists nothing: it takes one part in this many of the steps of a list.
const TURNS_TO_A_LIST: f64 = 5.0;

/// Two players.
pub(super) type Rivals<G> = [Box<dyn GamePlayer<G>>; 2];

/// How long the trial is, and what each of the players may spend on a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// How many games, an even number.
    pub(super) games: u32,
    /// Nodes of each player for a move.
    pub(super) nodes: [u64; 2],
    /// Steps that a node of each takes, about.
    steps: [f64; 2],
    /// A longer game is a draw.
    pub(super) longest: u32,
}

impl Terms {
    /// Terms for a search of positions against one of playouts, with so much work in all, counted
    /// in turns of playouts with few moves to choose from.
    pub(super) fn of(profile: &GameProfile, games: u32, work: f64) -> Self {
        // On the average a playout begins in the middle of a game. Its moves are listed, and that
        // takes longer the more there are.
        let playout = profile.plies / 2.0 + 1.0;
        let listing = 1.0 + profile.branching / 20.0;
        let length = profile.plies.clamp(1.0, 150.0);
        let each = work / f64::from(games.max(1)) / length;
        let affordable = each / (playout * listing);
        let playouts = affordable.clamp(FEWEST_PLAYOUTS, 3000.0);
        // A turn of a playout takes about as long as a position of the other search. In a game
        // for which the work is too little, there are fewer games and it is shared by halves.
        let positions = playouts * (1.0 + playout);
        let is_scarce = affordable < FEWEST_PLAYOUTS;
        let positions = if is_scarce { positions.min(each / 2.0) } else { positions };
        let games = if is_scarce { games.div_ceil(4) * 2 } else { games };
        let nodes = [positions as u64, playouts as u64];
        // A new node of the tree looks at every move besides.
        let steps = [profile.steps, profile.steps * (1.0 + playout / TURNS_TO_A_LIST)];
        Self { games, nodes, steps, longest: 2 * length as u32 }
    }

    /// Shorter ones for two searches that differ in what they think of positions: that is seen
    /// soon.
    pub(super) fn of_evaluations(self) -> Self {
        Self { nodes: [(self.nodes[0] / 4).max(200); 2], steps: [self.steps[0]; 2], ..self }
    }
}

/// A trial in progress.
pub(super) struct Trial<G: Game> {
    terms: Terms,
    seed: u64,
    /// Games that have ended, and the points of the first player of the two.
    ended: u32,
    points: f64,
    /// The same when the last pair had ended.
    pairs: (u32, f64),
    /// Steps that were taken, about.
    steps: f64,
    /// The position of the game that is being played, and how many moves it has.
    board: Option<(PositionOf<G>, u32)>,
}

impl<G: Game> Trial<G> {
    /// A trial that has not begun.
    pub(super) fn new(terms: Terms, seed: u64) -> Self {
        Self { terms, seed, ended: 0, points: 0.0, pairs: (0, 0.0), steps: 0.0, board: None }
    }

    /// Whether it is decided, as what is left cannot turn it, or has taken too long.
    pub(super) fn is_over(&self) -> bool {
        let (all, left) = (f64::from(self.terms.games), f64::from(self.terms.games - self.ended));
        let is_decided = left <= 0.0 || self.points > all / 2.0 || self.points + left < all / 2.0;
        is_decided || self.is_cut_short()
    }

    /// Whether it has taken too long.
    pub(super) fn is_cut_short(&self) -> bool {
        self.steps > MOST_STEPS
    }

    /// The share of the points that the first of the two has got, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        let (games, points) = self.counted();
        if games == 0 { 0.5 } else { points / f64::from(games) }
    }

    /// How many games count.
    pub(super) fn games(&self) -> u32 {
        self.counted().0
    }

    /// The games that count, and the points of the first player of the two. One game of a pair
    /// tells who had the better side.
    fn counted(&self) -> (u32, f64) {
        if self.is_cut_short() { self.pairs } else { (self.ended, self.points) }
    }

    /// Plays one move.
    pub(super) fn step(
        &mut self,
        view: TwoPlayer<'_, G>,
        rivals: &mut Rivals<G>,
        limits: Limits<'_>,
    ) -> Result<(), SearchError> {
        let (mut position, length) = match self.board.take() {
            Some(board) => board,
            None => self.opening(view, rivals)?,
        };
        let Some(mover) = view.mover(&position)? else {
            let utility = view.value(&position, Player(0))?;
            self.end(f64::midpoint(utility.signum() * f64::from(u8::from(utility != 0.0)), 1.0));
            return Ok(());
        };
        if length >= self.terms.longest {
            self.end(0.5);
            return Ok(());
        }
        // In every other game they exchange sides.
        let who = (mover.index() ^ (self.ended % 2) as usize) & 1;
        let Limits { stop, clock, .. } = limits;
        let limits = Limits { stop, clock, ..Limits::of_nodes(self.terms.nodes[who]) };
        let root = SearchRoot { game: view.game(), position: &position };
        let result = rivals[who].search(root, limits, &mut |_| ())?;
        self.steps += result.nodes as f64 * self.terms.steps[who];
        if let Some(mv) = result.best() {
            view.apply(&mut position, mv)?;
        }
        self.board = Some((position, length + 1));
        Ok(())
    }

    /// The first position of the next game: the same for both games of a pair.
    fn opening(
        &mut self,
        view: TwoPlayer<'_, G>,
        rivals: &mut Rivals<G>,
    ) -> Result<(PositionOf<G>, u32), Fault> {
        rivals.iter_mut().for_each(|it| it.forget());
        let game = view.game();
        let start = game.start();
        let mut random = Random::stream(self.seed, u64::from(self.ended / 2), 0x7_1a1);
        let mut position = start.clone();
        for _ in 0..OPENING {
            let Some(mv) = game.random_move(&position, &mut random)? else { break };
            game.apply(&mut position, &[mv])?;
        }
        // A game that ends so soon is played from its beginning.
        let over = view.mover(&position)?.is_none();
        Ok(if over { (start, 0) } else { (position, 0) })
    }

    /// A game has ended with `points` for the player who was first in it.
    fn end(&mut self, points: f64) {
        self.points += if self.ended.is_multiple_of(2) { points } else { 1.0 - points };
        self.ended += 1;
        if self.ended.is_multiple_of(2) {
            self.pairs = (self.ended, self.points);
        }
    }
}

#[cfg(test)]
mod tests {
    use ludex_testkit::TicTacToe;

    use super::*;
    use crate::player::PlayerOptions;

    /// A trial of two equals in a game in which a list of moves takes `steps` steps.
    fn trial(steps: f64) -> Trial<TicTacToe> {
        let profile = GameProfile { plies: 8.0, branching: 5.0, steps, ..GameProfile::default() };
        let mut trial = Trial::new(Terms::of(&profile, 8, 1e4), 1);
        let equal = || crate::player("uct:playouts=20", PlayerOptions::default()).unwrap();
        let mut rivals: Rivals<TicTacToe> = [equal(), equal()];
        let view = TwoPlayer::new(&TicTacToe).unwrap();
        while !trial.is_over() {
            trial.step(view, &mut rivals, Limits::default()).unwrap();
        }
        trial
    }

    #[test]
    fn where_moves_take_long_to_list_it_ends_before_its_games() {
        let usual = trial(40.0);
        assert!(!usual.is_cut_short() && usual.games() > 2, "{}", usual.games());
        let slow = trial(1e9);
        assert!(slow.is_cut_short() && slow.games() == 0, "{}", slow.games());
        assert!((slow.share() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn half_a_pair_does_not_count() {
        let slow = (0..40).map(|it| trial(1e6 * 1.2_f64.powi(it)));
        let (mut halves, mut games) = (0, Vec::new());
        for trial in slow.filter(Trial::is_cut_short) {
            halves += trial.ended % 2;
            games.push(trial.games());
        }
        assert!(halves > 0 && games.iter().all(|it| it % 2 == 0), "{halves} {games:?}");
    }
}
