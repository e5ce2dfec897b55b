//! From the tree to a program: names are resolved, types checked, and every
//! algorithm becomes a control-flow graph.
//!
//! ```text
//! options -> declarations (board, players, men, cells) -> constants on demand
//!         -> algorithms and routines -> Program
//! ```
//!
//! `Compiler` holds what has been declared; `build::Builder` holds the one
//! function being written. A mistake is reported and compiling goes on with
//! something harmless, so that several mistakes are reported at once.

mod board;
mod board_declarations;
mod build;
mod calls;
mod cells;
mod checks;
mod conds;
mod declare;
mod exprs;
mod fold;
mod goal;
mod loops;
mod men;
mod moves;
mod names;
mod options;
mod patterns;
mod present;
mod start;
mod stmts;
mod takes;
mod types;
mod warnings;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ludex_diagnostics::{Diagnostic, Severity, Span};
use ludex_ir::{
    Array, Func, Function, History, Inst, Man, PositionField, Program, RoleFunctions, SetFamily,
    Statement, Table, VerifiedProgram,
};

use crate::ast::{self, Algorithm, Expr, Fact, File, ItemKind, Routine};

pub use options::{OptionInfo, OptionKind};

use board::BoardInfo;
use build::Mode;
use types::{Const, Type};

/// Mistakes beyond this number are not reported.
const MAX_DIAGNOSTICS: usize = 100;

/// What came of a file.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program, if there were no errors.
    pub program: Option<VerifiedProgram>,
    /// Everything that is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of each place in the program: place `n` is `spans[n - 1]`.
    pub spans: Vec<Span>,
    /// What the file promises.
    pub facts: Vec<Fact>,
    /// The options it has.
    pub options: Vec<OptionInfo>,
    /// Its title.
    pub title: String,
    /// For a player file, what it says about the search to use.
    pub search: Option<Search>,
    /// For a player file, the places that are in the text of the rules it is for.
    pub rules_places: BTreeSet<u32>,
}

/// The search that a player file asks for. Which searches there are is not known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Its name.
    pub name: ast::Name,
    /// What else is said about it.
    pub settings: Vec<Setting>,
}

/// A setting of a search: `depth=4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What is set.
    pub name: String,
    /// To what, as text.
    pub value: String,
    /// Where that stands.
    pub span: Span,
}

impl Compiled {
    /// Whether anything is wrong that prevents using the file.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity == Severity::Error)
    }
}

/// Compiles a rules file with options as typed after the colon of a game's
/// name (`8,castling=no`; empty for none).
pub fn compile(source: &str, options: &str) -> Compiled {
    let (file, diagnostics) = crate::parse::parse(source);
    compile_file(&file, None, options, diagnostics)
}

/// Compiles a player file together with the rules it is for. Diagnostics are
/// those of the player file; the rules must be free of errors.
///
/// The program is that of the rules and more: what the rules alone become comes first, unchanged,
/// so that states and moves mean the same in both.
pub fn compile_player(rules: &str, options: &str, player: &str) -> Compiled {
    let (rules, _) = crate::parse::parse(rules);
    let (player, diagnostics) = crate::parse::parse(player);
    compile_file(&rules, Some(&player), options, diagnostics)
}

/// Compiles a goal together with the rules it is for: the same game, but it is won by reaching the
/// goal, and its own ends are draws. Diagnostics are those of the goal; the rules must be free of
/// errors. States and moves mean the same as in the game.
pub fn compile_goal(rules: &str, options: &str, goal: &str) -> Compiled {
    compile_player(rules, options, goal)
}

