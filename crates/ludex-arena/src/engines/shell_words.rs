//! Words with quotes as in a shell, and nothing else of a shell.
//!
//! White space separates words. Single quotes make every character literal; between double quotes and
//! outside of quotes a backslash makes the next one literal. There are no variables, wildcards or
//! pipes: no shell runs.

/// A character, and whether quotes or a backslash make it literal.
type Letter = (char, bool);

/// The characters of a text without its quotes; a quote that is not closed is an error.
fn letters(text: &str) -> Result<Vec<Letter>, String> {
    let mut found = Vec::new();
    let mut quote: Option<char> = None;
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                // An empty pair of quotes is a word: mark its place.
                found.push(('\0', true));
            }
            (None | Some('"'), '\\') => {
                let next = rest.next().ok_or("there is nothing after the last `\\`")?;
                found.push((next, true));
            }
            _ => found.push((letter, quote.is_some())),
        }
    }
    match quote {
        Some(open) => Err(format!("the quote {open} is not closed")),
        None => Ok(found),
    }
}

fn joined(letters: &[Letter]) -> String {
    letters.iter().map(|(letter, _)| *letter).filter(|it| *it != '\0').collect()
}

/// The words of a text.
///
/// ```
/// use ludex_arena::engines::shell_words::words;
///
/// let found = words(r#"./prog --book 'my openings' a\ b """#).unwrap();
/// assert_eq!(found, ["./prog", "--book", "my openings", "a b", ""]);
/// ```
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let letters = letters(text)?;
    let is_space = |(letter, quoted): &Letter| letter.is_whitespace() && !quoted;
    let words = letters.split(is_space).filter(|it| !it.is_empty());
    Ok(words.map(joined).collect())
}

/// A text split at every comma that is not quoted, quotes kept.
pub fn parts(text: &str) -> Result<Vec<&str>, String> {
    letters(text)?;
    let mut parts = Vec::new();
    let (mut begin, mut quote, mut escaped) = (0, None, false);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, ',') => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    Ok(parts)
}

/// A trimmed text without its quotes.
pub fn unquoted(text: &str) -> Result<String, String> {
    Ok(joined(&letters(text.trim())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_and_commas_together() {
        assert_eq!(words("a  b\tc").unwrap(), ["a", "b", "c"]);
        assert_eq!(words(r#"x"y z"'\n'"#).unwrap(), [r"xy z\n"]);
        assert_eq!(
            parts(r#"a 'b,c' d\,e,f="g,h",i"#).unwrap(),
            [r"a 'b,c' d\,e", r#"f="g,h""#, "i"]
        );
        assert_eq!(unquoted(r#" "g,h" "#).unwrap(), "g,h");
    }

    #[test]
    fn unclosed_quotes_are_reported() {
        assert_eq!(words("a 'b").unwrap_err(), "the quote ' is not closed");
        assert!(parts("a\\").unwrap_err().contains("nothing after"));
    }
}
