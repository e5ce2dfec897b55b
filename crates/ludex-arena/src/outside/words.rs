//! Words with quotes, as a shell has them, and nothing else of a shell.
//!
//! White space separates words. Between single quotes everything stands for itself; between double
//! quotes a backslash makes the next letter stand for itself, and so it does outside of quotes. There
//! are no variables, no wildcards and no pipes: no shell is asked.

/// A letter, and whether quotes or a backslash took its meaning away.
type Letter = (char, bool);

/// The letters of a text without its quotes; the quote that is not closed is an error.
fn letters(text: &str) -> Result<Vec<Letter>, String> {
    let mut found = Vec::new();
    let mut quote: Option<char> = None;
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                // An empty pair of quotes is a word, too.
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
/// use ludex_arena::outside::words::words;
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

/// A text cut at every comma that is not quoted, the quotes still there.
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

/// A text without its quotes, spaces at its ends taken off.
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
    fn what_is_left_open_is_told() {
        assert_eq!(words("a 'b").unwrap_err(), "the quote ' is not closed");
        assert!(parts("a\\").unwrap_err().contains("nothing after"));
    }
}
