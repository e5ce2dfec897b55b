//! What the table remembers of a position, and when that is enough.

use ludex_core::{Game, GameExt, Player};

use super::table::{Bound, Entry, Key, looks_back};
use super::worker::{Window, Worker};
use crate::evaluation::scale::{self, Aim};

impl<G: Game> Worker<'_, G> {
    /// The key of a position in the table.
    pub(super) fn key(&mut self, ply: usize) -> Key {
        let (game, state) = (self.game(), &self.frames[ply].position.state);
        let key = Key { first: game.hash(state), second: game.second_hash(state) };
        // A value in points says nothing about who wins, nor the other way round.
        let key = match self.shared.config.aim {
            Aim::Utility => key,
            Aim::Score => Key { second: !key.second, ..key },
        };
        if !self.shared.config.strict || !looks_back(game) {
            return key;
        }
        let way = if ply == 0 { Key::default() } else { self.frames[ply - 1].way };
        self.frames[ply].way = way.step(key);
        self.frames[ply].way
    }

    /// What the table says about a position, where that is enough.
    pub(super) fn known(
        &mut self,
        entry: &Entry,
        ply: usize,
        viewer: Player,
        depth: i32,
        window: Window,
    ) -> Option<i32> {
        let strict = self.shared.config.strict;
        let complete = entry.is_complete && !self.shared.is_forgetful();
        let deep = if strict {
            i32::from(entry.depth) == depth
        } else {
            complete || i32::from(entry.depth) >= depth
        };
        // A line that shows how a value comes about is better than one that ends in the table.
        let is_shown = window.is_open() && !complete && !strict;
        if !self.trusts_table || !deep || is_shown || ply == 0 {
            return None;
        }
        let is_viewers = entry.mover == viewer.0;
        let seen = if is_viewers { window } else { window.turned() };
        let value = scale::to_root(entry.value, ply as u32);
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= seen.beta,
            Bound::AtMost => value <= seen.alpha,
        };
        if !enough {
            return None;
        }
        self.frames[ply].pv.clear();
        if !complete {
            self.guesses += 1;
        }
        Some(if is_viewers { value } else { -value })
    }
}
