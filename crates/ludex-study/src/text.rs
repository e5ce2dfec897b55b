//! Reasons in words.
//!
//! Conditions are stored by owner and printed from the point of view of a player:
//! as *friend* and *enemy*. There are two forms. The short one says of a cell what
//! it may be (`enemy bishop`, `not empty`, `clock is at most 99`). The other is
//! Pitrat's, who asked of a square its occupant and its kind one after the other:
//! *enemy man in f3*, *bishop in f3*, *g2 empty*.

use ludex_core::Player;
use ludex_ir::{Array, ArrayRole, Man, Program};

use crate::label::Allowed;
use crate::study::Reason;

/// What a cell may be, as `viewpoint` sees it: `enemy bishop`, `friend or empty`; with its name where
/// it is no square: `short.White is yes`.
pub fn condition_text(
    program: &Program,
    cell: usize,
    allowed: Allowed,
    viewpoint: Player,
) -> String {
    let (array, _) = program.cell(cell);
    if array.role == ArrayRole::Board {
        return square_text(program, allowed, viewpoint);
    }
    format!("{} is {}", program.cell_name(cell), scalar_text(program, array, allowed))
}

/// A whole reason: `f3: enemy bishop`, `short.White is yes`.
pub fn reason_text(program: &Program, reason: &Reason, viewpoint: Player) -> String {
    let text = condition_text(program, reason.cell, reason.allowed, viewpoint);
    if is_square(program, reason.cell) {
        format!("{}: {text}", program.cell_name(reason.cell))
    } else {
        text
    }
}

/// The reasons in Pitrat's phrases: `enemy man in f3`, `bishop in f3`, `g2 empty`.
pub fn phrases(program: &Program, reasons: &[Reason], viewpoint: Player) -> Vec<String> {
    let of = |reason: &Reason| phrases_of(program, reason, viewpoint);
    reasons.iter().flat_map(of).collect()
}

fn phrases_of(program: &Program, reason: &Reason, viewpoint: Player) -> Vec<String> {
    let Reason { cell, allowed } = *reason;
    if !is_square(program, cell) {
        return vec![condition_text(program, cell, allowed, viewpoint)];
    }
    let square = program.cell_name(cell);
    let words = Contents::new(program, allowed, viewpoint);
    match words.only_owner() {
        Some(owner) => {
            let mut phrases = Vec::new();
            phrases.extend(owner.man_phrase(program).map(|it| format!("{it} in {square}")));
            phrases.extend(words.kinds_of(owner).map(|it| format!("{it} in {square}")));
            phrases
        }
        None if words.is_everything_but_empty() => vec![format!("man in {square}")],
        None => vec![format!("{square} {}", words.text())],
    }
}

fn is_square(program: &Program, cell: usize) -> bool {
    program.cell(cell).0.role == ArrayRole::Board
}

fn square_text(program: &Program, allowed: Allowed, viewpoint: Player) -> String {
    Contents::new(program, allowed, viewpoint).text()
}

/// The owner of a man, from the point of view of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Friend,
    /// The enemy, or any enemy where there are several.
    Enemy,
    /// One enemy of several.
    Named(u8),
    /// No player.
    Neutral,
}

impl Owner {
    fn has(self, program: &Program, man: &Man, viewpoint: Player) -> bool {
        match (self, man.owner) {
            (Self::Neutral, None) => true,
            (Self::Friend, Some(owner)) => owner == viewpoint.0,
            (Self::Enemy, Some(owner)) => owner != viewpoint.0,
            (Self::Named(it), Some(owner)) => it == owner && program.players.len() > 2,
            _ => false,
        }
    }

    /// The word for a man of this owner whatever its kind.
    fn noun(self, program: &Program) -> String {
        match self {
            Self::Friend => "friend".to_owned(),
            Self::Enemy => "enemy".to_owned(),
            Self::Named(owner) => format!("{} man", program.players[owner as usize]),
            Self::Neutral => "neutral man".to_owned(),
        }
    }

    /// The word before a kind.
    fn adjective(self, program: &Program) -> String {
        match self {
            Self::Friend => "friendly ".to_owned(),
            Self::Enemy => "enemy ".to_owned(),
            Self::Named(owner) => format!("{} ", program.players[owner as usize]),
            Self::Neutral => String::new(),
        }
    }

    /// Pitrat's words for the owner; `None` for a neutral man, whose kind says enough.
    fn man_phrase(self, program: &Program) -> Option<String> {
        (self != Self::Neutral).then(|| format!("{}man", self.adjective(program)))
    }
}

