//! df-pn: proof-number search depth first, in bounded memory.
//!
//! Ayumu Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", doctoral thesis,
//! University of Tokyo, 2002. Each visit of a position has two limits; it is searched until its
//! proof or disproof number reaches one of them. The limits of a child let it run until another
//! child would be chosen; times 1 + ε, so that the search does not jump between far-off leaves all
//! the time (Jakub Pawlewicz and Łukasz Lew, "Improving depth-first PN-search: 1 + ε trick", 2007).
//! A fresh leaf starts with the number of its moves where all of them must be dealt with.
//!
//! Positions are met again by many ways, and a sum counts what they share many times. By
//! default the number that adds up is therefore the largest child's plus one for every other (weak
//! proof numbers: Toru Ueda, Tsuyoshi Hashimoto, Junichi Hashimoto and Hiroyuki Iida, "Weak
//! proof-number search", 2008).
//!
//! # Positions that come again
//!
//! A value found below a position may rest on the way that led there (the graph-history interaction
//! problem: Akihiro Kishimoto and Martin Müller, "A general solution to the graph history
//! interaction problem", AAAI 2004). What is done here is sound and simple:
//!
//! * Where the rules ask for the past and it counts ([`Past::Exact`](super::question::Past::Exact)), a key
//!   is of cells *and* past. Nothing found with one past is used with another.
//! * A position that stands on the path already is a failure of the attacker, who gets nothing by going in
//!   circles. *Proofs* never rest on it: each is a finite tree whose leaves are ends, and
//!   holds wherever the position is met.
//! * *Disproofs* may rest on it. With each comes the depth of the highest position on the path
//!   that it rests on. If that is the disproved position itself or lower, the disproof is closed: the
//!   defender goes round and round inside of it, and it is stored like any other. If it is higher,
//!   it is stored under a key that is made of the whole path, and found again only on the very same.
//!
//! So nothing is called proved or disproved that is not, endless play being no end (see
//! [`question`](super::question)). What it costs is work done again on other paths.
//!
//! The stack is our own: no game is too long for it. Start reading at [`Dfpn::search`].

use std::mem;

use ludex_core::{Fault, Game, GameExt, Player, PositionOf};

use super::dfpn_config::DfpnConfig;
use super::path::Path;
use super::question::{EndClass, EndValues, Key, ProofRun, ProofStatus, Question, View};
use super::table::{INFINITE, Numbers, ProofEntry, ProofTable};
use super::threats::{Memory, Narrowed};
use super::thresholds::{Sum, choose, others, sides, stretched};

/// Rests on nothing: holds on every path.
const NOTHING: u32 = u32::MAX;

/// A search for the answer to one question, from any positions of a game.
#[derive(Debug)]
pub struct Dfpn<'t, 'g, G: Game> {
    pub(super) view: View<'g, G>,
    question: Question,
    pub(super) config: DfpnConfig,
    table: &'t mut ProofTable,
    /// What tells the entries of this question from those of others.
    salt: Key,
    frames: Vec<Frame<G>>,
    spare: Vec<Frame<G>>,
    path: Path,
    /// Whether a position has come again on its own path.
    circles: bool,
    /// The numbers of the root, for reports.
    root: Numbers,
    moves: Vec<G::Move>,
    next: Option<PositionOf<G>>,
    /// What is forced in positions, as far as it was asked.
    pub(super) forced: Memory<G::Move>,
    /// In how many plies the attacker has to get there, where that counts.
    within: Option<u32>,
}

/// A position that is being searched.
#[derive(Debug)]
struct Frame<G: Game> {
    position: PositionOf<G>,
    key: Key,
    /// Key of the whole path, this position included.
    way: Key,
    /// Whether the attacker is to move.
    attacks: bool,
    children: Vec<Child<G::Move>>,
    /// The number of the child that is being searched.
    pick: usize,
    limits: Numbers,
    /// How many nodes there had been when this one was opened.
    since: u64,
}

/// A position one move on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<M> {
    mv: M,
    key: Key,
    pub(super) known: ProofEntry,
}

impl<'t, 'g, G: Game> Dfpn<'t, 'g, G> {
    /// A search that keeps what it learns in `table`, beside what others have put there.
    pub fn new(
        view: View<'g, G>,
        question: Question,
        config: DfpnConfig,
        table: &'t mut ProofTable,
    ) -> Self {
        let bits = question.above.to_bits();
        let attacker = u64::from(question.attacker.0) + 1;
        let salt = Key { first: bits ^ attacker, second: attacker }.join(Key::default());
        let forced = Memory::beside(table.bytes());
        Self {
            view,
            question,
            config: config.for_game(view.game()),
            table,
            salt,
            frames: Vec::new(),
            spare: Vec::new(),
            path: Path::default(),
            circles: false,
            root: Numbers { proof: 1, disproof: 1 },
            moves: Vec::new(),
            next: None,
            forced,
            within: None,
        }
    }

