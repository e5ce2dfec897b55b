//! UCT: a tree of bandits, grown by random playouts.
//!
//! Levente Kocsis and Csaba Szepesvári, "Bandit based Monte-Carlo planning",
//! ECML 2006. Each iteration
//!
//! 1. *selects*: walks down from the root, at each node by UCB1 (Auer,
//!    Cesa-Bianchi and Fischer, 2002): the move with the largest
//!    `mean + c * sqrt(ln(visits of the node) / visits of the move)`, untried moves
//!    first, ties by lot;
//! 2. *expands*: adds the first node that is not in the tree yet;
//! 3. *plays out*: finishes the game by random moves;
//! 4. *backs up*: adds what each player earned to the moves that this player chose.
//!
//! Step 4 gives every player their own reward, which is UCT for any number of
//! players (max^n: Luckhardt and Irani, 1986; Sturtevant, 2008); for two
//! opponents it is the usual algorithm. Chance draws by its odds and has no bandit.
//!
//! In a joint turn each player has a bandit of their own that does not see what the
//! others choose: decoupled UCT (Finnsson and Björnsson, 2008). It is strong in
//! practice, but it need not find an equilibrium (Shafiei, Sturtevant and
//! Schaeffer, 2009), and the single move it names can be exploited where only a
//! mixture is safe; the visits are the mixture.
//!
//! The tree is an arena of nodes and a table of edges. A leaf is only a number: its
//! moves are listed when it is visited for the second time, which keeps a tree of
//! a million leaves small.
//!
//! Start reading at [`uct`] and then at `Search::iterate`.

mod report;

use std::collections::HashMap;
use std::mem;

use ludex_core::playout::Playouts;
use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, GameExt, Limits, Player, PositionOf, Random, Turn};

pub use report::{Decision, UctLine, UctReport};

/// What UCT does by default.
///
/// ```
/// use ludex_search::UctConfig;
///
/// let bold = UctConfig { exploration: 0.5, ..UctConfig::default() };
/// assert_eq!(bold.seed, 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct UctConfig {
    /// Weight of the exploration term, for rewards from 0 to 1. Higher tries more
    /// moves, lower reads deeper. The default, √2, is the one the proof is for;
    /// most games are played better with less.
    pub exploration: f64,
    /// Seed of every random choice.
    pub seed: u64,
    /// Playouts where the budget has no limit that would ever end the search.
    pub playouts: u64,
    /// A playout that has not ended after this many turns counts as a draw for all.
    pub playout_plies: u32,
    /// About how many bytes the tree may take. When they are used up the tree
    /// stops growing and the playouts go on.
    pub memory: usize,
}

impl Default for UctConfig {
    fn default() -> Self {
        Self {
            exploration: std::f64::consts::SQRT_2,
            seed: 0,
            playouts: 10_000,
            playout_plies: 10_000,
            memory: 256 << 20,
        }
    }
}

/// Searches from `position` until the limits are reached. A playout is a node; the depth limits
/// for how many turns moves are chosen and not drawn by lot.
///
/// However small the budget, every decision has all its moves, so that there is
/// always something to play.
pub fn uct<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    config: &UctConfig,
    limits: Limits<'_>,
) -> Result<UctReport<G::Move>, Fault> {
    let limits = limits.or_nodes(config.playouts);
    let mut search = Search::new(game, position, config, limits)?;
    while !limits.is_reached(search.playouts) {
        search.iterate()?;
    }
    Ok(search.report())
}

/// A number of a node.
type Number = u32;

const ROOT: Number = 0;

/// What an edge costs in the table, with the room a table leaves empty.
const EDGE_BYTES: usize = 2 * mem::size_of::<((Number, u32), Number)>();

/// One position in the tree.
#[derive(Debug)]
enum Node<M> {
    /// Nothing is known of it but that it was reached.
    Leaf,
    /// Players decide, usually one.
    Players { visits: u64, bandits: Vec<Bandit<M>> },
    /// Chance decides between the moves, by the odds of their numbers.
    Chance { moves: Vec<M>, odds: Vec<(u32, f64)> },
    /// The game is over.
    Over,
}

/// The choice of one player at one node.
#[derive(Debug)]
struct Bandit<M> {
    player: Player,
    arms: Vec<Arm<M>>,
}

/// One move and what came of it.
#[derive(Debug)]
struct Arm<M> {
    mv: M,
    visits: u64,
    /// Sum of the rewards, each from 0 to 1.
    reward: f64,
}

