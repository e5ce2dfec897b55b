//! Two games compared: where do their counts first differ?

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Root;
use super::divide::{Part, follow, parts, sums};
use crate::error::Result;
use crate::schema::Schema;

/// How the counts of two games differ: `ludex.perft-comparison/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// `ludex.perft-comparison/1`.
    pub schema: Schema<1>,
    /// Whether all counts are equal.
    pub equal: bool,
    /// The counts of the game, depth 1 first.
    pub counts: Vec<u64>,
    /// The counts of the other game.
    pub other: Vec<u64>,
    /// The moves that are counted differently.
    pub differences: Vec<Difference>,
    /// Where the first difference comes from.
    pub first: FirstDifference,
}

/// Where a difference comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FirstDifference {
    /// The moves that lead there.
    pub moves: Vec<String>,
    /// The moves that are counted differently there.
    pub differences: Vec<Difference>,
}

/// A move that the two games count differently; nothing where it is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// The count of the game.
    pub count: Option<u64>,
    /// The count of the other game.
    pub other: Option<u64>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |count: Option<u64>| count.map_or("not a move".to_owned(), |it| it.to_string());
        write!(f, "{:<10} {:>20} {:>20}", self.name, shown(self.count), shown(self.other))
    }
}

/// As a person reads it.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FirstDifference { moves, differences } = &self.first;
        if differences.is_empty() {
            let counts: Vec<String> = self.counts.iter().map(u64::to_string).collect();
            return writeln!(f, "equal: {}", counts.join(", "));
        }
        match moves.as_slice() {
            [] => writeln!(f, "they differ here:")?,
            line => writeln!(f, "they differ after {}:", line.join(" "))?,
        }
        differences.iter().try_for_each(|it| writeln!(f, "{it}"))
    }
}

/// Compares the counts of two games move by move, and follows the first difference to its source.
/// Nothing if it was stopped.
pub fn compare(here: Root<'_>, there: Root<'_>, depth: u32) -> Result<Option<Comparison>> {
    let (Some(ours), Some(theirs)) = (parts(here, depth)?, parts(there, depth)?) else {
        return Ok(None);
    };
    let differences = differences(&ours, &theirs);
    let Some(first) = descend(here, there, depth, &differences)? else { return Ok(None) };
    Ok(Some(Comparison {
        schema: Schema::of("perft-comparison"),
        equal: differences.is_empty(),
        counts: sums(&ours, depth),
        other: sums(&theirs, depth),
        differences,
        first,
    }))
}

fn differences(ours: &[Part], theirs: &[Part]) -> Vec<Difference> {
    let mut both: BTreeMap<&str, (Option<u64>, Option<u64>)> = BTreeMap::new();
    for part in ours {
        both.entry(&part.name).or_default().0 = Some(part.count);
    }
    for part in theirs {
        both.entry(&part.name).or_default().1 = Some(part.count);
    }
    let differ = both.into_iter().filter(|(_, (count, other))| count != other);
    differ
        .map(|(name, (count, other))| Difference { name: name.to_owned(), count, other })
        .collect()
}

/// Plays the first move that is counted differently, as long as both games have it. Nothing if it
/// was stopped.
fn descend(
    here: Root<'_>,
    there: Root<'_>,
    depth: u32,
    differences_here: &[Difference],
) -> Result<Option<FirstDifference>> {
    let mut positions = (here.position.clone(), there.position.clone());
    let mut moves = Vec::new();
    let mut found = differences_here.to_vec();
    for depth in (1..depth).rev() {
        let is_one_sided = found.iter().any(|it| it.count.is_none() || it.other.is_none());
        let Some(first) = found.first().filter(|_| !is_one_sided) else { break };
        positions = (
            follow(here.at(&positions.0), &first.name)?,
            follow(there.at(&positions.1), &first.name)?,
        );
        moves.push(first.name.clone());
        let ours = parts(here.at(&positions.0), depth)?;
        let theirs = parts(there.at(&positions.1), depth)?;
        let (Some(ours), Some(theirs)) = (ours, theirs) else { return Ok(None) };
        found = differences(&ours, &theirs);
    }
    Ok(Some(FirstDifference { moves, differences: found }))
}
