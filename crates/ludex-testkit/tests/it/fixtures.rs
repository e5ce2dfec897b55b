//! The fixtures are games: they keep the laws, and their counts are known.

use ludex_core::laws::{LawsConfig, LawsReport, assert_holds};
use ludex_core::perft::{divide, perft, perft_counts};
use ludex_core::playout::{Playouts, playout};
use ludex_core::two_player::TwoPlayer;
use ludex_core::{Game, GameExt, Percept, Player, Position, Random, Turn};
use ludex_testkit::{
    Coins, Explicit, Loops, Maze, Nim, Node, Pig, Pyramid, Repetition, Rps, TicTacToe, Trio,
};

fn lawful<G: Game>(game: &G) -> LawsReport {
    let report = assert_holds(game, &LawsConfig { positions: 2_000, ..LawsConfig::default() });
    assert!(report.finished > 0 && report.refused > 0 && report.met_again > 0, "{report:?}");
    report
}

#[test]
fn mazes_keep_the_laws() {
    for seed in 0..5 {
        let config = LawsConfig { positions: 500, ..LawsConfig::default() };
        assert_holds(&Maze::random(seed, 12, 3), &config);
    }
}

#[test]
fn nim_is_lawful() {
    lawful(&Nim::new(&[3, 4, 5]));
}

#[test]
fn coins_are_lawful() {
    lawful(&Coins::random(1, 9));
    let game = Coins { row: vec![3, 9, 1, 2] };
    assert_eq!(game.best(&game.start().state), 7);
}

#[test]
fn loops_are_lawful() {
    for rule in Repetition::ALL {
        for seed in 0..5 {
            let config = LawsConfig { positions: 200, max_plies: 50, ..LawsConfig::default() };
            assert_holds(&Loops::random(seed, 12, rule), &config);
        }
    }
}

#[test]
fn tictactoe_is_lawful() {
    assert_eq!(lawful(&TicTacToe).widest, 9);
}

#[test]
fn trio_is_lawful() {
    lawful(&Trio { stones: 20 });
}

#[test]
fn rps_is_lawful() {
    assert_eq!(lawful(&Rps { rounds: 4 }).widest, 12);
}

#[test]
fn pyramid_is_lawful() {
    lawful(&Pyramid::random(1, 9));
}

#[test]
fn the_best_way_down_a_pyramid_is_known() {
    let game = Pyramid::new(vec![vec![3], vec![7, 4], vec![2, 4, 6], vec![8, 5, 9, 3]]);
    assert_eq!(game.best(), 23);
    assert_eq!(Pyramid::new(vec![vec![5]]).best(), 5);
}

#[test]
fn pig_is_lawful() {
    lawful(&Pig { goal: 20, faces: 6 });
}

#[test]
fn explicit_games_are_lawful() {
    lawful(&Explicit::random(1, 4, 3));
    let gamble = Explicit::new(
        1,
        vec![
            Node::of(0, &[("safe", 1), ("gamble", 2)]),
            Node::end(&[0.25]),
            Node::chance(&[("head", 0.5, 3), ("tail", 0.5, 0)]),
            Node::end(&[1.0]),
        ],
    );
    lawful(&gamble);
}

#[test]
fn costly_laws_can_be_spared() {
    let config = LawsConfig { positions: 1_000, every: 10, ..LawsConfig::default() };
    assert_eq!(assert_holds(&TicTacToe, &config).thorough, 100);
}

#[test]
fn a_check_is_repeatable() {
    let config = LawsConfig { positions: 300, seed: 9, ..LawsConfig::default() };
    let game = Pig { goal: 20, faces: 6 };
    assert_eq!(assert_holds(&game, &config), assert_holds(&game, &config));
}

#[test]
fn perft_of_tictactoe() {
    let position = TicTacToe.start();
    let counts = perft_counts(&TicTacToe, &position, 10).unwrap();
    assert_eq!(
        counts,
        [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0],
        "the last entry is for games longer than the board"
    );
    assert_eq!(perft(&TicTacToe, &position, 0), Ok(1));
    assert_eq!(perft(&TicTacToe, &position, 9), Ok(127_872));
    assert_eq!(perft(&TicTacToe, &position, u32::MAX), Ok(0));
}

#[test]
fn perft_divides() {
    let position = TicTacToe.start();
    let parts = divide(&TicTacToe, &position, 6).unwrap();
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]);
    assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), 54_720);
    assert_eq!(parts[0].1, parts[8].1);
    assert_eq!(divide(&TicTacToe, &position, 0), Ok(Vec::new()));
}

#[test]
fn perft_of_joint_turns() {
    let rps = Rps { rounds: 2 };
    let position = rps.start();
    // Of nine first turns three are ties (nine turns follow) and six leave one
    // player ahead, who has a fourth choice.
    assert_eq!(perft_counts(&rps, &position, 3), Ok(vec![9, 3 * 9 + 6 * 12, 0]));
    let parts = divide(&rps, &position, 2).unwrap();
    assert_eq!(parts[0], ("paper+paper".to_owned(), 9));
    assert_eq!(parts[1], ("paper+rock".to_owned(), 12));
}

#[test]
fn perft_of_chance() {
    let pig = Pig { goal: 20, faces: 6 };
    let position = pig.start();
    // Roll; six faces; then roll, or hold unless the die showed a one.
    assert_eq!(perft_counts(&pig, &position, 3), Ok(vec![1, 6, 5 * 2 + 1]));
}

#[test]
fn perft_of_three_players() {
    let trio = Trio { stones: 4 };
    let position = trio.start();
    // The ways to write 4 as a sum of ones, twos and threes, by their length.
    assert_eq!(perft_counts(&trio, &position, 4), Ok(vec![3, 6, 4, 1]));
}

