//! Options of a game: what a file declares and what a user asks for.

use ludex_diagnostics::{Diagnostic, Span};

use crate::ast::{Expr, ExprKind, File, ItemKind, OptionRange};

use super::Compiler;
use super::names::nearest;
use super::types::Const;

/// An option that a game has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name.
    pub name: String,
    /// What values it may take.
    pub kind: OptionKind,
    /// Its value when nothing is said, as text.
    pub default: String,
    /// Its value now, as text.
    pub value: String,
}

/// What values an option may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Whole numbers, both ends included.
    Number(i64, i64),
    /// `yes` or `no`.
    Truth,
    /// One of some words.
    Words(Vec<String>),
}

impl OptionKind {
    /// The value that `text` stands for.
    fn read(&self, text: &str) -> Option<Const> {
        match self {
            Self::Number(lo, hi) => {
                text.parse().ok().filter(|it| (lo..=hi).contains(&it)).map(Const::Int)
            }
            Self::Truth => match text {
                "yes" | "true" | "on" => Some(Const::Bool(true)),
                "no" | "false" | "off" => Some(Const::Bool(false)),
                _ => None,
            },
            Self::Words(words) => {
                words.iter().any(|it| it == text).then(|| Const::Word(text.to_owned()))
            }
        }
    }

    /// The values it may take, for people.
    pub fn describe(&self) -> String {
        match self {
            Self::Number(lo, hi) => format!("a whole number from {lo} to {hi}"),
            Self::Truth => "yes or no".to_owned(),
            Self::Words(words) => format!("one of {}", words.join(", ")),
        }
    }
}

fn text(value: &Const) -> String {
    match value {
        Const::Int(value) => value.to_string(),
        Const::Bool(true) => "yes".to_owned(),
        Const::Bool(false) => "no".to_owned(),
        Const::Word(word) => word.clone(),
        _ => String::new(),
    }
}

impl Compiler {
    /// Reads the option declarations and gives each its value.
    pub(crate) fn declare_options(&mut self, file: &File, asked: &str) {
        for item in &file.items {
            if let ItemKind::Option { name, default, range } = &item.kind
                && self.check_fresh(name)
            {
                self.declare_option(&name.text, name.span, default, range.as_ref());
            }
        }
        self.set_options(asked);
        for info in &mut self.option_infos {
            info.value = self.options.get(&info.name).map(text).unwrap_or_default();
        }
    }

    fn declare_option(
        &mut self,
        name: &str,
        span: Span,
        default: &Expr,
        range: Option<&OptionRange>,
    ) {
        let kind = match range {
            Some(OptionRange::Words(words)) => {
                OptionKind::Words(words.iter().map(|it| it.text.clone()).collect())
            }
            Some(OptionRange::Numbers(lo, hi)) => {
                let (lo, hi) = (self.fold_int(lo).unwrap_or(0), self.fold_int(hi).unwrap_or(0));
                OptionKind::Number(lo, hi)
            }
            None => match self.fold(None, default, None) {
                Some(Const::Int(_)) => OptionKind::Number(0, 1000),
                _ => OptionKind::Truth,
            },
        };
        let value = match (&kind, &default.kind) {
            (OptionKind::Words(_), ExprKind::Name(word)) => kind.read(word),
            _ => self.fold(None, default, None).and_then(|it| kind.read(&text(&it))),
        };
        let value = value.unwrap_or_else(|| {
            let message = format!("the usual value of option `{name}` is not one of its values");
            let help = match range {
                Some(_) => format!("write {} after `=`", kind.describe()),
                None => "write a number, `yes` or `no`; for words list them: `option start = empty in (empty, full)`".to_owned(),
            };
            self.report(
                Diagnostic::error("bad-default", default.span, message)
                    .label(format!("expected {}", kind.describe()))
                    .help(help),
            );
            // Some value, so that what uses the option can be looked at.
            match &kind {
                OptionKind::Number(lo, _) => Const::Int(*lo),
                OptionKind::Truth => Const::Bool(false),
                OptionKind::Words(words) => Const::Word(words.first().cloned().unwrap_or_default()),
            }
        });
        self.options.insert(name.to_owned(), value.clone());
        self.declared.push((name.to_owned(), span, "option"));
        let default = text(&value);
        self.option_infos.push(OptionInfo {
            name: name.to_owned(),
            kind,
            value: default.clone(),
            default,
        });
    }

    /// Sets the options that the user asks for: `11,swap=yes`.
    fn set_options(&mut self, asked: &str) {
        let mut position = 0;
        for part in asked.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let (name, value) = match part.split_once('=') {
                Some((name, value)) => (name.trim().to_owned(), value.trim()),
                None => {
                    position += 1;
                    match self.option_infos.get(position - 1) {
                        Some(info) => (info.name.clone(), part),
                        None => {
                            self.bad_option(format!("there is no option for `{part}`"));
                            continue;
                        }
                    }
                }
            };
            self.set_option(&name, value);
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let Some(info) = self.option_infos.iter().find(|it| it.name == name) else {
            let known: Vec<String> = self.option_infos.iter().map(|it| it.name.clone()).collect();
            let hint = nearest(name, known.iter().map(String::as_str))
                .map(|it| format!("; did you mean `{it}`?"))
                .unwrap_or_default();
            self.bad_option(format!("there is no option called `{name}`{hint}"));
            return;
        };
        match info.kind.read(value) {
            Some(value) => {
                self.options.insert(name.to_owned(), value);
            }
            None => {
                let what = info.kind.describe();
                self.bad_option(format!("option `{name}` is {what}, not `{value}`"));
            }
        }
    }

    fn bad_option(&mut self, message: String) {
        let help = if self.option_infos.is_empty() {
            "this game has no options".to_owned()
        } else {
            let all: Vec<String> = self
                .option_infos
                .iter()
                .map(|it| format!("{} ({})", it.name, it.kind.describe()))
                .collect();
            format!("its options are {}", all.join("; "))
        };
        let diagnostic = Diagnostic::error("bad-option", Span::default(), message).help(help);
        self.report(diagnostic);
    }
}
