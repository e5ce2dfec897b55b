//! Probes for a forced win, in games with checks.
//!
//! The proof and disproof numbers of df-pn count what is still to be searched until a win is proved
//! or refuted. Where an attacker leaves few replies, as by checks, they show after a thousand
//! positions or so whether a forced win is near, however deep it is: see `docs/experiments/auto.md`
//! for figures.
//!
//! So a small part of every budget is a probe. Where it finds a win near, most of the budget goes
//! into proofs; where these do not end in time, the move that came nearest to a proof is played.
//!
//! Numbers that are rare in one game are usual in another: `win_thresholds.rs` measures which.

use ludex_core::{Game, Limits};

use super::endgame::Endgame;
use crate::player::{Observer, SearchRoot};
use crate::proof::player::Wanted;
use crate::result::{Line, SearchResult};

/// The parts of the nodes and of the time that the question gets, one after the other and as long
/// as the win seems near: one part in the first number. Without a node limit, each is the second
/// number of nodes at most: a clock may stand.
const PARTS: [(u32, u64); 2] = [(64, 20_000), (16, 80_000)];

/// With fewer nodes the numbers tell nothing.
const FEWEST: u64 = 200;

/// Where a win is near, the player has one part in this many of the nodes and of the time that are
/// left: a position costs a proof many times what it costs alpha-beta.
const OF_NODES: u32 = 8;
const OF_TIME: u32 = 4;

/// Which estimates of a win, from -1 to 1, are rare in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WinThresholds {
    /// A win is near where df-pn's estimate of its best move is above this.
    pub(super) near: f64,
    /// The estimate must be above this for a move to be played without a proof.
    pub(super) trusted: f64,
}

/// The result of a probe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WinProbe {
    pub(super) is_near: bool,
    /// The nodes it has cost.
    pub(super) nodes: u64,
}

impl Endgame {
    /// Probes whether a forced win of the player to move is near.
    pub(super) fn probe_for_win<G: Game>(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        thresholds: WinThresholds,
    ) -> WinProbe {
        let (mut nodes, mut is_near) = (0, false);
        for (parts, most) in PARTS {
            let slice = match limits.nodes {
                Some(all) => (all / u64::from(parts)).max(FEWEST),
                None => most,
            };
            // A probe must not cost more than an eighth.
            if limits.nodes.is_some_and(|all| slice > all / 8) {
                return WinProbe { is_near, nodes };
            }
            let look = Limits { nodes: Some(slice), ..limits.part_of_time(parts) };
            let Some(known) = self.prove(root, look, &mut |_| (), Wanted::Win) else {
                return WinProbe { is_near: false, nodes };
            };
            let SearchResult { lines, nodes: looked, .. } = &known.result;
            nodes += looked;
            let is_known = lines.first().is_some_and(|it| it.proved.is_some());
            let tells = lines.len() > 1 && (is_known || nodes >= FEWEST);
            is_near = tells && nearness(&known.result) > thresholds.near;
            if !is_near {
                break;
            }
        }
        WinProbe { is_near, nodes }
    }

    /// Searches for the win that is near, and how soon it comes, with what is left of the limits.
    /// Adds what is proved to the player's result; without a proof the move nearest to one comes
    /// first.
    pub(super) fn pursue_win<G: Game>(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        result: &mut SearchResult<G::Move>,
        thresholds: WinThresholds,
    ) {
        let quick = Wanted::QuickWin;
        let Some(known) = self.confirm(root, (limits, &mut *observer), result, quick) else {
            return;
        };
        if prefer_nearest(&known.result, result, thresholds.trusted) {
            observer(result);
        }
    }
}

/// Where no win is known, puts the move first that came nearest to a proof, if it came near. Tells
/// whether that is so.
fn prefer_nearest<M: Copy + Ord>(
    proofs: &SearchResult<M>,
    result: &mut SearchResult<M>,
    trusted: f64,
) -> bool {
    let belief = nearness(proofs);
    let is_won = result.lines.iter().any(|it| it.proved.is_some_and(|it| it.utility > 0.0));
    // What the player knows of a move counts more than a hope.
    let is_nearest = |it: &Line<M>| proofs.best() == Some(it.mv) && it.proved.is_none();
    let at = result.lines.iter().position(is_nearest);
    let Some(at) = at.filter(|_| !is_won && belief > trusted) else { return false };
    let line = &mut result.lines[at];
    (line.value, line.is_at_most, line.score) = (line.value.max(belief), false, None);
    if at > 0 {
        result.lines[..=at].rotate_right(1);
        result.found = proofs.found;
    }
    true
}

