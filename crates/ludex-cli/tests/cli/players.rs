//! Player files as players, in every subcommand that takes one.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::run::{Folder, Ran, json, ludex, ludex_reading};

const HEADER: &str = "player \"P\" for breakthrough\n";
const GREEDY: &str = "evaluate\n  return count(mine) - count(theirs)\n";

fn greedy(search: &str) -> String {
    format!("{HEADER}search {search}\n{GREEDY}")
}

/// Writes a player file and runs the program with it: `FILE` stands for its path.
fn with_file(text: &str, args: &[&str]) -> Ran {
    let folder = Folder::new();
    let path = folder.write("p.player", text);
    let args: Vec<String> = args.iter().map(|it| it.replace("FILE", &path)).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut ran = ludex(&args);
    ran.stderr = folder.hide(&ran.stderr);
    ran.stdout = folder.hide(&ran.stdout);
    ran
}

#[track_caller]
fn check_error(text: &str, args: &[&str], expect: Expect) {
    expect.assert_eq(&with_file(text, args).all());
}

#[test]
fn a_file_plays_the_same_on_both_engines() {
    let folder = Folder::new();
    let one = folder.write("one.player", greedy("alphabeta-plain depth=3"));
    let other = folder.write("other.player", greedy("alphabeta-plain depth=1"));
    let games = |engine: &str| -> Value {
        let args = ["match", "breakthrough:5,5", &one, &other, "--games", "2", "--openings", "0"];
        json(&[&args[..], &["--engine", engine]].concat())["games"].clone()
    };
    let native = games("native");
    assert_eq!(native, games("interpreter"));
    assert_eq!(native[0]["end"], "rules");
    assert!(native[0]["moves"].as_array().is_some_and(|it| it.len() > 4), "{native}");
}

#[test]
fn a_file_beats_chance() {
    let folder = Folder::new();
    let path = folder.write("p.player", greedy("alphabeta depth=2"));
    let args = ["match", "breakthrough:5,5", &path, "random", "--games", "40", "--seed", "3"];
    let table = json(&args)["table"][0].clone();
    assert!(table["wins"].as_u64() >= Some(26), "{table}");
}

#[test]
fn shipped_players_need_no_files() {
    // The tests run where there is no folder of players.
    for (game, player) in [
        ("chess", "material:depth=1"),
        ("chess", "chess/material:depth=1"),
        ("chess:castling=no", "players/chess/material.player:depth=1"),
        ("othello", "table:depth=1"),
        ("othello:6", "players/othello/table.player:depth=1"),
    ] {
        let ran = ludex(&["analyse", game, "--player", player, "--json"]);
        assert_eq!(ran.code, 0, "{player}: {ran:?}");
        let last = ran.json_lines().pop().expect("an answer");
        assert!(last["best"].is_string(), "{player}: {last}");
    }
}

#[test]
fn players_are_listed_with_their_games() {
    let listed = json(&["players"]);
    let of = |name: &str| {
        let all = listed.as_array().into_iter().flatten();
        all.clone().find(|it| it["name"] == name).map(|it| it["game"].clone())
    };
    assert_eq!(of("chess/material"), Some("chess".into()));
    assert_eq!(of("othello/table"), Some("othello".into()));
    assert_eq!(of("uct"), Some(Value::Null));
    assert!(ludex(&["players"]).stdout.contains("othello/table"));
}

#[test]
fn material_knows_what_a_queen_is_worth() {
    let position = "4k3/8/8/3q3r/8/4N3/8/4K3 w - - 0 1";
    let args = ["analyse", "chess", "--position", position, "--player", "material:depth=1"];
    let ran = ludex(&args);
    assert!(ran.stdout.starts_with("best: e3d5"), "{ran:?}");
}

#[test]
fn the_table_likes_corners() {
    let position = "8/8/8/8/8/2X5/1O6/8 b";
    let corner = ["analyse", "othello", "--position", position, "--player", "table:depth=1"];
    let ran = ludex(&corner);
    assert!(ran.stdout.starts_with("best: a1"), "{ran:?}");
}

