//! A player written in Rust plays against chance: it leaves its opponent as few moves as it can.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use ludex::core::{Game, GameExt, Limits, Player, Random, Turn};
use ludex::search::{GamePlayer, Line, Observer, SearchError, SearchResult, SearchRoot};
struct Cramping;
impl<G: Game> GamePlayer<G> for Cramping {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        _: Limits<'_>,
        _: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let (game, mut best, mut moves) = (root.game, None, Vec::new());
        let Turn::Of(player) = game.turn(root.position)? else { panic!("it is a turn") };
        game.moves(root.position, player, &mut moves)?;
        for mv in moves {
            let count = game.count_moves(&game.after(root.position, mv)?)?;
            best = best.filter(|&(fewest, _)| fewest <= count).or(Some((count, mv)));
        }
        let lines = best.into_iter().map(|(_, mv)| Line::new(mv)).collect();
        Ok(SearchResult { lines, ..SearchResult::default() })
    }
    fn describe(&self) -> String {
        "leaves as few moves as it can".to_owned()
    }
}

pub(crate) fn main() -> Result<(), SearchError> {
    let game = ludex::load("clobber:4,4").expect("it is bundled").game;
    let (mut position, mut random) = (game.start(), Random::stream(1, 0, 0));
    while let Turn::Of(player) = game.turn(&position)? {
        let root = SearchRoot { game: &game, position: &position };
        let ours = Cramping.search(root, Limits::default(), &mut |_| {})?.best();
        let chance = game.random_move(&position, &mut random)?;
        game.apply(&mut position, &[if player == Player(0) { ours } else { chance }.unwrap()])?;
    }
    println!("{}won", if game.payoff(&position, Player(0))?.utility > 0.0 { "" } else { "not " });
    Ok(())
}
