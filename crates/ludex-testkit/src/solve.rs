//! The exact value of every position of a small game.
//!
//! All positions that can be reached are listed; then values spread backwards
//! from the ends (retrograde analysis, as in endgame tables). Nothing is pruned,
//! ordered or guessed, which is what makes it a yardstick for searches.
//!
//! History is ignored: each position is taken as if the game started there, and
//! positions from which neither side can force an end are draws.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, Player};

/// The values of all positions that can be reached from the start of a game.
#[derive(Clone, Debug)]
pub struct Solution<S> {
    numbers: HashMap<S, usize>,
    values: Vec<Option<Forced>>,
}

/// A win that can be forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced {
    /// For whom.
    pub winner: Player,
    /// In how many turns, if the winner hurries and the loser drags.
    pub distance: u32,
}

/// Why a game was not solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// It is not a game of two opponents.
    NotTwoPlayer,
    /// More positions than the bound allows.
    TooLarge(usize),
    /// The rules failed, or a turn was joint or chance's.
    Fault(Fault),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotTwoPlayer => write!(f, "only games of two opponents can be solved"),
            Self::TooLarge(bound) => write!(f, "there are more than {bound} positions"),
            Self::Fault(fault) => write!(f, "{fault}"),
        }
    }
}

impl std::error::Error for SolveError {}

impl From<Fault> for SolveError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl<S: Eq + Hash> Solution<S> {
    /// How many positions can be reached.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// Who can force a win from `state` and how fast; `None` for a draw.
    ///
    /// # Panics
    ///
    /// Where `state` cannot be reached from the start.
    pub fn forced(&self, state: &S) -> Option<Forced> {
        let number = self.numbers.get(state).expect("the state can be reached from the start");
        self.values[*number]
    }

    /// What `state` is worth to `player` with best play: 1, 0 or -1.
    pub fn value(&self, state: &S, player: Player) -> i32 {
        match self.forced(state) {
            Some(forced) if forced.winner == player => 1,
            Some(_) => -1,
            None => 0,
        }
    }
}

/// Solves every position of `game`, if there are at most `bound`.
pub fn solve<G: Game>(game: &G, bound: usize) -> Result<Solution<G::State>, SolveError> {
    let view = TwoPlayer::new(game).ok_or(SolveError::NotTwoPlayer)?;
    let graph = explore(view, bound)?;
    let values = spread(&graph.nodes);
    Ok(Solution { numbers: graph.numbers, values })
}

/// All positions, numbered in the order they were found.
struct Graph<G: Game> {
    numbers: HashMap<G::State, usize>,
    nodes: Vec<Node>,
}

/// What the backward spread needs to know of a position.
struct Node {
    /// Who moves; `None` at an end.
    mover: Option<Player>,
    /// Who has won, at an end that is not drawn.
    winner: Option<Player>,
    /// The numbers of the positions one move away.
    next: Vec<usize>,
}

fn explore<G: Game>(view: TwoPlayer<'_, G>, bound: usize) -> Result<Graph<G>, SolveError> {
    let start = view.game().start().state;
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut nodes = Vec::new();
    // Positions wait here in the order of their numbers, so that each becomes
    // the node of its own number.
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        let (mut node, states) = describe(view, &state)?;
        for state in states {
            let fresh = numbers.len();
            let number = *numbers.entry(state.clone()).or_insert(fresh);
            if number == fresh {
                queue.push_back(state);
            }
            node.next.push(number);
        }
        if numbers.len() > bound {
            return Err(SolveError::TooLarge(bound));
        }
        nodes.push(node);
    }
    Ok(Graph { numbers, nodes })
}

/// The position of `state`, without numbers yet, and the states one move away.
fn describe<G: Game>(
    view: TwoPlayer<'_, G>,
    state: &G::State,
) -> Result<(Node, Vec<G::State>), Fault> {
    let position = view.game().position(state.clone());
    let mover = view.mover(&position)?;
    let Some(player) = mover else {
        let winner = winner(view.value(&position, Player(0))?);
        return Ok((Node { mover, winner, next: Vec::new() }, Vec::new()));
    };
    let mut moves = Vec::new();
    view.moves(&position, player, &mut moves)?;
    let after = |mv| {
        let mut after = position.clone();
        view.apply(&mut after, mv).map(|()| after.state)
    };
    let states = moves.into_iter().map(after).collect::<Result<_, _>>()?;
    Ok((Node { mover, winner: None, next: Vec::new() }, states))
}

