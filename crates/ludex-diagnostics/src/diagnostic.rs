//! One thing wrong with a text, as plain data.

use std::fmt;

use crate::{Code, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but something in it is probably not meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// A stretch of the text that a diagnostic points to, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What to underline.
    pub span: Span,
    /// What the underlined text is.
    pub text: String,
}

/// An edit that mends the mistake: an editor can make it without asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What to replace. An empty span inserts.
    pub span: Span,
    /// What to write there.
    pub replacement: String,
}

impl Suggestion {
    /// Writes `replacement` in the place of `span`.
    pub fn new(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into() }
    }
}

/// One thing wrong with a text, said the way a colleague would.
///
/// * `message` says what is wrong, in the author's words, not the compiler's.
/// * `label` sits under the underlined text and says what *that text* is.
/// * `help` says what to type instead. An error without help is a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable name, for tests and for looking it up: `unknown-name`.
    pub code: Code,
    /// One line, no full stop.
    pub message: String,
    /// What to underline.
    pub span: Span,
    /// What the underlined text is, or what was expected there. May be empty.
    pub label: String,
    /// Other places that belong to it, such as the first of two declarations of one name.
    pub related: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// The same as an edit, if there is only one way to mend it.
    pub suggestion: Option<Suggestion>,
}

impl Diagnostic {
    /// An error with neither label nor help yet.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
            suggestion: None,
        }
    }

    /// A warning with neither label nor help yet.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Says what the underlined text is.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Points to another place that belongs to it.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Gives the edit that mends it.
    #[must_use]
    pub fn suggestion(mut self, suggestion: Suggestion) -> Self {
        self.suggestion = Some(suggestion);
        self
    }
}
