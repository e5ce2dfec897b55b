//! Random graphs in which play runs in circles, with several rules about it.
//!
//! Two players move a token along edges in turn: nodes with even numbers are the first player's,
//! odd ones the second's. Tables and history together go wrong here first: what a position is
//! worth may depend on how it was reached.

use ludex_core::{Fault, Game, GameInfo, Payoff, Player, Position, Random, TextError, Turn};

/// What happens when a position comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Nothing: play may go on for ever.
    GoesOn,
    /// The game is drawn.
    Draws,
    /// Who brought it back loses.
    Loses,
    /// It may not be brought back. Who has no other move loses.
    IsForbidden,
}

impl Repetition {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::GoesOn, Self::Draws, Self::Loses, Self::IsForbidden];
}

/// A graph, played from node 0.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The nodes that each node leads to; ends lead nowhere.
    edges: Vec<Vec<usize>>,
    /// What each end is worth to the first player.
    values: Vec<f64>,
    rule: Repetition,
    info: GameInfo,
}

impl Loops {
    /// A random graph of `size` nodes. One in three to one in eight of them are ends, by the seed; half
    /// of those are drawn.
    pub fn random(seed: u64, size: usize, rule: Repetition) -> Self {
        let size = size.max(4);
        let mut random = Random::stream(seed, 0, 0);
        let below = |random: &mut Random, most: usize| random.below(most as u32) as usize;
        let rarity = 3 + (seed % 6) as usize;
        let (mut edges, mut values) = (Vec::new(), Vec::new());
        for node in 0..size {
            let is_end = node > 0 && below(&mut random, rarity) == 0;
            let degree = if is_end { 0 } else { 1 + below(&mut random, 3) };
            let mut targets: Vec<usize> = Vec::new();
            for _ in 0..degree {
                // A node of the other player.
                let half = below(&mut random, size / 2);
                targets.push(2 * half + (1 - node % 2));
            }
            targets.retain(|&it| it < size);
            targets.sort_unstable();
            targets.dedup();
            edges.push(targets);
            values.push([-1.0, 0.0, 0.0, 1.0][below(&mut random, 4)]);
        }
        if edges[0].is_empty() {
            edges[0].push(1);
        }
        Self::new(edges, values, rule)
    }

    fn new(edges: Vec<Vec<usize>>, values: Vec<f64>, rule: Repetition) -> Self {
        let has_history = rule != Repetition::GoesOn;
        let info = GameInfo { has_history, ..GameInfo::two_players("P0", "P1") };
        Self { edges, values, rule, info }
    }

    fn leads(&self, state: usize, trail: &[usize]) -> Vec<usize> {
        let targets = self.edges[state].iter().copied();
        targets.filter(|it| self.rule != Repetition::IsForbidden || !trail.contains(it)).collect()
    }

    /// What the game is worth to the first player if it is over.
    fn over(&self, state: usize, trail: &[usize]) -> Option<f64> {
        if self.edges[state].is_empty() {
            return Some(self.values[state]);
        }
        let mover_loses = if state.is_multiple_of(2) { -1.0 } else { 1.0 };
        let repeats = trail.iter().filter(|&&it| it == state).count() > 1;
        match self.rule {
            Repetition::Draws if repeats => Some(0.0),
            Repetition::Loses if repeats => Some(-mover_loses),
            Repetition::IsForbidden if self.leads(state, trail).is_empty() => Some(mover_loses),
            _ => None,
        }
    }

    /// What a position is worth to the first player with best play, by trying everything. Not for
    /// graphs in which play goes on.
    pub fn try_everything(&self, state: usize, trail: &mut Vec<usize>) -> f64 {
        if let Some(value) = self.over(state, trail) {
            return value;
        }
        let sign = if state.is_multiple_of(2) { 1.0 } else { -1.0 };
        let mut best = -1.0_f64;
        for next in self.leads(state, trail) {
            trail.push(next);
            best = best.max(sign * self.try_everything(next, trail));
            trail.pop();
        }
        sign * best
    }
}

impl Game for Loops {
    type State = usize;
    type Trail = Vec<usize>;
    type Move = u16;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Position<usize, Vec<usize>> {
        self.position(0)
    }

    fn position(&self, state: usize) -> Position<usize, Vec<usize>> {
        let trail = if self.info.has_history { vec![state] } else { Vec::new() };
        Position { state, trail }
    }

    fn turn(&self, Position { state, trail }: &Position<usize, Vec<usize>>) -> Result<Turn, Fault> {
        Ok(match self.over(*state, trail) {
            Some(_) => Turn::Over,
            None => Turn::Of(Player((state % 2) as u8)),
        })
    }

    fn moves(
        &self,
        Position { state, trail }: &Position<usize, Vec<usize>>,
        player: Player,
        moves: &mut Vec<u16>,
    ) -> Result<(), Fault> {
        moves.clear();
        if self.over(*state, trail).is_none() && usize::from(player.0) == state % 2 {
            moves.extend(self.leads(*state, trail).into_iter().map(|it| it as u16));
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, trail }: &mut Position<usize, Vec<usize>>,
        moves: &[u16],
    ) -> Result<(), Fault> {
        if let [mv] = *moves
            && self.edges[*state].contains(&usize::from(mv))
        {
            *state = usize::from(mv);
            if self.rule != Repetition::GoesOn {
                trail.push(*state);
            }
        }
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, trail }: &Position<usize, Vec<usize>>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        let value = self.over(*state, trail).unwrap_or(0.0);
        let utility = if player == Player(0) { value } else { -value };
        Ok(Payoff { score: utility as i64, utility })
    }

    fn name(&self, _state: &usize, mv: u16) -> String {
        format!("to{mv}")
    }

    fn write(&self, state: &usize) -> String {
        format!("node {state}")
    }

    fn read(&self, text: &str) -> Result<usize, TextError> {
        let [word, digits] = crate::words(text)?;
        match digits.parse() {
            Ok(node) if word == "node" && node < self.edges.len() => Ok(node),
            _ => Err(TextError::new(format!("there is no `{text}`")).or_nearest(word, ["node"])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_about_circles_differ() {
        // The first player can only go round: 0 to 1 and back.
        let with = |rule| Loops::new(vec![vec![1], vec![0]], vec![0.0; 2], rule);
        let value = |rule| with(rule).try_everything(0, &mut vec![0]);
        assert_eq!(value(Repetition::Draws).total_cmp(&0.0), std::cmp::Ordering::Equal);
        // The second player brings node 0 back.
        assert!(value(Repetition::Loses) > 0.5);
        assert!(value(Repetition::IsForbidden) > 0.5);
    }
}
