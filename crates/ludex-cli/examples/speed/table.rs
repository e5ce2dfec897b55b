//! What was measured, as a table.

use std::collections::BTreeMap;

use crate::counting::Counted;
use crate::games::{Measured, MeasuredNative};

/// A game is worth naming if native code is less than this many times faster than the interpreter.
const EXPECTED_GAIN: f64 = 20.0;

/// How many of the worst ratios to the ceiling are named.
const WORST: usize = 3;

/// The names of the columns.
pub(crate) fn heading() -> String {
    format!(
        "{:<16} {:>12} {:>12} {:>7} {:>12} {:>7} {:>11} {:>9} {:>7} {:>9}\n{:<16} {:>12} {:>12} {:>7} {:>12} {:>7} {:>11} {:>9} {:>7} {:>9}",
        "game",
        "interpreter",
        "native",
        "ratio",
        "by hand",
        "ratio",
        "compile",
        "code",
        "state",
        "memory",
        "",
        "moves/s",
        "moves/s",
        "",
        "moves/s",
        "",
        "ms",
        "bytes",
        "bytes",
        "kB",
    )
}

/// One game.
pub(crate) fn row(it: &Measured) -> String {
    let native = |value: fn(&MeasuredNative) -> Option<f64>, digits| {
        cell(it.native.as_ref().and_then(value), digits)
    };
    format!(
        "{:<16} {:>12.0} {:>12} {:>7} {:>12} {:>7} {:>11} {:>9} {:>7} {:>9}",
        it.spec,
        it.interpreter.moves_per_second(),
        cell(it.native_rate(), 0),
        cell(it.gain(), 1),
        cell(it.ceiling, 0),
        cell(it.of_ceiling(), 2),
        native(|it| Some(1e3 * it.compile), 1),
        native(|it| Some(it.code_bytes as f64), 0),
        native(|it| Some(it.state_bytes as f64), 0),
        native(|it| it.memory.map(|it| it as f64 / 1024.0), 0),
    )
}

/// A number, or a dash where there is none.
fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |it| format!("{it:.digits$}"))
}

/// The games that are worth a second look.
pub(crate) fn summary(all: &[Measured]) -> String {
    let slow = all.iter().filter_map(|it| Some((it.spec.as_str(), it.gain()?)));
    let mut slow: Vec<_> = slow.filter(|(_, gain)| *gain < EXPECTED_GAIN).collect();
    let low = all.iter().filter_map(|it| Some((it.spec.as_str(), it.of_ceiling()?)));
    let mut low: Vec<_> = low.collect();
    slow.sort_by(|a, b| a.1.total_cmp(&b.1));
    low.sort_by(|a, b| a.1.total_cmp(&b.1));
    low.truncate(WORST);
    let mut text = format!(
        "less than {EXPECTED_GAIN} times the interpreter: {}\nfarthest from the ceiling: {}\n",
        names(&slow, 1),
        names(&low, 2)
    );
    for (reason, games) in refusals(all) {
        text.push_str(&format!("{reason}: {}\n", games.join(", ")));
    }
    text
}

/// Why there is no native code, and for which games.
fn refusals(all: &[Measured]) -> BTreeMap<&str, Vec<&str>> {
    let mut refusals: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for it in all {
        if let Some(reason) = &it.refused {
            refusals.entry(reason).or_default().push(&it.spec);
        }
    }
    refusals
}

fn names(all: &[(&str, f64)], digits: usize) -> String {
    let names: Vec<String> =
        all.iter().map(|(name, ratio)| format!("{name} ({ratio:.digits$})")).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(", ") }
}

/// The counts against the library.
pub(crate) fn counts(all: &[Counted]) -> String {
    let mut text = format!(
        "{:<16} {:>5} {:>12} {:>14} {:>14} {:>7}\n",
        "chess counts", "depth", "count", "native/s", "cozy-chess/s", "ratio"
    );
    for it in all {
        text.push_str(&format!(
            "{:<16} {:>5} {:>12} {:>14} {:>14.0} {:>7}\n",
            it.name,
            it.depth,
            it.count,
            cell(it.native, 0),
            it.library,
            cell(it.ratio(), 3)
        ));
    }
    text
}
