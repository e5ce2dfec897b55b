//! Proof-number search: the tree is grown where the least is missing for a proof.
//!
//! L. Victor Allis, Maarten van der Meulen and H. Jaap van den Herik, "Proof-number search",
//! Artificial Intelligence 66, 1994; L. Victor Allis, "Searching for solutions in games and
//! artificial intelligence", thesis, Maastricht, 1994. The proof number of a node is the least
//! number of leaves that must be proved to prove it: the least of its children's where the attacker
//! moves, their sum elsewhere; the disproof number the other way round. From the root, the child
//! with the least number leads to the *most-proving* leaf, which is expanded; then the numbers
//! above are made right again, as far up as they change.
//!
//! The tree stays in memory, in one arena, and the search ends when it is full. Equal positions on
//! different paths are different nodes, so a value never depends on a path that is not its own. A
//! position that stands on its own path already is a failure of the attacker: proofs never rest on
//! it, and a disproof of the root that does is the defender's right to go in circles (see
//! [`question`](super::question)).
//!
//! This is the plain one: [`dfpn`](super::dfpn) finds the same in bounded memory.

use ludex_core::{Fault, Game, GameExt, PositionOf};

use super::dfpn::Dfpn;
use super::path::Path;
use super::question::{EndClass, EndValues, ProofRun, ProofStatus, Question, View};
use super::table::{INFINITE, LARGEST, Numbers};

/// What proof-number search does by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PnsConfig {
    /// About how many bytes the tree may take.
    pub memory: usize,
    /// Whether a fresh leaf starts with the number of its moves; otherwise with 1.
    pub mobility: bool,
}

impl Default for PnsConfig {
    fn default() -> Self {
        Self { memory: 256 << 20, mobility: true }
    }
}

/// One node of the tree.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    parent: u32,
    /// Number of the first child; they stand side by side.
    first: u32,
    /// How many children there are; 0 before it is expanded.
    count: u32,
    numbers: Numbers,
    /// The move that leads here; none at the root.
    mv: Option<M>,
    /// Whether the attacker is to move.
    attacks: bool,
}

/// A search for the answer to one question about one position.
#[derive(Debug)]
pub struct Pns<'g, G: Game> {
    view: View<'g, G>,
    question: Question,
    config: PnsConfig,
    nodes: Vec<Node<G::Move>>,
    /// The positions from the root to the node that is looked at.
    line: Vec<PositionOf<G>>,
    path: Path,
    /// Whether a position has come again on its own path.
    circles: bool,
    /// What was seen of ends.
    pub ends: EndValues,
    at: u32,
    moves: Vec<G::Move>,
}

const ROOT: u32 = 0;

impl<'g, G: Game> Pns<'g, G> {
    /// A search from `root`.
    pub fn new(
        view: View<'g, G>,
        question: Question,
        config: PnsConfig,
        root: &PositionOf<G>,
    ) -> Result<Self, Fault> {
        let mut search = Self {
            view,
            question,
            config,
            nodes: Vec::new(),
            line: vec![root.clone()],
            path: Path::default(),
            circles: false,
            ends: EndValues::default(),
            at: ROOT,
            moves: Vec::new(),
        };
        search.path.push(view.key(root));
        let (numbers, attacks) = search.fresh(root)?;
        search.nodes.push(Node { parent: ROOT, first: 0, count: 0, numbers, mv: None, attacks });
        Ok(search)
    }

    /// Grows the tree until the question is answered, the limits are reached, the memory is
    /// full, or `most` further nodes were expanded. Calling again goes on.
    pub fn search(&mut self, run: &mut ProofRun<'_>, most: u64) -> Result<ProofStatus, Fault> {
        let until = run.nodes.saturating_add(most);
        loop {
            let numbers = self.nodes[ROOT as usize].numbers;
            if numbers.proof == 0 {
                return Ok(ProofStatus::Proved);
            }
            if numbers.disproof == 0 {
                return Ok(ProofStatus::Disproved);
            }
            if self.is_full() || run.nodes >= until || run.is_over() {
                return Ok(ProofStatus::Unknown);
            }
            self.descend()?;
            let question = self.question;
            run.count(|| Some((question, numbers.proof, numbers.disproof)));
            self.expand()?;
            self.update();
        }
    }

    /// The numbers after a move at the root; 1 and 1 before anything is known.
    pub(crate) fn of_move(&self, mv: G::Move) -> Numbers {
        let root = &self.nodes[ROOT as usize];
        let children = &self.nodes[root.first as usize..(root.first + root.count) as usize];
        let found = children.iter().find(|it| it.mv == Some(mv));
        found.map_or(Numbers { proof: 1, disproof: 1 }, |it| it.numbers)
    }

    /// Whether the tree takes all the memory it may.
    pub fn is_full(&self) -> bool {
        let bytes = self.nodes.len() * size_of::<Node<G::Move>>();
        bytes >= self.config.memory || self.nodes.len() >= (u32::MAX >> 1) as usize
    }

