//! The tree of a rules file, as written: names are not yet resolved.
//!
//! Every node keeps the span of its text. The parser builds it, the checker
//! reads it, and nothing else needs it.

#![allow(missing_docs, reason = "the comment of a variant tells its fields")]

use ludex_diagnostics::Span;

/// A name with the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text of the name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// `game "Title"`, `player "Name" for game` or `goal "Title" for game`.
    pub header: Option<Header>,
    /// Everything else, in the order of the text.
    pub items: Vec<Item>,
}

/// The first line of a file.
#[derive(Clone, Debug)]
pub struct Header {
    /// The title of the game or the goal, or the name of the player.
    pub title: String,
    /// For a player or a goal, the game it is for.
    pub for_game: Option<Name>,
    /// Whether it is a goal.
    pub is_goal: bool,
    /// Where it stands.
    pub span: Span,
}

/// A declaration with its place.
#[derive(Clone, Debug)]
pub struct Item {
    /// What is declared.
    pub kind: ItemKind,
    /// The whole declaration.
    pub span: Span,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `option n = 8 in 4..20`, `option castling = yes`, `option start = a in (a, b)`.
    Option { name: Name, default: Expr, range: Option<OptionRange> },
    /// `board ...`.
    Board(Board),
    /// `places left, right`.
    Places(Vec<Name>),
    /// `players White forward north, Black forward south`.
    Players(Vec<PlayerDecl>),
    /// `men pawn "P" "p", stone neutral "o"`.
    Men(Vec<ManDecl>),
    /// `cell name[index]...: type = default`.
    Cell { name: Name, indices: Vec<CellIndex>, ty: CellType, default: Option<Expr> },
    /// `counter clock to 100`.
    Counter { name: Name, limit: Expr },
    /// `history position` (true: whole position) or `history board` (false).
    History { whole: bool },
    /// `const name = expr`.
    Const { name: Name, value: Expr },
    /// `region name = expr`.
    Region { name: Name, value: Expr },
    /// `map name: pawn -> 1, queen -> 9`.
    Map { name: Name, entries: Vec<(Name, Expr)> },
    /// `start` with its block.
    Start(Vec<StartLine>),
    /// `function`, `procedure`, `action`.
    Routine(Routine),
    /// `moves`, `result`, `stuck`, `adjudicate`, `evaluate`, `features`, `candidates`.
    Algorithm { which: Algorithm, body: Vec<Stmt> },
    /// `illegal if EXPR`.
    Illegal(Expr),
    /// `score up to 361`.
    ScoreUpTo(Expr),
    /// `search alphabeta depth=6`.
    Search { name: Name, settings: Vec<(Name, Expr)> },
    /// `notation` with its block.
    Notation(Vec<NotationLine>),
    /// `expect` with its block.
    Expect(Vec<Fact>),
}

/// What values an option may take.
#[derive(Clone, Debug)]
pub enum OptionRange {
    /// `in 4..20`.
    Numbers(Expr, Expr),
    /// `in (empty, crosscut)`.
    Words(Vec<Name>),
}

/// A board.
#[derive(Clone, Debug)]
pub enum Board {
    /// `square W by H [wrap columns|rows|both] [on dark|light]`.
    Square { columns: Expr, rows: Expr, wrap: Wrap, on: Option<Name> },
    /// `hex W by H`.
    Hex { columns: Expr, rows: Expr },
    /// `graph` with points and lines.
    Graph { points: Vec<(Name, Option<(i64, i64)>)>, lines: Vec<Vec<Name>> },
}

/// Which edges of a square board are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wrap {
    /// None.
    #[default]
    None,
    /// The first and the last file.
    Columns,
    /// The first and the last rank.
    Rows,
    /// Both.
    Both,
}

/// A player.
#[derive(Clone, Debug)]
pub struct PlayerDecl {
    /// What the player is called.
    pub name: Name,
    /// The direction that is forward for this player.
    pub forward: Option<Name>,
}

/// A kind of man.
#[derive(Clone, Debug)]
pub struct ManDecl {
    /// What the kind is called.
    pub name: Name,
    /// Whether it belongs to no player.
    pub neutral: bool,
    /// Its symbols, one for each player (one for a neutral kind); empty: the default.
    pub symbols: Vec<(String, Span)>,
}

/// What a cell is indexed by.
#[derive(Clone, Debug)]
pub enum CellIndex {
    /// `[player]`.
    Player,
    /// `[kind]`.
    Kind,
    /// `[4]`: 0 to 3.
    Number(Expr),
}

