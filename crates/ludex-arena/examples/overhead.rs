//! What the arena itself costs for a move: games between contestants that answer at once.
//!
//! ```text
//! cargo run --release -p ludex-arena --example overhead
//! ```

#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![expect(clippy::print_stdout, reason = "an example talks")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludex_arena::{
    Answer, BestMove, Competition, Conditions, Contestant, Failure, Flow, GameView, MoveLimits,
    Opening, Openings, Roster, Runner, TimeControl, Update,
};
use ludex_core::{Game, GameExt, Player, Random};
use ludex_testkit::tictactoe::TicTacToe;

/// Plays any move.
struct Anything(Random);

impl Contestant<TicTacToe> for Anything {
    fn begin(&mut self, _: &GameView<'_, TicTacToe>, _: Player, seed: u64) -> Result<(), Failure> {
        self.0 = Random::stream(seed, 0, 0);
        Ok(())
    }

    fn think(
        &mut self,
        view: &GameView<'_, TicTacToe>,
        _: &MoveLimits,
    ) -> Result<BestMove<<TicTacToe as Game>::Move>, Failure> {
        let mv = view.game.random_move(view.position, &mut self.0);
        let mv = mv.map_err(Failure::of_rules)?.expect("a player is to move");
        Ok(BestMove::new(Answer::Move(mv)))
    }

    fn describe(&self) -> String {
        "any move".to_owned()
    }
}

struct RandomPlayers;

impl Roster<TicTacToe> for RandomPlayers {
    fn contestant(
        &self,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn Contestant<TicTacToe> + '_>, Failure> {
        Ok(Box::new(Anything(Random::stream(0, 0, 0))))
    }
}

fn main() {
    let stop = AtomicBool::new(false);
    let conditions = Conditions {
        game: &TicTacToe,
        time_control: TimeControl::of_nodes(1),
        longest: 100,
        adjudication: ludex_arena::adjudication::Adjudication::default(),
        ponder: false,
        stop: &stop,
    };
    let event =
        Competition { conditions, from: Opening::none(&TicTacToe), openings: Openings::None };
    let runner =
        Runner { events: &[event], roster: &RandomPlayers, concurrency: 1, seed: 1, stop: &stop };
    let fixtures = ludex_arena::match_fixtures(2, 2, 20_000);
    let (mut games, mut moves) = (0, 0);
    let begun = Instant::now();
    let played = runner.play(&fixtures, |update| {
        if let Update::GameOver(_, played) = update {
            games += 1;
            moves += played.moves.len();
        }
        Flow::Continue
    });
    let seconds = begun.elapsed().as_secs_f64();
    assert!(played.is_ok(), "the rules are right");
    println!(
        "{games} games, {moves} moves in {seconds:.2} s: {:.2} microseconds a move",
        1e6 * seconds / moves as f64
    );
}
