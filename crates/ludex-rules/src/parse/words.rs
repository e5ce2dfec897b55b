//! The words of the language, in tables.
//!
//! Most words mean something only where they are expected: a game may have a
//! man called `man` and a cell called `start`. Only the words in [`RESERVED`]
//! can never be names.

/// Words that are never names: the operators that are words, the words that start a statement and
/// cannot be told from a name by what follows, and those that end an expression.
pub const RESERVED: &[&str] = &[
    "and", "any", "as", "becomes", "break", "continue", "elif", "else", "for", "if", "in", "is", "let", "move", "my",
    "no", "not", "on", "or", "return", "their", "to", "try", "while",
];

/// Words that are names elsewhere, but after an expression start an action, an end or a mistake:
/// `b take c` is two actions without a comma, not a pattern such as `White pawn`.
pub(super) const AFTER_EXPRESSION: &[&str] = &[
    "draw", "irreversible", "loss", "next", "pass", "put", "quiet", "reset", "score", "set", "take", "then", "victory",
    "write",
];

/// Words that are names elsewhere, but between two expressions join them: `n by m`, `b weight 3`. Where
/// no expression follows they are kinds of men like any other: `White seed on a1`.
pub(super) const BETWEEN_EXPRESSIONS: &[&str] = &["along", "by", "from", "seed", "weight", "wrap"];

/// Words that start a declaration.
pub(super) const DECLARATIONS: &[&str] = &[
    "action", "adjudicate", "board", "candidates", "cell", "const", "counter", "evaluate", "expect", "features",
    "function", "game", "history", "illegal", "map", "men", "moves", "notation", "option", "places", "player",
    "players", "procedure", "region", "result", "score", "search", "start", "stuck",
];

/// Words that start a statement.
pub(super) const STATEMENTS: &[&str] = &[
    "break", "continue", "draw", "elif", "else", "feature", "for", "if", "irreversible", "let", "loss", "move", "next",
    "pass", "put", "quiet", "reset", "return", "score", "set", "take", "try", "victory", "while", "write",
];

/// What people type for a declaration, and what it is called here.
pub(super) const DECLARATION_SYNONYMS: &[(&str, &str)] = &[
    ("constant", "const"),
    ("def", "function"),
    ("end", "result"),
    ("ending", "result"),
    ("eval", "evaluate"),
    ("evaluation", "evaluate"),
    ("fn", "function"),
    ("func", "function"),
    ("goal", "result"),
    ("init", "start"),
    ("initial", "start"),
    ("kind", "men"),
    ("kinds", "men"),
    ("legal", "moves"),
    ("name", "game"),
    ("param", "option"),
    ("piece", "men"),
    ("pieces", "men"),
    ("proc", "procedure"),
    ("rules", "moves"),
    ("setup", "start"),
    ("state", "cell"),
    ("terminal", "result"),
    ("title", "game"),
    ("var", "cell"),
    ("variable", "cell"),
    ("win", "result"),
    ("zone", "region"),
];

/// What people type for a statement, and what it is called here.
pub(super) const STATEMENT_SYNONYMS: &[(&str, &str)] = &[
    ("add", "put"),
    ("capture", "take"),
    ("const", "let"),
    ("foreach", "for"),
    ("lose", "loss"),
    ("place", "put"),
    ("remove", "take"),
    ("tie", "draw"),
    ("unless", "if not"),
    ("until", "while not"),
    ("var", "let"),
    ("win", "victory"),
];

/// What people type for a value, and what it is called here.
pub(super) const VALUE_SYNONYMS: &[(&str, &str)] = &[
    ("False", "no"),
    ("None", "none"),
    ("True", "yes"),
    ("false", "no"),
    ("nil", "none"),
    ("null", "none"),
    ("true", "yes"),
];

/// Whether a word is never a name.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Whether a word can be the kind of man in `White pawn`; `joins` tells whether an expression follows it.
pub(super) fn can_be_kind(word: &str, joins: bool) -> bool {
    !is_reserved(word)
        && AFTER_EXPRESSION.binary_search(&word).is_err()
        && !(joins && BETWEEN_EXPRESSIONS.binary_search(&word).is_ok())
}

/// What a foreign word is called here, by a table of pairs.
pub(super) fn synonym(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(foreign, _)| *foreign == word).map(|&(_, ours)| ours)
}

/// The word of a list that looks most like `word`, if one does.
pub(super) fn nearest(word: &str, list: &[&'static str]) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    list.iter()
        .map(|&known| (strsim::damerau_levenshtein(&word, known), known))
        .filter(|&(distance, known)| distance * 3 <= known.len().max(word.len()).max(3) && distance < known.len())
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [RESERVED, AFTER_EXPRESSION, BETWEEN_EXPRESSIONS, DECLARATIONS, STATEMENTS] {
            assert!(table.is_sorted(), "binary search needs order: {table:?}");
        }
        for table in [DECLARATION_SYNONYMS, STATEMENT_SYNONYMS, VALUE_SYNONYMS] {
            assert!(table.is_sorted(), "a sorted table is easier to read: {table:?}");
        }
    }

    #[test]
    fn nearest_word() {
        assert_eq!(nearest("mooves", DECLARATIONS), Some("moves"));
        assert_eq!(nearest("gmae", DECLARATIONS), Some("game"));
        assert_eq!(nearest("fro", STATEMENTS), Some("for"));
        assert_eq!(nearest("xyzzy", DECLARATIONS), None);
        assert_eq!(nearest("a", STATEMENTS), None);
    }
}
