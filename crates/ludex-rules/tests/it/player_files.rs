//! Player files: their programs begin with the program of the rules, and they name a search.

use std::fs;
use std::path::Path;

use ludex_rules::{Compiled, compile, compile_player};

/// Evaluations and candidates that any game understands.
const HEURISTICS: &str = "\
search alphabeta-plain depth=4 table=no c=0.5 mode=fast time=\"500ms\"
function lead(): int
  return count(mine) - count(theirs)
evaluate
  return lead() * 1.5
";

fn with_opinions(game: &str, rules: &str) -> Compiled {
    let compiled = compile_player(rules, "", &format!("player \"P\" for {game}\n{HEURISTICS}"));
    assert!(!compiled.has_errors(), "{game}: {:?}", compiled.diagnostics);
    compiled
}

#[test]
fn the_program_of_a_player_begins_with_that_of_the_rules() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for entry in fs::read_dir(games).expect("the games are there") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let rules = fs::read_to_string(&path).expect("it can be read");
        let game = compile(&rules, "").program.expect("bundled games compile");
        let player = with_opinions(&name, &rules).program.expect("it has no errors");
        assert_eq!(game.arrays, player.arrays, "{name}");
        assert_eq!(game.start, player.start, "{name}");
        assert_eq!(game.statements, player.statements, "{name}");
        assert_eq!(game.functions, player.functions[..game.functions.len()], "{name}");
        assert_eq!(game.roles.moves, player.roles.moves, "{name}");
        assert_ne!(game.roles.evaluate, player.roles.evaluate, "{name}");
    }
}

#[test]
fn places_tell_the_two_files_apart() {
    let rules = include_str!("../../../../games/breakthrough.game");
    let game = compile(rules, "");
    let player = with_opinions("breakthrough", rules);
    let places = 1..=player.spans.len() as u32;
    let (in_rules, in_player): (Vec<u32>, Vec<u32>) =
        places.partition(|it| player.rules_places.contains(it));
    assert_eq!(in_rules.len(), game.spans.len());
    let text = format!("player \"P\" for breakthrough\n{HEURISTICS}");
    let shown: Vec<&str> = in_player
        .iter()
        .map(|&it| player.spans[it as usize - 1])
        .map(|it| &text[it.start as usize..it.end as usize])
        .collect();
    assert!(shown.iter().any(|it| it.contains("lead()")), "{shown:?}");
}

#[test]
fn the_search_is_told_with_its_places() {
    let rules = include_str!("../../../../games/breakthrough.game");
    let search = with_opinions("breakthrough", rules).search.expect("it names one");
    assert_eq!(search.name.text, "alphabeta-plain");
    let settings: Vec<(&str, &str)> =
        search.settings.iter().map(|it| (it.name.as_str(), it.value.as_str())).collect();
    let expected =
        [("depth", "4"), ("table", "no"), ("c", "0.5"), ("mode", "fast"), ("time", "500ms")];
    assert_eq!(settings, expected);
    let text = format!("player \"P\" for breakthrough\n{HEURISTICS}");
    let span = search.settings[1].span;
    assert_eq!(&text[span.start as usize..span.end as usize], "table=no");
}

#[test]
fn games_with_hyphens_have_players_too() {
    let rules = include_str!("../../../../games/nim-matches.game");
    let compiled = with_opinions("nim-matches", rules);
    assert_eq!(compiled.title, "P");
    let text = "player \"P\" for nim-matches\nsearch alphabeta-plain bias=-2\n";
    assert_eq!(ludex_rules::fmt::format(text).as_deref(), Ok(text));
}

#[test]
fn names_of_the_game_are_taken() {
    let rules = include_str!("../../../../games/breakthrough.game");
    for text in ["const rows = 3", "region goal = all", "const pawn = 1", "const White = 1"] {
        let player = format!("player \"P\" for breakthrough\n{text}\n");
        let diagnostics = compile_player(rules, "", &player).diagnostics;
        assert_eq!(diagnostics[0].code, "duplicate-name", "{text}");
        assert_eq!(diagnostics[0].label, "declared in the rules", "{text}");
    }
    let twice = "player \"P\" for breakthrough\nconst a = 3\nconst a = 4\n";
    let diagnostics = compile_player(rules, "", twice).diagnostics;
    assert_eq!(diagnostics[0].label, "second declaration");
}
