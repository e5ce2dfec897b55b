//! The tutorial is true: every step of it is played.

#[test]
fn the_tutorial_is_true() {
    crate::literate::check_page("start/tutorial.md", 12);
}
