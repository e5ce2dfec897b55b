//! The tree, shared by all threads.
//!
//! ```text
//! node ── opened? ── mover, edges: [ move, visits, reward, child? ]*
//!   │                                                        └──> node
//!   └─ visits, reward, bounds (solver), implicit value
//! ```
//!
//! Nodes live in chunks that are never moved while threads look at them, so a node is a number. A
//! node gets its moves once, published by a `OnceLock`; everything that changes later is an atomic.
//! Counts are added without order: a mean may lag behind by a playout of another thread, and
//! nothing that is called proved hangs on that, as bounds only ever become narrower.
//!
//! A visit is counted on the way down and its reward added on the way back: a playout that is under
//! way counts as lost, which keeps two threads from going the same way (virtual loss: Chaslot,
//! Winands and van den Herik, "Parallel Monte-Carlo tree search", 2008). Near the root both are
//! done for a batch of playouts: see [`batch`](super::batch).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::sync::{TryLockError, TryLockResult};

use ludex_core::Player;

use super::allocation::ThreadAllocation;
use super::amaf::AmafTable;
use super::cache_padded::CachePadded;
use super::code_table::MoveCode;
use super::move_ids::{MoveId, MoveIds};
use super::solver::Bounds;

/// Number of a node.
pub(crate) type Number = u32;

/// Where every walk begins.
pub(crate) const ROOT: Number = 0;

/// No node.
pub(crate) const NONE: Number = Number::MAX;

/// It is not known when the game ends.
const NEVER: u32 = u32::MAX;

/// Nodes in the first chunk; each further one has twice as many as the one before.
const FIRST_CHUNK: usize = 1 << 10;

/// Enough chunks for more nodes than any memory holds.
const CHUNKS: usize = 21;

/// A chunk is made in parts of at most this many nodes, each when it is needed: a million nodes at
/// once would take longer than a move may last.
const PART: usize = 1 << 12;

/// Some nodes, once they are needed.
type Part<M> = OnceLock<Box<[Node<M>]>>;

/// What a reward of 1 is in a sum.
const ONE: f64 = (1_u64 << 20) as f64;

/// Tables that share the work of finding positions again, so that threads do not wait.
const SHARDS: usize = 16;

/// About how much an entry of such a table takes.
pub(crate) const KNOWN_BYTES: usize = 48;

/// A sum of rewards that threads add to.
#[derive(Debug, Default)]
pub(crate) struct Sum(AtomicU64);

impl Sum {
    pub(crate) fn add(&self, reward: f64) {
        self.0.fetch_add((reward * ONE) as u64, Relaxed);
    }

    pub(crate) fn get(&self) -> f64 {
        self.0.load(Relaxed) as f64 / ONE
    }
}

/// One position, in a cache line of its own: the next one may be another thread's.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Node<M> {
    /// The game's hash of the position.
    pub(crate) hash: AtomicU64,
    /// Playouts that came through and have ended.
    pub(crate) visits: AtomicU32,
    /// The minimax value of evaluations for the first player, as the bits of an `f32`.
    implicit: AtomicU32,
    /// Sum of the first player's rewards.
    pub(crate) reward: Sum,
    /// What is proved.
    bounds: AtomicU64,
    /// In how many plies the game ends at most, where the value is known.
    plies: AtomicU32,
    /// Whether a forced win was looked for.
    pub(crate) is_searched: AtomicBool,
    /// What can be played, once that was asked.
    pub(crate) opened: OnceLock<Box<Opened<M>>>,
}

/// What can be played in a position.
#[derive(Debug)]
pub(crate) struct Opened<M> {
    /// Whose turn it is.
    pub(crate) mover: Player,
    /// The moves; none where the game is over.
    pub(crate) edges: Box<[Edge<M>]>,
    /// What the moves are called together with what stands around them; empty where that is not
    /// used.
    pub(crate) around: Box<[MoveCode]>,
    /// Rewards of the first player by the codes of later moves, where they are used.
    amaf: Option<Box<SharedAmafTable>>,
}

/// A table of later moves, apart, as a lock is written by those who only read.
type SharedAmafTable = CachePadded<RwLock<AmafTable>>;

