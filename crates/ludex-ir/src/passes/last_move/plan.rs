//! What has to be tested after a move for an outcome that was not said before.
//!
//! An outcome is said if all literals of one of its ways hold. The way failed
//! before the move, so if it holds now, one of its literals has *turned*. If
//! only one of them can turn, it was that one, and it is enough to look for
//! what the move may have added to it; the others are tested as they stand.

use std::collections::BTreeSet;

use super::changes::{Change, Changes, Passing};
use super::clauses::All;
use super::products::{Factor, Map, Planes, Product, at, inverse};
use super::shapes::{Join, Line, join, line};
use super::symbols::{Expr, Literal, Node, Symbols};
use crate::bits::Bits;
use crate::inst::{BOARD, Binary, Inst, TURN, Unary};
use crate::program::Program;

/// A test.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// Whether a number is not 0, or is.
    Whole(Node, bool),
    /// Whether one of these holds.
    Near(Vec<Spot>),
    /// Whether a square joins two sets; `certain` if it is known to hold one of the codes.
    Joined { join: Join, square: Node, certain: bool },
}

/// What a changed square may have completed.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    /// A line through it; `certain` if it is known to hold one of the codes.
    Line { line: Line, square: Node, certain: bool },
    /// Cells at fixed places around it.
    Cells(Cells),
}

/// Tests of cells at fixed places around a square.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// The square.
    pub(super) square: Node,
    /// The squares for which it can hold, if that must be tested.
    pub(super) allowed: Option<Bits>,
    /// Where a cell is, what it is tested for, and whether it must pass.
    pub(super) tests: Vec<(Vec<i16>, u64, bool)>,
}

/// What is known of one move and one result function.
pub(super) struct Planner<'a> {
    pub(super) program: &'a Program,
    pub(super) symbols: &'a Symbols,
    pub(super) changes: &'a Changes,
    pub(super) planes: Planes<'a>,
    /// Literals that were false before the move, because nothing was said to any player.
    pub(super) silent: &'a BTreeSet<Literal>,
}

/// What must be tested for one way to an outcome.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// Nothing: it cannot hold.
    Closed,
    /// All of these.
    Open(Vec<Test>),
    /// What cannot be written.
    Unwritable,
}

/// How a literal may turn from false to true.
enum Turn {
    /// It cannot.
    Never,
    /// It may, and this tests it, given that it was false.
    If(Test),
}

