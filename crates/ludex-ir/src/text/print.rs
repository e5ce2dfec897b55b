//! Printing a whole program: header, algorithms, then data.

use std::fmt::{self, Display, Formatter};

use super::print_code::{function, write_into};
use super::words::Word;
use crate::bits::Bits;
use crate::inst::Func;
use crate::program::{
    Array, Function, IndexKind, Look, Man, PositionField, Program, RoleFunctions, SetFamily,
    Statement,
};

/// Rows of numbers are broken here.
const WIDTH: usize = 96;

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        header(&mut out, self);
        for (index, it) in self.functions.iter().enumerate() {
            out.push('\n');
            out.push_str(&function(it, Some((self, Func(index as u16)))));
        }
        data(&mut out, self);
        f.write_str(&out)
    }
}

impl Program {
    /// One function as text, with names of the program's things in comments.
    pub fn function_text(&self, func: Func) -> String {
        function(self.function(func), Some((self, func)))
    }
}

fn header(out: &mut String, program: &Program) {
    write_into(out, format_args!("game {:?}\n", program.title));
    strings(out, "players", &program.players);
    strings(out, "kinds", &program.kinds);
    write_into(out, format_args!("squares {}\n", program.squares));
    write_into(out, format_args!("history {}\n", program.history.word()));
    strings(out, "features", &program.features);
    if let Some(score) = program.score_up_to {
        write_into(out, format_args!("score_up_to {score}\n"));
    }
    out.push('\n');
    program.men.iter().enumerate().for_each(|(index, it)| man(out, program, index, it));
    program.arrays.iter().enumerate().for_each(|(index, it)| array(out, index, it));
    program.statements.iter().enumerate().for_each(|(index, it)| statement(out, index, it));
    roles(out, &program.roles, &program.functions);
}

fn man(out: &mut String, program: &Program, index: usize, man: &Man) {
    let owner = man.owner.map_or_else(|| "none".to_owned(), |it| it.to_string());
    let line = format!("man {owner} {} {:?}", man.kind, man.symbol);
    let player = man.owner.and_then(|it| program.players.get(it as usize));
    let kind = program.kinds.get(man.kind as usize);
    let names: Vec<&str> = player.into_iter().chain(kind).map(String::as_str).collect();
    let names = names.join(" ").replace(char::is_control, "?");
    write_into(out, format_args!("{line:<20} ; {} = {names}\n", index + 1));
}

fn array(out: &mut String, index: usize, array: &Array) {
    let indices: Vec<String> = array.indices.iter().map(|&it| index_kind(it)).collect();
    let Array { name, role, base, len, lo, hi, default, .. } = array;
    write_into(
        out,
        format_args!(
            "array a{index} {name:?} {} [{}] base {base} cells {len} from {lo} to {hi} default {default}\n",
            role.word(),
            indices.join(" "),
        ),
    );
}

fn index_kind(kind: IndexKind) -> String {
    match kind {
        IndexKind::Player => "player".to_owned(),
        IndexKind::Kind => "kind".to_owned(),
        IndexKind::Number(values) => values.to_string(),
    }
}

fn statement(out: &mut String, index: usize, statement: &Statement) {
    let operands = statement.operands.iter().map(|it| format!("{} {:?}", it.kind.word(), it.name));
    let operands = operands.collect::<Vec<_>>().join(", ");
    write_into(out, format_args!("statement m{index} {} ({operands})", statement.effect));
    let flags = [(statement.quiet, " quiet"), (statement.twins, " twins")];
    flags.iter().filter(|(set, _)| *set).for_each(|(_, word)| out.push_str(word));
    if statement.place != 0 {
        write_into(out, format_args!(" @{}", statement.place));
    }
    out.push('\n');
}

fn roles(out: &mut String, roles: &RoleFunctions, functions: &[Function]) {
    out.push_str("roles\n");
    let list = [
        ("moves", Some(roles.moves)),
        ("result", roles.result),
        ("stuck", roles.stuck),
        ("adjudicate", roles.adjudicate),
        ("illegal", roles.illegal),
        ("evaluate", roles.evaluate),
        ("features", roles.features),
        ("candidates", roles.candidates),
    ];
    for (role, func) in list {
        let Some(func) = func else { continue };
        let name = functions.get(func.0 as usize).map_or("?", |it| &it.name);
        let name = name.replace(char::is_control, "?");
        write_into(out, format_args!("  {:<18} ; {name}\n", format!("{role} {func}")));
    }
    if let Some(kind) = roles.royal {
        write_into(out, format_args!("  royal {kind}\n"));
    }
    let flags = [
        (roles.evaluate_for_side, "  evaluate_for_side\n"),
        (roles.candidates_only, "  candidates_only\n"),
    ];
    flags.iter().filter(|(set, _)| *set).for_each(|(_, word)| out.push_str(word));
}

