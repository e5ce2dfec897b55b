//! Broken rules files, and what is said about them.
//!
//! Every `broken/NAME.game` has a `broken/NAME.stderr`: the diagnostics as the
//! author sees them, or, if the file can be played, the error that shows in
//! play and the moves that led to it. `UPDATE_EXPECT=1 cargo test` rewrites
//! them; read the diff as the author of that file would. A first line
//! `# options: …` gives the options the file is compiled with.
//!
//! `docs/reference/errors.md` is made from the same files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::root;
use ludex_core::{Fault, Game, Random, Turn};
use ludex_diagnostics::{Diagnostic, SourceText, Span, render};
use ludex_interp::{RulesGame, RunLimits};
use ludex_rules::codes::{CODES, FAULTS, PLAYED, SEARCHES, fault_help};
use ludex_rules::compile;

/// A broken file.
struct Case {
    name: String,
    source: String,
}

/// What is said about it.
struct Said {
    /// What the compiler says.
    diagnostics: Vec<Diagnostic>,
    /// What shows in play, with the moves that led there.
    fault: Option<(Diagnostic, Vec<String>)>,
    /// How long the compiler took.
    compiling: Duration,
}

fn folder() -> PathBuf {
    root().join("crates/ludex-testkit/tests/broken")
}

/// All cases: the files, and those that are too large to be kept as files.
fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = fs::read_dir(folder())
        .expect("the broken files are in the workspace")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|it| it == "game"))
        .map(|path| {
            let bytes = fs::read(&path).expect("the file can be read");
            let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
            Case { name, source: String::from_utf8_lossy(&bytes).into_owned() }
        })
        .collect();
    cases.push(Case {
        name: "made-larger-than-a-file-may-be".to_owned(),
        source: "# \n".repeat(400_000),
    });
    cases.push(Case {
        name: "made-longer-than-an-algorithm-may-be".to_owned(),
        source: long_algorithm(),
    });
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// An algorithm of forty thousand additions.
fn long_algorithm() -> String {
    let sum = vec!["n"; 200].join(" + ");
    let lines = format!("  n = {sum}\n").repeat(200);
    format!(
        "game \"Long\"\nboard square 2 by 2\nplayers X, O\nmen mark \"X\" \"O\"\n\
         function many(): int\n  let n = 0\n{lines}  return n\n\
         moves\n  for a in empty\n    if many() == 0: move put my mark on a\nstuck\n  draw\n"
    )
}

fn options(source: &str) -> &str {
    let first = source.lines().next().unwrap_or_default();
    first.strip_prefix("# options:").map(str::trim).unwrap_or_default()
}

fn said(case: &Case) -> Said {
    let started = Instant::now();
    let compiled = compile(&case.source, options(&case.source));
    let compiling = started.elapsed();
    let fault = compiled.program.and_then(|program| {
        let game = RulesGame::new(program);
        let (fault, moves) =
            (0..20).find_map(|seed| play(&game.clone().with_limits(RunLimits::default()), seed))?;
        let place = fault.place.and_then(|it| compiled.spans.get(it as usize - 1));
        let diagnostic =
            Diagnostic::error(fault.code, place.copied().unwrap_or_default(), &fault.message);
        Some((diagnostic.help(fault_help(fault.code).unwrap_or_default()), moves))
    });
    Said { diagnostics: compiled.diagnostics, fault, compiling }
}

/// Plays a random game; the fault it ends with, and the moves before.
fn play(game: &RulesGame, seed: u64) -> Option<(Fault, Vec<String>)> {
    let mut names = Vec::new();
    let fault = play_on(game, &mut Random::stream(seed, 0, 0), &mut names).err()?;
    Some((fault, names))
}

fn play_on(game: &RulesGame, random: &mut Random, names: &mut Vec<String>) -> Result<(), Fault> {
    let mut position = game.start();
    let mut moves = Vec::new();
    for _ in 0..60 {
        let Turn::Of(player) = game.turn(&position)? else { break };
        game.moves(&position, player, &mut moves)?;
        let Some(&mv) = random.pick(&moves) else { break };
        let name = game.name(&position.state, mv);
        game.apply(&mut position, &[mv])?;
        names.push(name);
    }
    Ok(())
}

