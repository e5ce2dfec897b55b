//! What native code does not do itself: rare operations on whole boards, and
//! everything that needs more memory.
//!
//! A helper is called by native code with the addresses of its own context and of
//! sets on its own stack.

use ludex_interp::geometry::Board as Geometry;
use ludex_interp::{numbers::Plane, reals};
use ludex_ir::Program;

use crate::context::Context;

/// What helpers look at.
#[derive(Debug)]
pub(crate) struct Helpers {
    pub(crate) board: Board,
    /// How many moves one list may have.
    pub(crate) most_moves: u64,
}

/// The board, its sets as lists of words.
#[derive(Clone, Debug)]
pub(crate) struct Board(Geometry);

impl Board {
    pub(crate) fn new(program: &Program) -> Self {
        Self(Geometry::new(program))
    }

    fn set(&self, fill: impl FnOnce(&Geometry, &mut [u64])) -> Vec<u64> {
        let mut set = vec![0; self.0.words.max(1)];
        fill(&self.0, &mut set);
        set
    }

    pub(crate) fn line(&self, from: i64, dir: i64, count: i64) -> Vec<u64> {
        self.set(|board, set| board.line(set, from, dir, count))
    }

    pub(crate) fn reach(&self, from: i64, dir: i64, count: i64) -> Vec<u64> {
        self.set(|board, set| board.reach(set, from, dir, count))
    }

    pub(crate) fn hop(&self, from: i64, dir: i64, count: i64) -> i64 {
        self.0.hop(from, dir, count)
    }

    pub(crate) fn axis(&self, from: i64, dir: i64) -> Vec<u64> {
        self.set(|board, set| board.axis(set, from, dir))
    }

    pub(crate) fn between(&self, a: i64, b: i64) -> Vec<u64> {
        self.set(|board, set| board.between(set, a, b))
    }

    pub(crate) fn distance(&self, a: i64, b: i64) -> i64 {
        self.0.distance(a, b)
    }

    fn neighbours(&self, set: &[u64], list: i64) -> Vec<u64> {
        self.set(|board, into| board.neighbours(into, set, board.list(list)))
    }

    fn leap(&self, set: &[u64], dir: i64, count: i64) -> Vec<u64> {
        let Some(dir) = self.0.direction(dir) else { return vec![0; self.0.words.max(1)] };
        (0..count).fold(set.to_vec(), |set, _| self.set(|board, into| board.shift(into, &set, dir)))
    }

    fn slide(&self, from: &[u64], through: &[u64], dir: i64) -> Vec<u64> {
        let dir = self.0.direction(dir);
        self.set(|board, into| {
            ludex_interp::geometry::each(from, |square| {
                dir.into_iter().for_each(|dir| board.ray(into, square, through, dir));
            });
        })
    }

    fn rays(&self, from: i64, list: i64, through: &[u64]) -> Vec<u64> {
        self.set(|board, into| {
            let Some(from) = board.square(from) else { return };
            board.list(list).iter().for_each(|&dir| board.ray(into, from, through, dir as usize));
        })
    }

    fn flood(&self, from: &[u64], within: &[u64], list: i64) -> Vec<u64> {
        let mut reached: Vec<u64> = from.iter().zip(within).map(|(a, b)| a & b).collect();
        loop {
            let grown = self.neighbours(&reached, list);
            let mut changed = false;
            for ((reached, grown), within) in reached.iter_mut().zip(grown).zip(within) {
                let new = grown & within & !*reached;
                changed |= new != 0;
                *reached |= new;
            }
            if !changed {
                return reached;
            }
        }
    }
}

/// A helper's name and address, for the linker.
pub(crate) fn symbols() -> [(&'static str, *const u8); 18] {
    [
        ("exp", exp as *const u8),
        ("tanh", tanh as *const u8),
        ("distance", distance as *const u8),
        ("neighbours", neighbours as *const u8),
        ("slide", slide as *const u8),
        ("rays", rays as *const u8),
        ("leap", leap as *const u8),
        ("flood", flood as *const u8),
        ("line", line as *const u8),
        ("hop", hop as *const u8),
        ("reach", reach as *const u8),
        ("axis", axis as *const u8),
        ("between", between as *const u8),
        ("more_moves", more_moves as *const u8),
        ("more_keys", more_keys as *const u8),
        ("more_trace", more_trace as *const u8),
        ("unite", unite as *const u8),
        ("copy_words", copy_words as *const u8),
    ]
}

extern "C" fn exp(x: i64) -> i64 {
    reals::bits(reals::exp(reals::real(x)))
}

extern "C" fn tanh(x: i64) -> i64 {
    reals::bits(reals::tanh(reals::real(x)))
}

/// The board of a call.
///
/// # Safety
///
/// `context` must be the context of a running call.
unsafe fn board<'a>(context: *const Context) -> &'a Board {
    // SAFETY: the caller's promise; the code that runs is there while it runs.
    unsafe { &(*(*context).code).helpers.board }
}

/// A set on the stack of native code.
///
/// # Safety
///
/// `at` must be the address of as many words as a set of the board has.
unsafe fn set<'a>(board: &Board, at: *const u64) -> &'a [u64] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(at, board.0.words.max(1)) }
}

