//! The report as a browser sees it: well formed, without anything from elsewhere, and its script does what
//! the buttons and keys say.

#![allow(clippy::print_stderr, reason = "a test that cannot be made says so")]

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use ludex_arena::Points;
use ludex_arena::report::Page;
use ludex_arena::report::replay::Replay;
use ludex_arena::statistics::{Estimate, Score};
use ludex_arena::tournament::Standing;

/// A page with all its parts.
fn page() -> String {
    let name = "Ann & <Bob> \"the 'Great'\"".to_owned();
    let rating = Some(Estimate { value: 10.0, low: -20.0, high: 40.0 });
    let standing = |player: usize| Standing {
        player,
        rank: player + 1,
        games: 2,
        score: Score { wins: 1, draws: 0, losses: 1 },
        points: 1.0,
        sonneborn_berger: 0.5,
        direct: 1.0,
        byes: 0,
        rating,
    };
    let texts = |texts: &[&str]| texts.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    let game = Replay {
        number: 1,
        game: "tic<tac>toe".to_owned(),
        round: 1,
        players: vec![name.clone(), "Eve".to_owned()],
        points: Points::lost_by(0, 2),
        how: "</script><b>".to_owned(),
        moves: texts(&["a1", "b2", "<c3>"]),
        notes: texts(&["+0.50", "", "depth 3"]),
        boards: texts(&["..\n..", "x.\n..", "x.\n.o", "x.\nx<"]),
    };
    Page {
        title: name.clone(),
        conditions: vec![("seed".to_owned(), "1 < 2".to_owned())],
        names: vec![name, "Eve".to_owned()],
        published: vec![Some(3.0), None],
        standings: vec![standing(0), standing(1)],
        crosstable: vec![vec![Score::default(); 2]; 2],
        expected: 2,
        games: vec![game.clone(), Replay { number: 2, boards: Vec::new(), ..game }],
    }
    .html()
}

/// The names of elements that have no end.
const VOID: [&str; 2] = ["meta", "br"];

struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
    closes: bool,
    closes_itself: bool,
}

/// Every tag of a text; what scripts and styles hold is passed over.
fn tags(page: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("it says what it is");
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a loose > in {:?}", &rest[..at]);
        let (tag, after) = rest[at + 1..].split_once('>').expect("a tag has an end");
        let closes = tag.starts_with('/');
        let closes_itself = tag.ends_with('/');
        let tag = tag.trim_start_matches('/').trim_end_matches('/');
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        assert!(name.bytes().all(|it| it.is_ascii_alphanumeric()), "{name:?}");
        let attributes = attributes_of(attributes);
        tags.push(Tag { name: name.to_owned(), attributes, closes, closes_itself });
        rest = match name {
            "script" | "style" if !closes => {
                let end = format!("</{name}>");
                &after[after.find(&end).expect("it has an end")..]
            }
            _ => after,
        };
    }
    tags
}

/// `a="b" c`: every value is in quotes.
fn attributes_of(text: &str) -> Vec<(String, String)> {
    let mut attributes = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find([' ', '\n', '=']).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = "";
        if let Some(quoted) = rest.strip_prefix("=\"") {
            (value, rest) = quoted.split_once('"').expect("a value has a second quote");
        }
        assert!(!rest.starts_with('='), "a value without quotes: {text}");
        attributes.push((name, value.to_owned()));
        rest = rest.trim_start();
    }
    attributes
}

#[test]
fn it_is_well_formed_and_needs_nothing_else() {
    let page = page();
    let (mut open, mut ids) = (Vec::new(), BTreeSet::new());
    for Tag { name, attributes, closes, closes_itself } in tags(&page) {
        for (key, value) in &attributes {
            assert!(key != "id" || ids.insert(value.clone()), "`{value}` is there twice");
            assert!(!["src", "href", "srcset", "action"].contains(&key.as_str()), "{name} {key}");
            assert!(!key.starts_with("on"), "no script in attributes: {name} {key}");
        }
        let labelled = attributes.iter().any(|(key, _)| key == "aria-label");
        assert!(closes || name != "svg" || labelled, "a picture says what it is");
        if closes {
            assert_eq!(open.pop(), Some(name), "what was opened last is closed first");
        } else if !closes_itself && !VOID.contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<String>::new());
    for id in ["viewer", "title", "first", "back", "next", "last", "run", "note", "board", "moves"]
    {
        assert!(ids.contains(id), "{id}");
    }
    assert!(!page.contains("://") && !page.contains("@import") && !page.contains("url("));
    assert!(page.contains("default-src 'none'"), "it forbids itself the network");
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("content=\"light dark\""));
}

