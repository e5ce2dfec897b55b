//! The referee: one game between two contestants or more, from its opening to its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ludex_core::{Fault, Game, GameExt, Payoff, Player, PositionOf, Random, Turn};

use crate::adjudication::{Adjudication, Adjudicator, Verdict};
use crate::contestant::{Answer, BestMove, Contestant, Failure, FailureKind, GameView};
use crate::game::{MoveMade, PlayedGame, Termination};
use crate::openings::Opening;
use crate::points::Points;
use crate::time_control::{Clocks, TimeControl, TimeLimit};

/// The contestants of a game, first player first.
pub type Seats<'s, 'c, G> = &'s mut [&'c mut dyn Contestant<G>];

/// The conditions of a game.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a, G> {
    /// The rules.
    pub game: &'a G,
    /// The time control.
    pub time_control: TimeControl,
    /// The move limit: a game of this many moves is a draw. The opening's moves do not count.
    pub longest: u32,
    /// When a game is adjudicated.
    pub adjudication: Adjudication,
    /// Whether contestants think on the time of their opponents.
    pub ponder: bool,
    /// Ends the game when it is raised.
    pub stop: &'a AtomicBool,
}

/// Plays one game. An error is a fault of the rules; a failure of a contestant is a lost game.
///
/// `seed` fixes chance and the random choices of contestants; each seat gets a seed of its own.
pub fn play_game<G: Game>(
    conditions: &Conditions<'_, G>,
    opening: &Opening<G>,
    seats: Seats<'_, '_, G>,
    seed: u64,
) -> Result<PlayedGame, Fault> {
    let players = conditions.game.players();
    if players < 2 || players != seats.len() {
        let message = format!("{} contestants cannot play a game of {players}", seats.len());
        return Err(fault("seats", &message));
    }
    if players > 2 && conditions.adjudication != Adjudication::default() {
        return Err(fault("two-players", "only games of two players can be adjudicated"));
    }
    let mut referee = Referee::new(conditions, opening, seed);
    let mut end = referee.begin(seats)?;
    while end.is_none() {
        end = referee.step(seats)?;
    }
    let end = end.unwrap_or(Termination::Interrupted);
    let how = end.words(&ordinals(players));
    let how = how.unwrap_or_else(|| "the game is over".to_owned());
    for (seat, contestant) in seats.iter_mut().enumerate() {
        contestant.end(&how, matches!(&end, Termination::Failed(it, _) if *it == seat));
    }
    referee.finish(end)
}

/// The words for players without names.
fn ordinals(players: usize) -> Vec<String> {
    let known = ["first", "second", "third", "fourth"].map(str::to_owned);
    let others = (known.len() + 1..).map(|it| format!("{it}th"));
    known.into_iter().chain(others).take(players).map(|it| format!("the {it} player")).collect()
}

/// A running game.
struct Referee<'a, G: Game> {
    conditions: &'a Conditions<'a, G>,
    opening: &'a Opening<G>,
    seed: u64,
    random: Random,
    position: PositionOf<G>,
    moves: Vec<G::Move>,
    names: Vec<String>,
    clocks: Clocks,
    adjudicator: Adjudicator,
    /// The adjudicated end; the rules come first, if they end the game as well.
    adjudicated: Option<Termination>,
    played: PlayedGame,
}

impl<'a, G: Game> Referee<'a, G> {
    fn new(conditions: &'a Conditions<'a, G>, opening: &'a Opening<G>, seed: u64) -> Self {
        let seats = conditions.game.players();
        let played = PlayedGame {
            start: opening.start.clone(),
            opening: opening.names.clone(),
            moves: Vec::new(),
            points: Points::draw(seats),
            scores: Vec::new(),
            end: Termination::Rules,
            overrun: Duration::ZERO,
            nodes: vec![0; seats],
        };
        Self {
            conditions,
            opening,
            seed,
            random: Random::stream(seed, 0, CHANCE),
            position: opening.position.clone(),
            moves: opening.moves.clone(),
            names: opening.names.clone(),
            clocks: Clocks::new(conditions.time_control, seats),
            adjudicator: Adjudicator::new(conditions.adjudication),
            adjudicated: None,
            played,
        }
    }

