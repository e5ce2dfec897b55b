//! What native code and the rest share during one call.

use std::mem::offset_of;

use ludex_core::State;
use ludex_ir::PackedMove;

use crate::code::Code;
use crate::layout::EXTRA_WORDS;

/// Everything went as it should.
pub(crate) const DONE: i64 = 0;
/// The code stopped: a limit was met or the file did something it may not. The interpreter is
/// asked the same question and says what.
pub(crate) const STOPPED: i64 = 1;
/// The code stopped because what was looked for is there.
pub(crate) const FOUND: i64 = 2;

/// How many different things a result is remembered to have said.
pub(crate) const KINDS: usize = 4;

/// What was said about the game of one player.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said {
    /// One bit for each kind of outcome that came.
    pub(crate) kinds: u64,
    /// Where each kind was said first.
    pub(crate) places: [u64; KINDS],
    /// The first score.
    pub(crate) score: i64,
    /// A score that differs from it, with its place.
    pub(crate) other: i64,
    pub(crate) other_place: u64,
    /// Whether there is such a score.
    pub(crate) differs: u64,
}

/// One call. Native code knows the fields by their offsets.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// Steps that are left.
    pub(crate) fuel: i64,
    /// Steps that each turn of a random game may take.
    pub(crate) steps: i64,
    /// Code that would need the stack below this stops.
    pub(crate) stack_floor: u64,
    /// Where moves are listed, how many there are and how many there is room for.
    pub(crate) moves: *mut PackedMove,
    pub(crate) len: u64,
    pub(crate) cap: u64,
    /// Where the weights of candidates go: the bits of a real, or those of no number.
    pub(crate) weights: *mut u64,
    pub(crate) said: Said,
    /// Where features go.
    pub(crate) features: *mut u64,
    /// The keys of the trail, how many there are and how many there is room for.
    pub(crate) keys: *mut u64,
    pub(crate) keys_len: u64,
    pub(crate) keys_cap: u64,
    /// Not 0 if the position is not the one the trail ends with.
    pub(crate) hypothetical: u64,
    /// Not 0 if the hypothetical move was irreversible.
    pub(crate) cut: u64,
    /// The next to move as the effect says, or -1.
    pub(crate) next: i64,
    /// Not 0 if the effect said that no earlier position can come back.
    pub(crate) irreversible: u64,
    /// The player the search plays for and the distance from its root.
    pub(crate) side: i64,
    pub(crate) depth: i64,
    /// The state of the random generator.
    pub(crate) random: [u64; 4],
    /// Turns played and turns allowed.
    pub(crate) plies: u64,
    pub(crate) limit: u64,
    /// Where the moves of a random game are noted and how many there is room for; there are as
    /// many as turns played.
    pub(crate) trace: *mut PackedMove,
    pub(crate) trace_cap: u64,
    /// Whether adjudicated ends are in force.
    pub(crate) adjudicate: u64,
    /// The code that runs, for helpers.
    pub(crate) code: *const Code,
    /// The list of moves and their weights; native code knows their addresses only.
    list: Vec<PackedMove>,
    weigh: Vec<u64>,
    /// The moves of a random game.
    noted: Vec<PackedMove>,
    /// The keys of the trail.
    trail: Vec<u64>,
    /// The features.
    feature: Vec<u64>,
    /// The block of the state.
    pub(crate) block: Vec<u64>,
}

/// How far below the present place of the stack native code may go.
const STACK_BYTES: u64 = 512 << 10;
/// Room for moves that a list begins with.
const FIRST_MOVES: usize = 256;
/// Room for keys beyond those that are there.
const MORE_KEYS: usize = 512;
/// Room for the moves of a random game that is made at once.
const FIRST_NOTED: usize = 256;
/// How many moves of a random game are noted at most: sixteen megabytes of them. A longer game is
/// left to those who list.
const MOST_NOTED: usize = 1 << 20;

impl Context {
    /// A context whose memory can be used again and again.
    pub(crate) fn new() -> Self {
        Self {
            fuel: 0,
            steps: 0,
            stack_floor: 0,
            moves: std::ptr::null_mut(),
            len: 0,
            cap: 0,
            weights: std::ptr::null_mut(),
            said: Said::default(),
            features: std::ptr::null_mut(),
            keys: std::ptr::null_mut(),
            keys_len: 0,
            keys_cap: 0,
            hypothetical: 0,
            cut: 0,
            next: -1,
            irreversible: 0,
            side: -1,
            depth: 0,
            random: [0; 4],
            plies: 0,
            limit: 0,
            trace: std::ptr::null_mut(),
            trace_cap: 0,
            adjudicate: 0,
            code: std::ptr::null(),
            list: Vec::new(),
            weigh: Vec::new(),
            noted: Vec::new(),
            trail: Vec::new(),
            feature: Vec::new(),
            block: Vec::new(),
        }
    }

    /// Gets ready for a question about a position.
    pub(crate) fn begin(&mut self, code: &Code, steps: i64) {
        let here = 0_u8;
        self.stack_floor = (&raw const here as u64).saturating_sub(STACK_BYTES);
        self.fuel = steps;
        self.steps = steps;
        self.code = code;
        self.len = 0;
        if self.list.is_empty() {
            self.grow_moves(FIRST_MOVES);
        }
        // The memory may be from another game, whose lists may be longer.
        self.cap = (self.list.len() as u64).min(code.helpers.most_moves);
        self.hypothetical = 0;
        self.side = -1;
        self.depth = 0;
        self.cut = 0;
        self.said.kinds = 0;
        self.said.differs = 0;
    }