impl Planner<'_> {
    /// What must be tested to tell whether a way holds now.
    pub(super) fn way(&mut self, all: &All) -> Way {
        if all.iter().any(|&it| self.is_false_now(it)) {
            return Way::Closed;
        }
        let turns: Vec<Turn> = all.iter().map(|&it| self.turn(it)).collect();
        let turning = turns.iter().filter(|it| matches!(it, Turn::If(_))).count();
        if turning == 0 {
            return Way::Closed;
        }
        let (mut near, mut whole) = (Vec::new(), Vec::new());
        for (&literal, turn) in all.iter().zip(turns) {
            match turn {
                _ if self.is_true_now(literal) => {}
                Turn::If(test) if turning == 1 => near.push(test),
                _ => whole.push(Test::Whole(literal.0, literal.1)),
            }
        }
        near.extend(whole);
        let writable = near.iter().all(|test| match test {
            Test::Whole(node, _) => is_writable(self.symbols, *node),
            Test::Near(_) | Test::Joined { .. } => true,
        });
        if writable { Way::Open(near) } else { Way::Unwritable }
    }

    /// Whether a literal does not hold for certain: it was false and stays so, or the turn says
    /// so, or the move itself has left a man of a plane that is said to be empty.
    fn is_false_now(&mut self, literal: Literal) -> bool {
        self.is_true_now((literal.0, !literal.1)) || self.denies_the_man_left(literal)
    }

    /// Whether a literal holds for certain: it was true and stays so, or the turn says so.
    fn is_true_now(&mut self, (node, wanted): Literal) -> bool {
        let opposite = (node, !wanted);
        let stays = |it: &mut Self| matches!(it.changed_turn(opposite), Turn::Never);
        self.by_turn(node, |it| it.after) == Some(wanted)
            || self.silent.contains(&opposite) && stays(self)
    }

    /// Whether a literal says that a plane is empty to which the move has left a man.
    fn denies_the_man_left(&mut self, (node, wanted): Literal) -> bool {
        let Some((Inst::Any { .. }, args, _)) = self.symbols.applied(node) else { return false };
        let Some(products) = self.planes.of(self.symbols, args[0]) else { return false };
        let Some(left) = self.changes.leaves.filter(|_| !wanted) else { return false };
        let full = Bits::full(self.program.squares);
        products.iter().any(|product| match &product.factors[..] {
            [plane] => {
                let everywhere = product.within == full && plane.origin == *self.planes.same();
                everywhere && plane.inside && left & !plane.mask == 0
            }
            _ => false,
        })
    }

    /// What the player to move alone makes of a condition, before the move or after it.
    fn by_turn(&self, node: Node, when: impl Fn(&Passing) -> usize) -> Option<bool> {
        let mover = when(self.changes.passing.as_ref()?) as i64;
        self.with_mover(node, mover).map(|it| it != 0)
    }

    /// The value of an expression in which nothing but the player to move is asked for.
    fn with_mover(&self, node: Node, mover: i64) -> Option<i64> {
        let (inst, args, version) = match self.symbols.expr(node) {
            Expr::Const(value) => return Some(*value),
            Expr::Apply { inst, args, version } => (inst, args, *version),
            _ => return None,
        };
        let value = |index: usize| self.with_mover(args[index], mover);
        match inst {
            Inst::Load { array: TURN, index: None, .. } if version == 0 => Some(mover),
            Inst::Test { array: TURN, index: None, .. } if version == 0 => {
                Some(value(0)? >> mover & 1)
            }
            Inst::Unary { op: Unary::Not, .. } => Some(i64::from(value(0)? == 0)),
            Inst::Binary { op: Binary::Eq, .. } => Some(i64::from(value(0)? == value(1)?)),
            Inst::Binary { op: Binary::Ne, .. } => Some(i64::from(value(0)? != value(1)?)),
            _ => None,
        }
    }

    /// How a literal may turn, by all that is known.
    fn turn(&mut self, literal: Literal) -> Turn {
        let (node, wanted) = literal;
        // What was true cannot become true.
        let was = self.silent.contains(&(node, !wanted))
            || self.by_turn(node, |it| it.before) == Some(wanted);
        if was { Turn::Never } else { self.changed_turn(literal) }
    }

    /// How a literal may turn, by what the move changes.
    fn changed_turn(&mut self, (node, wanted): Literal) -> Turn {
        let whole = Turn::If(Test::Whole(node, wanted));
        if let Some((Inst::Any { .. }, args, 0)) = self.symbols.applied(node) {
            if let Some(products) = self.planes.of(self.symbols, args[0]) {
                return if wanted {
                    self.grows(args[0], node, &products)
                } else if self.shrinks(&products) {
                    whole
                } else {
                    Turn::Never
                };
            }
            let found = join(self.program, self.symbols, &mut self.planes, args[0]);
            if let (Some(join), true) = (found, wanted) {
                return self.joins(join, node);
            }
        }
        if self.may_differ(node) { whole } else { Turn::Never }
    }

    /// Whether a union of products may have got smaller.
    fn shrinks(&self, products: &[Product]) -> bool {
        products
            .iter()
            .flat_map(|it| &it.factors)
            .any(|factor| self.changes.board.iter().any(|change| loses(change, factor)))
    }

    /// Whether a union of products that was empty has a square now.
    fn grows(&mut self, set: Node, node: Node, products: &[Product]) -> Turn {
        let mut spots = Vec::new();
        let mut anywhere = false;
        for product in products {
            match self.completed(product) {
                Some(found) => spots.extend(found),
                None => anywhere = true,
            }
        }
        if spots.is_empty() && !anywhere {
            return Turn::Never;
        }
        let near: usize = spots.iter().map(Spot::cost).sum();
        let words = self.program.squares.div_ceil(64);
        let mut seen = BTreeSet::new();
        let whole = 2 * words * size(self.symbols, set, &mut seen);
        if anywhere || near > whole {
            return Turn::If(Test::Whole(node, true));
        }
        Turn::If(Test::Near(spots))
    }

    /// What a product may have got; `None` if that may be anywhere.
    fn completed(&self, product: &Product) -> Option<Vec<Spot>> {
        let line = line(self.program, product);
        let mut spots = Vec::new();
        for change in &self.changes.board {
            let gained: Vec<usize> = (0..product.factors.len())
                .filter(|&it| gains(change, &product.factors[it]))
                .collect();
            if gained.is_empty() {
                continue;
            }
            let square = change.square?;
            if let Some(line) = line {
                let certain = change.after & !line.mask == 0;
                spots.push(Spot::Line { line, square, certain });
                continue;
            }
            for index in gained {
                spots.extend(cells(product, index, change, square)?);
            }
        }
        Some(spots)
    }

    /// Whether two sets that were not joined are joined now.
    fn joins(&self, join: Join, node: Node) -> Turn {
        let added: Vec<&Change> =
            self.changes.board.iter().filter(|it| it.gains(join.mask)).collect();
        match added[..] {
            [] => Turn::Never,
            [Change { square: Some(square), after, .. }] => {
                let certain = after & !join.mask == 0;
                Turn::If(Test::Joined { join, square: *square, certain })
            }
            _ => Turn::If(Test::Whole(node, true)),
        }
    }

    /// Whether the value of an expression may not be what it was.
    fn may_differ(&self, node: Node) -> bool {
        let (inst, args, version) = match self.symbols.expr(node) {
            Expr::Const(_) | Expr::Empty => return false,
            Expr::Apply { inst, args, version } => (inst, args, *version),
            _ => return true,
        };
        let changed =
            |mask: u64| self.changes.board.iter().any(|it| it.gains(mask) || it.loses(mask));
        let mask_of = |node: Option<&Node>| node.and_then(|&it| self.symbols.constant(it));
        let itself = match inst {
            _ if version != 0 => true,
            Inst::Repeats { .. } | Inst::Reply { .. } | Inst::Side { .. } | Inst::Depth { .. } => {
                true
            }
            Inst::SetWhere { .. } | Inst::Test { array: BOARD, .. } => {
                mask_of(args.last()).is_none_or(|mask| changed(mask as u64))
            }
            _ => match inst.reads_array() {
                Some(BOARD) => !self.changes.board.is_empty(),
                Some(array) => self.changes.arrays.contains(&array),
                None => false,
            },
        };
        itself || args.iter().any(|&it| self.may_differ(it))
    }
}

