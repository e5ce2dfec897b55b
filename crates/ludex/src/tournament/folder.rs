//! The folder of a tournament: its plan, and a file for each finished game.
//!
//! ```text
//! club.run/plan.txt          the identity of the tournament: a changed plan is refused
//!          games/00017.txt   game 17, as `ludex replay` reads it
//!          report.html       the report
//!          standings.txt     standings and crosstable
//!          lock              held by the running process
//! ```
//!
//! A game is written to a temporary file, synced and then renamed: it is there whole or not at all. A
//! game whose record is truncated all the same (by a full disk) is played again.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use ludex_arena::record::{is_whole, points};
use ludex_arena::tournament::{Plan, Results, Schedule};
use ludex_core::record::{LONGEST_RECORD, Record};

use crate::error::{Context, Error, Result};
use crate::files::{read_text, write_whole};

/// The file with the identity of the tournament.
const PLAN: &str = "plan.txt";

/// The folder of the games.
const GAMES: &str = "games";

/// The largest plan that is read, in bytes.
const LARGEST_PLAN: u64 = 4 << 20;

/// A locked folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Held until the folder is dropped; the system releases it when the process is killed.
    _lock: File,
}

impl Folder {
    /// Opens the folder of a tournament with these lines, or makes it.
    pub(super) fn open(path: &Path, lines: &[(String, String)]) -> Result<Self> {
        let shown = path.display();
        fs::create_dir_all(path.join(GAMES))
            .with_context(|| format!("cannot make the folder `{shown}`"))?;
        let folder = Self { path: path.to_owned(), _lock: lock(path)? };
        let plan = path.join(PLAN);
        // Without games a change loses nothing.
        if plan.exists() && folder.has_games()? {
            let before = read_text(&plan, LARGEST_PLAN)?;
            refuse_changes(path, &before, lines)?;
        } else {
            let text: Vec<String> =
                lines.iter().map(|(key, value)| format!("{key}: {value}")).collect();
            folder.write(PLAN, &(text.join("\n") + "\n"))?;
        }
        Ok(folder)
    }

    /// Whether the folder has games.
    fn has_games(&self) -> Result<bool> {
        let games = self.path(GAMES);
        let entries =
            fs::read_dir(&games).with_context(|| format!("cannot read `{}`", games.display()))?;
        Ok(entries.flatten().any(|it| number_of(&it.path()).is_some()))
    }

    /// The path of a file in it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file in it.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        write_whole(&self.path(name), text)
    }

    /// The file of a game.
    pub(super) fn game(number: u64) -> String {
        format!("{GAMES}/{:05}.txt", number + 1)
    }

    /// Saves a finished game and syncs the folder.
    pub(super) fn save(&self, number: u64, record: &Record) -> Result<()> {
        self.write(&Self::game(number), &record.to_string())?;
        // The name as well as the contents has to be synced.
        #[cfg(unix)]
        File::open(self.path(GAMES))
            .and_then(|it| it.sync_all())
            .with_context(|| format!("cannot write to `{}`", self.path.display()))?;
        Ok(())
    }

    /// The games in the folder, by their numbers, and the files that are not whole.
    pub(super) fn records(&self) -> Result<(BTreeMap<u64, Record>, Vec<PathBuf>)> {
        let games = self.path(GAMES);
        let shown = games.display().to_string();
        let entries = fs::read_dir(&games).with_context(|| format!("cannot read `{shown}`"))?;
        let (mut records, mut damaged) = (BTreeMap::new(), Vec::new());
        for entry in entries {
            let path = entry.with_context(|| format!("cannot read `{shown}`"))?.path();
            if is_left_over(&path) {
                let _ = fs::remove_file(&path);
            }
            let Some(number) = number_of(&path) else { continue };
            let text = read_text(&path, LONGEST_RECORD as u64).unwrap_or_default();
            let record = Record::parse(&text).ok().filter(|it| is_whole(&text, it));
            match record {
                Some(record) => {
                    records.insert(number, record);
                }
                None => damaged.push(path),
            }
        }
        Ok((records, damaged))
    }

    /// Refuses a folder with games that are not of this tournament.
    pub(super) fn check(
        &self,
        plan: &Plan,
        schedule: &Schedule,
        records: &BTreeMap<u64, Record>,
    ) -> Result<()> {
        let mut strange: BTreeMap<u64, &Record> = records.iter().map(|it| (*it.0, it.1)).collect();
        for fixture in schedule.fixtures() {
            let names: Vec<&str> = plan.names_of(&fixture.entrants);
            let is_it = |it: &&Record| it.players == names && it.game == plan.games[fixture.event];
            if strange.get(&fixture.number).is_some_and(is_it) {
                strange.remove(&fixture.number);
            }
        }
        let Some((number, record)) = strange.first_key_value() else { return Ok(()) };
        let message = format!(
            "`{}` is a game of {} that this tournament does not have",
            self.path(&Self::game(*number)).display(),
            record.players.join(" and ")
        );
        Err(Error::with_help(message, "another --folder begins a new tournament"))
    }
}

