//! Declarations: in which order they are read, and those of constants, cells and maps.

use std::collections::BTreeSet;

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::program::MAX_CELLS;
use ludex_ir::{Array, ArrayRole, History, IndexKind};

use crate::ast::{
    Algorithm, CellIndex, CellType, Expr, ExprKind, File, Item, ItemKind, Name, RoutineKind,
};

use super::board::COMPASS;
use super::names::{FUNCTION_WORDS, VALUE_WORDS, nearest};
use super::types::{Const, Type};
use super::{CellInfo, Compiler, MapInfo, Search, Setting};

/// The most constants and regions a file may have.
const MAX_CONSTANTS: usize = 1000;

/// The most routines a file may have; what walks through calls is as deep as they are many.
const MAX_ROUTINES: usize = 1000;

impl Compiler {
    /// Reads every declaration of the rules and of a player file.
    pub(crate) fn declare_all(&mut self, rules: &File, player: Option<&File>, options: &str) {
        self.foreign = player.is_some();
        self.declare_options(rules, options);
        self.declare_file(rules);
        if let Some(player) = player {
            self.foreign = false;
            self.game_names = self.declared_names();
            self.check_beside(player);
            self.check_once(player);
            self.declare_file(player);
        } else {
            self.require_parts(rules);
            self.check_once(rules);
        }
        self.folded.clear();
    }

    fn declare_file(&mut self, file: &File) {
        for item in &file.items {
            self.folded.clear();
            match &item.kind {
                ItemKind::Board(board) => self.declare_board(board, item.span),
                ItemKind::Const { name, value } => self.declare_constant(name, value, "constant"),
                ItemKind::Region { name, value } => self.declare_constant(name, value, "region"),
                ItemKind::Routine(routine) => {
                    if self.check_fresh(&routine.name) && self.check_not_function(&routine.name) {
                        let word = match routine.kind {
                            RoutineKind::Function => "function",
                            RoutineKind::Procedure => "procedure",
                            RoutineKind::Action => "action",
                        };
                        self.declared.push((routine.name.text.clone(), routine.name.span, word));
                        if self.foreign {
                            self.of_rules.insert(routine.name.text.clone());
                        }
                        if self.routines.len() >= MAX_ROUTINES {
                            if std::mem::replace(&mut self.too_many_routines, true) {
                                continue;
                            }
                            self.bad_range(
                                routine.name.span,
                                format!("a file has at most {MAX_ROUTINES} routines"),
                                "one too many",
                                "give several of them a parameter and make them one",
                            );
                            continue;
                        }
                        self.routines.insert(routine.name.text.clone(), routine.clone());
                    }
                }
                ItemKind::Algorithm { which: Algorithm::Moves, body } => {
                    self.moves_body.clone_from(body);
                }
                _ => {}
            }
        }
        for item in &file.items {
            self.folded.clear();
            match &item.kind {
                ItemKind::Places(names) => self.declare_places(names),
                ItemKind::Players(players) => self.declare_players(players),
                _ => {}
            }
        }
        for item in &file.items {
            self.folded.clear();
            if let ItemKind::Men(men) = &item.kind {
                self.declare_men(men);
            }
        }
        if self.arrays.is_empty() {
            self.add_basic_arrays();
        }
        for item in &file.items {
            self.declare_late(item);
        }
    }

    /// Declarations that need the players and the men.
    fn declare_late(&mut self, item: &Item) {
        self.folded.clear();
        match &item.kind {
            ItemKind::Cell { name, indices, ty, default } => {
                self.declare_cell(name, indices, ty, default.as_ref());
            }
            ItemKind::Counter { name, limit } => {
                self.counters.insert(name.text.clone());
                let mut hi = self.fold_int(limit).unwrap_or(1);
                if !(1..=60_000).contains(&hi) {
                    let message = format!("a counter cannot go up to {hi}");
                    self.bad_range(
                        limit.span,
                        message,
                        "at least 1, at most 60000",
                        "choose a limit in these bounds",
                    );
                    hi = 1;
                }
                self.add_cells(name, ArrayRole::Counter, Vec::new(), (0, hi, 0), Type::Int);
            }
            ItemKind::History { whole } => {
                self.history = if *whole { History::Position } else { History::Board };
            }
            ItemKind::Map { name, entries } => self.declare_map(name, entries),
            ItemKind::ScoreUpTo(limit) => {
                let value = self.fold_int(limit);
                if value.is_some_and(|it| it < 1) {
                    let message = "the score that counts as 1 must be positive".to_owned();
                    self.bad_range(
                        limit.span,
                        message,
                        "at least 1",
                        "write the highest score that is worth reaching",
                    );
                }
                self.score_up_to = value.filter(|&it| it > 0);
            }
            ItemKind::Search { name, settings } => {
                let settings = settings.iter().map(|(key, value)| self.setting(key, value));
                self.search = Some(Search { name: name.clone(), settings: settings.collect() });
            }
            ItemKind::Notation(lines) => self.declare_notation(lines),
            _ => {}
        }
    }

