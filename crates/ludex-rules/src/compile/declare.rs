//! Declarations: the board, the players, the men, the cells.

use ludex_ir::program::{MAX_CELLS, MAX_MEN, MAX_PLAYERS, MAX_SQUARES};
use ludex_ir::{Array, ArrayRole, GridKind, History, IndexKind, Man};

use crate::ast::{
    Algorithm, Board, CellIndex, CellType, Expr, File, Item, ItemKind, ManDecl, Name, PlayerDecl,
    RoutineKind, Wrap,
};
use crate::diag::{Diagnostic, Span};

use super::board::{BoardInfo, COMPASS};
use super::names::{FUNCTION_WORDS, VALUE_WORDS, nearest};
use super::types::{Const, Type};
use super::{CellInfo, Compiler, MapInfo};

/// The most constants and regions a file may have.
const MAX_CONSTANTS: usize = 1000;

/// The most routines a file may have; what walks through calls is as deep as they are many.
const MAX_ROUTINES: usize = 1000;

impl Compiler {
    /// Reads every declaration of the rules and of a player file.
    pub(crate) fn declare_all(&mut self, rules: &File, player: Option<&File>, options: &str) {
        self.quiet = player.is_some();
        self.declare_options(rules, options);
        self.declare_file(rules);
        if let Some(player) = player {
            self.quiet = false;
            self.check_player_file(player);
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
                        if self.quiet {
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
                let settings = settings
                    .iter()
                    .map(|(key, value)| {
                        let text = match self.fold(None, value, None) {
                            Some(Const::Int(value)) => value.to_string(),
                            Some(Const::Real(value)) => value.to_string(),
                            Some(Const::Bool(value)) => value.to_string(),
                            Some(Const::Text(value) | Const::Word(value)) => value,
                            _ => String::new(),
                        };
                        (key.text.clone(), text)
                    })
                    .collect();
                self.search = Some((name.text.clone(), settings));
            }
            ItemKind::Notation(lines) => self.declare_notation(lines),
            _ => {}
        }
    }

