//! A small assembler, so that tests can write programs before there is a front end.

use ludex_ir::inst::{BOARD, TURN};
use ludex_ir::{
    Array, ArrayId, ArrayRole, Binary, Block, BlockData, Direction, End, Func, Function, Geometry,
    GridKind, IndexKind, Inst, Look, Man, Operand, OperandKind, OutcomeKind, PathReg, Program, Reg,
    Say, SetReg, Statement, StatementId, Var,
};

/// The four orthogonal directions, as a list of every program built here.
pub(crate) const FOUR: i64 = 0;
/// East, north, northeast, southeast: each line once.
pub(crate) const HALF: i64 = 2;

/// A program with a board, two players, and nothing to do.
pub(crate) fn square_board(columns: usize, rows: usize, wrap: bool) -> Program {
    let squares = columns * rows;
    let names = (0..squares)
        .map(|it| format!("{}{}", char::from(b'a' + (it % columns) as u8), it / columns + 1));
    let players = vec!["White".to_owned(), "Black".to_owned()];
    let mut program = Program {
        title: "test".to_owned(),
        players,
        squares,
        arrays: vec![
            array("board", ArrayRole::Board, squares, 0, 0),
            array("turn", ArrayRole::Turn, 1, 0, 1),
        ],
        geometry: geometry(columns, rows, wrap),
        look: Look {
            squares: names.collect(),
            grid: GridKind::Square,
            columns,
            rows,
            at: (0..squares as i16).collect(),
            players: vec!["w".to_owned(), "b".to_owned()],
            ..Look::default()
        },
        ..Program::default()
    };
    finish(&mut program);
    program
}

pub(crate) fn array(name: &str, role: ArrayRole, len: usize, lo: i64, hi: i64) -> Array {
    let default = if lo < 0 { -1 } else { 0 }.clamp(lo, hi);
    Array { name: name.to_owned(), role, indices: Vec::new(), base: 0, len, lo, hi, default }
}

/// Lays the arrays out and gives every cell its default at the start.
pub(crate) fn finish(program: &mut Program) {
    program.arrays[0].hi = program.men.len() as i64;
    program.arrays[0].len = program.squares;
    program.arrays[1].hi = program.players.len() as i64 - 1;
    let mut base = 0;
    for array in &mut program.arrays {
        array.base = base;
        base += array.len;
    }
    let defaults = program.arrays.iter().flat_map(|it| std::iter::repeat_n(it.default, it.len));
    program.start = defaults.collect();
}

/// Adds a kind of man for each player; the codes are one after the other.
pub(crate) fn add_kind(program: &mut Program, name: &str, symbols: [&str; 2]) {
    let kind = program.kinds.len() as u8;
    program.kinds.push(name.to_owned());
    program.look.kinds.push(symbols[0].to_uppercase());
    for (owner, symbol) in symbols.into_iter().enumerate() {
        program.men.push(Man { owner: Some(owner as u8), kind, symbol: symbol.to_owned() });
    }
    finish(program);
}

/// Adds a kind that belongs to no player.
pub(crate) fn add_neutral(program: &mut Program, name: &str, symbol: &str) {
    let kind = program.kinds.len() as u8;
    program.kinds.push(name.to_owned());
    program.look.kinds.push(symbol.to_uppercase());
    program.men.push(Man { owner: None, kind, symbol: symbol.to_owned() });
    finish(program);
}

/// Adds cells.
pub(crate) fn add_cells(
    program: &mut Program,
    name: &str,
    role: ArrayRole,
    indices: &[IndexKind],
    (lo, hi): (i64, i64),
) -> ArrayId {
    let each = if role == ArrayRole::Set { program.squares } else { 1 };
    let indexed: usize = indices.iter().map(|&kind| program.index_len(kind)).product();
    let mut array = array(name, role, indexed * each, lo, hi);
    array.indices = indices.to_vec();
    program.arrays.push(array);
    finish(program);
    ArrayId(program.arrays.len() as u16 - 1)
}

/// Adds a function.
pub(crate) fn add(program: &mut Program, code: Code) -> Func {
    program.functions.push(code.function);
    Func(program.functions.len() as u16 - 1)
}

