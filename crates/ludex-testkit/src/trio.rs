//! A game for three: take one, two or three stones from a heap. Who takes the last
//! stone wins, who moved before draws, and who is caught in between loses.
//!
//! So everybody would rather have the last stone taken by the player after them
//! than by the one before: a search with two sides, "me and the others", goes wrong.

use std::sync::LazyLock;

use ludex_core::info::Results;
use ludex_core::{Fault, Game, GameInfo, Payoff, Player, Position, TextError, Turn};

use crate::number;

/// The rules for three, with the heap it starts from.
#[derive(Clone, Copy, Debug)]
pub struct Trio {
    /// Stones at the start.
    pub stones: u8,
}

/// The heap, and who is to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heap {
    /// Stones left.
    pub stones: u8,
    /// Who is to take.
    pub mover: Player,
}

const NAMES: [&str; 3] = ["Red", "Green", "Blue"];

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo {
    players: NAMES.map(str::to_owned).to_vec(),
    results: Results::WinLoss,
    zero_sum: false,
    ..GameInfo::two_players("", "")
});

impl Game for Trio {
    type State = Heap;
    type Trail = ();
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Heap, ()> {
        Position::of(Heap { stones: self.stones, mover: Player(0) })
    }

    fn position(&self, state: Heap) -> Position<Heap, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<Heap, ()>) -> Result<Turn, Fault> {
        Ok(if state.stones == 0 { Turn::Over } else { Turn::Of(state.mover) })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<Heap, ()>,
        player: Player,
        moves: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        moves.clear();
        if player == state.mover {
            moves.extend(1..=state.stones.min(3));
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<Heap, ()>,
        moves: &[u8],
    ) -> Result<(), Fault> {
        let taken = moves.iter().fold(0, |sum: u8, &it| sum.saturating_add(it));
        state.stones = state.stones.saturating_sub(taken);
        state.mover = Player((state.mover.0 + 1) % 3);
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<Heap, ()>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        // How many places before the one who would be to move.
        Ok(match (3 + state.mover.0 - player.0) % 3 {
            1 => Payoff::WIN,
            2 => Payoff::DRAW,
            _ => Payoff::LOSS,
        })
    }

    fn name(&self, _state: &Heap, mv: u8) -> String {
        format!("take{mv}")
    }

    fn write(&self, state: &Heap) -> String {
        format!("{} {}", state.stones, NAMES[state.mover.index()])
    }

    fn read(&self, text: &str) -> Result<Heap, TextError> {
        let [stones, mover] = crate::words(text)?;
        let Some(player) = NAMES.iter().position(|&it| it == mover) else {
            let error = TextError::new(format!("there is no player `{mover}`"));
            return Err(error.or_nearest(mover, NAMES));
        };
        Ok(Heap { stones: number(stones, self.stones)?, mover: Player(player as u8) })
    }
}
