//! Wins, draws and losses: percentages and Elo differences with intervals.

/// The two-sided 95 % point of the normal distribution.
pub(crate) const Z: f64 = 1.959_964;

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The results of games from the view of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The games it won.
    pub wins: u64,
    /// The drawn games.
    pub draws: u64,
    /// The games it lost.
    pub losses: u64,
}

impl Score {
    /// The number of games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win and half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Adds a game by its points: 1, 1/2 or 0.
    pub fn add(&mut self, points: f64) {
        if points > 0.5 {
            self.wins += 1;
        } else if points < 0.5 {
            self.losses += 1;
        } else {
            self.draws += 1;
        }
    }

    /// The sum of two scores.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The score as a rate from 0 to 1, with the Wilson interval; without games that is 0 to 1.
    pub fn rate(self) -> Estimate {
        wilson(self.points(), self.games())
    }

    /// The Elo difference.
    pub fn elo(self) -> Estimate {
        let rate = self.rate();
        Estimate {
            value: elo_of_rate(rate.value),
            low: elo_of_rate(rate.low),
            high: elo_of_rate(rate.high),
        }
    }
}

/// The Wilson interval for `points` of `games` (E. B. Wilson, "Probable inference, the law of
/// succession, and statistical inference", 1927). Draws vary less than wins and losses, so that with
/// draws the interval is a little too wide, never too narrow.
pub(super) fn wilson(points: f64, games: u64) -> Estimate {
    if games == 0 {
        return Estimate { value: 0.5, low: 0.0, high: 1.0 };
    }
    let games = games as f64;
    let rate = points / games;
    let scale = 1.0 + Z * Z / games;
    let centre = (rate + Z * Z / (2.0 * games)) / scale;
    let spread = Z / scale * (rate * (1.0 - rate) / games + Z * Z / (4.0 * games * games)).sqrt();
    Estimate {
        value: rate,
        low: (centre - spread).clamp(0.0, rate),
        high: (centre + spread).clamp(rate, 1.0),
    }
}

/// The Elo difference with this expected score; infinite at 0 and 1.
pub fn elo_of_rate(rate: f64) -> f64 {
    400.0 * (rate / (1.0 - rate)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(one: f64, other: f64) {
        assert!((one - other).abs() < 5e-4, "{one} is not {other}");
    }

    #[test]
    fn wilson_as_in_the_tables() {
        let rate = Score { wins: 150, draws: 0, losses: 50 }.rate();
        near(rate.value, 0.75);
        near(rate.low, 0.6856);
        near(rate.high, 0.8050);
        let rate = Score { wins: 10, draws: 0, losses: 0 }.rate();
        near(rate.low, 0.7225);
        near(rate.high, 1.0);
        let rate = Score::default().rate();
        assert_eq!((rate.low, rate.high), (0.0, 1.0));
    }

    #[test]
    fn draws_are_half_points() {
        let score = Score { wins: 1, draws: 2, losses: 1 };
        near(score.rate().value, 0.5);
        near(score.elo().value, 0.0);
    }

    #[test]
    fn elo_as_in_the_tables() {
        let score = Score { wins: 76, draws: 0, losses: 24 };
        assert!((score.elo().value - 200.0).abs() < 1.0);
        let turned = Score { wins: 24, draws: 0, losses: 76 };
        assert!((turned.elo().value + 200.0).abs() < 1.0);
        let all = Score { wins: 5, draws: 0, losses: 0 };
        assert!(all.elo().value.is_infinite() && all.elo().low.is_finite());
    }
}
