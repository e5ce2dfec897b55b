//! A game written in Rust: its rules alone are enough for every player. Each takes one to three of
//! 21 stones; the last stone wins. A state is the stones left and who moves.

use ludex::core::{Fault, Game, GameInfo, Limits, Payoff, Player, Position, TextError, Turn};
use ludex::search::{PlayerOptions, SearchRoot, player};

struct Stones(GameInfo);
type At = Position<(u8, u8), ()>;
#[rustfmt::skip]
impl Game for Stones {
    type State = (u8, u8); type Trail = (); type Move = u8;
    fn info(&self) -> &GameInfo { &self.0 }
    fn start(&self) -> At { Position::of((21, 0)) }
    fn position(&self, state: (u8, u8)) -> At { Position::of(state) }
    fn turn(&self, at: &At) -> Result<Turn, Fault> {
        Ok(if at.state.0 == 0 { Turn::Over } else { Turn::Of(Player(at.state.1)) })
    }
    fn moves(&self, at: &At, player: Player, moves: &mut Vec<u8>) -> Result<(), Fault> {
        *moves = (1..=at.state.0.min(3)).filter(|_| player.0 == at.state.1).collect();
        Ok(())
    }
    fn apply(&self, at: &mut At, moves: &[u8]) -> Result<(), Fault> {
        at.state = (at.state.0 - moves[0], 1 - at.state.1);
        Ok(())
    }
    fn payoff(&self, at: &At, player: Player) -> Result<Payoff, Fault> {
        Ok(if player.0 == at.state.1 { Payoff::LOSS } else { Payoff::WIN })
    }
    fn name(&self, _: &(u8, u8), mv: u8) -> String { format!("take {mv}") }
    fn write(&self, state: &(u8, u8)) -> String { format!("{state:?}") }
    fn read(&self, _: &str) -> Result<(u8, u8), TextError> { Err(TextError::new("unread")) }
}

pub(crate) fn main() {
    let game = Stones(GameInfo::two_players("First", "Second"));
    let root = SearchRoot { game: &game, position: &game.start() };
    let mut search = player("alphabeta", PlayerOptions::default()).expect("it is a search");
    let found = search.search(root, Limits::of_nodes(9_000), &mut |_| {}).expect("no fault");
    assert_eq!(found.best(), Some(1), "a multiple of four is lost for the player to move");
}
