//! How to win, or not to lose, once it is known that one can: a move for every position that
//! the strategy leads to.
//!
//! A strategy for one side holds a move for each of its positions and answers everything the other
//! side may do. To *win* by it, play must end: a strategy never repeats a position. To *hold*, it
//! may go in circles. A strategy is found by asking an oracle (a table, a solution) which positions
//! are good, position by position, and is the stuff that certificates are made of.

use std::collections::{HashMap, HashSet};

use ludex_core::two_player::opponent;
use ludex_core::{Fault, Game, Player, PositionOf};

use super::question::{Key, Past, ProofRun, Question, View};

/// What an oracle says of a position for the side of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is good; of several, the one with the least number is taken.
    Good(u32),
    /// It is not, or that is not known.
    Unknown,
}

/// Something that knows which positions are good.
pub(crate) trait Oracle<G: Game> {
    /// What is known of a position that is not an end.
    fn known(&mut self, position: &PositionOf<G>) -> Result<Standing, Fault>;

    /// Finds out again what has been forgotten about a position and its children.
    fn search(&mut self, position: &PositionOf<G>, run: &mut ProofRun<'_>) -> Result<(), Fault>;
}

/// What a strategy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyGoal {
    /// Whose strategy it is.
    pub side: Player,
    /// Whether to win; otherwise not to lose.
    pub win: bool,
}

impl StrategyGoal {
    /// Whether an end serves it.
    pub(crate) fn is_met<G: Game>(
        self,
        view: View<'_, G>,
        position: &PositionOf<G>,
    ) -> Result<bool, Fault> {
        let question = Question::wins(if self.win { self.side } else { opponent(self.side) });
        let reached = view.utility(position, question.attacker)? > question.above;
        Ok(reached == self.win)
    }
}

/// A move for every position that the strategy leads to.
#[derive(Debug)]
pub struct Strategy<G: Game> {
    /// What it is for.
    pub goal: StrategyGoal,
    /// The positions of the side in the order they were settled, with their moves.
    pub moves: Vec<(G::State, G::Move)>,
    steps: HashMap<Key, Step<G::Move>>,
}

/// What a strategy says of a position.
#[derive(Clone, Copy, Debug)]
struct Step<M> {
    /// The move, where it is the side's turn.
    mv: Option<M>,
    /// The longest play from here to the end, for strategies to win.
    plies: u32,
}

/// A position on the way down.
struct Level<G: Game> {
    position: PositionOf<G>,
    key: Key,
    ours: bool,
    moves: Vec<G::Move>,
    next: usize,
    longest: u32,
}

/// What came of a position.
enum Came<G: Game> {
    /// It is settled.
    Settled(u32),
    /// The strategy cannot lead here.
    Failed,
    /// It is to be looked at.
    Open(Level<G>),
}

impl<G: Game> Strategy<G> {
    /// The strategy from `root` on; `None` if none was found within the limits, or none of at most
    /// `most` positions, or none that does without the past.
    pub(crate) fn build(
        view: View<'_, G>,
        root: &PositionOf<G>,
        goal: StrategyGoal,
        oracle: &mut dyn Oracle<G>,
        run: &mut ProofRun<'_>,
        most: usize,
    ) -> Result<Option<Self>, Fault> {
        let strategy = Self { goal, moves: Vec::new(), steps: HashMap::new() };
        let mut builder =
            Builder { view, strategy, oracle, on_path: HashSet::new(), chosen: HashMap::new() };
        let done = builder.run(root, run, most)?;
        Ok(done.then_some(builder.strategy))
    }

    /// How many plies the game lasts at most, for strategies to win.
    pub fn plies(&self, game: &G, past: Past, root: &PositionOf<G>) -> Option<u32> {
        let view = View::new(game, past).ok()?;
        let step = self.steps.get(&view.key(root))?;
        self.goal.win.then_some(step.plies)
    }
}

struct Builder<'g, 'o, G: Game> {
    view: View<'g, G>,
    strategy: Strategy<G>,
    oracle: &'o mut dyn Oracle<G>,
    on_path: HashSet<Key>,
    /// The moves by cells alone, where the past counts as well: a strategy can name only one.
    chosen: HashMap<G::State, G::Move>,
}

impl<G: Game> Builder<'_, '_, G> {
    fn run(
        &mut self,
        root: &PositionOf<G>,
        run: &mut ProofRun<'_>,
        most: usize,
    ) -> Result<bool, Fault> {
        let mut stack = match self.enter(root, run)? {
            Came::Open(level) => vec![level],
            Came::Settled(_) => return Ok(true),
            Came::Failed => return Ok(false),
        };
        // What came of the position that was looked at last.
        let mut came = None;
        while let Some(level) = stack.last_mut() {
            match came.take() {
                Some(Came::Settled(plies)) => level.longest = level.longest.max(plies + 1),
                // Who holds has no second choice: what was settled may rest on what has failed.
                Some(_) if !level.ours || !self.strategy.goal.win => level.next = usize::MAX,
                _ => {}
            }
            let settled_by_one = level.ours && level.longest > 0;
            if level.next == usize::MAX
                || (level.ours && level.next >= level.moves.len() && !settled_by_one)
            {
                came = Some(Came::Failed);
            } else if settled_by_one || level.next >= level.moves.len() {
                let plies = level.longest;
                let level = &stack[stack.len() - 1];
                came =
                    Some(if Self::settle(&mut self.strategy, &mut self.chosen, self.view, level) {
                        Came::Settled(plies)
                    } else {
                        Came::Failed
                    });
            } else {
                if run.is_over() || self.strategy.steps.len() >= most {
                    return Ok(false);
                }
                let mv = level.moves[level.next];
                level.next += 1;
                let mut next = level.position.clone();
                self.view.follow(&level.position, mv, &mut next)?;
                match self.enter(&next, run)? {
                    Came::Open(level) => stack.push(level),
                    other => came = Some(other),
                }
                continue;
            }
            if let Some(level) = stack.pop() {
                self.on_path.remove(&level.key);
            }
        }
        Ok(matches!(came, Some(Came::Settled(_))))
    }

