//! A whole game: cells, geometry, algorithms, and how it is written and drawn.

use crate::bits::Bits;
use crate::inst::{Block, End, Func, Inst, PathOf, Var};

/// The most squares a board may have, places included.
pub const MAX_SQUARES: usize = 1600;
/// The most cells a state may have.
pub const MAX_CELLS: usize = 16_384;
/// The most values a cell may have.
pub const MAX_DOMAIN: i64 = 1 << 16;
/// The most men codes (owner and kind); with empty they must fit a positive 64-bit mask.
pub const MAX_MEN: usize = 62;
/// The most move statements.
pub const MAX_STATEMENTS: usize = 255;
/// The most players.
pub const MAX_PLAYERS: usize = 16;

/// A game, ready to be run, explained or compiled.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct Program {
    /// The title of the game.
    pub title: String,
    /// The players' names, in order of play.
    pub players: Vec<String>,
    /// How many squares there are, places included.
    pub squares: usize,
    /// The kinds of men.
    pub kinds: Vec<String>,
    /// What may stand on a square besides nothing: code `c` is `men[c - 1]`.
    pub men: Vec<Man>,
    /// The cells, in arrays. [`BOARD`](crate::inst::BOARD) and [`TURN`](crate::inst::TURN) come first.
    pub arrays: Vec<Array>,
    /// Constant tables.
    pub tables: Vec<Table>,
    /// Families of constant sets.
    pub families: Vec<SetFamily>,
    /// Steps and lists of directions.
    pub geometry: Geometry,
    /// All functions.
    pub functions: Vec<Function>,
    /// Move statements.
    pub statements: Vec<Statement>,
    /// Which functions are the algorithms.
    pub roles: RoleFunctions,
    /// The value of each cell at the start, array after array.
    pub start: Vec<i64>,
    /// What the rules ask about the past.
    pub history: History,
    /// The names of the features.
    pub features: Vec<String>,
    /// For one-player games, the score that counts as 1.
    pub score_up_to: Option<i64>,
    /// How it is written and drawn.
    pub look: Look,
}

/// What may stand on a square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// The owner's number, or none for a neutral man.
    pub owner: Option<u8>,
    /// The number of its kind.
    pub kind: u8,
    /// How it is written in positions and drawings.
    pub symbol: String,
}

/// What an array of cells is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayRole {
    /// What stands on each square.
    Board,
    /// The player to move.
    Turn,
    /// A whole number or truth value.
    Number,
    /// Truth value.
    Bool,
    /// A square, or -1.
    Square,
    /// A player, or -1.
    Player,
    /// A kind, or -1.
    Kind,
    /// Sets of squares: `squares` cells for each.
    Set,
    /// A counter: grows by one each turn (after the move), up to `hi`, unless the move set it.
    Counter,
}

/// What an index of an array ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexKind {
    /// The players.
    Player,
    /// The kinds.
    Kind,
    /// Numbers from 0.
    Number(u32),
}

/// An array of cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: ArrayRole,
    /// What it is indexed by (empty for a single cell, for the board and for sets without index).
    pub indices: Vec<IndexKind>,
    /// The number of its first cell in the state.
    pub base: usize,
    /// How many cells it has.
    pub len: usize,
    /// The smallest value of a cell.
    pub lo: i64,
    /// The largest value of a cell.
    pub hi: i64,
    /// The value that positions leave unwritten.
    pub default: i64,
}

/// A constant table of one or two dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// Its name, for readers.
    pub name: String,
    /// Rows.
    pub rows: usize,
    /// Columns; 1 for a table of one dimension.
    pub columns: usize,
    /// The entries, row after row.
    pub data: Vec<i64>,
}

/// Constant sets under one name, for instance one for each player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SetFamily {
    /// Its name, for readers.
    pub name: String,
    /// The sets.
    pub sets: Vec<Bits>,
}

/// Steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Geometry {
    /// All directions of the program.
    pub directions: Vec<Direction>,
    /// Lists of directions, by number.
    pub lists: Vec<Vec<u16>>,
}