    /// Walks from where it stands to the most-proving leaf.
    fn descend(&mut self) -> Result<(), Fault> {
        while self.nodes[self.at as usize].count > 0 {
            let child = self.best(self.at);
            let mv = self.nodes[child as usize].mv;
            let here = &self.line[self.line.len() - 1];
            let mut next = here.clone();
            if let Some(mv) = mv {
                self.view.follow(here, mv, &mut next)?;
            }
            self.path.push(self.view.key(&next));
            self.line.push(next);
            self.at = child;
        }
        Ok(())
    }

    /// The child that decides soonest.
    fn best(&self, at: u32) -> u32 {
        let node = &self.nodes[at as usize];
        let own = |&child: &u32| {
            let Numbers { proof, disproof } = self.nodes[child as usize].numbers;
            if node.attacks { proof } else { disproof }
        };
        (node.first..node.first + node.count).min_by_key(own).unwrap_or(node.first)
    }

    /// Adds the children of the leaf it stands on.
    fn expand(&mut self) -> Result<(), Fault> {
        let mut moves = std::mem::take(&mut self.moves);
        let here = self.line[self.line.len() - 1].clone();
        if let Some(mover) = self.view.mover(&here)? {
            self.view.moves(&here, mover, &mut moves)?;
        }
        let first = self.nodes.len() as u32;
        let mut next = here.clone();
        for &mv in &moves {
            self.view.follow(&here, mv, &mut next)?;
            let (numbers, attacks) = if self.path.depth_of(self.view.key(&next)).is_some() {
                (self.circles, self.ends.between) = (true, true);
                (Numbers::DISPROVED, false)
            } else {
                self.fresh(&next)?
            };
            let (parent, mv) = (self.at, Some(mv));
            self.nodes.push(Node { parent, first: 0, count: 0, numbers, mv, attacks });
        }
        let node = &mut self.nodes[self.at as usize];
        (node.first, node.count) = (first, moves.len() as u32);
        self.moves = moves;
        Ok(())
    }

    /// The first numbers of a position, and whether the attacker is to move there.
    fn fresh(&mut self, position: &PositionOf<G>) -> Result<(Numbers, bool), Fault> {
        let Some(mover) = self.view.mover(position)? else {
            let utility = self.view.utility(position, self.question.attacker)?;
            let end = self.question.judge(utility);
            self.ends.note(end, utility);
            let reached = end == EndClass::Reached;
            return Ok((if reached { Numbers::PROVED } else { Numbers::DISPROVED }, false));
        };
        let moves = if self.config.mobility {
            let count = self.view.game().count_moves(position)?;
            count.clamp(1, 1 << 16) as u32
        } else {
            1
        };
        Ok(if mover == self.question.attacker {
            (Numbers { proof: 1, disproof: moves }, true)
        } else {
            (Numbers { proof: moves, disproof: 1 }, false)
        })
    }

    /// Makes the numbers right from where it stands upwards, and stops where nothing changes.
    fn update(&mut self) {
        loop {
            let numbers = self.sum_up(self.at);
            let node = &mut self.nodes[self.at as usize];
            let changed = node.numbers != numbers;
            node.numbers = numbers;
            if self.at == ROOT || !changed {
                return;
            }
            self.at = node.parent;
            self.path.pop();
            self.line.pop();
        }
    }

    fn sum_up(&self, at: u32) -> Numbers {
        let node = &self.nodes[at as usize];
        let (mut least, mut sum) = (INFINITE, 0_u32);
        for child in node.first..node.first + node.count {
            let Numbers { proof, disproof } = self.nodes[child as usize].numbers;
            let (own, other) = if node.attacks { (proof, disproof) } else { (disproof, proof) };
            least = least.min(own);
            sum = sum.saturating_add(other).min(LARGEST);
        }
        let sum = if least == 0 { INFINITE } else { sum };
        if node.attacks {
            Numbers { proof: least, disproof: sum }
        } else {
            Numbers { proof: sum, disproof: least }
        }
    }

    /// Tells another search what the tree that decides the root has shown of its positions.
    ///
    /// Where positions came again, a disproof may hold on its own path only, and is not reported.
    pub fn teach(&self, other: &mut Dfpn<'_, '_, G>) -> Result<(), Fault> {
        let root = &self.line[0];
        let mut open = vec![(ROOT, root.clone())];
        while let Some((at, position)) = open.pop() {
            let node = &self.nodes[at as usize];
            let verdict = match node.numbers {
                Numbers { proof: 0, .. } => ProofStatus::Proved,
                Numbers { disproof: 0, .. } if !self.circles => ProofStatus::Disproved,
                _ => continue,
            };
            other.learn(&position, verdict);
            // One child decides where the one who succeeds is to move, all of them elsewhere.
            let one = node.attacks == (verdict == ProofStatus::Proved);
            let children = (node.first..node.first + node.count)
                .filter(|&it| self.nodes[it as usize].numbers.is_solved())
                .filter(|&it| {
                    (self.nodes[it as usize].numbers.proof == 0) == (node.numbers.proof == 0)
                });
            for child in children.take(if one { 1 } else { usize::MAX }) {
                let mut next = position.clone();
                if let Some(mv) = self.nodes[child as usize].mv {
                    self.view.follow(&position, mv, &mut next)?;
                }
                open.push((child, next));
            }
        }
        Ok(())
    }
}
