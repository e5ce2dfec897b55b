//! Outputs of a page beside those of the program.

/// Stands for any text, or on a line alone for any lines.
const ANY: &str = "…";

/// What the page should show, given what it shows and what was printed: the same where both agree
/// but for times.
pub(super) fn shown(page: &str, printed: &str) -> String {
    let wanted: Vec<&str> = page.lines().collect();
    let found: Vec<&str> = printed.lines().collect();
    if page.is_empty() {
        return String::new();
    }
    let right = if lines_match(&wanted, &found) { page } else { printed };
    format!("{}\n", right.trim_end_matches('\n'))
}

/// Whether lines are those of the page.
fn lines_match(wanted: &[&str], found: &[&str]) -> bool {
    match (wanted, found) {
        ([], []) => true,
        ([any, rest @ ..], _) if any.trim() == ANY => {
            (0..=found.len()).any(|skipped| lines_match(rest, &found[skipped..]))
        }
        ([first, wanted @ ..], [line, found @ ..]) => {
            line_matches(&untimed(first), &untimed(line)) && lines_match(wanted, found)
        }
        _ => false,
    }
}

/// Whether a line is that of the page.
fn line_matches(wanted: &str, found: &str) -> bool {
    let Some((head, rest)) = wanted.split_once(ANY) else { return wanted == found };
    let Some(found) = found.strip_prefix(head) else { return false };
    found
        .char_indices()
        .map(|(at, _)| at)
        .chain([found.len()])
        .any(|at| line_matches(rest, &found[at..]))
}

/// The line without times and speeds.
fn untimed(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit = |word: &str| matches!(word.trim_end_matches([',', ')', ':']), "s" | "ms" | "per");
    let masked = |index: usize| {
        let is_time = words.get(index + 1).is_some_and(|it| is_unit(it));
        if is_time && words[index].starts_with(|it: char| it.is_ascii_digit()) {
            "0"
        } else {
            words[index]
        }
    };
    (0..words.len()).map(masked).collect::<Vec<_>>().join(" ")
}

#[test]
fn times_and_gaps_do_not_count() {
    let page = "best: d4\n…\n20 nodes in 0.45 s\n";
    assert_eq!(shown(page, "best: d4\nx\ny\n20 nodes in 1.5 s\n"), page);
    assert_eq!(shown(page, "best: d4\n20 nodes in 1.5 s\n"), page);
    assert_eq!(shown(page, "best: d4\n21 nodes in 1.5 s\n"), "best: d4\n21 nodes in 1.5 s\n");
    assert_eq!(shown("by c5 … (shape)\n", "by c5 b5 (shape)\n"), "by c5 … (shape)\n");
    assert_eq!(shown("", "much\n"), "");
}