/// Eight squares are empty, and every move loses: the least is to be lost by.
#[test]
fn points_are_told_where_they_are_known() {
    let position = "1XXXXXXO/OOOOXXXX/1OOXXOX1/1XOXXOOX/XXXOXOOO/XXOOOOOO/XO1OOOX1/OX1OOOX1 b";
    for player in ["alphabeta:aim=score,eval=none", "auto:work=20000,trials=0"] {
        let args = ["--position", position, "--player", player, "--nodes", "100000"];
        let ran = ludex(&[&["analyse", "othello"], &args[..]].concat());
        assert!(ran.stdout.starts_with("best: a8\n -1.000 loss by 8  a8 "), "{ran:?}");
        let ran = ludex(&[&["analyse", "othello", "--json"], &args[..]].concat());
        let last = ran.json_lines().pop().expect("an answer");
        assert_eq!(last["lines"][0]["points"], -8, "{last}");
        assert_eq!(last["lines"][0]["proved"], "loss", "{last}");
    }
}

#[test]
fn files_think_in_every_verb() {
    let file = greedy("alphabeta-plain depth=2");
    let ran = with_file(&file, &["analyse", "breakthrough:5,5", "--player", "FILE", "-v"]);
    assert!(ran.stderr.contains("P; plain alpha-beta, 2 plies deep"), "{ran:?}");
    let args = ["play", "breakthrough:4,4", "--side", "none", "--player", "FILE:depth=1"];
    let ran = with_file(&file, &args);
    assert!(ran.code == 0 && ran.stdout.contains("wins"), "{ran:?}");
    let folder = Folder::new();
    let path = folder.write("p.player", &file);
    let said = ludex_reading("go\n", &["engine", "breakthrough:5,5", "--player", &path]);
    assert!(said.stdout.contains("bestmove"), "{said:?}");
}

#[test]
fn options_after_the_name_override_those_of_the_file() {
    let file = greedy("alphabeta-plain depth=3");
    let depth = |spec: &str, more: &[&str]| {
        let args = [&["analyse", "breakthrough:5,5", "--player", spec, "--json"], more].concat();
        let ran = with_file(&file, &args);
        ran.json_lines().pop().expect("an answer")["depth"].clone()
    };
    assert_eq!(depth("FILE", &[]), 3);
    assert_eq!(depth("FILE:depth=2", &[]), 2);
    assert_eq!(depth("FILE:depth=2", &["--depth", "1"]), 1);
    assert_eq!(depth("FILE:search=minimax,depth=1", &[]), 1);
    let ran = with_file(&file, &["analyse", "breakthrough", "--player", "FILE:nodes=50", "--json"]);
    let nodes = ran.json_lines().pop().expect("an answer")["nodes"].as_u64();
    assert!(nodes <= Some(51), "{nodes:?}");
}

#[test]
fn without_a_search_there_is_one_that_suits() {
    let about = |text: &str| {
        let text = format!("{HEADER}{text}");
        let ran = with_file(&text, &["check", "FILE", "--json", "--time", "100ms"]);
        ran.json()["player"]["search"].clone()
    };
    assert_eq!(about(GREEDY), "alphabeta");
    assert_eq!(about("features\n  feature men = count(mine)\n"), "auto");
}

/// All values are equal, so the first candidate is played; what `side` and `depth` are is seen at
/// the root.
const ORDER: &str = "\
player \"Order\" for tictactoe
search alphabeta-plain depth=2
evaluate for side
  return 0
candidates only
  for a in [b3, c1, a2]
    if a is empty and side == me and depth == 0: move put my mark on a
  for a in [a1, c3]
    if a is empty and side != me and depth == 1: move put my mark on a
";

