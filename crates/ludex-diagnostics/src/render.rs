//! Diagnostics as a person sees them: the line, the place underlined, what to do.
//!
//! ```text
//! error[foreign-word]: `&&` is written `and` here
//!  --> chess.game:12:10
//!    |
//! 12 |   if a && b: victory
//!    |        ^^ not of this language
//!    |
//!    = help: write `and`
//! ```
//!
//! The library that lays out the lines reads all the text that it is handed, so it is handed only
//! the lines from the first to the last that a diagnostic points to.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Level, Snippet};

use crate::{Diagnostic, Severity, SourceText, Span, line_column};

/// How diagnostics are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Renderer {
    /// Whether to colour the text with the escape sequences of terminals.
    pub colour: bool,
}

/// Shows diagnostics without colours: [`Renderer::render`] as it is by default.
pub fn render(diagnostics: &[Diagnostic], source: SourceText<'_>) -> String {
    Renderer::default().render(diagnostics, source)
}

impl Renderer {
    /// Shows diagnostics one after the other, with an empty line between them.
    ///
    /// A span may lie anywhere, even past the end: it is cut to what there is. A span of several
    /// lines is underlined on its first.
    pub fn render(self, diagnostics: &[Diagnostic], source: SourceText<'_>) -> String {
        let renderer = self.library_renderer();
        let shown: Vec<String> =
            diagnostics.iter().map(|it| render_one(&renderer, it, source)).collect();
        shown.join("\n")
    }

    fn library_renderer(self) -> annotate_snippets::Renderer {
        let renderer = if self.colour {
            annotate_snippets::Renderer::styled()
        } else {
            annotate_snippets::Renderer::plain()
        };
        renderer.decor_style(DecorStyle::Ascii)
    }
}

fn render_one(
    renderer: &annotate_snippets::Renderer,
    diagnostic: &Diagnostic,
    source: SourceText<'_>,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let excerpt = Excerpt::of(source.text, diagnostic);
    let primary = excerpt.annotation(AnnotationKind::Primary, diagnostic.span, &diagnostic.label);
    let related = diagnostic.related.iter();
    let related = related.map(|it| excerpt.annotation(AnnotationKind::Context, it.span, &it.text));
    let snippet = Snippet::source(excerpt.text)
        .line_start(excerpt.first_line)
        .path(source.name)
        .annotation(primary)
        .annotations(related);
    let mut group = level.primary_title(&diagnostic.message).id(diagnostic.code).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// The lines of a text that a diagnostic points to, and those between them.
struct Excerpt<'a> {
    text: &'a str,
    /// Where it begins in the whole text, in bytes.
    start: usize,
    /// The number of its first line, from 1.
    first_line: usize,
}

impl<'a> Excerpt<'a> {
    fn of(text: &'a str, diagnostic: &Diagnostic) -> Self {
        let related = diagnostic.related.iter().map(|it| it.span);
        let lines = related.map(|it| line_at(text, it.start as usize));
        let own = line_at(text, diagnostic.span.start as usize);
        let all = lines.fold(own, |all, line| all.start.min(line.start)..all.end.max(line.end));
        let first_line = line_column(text, all.start).line;
        Self { text: &text[all.clone()], start: all.start, first_line }
    }

    fn annotation<'b>(&self, kind: AnnotationKind, span: Span, label: &'b str) -> Annotation<'b> {
        let annotation = kind.span(self.cut(span));
        if label.is_empty() { annotation } else { annotation.label(label) }
    }

    /// The part of a span that lies on its first line, in bytes of the excerpt.
    fn cut(&self, span: Span) -> Range<usize> {
        let start = (span.start as usize).saturating_sub(self.start);
        let end = (span.end as usize).saturating_sub(self.start).max(start);
        let line = line_at(self.text, start);
        let clip = |at: usize| self.text.floor_char_boundary(at).clamp(line.start, line.end);
        clip(start)..clip(end)
    }
}

/// The line in which a byte lies, in bytes, without what ends it.
fn line_at(text: &str, offset: usize) -> Range<usize> {
    let offset = text.floor_char_boundary(offset);
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |length| offset + length);
    start..start + text[start..end].trim_end_matches('\r').len()
}
