//! Every code a diagnostic can have, with a sentence on what it means.
//!
//! Codes are stable: tools and tests may rely on them. A test checks that no
//! diagnostic has a code that is not here.

/// Codes and what they mean, in alphabetical order within each stage.
pub const CODES: &[(&str, &str)] = &[
    // Reading the text.
    ("bad-indentation", "A line is indented to a level that no line above it has."),
    ("bad-number", "Letters follow directly on digits."),
    ("file-too-large", "The file is larger than rules can be."),
    ("tab", "A line is indented with a tab."),
    ("unclosed-bracket", "A bracket is opened and never closed."),
    ("unknown-character", "A character stands outside of texts and comments that no rule uses."),
    ("unterminated-text", "A text is not closed on its line."),
    // Reading the structure.
    ("assign-in-condition", "A condition has `=`, which gives a value, where `==` is meant."),
    ("chained-comparison", "Two comparisons share an operand."),
    ("colon-before-block", "A colon stands before a block that is on lines of its own."),
    ("else-without-if", "An `else` or `elif` does not follow the block of an `if`."),
    ("expected-expression", "A value is missing."),
    ("foreign-word", "A word or sign of another language has a different name here."),
    ("header-not-first", "The line with `game` or `player` is not the first, or not the only one."),
    ("missing-block", "A header has no block."),
    ("missing-colon", "A statement follows its header without a colon."),
    ("missing-comma", "Two actions of a move have no comma between them."),
    ("missing-header", "The file starts with neither `game` nor `player`."),
    ("missing-type", "A function does not say what it gives."),
    ("nested-too-deep", "Brackets, blocks or operators stand in each other too deeply."),
    ("not-a-statement", "A line computes a value and does nothing with it."),
    ("number-too-large", "A number does not fit in 64 bits."),
    ("reserved-word", "A word of the language stands where a name is expected."),
    ("stray-semicolon", "A semicolon ends a line."),
    ("unexpected-indentation", "A line is indented more than the one above it for no reason."),
    ("unexpected-token", "Something else was expected here."),
    ("unexpected-type", "A procedure or an action has a type, but gives no value."),
    (
        "unknown-declaration",
        "A line that is not indented starts with a word that declares nothing.",
    ),
    ("unknown-statement", "A statement starts with a word that looks misspelt."),
    ("unknown-type", "There is no such type."),
];
