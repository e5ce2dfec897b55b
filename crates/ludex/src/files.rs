//! Files from outside, which may be anything, and files that are never half written.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use ludex_core::text::nearest;

use crate::error::{Error, Result};

/// The largest rules file that is read, in bytes.
pub const LARGEST_RULES: u64 = 1 << 20;

/// Reads a text file of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String> {
    let shown = path.display();
    let is_directory = fs::metadata(path).map_err(|error| cannot_read(path, &error))?.is_dir();
    if is_directory {
        return Err(Error::new(format!("`{shown}` is a directory, not a file")));
    }
    let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
    read_limited(file, limit, &format!("`{shown}`"))
}

/// Reads a text of at most `limit` bytes from `source`, which messages call `what`.
pub fn read_limited(source: impl Read, limit: u64, what: &str) -> Result<String> {
    let mut bytes = Vec::new();
    source
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|it| Error::new(format!("reading {what}: {it}")))?;
    if bytes.len() as u64 > limit {
        return Err(Error::new(format!("{what} has more than {limit} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(format!("{what} is not a text: byte {at} is not UTF-8"))
    })
}

fn cannot_read(path: &Path, error: &io::Error) -> Error {
    let shown = path.display();
    if error.kind() == io::ErrorKind::NotFound {
        let nearest = neighbour(path);
        return Error::with_nearest(format!("there is no file `{shown}`"), nearest.as_deref());
    }
    Error::new(format!("cannot read `{shown}`: {error}"))
}

/// The file in the same directory whose name is nearest, of those that end alike.
fn neighbour(path: &Path) -> Option<String> {
    let wanted = path.file_stem()?.to_str()?;
    let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
    let entries = fs::read_dir(directory.unwrap_or(Path::new("."))).ok()?;
    let others = entries.filter_map(|entry| Some(PathBuf::from(entry.ok()?.file_name())));
    let alike = others.filter(|it| it.extension() == path.extension());
    let mut stems: Vec<String> =
        alike.filter_map(|it| it.file_stem()?.to_str().map(str::to_owned)).collect();
    stems.sort();
    let found = PathBuf::from(nearest(wanted, stems.iter().map(String::as_str))?);
    let name = match path.extension() {
        Some(extension) => found.with_added_extension(extension),
        None => found,
    };
    Some(path.with_file_name(name).display().to_string())
}

/// Writes a file so that it is either the old one or the new one, whole.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let written = replace(path, text);
    written.map_err(|it| Error::new(format!("cannot write `{}`: {it}", path.display())))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: the file it leads to is the one that is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let temporary = beside(&path)?;
    let written = fill(&temporary, &path, text).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A name in the same directory, so that the file can be renamed.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary))
}

fn fill(temporary: &Path, path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    file.write_all(text.as_bytes())?;
    if let Ok(old) = fs::metadata(path) {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()
}
