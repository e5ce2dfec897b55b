//! Text of engines and files, made safe for a message.

/// Foreign text on one line, without control characters and at most `longest` characters long.
pub fn quote(text: &str, longest: usize) -> String {
    let clean = |it: char| if it.is_control() { ' ' } else { it };
    let text = text.trim();
    let mut shown: String = text.chars().take(longest).map(clean).collect();
    if text.chars().nth(longest).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_on_one_line() {
        assert_eq!(quote(" e2\ne4\u{7}x \n", 60), "e2 e4 x");
        assert_eq!(quote("äöüß", 3), "äöü…");
        assert_eq!(quote("äöü", 3), "äöü");
    }
}
