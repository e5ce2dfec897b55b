//! The formats of public test sets, one file each.

mod connect4;
mod epd;
mod hex;
mod loa;
mod mates;
mod obf;
mod perft;
mod reading;

use crate::case::Format;

/// All formats, the more particular first.
pub(crate) const FORMATS: [Format; 10] = [
    perft::EPD,
    reading::FORMAT,
    mates::FORMAT,
    hex::FORMAT,
    loa::FORMAT,
    perft::VARIANTS,
    perft::TABLE,
    obf::FORMAT,
    connect4::FORMAT,
    epd::FORMAT,
];