    /// Looks at a position: what is known of it, or what is to be tried.
    fn enter(
        &mut self,
        position: &PositionOf<G>,
        run: &mut ProofRun<'_>,
    ) -> Result<Came<G>, Fault> {
        let key = self.view.key(position);
        if let Some(step) = self.strategy.steps.get(&key) {
            return Ok(Came::Settled(step.plies));
        }
        let goal = self.strategy.goal;
        if self.on_path.contains(&key) {
            return Ok(if goal.win { Came::Failed } else { Came::Settled(0) });
        }
        let Some(mover) = self.view.mover(position)? else {
            let met = goal.is_met(self.view, position)?;
            return Ok(if met { Came::Settled(0) } else { Came::Failed });
        };
        let ours = mover == goal.side;
        let moves = if ours {
            self.candidates(position, run)?
        } else {
            let mut moves = Vec::new();
            self.view.moves(position, mover, &mut moves)?;
            moves
        };
        self.on_path.insert(key);
        Ok(Came::Open(Level { position: position.clone(), key, ours, moves, next: 0, longest: 0 }))
    }

    /// The moves that lead to good positions, the best first.
    fn candidates(
        &mut self,
        position: &PositionOf<G>,
        run: &mut ProofRun<'_>,
    ) -> Result<Vec<G::Move>, Fault> {
        let mut good = self.good(position)?;
        if good.is_empty() {
            self.oracle.search(position, run)?;
            good = self.good(position)?;
        }
        good.sort_by_key(|&(number, mv)| (number, mv));
        let mut moves: Vec<G::Move> = good.into_iter().map(|(_, mv)| mv).collect();
        if let Some(chosen) = self.chosen.get(&position.state)
            && let Some(at) = moves.iter().position(|it| it == chosen)
        {
            moves[..=at].rotate_right(1);
        }
        Ok(moves)
    }

    fn good(&mut self, position: &PositionOf<G>) -> Result<Vec<(u32, G::Move)>, Fault> {
        let goal = self.strategy.goal;
        let mut moves = Vec::new();
        self.view.moves(position, goal.side, &mut moves)?;
        let mut next = position.clone();
        let mut good = Vec::new();
        for mv in moves {
            self.view.follow(position, mv, &mut next)?;
            if self.view.mover(&next)?.is_none() {
                if goal.is_met(self.view, &next)? {
                    good.push((0, mv));
                }
            } else if let Standing::Good(number) = self.oracle.known(&next)? {
                good.push((number.saturating_add(1), mv));
            }
        }
        Ok(good)
    }

    /// Notes what to do in a position; false where the same cells want another move.
    fn settle(
        strategy: &mut Strategy<G>,
        chosen: &mut HashMap<G::State, G::Move>,
        view: View<'_, G>,
        level: &Level<G>,
    ) -> bool {
        let mv = level.ours.then(|| level.moves[level.next - 1]);
        if let Some(mv) = mv {
            let mut is_new = true;
            if view.remembers() {
                is_new = !chosen.contains_key(&level.position.state);
                if *chosen.entry(level.position.state.clone()).or_insert(mv) != mv {
                    return false;
                }
            }
            if is_new {
                strategy.moves.push((level.position.state.clone(), mv));
            }
        }
        strategy.steps.insert(level.key, Step { mv, plies: level.longest });
        true
    }
}

/// A line of play by strategies of one side or of both; a side without a strategy drags. It ends
/// where the strategies do, or where a position comes again.
pub(crate) fn line<G: Game>(
    view: View<'_, G>,
    root: &PositionOf<G>,
    strategies: &[Strategy<G>],
) -> Result<Vec<G::Move>, Fault> {
    let mut line = Vec::new();
    let mut seen = HashSet::new();
    let mut position = root.clone();
    let mut next = root.clone();
    while let Some(mover) = view.mover(&position)? {
        let key = view.key(&position);
        if !seen.insert(key) {
            break;
        }
        let step = |key: Key| strategies.iter().find_map(|strategy| strategy.steps.get(&key));
        let own = strategies.iter().find(|it| it.goal.side == mover);
        let mv = match own.and_then(|strategy| strategy.steps.get(&key)) {
            Some(Step { mv: Some(mv), .. }) => *mv,
            _ => {
                let mut moves = Vec::new();
                view.moves(&position, mover, &mut moves)?;
                let mut longest = None;
                for mv in moves {
                    view.follow(&position, mv, &mut next)?;
                    let plies = step(view.key(&next)).map_or(0, |it| it.plies);
                    if longest.is_none_or(|(most, _)| plies > most) {
                        longest = Some((plies, mv));
                    }
                }
                let Some((_, mv)) = longest else { break };
                mv
            }
        };
        view.follow(&position, mv, &mut next)?;
        std::mem::swap(&mut position, &mut next);
        line.push(mv);
    }
    Ok(line)
}
