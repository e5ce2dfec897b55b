//! Retrograde analysis: the value of every position that can be reached, from the ends backwards.
//!
//! Richard Bellman, "On the application of dynamic programming to the determination of optimal play
//! in chess and checkers", 1965; Ken Thompson, "Retrograde analysis of certain endgames", ICCA
//! Journal 9,
//! 1986. All positions are listed, breadth first. Then values spread from the ends: a position is won as
//! soon as one move leads to a won one, and lost once every move has been seen to lose. What is
//! decided first is decided soonest, so distances are exact: the winner hurries, the
//! loser drags. Where nothing spreads to, neither side can force an end, and the position is a
//! draw by endless play.
//!
//! **Condition.** A position is its cells, and each is taken as if the game began there
//! ([`Past::Ignored`](super::question::Past::Ignored)): repetition ends and forbids nothing. The
//! first paragraphs of [`question`](super::question) say when that gives the value of the game as
//! it is played. Utilities count by their sign: above 0 is won.

use std::collections::{HashMap, VecDeque};

use ludex_core::two_player::opponent;
use ludex_core::{Fault, Game, Player, PositionOf};

use super::question::{Progress, ProofRun, View};

/// Every position, with its value.
#[derive(Debug)]
pub struct RetrogradeSolution<G: Game> {
    numbers: HashMap<G::State, u32>,
    values: Vec<Option<ForcedEnd>>,
    /// The least that an end which is not drawn is worth to its winner.
    pub least: f64,
}

/// A win that can be forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedEnd {
    /// For whom.
    pub winner: Player,
    /// In how many plies, if the winner hurries and the loser drags.
    pub plies: u32,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// There are more positions than were allowed.
    TooMany,
    /// The limits were reached.
    Spent,
}

impl<G: Game> RetrogradeSolution<G> {
    /// How many positions can be reached.
    pub fn states(&self) -> usize {
        self.values.len()
    }

    /// Who can force a win in a position and how fast; inside, `None` for a draw; outside, for a
    /// position that cannot be reached.
    pub fn forced(&self, state: &G::State) -> Option<Option<ForcedEnd>> {
        self.numbers.get(state).map(|&number| self.values[number as usize])
    }
}

/// About how many bytes the analysis takes for a position, with its share of the moves.
pub fn bytes_of_position<G: Game>(game: &G) -> usize {
    // The state itself stands in a table that is at worst half empty; numbers, values and about
    // ten moves in both directions take the rest. States that live elsewhere are not seen.
    let _ = game;
    2 * (size_of::<G::State>() + 8) + 120
}

/// Solves every position that can be reached from `root`, if there are at most `most`.
pub fn solve<G: Game>(
    view: View<'_, G>,
    root: &PositionOf<G>,
    most: usize,
    run: &mut ProofRun<'_>,
) -> Result<Result<RetrogradeSolution<G>, Unsolved>, Fault> {
    let graph = match explore(view, root, most, run)? {
        Ok(graph) => graph,
        Err(unsolved) => return Ok(Err(unsolved)),
    };
    let values = spread(&graph);
    Ok(Ok(RetrogradeSolution { numbers: graph.numbers, values, least: graph.least }))
}

/// All positions, numbered in the order they were found.
struct Graph<G: Game> {
    numbers: HashMap<G::State, u32>,
    /// Who moves; `None` at an end.
    movers: Vec<Option<Player>>,
    /// Who has won, at an end that is not drawn.
    winners: Vec<Option<Player>>,
    /// The numbers of the positions one move on, all in a row.
    next: Vec<u32>,
    /// Where the row of each position ends.
    row_ends: Vec<usize>,
    least: f64,
}

