//! What matches and tournaments have in common at the rim: who sits down, and what is shown while they
//! play.

pub(crate) mod host;
pub(crate) mod openings;
pub(crate) mod progress;

pub(crate) use host::House;
pub(crate) use openings::{OpeningWish, opening_wish};
pub(crate) use progress::Progress;
