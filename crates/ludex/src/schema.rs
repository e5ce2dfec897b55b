//! The name and version of a kind of result, which stands in each.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema as Json, SchemaGenerator, json_schema, schema_for};
use serde::{Deserialize, Serialize};

/// `ludex.analysis/1`: what a result is, and which version of it.
///
/// A version changes where a field changes its meaning or goes away; a new field is no new
/// version. Reading one checks its form and its version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Schema<const VERSION: u32>(Cow<'static, str>);

impl<const VERSION: u32> Schema<VERSION> {
    /// The schema of this name.
    pub fn of(name: &str) -> Self {
        Self(format!("ludex.{name}/{VERSION}").into())
    }

    /// The name with its version.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const VERSION: u32> TryFrom<String> for Schema<VERSION> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_name = |it: &str| {
            !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        };
        match text.strip_prefix("ludex.").and_then(|it| it.rsplit_once('/')) {
            Some((name, version)) if is_name(name) && version == VERSION.to_string() => {
                Ok(Self(text.into()))
            }
            _ => Err(format!("`{text}` cannot be read here: `ludex.NAME/{VERSION}` is expected")),
        }
    }
}

impl<const VERSION: u32> JsonSchema for Schema<VERSION> {
    fn schema_name() -> Cow<'static, str> {
        "Schema".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Json {
        json_schema!({ "type": "string", "pattern": format!("^ludex\\.[a-z-]+/{VERSION}$") })
    }
}

/// The JSON Schema of every kind of result, by the name of its file.
pub fn all() -> Vec<(&'static str, Json)> {
    vec![
        ("analysis-1", schema_for!(crate::analysis::Analysis)),
        ("check-1", schema_for!(crate::check::CheckReport)),
        ("export-1", schema_for!(crate::export::Export)),
        ("games-1", schema_for!(Vec<crate::catalogue::GameEntry>)),
        ("match-1", schema_for!(crate::matches::MatchReport)),
        ("moves-1", schema_for!(crate::view::MoveList)),
        ("perft-1", schema_for!(crate::perft::PerftReport)),
        ("perft-comparison-1", schema_for!(crate::perft::Comparison)),
        ("players-1", schema_for!(Vec<crate::catalogue::PlayerEntry>)),
        ("position-1", schema_for!(crate::view::PositionView)),
        ("ratings-1", schema_for!(crate::rating::RatingReport)),
        ("reasons-1", schema_for!(crate::explain::ReasonsReport)),
        ("replay-1", schema_for!(crate::replay::ReplayReport)),
        ("search-tree-1", schema_for!(crate::search_tree::SearchTree)),
        ("solution-1", schema_for!(crate::solve::Solution)),
        ("threats-1", schema_for!(crate::explain::ThreatsReport)),
        ("tournament-1", schema_for!(crate::tournament::TournamentReport)),
        ("verification-1", schema_for!(crate::solve::Verification)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_form_and_version_are_read() {
        let read = |text: &str| serde_json::from_value::<Schema<1>>(text.into());
        let good = read("ludex.search-tree/1").expect("it is well formed");
        assert_eq!(good, Schema::of("search-tree"));
        assert_eq!(serde_json::to_value(&good).expect("it is text"), "ludex.search-tree/1");
        for wrong in
            ["ludex.analysis/2", "analysis/1", "ludex.analysis", "ludex./1", "ludex.a/b/1", ""]
        {
            let error = read(wrong).expect_err(wrong).to_string();
            assert!(error.contains("`ludex.NAME/1` is expected"), "{error}");
        }
    }
}
