//! Random games by native code, and what they were worth.

use ludex_core::playout::Playout;
use ludex_core::{Fault, Payoff, Position, Random};
use ludex_interp::{Outcome, payoffs};
use ludex_ir::{OutcomeKind, PackedMove};
use smallvec::SmallVec;

use crate::context::Context;
use crate::emit::{End, Ending, Trace};
use crate::native::{Native, Outcomes, gather, loss};

/// What the players earned, first player first.
type Payoffs = SmallVec<[Payoff; 4]>;

/// What the end of a game is worth.
///
/// It is small on purpose: games are many and short, and what is moved from one place of memory to
/// another between them would take as long as some turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    /// The game has not ended.
    Open,
    /// All that was said is that this player has won.
    Victory(usize),
    /// What the outcomes say.
    Outcomes,
}

impl Native<'_> {
    /// A random game, with its moves if they are wanted; `None` if native code gave up, and then
    /// nothing has changed.
    pub(crate) fn random_game(
        &self,
        position: &mut Position,
        random: &mut Random,
        limit: u32,
        moves: Option<&mut Vec<PackedMove>>,
    ) -> Option<Result<Playout, Fault>> {
        if !self.owns(&position.state) {
            return None;
        }
        let mut outcomes = Outcomes::new();
        let (plies, worth) = self.code.with(self.steps(), |context| {
            self.load(context, position);
            context.random = random.state();
            context.limit = u64::from(limit);
            let trace = if moves.is_some() { Trace::Kept } else { Trace::Off };
            let answer = self.code.playout(trace, context).value()?;
            let drawn = context.random;
            let worth = self.worth(context, End::of(answer)?, &mut outcomes)?;
            // From here on nothing can go wrong any more.
            random.set_state(drawn);
            self.take_back(context, position);
            if let Some(moves) = moves {
                moves.clear();
                moves.extend_from_slice(context.noted());
            }
            Some((context.plies as u32, worth))
        })?;
        let payoffs = match worth {
            Worth::Open => None,
            Worth::Victory(player) => Some(self.won_by(player)),
            Worth::Outcomes => match self.paid(&outcomes) {
                Ok(payoffs) => Some(payoffs),
                Err(fault) => return Some(Err(fault)),
            },
        };
        Some(Ok(Playout { plies, payoffs, branching: None }))
    }

    /// Makes the last position that of the caller.
    fn take_back(&self, context: &Context, position: &mut Position) {
        context.save(&mut position.state);
        if self.remembers() {
            position.trail.set_keys(context.trail().to_vec());
        }
    }

    /// What the end of a game is worth; `None` if native code gave up.
    fn worth(&self, context: &mut Context, end: End, outcomes: &mut Outcomes) -> Option<Worth> {
        let player = end.player;
        match end.ending {
            Ending::Limit => *outcomes = self.ended(context)?,
            Ending::Result if self.is_plain_victory(context, end)? => {
                return Some(Worth::Victory(player));
            }
            Ending::Result => *outcomes = self.all_results(context, player)?,
            Ending::Adjudicated => {
                context.hush();
                *outcomes = self.ended(context)?;
            }
            Ending::Stuck => {
                gather(&context.said, player, outcomes);
                context.hush();
                if outcomes.is_empty() {
                    outcomes.push(loss(player));
                }
            }
        }
        let open = end.ending == Ending::Limit && outcomes.is_empty();
        Some(if open { Worth::Open } else { Worth::Outcomes })
    }

    /// Whether all that was said is that a player has won; that is how most games end. `None` if
    /// native code gave up.
    fn is_plain_victory(&self, context: &mut Context, end: End) -> Option<bool> {
        const VICTORY: u64 = 1 << OutcomeKind::Victory as u64;
        if context.said.kinds != VICTORY {
            return Some(false);
        }
        if end.alone { Some(true) } else { self.others_are_silent(context, end.player) }
    }

    /// What each player gets if one has won.
    fn won_by(&self, player: usize) -> Payoffs {
        let mut payoffs = Payoffs::from_elem(Payoff::LOSS, self.code.players.len());
        payoffs[player] = Payoff::WIN;
        payoffs
    }

    /// Whether the result says nothing for all players but one; what it said for that one is kept.
    fn others_are_silent(&self, context: &mut Context, player: usize) -> Option<bool> {
        let said = context.said;
        for (other, entries) in self.code.players.iter().enumerate() {
            if let Some(result) = entries.result.filter(|_| other != player) {
                context.hush();
                self.code.ask(result, context).value()?;
                if context.said.kinds != 0 {
                    context.said = said;
                    return Some(false);
                }
            }
        }
        context.said = said;
        Some(true)
    }

    /// What the result says for all players, given what it said for one.
    fn all_results(&self, context: &mut Context, player: usize) -> Option<Outcomes> {
        let mut outcomes = Outcomes::new();
        let mut own = Outcomes::new();
        gather(&context.said, player, &mut own);
        for (other, entries) in self.code.players.iter().enumerate() {
            if other == player {
                outcomes.extend(own.iter().copied());
            } else if let Some(result) = entries.result {
                context.hush();
                self.code.ask(result, context).value()?;
                gather(&context.said, other, &mut outcomes);
            }
        }
        context.hush();
        Some(outcomes)
    }

    fn paid(&self, outcomes: &Outcomes) -> Result<Payoffs, Fault> {
        match (&outcomes[..], self.code.players.len()) {
            ([only], players) if plain(only) => Ok(simple(only, players)),
            _ => Ok(payoffs(self.program(), outcomes)?.into()),
        }
    }
}

/// Whether an outcome by itself says what all players get.
fn plain(outcome: &Outcome) -> bool {
    matches!(outcome.kind, OutcomeKind::Victory | OutcomeKind::Draw)
}

/// What one plain outcome gives each player.
fn simple(outcome: &Outcome, players: usize) -> Payoffs {
    let utility = |player: usize| match outcome.kind {
        OutcomeKind::Victory if player == outcome.player.index() => 1.0,
        OutcomeKind::Victory => -1.0,
        _ => 0.0,
    };
    let pay = |utility: f64| Payoff { score: utility as i64, utility };
    (0..players).map(|player| pay(utility(player))).collect()
}
