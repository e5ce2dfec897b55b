//! Proofs beside the player that was chosen.
//!
//! Random games from a position estimate how many ways to play on there are. Where these are few,
//! df-pn gets a share of the limits. The player searches with the rest and still chooses the move,
//! but among those that are proved to be best: such a proof does not say how soon a win comes, or
//! how to lose as late as possible.
//!
//! Where the game has a decisive prover, proofs get a share from the start.
//!
//! In games with checks a probe asks first whether a forced win is near (`win_probe.rs`).
//!
//! Elsewhere the player searches first. Where its value says that the game is about decided, the
//! rest of the limits goes into a proof of that, and into how soon a win comes: a better estimate
//! would change nothing, and df-pn finds a long forced win with few replies sooner than a deeper
//! search does.

use ludex_core::{Fault, Game, GameExt, Limits, Random, Turn};

use crate::player::{GamePlayer, Observer, SearchRoot};
use crate::proof::player::{DfpnPlayer, Wanted};
use crate::proof::{DfpnConfig, GameValue};
use crate::result::{Line, Proved, SearchResult};

/// Random games that are played out.
const GAMES: u64 = 8;

/// The end is near where these have at most this many decimal digits of ways to play on, on
/// average: 12 plies with 7 moves each have 10.
const DIGITS: f64 = 12.0;

/// And where none of them is longer than this.
const PLIES: u32 = 200;

/// One part in this many of the limits goes into proofs.
const SHARE: u32 = 2;

/// That part of the time far from the end, where the game sees at once what is forced: what can be
/// proved there is mostly proved soon, and the rest is for the player.
const SHARE_AFAR: u32 = 10;

/// A position whose value is above this, or below the opposite, is about decided: proofs get the
/// rest.
const DECIDED: f64 = 0.5;

/// Before that it has one part in this many of the nodes, and all but one part in this many of the
/// time: a position costs a proof many times what it costs alpha-beta.
const FIRST_OF_NODES: u64 = 2;
const REST_OF_TIME: u32 = 4;

/// The part of the time in which the random games must be over.
const LOOKING: u32 = 8;

/// The search for proofs, with its table.
pub(super) struct Endgame {
    solver: DfpnPlayer,
}

/// What proofs have shown of a position.
pub(super) struct ProofOutcome<M> {
    /// What it is worth to the player to move, where that is proved.
    pub(super) value: Option<GameValue>,
    /// What is proved of its moves.
    pub(super) result: SearchResult<M>,
}

impl Endgame {
    /// Proofs with a table of `memory` bytes.
    pub(super) fn new(memory: usize) -> Self {
        Self { solver: DfpnPlayer::new(DfpnConfig::default(), memory) }
    }

    pub(super) fn forget<G: Game>(&mut self) {
        GamePlayer::<G>::forget(&mut self.solver);
    }

    /// Proves what it can of a position that is near to the end, or of any where the game has a
    /// decisive prover; nothing elsewhere, and without limits.
    pub(super) fn prove_near_end<G: Game>(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
    ) -> Option<ProofOutcome<G::Move>> {
        if !is_limited(limits) {
            return None;
        }
        let share = if is_near(root, limits).unwrap_or(false) {
            SHARE
        } else if root.game.has_decisive_prover() {
            SHARE_AFAR
        } else {
            return None;
        };
        let nodes = limits.nodes.map(|it| it / u64::from(SHARE));
        let limits = Limits { nodes, ..limits.part_of_time(share) };
        // The observer may stop the search at a result, and the player has not searched yet.
        self.prove(root, limits, &mut |_| (), Wanted::GameValue)
    }

    /// Searches for a proof of a player's value, and adds what is proved to its result. Of a win
    /// `win` is wanted.
    pub(super) fn confirm_value<G: Game>(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        result: &mut SearchResult<G::Move>,
        win: Wanted,
    ) {
        let is_good = result.lines.first().is_some_and(|it| it.value > 0.0);
        let wanted = if is_good { win } else { Wanted::Loss };
        self.confirm(root, (limits, observer), result, wanted);
    }

