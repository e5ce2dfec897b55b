//! The game profile: properties of a game that random games show.
//!
//! A profile is measured once for each game, seed and number of games; the players of a
//! [`Registry`](crate::Registry) share what was measured.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use ludex_core::playout::payoffs;
use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, GameExt, Payoff, Random, Turn};

/// A random game is broken off after this many plies.
const LONGEST: u32 = 1000;

/// One ply in this many has its steps of listing counted.
const COUNTED: u32 = 8;

/// Measured properties of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameProfile {
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
    /// The share of the ended games that were won.
    pub decided: f64,
    /// The share of positions in which the player to move has to answer a check.
    pub checks: f64,
    /// Whether points tell more than who has won: the player with more points has always won, and
    /// games with equal results had different scores.
    pub points: bool,
    /// Mean number of steps that listing the moves of a position takes; 0 where steps are not
    /// counted, as in the interpreter.
    pub steps: f64,
}

impl GameProfile {
    /// Plays `games` random games from the start, listing every position.
    pub fn measure<G: Game>(game: &G, games: u32, seed: u64) -> Result<Self, Fault> {
        let mut measurement = ProfileMeasurement::new(games, seed);
        while !measurement.is_done() {
            measurement.step(game)?;
        }
        Ok(measurement.profile(game))
    }

    /// Whether there are checks, now and then.
    pub fn has_checks(&self) -> bool {
        are_checks(self.checks)
    }
}

/// Whether something that has to be answered in this share of the positions is a check. Where a
/// quarter of them or more is like that, the rules mean something else by it: passing is never
/// allowed there.
pub(crate) fn are_checks(share: f64) -> bool {
    share > 0.0 && share < 0.25
}

/// A profile being measured, one random game at a time.
#[derive(Debug)]
pub(crate) struct ProfileMeasurement {
    seed: u64,
    games: u32,
    done: u32,
    /// Whether a turn was met that is not one player's.
    is_joint: bool,
    sums: Sums,
}

impl ProfileMeasurement {
    /// A profile from this many games that has not begun.
    pub(crate) fn new(games: u32, seed: u64) -> Self {
        Self { seed, games, done: 0, is_joint: false, sums: Sums::default() }
    }

    /// Whether all games were played.
    pub(crate) fn is_done(&self) -> bool {
        self.done >= self.games
    }

    /// Plays one more random game.
    pub(crate) fn step<G: Game>(&mut self, game: &G) -> Result<(), Fault> {
        let mut random = Random::stream(self.seed, u64::from(self.done), 0);
        self.done += 1;
        self.sums.add(game, &mut random, &mut self.is_joint)
    }

    /// The profile by the games that were played.
    pub(crate) fn profile<G: Game>(&self, game: &G) -> GameProfile {
        let (sums, games) = (&self.sums, f64::from(self.done));
        let share = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
        GameProfile {
            players: game.players(),
            single_turns: !self.is_joint,
            plies: share(sums.plies, games),
            branching: share(sums.moves, sums.plies),
            ended: share(sums.ended, games),
            decided: share(sums.decided, sums.ended),
            checks: share(sums.checks, sums.plies),
            points: sums.points.differ && !sums.points.mislead,
            steps: share(sums.steps, sums.counted),
        }
    }
}

/// More profiles than this are not kept: a registry may live as long as a server.
const MOST_KEPT: usize = 256;

/// The profiles that were measured, by game, seed and number of games. Clones share them.
pub(crate) struct Profiles<G: Game>(Arc<Mutex<VecDeque<Measured<G>>>>);

/// A profile, and what it is the profile of.
struct Measured<G: Game> {
    key: ProfileKey<G>,
    profile: GameProfile,
}

/// What a profile is of. The engines of a game have different first states; steps of listing are
/// counted in one of them only.
struct ProfileKey<G: Game> {
    identity: u64,
    start: G::State,
    seed: u64,
    games: u32,
}

impl<G: Game> PartialEq for ProfileKey<G> {
    fn eq(&self, other: &Self) -> bool {
        let Self { identity, start, seed, games } = self;
        (identity, seed, games) == (&other.identity, &other.seed, &other.games)
            && *start == other.start
    }
}

impl<G: Game> ProfileKey<G> {
    /// The key of a game whose rules can be told apart from others.
    fn of(game: &G, games: u32, seed: u64) -> Option<Self> {
        let identity = game.info().identity?;
        Some(Self { identity, start: game.start().state, seed, games })
    }
}

impl<G: Game> Default for Profiles<G> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<G: Game> Clone for Profiles<G> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<G: Game> Profiles<G> {
    /// The profile of a game, if it was measured.
    pub(crate) fn get(&self, game: &G, games: u32, seed: u64) -> Option<GameProfile> {
        let key = ProfileKey::of(game, games, seed)?;
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|it| it.key == key).map(|it| it.profile)
    }

    /// The profile of a measurement that is done, which others will find.
    pub(crate) fn add(&self, game: &G, measurement: &ProfileMeasurement) -> GameProfile {
        let ProfileMeasurement { seed, games, .. } = *measurement;
        let profile = measurement.profile(game);
        let key = ProfileKey::of(game, games, seed);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = key.filter(|key| all.iter().all(|it| it.key != *key)) {
            all.push_back(Measured { key, profile });
            if all.len() > MOST_KEPT {
                all.pop_front();
            }
        }
        profile
    }
}

#[derive(Debug, Default)]
struct Sums {
    plies: f64,
    moves: f64,
    ended: f64,
    decided: f64,
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
    /// Whether the player with more points has not won.
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

#[cfg(test)]
mod tests {
    use ludex_testkit::{Nim, TicTacToe};

    use super::*;

    #[test]
    fn what_was_measured_is_shared() {
        let profiles = Profiles::default();
        let mut measurement = ProfileMeasurement::new(5, 7);
        while !measurement.is_done() {
            measurement.step(&TicTacToe).unwrap();
        }
        let shared = profiles.clone();
        assert_eq!(shared.get(&TicTacToe, 5, 7), None);
        let profile = profiles.add(&TicTacToe, &measurement);
        assert_eq!(profile, GameProfile::measure(&TicTacToe, 5, 7).unwrap());
        assert_eq!(shared.get(&TicTacToe, 5, 7), Some(profile));
        assert_eq!(shared.get(&TicTacToe, 5, 8), None);
        assert_eq!(shared.get(&TicTacToe, 6, 7), None);
    }
    #[test]
    fn nothing_is_kept_of_a_game_without_an_identity() {
        let (profiles, game) = (Profiles::default(), Nim::new(&[3, 4]));
        let measurement = ProfileMeasurement::new(0, 7);
        profiles.add(&game, &measurement);
        assert_eq!(profiles.get(&game, 0, 7), None);
    }

    #[test]
    fn the_oldest_profiles_go() {
        let profiles = Profiles::default();
        for seed in 0..=MOST_KEPT as u64 {
            profiles.add(&TicTacToe, &ProfileMeasurement::new(0, seed));
        }
        assert_eq!(profiles.get(&TicTacToe, 0, 0), None);
        assert!(profiles.get(&TicTacToe, 0, 1).is_some());
    }
}
