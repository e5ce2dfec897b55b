//! Instructions. The doc comment of each is its meaning; both engines and the
//! study are held to it.
//!
//! Registers are mutable variables of one function activation, in three
//! classes: numbers ([`Reg`], 64-bit; squares, players, kinds, directions,
//! lists of directions, truth values as 0/1, and reals as their bits), sets of
//! squares ([`SetReg`]) and paths ([`PathReg`]). The number -1 is `none`.
//!
//! Every instruction is total: an index out of range is never an error, it
//! gives the stated value.

/// A number register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub u16);
/// A set register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetReg(pub u16);
/// A path register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathReg(pub u16);
/// A basic block of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(pub u32);
/// A function of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Func(pub u16);
/// An array of cells of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayId(pub u16);
/// A constant table of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u16);
/// A family of constant sets of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u16);
/// A move statement of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub u16);

/// The array that holds what stands on each square.
pub const BOARD: ArrayId = ArrayId(0);
/// The array (of one cell) that holds the player to move.
pub const TURN: ArrayId = ArrayId(1);

/// A register of any class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Var {
    /// A number.
    Int(Reg),
    /// A set.
    Set(SetReg),
    /// A path.
    Path(PathReg),
}

/// Operations on one number. Names with `R` work on reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-x`, wrapping.
    Neg,
    /// 1 if `x` is 0, else 0.
    Not,
    /// `|x|`, wrapping.
    Abs,
    /// The real equal to a number.
    Real,
    /// `-x`.
    RNeg,
    /// `|x|`.
    RAbs,
    /// The shared exponential.
    RExp,
    /// The shared hyperbolic tangent.
    RTanh,
    /// The square root; of a negative number 0.
    RSqrt,
    /// The direction opposite to direction `x`; -1 if `x` is no direction.
    Opposite,
}

/// Operations on two numbers. Names with `R` work on reals; comparisons give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Quotient towards zero; 0 if the divisor is 0.
    Div,
    /// Remainder of that division; 0 if the divisor is 0.
    Rem,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// King steps between two squares on the drawing (the larger of the two coordinate
    /// differences, wrapped edges not counted); -1 if either is no square of the grid.
    Distance,
    /// Sum of reals.
    RAdd,
    /// Difference of reals.
    RSub,
    /// Product of reals.
    RMul,
    /// Quotient of reals; 0 if the divisor is 0.
    RDiv,
    /// The smaller real.
    RMin,
    /// The larger real.
    RMax,
    /// Equal reals.
    REq,
    /// Less.
    RLt,
    /// Less or equal.
    RLe,
}

impl Unary {
    /// Whether it works on reals or makes one.
    pub const fn is_real(self) -> bool {
        use Unary::{RAbs, RExp, RNeg, RSqrt, RTanh, Real};
        matches!(self, Real | RNeg | RAbs | RExp | RTanh | RSqrt)
    }
}

impl Binary {
    /// Whether it works on reals.
    pub const fn is_real(self) -> bool {
        use Binary::{RAdd, RDiv, REq, RLe, RLt, RMax, RMin, RMul, RSub};
        matches!(self, RAdd | RSub | RMul | RDiv | RMin | RMax | REq | RLt | RLe)
    }
}

/// Operations on two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetBinary {
    /// In either.
    Union,
    /// In both.
    Intersection,
    /// In the first and not in the second.
    Difference,
}

/// What a result statement gives the player `me`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutcomeKind {
    /// `me` wins.
    Victory,
    /// `me` loses.
    Loss,
    /// All players draw.
    Draw,
    /// `me` has a score; it comes with a number.
    Score,
}

/// A piece of a move's written form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Say {
    /// The name of a square.
    Square(Reg),
    /// A kind that a man becomes: its symbol, small.
    Becomes(Reg),
    /// A kind that is put from a choice: its symbol (capital), and `@`.
    Drops(Reg),
    /// A kind's symbol.
    Kind(Reg),
    /// A number.
    Number(Reg),
    /// The name of a direction.
    Direction(Reg),
    /// The name of a player.
    Player(Reg),
    /// A fixed text.
    Text(String),
}

/// What a path is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathOf {
    /// Squares.
    Squares,
    /// Directions.
    Directions,
}

/// How an operand of a move follows from the square that the move is listed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spread {
    /// The square itself.
    Member,
    /// The entry of a table of one column at the square's number.
    Table(TableId),
    /// The same for all.
    Same(Reg),
}

