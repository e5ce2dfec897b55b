//! Whether a program hangs together, so that running it cannot go wrong.
//!
//! The front end makes sound programs; this is the wall that lets the rest of
//! the crate index its tables without asking. Everything that could lead a run
//! outside its memory is looked at once, here.

use std::fmt;

use ludex_ir::inst::{BOARD, TURN};
use ludex_ir::program::{MAX_CELLS, MAX_MEN, MAX_PLAYERS, MAX_SQUARES, MAX_STATEMENTS};
use ludex_ir::{
    Array, ArrayRole, End, Func, Function, Inst, OperandKind, PathReg, PositionField, Program, Reg,
    Say, SetReg, Spread, StatementId, Var,
};

use crate::cells::MAX_DOMAIN;

/// A program that contradicts itself: a mistake of whoever made it, not of a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidProgram {
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for InvalidProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the program is not sound: {}", self.message)
    }
}

impl std::error::Error for InvalidProgram {}

type Verdict = Result<(), InvalidProgram>;

fn ensure(sound: bool, message: impl FnOnce() -> String) -> Verdict {
    if sound { Ok(()) } else { Err(InvalidProgram { message: message() }) }
}

/// Checks a program.
pub(crate) fn check(program: &Program) -> Verdict {
    sizes(program)?;
    arrays(program)?;
    tables(program)?;
    look(program)?;
    roles(program)?;
    statements(program)?;
    for function in &program.functions {
        Checker { program, function }.function()?;
    }
    Ok(())
}

fn sizes(program: &Program) -> Verdict {
    let players = program.players.len();
    ensure((1..=MAX_PLAYERS).contains(&players), || format!("{players} players"))?;
    ensure(program.squares <= MAX_SQUARES, || format!("{} squares", program.squares))?;
    ensure(program.men.len() <= MAX_MEN, || format!("{} men", program.men.len()))?;
    let statements = program.statements.len();
    ensure(statements <= MAX_STATEMENTS, || format!("{statements} statements"))?;
    let known = |man: &ludex_ir::Man| {
        man.owner.is_none_or(|it| (it as usize) < players)
            && (man.kind as usize) < program.kinds.len()
    };
    ensure(program.men.iter().all(known), || "a man of no player or kind".to_owned())
}

fn arrays(program: &Program) -> Verdict {
    let role = |id: ludex_ir::ArrayId| program.arrays.get(id.0 as usize).map(|array| array.role);
    ensure(role(BOARD) == Some(ArrayRole::Board), || {
        "the first array is not the board".to_owned()
    })?;
    ensure(role(TURN) == Some(ArrayRole::Turn), || "the second array is not the turn".to_owned())?;
    let mut base = 0;
    for array in &program.arrays {
        ensure(array.base == base, || format!("`{}` begins at the wrong cell", array.name))?;
        base = base.saturating_add(array.len);
        ensure(base <= MAX_CELLS, || format!("more than {MAX_CELLS} cells"))?;
        self::array(program, array)?;
    }
    ensure(program.start.len() == base, || "a start of the wrong length".to_owned())?;
    let outside = program.arrays.iter().find(|array| {
        let cells = &program.start[array.base..array.base + array.len];
        cells.iter().any(|&value| value < array.lo || value > array.hi)
    });
    ensure(outside.is_none(), || "a start outside the range of its cells".to_owned())
}

fn array(program: &Program, array: &Array) -> Verdict {
    let (lo, hi, name) = (array.lo, array.hi, &array.name);
    let domain = hi.checked_sub(lo).is_some_and(|it| (0..MAX_DOMAIN).contains(&it));
    ensure(domain, || format!("`{name}` has the range {lo}..{hi}"))?;
    ensure((lo..=hi).contains(&array.default), || format!("the default of `{name}`"))?;
    let indexed: usize = array.indices.iter().map(|&kind| program.index_len(kind)).product();
    let (len, range) = match array.role {
        ArrayRole::Board => (program.squares, Some((0, program.men.len() as i64))),
        ArrayRole::Turn => (1, Some((0, program.players.len() as i64 - 1))),
        ArrayRole::Set => (indexed.saturating_mul(program.squares), Some((0, 1))),
        _ => (indexed, None),
    };
    ensure(array.len == len, || format!("`{name}` has {} cells, not {len}", array.len))?;
    ensure(range.is_none_or(|it| it == (lo, hi)), || format!("`{name}` has the range {lo}..{hi}"))
}

