//! Ctrl-C, and what is said to programs from elsewhere to the same end: that they are to end, and that
//! their terminal is gone. Programs that we have started have to hear of it, and games to be saved.
//!
//! The first one raises a flag that every search looks at, so that what was
//! found so far can be printed. A second one, while the first is still not
//! dealt with, ends the program. Those who stop programs for others (`timeout`) send
//! the same one twice, to the program and to its group: that is one.

use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use ludex::StopToken;

use crate::failure::Answer;

static INTERRUPTED: LazyLock<StopToken> = LazyLock::new(StopToken::new);

/// What comes within this time of another one is the same.
const TOGETHER: Duration = Duration::from_millis(200);

/// Whether this one comes so soon after the last that it is the same.
fn is_the_same() -> bool {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let now = Instant::now();
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).replace(now);
    last.is_some_and(|it| now.duration_since(it) < TOGETHER)
}

/// Listens for Ctrl-C from now on. Where that is impossible Ctrl-C just ends the program.
pub(crate) fn listen() -> &'static AtomicBool {
    token().flag()
}

/// The same as a token.
pub(crate) fn token() -> &'static StopToken {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            let is_new = !is_the_same();
            let before = INTERRUPTED.is_stopped();
            INTERRUPTED.stop();
            if before && is_new {
                process::exit(i32::from(Answer::Interrupted.code()));
            }
        });
    });
    &INTERRUPTED
}

/// Whether Ctrl-C was pressed and not yet dealt with.
pub(crate) fn happened() -> bool {
    INTERRUPTED.is_stopped()
}

/// Deals with it: whether Ctrl-C was pressed.
pub(crate) fn take() -> bool {
    INTERRUPTED.reset()
}
