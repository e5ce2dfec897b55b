//! Limits that a player has by itself, whatever it is given.

use std::time::Duration;

use ludex_arena::TimeControl;
use ludex_arena::units::duration;
use ludex_core::Limits;
use ludex_search::{Spec, SpecError};

/// How long a player thinks about a move at most, as its file or its options say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct OwnLimits {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

impl OwnLimits {
    /// Takes the limits among the options of a player. A depth stays there as well: the search has
    /// to know it.
    pub(crate) fn take(spec: &mut Spec) -> Result<Self, SpecError> {
        let nodes = spec.take_given::<String>("nodes")?;
        let time = spec.take_given::<String>("time")?;
        Ok(Self {
            depth: spec.get("depth").and_then(|it| it.parse().ok()),
            nodes: nodes.map(|it| read_nodes(&it).map_err(at(spec, "nodes"))).transpose()?,
            time: time.map(|it| read_time(&it).map_err(at(spec, "time"))).transpose()?,
        })
    }

    /// Whether there are any.
    pub(crate) fn any(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// How long to think, where `usual` is the time of those who say nothing: a player that has
    /// limits of its own has said something.
    pub(crate) fn time_or(&self, limits: &Limits<'_>, usual: Duration) -> Option<Duration> {
        let said = limits.time.is_some() || limits.nodes.is_some() || self.any();
        limits.time.or((!said).then_some(usual))
    }

    /// Whether it is time that ends its thinking. What is limited by nodes or plies is to be the same
    /// every time, and must not depend on the speed of the machine.
    pub(crate) fn is_timed(&self, limits: &Limits<'_>) -> bool {
        let counts_nodes = limits.nodes.is_some() || self.nodes.is_some();
        !counts_nodes && (limits.time.is_some() || self.time.is_some() || !self.any())
    }

    /// The same in the arena, where there may be a clock for the whole game.
    pub(crate) fn is_timed_at(&self, time_control: &TimeControl) -> bool {
        let counts_nodes = time_control.nodes.is_some() || self.nodes.is_some();
        let by_time = time_control.per_move.is_some() || self.time.is_some() || !self.any();
        time_control.clock.is_some() || (!counts_nodes && by_time)
    }

    /// The stricter of these limits and the given ones.
    pub(crate) fn within<'a>(&self, limits: Limits<'a>) -> Limits<'a> {
        Limits {
            depth: limits.depth.map(|it| it.min(self.depth.unwrap_or(it))),
            nodes: [limits.nodes, self.nodes].into_iter().flatten().min(),
            time: [limits.time, self.time].into_iter().flatten().min(),
            ..limits
        }
    }
}

/// Puts an error where an option is.
fn at<'a>(spec: &'a Spec, key: &'a str) -> impl Fn(SpecError) -> SpecError + 'a {
    |error| SpecError { at: spec.error(key, "").at, ..error }
}

fn read_nodes(value: &str) -> Result<u64, SpecError> {
    let error = || SpecError::new(format!("`{value}` is no number of nodes"));
    let wrong = || error().with_help("write `nodes=10000`");
    value.parse().ok().filter(|&it| it > 0).ok_or_else(wrong)
}

fn read_time(value: &str) -> Result<Duration, SpecError> {
    let time = duration(value).map_err(|it| SpecError::new(format!("`{value}`: {it}")))?;
    if time.is_zero() {
        let error = SpecError::new("a player needs some time");
        return Err(error.with_help("write `time=0.5`, in seconds"));
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(options: &str) -> Result<OwnLimits, SpecError> {
        OwnLimits::take(&mut format!("uct:{options}").parse()?)
    }

    #[test]
    fn limits_are_told_from_other_options() {
        let mut spec: Spec = "uct:c=0.7,nodes=100,time=500ms,depth=3".parse().unwrap();
        let own = OwnLimits::take(&mut spec).unwrap();
        assert_eq!((own.nodes, own.depth), (Some(100), Some(3)));
        assert_eq!(own.time, Some(Duration::from_millis(500)));
        assert!(spec.done().is_err(), "the search has not taken `c`");
        assert_eq!((spec.take("c", 1.0), spec.take("depth", 0)), (Ok(0.7), Ok(3)));
        assert_eq!(spec.done(), Ok(()));
        assert_eq!(taken("c=1,nodes=0").unwrap_err().at, Some(8..15));
        assert!(taken("time=soon").is_err());
    }

    #[test]
    fn what_counts_is_not_timed() {
        let think = |nodes, time| Limits { time, nodes, ..Limits::default() };
        let (nothing, second) = (think(None, None), Some(Duration::from_secs(1)));
        let is_timed = |own: &str, think: Limits<'_>| taken(own).unwrap().is_timed(&think);
        assert!(is_timed("", nothing), "there is a usual time");
        assert!(is_timed("time=1s", nothing) && is_timed("depth=3", think(None, second)));
        assert!(!is_timed("depth=3", nothing) && !is_timed("nodes=9", think(None, second)));
        assert!(!is_timed("", think(Some(9), second)));
    }

    #[test]
    fn the_smaller_limit_holds() {
        let own = taken("nodes=100,depth=3").unwrap();
        let limits = own.within(Limits { nodes: Some(7), depth: Some(9), ..Limits::default() });
        assert_eq!((limits.nodes, limits.depth), (Some(7), Some(3)));
        assert_eq!(own.within(Limits::default()).nodes, Some(100));
        assert_eq!(own.within(Limits::default()).depth, None, "the search itself knows it");
    }
}
