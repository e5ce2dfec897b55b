//! `play`, in plain lines: what a script sees.

use expect_test::expect;

use crate::run::{Folder, ludex, ludex_reading};

#[test]
fn a_whole_game_of_two_people() {
    let input = "b2\na1\nb3\n?\nb1\nc3\na2\nA3\n";
    let ran = ludex_reading(input, &["play", "tictactoe", "--side", "all"]);
    expect![[r#"
        game tictactoe
        player X person
        player O person
        move X b2
        move O a1
        move X b3
        moves a2 a3 b1 c1 c2 c3
        move O b1
        move X c3
        move O a2
        move X a3
        result X wins

        game: tictactoe
        rules: …
        players: person, person
        result: 1, -1
        date: 2026-11-16T15:04:05Z

        1. b2 a1 b3 b1 c3 a2 a3
        ---
        exit code 0
    "#]]
    .assert_eq(&ran.all());
}

#[test]
fn a_whole_game_against_the_computer() {
    // The first free square by its number, until the game is over.
    let input = "1\n".repeat(5);
    let args = ["play", "tictactoe", "--nodes", "300", "--seed", "7"];
    let ran = ludex_reading(&input, &args);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.stdout, ludex_reading(&input, &args).stdout, "nodes and seed: always the same");
    assert!(ran.stdout.contains("\nresult "), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n1. "), "{}", ran.stdout);
}

#[test]
fn commands_are_obeyed() {
    let folder = Folder::new();
    let path = folder.path("game.txt");
    let input = format!(
        "help\nundo\nb2\nzz\nboard\nundo\nmoves\nc3\nsave {path}\nsave\nsave /nowhere/at/all\nresign\n\
         a1\nundo\nb1\nnew\nresume {path}\nresume /nowhere/at/all\nb3\nquit\na3\n"
    );
    let args =
        ["play", "tictactoe", "--side", "X", "--player", "uct", "--nodes", "50", "--seed", "1"];
    let ran = ludex_reading(&input, &args);
    expect![[r#"
        game tictactoe
        player X person
        player O uct
        type a move, its number in the list, or its beginning; or:
          moves, ?     list the legal moves
          board        show the position
          hint         show what the computer would play, and why
          undo         take your last move back
          resign       resign the game
          save FILE    save the record
          resume FILE  resume the game of a record
          new          begin again
          quit         stop
        move X b2
        move O a3
        position O2/1X1/3 x
        undo 2
        moves a1 a2 a3 b1 b2 b3 c1 c2 c3
        move X c3
        move O a3
        saved game.txt
        resign X
        result O wins
        undo 0
        move X b1
        move O a1
        game tictactoe
        player X person
        player O uct
        position O1X/3/3 x
        move X b3
        move O a1

        game: tictactoe
        rules: …
        players: person, uct
        date: 2026-11-16T15:04:05Z

        1. c3 a3 b3 a1
        ---
        error: there is nothing to take back
        error: `zz` is not a legal move; `moves` lists the legal ones
        error: name the file: save FILE
        error: cannot write `/nowhere/at/all`: No such file or directory (os error 2)
        error: the game is over; `undo`, `new` or `quit`
        error: there is no file `/nowhere/at/all`
        exit code 0
    "#]]
    .assert_eq(&folder.hide(&ran.all()));
    let saved = folder.read("game.txt");
    assert!(saved.starts_with("game: tictactoe\nrules: "), "{saved}");
    assert_eq!(ludex(&["replay", "tictactoe", &path]).code, 0);
}

#[test]
fn a_record_is_resumed() {
    let folder = Folder::new();
    let path = folder.write("g.txt", "game: hex:3\nstart: 3/1X1/3 w\n\n1. a1 b3\n");
    let ran = ludex_reading("c3\nb1\n", &["play", "--resume", &path, "--side", "all"]);
    expect![[r#"
        game hex:3
        player Black person
        player White person
        move White c3
        move Black b1
        result Black wins

        game: hex:3
        rules: …
        start: 3/1X1/3 w
        players: person, person
        result: 1, -1
        date: 2026-11-16T15:04:05Z

        1. a1 b3 c3 b1
        ---
        exit code 0
    "#]]
    .assert_eq(&ran.all());
    assert_eq!(ludex(&["play", "hex", "--resume", &path, "--nodes", "1"]).code, 0);
    let ran = ludex(&["play", "chess", "--resume", &path]);
    assert_eq!(ran.stderr, "error: the record is of `hex:3`, not of `chess`\n");
    let broken = folder.write("b.txt", "game: hex:3\n\n1. a1 a1\n");
    let ran = ludex(&["play", "--resume", &broken]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.starts_with("error: move 2: `a1` is not a legal move"), "{ran:?}");
}

#[test]
fn the_computer_plays_itself_and_the_record_is_right() {
    let folder = Folder::new();
    let path = folder.path("g.txt");
    let args = ["play", "connect4:5,4", "--side", "none", "--nodes", "20", "--save", &path];
    let ran = ludex(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("result "), "{ran:?}");
    let replayed = ludex(&["replay", "connect4", &path]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
}

#[test]
fn one_player_games_can_be_played() {
    let args = ["play", "samegame:1,3,3", "--side", "none", "--nodes", "5", "--json"];
    let ran = ludex(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let events = ran.json_lines();
    assert_eq!(events[0]["event"], "game");
    assert_eq!(events[1]["event"], "move");
    let last = &events[events.len() - 1];
    assert_eq!(last["event"], "record");
    assert!(events[events.len() - 2]["result"].as_str().unwrap().ends_with("points"));
}

#[test]
fn the_default_game_explains_itself() {
    let ran = ludex(&["play", "--nodes", "5"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.starts_with("game connect4\n"), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
}

#[test]
fn what_is_typed_may_be_anything() {
    let input = format!(
        "{}\n\u{0}\n%\n\\\n9999999999999999999999\nsave \u{0}\nresume .\n",
        "x".repeat(200_000)
    );
    let ran = ludex_reading(&input, &["play", "tictactoe", "--nodes", "5"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.lines().all(|it| it.starts_with("error: ")), "{}", ran.stderr);
}

#[test]
fn a_hint_is_a_move_with_a_reason() {
    let args = ["play", "tictactoe", "--player", "uct", "--nodes", "500", "--moves", "a1 a3 b1 b3"];
    let ran = ludex_reading("hint\nquit\n", &args);
    assert!(ran.stdout.contains("hint c1\n"), "{}", ran.stdout);
    let ran = ludex_reading("hint\nquit\n", &[&args[..], &["--json"]].concat());
    let hint = ran.json_lines().into_iter().find(|it| it["event"] == "hint").expect("a hint");
    assert_eq!(hint["move"], "c1");
    assert!(hint["why"].is_string() && hint["pv"][0] == "c1");
}

#[test]
fn levels_and_clocks() {
    let base = ["play", "connect4:5,4", "--side", "none", "--player", "uct", "--seed", "4"];
    let weak = [&base[..], &["--level", "1"]].concat();
    let ran = ludex(&weak);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("players: uct (level 1), uct (level 1)"), "{}", ran.stdout);
    assert_eq!(ran.stdout, ludex(&weak).stdout, "slips are drawn by the seed");
    assert_eq!(ludex(&[&base[..], &["--level", "11"]].concat()).code, 2);
    let ran = ludex(&[&base[..], &["--clock", "200ms+1ms"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn the_computer_may_think_on_your_time() {
    let args = ["play", "connect4", "--player", "uct", "--nodes", "200", "--ponder"];
    let ran = ludex_reading("?\nd1\nhint\nc1\nundo\nnew\nd1\nquit\n", &args);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.stdout.matches("\nmove Yellow ").count(), 3, "{}", ran.stdout);
    assert_eq!(ludex(&[&args[..], &["--level", "3"]].concat()).code, 2, "levels are limits");
}