fn compile_file(
    rules: &File,
    player: Option<&File>,
    options: &str,
    diagnostics: Vec<Diagnostic>,
) -> Compiled {
    // What could not be read is missing from the tree: whatever else would be said about the rest is
    // likely to be a consequence. The options are known all the same.
    let parse_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
    let mut compiler = Compiler::new(diagnostics);
    compiler.deaf = parse_errors;
    compiler.declare_all(rules, player, options);
    let program = if parse_errors || compiler.players.is_empty() {
        None
    } else {
        compiler.lower_all(rules, player)
    };
    let header = player.unwrap_or(rules).header.as_ref();
    let mut compiled = Compiled {
        program,
        spans: compiler.spans,
        facts: facts(rules),
        options: compiler.option_infos,
        title: header.map(|it| it.title.clone()).unwrap_or_default(),
        search: compiler.search,
        rules_places: compiler.rules_places,
        diagnostics: compiler.diagnostics,
    };
    if compiled.has_errors() {
        compiled.program = None;
    }
    compiled.diagnostics.sort_by_key(|it| (it.span, it.severity));
    compiled.diagnostics.dedup();
    compiled
}

/// Whether a file says what is to be reached, and not how to play.
fn is_goal(file: &File) -> bool {
    file.header.as_ref().is_some_and(|it| it.is_goal)
}

fn facts(file: &File) -> Vec<Fact> {
    let lines = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Expect(facts) => Some(facts.clone()),
        _ => None,
    });
    lines.flatten().collect()
}

/// A cell array as the source knows it.
#[derive(Clone, Debug)]
struct CellInfo {
    /// Its number in the program.
    array: u16,
    /// The type of one element.
    ty: Type,
    /// Where it was declared.
    span: Span,
}

/// A `map`.
#[derive(Clone, Debug)]
struct MapInfo {
    /// The value for each kind.
    values: Vec<i64>,
    /// Whether the values are kinds.
    to_kind: bool,
}

/// Everything that has been declared, and what has been made of it.
struct Compiler {
    diagnostics: Vec<Diagnostic>,
    spans: Vec<Span>,
    /// The numbers of places, by whether they are in the rules that a player file is for.
    span_ids: HashMap<(bool, Span), u32>,
    rules_places: BTreeSet<u32>,
    option_infos: Vec<OptionInfo>,
    options: BTreeMap<String, Const>,
    board: BoardInfo,
    players: Vec<String>,
    forwards: Vec<Option<(i64, i64)>>,
    kinds: Vec<String>,
    kind_symbols: Vec<String>,
    neutral: Vec<bool>,
    men: Vec<Man>,
    arrays: Vec<Array>,
    cells: BTreeMap<String, CellInfo>,
    counters: BTreeSet<String>,
    constants: BTreeMap<String, Expr>,
    folding: Vec<String>,
    /// What constants were found to be, for `me` unknown or a player; forgotten when more is declared.
    folded: HashMap<(String, Option<u8>), Option<Const>>,
    maps: BTreeMap<String, MapInfo>,
    routines: BTreeMap<String, Routine>,
    functions: Vec<Option<Function>>,
    lowered: HashMap<(String, Mode), Func>,
    pending: Vec<calls::Pending>,
    too_many_routines: bool,
    fold_depth: usize,
    /// Routines of the rules while a player file is compiled: their places are not its places.
    of_rules: BTreeSet<String>,
    /// Everything that the rules declare while a player file is compiled.
    game_names: BTreeSet<String>,
    tables: Vec<Table>,
    families: Vec<SetFamily>,
    statements: Vec<Statement>,
    pass: Option<u16>,
    history: History,
    features: Vec<String>,
    score_up_to: Option<i64>,
    search: Option<Search>,
    position: Option<Vec<PositionField>>,
    notations: Vec<String>,
    moves_body: Vec<ast::Stmt>,
    takes: HashMap<u8, Func>,
    /// Names whose declaration was refused: their uses are not to blame.
    failed: BTreeSet<String>,
    /// Whether the board was refused, so that names of squares are not to blame either.
    board_failed: bool,
    /// Whether nothing is to be reported.
    deaf: bool,
    /// Every name declared, with its place, for "never used".
    declared: Vec<(String, Span, &'static str)>,
    /// Whether mistakes in what is being compiled are reported elsewhere.
    quiet: bool,
    /// Whether what is being compiled comes from the rules that a player file is for.
    foreign: bool,
}

impl Compiler {
    fn new(diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            diagnostics,
            spans: Vec::new(),
            span_ids: HashMap::new(),
            rules_places: BTreeSet::new(),
            option_infos: Vec::new(),
            options: BTreeMap::new(),
            board: BoardInfo::none(),
            players: Vec::new(),
            forwards: Vec::new(),
            kinds: Vec::new(),
            kind_symbols: Vec::new(),
            neutral: Vec::new(),
            men: Vec::new(),
            arrays: Vec::new(),
            cells: BTreeMap::new(),
            counters: BTreeSet::new(),
            constants: BTreeMap::new(),
            folding: Vec::new(),
            folded: HashMap::new(),
            maps: BTreeMap::new(),
            routines: BTreeMap::new(),
            functions: Vec::new(),
            lowered: HashMap::new(),
            pending: Vec::new(),
            too_many_routines: false,
            fold_depth: 0,
            of_rules: BTreeSet::new(),
            game_names: BTreeSet::new(),
            tables: Vec::new(),
            families: Vec::new(),
            statements: Vec::new(),
            pass: None,
            history: History::None,
            features: Vec::new(),
            score_up_to: None,
            search: None,
            position: None,
            notations: Vec::new(),
            moves_body: Vec::new(),
            takes: HashMap::new(),
            failed: BTreeSet::new(),
            board_failed: false,
            deaf: false,
            declared: Vec::new(),
            quiet: false,
            foreign: false,
        }
    }

