//! Random games by native code, and what they were worth.

use ludex_core::playout::Playout;
use ludex_core::{Fault, Payoff, Random, State, Trail};
use ludex_interp::{Outcome, payoffs};
use ludex_ir::OutcomeKind;
use smallvec::SmallVec;

use crate::context::Context;
use crate::emit::Ending;
use crate::game::{NativeGame, Outcomes, gather, loss};

/// What the players earned, first player first.
type Payoffs = SmallVec<[Payoff; 4]>;

impl NativeGame {
    /// A random game; `None` if native code gave up, and then nothing has changed.
    pub(crate) fn random_game(
        &self,
        state: &mut State,
        trail: &mut Trail,
        random: &mut Random,
        limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        if state.words.len() != self.code.layout.words {
            return None;
        }
        let played = self.code.with(self.steps(), |context| {
            self.load(context, state, trail);
            context.random = random.state();
            context.limit = u64::from(limit);
            let answer = self.code.playout(context).value()?;
            random.set_state(context.random);
            let (ending, player) = Ending::of(answer)?;
            let payoffs = self.worth(context, ending, player)?;
            self.take_back(context, state, trail);
            Some((context.plies as u32, payoffs))
        });
        let (plies, payoffs) = played?;
        let payoffs = match payoffs {
            Some(Ok(payoffs)) => Some(payoffs),
            Some(Err(fault)) => return Some(Err(fault)),
            None => None,
        };
        Some(Ok(Playout { plies, payoffs, branching: None }))
    }

    /// Makes the last position that of the caller.
    fn take_back(&self, context: &Context, state: &mut State, trail: &mut Trail) {
        let words = self.code.layout.words;
        state.words.copy_from_slice(&context.block[..words]);
        (state.hash, state.key) = (context.block[words], context.block[words + 1]);
        if self.has_history() {
            trail.set_keys(context.trail().to_vec());
        }
    }

    /// What the end of a game is worth: `Some(None)` for one that has not ended, `None` if native
    /// code gave up.
    #[allow(clippy::option_option, reason = "not known, not over, over")]
    fn worth(
        &self,
        context: &mut Context,
        ending: Ending,
        player: usize,
    ) -> Option<Option<Result<Payoffs, Fault>>> {
        if let Some(payoffs) = self.plain_victory(context, ending, player)? {
            return Some(Some(Ok(payoffs)));
        }
        let mut outcomes = Outcomes::new();
        match ending {
            Ending::Limit => {
                outcomes = self.ended(context)?;
                if outcomes.is_empty() {
                    return Some(None);
                }
            }
            Ending::Result => outcomes = self.all_results(context, player)?,
            Ending::Adjudicated => {
                context.hush();
                outcomes = self.ended(context)?;
            }
            Ending::Stuck => {
                gather(&context.said, player, &mut outcomes);
                context.hush();
                if outcomes.is_empty() {
                    outcomes.push(loss(player));
                }
            }
        }
        Some(Some(self.paid(&outcomes)))
    }

    /// What everybody gets if all that was said is that a player has won; that is how most games
    /// end, and many are short. `Some(None)` if it is not so simple.
    #[allow(clippy::option_option, reason = "gave up, not so simple, the answer")]
    fn plain_victory(
        &self,
        context: &mut Context,
        ending: Ending,
        player: usize,
    ) -> Option<Option<Payoffs>> {
        const VICTORY: u64 = 1 << OutcomeKind::Victory as u64;
        if ending != Ending::Result || context.said.kinds != VICTORY {
            return Some(None);
        }
        let said = context.said;
        for (other, entries) in self.code.players.iter().enumerate() {
            if let Some(result) = entries.result.filter(|_| other != player) {
                context.hush();
                self.code.ask(result, context).value()?;
                if context.said.kinds != 0 {
                    context.said = said;
                    return Some(None);
                }
            }
        }
        let win = |it: usize| if it == player { Payoff::WIN } else { Payoff::LOSS };
        Some(Some((0..self.code.players.len()).map(win).collect()))
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

/// Whether an outcome by itself says what everybody gets.
fn plain(outcome: &Outcome) -> bool {
    matches!(outcome.kind, OutcomeKind::Victory | OutcomeKind::Draw)
}

/// What one plain outcome gives everybody.
fn simple(outcome: &Outcome, players: usize) -> Payoffs {
    let utility = |player: usize| match outcome.kind {
        OutcomeKind::Victory if player == outcome.player.index() => 1.0,
        OutcomeKind::Victory => -1.0,
        _ => 0.0,
    };
    let pay = |utility: f64| Payoff { score: utility as i64, utility };
    (0..players).map(|player| pay(utility(player))).collect()
}
