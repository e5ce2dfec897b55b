//! A flag that ends what runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends a search, a count or a match from another thread. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// A token that nothing has stopped yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends whatever was given this token.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Makes it as new: whether it had been stopped.
    pub fn reset(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }

    /// The flag, as searches take it.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
