//! Games of which every node is written down, for testing searches.
//!
//! ```text
//!          0: player 0                Explicit::new(2, vec![
//!        left /    \ right                Node::of(0, &[("left", 1), ("right", 2)]),
//!   1: player 1     2: 0, 0               Node::of(1, &[("a", 3), ("b", 4)]),
//!     a /   \ b                           Node::end(&[0.0, 0.0]),
//! 3: 1, -1   4: -1, 1                     Node::end(&[1.0, -1.0]),
//!                                         Node::end(&[-1.0, 1.0]),
//!                                     ])
//! ```
//!
//! Nodes are numbered and edges name numbers, so that ways may meet again and may
//! form cycles.

use ludex_core::info::{Results, Turns};
use ludex_core::{Fault, Game, GameInfo, Payoff, Player, Position, Random, TextError, Turn};

/// A game that is a table of nodes. It starts from node 0.
#[derive(Clone, Debug)]
pub struct Explicit {
    info: GameInfo,
    nodes: Vec<Node>,
}

/// One node of an [`Explicit`] game.
#[derive(Clone, Debug)]
pub enum Node {
    /// A player decides between edges: a name and the number of a node each.
    Of(u8, Vec<(String, usize)>),
    /// Chance decides: a name, a probability and the number of a node each.
    Chance(Vec<(String, f64, usize)>),
    /// The game is over, with a utility for each player.
    End(Vec<f64>),
    /// The rules fail here, to see what a search does about it.
    Fault,
}

impl Node {
    /// Whether it is no end at which one player's gain is not the other's loss.
    fn is_zero_sum(&self) -> bool {
        !matches!(self, Self::End(utilities) if utilities.iter().sum::<f64>().abs() > 1e-9)
    }

    /// A node at which `player` decides.
    pub fn of(player: u8, edges: &[(&str, usize)]) -> Self {
        Self::Of(player, edges.iter().map(|&(name, to)| (name.to_owned(), to)).collect())
    }

    /// A node at which chance decides.
    pub fn chance(edges: &[(&str, f64, usize)]) -> Self {
        Self::Chance(edges.iter().map(|&(name, odd, to)| (name.to_owned(), odd, to)).collect())
    }

    /// An end.
    pub fn end(utilities: &[f64]) -> Self {
        Self::End(utilities.to_vec())
    }

    /// The nodes that the edges lead to.
    fn targets(&self) -> Vec<usize> {
        match self {
            Self::Of(_, edges) => edges.iter().map(|edge| edge.1).collect(),
            Self::Chance(edges) => edges.iter().map(|edge| edge.2).collect(),
            Self::End(_) | Self::Fault => Vec::new(),
        }
    }
}

impl Explicit {
    /// The game of these nodes.
    ///
    /// # Panics
    ///
    /// Where an edge leads nowhere, a node belongs to no player, or an end does
    /// not pay every player: that is a mistake in the test.
    pub fn new(players: usize, nodes: Vec<Node>) -> Self {
        for (number, node) in nodes.iter().enumerate() {
            let leads_on = node.targets().iter().all(|&to| to < nodes.len());
            assert!(leads_on, "an edge of node {number} leads nowhere");
            let fits = match node {
                Node::Of(player, edges) => usize::from(*player) < players && !edges.is_empty(),
                Node::Chance(edges) => !edges.is_empty(),
                Node::End(utilities) => utilities.len() == players,
                Node::Fault => true,
            };
            assert!(fits, "node {number} does not fit {players} players: {node:?}");
        }
        assert!(!nodes.is_empty(), "a game has at least one node");
        let names = (0..players).map(|player| format!("P{player}"));
        let info = GameInfo {
            players: names.collect(),
            has_chance: nodes.iter().any(|it| matches!(it, Node::Chance(_))),
            turns: if players == 1 { Turns::Single } else { Turns::Several },
            results: Results::Points,
            zero_sum: players == 2 && nodes.iter().all(Node::is_zero_sum),
            ..GameInfo::two_players("", "")
        };
        Self { info, nodes }
    }

    /// A random game of two opponents: a tree in which all ends are `depth` turns
    /// away and every node has `width` children; ends are won, drawn or lost.
    pub fn random(seed: u64, depth: u32, width: usize) -> Self {
        let mut random = Random::stream(seed, 0, 0);
        let mut nodes = Vec::new();
        let mut next = 1;
        for level in 0..depth {
            for _ in 0..width.pow(level) {
                let edges = (0..width).map(|edge| (format!("m{edge}"), next + edge));
                nodes.push(Node::Of((level % 2) as u8, edges.collect()));
                next += width;
            }
        }
        for _ in 0..width.pow(depth) {
            let utility = f64::from(random.below(3)) - 1.0;
            nodes.push(Node::end(&[utility, -utility]));
        }
        Self::new(2, nodes)
    }
}

impl Game for Explicit {
    type State = usize;
    type Trail = ();
    type Move = u16;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn start(&self) -> Position<usize, ()> {
        Position::of(0)
    }

    fn position(&self, state: usize) -> Position<usize, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<usize, ()>) -> Result<Turn, Fault> {
        Ok(match &self.nodes[*state] {
            Node::Of(player, _) => Turn::Of(Player(*player)),
            Node::Chance(_) => Turn::Chance,
            Node::End(_) => Turn::Over,
            Node::Fault => {
                let message = format!("the rules fail at node {state}");
                return Err(Fault { code: "explicit", message, place: None });
            }
        })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<usize, ()>,
        player: Player,
        moves: &mut Vec<u16>,
    ) -> Result<(), Fault> {
        moves.clear();
        match &self.nodes[*state] {
            Node::Of(mover, edges) if *mover == player.0 => moves.extend(0..edges.len() as u16),
            _ => {}
        }
        Ok(())
    }

    fn chances(
        &self,
        Position { state, .. }: &Position<usize, ()>,
        moves: &mut Vec<(u16, f64)>,
    ) -> Result<(), Fault> {
        moves.clear();
        if let Node::Chance(edges) = &self.nodes[*state] {
            moves.extend((0..).zip(edges).map(|(number, edge)| (number, edge.1)));
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<usize, ()>,
        moves: &[u16],
    ) -> Result<(), Fault> {
        let targets = self.nodes[*state].targets();
        if let [mv] = *moves
            && let Some(&target) = targets.get(usize::from(mv))
        {
            *state = target;
        }
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<usize, ()>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        Ok(match &self.nodes[*state] {
            Node::End(utilities) => {
                let utility = utilities[player.index()];
                Payoff { score: (100.0 * utility).round() as i64, utility }
            }
            _ => Payoff::DRAW,
        })
    }

    fn name(&self, state: &usize, mv: u16) -> String {
        let name = match &self.nodes[*state] {
            Node::Of(_, edges) => edges.get(usize::from(mv)).map(|edge| edge.0.clone()),
            Node::Chance(edges) => edges.get(usize::from(mv)).map(|edge| edge.0.clone()),
            Node::End(_) | Node::Fault => None,
        };
        name.unwrap_or_else(|| format!("#{mv}"))
    }

    fn write(&self, state: &usize) -> String {
        format!("node {state}")
    }

    fn read(&self, text: &str) -> Result<usize, TextError> {
        let [word, digits] = crate::words(text)?;
        match digits.parse() {
            Ok(node) if word == "node" && node < self.nodes.len() => Ok(node),
            _ => Err(TextError::new(format!("there is no `{text}`")).or_nearest(word, ["node"])),
        }
    }
}
