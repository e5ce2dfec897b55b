//! Printing functions, blocks and instructions.

use std::fmt::{self, Display, Formatter, Write};

use super::words::Word;
use crate::inst::{
    ArrayId, Block, End, Func, Inst, PathReg, Reg, Say, SetId, SetReg, Spread, StatementId,
    TableId, Var,
};
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

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// How things are called: by number, or by name where they have one.
#[derive(Clone, Copy)]
enum Spelling<'a> {
    Ids,
    Names { function: &'a Function, program: Option<&'a Program> },
}

impl Spelling<'_> {
    fn var(self, var: impl Into<Var>) -> String {
        let var = var.into();
        let named = match self {
            Self::Ids => None,
            Self::Names { function, .. } => function.names.iter().find(|(it, _)| *it == var),
        };
        named.map_or_else(|| var.to_string(), |(_, name)| name.clone())
    }

    fn vars(self, vars: &[Var]) -> String {
        list(vars, |&var| self.var(var))
    }

    /// What `name` finds in the program, or else the number.
    fn global(self, id: impl Display, name: impl Fn(&Program) -> Option<&String>) -> String {
        let found = match self {
            Self::Names { program: Some(program), .. } => name(program),
            _ => None,
        };
        found.map_or_else(|| id.to_string(), Clone::clone)
    }

    fn func(self, func: Func) -> String {
        self.global(func, |it| it.functions.get(func.0 as usize).map(|it| &it.name))
    }

    fn cell(self, array: ArrayId, index: Option<Reg>) -> String {
        let array = self.global(array, |it| it.arrays.get(array.0 as usize).map(|it| &it.name));
        self.indexed(array, index)
    }

    fn member(self, family: SetId, index: Option<Reg>) -> String {
        let name = self.global(family, |it| it.families.get(family.0 as usize).map(|it| &it.name));
        self.indexed(name, index)
    }

    fn entry(self, table: TableId, i: Reg, j: Option<Reg>) -> String {
        let name = self.global(table, |it| it.tables.get(table.0 as usize).map(|it| &it.name));
        let j = j.map_or_else(String::new, |j| format!(", {}", self.var(j)));
        format!("{name}[{}{j}]", self.var(i))
    }

    fn indexed(self, name: String, index: Option<Reg>) -> String {
        index.map_or(name.clone(), |index| format!("{name}[{}]", self.var(index)))
    }
}

fn end(end: &End, spell: Spelling<'_>) -> String {
    match end {
        End::Jump(to) => format!("jump {to}"),
        End::Branch { cond, yes, no } => format!("if {} {yes} else {no}", spell.var(*cond)),
        End::Return => "return".to_owned(),
    }
}

