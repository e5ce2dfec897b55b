//! How `auto` shares the limits of a search between its player and proofs.

use ludex_core::{Game, Limits};

use super::Auto;
use super::endgame;
use super::win_probe::{self, WinProbe, WinThresholds};
use crate::error::SearchError;
use crate::player::{Observer, SearchRoot};
use crate::proof::player::Wanted;
use crate::result::SearchResult;

impl<G: Game + 'static> Auto<G> {
    /// The player searches first; where its value says that the game is about decided, the rest
    /// goes into proofs. Monte-Carlo proves what it can by itself.
    pub(super) fn search_far_from_the_end(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        // A limit of plies asks for no more than these.
        let may_prove = endgame::is_limited(limits) && limits.depth.is_none();
        if !may_prove || !self.is_alphabeta || !self.has_chosen() {
            return self.search_within(root, limits, observer);
        }
        if let Some(thresholds) = self.thresholds {
            return self.search_among_checks(root, (limits, observer), thresholds);
        }
        let mut first = self.search_within(root, endgame::before_the_rest(limits), observer)?;
        let rest = limits.after(first.nodes);
        if endgame::is_about_decided(&first) {
            // How soon a win comes matters less than by how much.
            let win = if self.counts_points { Wanted::Win } else { Wanted::QuickWin };
            self.endgame.confirm_value(root, (limits, observer), &mut first, win);
            return Ok(first);
        }
        if endgame::is_settled(&first) || limits.is_reached(first.nodes) {
            return Ok(first);
        }
        // The second search begins at depth 1 again, with its table: its results are no news until
        // it is as deep as the first.
        let second = self.search_on(root, (rest, observer), (first.nodes, first.depth))?;
        if second.depth < first.depth && !endgame::is_settled(&second) {
            (first.nodes, first.elapsed) = (second.nodes, second.elapsed);
            return Ok(first);
        }
        Ok(second)
    }

    /// The same in a game with checks: where a forced win is near, proofs get most of the limits.
    fn search_among_checks(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        thresholds: WinThresholds,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let WinProbe { is_near, nodes } = self.endgame.probe_for_win(root, limits, thresholds);
        if !is_near {
            return self.search_on(root, (limits.after(nodes), observer), (nodes, 0));
        }
        let before = win_probe::before_pursuit(limits, nodes);
        let mut result = self.search_on(root, (before, &mut *observer), (nodes, 0))?;
        if !endgame::is_settled(&result) {
            self.endgame.pursue_win(root, (limits, observer), &mut result, thresholds);
        }
        Ok(result)
    }

    /// Lets the present player search when `spent` nodes are spent; results below `depth` are not
    /// reported.
    fn search_on(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        (spent, depth): (u64, u32),
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let mut tell = |it: &SearchResult<G::Move>| {
            if it.depth >= depth {
                observer(&SearchResult { nodes: it.nodes + spent, ..it.clone() });
            }
        };
        let mut result = self.search_within(root, limits, &mut tell)?;
        result.nodes += spent;
        Ok(result)
    }

    /// The present player searches within limits.
    pub(super) fn search_within(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let Some(player) = self.present() else {
            return Ok(SearchResult::unsearched(root.game, root.position)?);
        };
        player.search(root, limits, observer)
    }
}
