//! Connection games: forced wins and defences by virtual connections hold, against all play.
//!
//! ```text
//! LUDEX_CONNECTIONS=20 cargo test --release -p ludex-testkit --test it connections::    # twenty times as many
//! ```

#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

use std::collections::HashMap;
use std::sync::Arc;

use crate::common::{game, setting};
use ludex_core::{Effort, Game, GameExt, Payoff, Player, Position, Random, State, Turn};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;
use ludex_study::ConnectionGame;
use ludex_study::threats::{GameAnalysis, forced_win, only_defences};

/// A square board on which Black connects the first and the last rank, White the outer files, by
/// these steps. When it is full, neither need have connected.
fn square_board(size: usize, steps: &str) -> RulesGame {
    let text = format!(
        "game \"Across\"\nboard square {size} by {size}\nplayers Black forward north, White forward east\n\
         men stone\nregion near = edge(back)\nregion far = edge(forward)\n\
         moves\n  for a in empty: move put my stone on a\n\
         result\n  if any flood(mine & near, mine, {steps}) & far: victory\n\
         stuck\n  draw\n"
    );
    let compiled = ludex_rules::compile(&text, "");
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    RulesGame::new(program)
}

fn is_connection_game(game: &RulesGame) -> bool {
    ConnectionGame::of(game.program()).is_some()
}

#[test]
fn connection_games_are_recognised_by_their_rules() {
    for name in ["hex:2", "hex:3", "hex:8", "hex:9", "hex:11", "hex:5,rows=4", "hex:3,rows=11"] {
        assert!(is_connection_game(&game(name)), "{name}");
    }
    // More squares than fit, another move, another result.
    let others = ["hex:12", "hex:5,swap=yes", "tictactoe", "gomoku:9", "go:5", "othello"];
    for name in others {
        assert!(!is_connection_game(&game(name)), "{name}");
    }
    assert!(is_connection_game(&square_board(5, "orthogonal")));
    // On a full board of squares neither need have connected, on one of hexagons one always has.
    let is_decisive = |game: &RulesGame| ConnectionGame::of(game.program()).unwrap().is_decisive();
    assert!(is_decisive(&game("hex:7")) && !is_decisive(&square_board(5, "orthogonal")));
    // Lines that cross: both can connect, and the first to do so has won.
    assert!(!is_connection_game(&square_board(5, "eight")));
}

/// The value of a position, by full search.
#[derive(Default)]
struct Truth {
    known: HashMap<State, f64>,
}

impl Truth {
    /// What the position is worth to the player to move.
    fn value(&mut self, game: &CompiledGame, position: &Position) -> f64 {
        let Turn::Of(mover) = game.turn(position).expect("the rules run") else {
            panic!("the game is over");
        };
        if let Some(&value) = self.known.get(&position.state) {
            return value;
        }
        let mut best = f64::NEG_INFINITY;
        for mv in moves(game, position, mover) {
            best = best.max(self.value_after(game, position, mover, mv));
            if best >= 1.0 {
                break;
            }
        }
        self.known.insert(position.state.clone(), best);
        best
    }

    /// What a move is worth to the player who makes it.
    fn value_after(
        &mut self,
        game: &CompiledGame,
        position: &Position,
        mover: Player,
        mv: PackedMove,
    ) -> f64 {
        let next = game.after(position, mv).expect("the rules run");
        match game.turn(&next).expect("the rules run") {
            Turn::Over => {
                let Payoff { utility, .. } = game.payoff(&next, mover).expect("the rules run");
                utility
            }
            _ => -self.value(game, &next),
        }
    }
}

fn moves(game: &CompiledGame, position: &Position, mover: Player) -> Vec<PackedMove> {
    let mut moves = Vec::new();
    game.moves(position, mover, &mut moves).expect("the rules run");
    moves
}

/// A random position with this number of empty squares in which the game goes on.
fn random_position(
    game: &CompiledGame,
    random: &mut Random,
    empty: usize,
) -> Option<(Position, Player)> {
    let mut position = game.start();
    loop {
        let Turn::Of(mover) = game.turn(&position).expect("the rules run") else {
            return None;
        };
        if moves(game, &position, mover).len() <= empty {
            // Either may be to move: connections do not count men.
            let position =
                if random.below(2) == 0 { game.after_null_move(&position)? } else { position };
            let Turn::Of(mover) = game.turn(&position).expect("the rules run") else {
                return None;
            };
            return Some((position, mover));
        }
        let mv = game.random_move(&position, random).expect("the rules run")?;
        game.apply(&mut position, &[mv]).expect("the rules run");
    }
}

/// How much was claimed.
#[derive(Debug, Default)]
struct Claims {
    wins: u32,
    narrowed: u32,
    lost: u32,
    left_out: u32,
    /// Defences that hold, of all that were named.
    holding: u32,
    named: u32,
}

fn check(rules: RulesGame, empty: usize, positions: usize) -> Claims {
    let analysis = Arc::new(GameAnalysis::new(&rules));
    let game = CompiledGame::native(rules).expect("native code can be made here");
    let (mut random, mut truth) = (Random::stream(5, 0, 0), Truth::default());
    let mut claims = Claims::default();
    let effort = Effort::of_positions(100_000, 1);
    for number in 0..positions {
        let empty = empty - number % 5;
        let Some((position, mover)) = random_position(&game, &mut random, empty) else { continue };
        let about = game.write(&position.state);
        let both = (&game, game.interpreter());
        let win = forced_win(&analysis, both, &position, effort).expect("the rules run").found;
        if let Some(win) = win {
            claims.wins += 1;
            assert!(truth.value_after(&game, &position, mover, win.mv) >= 1.0, "{about}: {win:?}");
        }
        let helpful =
            only_defences(&analysis, both, &position, effort).expect("the rules run").found;
        let Some(helpful) = helpful else { continue };
        claims.narrowed += 1;
        claims.lost += u32::from(helpful.is_empty());
        for mv in moves(&game, &position, mover) {
            let value = truth.value_after(&game, &position, mover, mv);
            if helpful.contains(&mv) {
                claims.named += 1;
                claims.holding += u32::from(value > -1.0);
            } else {
                claims.left_out += 1;
                assert!(value <= -1.0, "{about}: {} does not lose", game.name(&position.state, mv));
            }
        }
    }
    claims
}

#[test]
fn wins_and_defences_by_connections_hold() {
    let times = setting("LUDEX_CONNECTIONS", 1) as usize;
    let boards = [
        ("3 by 3", game("hex:3"), 8),
        ("4 by 3", game("hex:4,rows=3"), 12),
        ("4 by 4", game("hex:4"), 11),
        ("5 by 5", game("hex:5"), 11),
        ("7 by 6", game("hex:7,rows=6"), 11),
        ("squares, 4 by 4", square_board(4, "orthogonal"), 10),
    ];
    for (name, rules, empty) in boards {
        let claims = check(rules, empty, 150 * times);
        eprintln!("{name}: {claims:?}");
        // Without claims there is no test.
        assert!(claims.wins > 5 && claims.narrowed > 5 && claims.left_out > 20, "{name}");
        assert!(claims.holding > 0 || claims.lost > 0, "{name}");
    }
}
