//! The tutorial is true: every step of it is played.

mod common;
mod literate;

#[test]
fn the_tutorial_is_true() {
    literate::check_page("tutorial.md", 12);
}
