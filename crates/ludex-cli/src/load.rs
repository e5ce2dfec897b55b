//! From `GAME` on the command line to a game that can be played.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::Result;
use ludex_core::text::nearest;
use ludex_core::{Fault, Player};
use ludex_interp::RulesGame;
use ludex_rules::codes::fault_help;
use ludex_rules::render::line_column;
use ludex_rules::{Compiled, Diagnostic, Severity, Span, compile, render};

use crate::args::EngineKind;
use crate::bundled;
use crate::engine::Engine;
use crate::failure::Mistake;
use crate::files::{LARGEST_RULES, read_text};
use crate::output::colour;
use crate::words::{count, names};

/// How names of rules, players and goals end.
const ENDINGS: [&str; 3] = [".game", ".player", ".goal"];

/// A text of rules, found but not yet compiled.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// What the game is called: a bundled name, or the path as typed.
    pub(crate) name: String,
    /// The options after the colon.
    pub(crate) options: String,
    /// What messages call the file.
    pub(crate) file: String,
    /// The rules.
    pub(crate) text: Cow<'static, str>,
}

impl Source {
    /// The game with its options, as it can be typed again.
    pub(crate) fn spec(&self) -> String {
        if self.options.is_empty() {
            self.name.clone()
        } else {
            format!("{}:{}", self.name, self.options)
        }
    }

    /// What the game is called, without its folder and the ending of its file.
    pub(crate) fn bare_name(&self) -> String {
        let stem = Path::new(&self.name).file_stem().map(PathBuf::from).unwrap_or_default();
        stem.display().to_string()
    }

    /// A hash of the text, for records.
    pub(crate) fn hash(&self) -> u64 {
        fnv1a(self.text.as_bytes())
    }

    /// Diagnostics as a person sees them.
    pub(crate) fn render(&self, diagnostics: &[Diagnostic]) -> String {
        render::render(diagnostics, &self.file, &self.text, colour())
    }
}

/// Fowler, Noll and Vo's hash: short, and the same on every machine.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Finds the rules that `spec` names: a bundled game or a file, with options after a colon.
pub(crate) fn find(spec: &str) -> Result<Source> {
    let (name, options) = split(spec);
    let source = |file: String, text| Source {
        name: name.to_owned(),
        options: options.trim().to_owned(),
        file,
        text,
    };
    if let Some(rules) = bundled::rules(name) {
        return Ok(source(format!("{name}.game"), Cow::Borrowed(rules)));
    }
    if is_path(name) {
        let text = read_text(Path::new(name), LARGEST_RULES)?;
        return Ok(source(name.to_owned(), Cow::Owned(text)));
    }
    Err(unknown_game(name).into())
}

/// The name and the options of a game or a player. A file whose name has a colon is found, too.
pub(crate) fn split(spec: &str) -> (&str, &str) {
    if Path::new(spec).is_file() {
        return (spec, "");
    }
    spec.rsplit_once(':').unwrap_or((spec, ""))
}

fn is_path(name: &str) -> bool {
    name.contains('/') || ENDINGS.iter().any(|it| name.ends_with(it)) || Path::new(name).exists()
}

fn unknown_game(name: &str) -> Mistake {
    let help = match nearest(name, bundled::names()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "`ludex games` lists the games; a rules file ends in `.game`".to_owned(),
    };
    Mistake::with_help(format!("there is no game called `{name}`"), help)
}

/// A game, with the text it came from.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The text.
    pub(crate) source: Source,
    /// What the compiler made of it.
    pub(crate) compiled: Compiled,
    /// The game.
    pub(crate) game: Engine,
    /// For a player or a goal, the rules it is for.
    rules: Option<Source>,
}

/// Makes the game that `spec` names, run by an engine of this kind.
pub(crate) fn load(spec: &str, engine: EngineKind) -> Result<Loaded> {
    let source = find(spec)?;
    let compiled = compile(&source.text, &source.options);
    build(source, compiled, engine)
}

/// Makes a game of what the compiler gave.
pub(crate) fn build(source: Source, compiled: Compiled, engine: EngineKind) -> Result<Loaded> {
    build_with(source, None, compiled, engine)
}

/// Makes the game that a player file thinks about: that of `game`, with its opinions.
pub(crate) fn build_player(source: Source, compiled: Compiled, game: &Loaded) -> Result<Loaded> {
    build_with(source, Some(game.source.clone()), compiled, game.game.kind())
}

/// Makes the game in which a goal is to be reached.
pub(crate) fn build_goal(
    goal: Source,
    compiled: Compiled,
    rules: Source,
    engine: EngineKind,
) -> Result<Loaded> {
    build_with(goal, Some(rules), compiled, engine)
}