/// One move and what came of it.
#[derive(Debug)]
pub(crate) struct Edge<M> {
    pub(crate) mv: M,
    /// Playouts that began with it, those under way included.
    pub(crate) visits: AtomicU32,
    /// The node behind it.
    pub(crate) child: AtomicU32,
    /// Sum of the mover's rewards.
    pub(crate) reward: Sum,
    /// The code of the move in tables of playouts; 0 where it is not used.
    pub(crate) code: MoveCode,
    /// What it is called in those of the tree.
    pub(crate) move_id: MoveId,
    /// What the author of the rules thinks of it, from 0 to 1.
    pub(crate) prior: f32,
    /// Whether it is proved not to matter any more.
    pub(crate) settled: AtomicBool,
}

impl<M> Default for Node<M> {
    fn default() -> Self {
        Self {
            hash: AtomicU64::new(0),
            visits: AtomicU32::new(0),
            implicit: AtomicU32::new(f32::NAN.to_bits()),
            reward: Sum::default(),
            bounds: AtomicU64::new(Bounds::UNKNOWN.pack()),
            plies: AtomicU32::new(NEVER),
            is_searched: AtomicBool::new(false),
            opened: OnceLock::new(),
        }
    }
}

impl<M> Node<M> {
    /// What is proved of it.
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds::unpack(self.bounds.load(Relaxed))
    }

    /// Adds what has been proved; whether that is news.
    pub(crate) fn narrow(&self, by: Bounds) -> bool {
        let narrower = |old: u64| {
            let (old, new) = (Bounds::unpack(old), Bounds::unpack(old).narrowed(by));
            (new != old).then(|| new.pack())
        };
        self.bounds.fetch_update(Relaxed, Relaxed, narrower).is_ok()
    }

    /// In how many plies the game ends at most, if the one who can win wants it to.
    pub(crate) fn plies(&self) -> Option<u32> {
        let plies = self.plies.load(Relaxed);
        (plies != NEVER).then_some(plies)
    }

    /// Notes that, before the value itself is known to others.
    pub(crate) fn set_plies(&self, plies: Option<u32>) {
        self.plies.store(plies.unwrap_or(NEVER), Relaxed);
    }

    /// The minimax value of evaluations for the first player, from -1 to 1.
    pub(crate) fn implicit(&self) -> Option<f32> {
        let value = f32::from_bits(self.implicit.load(Relaxed));
        (!value.is_nan()).then_some(value)
    }

    /// Notes such a value; whether it is news.
    pub(crate) fn set_implicit(&self, value: f32) -> bool {
        self.implicit.swap(value.to_bits(), Relaxed) != value.to_bits()
    }

    /// The mean reward of the first player.
    pub(crate) fn mean(&self) -> f64 {
        self.reward.get() / f64::from(self.visits.load(Relaxed).max(1))
    }
}

impl<M> Opened<M> {
    /// The moves of `mover`, none tried yet.
    pub(crate) fn new(mover: Player, edges: Vec<Edge<M>>, amaf: bool) -> Self {
        let amaf = amaf.then(Box::default);
        Self { mover, edges: edges.into_boxed_slice(), around: Box::default(), amaf }
    }

    /// The table of later moves.
    pub(crate) fn amaf(&self) -> Option<RwLockReadGuard<'_, AmafTable>> {
        let table = self.amaf.as_ref()?;
        // A thread that panics ends the search; what it left behind does not matter.
        let asleep = || table.read().unwrap_or_else(PoisonError::into_inner);
        Some(awake(|| table.try_read()).unwrap_or_else(asleep))
    }

    /// The same, to add to it.
    pub(crate) fn amaf_mut(&self) -> Option<RwLockWriteGuard<'_, AmafTable>> {
        let table = self.amaf.as_ref()?;
        let asleep = || table.write().unwrap_or_else(PoisonError::into_inner);
        Some(awake(|| table.try_write()).unwrap_or_else(asleep))
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let table = self.amaf().map_or(0, |it| size_of::<SharedAmafTable>() + it.bytes());
        let moves = size_of_val(&*self.edges) + size_of_val(&*self.around);
        size_of::<Self>() + moves + table
    }
}

