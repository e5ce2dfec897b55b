//! Any text is read quickly and without panic, and what is said about it makes sense.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ludex_diagnostics::{Lines, Renderer, SourceText, render};
use ludex_rules::codes::CODES;
use ludex_rules::fmt::format;
use ludex_rules::lex::{MAX_SOURCE, Token, TokenKind, lex};
use ludex_rules::parse::{MAX_ERRORS, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Everything that holds for any text.
fn check(source: &str) {
    check_tokens(source);
    let (file, diagnostics) = parse(source);
    let lines = Lines::of(source);
    let mut seen = BTreeSet::new();
    assert!(diagnostics.len() <= MAX_ERRORS);
    for it in &diagnostics {
        assert!(it.span.start <= it.span.end && it.span.end as usize <= source.len(), "{it:?}");
        assert!(seen.insert(lines.line(it.span.start)), "two errors in one line: {it:?}");
        assert!(CODES.iter().any(|(code, _)| *code == it.code), "{it:?}");
        assert!(!it.message.is_empty() && !it.label.is_empty() && it.help.is_some(), "{it:?}");
    }
    Renderer { colour: true }.render(&diagnostics, SourceText::new("test.game", source));
    match format(source) {
        Ok(formatted) => {
            assert_eq!(crate::syntax::show(&file), crate::syntax::show(&parse(&formatted).0));
            assert_eq!(comments(source), comments(&formatted));
            assert_eq!(format(&formatted).as_ref(), Ok(&formatted));
        }
        Err(errors) => assert_eq!(errors, diagnostics),
    }
}

fn comments(source: &str) -> Vec<&str> {
    lex(source).comments.iter().map(|it| &source[it.start as usize..it.end as usize]).collect()
}

/// Tokens are in order and in the text, and blocks that open also close.
fn check_tokens(source: &str) {
    let lexed = lex(source);
    let mut end = 0;
    let mut open = 0_i32;
    for Token { kind, span } in &lexed.tokens {
        assert!(source.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
        assert!(span.start >= end, "{span:?}");
        end = span.end;
        open += i32::from(*kind == TokenKind::Indent) - i32::from(*kind == TokenKind::Dedent);
        assert!(open >= 0);
    }
    assert_eq!(open, 0);
    assert_eq!(lexed.tokens.last().map(|it| it.kind), Some(TokenKind::End));
}

const EVERYTHING: &str = include_str!("syntax/everything.game");

/// What soup is made of.
const INGREDIENTS: &[&str] = &[
    "\n",
    "\n  ",
    "\n    ",
    "\n      ",
    "\n\t",
    " ",
    " ",
    " ",
    ":",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "..",
    ".",
    "->",
    "=",
    "+=",
    "==",
    "<",
    "+",
    "-",
    "*",
    "|",
    "&",
    "~",
    "!",
    "&&",
    "#c",
    "\"t\"",
    "\"",
    "12",
    "0.5",
    "3x",
    "é",
    "a",
    "b",
    "White",
    "pawn",
    "game",
    "player",
    "men",
    "cell",
    "board",
    "square",
    "graph",
    "points",
    "lines",
    "start",
    "moves",
    "result",
    "function",
    "action",
    "expect",
    "notation",
    "map",
    "option",
    "const",
    "search",
    "illegal",
    "if",
    "elif",
    "else",
    "else if",
    "for",
    "in",
    "from",
    "along",
    "while",
    "let",
    "move",
    "quiet",
    "try",
    "to",
    "becomes",
    "take",
    "put",
    "on",
    "set",
    "reset",
    "next",
    "pass",
    "write",
    "weight",
    "return",
    "break",
    "victory",
    "score",
    "feature",
    "and",
    "or",
    "not",
    "is",
    "any",
    "no",
    "reply",
    "my",
    "their",
    "they could take",
    "as",
    "then",
    "by",
    "perft",
    "after",
    "with",
];

#[derive(Clone, Debug)]
enum Mutation {
    Delete(Index),
    Duplicate(Index),
    Swap(Index, Index),
    Insert(Index, &'static str),
}

fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let mutation = prop_oneof![
        any::<Index>().prop_map(Mutation::Delete),
        any::<Index>().prop_map(Mutation::Duplicate),
        any::<(Index, Index)>().prop_map(|(a, b)| Mutation::Swap(a, b)),
        (any::<Index>(), select(INGREDIENTS)).prop_map(|(at, what)| Mutation::Insert(at, what)),
    ];
    vec(mutation, 1..6)
}

fn mutate(parts: &mut Vec<&str>, mutations: &[Mutation]) {
    for mutation in mutations {
        let size = parts.len().max(1);
        match mutation {
            _ if parts.is_empty() => {}
            Mutation::Delete(at) => {
                parts.remove(at.index(size));
            }
            Mutation::Duplicate(at) => parts.insert(at.index(size), parts[at.index(size)]),
            Mutation::Swap(a, b) => parts.swap(a.index(size), b.index(size)),
            Mutation::Insert(at, what) => parts.insert(at.index(size), what),
        }
    }
}

/// A text cut into its tokens and what is between them.
fn cut(source: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut end = 0;
    for token in lex(source).tokens {
        let (start, stop) = (token.span.start as usize, token.span.end as usize);
        parts.push(&source[end..start]);
        parts.push(&source[start..stop]);
        end = stop;
    }
    parts
}

/// The usual number of cases, which `PROPTEST_CASES` sets, times `factor`.
fn config(factor: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases * factor, failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text(source in "(?s).{0,200}") {
        check(&source);
    }

    #[test]
    fn any_printable_text(source in "game \"G\"\n[ -~\n]{0,200}") {
        check(&source);
    }
}

proptest! {
    #![proptest_config(config(2))]

    #[test]
    fn token_soup(parts in vec(select(INGREDIENTS), 0..120)) {
        check(&format!("game \"G\"\n{}", parts.join(" ")));
        check(&format!("game \"G\"\nmoves\n  {}", parts.join(" ")));
    }

    #[test]
    fn a_line_of_soup(parts in vec(select(INGREDIENTS), 0..8)) {
        check(&format!("game \"G\"\nmoves\n  {}\n", parts.join(" ")));
        check(&format!("game \"G\"\nconst x = {}\n", parts.join(" ")));
    }

    #[test]
    fn broken_lines(mutations in mutations()) {
        let mut lines: Vec<&str> = EVERYTHING.split_inclusive('\n').collect();
        mutate(&mut lines, &mutations);
        check(&lines.concat());
    }

    #[test]
    fn broken_tokens(mutations in mutations()) {
        let mut parts = cut(EVERYTHING);
        mutate(&mut parts, &mutations);
        check(&parts.concat());
    }

    #[test]
    fn cut_off(at in any::<Index>()) {
        let end = at.index(EVERYTHING.len() + 1);
        check(&EVERYTHING[..EVERYTHING.floor_char_boundary(end)]);
    }
}

#[test]
fn everything_is_valid() {
    let (_, diagnostics) = parse(EVERYTHING);
    assert!(
        diagnostics.is_empty(),
        "{}",
        render(&diagnostics, SourceText::new("everything.game", EVERYTHING))
    );
    check(EVERYTHING);
}

/// Large and deep texts of one pattern; a tree that is too deep would overflow the stack here.
#[test]
fn large_texts_are_read_quickly() {
    let head = "game \"G\"\nmoves\n  ";
    let patterns = [
        "(",
        "[",
        "{",
        "((a",
        ")",
        "a+",
        "-",
        "~",
        "not ",
        "!",
        "any ",
        "no ",
        "a.",
        "a[",
        "f(",
        "f(a,",
        "a is ",
        "a is my ",
        "if a: ",
        "for a in b: ",
        "move ",
        "\n",
        " \n",
        "\n  ",
        "#\n",
        "\"",
        "\"\n",
        "a b ",
        "x = 1; ",
        "a to b, ",
        ",",
        "a,",
        "1",
        "é",
        "\u{0}",
        "\r",
        "\t",
        "if a\n  pass\n  elif b\n  ",
        "if a: pass\n  elif b: pass\n  else if ",
        "else: ",
        "(1,2),",
        "a and b or ",
        "f() as ",
        "write a,",
        "a == ",
        "my ",
    ];
    for pattern in patterns {
        let source = format!("{head}{}", pattern.repeat((MAX_SOURCE - head.len()) / pattern.len()));
        let start = Instant::now();
        let (_, diagnostics) = parse(&source);
        render(&diagnostics, SourceText::new("test.game", &source));
        let _ = format(&source);
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "{pattern:?} took {:?}",
            start.elapsed()
        );
    }
}

/// Every level indented more than the one above.
#[test]
fn deep_blocks() {
    let mut source = "game \"G\"\nmoves\n".to_owned();
    for depth in 1..400 {
        source.push_str(&" ".repeat(depth));
        source.push_str("if a\n");
    }
    check(&source);
    let (_, diagnostics) = parse(&source);
    assert!(diagnostics.iter().any(|it| it.code == "nested-too-deep"), "{diagnostics:?}");
}
