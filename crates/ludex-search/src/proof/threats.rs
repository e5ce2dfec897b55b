//! What is forced in a position, so that a proof need not look at the rest.
//!
//! Threats and proof numbers together: Kazuki Yoshizoe, Akihiro Kishimoto and Martin Müller,
//! "Lambda depth-first proof number search and its application to Go", IJCAI 2007, let the orders
//! of threats guide the search. Here the game is asked, before a position's moves are listed, for a
//! win of the player to move and for what the opponent threatens: a win ends the matter, and
//! against a threat only its defences are listed. All that is left out loses, so the answer is the
//! same.

use std::collections::HashMap;

use ludex_core::{Effort, Fault, Game, GameExt, Limits, Player, PositionOf};

use super::dfpn::Dfpn;
use super::question::{Key, ProofRun};

/// What has to be looked at in a position.
#[derive(Clone, Debug)]
pub(super) enum Narrowed<M> {
    /// Every move.
    All,
    /// These, as the others lose.
    Only(Box<[M]>),
    /// This one: the player who makes it has won.
    Wins(M),
    /// None: whatever is played, this for one, loses.
    Loses(M),
}

/// What was found before, as positions are opened again and again.
#[derive(Clone, Debug)]
pub(super) struct Memory<M> {
    known: HashMap<Key, Narrowed<M>>,
    /// About how many bytes that takes.
    bytes: usize,
    /// When it takes this many, all is forgotten.
    most: usize,
}

/// One part in this many of the table's memory may be taken besides.
const PART: usize = 4;

/// What is remembered at least, in bytes.
const LEAST: usize = 1 << 16;

impl<M> Memory<M> {
    /// For a search with a table of `bytes` bytes.
    pub(super) fn beside(table: usize) -> Self {
        Self { known: HashMap::new(), bytes: 0, most: (table / PART).max(LEAST) }
    }

    fn insert(&mut self, key: Key, found: Narrowed<M>) {
        let moves = if let Narrowed::Only(moves) = &found { moves.len() } else { 0 };
        // A slot of a map that may be half empty, and what it points to.
        let bytes = 2 * size_of::<(Key, Narrowed<M>)>() + moves * size_of::<M>();
        if self.bytes + bytes > self.most {
            (self.known, self.bytes) = (HashMap::new(), 0);
        }
        self.bytes += bytes;
        self.known.insert(key, found);
    }
}

impl<G: Game> Dfpn<'_, '_, G> {
    /// What has to be looked at where it is the turn of `mover`.
    pub(super) fn narrowed(
        &mut self,
        (position, key): (&PositionOf<G>, Key),
        mover: Player,
        run: &mut ProofRun<'_>,
    ) -> Result<Narrowed<G::Move>, Fault> {
        if self.config.look() == 0 {
            return Ok(Narrowed::All);
        }
        if let Some(known) = self.forced.known.get(&key) {
            return Ok(known.clone());
        }
        let found = self.what_is_forced(position, mover, run)?;
        self.forced.insert(key, found.clone());
        Ok(found)
    }

    /// What a look may cost: no more than is left.
    fn effort<'b>(&self, run: &ProofRun<'b>) -> Effort<'b> {
        let left = run.limits.after(run.nodes).nodes;
        let nodes = left.map_or(self.config.look(), |it| it.min(self.config.look()));
        let limits = Limits { nodes: Some(nodes), ..run.limits };
        Effort { order: self.config.order, limits }
    }

    fn what_is_forced(
        &mut self,
        position: &PositionOf<G>,
        mover: Player,
        run: &mut ProofRun<'_>,
    ) -> Result<Narrowed<G::Move>, Fault> {
        let game = self.view.game();
        let effort = self.effort(run);
        let sought = game.forced_win(position, effort)?;
        run.nodes += sought.positions;
        if let Some(win) = sought.found {
            return Ok(Narrowed::Wins(win.mv));
        }
        let effort = self.effort(run);
        let sought = game.only_defences(position, effort)?;
        run.nodes += sought.positions;
        let Some(defences) = sought.found else { return Ok(Narrowed::All) };
        if !defences.is_empty() {
            return Ok(Narrowed::Only(defences.into()));
        }
        let mut moves = Vec::new();
        self.view.moves(position, mover, &mut moves)?;
        Ok(moves.first().map_or(Narrowed::All, |&mv| Narrowed::Loses(mv)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_keeps_to_its_memory() {
        let mut memory: Memory<[u64; 2]> = Memory::beside(1 << 20);
        let mut most = 0;
        for number in 0..20_000 {
            let key = Key { first: number, second: number };
            memory.insert(key, Narrowed::Only(vec![[0; 2]; 60].into()));
            assert!(memory.known.contains_key(&key) && memory.bytes <= memory.most);
            most = most.max(memory.known.len());
        }
        let moves = 60 * size_of::<[u64; 2]>();
        assert!(most * moves <= (1 << 20) / PART && most * moves > (1 << 20) / PART / 2, "{most}");
    }
}