/// A set of things that may stand on a square.
#[derive(Clone, Copy)]
struct Contents<'a> {
    program: &'a Program,
    allowed: Allowed,
    viewpoint: Player,
}

impl<'a> Contents<'a> {
    fn new(program: &'a Program, allowed: Allowed, viewpoint: Player) -> Self {
        Self { program, allowed, viewpoint }
    }

    fn others(self) -> Self {
        let codes = 0..=self.program.men.len() as u16;
        let others = codes.filter(|&code| !self.allowed.contains(code));
        Self { allowed: Allowed::Values(others.fold(0, |mask, code| mask | 1 << code)), ..self }
    }

    /// The whole condition: what it may be, or what it may not be if that is shorter to say.
    fn text(self) -> String {
        let (yes, no) = (self.parts(), self.others().parts());
        match (yes.len(), no.len()) {
            (_, 0) => "anything".to_owned(),
            (some, 1) if some > 1 && !self.is_owners_or_empty() => format!("not {}", no[0]),
            (some, other) if some <= other + 1 => joined(&yes),
            _ => format!("not {}", joined(&no)),
        }
    }

    /// Whether it is made of whole sides and of nothing: then it is said as such.
    fn is_owners_or_empty(self) -> bool {
        self.allowed.contains(0) && self.owners().iter().all(|&it| self.wholly(it))
    }

    /// Whether it is any man at all.
    fn is_everything_but_empty(self) -> bool {
        self.others().parts() == ["empty"]
    }

    /// `friend`, `enemy bishop`, `enemy pawn`, `empty`: one for each way to fit.
    fn parts(self) -> Vec<String> {
        let mut parts = Vec::new();
        for owner in self.owners() {
            if self.wholly(owner) && owner != Owner::Neutral {
                parts.push(owner.noun(self.program));
            } else {
                let kinds = self.kinds(owner).into_iter();
                parts.extend(kinds.map(|kind| owner.adjective(self.program) + kind));
            }
        }
        if self.allowed.contains(0) {
            parts.push("empty".to_owned());
        }
        parts
    }

    /// The owner, if the square must hold a man of one owner.
    fn only_owner(self) -> Option<Owner> {
        match self.owners()[..] {
            [owner] if !self.allowed.contains(0) => Some(owner),
            _ => None,
        }
    }

    /// The owners of the men among them, friends first.
    fn owners(self) -> Vec<Owner> {
        let players = self.program.players.len() as u8;
        let mut owners = vec![Owner::Friend];
        if players == 2 || self.wholly(Owner::Enemy) {
            owners.push(Owner::Enemy);
        } else {
            let enemies = (0..players).filter(|&it| it != self.viewpoint.0);
            owners.extend(enemies.map(Owner::Named));
        }
        owners.push(Owner::Neutral);
        owners.retain(|&owner| !self.kinds(owner).is_empty());
        owners
    }

    /// Whether all men of an owner are among them.
    fn wholly(self, owner: Owner) -> bool {
        self.men(owner).all(|(code, _)| self.allowed.contains(code))
    }

    fn men(self, owner: Owner) -> impl Iterator<Item = (u16, &'a Man)> {
        let men = self.program.men.iter().enumerate();
        men.map(|(index, man)| (index as u16 + 1, man))
            .filter(move |(_, man)| owner.has(self.program, man, self.viewpoint))
    }

    /// The kinds of an owner's men among them.
    fn kinds(self, owner: Owner) -> Vec<&'a str> {
        let among = self.men(owner).filter(|&(code, _)| self.allowed.contains(code));
        among.map(|(_, man)| self.program.kinds[man.kind as usize].as_str()).collect()
    }

    /// The kinds of an owner, if not any kind will do.
    fn kinds_of(self, owner: Owner) -> Option<String> {
        let is_printed = owner == Owner::Neutral || !self.wholly(owner);
        is_printed.then(|| joined(&self.kinds(owner)))
    }
}

/// `a`, `a or b`, `a, b or c`.
fn joined<S: AsRef<str>>(parts: &[S]) -> String {
    match parts {
        [] => "nothing".to_owned(),
        [one] => one.as_ref().to_owned(),
        [some @ .., last] => {
            let some: Vec<&str> = some.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", some.join(", "), last.as_ref())
        }
    }
}

