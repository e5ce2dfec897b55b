//! The Monte-Carlo players on real games: what they call proved is true, and they beat chance.

use std::collections::HashMap;

use ludex_core::{Game, GameExt, Limits, Player, Random, Turn};
use ludex_jit::CompiledGame;
use ludex_search::{PlayerOptions, SearchResult, SearchRoot, player};
use ludex_testkit::solve::{Solution, solve};

type State = <CompiledGame as Game>::State;
type Move = <CompiledGame as Game>::Move;

fn native(name: &str) -> CompiledGame {
    CompiledGame::native(crate::common::game(name)).expect("it compiles")
}

fn think(
    game: &CompiledGame,
    text: &str,
    state: &State,
    means: PlayerOptions,
    playouts: u64,
) -> SearchResult<Move> {
    let position = game.position(state.clone());
    let limits = Limits::of_nodes(playouts);
    let mut player = player::<CompiledGame>(text, means).expect("there is such a player");
    player
        .search(SearchRoot { game, position: &position }, limits, &mut |_| {})
        .expect("the rules are sound")
}

/// A position some random moves from the start.
fn wander(game: &CompiledGame, plies: u32, random: &mut Random) -> State {
    let mut position = game.start();
    for _ in 0..plies {
        let Ok(Some(mv)) = game.random_move(&position, random) else { break };
        game.apply(&mut position, &[mv]).expect("the rules are sound");
    }
    position.state
}

/// Compares every claim with the truth; how many there were.
fn check(
    game: &CompiledGame,
    state: &State,
    thought: &SearchResult<Move>,
    truth: &Solution<State>,
    what: &str,
) -> usize {
    let position = game.position(state.clone());
    let Ok(Turn::Of(mover)) = game.turn(&position) else { return 0 };
    let claims: Vec<_> = thought.lines.iter().filter(|it| it.proved.is_some()).collect();
    for line in &claims {
        let proved = line.proved.expect("it was filtered");
        let after = game.after(&position, line.mv).expect("the rules are sound").state;
        let value = f64::from(truth.value(&after, mover));
        let name = game.name(state, line.mv);
        let place = game.write(state);
        assert!(
            (proved.utility - value).abs() < 1e-6,
            "{what}: {name} in {place} is called {proved:?}, but it is {value}"
        );
        // The end comes no later than was said, if the winner hurries.
        if let (Some(plies), Some(forced)) = (proved.plies, truth.forced(&after)) {
            assert!(forced.distance < plies, "{what}: {name} in {place}: {proved:?}, {forced:?}");
        }
    }
    claims.len()
}

#[test]
fn what_is_called_proved_is_true() {
    let games = ["connect4:4,4", "breakthrough:3,5", "hex:3", "morris3", "tictactoe"];
    let players = ["mcts", "mcts:transpositions=yes", "mcts:look=no", "grave", "mast", "ppafm"];
    let mut claims: HashMap<&str, usize> = HashMap::new();
    for name in games {
        let game = native(name);
        let truth = solve(&game, 400_000).expect("it is small");
        let mut random = Random::stream(11, 0, 0);
        for round in 0..12 {
            let state = wander(&game, round, &mut random);
            for text in players {
                for threads in [1, 2] {
                    let means =
                        PlayerOptions { threads, seed: round.into(), ..PlayerOptions::default() };
                    let thought = think(&game, text, &state, means, 600);
                    *claims.entry(name).or_default() +=
                        check(&game, &state, &thought, &truth, text);
                }
            }
        }
    }
    for name in games {
        assert!(claims[name] > 20, "{name}: {claims:?}");
    }
}

#[test]
fn proofs_survive_a_small_memory() {
    let game = native("connect4:4,4");
    let truth = solve(&game, 400_000).expect("it is small");
    let mut random = Random::stream(3, 0, 0);
    let mut claims = 0;
    for round in 0..10 {
        let state = wander(&game, round, &mut random);
        let means = PlayerOptions { memory: 60 << 10, ..PlayerOptions::default() };
        for text in ["mcts", "mcts:transpositions=yes", "grave"] {
            let thought = think(&game, text, &state, means, 5_000);
            claims += check(&game, &state, &thought, &truth, text);
        }
    }
    assert!(claims > 10, "{claims}");
}

#[test]
fn a_tree_that_is_kept_proves_nothing_wrong() {
    for name in ["morris3", "connect4:4,4"] {
        let game = native(name);
        let truth = solve(&game, 400_000).expect("it is small");
        for text in ["mcts", "grave", "mcts:transpositions=yes"] {
            let mut player =
                player::<CompiledGame>(text, PlayerOptions::default()).expect("it is there");
            let mut position = game.start();
            let mut random = Random::stream(8, 0, 0);
            for _ in 0..20 {
                let limits = Limits::of_nodes(500);
                let task = SearchRoot { game: &game, position: &position };
                let thought =
                    player.search(task, limits, &mut |_| {}).expect("the rules are sound");
                if !game.has_history() {
                    check(&game, &position.state, &thought, &truth, text);
                }
                // Two turns on: ours and a random one.
                let Some(best) = thought.best() else { break };
                game.apply(&mut position, &[best]).expect("the rules are sound");
                let Ok(Some(mv)) = game.random_move(&position, &mut random) else { break };
                game.apply(&mut position, &[mv]).expect("the rules are sound");
            }
        }
    }
}

#[test]
fn every_player_beats_chance() {
    let names = ludex_search::montecarlo::NAMES.iter().map(|it| it.0);
    for name in ["breakthrough:5,5", "domineering:5", "hex:4"] {
        let game = native(name);
        for text in names.clone() {
            let mut won = 0;
            for round in 0..6_u8 {
                let mut player =
                    player::<CompiledGame>(text, PlayerOptions::default()).expect("it is there");
                let mut random = Random::stream(round.into(), 0, 0);
                let me = Player(round % 2);
                let mut position = game.start();
                while let Ok(Turn::Of(mover)) = game.turn(&position) {
                    let mv = if mover == me {
                        let limits = Limits::of_nodes(150);
                        let task = SearchRoot { game: &game, position: &position };
                        player
                            .search(task, limits, &mut |_| {})
                            .expect("the rules are sound")
                            .best()
                    } else {
                        game.random_move(&position, &mut random).expect("they are sound")
                    };
                    let mv = mv.expect("there is a move");
                    game.apply(&mut position, &[mv]).expect("the rules are sound");
                }
                let payoff = game.payoff(&position, me).expect("the rules are sound");
                won += u32::from(payoff.utility > 0.0);
            }
            assert!(won >= 5, "{text} won only {won} of 6 games of {name}");
        }
    }
}