fn data(out: &mut String, program: &Program) {
    out.push_str("\nstart\n");
    numbers(out, &program.start);
    out.push('\n');
    for (index, it) in program.geometry.directions.iter().enumerate() {
        let compass = if it.compass { " compass" } else { "" };
        let opposite = it.opposite;
        write_into(
            out,
            format_args!("direction d{index} {:?}{compass} opposite d{opposite}\n", it.name),
        );
        numbers(out, &it.steps);
    }
    for (index, it) in program.geometry.lists.iter().enumerate() {
        write_into(out, format_args!("list l{index}\n"));
        numbers(out, it);
    }
    for (index, it) in program.tables.iter().enumerate() {
        write_into(out, format_args!("table t{index} {:?} {} {}\n", it.name, it.rows, it.columns));
        numbers(out, &it.data);
    }
    for (index, it) in program.families.iter().enumerate() {
        family(out, index, it, program.squares);
    }
    look(out, &program.look);
}

fn family(out: &mut String, index: usize, family: &SetFamily, squares: usize) {
    write_into(out, format_args!("family c{index} {:?}\n", family.name));
    for set in &family.sets {
        write_into(out, format_args!("  {}\n", bits(set, squares)));
    }
}

/// A set as its squares; as bare words if it was made for another board.
fn bits(set: &Bits, squares: usize) -> String {
    if set.words.len() == squares.div_ceil(64) {
        let members: Vec<i64> = set.iter().map(|square| square as i64).collect();
        format!("{{{}}}", runs(&members).join(" "))
    } else {
        let words: Vec<String> = set.words.iter().map(|&word| (word as i64).to_string()).collect();
        format!("words [{}]", words.join(" "))
    }
}

fn look(out: &mut String, look: &Look) {
    out.push_str("\nlook\n");
    strings(out, "  squares", &look.squares);
    write_into(out, format_args!("  grid {} {} {}\n", look.grid.word(), look.columns, look.rows));
    if !look.at.is_empty() {
        out.push_str("  at\n");
        numbers(out, &look.at);
    }
    if !look.edges.is_empty() {
        out.push_str("  edges");
        look.edges.iter().for_each(|(a, b)| write_into(out, format_args!(" ({a} {b})")));
        out.push('\n');
    }
    strings(out, "  kinds", &look.kinds);
    strings(out, "  players", &look.players);
    if let Some(fields) = &look.position {
        let fields: Vec<String> =
            fields.iter().map(|field| format!(" {}", position(field))).collect();
        write_into(out, format_args!("  position{}\n", fields.concat()));
    }
    strings(out, "  notations", &look.notations);
}

fn position(field: &PositionField) -> String {
    match field {
        PositionField::Board => "board".to_owned(),
        PositionField::Turn => "turn".to_owned(),
        PositionField::Flags(flags) => {
            let flags: Vec<String> =
                flags.iter().map(|(letter, cell)| format!("{letter:?} {cell}")).collect();
            format!("flags ({})", flags.join(" "))
        }
        PositionField::Cell(cell) => format!("cell {cell}"),
        PositionField::Text(text) => format!("text {text:?}"),
    }
}

/// A line of quoted strings; no line for none.
fn strings(out: &mut String, word: &str, strings: &[String]) {
    if strings.is_empty() {
        return;
    }
    out.push_str(word);
    for it in strings {
        write_into(out, format_args!(" {it:?}"));
    }
    out.push('\n');
}

/// Lines of numbers.
fn numbers<T: Copy + Into<i64>>(out: &mut String, numbers: &[T]) {
    let numbers: Vec<i64> = numbers.iter().map(|&it| it.into()).collect();
    let mut line = String::new();
    for run in runs(&numbers) {
        if line.len() + run.len() > WIDTH {
            write_into(out, format_args!(" {line}\n"));
            line.clear();
        }
        line.push(' ');
        line.push_str(&run);
    }
    if !line.is_empty() {
        write_into(out, format_args!(" {line}\n"));
    }
}

/// Numbers, with three or more equal ones, or a step apart, as one.
fn runs(numbers: &[i64]) -> Vec<String> {
    let mut runs = Vec::new();
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let equal = rest.iter().take_while(|&&it| it == first).count();
        let rising =
            1 + rest.windows(2).take_while(|it| it[0].checked_add(1) == Some(it[1])).count();
        let len = if equal >= 3 {
            runs.push(format!("{first}*{equal}"));
            equal
        } else if rising >= 3 {
            runs.push(format!("{first}..{}", rest[rising - 1]));
            rising
        } else {
            runs.push(first.to_string());
            1
        };
        rest = &rest[len..];
    }
    runs
}
