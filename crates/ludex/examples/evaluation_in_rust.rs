//! An evaluation written in Rust, plugged into alpha-beta: the more moves, the better.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use std::error::Error;
use std::sync::Arc;

use ludex::core::{Fault, Game, GameExt, Limits, PositionOf};
use ludex::players::Registry;
use ludex::search::evaluation::{Evaluate, EvaluationFamily, Standpoint};
use ludex::search::{PlayerOptions, SearchRoot};

struct Freedom;
impl<G: Game> Evaluate<G> for Freedom {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, _: Standpoint) -> Result<i32, Fault> {
        Ok(100 * game.count_moves(position)? as i32)
    }
    fn describe(&self) -> String {
        "the number of moves".to_owned()
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = Registry::standard();
    registry.add_evaluation(EvaluationFamily::ready("moves", "my moves", Arc::new(Freedom)));

    let game = ludex::load("clobber:4,4").expect("it is bundled").game;
    let position = game.start();
    let root = SearchRoot { game: &game, position: &position };
    let mut player = registry.player("alphabeta:eval=moves,depth=4", PlayerOptions::default())?;
    let result = player.search(root, Limits::of_nodes(10_000), &mut |_| {})?;
    let best = result.best().expect("the game is not over");
    println!("{} by {}", game.name(&position.state, best), player.describe());
    Ok(())
}