/// Who has won a game that is worth `value` to the first player.
fn winner(value: f64) -> Option<Player> {
    if value > 0.0 {
        Some(Player(0))
    } else if value < 0.0 {
        Some(Player(1))
    } else {
        None
    }
}

/// Spreads wins backwards, nearest first: a position is won by its mover as soon
/// as one move leads to a win, and lost once every move has been seen to lose.
fn spread(nodes: &[Node]) -> Vec<Option<Forced>> {
    let before = predecessors(nodes);
    let mut open: Vec<usize> = nodes.iter().map(|node| node.next.len()).collect();
    let mut values: Vec<Option<Forced>> =
        nodes.iter().map(|node| node.winner.map(|winner| Forced { winner, distance: 0 })).collect();
    let mut queue: VecDeque<usize> =
        (0..nodes.len()).filter(|&number| values[number].is_some()).collect();
    while let Some(number) = queue.pop_front() {
        let Forced { winner, distance } = values[number].expect("only decided positions wait");
        for &above in &before[number] {
            if values[above].is_some() {
                continue;
            }
            open[above] -= 1;
            let wins = nodes[above].mover == Some(winner);
            if wins || open[above] == 0 {
                values[above] = Some(Forced { winner, distance: distance + 1 });
                queue.push_back(above);
            }
        }
    }
    values
}

/// For each position, those from which one move leads to it, once per move.
fn predecessors(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        for &next in &node.next {
            before[next].push(number);
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Explicit, Nim, Node, Pig, TicTacToe, Trio};

    #[test]
    fn tictactoe_is_a_draw() {
        let solution = solve(&TicTacToe, 10_000).unwrap();
        assert_eq!(solution.positions(), 5_478);
        assert_eq!(solution.forced(&TicTacToe.start().state), None);
    }

    #[test]
    fn tictactoe_punishes_a_mistake() {
        let solution = solve(&TicTacToe, 10_000).unwrap();
        let value = |text: &str| {
            let state = TicTacToe.read(text).unwrap();
            solution.forced(&state).map(|it| (it.winner.0, it.distance))
        };
        assert_eq!(value("3/1X1/3 O"), None);
        // The side answer to the centre loses in five more turns.
        assert_eq!(value("1O1/1X1/3 X"), Some((0, 5)));
        assert_eq!(value("OO1/XX1/3 X"), Some((0, 1)));
        assert_eq!(value("OO1/XXX/3 O"), Some((0, 0)));
    }

    #[test]
    fn nim_follows_bouton() {
        let nim = Nim::new(&[3, 4, 5]);
        let solution = solve(&nim, 1_000).unwrap();
        for state in solution.numbers.keys().collect::<Vec<_>>() {
            let expected = if Nim::is_won(state) { 1 } else { -1 };
            assert_eq!(solution.value(state, state.mover), expected, "{state:?}");
        }
    }

    #[test]
    fn circles_are_draws_and_wins_hurry() {
        // Player 0 may win at once, or go round in a circle first.
        let game = Explicit::new(
            2,
            vec![
                Node::of(0, &[("round", 1), ("win", 2)]),
                Node::of(1, &[("back", 0), ("stay", 3)]),
                Node::end(&[1.0, -1.0]),
                Node::of(1, &[("there", 4)]),
                Node::of(0, &[("back", 3)]),
            ],
        );
        let solution = solve(&game, 10).unwrap();
        assert_eq!(solution.forced(&0), Some(Forced { winner: Player(0), distance: 1 }));
        assert_eq!(solution.forced(&1), None);
        assert_eq!(solution.forced(&3), None);
    }

    #[test]
    fn what_cannot_be_solved_is_refused() {
        assert_eq!(solve(&Trio { stones: 5 }, 100).unwrap_err(), SolveError::NotTwoPlayer);
        assert_eq!(solve(&TicTacToe, 100).unwrap_err(), SolveError::TooLarge(100));
        let SolveError::Fault(fault) = solve(&Pig { goal: 9, faces: 3 }, 1_000).unwrap_err() else {
            panic!("chance has no place here");
        };
        assert_eq!(fault.code, "two-player-chance");
    }
}
