//! The players of a match or a tournament.

use ludex_arena::{Contestant, Failure, FailureKind, Roster, TimeControl};
use ludex_core::Random;
use ludex_jit::CompiledGame;
use ludex_search::PlayerOptions;

use crate::game::LoadedGame;
use crate::players::Entrant;

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
    use crate::engine::EngineKind;
    use crate::game::LoadedGame;
    use crate::matches::{Match, MatchRequest};
    use crate::players::test_players;
    use crate::stop::StopToken;

    #[test]
    fn a_player_of_another_registry_plays_a_match() {
        let game = LoadedGame::load("tictactoe", EngineKind::Interpreter).expect("it is bundled");
        let request = || MatchRequest { games: 2, ..MatchRequest::of_nodes("first", "random", 10) };
        assert!(Match::new(&game, request()).is_err(), "`first` is no player of ours");
        let game = game.with_registry(test_players::registry());
        let to_play = Match::new(&game, request()).expect("`first` was added");
        let report = to_play.play(&StopToken::new(), &mut |_| Ok(())).expect("the rules hold");
        assert_eq!(report.table[0].games, 2, "{report:?}");
    }
}