/// One direction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Direction {
    /// Its name.
    pub name: String,
    /// Whether it is one of the board's named single steps (a line may run along it).
    pub compass: bool,
    /// The direction that undoes it.
    pub opposite: u16,
    /// For each square the square one step away, or -1.
    pub steps: Vec<i16>,
}

/// A control-flow graph. Block 0 is where it begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where the arguments go. The first parameter is always the player `me`.
    pub params: Vec<Var>,
    /// The register that holds the result on return.
    pub result: Option<Var>,
    /// How many number registers it has.
    pub ints: u16,
    /// How many set registers it has.
    pub sets: u16,
    /// How many path registers it has.
    pub paths: u16,
    /// Its blocks.
    pub blocks: Vec<BlockData>,
    /// Names of number registers that stand for variables of the source, for readers.
    pub names: Vec<(Var, String)>,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlockData {
    /// Its instructions, each with its place in the source (0: none).
    pub insts: Vec<(Inst, u32)>,
    /// How it ends, with its place.
    pub end: (End, u32),
}

/// A kind of choice that a move remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// A truth value.
    Bool,
    /// A square or none.
    Square,
    /// A direction or none.
    Direction,
    /// A list of directions.
    Directions,
    /// A kind or none.
    Kind,
    /// A player or none.
    Player,
    /// A whole number of 16 bits.
    Number,
    /// A path of squares.
    PathOfSquares,
    /// A path of directions.
    PathOfDirections,
}

impl From<PathOf> for OperandKind {
    fn from(of: PathOf) -> Self {
        match of {
            PathOf::Squares => Self::PathOfSquares,
            PathOf::Directions => Self::PathOfDirections,
        }
    }
}

impl OperandKind {
    /// Whether it is a path.
    pub const fn is_path(self) -> bool {
        matches!(self, Self::PathOfSquares | Self::PathOfDirections)
    }
}

/// A choice that a move remembers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The variable it comes from.
    pub name: String,
    /// What it is.
    pub kind: OperandKind,
}

/// A move statement: what a move of it remembers and does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// What a move remembers; at most one path, which is last.
    pub operands: Vec<Operand>,
    /// The function that carries it out: `me`, then the operands.
    pub effect: Func,
    /// Whether it promises to take nothing.
    pub quiet: bool,
    /// Whether different operands may have the same effect, so that twins must be removed.
    pub twins: bool,
    /// Where it stands in the source.
    pub place: u32,
}

/// Which functions are the algorithms. All take `me`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RoleFunctions {
    /// Lists the moves of the player to move (before `illegal`).
    pub moves: Func,
    /// Run for each player.
    pub result: Option<Func>,
    /// Run for the player to move when there is no legal move; without it that player loses.
    pub stuck: Option<Func>,
    /// Run for each player, in play only.
    pub adjudicate: Option<Func>,
    /// Gives 1 in the position after a move (turn already passed on) if it was illegal; `me` is
    /// the player who moved.
    pub illegal: Option<Func>,
    /// The kind whose possible capture is all that `illegal` forbids, if that is so.
    pub royal: Option<u8>,
    /// Gives a real for a position.
    pub evaluate: Option<Func>,
    /// Whether `evaluate` is for the side that the search plays for, not the mover.
    pub evaluate_for_side: bool,
    /// Gives the features.
    pub features: Option<Func>,
    /// Lists moves worth looking at.
    pub candidates: Option<Func>,
    /// Whether nothing else is to be looked at.
    pub candidates_only: bool,
}

impl RoleFunctions {
    /// The functions of a program that only lists moves.
    pub fn of(moves: Func) -> Self {
        Self { moves, ..Self::default() }
    }

    /// All functions that are algorithms, in one order.
    pub fn each(&self) -> impl Iterator<Item = Func> {
        self.rules().chain([self.evaluate, self.features, self.candidates].into_iter().flatten())
    }

    /// The same, to change.
    pub fn each_mut(&mut self) -> impl Iterator<Item = &mut Func> {
        let others = [
            &mut self.result,
            &mut self.stuck,
            &mut self.adjudicate,
            &mut self.illegal,
            &mut self.evaluate,
            &mut self.features,
            &mut self.candidates,
        ];
        std::iter::once(&mut self.moves).chain(others.into_iter().flatten())
    }
}