fn tables(program: &Program) -> Verdict {
    let squares = program.squares;
    for table in &program.tables {
        let sound = table.data.len() == table.rows.saturating_mul(table.columns);
        ensure(sound, || format!("table `{}` has the wrong size", table.name))?;
    }
    for family in &program.families {
        let fits = |set: &ludex_ir::Bits| {
            set.words.len() == squares.div_ceil(64) && set.iter().all(|it| it < squares)
        };
        ensure(family.sets.iter().all(fits), || format!("sets `{}` do not fit", family.name))?;
    }
    let directions = &program.geometry.directions;
    for dir in directions {
        let inside = dir.steps.iter().all(|&it| (it as i64) < squares as i64);
        let sound = inside && dir.steps.len() == squares;
        ensure(sound, || format!("direction `{}` leaves the board", dir.name))?;
    }
    let mut listed = program.geometry.lists.iter().flatten();
    ensure(listed.all(|&it| (it as usize) < directions.len()), || {
        "a list with a direction that is not there".to_owned()
    })
}

fn look(program: &Program) -> Verdict {
    let look = &program.look;
    ensure(look.squares.len() == program.squares, || "squares without names".to_owned())?;
    ensure(look.players.len() == program.players.len(), || "players without letters".to_owned())?;
    ensure(look.kinds.len() == program.kinds.len(), || "kinds without symbols".to_owned())?;
    let grid = look.at.len() == look.columns.saturating_mul(look.rows);
    let inside = look.at.iter().all(|&it| (it as i64) < program.squares as i64);
    ensure(grid && inside, || "a grid that does not fit its squares".to_owned())?;
    let edge = |&(a, b): &(u16, u16)| (a.max(b) as usize) < program.squares;
    ensure(look.edges.iter().all(edge), || "an edge of no square".to_owned())?;
    let cells = program.cells();
    let fits = |field: &PositionField| match field {
        PositionField::Flags(flags) => flags.iter().all(|&(_, cell)| {
            cell < cells && (program.cell(cell).0.lo, program.cell(cell).0.hi) == (0, 1)
        }),
        PositionField::Cell(cell) => *cell < cells,
        _ => true,
    };
    let fields = look.position.iter().flatten();
    ensure(fields.into_iter().all(fits), || "a position with a cell that is not there".to_owned())
}

fn roles(program: &Program) -> Verdict {
    let roles = &program.roles;
    let all = [
        Some(roles.moves),
        roles.result,
        roles.stuck,
        roles.adjudicate,
        roles.illegal,
        roles.evaluate,
        roles.features,
        roles.candidates,
    ];
    for func in all.into_iter().flatten() {
        let Some(function) = program.functions.get(func.0 as usize) else {
            return ensure(false, || format!("there is no function {}", func.0));
        };
        let sound = matches!(function.params[..], [Var::Int(_)]);
        ensure(sound, || format!("`{}` must take `me` and nothing else", function.name))?;
    }
    Ok(())
}

