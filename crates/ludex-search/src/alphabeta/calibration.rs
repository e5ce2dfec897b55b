//! Calibration of alpha-beta for a game and an evaluation: measured in positions of random
//! games when a game is met for the first time.

use std::sync::atomic::{AtomicBool, AtomicU64};

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Capture, Fault, Game, GameExt, Limits, Player, PositionOf, Random};

use super::candidates::CandidateMode;
use super::config::{AlphaBetaConfig, NullMove};
use super::scores::ScoreMeaning;
use super::table::TranspositionTable;
use super::worker::{Shared, Window, Worker};
use crate::error::SearchError;
use crate::evaluation::{Evaluate, Standpoint};
use crate::profile::are_checks;

/// What a game is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// What a man of each kind was worth when it was taken, as far as that was seen.
    pub men: Vec<Option<i32>>,
    /// Whether moves are seen to take men.
    pub captures: bool,
    /// Whether games are decided by quiet moves out of the blue: then nothing may be given up
    /// early, for the next move may win.
    pub sudden: bool,
    /// How much a quiet move usually changes the evaluation, and a little more.
    pub swing: i32,
    /// Whether there are checks, now and then, that have to be answered.
    pub checks: bool,
    /// Whether a null move can be trusted.
    pub may_pass: bool,
    /// What scores mean.
    pub scores: ScoreMeaning,
}

impl Default for Calibration {
    /// Nothing is known: nothing is pruned.
    fn default() -> Self {
        Self {
            men: Vec::new(),
            captures: true,
            sudden: true,
            swing: 2000,
            checks: false,
            may_pass: false,
            scores: ScoreMeaning::Unknown,
        }
    }
}

/// Random games to look at, and positions taken from them.
const GAMES: u64 = 40;
const SAMPLES: usize = 120;
/// Turns of a random game at most.
const PLIES: u32 = 200;
/// Depth and nodes of the searches that null moves are compared with.
const DEPTH: i32 = 3;
const NODES: u64 = 1_500;

/// Random games of which only the ends are looked at, where there were too few of them to tell.
const MORE_GAMES: u64 = 160;

/// Games are sudden where more than one move in this many wins without a capture. Moves are counted
/// and not games: where hardly any random game ends, the few ends say nothing of what a move
/// may do.
const RARE: u32 = 1200;

/// Fewer captures of a kind say nothing of its worth.
const FEW: usize = 3;

