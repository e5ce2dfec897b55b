//! The players of a match or a tournament.

use std::sync::Arc;

use ludex_arena::{Contestant, Failure, FailureKind, Roster, TimeControl, match_fixtures};
use ludex_core::{GameExt, Random};
use ludex_jit::CompiledGame;
use ludex_search::PlayerOptions;

use super::{Match, MatchRequest, check};
use crate::error::Result;
use crate::game::LoadedGame;
use crate::players::{Entrant, Registry};

impl<'a> Match<'a> {
    /// Reads the players like [`Match::new`], with the players and evaluations of a registry.
    pub fn with_registry(
        registry: Arc<Registry>,
        game: &'a LoadedGame,
        request: MatchRequest,
    ) -> Result<Self> {
        check(&request, game)?;
        let read = |it: &String| Entrant::read_with(registry.clone(), it, game);
        let entrants = [request.players.iter().map(read).collect::<Result<Vec<Entrant>>>()?];
        let seats = game.game.players();
        let fixtures = match_fixtures(request.players.len(), seats, request.games);
        Ok(Self { game, request, entrants, fixtures })
    }
}

/// The games and the players of a match or a tournament.
#[derive(Debug)]
pub struct Participants<'a> {
    /// The games, by event.
    pub games: &'a [LoadedGame],
    /// For each event, every entrant.
    pub entrants: &'a [Vec<Entrant>],
    /// The resources of a player.
    pub options: PlayerOptions,
    /// The time control.
    pub time_control: TimeControl,
}

impl Roster<CompiledGame> for Participants<'_> {
    fn contestant(
        &self,
        event: usize,
        entrant: usize,
    ) -> Result<Box<dyn Contestant<CompiledGame> + '_>, Failure> {
        // Learning depends on the entrant alone, whichever thread it plays in.
        let seed = Random::stream(self.options.seed, entrant as u64, event as u64).next_u64();
        let options = PlayerOptions { seed, ..self.options };
        let seat =
            self.entrants[event][entrant].seat(&self.games[event], options, &self.time_control);
        seat.map_err(|it| {
            let reason = it.to_string();
            let line = reason.lines().next().unwrap_or_default();
            Failure::new(FailureKind::Unavailable, line)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::players::test_players;
    use crate::stop::StopToken;

    #[test]
    fn a_player_of_another_registry_plays_a_match() {
        let game = LoadedGame::load("tictactoe", EngineKind::Interpreter).expect("it is bundled");
        let request = || MatchRequest { games: 2, ..MatchRequest::of_nodes("first", "random", 10) };
        assert!(Match::new(&game, request()).is_err(), "`first` is no player of ours");
        let to_play = Match::with_registry(test_players::registry(), &game, request());
        let to_play = to_play.expect("`first` was added");
        let report = to_play.play(&StopToken::new(), &mut |_| Ok(())).expect("the rules hold");
        assert_eq!(report.table[0].games, 2, "{report:?}");
    }
}
