//! Pages of documentation whose examples are run.
//!
//! The word after the fence of a block says what the block is:
//!
//! | fence | the block is |
//! | --- | --- |
//! | `game NAME` | a whole file: compiles without a word (`warns`: with a warning), is formatted, plays, keeps its promises |
//! | `player`, `goal` | a player file, or a goal, for a bundled game: compiles without a word |
//! | `board` | a board: compiles in a game that puts stones on it |
//! | `decls` | declarations added to the page's first game, whose own of the same word they replace |
//! | `moves`, `result` | what stands in that block of the first game |
//! | `expr` | lines `EXPRESSION => VALUE`, true for White at the start of the first game |
//! | `positions GAME` | positions that a bundled game reads and writes as they are |
//! | `error CODE KIND` | one of the kinds above that gives exactly this error; how it is shown follows as `text` |
//! | `fault CODE KIND` | the same for an error that shows in play |
//! | `console` | commands: the tests of the command line run them |
//! | `text` | only after `error` and `fault` |
//!
//! All failures of a page are reported at once, with their lines.
//! `UPDATE_EXPECT=1` rewrites the `text` blocks.

mod run;
mod wrap;

use std::fs;

use ludex_testkit::markdown::{Block, blocks, updated};

use crate::common::root;
use wrap::Kind;

/// What has been seen of a page.
#[derive(Default)]
struct Page {
    /// The first game, which parts are added to.
    first: Option<String>,
    /// What the next block must say.
    shown: Option<String>,
    wrong: Vec<String>,
}

/// Runs the examples of a page; panics with all that are wrong.
#[track_caller]
pub(crate) fn check_page(name: &str, least: usize) {
    let path = root().join("docs").join(name);
    let markdown = fs::read_to_string(&path).expect("the page is in the workspace");
    let blocks = blocks(&markdown);
    let mut page = Page::default();
    let mut updates = Vec::new();
    for block in &blocks {
        let wanted = page.block(block);
        if let Some(wanted) = wanted.filter(|it| *it != block.text) {
            updates.push((block.line, wanted.clone()));
            let message = format!("should be:\n{wanted}(UPDATE_EXPECT=1 rewrites it)");
            page.wrong.push(format!("line {}: {message}", block.line));
        }
    }
    if page.shown.is_some() {
        page.wrong.push("the last error has no `text` block after it".to_owned());
    }
    if blocks.len() < least {
        page.wrong.push(format!("only {} examples were found, not {least}", blocks.len()));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() && !updates.is_empty() {
        fs::write(&path, updated(&markdown, &updates)).expect("the page can be written");
        page.wrong.retain(|it| !it.ends_with("(UPDATE_EXPECT=1 rewrites it)"));
    }
    assert!(page.wrong.is_empty(), "{}: {}\n{}", name, page.wrong.len(), page.wrong.join("\n\n"));
}

impl Page {
    /// Runs a block; gives what it should say, if it is one that shows something.
    fn block(&mut self, block: &Block) -> Option<String> {
        let words: Vec<&str> = block.info.split_whitespace().collect();
        if let Some(shown) = self.shown.take() {
            if words == ["text"] {
                return Some(shown);
            }
            self.wrong.push(format!("line {}: a `text` block is missing before this", block.line));
        }
        let result = match words.as_slice() {
            ["console", ..] => Ok(()),
            ["game", _] => self.game(&block.text, false),
            ["game", _, "warns"] => self.game(&block.text, true),
            ["positions", game] => run::positions(game, &block.text),
            ["expr"] => self.expressions(block),
            ["error", code, rest @ ..] => self.mistake(code, rest, block, false),
            ["fault", code, rest @ ..] => self.mistake(code, rest, block, true),
            _ => match Kind::named(&words) {
                Some(Kind::Game) => self.game(&block.text, false),
                Some(kind) => self.wrapped(kind, block).and_then(|it| run::clean(&it)),
                None => Err(format!("there is no kind of block `{}`", block.info)),
            },
        };
        if let Err(message) = result {
            self.wrong.push(format!("line {}: {message}", block.line));
        }
        None
    }

    fn game(&mut self, text: &str, warns: bool) -> Result<(), String> {
        self.first.get_or_insert_with(|| text.to_owned());
        run::whole(text, warns)
    }

    fn wrapped(&self, kind: Kind, block: &Block) -> Result<wrap::Wrapped, String> {
        let first = self.first.as_ref().ok_or("the page has no game yet")?;
        Ok(wrap::wrap(kind, &block.text, first))
    }

    fn expressions(&self, block: &Block) -> Result<(), String> {
        let first = self.first.as_ref().ok_or("the page has no game yet")?;
        let wrong: Vec<String> =
            block.text.lines().filter_map(|line| run::expression(line, first).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }

    /// A block with a mistake: keeps how it is shown for the next block.
    fn mistake(
        &mut self,
        code: &str,
        kind: &[&str],
        block: &Block,
        in_play: bool,
    ) -> Result<(), String> {
        let kind = if kind.is_empty() { Some(Kind::Game) } else { Kind::named(kind) };
        let kind = kind.ok_or_else(|| format!("there is no kind of block `{}`", block.info))?;
        let wrapped = match kind {
            Kind::Game => wrap::whole(&block.text),
            _ => self.wrapped(kind, block)?,
        };
        let shown = if in_play { run::fault(&wrapped, code) } else { run::error(&wrapped, code) };
        self.shown = Some(shown.clone().unwrap_or_default());
        shown.map(|_| ())
    }
}
