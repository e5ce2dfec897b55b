//! Forced wins inside the search: what the game itself can prove of a position.
//!
//! A line of threats, each of which has to be answered, may be far longer than the search is deep,
//! and is cheap to follow. It is looked for where a position is met for the first time and a few
//! plies are left; nearer to the horizon it would cost more than the search itself.

use ludex_core::{Effort, Game, Player, Sought};

use super::halt::Halt;
use super::search::{Frame, Worker};
use super::table::{Bound, Entry, Key, NO_MOVE};
use crate::evaluation::MOST;
use crate::evaluation::scale::{self, Aim};

/// A position at the root, or after a move of it, is worth so many times as many.
const NEAR_THE_ROOT: u64 = 2;

/// Of so many nodes one is spent on looking for forced wins.
const SHARE: u64 = 16;

impl<G: Game> Worker<'_, G> {
    /// What a forced win at `ply`, where `mover` is to move and `list` can be played, is worth to
    /// `mover`. There may be a shorter one: the win is proved, its length is not.
    pub(super) fn forced(
        &mut self,
        (ply, mover): (usize, Player),
        depth: i32,
        key: Key,
        remembered: Option<Entry>,
    ) -> Result<Option<i32>, Halt> {
        let config = self.shared.config;
        if config.threats == 0 || config.aim != Aim::Utility || self.shared.is_forgetful() {
            return Ok(None);
        }
        if let Some(entry) = remembered {
            let is_won = entry.value > MOST && entry.is_complete && entry.bound != Bound::AtMost;
            return Ok(is_won.then(|| scale::to_root(entry.value, ply as u32)));
        }
        let is_dear = ply > 1 && self.sought * SHARE > self.nodes;
        if depth < config.threats_depth as i32 || is_dear {
            return Ok(None);
        }
        let times = if ply <= 1 { NEAR_THE_ROOT } else { 1 };
        let effort = Effort { positions: times * config.threats, order: 1 };
        let Frame { state, trail, list, .. } = &self.frames[ply];
        let Sought { found: win, positions } = self.game().forced_win(state, trail, effort)?;
        let number = win.and_then(|win| list.iter().position(|it| *it == win.mv));
        self.nodes += positions;
        self.sought += positions;
        let (Some(win), Some(number)) = (win, number) else { return Ok(None) };
        self.confirm(ply, mover)?;
        self.frames[ply].pv.push(win.mv);
        let value = scale::of_utility(1.0, win.plies);
        if config.table {
            let mv = u16::try_from(number).unwrap_or(NO_MOVE);
            let depth = depth.min(255) as u8;
            let bound = Bound::AtLeast;
            let entry = Entry { value, bound, depth, mv, mover: mover.0, is_complete: true };
            self.shared.table.store(key, &entry);
        }
        Ok(Some(scale::to_root(value, ply as u32)))
    }
}
