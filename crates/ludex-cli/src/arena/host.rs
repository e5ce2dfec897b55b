//! Who sits down.

use ludex_arena::{Contestant, Failure, FailureKind, Host, Pace};
use ludex_core::Random;
use ludex_search::Means;

use crate::engine::Engine;
use crate::load::Loaded;
use crate::players::Entrant;

/// The games that are played and those who take part.
#[derive(Debug)]
pub(crate) struct House<'a> {
    /// The games, by event.
    pub(crate) games: &'a [Loaded],
    /// Who takes part: for each event, every entrant.
    pub(crate) entrants: &'a [Vec<Entrant>],
    /// What players are given.
    pub(crate) means: Means,
    /// How long they may think.
    pub(crate) pace: Pace,
}

impl Host<Engine> for House<'_> {
    fn seat(
        &self,
        event: usize,
        entrant: usize,
    ) -> Result<Box<dyn Contestant<Engine> + '_>, Failure> {
        // What is learned about a game follows from the entrant, whichever thread it plays in.
        let seed = Random::stream(self.means.seed, entrant as u64, event as u64).next_u64();
        let means = Means { seed, ..self.means };
        let seat = self.entrants[event][entrant].seat(&self.games[event], means, &self.pace);
        seat.map_err(|it| {
            let reason = it.to_string();
            let line = reason.lines().next().unwrap_or_default();
            Failure::new(FailureKind::Unavailable, line)
        })
    }
}