    fn require_parts(&mut self, file: &File) {
        let span = file.header.as_ref().map(|it| it.span).unwrap_or_default();
        if let Some(game) = file.header.as_ref().and_then(|it| it.for_game.as_ref()) {
            let game = game.text.clone();
            self.report(
                Diagnostic::error("not-a-game", span, "this file is a player, not a game")
                    .label(format!("plays `{game}`"))
                    .help("a game starts with `game \"…\"`; `ludex check` of a player file finds the game by itself"),
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
        if taken {
            self.duplicate(text, name.span);
        }
        !taken
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

    fn declare_board(&mut self, board: &Board, span: Span) {
        if self.board.grid != GridKind::None {
            self.report(
                Diagnostic::error("duplicate-board", span, "the game has two boards")
                    .label("the second one")
                    .help("keep one `board` line"),
            );
            return;
        }
        match board {
            Board::Square { columns, rows, wrap, on } => {
                let (columns, rows) = self.board_size(columns, rows, span);
                let wrap = (
                    matches!(wrap, Wrap::Columns | Wrap::Both),
                    matches!(wrap, Wrap::Rows | Wrap::Both),
                );
                let parity = on.as_ref().map(|it| usize::from(it.text == "light"));
                let keep = |x: usize, y: usize| parity.is_none_or(|it| (x + y) % 2 == it);
                self.board = BoardInfo::grid(GridKind::Square, columns, rows, wrap, keep);
            }
            Board::Hex { columns, rows } => {
                let (columns, rows) = self.board_size(columns, rows, span);
                self.board =
                    BoardInfo::grid(GridKind::Hex, columns, rows, (false, false), |_, _| true);
            }
            Board::Graph { points, lines } => self.declare_graph(points, lines, span),
        }
        // The named directions come first, in one order on every board.
        for (name, _) in COMPASS {
            self.board.named_direction(name);
        }
    }

    /// The size of a board; of a small one after a mistake, so that the rest can be looked at.
    fn board_size(&mut self, columns: &Expr, rows: &Expr, span: Span) -> (usize, usize) {
        let (Some(columns), Some(rows)) = (self.fold_int(columns), self.fold_int(rows)) else {
            self.board_failed = true;
            return (8, 8);
        };
        let fits = (1..=200).contains(&columns)
            && (1..=200).contains(&rows)
            && (columns * rows) as usize <= MAX_SQUARES;
        if !fits {
            self.report(
                Diagnostic::error(
                    "board-too-large",
                    span,
                    format!("a board of {columns} by {rows} squares cannot be used"),
                )
                .label(format!("a board has at least 1 and at most {MAX_SQUARES} squares, in at most 200 columns and rows"))
                .help("choose another size, for instance `board square 40 by 40`"),
            );
            self.board_failed = true;
            return (8, 8);
        }
        (columns as usize, rows as usize)
    }

    fn declare_graph(
        &mut self,
        points: &[(Name, Option<(i64, i64)>)],
        lines: &[Vec<Name>],
        span: Span,
    ) {
        // Points without coordinates stand in a row of their own.
        let mut placed = Vec::new();
        for (index, (name, at)) in points.iter().enumerate() {
            let (x, y) = at.unwrap_or((index as i64, 0));
            if !(0..=60).contains(&x) || !(0..=60).contains(&y) {
                let message = format!("`{}` lies at ({x},{y})", name.text);
                self.bad_range(name.span, message, "coordinates go from 0 to 60", "move the point");
                self.failed.insert(name.text.clone());
                continue;
            }
            let spot = (x as usize, y as usize);
            if placed.iter().any(|(text, _)| *text == name.text) {
                self.duplicate(&name.text, name.span);
                continue;
            }
            if let Some((other, _)) = placed.iter().find(|(_, at)| *at == spot) {
                self.report(
                    Diagnostic::error(
                        "same-place",
                        name.span,
                        format!("`{}` lies where `{other}` lies", name.text),
                    )
                    .label(format!("also at ({x},{y})"))
                    .help("give every point coordinates of its own"),
                );
                self.failed.insert(name.text.clone());
                continue;
            }
            placed.push((name.text.clone(), spot));
        }
        if placed.is_empty() || placed.len() > MAX_SQUARES {
            let message = format!("a graph of {} points cannot be used", placed.len());
            self.bad_range(
                span,
                message,
                "at least 1, at most 1600",
                "list the points: `points a1 (0,0), b1 (1,0)`",
            );
            self.board_failed = true;
            return;
        }
        let columns = placed.iter().map(|(_, at)| at.0 + 1).max().unwrap_or(0);
        let rows = placed.iter().map(|(_, at)| at.1 + 1).max().unwrap_or(0);
        self.board = BoardInfo::from_points(GridKind::Graph, columns, rows, &placed);
        for line in lines {
            for pair in line.windows(2) {
                self.add_edge(&pair[0], &pair[1]);
            }
        }
    }

    fn add_edge(&mut self, a: &Name, b: &Name) {
        let find = |this: &mut Self, name: &Name| {
            let found = this.board.by_name.get(&name.text).copied();
            if found.is_none() && !this.failed.contains(&name.text) {
                let near = nearest(&name.text, this.board.names.iter().map(String::as_str));
                let mut diagnostic = Diagnostic::error(
                    "unknown-name",
                    name.span,
                    format!("the board has no point `{}`", name.text),
                )
                .label("not among the points");
                diagnostic = match near {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!(
                        "add it: `points {} (0,0)`, at its place in the drawing",
                        name.text
                    )),
                };
                this.report(diagnostic);
            }
            found
        };
        let (Some(from), Some(to)) = (find(self, a), find(self, b)) else { return };
        for (here, there, name) in [(from, to, a), (to, from, b)] {
            let offset = self.board.edge_offset(here, there);
            let clash = self.board.edges.iter().any(|&(x, y)| {
                let (x, y) = (x as usize, y as usize);
                (x == here && y != there && self.board.edge_offset(here, y) == offset)
                    || (y == here && x != there && self.board.edge_offset(here, x) == offset)
            });
            if clash {
                self.report(
                    Diagnostic::error(
                        "two-edges-one-way",
                        name.span,
                        format!("two lines leave `{}` in the same direction", name.text),
                    )
                    .label(format!("the line between `{}` and `{}` is the second", a.text, b.text))
                    .help("move a point so that each line leaves in a direction of its own"),
                );
                return;
            }
        }
        let edge = (from.min(to) as u16, from.max(to) as u16);
        if !self.board.edges.contains(&edge) {
            self.board.edges.push(edge);
        }
    }

    fn declare_places(&mut self, names: &[Name]) {
        for name in names {
            if !self.board.add_place(&name.text) {
                self.duplicate(&name.text, name.span);
            }
        }
    }

    fn declare_players(&mut self, players: &[PlayerDecl]) {
        for player in players {
            if !self.check_fresh(&player.name) {
                continue;
            }
            if self.players.len() >= MAX_PLAYERS {
                let message = "a game has at most 16 players".to_owned();
                self.bad_range(player.name.span, message, "one too many", "remove some players");
                return;
            }
            let forward = player.forward.as_ref().map(|word| {
                let known = COMPASS.iter().find(|(it, _)| *it == word.text);
                let on_board =
                    self.board.on_grid == 0 || self.board.named_direction(&word.text).is_some();
                if known.is_none() || !on_board {
                    self.unknown_direction(&word.text, word.span);
                }
                known.map_or((0, 1), |&(_, offset)| offset)
            });
            self.players.push(player.name.text.clone());
            self.forwards.push(forward);
        }
    }

    fn declare_men(&mut self, men: &[ManDecl]) {
        for man in men {
            if !self.check_fresh(&man.name) {
                continue;
            }
            self.declared.push((man.name.text.clone(), man.name.span, "kind"));
            let owners = if man.neutral { 1 } else { self.players.len() };
            let mut symbols: Vec<String> = man.symbols.iter().map(|(it, _)| it.clone()).collect();
            if symbols.is_empty() && owners <= 2 {
                let letter = &man.name.text[..1];
                symbols = [letter.to_uppercase(), letter.to_lowercase()][..owners].to_vec();
            }
            if symbols.len() != owners && owners > 0 {
                let span = match man.symbols.last() {
                    Some((_, last)) => man.symbols[0].1.to(*last),
                    None => man.name.span,
                };
                let number =
                    |n: usize| if n == 1 { "1 symbol".to_owned() } else { format!("{n} symbols") };
                let message = format!("`{}` needs {}", man.name.text, number(owners));
                let example: Vec<String> =
                    "ABCDEFGHIJKLMNOP".chars().take(owners).map(|it| format!("\"{it}\"")).collect();
                let (name, example) = (&man.name.text, example.join(" "));
                self.report(
                    Diagnostic::error("wrong-symbols", span, message)
                        .label(format!("{} for {owners} players", number(symbols.len())))
                        .help(if man.neutral {
                            format!("a neutral man has one symbol: `{name} neutral {example}`")
                        } else {
                            format!(
                                "give one for each player, in their order: `men {name} {example}`"
                            )
                        }),
                );
                symbols = vec![String::new(); owners];
            }
            self.add_man(man, symbols);
        }
    }

    fn add_man(&mut self, man: &ManDecl, symbols: Vec<String>) {
        let kind = self.kinds.len() as u8;
        self.kinds.push(man.name.text.clone());
        self.neutral.push(man.neutral);
        self.kind_symbols.push(symbols.first().map(|it| it.to_uppercase()).unwrap_or_default());
        let mut bad = false;
        for (owner, symbol) in symbols.into_iter().enumerate() {
            let taken = self.men.iter().find(|it| it.symbol == symbol && !symbol.is_empty());
            let strange =
                symbol.chars().any(|c| c.is_ascii_digit() || c == '/' || c.is_whitespace());
            let label = match taken {
                _ if strange => Some("has a digit, a `/` or a blank in it".to_owned()),
                Some(other) => {
                    Some(format!("is the symbol of `{}` already", self.kinds[other.kind as usize]))
                }
                None => man
                    .symbols
                    .get(owner)
                    .filter(|(it, _)| it.is_empty())
                    .map(|_| "is empty".to_owned()),
            };
            // One message for each man is enough.
            if let Some(label) = label.filter(|_| !std::mem::replace(&mut bad, true)) {
                let (span, name) = (
                    man.symbols.get(owner).map_or(man.name.span, |(_, span)| *span),
                    &man.name.text,
                );
                let example = if man.neutral { "neutral \"*\"" } else { "\"N\" \"n\"" };
                self.report(
                    Diagnostic::error(
                        "bad-symbol",
                        span,
                        format!("`{symbol}` cannot be the symbol of `{name}`"),
                    )
                    .label(label)
                    .help(format!("give it a symbol of its own, for instance `{name} {example}`")),
                );
            }
            let owner = (!man.neutral).then_some(owner as u8);
            self.men.push(Man { owner, kind, symbol });
        }
        if self.men.len() > MAX_MEN {
            let message = format!("there are more than {MAX_MEN} different men");
            self.bad_range(
                man.name.span,
                message,
                "each kind counts once for each player, a neutral one once",
                "use fewer kinds, or `neutral` ones",
            );
            self.men.truncate(MAX_MEN);
        }
    }

    /// Reports something that is too large or too small.
    fn bad_range(&mut self, span: Span, message: String, label: &str, help: &str) {
        self.report(Diagnostic::error("out-of-bounds", span, message).label(label).help(help));
    }

    fn unknown_direction(&mut self, name: &str, span: Span) {
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