    /// The same question within a number of plies, which is another one: it has answers of its own
    /// in the table. The prover does not say how soon a forced win comes, so it is not called.
    #[must_use]
    pub(crate) fn within(self, plies: u32) -> Self {
        let config = DfpnConfig { threats: Some(0), mobility: Some(true), ..self.config };
        Self { within: Some(plies), config, ..self }
    }

    /// What is asked.
    pub fn question(&self) -> Question {
        self.question
    }

    /// What was seen of ends.
    fn ends(&mut self) -> &mut EndValues {
        &mut self.table.ends[self.question.attacker.index().min(1)]
    }

    /// Searches from `root` until the question is answered, the limits are reached, or `most`
    /// further nodes were visited. What was learnt stays: calling again goes on.
    pub fn search(
        &mut self,
        root: &PositionOf<G>,
        run: &mut ProofRun<'_>,
        most: u64,
    ) -> Result<ProofStatus, Fault> {
        let until = run.nodes.saturating_add(most);
        self.frames.clear();
        self.path.clear();
        let known = self.known(root, 0)?;
        if known.numbers.is_solved() || run.is_over() {
            return Ok(verdict(known.numbers));
        }
        let limits = Numbers { proof: INFINITE, disproof: INFINITE };
        self.open(root, self.key(root, 0), limits, run)?;
        loop {
            let stop = run.nodes >= until || run.is_over();
            let top = self.frames.len() - 1;
            let found = self.sum_up(top);
            if top == 0 {
                self.root = found.numbers;
            }
            let Numbers { proof, disproof } = self.frames[top].limits;
            let is_done = found.numbers.is_solved()
                || found.numbers.proof >= proof
                || found.numbers.disproof >= disproof;
            if is_done || stop {
                self.close(found, run.nodes);
                let Some(parent) = self.frames.last_mut() else {
                    return Ok(verdict(found.numbers));
                };
                parent.children[parent.pick].known = found;
            } else {
                self.descend(top, run)?;
            }
        }
    }

    /// What is known of a position `ply` plies below where the question is asked, by its rules or
    /// from the table; fresh numbers otherwise.
    pub fn known(&mut self, position: &PositionOf<G>, depth: u32) -> Result<ProofEntry, Fault> {
        match self.table.get(self.key(position, depth)) {
            Some(entry) => Ok(entry),
            None => self.fresh(position, depth),
        }
    }

    /// Whether a position so deep is an end that the attacker wants, or known to lead to one;
    /// nothing is counted for that.
    pub(super) fn is_proved(
        &mut self,
        position: &PositionOf<G>,
        depth: u32,
    ) -> Result<bool, Fault> {
        if let Some(entry) = self.table.get(self.key(position, depth)) {
            return Ok(entry.numbers == Numbers::PROVED);
        }
        if self.view.mover(position)?.is_some() {
            return Ok(false);
        }
        Ok(self.question.judge(self.view.utility(position, self.question.attacker)?)
            == EndClass::Reached)
    }

    /// The name of a position so deep in the table.
    fn key(&self, position: &PositionOf<G>, depth: u32) -> Key {
        let key = self.view.key(position).join(self.salt);
        match self.within {
            None => key,
            Some(plies) => {
                let left = u64::from(plies.saturating_sub(depth));
                key.join(Key { first: left, second: !left })
            }
        }
    }

    /// Searches the children of a position until one has this answer, in slices that grow: which
    /// one it is was known once. Where plies count, each child has as many as this search.
    pub(crate) fn children(
        &mut self,
        position: &PositionOf<G>,
        wanted: ProofStatus,
        run: &mut ProofRun<'_>,
    ) -> Result<(), Fault> {
        let Some(mover) = self.view.mover(position)? else { return Ok(()) };
        let mut moves = Vec::new();
        self.view.moves(position, mover, &mut moves)?;
        let mut next = position.clone();
        let mut slice = 64;
        while !moves.is_empty() && !run.is_over() {
            let mut open = Vec::new();
            for &mv in &moves {
                self.view.follow(position, mv, &mut next)?;
                match self.search(&next, run, slice)? {
                    ProofStatus::Unknown => open.push(mv),
                    verdict if verdict == wanted => return Ok(()),
                    _ => {}
                }
            }
            moves = open;
            slice *= 2;
        }
        Ok(())
    }