/// Just enough of a browser for the page's script, and presses of its buttons and keys.
const BROWSER: &str = r"
const assert = require('node:assert');
const page = require('node:fs').readFileSync(0, 'utf8');
const scripts = [...page.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)];
assert.strictEqual(scripts.length, 2);
const made = () => ({
  textContent: '', className: '', hidden: false, children: [], dataset: {}, focused: 0,
  append(it) { this.children.push(it); },
  replaceChildren() { this.children = []; },
  scrollIntoView() {},
  focus() { this.focused += 1; },
});
const parts = {};
for (const id of page.matchAll(/ id=.(\w+)./g)) parts[id[1]] = made();
parts.data.textContent = scripts[0][2];
parts.viewer.hidden = true;
const buttons = [...page.matchAll(/data-game=.(\d+)./g)].map(it => ({ ...made(), dataset: { game: it[1] } }));
let key = null;
globalThis.document = {
  getElementById: id => parts[id],
  createElement: made,
  querySelectorAll: () => buttons,
  addEventListener: (name, heard) => { assert.strictEqual(name, 'keydown'); key = heard; },
};
new Function(scripts[1][2])();
let prevented = 0;
const press = (name, more) => key({ key: name, preventDefault: () => { prevented += 1; }, ...more });
press('ArrowRight');
assert.ok(parts.viewer.hidden && prevented === 0, 'nothing is shown before a game is chosen');
buttons[0].onclick();
assert.ok(!parts.viewer.hidden && parts.title.focused === 1);
assert.strictEqual(parts.board.textContent, '..\n..');
assert.strictEqual(parts.note.textContent, 'start');
press('ArrowRight');
assert.strictEqual(parts.board.textContent, 'x.\n..');
assert.strictEqual(parts.note.textContent, '1. a1  +0.50');
press('End');
assert.strictEqual(parts.board.textContent, 'x.\nx<');
press('ArrowRight');
assert.ok(parts.note.textContent.startsWith('3. <c3>'), 'the end is the end');
press('ArrowLeft');
assert.strictEqual(parts.board.textContent, 'x.\n.o');
press('Home');
assert.strictEqual(parts.note.textContent, 'start');
assert.strictEqual(prevented, 5);
press('ArrowRight', { ctrlKey: true });
press('toString');
assert.ok(prevented === 5 && parts.note.textContent === 'start', 'other keys are not ours');
const spans = parts.moves.children.filter(it => it !== ' ');
assert.deepStrictEqual(spans.map(it => it.textContent), ['a1', 'b2', '<c3>']);
spans[1].onclick();
assert.deepStrictEqual(spans.map(it => it.className), ['', 'now', '']);
parts.last.onclick(); parts.back.onclick(); parts.next.onclick(); parts.first.onclick();
assert.strictEqual(parts.note.textContent, 'start');
parts.run.onclick();
assert.strictEqual(parts.run.textContent, 'pause');
parts.run.onclick();
assert.strictEqual(parts.run.textContent, 'play');
buttons[1].onclick();
assert.strictEqual(parts.board.textContent, '(no board)');
assert.ok(parts.title.textContent.includes('</script><b>'), 'shown as it is');
";

#[test]
fn buttons_and_keys_go_through_a_game() {
    let node = Command::new("node")
        .args(["-e", BROWSER])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut node) = node else {
        eprintln!("skipped: there is no node to run the script of the report");
        return;
    };
    let mut stdin = node.stdin.take().expect("it is piped");
    stdin.write_all(page().as_bytes()).expect("it reads");
    drop(stdin);
    let output = node.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