fn statements(program: &Program) -> Verdict {
    for (number, statement) in program.statements.iter().enumerate() {
        let Some(function) = program.functions.get(statement.effect.0 as usize) else {
            return ensure(false, || format!("statement {number} has no effect"));
        };
        let operands = statement.operands.iter().map(|operand| class(operand.kind));
        let sound = function
            .params
            .iter()
            .copied()
            .map(class_of)
            .eq(std::iter::once(Class::Int).chain(operands));
        ensure(sound, || format!("the effect of statement {number} has other parameters"))?;
        let paths = statement.operands.iter().filter(|it| it.kind.is_path()).count();
        let last = statement.operands.last().is_some_and(|it| it.kind.is_path());
        ensure(paths == usize::from(last), || {
            format!("statement {number}: a path not at the end")
        })?;
        let bits: u32 = statement.operands.iter().map(|it| program.operand_bits(it.kind)).sum();
        let fits = bits <= ludex_ir::moves::OPERAND_BITS;
        ensure(fits, || format!("statement {number} remembers {bits} bits"))?;
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Int,
    Set,
    Path,
}

fn class(kind: OperandKind) -> Class {
    if kind.is_path() { Class::Path } else { Class::Int }
}

fn class_of(var: Var) -> Class {
    match var {
        Var::Int(_) => Class::Int,
        Var::Set(_) => Class::Set,
        Var::Path(_) => Class::Path,
    }
}

/// One function under examination.
struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Checker<'_> {
    fn ensure(&self, sound: bool, what: &str) -> Verdict {
        ensure(sound, || format!("`{}`: {what}", self.function.name))
    }

    fn function(&self) -> Verdict {
        let function = self.function;
        self.ensure(!function.blocks.is_empty(), "no block to begin with")?;
        self.ensure(matches!(function.params.first(), Some(Var::Int(_))), "no `me`")?;
        function.params.iter().chain(&function.result).try_for_each(|&it| self.var(it))?;
        for block in &function.blocks {
            block.insts.iter().try_for_each(|(inst, _)| self.inst(inst))?;
            match block.end.0 {
                End::Jump(to) => self.block(to)?,
                End::Branch { cond, yes, no } => {
                    self.ints(&[cond])?;
                    self.block(yes)?;
                    self.block(no)?;
                }
                End::Return => {}
            }
        }
        Ok(())
    }

    fn block(&self, block: ludex_ir::Block) -> Verdict {
        self.ensure((block.0 as usize) < self.function.blocks.len(), "a jump to no block")
    }

    fn var(&self, var: Var) -> Verdict {
        match var {
            Var::Int(reg) => self.ints(&[reg]),
            Var::Set(reg) => self.sets(&[reg]),
            Var::Path(reg) => self.paths(&[reg]),
        }
    }

    fn ints(&self, regs: &[Reg]) -> Verdict {
        self.ensure(regs.iter().all(|it| it.0 < self.function.ints), "a number register too many")
    }

    fn sets(&self, regs: &[SetReg]) -> Verdict {
        self.ensure(regs.iter().all(|it| it.0 < self.function.sets), "a set register too many")
    }

    fn paths(&self, regs: &[PathReg]) -> Verdict {
        self.ensure(regs.iter().all(|it| it.0 < self.function.paths), "a path register too many")
    }

    fn array(&self, array: ludex_ir::ArrayId, index: Option<Reg>) -> Verdict {
        self.ensure((array.0 as usize) < self.program.arrays.len(), "an array that is not there")?;
        index.map_or(Ok(()), |index| self.ints(&[index]))
    }

    fn set_array(&self, array: ludex_ir::ArrayId, index: Option<Reg>) -> Verdict {
        self.array(array, index)?;
        let role = self.program.arrays[array.0 as usize].role;
        self.ensure(role == ArrayRole::Set, "a set operation on an array of no sets")
    }

    fn inst(&self, inst: &Inst) -> Verdict {
        match *inst {
            Inst::Const { dst, .. }
            | Inst::Repeats { dst }
            | Inst::Side { dst }
            | Inst::Depth { dst } => self.ints(&[dst]),
            Inst::Copy { dst, src } | Inst::Unary { dst, src, .. } => self.ints(&[dst, src]),
            Inst::Binary { dst, a, b, .. } => self.ints(&[dst, a, b]),
            Inst::Lookup { dst, table, i, j } => {
                let tables = self.program.tables.len();
                self.ensure((table.0 as usize) < tables, "a table that is not there")?;
                self.ints(&[dst, i, j.unwrap_or(i)])
            }
            Inst::Pair { dst, i, j, .. } => self.ints(&[dst, i, j]),
            Inst::Step { dst, from, dir } => self.ints(&[dst, from, dir]),
            Inst::Hop { dst, from, dir, count } => self.ints(&[dst, from, dir, count]),
            Inst::ListLen { dst, list } => self.ints(&[dst, list]),
            Inst::ListItem { dst, list, index } => self.ints(&[dst, list, index]),
            Inst::Load { dst, array, index } | Inst::TestRange { dst, array, index, .. } => {
                self.array(array, index)?;
                self.ints(&[dst])
            }
            Inst::Test { dst, array, index, mask } => {
                self.array(array, index)?;
                self.ints(&[dst, mask])
            }
            Inst::Store { array, index, value: other }
            | Inst::Add { array, index, delta: other } => {
                self.array(array, index)?;
                self.ints(&[other])
            }
            Inst::StoreAll { set, value } => {
                self.sets(&[set])?;
                self.ints(&[value])
            }
            Inst::SetConst { dst, family, index } => {
                let families = self.program.families.len();
                self.ensure((family.0 as usize) < families, "sets that are not there")?;
                self.sets(&[dst])?;
                index.map_or(Ok(()), |index| self.ints(&[index]))
            }
            Inst::SetWhere { dst, mask } => {
                self.sets(&[dst])?;
                self.ints(&[mask])
            }
            Inst::SetLoad { dst: set, array, index }
            | Inst::SetStore { src: set, array, index }
            | Inst::SetUpdate { src: set, array, index, .. } => {
                self.set_array(array, index)?;
                self.sets(&[set])
            }
            Inst::SetCopy { dst, src } => self.sets(&[dst, src]),
            Inst::SetBinary { dst, a, b, .. } => self.sets(&[dst, a, b]),
            Inst::SetInsert { set, square } | Inst::SetRemove { set, square } => {
                self.sets(&[set])?;
                self.ints(&[square])
            }
            Inst::Shift { dst, src, dir: reg }
            | Inst::Leap { dst, src, dir: reg, .. }
            | Inst::Neighbours { dst, src, list: reg } => {
                self.sets(&[dst, src])?;
                self.ints(&[reg])
            }
            Inst::Slide { dst, from, through, dir } => {
                self.sets(&[dst, from, through])?;
                self.ints(&[dir])
            }
            Inst::Rays { dst, from, through, list } => {
                self.sets(&[dst, through])?;
                self.ints(&[from, list])
            }
            Inst::Flood { dst, from, within, list } => {
                self.sets(&[dst, from, within])?;
                self.ints(&[list])
            }
            Inst::Line { dst, from, dir, count } | Inst::Reach { dst, from, dir, count } => {
                self.sets(&[dst])?;
                self.ints(&[from, dir, count])
            }
            Inst::Axis { dst, from: a, dir: b } | Inst::Between { dst, a, b } => {
                self.sets(&[dst])?;
                self.ints(&[a, b])
            }
            Inst::Contains { dst, set, square: other }
            | Inst::NextMember { dst, set, after: other } => {
                self.sets(&[set])?;
                self.ints(&[dst, other])
            }
            Inst::Count { dst, set } | Inst::Any { dst, set } => {
                self.sets(&[set])?;
                self.ints(&[dst])
            }
            Inst::PathEmpty { dst } => self.paths(&[dst]),
            Inst::PathCopy { dst, src } => self.paths(&[dst, src]),
            Inst::PathPush { dst, src, item, .. } => {
                self.paths(&[dst, src])?;
                self.ints(&[item])
            }
            Inst::PathLen { dst, path } => {
                self.paths(&[path])?;
                self.ints(&[dst])
            }
            Inst::PathItem { dst, path, index, .. } => {
                self.paths(&[path])?;
                self.ints(&[dst, index])
            }
            Inst::Call { func, ref args, result } => self.call(func, args, result),
            Inst::TryBegin | Inst::TryEnd | Inst::Irreversible => Ok(()),
            Inst::Emit { statement, ref args, weight } => {
                let Some(statement) = self.program.statements.get(statement.0 as usize) else {
                    return self.ensure(false, "a move of no statement");
                };
                args.iter().try_for_each(|&it| self.var(it))?;
                weight.map_or(Ok(()), |weight| self.ints(&[weight]))?;
                let operands = statement.operands.iter().map(|operand| class(operand.kind));
                self.ensure(
                    args.iter().copied().map(class_of).eq(operands),
                    "a move with other operands",
                )
            }
            Inst::EmitAll { statement, set, ref args } => {
                self.sets(&[set])?;
                self.emit_all(statement, args)
            }
            Inst::Outcome { score, .. } => score.map_or(Ok(()), |score| self.ints(&[score])),
            Inst::Feature { index, value } => {
                let features = self.program.features.len();
                self.ensure((index as usize) < features, "a feature that is not there")?;
                self.ints(&[value])
            }
            Inst::Say(ref say) => match say {
                Say::Square(reg)
                | Say::Becomes(reg)
                | Say::Drops(reg)
                | Say::Kind(reg)
                | Say::Number(reg)
                | Say::Direction(reg)
                | Say::Player(reg) => self.ints(&[*reg]),
                Say::Text(_) => Ok(()),
            },
            Inst::Next { player } => self.ints(&[player]),
            Inst::Reply { dst, player } => self.ints(&[dst, player]),
        }
    }

    fn emit_all(&self, statement: StatementId, args: &[Spread]) -> Verdict {
        let Some(statement) = self.program.statements.get(statement.0 as usize) else {
            return self.ensure(false, "a move of no statement");
        };
        let operands = &statement.operands;
        let sound = operands.len() == args.len() && operands.iter().all(|it| !it.kind.is_path());
        self.ensure(sound, "a move with other operands")?;
        args.iter().try_for_each(|arg| match *arg {
            Spread::Member => Ok(()),
            Spread::Table(table) => {
                let tables = self.program.tables.len();
                self.ensure((table.0 as usize) < tables, "a table that is not there")
            }
            Spread::Same(reg) => self.ints(&[reg]),
        })
    }

    fn call(&self, func: Func, args: &[Var], result: Option<Var>) -> Verdict {
        let Some(callee) = self.program.functions.get(func.0 as usize) else {
            return self.ensure(false, "a call of no function");
        };
        args.iter().chain(&result).try_for_each(|&it| self.var(it))?;
        let sound =
            args.iter().copied().map(class_of).eq(callee.params.iter().copied().map(class_of));
        self.ensure(sound, "a call with other arguments")?;
        let wanted = result.map(class_of);
        let given = callee.result.map(class_of);
        self.ensure(wanted.is_none() || wanted == given, "a call for another result")
    }
}
