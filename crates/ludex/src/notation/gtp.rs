//! Points as Go players call them: letters without I, which the rules have.

/// A point of theirs as the rules call it: letters with an I.
pub fn ours(vertex: &str) -> Option<String> {
    let vertex = vertex.to_ascii_lowercase();
    if vertex == "pass" {
        return Some(vertex);
    }
    let letter = vertex.bytes().next().filter(|it| it.is_ascii_lowercase() && *it != b'i')?;
    let letter = if letter > b'i' { letter - 1 } else { letter };
    let row = vertex.get(1..).filter(|it| it.parse::<u8>().is_ok())?;
    Some(format!("{}{row}", char::from(letter)))
}

/// A point of ours as they call it: capital letters without an I.
pub fn theirs(name: &str) -> String {
    let mut letters = name.chars();
    match (letters.next(), letters.as_str()) {
        (Some(letter), row) if letter.is_ascii_lowercase() && row.parse::<u8>().is_ok() => {
            let code = letter as u8;
            let code = if code >= b'i' { code + 1 } else { code };
            format!("{}{row}", char::from(code).to_ascii_uppercase())
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_letter_i() {
        for (gtp, name) in
            [("A1", "a1"), ("H8", "h8"), ("J9", "i9"), ("T19", "s19"), ("PASS", "pass")]
        {
            assert_eq!(ours(gtp).as_deref(), Some(name));
        }
        assert_eq!(theirs("i9"), "J9");
        assert_eq!(theirs("h8"), "H8");
        assert_eq!(theirs("pass"), "pass");
        assert_eq!(ours("i1"), None);
        assert_eq!(ours("é1"), None);
        assert_eq!(ours("a"), None);
    }
}
