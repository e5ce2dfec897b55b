//! Lines and columns of any offset in any text.

use ludex_diagnostics::{LineColumn, Lines, line_column};

const TEXT: &str = "aé\nb\r\n\nc";

#[test]
fn lines_and_columns_count_from_one() {
    let at = |offset| {
        let LineColumn { line, column } = line_column(TEXT, offset);
        (line, column)
    };
    assert_eq!([at(0), at(1), at(2), at(3), at(4)], [(1, 1), (1, 2), (1, 2), (1, 3), (2, 1)]);
    assert_eq!([at(7), at(8), at(9), at(99)], [(3, 1), (4, 1), (4, 2), (4, 2)]);
}

#[test]
fn both_ways_to_find_a_line_agree() {
    let lines = Lines::of(TEXT);
    for offset in 0..=TEXT.len() {
        let line = lines.line(offset as u32);
        assert_eq!(line + 1, line_column(TEXT, offset).line, "{offset}");
        assert!(lines.start(line) as usize <= offset);
    }
    assert_eq!(lines.line(99), 3);
}