fn build_with(
    source: Source,
    rules: Option<Source>,
    mut compiled: Compiled,
    engine: EngineKind,
) -> Result<Loaded> {
    let Some(program) = compiled.program.take() else {
        return Err(unusable(&source, &compiled.diagnostics).into());
    };
    let game = RulesGame::new(program).map_err(|error| {
        Mistake::new(format!(
            "a bug in the compiler of `{}`, please report it: {error}",
            source.file
        ))
    })?;
    let game =
        game.with_name(source.bare_name(), source.options.clone()).with_rules_hash(source.hash());
    Ok(Loaded { source, compiled, game: Engine::new(game, engine), rules })
}

/// Why a file cannot be used.
pub(crate) fn unusable(source: &Source, diagnostics: &[Diagnostic]) -> Mistake {
    let errors: Vec<Diagnostic> =
        diagnostics.iter().filter(|it| it.severity == Severity::Error).cloned().collect();
    // Options come from the command line, not from the file: there is no line to show.
    if let Some(it) = errors.iter().find(|it| it.code == "bad-option") {
        let message = format!("`{}`: {}", source.spec(), it.message);
        return Mistake::Plain { message, help: it.help.clone() };
    }
    let shown = source.render(&errors);
    let total = count(errors.len() as i64, "error");
    Mistake::Shown(format!("{shown}\nerror: `{}` cannot be used: {total}", source.file))
}

fn diagnostic(fault: &Fault, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(fault.code, span, fault.message.clone());
    match fault_help(fault.code) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

impl Loaded {
    /// The rules: the text itself, or what a player or a goal is for.
    pub(crate) fn rules(&self) -> &Source {
        self.rules.as_ref().unwrap_or(&self.source)
    }

    /// A hash of all that decides who wins: the rules, and the goal if there is one.
    pub(crate) fn hash(&self) -> u64 {
        match &self.rules {
            None => self.source.hash(),
            Some(rules) => fnv1a(&[rules.text.as_bytes(), self.source.text.as_bytes()].join(&0)),
        }
    }

    /// The error for a fault of the rules, with the line that is at fault.
    pub(crate) fn blame(&self, fault: Fault) -> anyhow::Error {
        let source = self.source_of(&fault);
        let shown = match self.place(&fault) {
            Some(span) => source.render(&[diagnostic(&fault, span)]),
            None => format!("error[{}]: {}: {}", fault.code, source.file, fault.message),
        };
        Mistake::Shown(shown).into()
    }

    /// The same in one line: `my.game:12: …`.
    pub(crate) fn blame_shortly(&self, fault: &Fault) -> String {
        let source = self.source_of(fault);
        let line = self.place(fault).map(|it| line_column(&source.text, it.start as usize).0);
        let line = line.map(|it| format!(":{it}")).unwrap_or_default();
        format!("{}{line}: {}", source.file, fault.message)
    }

    /// A fault as a diagnostic of the file. What a player file does wrong in a routine of the
    /// rules has no place in it.
    pub(crate) fn diagnostic(&self, fault: &Fault) -> Diagnostic {
        diagnostic(
            fault,
            self.place(fault).filter(|_| !self.is_of_rules(fault)).unwrap_or_default(),
        )
    }

    /// Whether a fault of a player file is in the rules it is for.
    fn is_of_rules(&self, fault: &Fault) -> bool {
        fault.place.is_some_and(|it| self.compiled.rules_places.contains(&it))
    }

    /// The text in which a fault is.
    fn source_of(&self, fault: &Fault) -> &Source {
        fault.place.map_or(&self.source, |it| self.source_at(it))
    }

    /// The text in which a place of the program is.
    pub(crate) fn source_at(&self, place: u32) -> &Source {
        let is_in_rules = self.compiled.rules_places.contains(&place);
        self.rules.as_ref().filter(|_| is_in_rules).unwrap_or(&self.source)
    }

    fn place(&self, fault: &Fault) -> Option<Span> {
        fault.place.and_then(|it| self.span(it))
    }

    /// The player with this name or number (from 1).
    pub(crate) fn player(&self, side: &str) -> Result<Player> {
        let names = names(&self.game);
        let called = names.iter().position(|it| it.eq_ignore_ascii_case(side));
        let number = || side.parse().ok().filter(|it| (1..=names.len()).contains(it));
        if let Some(found) = called.or_else(|| number().map(|it| it - 1)) {
            return Ok(Player(found as u8));
        }
        let help = match nearest(side, names.iter().map(String::as_str)) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("the players are {}", names.join(", ")),
        };
        Err(Mistake::with_help(format!("there is no player called `{side}`"), help).into())
    }

    /// The text that a place of the program stands for.
    pub(crate) fn span(&self, place: u32) -> Option<Span> {
        self.compiled.spans.get((place as usize).checked_sub(1)?).copied()
    }
}
