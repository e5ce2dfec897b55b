//! Nested Monte-Carlo search for two players.
//!
//! Tristan Cazenave, Abdallah Saffidine, Michael Schofield and Michael Thielscher, "Nested Monte
//! Carlo search for two-player games", AAAI 2016. A playout of level 0 is random. In a playout of
//! level n, each player in turn tries every move by a playout of level n - 1 and plays the one that
//! came out best for them. Three ideas make that work:
//!
//! * *discounting*: a playout that gave v after t moves counts as v / (t + 1), so that a quick win is
//!   better than a slow one and a slow loss better than a quick one;
//! * *cut on win*: a move whose playout was won is played without trying the others;
//! * *prune on depth*: once a win in t moves is known, playouts that last longer cannot be better and
//!   are broken off. That loses nothing, where cutting on a win may miss a quicker one.
//!
//! At the root the moves are the arms of a bandit (UCB1), and each sample is a move followed by a
//! playout of the given level; with `level=0` that is flat Monte-Carlo search. Every move is tried
//! once by a random game first, so that there is a value however small the budget.
//!
//! A node of the budget is a random game. Start reading at `Search::level`.

use std::thread;

use ludex_core::playout::Playouts;
use ludex_core::two_player::TwoPlayer;
use ludex_core::{Game, GameExt, Limits, Player, PositionOf, Random};

use super::nmcs::{Nmcs, NmcsConfig};
use super::playout_budget::{SharedPlayouts, StopCondition};
use crate::error::SearchError;
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::result::{Line, Proved, SearchResult};
use crate::spec::{Spec, SpecError};
use crate::support::{Unsupported, opponents};

/// What nested search for two players does by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NestedConfig {
    /// How deep playouts are nested. Each level multiplies the work by the moves of a whole game.
    pub level: u32,
    /// Which trials are spared.
    pub cut: Cut,
    /// Whether quick wins count for more than slow ones.
    pub discount: bool,
    /// Weight of the exploration term at the root, for rewards from 0 to 1.
    pub exploration: f64,
    /// Random games of a search whose budget has no limit that would ever end it.
    pub playouts: u64,
    /// A game that has not ended after this many moves counts as a draw.
    pub plies: u32,
}

impl Default for NestedConfig {
    fn default() -> Self {
        let (level, cut, discount) = (1, Cut::Depth, true);
        Self { level, cut, discount, exploration: 0.4, playouts: 100_000, plies: 10_000 }
    }
}

/// Which trials are spared in a nested playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// None.
    NoEvaluation,
    /// All that follow a win.
    Win,
    /// What lasts longer than a win that is known. Without discounting it spares nothing.
    Depth,
}

impl std::str::FromStr for Cut {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "none" | "no" => Ok(Self::NoEvaluation),
            "win" => Ok(Self::Win),
            "depth" => Ok(Self::Depth),
            _ => Err(()),
        }
    }
}

/// The player `nested`.
#[derive(Debug)]
pub struct Nested {
    /// What it does.
    pub config: NestedConfig,
    /// With what.
    pub options: PlayerOptions,
}

impl NestedConfig {
    /// The same with the options of a spec.
    pub(crate) fn with(self, spec: &mut Spec) -> Result<Self, SpecError> {
        Ok(Self {
            level: spec.take_within("level", self.level, 0..=super::HIGHEST)?,
            cut: spec.take("cut", self.cut)?,
            discount: spec.take_switch("discount", self.discount)?,
            exploration: spec.take_within("c", self.exploration, 0.0..=1e6)?,
            playouts: spec.take("playouts", self.playouts)?,
            plies: spec.take_within("plies", self.plies, 1..=u32::MAX)?,
        })
    }
}

impl<G: Game> GamePlayer<G> for Nested {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        if root.game.players() == 1 {
            let NestedConfig { level, plies, .. } = self.config;
            let config = NmcsConfig { level, plies, ..NmcsConfig::default() };
            return Nmcs { config, options: self.options }.search(root, limits, observer);
        }
        if root.game.players() > 2 {
            return Err(Unsupported::OneOrTwoPlayersOnly.into());
        }
        let view = opponents(root.game)?;
        search(&self.config, &self.options, view, root, (limits, observer))
    }

    fn reseed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    fn describe(&self) -> String {
        format!("nested Monte-Carlo search for two players of level {}", self.config.level)
    }
}

/// A move at the root.
#[derive(Clone, Copy, Debug)]
struct Arm<M> {
    mv: M,
    samples: f64,
    /// The sum of what they were worth to the mover, from -1 to 1 each.
    sum: f64,
    /// Whether the move itself ends the game, and how.
    known: Option<f64>,
}

impl<M> Arm<M> {
    fn mean(&self) -> f64 {
        self.known.unwrap_or(if self.samples > 0.0 { self.sum / self.samples } else { 0.0 })
    }
}

/// Called with the moves when another one has become the best.
type Show<'a, M> = dyn FnMut(&[Arm<M>]) + 'a;

