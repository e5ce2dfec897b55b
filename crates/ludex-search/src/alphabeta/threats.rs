//! Forced wins inside the search: what the game itself can prove of a position.
//!
//! A line of threats, each of which has to be answered, may be far longer than the search is deep,
//! and is cheap to follow. It is looked for where a position is met for the first time and a few
//! plies are left; nearer to the horizon it would cost more than the search itself.

use ludex_core::{Effort, Fault, Forced, Game, GameExt, Player, PositionOf};

use super::candidates::CandidateMode;
use super::table::{Bound, Entry, Key, NO_MOVE};
use super::worker::{Frame, Shared, Worker};
use crate::error::SearchError;
use crate::evaluation::MOST;
use crate::evaluation::scale::{self, Aim};
use crate::player::SearchRoot;
use crate::prover_budget::{ProverAnswer, ProverBudget};

/// The root gets this many times as many.
const AT_THE_ROOT: u64 = 4;

impl<G: Game> Worker<'_, G> {
    /// A forced win of the player who thinks, where one best move is all that is asked for.
    pub(super) fn forced_at_the_root(
        &mut self,
        root: SearchRoot<'_, G>,
    ) -> Result<Option<Forced<G::Move>>, SearchError> {
        let config = self.shared.config;
        let is_asked = config.threats > 0 && config.aim == Aim::Utility && config.lines == 1;
        if !is_asked || self.shared.candidate_mode == CandidateMode::Only {
            return Ok(None);
        }
        let positions = config.threats.saturating_mul(AT_THE_ROOT);
        let (prover_budget, nodes) = (&mut self.prover_budget, &mut self.nodes);
        let place = root.position;
        Ok(look_for_a_win(self.shared, (prover_budget, nodes), place, positions)?)
    }

    /// What a forced win at `ply`, where `mover` is to move and `list` can be played, is worth to
    /// `mover`. There may be a shorter one: the win is proved, its length is not.
    pub(super) fn forced(
        &mut self,
        (ply, mover): (usize, Player),
        depth: i32,
        key: Key,
        remembered: Option<Entry>,
    ) -> Result<Option<i32>, SearchError> {
        let config = self.shared.config;
        if config.threats == 0 || config.aim != Aim::Utility || self.shared.is_forgetful() {
            return Ok(None);
        }
        if let Some(entry) = remembered {
            let is_won = entry.value > MOST && entry.is_complete && entry.bound != Bound::AtMost;
            return Ok(is_won.then(|| scale::to_root(entry.value, ply as u32)));
        }
        if depth < config.threats_depth as i32 {
            return Ok(None);
        }
        let Frame { position, list, .. } = &self.frames[ply];
        let (prover_budget, nodes) = (&mut self.prover_budget, &mut self.nodes);
        let win = look_for_a_win(self.shared, (prover_budget, nodes), position, config.threats)?;
        let number = win.and_then(|win| list.iter().position(|it| *it == win.mv));
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

/// Looks for a forced win where looks have not cost too much, and counts what it takes.
fn look_for_a_win<G: Game>(
    shared: &Shared<'_, G>,
    (prover_budget, nodes): (&mut ProverBudget, &mut u64),
    position: &PositionOf<G>,
    positions: u64,
) -> Result<Option<Forced<G::Move>>, Fault> {
    let (game, limits) = (shared.view.game(), shared.limits);
    let ask = |effort: Effort<'_>| game.forced_win(position, effort);
    match prover_budget.look(limits, positions, *nodes, ask)? {
        ProverAnswer::OverBudget => Ok(None),
        ProverAnswer::Answered(win, positions) => {
            *nodes += positions;
            Ok(win)
        }
    }
}
