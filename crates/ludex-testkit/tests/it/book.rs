//! The book as a whole: every page is listed, every link leads somewhere, every file named exists.
//!
//! That its commands run is tested with the command line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use ludex_testkit::markdown::{blocks, updated};

use crate::common::root;

/// The widest line of prose.
const WIDEST: usize = 100;

/// A page, by its path in the workspace, with its text.
struct Page {
    path: String,
    text: String,
}

impl Page {
    fn read(path: &str) -> Self {
        let text = fs::read_to_string(root().join(path)).expect("a page is text");
        Self { path: path.to_owned(), text }
    }

    /// The lines that are not in a fenced block, with their numbers.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut is_code = false;
        self.text.lines().enumerate().filter_map(move |(index, line)| {
            let is_fence = line.starts_with("```");
            is_code ^= is_fence;
            (!is_code && !is_fence).then_some((index + 1, line))
        })
    }

    /// Where the links of the page lead, with their lines.
    fn links(&self) -> impl Iterator<Item = (usize, &str)> {
        let targets = |line| parts(line, "](", ")");
        self.prose().flat_map(move |(number, line)| targets(line).map(move |it| (number, it)))
    }

    /// The anchors of its headings.
    fn anchors(&self) -> BTreeSet<String> {
        let headings = self.prose().filter(|(_, line)| line.starts_with('#'));
        headings.map(|(_, line)| anchor(line.trim_start_matches('#').trim())).collect()
    }
}

/// The parts of a line between two marks.
fn parts<'a>(line: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
    line.split(from).skip(1).filter_map(move |rest| rest.split_once(to).map(|(part, _)| part))
}

/// How a heading is linked to.
fn anchor(heading: &str) -> String {
    let letters = heading.chars().map(|it| if it == ' ' { '-' } else { it.to_ascii_lowercase() });
    letters.filter(|it| it.is_alphanumeric() || matches!(it, '-' | '_')).collect()
}

/// Every file and folder of the workspace that git would keep, by its path in it.
fn files() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root()).expect("it is in the workspace");
            if name == Path::new("target") || name == Path::new(".git") {
                continue;
            }
            found.push(name.to_string_lossy().into_owned());
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    found
}

/// Whether a file is of a kind.
fn has_ending(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|it| it == ending)
}

/// The pages of the book, and those beside it.
fn pages() -> Vec<Page> {
    let is_page = |it: &String| {
        let is_ours = it.starts_with("docs/") || !it.contains('/');
        is_ours && has_ending(it, "md")
    };
    files().iter().filter(|it| is_page(it)).map(|it| Page::read(it)).collect()
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, it| {
        match it {
            Component::ParentDir => {
                plain.pop();
            }
            it => plain.push(it),
        }
        plain
    })
}

/// What is wrong with a link, if anything.
fn broken(page: &Page, link: &str) -> Option<String> {
    if link.starts_with("https://") || link.starts_with("http://") {
        return None;
    }
    let (file, wanted) = link.split_once('#').unwrap_or((link, ""));
    let folder = Path::new(&page.path).parent().expect("a file is in a folder");
    let path = if file.is_empty() { PathBuf::from(&page.path) } else { plain(&folder.join(file)) };
    if page.path.starts_with("docs/") && !path.starts_with("docs") {
        return Some(format!("`{link}` leads out of the book"));
    }
    if !root().join(&path).exists() {
        return Some(format!("`{link}` leads to no file"));
    }
    let has = || Page::read(&path.to_string_lossy()).anchors().contains(wanted);
    (!wanted.is_empty() && !has()).then(|| format!("`{link}` leads to no heading"))
}

/// Fails with all that is wrong.
#[track_caller]
fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    for page in pages() {
        let found = page.links().filter_map(|(line, it)| Some((line, broken(&page, it)?)));
        wrong.extend(found.map(|(line, it)| format!("{}:{line}: {it}", page.path)));
    }
    none(&wrong);
}

#[test]
fn the_summary_lists_every_page() {
    let listed: BTreeSet<String> =
        Page::read("docs/SUMMARY.md").links().map(|(_, it)| format!("docs/{it}")).collect();
    let pages = pages().into_iter().map(|it| it.path);
    let pages: BTreeSet<String> =
        pages.filter(|it| it.starts_with("docs/") && !it.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed, pages);
}

#[test]
fn prose_is_wrapped() {
    let is_prose = |line: &str| !line.starts_with(['|', '#']) && line.contains(' ');
    let mut wrong = Vec::new();
    for page in pages() {
        let wide = page.prose().filter(|(_, it)| is_prose(it) && it.chars().count() > WIDEST);
        wrong.extend(wide.map(|(line, _)| format!("{}:{line}: over {WIDEST} columns", page.path)));
    }
    none(&wrong);
}

