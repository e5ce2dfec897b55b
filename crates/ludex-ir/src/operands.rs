//! What an instruction reads and assigns: registers and arrays of cells.
//!
//! Every analysis asks here, so that a new instruction is described once.

use smallvec::SmallVec;

use crate::inst::{ArrayId, BOARD, Block, End, Inst, PathReg, Reg, Say, SetReg, Spread, Var};

/// The registers that an instruction uses; few use more than these have room for.
pub(crate) type Uses = SmallVec<[Var; 4]>;

impl From<Reg> for Var {
    fn from(reg: Reg) -> Self {
        Self::Int(reg)
    }
}

impl From<SetReg> for Var {
    fn from(reg: SetReg) -> Self {
        Self::Set(reg)
    }
}

impl From<PathReg> for Var {
    fn from(reg: PathReg) -> Self {
        Self::Path(reg)
    }
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

impl Say {
    /// The register whose value is written, if it is not a fixed text.
    pub const fn reg(&self) -> Option<Reg> {
        match *self {
            Self::Square(reg)
            | Self::Becomes(reg)
            | Self::Drops(reg)
            | Self::Kind(reg)
            | Self::Number(reg)
            | Self::Direction(reg)
            | Self::Player(reg) => Some(reg),
            Self::Text(_) => None,
        }
    }
}

impl Inst {
    /// The register it assigns, if any. [`Inst::SetInsert`] and [`Inst::SetRemove`] both use and
    /// assign their set.
    pub fn assigns(&self) -> Option<Var> {
        Some(match *self {
            Self::Const { dst, .. }
            | Self::Copy { dst, .. }
            | Self::Unary { dst, .. }
            | Self::Binary { dst, .. }
            | Self::Lookup { dst, .. }
            | Self::Pair { dst, .. }
            | Self::Step { dst, .. }
            | Self::Hop { dst, .. }
            | Self::ListLen { dst, .. }
            | Self::ListItem { dst, .. }
            | Self::Load { dst, .. }
            | Self::Test { dst, .. }
            | Self::TestRange { dst, .. }
            | Self::Contains { dst, .. }
            | Self::Count { dst, .. }
            | Self::Any { dst, .. }
            | Self::NextMember { dst, .. }
            | Self::PathLen { dst, .. }
            | Self::PathItem { dst, .. }
            | Self::Repeats { dst }
            | Self::Reply { dst, .. }
            | Self::Side { dst }
            | Self::Depth { dst } => dst.into(),
            Self::SetConst { dst, .. }
            | Self::SetWhere { dst, .. }
            | Self::SetLoad { dst, .. }
            | Self::SetCopy { dst, .. }
            | Self::SetBinary { dst, .. }
            | Self::SetInsert { set: dst, .. }
            | Self::SetRemove { set: dst, .. }
            | Self::Shift { dst, .. }
            | Self::Neighbours { dst, .. }
            | Self::Leap { dst, .. }
            | Self::Slide { dst, .. }
            | Self::Rays { dst, .. }
            | Self::Flood { dst, .. }
            | Self::Line { dst, .. }
            | Self::Reach { dst, .. }
            | Self::Axis { dst, .. }
            | Self::Between { dst, .. } => dst.into(),
            Self::PathEmpty { dst } | Self::PathCopy { dst, .. } | Self::PathPush { dst, .. } => {
                dst.into()
            }
            Self::Call { result, .. } => return result,
            Self::Store { .. }
            | Self::Add { .. }
            | Self::StoreAll { .. }
            | Self::SetStore { .. }
            | Self::SetUpdate { .. }
            | Self::TryBegin
            | Self::TryEnd
            | Self::Emit { .. }
            | Self::EmitAll { .. }
            | Self::Outcome { .. }
            | Self::Feature { .. }
            | Self::Say(_)
            | Self::Irreversible
            | Self::Next { .. } => return None,
        })
    }

