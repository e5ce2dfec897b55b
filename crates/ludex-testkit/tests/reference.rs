//! The language reference is true: every example in it is run.

mod common;
mod literate;

#[test]
fn the_reference_is_true() {
    literate::check_page("language.md", 80);
}
