//! The checked-in JSON Schemas are those of the types, and the examples in the book are of them.
//!
//! `UPDATE_EXPECT=1` writes them anew.

use std::fs;
use std::path::Path;

use expect_test::expect_file;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[test]
fn schemas_in_the_book_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schemas");
    for (name, schema) in ludex::schema::all() {
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
        expect_file![folder.join(format!("{name}.json"))].assert_eq(&(text + "\n"));
    }
}

#[test]
fn every_schema_in_the_book_has_a_type() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schemas");
    let known: Vec<String> =
        ludex::schema::all().into_iter().map(|(name, _)| format!("{name}.json")).collect();
    for entry in folder.read_dir().expect("the book has schemas") {
        let name = entry.expect("it can be listed").file_name().to_string_lossy().into_owned();
        assert!(known.contains(&name), "{name} describes nothing");
    }
}

/// A text of the type of a schema, read and written anew.
fn rewritten(name: &str, text: &str) -> serde_json::Result<Value> {
    fn read<T: DeserializeOwned + Serialize>(text: &str) -> serde_json::Result<Value> {
        serde_json::to_value(serde_json::from_str::<T>(text)?)
    }
    match name {
        "analysis-1" => read::<ludex::Analysis>(text),
        "check-1" => read::<ludex::check::CheckReport>(text),
        "export-1" => read::<ludex::export::Export>(text),
        "games-1" => read::<Vec<ludex::catalogue::GameEntry>>(text),
        "match-1" => read::<ludex::matches::MatchReport>(text),
        "moves-1" => read::<ludex::view::MoveList>(text),
        "perft-1" => read::<ludex::perft::PerftReport>(text),
        "perft-comparison-1" => read::<ludex::perft::Comparison>(text),
        "players-1" => read::<Vec<ludex::catalogue::PlayerEntry>>(text),
        "position-1" => read::<ludex::view::PositionView>(text),
        "ratings-1" => read::<ludex::rating::RatingReport>(text),
        "reasons-1" => read::<ludex::explain::ReasonsReport>(text),
        "replay-1" => read::<ludex::replay::ReplayReport>(text),
        "search-tree-1" => read::<ludex::search_tree::SearchTree>(text),
        "solution-1" => read::<ludex::solve::Solution>(text),
        "threats-1" => read::<ludex::explain::ThreatsReport>(text),
        "tournament-1" => read::<ludex::tournament::TournamentReport>(text),
        "verification-1" => read::<ludex::solve::Verification>(text),
        other => panic!("{other} is new: add it here"),
    }
}

#[test]
fn every_schema_has_an_example_in_the_book() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schemas.md");
    let page = fs::read_to_string(file).expect("the book has a page of schemas");
    for (name, _) in ludex::schema::all() {
        let (kind, version) = name.rsplit_once('-').expect("a name ends with its version");
        let heading = format!(": `ludex.{kind}/{version}`\n");
        let section = page.split(&heading).nth(1).unwrap_or_else(|| panic!("no section {name}"));
        let example = section.split("```json\n").nth(1).and_then(|it| it.split("```").next());
        let example = example.unwrap_or_else(|| panic!("no example of {name}"));
        let anew = rewritten(name, example).unwrap_or_else(|error| panic!("{name}: {error}"));
        let example: Value = serde_json::from_str(example).expect("it was read");
        // A field that the type does not know, misspelt perhaps, is lost on the way.
        assert_eq!(anew, example, "{name}");
    }
}
