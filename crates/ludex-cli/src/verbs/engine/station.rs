//! What protocols that answer one line at a time have in common: a game, a player for it, and somebody
//! to answer to.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use anyhow::{Result, anyhow};

use super::Setup;
use super::options::reloaded;
use super::search::{Event, Order, Running, start};
use crate::engine::Engine;
use crate::load::Loaded;
use crate::output::Out;
use crate::place::Place;
use crate::players::{Thinker, make};
use crate::thinking::Thought;

/// A player at a game, that somebody speaks to.
pub(super) struct Station<'a> {
    pub(super) setup: &'a Setup,
    pub(super) loaded: Loaded,
    pub(super) game: Arc<Engine>,
    out: &'a mut Out,
    sender: Sender<Event>,
    /// Away while it thinks.
    thinker: Option<Thinker>,
    /// Whether the player knows the game.
    prepared: bool,
}

impl<'a> Station<'a> {
    /// The player that was asked for, at the game that was asked for.
    pub(super) fn new(
        setup: &'a Setup,
        loaded: Loaded,
        sender: Sender<Event>,
        out: &'a mut Out,
    ) -> Result<Self> {
        let game = Arc::new(loaded.game.clone());
        let thinker = Some(make(&setup.spec, setup.means, &loaded)?);
        Ok(Self { setup, loaded, game, out, sender, thinker, prepared: false })
    }

    /// Says something.
    pub(super) fn say(&mut self, text: &str) -> Result<()> {
        Ok(self.out.text(&format!("{text}\n"))?)
    }

    /// The same game with another value of an option.
    pub(super) fn reload(&mut self, key: &str, value: u32) -> Result<()> {
        let (loaded, thinker) = reloaded(self.setup, &self.loaded, key, value)?;
        (self.loaded, self.thinker) = (loaded, Some(thinker));
        self.game = Arc::new(self.loaded.game.clone());
        self.prepared = false;
        Ok(())
    }

    /// Another game begins: the player forgets the last one.
    pub(super) fn forget(&mut self) {
        if let Some(thinker) = &mut self.thinker {
            thinker.forget();
        }
    }

    /// Gets to know the game, once.
    pub(super) fn prepare(&mut self) {
        if let (Some(thinker), false) = (&mut self.thinker, self.prepared) {
            self.setup.prepare(thinker, &self.game);
            self.prepared = true;
        }
    }

    /// How long to think where nobody says.
    pub(super) fn usual(&self) -> Order {
        self.thinker.as_ref().map(|it| self.setup.usual(it)).unwrap_or_default()
    }

    /// Thinks about a position. What happens meanwhile is heard by `hear`, which may stop it and say
    /// something.
    pub(super) fn think(
        &mut self,
        place: &Place,
        order: Order,
        events: &Receiver<Event>,
        mut hear: impl FnMut(Event, &mut Running, &mut Out),
    ) -> Result<Thought> {
        let thinker = self.thinker.take().ok_or_else(|| anyhow!("already thinking"))?;
        let mut running =
            start(thinker, self.game.clone(), place.clone(), order, self.sender.clone());
        loop {
            match events.recv() {
                Ok(Event::Done(thinker, thought)) => {
                    let said = thought.map_err(|it| thinker.blame_shortly(&self.loaded, &it));
                    self.thinker = Some(thinker);
                    return said.map_err(|it| anyhow!(it));
                }
                Ok(event) => hear(event, &mut running, self.out),
                Err(_) => running.stop(),
            }
        }
    }
}