/// One instruction.
///
/// "Cell `i` of array" means element `i`; `index: None` means element 0. An
/// index outside the array is *off*.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the comment of an instruction tells its fields")]
pub enum Inst {
    /// `dst := value`.
    Const { dst: Reg, value: i64 },
    /// `dst := src`.
    Copy { dst: Reg, src: Reg },
    /// `dst := op src`.
    Unary { op: Unary, dst: Reg, src: Reg },
    /// `dst := a op b`.
    Binary { op: Binary, dst: Reg, a: Reg, b: Reg },
    /// `dst := table[i]`, or `table[i][j]`; -1 if an index is out of range.
    Lookup { dst: Reg, table: TableId, i: Reg, j: Option<Reg> },
    /// `dst := i * columns + j` if `0 <= i < rows` and `0 <= j < columns`, else -1.
    Pair { dst: Reg, i: Reg, j: Reg, rows: u32, columns: u32 },
    /// `dst :=` the square one step from `from` in direction `dir`, or -1.
    Step { dst: Reg, from: Reg, dir: Reg },
    /// `dst :=` the square `count` steps from `from` in direction `dir`, or -1; `from` itself, if it is
    /// a square, where `count` is 0 or less.
    Hop { dst: Reg, from: Reg, dir: Reg, count: Reg },
    /// `dst :=` the number of directions in list `list`; 0 if there is no such list.
    ListLen { dst: Reg, list: Reg },
    /// `dst :=` the direction at `index` (from 0) in list `list`, or -1.
    ListItem { dst: Reg, list: Reg, index: Reg },

    /// `dst :=` the value of a cell; -1 if off. (Squares, players and kinds hold -1 for none:
    /// their arrays have `lo` = -1.) On [`BOARD`]: 0 for empty, otherwise the code of the man.
    Load { dst: Reg, array: ArrayId, index: Option<Reg> },
    /// `dst := 1` if the value `v` of a cell is such that bit `v - lo` of `mask` is set, else 0
    /// (also if off). Only for arrays whose domain has at most 64 values.
    Test { dst: Reg, array: ArrayId, index: Option<Reg>, mask: Reg },
    /// `dst := 1` if the value of a cell is in `lo..=hi`, else 0 (also if off).
    TestRange { dst: Reg, array: ArrayId, index: Option<Reg>, lo: i64, hi: i64 },
    /// Sets a cell. Nothing if off. A value outside the domain is a fault of the file.
    Store { array: ArrayId, index: Option<Reg>, value: Reg },
    /// Adds to a cell, stopping at the ends of its domain. Nothing if off.
    Add { array: ArrayId, index: Option<Reg>, delta: Reg },
    /// Sets the board cell of every square of a set.
    StoreAll { set: SetReg, value: Reg },

