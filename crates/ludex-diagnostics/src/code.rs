//! Codes: the names of the kinds of mistakes.

/// The stable name of one kind of mistake, as in `error[unknown-name]`.
///
/// Tests, editors and documents refer to codes, so a released code keeps its meaning. Each
/// language keeps a table of its own codes; [`is_code`] says how they are written.
pub type Code = &'static str;

/// Whether a text is written as codes are: words of small letters, joined by hyphens.
///
/// ```
/// use ludex_diagnostics::is_code;
///
/// assert!(is_code("unknown-name"));
/// assert!(!is_code("UnknownName") && !is_code("unknown--name") && !is_code(""));
/// ```
pub fn is_code(text: &str) -> bool {
    text.split('-')
        .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
}