    /// The registers it uses, in the order of its fields.
    pub fn uses(&self) -> Uses {
        fn vars<const N: usize>(vars: [Var; N]) -> Uses {
            Uses::from_slice(&vars)
        }
        fn indexed(index: Option<Reg>, others: &[Var]) -> Uses {
            index.map(Var::Int).into_iter().chain(others.iter().copied()).collect()
        }
        match self {
            Self::Const { .. }
            | Self::PathEmpty { .. }
            | Self::TryBegin
            | Self::TryEnd
            | Self::Irreversible
            | Self::Repeats { .. }
            | Self::Side { .. }
            | Self::Depth { .. } => Uses::new(),
            &Self::Copy { src, .. } | &Self::Unary { src, .. } => vars([src.into()]),
            &Self::Binary { a, b, .. } | &Self::Between { a, b, .. } => vars([a.into(), b.into()]),
            &Self::Lookup { i, j, .. } => std::iter::once(i).chain(j).map(Var::Int).collect(),
            &Self::Pair { i, j, .. } => vars([i.into(), j.into()]),
            &Self::Step { from, dir, .. } | &Self::Axis { from, dir, .. } => {
                vars([from.into(), dir.into()])
            }
            &Self::ListLen { list, .. } => vars([list.into()]),
            &Self::ListItem { list, index, .. } => vars([list.into(), index.into()]),
            &Self::Load { index, .. }
            | &Self::TestRange { index, .. }
            | &Self::SetConst { index, .. }
            | &Self::SetLoad { index, .. } => indexed(index, &[]),
            &Self::Test { index, mask, .. } => indexed(index, &[mask.into()]),
            &Self::Store { index, value, .. } => indexed(index, &[value.into()]),
            &Self::Add { index, delta, .. } => indexed(index, &[delta.into()]),
            &Self::StoreAll { set, value } => vars([set.into(), value.into()]),
            &Self::SetWhere { mask, .. } => vars([mask.into()]),
            &Self::SetStore { index, src, .. } | &Self::SetUpdate { index, src, .. } => {
                indexed(index, &[src.into()])
            }
            &Self::SetCopy { src, .. } => vars([src.into()]),
            &Self::SetBinary { a, b, .. } => vars([a.into(), b.into()]),
            &Self::SetInsert { set, square }
            | &Self::SetRemove { set, square }
            | &Self::Contains { set, square, .. } => vars([set.into(), square.into()]),
            &Self::Shift { src, dir, .. } | &Self::Leap { src, dir, .. } => {
                vars([src.into(), dir.into()])
            }
            &Self::Slide { from, through, dir, .. } => {
                vars([from.into(), through.into(), dir.into()])
            }
            &Self::Rays { from, through, list, .. } => {
                vars([from.into(), through.into(), list.into()])
            }
            &Self::Neighbours { src, list, .. } => vars([src.into(), list.into()]),
            &Self::Flood { from, within, list, .. } => {
                vars([from.into(), within.into(), list.into()])
            }
            &Self::Hop { from, dir, count, .. }
            | &Self::Line { from, dir, count, .. }
            | &Self::Reach { from, dir, count, .. } => {
                vars([from.into(), dir.into(), count.into()])
            }
            &Self::Count { set, .. } | &Self::Any { set, .. } => vars([set.into()]),
            &Self::NextMember { set, after, .. } => vars([set.into(), after.into()]),
            &Self::PathCopy { src, .. } => vars([src.into()]),
            &Self::PathPush { src, item, .. } => vars([src.into(), item.into()]),
            &Self::PathLen { path, .. } => vars([path.into()]),
            &Self::PathItem { path, index, .. } => vars([path.into(), index.into()]),
            Self::Call { args, .. } => Uses::from_slice(args),
            Self::Emit { args, weight, .. } => {
                args.iter().copied().chain(weight.map(Var::Int)).collect()
            }
            Self::EmitAll { set, args, .. } => {
                let same = args.iter().filter_map(|arg| match *arg {
                    Spread::Same(reg) => Some(Var::Int(reg)),
                    Spread::Member | Spread::Table(_) => None,
                });
                std::iter::once(Var::Set(*set)).chain(same).collect()
            }
            &Self::Outcome { score, .. } => indexed(score, &[]),
            &Self::Feature { value, .. } => vars([value.into()]),
            Self::Say(say) => indexed(say.reg(), &[]),
            &Self::Next { player } | &Self::Reply { player, .. } => vars([player.into()]),
        }
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
    /// The blocks that may follow: for a branch `yes`, then `no`.
    pub fn successors(&self) -> impl Iterator<Item = Block> + use<> {
        let both = match *self {
            Self::Jump(to) => [Some(to), None],
            Self::Branch { yes, no, .. } => [Some(yes), Some(no)],
            Self::Return => [None, None],
        };
        both.into_iter().flatten()
    }
}
