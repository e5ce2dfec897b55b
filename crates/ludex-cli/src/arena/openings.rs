//! Which openings are wanted, as it is said on the command line and in tournament files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use ludex_arena::Openings;
use ludex_arena::openings::read_openings;

use crate::engine::Engine;
use crate::failure::{Mistake, did_you_mean};
use crate::files::read_text;

/// The largest file of openings that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The most random moves of an opening.
const MOST_PLIES: u32 = 1000;

/// Which openings are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OpeningWish {
    /// None.
    None,
    /// So many random moves.
    Random(u32),
    /// Those of a file.
    File(PathBuf),
}

/// Reads a wish: `none`, a number of random moves, or a file.
pub(crate) fn opening_wish(text: &str) -> Result<OpeningWish, String> {
    if text == "none" || text == "0" {
        return Ok(OpeningWish::None);
    }
    if text.bytes().all(|it| it.is_ascii_digit()) && !text.is_empty() {
        let plies = text.parse().ok().filter(|it| *it <= MOST_PLIES);
        let plies = plies.ok_or_else(|| format!("an opening has at most {MOST_PLIES} moves"))?;
        return Ok(OpeningWish::Random(plies));
    }
    if text.is_empty() {
        return Err("`none`, a number of random moves or a file is wanted".to_owned());
    }
    Ok(OpeningWish::File(PathBuf::from(text)))
}

impl OpeningWish {
    /// The openings themselves, for a game.
    pub(crate) fn made(&self, game: &Engine, balanced: bool) -> Result<Openings<Engine>> {
        match self {
            Self::None => Ok(Openings::None),
            Self::Random(plies) => Ok(Openings::Random { plies: *plies, balanced }),
            Self::File(path) => listed(game, path),
        }
    }
}

fn listed(game: &Engine, path: &Path) -> Result<Openings<Engine>> {
    let text = read_text(path, LARGEST)?;
    let openings = read_openings(game, &text).map_err(|error| Mistake::Plain {
        message: format!("`{}`: {}", path.display(), error.message),
        help: did_you_mean(error.nearest.as_deref()),
    })?;
    Ok(Openings::Listed(openings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_told_apart() {
        assert_eq!(opening_wish("none"), Ok(OpeningWish::None));
        assert_eq!(opening_wish("0"), Ok(OpeningWish::None));
        assert_eq!(opening_wish("4"), Ok(OpeningWish::Random(4)));
        assert_eq!(opening_wish("a.txt"), Ok(OpeningWish::File("a.txt".into())));
        assert!(opening_wish("99999999999999999999").is_err());
        assert!(opening_wish("").is_err());
    }
}