/// What a playout came to.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// Its value for the first player, from -1 to 1.
    utility: f64,
    /// In how many moves.
    plies: u32,
}

impl Outcome {
    fn value(self, side: Player, discount: bool) -> f64 {
        let utility = if side.0 == 0 { self.utility } else { -self.utility };
        if discount { utility / (f64::from(self.plies) + 1.0) } else { utility }
    }
}

fn search<G: Game>(
    config: &NestedConfig,
    options: &PlayerOptions,
    view: TwoPlayer<'_, G>,
    root: SearchRoot<'_, G>,
    (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
) -> Result<SearchResult<G::Move>, SearchError> {
    let Some(side) = view.mover(root.position)? else { return Ok(SearchResult::default()) };
    let shared = SharedPlayouts::new(limits.or_nodes(config.playouts));
    let search = |thread: usize| -> Result<Search<'_, G>, SearchError> {
        let (random, budget) =
            (Random::stream(options.seed, 0, thread as u64), StopCondition::new(&shared));
        let (arms, playouts) = (arms(view, root, side)?, Playouts::default());
        Ok(Search { config, view, root, side, random, budget, playouts, arms })
    };
    let tables = thread::scope(|scope| {
        let start = |thread: usize| scope.spawn(move || search(thread)?.work(&mut |_| {}));
        let others: Vec<_> = (1..options.threads).map(start).collect();
        let mut show = |arms: &[Arm<G::Move>]| observer(&result(arms, &shared));
        let mut tables = vec![search(0).and_then(|it| it.work(&mut show))];
        if tables[0].is_err() {
            shared.close();
        }
        tables.extend(others.into_iter().map(|it| it.join().expect("a worker never panics")));
        tables.into_iter().collect::<Result<Vec<_>, SearchError>>()
    })?;
    let mut all = tables[0].clone();
    for table in &tables[1..] {
        for (sum, arm) in all.iter_mut().zip(table) {
            sum.samples += arm.samples;
            sum.sum += arm.sum;
        }
    }
    Ok(result(&all, &shared))
}

/// The moves at the root, smallest first, with those that end the game told apart.
fn arms<G: Game>(
    view: TwoPlayer<'_, G>,
    root: SearchRoot<'_, G>,
    side: Player,
) -> Result<Vec<Arm<G::Move>>, SearchError> {
    let mut moves = Vec::new();
    view.moves(root.position, side, &mut moves)?;
    moves.sort_unstable();
    let arm = |mv| {
        let mut position = root.position.clone();
        view.apply(&mut position, mv)?;
        let is_over = view.mover(&position)?.is_none();
        let known = if is_over { Some(view.value(&position, side)?) } else { None };
        Ok(Arm { mv, samples: 0.0, sum: 0.0, known })
    };
    moves.into_iter().map(arm).collect()
}

/// The values of the moves, the one to play first.
fn result<M: Copy + Ord>(arms: &[Arm<M>], shared: &SharedPlayouts<'_>) -> SearchResult<M> {
    let mut order: Vec<&Arm<M>> = arms.iter().collect();
    let believed = arms.iter().filter(|arm| arm.known.is_none());
    let most = believed.max_by(|one, other| one.samples.total_cmp(&other.samples));
    let hoped = most.map_or(f64::NEG_INFINITY, Arm::mean);
    // What ends the game comes first where it is worth more than the estimates, and else last.
    let rank = |arm: &Arm<M>| match arm.known {
        Some(utility) if utility >= 1.0 || utility > hoped => 0,
        None => 1,
        Some(_) => 2,
    };
    // The sort is stable: among equals the smaller move stays first.
    order.sort_by(|one, other| {
        let samples = other.samples.total_cmp(&one.samples);
        rank(one).cmp(&rank(other)).then(samples).then(other.mean().total_cmp(&one.mean()))
    });
    let line = |arm: &Arm<M>| Line {
        value: arm.mean(),
        visits: arm.samples as u64,
        proved: arm.known.map(|utility| Proved::exactly(utility).within(1)),
        ..Line::new(arm.mv)
    };
    let elapsed = shared.limits.clock.elapsed();
    let lines = order.into_iter().map(line).collect();
    SearchResult { lines, nodes: shared.playouts(), depth: 0, elapsed, found: elapsed }
}

struct Search<'a, G: Game> {
    config: &'a NestedConfig,
    view: TwoPlayer<'a, G>,
    root: SearchRoot<'a, G>,
    side: Player,
    random: Random,
    budget: StopCondition<'a>,
    playouts: Playouts<G::Move>,
    arms: Vec<Arm<G::Move>>,
}