/// So often a thread looks whether a lock is free before it goes to sleep: for some microseconds,
/// which is longer than a table is held, and far shorter than it takes to be woken.
const LOOKS: u32 = 1_000;

/// Waits for a lock without going to sleep; `None` where that takes too long.
fn awake<T>(attempt: impl Fn() -> TryLockResult<T>) -> Option<T> {
    for _ in 0..LOOKS {
        match attempt() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
    None
}

impl<M> Edge<M> {
    /// A move that has not been tried.
    pub(crate) fn new(mv: M, (code, move_id): (MoveCode, MoveId)) -> Self {
        Self {
            mv,
            visits: AtomicU32::new(0),
            child: AtomicU32::new(NONE),
            reward: Sum::default(),
            code,
            move_id,
            prior: 0.0,
            settled: AtomicBool::new(false),
        }
    }

    /// The node behind it, if there is one yet.
    pub(crate) fn child(&self) -> Option<Number> {
        let child = self.child.load(Relaxed);
        (child != NONE).then_some(child)
    }

    /// The mover's mean reward, from 0 to 1; a half without visits.
    pub(crate) fn mean(&self) -> f64 {
        match self.visits.load(Relaxed) {
            0 => 0.5,
            visits => self.reward.get() / f64::from(visits),
        }
    }
}

/// Numbers of nodes by both hashes of their positions.
pub(crate) type Known = HashMap<(u64, u64), Number>;

/// All nodes.
#[derive(Debug)]
pub(crate) struct Tree<M> {
    chunks: [OnceLock<Box<[Part<M>]>>; CHUNKS],
    /// Numbers given out.
    len: CachePadded<AtomicU32>,
    /// About how many bytes are in use.
    bytes: CachePadded<AtomicUsize>,
    /// How many may be.
    limit: usize,
    /// Set where even the smallest tree is too large: then it grows no more.
    pub(crate) frozen: bool,
    /// Positions by both their hashes, where ways may meet again.
    pub(crate) known: Option<[Mutex<Known>; SHARDS]>,
    /// What moves are called in tables of later moves.
    pub(crate) move_ids: MoveIds,
}

impl<M> Tree<M> {
    /// A tree of a root alone.
    pub(crate) fn new(limit: usize, transpositions: bool) -> Self {
        let tree = Self {
            chunks: std::array::from_fn(|_| OnceLock::new()),
            len: CachePadded::default(),
            bytes: CachePadded::default(),
            limit,
            frozen: false,
            known: transpositions.then(|| std::array::from_fn(|_| Mutex::default())),
            move_ids: MoveIds::default(),
        };
        tree.add(&mut ThreadAllocation::default(), 0);
        tree
    }

    /// A node by its number.
    pub(crate) fn node(&self, number: Number) -> &Node<M> {
        let (chunk, part, offset) = place(number);
        let part = self.chunks[chunk].get().and_then(|it| it[part].get());
        &part.expect("a number is given out when its part is there")[offset]
    }

    /// A node by its number, to be changed when no thread looks.
    pub(crate) fn node_mut(&mut self, number: Number) -> &mut Node<M> {
        let (chunk, part, offset) = place(number);
        let part = self.chunks[chunk].get_mut().and_then(|it| it[part].get_mut());
        &mut part.expect("a number is given out when its part is there")[offset]
    }

    /// Adds a node.
    pub(crate) fn add(&self, allocation: &mut ThreadAllocation, hash: u64) -> Number {
        let number = allocation.number(self);
        self.made(number).hash.store(hash, Relaxed);
        allocation.spend(self, size_of::<Node<M>>());
        number
    }

    /// A node by its number, made with all others of its part if it is the first.
    fn made(&self, number: Number) -> &Node<M> {
        let (chunk, part, offset) = place(number);
        let size = FIRST_CHUNK << chunk;
        let parts = || (0..size.div_ceil(PART)).map(|_| OnceLock::new()).collect();
        let nodes = || (0..size.min(PART)).map(|_| Node::default()).collect();
        &self.chunks[chunk].get_or_init(parts)[part].get_or_init(nodes)[offset]
    }

    /// The node of a position that may be there already, and whether it is new.
    pub(crate) fn find_or_add(
        &self,
        allocation: &mut ThreadAllocation,
        hash: u64,
        second: impl FnOnce() -> u64,
    ) -> (Number, bool) {
        let Some(shards) = &self.known else { return (self.add(allocation, hash), true) };
        let shard = &shards[hash as usize % SHARDS];
        let mut known = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new = false;
        let number = *known.entry((hash, second())).or_insert_with(|| {
            new = true;
            allocation.spend(self, KNOWN_BYTES);
            self.add(allocation, hash)
        });
        (number, new)
    }

    /// Gives out the numbers of `count` nodes to be; the first of them.
    pub(crate) fn reserve(&self, count: u32) -> Number {
        let first = self.len.fetch_add(count, Relaxed);
        // Whether they are used or not, other threads may look at all nodes.
        self.made(first + count - 1);
        first
    }

    /// How many nodes there are, those to be included.
    pub(crate) fn len(&self) -> usize {
        self.len.load(Relaxed) as usize
    }

    /// About how much memory the tree takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// How much it may take.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Counts memory that was taken.
    pub(crate) fn spend(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Relaxed);
    }

    /// Whether nothing more may be added.
    pub(crate) fn is_full(&self) -> bool {
        self.frozen || self.bytes() >= self.limit || self.len() >= MOST_NODES
    }
}

