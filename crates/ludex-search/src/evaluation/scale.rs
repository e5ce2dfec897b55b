//! One scale for proved values and evaluations.
//!
//! ```text
//! -WIN + n        -MOST      ...      0      ...      MOST        WIN - n
//! lost in n plies   |           evaluations            |      won in n plies
//! ```
//!
//! Values are whole numbers from the view of one player; to the other they are the opposite. A
//! won game is worth more the sooner it is won, so that a search goes for the end and does not
//! dawdle. Between them lie evaluations, draws (0) and the rare ends that are worth a fraction.

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, Player, PositionOf};

use super::MOST;

/// A game won at once.
pub const WIN: i32 = 2_000_000;

/// What a point is worth where points are counted.
pub const POINT: i64 = 1000;

/// More than any value.
pub const INFINITE: i32 = WIN + 1;

/// What an end is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aim {
    /// Whether it is won, drawn or lost.
    #[default]
    Utility,
    /// How many points it has given, a thousand each.
    Score,
}

impl std::str::FromStr for Aim {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "win" | "utility" => Ok(Self::Utility),
            "score" => Ok(Self::Score),
            _ => Err(()),
        }
    }
}

/// What a finished game is worth to `player`, reached after `ply` plies.
pub fn end<G: Game>(
    view: TwoPlayer<'_, G>,
    position: &PositionOf<G>,
    player: Player,
    ply: u32,
) -> Result<i32, Fault> {
    Ok(of_utility(view.value(position, player)?, ply))
}

/// A utility from -1 to 1, reached after `ply` plies.
pub fn of_utility(utility: f64, ply: u32) -> i32 {
    if utility >= 1.0 {
        WIN - ply.min(MOST as u32 / 2) as i32
    } else if utility <= -1.0 {
        -of_utility(1.0, ply)
    } else {
        (utility * f64::from(MOST)).round() as i32
    }
}

/// Points more than the opponent has.
pub fn of_points(points: i64) -> i32 {
    points.saturating_mul(POINT).clamp(-i64::from(MOST), i64::from(MOST)) as i32
}

/// The points that a value stands for; more than can be told apart are not known.
pub fn points(value: i32) -> Option<i64> {
    (value.abs() < MOST).then(|| i64::from(value) / POINT)
}

/// An evaluation within its bounds.
pub fn of_evaluation(value: i32) -> i32 {
    value.clamp(-MOST, MOST)
}

/// Whether a value says that the game is won or lost.
pub fn is_decided(value: i32) -> bool {
    value.abs() > MOST
}

/// In how many plies a decided game ends.
pub fn plies(value: i32) -> Option<u32> {
    is_decided(value).then(|| (WIN - value.abs()).max(0) as u32)
}

/// The value seen from the root as it is seen `ply` plies further on, where ends are nearer.
pub fn from_root(value: i32, ply: u32) -> i32 {
    shifted(value, ply as i32)
}

/// The inverse of [`from_root`].
pub fn to_root(value: i32, ply: u32) -> i32 {
    shifted(value, -(ply as i32))
}

fn shifted(value: i32, by: i32) -> i32 {
    if value > MOST {
        value + by
    } else if value < -MOST {
        value - by
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_worth_more_than_what_is_believed() {
        assert!(of_utility(1.0, 10_000) > of_evaluation(i32::MAX));
        assert!(of_utility(1.0, 3) > of_utility(1.0, 4));
        assert!(of_utility(-1.0, 3) < of_utility(-1.0, 4));
        assert_eq!(of_utility(0.0, 7), 0);
        assert_eq!(of_utility(0.5, 7), MOST / 2);
        assert_eq!(plies(of_utility(-1.0, 5)), Some(5));
        assert_eq!(plies(MOST), None);
    }

    #[test]
    fn ends_come_nearer_on_the_way() {
        let seen = of_utility(1.0, 9);
        assert_eq!(from_root(seen, 4), of_utility(1.0, 5));
        assert_eq!(to_root(from_root(seen, 4), 4), seen);
        assert_eq!(to_root(from_root(-seen, 4), 4), -seen);
        assert_eq!(from_root(17, 4), 17);
    }

    #[test]
    fn more_points_than_can_be_told_apart_are_not_known() {
        let told = |it| points(of_points(it));
        assert_eq!((told(6), told(-6), told(0)), (Some(6), Some(-6), Some(0)));
        assert_eq!((told(5000), told(i64::MIN)), (None, None));
    }
}