impl Spot {
    /// About how much it costs to test, in operations of the machine.
    fn cost(&self) -> usize {
        match self {
            Self::Line { .. } => 24,
            Self::Cells(cells) => 2 + usize::from(cells.allowed.is_some()) + 4 * cells.tests.len(),
        }
    }
}

/// Whether a change may turn a test of a cell from failed to passed.
fn gains(change: &Change, factor: &Factor) -> bool {
    if factor.inside { change.gains(factor.mask) } else { change.loses(factor.mask) }
}

/// Whether a change may turn a test of a cell from passed to failed.
fn loses(change: &Change, factor: &Factor) -> bool {
    if factor.inside { change.loses(factor.mask) } else { change.gains(factor.mask) }
}

/// The tests for the one square of a product of which factor `index` looks at a changed cell:
/// none if there is no such square, `None` if there are several.
fn cells(product: &Product, index: usize, change: &Change, square: Node) -> Option<Vec<Spot>> {
    let own = &product.factors[index];
    let domain = product.domain();
    // A test that a cell must fail is passed where there is no cell; then nothing has changed.
    let back = inverse(&own.origin)?;
    let here = |it: usize| usize::try_from(back[it]).ok().filter(|&it| domain.contains(it));
    let mut allowed = Bits { words: vec![0; domain.words.len()] };
    (0..back.len()).filter(|&it| here(it).is_some()).for_each(|it| allowed.insert(it));
    if allowed.is_empty() {
        return Some(Vec::new());
    }
    let through = |origin: &Map| -> Vec<i16> {
        (0..back.len()).map(|it| here(it).map_or(-1, |it| at(origin, it as i16))).collect()
    };
    let certain = if own.inside { change.after & !own.mask } else { change.after & own.mask } == 0;
    let others = product.factors.iter().enumerate().filter(|(it, _)| *it != index || !certain);
    let tests: Vec<(Vec<i16>, u64, bool)> =
        others.map(|(_, it)| (through(&it.origin), it.mask, it.inside)).collect();
    // A test that must be passed fails where the square is not allowed.
    let implied = tests.iter().any(|(_, _, inside)| *inside);
    let everywhere = (0..back.len()).all(|it| allowed.contains(it));
    let allowed = (!implied && !everywhere).then_some(allowed);
    Some(vec![Spot::Cells(Cells { square, allowed, tests })])
}

/// How many operations an expression takes, those counted already left out.
fn size(symbols: &Symbols, node: Node, seen: &mut BTreeSet<Node>) -> usize {
    match symbols.applied(node) {
        Some((_, args, _)) if seen.insert(node) => {
            1 + args.iter().map(|&it| size(symbols, it, seen)).sum::<usize>()
        }
        _ => 0,
    }
}

/// Whether an expression can be computed again.
fn is_writable(symbols: &Symbols, node: Node) -> bool {
    match symbols.expr(node) {
        Expr::Const(_) | Expr::Empty => true,
        Expr::Apply { args, .. } => args.iter().all(|&it| is_writable(symbols, it)),
        _ => false,
    }
}

/// Whether the tests of all ways are less than the result function itself: some way was `dropped`,
/// or not all of them test the whole of something.
pub(super) fn is_worth_it(dropped: bool, ways: &[Vec<Test>]) -> bool {
    dropped || ways.iter().flatten().any(|it| !matches!(it, Test::Whole(..)))
}
