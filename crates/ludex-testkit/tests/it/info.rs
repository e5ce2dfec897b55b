//! What a game says of itself holds in play.

use ludex_core::info::{Results, Turns};
use ludex_core::playout::payoffs;
use ludex_core::{Game, GameExt, GameInfo, Payoff, Player, Random, Turn};
use ludex_jit::CompiledGame;

use crate::common::{for_all, game, sheets};

/// Random games of each game, and the turns of one at most.
const GAMES: u64 = 6;
const TURNS: u32 = 600;

/// Whether a random game is as `info` says.
fn check(game: &CompiledGame, info: &GameInfo, seed: u64) -> Result<(), String> {
    let (mut position, mut random) = (game.start(), Random::stream(seed, 0, 0));
    let mut last: Option<Player> = None;
    for _ in 0..TURNS {
        let player = match game.turn(&position).map_err(|it| it.message)? {
            Turn::Over => {
                let payoffs = payoffs(game, &position).map_err(|it| it.message)?;
                return check_end(info, &payoffs);
            }
            Turn::Of(player) => player,
            turn => return Err(format!("{turn:?} was not announced")),
        };
        let next = last.map(|it| (it.index() + 1) % info.players.len());
        let is_due = next.is_none_or(|it| it == player.index());
        if !is_due && matches!(info.turns, Turns::Single | Turns::Alternating) {
            return Err(format!("{last:?} is followed by {player:?}"));
        }
        last = Some(player);
        let mv = game.random_move(&position, &mut random).map_err(|it| it.message)?;
        let mv = mv.expect("the game is not over");
        game.apply(&mut position, &[mv]).map_err(|it| it.message)?;
    }
    Ok(())
}

fn check_end(info: &GameInfo, payoffs: &[Payoff]) -> Result<(), String> {
    let utilities = || payoffs.iter().map(|it| it.utility);
    let is_whole = utilities().all(|it| [-1.0, 0.0, 1.0].contains(&it));
    let fits = match info.results {
        Results::WinLoss => is_whole && utilities().all(|it| it != 0.0),
        Results::WinDrawLoss => is_whole,
        Results::Points => true,
    };
    if !fits {
        return Err(format!("{:?} with {payoffs:?}", info.results));
    }
    if info.zero_sum && utilities().sum::<f64>().abs() > 1e-9 {
        return Err(format!("it is not zero-sum: {payoffs:?}"));
    }
    Ok(())
}

#[test]
fn claims_hold_in_random_games() {
    let names: Vec<String> = sheets().into_iter().map(|it| it.0).collect();
    let check_all = |name: &String| {
        let game = CompiledGame::native(game(name)).map_err(|it| format!("{name}: {it}"))?;
        let check = |seed| check(&game, game.info(), seed);
        (0..GAMES).try_for_each(check).map_err(|it| format!("{name}: {it}"))
    };
    let wrong = for_all(&names, |_| 0, check_all);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_false_claim_is_found() {
    let game = CompiledGame::native(game("tictactoe")).expect("it has native code");
    let find = |info: &GameInfo| (0..50).find_map(|seed| check(&game, info, seed).err());
    assert_eq!(find(game.info()), None);
    let no_draws = GameInfo { results: Results::WinLoss, ..game.info().clone() };
    assert!(find(&no_draws).is_some());
    let trio = GameInfo { players: vec![String::new(); 3], ..game.info().clone() };
    assert!(find(&trio).is_some());
}

#[test]
fn rules_have_an_identity_of_their_own() {
    let identity = |name: &str| game(name).info().identity.expect("rules have one");
    // The first positions of these are the same.
    assert_ne!(identity("mnk:5,5,3"), identity("mnk:5,5,4"));
    assert_ne!(identity("othello"), identity("othello:passes=yes"));
    assert_eq!(identity("othello"), identity("othello"));
}
