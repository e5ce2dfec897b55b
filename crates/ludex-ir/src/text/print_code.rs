//! Printing functions, blocks and instructions.

use std::fmt::{self, Display, Formatter, Write};

use super::pieces::Piece;
use super::words::Word;
use crate::inst::{
    ArrayId, Block, End, Func, Inst, PathReg, Reg, SetId, SetReg, StatementId, TableId, Var,
};
use crate::operands::with_instructions;
use crate::program::{Function, Program};

macro_rules! display_id {
    ($($type:ident $prefix:literal),+) => {$(
        impl Display for $type {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )+};
}
display_id!(Reg "r", SetReg "s", PathReg "p", Block "b", Func "f", ArrayId "a", TableId "t", SetId "c", StatementId "m");

impl Display for Var {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(reg) => reg.fmt(f),
            Self::Set(reg) => reg.fmt(f),
            Self::Path(reg) => reg.fmt(f),
        }
    }
}

impl Display for Inst {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&inst(self, Spelling::Ids))
    }
}

impl Display for End {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&end(self, Spelling::Ids))
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&function(self, None))
    }
}

/// A function as text; with its program, comments also name what is not the
/// function's own.
pub(super) fn function(function: &Function, of: Option<(&Program, Func)>) -> String {
    let mut out = "function ".to_owned();
    if let Some((_, func)) = of {
        write_into(&mut out, format_args!("{func} "));
    }
    let params = list(&function.params, Var::to_string);
    write_into(&mut out, format_args!("{:?} ({params})", function.name));
    if let Some(result) = function.result {
        write_into(&mut out, format_args!(" -> {result}"));
    }
    let (ints, sets, paths) = (function.ints, function.sets, function.paths);
    write_into(&mut out, format_args!("\n  registers {ints} {sets} {paths}\n"));
    if !function.names.is_empty() {
        out.push_str("  names");
        for (var, name) in &function.names {
            write_into(&mut out, format_args!(" {var} {name:?}"));
        }
        out.push('\n');
    }
    let names = Spelling::Names { function, program: of.map(|(program, _)| program) };
    for (index, block) in function.blocks.iter().enumerate() {
        write_into(&mut out, format_args!("b{index}:\n"));
        for (it, place) in &block.insts {
            line(&mut out, &inst(it, Spelling::Ids), *place, &inst(it, names));
        }
        let (it, place) = &block.end;
        line(&mut out, &end(it, Spelling::Ids), *place, &end(it, names));
    }
    out
}

/// One line, with the same in names as a comment if there is something to name.
fn line(out: &mut String, text: &str, place: u32, named: &str) {
    let mut line = format!("  {text}");
    if place != 0 {
        write_into(&mut line, format_args!(" @{place}"));
    }
    if named != text {
        // A name could hold a line end, which would end the comment.
        let named = named.replace(char::is_control, "?");
        line = format!("{line:<36} ; {named}");
    }
    out.push_str(&line);
    out.push('\n');
}

/// Formats into a string, which cannot fail.
pub(super) fn write_into(out: &mut String, args: fmt::Arguments<'_>) {
    out.write_fmt(args).expect("a string takes everything");
}

pub(super) fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// How things are called: by number, or by name where they have one.
#[derive(Clone, Copy)]
pub(super) enum Spelling<'a> {
    Ids,
    Names { function: &'a Function, program: Option<&'a Program> },
}

impl Spelling<'_> {
    pub(super) fn var(self, var: impl Into<Var>) -> String {
        let var = var.into();
        let named = match self {
            Self::Ids => None,
            Self::Names { function, .. } => function.names.iter().find(|(it, _)| *it == var),
        };
        named.map_or_else(|| var.to_string(), |(_, name)| name.clone())
    }

    /// What `name` finds in the program, or else the number.
    pub(super) fn global(
        self,
        id: impl Display,
        name: impl Fn(&Program) -> Option<String>,
    ) -> String {
        let found = match self {
            Self::Names { program: Some(program), .. } => name(program),
            _ => None,
        };
        found.unwrap_or_else(|| id.to_string())
    }
}

fn end(end: &End, spell: Spelling<'_>) -> String {
    match end {
        End::Jump(to) => format!("jump {to}"),
        End::Branch { cond, yes, no } => format!("if {} {yes} else {no}", spell.var(*cond)),
        End::Return => "return".to_owned(),
    }
}

/// The words of an instruction, without the register it assigns.
macro_rules! words {
    ($inst:ident, $spell:ident; $(
        $class:ident($($param:ident: $type:ty)?), $what:literal {$(
            $($dst:ident =)? $word:literal $name:ident $(changes $change:ident)?
            $(($($field:ident),+))*;
        )*} or {$(
            $($to:ident =)? [$op:ident] $operation:ident $(($($operand:ident),+))*;
        )*}
    )+) => {
        match $inst {
            $($(Inst::$name { $($change,)? $($($field,)+)* .. } => vec![
                $word.to_owned(),
                $(($change.clone(),).show($spell),)?
                $(($($field.clone(),)+).show($spell),)*
            ],)*)+
            $($(Inst::$operation { $op, $($($operand,)+)* .. } => vec![
                $op.word().to_owned(),
                $(($($operand.clone(),)+).show($spell),)*
            ],)*)+
        }
    };
}

fn inst(inst: &Inst, spell: Spelling<'_>) -> String {
    let mut words: Vec<String> = with_instructions!(words!(inst, spell));
    words.retain(|it| !it.is_empty());
    let text = words.join(" ");
    match inst.assigns().filter(|_| !inst.changes_in_place()) {
        Some(dst) => format!("{} = {text}", spell.var(dst)),
        None => text,
    }
}
