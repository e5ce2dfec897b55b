//! Ctrl-C.
//!
//! The first one raises a flag that every search looks at, so that what was
//! found so far can be printed. A second one, while the first is still not
//! dealt with, ends the program.

use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Answer;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C from now on. Where that is impossible Ctrl-C just ends the program.
pub(crate) fn listen() -> &'static AtomicBool {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                process::exit(Answer::Interrupted.code().into());
            }
        });
    });
    &INTERRUPTED
}

/// Whether Ctrl-C was pressed and not yet dealt with.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Deals with it: whether Ctrl-C was pressed.
pub(crate) fn take() -> bool {
    INTERRUPTED.swap(false, Ordering::Relaxed)
}
