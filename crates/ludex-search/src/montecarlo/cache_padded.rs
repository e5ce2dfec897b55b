//! A place in memory that shares no cache line with anything else.
//!
//! A processor that writes takes the whole line from all others, who must fetch it again to read
//! whatever else is there. So what each playout writes stands apart from what each playout reads.

use std::ops::Deref;

/// A value in lines of its own: two of 64 bytes, as processors like to fetch the neighbour, too.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct CachePadded<T>(pub(crate) T);

impl<T> Deref for CachePadded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
