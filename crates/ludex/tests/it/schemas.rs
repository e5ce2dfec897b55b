//! The checked-in JSON Schemas are those of the types.
//!
//! `UPDATE_EXPECT=1` writes them anew.

use std::path::Path;

use expect_test::expect_file;

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
