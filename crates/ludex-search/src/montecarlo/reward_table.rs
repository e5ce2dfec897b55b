//! Whose reward a table keeps.
//!
//! Tables by codes are shared by all movers. With two players they keep the reward of the first,
//! so that it does not matter who moved: the second reads it the other way round. With more, each
//! entry keeps the reward of the player whose move it was.

use ludex_core::Player;
use smallvec::SmallVec;

/// Each player's reward, from 0 to 1.
pub(crate) type Rewards = SmallVec<[f64; 4]>;

/// What goes into a table for a move of `mover`.
pub(crate) fn write(rewards: &[f64], mover: Player) -> f32 {
    match rewards {
        // Where the gains of two do not sum to zero, half their difference.
        [first, second] => f64::midpoint(first - second, 1.0) as f32,
        _ => rewards.get(mover.index()).copied().unwrap_or(0.5) as f32,
    }
}

/// What goes into tables for the moves of each player, by the player's number.
pub(crate) type TableRewards = SmallVec<[f32; 4]>;

/// The same for all movers.
pub(crate) fn table_rewards(rewards: &[f64]) -> TableRewards {
    (0..rewards.len()).map(|player| write(rewards, Player(player as u8))).collect()
}

/// What an entry means to `mover`.
pub(crate) fn read(value: f64, mover: Player, players: usize) -> f64 {
    if players == 2 && mover.0 == 1 { 1.0 - value } else { value }
}

/// A utility as a reward.
pub(crate) fn reward(utility: f64) -> f64 {
    f64::midpoint(utility.clamp(-1.0, 1.0), 1.0)
}

/// The rewards of a position that is worth `utility` to `player`, where one's gain is the others'
/// loss.
pub(crate) fn rewards(utility: f64, player: Player, players: usize) -> Rewards {
    let share = -utility / (players.max(2) - 1) as f64;
    (0..players).map(|it| reward(if it == player.index() { utility } else { share })).collect()
}
