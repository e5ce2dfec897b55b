//! How a game ended: what result statements say, put together for all players.

use ludex_core::{Fault, Payoff, Player};
use ludex_ir::{OutcomeKind, Program};

use crate::fault::{Halt, fault};
use crate::machine::{Ctx, Listing, Machine, Said, Sink};

/// A result statement that was reached when it was asked for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whom it was asked for.
    pub player: Player,
    /// What it gives that player.
    pub kind: OutcomeKind,
    /// The score, where it gives one.
    pub score: Option<i64>,
    /// Where it stands in the source; 0 for nowhere.
    pub place: u32,
}

/// How a position stands.
pub(crate) enum Standing {
    /// The game is over.
    Over(Vec<Outcome>),
    /// A player is to move and has a move.
    Open(usize),
}

impl Machine {
    /// What `result`, or else `adjudicate`, says; empty if the game goes on.
    pub(crate) fn results(
        &mut self,
        ctx: &Ctx<'_>,
        adjudicate: bool,
    ) -> Result<Vec<Outcome>, Halt> {
        let roles = &ctx.tables.program.roles;
        if let Some(result) = roles.result {
            let outcomes = self.ask_all(ctx, result)?;
            if !outcomes.is_empty() {
                return Ok(outcomes);
            }
        }
        let Some(adjudicate) = roles.adjudicate.filter(|_| adjudicate) else {
            return Ok(Vec::new());
        };
        let outcomes = self.ask_all(ctx, adjudicate)?;
        if outcomes.is_empty() {
            return Ok(outcomes);
        }
        // An end by the rules comes before one by agreement: mate on the last move of a count
        // is mate.
        let mover = self.mover(ctx);
        if !self.has_legal(ctx, mover)? {
            let (start, said) = self.stuck(ctx, mover)?;
            self.moves.truncate(start);
            if !said.is_empty() {
                return Ok(said);
            }
        }
        Ok(outcomes)
    }

    /// What a function says about the game of each player.
    fn ask_all(&mut self, ctx: &Ctx<'_>, func: ludex_ir::Func) -> Result<Vec<Outcome>, Halt> {
        let mut outcomes = Vec::new();
        for player in 0..ctx.tables.players() {
            self.ask(ctx, func, player, &mut outcomes)?;
        }
        Ok(outcomes)
    }

    /// What a function says about the game of one player.
    pub(crate) fn ask(
        &mut self,
        ctx: &Ctx<'_>,
        func: ludex_ir::Func,
        player: usize,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Halt> {
        let before = self.suspend();
        self.said.clear();
        self.sink = Sink { outcomes: true, ..Sink::default() };
        self.run(ctx, func, player as i64)?;
        self.recover(ctx, before);
        self.take_said(player, outcomes);
        Ok(())
    }

    fn take_said(&mut self, player: usize, outcomes: &mut Vec<Outcome>) {
        outcomes.extend(self.said.drain(..).map(|Said { kind, score, place }| Outcome {
            player: Player(player as u8),
            kind,
            score,
            place,
        }));
    }

    /// What happens to player `me`, who has no legal move: the moves it then has are listed
    /// from the number given on, and what is said is the end.
    pub(crate) fn stuck(
        &mut self,
        ctx: &Ctx<'_>,
        me: usize,
    ) -> Result<(usize, Vec<Outcome>), Halt> {
        let mut outcomes = Vec::new();
        let mut start = self.moves.len();
        if let Some(stuck) = ctx.tables.program.roles.stuck {
            self.said.clear();
            start = self.list_from(ctx, stuck, me, Listing::All { weights: false }, true)?;
            self.take_said(me, &mut outcomes);
        }
        if !outcomes.is_empty() {
            self.moves.truncate(start);
        } else if self.moves.len() == start {
            let player = Player(me as u8);
            outcomes.push(Outcome { player, kind: OutcomeKind::Loss, score: None, place: 0 });
        }
        self.unite_twins(ctx, me, start)?;
        Ok((start, outcomes))
    }

    /// Whether the game is over, and how. The outcomes agree.
    pub(crate) fn standing(&mut self, ctx: &Ctx<'_>, adjudicate: bool) -> Result<Standing, Halt> {
        let mut outcomes = self.results(ctx, adjudicate)?;
        let mover = self.mover(ctx);
        if outcomes.is_empty() && !self.has_legal(ctx, mover)? {
            let (start, said) = self.stuck(ctx, mover)?;
            self.moves.truncate(start);
            outcomes = said;
        }
        if outcomes.is_empty() {
            return Ok(Standing::Open(mover));
        }
        payoffs(&ctx.tables.program, &outcomes)?;
        Ok(Standing::Over(outcomes))
    }
}

/// What each player has earned, given what was said; what was said must agree.
pub fn payoffs(program: &Program, outcomes: &[Outcome]) -> Result<Vec<Payoff>, Fault> {
    let mut ledger = Ledger { program, outcomes, utilities: vec![None; program.players.len()] };
    for (index, outcome) in outcomes.iter().enumerate() {
        ledger.enter(index, outcome)?;
    }
    let scores = ledger.enter_scores()?;
    let pay = |(entry, score): (Option<(f64, usize)>, Option<i64>)| {
        let utility = entry.map_or(0.0, |(utility, _)| utility);
        Payoff { score: score.unwrap_or(utility as i64), utility }
    };
    Ok(ledger.utilities.into_iter().zip(scores).map(pay).collect())
}

/// What has been settled so far, and by which outcome.
struct Ledger<'a> {
    program: &'a Program,
    outcomes: &'a [Outcome],
    utilities: Vec<Option<(f64, usize)>>,
}

