//! The text that names an external engine: `./prog args,protocol=uci,option.Skill Level=3`.
//!
//! A command, then options after commas. A comma, a space or a quote inside a word is quoted or has a
//! backslash before it: see [`shell_words`](super::shell_words).

use std::fmt;
use std::time::Duration;

use ludex_core::text::nearest;

use super::shell_words::{parts, unquoted, words};
use crate::units::duration;

/// The prefix of the command in the name of a player.
pub const PREFIX: &str = "cmd:";

/// The time to start, to get ready, and to answer where no clock runs.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// The time overrun that is forgiven: delays of pipes and schedulers are not the engine's fault.
pub const MARGIN: Duration = Duration::from_millis(500);

/// A protocol of external engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolKind {
    /// UCI for any game, with queries about the rules.
    Ugi,
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Shogi Interface.
    Usi,
    /// The Chess Engine Communication Protocol, of `XBoard`.
    Cecp,
    /// The Go Text Protocol.
    Gtp,
    /// The protocol of the Gomocup tournaments, for five in a row.
    Gomocup,
}

/// Every protocol by its names.
const PROTOCOLS: [(&str, ProtocolKind); 7] = [
    ("ugi", ProtocolKind::Ugi),
    ("uci", ProtocolKind::Uci),
    ("usi", ProtocolKind::Usi),
    ("cecp", ProtocolKind::Cecp),
    ("xboard", ProtocolKind::Cecp),
    ("gtp", ProtocolKind::Gtp),
    ("gomocup", ProtocolKind::Gomocup),
];

impl ProtocolKind {
    /// The protocol of this name.
    pub fn named(name: &str) -> Option<Self> {
        PROTOCOLS.iter().find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, it)| *it)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        PROTOCOLS.iter().find(|(_, it)| *it == self).map_or("", |(name, _)| *name)
    }
}

/// An external engine with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The executable.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its protocol; `None` for the default of the game.
    pub protocol: Option<ProtocolKind>,
    /// Its name in tables.
    pub name: Option<String>,
    /// The folder it runs in.
    pub folder: Option<String>,
    /// Additional environment variables.
    pub environment: Vec<(String, String)>,
    /// Engine options, set by the commands of its protocol.
    pub options: Vec<(String, String)>,
    /// Lines that are sent before a game, verbatim.
    pub lines: Vec<String>,
    /// The node budget of a move.
    pub nodes: Option<u64>,
    /// The greatest search depth, in plies.
    pub depth: Option<u32>,
    /// The time limit of a move.
    pub time: Option<Duration>,
    /// The time overrun that is forgiven.
    pub margin: Duration,
    /// The time to wait for an answer where no clock runs.
    pub patience: Duration,
}

/// An error in the text of an [`EngineSpec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpecError {
    /// The error.
    pub message: String,
    /// How to correct it.
    pub help: Option<String>,
}

impl fmt::Display for EngineSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EngineSpecError {}

/// The keys of the options, apart from `option.` and `env.`.
const KEYS: [&str; 9] =
    ["protocol", "name", "dir", "nodes", "depth", "time", "margin", "patience", "say"];