    /// Makes the keys of a trail known.
    pub(crate) fn set_keys(&mut self, keys: &[u64]) {
        self.trail.clear();
        self.trail.extend_from_slice(keys);
        self.trail.resize(keys.len() + 1, 0);
        self.keys = self.trail.as_mut_ptr();
        self.keys_len = keys.len() as u64;
        self.keys_cap = self.trail.len() as u64;
    }

    /// The keys of the trail as they are now.
    pub(crate) fn trail(&self) -> &[u64] {
        &self.trail[..self.keys_len as usize]
    }

    pub(crate) fn grow_keys(&mut self) {
        let len = self.trail.len() * 2 + MORE_KEYS;
        self.trail.resize(len, 0);
        self.keys = self.trail.as_mut_ptr();
        self.keys_cap = self.trail.len() as u64;
    }

    /// Makes room for a number of moves, if there may be as many.
    pub(crate) fn make_room(&mut self, wanted: u64, most: u64) -> bool {
        if wanted > most {
            return false;
        }
        self.grow_moves(wanted.max(self.cap.saturating_mul(2)).min(most) as usize);
        true
    }

    fn grow_moves(&mut self, len: usize) {
        let len = len.max(self.list.len());
        self.list.resize(len, PackedMove(0));
        self.moves = self.list.as_mut_ptr();
        self.cap = self.list.len() as u64;
        if !self.weigh.is_empty() {
            self.weigh_moves();
        }
    }

    /// Makes room for the weights of moves.
    pub(crate) fn weigh_moves(&mut self) {
        self.weigh.resize(self.list.len(), 0);
        self.weights = self.weigh.as_mut_ptr();
    }

    /// Makes more room for the moves of a random game; whether there may be more.
    pub(crate) fn grow_trace(&mut self) -> bool {
        if self.noted.len() >= MOST_NOTED {
            return false;
        }
        let len = (self.noted.len() * 2).clamp(FIRST_NOTED, MOST_NOTED);
        self.noted.resize(len, PackedMove(0));
        self.trace = self.noted.as_mut_ptr();
        self.trace_cap = self.noted.len() as u64;
        true
    }

    /// The moves of the random game that was played.
    pub(crate) fn noted(&self) -> &[PackedMove] {
        &self.noted[..self.plies as usize]
    }

    /// The moves that are listed.
    pub(crate) fn listed(&self) -> &[PackedMove] {
        &self.list[..self.len as usize]
    }

    pub(crate) fn listed_mut(&mut self) -> &mut [PackedMove] {
        &mut self.list[..self.len as usize]
    }

    /// Their weights.
    pub(crate) fn weighed(&self) -> &[u64] {
        &self.weigh[..self.len as usize]
    }

    /// Makes room for features, all 0.
    pub(crate) fn clear_features(&mut self, count: usize) {
        self.feature.clear();
        self.feature.resize(count, 0);
        self.features = self.feature.as_mut_ptr();
    }

    pub(crate) fn features(&self) -> &[u64] {
        &self.feature
    }

    /// Makes the block that of a state.
    pub(crate) fn load(&mut self, state: &State) {
        let words = state.words.len();
        self.block.resize(words + EXTRA_WORDS, 0);
        self.block[..words].copy_from_slice(&state.words);
        self.block[words..].copy_from_slice(&[state.hash, state.key, 0]);
    }

    /// Makes a state of as many words that of the block.
    pub(crate) fn save(&self, state: &mut State) {
        let words = state.words.len();
        state.words.copy_from_slice(&self.block[..words]);
        (state.hash, state.key) = (self.block[words], self.block[words + 1]);
    }

    /// Forgets what was said.
    pub(crate) fn hush(&mut self) {
        self.said.kinds = 0;
        self.said.differs = 0;
    }
}

macro_rules! offsets {
    ($($name:ident $field:ident),+ $(,)?) => {
        $(pub(crate) const $name: i32 = offset_of!(Context, $field) as i32;)+
    };
}

offsets! {
    FUEL fuel,
    STEPS steps,
    STACK_FLOOR stack_floor,
    MOVES moves,
    LEN len,
    CAP cap,
    WEIGHTS weights,
    SAID said,
    FEATURES features,
    KEYS keys,
    KEYS_LEN keys_len,
    KEYS_CAP keys_cap,
    HYPOTHETICAL hypothetical,
    CUT cut,
    NEXT next,
    IRREVERSIBLE irreversible,
    SIDE side,
    DEPTH depth,
    RANDOM random,
    PLIES plies,
    LIMIT limit,
    TRACE trace,
    TRACE_CAP trace_cap,
    ADJUDICATE adjudicate,
}

/// Offsets inside [`Said`], from the context.
pub(crate) const SAID_PLACES: i32 = SAID + offset_of!(Said, places) as i32;
pub(crate) const SAID_SCORE: i32 = SAID + offset_of!(Said, score) as i32;
pub(crate) const SAID_OTHER: i32 = SAID + offset_of!(Said, other) as i32;
pub(crate) const SAID_OTHER_PLACE: i32 = SAID + offset_of!(Said, other_place) as i32;
pub(crate) const SAID_DIFFERS: i32 = SAID + offset_of!(Said, differs) as i32;