    /// Searches for a proof with what is left of the limits, and adds what is proved to a player's
    /// result.
    pub(super) fn confirm<G: Game>(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        result: &mut SearchResult<G::Move>,
        wanted: Wanted,
    ) -> Option<ProofOutcome<G::Move>> {
        let (rest, before) = (limits.after(result.nodes), result.clone());
        let mut tell = |it: &SearchResult<G::Move>| {
            let mut told = before.clone();
            ProofOutcome { value: None, result: it.clone() }.add_to(&mut told);
            observer(&told);
        };
        let known = self.prove(root, rest, &mut tell, wanted)?;
        known.add_to(result);
        Some(known)
    }

    /// What can be proved of a position within limits.
    ///
    /// A proof looks at moves that no player would choose. If the rules are at fault there, or
    /// chance has a say, nothing is known and nothing is lost: the player meets what matters by
    /// itself.
    pub(super) fn prove<G: Game>(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
        wanted: Wanted,
    ) -> Option<ProofOutcome<G::Move>> {
        self.solver.want(wanted);
        match self.solver.search(root, limits, observer) {
            Ok(result) => Some(ProofOutcome { value: self.solver.value(), result }),
            Err(_) => {
                self.forget::<G>();
                None
            }
        }
    }
}

/// Whether limits say how long to search.
pub(super) fn is_limited(limits: Limits<'_>) -> bool {
    limits.nodes.is_some() || limits.time.is_some()
}

/// What the player may spend before it is asked whether the game is about decided.
pub(super) fn before_the_rest(limits: Limits<'_>) -> Limits<'_> {
    let elapsed = limits.clock.elapsed();
    let left = limits.time.map(|it| it.saturating_sub(elapsed));
    let time = left.map(|it| elapsed + it / REST_OF_TIME * (REST_OF_TIME - 1));
    let nodes = limits.nodes.map(|it| it.div_ceil(FIRST_OF_NODES));
    Limits { time, nodes, ..limits }
}

/// Whether the game is about decided by an estimate, and not by a proof.
pub(super) fn is_about_decided<M>(result: &SearchResult<M>) -> bool {
    let best = result.lines.first();
    best.is_some_and(|it| it.proved.is_none() && it.value.abs() > DECIDED)
}

/// Whether it is proved what the position is worth. A move that is proved to draw leaves that open
/// as long as the values of others are only estimates.
pub(super) fn is_settled<M>(result: &SearchResult<M>) -> bool {
    let best = result.lines.first().and_then(|it| it.proved);
    best.is_some_and(|it| it.utility != 0.0) || result.lines.iter().all(|it| it.proved.is_some())
}

impl<M: Copy + Ord> ProofOutcome<M> {
    /// What is left of the budget for the player.
    pub(super) fn rest<'b>(&self, limits: Limits<'b>) -> Limits<'b> {
        limits.after(self.result.nodes)
    }

    /// Adds what is proved to the player's result, and puts the moves that are proved to be best
    /// first.
    pub(super) fn add_to(&self, result: &mut SearchResult<M>) {
        self.add_by(result, |mv| self.plies_to_win(mv));
    }

    /// The same where points count, and not how soon a win comes.
    pub(super) fn add_to_points(&self, result: &mut SearchResult<M>) {
        self.add_by(result, |_| 0);
    }

    /// Adds what is known. Of moves that are worth the same, those with the smallest `rank` come
    /// first.
    fn add_by(&self, result: &mut SearchResult<M>, rank: impl Fn(M) -> u32) {
        for line in &mut result.lines {
            let known = self.result.lines.iter().find(|it| it.mv == line.mv);
            let is_vague = |it: Proved| it.plies.is_none() && it.points.is_none();
            let is_news = line.proved.is_none_or(|it| it.utility > 0.0 && is_vague(it));
            if let Some(known) = known.filter(|_| is_news)
                && let Some(proved) = known.proved
            {
                (line.proved, line.value, line.is_at_most) = (Some(proved), proved.utility, false);
                if proved.plies.is_some() {
                    line.pv.clone_from(&known.pv);
                }
            }
        }
        let before = result.best();
        result.lines.sort_by_key(|it| (self.class(it), rank(it.mv)));
        if result.best() != before {
            result.found = self.result.found;
        }
        result.nodes += self.result.nodes;
        result.elapsed = result.elapsed.max(self.result.elapsed);
    }

    /// In how many plies a move is known to win at most, if it is known here: the fewer the better.
    fn plies_to_win(&self, mv: M) -> u32 {
        let line = self.result.lines.iter().find(|it| it.mv == mv);
        let proved = line.and_then(|it| it.proved).filter(|it| it.utility > 0.0);
        proved.and_then(|it| it.plies).unwrap_or(u32::MAX)
    }

    /// The better the lower. Moves of one class stay in the order of the player.
    fn class(&self, line: &Line<M>) -> u8 {
        match line.proved.map(|it| it.utility) {
            Some(utility) if utility > 0.0 => 0,
            // Nothing is better than a draw where that is all there is.
            Some(utility) if utility == 0.0 && self.value == Some(GameValue::Draw) => 1,
            // Elsewhere what is hoped for comes before it, and what is feared after it. Of a move
            // that is worth so much at most there is nothing to hope for.
            None if line.value > 0.0 && !line.is_at_most => 2,
            Some(0.0) => 3,
            None => 4,
            Some(_) => 5,
        }
    }
}

