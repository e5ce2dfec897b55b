//! Reasons that are known in advance, cell by cell.

use expect_test::{Expect, expect};
use ludex_core::{Game, Player, Random};
use ludex_interp::RulesGame;
use ludex_ir::{Program, verify};
use ludex_study::check::{Changes, Checker, ReasonCheck, Tally};
use ludex_study::{Allowed, Explained, Listed, Reason, Study, text};

/// The move of `me` called `name`, explained.
#[track_caller]
fn explained(game: &RulesGame, position: &str, me: Player, name: &str) -> Explained<Listed> {
    let state = game.read(position).expect("the position is well formed");
    let position = game.position(state.clone());
    let checker = Checker::new(game.clone());
    let reason_check = ReasonCheck { checker: &checker, position: &position, me, others: &[] };
    let turned = reason_check.for_mover(&position);
    let moves = Study::new(game.program()).moves(&position, me).expect("the rules run");
    let found = moves.into_iter().find(|it| game.name(&turned.state, it.item.mv) == name);
    let found = found.unwrap_or_else(|| panic!("there is no move {name}"));
    for changes in [Changes::Drawn(500), Changes::EverySingle] {
        let checked = reason_check.check_move(&found, changes, &mut Random::stream(3, 0, 0));
        if let Err(violation) = checked {
            panic!("{violation}");
        }
    }
    found
}

/// The reasons of a move of `me` as `me` sees them.
#[track_caller]
fn check(game: &RulesGame, position: &str, me: Player, name: &str, expect: Expect) {
    let explained = explained(game, position, me, name);
    let line = |reason| text::reason_text(game.program(), reason, me) + "\n";
    expect.assert_eq(&explained.reasons.iter().map(line).collect::<String>());
}

/// What `me` is given in a position, and why, as `me` sees it.
#[track_caller]
fn check_results(game: &RulesGame, position: &str, me: Player, expect: Expect) {
    let state = game.read(position).expect("the position is well formed");
    let position = game.position(state.clone());
    let results = Study::new(game.program()).results(&position, me).expect("the rules run");
    let mut lines = String::new();
    for explained in results {
        lines += &format!("{:?}\n", explained.item.kind);
        for reason in &explained.reasons {
            lines += &format!("  {}\n", text::reason_text(game.program(), reason, me));
        }
        if explained.history {
            lines += "  history\n";
        }
    }
    expect.assert_eq(&lines);
}

const FIRST: Player = Player(0);
const SECOND: Player = Player(1);