    /// A setting of the search. A word that is no constant stands for itself: only who has the
    /// searches knows what it means.
    fn setting(&mut self, key: &Name, value: &Expr) -> Setting {
        let text = match (self.fold(None, value, None), &value.kind) {
            (Some(Const::Int(value)), _) => value.to_string(),
            (Some(Const::Real(value)), _) => value.to_string(),
            (Some(Const::Bool(value)), _) => if value { "yes" } else { "no" }.to_owned(),
            (Some(Const::Text(value) | Const::Word(value)), _) => value,
            (_, ExprKind::Name(word)) => word.clone(),
            _ => String::new(),
        };
        let span = Span { start: key.span.start, end: value.span.end };
        Setting { name: key.text.clone(), value: text, span }
    }

    fn require_parts(&mut self, file: &File) {
        let span = file.header.as_ref().map(|it| it.span).unwrap_or_default();
        if let Some(game) = file.header.as_ref().and_then(|it| it.for_game.as_ref()) {
            let game = game.text.clone();
            let (what, label) = if super::is_goal(file) {
                ("this file is a goal, not a game", format!("to be reached in `{game}`"))
            } else {
                ("this file is a player, not a game", format!("plays `{game}`"))
            };
            self.report(
                Diagnostic::error("not-a-game", span, what)
                    .label(label)
                    .help("a game starts with `game \"…\"`; `ludex check` of such a file finds the game by itself"),
            );
            return;
        }
        if self.players.is_empty() {
            self.report(
                Diagnostic::error("missing-players", span, "the game has no players")
                    .label("no line `players` in this file")
                    .help("add a line such as `players White, Black`"),
            );
        }
        if !has_moves(file) {
            self.report(
                Diagnostic::error("missing-moves", span, "the game has no moves")
                    .label("no block `moves` in this file")
                    .help("add a block that lists the moves of a position: `moves`, and below it for instance `for a in empty: move put my stone on a`"),
            );
        }
    }

    /// Reports a name that is declared twice.
    pub(crate) fn duplicate(&mut self, name: &str, span: Span) {
        self.report(
            Diagnostic::error("duplicate-name", span, format!("`{name}` is declared twice"))
                .label("second declaration")
                .help("give one of them another name"),
        );
    }

    /// Whether a name is free; reports one that is taken, by the file or by the language.
    pub(crate) fn check_fresh(&mut self, name: &Name) -> bool {
        let text = name.text.as_str();
        let reserved = VALUE_WORDS.contains(&text) || COMPASS.iter().any(|(it, _)| *it == text);
        if reserved {
            self.reserved(name, "a word");
            return false;
        }
        let taken = self.cells.contains_key(text)
            || self.constants.contains_key(text)
            || self.options.contains_key(text)
            || self.routines.contains_key(text)
            || self.maps.contains_key(text)
            || self.kind_number(text).is_some()
            || self.player_number(text).is_some();
        if taken && self.game_names.contains(text) {
            self.name_of_game(name);
        } else if taken {
            self.duplicate(text, name.span);
        }
        !taken
    }

    /// Reports that a player file declares what its game has.
    fn name_of_game(&mut self, name: &Name) {
        let text = &name.text;
        self.report(
            Diagnostic::error("duplicate-name", name.span, format!("the game has a `{text}`"))
                .label("declared in the rules")
                .help(format!("use that one, or choose another name, such as `my_{text}`")),
        );
    }

    /// All names that are declared already.
    fn declared_names(&self) -> BTreeSet<String> {
        let names = self.cells.keys().chain(self.constants.keys()).chain(self.options.keys());
        let names = names.chain(self.routines.keys()).chain(self.maps.keys());
        names.chain(&self.kinds).chain(&self.players).cloned().collect()
    }

    fn reserved(&mut self, name: &Name, what: &str) {
        let text = &name.text;
        self.failed.insert(text.clone());
        self.report(
            Diagnostic::error(
                "reserved-name",
                name.span,
                format!("`{text}` is {what} of the language"),
            )
            .label("cannot be declared again")
            .help(format!("choose another name, such as `my_{text}`")),
        );
    }

    /// A routine or map may not have the name of one of the language's functions;
    /// anything else may, since a call shows by its brackets.
    fn check_not_function(&mut self, name: &Name) -> bool {
        let free = !FUNCTION_WORDS.contains(&name.text.as_str());
        if !free {
            self.reserved(name, "a function");
        }
        free
    }

