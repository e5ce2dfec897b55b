//! Programs out of random bytes: every field of the data types is used, and
//! nothing need make sense.

use ludex_ir::*;

/// Bytes as a stream of choices; zeros when they run out.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.byte() as usize % count
    }

    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    fn small(&mut self) -> u16 {
        u16::from(self.byte())
    }

    fn number(&mut self) -> i64 {
        match self.below(4) {
            0 => i64::from(self.byte()),
            1 => -1 - i64::from(self.byte()),
            2 => [i64::MIN, i64::MAX, 0, 1, 2, 3][self.below(6)],
            _ => i64::from_le_bytes(std::array::from_fn(|_| self.byte())),
        }
    }

    fn text(&mut self) -> String {
        let pieces =
            ["a", "é", "\"", "\\", "\n", "\r\n", ";", "\u{301}", "\0", " ", "b7", "𝕏", "\u{2028}"];
        self.many(4, |it| pieces[it.below(pieces.len())]).concat()
    }

    fn option<T>(&mut self, item: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| item(self))
    }

    fn many<T>(&mut self, most: usize, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| item(self)).collect()
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

/// A program that need not make sense.
pub fn program(c: &mut Choices<'_>) -> Program {
    let squares = c.pick(&[0, 1, 9, 64, 65, 130]);
    Program {
        title: c.text(),
        players: c.many(3, Choices::text),
        squares,
        kinds: c.many(3, Choices::text),
        men: c.many(3, |c| Man {
            owner: c.option(Choices::byte),
            kind: c.byte(),
            symbol: c.text(),
        }),
        arrays: c.many(3, array),
        tables: c.many(3, |c| Table {
            name: c.text(),
            rows: c.below(9),
            columns: c.below(9),
            data: c.many(20, |c| i64::from(c.byte() % 3)),
        }),
        families: c
            .many(2, |c| SetFamily { name: c.text(), sets: c.many(3, |c| bits(c, squares)) }),
        geometry: Geometry {
            directions: c.many(3, direction),
            lists: c.many(3, |c| c.many(5, Choices::small)),
        },
        functions: c.many(3, function),
        statements: c.many(3, statement),
        roles: roles(c),
        start: c.many(20, Choices::number),
        history: c.pick(&[History::None, History::Board, History::Position]),
        features: c.many(2, Choices::text),
        score_up_to: c.option(Choices::number),
        look: look(c),
    }
}

fn array(c: &mut Choices<'_>) -> Array {
    use ArrayRole::*;
    let index = |c: &mut Choices<'_>| match c.below(3) {
        0 => IndexKind::Player,
        1 => IndexKind::Kind,
        _ => IndexKind::Number(u32::from(c.byte())),
    };
    Array {
        name: c.text(),
        role: c.pick(&[Board, Turn, Number, Bool, Square, Player, Kind, Set, Counter]),
        indices: c.many(3, index),
        base: c.below(50),
        len: c.below(50),
        lo: c.number(),
        hi: c.number(),
        default: c.number(),
    }
}

fn bits(c: &mut Choices<'_>, squares: usize) -> Bits {
    let mut bits = Bits::empty(if c.below(8) == 0 { 200 } else { squares });
    for word in &mut bits.words {
        *word = u64::from_le_bytes(std::array::from_fn(|_| c.byte()));
    }
    bits
}

fn direction(c: &mut Choices<'_>) -> Direction {
    let steps = c.many(20, |c| i16::from(c.byte()) - 1);
    Direction { name: c.text(), compass: c.flag(), opposite: c.small(), steps }
}

fn statement(c: &mut Choices<'_>) -> Statement {
    use OperandKind::*;
    let kinds = [
        Bool,
        Square,
        Direction,
        Directions,
        Kind,
        Player,
        Number,
        PathOfSquares,
        PathOfDirections,
    ];
    let operands = c.many(3, |c| Operand { name: c.text(), kind: c.pick(&kinds) });
    Statement {
        operands,
        effect: Func(c.small()),
        quiet: c.flag(),
        twins: c.flag(),
        place: u32::from(c.byte()),
    }
}