    /// Stores an answer that was found elsewhere.
    pub fn learn(&mut self, position: &PositionOf<G>, verdict: ProofStatus) {
        let numbers = match verdict {
            ProofStatus::Proved => Numbers::PROVED,
            ProofStatus::Disproved => Numbers::DISPROVED,
            ProofStatus::Unknown => return,
        };
        debug_assert!(self.within.is_none(), "there is no limit of plies");
        let key = self.key(position, 0);
        self.table.put(key, ProofEntry { numbers, rests: NOTHING }, 1);
    }

    /// The first numbers of a position, or its value if the game is over.
    fn fresh(&mut self, position: &PositionOf<G>, depth: u32) -> Result<ProofEntry, Fault> {
        let entry = |numbers| ProofEntry { numbers, rests: NOTHING };
        let Some(mover) = self.view.mover(position)? else {
            let utility = self.view.utility(position, self.question.attacker)?;
            let end = self.question.judge(utility);
            self.ends().note(end, utility);
            let reached = end == EndClass::Reached;
            return Ok(entry(if reached { Numbers::PROVED } else { Numbers::DISPROVED }));
        };
        if self.within.is_some_and(|it| depth >= it) {
            return Ok(entry(Numbers::DISPROVED));
        }
        let moves = if self.config.counts_moves() {
            let count = self.view.game().count_moves(position)?;
            count.clamp(1, 1 << 16) as u32
        } else {
            1
        };
        Ok(entry(if mover == self.question.attacker {
            Numbers { proof: 1, disproof: moves }
        } else {
            Numbers { proof: moves, disproof: 1 }
        }))
    }

    /// Puts a position on the stack and lists its children. It is not an end.
    fn open(
        &mut self,
        position: &PositionOf<G>,
        key: Key,
        limits: Numbers,
        run: &mut ProofRun<'_>,
    ) -> Result<(), Fault> {
        let question = self.question;
        let Numbers { proof, disproof } = self.root;
        run.count(|| Some((question, proof, disproof)));
        let mover = self.view.mover(position)?;
        let way = self.frames.last().map_or(key, |it| it.way.join(key));
        let mut frame = self.spare.pop().unwrap_or_else(|| Frame {
            position: position.clone(),
            key,
            way,
            attacks: false,
            children: Vec::new(),
            pick: 0,
            limits,
            since: 0,
        });
        frame.position.clone_from(position);
        (frame.key, frame.way, frame.limits, frame.since) = (key, way, limits, run.nodes - 1);
        frame.attacks = mover == Some(question.attacker);
        frame.children.clear();
        self.path.push(key);
        let listed = match mover {
            Some(mover) => self.list_what_matters(&mut frame, mover, run),
            None => Ok(()),
        };
        self.frames.push(frame);
        listed
    }

    /// Lists the children of a position that have to be looked at.
    fn list_what_matters(
        &mut self,
        frame: &mut Frame<G>,
        mover: Player,
        run: &mut ProofRun<'_>,
    ) -> Result<(), Fault> {
        match self.narrowed((&frame.position, frame.key), mover, run)? {
            Narrowed::Wins(mv) => self.settle(frame, mv, frame.attacks),
            Narrowed::Loses(mv) => self.settle(frame, mv, !frame.attacks),
            Narrowed::Only(moves) => self.list(frame, &moves),
            Narrowed::All => {
                let mut moves = mem::take(&mut self.moves);
                self.view.moves(&frame.position, mover, &mut moves)?;
                let listed = self.list(frame, &moves);
                self.moves = moves;
                listed
            }
        }
    }

    /// Makes a move the only child, of which it is known whether the attacker has won.
    fn settle(&mut self, frame: &mut Frame<G>, mv: G::Move, is_won: bool) -> Result<(), Fault> {
        let mut next = frame.position.clone();
        self.view.follow(&frame.position, mv, &mut next)?;
        let key = self.key(&next, self.frames.len() as u32 + 1);
        let numbers = if is_won { Numbers::PROVED } else { Numbers::DISPROVED };
        frame.children.push(Child { mv, key, known: ProofEntry { numbers, rests: NOTHING } });
        Ok(())
    }