/// Whether there are few ways to play on. Where it takes long to see that, there are not.
fn is_near<G: Game>(root: SearchRoot<'_, G>, limits: Limits<'_>) -> Result<bool, Fault> {
    let looking = limits.part_of_time(LOOKING);
    let is_late = || looking.is_reached(0);
    let mut digits = 0.0;
    for number in 0..GAMES {
        let mut random = Random::stream(root.game.hash(&root.position.state), number, 0x0e4d);
        let most = GAMES as f64 * DIGITS - digits;
        let Some(more) = digits_of_a_game(root, &mut random, most, &is_late)? else {
            return Ok(false);
        };
        digits += more;
    }
    Ok(true)
}

/// The digits of the product of all choices of a random game; nothing where these are more than
/// `most`, where the game does not end or it gets late, or where it is not one player's turn.
fn digits_of_a_game<G: Game>(
    root: SearchRoot<'_, G>,
    random: &mut Random,
    most: f64,
    is_late: &dyn Fn() -> bool,
) -> Result<Option<f64>, Fault> {
    let SearchRoot { game, position } = root;
    let mut position = position.clone();
    let mut digits = 0.0;
    for _ in 0..PLIES {
        match game.turn(&position)? {
            Turn::Over => return Ok(Some(digits)),
            Turn::Of(_) => {}
            Turn::Joint(_) | Turn::Chance => return Ok(None),
        }
        digits += (game.count_moves(&position)?.max(1) as f64).log10();
        if digits > most || is_late() {
            return Ok(None);
        }
        let Some(mv) = game.random_move(&position, random)? else { return Ok(None) };
        game.apply(&mut position, &[mv])?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use ludex_testkit::{Pig, TicTacToe};

    use ludex_core::PositionOf;

    use super::*;

    /// The position after some random moves.
    fn after(moves: u32) -> PositionOf<TicTacToe> {
        let mut state = TicTacToe.start();
        let mut random = Random::stream(1, 0, 0);
        for _ in 0..moves {
            let mv = TicTacToe.random_move(&state, &mut random).unwrap().unwrap();
            TicTacToe.apply(&mut state, &[mv]).unwrap();
        }
        state
    }

    #[test]
    fn a_position_near_the_end_is_known() {
        let state = after(3);
        let root = SearchRoot { game: &TicTacToe, position: &state };
        let limits = Limits::of_nodes(100_000);
        let mut endgame = Endgame::new(1 << 20);
        let known = endgame.prove_near_end(root, limits).expect("the end is near");
        assert!(known.value.is_some() && known.result.nodes <= 50_000);
        let rest = known.rest(limits).nodes;
        assert_eq!(rest, Some(100_000 - known.result.nodes));
        // When it is late already, the distance to the end is not estimated.
        let late = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        assert!(endgame.prove_near_end(root, late).is_none());
        // Without limits there is no telling how long to search.
        assert!(endgame.prove_near_end(root, Limits::default()).is_none());
    }

    #[test]
    fn where_chance_decides_nothing_is_known() {
        let game = Pig { goal: 9, faces: 3 };
        let position = game.start();
        let root = SearchRoot { game: &game, position: &position };
        let mut endgame = Endgame::new(1 << 20);
        assert!(endgame.prove_near_end(root, Limits::of_nodes(1_000)).is_none());
    }

    #[test]
    fn what_seems_decided_and_is_not_known_is_to_be_proved() {
        let told = |value, proved| {
            let line = Line { value, proved, ..Line::new(1_u8) };
            is_about_decided(&SearchResult { lines: vec![line], ..SearchResult::default() })
        };
        assert!(told(0.8, None) && told(-0.8, None));
        assert!(!told(0.3, None) && !told(-0.3, None) && !told(1.0, Some(Proved::WIN)));
        assert!(!is_about_decided(&SearchResult::<u8>::default()));
        let limits =
            Limits { time: Some(std::time::Duration::from_secs(4)), ..Limits::of_nodes(9) };
        let first = before_the_rest(limits);
        assert_eq!((first.nodes, first.time), (Some(5), Some(std::time::Duration::from_secs(3))));
    }

    #[test]
    fn a_draw_settles_nothing_while_other_moves_are_open() {
        let told = |proved: [Option<Proved>; 2]| {
            let lines = proved.map(|proved| Line { proved, ..Line::new(1_u8) });
            is_settled(&SearchResult { lines: lines.into(), ..SearchResult::default() })
        };
        let (win, draw, loss) = (Some(Proved::WIN), Some(Proved::DRAW), Some(Proved::LOSS));
        assert!(told([win, None]) && told([draw, draw]) && told([draw, loss]));
        assert!(told([loss, loss]) && !told([draw, None]) && !told([None, loss]));
    }

    #[test]
    fn what_is_known_comes_first_and_the_player_chooses_among_it() {
        let line = |mv: u8, value: f64, proved| Line { value, proved, ..Line::new(mv) };
        let lines =
            vec![line(1, 0.9, None), line(2, 0.5, None), line(3, 0.1, None), line(4, 0.0, None)];
        let result = SearchResult { lines, nodes: 10, ..SearchResult::default() };
        let order = |value, proved: [Option<Proved>; 4]| {
            let lines = (1..).zip(proved).map(|(mv, it)| line(mv, 0.0, it)).collect();
            let known = ProofOutcome {
                value,
                result: SearchResult { lines, nodes: 5, ..SearchResult::default() },
            };
            let mut told = result.clone();
            known.add_to(&mut told);
            assert_eq!(told.nodes, 15);
            told.lines.iter().map(|it| it.mv).collect::<Vec<u8>>()
        };
        let (win, draw, loss) = (Some(Proved::WIN), Some(Proved::DRAW), Some(Proved::LOSS));
        assert_eq!(order(None, [None; 4]), [1, 2, 3, 4]);
        assert_eq!(order(Some(GameValue::Win), [None, None, win, win]), [3, 4, 1, 2]);
        assert_eq!(order(None, [loss, None, draw, None]), [2, 3, 4, 1]);
        assert_eq!(order(None, [draw, None, None, None]), [2, 3, 1, 4]);
        let mut bounded = result.clone();
        bounded.lines.iter_mut().skip(1).for_each(|it| it.is_at_most = true);
        let known = ProofOutcome {
            value: None,
            result: SearchResult { lines: vec![line(1, 0.0, draw)], ..SearchResult::default() },
        };
        known.add_to(&mut bounded);
        assert_eq!(bounded.best(), Some(1), "no other is known to be any good");
        assert_eq!(order(Some(GameValue::Draw), [None, loss, draw, draw]), [3, 4, 1, 2]);
        assert_eq!(order(Some(GameValue::Loss), [loss; 4]), [1, 2, 3, 4]);
    }
}
