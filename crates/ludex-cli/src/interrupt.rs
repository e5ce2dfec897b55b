//! Ctrl-C, and the signals that end a program or say that its terminal is gone. Engines that we have
//! started are stopped then, and games are saved.
//!
//! The first one raises a flag that every search reads, so that the best answer found is printed. A
//! second one, before the first is dealt with, ends the program. `timeout` sends its signal twice, to
//! the program and to its group: that counts as one.

use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use ludex::StopToken;

use crate::failure::Answer;

static INTERRUPTED: LazyLock<StopToken> = LazyLock::new(StopToken::new);

/// A signal within this time of another one is the same.
const TOGETHER: Duration = Duration::from_millis(200);

/// Whether this one follows the last so soon that it is the same.
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
