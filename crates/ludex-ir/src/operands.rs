//! All instructions in one table: what each is called in the text form, and what it reads and
//! assigns.
//!
//! Uses, definitions, renaming, the verifier's ranges, printing, parsing and the samples for tests
//! follow from the table, so to all of these a new instruction is one more line.

use smallvec::SmallVec;

use crate::inst::{
    ArrayId, BOARD, Binary, Block, End, Func, Inst, OutcomeKind, PathOf, PathReg, Reg, Say,
    SetBinary, SetId, SetReg, Spread, StatementId, TableId, Unary, Var,
};

/// Calls a macro with all instructions, by the class of what they assign.
///
/// A line is the register that is assigned, the word of the text form, the name, the register that
/// is changed in place, and the other fields in the order of the text. Fields in one pair of
/// brackets are written as one: see `Piece` in `text/`. The lines after `or` are those whose word
/// is one of several, which a field tells.
macro_rules! with_instructions {
    ($then:ident!($($args:tt)*)) => {
        $then! { $($args)*;
            int_inst(dst: Reg), "an instruction that gives a number" {
                dst = "const" Const (value);
                dst = "copy" Copy (src);
                dst = "lookup" Lookup (table, i, j);
                dst = "pair" Pair (i) (j) (rows, columns);
                dst = "step" Step (from) (dir);
                dst = "hop" Hop (from) (dir) (count);
                dst = "list_len" ListLen (list);
                dst = "list_item" ListItem (list) (index);
                dst = "load" Load (array, index);
                dst = "test" Test (array, index) (mask);
                dst = "test_range" TestRange (array, index) (lo) (hi);
                dst = "contains" Contains (set) (square);
                dst = "count" Count (set);
                dst = "any" Any (set);
                dst = "next_member" NextMember (set) (after);
                dst = "path_len" PathLen (path);
                dst = "path_item" PathItem (path) (index) (of);
                dst = "repeats" Repeats;
                dst = "reply" Reply (player);
                dst = "side" Side;
                dst = "depth" Depth;
            } or {
                dst = [op] Unary (src);
                dst = [op] Binary (a) (b);
            }
            set_inst(dst: SetReg), "an instruction that gives a set" {
                dst = "family" SetConst (family, index);
                dst = "where" SetWhere (mask);
                dst = "load" SetLoad (array, index);
                dst = "copy" SetCopy (src);
                dst = "shift" Shift (src) (dir);
                dst = "neighbours" Neighbours (src) (list);
                dst = "leap" Leap (src) (dir) (count);
                dst = "slide" Slide (from) (through) (dir);
                dst = "rays" Rays (from) (through) (list);
                dst = "flood" Flood (from) (within) (list);
                dst = "line" Line (from) (dir) (count);
                dst = "reach" Reach (from) (dir) (count);
                dst = "axis" Axis (from) (dir);
                dst = "between" Between (a) (b);
            } or {
                dst = [op] SetBinary (a) (b);
            }
            path_inst(dst: PathReg), "an instruction that gives a path" {
                dst = "empty" PathEmpty;
                dst = "copy" PathCopy (src);
                dst = "push" PathPush (src) (item) (of);
            } or {}
            action(), "an instruction" {
                "store" Store (array, index) (value);
                "increase" Add (array, index) (delta);
                "store_all" StoreAll (set) (value);
                "set_store" SetStore (array, index) (src);
                "insert" SetInsert changes set (square);
                "remove" SetRemove changes set (square);
                "try" TryBegin;
                "undo" TryEnd;
                "emit" Emit (statement, args) (weight);
                "emit_all" EmitAll (statement) (set, args);
                "outcome" Outcome (kind, score);
                "feature" Feature (index) (value);
                "say" Say (piece);
                "irreversible" Irreversible;
                "next" Next (player);
            } or {
                [add] SetUpdate (array, index) (src);
            }
            call(result: Option<Var>), "a call" {
                result = "call" Call (func, args);
            } or {}
        }
    };
}
pub(crate) use with_instructions;

