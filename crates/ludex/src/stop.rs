//! A flag that ends what runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Ends a search, a count or a match from another thread. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<Shared>);

/// What the clones of a token share.
#[derive(Debug, Default)]
struct Shared {
    flag: AtomicBool,
    /// The tokens that are stopped with this one.
    children: Mutex<Vec<Weak<Shared>>>,
}

impl Shared {
    fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        for child in self.children().iter().filter_map(Weak::upgrade) {
            child.stop();
        }
    }

    fn is_stopped(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    fn children(&self) -> MutexGuard<'_, Vec<Weak<Self>>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StopToken {
    /// A token that nothing has stopped yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that is stopped with this one, and can be stopped without it.
    #[must_use]
    pub fn child(&self) -> Self {
        let child = Self::new();
        // A stop meanwhile waits for the lock, and then finds the child.
        let mut children = self.0.children();
        children.retain(|it| it.strong_count() > 0);
        children.push(Arc::downgrade(&child.0));
        child.0.flag.store(self.is_stopped(), Ordering::Relaxed);
        drop(children);
        child
    }

    /// Ends whatever was given this token or a child of it.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }

    /// Makes it as new: whether it had been stopped. Children that were stopped stay so.
    pub fn reset(&self) -> bool {
        self.0.flag.swap(false, Ordering::Relaxed)
    }

    /// The flag, as searches take it. It is to be read only: [`stop`](Self::stop) raises it, and
    /// those of the children.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.flag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_stopped_with_its_parent_and_alone() {
        let token = StopToken::new();
        let (one, other) = (token.child(), token.clone().child());
        let grandchild = other.child();
        one.stop();
        assert!(one.is_stopped() && !token.is_stopped() && !other.is_stopped());
        token.stop();
        assert!(other.is_stopped() && grandchild.flag().load(Ordering::Relaxed));
        assert!(token.child().is_stopped(), "its parent was stopped before");
        assert!(token.reset() && !token.child().is_stopped() && other.is_stopped());
    }

    #[test]
    fn children_that_are_gone_are_forgotten() {
        let token = StopToken::new();
        for _ in 0..100 {
            drop(token.child());
        }
        assert!(token.0.children().len() <= 1);
    }
}