/// The type of a cell.
#[derive(Clone, Debug)]
pub enum CellType {
    /// `bool`.
    Bool,
    /// `square`, or none.
    Square,
    /// `player`, or none.
    Player,
    /// `kind`, or none.
    Kind,
    /// `set`.
    Set,
    /// `lo..hi`.
    Range(Expr, Expr),
}

/// A line of the `start` block.
#[derive(Clone, Debug)]
pub struct StartLine {
    /// What it does.
    pub kind: StartKind,
    /// Where it stands.
    pub span: Span,
}

/// What a line of the `start` block does.
#[derive(Clone, Debug)]
pub enum StartKind {
    /// `White pawn on rank(2), e4`: a man on sets and squares.
    Place { man: Man, on: Vec<Expr> },
    /// `rows "..."`.
    Rows(String),
    /// `set cell[..] = expr`.
    Set { cell: Expr, value: Expr },
    /// `scatter red, green on all seed 7`.
    Scatter { men: Vec<Man>, on: Expr, seed: Expr },
    /// `turn Black`.
    Turn(Expr),
    /// `if expr` ... `else` ...
    If { cond: Expr, then: Vec<StartLine>, otherwise: Vec<StartLine> },
}

/// `function`, `procedure` or `action`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutineKind {
    /// Computes a value.
    Function,
    /// Lists moves.
    Procedure,
    /// Changes the position.
    Action,
}

/// A routine.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Which of the three.
    pub kind: RoutineKind,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<(Name, TypeName)>,
    /// What it returns (functions only).
    pub returns: Option<TypeName>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// The name of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// `int`, `bool`, `square`, `direction`, `kind`, `player`, `set`, `directions`, `real`, `path`.
    pub name: Name,
    /// `path(square)`: what a path is made of.
    pub of: Option<Name>,
}

/// The algorithms a file may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Algorithm {
    /// Lists the moves.
    Moves,
    /// Tells who has won.
    Result,
    /// What happens when there is no move.
    Stuck,
    /// Ends in play only.
    Adjudicate,
    /// A number for a position (for the mover).
    Evaluate,
    /// `evaluate for side`.
    EvaluateForSide,
    /// A vector of numbers.
    Features,
    /// A policy that orders.
    Candidates,
    /// A policy that prunes.
    CandidatesOnly,
}

impl Algorithm {
    /// Whether it says how to play, and is no rule.
    pub fn is_heuristic(self) -> bool {
        !matches!(self, Self::Moves | Self::Result | Self::Stuck | Self::Adjudicate)
    }
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands (for compound statements, the header).
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let x = e`.
    Let { name: Name, value: Expr },
    /// `x = e`, `x += e`, `x -= e`.
    Assign { name: Name, op: AssignOp, value: Expr },
    /// `if`, `elif` (nested in `otherwise`), `else`.
    If { cond: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    /// `for x in e`.
    For { var: Name, over: Expr, body: Vec<Stmt> },
    /// `for i in lo..hi`.
    ForRange { var: Name, lo: Expr, hi: Expr, body: Vec<Stmt> },
    /// `for b from a along d`.
    ForRay { var: Name, from: Expr, along: Expr, body: Vec<Stmt> },
    /// `while e`.
    While { cond: Expr, body: Vec<Stmt> },
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return e`.
    Return(Option<Expr>),
    /// `try ACTIONS` and the block in which they hold.
    Try { actions: Vec<Stmt>, body: Vec<Stmt> },
    /// `move ACTIONS [weight e]` and a block of further statements and actions.
    /// `actions` are the comma-separated ones, `body` the block.
    Move { quiet: bool, actions: Vec<Stmt>, body: Vec<Stmt>, weight: Option<Expr> },
    /// A partial move.
    Act(Action),
    /// `victory`, `loss`, `draw`, `score e`.
    Outcome(Outcome),
    /// `feature name = e`.
    Feature { name: Name, value: Expr },
    /// `f(x)`: a call of a procedure or an action.
    Call(Expr),
}

/// How an assignment combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`.
    Set,
    /// `+=`.
    Add,
    /// `-=`.
    Sub,
}

/// A partial move.
#[derive(Clone, Debug)]
pub enum Action {
    /// `a to b`.
    Go { from: Expr, to: Expr },
    /// `take s`.
    Take(Expr),
    /// `put MAN on s`.
    Put { man: Man, on: Expr },
    /// `s becomes MAN`.
    Become { at: Expr, man: Man },
    /// `set cell = e`, `+=`, `-=`.
    Set { cell: Expr, op: AssignOp, value: Expr },
    /// `reset clock`.
    Reset(Name),
    /// `irreversible`.
    Irreversible,
    /// `next p`.
    Next(Expr),
    /// `pass`.
    Pass,
    /// `write a, "x"`.
    Write(Vec<Expr>),
}