/// What the rules ask about the past.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum History {
    /// Nothing.
    #[default]
    None,
    /// Whether the squares were the same, with any player to move.
    Board,
    /// Whether everything but the counters was the same.
    Position,
}

/// How the grid of a drawing is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GridKind {
    /// No board.
    #[default]
    None,
    /// Squares.
    Square,
    /// Hexagons: each row stands half a cell to the right of the one below it.
    Hex,
    /// Points and lines.
    Graph,
}

/// A field of a position text after the game's own layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PositionField {
    /// The rows of the board.
    Board,
    /// The player to move.
    Turn,
    /// Letters for the truth cells that are set, `-` for none: letter and cell number.
    Flags(Vec<(String, usize)>),
    /// One cell, by its number.
    Cell(usize),
    /// A fixed text, ignored when read.
    Text(String),
}

/// How a game is written and drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Look {
    /// The names of the squares.
    pub squares: Vec<String>,
    /// The layout of the grid.
    pub grid: GridKind,
    /// Columns of the grid.
    pub columns: usize,
    /// Rows of the grid.
    pub rows: usize,
    /// The square at each grid position, row after row from the BOTTOM; -1 where there is none.
    pub at: Vec<i16>,
    /// Edges to draw on graph boards, as pairs of squares.
    pub edges: Vec<(u16, u16)>,
    /// Symbols of the kinds (capital form).
    pub kinds: Vec<String>,
    /// Letters or names for the player to move.
    pub players: Vec<String>,
    /// The layout of a position text; `None` for the usual one (board, turn, `name=value`).
    pub position: Option<Vec<PositionField>>,
    /// Further notations declared: `san`, `uci`.
    pub notations: Vec<String>,
}

impl Program {
    /// How many cells a state has.
    pub fn cells(&self) -> usize {
        self.arrays.last().map_or(0, |array| array.base + array.len)
    }

    /// The array that a cell belongs to, and its place in it.
    pub fn cell(&self, cell: usize) -> (&Array, usize) {
        let index = self.arrays.partition_point(|array| array.base + array.len <= cell);
        let array = &self.arrays[index];
        (array, cell - array.base)
    }

    /// A function by number.
    pub fn function(&self, func: Func) -> &Function {
        &self.functions[func.0 as usize]
    }

    /// The code of a man, if there is such a man.
    pub fn man_code(&self, owner: Option<u8>, kind: u8) -> Option<i64> {
        let index = self.men.iter().position(|man| man.owner == owner && man.kind == kind)?;
        Some(index as i64 + 1)
    }

    /// What a cell is called: `e4`, `turn`, `hand.White.pawn`, `used.2.e4`.
    pub fn cell_name(&self, cell: usize) -> String {
        let (array, index) = self.cell(cell);
        if array.role == ArrayRole::Board {
            return self.look.squares[index].clone();
        }
        let mut name = array.name.clone();
        let mut rest = index;
        let (square, mut len) = if array.role == ArrayRole::Set {
            let square = rest % self.squares;
            rest /= self.squares;
            (Some(square), array.len / self.squares)
        } else {
            (None, array.len)
        };
        for kind in &array.indices {
            len /= self.index_len(*kind);
            let value = rest / len.max(1);
            rest %= len.max(1);
            name.push('.');
            match kind {
                IndexKind::Player => name.push_str(&self.players[value]),
                IndexKind::Kind => name.push_str(&self.kinds[value]),
                IndexKind::Number(_) => name.push_str(&value.to_string()),
            }
        }
        if let Some(square) = square {
            name.push('.');
            name.push_str(&self.look.squares[square]);
        }
        name
    }

    /// How many values an index has.
    pub fn index_len(&self, kind: IndexKind) -> usize {
        match kind {
            IndexKind::Player => self.players.len(),
            IndexKind::Kind => self.kinds.len(),
            IndexKind::Number(n) => n as usize,
        }
    }
}

impl Function {
    /// The data of a block.
    pub fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block.0 as usize]
    }
}
