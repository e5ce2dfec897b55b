//! A text and what messages call it.

/// A source text and its name. It borrows both, so that a caller keeps its files as it likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceText<'a> {
    /// What messages call the text: usually the path of its file.
    pub name: &'a str,
    /// The text, to whose bytes spans refer.
    pub text: &'a str,
}

impl<'a> SourceText<'a> {
    /// A text called `name`.
    pub const fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text }
    }
}
