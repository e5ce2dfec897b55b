//! What is printed is read back, and no text makes the reader panic.

use crate::common::PROGRAMS;
use crate::common::random::{Choices, program};
use ludex_ir::verify::errors;
use ludex_ir::{Function, Program};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_program_survives(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let program = program(&mut Choices(&bytes));
        let text = program.to_string();
        let read = Program::parse(&text);
        prop_assert!(read.as_ref() == Ok(&program), "{text}\n{read:?}");
        for function in &program.functions {
            prop_assert_eq!(Function::parse(&function.to_string()), Ok(function.clone()));
        }
        // Whatever it is, the verifier looks at it calmly.
        let _ = errors(&program);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(?s).*") {
        let _ = Program::parse(&text);
        let _ = Function::parse(&text);
    }

    /// Texts that are nearly right get further into the reader.
    #[test]
    fn damaged_programs_are_read_or_refused(
        which in 0..PROGRAMS.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..6_usize, 0..9_usize), 1..5),
    ) {
        let pieces = ["", "99999999999", "-1", "..", "*", "\"", "r70000", "b0:", "["];
        let mut words: Vec<&str> = PROGRAMS[which].1.split_inclusive(char::is_whitespace).collect();
        for (at, len, piece) in cuts {
            let at = at.index(words.len());
            let end = (at + len).min(words.len());
            words.splice(at..end, [pieces[piece], " "]);
        }
        if let Ok(program) = Program::parse(&words.concat()) {
            prop_assert_eq!(Program::parse(&program.to_string()), Ok(program.clone()));
            let _ = errors(&program);
        }
    }
}