/// How many nodes the chunks hold, less what threads may add before they see that it is enough.
const MOST_NODES: usize = FIRST_CHUNK * ((1 << CHUNKS) - 1) - (1 << 16);

/// The chunk of a node, the part of the chunk and the place there.
fn place(number: Number) -> (usize, usize, usize) {
    let shifted = number as usize + FIRST_CHUNK;
    let chunk = (shifted.ilog2() - FIRST_CHUNK.ilog2()) as usize;
    let within = shifted - (FIRST_CHUNK << chunk);
    (chunk, within / PART, within % PART)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_each_other() {
        assert_eq!(place(0), (0, 0, 0));
        assert_eq!(place(FIRST_CHUNK as u32 - 1), (0, 0, FIRST_CHUNK - 1));
        assert_eq!(place(FIRST_CHUNK as u32), (1, 0, 0));
        assert_eq!(place(3 * FIRST_CHUNK as u32), (2, 0, 0));
        let mut before = place(0);
        for number in 1..100_000 {
            let (chunk, part, offset) = before;
            let next = [(chunk, part, offset + 1), (chunk, part + 1, 0), (chunk + 1, 0, 0)];
            before = place(number);
            assert!(next.contains(&before) && before.2 < PART, "{number}");
        }
    }

    #[test]
    fn nodes_are_made_when_they_are_needed() {
        let tree: Tree<u8> = Tree::new(1 << 30, false);
        let min_visits = 16 * PART;
        for _ in 0..min_visits {
            tree.reserve(1);
        }
        let parts = tree.chunks.iter().filter_map(OnceLock::get).flat_map(|it| it.iter());
        let made: usize = parts.filter_map(OnceLock::get).map(|it| it.len()).sum();
        assert!((min_visits..=min_visits + PART).contains(&made), "{made} nodes for {min_visits}");
    }

    #[test]
    fn nodes_to_be_can_be_looked_at() {
        let tree: Tree<u8> = Tree::new(1 << 20, false);
        let across = 11 * PART as u32;
        for count in [1, FIRST_CHUNK as u32 - 5].into_iter().chain((0..across / 16).map(|_| 16)) {
            let first = tree.reserve(count);
            assert_eq!(first + count, tree.len() as u32);
            assert!(tree.node(first + count - 1).opened.get().is_none());
        }
    }

    #[test]
    fn a_position_is_found_again_only_by_both_hashes() {
        let tree: Tree<u8> = Tree::new(1 << 20, true);
        let mut allocation = ThreadAllocation::default();
        let (first, new) = tree.find_or_add(&mut allocation, 5, || 6);
        assert!(new);
        assert_eq!(tree.find_or_add(&mut allocation, 5, || 6), (first, false));
        assert_ne!(tree.find_or_add(&mut allocation, 5, || 7).0, first);
    }
}
