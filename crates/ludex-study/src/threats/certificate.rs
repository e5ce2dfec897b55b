//! A win by threats as text, for another program or another day to check.
//!
//! ```text
//! ludex-threats 1
//! game: gomoku
//! rules: 5d1b3c2f9ab01234
//! position: …
//! attacker: Black
//! shape: (2,1,0)
//! win g8                     the attacker's move
//!  pass                      the threat: what he plays if the defender passes
//!   win k8
//!  reply k8                  a defence, and its refutation
//!   win f8
//!  others 218                the other moves leave the threat as it is
//! end
//! ```
//!
//! A line belongs to the nearest line above that is indented less. `danger` stands for a check;
//! `reply M ends` for a defence that ends the game in a loss. A line `zone CELL VALUE…` names a cell on
//! which the threat above depends and the values it may have. Reading gives a tree of moves and nothing
//! else: [`verify`](super::verify) decides whether it wins, by playing all of it out by the rules.

use ludex_core::GameExt;
use std::fmt::Write as _;
use std::rc::Rc;

use ludex_core::{Fault, Position, Turn};
use ludex_ir::{PackedMove, Program};

use super::cell_game::CellGame;
use super::proof::{Hold, Reply, Threat, Win};
use super::widening::Proof;
use super::zone::Zone;

/// The first line of a certificate.
pub const FIRST_LINE: &str = "ludex-threats 1";

/// Number of lines of the header.
const HEADER_LINES: usize = 6;

/// Bound on the depth, larger than that of any proof that this program makes.
const DEEPEST: usize = 512;

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game, as it can be typed.
    pub game: String,
    /// A hash of the rules.
    pub rules: u64,
    /// The position, as the game writes it.
    pub position: String,
    /// The name of the player who wins.
    pub attacker: String,
    /// The shape of the threats.
    pub shape: String,
}

/// Writes a certificate of a proof that begins at `position`.
pub fn write<G: CellGame>(
    (game, program): (&G, &Program),
    header: &Header,
    position: &Position,
    proof: &Proof,
) -> Result<String, Fault> {
    let Header { game: name, rules, position: start, attacker, shape } = header;
    let mut text = format!(
        "{FIRST_LINE}\ngame: {name}\nrules: {rules:016x}\nposition: {start}\n\
         attacker: {attacker}\nshape: {shape}\n"
    );
    let mut writer = Writer { game, program, text: &mut text };
    match proof {
        Proof::Win(win) => writer.win(position, win, 0)?,
        Proof::Hold(hold) => writer.hold(position, hold, 0)?,
    }
    text.push_str("end\n");
    Ok(text)
}

struct Writer<'a, G> {
    game: &'a G,
    program: &'a Program,
    text: &'a mut String,
}

impl<G: CellGame> Writer<'_, G> {
    fn line(&mut self, depth: usize, what: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        _ = writeln!(self.text, "{:depth$}{what}", "");
    }

    fn win(&mut self, position: &Position, win: &Win, depth: usize) -> Result<(), Fault> {
        let name = self.game.name(&position.state, win.mv);
        self.line(depth, format_args!("win {name}"));
        let Some(hold) = &win.then else { return Ok(()) };
        self.hold(&self.game.after(position, win.mv)?, hold, depth + 1)
    }

    fn hold(&mut self, position: &Position, hold: &Hold, depth: usize) -> Result<(), Fault> {
        match &hold.threat {
            Threat::Danger => self.line(depth, format_args!("danger")),
            Threat::Win(win, zone) => {
                self.line(depth, format_args!("pass"));
                let passed =
                    self.game.after_null_move(position).unwrap_or_else(|| position.clone());
                self.win(&passed, win, depth + 1)?;
                self.zone(zone.as_deref(), depth);
            }
        }
        for (mv, reply) in &hold.replies {
            let name = self.game.name(&position.state, *mv);
            match reply {
                Reply::Ends => self.line(depth, format_args!("reply {name} ends")),
                Reply::Win(win) => {
                    self.line(depth, format_args!("reply {name}"));
                    self.win(&self.game.after(position, *mv)?, win, depth + 1)?;
                }
            }
        }
        self.line(depth, format_args!("others {}", hold.others));
        Ok(())
    }

    fn zone(&mut self, zone: Option<&Zone>, depth: usize) {
        let Some(zone) = zone.filter(|it| !it.is_everything()) else { return };
        for reason in zone.reasons() {
            let lo = self.program.cell(reason.cell).0.lo;
            let values: Vec<String> =
                reason.allowed.iter().map(|raw| (i64::from(raw) + lo).to_string()).collect();
            let cell = self.program.cell_name(reason.cell);
            self.line(depth, format_args!("zone {cell} {}", values.join(" ")));
        }
    }
}

/// Why a certificate cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for Unreadable {}

