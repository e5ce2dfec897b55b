//! The words of the language, in tables.
//!
//! Most words mean something only where they are expected: a game may have a
//! man called `man` and a cell called `start`. Only the words in [`RESERVED`]
//! can never be names.

/// Words that are never names: the operators that are words, the words that start a statement and
/// cannot be told from a name by what follows, and those that end an expression.
pub const RESERVED: &[&str] = &[
    "and", "any", "as", "becomes", "break", "continue", "elif", "else", "for", "if", "in", "is",
    "let", "move", "my", "no", "not", "on", "or", "return", "their", "to", "try", "while",
];

/// Words that are names elsewhere, but after an expression start an action, an end or a mistake:
/// `b take c` is two actions without a comma, not a pattern such as `White pawn`.
pub(super) const AFTER_EXPRESSION: &[&str] = &[
    "draw",
    "irreversible",
    "loss",
    "next",
    "pass",
    "put",
    "quiet",
    "reset",
    "score",
    "set",
    "take",
    "then",
    "victory",
    "write",
];

/// Words that are names elsewhere, but between two expressions join them: `n by m`, `b weight 3`. Where
/// no expression follows they are kinds of men like any other: `White seed on a1`.
pub(super) const BETWEEN_EXPRESSIONS: &[&str] = &["along", "by", "from", "seed", "weight", "wrap"];

/// Words that start a declaration.
pub(super) const DECLARATIONS: &[&str] = &[
    "action",
    "adjudicate",
    "board",
    "candidates",
    "cell",
    "const",
    "counter",
    "evaluate",
    "expect",
    "features",
    "function",
    "game",
    "goal",
    "history",
    "illegal",
    "map",
    "men",
    "moves",
    "notation",
    "option",
    "places",
    "player",
    "players",
    "procedure",
    "region",
    "result",
    "score",
    "search",
    "start",
    "stuck",
];

/// Words that start a statement.
pub(super) const STATEMENTS: &[&str] = &[
    "break",
    "continue",
    "draw",
    "elif",
    "else",
    "feature",
    "for",
    "if",
    "irreversible",
    "let",
    "loss",
    "move",
    "next",
    "pass",
    "put",
    "quiet",
    "reset",
    "return",
    "score",
    "set",
    "take",
    "try",
    "victory",
    "while",
    "write",
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

/// What a declaration looks like, by its word.
pub(super) const DECLARATION_FORMS: &[(&str, &str)] = &[
    ("action", "action promote(a: square, k: kind)"),
    ("board", "board square 8 by 8"),
    ("candidates", "candidates only"),
    ("cell", "cell castle[player]: bool = yes"),
    ("const", "const leaps = [(1,2), (2,1)]"),
    ("counter", "counter clock to 100"),
    ("evaluate", "evaluate for side"),
    ("function", "function attacked(s: square, by: player): bool"),
    ("game", "game \"Chess\""),
    ("goal", "goal \"Win the queen\" for chess"),
    ("history", "history position"),
    ("illegal", "illegal if they could take king"),
    ("map", "map value: pawn -> 1, queen -> 9"),
    ("men", "men pawn \"P\" \"p\", king, stone neutral \"o\""),
    ("option", "option n = 8 in 4..20"),
    ("places", "places left, right"),
    ("player", "player \"Anna\" for chess"),
    ("players", "players White forward north, Black forward south"),
    ("procedure", "procedure slide(a: square, ds: directions)"),
    ("region", "region camp = rank(1) | rank(2)"),
    ("score", "score up to 361"),
    ("search", "search alphabeta depth=6"),
];

/// What a line inside a block looks like, by its first word.
pub(super) const LINE_FORMS: &[(&str, &str)] = &[
    ("after", "after \"e2e4 e7e5\": goes on"),
    ("feature", "feature men = count(mine)"),
    ("for", "for a in mine"),
    ("let", "let x = 3"),
    ("lines", "lines a1 b1 c1; a2 b2"),
    ("move", "move a to b, take c"),
    ("next", "next opponent"),
    ("perft", "perft 20, 400, 8902"),
    ("points", "points a1 (0,0), b1 (1,0)"),
    ("position", "position board, turn, ep, clock"),
    ("put", "put my stone on a"),
    ("quiet", "quiet move a to b"),
    ("reset", "reset clock"),
    ("scatter", "scatter red, blue on all seed 7"),
    ("set", "set x = 1"),
    ("solved", "solved draw"),
    ("take", "take a"),
    ("try", "try a to b, take c"),
    ("turn", "turn Black"),
    ("write", "write a, \"x\", b"),
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

/// What stands beside a word in a table of pairs.
pub(super) fn beside(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(key, _)| *key == word).map(|&(_, value)| value)
}

/// The word of a list that looks most like `word`, if one does.
pub(super) fn nearest(word: &str, list: &[&'static str]) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    list.iter()
        .map(|&known| (strsim::damerau_levenshtein(&word, known), known))
        .filter(|&(distance, known)| {
            distance * 3 <= known.len().max(word.len()).max(3) && distance < known.len()
        })
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
        for table in [
            DECLARATION_SYNONYMS,
            STATEMENT_SYNONYMS,
            VALUE_SYNONYMS,
            DECLARATION_FORMS,
            LINE_FORMS,
        ] {
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
