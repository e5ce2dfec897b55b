//! Nim: take any number of stones from one heap; who takes the last stone wins.
//!
//! Bouton (1901): the player to move wins exactly when the sizes of the heaps,
//! added without carry, do not give zero.

use ludex_core::{Fault, Game, Payoff, Player, TextError, Turn};

use crate::{hash_words, number};

/// The rules of Nim, with the heaps it starts from (at most 26).
#[derive(Clone, Debug)]
pub struct Nim {
    /// Stones in each heap at the start.
    pub heaps: Vec<u8>,
}

/// The heaps, and who is to take.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heaps {
    /// Stones in each heap.
    pub stones: Vec<u8>,
    /// Who is to take.
    pub mover: Player,
}

/// Taking `stones` from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Take {
    /// Number of the heap.
    pub heap: u8,
    /// How many stones.
    pub stones: u8,
}

impl Nim {
    /// Nim with the given heaps.
    pub fn new(heaps: &[u8]) -> Self {
        Self { heaps: heaps.to_vec() }
    }

    /// Whether the player to move wins, by Bouton's theorem.
    pub fn is_won(heaps: &Heaps) -> bool {
        heaps.stones.iter().fold(0, |sum, stones| sum ^ stones) != 0
    }
}

impl Game for Nim {
    type State = Heaps;
    type Trail = ();
    type Move = Take;

    fn has_history(&self) -> bool {
        false
    }

    fn players(&self) -> usize {
        2
    }

    fn player_name(&self, player: Player) -> String {
        ["First", "Second"][player.index()].to_owned()
    }

    fn start(&self) -> (Heaps, ()) {
        (Heaps { stones: self.heaps.clone(), mover: Player(0) }, ())
    }

    fn trail_from(&self, _state: &Heaps) {}

    fn turn(&self, state: &Heaps, _trail: &()) -> Result<Turn, Fault> {
        let empty = state.stones.iter().all(|&it| it == 0);
        Ok(if empty { Turn::Over } else { Turn::Of(state.mover) })
    }

    fn moves(
        &self,
        state: &Heaps,
        _trail: &(),
        player: Player,
        moves: &mut Vec<Take>,
    ) -> Result<(), Fault> {
        moves.clear();
        if player == state.mover {
            for (heap, &most) in (0..).zip(&state.stones) {
                moves.extend((1..=most).map(|stones| Take { heap, stones }));
            }
        }
        Ok(())
    }

    fn apply(&self, state: &mut Heaps, _trail: &mut (), moves: &[Take]) -> Result<(), Fault> {
        for take in moves {
            if let Some(heap) = state.stones.get_mut(usize::from(take.heap)) {
                *heap = heap.saturating_sub(take.stones);
            }
        }
        state.mover = Player(1 - state.mover.0);
        Ok(())
    }

    fn payoff(&self, state: &Heaps, _trail: &(), player: Player) -> Result<Payoff, Fault> {
        // Whoever would be to move has nothing left to take.
        Ok(if player == state.mover { Payoff::LOSS } else { Payoff::WIN })
    }

    fn hash(&self, state: &Heaps) -> u64 {
        let stones = state.stones.iter().map(|&it| u64::from(it));
        hash_words(stones.chain([u64::from(state.mover.0)]))
    }

    fn name(&self, _state: &Heaps, mv: Take) -> String {
        format!("{}{}", char::from(b'a' + mv.heap), mv.stones)
    }

    fn position(&self, state: &Heaps) -> String {
        let stones: Vec<String> = state.stones.iter().map(u8::to_string).collect();
        format!("{} {}", stones.join("/"), self.player_name(state.mover))
    }

    fn read_position(&self, text: &str) -> Result<Heaps, TextError> {
        let [stones, mover] = crate::words(text)?;
        let stones: Vec<u8> =
            stones.split('/').map(|it| number(it, u8::MAX)).collect::<Result<_, _>>()?;
        if stones.len() != self.heaps.len() {
            let message = format!("{} heaps and not {}", stones.len(), self.heaps.len());
            return Err(TextError::new(message));
        }
        let mover = [Player(0), Player(1)].into_iter().find(|&it| self.player_name(it) == mover);
        let unknown = || TextError::new("no such player").or_nearest(text, ["First", "Second"]);
        Ok(Heaps { stones, mover: mover.ok_or_else(unknown)? })
    }
}