/// The header of a certificate.
pub fn header(text: &str) -> Result<Header, Unreadable> {
    let mut lines = text.lines();
    if lines.next() != Some(FIRST_LINE) {
        return Err(Unreadable { line: 1, why: format!("it does not begin with `{FIRST_LINE}`") });
    }
    let mut field = |line: usize, name: &str| {
        let found = lines.next().and_then(|it| it.strip_prefix(name)?.strip_prefix(": "));
        found.map(str::to_owned).ok_or_else(|| Unreadable { line, why: format!("no `{name}: `") })
    };
    let game = field(2, "game")?;
    let rules = field(3, "rules")?;
    let not_a_number = |_| Unreadable { line: 3, why: "`rules` is not a number".to_owned() };
    let rules = u64::from_str_radix(&rules, 16).map_err(not_a_number)?;
    Ok(Header {
        game,
        rules,
        position: field(4, "position")?,
        attacker: field(5, "attacker")?,
        shape: field(6, "shape")?,
    })
}

/// The proof in a certificate, from a position on. The rules are used only to find moves by their
/// names.
pub fn read<G: CellGame>(
    game: &G,
    position: &Position,
    text: &str,
) -> Result<Result<Proof, Unreadable>, Fault> {
    let lines: Vec<Written<'_>> = text
        .lines()
        .enumerate()
        .skip(HEADER_LINES)
        .map(|(number, line)| {
            let rest = line.trim_start_matches(' ');
            Written { number: number + 1, indent: line.len() - rest.len(), rest }
        })
        .filter(|it| !it.rest.starts_with("zone "))
        .collect();
    let mut reader = Reader { game, lines: &lines, at: 0 };
    match reader.proof(position) {
        Ok(proof) => Ok(Ok(proof)),
        Err(Trouble::Text(it)) => Ok(Err(it)),
        Err(Trouble::Fault(it)) => Err(it),
    }
}

/// A line of a certificate.
struct Written<'a> {
    number: usize,
    indent: usize,
    rest: &'a str,
}

enum Trouble {
    Text(Unreadable),
    Fault(Fault),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

struct Reader<'a, G> {
    game: &'a G,
    lines: &'a [Written<'a>],
    at: usize,
}

impl<'a, G: CellGame> Reader<'a, G> {
    fn proof(&mut self, position: &Position) -> Result<Proof, Trouble> {
        let proof = match self.peek(0, "win ") {
            Some(_) => Proof::Win(self.win(position, 0)?),
            None => Proof::Hold(self.hold(position, 0)?),
        };
        self.take(0, "end")?;
        Ok(proof)
    }

    /// The rest of the present line, if it is indented by `depth` and begins with `word`.
    fn peek(&self, depth: usize, word: &str) -> Option<&'a str> {
        let line = self.lines.get(self.at)?;
        (line.indent == depth).then(|| line.rest.strip_prefix(word)).flatten()
    }

    fn take(&mut self, depth: usize, word: &str) -> Result<&'a str, Trouble> {
        let expected = || format!("`{}` was expected, indented by {depth}", word.trim_end());
        let rest = self.peek(depth, word).ok_or_else(|| self.trouble(expected()))?;
        self.at += 1;
        Ok(rest)
    }

    fn trouble(&self, why: String) -> Trouble {
        let after = self.lines.last().map_or(HEADER_LINES, |it| it.number) + 1;
        let line = self.lines.get(self.at).map_or(after, |it| it.number);
        Trouble::Text(Unreadable { line, why })
    }

    fn named(&self, position: &Position, name: &str) -> Result<PackedMove, Trouble> {
        let Turn::Of(mover) = self.game.turn(position)? else {
            return Err(self.trouble("the game is over before this line".to_owned()));
        };
        let found = self.game.named(position, mover, name)?;
        found.ok_or_else(|| self.trouble(format!("there is no move `{name}` before this line")))
    }

    fn win(&mut self, position: &Position, depth: usize) -> Result<Rc<Win>, Trouble> {
        if depth > DEEPEST {
            return Err(self.trouble("it goes too deep".to_owned()));
        }
        let name = self.take(depth, "win ")?;
        let mv = self.named(position, name)?;
        let goes_on = self.lines.get(self.at).is_some_and(|it| it.indent > depth);
        let then = if goes_on {
            Some(self.hold(&self.game.after(position, mv)?, depth + 1)?)
        } else {
            None
        };
        Ok(Rc::new(Win { mv, then }))
    }

    fn hold(&mut self, position: &Position, depth: usize) -> Result<Rc<Hold>, Trouble> {
        let threat = if self.peek(depth, "danger").is_some() {
            self.at += 1;
            Threat::Danger
        } else {
            self.take(depth, "pass")?;
            let Some(passed) = self.game.after_null_move(position) else {
                return Err(self.trouble("a pass is not possible here".to_owned()));
            };
            Threat::Win(self.win(&passed, depth + 1)?, None)
        };
        let mut replies = Vec::new();
        while let Some(rest) = self.peek(depth, "reply ") {
            self.at += 1;
            let name = rest.strip_suffix(" ends");
            let mv = self.named(position, name.unwrap_or(rest))?;
            let reply = match name {
                Some(_) => Reply::Ends,
                None => Reply::Win(self.win(&self.game.after(position, mv)?, depth + 1)?),
            };
            replies.push((mv, reply));
        }
        let others = self.take(depth, "others ")?;
        let others = others.parse().map_err(|_| self.trouble("no number of others".to_owned()))?;
        Ok(Rc::new(Hold { threat, replies, others, other: None }))
    }
}
