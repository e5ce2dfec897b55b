//! The real clock, and times as people write them.

use std::time::{Duration, Instant};

use ludex_core::Clock;

/// The time since it was made.
#[derive(Clone, Copy, Debug)]
pub struct RealClock(Instant);

impl RealClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

impl Clock for RealClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// How many there were in each second; never infinite.
pub fn per_second(count: u64, seconds: f64) -> f64 {
    // Below a microsecond the clock tells nothing.
    count as f64 / seconds.max(1e-6)
}