/// Adds a move statement.
pub(crate) fn add_statement(
    program: &mut Program,
    operands: &[(&str, OperandKind)],
    twins: bool,
    effect: Code,
) -> StatementId {
    let effect = add(program, effect);
    let operand = |&(name, kind): &(&str, OperandKind)| Operand { name: name.to_owned(), kind };
    let operands = operands.iter().map(operand).collect();
    program.statements.push(Statement { operands, effect, quiet: false, twins, place: 0 });
    StatementId(program.statements.len() as u16 - 1)
}

fn geometry(columns: usize, rows: usize, wrap: bool) -> Geometry {
    let compass = [
        ("north", 0, 1),
        ("south", 0, -1),
        ("east", 1, 0),
        ("west", -1, 0),
        ("northeast", 1, 1),
        ("southwest", -1, -1),
        ("northwest", -1, 1),
        ("southeast", 1, -1),
    ];
    let directions = compass.iter().enumerate().map(|(index, &(name, dx, dy))| {
        let step = |square: usize| {
            let x = (square % columns) as i64 + dx;
            let y = (square / columns) as i64 + dy;
            let x = if wrap { x.rem_euclid(columns as i64) } else { x };
            let inside = (0..columns as i64).contains(&x) && (0..rows as i64).contains(&y);
            if inside { (y * columns as i64 + x) as i16 } else { -1 }
        };
        Direction {
            name: name.to_owned(),
            compass: true,
            opposite: index as u16 ^ 1,
            steps: (0..columns * rows).map(step).collect(),
        }
    });
    let lists = vec![vec![0, 1, 2, 3], (0..8).collect(), vec![0, 2, 4, 6]];
    Geometry { directions: directions.collect(), lists }
}

/// A function being written. Register 0 is `me`.
pub(crate) struct Code {
    function: Function,
    at: usize,
}

impl Code {
    pub(crate) fn new(name: &str) -> Self {
        let function = Function {
            name: name.to_owned(),
            params: vec![Var::Int(Reg(0))],
            result: None,
            ints: 1,
            sets: 0,
            paths: 0,
            blocks: vec![block()],
            names: Vec::new(),
        };
        Self { function, at: 0 }
    }

    pub(crate) const ME: Reg = Reg(0);

    pub(crate) fn int(&mut self) -> Reg {
        self.function.ints += 1;
        Reg(self.function.ints - 1)
    }

    pub(crate) fn set(&mut self) -> SetReg {
        self.function.sets += 1;
        SetReg(self.function.sets - 1)
    }

    pub(crate) fn path(&mut self) -> PathReg {
        self.function.paths += 1;
        PathReg(self.function.paths - 1)
    }

    pub(crate) fn param(&mut self) -> Reg {
        let reg = self.int();
        self.function.params.push(Var::Int(reg));
        reg
    }

    pub(crate) fn path_param(&mut self) -> PathReg {
        let reg = self.path();
        self.function.params.push(Var::Path(reg));
        reg
    }

    pub(crate) fn returns(&mut self, var: Var) {
        self.function.result = Some(var);
    }

    /// Adds an instruction; its place is its number in the function.
    pub(crate) fn inst(&mut self, inst: Inst) {
        let place: usize = self.function.blocks.iter().map(|it| it.insts.len()).sum();
        self.function.blocks[self.at].insts.push((inst, place as u32 + 1));
    }

    pub(crate) fn number(&mut self, value: i64) -> Reg {
        let dst = self.int();
        self.inst(Inst::Const { dst, value });
        dst
    }

    pub(crate) fn op(&mut self, op: Binary, a: Reg, b: Reg) -> Reg {
        let dst = self.int();
        self.inst(Inst::Binary { op, dst, a, b });
        dst
    }

    pub(crate) fn step(&mut self, from: Reg, dir: Reg) -> Reg {
        let dst = self.int();
        self.inst(Inst::Step { dst, from, dir });
        dst
    }

    /// Whether a square has one of some contents.
    pub(crate) fn test(&mut self, square: Reg, mask: Reg) -> Reg {
        let dst = self.int();
        self.inst(Inst::Test { dst, array: BOARD, index: Some(square), mask });
        dst
    }

    pub(crate) fn put(&mut self, square: Reg, value: Reg) {
        self.inst(Inst::Store { array: BOARD, index: Some(square), value });
    }

    /// The squares with one of some contents.
    pub(crate) fn squares_with(&mut self, mask: Reg) -> SetReg {
        let dst = self.set();
        self.inst(Inst::SetWhere { dst, mask });
        dst
    }