fn roles(c: &mut Choices<'_>) -> RoleFunctions {
    let func = |c: &mut Choices<'_>| c.option(|c| Func(c.small()));
    RoleFunctions {
        moves: Func(c.small()),
        result: func(c),
        stuck: func(c),
        adjudicate: func(c),
        illegal: func(c),
        royal: c.option(Choices::byte),
        evaluate: func(c),
        evaluate_for_side: c.flag(),
        features: func(c),
        candidates: func(c),
        candidates_only: c.flag(),
    }
}

fn look(c: &mut Choices<'_>) -> Look {
    use PositionField::{Board, Cell, Flags, Text, Turn};
    let field = |c: &mut Choices<'_>| match c.below(5) {
        0 => Board,
        1 => Turn,
        2 => Flags(c.many(3, |c| (c.text(), c.below(99)))),
        3 => Cell(c.below(99)),
        _ => Text(c.text()),
    };
    Look {
        squares: c.many(5, Choices::text),
        grid: c.pick(&[GridKind::None, GridKind::Square, GridKind::Hex, GridKind::Graph]),
        columns: c.below(9),
        rows: c.below(9),
        at: c.many(9, |c| i16::from(c.byte()) - 1),
        edges: c.many(5, |c| (c.small(), c.small())),
        kinds: c.many(3, Choices::text),
        players: c.many(3, Choices::text),
        position: c.option(|c| c.many(5, field)),
        notations: c.many(2, Choices::text),
    }
}

fn reg(c: &mut Choices<'_>) -> Reg {
    Reg(c.small() % 8)
}

fn set(c: &mut Choices<'_>) -> SetReg {
    SetReg(c.small() % 4)
}

fn path(c: &mut Choices<'_>) -> PathReg {
    PathReg(c.small() % 3)
}

fn var(c: &mut Choices<'_>) -> Var {
    match c.below(4) {
        0 => Var::Set(set(c)),
        1 => Var::Path(path(c)),
        _ => Var::Int(reg(c)),
    }
}

fn function(c: &mut Choices<'_>) -> Function {
    let place = |c: &mut Choices<'_>| u32::from(c.byte() / 2);
    let block = |c: &mut Choices<'_>| BlockData {
        insts: c.many(8, |c| (inst(c), place(c))),
        end: (end(c), place(c)),
    };
    Function {
        name: c.text(),
        params: c.many(4, var),
        result: c.option(var),
        ints: c.small(),
        sets: c.small(),
        paths: c.small(),
        blocks: c.many(4, block),
        names: c.many(3, |c| (var(c), c.text())),
    }
}

fn end(c: &mut Choices<'_>) -> End {
    let block = |c: &mut Choices<'_>| Block(c.below(5) as u32);
    match c.below(3) {
        0 => End::Jump(block(c)),
        1 => End::Branch { cond: reg(c), yes: block(c), no: block(c) },
        _ => End::Return,
    }
}