/// What is left for the player, before proofs of a win that is near.
pub(super) fn before_pursuit(limits: Limits<'_>, spent: u64) -> Limits<'_> {
    let nodes = limits.after(spent).nodes.map(|it| it.div_ceil(u64::from(OF_NODES)));
    Limits { nodes, ..limits.part_of_time(OF_TIME) }
}

/// How near a win is, from -1 to 1.
pub(super) fn nearness<M>(result: &SearchResult<M>) -> f64 {
    result.lines.first().map_or(-1.0, |it| it.value)
}

#[cfg(test)]
mod tests {
    use ludex_core::GameExt;
    use ludex_core::{Random, Turn};
    use ludex_testkit::{Pig, TicTacToe};

    use super::*;
    use crate::proof::GameValue;
    use crate::result::Proved;

    const NODES: u64 = 100_000;

    const USUAL: WinThresholds = WinThresholds { near: 0.5, trusted: 0.7 };

    #[test]
    fn a_win_is_near_where_there_is_one_and_it_is_played() {
        let mut random = Random::stream(1, 0, 0);
        let mut seen = [0; 2];
        for _ in 0..60 {
            let mut state = TicTacToe.start();
            for _ in 0..3 {
                let mv = TicTacToe.random_move(&state, &mut random).unwrap().unwrap();
                TicTacToe.apply(&mut state, &[mv]).unwrap();
            }
            let root = SearchRoot { game: &TicTacToe, position: &state };
            let mut endgame = Endgame::new(1 << 20);
            let limits = Limits::of_nodes(NODES);
            let known = endgame.prove_near_end(root, limits).expect("the end is near");
            let is_won = known.value == Some(GameValue::Win);
            let mut endgame = Endgame::new(1 << 20);
            let scent = endgame.probe_for_win(root, limits, USUAL);
            assert_eq!(scent.is_near, is_won);
            assert!(scent.nodes <= NODES / 64 + NODES / 16 + 2);
            seen[usize::from(is_won)] += 1;
            let mut result = SearchResult::unsearched(&TicTacToe, &state).unwrap();
            result.nodes = scent.nodes;
            endgame.pursue_win(root, (limits, &mut |_| ()), &mut result, USUAL);
            assert!(result.nodes <= NODES);
            let best = result.lines[0].proved.filter(|it| it.utility > 0.0);
            assert_eq!(best.is_some_and(|it| it.plies.is_some()), is_won);
        }
        assert!(seen.iter().all(|&it| it > 5), "{seen:?}");
    }

    #[test]
    fn few_nodes_are_not_spent_on_probes() {
        let state = TicTacToe.start();
        let root = SearchRoot { game: &TicTacToe, position: &state };
        for nodes in [0, 1, 100, 1_000] {
            let limits = Limits::of_nodes(nodes);
            let scent = Endgame::new(1 << 20).probe_for_win(root, limits, USUAL);
            assert_eq!(scent, WinProbe::default());
        }
        // Where a clock stands, as on the opponent's time, a probe ends all the same.
        let time = Some(std::time::Duration::from_secs(1));
        let limits = Limits { time, ..Limits::default() };
        assert!(Endgame::new(1 << 20).probe_for_win(root, limits, USUAL).nodes <= 100_000);
    }

    #[test]
    fn where_chance_decides_no_win_is_near() {
        let game = Pig { goal: 9, faces: 3 };
        let position = game.start();
        assert!(matches!(game.turn(&position).unwrap(), Turn::Of(_)));
        let root = SearchRoot { game: &game, position: &position };
        let limits = Limits::of_nodes(NODES);
        assert!(!Endgame::new(1 << 20).probe_for_win(root, limits, USUAL).is_near);
    }

    #[test]
    fn without_a_proof_the_nearest_to_one_is_played_if_it_is_near() {
        let line = |mv: u8, value: f64| Line { value, ..Line::new(mv) };
        let order = |belief: f64, proved: Option<Proved>, of_nearest: Option<Proved>| {
            let proofs = vec![line(3, belief), line(1, 0.1), line(2, 0.1)];
            let proofs = SearchResult { lines: proofs, ..SearchResult::default() };
            let mut lines = vec![line(1, 0.4), line(2, 0.3), line(3, -0.9)];
            (lines[0].proved, lines[2].proved, lines[2].is_at_most) = (proved, of_nearest, true);
            let mut result = SearchResult { lines, ..SearchResult::default() };
            let is_preferred = prefer_nearest(&proofs, &mut result, USUAL.trusted);
            assert_eq!(is_preferred, result.lines[0].mv == 3);
            let first = &result.lines[0];
            let is_told = (first.value - belief).abs() < 1e-9 && !first.is_at_most;
            assert!(first.mv != 3 || is_told || of_nearest.is_some());
            result.lines.iter().map(|it| it.mv).collect::<Vec<u8>>()
        };
        assert_eq!(order(0.9, None, None), [3, 1, 2]);
        assert_eq!(order(0.6, None, None), [1, 2, 3], "it is not near enough");
        assert_eq!(order(0.9, Some(Proved::WIN), None), [1, 2, 3], "what is known is not given up");
        assert_eq!(order(0.9, Some(Proved::DRAW), None), [3, 1, 2]);
        assert_eq!(order(0.9, None, Some(Proved::LOSS)), [1, 2, 3], "it is known to lose");
    }
}
