//! Texts of rules, and where they are found: among the bundled games, in a file, in memory.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use ludex_core::text::nearest;
use ludex_diagnostics::{Diagnostic, Renderer, SourceText};

use crate::bundled;
use crate::error::{Error, Result};
use crate::files::{LARGEST_RULES, read_text};

/// How names of rules, players and goals end.
const ENDINGS: [&str; 3] = [".game", ".player", ".goal"];

/// A text of rules, found but not yet compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What the game is called: a bundled name, or the path as typed.
    pub name: String,
    /// The options after the colon.
    pub options: String,
    /// What messages call the file.
    pub file: String,
    /// The rules.
    pub text: Cow<'static, str>,
}

impl Source {
    /// A text of rules in memory, with the options that are chosen.
    pub fn of_text(name: &str, text: impl Into<Cow<'static, str>>, options: &str) -> Self {
        let (name, options) = (name.to_owned(), options.trim().to_owned());
        Self { file: name.clone(), name, options, text: text.into() }
    }

    /// The rules that `spec` names: a bundled game or a file, with options after a colon.
    pub fn find(spec: &str) -> Result<Self> {
        let (name, options) = split(spec);
        if let Some(rules) = bundled::rules(name) {
            return Ok(Self {
                file: format!("{name}.game"),
                ..Self::of_text(name, rules, options)
            });
        }
        if is_path(name) {
            let text = read_text(Path::new(name), LARGEST_RULES)?;
            return Ok(Self::of_text(name, text, options));
        }
        Err(unknown_game(name))
    }

    /// The game with its options, as it can be typed again.
    pub fn spec(&self) -> String {
        if self.options.is_empty() {
            self.name.clone()
        } else {
            format!("{}:{}", self.name, self.options)
        }
    }

    /// What the game is called, without its folder and the ending of its file.
    pub fn bare_name(&self) -> String {
        let stem = Path::new(&self.name).file_stem().map(PathBuf::from).unwrap_or_default();
        stem.display().to_string()
    }

    /// A hash of the text, for records.
    pub fn hash(&self) -> u64 {
        fnv1a(self.text.as_bytes())
    }

    /// Diagnostics as a person sees them.
    pub fn render(&self, diagnostics: &[Diagnostic], colour: bool) -> String {
        let source = SourceText::new(&self.file, &self.text);
        Renderer { colour }.render(diagnostics, source)
    }
}

/// Fowler, Noll and Vo's hash: short, and the same on every machine.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The name and the options of a game or a player. A file whose name has a colon is found, too.
pub fn split(spec: &str) -> (&str, &str) {
    if Path::new(spec).is_file() {
        return (spec, "");
    }
    spec.rsplit_once(':').unwrap_or((spec, ""))
}

fn is_path(name: &str) -> bool {
    name.contains('/') || ENDINGS.iter().any(|it| name.ends_with(it)) || Path::new(name).exists()
}

fn unknown_game(name: &str) -> Error {
    let help = match nearest(name, bundled::names()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "`ludex games` lists the games; a rules file ends in `.game`".to_owned(),
    };
    Error::with_help(format!("there is no game called `{name}`"), help)
}
