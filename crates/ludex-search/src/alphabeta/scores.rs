//! What the scores of two opponents mean.
//!
//! Some rules score by how much more a player has: what one has, the other lacks. Others count for
//! each player apart. A single end does not tell which it is, as counts may happen to be opposites.

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Fault, Game, Player, PositionOf};

/// What scores mean, as far as random games have shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ScoreMeaning {
    /// No end was seen.
    #[default]
    Unknown,
    /// How much more than the opponent: all ends have had opposite scores.
    Leads,
    /// Each player has a count of its own.
    Counts,
}

/// How many points more than the opponent a player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    pub(super) points: i64,
    /// Whether the scores are such as were seen before.
    pub(super) is_sure: bool,
}

impl ScoreMeaning {
    /// What the scores of a player and of the opponent say.
    pub(super) fn lead(self, mine: i64, theirs: i64) -> Lead {
        let apart = mine.saturating_sub(theirs);
        match self {
            Self::Unknown => Lead { points: apart, is_sure: false },
            Self::Leads => Lead { points: mine, is_sure: mine.saturating_add(theirs) == 0 },
            Self::Counts => Lead { points: apart, is_sure: true },
        }
    }

    /// What they mean when one more end has been seen.
    pub(super) fn after<G: Game>(
        self,
        view: TwoPlayer<'_, G>,
        position: &PositionOf<G>,
    ) -> Result<Self, Fault> {
        let one = Player(0);
        let mine = view.game().payoff(position, one)?.score;
        let theirs = view.game().payoff(position, opponent(one))?.score;
        let are_opposite = mine.saturating_add(theirs) == 0;
        Ok(if self == Self::Counts || !are_opposite { Self::Counts } else { Self::Leads })
    }
}

#[cfg(test)]
mod tests {
    use ludex_testkit::Coins;

    use super::*;

    #[test]
    fn points_are_counted_once() {
        let lead = |scores: ScoreMeaning, mine, theirs| {
            let Lead { points, is_sure } = scores.lead(mine, theirs);
            (points, is_sure)
        };
        assert_eq!(lead(ScoreMeaning::Leads, 6, -6), (6, true));
        assert_eq!(lead(ScoreMeaning::Counts, 35, 29), (6, true));
        assert_eq!(lead(ScoreMeaning::Counts, 1, -1), (2, true), "counts may be opposites");
        assert!(!lead(ScoreMeaning::Leads, 35, 29).1 && !lead(ScoreMeaning::Unknown, 6, -6).1);
    }

    #[test]
    fn one_end_with_counts_is_enough() {
        let game = Coins { row: vec![] };
        let position = game.start();
        let view = TwoPlayer::new(&game).unwrap();
        let after = |scores: ScoreMeaning| scores.after(view, &position).unwrap();
        assert_eq!(after(ScoreMeaning::Unknown), ScoreMeaning::Leads);
        assert_eq!(after(ScoreMeaning::Counts), ScoreMeaning::Counts);
    }
}
