//! Material: the men of each kind, weighed.
//!
//! Claude Shannon, "Programming a computer for playing chess", 1950, has the first table of such
//! values; the values themselves belong to a game and are given.

use ludex_core::{Fault, Game, GameExt, PositionOf};

use super::{Evaluate, Standpoint};

/// My men less yours, each kind with its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// The value of each kind, in thousandths; a kind beyond the list is worth 1000.
    pub values: Vec<i32>,
}

impl Material {
    fn value(&self, kind: usize) -> i32 {
        self.values.get(kind).copied().unwrap_or(1000)
    }
}

impl<G: Game> Evaluate<G> for Material {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        let kinds = game.board().kinds.max(1);
        let mut counts = Vec::new();
        game.count_men(&position.state, &mut counts);
        let weighed = |player: &[u32]| -> i32 {
            let worth =
                |(kind, &count): (usize, &u32)| self.value(kind).saturating_mul(count as i32);
            player.iter().enumerate().map(worth).fold(0, i32::saturating_add)
        };
        let all = counts.chunks(kinds).map(weighed).fold(0, i32::saturating_add);
        let mine = counts.chunks(kinds).nth(from.mover.index()).map_or(0, weighed);
        Ok(mine.saturating_mul(2).saturating_sub(all))
    }

    fn man(&self, kind: u8) -> Option<i32> {
        Some(self.value(usize::from(kind)))
    }

    fn describe(&self) -> String {
        "material".to_owned()
    }
}
