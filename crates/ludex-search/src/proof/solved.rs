//! What a solution says beyond its value: strategies, a winning move, a line of best play.

use ludex_core::two_player::opponent;
use ludex_core::{Fault, Game, PositionOf};

use super::dfpn::Dfpn;
use super::question::{ProofRun, ProofStatus, Question, View};
use super::retrograde::RetrogradeSolution;
use super::strategy::{Oracle, Standing, Strategy, StrategyGoal, line};
use super::value::{Evidence, GameValue, Solved};
use crate::error::SearchError;

impl<G: Game> Solved<G> {
    /// The position that was solved, with the past that was taken into account.
    pub fn root(&self) -> &PositionOf<G> {
        &self.root
    }

    /// How the sides do what the value says they can: one strategy to win, or two to hold. Nothing
    /// where the value is unknown, or no strategy of at most `most` positions is found within the
    /// limits.
    pub fn strategies(
        &mut self,
        game: &G,
        run: &mut ProofRun<'_>,
        most: usize,
    ) -> Result<Option<Vec<Strategy<G>>>, SearchError> {
        let view = View::new(game, self.past)?;
        let (me, you) = (self.mover, opponent(self.mover));
        let aims = match self.value {
            None => return Ok(None),
            Some(GameValue::Win) => vec![StrategyGoal { side: me, win: true }],
            Some(GameValue::Loss) => vec![StrategyGoal { side: you, win: true }],
            Some(GameValue::Draw) => {
                vec![StrategyGoal { side: me, win: false }, StrategyGoal { side: you, win: false }]
            }
        };
        let mut strategies = Vec::new();
        for goal in aims {
            let root = &self.root;
            let strategy = match &mut self.evidence {
                Evidence::Listed(solution) => {
                    let mut oracle = Listed { solution, goal };
                    Strategy::build(view, root, goal, &mut oracle, run, most)?
                }
                Evidence::Numbers { table, config, from } => {
                    let (question, verdict) = from.unwrap_or_else(|| holding(goal));
                    let search = Dfpn::new(view, question, *config, table);
                    let mut oracle = Searched { search, verdict };
                    Strategy::build(view, root, goal, &mut oracle, run, most)?
                }
            };
            match strategy {
                Some(strategy) => strategies.push(strategy),
                None => return Ok(None),
            }
        }
        Ok(Some(strategies))
    }

    /// A move that wins, where the player to move does. It is known where a whole strategy would be
    /// too long to be made.
    pub fn winning_move(
        &mut self,
        game: &G,
        run: &mut ProofRun<'_>,
    ) -> Result<Option<G::Move>, SearchError> {
        let view = View::new(game, self.past)?;
        let Evidence::Numbers { table, config, from: Some((question, verdict)) } =
            &mut self.evidence
        else {
            return Ok(None);
        };
        if self.value != Some(GameValue::Win) {
            return Ok(None);
        }
        let search = Dfpn::new(view, *question, *config, table);
        let mut oracle = Searched { search, verdict: *verdict };
        oracle.search(&self.root, run)?;
        let mut moves = Vec::new();
        view.moves(&self.root, self.mover, &mut moves)?;
        let mut next = self.root.clone();
        for mv in moves {
            view.follow(&self.root, mv, &mut next)?;
            if oracle.is_good(&next)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// A line of best play by these strategies, as the position was taken.
    pub fn line(&self, game: &G, strategies: &[Strategy<G>]) -> Result<Vec<G::Move>, SearchError> {
        Ok(line(View::new(game, self.past)?, &self.root, strategies)?)
    }
}

/// The question whose failure lets a side hold.
fn holding(goal: StrategyGoal) -> (Question, ProofStatus) {
    (Question::wins(opponent(goal.side)), ProofStatus::Disproved)
}

/// The oracle of a full solution.
struct Listed<'s, G: Game> {
    solution: &'s RetrogradeSolution<G>,
    goal: StrategyGoal,
}

impl<G: Game> Oracle<G> for Listed<'_, G> {
    fn known(&mut self, position: &PositionOf<G>) -> Result<Standing, Fault> {
        Ok(match self.solution.forced(&position.state) {
            Some(Some(it)) if it.winner == self.goal.side => Standing::Good(it.plies),
            Some(None) if !self.goal.win => Standing::Good(0),
            _ => Standing::Unknown,
        })
    }

    fn search(&mut self, _place: &PositionOf<G>, _run: &mut ProofRun<'_>) -> Result<(), Fault> {
        Ok(())
    }
}

/// The oracle of a table: what it has lost is searched again.
struct Searched<'t, 'g, G: Game> {
    search: Dfpn<'t, 'g, G>,
    /// The answer that is good for the side of the strategy.
    verdict: ProofStatus,
}

impl<G: Game> Searched<'_, '_, G> {
    fn is_good(&mut self, position: &PositionOf<G>) -> Result<bool, Fault> {
        let numbers = self.search.known(position, 0)?.numbers;
        Ok(match self.verdict {
            ProofStatus::Proved => numbers.proof == 0,
            ProofStatus::Disproved => numbers.disproof == 0,
            ProofStatus::Unknown => false,
        })
    }
}

impl<G: Game> Oracle<G> for Searched<'_, '_, G> {
    fn known(&mut self, position: &PositionOf<G>) -> Result<Standing, Fault> {
        Ok(if self.is_good(position)? { Standing::Good(0) } else { Standing::Unknown })
    }

    /// The answer itself may be all that is left: then its children are searched, one by one.
    fn search(&mut self, position: &PositionOf<G>, run: &mut ProofRun<'_>) -> Result<(), Fault> {
        self.search.children(position, self.verdict, run)
    }
}