#[test]
fn plain_alpha_beta_keeps_the_order_of_candidates() {
    let rules = ludex(&["show", "tictactoe", "--json"]);
    assert_eq!(rules.code, 0, "{rules:?}");
    for engine in ["native", "interpreter"] {
        let args = ["analyse", "tictactoe", "--player", "FILE", "--engine", engine, "--json"];
        let last = with_file(ORDER, &args).json_lines().pop().expect("an answer");
        let lines = last["lines"].as_array().expect("lines");
        let moves: Vec<&Value> = lines.iter().map(|it| &it["move"]).collect();
        assert_eq!(moves, ["b3", "c1", "a2"], "{engine}");
        assert!(lines.iter().all(|it| it["proved"].is_null()), "nothing is proved by leaving out");
        // Three moves, and below each of them two replies.
        assert_eq!(last["nodes"], 9, "{engine}");
    }
}

/// A value for the side that searches is not turned when the other side moves.
#[test]
fn a_value_for_the_side_is_for_the_side() {
    for depth in [1, 2] {
        let file = format!(
            "player \"Side\" for tictactoe\nsearch alphabeta-plain depth={depth}\n\
             evaluate for side\n  if side == X and b2 is X mark: return 1\n  return -1\n"
        );
        let args = ["analyse", "tictactoe", "--player", "FILE", "--json"];
        let last = with_file(&file, &args).json_lines().pop().expect("an answer");
        assert_eq!(last["best"], "b2", "depth {depth}");
        assert!(last["lines"][0]["value"].as_f64() > Some(0.0), "{last}");
    }
}

#[test]
fn ends_can_be_worth_what_the_file_says() {
    // The file would rather lose: to it a finished game is worth nothing and others are good.
    let file = |ends: &str| {
        format!(
            "player \"Shy\" for tictactoe\nsearch alphabeta-plain depth=1 ends={ends}\n\
             evaluate for side\n  if c1 is X mark: return 0\n  return 5\n"
        )
    };
    let best = |ends: &str| {
        let args = ["analyse", "tictactoe", "--moves", "a1 a2 b1 b2", "--player", "FILE", "--json"];
        with_file(&file(ends), &args).json_lines().pop().expect("an answer")["best"].clone()
    };
    assert_eq!(best("rules"), "c1");
    assert_ne!(best("file"), "c1");
}

/// Chains of jumps in a statement of the file's own, which remembers a path as the rules' does.
const CHAINS: &str = "\
player \"Chains\" for phutball
search alphabeta-plain depth=2 exact=no unit=1
evaluate for side
  let x = 0
  for b in ball & all: x = b.file
  if any ball & right: x = 20
  if side == Left: return x
  return 0 - x
procedure hops(a: square, b: square, way: path(direction))
  for d in eight
    let e = landing(b, d)
    if e.exists
      let longer = way + d
      try jump(b, d)
        move
          let p = a
          for h in longer
            let q = landing(p, h)
            jump(p, h)
            p = q
        hops(a, e, longer)
candidates only
  for b in ball & all
    hops(b, b, [])
    for s in neighbours(b, eight) & empty & all: move put stone on s
";