    fn view(&self) -> GameView<'_, G> {
        GameView {
            game: self.conditions.game,
            position: &self.position,
            start: self.opening.start.as_deref(),
            start_state: &self.opening.start_state,
            moves: &self.moves,
            names: &self.names,
            stop: self.conditions.stop,
        }
    }

    /// Announces the game to all contestants.
    fn begin(&mut self, seats: Seats<'_, '_, G>) -> Result<Option<Termination>, Fault> {
        for (seat, contestant) in seats.iter_mut().enumerate() {
            let seed = Random::stream(self.seed, 0, seat as u64).next_u64();
            if let Err(failure) = contestant.begin(&self.view(), Player(seat as u8), seed) {
                return self.failed(seat, failure).map(Some);
            }
        }
        Ok(None)
    }

    /// One turn; the termination, if it ended the game.
    fn step(&mut self, seats: Seats<'_, '_, G>) -> Result<Option<Termination>, Fault> {
        match self.conditions.game.turn(&self.position)? {
            Turn::Over => Ok(Some(Termination::Rules)),
            _ if self.adjudicated.is_some() => Ok(self.adjudicated.take()),
            _ if self.conditions.stop.load(Ordering::Relaxed) => Ok(Some(Termination::Interrupted)),
            _ if self.played.moves.len() >= self.conditions.longest as usize => {
                Ok(Some(Termination::MoveLimit))
            }
            Turn::Of(player) => self.turn(player, seats),
            Turn::Chance => {
                let (game, random) = (self.conditions.game, &mut self.random);
                let mv = game.random_move(&self.position, random)?;
                let mv = mv.ok_or_else(|| fault("no-move", "chance has no move"))?;
                self.make(mv, MoveMade::default())?;
                Ok(None)
            }
            Turn::Joint(_) => Err(fault(
                "no-single-turn",
                "matches are for games in which one player moves at a time",
            )),
        }
    }

    /// A player's turn.
    fn turn(
        &mut self,
        player: Player,
        seats: Seats<'_, '_, G>,
    ) -> Result<Option<Termination>, Fault> {
        let seat = player.index().min(seats.len() - 1);
        let (before, rest) = seats.split_at_mut(seat);
        let Some((mover, after)) = rest.split_first_mut() else {
            return Err(fault("seats", "no player has the turn"));
        };
        let mut others: Vec<&mut dyn Contestant<G>> = Vec::new();
        if self.conditions.ponder {
            for other in before.iter_mut().chain(after) {
                others.push(&mut **other);
            }
        }
        let limits = self.clocks.limits(seat, mover.has_own_limits());
        let view = self.view();
        let mut timed = || {
            let begun = Instant::now();
            let answer = mover.think(&view, &limits);
            (answer, begun.elapsed())
        };
        let (answer, spent) =
            if others.is_empty() { timed() } else { while_pondering(others, &view, timed) };
        if self.conditions.stop.load(Ordering::Relaxed) {
            return Ok(Some(Termination::Interrupted));
        }
        if let TimeLimit::Move(time) = limits.time {
            self.played.overrun = self.played.overrun.max(spent.saturating_sub(time));
        }
        let best = match answer {
            Ok(best) => best,
            Err(failure) => return self.failed(seat, failure).map(Some),
        };
        if !self.clocks.spend(seat, spent) {
            return Ok(Some(Termination::TimeForfeit(seat)));
        }
        self.answered(seat, best, spent)
    }

    /// Checks an answer and plays it.
    fn answered(
        &mut self,
        seat: usize,
        best: BestMove<G::Move>,
        spent: Duration,
    ) -> Result<Option<Termination>, Fault> {
        let mv = match self.legal(seat, &best.answer)? {
            Ok(Some(mv)) => mv,
            Ok(None) => return Ok(Some(Termination::Resigned(seat))),
            Err(failure) => return Ok(Some(Termination::Failed(seat, failure))),
        };
        self.played.nodes[seat] += best.nodes.unwrap_or(0);
        let made = MoveMade {
            name: String::new(),
            seat: Some(seat),
            spent: Some(spent),
            left: self.clocks.left(seat),
            value: best.score.as_ref().map(|it| it.value),
            score_text: best.score.as_ref().and_then(|it| it.text.clone()),
            depth: best.depth,
            nodes: best.nodes,
        };
        self.make(mv, made)?;
        let is_adjudicated = self.conditions.adjudication != Adjudication::default();
        let judge = || self.adjudicator.judge(seat, best.score.as_ref());
        let verdict = is_adjudicated.then(judge).flatten();
        self.adjudicated = verdict.map(|it| match it {
            Verdict::Lost(seat) => Termination::AdjudicatedLoss(seat),
            Verdict::Draw => Termination::AdjudicatedDraw,
        });
        Ok(None)
    }

    /// The legal move of an answer; `None` where the contestant resigns.
    fn legal(
        &self,
        seat: usize,
        answer: &Answer<G::Move>,
    ) -> Result<Result<Option<G::Move>, Failure>, Fault> {
        let (game, player) = (self.conditions.game, Player(seat as u8));
        let found = match answer {
            Answer::Resign => return Ok(Ok(None)),
            Answer::Text(name) => game.named(&self.position, player, name)?,
            Answer::Move(mv) => {
                let mut legal = Vec::new();
                game.moves(&self.position, player, &mut legal)?;
                legal.contains(mv).then_some(*mv)
            }
        };
        let illegal = || {
            let shown = match answer {
                Answer::Text(name) => name.clone(),
                Answer::Move(mv) => game.name(&self.position.state, *mv),
                Answer::Resign => String::new(),
            };
            Failure::illegal(&shown)
        };
        Ok(found.map(Some).ok_or_else(illegal))
    }

    fn make(&mut self, mv: G::Move, made: MoveMade) -> Result<(), Fault> {
        let name = self.conditions.game.name(&self.position.state, mv);
        self.conditions.game.apply(&mut self.position, &[mv])?;
        self.moves.push(mv);
        self.names.push(name.clone());
        self.played.moves.push(MoveMade { name, ..made });
        Ok(())
    }

    /// The termination after a failure of a seat; an error where the rules have the fault.
    fn failed(&self, seat: usize, failure: Failure) -> Result<Termination, Fault> {
        if self.conditions.stop.load(Ordering::Relaxed) {
            return Ok(Termination::Interrupted);
        }
        match failure {
            Failure { kind: FailureKind::Rules, fault, reason } => {
                Err(fault.unwrap_or_else(|| self::fault("rules", &reason)))
            }
            Failure { kind: FailureKind::TimedOut, .. } if self.clocks.left(seat).is_some() => {
                Ok(Termination::TimeForfeit(seat))
            }
            other => Ok(Termination::Failed(seat, other)),
        }
    }

    /// The played game with its points.
    fn finish(self, end: Termination) -> Result<PlayedGame, Fault> {
        let mut played = self.played;
        let seats = self.conditions.game.players();
        if end == Termination::Rules {
            let payoff = |it| self.conditions.game.payoff(&self.position, Player(it as u8));
            let payoffs = (0..seats).map(payoff).collect::<Result<Vec<Payoff>, Fault>>()?;
            played.scores = payoffs.iter().map(|it| it.score).collect();
            let utilities: Vec<f64> = payoffs.iter().map(|it| it.utility).collect();
            played.points = Points::of_values(&utilities);
        } else if let Some(loser) = end.loser() {
            played.points = Points::lost_by(loser, seats);
        }
        played.end = end;
        Ok(played)
    }
}

/// The random stream of chance, beside those of the seats.
const CHANCE: u64 = 1 << 32;

/// Lets the other contestants ponder while the mover searches, and no longer.
fn while_pondering<G: Game, T>(
    contestants: Vec<&mut dyn Contestant<G>>,
    view: &GameView<'_, G>,
    think: impl FnOnce() -> T,
) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for contestant in contestants {
            scope.spawn(|| contestant.ponder(view, &stop));
        }
        let answer = think();
        stop.store(true, Ordering::Relaxed);
        answer
    })
}

fn fault(code: &'static str, message: &str) -> Fault {
    Fault { code, message: message.to_owned(), place: None }
}
