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

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::diag::{Diagnostic, Severity, Span};

/// Shows diagnostics one after the other, with an empty line between them.
///
/// A span may lie anywhere, even past the end: it is cut to what there is. A span of several lines is
/// underlined on its first.
pub fn render(diagnostics: &[Diagnostic], file_name: &str, source: &str, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let shown: Vec<String> =
        diagnostics.iter().map(|it| render_one(&renderer, it, file_name, source)).collect();
    shown.join("\n")
}

/// The line and the column of a byte of the source, both from 1; the column counts characters.
pub fn line_column(source: &str, offset: usize) -> (usize, usize) {
    let offset = source.floor_char_boundary(offset);
    let before = &source[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

fn render_one(
    renderer: &Renderer,
    diagnostic: &Diagnostic,
    file_name: &str,
    source: &str,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let (line, number, span) = first_line(source, diagnostic.span);
    let mut annotation = AnnotationKind::Primary.span(span);
    if !diagnostic.label.is_empty() {
        annotation = annotation.label(&diagnostic.label);
    }
    let snippet = Snippet::source(line).line_start(number).path(file_name).annotation(annotation);
    let mut group = level.primary_title(&diagnostic.message).id(diagnostic.code).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// The line on which a span starts, its number from 1, and the span cut to that line, in bytes of the line.
fn first_line(source: &str, span: Span) -> (&str, usize, std::ops::Range<usize>) {
    let start = source.floor_char_boundary(span.start as usize);
    let end = source.floor_char_boundary(span.end as usize).max(start);
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |length| start + length);
    let line = source[line_start..line_end].trim_end_matches('\r');
    let (number, _) = line_column(source, start);
    let clip = |at: usize| (at - line_start).min(line.len());
    (line, number, clip(start)..clip(end))
}
