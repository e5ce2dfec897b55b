//! How much of a game clock to spend on a move.
//!
//! Pure arithmetic: what is left, what is added for each move, and how many moves there are still
//! to play give two limits. After the *soft* one a search begins nothing new. The
//! *hard* one is never passed, so that a search in the middle of something may finish it.
//!
//! A reserve is kept back for what happens between a player and the clock: the message, the
//! scheduler, the last look at the clock. See R. Hyatt, "Using time wisely", ICCA Journal 7, 1984,
//! and S.-C. Huang, R. Coulom and S.-S. Lin, "Time management for Monte-Carlo tree search", ICGA
//! Journal 33, 2010: an even share of what is left, and a little more of it early.

use std::time::Duration;

use ludex_core::Limits;

/// Work done in steps that cannot be broken off: how long they took so far tells whether another
/// one fits. A player that begins its search too late plays any move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Steps {
    /// The longest two.
    longest: [Duration; 2],
    done: u32,
    /// When the step that is under way began.
    began: Option<Duration>,
}

/// After this many steps one that stands out counts for nothing: the machine was asleep, not the
/// step long.
const MANY_STEPS: u32 = 8;

impl Steps {
    /// Another row of steps begins.
    pub(crate) fn begin(&mut self) {
        self.began = None;
    }

    /// Whether another step, which begins now, fits before the limits are reached.
    pub(crate) fn fit(&mut self, limits: Limits<'_>) -> bool {
        let now = limits.clock.elapsed();
        if let Some(began) = self.began.replace(now) {
            self.note(now.saturating_sub(began));
        }
        let expected = self.longest[usize::from(self.done >= MANY_STEPS)];
        !limits.is_reached(0) && limits.time.is_none_or(|it| now + expected <= it)
    }

    fn note(&mut self, step: Duration) {
        self.done = self.done.saturating_add(1);
        let [first, second] = self.longest;
        self.longest = [first.max(step), second.max(step.min(first))];
    }
}

/// What a game clock shows to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// What is left for all moves to come.
    pub left: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// After how many moves the clock is set anew, if it is.
    pub moves_to_go: Option<u32>,
}

impl GameClock {
    /// A clock for the whole game.
    pub fn new(left: Duration, increment: Duration) -> Self {
        Self { left, increment, moves_to_go: None }
    }

    /// The clock after a move that took `spent`; `None` if that was too long.
    #[must_use]
    pub fn after(self, spent: Duration) -> Option<Self> {
        let left = self.left.checked_sub(spent)?;
        let moves_to_go = self.moves_to_go.map(|it| it.saturating_sub(1).max(1));
        Some(Self { left: left + self.increment, moves_to_go, ..self })
    }
}

/// How a clock is shared out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimingConfig {
    /// How many more moves are expected where that is not given.
    pub moves: u32,
    /// How much of the increment is spent as it comes.
    pub increment: f64,
    /// How many times the plan a search may take to finish something.
    pub stretch: f64,
    /// No move takes more than this part of what is left.
    pub most: f64,
    /// What is kept back for delays.
    pub reserve: Duration,
}

impl Default for TimingConfig {
    fn default() -> Self {
        let reserve = Duration::from_millis(30);
        Self { moves: 30, increment: 0.75, stretch: 2.0, most: 0.3, reserve }
    }
}

/// What may be spent on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// The plan: after it nothing new is begun.
    pub soft: Duration,
    /// The end, whatever is going on.
    pub hard: Duration,
}

/// However late it is, a move may take this long: less is no search at all.
const LEAST: Duration = Duration::from_millis(1);

