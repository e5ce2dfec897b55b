//! Men on squares: a value for each man on each square, and a little more.

use ludex_core::{Fault, Game, GameExt, Player, PositionOf};
use std::cell::RefCell;

use super::{Evaluate, Standpoint, mobility};

/// A value for every man on every square, for the weight of mobility and for the right to move.
///
/// Everything but the right to move is from the view of the first player: men of the second
/// usually have negative values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Squares {
    /// How many squares there are.
    pub squares: usize,
    /// The values, those of the man with code 0 first, one for each square.
    pub table: Vec<i32>,
    /// What it is worth to the first player to be the first player.
    pub bias: i32,
    /// What it is worth to be the one to move.
    pub tempo: i32,
    /// What a hundred moves more than the opponent are worth; 0 saves counting them.
    pub mobility: i32,
    /// What a man of each kind is worth on the average.
    pub kinds: Vec<i32>,
}

thread_local! {
    /// The men of the position being looked at: memory that is kept.
    static MEN: RefCell<Vec<(u16, u8)>> = const { RefCell::new(Vec::new()) };
}

/// Asks for the men of a position and does something with them.
pub(super) fn with_men<G: Game, T>(
    game: &G,
    state: &G::State,
    then: impl FnOnce(&[(u16, u8)]) -> T,
) -> T {
    MEN.with_borrow_mut(|men| {
        game.men(state, men);
        then(men)
    })
}

impl Squares {
    /// The sum over all men, from the view of the first player.
    pub fn sum<G: Game>(&self, game: &G, state: &G::State) -> i32 {
        with_men(game, state, |men| self.sum_of(men))
    }

    /// The same where the men are known.
    pub(super) fn sum_of(&self, men: &[(u16, u8)]) -> i32 {
        let value = |&(square, code): &(u16, u8)| {
            let at = usize::from(code) * self.squares + usize::from(square);
            self.table.get(at).copied().unwrap_or(0)
        };
        men.iter().map(value).fold(0, i32::saturating_add)
    }
}

impl<G: Game> Evaluate<G> for Squares {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        self.with_sum(self.sum(game, &position.state), game, position, from.mover)
    }

    fn man(&self, kind: u8) -> Option<i32> {
        self.kinds.get(usize::from(kind)).copied()
    }

    fn describe(&self) -> String {
        "men on squares".to_owned()
    }
}

impl Squares {
    /// The value for the player to move, where the sum over all men is known.
    pub(super) fn with_sum<G: Game>(
        &self,
        sum: i32,
        game: &G,
        position: &PositionOf<G>,
        mover: Player,
    ) -> Result<i32, Fault> {
        let first = sum.saturating_add(self.bias);
        let mut mine = if mover == Player(0) { first } else { -first };
        mine = mine.saturating_add(self.tempo);
        if self.mobility != 0 {
            let more = mobility::difference(game, position)?;
            mine = mine.saturating_add(more.saturating_mul(self.mobility) / 100);
        }
        Ok(mine)
    }
}