fn explore<G: Game>(
    view: View<'_, G>,
    root: &PositionOf<G>,
    most: usize,
    run: &mut ProofRun<'_>,
) -> Result<Result<Graph<G>, Unsolved>, Fault> {
    let mut graph = Graph {
        numbers: HashMap::from([(root.state.clone(), 0)]),
        movers: Vec::new(),
        winners: Vec::new(),
        next: Vec::new(),
        row_ends: Vec::new(),
        least: 1.0,
    };
    // They wait in the order of their numbers.
    let mut waiting = VecDeque::from([root.state.clone()]);
    let mut moves = Vec::new();
    let mut next = root.clone();
    while let Some(state) = waiting.pop_front() {
        if run.is_over() {
            return Ok(Err(Unsolved::Spent));
        }
        run.count(|| None);
        if run.nodes.is_multiple_of(1 << 14) {
            let states = graph.numbers.len();
            (run.observer)(&Progress { nodes: run.nodes, numbers: None, states });
        }
        let position = view.game().position(state.clone());
        let position = position;
        let mover = view.mover(&position)?;
        let mut winner = None;
        match mover {
            Some(mover) => view.moves(&position, mover, &mut moves)?,
            None => {
                moves.clear();
                winner = graph.end(view.utility(&position, Player(0))?);
            }
        }
        for &mv in &moves {
            view.follow(&position, mv, &mut next)?;
            let fresh = graph.numbers.len() as u32;
            let number = *graph.numbers.entry(next.state.clone()).or_insert(fresh);
            if number == fresh {
                waiting.push_back(next.state.clone());
            }
            graph.next.push(number);
        }
        if graph.numbers.len() > most.min(u32::MAX as usize - 1) {
            return Ok(Err(Unsolved::TooMany));
        }
        graph.movers.push(mover);
        graph.winners.push(winner);
        graph.row_ends.push(graph.next.len());
    }
    Ok(Ok(graph))
}

impl<G: Game> Graph<G> {
    /// Who has won an end that is worth `utility` to the first player.
    fn end(&mut self, utility: f64) -> Option<Player> {
        if utility.abs() <= super::question::ROUNDING {
            return None;
        }
        self.least = self.least.min(utility.abs());
        Some(if utility > 0.0 { Player(0) } else { opponent(Player(0)) })
    }

    /// The positions one move on.
    fn row(&self, number: usize) -> &[u32] {
        let start = if number == 0 { 0 } else { self.row_ends[number - 1] };
        &self.next[start..self.row_ends[number]]
    }
}

/// Spreads wins backwards, nearest first.
fn spread<G: Game>(graph: &Graph<G>) -> Vec<Option<ForcedEnd>> {
    let count = graph.movers.len();
    let (before, ends) = turned(graph);
    let mut open: Vec<u32> = (0..count).map(|number| graph.row(number).len() as u32).collect();
    let mut values: Vec<Option<ForcedEnd>> =
        graph.winners.iter().map(|it| it.map(|winner| ForcedEnd { winner, plies: 0 })).collect();
    let mut queue: VecDeque<u32> =
        (0..count as u32).filter(|&it| values[it as usize].is_some()).collect();
    while let Some(number) = queue.pop_front() {
        let number = number as usize;
        let Some(ForcedEnd { winner, plies }) = values[number] else { continue };
        let start = if number == 0 { 0 } else { ends[number - 1] };
        for &above in &before[start..ends[number]] {
            let at = above as usize;
            if values[at].is_some() {
                continue;
            }
            open[at] -= 1;
            if graph.movers[at] == Some(winner) || open[at] == 0 {
                values[at] = Some(ForcedEnd { winner, plies: plies + 1 });
                queue.push_back(above);
            }
        }
    }
    values
}

/// The moves turned round: the positions before each, all in a row, and where each row ends.
fn turned<G: Game>(graph: &Graph<G>) -> (Vec<u32>, Vec<usize>) {
    let count = graph.movers.len();
    let mut ends = vec![0_usize; count];
    for &next in &graph.next {
        ends[next as usize] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    // Filled from the back, so that each position ends up where its row begins; then put right.
    let mut positions = ends.clone();
    let mut before = vec![0_u32; graph.next.len()];
    for number in 0..count {
        for &next in graph.row(number) {
            positions[next as usize] -= 1;
            before[positions[next as usize]] = number as u32;
        }
    }
    (before, ends)
}