#[test]
fn a_file_may_list_chains_of_its_own() {
    for engine in ["native", "interpreter"] {
        let args = ["analyse", "phutball:9,5", "--player", "FILE", "--engine", engine];
        let ran = with_file(CHAINS, &[&args[..], &["--moves", "f3 a1 h3 a2"]].concat());
        assert!(ran.stdout.starts_with("best: e3g3i3\n"), "{engine}: {ran:?}");
    }
    let leaps = "evaluate\n  let n = 0\n  for b in ball & all\n    for d in [(1,4), (4,1)]\n      \
                 if b + d is stone: n += 1\n  return n\n";
    let wide = format!("player \"Wide\" for phutball\n{leaps}");
    let ran = with_file(&wide, &["analyse", "phutball", "--player", "FILE", "--depth", "1"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("how long a path may be would not be the same"), "{ran:?}");
}

#[test]
fn a_player_for_another_game_is_refused() {
    check_error(
        &greedy("alphabeta"),
        &["match", "chess", "FILE", "random"],
        expect![[r"
            ---
            error: `p.player` plays `breakthrough`, not `chess`
            help: a player file knows one game, which its first line names
            exit code 2
        "]],
    );
    let ran = ludex(&["analyse", "chess", "--player", "table"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("`table` plays `othello`, not `chess`"), "{ran:?}");
}

#[test]
fn an_unknown_search_is_a_diagnostic() {
    check_error(
        &greedy("alphabta depth=2"),
        &["analyse", "breakthrough", "--player", "FILE"],
        expect![[r"
            ---
            error[unknown-search]: there is no search `alphabta`
             --> p.player:2:8
              |
            2 | search alphabta depth=2
              |        ^^^^^^^^ not a search
              |
              = help: did you mean `alphabeta`?

            error: `p.player` cannot be used: 1 error
            exit code 2
        "]],
    );
}

#[test]
fn bad_settings_are_diagnostics() {
    check_error(
        &greedy("alphabeta dept=2 table=no"),
        &["match", "breakthrough", "FILE", "random"],
        expect![[r"
            ---
            error[bad-setting]: `alphabeta` has no option `dept`
             --> p.player:2:18
              |
            2 | search alphabeta dept=2 table=no
              |                  ^^^^^^ the search cannot be told this
              |
              = help: did you mean `depth`?

            error: `p.player` cannot be used: 1 error
            exit code 2
        "]],
    );
    for (search, column) in [
        ("alphabeta depth=deep", "2:18"),
        ("alphabeta-plain depth=2 ends=never", "2:32"),
        ("uct depth=3", "2:12"),
        ("uct nodes=0", "2:12"),
        ("uct c=0.5 time=\"soon\"", "2:18"),
    ] {
        let ran = with_file(&greedy(search), &["check", "FILE"]);
        assert_eq!(ran.code, 1, "{search}: {ran:?}");
        assert!(ran.stderr.contains(&format!("p.player:{column}")), "{search}: {ran:?}");
    }
}

#[test]
fn wrong_options_and_names_are_told() {
    let file = greedy("alphabeta");
    for (spec, said) in [
        ("FILE:dept=2", "has no option `dept`"),
        ("FILE:depth", "is not an option"),
        ("FILE:search=nobody", "there is no player `nobody`"),
        ("nowhere/q.player", "there is no file `nowhere/q.player`"),
        ("../../games/chess.game", "is a game, not a player"),
        ("alphabta", "did you mean `alphabeta`?"),
    ] {
        let ran = with_file(&file, &["analyse", "breakthrough", "--player", spec]);
        assert_eq!(ran.code, 2, "{spec}: {ran:?}");
        assert!(ran.stderr.contains(said), "{spec}: {ran:?}");
    }
    let broken = format!("{HEADER}evaluate\n  return count(mien)\n");
    let ran = with_file(&broken, &["match", "breakthrough", "FILE", "random"]);
    assert!(ran.code == 2 && ran.stderr.contains("p.player:3:16"), "{ran:?}");
}

/// A loop that never ends, as soon as a man has been taken.
const ENDLESS: &str = "\
search alphabeta-plain depth=2
evaluate
  let n = 1
  while n > 0 and count(mine) < 10: n += 1
  return 0
";

#[test]
fn a_file_at_fault_loses_its_game() {
    let file = format!("{HEADER}{ENDLESS}");
    let args = ["match", "breakthrough:5,5", "FILE", "random", "--games", "2", "--openings", "0"];
    let ran = with_file(&file, &args);
    assert_eq!(ran.code, 0, "{ran:?}");
    expect![[r#"
        error[step-budget]: no end after 50000000 steps: is there a loop that never stops?
         --> p.player:5:3
          |
        5 |   while n > 0 and count(mine) < 10: n += 1
          |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: make sure that every `while` and every recursion ends
        `p.player` loses the game
    "#]]
    .assert_eq(&ran.stderr);
    let ran = with_file(&file, &[&args[..], &["--json"]].concat());
    let (table, games) = (ran.json()["table"][0].clone(), ran.json()["games"].clone());
    assert_eq!(table["losses"], 2, "{table}");
    assert!(games.as_array().into_iter().flatten().all(|it| it["end"] == "fault"), "{games}");
}

#[test]
fn a_file_at_fault_is_told_in_every_verb() {
    let file = format!(
        "{HEADER}evaluate\n  return deep(1)\nfunction deep(n: int): int\n  return deep(n + 1)\n"
    );
    for args in [
        &["analyse", "breakthrough", "--player", "FILE"][..],
        &["play", "breakthrough", "--side", "none", "--player", "FILE"],
        &["check", "FILE"],
    ] {
        for engine in ["native", "interpreter"] {
            let ran = with_file(&file, &[args, &["--engine", engine]].concat());
            assert_ne!(ran.code, 0, "{args:?} {ran:?}");
            assert!(ran.stderr.contains("p.player:5:3"), "{args:?} {ran:?}");
            assert!(!ran.stderr.contains("a bug in ludex"), "{args:?} {ran:?}");
        }
    }
    let folder = Folder::new();
    let path = folder.write("p.player", &file);
    let said = ludex_reading("go\nisready\n", &["engine", "breakthrough", "--player", &path]);
    assert!(said.stdout.contains("p.player:5: "), "{said:?}");
    assert!(said.stdout.contains("bestmove 0000") && said.stdout.contains("readyok"), "{said:?}");
}

#[test]
fn a_check_tells_how_fast_a_player_is() {
    let ran = with_file(&greedy("alphabeta-plain depth=2"), &["check", "FILE", "--time", "500ms"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.starts_with("p.player: ok\n"), "{ran:?}");
    assert!(ran.stdout.contains(" evaluations/s"), "{ran:?}");
    let args = ["check", "FILE", "--time", "500ms", "--json"];
    let player = with_file(&greedy("alphabeta-plain depth=2"), &args).json()["player"].clone();
    assert!(player["games"].as_u64() >= Some(1), "{player}");
    for speed in ["moves_per_second", "nodes_per_second", "evaluations_per_second"] {
        assert!(player[speed].as_f64() > Some(0.0), "{player}");
    }
    assert_eq!(ludex(&["check", "othello/table", "--time", "100ms"]).code, 0);
}

#[test]
fn the_template_is_a_good_player() {
    let template = ludex(&["players", "--template"]).stdout;
    let ran = with_file(&template, &["check", "FILE", "--time", "500ms"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    for file in ["template", "chess/material", "othello/table"] {
        let path = format!("../../players/{file}.player");
        assert_eq!(ludex(&["fmt", "--check", &path]).code, 0, "{file}");
    }
    let untidy = "player  \"P\"  for nim-matches\nsearch   alphabeta-plain  depth = 3\n";
    let tidy = ludex_reading(untidy, &["fmt", "-"]).stdout;
    assert_eq!(tidy, "player \"P\" for nim-matches\nsearch alphabeta-plain depth=3\n");
}

/// Platon and what the philosophers answer to its first stone: the first of equal moves.
#[test]
fn the_philosophers_play() {
    for (player, reply) in [
        ("platon", "i10"),
        ("lao-tseu", "i10"),
        ("archimedes", "i10"),
        ("simplet", "j10l10"),
        ("introspect", "i10"),
    ] {
        let name = format!("phutball/{player}");
        let said = ludex(&["analyse", "phutball", "--moves", "k10", "--player", &name, "--json"]);
        let said = said.json_lines();
        assert_eq!(said.last().map(|it| &it["best"]), Some(&Value::from(reply)), "{player}");
    }
}

#[test]
fn a_game_may_have_a_template_of_its_own() {
    let folder = Folder::new();
    let template = ludex(&["players", "--template", "phutball"]);
    let path = folder.write("mine.player", &template.stdout);
    let said = ludex(&["analyse", "phutball", "--player", &path, "--depth", "1"]);
    assert_eq!((template.code, said.code), (0, 0), "{said:?}");
    let expected = expect![[r"
        ---
        error: `chess` has no template of its own
        help: phutball has; `--template` alone is for any game
        exit code 2
    "]];
    expected.assert_eq(&ludex(&["players", "--template", "chess"]).all());
}