/// What a cell that is no square may be.
fn scalar_text(program: &Program, array: &Array, allowed: Allowed) -> String {
    let size = (array.hi - array.lo + 1) as usize;
    let name = |raw: u16| value_text(program, array.role, i64::from(raw) + array.lo);
    let raws: Vec<u16> = allowed.iter().take_while(|&raw| (raw as usize) < size).collect();
    let (Some(&lo), Some(&hi)) = (raws.first(), raws.last()) else { return "nothing".to_owned() };
    if raws.len() == 1 {
        return name(lo);
    }
    let numeric = matches!(array.role, ArrayRole::Number | ArrayRole::Counter);
    if numeric && raws.len() == (hi - lo) as usize + 1 {
        return match (lo == 0, hi as usize == size - 1) {
            (true, true) => "anything".to_owned(),
            (true, false) => format!("at most {}", name(hi)),
            (false, true) => format!("at least {}", name(lo)),
            (false, false) => format!("from {} to {}", name(lo), name(hi)),
        };
    }
    let others: Vec<String> =
        (0..size as u16).filter(|&raw| !allowed.contains(raw)).map(name).collect();
    if others.len() < raws.len() {
        return format!("not {}", joined(&others));
    }
    joined(&raws.into_iter().map(name).collect::<Vec<_>>())
}

/// A value of a cell that is no square.
fn value_text(program: &Program, role: ArrayRole, value: i64) -> String {
    let word = |words: &[String]| {
        let known = usize::try_from(value).ok().and_then(|it| words.get(it));
        known.map_or_else(|| "none".to_owned(), String::clone)
    };
    match role {
        ArrayRole::Bool | ArrayRole::Set => if value == 0 { "no" } else { "yes" }.to_owned(),
        ArrayRole::Square => word(&program.look.squares),
        ArrayRole::Player | ArrayRole::Turn => word(&program.players),
        ArrayRole::Kind => word(&program.kinds),
        ArrayRole::Board | ArrayRole::Number | ArrayRole::Counter => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> ludex_ir::VerifiedProgram {
        let source = include_str!("../../../games/chess.game");
        ludex_rules::compile(source, "").program.expect("chess compiles")
    }

    /// The mask of men whose symbols are given, `.` for none.
    fn mask(program: &Program, symbols: &str) -> Allowed {
        let code = |symbol: char| {
            let man = program.men.iter().position(|it| it.symbol == symbol.to_string());
            man.map_or(0, |it| it + 1)
        };
        Allowed::Values(symbols.chars().fold(0, |mask, it| mask | 1 << code(it)))
    }

    #[track_caller]
    fn check(symbols: &str, text: &str, phrases: &[&str]) {
        let program = chess();
        let reason = Reason { cell: 0, allowed: mask(&program, symbols) };
        assert_eq!(condition_text(&program, 0, reason.allowed, Player(0)), text);
        assert_eq!(super::phrases(&program, &[reason], Player(0)), phrases);
    }

    #[test]
    fn squares() {
        check(".", "empty", &["a1 empty"]);
        check("b", "enemy bishop", &["enemy man in a1", "bishop in a1"]);
        check("PNBRQK", "friend", &["friendly man in a1"]);
        check("pnbrqk", "enemy", &["enemy man in a1"]);
        check("PNBRQKpnbrqk", "not empty", &["man in a1"]);
        check(".PNBRQK", "friend or empty", &["a1 friend or empty"]);
        check(".pnbrqk", "enemy or empty", &["a1 enemy or empty"]);
        check("R", "friendly rook", &["friendly man in a1", "rook in a1"]);
        check("bq", "enemy bishop or enemy queen", &["enemy man in a1", "bishop or queen in a1"]);
        check(".PNBRQKpnbrq", "not enemy king", &["a1 not enemy king"]);
        check("kK", "friendly king or enemy king", &["a1 friendly king or enemy king"]);
    }

    #[test]
    fn the_other_side_sees_it_the_other_way_round() {
        let program = chess();
        let bishop = mask(&program, "b");
        assert_eq!(condition_text(&program, 0, bishop, Player(1)), "friendly bishop");
    }

    #[test]
    fn scalars() {
        let program = chess();
        let cell = |name: &str| {
            (0..program.cells()).find(|&it| program.cell_name(it) == name).expect("there is one")
        };
        let text = |name: &str, allowed| condition_text(&program, cell(name), allowed, Player(0));
        assert_eq!(text("short.White", Allowed::Values(0b10)), "short.White is yes");
        assert_eq!(text("clock", Allowed::Range { lo: 0, hi: 99 }), "clock is at most 99");
        assert_eq!(text("clock", Allowed::Range { lo: 100, hi: 100 }), "clock is 100");
        assert_eq!(text("clock", Allowed::Range { lo: 7, hi: 9 }), "clock is from 7 to 9");
        assert_eq!(text("ep", Allowed::Range { lo: 0, hi: 0 }), "ep is none");
        assert_eq!(text("ep", Allowed::Range { lo: 21, hi: 21 }), "ep is e3");
    }
}