    fn declare_constant(&mut self, name: &Name, value: &Expr, what: &'static str) {
        if self.constants.len() >= MAX_CONSTANTS {
            if self.constants.len() == MAX_CONSTANTS && !self.failed.contains(" constants") {
                self.failed.insert(" constants".to_owned());
                let message = format!("a file has at most {MAX_CONSTANTS} constants and regions");
                self.bad_range(name.span, message, "one too many", "remove some of them");
            }
            return;
        }
        if self.check_fresh(name) {
            self.declared.push((name.text.clone(), name.span, what));
            self.constants.insert(name.text.clone(), value.clone());
        }
    }

    /// Reports something that is too large or too small.
    pub(crate) fn bad_range(&mut self, span: Span, message: String, label: &str, help: &str) {
        self.report(Diagnostic::error("out-of-bounds", span, message).label(label).help(help));
    }

    pub(crate) fn unknown_direction(&mut self, name: &str, span: Span) {
        let diagnostic =
            Diagnostic::error("unknown-name", span, format!("there is no direction `{name}`"))
                .label("not a direction of the compass");
        let help = match nearest(name, COMPASS.iter().map(|(it, _)| *it)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "write `north`, `south`, `east` or `west`, or one between two of them".to_owned()
            }
        };
        self.report(diagnostic.help(help));
    }

    fn add_basic_arrays(&mut self) {
        let squares = self.board.squares();
        self.arrays.push(Array {
            name: "board".to_owned(),
            role: ArrayRole::Board,
            indices: Vec::new(),
            base: 0,
            len: squares,
            lo: 0,
            hi: self.men.len() as i64,
            default: 0,
        });
        self.arrays.push(Array {
            name: "turn".to_owned(),
            role: ArrayRole::Turn,
            indices: Vec::new(),
            base: squares,
            len: 1,
            lo: 0,
            hi: self.players.len().max(1) as i64 - 1,
            default: 0,
        });
    }

    fn declare_cell(
        &mut self,
        name: &Name,
        indices: &[CellIndex],
        ty: &CellType,
        default: Option<&Expr>,
    ) {
        let mut kinds = Vec::new();
        for index in indices {
            kinds.push(match index {
                CellIndex::Player => IndexKind::Player,
                CellIndex::Kind => IndexKind::Kind,
                CellIndex::Number(count) => {
                    let count_value = self.fold_int(count).unwrap_or(1);
                    if !(1..=4096).contains(&count_value) {
                        let message = format!("`{}` cannot have {count_value} elements", name.text);
                        self.bad_range(
                            count.span,
                            message,
                            "at least 1, at most 4096",
                            "use fewer",
                        );
                        self.failed.insert(name.text.clone());
                        return;
                    }
                    IndexKind::Number(count_value as u32)
                }
            });
        }
        let squares = self.board.squares() as i64;
        let (role, lo, hi, ty) = match ty {
            CellType::Bool => (ArrayRole::Bool, 0, 1, Type::Bool),
            CellType::Square => (ArrayRole::Square, -1, squares - 1, Type::Square),
            CellType::Player => {
                (ArrayRole::Player, -1, self.players.len() as i64 - 1, Type::Player)
            }
            CellType::Kind => (ArrayRole::Kind, -1, self.kinds.len() as i64 - 1, Type::Kind),
            CellType::Set => (ArrayRole::Set, 0, 1, Type::Set),
            CellType::Range(lo, hi) => {
                let (Some(low), Some(high)) = (self.fold_int(lo), self.fold_int(hi)) else {
                    self.failed.insert(name.text.clone());
                    return;
                };
                if low > high || low < -1_000_000 || high > 1_000_000 || high - low > 60_000 {
                    let message = format!("`{}` cannot have the range {low}..{high}", name.text);
                    let (label, help) = if low > high {
                        ("the first number is the larger one", format!("write `{high}..{low}`"))
                    } else {
                        (
                            "more than 60001 values, or beyond a million",
                            "choose a smaller range; what is larger can be kept in two cells"
                                .to_owned(),
                        )
                    };
                    self.bad_range(lo.span.to(hi.span), message, label, &help);
                    self.failed.insert(name.text.clone());
                    return;
                }
                (ArrayRole::Number, low, high, Type::Int)
            }
        };
        let usual = if role == ArrayRole::Number {
            lo
        } else if lo < 0 {
            -1
        } else {
            0
        };
        let default = default.map_or(usual, |expr| {
            let folded = self.fold(None, expr, None);
            match self.cell_value(folded.as_ref(), role, ty, lo..=hi) {
                Ok(value) => value,
                Err(_) if folded.is_none() && self.explain(expr) => usual,
                Err(what) => {
                    let message = format!("this cannot be the first value of `{}`", name.text);
                    let help = if role == ArrayRole::Set {
                        format!(
                            "leave the value away, and fill the set in `start`: `set {} = …`",
                            name.text
                        )
                    } else {
                        "the first value is a constant; it can also be set in `start`".to_owned()
                    };
                    self.report(
                        Diagnostic::error("bad-default", expr.span, message).label(what).help(help),
                    );
                    usual
                }
            }
        });
        self.declared.push((name.text.clone(), name.span, "cell"));
        self.add_cells(name, role, kinds, (lo, hi, default), ty);
    }

    fn add_cells(
        &mut self,
        name: &Name,
        role: ArrayRole,
        indices: Vec<IndexKind>,
        (lo, hi, default): (i64, i64, i64),
        ty: Type,
    ) {
        if !self.check_fresh(name) {
            return;
        }
        let index_len = |kind: &IndexKind| match kind {
            IndexKind::Player => self.players.len(),
            IndexKind::Kind => self.kinds.len(),
            IndexKind::Number(count) => *count as usize,
        };
        let elements: usize = indices.iter().map(index_len).product();
        let len = if role == ArrayRole::Set { elements * self.board.squares() } else { elements };
        let base = self.arrays.last().map_or(0, |it| it.base + it.len);
        if indices.len() > 2 {
            let message = format!("`{}` has {} indices", name.text, indices.len());
            self.bad_range(
                name.span,
                message,
                "at most two",
                "use fewer indices, or several cells",
            );
            self.failed.insert(name.text.clone());
            return;
        }
        if base + len > MAX_CELLS {
            let message = format!("a position with `{}` has {} cells", name.text, base + len);
            let label =
                format!("at most {MAX_CELLS}, squares included; a set has one for each square");
            self.bad_range(name.span, message, &label, "use fewer or smaller arrays");
            self.failed.insert(name.text.clone());
            return;
        }
        let array = self.arrays.len() as u16;
        self.arrays.push(Array {
            name: name.text.clone(),
            role,
            indices,
            base,
            len,
            lo,
            hi,
            default,
        });
        self.cells.insert(name.text.clone(), CellInfo { array, ty, span: name.span });
    }

    /// The number of a constant that a cell is to hold, or what it should have been.
    pub(crate) fn cell_value(
        &self,
        value: Option<&Const>,
        role: ArrayRole,
        ty: Type,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<i64, String> {
        let what = match role {
            ArrayRole::Number | ArrayRole::Counter => {
                format!("expected a constant number from {} to {}", range.start(), range.end())
            }
            _ if ty.has_none() => format!("expected {ty} or `none`, as a constant"),
            ArrayRole::Bool => "expected `yes` or `no`, as a constant".to_owned(),
            _ => "a set starts empty".to_owned(),
        };
        let fits = |it: &&Const| it.ty() == Some(ty) || **it == Const::None && ty.has_none();
        let number = value.filter(fits).and_then(Const::number);
        number.filter(|it| role != ArrayRole::Set && range.contains(it)).ok_or(what)
    }

    fn declare_map(&mut self, name: &Name, entries: &[(Name, Expr)]) {
        if !self.check_fresh(name) || !self.check_not_function(name) {
            return;
        }
        let mut values = vec![None; self.kinds.len()];
        let mut to_kind = false;
        for (kind, value) in entries {
            let Some(index) = self.kind_number(&kind.text) else {
                self.unknown_kind(&kind.text, kind.span);
                continue;
            };
            match self.fold(None, value, None) {
                Some(Const::Int(number)) => values[index as usize] = Some(number),
                Some(Const::Kind(to)) => {
                    to_kind = true;
                    values[index as usize] = Some(i64::from(to));
                }
                None if self.explain(value) => {}
                _ => self.report(
                    Diagnostic::error(
                        "not-constant",
                        value.span,
                        "a map gives constant numbers or kinds",
                    )
                    .label("neither a constant number nor a kind of man")
                    .help(format!(
                        "write for example `{} -> 1`; what depends on the position is a `function`",
                        kind.text
                    )),
                ),
            }
        }
        let values = values
            .into_iter()
            .enumerate()
            .map(|(kind, value)| value.unwrap_or(if to_kind { kind as i64 } else { 0 }))
            .collect();
        self.declared.push((name.text.clone(), name.span, "map"));
        self.maps.insert(name.text.clone(), MapInfo { values, to_kind });
    }
}

pub(crate) fn has_moves(file: &File) -> bool {
    file.items
        .iter()
        .any(|it| matches!(it.kind, ItemKind::Algorithm { which: Algorithm::Moves, .. }))
}