/// Pitrat's figure 1: among the moves of the *opponent* one takes our man in the corner. Three
/// cells, four phrases.
#[test]
fn the_bishop_of_figure_1() {
    let chess = crate::common::game("chess", "").expect("chess compiles");
    let explained = explained(&chess, "8/8/8/8/8/5b2/8/7N w - - 0 1", SECOND, "f3h1");
    let code = |owner, kind: &str| {
        let kind = chess.program().kinds.iter().position(|it| it == kind).expect("there is one");
        chess.program().man_code(Some(owner), kind as u8).expect("there is one")
    };
    let ours = (1..=chess.program().men.len())
        .filter(|&code| chess.program().men[code - 1].owner == Some(0))
        .fold(0, |mask, code| mask | 1 << code);
    let cell = |name: &str| {
        chess.program().look.squares.iter().position(|it| it == name).expect("there is one")
    };
    let reason = |name, mask| Reason { cell: cell(name), allowed: Allowed::Values(mask) };
    assert_eq!(
        explained.reasons,
        [reason("h1", ours), reason("g2", 1), reason("f3", 1 << code(1, "bishop"))]
    );
    assert!(!explained.history);
    assert!(explained.reasons[1].allows(chess.program(), 0));
    assert!(!explained.reasons[1].allows(chess.program(), code(0, "pawn")));
    expect![[r#"
        [
            "friendly man in h1",
            "g2 empty",
            "enemy man in f3",
            "bishop in f3",
        ]
    "#]]
    .assert_debug_eq(&text::phrases(chess.program(), &explained.reasons, FIRST));
}

#[test]
fn castling_asks_its_rights_and_who_attacks() {
    let Some(chess) = crate::common::game("chess", "") else { return };
    let explained = explained(&chess, "7k/8/8/8/8/8/8/4K2R w K - 0 1", FIRST, "e1g1");
    let scalars = explained.reasons.iter().filter(|it| it.cell >= chess.program().squares);
    let texts: Vec<String> =
        scalars.map(|it| text::reason_text(chess.program(), it, FIRST)).collect();
    assert_eq!(texts, ["short.White is yes"]);
}

#[test]
fn three_in_a_row_are_three_cells() {
    let game = crate::common::game("tictactoe", "").expect("tic-tac-toe compiles");
    check(&game, "3/3/3 x", FIRST, "b2", expect!["b2: empty\n"]);
    check_results(
        &game,
        "OO1/XXX/3 o",
        FIRST,
        expect![[r#"
            Victory
              a2: friend
              b2: friend
              c2: friend
        "#]],
    );
}

#[test]
fn a_chain_joins_two_sides() {
    let Some(hex) = crate::common::game("hex", "4") else { return };
    check_results(
        &hex,
        "X1O1/XXO1/1XO1/OX2 w",
        FIRST,
        expect![[r#"
            Victory
              b1: friend
              b2: friend
              b3: friend
              a4: friend
        "#]],
    );
}

/// If b2 were a friend, a2 alone would be captured: it must only not be free.
#[test]
fn captured_stones_are_a_string_and_its_border() {
    let Some(game) = crate::common::game("atarigo", "5") else { return };
    check_results(
        &game,
        "5/5/XX3/OOX2/XX3 w",
        FIRST,
        expect![[r#"
            Victory
              a1: friend
              b1: friend
              a2: enemy
              b2: not empty
              c2: friend
              a3: friend
              b3: friend
        "#]],
    );
}

/// Two parts are apart because of a border around either of them. The reasons name the smaller one.
#[test]
fn parts_are_apart_because_of_the_smaller_border() {
    let game = crate::common::game_of(
        "game \"Apart\"\nboard square 5 by 3\nplayers White, Black\nmen man\nmoves\n  move pass\n\
         result\n  if c3 not in flood(a1, mine, orthogonal): draw\n",
    );
    // Nothing begins on a1.
    check_results(
        &game,
        "1MMM1/1MMM1/5 w",
        FIRST,
        expect![[r#"
            Draw
              a1: enemy or empty
        "#]],
    );
    // a1 is walled in. That there is a man on it at all is no reason: without it, too, nothing gets out.
    check_results(
        &game,
        "1MMM1/1MMM1/M4 w",
        FIRST,
        expect![[r#"
            Draw
              b1: enemy or empty
              a2: enemy or empty
        "#]],
    );
    // c3 itself is walled in.
    check_results(
        &game,
        "2M2/MM1MM/MMMMM w",
        FIRST,
        expect![[r#"
            Draw
              c2: enemy or empty
              b3: enemy or empty
              d3: enemy or empty
        "#]],
    );
}

#[test]
fn a_stone_is_put_where_it_breathes() {
    let Some(go) = crate::common::game("go", "5") else { return };
    // A free neighbour, that a1 is taken, and that nothing else is.
    check(
        &go,
        "5/5/5/5/OX3 b",
        FIRST,
        "a2",
        expect![[r#"
            a1: enemy
            b1: friend
            a2: empty
            b2: empty
            a3: friend or empty
        "#]],
    );
}

#[test]
fn history_is_a_reason_of_its_own() {
    let game = crate::common::game_of(
        "game \"Rounds\"\nboard square 2 by 1\nplayers A, B\nmen m\nhistory position\n\
         start\n  A m on a1\nmoves\n  for a in mine\n    for d in [east, west]\n      let b = a + d\n      if b is empty: move a to b\n\
         stuck\n  pass\nadjudicate\n  if repeats >= 1: draw\n",
    );
    let mut position = game.start();
    position.trail.push(position.state.key);
    let results = Study::new(game.program()).results(&position, FIRST).expect("it runs");
    assert_eq!(results.len(), 1);
    assert!(results[0].history && results[0].reasons.is_empty());
}

#[test]
fn being_stuck_depends_on_everything() {
    let game = crate::common::game("tictactoe", "").expect("tic-tac-toe compiles");
    let state = game.read("XOX/XOO/OXX x").expect("the position is well formed");
    let given = Study::new(game.program()).stuck(&game.position(state), FIRST);
    let given = given.expect("the rules run");
    assert_eq!(given.len(), 1);
    assert_eq!(given[0].reasons.len(), 9);
}

/// If a1 were empty, a man would have been put on a2 for a moment, and then nothing listed.
#[test]
fn a_write_that_did_not_happen() {
    let body = "registers 6 0 0
        b0: r1 = const 0 r2 = const 1 r3 = const 3 try r4 = test a0[r1] r2 if r4 b1 else b2
        b1: store a0[r3] r2 jump b2
        b2: r4 = test a0[r3] r2 undo if r4 b3 else b4
        b3: emit m0(r1, r3) return
        b4: return";
    let text = crate::common::FRAME.replacen("registers 1 0 0 b0: return", body, 1);
    let program = Program::parse(&text).unwrap_or_else(|err| panic!("{err}"));
    let game = RulesGame::new(verify(program).expect("it is sound"));
    check(
        &game,
        "3/3/M2 w",
        FIRST,
        "pass",
        expect![[r#"
            a1: not empty
            a2: empty
        "#]],
    );
}

/// The hand-written programs of the IR's tests: the ways in which conditions
/// are lost by other schemes. Every state is one where the reasons are checked.
#[test]
fn hand_written_programs() {
    for (name, moves, results) in [
        ("bishop_rays", 2.6, 9.0),
        ("counter", 1.0, 3.0),
        ("free_line", 3.0, 0.0),
        ("compulsory_capture", 9.0, 0.0),
    ] {
        let path = format!("{}/../ludex-ir/tests/programs/{name}.ir", env!("CARGO_MANIFEST_DIR"));
        let Ok(source) = std::fs::read_to_string(path) else { continue };
        let game = RulesGame::new(
            verify(Program::parse(&source).expect("it parses")).expect("it is sound"),
        );
        let (mean_moves, mean_results) = sizes(&game);
        assert!(mean_moves <= moves, "{name}: {mean_moves} reasons for a move");
        assert!(mean_results <= results, "{name}: {mean_results} reasons for a result");
    }
}

/// How many reasons a move and a result have on average, all of them checked.
fn sizes(game: &RulesGame) -> (f64, f64) {
    let study = Study::new(game.program());
    let checker = Checker::new(game.clone());
    let mut random = Random::stream(5, 0, 0);
    let mut tallies = [Tally::default(); 2];
    for met in crate::common::scrambled(game, 40 * crate::common::scale(), &mut random) {
        for me in crate::common::players(game) {
            let position = &met;
            let reason_check = ReasonCheck { checker: &checker, position, me, others: &[] };
            for explained in study.moves(position, me).expect("it runs") {
                let tally = reason_check.check_move(&explained, Changes::Drawn(20), &mut random);
                tallies[0].add(tally.unwrap_or_else(|violation| panic!("{violation}")));
            }
            for explained in study.results(position, me).expect("it runs") {
                let tally = reason_check.check_result(&explained, Changes::Drawn(20), &mut random);
                tallies[1].add(tally.unwrap_or_else(|violation| panic!("{violation}")));
            }
        }
    }
    (tallies[0].mean_reasons(), tallies[1].mean_reasons())
}