/// The paths of ours that a text names: `crates/ludex-core/src`, `passes/`, `game.rs`.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let is_path = |it: &&str| {
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-./".contains(c);
        let kinds = [".rs", ".md", ".toml", ".game", "/"];
        let is_named = it.starts_with(|it: char| it.is_ascii_lowercase());
        is_named && it.chars().all(letters) && kinds.iter().any(|kind| it.ends_with(kind))
    };
    line.split('`').skip(1).step_by(2).filter(is_path)
}

#[test]
fn every_file_that_is_named_exists() {
    let files = files();
    let exists = |path: &str| {
        let path = path.trim_end_matches('/');
        files
            .iter()
            .any(|it| it.strip_suffix(path).is_some_and(|it| it.is_empty() || it.ends_with('/')))
    };
    let mut wrong = Vec::new();
    for page in pages() {
        for (line, text) in page.prose() {
            let missing = named(text).filter(|it| !exists(it));
            wrong.extend(missing.map(|it| format!("{}:{line}: no `{it}`", page.path)));
        }
    }
    let is_text = |it: &&String| has_ending(it, "rs") || it.ends_with("ARCHITECTURE.md");
    for file in files.iter().filter(is_text) {
        let text = fs::read_to_string(root().join(file)).expect("it is text");
        let is_name = |it: &&str| it.chars().all(|it| it.is_ascii_lowercase() || "-/".contains(it));
        let pages = parts(&text, "docs/", ".md").filter(is_name);
        let missing = pages.map(|it| format!("docs/{it}.md")).filter(|it| !exists(it));
        wrong.extend(missing.map(|it| format!("{file}: no `{it}`")));
    }
    none(&wrong);
}

/// `Type::item` in the book is an item of that type, or of one of its traits.
#[test]
fn every_item_that_is_named_exists() {
    let files = files();
    let sources = files.iter().filter(|it| has_ending(it, "rs"));
    let sources: Vec<String> =
        sources.map(|it| fs::read_to_string(root().join(it)).expect("it is text")).collect();
    let exists = |of: &str, item: &str| {
        let heads = ["struct", "enum", "trait", "type"].map(|it| format!("pub {it} {of}"));
        let items = ["fn ", "pub ", "const "].map(|it| format!("{it}{item}"));
        sources.iter().any(|text| {
            heads.iter().any(|it| text.contains(it)) && items.iter().any(|it| text.contains(it))
        })
    };
    let mut wrong = Vec::new();
    for page in pages() {
        for (line, text) in page.prose() {
            let named = text.split('`').skip(1).step_by(2).filter_map(|it| it.split_once("::"));
            let of_types = named.filter(|(of, _)| of.starts_with(|it: char| it.is_uppercase()));
            let missing = of_types.filter(|(of, item)| !exists(of, item));
            wrong.extend(missing.map(|(of, it)| format!("{}:{line}: no `{of}::{it}`", page.path)));
        }
    }
    none(&wrong);
}

/// A block `rust PATH` is that file. `UPDATE_EXPECT=1` rewrites it.
#[test]
fn examples_in_rust_are_those_that_are_run() {
    let mut wrong = Vec::new();
    for page in pages() {
        let mut updates = Vec::new();
        for block in blocks(&page.text) {
            let Some(path) = block.info.strip_prefix("rust ") else { continue };
            let source = fs::read_to_string(root().join(path)).expect("the example is there");
            if source != block.text {
                wrong.push(format!("{}:{}: is not `{path}`", page.path, block.line));
                updates.push((block.line, source));
            }
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() && !updates.is_empty() {
            let text = updated(&page.text, &updates);
            fs::write(root().join(&page.path), text).expect("the page can be written");
            wrong.clear();
        }
    }
    none(&wrong);
}

/// Every page of measurements says when and how they were made.
#[test]
fn measurements_have_a_date_and_a_command() {
    let is_measured =
        |it: &Page| it.path.starts_with("docs/experiments/") && !it.path.ends_with("/index.md");
    let has_command = |text: &str| {
        ["$ ludex ", "cargo run ", "cargo test ", "scripts/"].iter().any(|it| text.contains(it))
    };
    let mut wrong = Vec::new();
    for page in pages().iter().filter(|it| is_measured(it)) {
        if !page.text.contains("2026-") {
            wrong.push(format!("{}: no date", page.path));
        }
        if !has_command(&page.text) {
            wrong.push(format!("{}: no command", page.path));
        }
    }
    none(&wrong);
}
