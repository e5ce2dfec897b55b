//! Diagnostics: what is wrong with a text, where, and what to type instead.
//!
//! ```text
//! front end ──> Diagnostic (plain data) ──> render ──> what the author reads
//!                     └──> an editor, JSON, a test: whatever reads its fields
//! ```
//!
//! Every language that describes a game (`.game`, `.player`, `.goal`, GDL, `.lud`) reports its
//! errors with these types, so that they look alike wherever they are shown.
//!
//! ```
//! use ludex_diagnostics::{Diagnostic, SourceText, Span, Suggestion, render};
//!
//! let source = SourceText::new("my.game", "result\n  if a && b: victory\n");
//! let span = Span::new(14, 16);
//! let diagnostic = Diagnostic::error("foreign-word", span, "`&&` is written `and` here")
//!     .label("not of this language")
//!     .help("write `and`")
//!     .suggestion(Suggestion::new(span, "and"));
//!
//! assert_eq!(
//!     render(&[diagnostic], source),
//!     "\
//! error[foreign-word]: `&&` is written `and` here
//!  --> my.game:2:8
//!   |
//! 2 |   if a && b: victory
//!   |        ^^ not of this language
//!   |
//!   = help: write `and`
//! "
//! );
//! ```
//!
//! Start reading at [`Diagnostic`]. [`Span`] says where, [`SourceText`] holds the text and its name,
//! [`Renderer`] shows both to a person; [`line_column`] and [`Lines`] turn offsets into lines.
//!
//! **Invariant:** a diagnostic is plain data with public fields, comparable in tests. Colour and
//! layout exist only in [`Renderer`].

#![forbid(unsafe_code)]

mod code;
mod diagnostic;
mod lines;
mod render;
mod source;
mod span;

pub use code::{Code, is_code};
pub use diagnostic::{Diagnostic, Label, Severity, Suggestion};
pub use lines::{LineColumn, Lines, line_column};
pub use render::{Renderer, render};
pub use source::SourceText;
pub use span::Span;
