//! The zone table: what direct threats depend on, remembered.
//!
//! A move that wins at once does so for a few reasons, and for the same ones in most positions of a
//! search: five men in this row, whatever stands elsewhere. They are asked for once and kept with the
//! move; wherever they hold again, the replies that leave the threat as it is are known without
//! carrying it out after each of them.
//!
//! To ask for reasons takes as long as to carry a threat out hundreds of times. So where they are
//! seldom the same, as where strings of stones are taken, they are no longer asked for.
//!
//! The zones of direct wins hold for good, in any position: there is no time for the defender to do
//! anything else meanwhile. Those of longer wins would have to say besides that he is nowhere
//! near to a win of his own. That was tried; they took many times as long to find as the wins
//! themselves and were never met again.

use std::collections::HashMap;
use std::rc::Rc;

use ludex_ir::PackedMove;

use super::Attack;
use super::attack::Stop;
use super::open::{Open, Place};
use super::proof::Win;
use super::zone::Zone;

/// So many questions are asked before it is seen whether that pays.
const TRIAL: u64 = 200;

/// For one new answer there should be so many known ones.
const KNOWN_FOR_EACH: u64 = 8;

/// For so few replies it never pays.
const FEW_SQUARES: usize = 64;

/// The zones of moves that win.
#[derive(Clone, Debug, Default)]
pub(super) struct ZoneTable {
    zones: HashMap<PackedMove, Vec<Rc<Zone>>>,
    /// How often the zone was known, and how often it was not.
    known: u64,
    new: u64,
}

impl ZoneTable {
    /// How often a zone was known.
    pub(super) fn hits(&self) -> u64 {
        self.known
    }

    /// Whether it pays to ask.
    fn pays(&self) -> bool {
        self.known + self.new < TRIAL || self.known >= KNOWN_FOR_EACH * self.new
    }
}

impl<G: Open> Attack<'_, G> {
    /// What it depends on that a move wins at once at `passed`; `None` if that is too dear to
    /// find out, or is everything.
    pub(super) fn zone_of_direct(
        &mut self,
        passed: &Place,
        win: &Win,
    ) -> Result<Option<Rc<Zone>>, Stop> {
        if !self.config.zone_table
            || self.ground.has_kings
            || self.game.squares() <= FEW_SQUARES
            || !self.zones.pays()
        {
            return Ok(None);
        }
        let holds = |it: &&Rc<Zone>| it.holds(|cell| self.game.raw(&passed.state, cell));
        let known = self.zones.zones.get(&win.mv).and_then(|all| all.iter().find(holds).cloned());
        if known.is_some() {
            self.zones.known += 1;
            return Ok(known);
        }
        self.zones.new += 1;
        let zone = Rc::new(self.zone_of_threat(passed, win)?);
        if zone.is_everything() {
            return Ok(None);
        }
        self.zones.zones.entry(win.mv).or_default().push(Rc::clone(&zone));
        Ok(Some(zone))
    }
}