impl<M> Arm<M> {
    /// The mean reward as a utility, from -1 to 1.
    fn utility(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { 2.0 * self.reward / self.visits as f64 - 1.0 }
    }
}

/// A search in progress.
struct Search<'a, G: Game> {
    game: &'a G,
    root: &'a PositionOf<G>,
    config: &'a UctConfig,
    /// How many turns deep the tree may grow.
    depth: usize,
    random: Random,
    nodes: Vec<Node<G::Move>>,
    /// From a node, by the number of a move, to a node. A joint turn is a chain of
    /// edges, one per player; the nodes inside the chain stay leaves for ever.
    edges: HashMap<(Number, u32), Number>,
    memory: usize,
    playouts: u64,
    plies: u64,
    /// Sum of each player's rewards.
    rewards: Vec<f64>,
    walk: Walk<G>,
}

/// Where an iteration stands, and memory that iterations share.
struct Walk<G: Game> {
    position: PositionOf<G>,
    /// The nodes passed.
    path: Vec<Number>,
    /// The numbers of the moves chosen in them, one per player and node.
    picks: Vec<u32>,
    turn: Vec<G::Move>,
    choices: Choices<G::Move>,
    playouts: Playouts<G::Move>,
}

impl<'a, G: Game> Search<'a, G> {
    fn new(
        game: &'a G,
        position: &'a PositionOf<G>,
        config: &'a UctConfig,
        limits: Limits<'_>,
    ) -> Result<Self, Fault> {
        let mut search = Self {
            game,
            root: position,
            config,
            depth: limits.depth.map_or(usize::MAX, |it| it as usize),
            random: Random::stream(config.seed, 0, 0),
            nodes: vec![Node::Leaf],
            edges: HashMap::new(),
            memory: 0,
            playouts: 0,
            plies: 0,
            rewards: vec![0.0; game.players()],
            walk: Walk {
                position: position.clone(),
                path: Vec::new(),
                picks: Vec::new(),
                turn: Vec::new(),
                choices: Choices::default(),
                playouts: Playouts::default(),
            },
        };
        search.open(ROOT)?;
        Ok(search)
    }

    /// One playout, from the root to the end of a game and back.
    fn iterate(&mut self) -> Result<(), Fault> {
        self.walk.position.clone_from(self.root);
        self.walk.path.clear();
        self.walk.picks.clear();
        self.descend()?;
        let rewards = self.play_out()?;
        self.back_up(&rewards);
        self.playouts += 1;
        Ok(())
    }

    /// Walks down the tree and adds the first position that is not in it.
    fn descend(&mut self) -> Result<(), Fault> {
        let mut number = ROOT;
        loop {
            if matches!(self.nodes[number as usize], Node::Leaf) {
                if self.is_full() {
                    return Ok(());
                }
                self.open(number)?;
            }
            let first = self.walk.picks.len();
            if !self.select(number) {
                return Ok(());
            }
            self.walk.path.push(number);
            self.plies += 1;
            self.game.apply(&mut self.walk.position, &self.walk.turn)?;
            let Some(child) = self.child(number, first) else {
                self.expand(number, first);
                return Ok(());
            };
            number = child;
        }
    }

    /// Lists the moves of the leaf that the walk has reached.
    fn open(&mut self, number: Number) -> Result<(), Fault> {
        let Walk { position, choices, .. } = &mut self.walk;
        let turn = choices.fill(self.game, position)?;
        let arms: usize = choices.lists().iter().map(Vec::len).sum();
        self.memory += arms * mem::size_of::<Arm<G::Move>>();
        self.nodes[number as usize] = match turn {
            Turn::Over => Node::Over,
            Turn::Chance => Node::Chance {
                moves: choices.lists()[0].clone(),
                odds: (0..).zip(choices.odds()).map(|(number, &(_, odd))| (number, odd)).collect(),
            },
            Turn::Of(player) => Node::Players { visits: 0, bandits: bandits([player], choices) },
            Turn::Joint(players) => {
                Node::Players { visits: 0, bandits: bandits(players.iter(), choices) }
            }
        };
        Ok(())
    }

