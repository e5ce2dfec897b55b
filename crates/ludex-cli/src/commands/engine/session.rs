//! The common part of all protocols: a game, a player and the output.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use ludex::analysis::SearchResult;
use ludex::game::LoadedGame;
use ludex::players::LoadedPlayer;
use ludex::{Error, Result};
use ludex_core::Position;
use ludex_jit::CompiledGame;
use ludex_search::PlayerOptions;

use super::Setup;
use super::options::reloaded;
use super::search::{Event, Order, Running, start};
use crate::output::Out;

/// A game with a player and the output.
pub(super) struct EngineSession<'a> {
    pub(super) setup: &'a Setup,
    pub(super) loaded: LoadedGame,
    pub(super) game: Arc<CompiledGame>,
    /// The player as it is named, and its options.
    pub(super) spec: String,
    pub(super) options: PlayerOptions,
    out: &'a mut Out,
    sender: Sender<Event>,
    /// `None` during a search.
    player: Option<LoadedPlayer>,
    /// Whether the player has prepared.
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
        let (spec, options) = (setup.spec.clone(), setup.options);
        let player = Some(LoadedPlayer::make(&spec, options, &loaded)?);
        Ok(Self { setup, loaded, game, spec, options, out, sender, player, prepared: false })
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

    /// Another player for the same game.
    pub(super) fn change_player(&mut self, spec: String, options: PlayerOptions) -> Result<()> {
        self.player = Some(LoadedPlayer::make(&spec, options, &self.loaded)?);
        self.prepared = false;
        (self.spec, self.options) = (spec, options);
        Ok(())
    }

    /// Begins another game: the player forgets the last one.
    pub(super) fn forget(&mut self) {
        if let Some(player) = &mut self.player {
            player.forget();
        }
    }

    /// Lets the player prepare, once.
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

    /// Starts a search, which has the player until it is done.
    pub(super) fn start(&mut self, position: &Position, order: Order) -> Result<Running> {
        let player = self.player.take().ok_or_else(|| Error::new("already searching"))?;
        Ok(start(player, self.game.clone(), position.clone(), order, self.sender.clone()))
    }

    /// Takes the player back from a search that is done.
    pub(super) fn take_back(&mut self, player: LoadedPlayer) {
        self.player = Some(player);
    }

    /// Searches a position. `handle` gets the events meanwhile; it may stop the search and write
    /// lines.
    pub(super) fn search(
        &mut self,
        position: &Position,
        order: Order,
        events: &Receiver<Event>,
        mut handle: impl FnMut(Event, &mut Running, &mut Out),
    ) -> Result<SearchResult> {
        let mut running = self.start(position, order)?;
        loop {
            match events.recv() {
                Ok(Event::Done(player, result)) => {
                    let result = result.map_err(|it| player.blame_shortly(&self.loaded, &it));
                    self.take_back(player);
                    return result.map_err(Error::new);
                }
                Ok(event) => handle(event, &mut running, self.out),
                Err(_) => running.stop(),
            }
        }
    }
}