#[test]
fn perft_survives_any_depth() {
    let circle = Explicit::new(2, vec![Node::of(0, &[("on", 1)]), Node::of(1, &[("on", 0)])]);
    assert_eq!(perft(&circle, &Position::of(0), 300_000), Ok(1));
}

#[test]
fn playouts_end_and_repeat() {
    fn check<G: Game>(game: &G, most: u32) {
        for number in 0..50 {
            let mut random = Random::stream(5, number, 0);
            let played = playout(game, &mut random, 1_000).unwrap();
            assert!(played.plies <= most && Some(u64::from(played.plies)) <= played.branching);
            assert_eq!(played.payoffs.as_ref().map(|it| it.as_slice().len()), Some(game.players()));
            let again = playout(game, &mut Random::stream(5, number, 0), 1_000).unwrap();
            assert_eq!(played, again);
        }
    }
    check(&TicTacToe, 9);
    check(&Nim::new(&[3, 4, 5]), 12);
    check(&Trio { stones: 20 }, 20);
    check(&Rps { rounds: 3 }, 3);
    check(&Pig { goal: 20, faces: 6 }, 1_000);
}

#[test]
fn playouts_stop_at_the_limit() {
    let mut position = TicTacToe.start();
    let mut random = Random::stream(0, 0, 0);
    let mut playouts = Playouts::default();
    let played = playouts.run(&TicTacToe, &mut position, &mut random, 3).unwrap();
    assert_eq!((played.plies, played.payoffs, played.branching), (3, None, Some(9 + 8 + 7)));
    assert_eq!(position.state.men[0].count_ones(), 2);
    let played = playouts.run(&TicTacToe, &mut position, &mut random, 9).unwrap();
    assert!(played.payoffs.is_some());
}

#[test]
fn random_tictactoe_is_won_as_often_as_it_should_be() {
    // 737/1260 of random games are won by X and 121/420 by O.
    let mut random = Random::stream(11, 0, 0);
    let games = 20_000;
    let mut wins = [0_u32; 2];
    for _ in 0..games {
        let payoffs = playout(&TicTacToe, &mut random, 9).unwrap().payoffs.unwrap();
        for (wins, payoff) in wins.iter_mut().zip(payoffs) {
            *wins += u32::from(payoff.score > 0);
        }
    }
    let share = wins.map(|it| f64::from(it) / f64::from(games));
    assert!((share[0] - 737.0 / 1260.0).abs() < 0.015, "{share:?}");
    assert!((share[1] - 121.0 / 420.0).abs() < 0.015, "{share:?}");
}

#[test]
fn players_perceive_the_other_choice() {
    use ludex_testkit::rps::Choice::{Paper, Rock};
    let rps = Rps { rounds: 3 };
    let mut position = rps.start();
    assert_eq!(rps.percept(&position, Player(0)), None);
    rps.apply(&mut position, &[Rock, Paper]).unwrap();
    assert_eq!(rps.percept(&position, Player(0)), Some(Percept("paper".to_owned())));
    assert_eq!(rps.percept(&position, Player(1)), Some(Percept("rock".to_owned())));
    assert_eq!(TicTacToe.percept(&TicTacToe.start(), Player(0)), None);
}

#[test]
fn the_two_player_view_refuses_what_it_cannot_honour() {
    assert!(TwoPlayer::new(&Trio { stones: 5 }).is_none());
    let code = |fault: Option<ludex_core::Fault>| fault.map(|it| it.code);

    let rps = Rps { rounds: 3 };
    let view = TwoPlayer::new(&rps).unwrap();
    let position = rps.start();
    assert_eq!(code(view.mover(&position).err()), Some("two-player-joint"));

    let pig = Pig { goal: 9, faces: 3 };
    let view = TwoPlayer::new(&pig).unwrap();
    let position = pig.position(pig.read("0 0 0 Ham rolling").unwrap());
    assert_eq!(code(view.mover(&position).err()), Some("two-player-chance"));

    let generous = Explicit::new(2, vec![Node::end(&[1.0, 0.5])]);
    let view = TwoPlayer::new(&generous).unwrap();
    assert_eq!(view.mover(&Position::of(0)), Ok(None));
    assert_eq!(code(view.value(&Position::of(0), Player(0)).err()), Some("two-player-sum"));
}

#[test]
fn the_two_player_view_plays() {
    let view = TwoPlayer::new(&TicTacToe).unwrap();
    let mut position = Position::of(TicTacToe.read("OO1/XX1/3 X").unwrap());
    let mover = view.mover(&position).unwrap().unwrap();
    let mv = TicTacToe.named(&position, mover, "c2").unwrap().unwrap();
    let mut moves = Vec::new();
    view.moves(&position, mover, &mut moves).unwrap();
    assert!(moves.contains(&mv));
    view.apply(&mut position, mv).unwrap();
    assert_eq!(view.mover(&position), Ok(None));
    assert_eq!(view.value(&position, Player(0)), Ok(1.0));
    assert_eq!(view.value(&position, Player(1)), Ok(-1.0));
}

#[test]
fn positions_have_the_house_text() {
    let position = Position::of(TicTacToe.read("2O/1X1/3 X").unwrap());
    assert_eq!(TicTacToe.turn(&position), Ok(Turn::Of(Player(0))));
    assert_eq!(TicTacToe.draw(&position.state), "..O\n.X.\n...\n");
    for wrong in ["", "3/3/3", "3/3 X", "3/3/3 Y", "4/3/3 X", "XX/3/3 X", "XXXX/3/3 X", "3/é/3 X"]
    {
        assert!(TicTacToe.read(wrong).is_err(), "{wrong}");
    }
}
