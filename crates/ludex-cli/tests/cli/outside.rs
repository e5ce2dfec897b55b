//! Programs from outside in `match`: ourselves, and one that misbehaves.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use ludex_testkit::rogue;
use serde_json::Value;

use crate::run::{Folder, LUDEX, Ran, json, ludex};

#[test]
#[ignore = "it is not a test but a program that tests start"]
fn rogue() {
    rogue::run();
}

/// A player that misbehaves this way: this very binary, with the ignored test above.
fn misbehaving(way: &str) -> String {
    let path = std::env::current_exe().expect("there is one");
    let path = path.to_str().expect("it is text");
    let command = format!("'{path}' outside::rogue --exact --ignored --nocapture");
    format!("cmd:{command},protocol=ugi,env.{}={way},margin=100ms,name={way}", rogue::WAY)
}

/// A match of two games on a small board.
fn two_games(spec: &str, more: &[&str]) -> Value {
    let args = ["match", "gomoku:5", spec, "random", "--games", "2", "--openings", "none"];
    json(&[&args[..], more].concat())
}

fn ends(played: &Value) -> Vec<String> {
    let games = played["games"].as_array().expect("there are games");
    games.iter().map(|it| it["end"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn each_way_to_misbehave_loses_the_game_and_the_match_goes_on() {
    let expected = |way: &str| match way {
        "crash-at-start" | "crash" | "closes" => "crash",
        "hang" | "hang-with-child" | "slow" => "time",
        "flood" | "endless-line" | "flood-errors" => "flood",
        "illegal" | "garbage" => "illegal",
        "resign" => "resigned",
        _ => "rules",
    };
    for way in rogue::WAYS {
        // These two need patience or luck, and have tests of their own.
        if matches!(way, "deaf" | "crash-later") {
            continue;
        }
        let is_slow = matches!(way, "hang" | "hang-with-child" | "slow");
        let time = if is_slow { "100ms" } else { "20s" };
        let played = two_games(&misbehaving(way), &["--time", time]);
        assert_eq!(ends(&played), [expected(way); 2], "{way}: {played}");
        let points = &played["table"][0];
        if way != "honest" {
            assert_eq!(points["games"], 2, "{way}: {played}");
            for game in played["games"].as_array().expect("there are games") {
                let won = game["points"].as_f64();
                let was_first = game["first"].as_str().is_some_and(|it| it.contains(way));
                assert_eq!(won, Some(if was_first { 0.0 } else { 1.0 }), "{way}: {game}");
            }
        }
    }
}

#[test]
fn the_reason_is_told() {
    let spec = misbehaving("crash");
    let ran = ludex(&["match", "gomoku:5", &spec, "random", "--games", "2", "--time", "20s"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.stderr.contains("exit status: 7; its last words: `assertion failed: fish`"),
        "{ran:?}"
    );
}

#[test]
fn programs_are_called_by_the_names_they_were_given() {
    let folder = Folder::new();
    let spec = format!("cmd:'{LUDEX}' engine hex:3 --player random,name=Old, nodes=5");
    let games = folder.path("games");
    let args =
        ["match", "hex:3", &spec, "random", "--games", "2", "--nodes", "5", "--save", &games];
    let ran = ludex(&args);
    assert!(ran.stdout.contains("\nOld "), "{ran:?}");
    assert!(folder.read("games/000001.txt").contains("players: Old, random\n"));
    // A name for two is no name.
    let same = spec.replace("nodes=5", "nodes=6");
    let played = json(&["match", "hex:3", &spec, &same, "--games", "2", "--nodes", "5"]);
    assert_eq!(played["table"][0]["a"], Value::from(spec), "{played}");
}

/// What we say as a program is what we understand of programs, in every protocol that has a game for it.
#[test]
fn we_understand_ourselves_in_every_protocol() {
    for (game, protocol, start) in [
        ("hex:3", "ugi", None),
        ("minichess", "uci", None),
        ("minichess", "cecp", None),
        ("chess", "cecp", Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")),
        ("minishogi", "usi", None),
        ("shogi", "usi", Some("8k/9/9/9/9/9/9/9/K8 w hand.Black=P2R1 hand.White=N1")),
        ("go:5", "gtp", None),
        ("gomoku:6", "gomocup", None),
    ] {
        let engine = format!("'{LUDEX}' engine {game} --protocol {protocol} --player random");
        let spec = format!("cmd:{engine},protocol={protocol},nodes=5,name=Self");
        let args = ["match", game, &spec, "random", "--games", "2", "--longest", "30"];
        let from: Vec<&str> = start.into_iter().flat_map(|it| ["--position", it]).collect();
        let played = json(&[&args[..], &from, &["--openings", "2", "--balanced", "no"]].concat());
        let games = played["games"].as_array().expect("there are games");
        assert_eq!(games.len(), 2);
        for game in games {
            let end = game["end"].as_str().unwrap_or_default();
            assert!(matches!(end, "rules" | "length"), "{protocol}: {game}");
            let moves = game["moves"].as_array().map_or(0, Vec::len);
            assert!(moves > 1, "{protocol}: {game}");
        }
    }
}

/// A clock is told in every protocol, and kept.
#[test]
fn a_clock_is_kept_in_every_protocol() {
    for (game, protocol) in [("minichess", "cecp"), ("minishogi", "usi")] {
        let engine = format!("'{LUDEX}' engine {game} --protocol {protocol} --player uct");
        let spec = format!("cmd:{engine},protocol={protocol},name=Self");
        let args = ["match", game, &spec, "random", "--games", "2", "--openings", "none"];
        let played = json(&[&args[..], &["--clock", "2s", "--longest", "12"]].concat());
        for game in played["games"].as_array().expect("there are games") {
            assert!(matches!(game["end"].as_str(), Some("rules" | "length")), "{protocol}: {game}");
        }
    }
}

/// A signal that ends us ends the programs that we have started as well.
#[cfg(unix)]
#[test]
fn nothing_is_left_running_when_a_match_is_told_to_end() {
    let folder = Folder::new();
    let file = folder.path("number");
    let spec = format!("cmd:sh -c 'echo $$ > {file}; exec sleep 1000',protocol=uci");
    let mut child = Command::new(LUDEX)
        .args(["match", "hex:3", &spec, "random", "--nodes", "5"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program was built");
    let number = || std::fs::read_to_string(&file).unwrap_or_default().trim().to_owned();
    while number().is_empty() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended too soon");
        thread::sleep(Duration::from_millis(5));
    }
    let signal = |name: &str, id: &str| {
        Command::new("kill").args([name, id]).stderr(Stdio::null()).status().expect("it is there")
    };
    assert!(signal("-TERM", &child.id().to_string()).success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(!signal("-0", &number()).success(), "it runs still");
}

#[test]
fn ourselves_by_ugi_and_gomocup() {
    for (game, protocol) in
        [("breakthrough:5,5", "ugi"), ("gomoku:7", "gomocup"), ("connect4:5,4", "uci")]
    {
        let spec = format!(
            "cmd:'{LUDEX}' engine '{game}' --protocol {protocol} --player uct,protocol={protocol},time=50ms"
        );
        let args = ["match", game, spec.as_str(), "random", "--games", "2", "--openings", "2"];
        let played = json(&[&args[..], &["--balanced", "no", "--nodes", "200"]].concat());
        assert_eq!(ends(&played), ["rules", "rules"], "{game}: {played}");
    }
    let spec = format!("cmd:'{LUDEX}' engine go:5 --player uct,protocol=gtp");
    let args = ["match", "go:5", spec.as_str(), "random", "--games", "2", "--openings", "2"];
    let played = json(&[&args[..], &["--clock", "5s", "--balanced", "no"]].concat());
    let ends = ends(&played);
    assert!(ends.iter().all(|it| matches!(it.as_str(), "rules" | "length")), "{played}");
}

#[test]
fn a_position_to_begin_with_is_told() {
    let spec = format!("cmd:'{LUDEX}' engine hex:4 --player uct,protocol=ugi,nodes=50");
    let position = "2X1/4/1O2/4 b";
    let args = ["match", "hex:4", spec.as_str(), "random", "--games", "2", "--openings", "none"];
    let played = json(&[&args[..], &["--position", position, "--nodes", "50"]].concat());
    assert_eq!(ends(&played), ["rules", "rules"], "{played}");
}

#[track_caller]
fn refused(spec: &str, expected: &[&str]) {
    let Ran { code, stderr, .. } = ludex(&["match", "chess", spec, "random"]);
    assert_eq!(code, 2, "{stderr}");
    for text in expected {
        assert!(stderr.contains(text), "{stderr}");
    }
}

#[test]
fn mistakes_are_told_before_anything_is_played() {
    refused("cmd:", &["there is no program after `cmd:`", "cmd:./prog"]);
    refused("cmd:./no-such-program", &["there is no program `./no-such-program`"]);
    refused("cmd:sh,protocl=uci", &["no option `protocl`", "did you mean `protocol`?"]);
    refused("cmd:sh,protocol=xbord", &["no protocol `xbord`", "did you mean `xboard`?"]);
    refused("cmd:sh 'a", &["the quote ' is not closed"]);
    let ran = ludex(&["analyse", "chess", "--player", "cmd:sh"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("plays in matches and tournaments only"),
        "{ran:?}"
    );
}

/// Nothing runs any more when the program has ended, whatever was started.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_running() {
    const MARK: &str = "LUDEX_LEFT_RUNNING";
    let own = format!("test-{}", std::process::id());
    let spec = misbehaving("hang-with-child");
    let args = ["match", "gomoku:5", &spec, "random", "--games", "4", "--time", "100ms"];
    let output = Command::new(LUDEX).args(args).env(MARK, &own).output().expect("it starts");
    assert!(output.status.success());
    let wanted = format!("{MARK}={own}");
    let left = || {
        let processes = std::fs::read_dir("/proc").expect("this is Linux").flatten();
        let marked = processes.filter(|it| {
            let environment = std::fs::read(it.path().join("environ")).unwrap_or_default();
            environment.split(|it| *it == 0).any(|it| it == wanted.as_bytes())
        });
        marked.count()
    };
    // Who was killed may take a moment to be gone.
    let gone = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        left() == 0
    });
    assert!(gone, "{} left", left());
}
