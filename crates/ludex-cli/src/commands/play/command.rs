//! What a typed line means.

use ludex_core::text::nearest;

/// A command that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing: the line is empty.
    Nothing,
    /// A list of the commands.
    Help,
    /// A list of the legal moves.
    Moves,
    /// The board.
    Board,
    /// A move that might be good.
    Hint,
    /// Take back the last own move.
    Undo,
    /// Resign.
    Resign,
    /// Save the record in a file.
    Save(String),
    /// Resume the game of a file.
    Resume(String),
    /// Begin again.
    New,
    /// Stop.
    Quit,
    /// A move, or its number or beginning.
    Move(String),
}

/// What is shown for `help`.
pub(super) const HELP: &str = "\
type a move, its number in the list, or its beginning; or:
  moves, ?     list the legal moves
  board        show the position
  hint         show what the computer would play, and why
  undo         take your last move back
  resign       resign the game
  save FILE    save the record
  resume FILE  resume the game of a record
  new          begin again
  quit         stop";

impl Command {
    /// Reads a line. What is no command is a move.
    pub(super) fn parse(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        match (word.to_ascii_lowercase().as_str(), rest.is_empty()) {
            ("", _) => Self::Nothing,
            ("help" | "h", true) => Self::Help,
            ("moves" | "?", true) => Self::Moves,
            ("board" | "show", true) => Self::Board,
            ("hint", true) => Self::Hint,
            ("undo" | "u", true) => Self::Undo,
            ("resign", true) => Self::Resign,
            ("new", true) => Self::New,
            ("quit" | "q" | "exit", true) => Self::Quit,
            ("save", _) => Self::Save(rest),
            ("resume", _) => Self::Resume(rest),
            _ => Self::Move(line.to_owned()),
        }
    }
}

/// The number of the move in `names` that a text means: by its name, by its
/// number in the list (from 1), or by the only name that begins so.
pub(super) fn pick(wanted: &str, names: &[&str]) -> Result<usize, String> {
    let same = |name: &&str| name.eq_ignore_ascii_case(wanted);
    if let Some(found) = names.iter().position(|it| *it == wanted).or_else(|| only(names, same)) {
        return Ok(found);
    }
    if let Some(number) = wanted.parse().ok().filter(|it| (1..=names.len()).contains(it)) {
        return Ok(number - 1);
    }
    let begins = |name: &&str| {
        let begin = name.get(..wanted.len());
        begin.is_some_and(|it| it.eq_ignore_ascii_case(wanted))
    };
    if let Some(found) = only(names, begins) {
        return Ok(found);
    }
    let several = names.iter().filter(|it| begins(it)).count();
    if several > 1 {
        return Err(format!("{several} moves begin with `{wanted}`; `moves` lists them"));
    }
    let hint = nearest(wanted, names.iter().copied()).map_or_else(
        || "`moves` lists the legal ones".to_owned(),
        |it| format!("did you mean `{it}`?"),
    );
    Err(format!("`{wanted}` is not a legal move; {hint}"))
}

/// The index of the only name that fits.
fn only(names: &[&str], fits: impl Fn(&&str) -> bool) -> Option<usize> {
    let mut found = names.iter().enumerate().filter(|(_, it)| fits(it)).map(|(index, _)| index);
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_commands_and_the_rest_moves() {
        assert_eq!(Command::parse(" UNDO "), Command::Undo);
        assert_eq!(Command::parse("?"), Command::Moves);
        assert_eq!(Command::parse("save  my game.txt"), Command::Save("my game.txt".to_owned()));
        assert_eq!(Command::parse("save"), Command::Save(String::new()));
        assert_eq!(Command::parse("e2e4"), Command::Move("e2e4".to_owned()));
        assert_eq!(Command::parse(""), Command::Nothing);
    }

    #[test]
    fn moves_are_picked_by_name_number_or_beginning() {
        let names = ["2", "P@e4", "d1", "p@e4", "pass"];
        assert_eq!(pick("2", &names), Ok(0), "a name comes before a number");
        assert_eq!(pick("3", &names), Ok(2));
        assert_eq!(pick("d", &names), Ok(2));
        assert_eq!(pick("D1", &names), Ok(2));
        assert_eq!(pick("P@e4", &names), Ok(1));
        assert!(pick("p", &names).unwrap_err().starts_with("3 moves begin"));
        assert!(pick("d2", &names).unwrap_err().ends_with("did you mean `2`?"));
        assert!(pick("é", &names).is_err());
        assert!(pick("0", &names).is_err());
    }
}
