//! A file of test cases.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use ludex::error::Context;
use ludex::{Error, Result};

use crate::case::Format;
use crate::formats::FORMATS;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The number of lines from which the format is recognised.
const RECOGNISED: usize = 50;

/// The lines of a file, and their format.
#[derive(Clone, Debug)]
pub struct TestSet {
    /// The name of the file.
    pub file: String,
    pub(crate) format: Format,
    /// The lines that are no comments, with their numbers.
    pub(crate) lines: Vec<(usize, String)>,
}

impl TestSet {
    /// Reads a file and recognises its format.
    pub fn read(file: &str) -> Result<Self> {
        let lines = lines(file)?;
        let format = format_of(file, &lines)?;
        Ok(Self { file: file.to_owned(), format, lines })
    }

    /// The number of lines, each of which may be a case.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether the file has no cases.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

fn lines(path: &str) -> Result<Vec<(usize, String)>> {
    let file = File::open(Path::new(path))
        .map_err(|it| Error::new(format!("cannot read `{path}`: {it}")))?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.with_context(|| format!("reading `{path}`"))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::new(format!("`{path}` has more than {LARGEST} bytes")));
    }
    // Old sets have stray bytes in them; what matters is plain text.
    let text = String::from_utf8_lossy(&bytes);
    let clean = |line: &str| {
        let line = line.trim_start_matches('\u{feff}');
        line.replace(|it: char| it.is_control() && it != '\t', "").trim_end_matches(' ').to_owned()
    };
    let lines = (1..).zip(text.lines().map(clean));
    Ok(lines.filter(|(_, it)| !it.trim().is_empty() && !it.starts_with('#')).collect())
}

/// The format that accepts most of the first lines.
fn format_of(file: &str, lines: &[(usize, String)]) -> Result<Format> {
    let first = || lines.iter().take(RECOGNISED);
    let fits = |format: &Format| first().filter(|it| (format.accepts)(&it.1)).count();
    let mut best: Option<(usize, Format)> = None;
    for format in FORMATS {
        let fits = fits(&format);
        if fits > best.map_or(0, |it| it.0) {
            best = Some((fits, format));
        }
    }
    best.map(|it| it.1).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|it| it.name).collect();
        let message = format!("`{file}` is no test set of a known format");
        Error::with_help(message, format!("known are {}", names.join("; ")))
    })
}