    /// Reports something wrong.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.reports() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether a report would be kept. What looks for the nearest name asks first: it is slow.
    fn reports(&self) -> bool {
        !self.quiet && !self.foreign && !self.deaf && self.diagnostics.len() < MAX_DIAGNOSTICS
    }

    /// Whether an error was reported.
    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity == Severity::Error)
    }

    /// The number that stands for a place of the source.
    fn place(&mut self, span: Span) -> u32 {
        if self.quiet {
            return 0;
        }
        let next = self.spans.len() as u32 + 1;
        let id = *self.span_ids.entry((self.foreign, span)).or_insert(next);
        if id == next {
            self.spans.push(span);
            if self.foreign {
                self.rules_places.insert(id);
            }
        }
        id
    }

    /// A constant table, shared with equal ones.
    fn table(&mut self, name: &str, columns: usize, data: Vec<i64>) -> ludex_ir::TableId {
        let same = |it: &Table| it.columns == columns && it.data == data;
        let index = self.tables.iter().position(same).unwrap_or_else(|| {
            let rows = data.len().checked_div(columns).unwrap_or(0);
            self.tables.push(Table { name: name.to_owned(), rows, columns, data });
            self.tables.len() - 1
        });
        ludex_ir::TableId(index as u16)
    }

    /// A family of constant sets, shared with equal ones.
    fn family(&mut self, name: &str, sets: Vec<ludex_ir::Bits>) -> ludex_ir::SetId {
        let index = self.families.iter().position(|it| it.sets == sets).unwrap_or_else(|| {
            self.families.push(SetFamily { name: name.to_owned(), sets });
            self.families.len() - 1
        });
        ludex_ir::SetId(index as u16)
    }

    /// Reserves a number for a function that is being written.
    fn reserve(&mut self) -> Func {
        self.functions.push(None);
        Func(self.functions.len() as u16 - 1)
    }

    /// Lowers everything and puts the program together.
    fn lower_all(&mut self, rules: &File, player: Option<&File>) -> Option<VerifiedProgram> {
        let mut roles = RoleFunctions::default();
        self.foreign = player.is_some();
        self.check_constants(rules);
        self.lower_roles(rules, &mut roles);
        self.lower_pending();
        let start = self.start_cells(rules);
        if let Some(player) = player {
            self.foreign = false;
            self.check_constants(player);
            if is_goal(player) {
                self.ends_become_draws(&mut roles);
            }
            self.lower_roles(player, &mut roles);
            self.lower_pending();
        }
        self.check_unused(player.unwrap_or(rules));
        if player.is_none() && !self.has_errors() {
            self.warn(rules);
        }
        let functions: Option<Vec<Function>> = self.functions.drain(..).collect();
        let look = self.look();
        let program = Program {
            title: rules.header.as_ref().map(|it| it.title.clone()).unwrap_or_default(),
            players: self.players.clone(),
            squares: self.board.squares(),
            kinds: self.kinds.clone(),
            men: self.men.clone(),
            arrays: self.arrays.clone(),
            tables: std::mem::take(&mut self.tables),
            families: std::mem::take(&mut self.families),
            geometry: self.board.geometry.clone(),
            functions: functions?,
            statements: std::mem::take(&mut self.statements),
            roles,
            start,
            history: self.history,
            features: self.features.clone(),
            score_up_to: self.score_up_to,
            look,
        };
        self.check_program(program)
    }

    /// Real numbers are for heuristics. The rules must give the same answer on every machine.
    fn check_reals(&mut self, program: &Program) {
        let reach = ludex_ir::reach::Reach::of(program, program.roles.rules());
        let mut places = BTreeSet::new();
        for &func in &reach.functions {
            for (inst, place) in program.function(func).blocks.iter().flat_map(|it| &it.insts) {
                let real = match inst {
                    Inst::Unary { op, .. } => op.is_real(),
                    Inst::Binary { op, .. } => op.is_real(),
                    _ => false,
                };
                if real {
                    places.insert(*place);
                }
            }
        }
        for place in places {
            let span =
                self.spans.get((place as usize).wrapping_sub(1)).copied().unwrap_or_default();
            self.report(
                Diagnostic::error("real-in-rules", span, "the rules use whole numbers only")
                    .label("a real number is computed or compared here")
                    .help("multiply by ten or a hundred and round; reals are for evaluations"),
            );
        }
    }

    /// What the checker let pass and the verifier does not, such as a routine that asks for
    /// `side` and is used in `moves`.
    fn check_program(&mut self, program: Program) -> Option<VerifiedProgram> {
        if self.has_errors() {
            return None;
        }
        self.check_reals(&program);
        let errors = match ludex_ir::verify(program) {
            Ok(program) => return Some(program),
            Err(errors) => errors,
        };
        for error in errors.into_iter().take(3) {
            let named = self.declared.iter().find(|(name, ..)| *name == error.name);
            let span = named.map(|(_, span, _)| *span).unwrap_or_default();
            let message = format!("`{}` cannot be used as it is: {}", error.name, error.message);
            self.report(
                Diagnostic::error("not-allowed", span, message)
                    .label("something in it has no meaning where it is used")
                    .help("`side` and `depth` are for `evaluate`, `features` and `candidates`"),
            );
        }
        None
    }

    fn lower_roles(&mut self, file: &File, roles: &mut RoleFunctions) {
        let mut illegal = Vec::new();
        for item in &file.items {
            match &item.kind {
                ItemKind::Algorithm { which, body } => {
                    let func = self.algorithm(*which, body, item.span);
                    match which {
                        Algorithm::Moves => roles.moves = func,
                        Algorithm::Result => roles.result = Some(func),
                        Algorithm::Stuck => roles.stuck = Some(func),
                        Algorithm::Adjudicate => roles.adjudicate = Some(func),
                        Algorithm::Evaluate | Algorithm::EvaluateForSide => {
                            roles.evaluate = Some(func);
                            roles.evaluate_for_side = *which == Algorithm::EvaluateForSide;
                        }
                        Algorithm::Features => roles.features = Some(func),
                        Algorithm::Candidates | Algorithm::CandidatesOnly => {
                            roles.candidates = Some(func);
                            roles.candidates_only = *which == Algorithm::CandidatesOnly;
                        }
                    }
                }
                ItemKind::Illegal(cond) => illegal.push(cond),
                _ => {}
            }
        }
        if !illegal.is_empty() {
            roles.illegal = Some(self.illegal(&illegal));
            roles.royal = match illegal[..] {
                [Expr { kind: ast::ExprKind::CouldTake { they: true, kind }, .. }] => {
                    self.kind_number(&kind.text)
                }
                _ => None,
            };
        }
    }
}
