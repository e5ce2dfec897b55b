//! Texts from outside: every mistake is named and none is fatal.

use expect_test::{Expect, expect};
use ludex_core::{Game, Random};
use ludex_ir::{ArrayRole, GridKind, IndexKind};

use super::build::*;
use super::games::{game, tic_tac_toe};
use crate::RulesGame;

fn sample() -> RulesGame {
    let mut program = tic_tac_toe(3, 3);
    add_cells(&mut program, "phase", ArrayRole::Number, &[], (0, 2));
    add_cells(
        &mut program,
        "hand",
        ArrayRole::Number,
        &[IndexKind::Player, IndexKind::Kind],
        (0, 4),
    );
    add_cells(&mut program, "used", ArrayRole::Set, &[IndexKind::Number(2)], (0, 1));
    add_cells(&mut program, "ready", ArrayRole::Bool, &[], (0, 1));
    game(program)
}

#[track_caller]
fn check(texts: &[&str], expect: Expect) {
    let game = sample();
    let errors: Vec<String> = texts
        .iter()
        .map(|text| match game.read(text) {
            Ok(state) => format!("ok: {}\n", game.write(&state)),
            Err(error) => format!("{error}\n"),
        })
        .collect();
    expect.assert_eq(&errors.concat());
}

#[test]
fn boards() {
    check(
        &[
            "",
            "   ",
            "3/3",
            "3/3/3/3",
            "3/4/3",
            "2/3/3",
            "3/XYo/3",
            "XoXo/3/3",
            "3/3/99999999999999999999999",
            "1X1/3/3 w",
        ],
        expect![[r#"
            a position begins with the rows of the board
            a position begins with the rows of the board
            the board has 3 rows, not 2 (at byte 0)
            the board has 3 rows, not 4 (at byte 0)
            row 2 has more than 3 squares (at byte 2)
            row 3 has 2 squares, not 3 (at byte 0)
            there is no man `Y` (at byte 3)
            row 3 has more than 3 squares (at byte 3)
            row 1 has more than 3 squares (at byte 4)
            ok: 1X1/3/3 w
        "#]],
    );
}

#[test]
fn cells() {
    check(
        &[
            "3/3/3 x",
            "3/3/3 Whit",
            "3/3/3 w phase=3",
            "3/3/3 w phase=two",
            "3/3/3 w fase=2",
            "3/3/3 w hand.White=S5",
            "3/3/3 w hand.White=X2",
            "3/3/3 w hand.Wite=S2",
            "3/3/3 w hand=S2",
            "3/3/3 w hand.White.stone=2",
            "3/3/3 w used.2=a1",
            "3/3/3 w used.1=a1,a4",
            "3/3/3 w used.1.b2=yes",
            "3/3/3 w ready=maybe",
            "3/3/3 w nonsense",
            "3/3/3 Black ready=yes",
            "board=XXX/3/3",
        ],
        expect![[r#"
            there is no player `x` (at byte 6); did you mean `w`?
            there is no player `Whit` (at byte 6); did you mean `White`?
            `phase` cannot be 3: its range is 0..2 (at byte 14)
            `two` is not a whole number (at byte 14)
            there is no cell `fase` (at byte 8); did you mean `phase`?
            there is no kind `S` (at byte 19)
            ok: 3/3/3 w hand.White=X2
            there is no player `Wite` (at byte 8); did you mean `White`?
            `hand` has 2 indices, not 0 (at byte 8)
            ok: 3/3/3 w hand.White=X2
            `2` is no index of `used`: they are 0..1 (at byte 8)
            there is no square `a4` (at byte 15); did you mean `a1`?
            ok: 3/3/3 w used.1=b2
            `maybe` is neither `yes` nor `no` (at byte 14)
            `nonsense` is too much: what follows here is `name=value` (at byte 8)
            ok: 3/3/3 b ready=yes
            a position begins with the rows of the board
        "#]],
    );
}

#[test]
fn noise_is_survived() {
    let game = sample();
    let mut random = Random::stream(9, 0, 0);
    let letters: Vec<char> = "Xo123/ wb=.,-+éphasehandused\u{0}∞".chars().collect();
    for _ in 0..20_000 {
        let length = random.below(40);
        let text: String = (0..length).filter_map(|_| random.pick(&letters)).collect();
        if let Ok(state) = game.read(&text) {
            let again = game.read(&game.write(&state)).expect("what is written is read");
            assert_eq!(again, state);
        }
    }
    assert!(game.read(&"3/".repeat(1_000_000)).is_err());
}

#[test]
fn hexagons_slant() {
    let mut program = tic_tac_toe(3, 3);
    program.look.grid = GridKind::Hex;
    let game = game(program);
    let state = game.read("X2/1o1/2X b").expect("a position");
    expect![[r#"
        3   X . .
        2  . o .
        1 . . X
          a b c
        Black to move
    "#]]
    .assert_eq(&game.draw(&state));
}

#[test]
fn graphs_have_lines() {
    let mut program = tic_tac_toe(3, 3);
    program.look.grid = GridKind::Graph;
    program.look.edges = vec![
        (0, 1),
        (1, 2),
        (0, 3),
        (0, 4),
        (1, 3),
        (4, 7),
        (6, 8),
        (5, 7),
        (4, 8),
        (2, 5),
        (5, 8),
    ];
    let straight = game(program.clone());
    let state = straight.read("X2/1o1/2X b").expect("a position");
    expect![[r#"
        3 X---.---.
              | X |
        2 .   o   .
          | X     |
        1 .---.---X
          a   b   c
        Black to move
    "#]]
    .assert_eq(&straight.draw(&state));
    program.look.edges.push((0, 5));
    expect![[r#"
        3 X . .
        2 . o .
        1 . . X
          a b c
        Black to move
    "#]]
    .assert_eq(&game(program).draw(&state));
}

#[test]
fn a_game_may_have_no_board() {
    let mut program = tic_tac_toe(1, 1);
    program.look.grid = GridKind::None;
    (program.look.at, program.look.columns, program.look.rows) = (Vec::new(), 0, 0);
    add_cells(&mut program, "heap", ArrayRole::Number, &[], (0, 9));
    let game = game(program);
    let start = game.start().state;
    assert_eq!(game.write(&start), "- w");
    let state = game.read("- b a1=X").expect("a position");
    assert_eq!(game.write(&state), "- b a1=X");
    assert_eq!(game.draw(&state), "a1: X\nheap: 0\nBlack to move\n");
}
