//! What the arena itself costs for a move: games between contestants that answer at once.
//!
//! ```text
//! cargo run --release -p ludex-arena --example overhead
//! ```

#![expect(clippy::print_stdout, reason = "an example talks")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludex_arena::{
    Allowance, Answer, Choice, Contestant, Event, Failure, Flow, Hall, Host, News, Opening,
    Openings, Pace, Situation, Terms,
};
use ludex_core::{Game, Player, Random};
use ludex_testkit::tictactoe::TicTacToe;

/// Plays any move.
struct Anything(Random);

impl Contestant<TicTacToe> for Anything {
    fn begin(&mut self, _: &Situation<'_, TicTacToe>, _: Player, seed: u64) -> Result<(), Failure> {
        self.0 = Random::stream(seed, 0, 0);
        Ok(())
    }

    fn think(
        &mut self,
        situation: &Situation<'_, TicTacToe>,
        _: &Allowance,
    ) -> Result<Choice<<TicTacToe as Game>::Move>, Failure> {
        let mv = situation.game.random_move(situation.state, situation.trail, &mut self.0);
        let mv = mv.map_err(Failure::of_rules)?.expect("somebody is to move");
        Ok(Choice::new(Answer::Move(mv)))
    }

    fn describe(&self) -> String {
        "any move".to_owned()
    }
}

struct Anybody;

impl Host<TicTacToe> for Anybody {
    fn seat(&self, _: usize, _: usize) -> Result<Box<dyn Contestant<TicTacToe> + '_>, Failure> {
        Ok(Box::new(Anything(Random::stream(0, 0, 0))))
    }
}

fn main() {
    let stop = AtomicBool::new(false);
    let terms = Terms {
        game: &TicTacToe,
        pace: Pace::of_nodes(1),
        longest: 100,
        adjudication: ludex_arena::adjudication::Adjudication::default(),
        ponder: false,
        stop: &stop,
    };
    let event = Event { terms, from: Opening::none(&TicTacToe), openings: Openings::None };
    let hall = Hall { events: &[event], host: &Anybody, tables: 1, seed: 1, stop: &stop };
    let fixtures = ludex_arena::hall::match_fixtures(2, 2, 20_000);
    let (mut games, mut moves) = (0, 0);
    let begun = Instant::now();
    let played = hall.play(&fixtures, |news| {
        if let News::Over(_, played) = news {
            games += 1;
            moves += played.moves.len();
        }
        Flow::GoOn
    });
    let seconds = begun.elapsed().as_secs_f64();
    assert!(played.is_ok(), "the rules are right");
    println!(
        "{games} games, {moves} moves in {seconds:.2} s: {:.2} microseconds a move",
        1e6 * seconds / moves as f64
    );
}
