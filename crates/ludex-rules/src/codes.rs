//! Every code that a message about a rules file can have, with a sentence on
//! what it means.
//!
//! Codes are stable: tools and tests may rely on them. `docs/reference/errors.md` is made
//! from these tables; `tests/broken.rs` of `ludex-testkit` checks that they
//! hold every code of the sources and no others.

/// Codes of the compiler and what they mean, in alphabetical order within each stage.
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
    (
        "number-too-large",
        "A number does not fit in 64 bits, or is too large for a move to remember.",
    ),
    ("reserved-word", "A word of the language stands where a name is expected."),
    ("stray-semicolon", "A semicolon ends a line."),
    ("unexpected-indentation", "A line is indented more than the one above it for no reason."),
    ("unexpected-token", "Something else was expected here."),
    ("unexpected-type", "A procedure or an action has a type, but gives no value."),
    (
        "unknown-declaration",
        "A line that is not indented starts with a word that declares nothing.",
    ),
    (
        "unknown-statement",
        "A statement starts with a word that looks misspelt, or that declares something.",
    ),
    ("unknown-type", "There is no such type."),
    // Declarations.
    ("bad-default", "The first value of a cell or option is not one that it can have."),
    ("bad-option", "What was typed after the colon of a game's name fits none of its options."),
    ("bad-rows", "The text after `rows` does not fit the board and the men."),
    (
        "bad-symbol",
        "The symbol of a man is taken, or cannot be told from something else in a position.",
    ),
    ("board-too-large", "The board has no squares, or too many."),
    ("circular-constant", "Constants are made of each other."),
    ("duplicate-block", "A file has a block twice that it may have once."),
    ("duplicate-board", "A game has two boards."),
    ("duplicate-name", "Two things have the same name."),
    ("missing-moves", "The file has no block `moves`."),
    ("missing-players", "The file has no line `players`."),
    ("not-a-game", "A player file was given where a game is expected."),
    (
        "not-constant",
        "Something must be known before the game is played, but depends on the position.",
    ),
    ("out-of-bounds", "A number in a declaration is too large or too small."),
    ("reserved-name", "A name is declared that the language uses already."),
    ("same-place", "Two points of a graph lie on each other."),
    ("two-edges-one-way", "Two lines of a graph leave a point in the same direction."),
    ("wrong-symbols", "A kind of man has not as many symbols as there are players."),
    // Names.
    ("no-forward", "A direction is relative to a player, but the players have no `forward`."),
    ("no-history", "The rules ask about repetition without a line `history`."),
    ("not-a-counter", "Only counters can be reset."),
    ("not-a-function", "A procedure or an action is used as a value."),
    ("stray-as", "`as` stands after something that does not depend on who `me` is."),
    ("stray-list", "A list is used as a value."),
    ("stray-word", "The word of an option is used as a value."),
    ("unknown-cell", "There is no such cell."),
    ("unknown-function", "There is no such function, procedure or action."),
    ("unknown-kind", "There is no such kind of man."),
    ("unknown-name", "Nothing has this name."),
    ("unknown-player", "There is no such player."),
    ("unknown-property", "A square has no such property."),
    ("unknown-word", "An option is compared with a word that is not one of its values."),
    // Types.
    ("bad-step", "A step `(x, y)` is not made of constant numbers, or leads beyond any board."),
    ("missing-value", "A function returns nothing."),
    ("unexpected-value", "Something that is not a function returns a value."),
    ("wrong-arguments", "A call has too few or too many arguments."),
    ("wrong-indices", "A cell has too few or too many indices."),
    ("wrong-type", "A value is of another type than is needed here."),
    // Statements and moves.
    ("assign-to-cell", "A cell is changed like a variable."),
    ("bad-text", "A text that moves or positions are written with is empty or has a blank in it."),
    ("cannot-remember", "A move uses a variable from outside of it that it cannot remember."),
    ("misplaced", "A statement stands in a block that cannot have it."),
    ("missing-owner", "A man is put on the board without saying whose it is."),
    ("no-effect", "A value is computed and lost."),
    ("not-allowed", "A routine asks for something that has no meaning where it is used."),
    ("real-in-rules", "The rules compute with real numbers."),
    ("too-long", "A routine is too long."),
    ("too-many-statements", "The file has too many `move` statements."),
    ("too-much-to-remember", "A move uses more variables from outside than it can remember."),
    ("unnamed-move", "A move has no usual way of being written."),
    ("wrong-owner", "A neutral man is given an owner."),
    // Warnings.
    ("impossible-pattern", "No man can ever fit a pattern."),
    ("missing-result", "The file does not say who wins."),
    ("never-moves", "No move is listed for a kind of man."),
    ("never-used", "Something is declared and never used."),
    ("unreachable-result", "A result can never be reached."),
];

/// Codes of errors that only show in play, what they mean, and what to do about them.
pub const FAULTS: &[(&str, &str, &str)] = &[
    (
        "conflicting-results",
        "Two results were said that cannot both be true.",
        "make the conditions exclude each other; `me == to_move` tells the player whose turn it is",
    ),
    (
        "number-too-large",
        "A move would have to remember a number of more than 16 bits.",
        "compute the number inside the move; a move remembers numbers from -32768 to 32767",
    ),
    (
        "out-of-range",
        "A cell was set to a value that it cannot have.",
        "widen the range of the cell, or use `+=` and `-=`, which stop at its ends",
    ),
    (
        "path-too-long",
        "A path became longer than a move can hold.",
        "stop earlier, or let the move remember less besides the path",
    ),
    (
        "step-budget",
        "An algorithm did not come to an end.",
        "make sure that every `while` and every recursion ends",
    ),
    ("stopped", "The program was asked to stop.", "start it again"),
    (
        "too-deep",
        "Routines called each other too deeply.",
        "make sure that the recursion ends; a loop needs no depth",
    ),
    (
        "too-many-moves",
        "A position has more moves than can be listed.",
        "list fewer: let a turn be several moves, or bound its length",
    ),
];

/// Codes of what `ludex check` finds by playing random games and by counting.
pub const PLAYED: &[(&str, &str)] = &[
    ("broken-promise", "A fact of the `expect` block is not true."),
    ("lost-position", "The text of a position does not give that position back."),
    ("no-end", "No random game came to an end."),
    ("same-name", "Two moves of one position are written alike."),
];

/// Codes of what the program finds in the `search` of a player file: the compiler knows no searches.
pub const SEARCHES: &[(&str, &str)] = &[
    ("bad-setting", "A search cannot be told something, or not this value of it."),
    ("unknown-search", "There is no such search."),
    ("unsupported-game", "The search does not play games of this kind."),
];

/// What to do about an error that showed in play.
pub fn fault_help(code: &str) -> Option<&'static str> {
    FAULTS.iter().find(|it| it.0 == code).map(|it| it.2)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_listed_once() {
        let compiler = CODES.iter().map(|it| it.0);
        let others = PLAYED.iter().chain(SEARCHES).map(|it| it.0);
        let codes: Vec<&str> = compiler.chain(others).collect();
        let distinct: BTreeSet<&str> = codes.iter().copied().collect();
        assert_eq!(codes.len(), distinct.len());
        assert!(codes.iter().all(|it| ludex_diagnostics::is_code(it)));
        assert!(FAULTS.is_sorted_by_key(|it| it.0) && PLAYED.is_sorted());
    }
}
