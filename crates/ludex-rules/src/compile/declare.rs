//! Declarations: the board, the players, the men, the cells.

use ludex_ir::program::{MAX_CELLS, MAX_MEN, MAX_PLAYERS, MAX_SQUARES};
use ludex_ir::{Array, ArrayRole, GridKind, History, IndexKind, Man};

use crate::ast::{
    Algorithm, Board, CellIndex, CellType, Expr, File, Item, ItemKind, ManDecl, Name, PlayerDecl,
    Wrap,
};
use crate::diag::{Diagnostic, Span};

use super::board::{BoardInfo, COMPASS};
use super::names::{FUNCTION_WORDS, VALUE_WORDS, nearest};
use super::types::{Const, Type};
use super::{CellInfo, Compiler, MapInfo};

impl Compiler {
    /// Reads every declaration of the rules and of a player file.
    pub(crate) fn declare_all(&mut self, rules: &File, player: Option<&File>, options: &str) {
        self.quiet = player.is_some();
        self.declare_options(rules, options);
        self.declare_file(rules);
        if let Some(player) = player {
            self.quiet = false;
            self.declare_file(player);
        } else {
            self.require_parts(rules);
        }
    }

    fn declare_file(&mut self, file: &File) {
        for item in &file.items {
            match &item.kind {
                ItemKind::Board(board) => self.declare_board(board, item.span),
                ItemKind::Const { name, value } | ItemKind::Region { name, value } => {
                    self.declare_constant(name, value);
                }
                ItemKind::Routine(routine) => {
                    self.check_fresh(&routine.name);
                    self.check_not_function(&routine.name);
                    self.declared.push((routine.name.text.clone(), routine.name.span, "routine"));
                    self.routines.insert(routine.name.text.clone(), routine.clone());
                }
                ItemKind::Algorithm { which: Algorithm::Moves, body } => {
                    self.moves_body.clone_from(body);
                }
                _ => {}
            }
        }
        for item in &file.items {
            match &item.kind {
                ItemKind::Places(names) => self.declare_places(names),
                ItemKind::Players(players) => self.declare_players(players),
                _ => {}
            }
        }
        for item in &file.items {
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
        match &item.kind {
            ItemKind::Cell { name, indices, ty, default } => {
                self.declare_cell(name, indices, ty, default.as_ref());
            }
            ItemKind::Counter { name, limit } => {
                let hi = self.fold_int(limit).unwrap_or(1);
                if !(1..=60_000).contains(&hi) {
                    self.bad_range(limit.span, "a counter goes up to between 1 and 60000");
                    return;
                }
                self.counters.insert(name.text.clone());
                self.add_cells(name, ArrayRole::Counter, Vec::new(), (0, hi, 0), Type::Int);
            }
            ItemKind::History { whole } => {
                self.history = if *whole { History::Position } else { History::Board };
            }
            ItemKind::Map { name, entries } => self.declare_map(name, entries),
            ItemKind::ScoreUpTo(limit) => {
                self.score_up_to = self.fold_int(limit).filter(|&it| it > 0);
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

    /// Whether something is missing without which nothing else makes sense.
    pub(crate) fn missing_parts(&self, file: &File) -> bool {
        self.players.is_empty() || !has_moves(file)
    }

    fn require_parts(&mut self, file: &File) {
        let span = file.header.as_ref().map(|it| it.span).unwrap_or_default();
        if file.header.is_none() {
            self.report(
                Diagnostic::error("missing-game", span, "the file does not say what game it is")
                    .help("start it with a line such as `game \"My game\"`"),
            );
        }
        if self.players.is_empty() {
            self.report(
                Diagnostic::error("missing-players", span, "the game has no players")
                    .help("add a line such as `players White, Black`"),
            );
        }
        if !has_moves(file) {
            self.report(
                Diagnostic::error("missing-moves", span, "the game has no moves")
                    .help("add a block `moves` that lists the moves of a position"),
            );
        }
        let ends = file.items.iter().any(|item| {
            matches!(
                item.kind,
                ItemKind::Algorithm { which: Algorithm::Result | Algorithm::Stuck, .. }
            )
        });
        if !ends && has_moves(file) {
            self.report(
                Diagnostic::warning("missing-result", span, "the file does not say who wins")
                    .label("a player without a move loses; nothing else ends the game")
                    .help("add a block `result`, or `stuck` to say so openly"),
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

    /// Reports a name that is taken, by the file or by the language.
    fn check_fresh(&mut self, name: &Name) {
        let text = name.text.as_str();
        let reserved = VALUE_WORDS.contains(&text)
            || COMPASS.iter().any(|(it, _)| *it == text);
        if reserved {
            self.report(
                Diagnostic::error(
                    "reserved-name",
                    name.span,
                    format!("`{text}` is a word of the language"),
                )
                .label("cannot be declared again")
                .help("choose another name"),
            );
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
    }

    /// A routine or map may not have the name of one of the language's functions;
    /// anything else may, since a call shows by its brackets.
    fn check_not_function(&mut self, name: &Name) {
        if FUNCTION_WORDS.contains(&name.text.as_str()) {
            self.report(
                Diagnostic::error(
                    "reserved-name",
                    name.span,
                    format!("`{}` is a function of the language", name.text),
                )
                .label("cannot be declared again")
                .help("choose another name"),
            );
        }
    }

    fn declare_constant(&mut self, name: &Name, value: &Expr) {
        self.check_fresh(name);
        self.declared.push((name.text.clone(), name.span, "constant"));
        self.constants.insert(name.text.clone(), value.clone());
    }

    fn declare_board(&mut self, board: &Board, span: Span) {
        if self.board.grid != GridKind::None {
            self.report(
                Diagnostic::error("duplicate-board", span, "the game has two boards")
                    .help("keep one `board` line"),
            );
            return;
        }
        match board {
            Board::Square { columns, rows, wrap, on } => {
                let Some((columns, rows)) = self.board_size(columns, rows, span) else { return };
                let wrap = (
                    matches!(wrap, Wrap::Columns | Wrap::Both),
                    matches!(wrap, Wrap::Rows | Wrap::Both),
                );
                let parity = on.as_ref().map(|it| usize::from(it.text == "light"));
                let keep = |x: usize, y: usize| parity.is_none_or(|it| (x + y) % 2 == it);
                self.board = BoardInfo::grid(GridKind::Square, columns, rows, wrap, keep);
            }
            Board::Hex { columns, rows } => {
                let Some((columns, rows)) = self.board_size(columns, rows, span) else { return };
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

    fn board_size(&mut self, columns: &Expr, rows: &Expr, span: Span) -> Option<(usize, usize)> {
        let (columns, rows) = (self.fold_int(columns)?, self.fold_int(rows)?);
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
                .label(format!("at least 1 and at most {MAX_SQUARES} squares"))
                .help("make the board smaller"),
            );
            return None;
        }
        Some((columns as usize, rows as usize))
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
                self.bad_range(name.span, "coordinates of points go from 0 to 60");
                return;
            }
            let spot = (x as usize, y as usize);
            if placed.iter().any(|(text, other)| *other == spot || *text == name.text) {
                self.duplicate(&name.text, name.span);
                return;
            }
            placed.push((name.text.clone(), spot));
        }
        if placed.is_empty() || placed.len() > MAX_SQUARES {
            self.bad_range(span, "a graph has between 1 and 1600 points");
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
            if found.is_none() {
                let near = nearest(&name.text, this.board.names.iter().map(String::as_str));
                let mut diagnostic = Diagnostic::error(
                    "unknown-name",
                    name.span,
                    format!("the board has no point `{}`", name.text),
                )
                .label("not among the points");
                if let Some(near) = near {
                    diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                }
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
            self.check_fresh(&player.name);
            if self.players.len() >= MAX_PLAYERS {
                self.bad_range(player.name.span, "a game has at most 16 players");
                return;
            }
            let forward = player.forward.as_ref().and_then(|word| {
                let known = COMPASS.iter().find(|(it, _)| *it == word.text);
                if known.is_none() {
                    self.unknown_name(None, &word.text, word.span);
                }
                known.map(|&(_, offset)| offset)
            });
            self.players.push(player.name.text.clone());
            self.forwards.push(forward);
        }
    }

    fn declare_men(&mut self, men: &[ManDecl]) {
        for man in men {
            self.check_fresh(&man.name);
            self.declared.push((man.name.text.clone(), man.name.span, "kind"));
            let letter = man.name.text[..1].to_uppercase();
            let owners = if man.neutral { 1 } else { self.players.len() };
            let mut symbols: Vec<String> = man.symbols.iter().map(|(it, _)| it.clone()).collect();
            if symbols.is_empty() {
                symbols = (0..owners)
                    .map(|owner| match owner {
                        0 => letter.clone(),
                        1 => letter.to_lowercase(),
                        _ => format!("{letter}{owner}"),
                    })
                    .collect();
            }
            if symbols.len() != owners {
                let span = man.symbols.first().map_or(man.name.span, |(_, span)| *span);
                let message = format!("`{}` needs {owners} symbols", man.name.text);
                self.report(
                    Diagnostic::error("wrong-symbols", span, message)
                        .label(format!("{} given", symbols.len()))
                        .help("give one symbol for each player, or one for a `neutral` man"),
                );
                symbols.resize(owners, "?".to_owned());
            }
            self.add_man(man, symbols);
        }
    }

    fn add_man(&mut self, man: &ManDecl, symbols: Vec<String>) {
        let kind = self.kinds.len() as u8;
        self.kinds.push(man.name.text.clone());
        self.neutral.push(man.neutral);
        self.kind_symbols.push(symbols.first().map(|it| it.to_uppercase()).unwrap_or_default());
        for (owner, symbol) in symbols.into_iter().enumerate() {
            let bad = symbol.is_empty()
                || symbol.chars().any(|c| c.is_ascii_digit() || c == '/' || c.is_whitespace())
                || self.men.iter().any(|it| it.symbol == symbol);
            if bad {
                let span = man.symbols.get(owner).map_or(man.name.span, |(_, span)| *span);
                self.report(
                    Diagnostic::error(
                        "bad-symbol",
                        span,
                        format!("`{symbol}` cannot be the symbol of `{}`", man.name.text),
                    )
                    .label("taken by another man, or with a digit, a `/` or a blank in it")
                    .help(format!(
                        "give every man a symbol of its own: `men {} \"A\" \"a\"`",
                        man.name.text
                    )),
                );
            }
            let owner = (!man.neutral).then_some(owner as u8);
            self.men.push(Man { owner, kind, symbol });
        }
        if self.men.len() > MAX_MEN {
            self.bad_range(man.name.span, "owners and kinds together give at most 63 different men");
            self.men.truncate(MAX_MEN);
        }
    }

    fn bad_range(&mut self, span: Span, what: &str) {
        self.report(
            Diagnostic::error("out-of-bounds", span, what.to_owned()).label("outside these bounds"),
        );
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
                        self.bad_range(count.span, "an array has between 1 and 4096 elements");
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
            CellType::Player => (ArrayRole::Player, -1, self.players.len() as i64 - 1, Type::Player),
            CellType::Kind => (ArrayRole::Kind, -1, self.kinds.len() as i64 - 1, Type::Kind),
            CellType::Set => (ArrayRole::Set, 0, 1, Type::Set),
            CellType::Range(lo, hi) => {
                let (Some(low), Some(high)) = (self.fold_int(lo), self.fold_int(hi)) else { return };
                if low > high || high - low > 60_000 || low < -1_000_000 || high > 1_000_000 {
                    self.bad_range(lo.span.to(hi.span), "a cell has between 1 and 60000 values");
                    return;
                }
                (ArrayRole::Number, low, high, Type::Int)
            }
        };
        let usual = if role == ArrayRole::Number { lo } else if lo < 0 { -1 } else { 0 };
        let default = default.map_or(usual, |expr| {
            let value = self.fold(None, expr, None).and_then(|it| it.number());
            match value.filter(|it| (lo..=hi).contains(it)) {
                Some(value) if role != ArrayRole::Set => value,
                _ => {
                    let message = format!("this cannot be the first value of `{}`", name.text);
                    self.report(
                        Diagnostic::error("bad-default", expr.span, message)
                            .label("not a constant of its type and range"),
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
        self.check_fresh(name);
        let index_len = |kind: &IndexKind| match kind {
            IndexKind::Player => self.players.len(),
            IndexKind::Kind => self.kinds.len(),
            IndexKind::Number(count) => *count as usize,
        };
        let elements: usize = indices.iter().map(index_len).product();
        let len = if role == ArrayRole::Set { elements * self.board.squares() } else { elements };
        let base = self.arrays.last().map_or(0, |it| it.base + it.len);
        if base + len > MAX_CELLS || indices.len() > 2 {
            self.bad_range(name.span, "a state has at most 16384 cells, arrays at most two indices");
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

    fn declare_map(&mut self, name: &Name, entries: &[(Name, Expr)]) {
        self.check_fresh(name);
        self.check_not_function(name);
        let mut values = vec![None; self.kinds.len()];
        let mut to_kind = false;
        for (kind, value) in entries {
            let Some(index) = self.kind_number(&kind.text) else {
                self.unknown_name(None, &kind.text, kind.span);
                continue;
            };
            match self.fold(None, value, None) {
                Some(Const::Int(number)) => values[index as usize] = Some(number),
                Some(Const::Kind(to)) => {
                    to_kind = true;
                    values[index as usize] = Some(i64::from(to));
                }
                _ => self.report(
                    Diagnostic::error("not-constant", value.span, "a map gives constant numbers or kinds")
                        .label("neither"),
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

fn has_moves(file: &File) -> bool {
    file.items
        .iter()
        .any(|it| matches!(it.kind, ItemKind::Algorithm { which: Algorithm::Moves, .. }))
}
