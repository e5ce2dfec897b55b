//! How a program is brought: `./prog args,protocol=uci,option.Skill Level=3`.
//!
//! A command, then options after commas. A comma, a space or a quote that belongs to a word is
//! quoted, or has a backslash before it: see [`words`](super::words).

use std::fmt;
use std::time::Duration;

use ludex_core::text::nearest;

use super::words::{parts, unquoted, words};
use crate::units::duration;

/// What comes before the command where other players are named as well.
pub const PREFIX: &str = "cmd:";

/// How long a program that nobody times may take: to start, to get ready, and to answer.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// How much later than its time a move may come: pipes and schedulers are not the program's fault.
pub const MARGIN: Duration = Duration::from_millis(500);

/// What a program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// UCI with questions about the rules.
    Ugi,
    /// What chess programs speak.
    Uci,
    /// What shogi programs speak.
    Usi,
    /// What chess programs spoke before: the `XBoard` protocol.
    Cecp,
    /// What Go programs speak.
    Gtp,
    /// What five-in-a-row programs speak.
    Gomocup,
}

/// Every language by its name.
const LANGUAGES: [(&str, Language); 7] = [
    ("ugi", Language::Ugi),
    ("uci", Language::Uci),
    ("usi", Language::Usi),
    ("cecp", Language::Cecp),
    ("xboard", Language::Cecp),
    ("gtp", Language::Gtp),
    ("gomocup", Language::Gomocup),
];

impl Language {
    /// The language that is called so.
    pub fn named(name: &str) -> Option<Self> {
        LANGUAGES.iter().find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, it)| *it)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        LANGUAGES.iter().find(|(_, it)| *it == self).map_or("", |(name, _)| *name)
    }
}

/// A program from outside, as somebody asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What it speaks, if that was said.
    pub language: Option<Language>,
    /// What to call it in tables.
    pub name: Option<String>,
    /// The folder it runs in.
    pub folder: Option<String>,
    /// What is added to its environment.
    pub environment: Vec<(String, String)>,
    /// Options of its own, set in the words of its protocol.
    pub options: Vec<(String, String)>,
    /// Lines that are said to it before a game, as they are.
    pub lines: Vec<String>,
    /// At most so many nodes for a move.
    pub nodes: Option<u64>,
    /// At most so many plies.
    pub depth: Option<u32>,
    /// At most so much time for a move.
    pub time: Option<Duration>,
    /// How much later than its time a move may come.
    pub margin: Duration,
    /// How long to wait where nobody looks at a clock.
    pub patience: Duration,
}

/// What is wrong with the text of a [`Spec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

/// The options that are not the program's own.
const KEYS: [&str; 9] =
    ["protocol", "name", "dir", "nodes", "depth", "time", "margin", "patience", "say"];

impl Spec {
    /// A program without arguments or options.
    pub fn new(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            language: None,
            name: None,
            folder: None,
            environment: Vec::new(),
            options: Vec::new(),
            lines: Vec::new(),
            nodes: None,
            depth: None,
            time: None,
            margin: MARGIN,
            patience: PATIENCE,
        }
    }

    /// Reads a command with its options.
    ///
    /// ```
    /// use ludex_arena::outside::{Language, Spec};
    ///
    /// let spec = Spec::parse("fish --quiet,protocol=uci,option.Skill Level=3,nodes=1000").unwrap();
    /// assert_eq!((spec.program.as_str(), spec.language), ("fish", Some(Language::Uci)));
    /// assert_eq!(spec.options, [("Skill Level".to_owned(), "3".to_owned())]);
    /// ```
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let bad =
            |message: String| SpecError { message: format!("`{text}`: {message}"), help: None };
        let parts = parts(text).map_err(bad)?;
        let (command, options) = parts.split_first().expect("a text has a part");
        let mut command = words(command).map_err(bad)?.into_iter();
        let program = command.next().filter(|it| !it.is_empty()).ok_or_else(|| SpecError {
            message: "there is no program after `cmd:`".to_owned(),
            help: Some("write `cmd:./prog --its args,protocol=uci`".to_owned()),
        })?;
        let mut spec = Self { args: command.collect(), ..Self::new(program) };
        for option in options.iter().filter(|it| !it.trim().is_empty()) {
            spec.set(option)?;
        }
        Ok(spec)
    }

    /// Takes one option, as it was written.
    fn set(&mut self, option: &str) -> Result<(), SpecError> {
        let (key, value) = option.split_once('=').ok_or_else(|| unknown(option.trim()))?;
        let bad =
            |message: String| SpecError { message: format!("`{option}`: {message}"), help: None };
        let (key, value) = (unquoted(key).map_err(bad)?, unquoted(value).map_err(bad)?);
        if has_breaks(&key) || has_breaks(&value) {
            return Err(bad("an option is on one line".to_owned()));
        }
        if let Some(name) = key.strip_prefix("option.") {
            self.options.push((name.to_owned(), value));
            return Ok(());
        }
        if let Some(name) = key.strip_prefix("env.") {
            let sound = !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0');
            self.environment.push((name.to_owned(), value));
            return if sound { Ok(()) } else { Err(bad("no such variable can be set".to_owned())) };
        }
        match key.as_str() {
            "protocol" => self.language = Some(language(&value)?),
            "name" => self.name = Some(value),
            "dir" => self.folder = Some(value),
            "say" => self.lines.push(value),
            "nodes" => self.nodes = Some(number(&key, &value)?),
            "depth" => self.depth = Some(number(&key, &value)?.min(10_000) as u32),
            "time" => self.time = Some(time(&key, &value)?),
            "margin" => self.margin = time(&key, &value)?,
            "patience" => self.patience = time(&key, &value)?,
            _ => return Err(unknown(&key)),
        }
        Ok(())
    }

    /// Whether it thinks no longer than it was told here, whatever a match says.
    pub fn has_own_limits(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some() || self.time.is_some()
    }

    /// What to call it: its name, or what its file is called.
    pub fn title(&self) -> &str {
        let file = || self.program.rsplit(['/', '\\']).next().unwrap_or(&self.program);
        self.name.as_deref().unwrap_or_else(file)
    }
}

