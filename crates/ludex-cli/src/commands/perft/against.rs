//! Two games compared: where do their counts first differ?

use std::collections::BTreeMap;

use ludex::Result;
use ludex_core::Position;
use serde_json::{Value, json};

use super::Root;
use super::divide::{Part, after, parts, sums, turns};
use crate::failure::{Answer, Done};
use crate::output::Out;

/// A move that the two games do not count alike; nothing where it is not a move.
#[derive(Clone, Debug)]
struct Difference {
    name: String,
    here: Option<u64>,
    there: Option<u64>,
}

impl Difference {
    fn as_json(&self) -> Value {
        json!({ "move": self.name, "count": self.here, "other": self.there })
    }

    fn text(&self) -> String {
        let shown = |count: Option<u64>| count.map_or("not a move".to_owned(), |it| it.to_string());
        format!("{:<10} {:>20} {:>20}", self.name, shown(self.here), shown(self.there))
    }
}

/// Compares the counts move by move, and follows the first difference to its source.
pub(super) fn run(here: &Root, there: &Root, depth: u32, out: &mut Out) -> Done {
    let pair = (parts(here, &here.place, depth)?, parts(there, &there.place, depth)?);
    let (Some(ours), Some(theirs)) = pair else { return Ok(Answer::Interrupted) };
    let differences = compare(&ours, &theirs);
    let Some((line, first)) = descend(here, there, depth, &differences)? else {
        return Ok(Answer::Interrupted);
    };
    if out.is_json() {
        out.json(&json!({
            "equal": differences.is_empty(),
            "counts": sums(&ours, depth),
            "other": sums(&theirs, depth),
            "differences": all_json(&differences),
            "first": { "moves": line, "differences": all_json(&first) },
        }))?;
    } else {
        tell(&sums(&ours, depth), &line, &first, out)?;
    }
    Ok(if differences.is_empty() { Answer::Yes } else { Answer::No })
}

fn tell(counts: &[u64], line: &[String], first: &[Difference], out: &mut Out) -> Result<()> {
    if first.is_empty() {
        let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
        out.line(format_args!("equal: {}", counts.join(", ")))?;
        return Ok(());
    }
    let place =
        if line.is_empty() { "here".to_owned() } else { format!("after {}", line.join(" ")) };
    out.line(format_args!("they differ {place}:"))?;
    for it in first {
        out.line(it.text())?;
    }
    Ok(())
}

fn all_json(differences: &[Difference]) -> Vec<Value> {
    differences.iter().map(Difference::as_json).collect()
}

fn compare(ours: &[Part], theirs: &[Part]) -> Vec<Difference> {
    let mut both: BTreeMap<&str, (Option<u64>, Option<u64>)> = BTreeMap::new();
    for part in ours {
        both.entry(&part.name).or_default().0 = Some(part.last());
    }
    for part in theirs {
        both.entry(&part.name).or_default().1 = Some(part.last());
    }
    let differ = both.into_iter().filter(|(_, (here, there))| here != there);
    differ.map(|(name, (here, there))| Difference { name: name.to_owned(), here, there }).collect()
}

/// Plays the first move that is counted differently, as long as both games have it.
///
/// Gives the moves played and the differences there; nothing if Ctrl-C was pressed.
fn descend(
    here: &Root,
    there: &Root,
    depth: u32,
    differences: &[Difference],
) -> Result<Option<(Vec<String>, Vec<Difference>)>> {
    let mut places = (here.place.clone(), there.place.clone());
    let mut line = Vec::new();
    let mut found = differences.to_vec();
    for depth in (1..depth).rev() {
        let one_sided = found.iter().any(|it| it.here.is_none() || it.there.is_none());
        let Some(first) = found.first().filter(|_| !one_sided) else { break };
        places = (follow(here, &places.0, &first.name)?, follow(there, &places.1, &first.name)?);
        line.push(first.name.clone());
        let pair = (parts(here, &places.0, depth)?, parts(there, &places.1, depth)?);
        let (Some(ours), Some(theirs)) = pair else { return Ok(None) };
        found = compare(&ours, &theirs);
    }
    Ok(Some((line, found)))
}

/// The position after the move called `name`.
fn follow(root: &Root, place: &Position, name: &str) -> Result<Position> {
    let turns = turns(root, place)?;
    match turns.iter().find(|(it, _)| it == name) {
        Some((_, turn)) => after(root, place, turn),
        None => Ok(place.clone()),
    }
}
