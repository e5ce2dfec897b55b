//! From offsets to lines and columns.

use std::fmt;

/// A place in a text as a person counts: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The line and the column of a byte of the text. Past the end it is the end of the text.
///
/// It reads the text up to that byte; [`Lines`] is for many questions about one text.
///
/// ```
/// use ludex_diagnostics::line_column;
///
/// assert_eq!(line_column("first\nsecond\n", 8).to_string(), "2:3");
/// ```
pub fn line_column(text: &str, offset: usize) -> LineColumn {
    let offset = text.floor_char_boundary(offset);
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    LineColumn { line, column: before[line_start..].chars().count() + 1 }
}

/// Where the lines of a text begin: finds the line of an offset by bisection.
///
/// Lines count from 0 here, as an index.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Self {
        let after = text
            .bytes()
            .enumerate()
            .filter(|&(_, byte)| byte == b'\n')
            .map(|(at, _)| at as u32 + 1);
        Self { starts: std::iter::once(0).chain(after).collect() }
    }

    /// The line in which byte `offset` lies, from 0. Past the end it is the last line.
    pub fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Where a line begins; lines count from 0.
    pub fn start(&self, line: usize) -> u32 {
        self.starts[line]
    }
}
