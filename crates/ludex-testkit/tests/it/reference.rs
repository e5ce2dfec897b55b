//! The language reference is true: every example in it is run.

#[test]
fn the_reference_is_true() {
    crate::literate::check_page("reference/language.md", 80);
}
