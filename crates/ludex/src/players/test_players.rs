//! Players that only tests have: `first` plays the first move, `waits` does so when it is stopped,
//! and `panics` panics.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use ludex_core::{Game, Limits, Turn};
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;
use ludex_search::support::two_opponents;
use ludex_search::{
    GamePlayer, Line, Observer, PlayerFamily, SearchError, SearchResult, SearchRoot,
};

use super::Registry;

/// The standard registry with the players of this file.
pub(crate) fn registry() -> Arc<Registry> {
    let mut registry = Registry::standard();
    for name in ["first", "waits", "panics"] {
        registry.add_player(PlayerFamily::new(name, "a test", two_opponents, move |_, _, _| {
            Ok(Box::new(TestPlayer { name }))
        }));
    }
    registry.into()
}

struct TestPlayer {
    name: &'static str,
}

impl GamePlayer<CompiledGame> for TestPlayer {
    fn search(
        &mut self,
        root: SearchRoot<'_, CompiledGame>,
        limits: Limits<'_>,
        _: &mut Observer<'_, PackedMove>,
    ) -> Result<SearchResult<PackedMove>, SearchError> {
        assert_ne!(self.name, "panics", "a test wants this");
        while self.name == "waits" && !limits.is_stopped() {
            sleep(Duration::from_millis(1));
        }
        let Turn::Of(player) = root.game.turn(root.position)? else {
            return Ok(SearchResult::default());
        };
        let mut moves = Vec::new();
        root.game.moves(root.position, player, &mut moves)?;
        let lines = moves.first().map(|&it| Line::new(it)).into_iter().collect();
        Ok(SearchResult { lines, ..SearchResult::default() })
    }

    fn describe(&self) -> String {
        self.name.to_owned()
    }
}
