//! What a few random games tell about a game that nobody knows.

use ludex_core::playout::{Playouts, payoffs};
use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, GameExt, Payoff, PositionOf, Random, Turn};

/// A random game is given up after so many plies.
const LONGEST: u32 = 1000;

/// The steps of listing are counted once in so many plies.
const COUNTED: u32 = 8;

/// Figures of a game, from random play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts {
    /// How many players there are.
    pub players: usize,
    /// Whether every turn that was met is one player's.
    pub single_turns: bool,
    /// Mean number of turns of a game that ended, or of the limit.
    pub plies: f64,
    /// Mean number of moves to choose from.
    pub branching: f64,
    /// The share of games that ended before the limit.
    pub ended: f64,
    /// The share of the ended games that somebody won.
    pub decided: f64,
    /// The share of positions, two turns apart, between which a man was taken for good: how often
    /// the number of men falls.
    pub taking: f64,
    /// The share of positions in which the player to move has to answer a check.
    pub checks: f64,
    /// Whether points tell more than who has won: who had more of them has always won, and games that were
    /// won, drawn or lost alike had different scores.
    pub points: bool,
    /// Steps that listing the moves of a position takes, on the average; 0 where nobody counts them, as
    /// where the rules are interpreted.
    pub steps: f64,
}

impl Facts {
    /// Plays `games` random games from the start, listing every position.
    pub fn of<G: Game>(game: &G, games: u32, seed: u64) -> Result<Self, Fault> {
        let mut looked = Looked::default();
        while looked.games < games {
            looked.add(game, seed)?;
        }
        Ok(looked.facts(game))
    }

    /// Whether there are checks, now and then.
    pub fn has_checks(&self) -> bool {
        are_checks(self.checks)
    }
}

/// Whether something that has to be answered in this share of the positions is a check. Where a quarter of
/// them or more is like that, the rules mean something else by it: passing is never allowed there.
pub(crate) fn are_checks(share: f64) -> bool {
    share > 0.0 && share < 0.25
}

/// Random games that have been looked at, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    pub(crate) games: u32,
    /// Whether a turn was met that is not one player's.
    is_joint: bool,
    sums: Sums,
}

impl Looked {
    /// Plays one more random game.
    pub(crate) fn add<G: Game>(&mut self, game: &G, seed: u64) -> Result<(), Fault> {
        let mut random = Random::stream(seed, u64::from(self.games), 0);
        self.games += 1;
        self.sums.add(game, &mut random, &mut self.is_joint)
    }

    /// What they tell.
    pub(crate) fn facts<G: Game>(&self, game: &G) -> Facts {
        let (sums, games) = (&self.sums, f64::from(self.games));
        let share = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
        Facts {
            players: game.players(),
            single_turns: !self.is_joint,
            plies: share(sums.plies, games),
            branching: share(sums.moves, sums.plies),
            ended: share(sums.ended, games),
            decided: share(sums.decided, sums.ended),
            taking: share(sums.takings, sums.plies),
            checks: share(sums.checks, sums.plies),
            points: sums.points.differ && !sums.points.mislead,
            steps: share(sums.steps, sums.counted),
        }
    }
}

#[derive(Debug, Default)]
struct Sums {
    plies: f64,
    moves: f64,
    ended: f64,
    decided: f64,
    takings: f64,
    checks: f64,
    points: Points,
    /// Steps of listing, and in how many positions they were counted.
    steps: f64,
    counted: f64,
}

impl Sums {
    /// Plays one random game.
    fn add<G: Game>(
        &mut self,
        game: &G,
        random: &mut Random,
        is_joint: &mut bool,
    ) -> Result<(), Fault> {
        let mut position = game.start();
        let (mut choices, mut turn) = (Choices::default(), Vec::new());
        let (mut counts, mut men) = (Vec::new(), count(game, &position.state, &mut Vec::new()));
        for ply in 0..LONGEST {
            if ply.is_multiple_of(COUNTED)
                && let Some(steps) = game.listing_steps(&position)
            {
                self.steps += steps as f64;
                self.counted += 1.0;
            }
            match choices.fill(game, &position)? {
                Turn::Over => {
                    let payoffs = payoffs(game, &position)?;
                    self.ended += 1.0;
                    let won = payoffs.iter().any(|it| it.utility != 0.0);
                    self.decided += f64::from(u8::from(won));
                    if let [one, other] = payoffs[..] {
                        self.points.add(one, other);
                    }
                    return Ok(());
                }
                Turn::Of(_) => {}
                Turn::Joint(_) | Turn::Chance => *is_joint = true,
            }
            self.plies += 1.0;
            let is_check = game.in_check(&position).unwrap_or(false);
            self.checks += f64::from(u8::from(is_check));
            self.moves += choices.count() as f64;
            choices.draw(random, &mut turn);
            game.apply(&mut position, &turn)?;
            let left = count(game, &position.state, &mut counts);
            self.takings += f64::from(u8::from(left < men));
            men = left;
        }
        Ok(())
    }
}

/// The scores that games of two have had.
#[derive(Debug, Default)]
struct Points {
    /// How many more the winner of the first game had.
    lead: Option<u64>,
    /// Whether the winner of another one had a different lead.
    differ: bool,
    /// Whether points have not told who won.
    mislead: bool,
}

impl Points {
    fn add(&mut self, one: Payoff, other: Payoff) {
        let apart = one.score.saturating_sub(other.score);
        let lead = apart.unsigned_abs();
        self.mislead |= (one.utility - apart.signum() as f64).abs() > 1e-9;
        if lead > 0 {
            self.differ |= *self.lead.get_or_insert(lead) != lead;
        }
    }
}

/// How many men there are.
fn count<G: Game>(game: &G, state: &G::State, counts: &mut Vec<u32>) -> u32 {
    game.count_men(state, counts);
    counts.iter().sum()
}

/// The mean result of random games from a position, for each player, from -1 to 1.
pub fn mean_result<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    games: u32,
    random: &mut Random,
) -> Result<Vec<f64>, Fault> {
    let mut sums = vec![0.0; game.players()];
    let mut playouts = Playouts::default();
    for _ in 0..games {
        let mut position = position.clone();
        let played = playouts.run(game, &mut position, random, LONGEST)?;
        let payoffs = played.payoffs.unwrap_or_default();
        sums.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += payoff.utility);
    }
    Ok(sums.into_iter().map(|sum| sum / f64::from(games.max(1))).collect())
}