    /// Chooses a turn at a node and notes it in the walk; false where there is none.
    fn select(&mut self, number: Number) -> bool {
        let Self { nodes, random, walk, config, .. } = self;
        walk.turn.clear();
        match &nodes[number as usize] {
            Node::Leaf | Node::Over => false,
            Node::Chance { moves, odds } => {
                let Some(pick) = random.pick_weighted(odds) else { return false };
                walk.picks.push(pick);
                walk.turn.push(moves[pick as usize]);
                true
            }
            Node::Players { visits, bandits } => {
                for bandit in bandits {
                    let pick = ucb1(&bandit.arms, *visits, config.exploration, random);
                    walk.picks.push(pick as u32);
                    walk.turn.push(bandit.arms[pick].mv);
                }
                true
            }
        }
    }

    /// The node that the picks from number `first` on lead to.
    fn child(&self, number: Number, first: usize) -> Option<Number> {
        let picks = &self.walk.picks[first..];
        picks.iter().try_fold(number, |at, &pick| self.edges.get(&(at, pick)).copied())
    }

    /// Adds the node that the picks from number `first` on lead to, if there is room.
    fn expand(&mut self, number: Number, first: usize) {
        if self.is_full() || self.walk.path.len() >= self.depth {
            return;
        }
        let Self { nodes, edges, memory, walk, .. } = self;
        let mut at = number;
        for &pick in &walk.picks[first..] {
            at = *edges.entry((at, pick)).or_insert_with(|| {
                nodes.push(Node::Leaf);
                *memory += mem::size_of::<Node<G::Move>>() + EDGE_BYTES;
                (nodes.len() - 1) as Number
            });
        }
    }

    fn is_full(&self) -> bool {
        // A joint turn adds a node per player, of whom there are at most 64.
        self.memory >= self.config.memory || self.nodes.len() >= Number::MAX as usize - 64
    }

    /// Finishes the game at random: each player's reward, from 0 to 1.
    fn play_out(&mut self) -> Result<Vec<f64>, Fault> {
        let Walk { position, playouts, .. } = &mut self.walk;
        let limit = self.config.playout_plies;
        let played = playouts.run(self.game, position, &mut self.random, limit)?;
        self.plies += u64::from(played.plies);
        Ok(match played.payoffs {
            Some(payoffs) => payoffs.iter().map(|it| f64::midpoint(it.utility, 1.0)).collect(),
            None => vec![0.5; self.rewards.len()],
        })
    }

    /// Adds the rewards to everything that was chosen on the way down.
    fn back_up(&mut self, rewards: &[f64]) {
        for (sum, reward) in self.rewards.iter_mut().zip(rewards) {
            *sum += reward;
        }
        let mut picks = self.walk.picks.iter();
        let mut next = || *picks.next().expect("each choice on the path has left its pick");
        for &number in &self.walk.path {
            match &mut self.nodes[number as usize] {
                Node::Leaf | Node::Over => {}
                Node::Chance { .. } => {
                    next();
                }
                Node::Players { visits, bandits } => {
                    *visits += 1;
                    for bandit in bandits {
                        let arm = &mut bandit.arms[next() as usize];
                        arm.visits += 1;
                        arm.reward += rewards.get(bandit.player.index()).copied().unwrap_or(0.5);
                    }
                }
            }
        }
    }
}

/// A bandit for each of `players`, whose moves `choices` lists.
fn bandits<M: Copy>(
    players: impl IntoIterator<Item = Player>,
    choices: &Choices<M>,
) -> Vec<Bandit<M>> {
    let fresh = |&mv: &M| Arm { mv, visits: 0, reward: 0.0 };
    let lists = choices.lists().iter();
    players
        .into_iter()
        .zip(lists)
        .map(|(player, moves)| Bandit { player, arms: moves.iter().map(fresh).collect() })
        .collect()
}

/// The arm with the largest upper confidence bound; ties are broken by lot.
fn ucb1<M>(arms: &[Arm<M>], visits: u64, exploration: f64, random: &mut Random) -> usize {
    let log = (visits.max(1) as f64).ln();
    let mut best = (0, f64::NEG_INFINITY);
    let mut ties = 0;
    for (number, arm) in arms.iter().enumerate() {
        let bound = if arm.visits == 0 {
            f64::INFINITY
        } else {
            let tried = arm.visits as f64;
            arm.reward / tried + exploration * (log / tried).sqrt()
        };
        if bound > best.1 {
            ties = 1;
            best = (number, bound);
        } else if bound >= best.1 {
            ties += 1;
            if random.below(ties) == 0 {
                best = (number, bound);
            }
        }
    }
    best.0
}
