//! One game between two contestants or more, from its opening to its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ludex_core::{Fault, Game, Payoff, Player, Random, Turn};

use crate::adjudication::{Adjudication, Bench, Verdict};
use crate::clocks::{Clocks, Pace, Time};
use crate::contestant::{Answer, Choice, Contestant, Failure, FailureKind, Situation};
use crate::openings::Opening;
use crate::points::Points;

/// Those who play, first player first.
pub type Seats<'s, 'c, G> = &'s mut [&'c mut dyn Contestant<G>];

/// What is agreed for a game.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a, G> {
    /// The rules.
    pub game: &'a G,
    /// How long to think.
    pub pace: Pace,
    /// A game that is not over after so many moves, the opening's not counted, is a draw.
    pub longest: u32,
    /// When a game is cut short.
    pub adjudication: Adjudication,
    /// Whether contestants think on the time of their opponents.
    pub ponder: bool,
    /// Ends the game when it is raised.
    pub stop: &'a AtomicBool,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The position it began with, where that is not the usual one.
    pub start: Option<String>,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves after it.
    pub moves: Vec<MoveMade>,
    /// What everybody got.
    pub points: Points,
    /// What the rules gave each player, first player first; nothing where the rules did not end it.
    pub scores: Vec<i64>,
    /// Why it ended.
    pub end: End,
    /// The most that a move took beyond the time for a move.
    pub overstep: Duration,
    /// Nodes of each seat.
    pub nodes: Vec<u64>,
}

impl Played {
    /// How long the game took, as far as players thought.
    pub fn duration(&self) -> Duration {
        self.moves.iter().filter_map(|it| it.spent).sum()
    }
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MoveMade {
    /// What the rules call it.
    pub name: String,
    /// Who made it: 0, 1, …; nobody where it was chance.
    pub seat: Option<usize>,
    /// How long it took.
    pub spent: Option<Duration>,
    /// What was left on the clock after it, the increment added.
    pub left: Option<Duration>,
    /// What the mover thought of the position, from -1 to 1.
    pub value: Option<f64>,
    /// The same in words of its own.
    pub told: Option<String>,
    /// How far it looked ahead.
    pub depth: Option<u32>,
    /// How many nodes it visited.
    pub nodes: Option<u64>,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// By the rules.
    Rules,
    /// This seat's clock ran out.
    Time(usize),
    /// This seat failed.
    Failed(usize, Failure),
    /// This seat gave up.
    Resigned(usize),
    /// Both have said that this seat has lost.
    AgreedLoss(usize),
    /// Both have said that it is a draw.
    AgreedDraw,
    /// It was too long, and counts as a draw.
    Length,
    /// Somebody wants an end: it does not count.
    Interrupted,
}

impl End {
    /// What it is called in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Time(_) => "time",
            Self::Failed(_, failure) => failure.kind.name(),
            Self::Resigned(_) => "resigned",
            Self::AgreedLoss(_) | Self::AgreedDraw => "adjudicated",
            Self::Length => "length",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whose loss it is, where the rules did not decide.
    pub fn loser(&self) -> Option<usize> {
        match self {
            Self::Time(seat)
            | Self::Failed(seat, _)
            | Self::Resigned(seat)
            | Self::AgreedLoss(seat) => Some(*seat),
            Self::Rules | Self::AgreedDraw | Self::Length | Self::Interrupted => None,
        }
    }

    /// Why a game ended that the rules did not end, in a line for the record.
    pub fn words(&self, names: &[impl AsRef<str>]) -> Option<String> {
        let name = |seat: usize| names.get(seat).map_or("?", AsRef::as_ref);
        Some(match self {
            Self::Rules => return None,
            Self::Time(seat) => format!("{} lost on time", name(*seat)),
            Self::Failed(seat, failure) => {
                format!("{} failed ({}): {}", name(*seat), failure.kind.name(), failure.reason)
            }
            Self::Resigned(seat) => format!("{} resigned", name(*seat)),
            Self::AgreedLoss(seat) => format!("adjudicated: {} has lost", name(*seat)),
            Self::AgreedDraw => "adjudicated: draw".to_owned(),
            Self::Length => "draw by the limit of moves".to_owned(),
            Self::Interrupted => "interrupted".to_owned(),
        })
    }
}

/// Plays one game. An error is a fault of the rules; whatever contestants do wrong is part of the
/// game.
///
/// `seed` is for chance and for what contestants do at random; each seat gets another one.
pub fn play_game<G: Game>(
    terms: &Terms<'_, G>,
    opening: &Opening<G>,
    seats: Seats<'_, '_, G>,
    seed: u64,
) -> Result<Played, Fault> {
    let players = terms.game.players();
    if players < 2 || players != seats.len() {
        let message = format!("{} contestants cannot play a game of {players}", seats.len());
        return Err(fault("seats", &message));
    }
    if players > 2 && terms.adjudication != Adjudication::default() {
        return Err(fault("two-players", "only games of two players can be cut short"));
    }
    let mut table = Table::new(terms, opening, seed);
    let mut end = table.begin(seats)?;
    while end.is_none() {
        end = table.step(seats)?;
    }
    let end = end.unwrap_or(End::Interrupted);
    let how = end.words(&ordinals(players));
    let how = how.unwrap_or_else(|| "the game is over".to_owned());
    for (seat, contestant) in seats.iter_mut().enumerate() {
        contestant.end(&how, matches!(&end, End::Failed(it, _) if *it == seat));
    }
    table.finish(end)
}

/// What players are called who have no names.
fn ordinals(players: usize) -> Vec<String> {
    let known = ["first", "second", "third", "fourth"].map(str::to_owned);
    let others = (known.len() + 1..).map(|it| format!("{it}th"));
    known.into_iter().chain(others).take(players).map(|it| format!("the {it} player")).collect()
}

/// A game that is being played.
struct Table<'a, G: Game> {
    terms: &'a Terms<'a, G>,
    opening: &'a Opening<G>,
    seed: u64,
    random: Random,
    state: G::State,
    trail: G::Trail,
    moves: Vec<G::Move>,
    names: Vec<String>,
    clocks: Clocks,
    bench: Bench,
    /// What both have agreed on; it holds unless the rules have ended the game.
    agreed: Option<End>,
    played: Played,
}

