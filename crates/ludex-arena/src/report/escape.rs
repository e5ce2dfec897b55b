//! Escaping of untrusted text.

use std::fmt::Write;

/// For text and attribute values in HTML and SVG.
pub fn html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            it if it.is_control() && it != '\n' => safe.push(' '),
            it => safe.push(it),
        }
    }
    safe
}

/// As a JSON string that is safe inside a script element.
pub fn json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 2);
    safe.push('"');
    for letter in text.chars() {
        match letter {
            '"' => safe.push_str("\\\""),
            '\\' => safe.push_str("\\\\"),
            '\n' => safe.push_str("\\n"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(safe, "\\u{:04x}", letter as u32);
            }
            it if it.is_control() => {
                let _ = write!(safe, "\\u{:04x}", it as u32);
            }
            it => safe.push(it),
        }
    }
    safe.push('"');
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_escaped() {
        assert_eq!(
            html("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;"
        );
        assert_eq!(json("</script>\"\\\n\u{1}"), "\"\\u003c/script\\u003e\\\"\\\\\\n\\u0001\"");
    }
}
