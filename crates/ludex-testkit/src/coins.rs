//! Coins in a row: take one from either end; who has more at the end wins, and by how much is counted.
//!
//! The best score follows from those of the shorter rows: what is taken, less what the opponent makes of the
//! rest.

use std::sync::LazyLock;

use ludex_core::info::Results;
use ludex_core::{Fault, Game, GameInfo, Payoff, Player, Position, Random, TextError, Turn};

use crate::{number, words};

/// The rules, with the row that the game starts from.
#[derive(Clone, Debug)]
pub struct Coins {
    /// What the coins are worth.
    pub row: Vec<u8>,
}

/// What is left of the row, and what was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Purses {
    /// How many coins are gone from the left.
    pub left: u8,
    /// How many are gone from the right.
    pub right: u8,
    /// What each player has.
    pub taken: [u8; 2],
    /// Who is to take.
    pub mover: Player,
}

/// An end of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// The first coin.
    Left,
    /// The last one.
    Right,
}

impl Coins {
    /// A row of this number of coins, worth 0 to 9 each.
    pub fn random(seed: u64, coins: u8) -> Self {
        let mut random = Random::stream(seed, 0, 0);
        Self { row: (0..coins.min(28)).map(|_| random.below(10) as u8).collect() }
    }

    /// How much more than the opponent the player to move has at the end, if both play well.
    pub fn best(&self, state: &Purses) -> i64 {
        let rest = self.rest(*state);
        let mut best = vec![0; rest.len() + 1];
        for length in 1..=rest.len() {
            for first in 0..=rest.len() - length {
                let (left, right) = (i64::from(rest[first]), i64::from(rest[first + length - 1]));
                best[first] = (left - best[first + 1]).max(right - best[first]);
            }
        }
        Self::lead(*state, state.mover) + best[0]
    }

    fn rest(&self, state: Purses) -> &[u8] {
        let end = self.row.len().saturating_sub(usize::from(state.right));
        self.row.get(usize::from(state.left)..end).unwrap_or(&[])
    }

    /// How much more than the opponent a player has.
    fn lead(state: Purses, player: Player) -> i64 {
        let [mine, theirs] = [player.index(), 1 - player.index()].map(|it| state.taken[it]);
        i64::from(mine) - i64::from(theirs)
    }
}

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo {
    results: Results::Points,
    ..GameInfo::two_players("First", "Second")
});

impl Game for Coins {
    type State = Purses;
    type Trail = ();
    type Move = End;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Purses, ()> {
        Position::of(Purses { left: 0, right: 0, taken: [0; 2], mover: Player(0) })
    }

    fn position(&self, state: Purses) -> Position<Purses, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<Purses, ()>) -> Result<Turn, Fault> {
        let is_over = self.rest(*state).is_empty();
        Ok(if is_over { Turn::Over } else { Turn::Of(state.mover) })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<Purses, ()>,
        player: Player,
        moves: &mut Vec<End>,
    ) -> Result<(), Fault> {
        moves.clear();
        if player == state.mover {
            moves.extend([End::Left, End::Right].into_iter().take(self.rest(*state).len()));
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<Purses, ()>,
        moves: &[End],
    ) -> Result<(), Fault> {
        for mv in moves {
            let rest = self.rest(*state);
            let (coin, gone) = match mv {
                End::Left => (rest.first(), &mut state.left),
                End::Right => (rest.last(), &mut state.right),
            };
            state.taken[state.mover.index()] += coin.copied().unwrap_or(0);
            *gone += u8::from(coin.is_some());
        }
        state.mover = Player(1 - state.mover.0);
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<Purses, ()>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        let score = Self::lead(*state, player);
        Ok(Payoff { score, utility: score.signum() as f64 })
    }

    fn name(&self, _state: &Purses, mv: End) -> String {
        match mv {
            End::Left => "left",
            End::Right => "right",
        }
        .to_owned()
    }

    fn write(&self, state: &Purses) -> String {
        let Purses { left, right, taken: [first, second], mover } = state;
        format!("{left} {right} {first} {second} {}", INFO.player_name(*mover))
    }

    fn read(&self, text: &str) -> Result<Purses, TextError> {
        let [left, right, first, second, mover] = words(text)?;
        let [left, right] = [number(left, u8::MAX)?, number(right, u8::MAX)?];
        if usize::from(left) + usize::from(right) > self.row.len() {
            return Err(TextError::new("more coins are gone than there were"));
        }
        let taken = [number(first, u8::MAX)?, number(second, u8::MAX)?];
        // No more than all of it: sums stay within their bounds.
        let all: u32 = self.row.iter().map(|&it| u32::from(it)).sum();
        if u32::from(taken[0]) + u32::from(taken[1]) > all.min(u32::from(u8::MAX)) {
            return Err(TextError::new("more was taken than there was"));
        }
        let known = [Player(0), Player(1)].into_iter().find(|&it| INFO.player_name(it) == mover);
        let unknown = || TextError::new("no such player").or_nearest(mover, ["First", "Second"]);
        Ok(Purses { left, right, taken, mover: known.ok_or_else(unknown)? })
    }
}