impl EngineSpec {
    /// An engine without arguments or options.
    pub fn new(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            protocol: None,
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
    /// use ludex_arena::engines::{EngineSpec, ProtocolKind};
    ///
    /// let text = "fish --quiet,protocol=uci,option.Skill Level=3,nodes=1000";
    /// let spec = EngineSpec::parse(text).unwrap();
    /// assert_eq!((spec.program.as_str(), spec.protocol), ("fish", Some(ProtocolKind::Uci)));
    /// assert_eq!(spec.options, [("Skill Level".to_owned(), "3".to_owned())]);
    /// ```
    pub fn parse(text: &str) -> Result<Self, EngineSpecError> {
        let bad = |message: String| EngineSpecError {
            message: format!("`{text}`: {message}"),
            help: None,
        };
        let parts = parts(text).map_err(bad)?;
        let (command, options) = parts.split_first().expect("a text has a part");
        let mut command = words(command).map_err(bad)?.into_iter();
        let program =
            command.next().filter(|it| !it.is_empty()).ok_or_else(|| EngineSpecError {
                message: "there is no program after `cmd:`".to_owned(),
                help: Some("write `cmd:./prog --its args,protocol=uci`".to_owned()),
            })?;
        let mut spec = Self { args: command.collect(), ..Self::new(program) };
        for option in options.iter().filter(|it| !it.trim().is_empty()) {
            spec.set(option)?;
        }
        Ok(spec)
    }

    /// Sets one option from its text.
    fn set(&mut self, option: &str) -> Result<(), EngineSpecError> {
        let (key, value) = option.split_once('=').ok_or_else(|| unknown(option.trim()))?;
        let bad = |message: String| EngineSpecError {
            message: format!("`{option}`: {message}"),
            help: None,
        };
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
            "protocol" => self.protocol = Some(protocol(&value)?),
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

    /// Whether it has limits of its own, beside those of the match.
    pub fn has_own_limits(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some() || self.time.is_some()
    }

    /// Its name, or else the file name of its executable.
    pub fn title(&self) -> &str {
        let file = || self.program.rsplit(['/', '\\']).next().unwrap_or(&self.program);
        self.name.as_deref().unwrap_or_else(file)
    }
}

fn has_breaks(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

fn protocol(value: &str) -> Result<ProtocolKind, EngineSpecError> {
    ProtocolKind::named(value).ok_or_else(|| {
        let names = PROTOCOLS.map(|(name, _)| name);
        let help = match nearest(value, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        EngineSpecError { message: format!("there is no protocol `{value}`"), help: Some(help) }
    })
}

fn unknown(key: &str) -> EngineSpecError {
    let help = match nearest(key, KEYS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a comma of the command is written `\\,`; options of the engine itself are \
                 `option.NAME=VALUE`, variables `env.NAME=VALUE`"
            .to_owned(),
    };
    EngineSpecError {
        message: format!("an external engine has no option `{key}`"),
        help: Some(help),
    }
}

fn number(key: &str, value: &str) -> Result<u64, EngineSpecError> {
    value.parse().ok().filter(|&it| it > 0).ok_or_else(|| EngineSpecError {
        message: format!("`{key}={value}`: `{value}` is no number"),
        help: Some(format!("write `{key}=1000`")),
    })
}

/// A positive time: a number and a unit.
fn time(key: &str, value: &str) -> Result<Duration, EngineSpecError> {
    duration(value).ok().filter(|it| !it.is_zero()).ok_or_else(|| EngineSpecError {
        message: format!("`{key}={value}`: `{value}` is no time"),
        help: Some(format!("write `{key}=500ms` or `{key}=5s`")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_and_its_options() {
        let spec = EngineSpec::parse(
            r#"'/a b/prog' --x "1, 2",protocol=xboard,name=Old One,option.Path="c,d",say=level 3,time=250ms,env.A=b=c"#,
        )
        .unwrap();
        assert_eq!(spec.program, "/a b/prog");
        assert_eq!(spec.args, ["--x", "1, 2"]);
        assert_eq!((spec.protocol, spec.title()), (Some(ProtocolKind::Cecp), "Old One"));
        assert_eq!(spec.options, [("Path".to_owned(), "c,d".to_owned())]);
        assert_eq!(spec.environment, [("A".to_owned(), "b=c".to_owned())]);
        assert_eq!(
            (spec.lines, spec.time),
            (vec!["level 3".to_owned()], Some(Duration::from_millis(250)))
        );
        assert_eq!(EngineSpec::parse("./x/prog").unwrap().title(), "prog");
    }

    #[track_caller]
    fn wrong(text: &str, message: &str, help: &str) {
        let error = EngineSpec::parse(text).unwrap_err();
        assert!(error.message.contains(message), "{error:?}");
        assert!(error.help.as_deref().unwrap_or_default().contains(help), "{error:?}");
    }

    #[test]
    fn mistakes_are_reported() {
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