/// A man that is put somewhere: an owner, if named, and a kind.
#[derive(Clone, Debug)]
pub struct Man {
    /// `my`, `their`, a player; none: neutral, or the present owner for `becomes`.
    pub owner: Option<Owner>,
    /// The kind, an expression (usually a name).
    pub kind: Expr,
    /// Where it stands.
    pub span: Span,
}

/// Whose man.
#[derive(Clone, Debug)]
pub enum Owner {
    /// `my`.
    My,
    /// `their`.
    Their,
    /// A player by name or variable.
    Player(Box<Expr>),
}

/// What the game gives `me`.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// `victory`.
    Victory,
    /// `loss`.
    Loss,
    /// `draw`.
    Draw,
    /// `score e`.
    Score(Expr),
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// An expression with its place.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Self { kind, span }
    }

    /// What stands for an expression that could not be read.
    pub fn broken(span: Span) -> Self {
        Self::new(ExprKind::Broken, span)
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `12`.
    Int(i64),
    /// `0.5`.
    Real(f64),
    /// `"text"` (only in `write` and notation).
    Text(String),
    /// A name: variable, constant, square, player, kind, direction, pattern word (`mine`, `empty`), `me`, `none`, `yes` ...
    Name(String),
    /// `(1,2)`: a step.
    Step(Box<Expr>, Box<Expr>),
    /// `[x, y]`.
    List(Vec<Expr>),
    /// `{a1, b2}`.
    Set(Vec<Expr>),
    /// `lo..hi` is only allowed in `for` and is not an expression; see `ForRange`.
    /// A pattern used as a set: `my pawn`, `their (rook, queen)`, `White pawn`, `(rook, queen)` after `is`.
    Pattern(Pattern),
    /// `-x`, `~x`, `not x`, `any x`, `no x`.
    Unary(UnaryOp, Box<Expr>),
    /// `x + y` and the like.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a is PATTERN`, `a is not PATTERN`.
    Is { square: Box<Expr>, pattern: Pattern, negated: bool },
    /// `x.name`.
    Member(Box<Expr>, Name),
    /// `f(x, y)`, with `as p`.
    Call { name: Name, args: Vec<Expr>, as_player: Option<Box<Expr>> },
    /// `x[i]`, `x[i][j]` (nested).
    Index(Box<Expr>, Box<Expr>),
    /// `they could take KIND` (true: they, false: we).
    CouldTake { they: bool, kind: Name },
    /// `no reply`.
    NoReply,
    /// Something that could not be read; an error has been reported.
    Broken,
}

/// What may stand on a square.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Whose; none: any player's.
    pub owner: Option<Owner>,
    /// The kinds, names or variables. For the words `empty`, `mine`, `theirs`, `occupied`, `neutral`
    /// the single name is that word and there is no owner.
    pub kinds: Vec<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// Operators with one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x`.
    Neg,
    /// `~s`.
    Complement,
    /// `not x`.
    Not,
    /// `any s`.
    Any,
    /// `no s`.
    No,
}

/// Operators with two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `or`.
    Or,
    /// `and`.
    And,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
    /// `|`.
    Union,
    /// `&`.
    Intersection,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
}

/// A line of the `notation` block.
#[derive(Clone, Debug)]
pub enum NotationLine {
    /// `position FIELD, FIELD, ...`.
    Position(Vec<PositionField>, Span),
    /// A further notation: `san`, `uci`.
    Word(Name),
}

/// A field of a position text.
#[derive(Clone, Debug)]
pub enum PositionField {
    /// `board`.
    Board(Span),
    /// `turn`.
    Turn(Span),
    /// `flags (K short[White], ...)`.
    Flags(Vec<(String, Expr)>, Span),
    /// A cell: `ep`, `clock`.
    Cell(Expr),
    /// A fixed text, ignored when read.
    Text(String, Span),
}

/// A promised fact.
#[derive(Clone, Debug)]
pub struct Fact {
    /// What is promised.
    pub kind: FactKind,
    /// Options under which it holds: `with "6,6"`.
    pub with: Option<String>,
    /// A position from which it holds: `from "..."`.
    pub from: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// What is promised.
#[derive(Clone, Debug)]
pub enum FactKind {
    /// Counts for depth 1, 2, ...
    Perft(Vec<u64>),
    /// `after "moves": outcome`; the outcome is `goes on`, `draw` or `NAME wins`.
    After { moves: String, outcome: Option<Name>, draw: bool },
    /// `solved win|loss|draw`.
    Solved(Name),
}