fn has_breaks(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

fn language(value: &str) -> Result<Language, SpecError> {
    Language::named(value).ok_or_else(|| {
        let names = LANGUAGES.map(|(name, _)| name);
        let help = match nearest(value, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        SpecError { message: format!("there is no protocol `{value}`"), help: Some(help) }
    })
}

fn unknown(key: &str) -> SpecError {
    let help = match nearest(key, KEYS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a comma of the command is written `\\,`; options of the program itself are \
                 `option.NAME=VALUE`, variables `env.NAME=VALUE`"
            .to_owned(),
    };
    SpecError { message: format!("a program has no option `{key}`"), help: Some(help) }
}

fn number(key: &str, value: &str) -> Result<u64, SpecError> {
    value.parse().ok().filter(|&it| it > 0).ok_or_else(|| SpecError {
        message: format!("`{key}={value}`: `{value}` is no number"),
        help: Some(format!("write `{key}=1000`")),
    })
}

/// A number and a unit, and not nothing.
fn time(key: &str, value: &str) -> Result<Duration, SpecError> {
    duration(value).ok().filter(|it| !it.is_zero()).ok_or_else(|| SpecError {
        message: format!("`{key}={value}`: `{value}` is no time"),
        help: Some(format!("write `{key}=500ms` or `{key}=5s`")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_and_its_options() {
        let spec = Spec::parse(
            r#"'/a b/prog' --x "1, 2",protocol=xboard,name=Old One,option.Path="c,d",say=level 3,time=250ms,env.A=b=c"#,
        )
        .unwrap();
        assert_eq!(spec.program, "/a b/prog");
        assert_eq!(spec.args, ["--x", "1, 2"]);
        assert_eq!((spec.language, spec.title()), (Some(Language::Cecp), "Old One"));
        assert_eq!(spec.options, [("Path".to_owned(), "c,d".to_owned())]);
        assert_eq!(spec.environment, [("A".to_owned(), "b=c".to_owned())]);
        assert_eq!(
            (spec.lines, spec.time),
            (vec!["level 3".to_owned()], Some(Duration::from_millis(250)))
        );
        assert_eq!(Spec::parse("./x/prog").unwrap().title(), "prog");
    }

    #[track_caller]
    fn wrong(text: &str, message: &str, help: &str) {
        let error = Spec::parse(text).unwrap_err();
        assert!(error.message.contains(message), "{error:?}");
        assert!(error.help.as_deref().unwrap_or_default().contains(help), "{error:?}");
    }

    #[test]
    fn mistakes_are_named() {
        wrong("", "no program", "cmd:./prog");
        wrong("prog,protocol=gomocub", "`gomocub`", "`gomocup`");
        wrong("prog,patiense=3", "`patiense`", "`patience`");
        wrong("prog a,b", "`b`", "`\\,`");
        wrong("prog,nodes=many", "`many`", "nodes=1000");
        wrong("prog,time=0", "`0`", "time=500ms");
        wrong("prog 'a", "not closed", "");
        wrong("prog,option.a='x\ny'", "one line", "");
        wrong("prog,env.=1", "variable", "");
    }
}
