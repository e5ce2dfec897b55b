//! Parts of a game, put where they belong in a whole one.

use ludex_diagnostics::{Diagnostic, Span};

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Game,
    /// A player or a goal: what stands beside a bundled game.
    Beside,
    Board,
    Decls,
    Moves,
    Result,
}

impl Kind {
    /// The kind that the words after a fence name.
    pub(crate) fn named(words: &[&str]) -> Option<Self> {
        Some(match words {
            ["game"] => Self::Game,
            ["player" | "goal"] => Self::Beside,
            ["board"] => Self::Board,
            ["decls"] => Self::Decls,
            ["moves"] => Self::Moves,
            ["result"] => Self::Result,
            _ => return None,
        })
    }
}

/// A part in a whole file.
pub(crate) struct Wrapped {
    /// What kind of part it is.
    pub(crate) kind: Kind,
    /// The whole file.
    pub(crate) source: String,
    /// The part.
    part: String,
    /// Where the part begins in the file.
    start: usize,
    /// How many blanks were put before each of its lines.
    indent: usize,
}

impl Wrapped {
    /// The part as the reader sees it, and the diagnostic at its place there.
    pub(crate) fn as_read(&self, diagnostic: &Diagnostic) -> Result<(Diagnostic, &str), String> {
        let place = |offset: u32| self.place(offset as usize);
        let Span { start, end } = diagnostic.span;
        let (Some(start), Some(end)) = (place(start), place(end)) else {
            return Err(format!("the mistake is not in the example: {diagnostic:?}"));
        };
        Ok((Diagnostic { span: Span::new(start, end), ..diagnostic.clone() }, &self.part))
    }

    /// Where an offset of the file lies in the part.
    fn place(&self, offset: usize) -> Option<usize> {
        let mut at = self.start;
        let mut start = 0;
        for line in self.part.split_inclusive('\n') {
            let indent = if line.trim().is_empty() { 0 } else { self.indent };
            let length = line.len() + indent;
            if (at..at + length).contains(&offset) {
                return Some(start + (offset - at).saturating_sub(indent));
            }
            at += length;
            start += line.len();
        }
        (offset == at).then_some(start)
    }
}

/// A whole file is its own part.
pub(crate) fn whole(text: &str) -> Wrapped {
    Wrapped {
        kind: Kind::Game,
        source: text.to_owned(),
        part: text.to_owned(),
        start: 0,
        indent: 0,
    }
}

/// Puts a part where it belongs.
pub(crate) fn wrap(kind: Kind, part: &str, game: &str) -> Wrapped {
    let (head, words, indent): (String, Vec<&str>, usize) = match kind {
        Kind::Game | Kind::Beside => return Wrapped { kind, ..whole(part) },
        Kind::Board => {
            let game = "game \"Board\"\nplayers X, O\nmen mark \"X\" \"O\"\nmoves\n  for a in empty: move put my mark on a\nstuck\n  draw\n";
            (game.to_owned(), Vec::new(), 0)
        }
        Kind::Decls => {
            let first = |line: &str| line.split([' ', ':']).next().map(str::len);
            let own = part.lines().filter(|it| it.starts_with(|c: char| c.is_ascii_lowercase()));
            let words =
                own.filter_map(|it| Some(&it[..first(it)?])).filter(|it| REPLACED.contains(it));
            (String::new(), words.collect(), 0)
        }
        Kind::Moves => ("moves\n".to_owned(), vec!["moves"], 2),
        Kind::Result => ("result\n".to_owned(), vec!["result"], 2),
    };
    let game = if kind == Kind::Board { String::new() } else { without(game, &words) };
    let mut source = format!("{game}{head}");
    let start = source.len();
    for line in part.lines() {
        let blanks = if line.trim().is_empty() { 0 } else { indent };
        source.push_str(&format!("{:blanks$}{line}\n", ""));
    }
    Wrapped { kind, source, part: part.to_owned(), start, indent }
}

/// What a part replaces; of other declarations there may be several.
const REPLACED: &[&str] =
    &["board", "players", "men", "start", "moves", "result", "stuck", "adjudicate", "history"];

/// A game without the declarations that begin with one of these words.
fn without(game: &str, words: &[&str]) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in game.lines() {
        if line.starts_with(|c: char| c.is_ascii_lowercase()) {
            let word = line.split(' ').next().unwrap_or_default();
            skipping = words.contains(&word);
        }
        if !skipping {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}