impl Calibration {
    /// Looks at a game. `stop` is asked now and then whether to leave it; then there is no answer.
    pub fn of<G: Game>(
        game: &G,
        evaluation: &dyn Evaluate<G>,
        seed: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, SearchError> {
        let Some(view) = TwoPlayer::new(game) else { return Ok(Some(Self::default())) };
        let mut random = Random::stream(seed, 0x0107, 0);
        let mut seen = Seen::<G>::default();
        for _ in 0..GAMES {
            if stop() {
                return Ok(None);
            }
            seen.game(view, evaluation, &mut random)?;
        }
        for _ in 0..MORE_GAMES {
            if stop() {
                return Ok(None);
            }
            if !seen.is_doubtful() {
                break;
            }
            seen.end_of_game(view, &mut random)?;
        }
        let mut calibration = seen.calibration();
        let Some(trust) = null_moves_agree(view, evaluation, &calibration, &seen.positions, stop)?
        else {
            return Ok(None);
        };
        calibration.may_pass = trust;
        Ok(Some(calibration))
    }
}

/// What has been seen of random games.
struct Seen<G: Game> {
    positions: Vec<(PositionOf<G>, Player)>,
    captures: u32,
    /// Changes of the evaluation by quiet moves.
    changes: Vec<i32>,
    /// Changes by captures, for each kind that was taken.
    gains: Vec<Vec<i32>>,
    /// Moves, and those of them that won without taking anything.
    moves: u32,
    quiet_wins: u32,
    /// Positions of the first games in which a check had to be answered, of how many.
    checks: u32,
    looked: u32,
    scores: ScoreMeaning,
}

impl<G: Game> Default for Seen<G> {
    fn default() -> Self {
        let (positions, changes, gains) = (Vec::new(), Vec::new(), Vec::new());
        let (captures, moves, quiet_wins, checks, looked) = (0, 0, 0, 0, 0);
        let scores = ScoreMeaning::Unknown;
        Self { positions, captures, changes, gains, moves, quiet_wins, checks, looked, scores }
    }
}

impl<G: Game> Seen<G> {
    fn game(
        &mut self,
        view: TwoPlayer<'_, G>,
        evaluation: &dyn Evaluate<G>,
        random: &mut Random,
    ) -> Result<(), Fault> {
        let game = view.game();
        let mut position = game.start();
        let every = random.below(8) + 8;
        for ply in 0..PLIES {
            let Some(mover) = view.mover(&position)? else { return Ok(()) };
            let Some(mv) = game.random_move(&position, random)? else { return Ok(()) };
            let taken = game.capture(&position.state, mv);
            let is_capture = matches!(taken, Capture::Man(_));
            self.moves += 1;
            self.looked += 1;
            self.checks += u32::from(game.in_check(&position).unwrap_or(false));
            self.captures += u32::from(is_capture);
            let is_due = ply % every == every / 2;
            let is_sample = is_due || is_capture;
            if is_due && self.positions.len() < SAMPLES {
                self.positions.push((position.clone(), mover));
            }
            let from =
                |mover_then: Player, depth| Standpoint { mover: mover_then, side: mover, depth };
            let mut before = 0;
            if is_sample {
                before = evaluation.evaluate(game, &position, from(mover, 0))?;
            }
            game.apply(&mut position, &[mv])?;
            match view.mover(&position)? {
                None => {
                    let is_won = view.value(&position, mover)? > 0.5;
                    self.quiet_wins += u32::from(is_won && !is_capture);
                    self.scores = self.scores.after(view, &position)?;
                }
                Some(next) if is_sample => {
                    let after = evaluation.evaluate(game, &position, from(next, 1))?;
                    let after = if next == mover { after } else { after.saturating_neg() };
                    self.changed(taken, after.saturating_sub(before));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Whether the number of quiet wins may as well be chance, in a game at the border between
    /// sudden and not: less than two standard deviations away from it.
    fn is_doubtful(&self) -> bool {
        let border = f64::from(self.moves) / f64::from(RARE);
        let apart = f64::from(self.quiet_wins) - border;
        apart * apart < 4.0 * border
    }

    /// Plays a random game to see how it ends.
    fn end_of_game(&mut self, view: TwoPlayer<'_, G>, random: &mut Random) -> Result<(), Fault> {
        let game = view.game();
        let mut position = game.start();
        let mut last = None;
        for _ in 0..PLIES {
            let Some(mover) = view.mover(&position)? else { break };
            let Some(mv) = game.random_move(&position, random)? else { return Ok(()) };
            self.moves += 1;
            last = Some((mover, matches!(game.capture(&position.state, mv), Capture::Man(_))));
            game.apply(&mut position, &[mv])?;
        }
        let is_over = view.mover(&position)?.is_none();
        let Some((mover, false)) = last.filter(|_| is_over) else { return Ok(()) };
        self.quiet_wins += u32::from(view.value(&position, mover)? > 0.5);
        Ok(())
    }

    /// A move that has taken this has changed the evaluation so much for who made it.
    fn changed(&mut self, taken: Capture, change: i32) {
        let Capture::Man(kind) = taken else {
            self.changes.push(change.saturating_abs());
            return;
        };
        let kind = usize::from(kind);
        if self.gains.len() <= kind {
            self.gains.resize(kind + 1, Vec::new());
        }
        self.gains[kind].push(change);
    }

    fn calibration(&mut self) -> Calibration {
        self.changes.sort_unstable();
        // Nine of ten quiet moves change less.
        let at = self.changes.len() * 9 / 10;
        let swing = self.changes.get(at).copied().unwrap_or(2000).clamp(50, 200_000);
        let sudden = self.quiet_wins * RARE > self.moves;
        let men = self.gains.iter_mut().map(|it| median(it)).collect();
        let checks = are_checks(f64::from(self.checks) / f64::from(self.looked.max(1)));
        let (captures, scores) = (self.captures > 0, self.scores);
        Calibration { men, captures, sudden, swing, checks, may_pass: false, scores }
    }
}

/// The one in the middle, where there are a few.
fn median(values: &mut [i32]) -> Option<i32> {
    values.sort_unstable();
    (values.len() >= FEW).then(|| values[values.len() / 2])
}

/// Whether positions that a null move would cut off are really that good, nearly always.
fn null_moves_agree<G: Game>(
    view: TwoPlayer<'_, G>,
    evaluation: &dyn Evaluate<G>,
    calibration: &Calibration,
    positions: &[(PositionOf<G>, Player)],
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<bool>, SearchError> {
    let (mut cuts, mut wrong) = (0_u32, 0_u32);
    for (position, mover) in positions {
        if stop() {
            return Ok(None);
        }
        match disagrees(view, evaluation, calibration, position, *mover) {
            Ok(None) => {}
            Ok(Some(is_wrong)) => {
                cuts += 1;
                wrong += u32::from(is_wrong);
            }
            Err(error) => error.unless_stopped()?,
        }
    }
    // Where a null move never cuts it is of no use, and where it is wrong it is harmful.
    Ok(Some(cuts >= 5 && wrong * 12 <= cuts))
}

/// Whether a null move cuts a position off that is not that good; `None` where it does not cut.
fn disagrees<G: Game>(
    view: TwoPlayer<'_, G>,
    evaluation: &dyn Evaluate<G>,
    calibration: &Calibration,
    position: &PositionOf<G>,
    mover: Player,
) -> Result<Option<bool>, SearchError> {
    let config = AlphaBetaConfig {
        null: NullMove::Yes,
        table: false,
        window: 0,
        lmr: false,
        futility: false,
        ..AlphaBetaConfig::default()
    };
    let (nodes, flag, table) =
        (AtomicU64::new(0), AtomicBool::new(false), TranspositionTable::default());
    let shared = Shared {
        view,
        config: &config,
        evaluation,
        calibration,
        table: &table,
        candidate_mode: CandidateMode::None,
        limits: Limits::of_nodes(NODES),
        nodes: &nodes,
        stop: &flag,
    };
    let mut worker = Worker::new(&shared, position, mover);
    worker.begin(DEPTH as u32);
    if worker.in_check(0) {
        return Ok(None);
    }
    worker.list(0, mover)?;
    let beta = worker.evaluate(0, mover)?;
    let Some(passed) = view.game().null_move(&position.state) else { return Ok(None) };
    worker.reserve(1);
    worker.frames[1].position.state = passed;
    worker.frames[1].position.trail.clone_from(&position.trail);
    let narrow = Window::above(beta - 1);
    if worker.visit(1, mover, DEPTH - 3, narrow, false)? < beta {
        return Ok(None);
    }
    // The position as if the opponent had just led to it, searched without passing.
    let view = opponent(mover);
    let config = AlphaBetaConfig { null: NullMove::No, ..config.clone() };
    let shared = Shared { config: &config, ..shared };
    let mut worker = Worker::new(&shared, position, mover);
    worker.begin(DEPTH as u32);
    let low = beta.saturating_sub(calibration.swing / 2);
    let value = -worker.visit(0, view, DEPTH, Window::above(-low), false)?;
    Ok(Some(value < low))
}
