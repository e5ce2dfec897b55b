//! The zone table: a cache of the zones of direct threats.
//!
//! A move that wins at once does so for a few reasons, and for the same ones in most positions of a
//! search: five men in this row, whatever stands elsewhere. The zone is computed once and cached with
//! the move; wherever it holds again, the replies that leave the threat as it is are known without
//! carrying it out after each of them.
//!
//! Computing a zone takes as long as carrying a threat out hundreds of times. If the cache seldom hits,
//! as where strings of stones are captured, it is switched off.
//!
//! The zones of direct wins hold in any position: the defender has no time for counterplay. Those of
//! longer wins would have to exclude a quicker win of the defender as well. An experiment with them took
//! many times as long to compute them as to find the wins, and had no hits.

use std::collections::HashMap;
use std::rc::Rc;

use ludex_core::{GameExt, Position};
use ludex_ir::PackedMove;

use super::Attack;
use super::attack::Stop;
use super::cell_game::CellGame;
use super::proof::Win;
use super::zone::Zone;

/// Probes before the hit rate is judged.
const TRIAL: u64 = 200;

/// Hits for each miss that make the cache worth while.
const HITS_PER_MISS: u64 = 8;

/// Boards of at most this size have too few replies for the cache to pay.
const FEW_SQUARES: usize = 64;

/// The zones of moves that win.
#[derive(Clone, Debug, Default)]
pub(super) struct ZoneTable {
    zones: HashMap<PackedMove, Vec<Rc<Zone>>>,
    hits: u64,
    misses: u64,
}

impl ZoneTable {
    /// Number of hits.
    pub(super) fn hits(&self) -> u64 {
        self.hits
    }

    /// Whether the hit rate is worth the misses.
    fn pays(&self) -> bool {
        self.hits + self.misses < TRIAL || self.hits >= HITS_PER_MISS * self.misses
    }
}

impl<G: CellGame> Attack<'_, G> {
    /// The zone of a move that wins at once at `passed`; `None` if it is too expensive to compute, or
    /// is everything.
    pub(super) fn zone_of_direct(
        &mut self,
        passed: &Position,
        win: &Win,
    ) -> Result<Option<Rc<Zone>>, Stop> {
        if !self.config.zone_table
            || self.analysis.has_kings
            || self.game.board().squares <= FEW_SQUARES
            || !self.zones.pays()
        {
            return Ok(None);
        }
        let holds = |it: &&Rc<Zone>| it.holds(|cell| self.game.raw(&passed.state, cell));
        let known = self.zones.zones.get(&win.mv).and_then(|all| all.iter().find(holds).cloned());
        if known.is_some() {
            self.zones.hits += 1;
            return Ok(known);
        }
        self.zones.misses += 1;
        let zone = Rc::new(self.zone_of_threat(passed, win)?);
        if zone.is_everything() {
            return Ok(None);
        }
        self.zones.zones.entry(win.mv).or_default().push(Rc::clone(&zone));
        Ok(Some(zone))
    }
}
