//! Small numbers for the codes of moves.
//!
//! AMAF tables are read and written dozens of times at every node of a path. A code is a
//! hash: at its place in a table there is often another one, and no processor guesses when.
//! Ids count from 1 in the order in which codes are met, so that in a table with as many slots
//! as there are ids each has its own.

use std::sync::{Mutex, PoisonError};

use super::code_table::{CodeTable, MoveCode};

/// The number of a code.
pub(crate) type MoveId = u32;

/// No id, where none is used.
pub(crate) const NO_MOVE_ID: MoveId = 0;

/// Codes beyond this many share the ids of others, which may cost accuracy and never a proof.
const MOST: u32 = 1 << 18;

/// The ids of the moves of a tree.
#[derive(Debug, Default)]
pub(crate) struct MoveIds(Mutex<CodeTable<MoveId>>);

impl MoveIds {
    /// The id of a code, where there was one left for it.
    fn move_id(&self, code: MoveCode) -> Option<MoveId> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = known.len() as u32;
        if known.get(code).is_none() && count < MOST {
            *known.entry(code) = count + 1;
        }
        known.get(code)
    }
}

/// The ids that one thread has met.
#[derive(Debug, Default)]
pub(crate) struct MoveIdCache(CodeTable<MoveId>);

impl MoveIdCache {
    /// The id of a code in the one tree that this cache belongs to.
    pub(crate) fn move_id(&mut self, move_ids: &MoveIds, code: MoveCode) -> MoveId {
        match self.0.get(code) {
            Some(move_id) => move_id,
            None => self.learn(move_ids, code),
        }
    }

    #[cold]
    fn learn(&mut self, move_ids: &MoveIds, code: MoveCode) -> MoveId {
        let Some(move_id) = move_ids.move_id(code) else { return 1 + code % MOST };
        *self.0.entry(code) = move_id;
        // Room enough that hardly two codes meet.
        self.0.reserve(3 * self.0.len());
        move_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_agree_on_marks() {
        let (move_ids, mut one, mut other) = Default::default();
        let move_id = |known: &mut MoveIdCache, code| known.move_id(&move_ids, code);
        assert_eq!([7, 9, 7].map(|it| move_id(&mut one, it)), [1, 2, 1]);
        assert_eq!([8, 9, 7].map(|it| move_id(&mut other, it)), [3, 2, 1]);
        assert_eq!(move_id(&mut one, 8), 3);
    }

    #[test]
    fn there_is_an_end_of_marks() {
        let (move_ids, mut known) = (MoveIds::default(), MoveIdCache::default());
        let highest = (1..MOST + 1_000).map(|code| known.move_id(&move_ids, code)).max();
        assert_eq!((highest, known.0.len() as u32), (Some(MOST), MOST));
        assert_eq!(known.move_id(&move_ids, 5), 5);
    }
}
