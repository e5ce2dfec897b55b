//! The common part of the protocols that answer one line at a time: a game, a player and the output.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use ludex::analysis::SearchResult;
use ludex::game::LoadedGame;
use ludex::players::LoadedPlayer;
use ludex::{Error, Result};
use ludex_core::Position;
use ludex_jit::CompiledGame;

use super::Setup;
use super::options::reloaded;
use super::search::{Event, Order, Running, start};
use crate::output::Out;

/// A game with a player and the output.
pub(super) struct EngineSession<'a> {
    pub(super) setup: &'a Setup,
    pub(super) loaded: LoadedGame,
    pub(super) game: Arc<CompiledGame>,
    out: &'a mut Out,
    sender: Sender<Event>,
    /// `None` during a search.
    player: Option<LoadedPlayer>,
    /// Whether the player has analysed the game.
    prepared: bool,
}

impl<'a> EngineSession<'a> {
    /// The game and the player of the settings.
    pub(super) fn new(
        setup: &'a Setup,
        loaded: LoadedGame,
        sender: Sender<Event>,
        out: &'a mut Out,
    ) -> Result<Self> {
        let game = Arc::new(loaded.game.clone());
        let player = Some(LoadedPlayer::make(&setup.spec, setup.options, &loaded)?);
        Ok(Self { setup, loaded, game, out, sender, player, prepared: false })
    }

    /// Writes a line.
    pub(super) fn say(&mut self, text: &str) -> Result<()> {
        Ok(self.out.text(&format!("{text}\n"))?)
    }

    /// The same game with another value of an option.
    pub(super) fn reload(&mut self, key: &str, value: u32) -> Result<()> {
        let (loaded, player) = reloaded(self.setup, &self.loaded, key, value)?;
        (self.loaded, self.player) = (loaded, Some(player));
        self.game = Arc::new(self.loaded.game.clone());
        self.prepared = false;
        Ok(())
    }

    /// Begins another game: the player forgets the last one.
    pub(super) fn forget(&mut self) {
        if let Some(player) = &mut self.player {
            player.forget();
        }
    }

    /// Lets the player analyse the game, once.
    pub(super) fn prepare(&mut self) {
        if let (Some(player), false) = (&mut self.player, self.prepared) {
            self.setup.prepare(player, &self.game);
            self.prepared = true;
        }
    }

    /// The limits of a search without limits of its own.
    pub(super) fn usual(&self) -> Order {
        self.player.as_ref().map(|it| self.setup.usual(it)).unwrap_or_default()
    }

    /// Searches a position. `hear` handles the events ponder_while; it may stop the search and write lines.
    pub(super) fn search(
        &mut self,
        position: &Position,
        order: Order,
        events: &Receiver<Event>,
        mut hear: impl FnMut(Event, &mut Running, &mut Out),
    ) -> Result<SearchResult> {
        let player = self.player.take().ok_or_else(|| Error::new("already thinking"))?;
        let mut running =
            start(player, self.game.clone(), position.clone(), order, self.sender.clone());
        loop {
            match events.recv() {
                Ok(Event::Done(player, result)) => {
                    let said = result.map_err(|it| player.blame_shortly(&self.loaded, &it));
                    self.player = Some(player);
                    return said.map_err(Error::new);
                }
                Ok(event) => hear(event, &mut running, self.out),
                Err(_) => running.stop(),
            }
        }
    }
}
