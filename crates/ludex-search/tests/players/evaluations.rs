//! Evaluations on positions whose worth is plain.

use ludex_core::{Game, GameExt, Player, Random, Turn};
use ludex_search::evaluation::{
    Evaluate, Learned, Material, Mobility, NoEvaluation, Patterns, PlayoutMean, Squares,
    Standpoint, Sum, TrainingConfig, has_author_evaluation,
};
use ludex_testkit::{Nim, TicTacToe};

fn value<G: Game>(evaluation: &dyn Evaluate<G>, game: &G, position: &str) -> i32 {
    let position = game.position(game.read(position).unwrap());
    let Turn::Of(mover) = game.turn(&position).unwrap() else { panic!("no player is to move") };
    evaluation.evaluate(game, &position, Standpoint { mover, side: mover, depth: 0 }).unwrap()
}

#[test]
fn mobility_counts_moves() {
    // There are no passes in these games: only one's own moves count.
    assert_eq!(value(&Mobility::default(), &Nim::new(&[3, 4]), "3/4 First"), 700);
    assert_eq!(value(&Mobility { weight: 1 }, &Nim::new(&[3, 4]), "0/2 Second"), 2);
}

#[test]
fn playouts_see_who_is_ahead_and_say_the_same_each_time() {
    let ahead = "3/XX1/O2 X";
    let once = value(&PlayoutMean::default(), &TicTacToe, ahead);
    assert!(once > 0);
    assert_eq!(once, value(&PlayoutMean::default(), &TicTacToe, ahead));
    assert!(
        value(&PlayoutMean { games: 100, ..PlayoutMean::default() }, &TicTacToe, ahead) < 1_000_000
    );
}

#[test]
fn sums_are_weighed() {
    let parts: Vec<(f64, Box<dyn Evaluate<Nim>>)> = vec![
        (2.0, Box::new(Mobility { weight: 10 })),
        (0.5, Box::new(Mobility { weight: 10 })),
        (9.0, Box::new(NoEvaluation)),
    ];
    assert_eq!(value(&Sum { parts }, &Nim::new(&[3, 1]), "3/1 First"), 100);
}

#[test]
fn a_game_without_men_has_no_material() {
    let game = Nim::new(&[3, 4]);
    assert_eq!(value(&Material::default(), &game, "3/4 First"), 0);
    assert_eq!(value(&Squares { tempo: 7, ..Squares::default() }, &game, "3/4 First"), 7);
}

#[test]
fn learning_is_repeatable_and_survives_as_text() {
    let config = TrainingConfig { work: 20_000, ..TrainingConfig::default() };
    let game = TicTacToe;
    let once = Learned::from_self_play(&game, &config).unwrap();
    assert_eq!(once, Learned::from_self_play(&game, &config).unwrap());
    assert_eq!(Learned::from_text(&once.to_text()).unwrap(), once);
    assert!(once.fits(&game));
    let table = Squares { squares: 3, table: vec![1, -2, 3, 4, 5, -600], ..Squares::default() };
    let patterns = Patterns::new(3, 2, 1, (0..18).collect());
    let made = Learned { squares: table, patterns, correlation: 0.25, games: 12 };
    assert_eq!(Learned::from_text(&made.to_text()).unwrap(), made);
    assert!(!made.fits(&game));
}

#[test]
fn text_that_holds_no_values_is_refused() {
    let good = Learned { games: 3, ..Learned::default() }.to_text();
    for bad in [
        "",
        "ludex-values 2\n",
        "ludex-values 1\nsquares 2\ncodes 1\nman 1\n",
        "ludex-values 1\nsquares many\n",
        "ludex-values 1\nsquares 18446744073709551615\ncodes 2\n",
        "ludex-values 1\nwomen 1\n",
        "ludex-values 1\nsquares 0\ncodes 0\nrows 3 5 1\nrow 1 2 3\n",
        "ludex-values 1\nsquares 0\ncodes 0\nrows 18446744073709551615 40 2\n",
        "ludex-values 1\nsquares 0\ncodes 0\nrows 3\n",
    ] {
        assert!(Learned::from_text(bad).is_err(), "{bad}");
    }
    assert!(Learned::from_text(&good).is_ok());
}

#[test]
fn a_game_without_an_opinion_is_learned() {
    assert!(!has_author_evaluation(&TicTacToe).unwrap());
}

#[test]
fn rows_are_worth_what_their_windows_are() {
    // Rows, columns and two diagonals of three squares, each holding nothing, X or O.
    let fillings = 27;
    let mut table = vec![0; 2 * 4 * fillings];
    let number = |mover: usize, direction: usize, [a, b, c]: [usize; 3]| {
        (mover * 4 + direction) * fillings + 9 * a + 3 * b + c
    };
    table[number(0, 0, [1, 1, 0])] = 5;
    table[number(0, 1, [2, 0, 1])] = 70;
    table[number(0, 3, [1, 0, 0])] = 300;
    table[number(1, 0, [1, 1, 0])] = -4000;
    let patterns = Patterns::new(3, 3, 4, table).unwrap();
    assert!(patterns.fits(&TicTacToe));
    let sum = |position: &str| {
        let state = TicTacToe.position(TicTacToe.read(position).unwrap());
        let mut men = Vec::new();
        TicTacToe.men(&state.state, &mut men);
        patterns.sum(&TicTacToe, &men, state.state.mover)
    };
    // The second rank is `XX.`; the first file, read upwards, is `OX.`.
    assert_eq!(sum("3/XX1/O2 X"), 5);
    assert_eq!(sum("3/XX1/O2 O"), -4000);
    assert_eq!(sum("X2/3/O2 X"), 70);
    assert_eq!(sum("3/3/2X X"), 300);
}

#[test]
fn rows_are_learned_if_they_are_asked_for() {
    let learn = |rows: bool| {
        let config = TrainingConfig { work: 60_000, rows: Some(rows), ..TrainingConfig::default() };
        Learned::from_self_play(&TicTacToe, &config).unwrap()
    };
    assert!(learn(false).patterns.is_none());
    let values = learn(true);
    assert!(values.patterns.is_some() && values.fits(&TicTacToe));
    // Two in a row are worth more to a player who has the turn.
    assert!(value(&values, &TicTacToe, "3/XX1/O1O X") > -value(&values, &TicTacToe, "3/XX1/O1O O"));
}

#[test]
fn a_batch_is_worth_what_its_positions_are() {
    let parts: Vec<(f64, Box<dyn Evaluate<TicTacToe>>)> =
        vec![(2.0, Box::new(Mobility::default())), (0.5, Box::new(PlayoutMean::default()))];
    let sum = Sum { parts };
    let mut positions =
        vec![(TicTacToe.start(), Standpoint { mover: Player(0), side: Player(1), depth: 0 })];
    for depth in 1..6 {
        let mut position = positions[positions.len() - 1].0;
        let mut random = Random::stream(3, u64::from(depth), 0);
        let mv = TicTacToe.random_move(&position, &mut random).unwrap().unwrap();
        TicTacToe.apply(&mut position, &[mv]).unwrap();
        let mover = position.state.mover;
        positions.push((position, Standpoint { mover, side: Player(1), depth }));
    }
    let mut values = vec![7];
    sum.evaluate_batch(&TicTacToe, &positions, &mut values).unwrap();
    let alone = positions.iter().map(|(it, from)| sum.evaluate(&TicTacToe, it, *from).unwrap());
    assert_eq!(values, alone.collect::<Vec<i32>>());
    assert!(values.iter().any(|&it| it != values[0]), "{values:?}");
}
