//! Nim: take any number of stones from one heap; who takes the last stone wins.
//!
//! Bouton (1901): the player to move wins exactly when the sizes of the heaps,
//! added without carry, do not give zero.

use std::sync::LazyLock;

use ludex_core::info::Results;
use ludex_core::{Fault, Game, GameInfo, Payoff, Player, Position, TextError, Turn};

use crate::number;

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

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo {
    results: Results::WinLoss,
    ..GameInfo::two_players("First", "Second")
});

impl Game for Nim {
    type State = Heaps;
    type Trail = ();
    type Move = Take;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Heaps, ()> {
        Position::of(Heaps { stones: self.heaps.clone(), mover: Player(0) })
    }

    fn position(&self, state: Heaps) -> Position<Heaps, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<Heaps, ()>) -> Result<Turn, Fault> {
        let empty = state.stones.iter().all(|&it| it == 0);
        Ok(if empty { Turn::Over } else { Turn::Of(state.mover) })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<Heaps, ()>,
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

    fn apply(
        &self,
        Position { state, .. }: &mut Position<Heaps, ()>,
        moves: &[Take],
    ) -> Result<(), Fault> {
        for take in moves {
            if let Some(heap) = state.stones.get_mut(usize::from(take.heap)) {
                *heap = heap.saturating_sub(take.stones);
            }
        }
        state.mover = Player(1 - state.mover.0);
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<Heaps, ()>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        // The player to move has nothing left to take.
        Ok(if player == state.mover { Payoff::LOSS } else { Payoff::WIN })
    }

    fn name(&self, _state: &Heaps, mv: Take) -> String {
        format!("{}{}", char::from(b'a' + mv.heap), mv.stones)
    }

    fn write(&self, state: &Heaps) -> String {
        let stones: Vec<String> = state.stones.iter().map(u8::to_string).collect();
        format!("{} {}", stones.join("/"), INFO.player_name(state.mover))
    }

    fn read(&self, text: &str) -> Result<Heaps, TextError> {
        let [stones, mover] = crate::words(text)?;
        let stones: Vec<u8> =
            stones.split('/').map(|it| number(it, u8::MAX)).collect::<Result<_, _>>()?;
        if stones.len() != self.heaps.len() {
            let message = format!("{} heaps and not {}", stones.len(), self.heaps.len());
            return Err(TextError::new(message));
        }
        let mover = [Player(0), Player(1)].into_iter().find(|&it| INFO.player_name(it) == mover);
        let unknown = || TextError::new("no such player").or_nearest(text, ["First", "Second"]);
        Ok(Heaps { stones, mover: mover.ok_or_else(unknown)? })
    }
}