impl<G: Game> Search<'_, G> {
    /// Samples until the budget is spent; what became of the moves.
    fn work(mut self, show: &mut Show<'_, G::Move>) -> Result<Vec<Arm<G::Move>>, SearchError> {
        match self.samples(show) {
            Ok(()) | Err(SearchError::Stopped) => Ok(self.arms),
            Err(error) => Err(error),
        }
    }

    fn samples(&mut self, show: &mut Show<'_, G::Move>) -> Result<(), SearchError> {
        if self.arms.len() == 1 || self.arms.iter().any(|arm| arm.known == Some(1.0)) {
            return Ok(());
        }
        for number in 0..self.arms.len() {
            self.sample(number, 0)?;
        }
        let mut best = self.arms[0].mv;
        while let Some(number) = self.select() {
            self.sample(number, self.config.level)?;
            let most = |arm: &&Arm<G::Move>| arm.samples as u64;
            // The first of those with most samples, as in the result.
            let leader = self.arms.iter().rev().max_by_key(most).map_or(best, |arm| arm.mv);
            if leader != best {
                best = leader;
                show(&self.arms);
            }
        }
        Ok(())
    }

    /// The arm with the largest upper confidence bound; `None` where every move ends the game.
    fn select(&self) -> Option<usize> {
        let total: f64 = self.arms.iter().map(|arm| arm.samples).sum();
        let log = total.max(1.0).ln();
        let bound = |arm: &Arm<G::Move>| {
            let explore = (log / arm.samples.max(1.0)).sqrt();
            f64::midpoint(arm.mean(), 1.0) + self.config.exploration * explore
        };
        let open = self.arms.iter().enumerate().filter(|(_, arm)| arm.known.is_none());
        open.max_by(|(_, one), (_, other)| bound(one).total_cmp(&bound(other))).map(|it| it.0)
    }

    /// Tries a move by a playout of some level.
    fn sample(&mut self, number: usize, level: u32) -> Result<(), SearchError> {
        let arm = self.arms[number];
        if arm.known.is_some() {
            return Ok(());
        }
        let mut position = self.root.position.clone();
        self.view.apply(&mut position, arm.mv)?;
        let before = self.budget.shared.playouts();
        let outcome = self.level(level, position, self.config.plies)?;
        if self.budget.shared.playouts() == before {
            // Where all moves are forced there is no random game, and yet it must end some time.
            self.budget.begin_playout()?;
        }
        let arm = &mut self.arms[number];
        arm.samples += 1.0;
        // The mean of several playouts says how often a move wins. How quickly is told apart
        // within playouts only: discounted, far wins and far losses would all look like draws.
        arm.sum += outcome.value(self.side, false);
        Ok(())
    }

    /// A playout of some level, of at most `limit` moves.
    fn level(
        &mut self,
        level: u32,
        mut position: PositionOf<G>,
        limit: u32,
    ) -> Result<Outcome, SearchError> {
        if level == 0 {
            return self.random_game(position, limit);
        }
        let mut moves = Vec::new();
        for plies in 0..=limit {
            self.budget.tick()?;
            let Some(mover) = self.view.mover(&position)? else {
                let utility = self.view.value(&position, Player(0))?;
                return Ok(Outcome { utility, plies });
            };
            if plies == limit {
                break;
            }
            self.view.moves(&position, mover, &mut moves)?;
            let mv = self.best_move(level, &position, mover, &moves, limit - plies)?;
            let Some(mv) = mv else { break };
            self.view.apply(&mut position, mv)?;
        }
        Ok(Outcome { utility: 0.0, plies: limit })
    }

    /// The move whose playout of the level below came out best; the first of equals.
    fn best_move(
        &mut self,
        level: u32,
        position: &PositionOf<G>,
        mover: Player,
        moves: &[G::Move],
        limit: u32,
    ) -> Result<Option<G::Move>, SearchError> {
        let NestedConfig { cut, discount, .. } = *self.config;
        if let [only] = moves {
            return Ok(Some(*only));
        }
        let (mut best, mut limit) = (None, limit);
        for &mv in moves {
            let mut position = position.clone();
            self.view.apply(&mut position, mv)?;
            let after = self.level(level - 1, position, limit - 1)?;
            let outcome = Outcome { plies: after.plies + 1, ..after };
            let value = outcome.value(mover, discount);
            if best.is_none_or(|(old, _)| value > old) {
                best = Some((value, mv));
                let is_won = outcome.value(mover, false) >= 1.0;
                match cut {
                    Cut::Win if is_won => break,
                    // Only a quicker win would be better.
                    Cut::Depth if is_won && discount => limit = (outcome.plies - 1).max(1),
                    _ => {}
                }
            }
        }
        Ok(best.map(|(_, mv)| mv))
    }

    fn random_game(
        &mut self,
        mut position: PositionOf<G>,
        limit: u32,
    ) -> Result<Outcome, SearchError> {
        self.budget.begin_playout()?;
        self.budget.look()?;
        let game = self.view.game();
        let played = self.playouts.run(game, &mut position, &mut self.random, limit)?;
        let ended = played.payoffs.is_some();
        let utility = if ended { self.view.value(&position, Player(0))? } else { 0.0 };
        Ok(Outcome { utility, plies: played.plies })
    }
}