/// Whether this is the temporary file of a killed run. The lock excludes other runs.
fn is_left_over(path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    name.starts_with('.') && path.extension().is_some_and(|it| it == "tmp")
}

/// The number of the game in a file of this name.
fn number_of(path: &Path) -> Option<u64> {
    if path.extension().is_none_or(|it| it != "txt") {
        return None;
    }
    let number: u64 = path.file_stem()?.to_str()?.parse().ok()?;
    number.checked_sub(1)
}

/// The points of each game.
pub(super) fn results(records: &BTreeMap<u64, Record>) -> Results {
    records.iter().filter_map(|(number, it)| Some((*number, points(it)?))).collect()
}

fn lock(path: &Path) -> Result<File> {
    let file = File::create(path.join("lock"))
        .with_context(|| format!("cannot write to `{}`", path.display()))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let message = format!("another process is playing in `{}`", path.display());
            Err(Error::with_help(message, "another --folder begins a new tournament"))
        }
        // A file system without locks cannot exclude other runs.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(file),
    }
}

/// Refuses a tournament other than that of the folder; the error lists the differences.
fn refuse_changes(folder: &Path, before: &str, lines: &[(String, String)]) -> Result<()> {
    let before: BTreeMap<&str, &str> =
        before.lines().filter_map(|it| it.split_once(": ")).collect();
    let now: BTreeMap<&str, &str> =
        lines.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let mut changes = Vec::new();
    for (key, value) in &now {
        match before.get(key) {
            Some(old) if old.trim() == value.trim() => {}
            Some(old) => changes.push(format!("`{key}` was `{old}` and is `{value}`")),
            None => changes.push(format!("`{key}` is new: `{value}`")),
        }
    }
    for (key, old) in before.iter().filter(|it| !now.contains_key(it.0)) {
        changes.push(format!("`{key}` is gone: `{old}`"));
    }
    if changes.is_empty() {
        return Ok(());
    }
    let message = format!(
        "`{}` belongs to another tournament than this file now describes:\n  {}",
        folder.display(),
        changes.join("\n  ")
    );
    let help = "undo the change to resume, or begin anew with another --folder";
    Err(Error::with_help(message, help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_named() {
        let line = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let before = "kind: swiss 3\nseed: 1\nplayer 3: Ann = uct:c=1\n";
        let now = [line("kind", "swiss 3"), line("seed", "2"), line("game 2", "hex:5")];
        let error = refuse_changes(Path::new("f"), before, &now).expect_err("it was changed");
        let text = error.to_string();
        assert!(text.contains("`seed` was `1` and is `2`"), "{text}");
        assert!(text.contains("`game 2` is new: `hex:5`"), "{text}");
        assert!(text.contains("`player 3` is gone: `Ann = uct:c=1`"), "{text}");
        assert!(!text.contains("kind"), "{text}");
        assert!(refuse_changes(Path::new("f"), "seed: 2\n", &[line("seed", "2")]).is_ok());
    }

    #[test]
    fn only_games_are_games() {
        assert_eq!(number_of(Path::new("games/00017.txt")), Some(16));
        for name in ["00000.txt", "a.txt", ".00017.txt.5.tmp", "00017.bak", "-1.txt"] {
            assert_eq!(number_of(Path::new(name)), None, "{name}");
        }
    }
}
