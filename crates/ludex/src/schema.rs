//! The name and version of a kind of result, which stands in each.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema as Json, SchemaGenerator, json_schema, schema_for};
use serde::{Deserialize, Serialize};

/// `ludex.analysis/1`: what a result is, and which version of it.
///
/// A version changes where a field changes its meaning or goes away; a new field is no new
/// version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
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
        ("match-1", schema_for!(crate::matches::MatchReport)),
    ]
}