/// Puts a set where native code wants it.
///
/// # Safety
///
/// `at` must be the address of room for as many words as the set has.
unsafe fn put(set: &[u64], at: *mut u64) -> i64 {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(set.as_ptr(), at, set.len()) };
    0
}

// SAFETY (for all that follow): only native code calls these. It passes its own context, and
// slots of its own stack that have room for a set: see `Emitter::set_helper`.

/// Helpers that put a set of the board where native code wants it: from numbers, then from sets.
macro_rules! set_helpers {
    ($($name:ident($($number:ident),*; $($set:ident),*) = $how:ident($($arg:ident),*);)+) => {$(
        unsafe extern "C" fn $name(
            context: *const Context,
            $($number: i64,)*
            $($set: *const u64,)*
            out: *mut u64,
        ) -> i64 {
            // SAFETY: as above.
            unsafe {
                let board = board(context);
                $(let $set = set(board, $set);)*
                put(&board.$how($($arg),*), out)
            }
        }
    )+};
}
set_helpers! {
    neighbours(list; from) = neighbours(from, list);
    slide(dir; from, through) = slide(from, through, dir);
    rays(from, list; through) = rays(from, list, through);
    leap(dir, count; from) = leap(from, dir, count);
    flood(list; from, within) = flood(from, within, list);
    line(from, dir, count;) = line(from, dir, count);
    reach(from, dir, count;) = reach(from, dir, count);
    axis(from, dir;) = axis(from, dir);
    between(a, b;) = between(a, b);
}

unsafe extern "C" fn distance(context: *const Context, a: i64, b: i64) -> i64 {
    // SAFETY: as above.
    unsafe { board(context) }.distance(a, b)
}

unsafe extern "C" fn hop(context: *const Context, from: i64, dir: i64, count: i64) -> i64 {
    // SAFETY: as above.
    unsafe { board(context) }.hop(from, dir, count)
}

/// Makes room for `wanted` moves in all; 1 if that is more than a position may have.
unsafe extern "C" fn more_moves(context: *mut Context, wanted: u64) -> i64 {
    // SAFETY: as above; the list belongs to the call, and native code reads its address again
    // after this.
    unsafe {
        let context = &mut *context;
        let most = (*context.code).helpers.most_moves;
        i64::from(!context.make_room(wanted, most))
    }
}

/// Copies the block of a state.
unsafe extern "C" fn copy_words(from: *const u64, to: *mut u64, words: u64) -> i64 {
    // SAFETY: native code passes the block of its call and a slot of its own stack that has room
    // for one, in either order, and the words that a block has: see `Emitter::copy_block`.
    unsafe { std::ptr::copy_nonoverlapping(from, to, words as usize) };
    0
}

/// Makes room for more keys.
unsafe extern "C" fn more_keys(context: *mut Context) -> i64 {
    // SAFETY: as for `more_moves`.
    unsafe { (*context).grow_keys() };
    0
}

/// Makes room for more moves of a random game; 1 if it has too many.
unsafe extern "C" fn more_trace(context: *mut Context) -> i64 {
    // SAFETY: as for `more_moves`.
    let more = unsafe { (*context).grow_trace() };
    i64::from(!more)
}

/// Leaves one of each kind in the list of moves of a player; 1 if that went wrong.
unsafe extern "C" fn unite(context: *mut Context, state: *const u64, player: u64) -> i64 {
    // SAFETY: as for `more_moves`; the code is there, because it is what calls.
    unsafe {
        let code = &*(*context).code;
        i64::from(!crate::twins::unite(code, &mut *context, state, player as usize))
    }
}
