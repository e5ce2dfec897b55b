//! Names: what the language itself knows, and the nearest right one to a wrong one.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::GridKind;

use super::Compiler;
use super::board::COMPASS;
use super::build::Builder;

/// What the scratch function is called in which constants are looked at.
pub(crate) const CONSTANT: &str = "constant";

/// Words that stand for values.
pub(crate) const VALUE_WORDS: &[&str] = &[
    "me",
    "opponent",
    "to_move",
    "none",
    "yes",
    "no",
    "repeats",
    "side",
    "depth",
    "mine",
    "theirs",
    "empty",
    "occupied",
    "neutral",
    "all",
    "dark",
    "light",
    "forward",
    "back",
    "left",
    "right",
    "forwards",
    "orthogonal",
    "diagonal",
    "eight",
    "six",
    "players",
    "kinds",
];

/// Words that stand for functions.
pub(crate) const FUNCTION_WORDS: &[&str] = &[
    "count",
    "first",
    "last",
    "rank",
    "file",
    "edge",
    "line",
    "axis",
    "between",
    "shift",
    "neighbours",
    "flood",
    "at",
    "abs",
    "min",
    "max",
    "distance",
    "exp",
    "tanh",
    "sqrt",
    "real",
    "next",
];

/// Words after a dot.
pub(crate) const MEMBER_WORDS: &[&str] = &[
    "empty", "mine", "theirs", "occupied", "neutral", "exists", "kind", "owner", "file", "rank",
    "forward", "back", "left", "right",
];

/// The candidate nearest to `name`, if any is near enough to be meant: something of the name must be
/// right, so that `a` is not taken for `b`.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let length = name.chars().count();
    let limit = (length / 3).clamp(1, 3).min(length.saturating_sub(1));
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
        if self.failed.contains(name) || !self.reports() {
            return;
        }
        if self.constants.contains_key(name) {
            self.report(
                Diagnostic::error(
                    "nested-too-deep",
                    span,
                    format!("`{name}` is made of constants that are made of constants …"),
                )
                .label("too long a chain to follow")
                .help("give some of the constants in between a value of their own"),
            );
            return;
        }
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
        if looks_like_square(name) && self.board_failed {
            return;
        }
        let mut diagnostic =
            Diagnostic::error("unknown-name", span, format!("nothing here is called `{name}`"));
        diagnostic = if VALUE_WORDS.contains(&name) || COMPASS.iter().any(|(it, _)| *it == name) {
            diagnostic
                .label("a word of the language, but not for this board")
                .help(self.directions_help())
        } else if looks_like_square(name) && self.board.squares() > 0 {
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
                None if b.is_none_or(|b| b.name == CONSTANT) => diagnostic
                    .help(format!("declare it: `const {name} = …`, or `option {name} = …`")),
                None => diagnostic.help(format!(
                    "declare it, for instance with `let {name} = …` before this line"
                )),
            }
        };
        self.report(diagnostic);
    }

    /// Reports a name that is no kind of man.
    pub(crate) fn unknown_kind(&mut self, name: &str, span: Span) {
        let diagnostic =
            Diagnostic::error("unknown-kind", span, format!("no man is called `{name}`"))
                .label("not among the `men` of this game");
        let words = ["empty", "mine", "theirs", "occupied", "neutral"];
        let known = self.kinds.iter().chain(&self.players).map(String::as_str).chain(words);
        let help = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.kinds.is_empty() => format!("declare it: `men {name}`"),
            None => format!("the men are {}; declare more with `men`", self.kinds.join(", ")),
        };
        self.report(diagnostic.help(help));
    }

    /// Reports a name that is no player.
    pub(crate) fn unknown_player(&mut self, name: &str, span: Span) {
        if self.players.is_empty() {
            return;
        }
        let diagnostic =
            Diagnostic::error("unknown-player", span, format!("no player is called `{name}`"))
                .label("not among the `players` of this game");
        let help = match nearest(name, self.players.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the players are {}", self.players.join(", ")),
        };
        self.report(diagnostic.help(help));
    }

    /// Reports a name that is no cell.
    pub(crate) fn unknown_cell(&mut self, name: &str, span: Span) {
        if self.failed.contains(name) {
            return;
        }
        let diagnostic =
            Diagnostic::error("unknown-cell", span, format!("there is no cell called `{name}`"))
                .label("not declared with `cell` or `counter`");
        let help = match nearest(name, self.cells.keys().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("declare it: `cell {name}: 0..9`, or `: bool`, `: square` and the like")
            }
        };
        self.report(diagnostic.help(help));
    }

    /// What directions the board has.
    pub(crate) fn directions_help(&self) -> String {
        match self.board.grid {
            GridKind::Hex => {
                "a hexagonal board has `north`, `south`, `east`, `west`, `northwest` and `southeast`, together `six`".to_owned()
            }
            GridKind::None => "a board is needed first: `board square 8 by 8`".to_owned(),
            GridKind::Square | GridKind::Graph => {
                "this board has the eight directions of the compass, together `eight`".to_owned()
            }
        }
    }
}

/// Whether a name could be that of a square of some board.
fn looks_like_square(name: &str) -> bool {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = name.len() - digits.len();
    (1..=2).contains(&letters)
        && (1..=3).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
}