/// How much of a clock to spend on the next move.
///
/// ```
/// use std::time::Duration;
/// use ludex_search::timing::{GameClock, TimingConfig, move_time};
///
/// let clock = GameClock::new(Duration::from_secs(60), Duration::from_secs(1));
/// let time = move_time(clock, &TimingConfig::default());
/// assert!(time.soft < time.hard && time.hard < clock.left / 3);
/// ```
pub fn move_time(clock: GameClock, config: &TimingConfig) -> MoveTime {
    let moves = clock.moves_to_go.unwrap_or(config.moves).max(1);
    // A reserve that is most of the clock would leave nothing to think with.
    let reserve = config.reserve.min(clock.left / 2);
    let left = clock.left.saturating_sub(reserve);
    let even = left / moves.min(config.moves.max(1));
    let plan = even + clock.increment.mul_f64(config.increment.clamp(0.0, 1.0));
    // The last move before the clock is set anew may take all that is left.
    let most = if moves == 1 { left } else { left.mul_f64(config.most.clamp(0.0, 1.0)) };
    let hard = plan.mul_f64(config.stretch.max(1.0)).min(most);
    let soft = plan.min(hard);
    MoveTime { soft: soft.max(LEAST), hard: hard.max(LEAST) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use ludex_core::Clock;

    use super::*;

    fn seconds(number: f64) -> Duration {
        Duration::from_secs_f64(number)
    }

    #[test]
    fn a_long_game_is_never_lost_on_time() {
        for (left, increment) in [(60.0, 0.0), (1.0, 0.0), (5.0, 0.1), (0.05, 0.05), (3600.0, 30.0)]
        {
            let mut clock = GameClock::new(seconds(left), seconds(increment));
            for _ in 0..300 {
                let time = move_time(clock, &TimingConfig::default());
                assert!(time.soft <= time.hard);
                // The last moves of a clock without increment are as short as can be.
                if clock.left < seconds(0.005) {
                    break;
                }
                clock = clock.after(time.hard).expect("the hard limit fits");
            }
        }
    }

    #[test]
    fn an_increment_is_used() {
        let clock = GameClock::new(seconds(2.0), seconds(2.0));
        let time = move_time(clock, &TimingConfig::default());
        assert!(time.hard > seconds(0.4), "{time:?}");
        assert!(time.hard < seconds(1.0), "{time:?}");
    }

    #[test]
    fn the_last_move_before_the_clock_is_set_may_take_what_is_left() {
        let clock =
            GameClock { moves_to_go: Some(1), ..GameClock::new(seconds(10.0), seconds(0.0)) };
        let time = move_time(clock, &TimingConfig::default());
        assert!(time.hard > seconds(9.9) && time.hard < seconds(10.0), "{time:?}");
    }

    #[test]
    fn nothing_left_is_a_millisecond() {
        let time =
            move_time(GameClock::new(Duration::ZERO, Duration::ZERO), &TimingConfig::default());
        assert_eq!(time, MoveTime { soft: LEAST, hard: LEAST });
    }

    #[test]
    fn a_move_is_taken_off_the_clock() {
        let clock = GameClock::new(seconds(1.0), seconds(0.5));
        assert_eq!(clock.after(seconds(0.25)), Some(GameClock::new(seconds(1.25), seconds(0.5))));
        assert_eq!(clock.after(seconds(1.5)), None);
    }

    /// A clock that is set by hand.
    struct ByHand(AtomicU64);

    impl Clock for ByHand {
        fn elapsed(&self) -> Duration {
            Duration::from_millis(self.0.load(Ordering::Relaxed))
        }
    }

    #[test]
    fn a_step_that_would_come_too_late_does_not_fit() {
        let clock = ByHand(AtomicU64::new(0));
        let time = Some(Duration::from_millis(100));
        let limits = Limits { time, clock: &clock, ..Limits::default() };
        let mut steps = Steps::default();
        assert!(steps.fit(limits), "it is not known how long a step is");
        clock.0.store(40, Ordering::Relaxed);
        assert!(steps.fit(limits), "another one of 40 ends at 80");
        clock.0.store(70, Ordering::Relaxed);
        assert!(!steps.fit(limits), "another one of 40 would end at 110");
        // The time between two rows of steps is no step, and what is known stays.
        steps.begin();
        clock.0.store(60, Ordering::Relaxed);
        assert!(steps.fit(limits));
        clock.0.store(61, Ordering::Relaxed);
        assert!(!steps.fit(limits));
    }
}