    /// Lists the children of a position, up to one that decides.
    fn list(&mut self, frame: &mut Frame<G>, moves: &[G::Move]) -> Result<(), Fault> {
        let mut next = self.next.take().unwrap_or_else(|| frame.position.clone());
        // The frame itself is not on the stack yet.
        let depth = self.frames.len() as u32 + 1;
        for &mv in moves {
            self.view.follow(&frame.position, mv, &mut next)?;
            let key = self.key(&next, depth);
            let known = match self.probe(frame.way, key) {
                Some(entry) => entry,
                None => self.fresh(&next, depth)?,
            };
            frame.children.push(Child { mv, key, known });
            let Numbers { proof, disproof } = known.numbers;
            let decides = if frame.attacks { proof == 0 } else { disproof == 0 };
            if decides && known.rests == NOTHING {
                break;
            }
        }
        self.next = Some(next);
        Ok(())
    }

    /// What is known of a child at the end of the path `way`.
    fn probe(&mut self, way: Key, key: Key) -> Option<ProofEntry> {
        if let Some(depth) = self.path.depth_of(key) {
            self.circles = true;
            self.ends().between = true;
            return Some(ProofEntry { numbers: Numbers::DISPROVED, rests: depth });
        }
        let stored = self.table.get(key);
        if self.circles && !stored.is_some_and(|it| it.numbers.is_solved()) {
            return self.table.get(way.join(key).join(key)).or(stored);
        }
        stored
    }

    /// The numbers of a position, by those of its children.
    fn sum_up(&self, at: usize) -> ProofEntry {
        let frame = &self.frames[at];
        let mut least = INFINITE;
        let mut sum = Sum::default();
        let (mut rests, mut decided_by) = (NOTHING, 0);
        for Child { known: ProofEntry { numbers, rests: child }, .. } in &frame.children {
            let (own, other) = sides(*numbers, frame.attacks);
            least = least.min(own);
            sum.add(other);
            if numbers.disproof == 0 {
                // All children are needed where the attacker moves, the best one elsewhere.
                rests = rests.min(*child);
                decided_by = decided_by.max(*child);
            }
        }
        let (own, other) = (least, sum.total(self.config.weak));
        let numbers = if frame.attacks {
            Numbers { proof: own, disproof: if own == 0 { INFINITE } else { other } }
        } else {
            Numbers { proof: if own == 0 { INFINITE } else { other }, disproof: own }
        };
        let rests = if frame.attacks { rests } else { decided_by };
        let is_closed = numbers.disproof != 0 || rests as usize >= at;
        ProofEntry { numbers, rests: if is_closed { NOTHING } else { rests } }
    }

    /// Goes on with the child that decides soonest.
    fn descend(&mut self, at: usize, run: &mut ProofRun<'_>) -> Result<(), Fault> {
        let Self { frames, table, config, .. } = self;
        let frame = &mut frames[at];
        let (pick, second) = choose(&frame.children, frame.attacks);
        frame.pick = pick;
        let child = frame.children[pick];
        // It may have been searched since by another way.
        if let Some(stored) = table.get(child.key)
            && stored != child.known
            && stored.numbers.is_solved()
        {
            frame.children[pick].known = stored;
            return Ok(());
        }
        let (own_limit, other_limit) = sides(frame.limits, frame.attacks);
        let own = own_limit.min(stretched(second, config.epsilon));
        let other = match other_limit {
            INFINITE => INFINITE,
            _ => other_limit - others(&frame.children, frame.pick, frame.attacks, config.weak),
        };
        let limits = if frame.attacks {
            Numbers { proof: own, disproof: other }
        } else {
            Numbers { proof: other, disproof: own }
        };
        let mut next = self.next.take().unwrap_or_else(|| self.frames[at].position.clone());
        self.view.follow(&self.frames[at].position, child.mv, &mut next)?;
        let opened = self.open(&next, child.key, limits, run);
        self.next = Some(next);
        opened
    }

    /// Takes the top of the stack away and stores what was found.
    fn close(&mut self, found: ProofEntry, nodes: u64) {
        let Some(frame) = self.frames.pop() else { return };
        self.path.pop();
        let work = nodes - frame.since;
        if found.rests == NOTHING {
            self.table.put(frame.key, found, work);
        } else if let Some(parent) = self.frames.last() {
            self.table.put(parent.way.join(frame.key).join(frame.key), found, work);
        }
        self.spare.push(frame);
    }
}

fn verdict(numbers: Numbers) -> ProofStatus {
    if numbers.proof == 0 {
        ProofStatus::Proved
    } else if numbers.disproof == 0 {
        ProofStatus::Disproved
    } else {
        ProofStatus::Unknown
    }
}