/// Calls a method of every field of an instruction: what is changed in place first, then the rest
/// in the order of the text, then what is assigned.
macro_rules! visit {
    ($inst:expr, $method:ident, $visitor:ident; $(
        $class:ident($($param:ident: $type:ty)?), $what:literal {$(
            $($dst:ident =)? $word:literal $name:ident $(changes $change:ident)?
            $(($($field:ident),+))*;
        )*} or {$(
            $($to:ident =)? [$op:ident] $operation:ident $(($($operand:ident),+))*;
        )*}
    )+) => {
        match $inst {
            $($(Inst::$name { $($dst,)? $($change,)? $($($field,)+)* } => {
                $($change.$method(Access::Changes, $visitor);)?
                $($($field.$method(Access::Reads, $visitor);)+)*
                $($dst.$method(Access::Assigns, $visitor);)?
            })*)+
            $($(Inst::$operation { $op: _, $($to,)? $($($operand,)+)* } => {
                $($($operand.$method(Access::Reads, $visitor);)+)*
                $($to.$method(Access::Assigns, $visitor);)?
            })*)+
        }
    };
}
/// One of each instruction.
macro_rules! samples {
    (; $(
        $class:ident($($param:ident: $type:ty)?), $what:literal {$(
            $($dst:ident =)? $word:literal $name:ident $(changes $change:ident)?
            $(($($field:ident),+))*;
        )*} or {$(
            $($to:ident =)? [$op:ident] $operation:ident $(($($operand:ident),+))*;
        )*}
    )+) => {
        vec![
            $($(Inst::$name {
                $($dst: Operand::sample(),)?
                $($change: Operand::sample(),)?
                $($($field: Operand::sample(),)+)*
            },)*)+
            $($(Inst::$operation {
                $op: Operand::sample(),
                $($to: Operand::sample(),)?
                $($($operand: Operand::sample(),)+)*
            },)*)+
        ]
    };
}
/// What an instruction does with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only reads it.
    Reads,
    /// Only assigns it.
    Assigns,
    /// Reads it and assigns it.
    Changes,
}

/// A field of an instruction, which may hold registers.
trait Operand {
    /// A value for samples.
    fn sample() -> Self;
    /// Shows each register to a visitor.
    fn see(&self, _: Access, _: &mut impl FnMut(Access, Var)) {}
    /// Replaces each register by what a visitor gives for it, which is of the same class.
    fn rename(&mut self, _: Access, _: &mut impl FnMut(Access, Var) -> Var) {}
}

/// Fields without registers.
macro_rules! plain {
    ($($type:ty: $sample:expr;)+) => {$(
        impl Operand for $type {
            fn sample() -> Self {
                $sample
            }
        }
    )+};
}
plain! {
    i64: 7;
    u16: 2;
    u32: 3;
    bool: true;
    Unary: Self::Not;
    Binary: Self::Add;
    SetBinary: Self::Union;
    PathOf: Self::Squares;
    OutcomeKind: Self::Score;
    ArrayId: Self(2);
    TableId: Self(0);
    SetId: Self(0);
    StatementId: Self(0);
    Func: Self(0);
}

macro_rules! registers {
    ($($type:ident $class:ident),+) => {$(
        impl From<$type> for Var {
            fn from(reg: $type) -> Self {
                Self::$class(reg)
            }
        }

        impl Operand for $type {
            fn see(&self, access: Access, visitor: &mut impl FnMut(Access, Var)) {
                visitor(access, Var::$class(*self));
            }

            fn rename(&mut self, access: Access, visitor: &mut impl FnMut(Access, Var) -> Var) {
                if let Var::$class(new) = visitor(access, Var::$class(*self)) {
                    *self = new;
                }
            }

            fn sample() -> Self {
                Self(1)
            }
        }
    )+};
}
registers!(Reg Int, SetReg Set, PathReg Path);

impl Operand for Var {
    fn see(&self, access: Access, visitor: &mut impl FnMut(Access, Var)) {
        visitor(access, *self);
    }

    fn rename(&mut self, access: Access, visitor: &mut impl FnMut(Access, Var) -> Var) {
        let new = visitor(access, *self);
        if self.same_class(new) {
            *self = new;
        }
    }

    fn sample() -> Self {
        Self::Int(Reg::sample())
    }
}

macro_rules! holders {
    ($($type:ty: $registers:ident, $registers_mut:ident, $sample:expr;)+) => {$(
        impl Operand for $type {
            fn see(&self, access: Access, visitor: &mut impl FnMut(Access, Var)) {
                self.$registers().into_iter().for_each(|it| it.see(access, visitor));
            }

            fn rename(&mut self, access: Access, visitor: &mut impl FnMut(Access, Var) -> Var) {
                self.$registers_mut().into_iter().for_each(|it| it.rename(access, visitor));
            }

            fn sample() -> Self {
                $sample
            }
        }
    )+};
}
holders! {
    Option<Reg>: iter, iter_mut, Some(Reg::sample());
    Option<Var>: iter, iter_mut, None;
    Vec<Var>: iter, iter_mut, vec![Var::sample()];
    Vec<Spread>: iter, iter_mut, vec![Spread::Member];
    Spread: reg, reg_mut, Spread::Member;
    Say: reg, reg_mut, Say::Number(Reg::sample());
}

impl Var {
    /// Whether two registers are of one class, so that one can be copied to the other.
    pub const fn same_class(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Int(_), Self::Int(_))
                | (Self::Set(_), Self::Set(_))
                | (Self::Path(_), Self::Path(_))
        )
    }
}

/// The register of a [`Say`], looked at or changed.
macro_rules! said {
    ($say:expr) => {
        match $say {
            Say::Square(reg)
            | Say::Becomes(reg)
            | Say::Drops(reg)
            | Say::Kind(reg)
            | Say::Number(reg)
            | Say::Direction(reg)
            | Say::Player(reg) => Some(reg),
            Say::Text(_) => None,
        }
    };
}

