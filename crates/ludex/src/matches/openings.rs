//! The option `--openings` of the command line and of tournament files.

use std::path::{Path, PathBuf};

use ludex_arena::Openings;
use ludex_arena::openings::read_openings;
use ludex_jit::CompiledGame;

use crate::error::{Error, Result};
use crate::files::read_text;

/// The largest file of openings that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The most random moves of an opening.
const MOST_PLIES: u32 = 1000;

/// The value of `--openings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// None.
    None,
    /// Random moves, of this number.
    Random(u32),
    /// Those of a file.
    File(PathBuf),
}

/// Reads the value: `none`, a number of random moves, or a file.
pub fn opening_source(text: &str) -> Result<OpeningSource, String> {
    if text == "none" || text == "0" {
        return Ok(OpeningSource::None);
    }
    if text.bytes().all(|it| it.is_ascii_digit()) && !text.is_empty() {
        let plies = text.parse().ok().filter(|it| *it <= MOST_PLIES);
        let plies = plies.ok_or_else(|| format!("an opening has at most {MOST_PLIES} moves"))?;
        return Ok(OpeningSource::Random(plies));
    }
    if text.is_empty() {
        return Err("`--openings` takes `none`, a number of random moves or a file".to_owned());
    }
    Ok(OpeningSource::File(PathBuf::from(text)))
}

impl OpeningSource {
    /// The openings themselves, for a game.
    pub fn made(&self, game: &CompiledGame, balanced: bool) -> Result<Openings<CompiledGame>> {
        match self {
            Self::None => Ok(Openings::None),
            Self::Random(plies) => Ok(Openings::Random { plies: *plies, balanced }),
            Self::File(path) => listed(game, path),
        }
    }
}

fn listed(game: &CompiledGame, path: &Path) -> Result<Openings<CompiledGame>> {
    let text = read_text(path, LARGEST)?;
    let openings = read_openings(game, &text).map_err(|error| {
        Error::with_nearest(
            format!("`{}`: {}", path.display(), error.message),
            error.nearest.as_deref(),
        )
    })?;
    Ok(Openings::Listed(openings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_apart() {
        assert_eq!(opening_source("none"), Ok(OpeningSource::None));
        assert_eq!(opening_source("0"), Ok(OpeningSource::None));
        assert_eq!(opening_source("4"), Ok(OpeningSource::Random(4)));
        assert_eq!(opening_source("a.txt"), Ok(OpeningSource::File("a.txt".into())));
        assert!(opening_source("99999999999999999999").is_err());
        assert!(opening_source("").is_err());
    }
}