impl<'a, G: Game> Table<'a, G> {
    fn new(terms: &'a Terms<'a, G>, opening: &'a Opening<G>, seed: u64) -> Self {
        let seats = terms.game.players();
        let played = Played {
            start: opening.start.clone(),
            opening: opening.names.clone(),
            moves: Vec::new(),
            points: Points::draw(seats),
            scores: Vec::new(),
            end: End::Rules,
            overstep: Duration::ZERO,
            nodes: vec![0; seats],
        };
        Self {
            terms,
            opening,
            seed,
            random: Random::stream(seed, 0, CHANCE),
            state: opening.state.clone(),
            trail: opening.trail.clone(),
            moves: opening.moves.clone(),
            names: opening.names.clone(),
            clocks: Clocks::new(terms.pace, seats),
            bench: Bench::new(terms.adjudication),
            agreed: None,
            played,
        }
    }

    fn situation(&self) -> Situation<'_, G> {
        Situation {
            game: self.terms.game,
            state: &self.state,
            trail: &self.trail,
            start: self.opening.start.as_deref(),
            start_state: &self.opening.start_state,
            moves: &self.moves,
            names: &self.names,
            stop: self.terms.stop,
        }
    }

    /// Tells everybody that a game begins.
    fn begin(&mut self, seats: Seats<'_, '_, G>) -> Result<Option<End>, Fault> {
        for (seat, contestant) in seats.iter_mut().enumerate() {
            let seed = Random::stream(self.seed, 0, seat as u64).next_u64();
            if let Err(failure) = contestant.begin(&self.situation(), Player(seat as u8), seed) {
                return self.failed(seat, failure).map(Some);
            }
        }
        Ok(None)
    }

    /// One turn; how the game ended, if it did.
    fn step(&mut self, seats: Seats<'_, '_, G>) -> Result<Option<End>, Fault> {
        match self.terms.game.turn(&self.state, &self.trail)? {
            Turn::Over => Ok(Some(End::Rules)),
            _ if self.agreed.is_some() => Ok(self.agreed.take()),
            _ if self.terms.stop.load(Ordering::Relaxed) => Ok(Some(End::Interrupted)),
            _ if self.played.moves.len() >= self.terms.longest as usize => Ok(Some(End::Length)),
            Turn::Of(player) => self.turn(player, seats),
            Turn::Chance => {
                let (game, random) = (self.terms.game, &mut self.random);
                let mv = game.random_move(&self.state, &self.trail, random)?;
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
    fn turn(&mut self, player: Player, seats: Seats<'_, '_, G>) -> Result<Option<End>, Fault> {
        let seat = player.index().min(seats.len() - 1);
        let (before, rest) = seats.split_at_mut(seat);
        let Some((mover, after)) = rest.split_first_mut() else {
            return Err(fault("seats", "it is nobody's turn"));
        };
        let mut others: Vec<&mut dyn Contestant<G>> = Vec::new();
        if self.terms.ponder {
            for other in before.iter_mut().chain(after) {
                others.push(&mut **other);
            }
        }
        let allowance = self.clocks.allowance(seat, !mover.has_own_limits());
        let situation = self.situation();
        let mut timed = || {
            let begun = Instant::now();
            let choice = mover.think(&situation, &allowance);
            (choice, begun.elapsed())
        };
        let (choice, spent) =
            if others.is_empty() { timed() } else { meanwhile(others, &situation, timed) };
        if self.terms.stop.load(Ordering::Relaxed) {
            return Ok(Some(End::Interrupted));
        }
        if let Time::Move(time) = allowance.time {
            self.played.overstep = self.played.overstep.max(spent.saturating_sub(time));
        }
        let choice = match choice {
            Ok(choice) => choice,
            Err(failure) => return self.failed(seat, failure).map(Some),
        };
        if !self.clocks.spend(seat, spent) {
            return Ok(Some(End::Time(seat)));
        }
        self.answered(seat, choice, spent)
    }

    /// Reads an answer and plays it.
    fn answered(
        &mut self,
        seat: usize,
        choice: Choice<G::Move>,
        spent: Duration,
    ) -> Result<Option<End>, Fault> {
        let mv = match self.legal(seat, &choice.answer)? {
            Ok(Some(mv)) => mv,
            Ok(None) => return Ok(Some(End::Resigned(seat))),
            Err(failure) => return Ok(Some(End::Failed(seat, failure))),
        };
        self.played.nodes[seat] += choice.nodes.unwrap_or(0);
        let made = MoveMade {
            name: String::new(),
            seat: Some(seat),
            spent: Some(spent),
            left: self.clocks.left(seat),
            value: choice.opinion.as_ref().map(|it| it.value),
            told: choice.opinion.as_ref().and_then(|it| it.told.clone()),
            depth: choice.depth,
            nodes: choice.nodes,
        };
        self.make(mv, made)?;
        let is_cut_short = self.terms.adjudication != Adjudication::default();
        let hear = || self.bench.hear(seat, choice.opinion.as_ref());
        let verdict = is_cut_short.then(hear).flatten();
        self.agreed = verdict.map(|it| match it {
            Verdict::Lost(seat) => End::AgreedLoss(seat),
            Verdict::Draw => End::AgreedDraw,
        });
        Ok(None)
    }

    /// The legal move that an answer stands for; `None` where the game is given up.
    fn legal(
        &self,
        seat: usize,
        answer: &Answer<G::Move>,
    ) -> Result<Result<Option<G::Move>, Failure>, Fault> {
        let (game, player) = (self.terms.game, Player(seat as u8));
        let found = match answer {
            Answer::Resign => return Ok(Ok(None)),
            Answer::Text(name) => game.named(&self.state, &self.trail, player, name)?,
            Answer::Move(mv) => {
                let mut legal = Vec::new();
                game.moves(&self.state, &self.trail, player, &mut legal)?;
                legal.contains(mv).then_some(*mv)
            }
        };
        let illegal = || {
            let shown = match answer {
                Answer::Text(name) => name.clone(),
                Answer::Move(mv) => game.name(&self.state, *mv),
                Answer::Resign => String::new(),
            };
            Failure::illegal(&shown)
        };
        Ok(found.map(Some).ok_or_else(illegal))
    }

    fn make(&mut self, mv: G::Move, made: MoveMade) -> Result<(), Fault> {
        let name = self.terms.game.name(&self.state, mv);
        self.terms.game.apply(&mut self.state, &mut self.trail, &[mv])?;
        self.moves.push(mv);
        self.names.push(name.clone());
        self.played.moves.push(MoveMade { name, ..made });
        Ok(())
    }

    /// How a game ends in which a seat has failed; an error where the rules are to blame.
    fn failed(&self, seat: usize, failure: Failure) -> Result<End, Fault> {
        if self.terms.stop.load(Ordering::Relaxed) {
            return Ok(End::Interrupted);
        }
        match failure {
            Failure { kind: FailureKind::Rules, fault, reason } => {
                Err(fault.unwrap_or_else(|| self::fault("rules", &reason)))
            }
            Failure { kind: FailureKind::TimedOut, .. } if self.clocks.left(seat).is_some() => {
                Ok(End::Time(seat))
            }
            other => Ok(End::Failed(seat, other)),
        }
    }

    /// The game is over.
    fn finish(self, end: End) -> Result<Played, Fault> {
        let mut played = self.played;
        let seats = self.terms.game.players();
        if end == End::Rules {
            let payoff = |it| self.terms.game.payoff(&self.state, &self.trail, Player(it as u8));
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

/// The stream of chance beside those of the seats.
const CHANCE: u64 = 1 << 32;

/// Lets contestants think about a situation while something else is done, and no longer.
fn meanwhile<G: Game, T>(
    contestants: Vec<&mut dyn Contestant<G>>,
    situation: &Situation<'_, G>,
    done: impl FnOnce() -> T,
) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for contestant in contestants {
            scope.spawn(|| contestant.ponder(situation, &stop));
        }
        let done = done();
        stop.store(true, Ordering::Relaxed);
        done
    })
}

fn fault(code: &'static str, message: &str) -> Fault {
    Fault { code, message: message.to_owned(), place: None }
}