/// Any instruction.
pub fn inst(c: &mut Choices<'_>) -> Inst {
    let array = |c: &mut Choices<'_>| ArrayId(c.small() % 4);
    let of = |c: &mut Choices<'_>| c.pick(&[PathOf::Squares, PathOf::Directions]);
    match c.below(51) {
        0 => Inst::Const { dst: reg(c), value: c.number() },
        1 => Inst::Copy { dst: reg(c), src: reg(c) },
        2 => Inst::Unary { op: unary(c), dst: reg(c), src: reg(c) },
        3 => Inst::Binary { op: binary(c), dst: reg(c), a: reg(c), b: reg(c) },
        4 => Inst::Lookup { dst: reg(c), table: TableId(c.small()), i: reg(c), j: c.option(reg) },
        5 => Inst::Pair { dst: reg(c), i: reg(c), j: reg(c), rows: u32::MAX, columns: 3 },
        6 => Inst::Step { dst: reg(c), from: reg(c), dir: reg(c) },
        7 => Inst::ListLen { dst: reg(c), list: reg(c) },
        8 => Inst::ListItem { dst: reg(c), list: reg(c), index: reg(c) },
        9 => Inst::Load { dst: reg(c), array: array(c), index: c.option(reg) },
        10 => Inst::Test { dst: reg(c), array: array(c), index: c.option(reg), mask: reg(c) },
        11 => {
            let (lo, hi) = (c.number(), c.number());
            Inst::TestRange { dst: reg(c), array: array(c), index: c.option(reg), lo, hi }
        }
        12 => Inst::Store { array: array(c), index: c.option(reg), value: reg(c) },
        13 => Inst::Add { array: array(c), index: c.option(reg), delta: reg(c) },
        14 => Inst::StoreAll { set: set(c), value: reg(c) },
        15 => Inst::SetConst { dst: set(c), family: SetId(c.small()), index: c.option(reg) },
        16 => Inst::SetWhere { dst: set(c), mask: reg(c) },
        17 => Inst::SetLoad { dst: set(c), array: array(c), index: c.option(reg) },
        18 => Inst::SetStore { array: array(c), index: c.option(reg), src: set(c) },
        19 => Inst::SetUpdate { array: array(c), index: c.option(reg), src: set(c), add: c.flag() },
        20 => Inst::SetCopy { dst: set(c), src: set(c) },
        21 => {
            let ops = [SetBinary::Union, SetBinary::Intersection, SetBinary::Difference];
            Inst::SetBinary { op: c.pick(&ops), dst: set(c), a: set(c), b: set(c) }
        }
        22 => Inst::SetInsert { set: set(c), square: reg(c) },
        23 => Inst::Shift { dst: set(c), src: set(c), dir: reg(c) },
        24 => Inst::Neighbours { dst: set(c), src: set(c), list: reg(c) },
        25 => Inst::Flood { dst: set(c), from: set(c), within: set(c), list: reg(c) },
        26 => Inst::Line { dst: set(c), from: reg(c), dir: reg(c), count: reg(c) },
        27 => Inst::Axis { dst: set(c), from: reg(c), dir: reg(c) },
        28 => Inst::Between { dst: set(c), a: reg(c), b: reg(c) },
        29 => Inst::Contains { dst: reg(c), set: set(c), square: reg(c) },
        30 => Inst::Count { dst: reg(c), set: set(c) },
        31 => Inst::Any { dst: reg(c), set: set(c) },
        32 => Inst::NextMember { dst: reg(c), set: set(c), after: reg(c) },
        33 => Inst::PathEmpty { dst: path(c) },
        34 => Inst::PathCopy { dst: path(c), src: path(c) },
        35 => Inst::PathPush { dst: path(c), src: path(c), item: reg(c), of: of(c) },
        36 => Inst::PathLen { dst: reg(c), path: path(c) },
        37 => Inst::PathItem { dst: reg(c), path: path(c), index: reg(c), of: of(c) },
        38 => Inst::Call { func: Func(c.small() % 4), args: c.many(4, var), result: c.option(var) },
        39 => Inst::TryBegin,
        40 => Inst::TryEnd,
        41 => {
            let statement = StatementId(c.small() % 4);
            Inst::Emit { statement, args: c.many(4, var), weight: c.option(reg) }
        }
        42 => {
            use OutcomeKind::{Draw, Loss, Score, Victory};
            Inst::Outcome { kind: c.pick(&[Victory, Loss, Draw, Score]), score: c.option(reg) }
        }
        43 => Inst::Feature { index: c.small(), value: reg(c) },
        44 => Inst::Say { piece: say(c) },
        45 => Inst::Irreversible,
        46 => Inst::Next { player: reg(c) },
        47 => Inst::Repeats { dst: reg(c) },
        48 => Inst::Reply { dst: reg(c), player: reg(c) },
        49 => Inst::Side { dst: reg(c) },
        _ => Inst::Depth { dst: reg(c) },
    }
}

fn say(c: &mut Choices<'_>) -> Say {
    match c.below(8) {
        0 => Say::Square(reg(c)),
        1 => Say::Becomes(reg(c)),
        2 => Say::Drops(reg(c)),
        3 => Say::Kind(reg(c)),
        4 => Say::Number(reg(c)),
        5 => Say::Direction(reg(c)),
        6 => Say::Player(reg(c)),
        _ => Say::Text(c.text()),
    }
}

fn unary(c: &mut Choices<'_>) -> Unary {
    use Unary::*;
    c.pick(&[Neg, Not, Abs, Real, RNeg, RAbs, RExp, RTanh, RSqrt, Opposite])
}

fn binary(c: &mut Choices<'_>) -> Binary {
    use Binary::*;
    c.pick(&[
        Add, Sub, Mul, Div, Rem, Min, Max, Eq, Ne, Lt, Le, Distance, RAdd, RSub, RMul, RDiv, RMin,
        RMax, REq, RLt, RLe,
    ])
}