fn inst(inst: &Inst, spell: Spelling<'_>) -> String {
    let v = |reg: Reg| spell.var(reg);
    let s = |reg: SetReg| spell.var(reg);
    let p = |reg: PathReg| spell.var(reg);
    let cell = |array, index| spell.cell(array, index);
    let does = match inst {
        Inst::Const { value, .. } => format!("const {value}"),
        Inst::Copy { src, .. } => format!("copy {}", v(*src)),
        Inst::Unary { op, src, .. } => format!("{} {}", op.word(), v(*src)),
        Inst::Binary { op, a, b, .. } => format!("{} {} {}", op.word(), v(*a), v(*b)),
        Inst::Lookup { table, i, j, .. } => format!("lookup {}", spell.entry(*table, *i, *j)),
        Inst::Pair { i, j, rows, columns, .. } => {
            format!("pair {} {} of {rows} {columns}", v(*i), v(*j))
        }
        Inst::Step { from, dir, .. } => format!("step {} {}", v(*from), v(*dir)),
        Inst::Hop { from, dir, count, .. } => {
            format!("hop {} {} {}", v(*from), v(*dir), v(*count))
        }
        Inst::ListLen { list, .. } => format!("list_len {}", v(*list)),
        Inst::ListItem { list, index, .. } => format!("list_item {} {}", v(*list), v(*index)),

        Inst::Load { array, index, .. } => format!("load {}", cell(*array, *index)),
        Inst::Test { array, index, mask, .. } => {
            format!("test {} {}", cell(*array, *index), v(*mask))
        }
        Inst::TestRange { array, index, lo, hi, .. } => {
            format!("test_range {} {lo} {hi}", cell(*array, *index))
        }
        Inst::Store { array, index, value } => {
            format!("store {} {}", cell(*array, *index), v(*value))
        }
        Inst::Add { array, index, delta } => {
            format!("increase {} {}", cell(*array, *index), v(*delta))
        }
        Inst::StoreAll { set, value } => format!("store_all {} {}", s(*set), v(*value)),

        Inst::SetConst { family, index, .. } => {
            format!("family {}", spell.member(*family, *index))
        }
        Inst::SetWhere { mask, .. } => format!("where {}", v(*mask)),
        Inst::SetLoad { array, index, .. } => format!("load {}", cell(*array, *index)),
        Inst::SetStore { array, index, src } => {
            format!("set_store {} {}", cell(*array, *index), s(*src))
        }
        Inst::SetUpdate { array, index, src, add } => {
            let word = if *add { "include" } else { "exclude" };
            format!("{word} {} {}", cell(*array, *index), s(*src))
        }
        Inst::SetCopy { src, .. } => format!("copy {}", s(*src)),
        Inst::SetBinary { op, a, b, .. } => format!("{} {} {}", op.word(), s(*a), s(*b)),
        Inst::SetInsert { set, square } => return format!("insert {} {}", s(*set), v(*square)),
        Inst::SetRemove { set, square } => return format!("remove {} {}", s(*set), v(*square)),
        Inst::Leap { src, dir, count, .. } => format!("leap {} {} {count}", s(*src), v(*dir)),
        Inst::Slide { from, through, dir, .. } => {
            format!("slide {} {} {}", s(*from), s(*through), v(*dir))
        }
        Inst::Rays { from, through, list, .. } => {
            format!("rays {} {} {}", v(*from), s(*through), v(*list))
        }
        Inst::Shift { src, dir, .. } => format!("shift {} {}", s(*src), v(*dir)),
        Inst::Neighbours { src, list, .. } => format!("neighbours {} {}", s(*src), v(*list)),
        Inst::Flood { from, within, list, .. } => {
            format!("flood {} {} {}", s(*from), s(*within), v(*list))
        }
        Inst::Line { from, dir, count, .. } => {
            format!("line {} {} {}", v(*from), v(*dir), v(*count))
        }
        Inst::Reach { from, dir, count, .. } => {
            format!("reach {} {} {}", v(*from), v(*dir), v(*count))
        }
        Inst::Axis { from, dir, .. } => format!("axis {} {}", v(*from), v(*dir)),
        Inst::Between { a, b, .. } => format!("between {} {}", v(*a), v(*b)),
        Inst::Contains { set, square, .. } => format!("contains {} {}", s(*set), v(*square)),
        Inst::Count { set, .. } => format!("count {}", s(*set)),
        Inst::Any { set, .. } => format!("any {}", s(*set)),
        Inst::NextMember { set, after, .. } => format!("next_member {} {}", s(*set), v(*after)),

        Inst::PathEmpty { .. } => "empty".to_owned(),
        Inst::PathCopy { src, .. } => format!("copy {}", p(*src)),
        Inst::PathPush { src, item, of, .. } => {
            format!("push {} {} of {}", p(*src), v(*item), of.word())
        }
        Inst::PathLen { path, .. } => format!("path_len {}", p(*path)),
        Inst::PathItem { path, index, of, .. } => {
            format!("path_item {} {} of {}", p(*path), v(*index), of.word())
        }

        Inst::Call { func, args, .. } => {
            format!("call {}({})", spell.func(*func), spell.vars(args))
        }
        Inst::TryBegin => "try".to_owned(),
        Inst::TryEnd => "undo".to_owned(),
        Inst::Emit { statement, args, weight } => {
            let weight = weight.map_or_else(String::new, |it| format!(" weight {}", v(it)));
            format!("emit {statement}({}){weight}", spell.vars(args))
        }
        Inst::EmitAll { statement, set, args } => {
            let args: Vec<String> = args.iter().map(|arg| spread(*arg, spell)).collect();
            format!("emit_all {statement} {}({})", s(*set), args.join(", "))
        }
        Inst::Outcome { kind, score } => {
            let score = score.map_or_else(String::new, |it| format!("({})", v(it)));
            format!("outcome {}{score}", kind.word())
        }
        Inst::Feature { index, value } => format!("feature {index} {}", v(*value)),
        Inst::Say(say) => format!("say {}", say_text(say, spell)),
        Inst::Irreversible => "irreversible".to_owned(),
        Inst::Next { player } => format!("next {}", v(*player)),
        Inst::Repeats { .. } => "repeats".to_owned(),
        Inst::Reply { player, .. } => format!("reply {}", v(*player)),
        Inst::Side { .. } => "side".to_owned(),
        Inst::Depth { .. } => "depth".to_owned(),
    };
    inst.assigns().map_or(does.clone(), |dst| format!("{} = {does}", spell.var(dst)))
}

fn spread(spread: Spread, spell: Spelling<'_>) -> String {
    match spread {
        Spread::Member => "member".to_owned(),
        Spread::Table(table) => format!("table {table}"),
        Spread::Same(reg) => spell.var(reg),
    }
}

fn say_text(say: &Say, spell: Spelling<'_>) -> String {
    let word = match say {
        Say::Square(_) => "square",
        Say::Becomes(_) => "becomes",
        Say::Drops(_) => "drops",
        Say::Kind(_) => "kind",
        Say::Number(_) => "number",
        Say::Direction(_) => "direction",
        Say::Player(_) => "player",
        Say::Text(text) => return format!("text {text:?}"),
    };
    say.reg().map_or(word.to_owned(), |reg| format!("{word} {}", spell.var(reg)))
}