impl Say {
    /// The register whose value is written, if it is not a fixed text.
    pub const fn reg(&self) -> Option<&Reg> {
        said!(self)
    }

    const fn reg_mut(&mut self) -> Option<&mut Reg> {
        said!(self)
    }
}

impl Spread {
    const fn reg(&self) -> Option<&Reg> {
        if let Self::Same(reg) = self { Some(reg) } else { None }
    }

    const fn reg_mut(&mut self) -> Option<&mut Reg> {
        if let Self::Same(reg) = self { Some(reg) } else { None }
    }
}

/// The registers that an instruction uses; few use more than these have room for.
pub(crate) type Uses = SmallVec<[Var; 4]>;

impl Inst {
    /// Shows a visitor each register: what is changed in place, then what is read in the order of
    /// the fields, then what is assigned.
    pub fn registers(&self, mut visitor: impl FnMut(Access, Var)) {
        let visitor = &mut visitor;
        with_instructions!(visit!(self, see, visitor));
    }

    /// Renames its registers, in the order of [`registers`](Self::registers); `name` gives a
    /// register of the same class.
    pub fn rename(&mut self, mut name: impl FnMut(Access, Var) -> Var) {
        let name = &mut name;
        with_instructions!(visit!(self, rename, name));
    }

    /// Renames the registers that it only reads.
    pub fn rename_reads(&mut self, mut name: impl FnMut(Var) -> Var) {
        self.rename(|access, var| if access == Access::Reads { name(var) } else { var });
    }

    /// Renames all its registers.
    pub fn rename_all(&mut self, mut name: impl FnMut(Var) -> Var) {
        self.rename(|_, var| name(var));
    }

    /// The register it assigns, if any. [`Inst::SetInsert`] and [`Inst::SetRemove`] both use and
    /// assign their set.
    pub fn assigns(&self) -> Option<Var> {
        let mut assigned = None;
        self.registers(|access, var| {
            if access != Access::Reads {
                assigned = Some(var);
            }
        });
        assigned
    }

    /// The registers it uses, in the order of its fields.
    pub fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        self.registers(|access, var| {
            if access != Access::Assigns {
                uses.push(var);
            }
        });
        uses
    }

    /// Whether it changes the register that it assigns, rather than giving it a new value.
    pub const fn changes_in_place(&self) -> bool {
        matches!(self, Self::SetInsert { .. } | Self::SetRemove { .. })
    }

    /// One of each instruction, for tests that none is forgotten. Registers have the number 1,
    /// arrays and features 2, everything else 0.
    pub fn samples() -> Vec<Self> {
        with_instructions!(samples!())
    }

    /// The array whose cells it looks at itself. What it calls, [`Inst::Reply`] and
    /// [`Inst::Repeats`] look at more: see [`Summaries`](crate::summary::Summaries).
    pub const fn reads_array(&self) -> Option<ArrayId> {
        match *self {
            Self::Load { array, .. }
            | Self::Test { array, .. }
            | Self::TestRange { array, .. }
            | Self::SetLoad { array, .. }
            // The new value depends on the old one.
            | Self::Add { array, .. } => Some(array),
            Self::SetWhere { .. } => Some(BOARD),
            _ => None,
        }
    }

    /// The array whose cells it may change itself.
    pub const fn writes_array(&self) -> Option<ArrayId> {
        match *self {
            Self::Store { array, .. }
            | Self::Add { array, .. }
            | Self::SetStore { array, .. }
            | Self::SetUpdate { array, .. } => Some(array),
            Self::StoreAll { .. } => Some(BOARD),
            _ => None,
        }
    }
}

impl End {
    /// The register that a branch asks.
    pub const fn uses(&self) -> Option<Var> {
        match *self {
            Self::Branch { cond, .. } => Some(Var::Int(cond)),
            Self::Jump(_) | Self::Return => None,
        }
    }

    /// Renames the register that a branch asks.
    pub fn rename(&mut self, mut name: impl FnMut(Var) -> Var) {
        if let Self::Branch { cond, .. } = self {
            Operand::rename(cond, Access::Reads, &mut |_, var| name(var));
        }
    }

    /// The blocks that may follow: for a branch `yes`, then `no`.
    pub fn successors(&self) -> impl Iterator<Item = Block> + use<> {
        let both = match *self {
            Self::Jump(to) => [Some(to), None],
            Self::Branch { yes, no, .. } => [Some(yes), Some(no)],
            Self::Return => [None, None],
        };
        both.into_iter().flatten()
    }

    /// Sends its edges elsewhere.
    pub fn retarget(&mut self, mut to: impl FnMut(Block) -> Block) {
        match self {
            Self::Jump(next) => *next = to(*next),
            Self::Branch { yes, no, .. } => {
                *yes = to(*yes);
                *no = to(*no);
            }
            Self::Return => {}
        }
    }
}