fn shown(case: &Case, said: &Said) -> String {
    let file = format!("{}.game", case.name);
    let mut text = render(&said.diagnostics, SourceText::new(&file, &case.source));
    if let Some((diagnostic, moves)) = &said.fault {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&render(
            std::slice::from_ref(diagnostic),
            SourceText::new(&file, &case.source),
        ));
        text.push_str(&match moves.as_slice() {
            [] => "  in play: at the start\n".to_owned(),
            moves => format!("  in play: after {}\n", moves.join(" ")),
        });
    }
    text
}

/// Whether a file holds this text; with `UPDATE_EXPECT` it is made to.
fn compare(path: &Path, text: &str) -> Result<(), String> {
    let known = fs::read_to_string(path).unwrap_or_default();
    if known == text {
        return Ok(());
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, text).expect("the file can be written");
        return Ok(());
    }
    Err(format!(
        "{} should be:\n{text}\nand is:\n{known}\nIf that is right, run with UPDATE_EXPECT=1.",
        path.display()
    ))
}

#[test]
fn broken_files_are_explained() {
    let cases = cases();
    assert!(cases.len() > 90, "only {} broken files were found", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let said = said(case);
        let text = shown(case, &said);
        if text.is_empty() {
            wrong.push(format!("{}: nothing is wrong with it", case.name));
        }
        let slow = |said: &Said| said.compiling > Duration::from_secs(1);
        // The machine may have had other things to do.
        if slow(&said) && slow(&self::said(case)) {
            wrong.push(format!("{}: compiling took {:?}", case.name, said.compiling));
        }
        wrong.extend(compare(&folder().join(format!("{}.stderr", case.name)), &text).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A message says what is wrong, what the underlined text is, and what to do; it stays on one line.
#[test]
fn messages_are_complete() {
    let mut wrong = BTreeSet::new();
    for case in cases() {
        for it in said(&case).diagnostics {
            let help = it.help.as_deref().unwrap_or_default();
            // Options are typed by a user: there is no text to underline.
            let label = !it.label.is_empty() || it.code == "bad-option";
            let full_stop = it.message.ends_with('.') || help.ends_with('.');
            if !label || help.is_empty() || full_stop || it.message.contains('\n') {
                wrong.insert(format!("{}: {it:?}", case.name));
            }
            let in_text = it.span.end as usize <= case.source.len() && it.span.start <= it.span.end;
            if !in_text {
                wrong.insert(format!("{}: the place of {it:?} is not in the text", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One mistake gives one message: no two messages about the same text, no warnings beside errors.
#[test]
fn messages_do_not_cascade() {
    let mut wrong = Vec::new();
    for case in cases() {
        let diagnostics = said(&case).diagnostics;
        let mut places: BTreeMap<Span, &str> = BTreeMap::new();
        for it in diagnostics.iter().filter(|it| it.span.start < it.span.end) {
            // Several parts may be missing from one file; the header stands for all of them.
            if let Some(other) = places.insert(it.span, it.code)
                && !it.code.starts_with("missing-")
            {
                wrong.push(format!("{}: {other} and {} about the same text", case.name, it.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Codes in the sources below a folder: the texts that follow one of these openings.
fn codes_in(folder: &str, openings: &[&str]) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let mut todo = vec![root().join(folder)];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let inside = fs::read_dir(&path).expect("the sources can be read");
            todo.extend(inside.map(|it| it.expect("the sources can be read").path()));
            continue;
        }
        if path.components().any(|it| it.as_os_str() == "tests") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        for opening in openings {
            for rest in text.split(opening).skip(1) {
                let Some(rest) = rest.trim_start().strip_prefix('"') else { continue };
                codes.extend(rest.split('"').next().map(str::to_owned));
            }
        }
    }
    codes
}

/// The tables of codes have every code of the sources, and no others.
#[test]
fn codes_are_those_of_the_sources() {
    let reports = ["Diagnostic::error(", "Diagnostic::warning("];
    let compiler = codes_in("crates/ludex-rules/src", &reports);
    let faults = codes_in("crates/ludex-interp/src", &[" fault(", "(fault(", "code: "]);
    let warned = [reports[0], reports[1], "self.warn("];
    let mut played = codes_in("crates/ludex/src", &warned);
    played.extend(codes_in("crates/ludex-cli/src", &warned));
    let listed = |codes: Vec<&str>| codes.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(compiler, listed(CODES.iter().map(|it| it.0).collect()));
    assert_eq!(faults, listed(FAULTS.iter().map(|it| it.0).collect()));
    assert_eq!(played, listed(PLAYED.iter().chain(SEARCHES).map(|it| it.0).collect()));
}

/// The shortest message with each code.
struct Example {
    message: String,
    text: String,
}

fn examples() -> BTreeMap<&'static str, Example> {
    let mut examples: BTreeMap<&'static str, Example> = BTreeMap::new();
    for case in cases() {
        let said = said(&case);
        let fault = said.fault.map(|(diagnostic, _)| diagnostic);
        for it in said.diagnostics.into_iter().chain(fault) {
            let text = render(std::slice::from_ref(&it), SourceText::new("my.game", &case.source));
            let better = examples.get(it.code).is_none_or(|other| text.len() < other.text.len());
            if better {
                examples.insert(it.code, Example { message: it.message, text });
            }
        }
    }
    examples
}

/// Codes without examples.
fn plain_table(title: &str, codes: &[(&str, &str)]) -> String {
    let rows = codes.iter().map(|(code, meaning)| format!("| `{code}` | {meaning} |\n"));
    format!("\n## {title}\n\n| code | meaning |\n| --- | --- |\n{}", rows.collect::<String>())
}

/// `docs/reference/errors.md` lists every code, with an example made from the broken files.
#[test]
fn the_page_of_errors_is_current() {
    let examples = examples();
    let mut page = PAGE.to_owned();
    let mut missing = Vec::new();
    let mut details = String::new();
    let mut table = |title: &str, codes: &[(&str, &str)]| {
        page.push_str(&format!(
            "\n## {title}\n\n| code | meaning | example |\n| --- | --- | --- |\n"
        ));
        let mut codes = codes.to_vec();
        codes.sort_unstable();
        for (code, meaning) in codes {
            let Some(example) = examples.get(code) else {
                if code == "stopped" {
                    page.push_str(&format!("| `{code}` | {meaning} | |\n"));
                } else {
                    missing.push(code.to_owned());
                }
                continue;
            };
            let message = example.message.replace('|', "\\|");
            page.push_str(&format!("| [`{code}`](#{code}) | {meaning} | {message} |\n"));
            if !details.contains(&format!("\n### {code}\n")) {
                let text = &example.text;
                details.push_str(&format!("\n### {code}\n\n{meaning}\n\n```text\n{text}```\n"));
            }
        }
    };
    table("When a file is read", CODES);
    let faults: Vec<(&str, &str)> = FAULTS.iter().map(|it| (it.0, it.1)).collect();
    table("When it is played", &faults);
    // No broken file of rules gives these: the program finds them, and not the compiler.
    page.push_str(&plain_table("When `ludex check` plays it", PLAYED));
    page.push_str(&plain_table("In the `search` line of a player file", SEARCHES));
    page.push_str("\n## Examples\n");
    page.push_str(&details);
    assert!(missing.is_empty(), "no broken file gives {missing:?}");
    compare(&root().join("docs/reference/errors.md"), &page).unwrap_or_else(|it| panic!("{it}"));
}

const PAGE: &str = "\
# Error messages

Every message about a rules file or a player file has a code in square brackets:
`error[unknown-name]`. Codes do not change from version to version. A test makes this page from the
compiler's own tables and from a collection of broken files (`crates/ludex-testkit/tests/broken`),
so it shows what the program says. [The rules language](language.md) has a page of its own.

A message has three parts: what is wrong; the line, with the text in question underlined and what
that text is; and help, which says what to type. A file with errors cannot be played; one with
warnings can. When the text cannot even be read (a bracket is missing, a word is misspelt) only that
is reported: mend it first.
";
