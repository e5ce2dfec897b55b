//! Names: what the language itself knows, and the nearest right one to a wrong one.

use crate::diag::{Diagnostic, Span};

use super::Compiler;
use super::board::COMPASS;
use super::build::Builder;

/// Words that stand for values.
pub(crate) const VALUE_WORDS: &[&str] = &[
    "me", "opponent", "to_move", "none", "yes", "no", "repeats", "side", "depth", "mine", "theirs",
    "empty", "occupied", "neutral", "all", "dark", "light", "forward", "back", "left", "right",
    "forwards", "orthogonal", "diagonal", "eight", "six", "players", "kinds",
];

/// Words that stand for functions.
pub(crate) const FUNCTION_WORDS: &[&str] = &[
    "count", "first", "last", "rank", "file", "edge", "line", "axis", "between", "shift",
    "neighbours", "flood", "at", "abs", "min", "max", "distance", "exp", "tanh", "sqrt", "real",
    "next",
];

/// Words after a dot.
pub(crate) const MEMBER_WORDS: &[&str] = &[
    "empty", "mine", "theirs", "occupied", "neutral", "exists", "kind", "owner", "file", "rank",
    "forward", "back", "left", "right",
];

/// The candidate nearest to `name`, if any is near enough to be meant.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|it| (strsim::damerau_levenshtein(&name.to_lowercase(), &it.to_lowercase()), it))
        .filter(|(distance, it)| *distance <= limit && *it != name)
        .min_by_key(|(distance, it)| (*distance, it.len()))
        .map(|(_, it)| it.to_owned())
}

impl Compiler {
    /// The kind called `name`.
    pub(crate) fn kind_number(&self, name: &str) -> Option<u8> {
        self.kinds.iter().position(|it| it == name).map(|it| it as u8)
    }

    /// The player called `name`.
    pub(crate) fn player_number(&self, name: &str) -> Option<u8> {
        self.players.iter().position(|it| it == name).map(|it| it as u8)
    }

    /// Reports a name that nothing is called.
    pub(crate) fn unknown_name(&mut self, b: Option<&Builder>, name: &str, span: Span) {
        let mut known: Vec<&str> = VALUE_WORDS.to_vec();
        known.extend(COMPASS.iter().map(|(name, _)| *name));
        known.extend(self.players.iter().map(String::as_str));
        known.extend(self.kinds.iter().map(String::as_str));
        known.extend(self.cells.keys().map(String::as_str));
        known.extend(self.constants.keys().map(String::as_str));
        known.extend(self.options.keys().map(String::as_str));
        let locals: Vec<String> =
            b.iter().flat_map(|b| b.scopes.iter()).flat_map(|it| it.keys().cloned()).collect();
        known.extend(locals.iter().map(String::as_str));
        let looks_like_square = name.len() <= 4
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.ends_with(|c: char| c.is_ascii_digit());
        let mut diagnostic =
            Diagnostic::error("unknown-name", span, format!("nothing here is called `{name}`"));
        diagnostic = if looks_like_square && self.board.squares() > 0 {
            let last = &self.board.names[self.board.on_grid.max(1) - 1];
            let first = &self.board.names[0];
            diagnostic
                .label("no such variable, and no such square")
                .help(format!("the squares of this board run from {first} to {last}"))
        } else if self.routines.contains_key(name) {
            diagnostic
                .label("this is a routine")
                .help(format!("to use it, write its arguments too: `{name}(…)`"))
        } else {
            let diagnostic = diagnostic.label("not declared anywhere");
            match nearest(name, known) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic
                    .help(format!("declare it, for instance with `let {name} = …` before this line")),
            }
        };
        self.report(diagnostic);
    }
}