    /// `dst :=` member `index` (default 0) of a family of constant sets; empty if out of range.
    SetConst { dst: SetReg, family: SetId, index: Option<Reg> },
    /// `dst :=` the squares whose board cell has its bit in `mask` set.
    SetWhere { dst: SetReg, mask: Reg },
    /// `dst :=` set number `index` of a set array; empty if off. The cell of square `s` in set
    /// number `k` is element `k * squares + s`.
    SetLoad { dst: SetReg, array: ArrayId, index: Option<Reg> },
    /// Sets a whole set of a set array. Nothing if off.
    SetStore { array: ArrayId, index: Option<Reg>, src: SetReg },
    /// Adds the squares of `src` to a set of a set array (`add`), or removes them.
    SetUpdate { array: ArrayId, index: Option<Reg>, src: SetReg, add: bool },
    /// `dst := src`.
    SetCopy { dst: SetReg, src: SetReg },
    /// `dst := a op b`.
    SetBinary { op: SetBinary, dst: SetReg, a: SetReg, b: SetReg },
    /// Adds a square to `set`; nothing if it is no square.
    SetInsert { set: SetReg, square: Reg },
    /// Takes a square out of `set`; nothing if it is no square.
    SetRemove { set: SetReg, square: Reg },
    /// `dst :=` the squares one step in direction `dir` from squares of `src`.
    Shift { dst: SetReg, src: SetReg, dir: Reg },
    /// `dst :=` the squares one step, in a direction of `list`, from squares of `src`.
    Neighbours { dst: SetReg, src: SetReg, list: Reg },
    /// `dst :=` the squares exactly `count` steps in direction `dir` from squares of `src`.
    Leap { dst: SetReg, src: SetReg, dir: Reg, count: u16 },
    /// `dst :=` the squares that one or more steps in direction `dir` lead to from a square of
    /// `from`, where every square on the way (neither the first nor the last) is in `through`.
    Slide { dst: SetReg, from: SetReg, through: SetReg, dir: Reg },
    /// `dst :=` the squares that one or more steps in one direction of `list` lead to from the
    /// square `from`, where every square on the way is in `through`; empty if `from` is no square.
    Rays { dst: SetReg, from: Reg, through: SetReg, list: Reg },
    /// `dst :=` the squares of `within` that can be reached from `from & within` by steps of
    /// `list` that stay in `within`.
    Flood { dst: SetReg, from: SetReg, within: SetReg, list: Reg },
    /// `dst :=` the `count` squares `from`, `from + dir`, ...; empty if it runs off the board.
    Line { dst: SetReg, from: Reg, dir: Reg, count: Reg },
    /// `dst :=` the first `count` of the squares `from`, `from + dir`, ..., as far as the board goes;
    /// empty if `from` is no square or `count` is 0 or less.
    Reach { dst: SetReg, from: Reg, dir: Reg, count: Reg },
    /// `dst :=` all squares on the line through `from` along `dir` and its opposite.
    Axis { dst: SetReg, from: Reg, dir: Reg },
    /// `dst :=` the squares strictly between `a` and `b` on the shortest straight line of compass
    /// steps (on a tie, the first direction in order); empty if there is none.
    Between { dst: SetReg, a: Reg, b: Reg },
    /// `dst := 1` if `square` is in `set`, else 0.
    Contains { dst: Reg, set: SetReg, square: Reg },
    /// `dst :=` how many squares `set` has.
    Count { dst: Reg, set: SetReg },
    /// `dst := 1` if `set` has a square, else 0.
    Any { dst: Reg, set: SetReg },
    /// `dst :=` the lowest square of `set` above `after` (-1: the lowest of all), or -1.
    NextMember { dst: Reg, set: SetReg, after: Reg },

    /// `dst :=` the empty path.
    PathEmpty { dst: PathReg },
    /// `dst := src`.
    PathCopy { dst: PathReg, src: PathReg },
    /// `dst := src` with `item` at its end. A path longer than it may be is a fault of the file.
    PathPush { dst: PathReg, src: PathReg, item: Reg, of: PathOf },
    /// `dst :=` the length of `path`.
    PathLen { dst: Reg, path: PathReg },
    /// `dst :=` the element of `path` at `index` (from 0), or -1.
    PathItem { dst: Reg, path: PathReg, index: Reg, of: PathOf },

    /// Runs another function with its own registers; `args` are copied to its parameters and its
    /// result, if wanted, to `result`. What it does to the state is done.
    Call { func: Func, args: Vec<Var>, result: Option<Var> },
    /// From here to the matching `TryEnd`, writes are hypothetical.
    TryBegin,
    /// Undoes every write since the matching `TryBegin`.
    TryEnd,
    /// Lists a move: a statement with its operands. `weight`, a real, in candidate lists.
    Emit { statement: StatementId, args: Vec<Var>, weight: Option<Reg> },
    /// Lists a move for each square of a set, lowest first: a statement with its operands, each
    /// as its [`Spread`] says. None of them is a path.
    EmitAll { statement: StatementId, set: SetReg, args: Vec<Spread> },
    /// Says what the game gives `me`.
    Outcome { kind: OutcomeKind, score: Option<Reg> },
    /// Gives feature `index` its value, a real.
    Feature { index: u16, value: Reg },
    /// Adds a piece to the written form of the move (in effects; ignored when playing).
    Say { piece: Say },
    /// No earlier position can come back (in effects).
    Irreversible,
    /// Makes a player the next to move (in effects); -1: nothing.
    Next { player: Reg },
    /// `dst :=` how many earlier positions of the history have the key of the present state.
    Repeats { dst: Reg },
    /// `dst := 1` if `player`, being to move in the present state, has a legal move, else 0.
    Reply { dst: Reg, player: Reg },
    /// `dst :=` the player that the search plays for (in candidates and evaluations).
    Side { dst: Reg },
    /// `dst :=` the distance from the root of the search.
    Depth { dst: Reg },
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the comment of an end tells its fields")]
pub enum End {
    /// Goes on at a block.
    Jump(Block),
    /// Goes on at `yes` if `cond` is not 0, else at `no`.
    Branch { cond: Reg, yes: Block, no: Block },
    /// Leaves the function; its result is in the function's result register.
    Return,
}