    /// The code of the man of player `me` where each player has one kind: 1 and 2.
    pub(crate) fn my_man(&mut self) -> Reg {
        let one = self.number(1);
        self.op(Binary::Add, Self::ME, one)
    }

    pub(crate) fn their_man(&mut self) -> Reg {
        let two = self.number(2);
        self.op(Binary::Sub, two, Self::ME)
    }

    /// The mask of one code.
    pub(crate) fn mask(&mut self, code: Reg) -> Reg {
        // 1 << code for codes 0, 1, 2: they are 1, 2 and 4.
        let (one, two) = (self.number(1), self.number(2));
        let big = self.op(Binary::Eq, code, two);
        let sum = self.op(Binary::Add, code, one);
        self.op(Binary::Add, sum, big)
    }

    pub(crate) fn any(&mut self, set: SetReg) -> Reg {
        let dst = self.int();
        self.inst(Inst::Any { dst, set });
        dst
    }

    pub(crate) fn set_op(&mut self, op: ludex_ir::SetBinary, a: SetReg, b: SetReg) -> SetReg {
        let dst = self.set();
        self.inst(Inst::SetBinary { op, dst, a, b });
        dst
    }

    pub(crate) fn single(&mut self, square: Reg) -> SetReg {
        let none = self.number(0);
        let set = self.squares_with(none);
        self.inst(Inst::SetInsert { set, square });
        set
    }

    pub(crate) fn say(&mut self, say: Say) {
        self.inst(Inst::Say { piece: say });
    }

    pub(crate) fn outcome(&mut self, kind: OutcomeKind) {
        self.inst(Inst::Outcome { kind, score: None });
    }

    fn open(&mut self) -> Block {
        self.function.blocks.push(block());
        Block(self.function.blocks.len() as u32 - 1)
    }

    fn end(&mut self, end: End) {
        self.function.blocks[self.at].end = (end, 0);
    }

    /// Runs `body` if `cond` is not 0.
    pub(crate) fn when(&mut self, cond: Reg, body: impl FnOnce(&mut Self)) {
        let (yes, no) = (self.open(), self.open());
        self.end(End::Branch { cond, yes, no });
        self.at = yes.0 as usize;
        body(self);
        self.end(End::Jump(no));
        self.at = no.0 as usize;
    }

    /// Runs `body` over and over while `cond`, computed anew each time, is not 0.
    pub(crate) fn repeat(
        &mut self,
        cond: impl FnOnce(&mut Self) -> Reg,
        body: impl FnOnce(&mut Self),
    ) {
        let head = self.open();
        self.end(End::Jump(head));
        self.at = head.0 as usize;
        let cond = cond(self);
        let (yes, no) = (self.open(), self.open());
        self.end(End::Branch { cond, yes, no });
        self.at = yes.0 as usize;
        body(self);
        self.end(End::Jump(head));
        self.at = no.0 as usize;
    }

    /// Runs `body` for each square of a set.
    pub(crate) fn each(&mut self, set: SetReg, body: impl FnOnce(&mut Self, Reg)) {
        let square = self.number(-1);
        let zero = self.number(0);
        self.repeat(
            |code| {
                code.inst(Inst::NextMember { dst: square, set, after: square });
                code.op(Binary::Le, zero, square)
            },
            |code| body(code, square),
        );
    }

    /// Runs `body` for each direction of a list.
    pub(crate) fn each_direction(&mut self, list: i64, body: impl FnOnce(&mut Self, Reg)) {
        let (list, index) = (self.number(list), self.number(0));
        let (one, dir, len) = (self.number(1), self.int(), self.int());
        self.repeat(
            |code| {
                code.inst(Inst::ListLen { dst: len, list });
                code.inst(Inst::ListItem { dst: dir, list, index });
                code.op(Binary::Lt, index, len)
            },
            |code| {
                body(code, dir);
                code.inst(Inst::Binary { op: Binary::Add, dst: index, a: index, b: one });
            },
        );
    }
}

fn block() -> BlockData {
    BlockData { insts: Vec::new(), end: (End::Return, 0) }
}

/// The turn, for tests that set it.
pub(crate) fn turn_cell(program: &Program) -> usize {
    program.arrays[TURN.0 as usize].base
}