impl Ledger<'_> {
    fn enter(&mut self, index: usize, outcome: &Outcome) -> Result<(), Fault> {
        let me = outcome.player.index();
        let players = self.utilities.len();
        match outcome.kind {
            OutcomeKind::Victory => (0..players)
                .try_for_each(|it| self.settle(it, if it == me { 1.0 } else { -1.0 }, index)),
            OutcomeKind::Loss => {
                self.settle(me, -1.0, index)?;
                if players == 2 { self.settle(1 - me, 1.0, index) } else { Ok(()) }
            }
            OutcomeKind::Draw => (0..players).try_for_each(|it| self.settle(it, 0.0, index)),
            OutcomeKind::Score => Ok(()),
        }
    }

    /// Compares the scores, if there are any. Of two players, one without a score has
    /// the other's, negated; of more, 0.
    fn enter_scores(&mut self) -> Result<Vec<Option<i64>>, Fault> {
        let mut scores: Vec<Option<(i64, usize)>> = vec![None; self.utilities.len()];
        let said = self.outcomes.iter().enumerate();
        for (index, outcome) in said.filter(|(_, it)| it.kind == OutcomeKind::Score) {
            let score = outcome.score.unwrap_or(0);
            match scores[outcome.player.index()] {
                Some((other, first)) if other != score => return Err(self.conflict(first, index)),
                _ => scores[outcome.player.index()] = Some((score, index)),
            }
        }
        if let [Some((score, told)), None] | [None, Some((score, told))] = scores[..] {
            let other = Some((score.saturating_neg(), told));
            scores.iter_mut().filter(|it| it.is_none()).for_each(|it| *it = other);
        }
        if let Some((_, told)) = scores.iter().flatten().next().copied() {
            let points: Vec<i64> = scores.iter().map(|it| it.map_or(0, |it| it.0)).collect();
            for (player, utility) in self.compare(&points).into_iter().enumerate() {
                self.settle(player, utility, scores[player].map_or(told, |it| it.1))?;
            }
        }
        Ok(scores.into_iter().map(|it| it.map(|it| it.0)).collect())
    }

    /// How good the scores are.
    fn compare(&self, points: &[i64]) -> Vec<f64> {
        if let [points] = *points {
            let full = self.program.score_up_to.unwrap_or(1).max(1);
            return vec![(2.0 * points as f64 / full as f64 - 1.0).clamp(-1.0, 1.0)];
        }
        let best = points.iter().copied().max().unwrap_or(0);
        let top = if points.iter().filter(|&&it| it == best).count() == 1 { 1.0 } else { 0.0 };
        points.iter().map(|&it| if it == best { top } else { -1.0 }).collect()
    }

    fn settle(&mut self, player: usize, utility: f64, index: usize) -> Result<(), Fault> {
        match self.utilities[player] {
            Some((other, first)) if (other - utility).abs() > f64::EPSILON => {
                Err(self.conflict(first, index))
            }
            Some(_) => Ok(()),
            None => {
                self.utilities[player] = Some((utility, index));
                Ok(())
            }
        }
    }

    fn conflict(&self, first: usize, second: usize) -> Fault {
        let (first, second) = (&self.outcomes[first], &self.outcomes[second]);
        let (a, b) = (self.describe(first), self.describe(second));
        let message = format!("{a} and {b} contradict each other");
        fault("conflicting-results", message, second.place)
    }

    fn describe(&self, outcome: &Outcome) -> String {
        let who = &self.program.players[outcome.player.index()];
        match outcome.kind {
            OutcomeKind::Victory => format!("`victory` for {who}"),
            OutcomeKind::Loss => format!("`loss` for {who}"),
            OutcomeKind::Draw => format!("`draw` for {who}"),
            OutcomeKind::Score => format!("`score {}` for {who}", outcome.score.unwrap_or(0)),
        }
    }
}
