//! The records of a match, a file each.

use std::fs;
use std::path::{Path, PathBuf};

use ludex_arena::record::{Heading, record};
use ludex_arena::{Fixture, PlayedGame};

use crate::date::Now;
use crate::error::{Context, Error, Result};
use crate::files::write_whole;
use crate::game::LoadedGame;

/// The folder of the records, if they are saved.
#[derive(Debug)]
pub struct RecordFolder {
    folder: Option<PathBuf>,
    now: Now,
}

impl RecordFolder {
    /// Makes the folder. One with records is refused: some of them would be overwritten, and the others
    /// mixed with ours.
    pub fn open(folder: Option<&Path>, now: Now) -> Result<Self> {
        if let Some(folder) = folder {
            let shown = folder.display();
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder `{shown}`"))?;
            let entries = fs::read_dir(folder).with_context(|| format!("cannot read `{shown}`"))?;
            if entries.flatten().any(|it| is_record(&it.path())) {
                let message = format!("`{shown}` has the records of another match already");
                let help = "name another folder, or remove them first";
                return Err(Error::with_help(message, help));
            }
        }
        Ok(Self { folder: folder.map(Path::to_owned), now })
    }

    /// Saves the record of a game.
    pub fn save(
        &self,
        fixture: &Fixture,
        played: &PlayedGame,
        loaded: &LoadedGame,
        names: &[String],
    ) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let heading = Heading {
            game: loaded.source.spec(),
            rules: Some(format!("{:016x}", loaded.source.hash())),
            players: fixture.entrants.iter().map(|&it| names[it].as_str()).collect(),
            date: self.now.utc_before(played.duration()),
            tags: Vec::new(),
        };
        write_whole(&folder.join(file_of(fixture.number)), &record(played, heading).to_string())
    }

    /// Removes a record: the game does not count.
    pub fn remove(&self, number: u64) {
        if let Some(folder) = &self.folder {
            let _ = fs::remove_file(folder.join(file_of(number)));
        }
    }
}

fn file_of(number: u64) -> String {
    format!("{:06}.txt", number + 1)
}

/// Whether a file has the name of a record.
fn is_record(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
    let is_number = stem.len() >= 6 && stem.bytes().all(|it| it.is_ascii_digit());
    is_number && path.extension().is_some_and(|it| it == "txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_known_by_their_names() {
        assert!(is_record(Path::new("games/000001.txt")) && is_record(Path::new("1000000.txt")));
        for name in ["1.txt", "000001.pgn", "00000a.txt", "notes.txt", ".000001.txt.7.tmp"] {
            assert!(!is_record(Path::new(name)), "{name}");
        }
        assert!(is_record(Path::new(&file_of(41))));
    }
}
