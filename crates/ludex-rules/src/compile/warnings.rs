//! What can be seen without playing: names never used, men that can never
//! move, results that can never be reached.

use ludex_diagnostics::Diagnostic;

use crate::ast::{
    Action, Algorithm, Expr, ExprKind, File, ItemKind, Man, Outcome, Owner, Pattern, StartKind,
    StartLine, Stmt, StmtKind,
};

use super::Compiler;

impl Compiler {
    /// Reports what is probably not meant.
    pub(crate) fn warn(&mut self, file: &File) {
        self.warn_no_end(file);
        self.warn_unused(file);
        self.warn_unreached_results(file);
        self.warn_still_men(file);
    }

    fn warn_no_end(&mut self, file: &File) {
        let ends = file.items.iter().any(|item| {
            matches!(
                item.kind,
                ItemKind::Algorithm { which: Algorithm::Result | Algorithm::Stuck, .. }
            )
        });
        if !ends {
            let span = file.header.as_ref().map(|it| it.span).unwrap_or_default();
            self.report(
                Diagnostic::warning("missing-result", span, "the file does not say who wins")
                    .label("a player without a move loses; nothing else ends the game")
                    .help("add a block `result`, or `stuck` to say so openly"),
            );
        }
    }

    fn warn_unused(&mut self, file: &File) {
        let mut mentioned = Vec::new();
        for item in &file.items {
            names_in_item(&item.kind, &mut mentioned);
        }
        mentioned.sort();
        let placed = self.kinds_in_rows(file);
        for (name, span, what) in self.declared.clone() {
            let unused = mentioned.binary_search(&name).is_err();
            if unused && !(what == "kind" && placed.contains(&name)) {
                self.report(
                    Diagnostic::warning(
                        "never-used",
                        span,
                        format!("the {what} `{name}` is never used"),
                    )
                    .label("declared here, and not mentioned again")
                    .help("use it, or remove it"),
                );
            }
        }
        for (name, info) in self.cells.clone() {
            if self.counters.contains(&name) && mentioned.binary_search(&name).is_err() {
                self.report(
                    Diagnostic::warning(
                        "never-used",
                        info.span,
                        format!("the counter `{name}` is never used"),
                    )
                    .label("it grows, and no rule reads it")
                    .help("read it, for instance `if clock >= 100: draw` in `adjudicate`, or remove it"),
                );
            }
        }
    }

    /// The kinds whose symbols stand in the `rows` of the start.
    fn kinds_in_rows(&self, file: &File) -> Vec<String> {
        fn rows(lines: &[StartLine], texts: &mut Vec<String>) {
            for line in lines {
                match &line.kind {
                    StartKind::Rows(text) => texts.push(text.clone()),
                    StartKind::If { then, otherwise, .. } => {
                        rows(then, texts);
                        rows(otherwise, texts);
                    }
                    _ => {}
                }
            }
        }
        let mut texts = Vec::new();
        for item in &file.items {
            if let ItemKind::Start(lines) = &item.kind {
                rows(lines, &mut texts);
            }
        }
        let placed = self.men.iter().filter(|man| texts.iter().any(|it| it.contains(&man.symbol)));
        placed.map(|man| self.kinds[man.kind as usize].clone()).collect()
    }

    /// A result under a condition that is constantly false.
    fn warn_unreached_results(&mut self, file: &File) {
        for item in &file.items {
            if let ItemKind::Algorithm {
                which: Algorithm::Result | Algorithm::Stuck | Algorithm::Adjudicate,
                body,
            } = &item.kind
            {
                self.unreached(body, true);
            }
        }
    }

    fn unreached(&mut self, stmts: &[Stmt], mut reachable: bool) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Outcome(_) if !reachable => self.report(
                    Diagnostic::warning(
                        "unreachable-result",
                        stmt.span,
                        "this result can never be reached",
                    )
                    .label("the condition around it is never true, or it stands after a `return`")
                    .help("remove it, or change the condition"),
                ),
                StmtKind::If { cond, then, otherwise } => {
                    // Options are there to make conditions constant: only what no option
                    // could change is worth a warning.
                    let mut names = Vec::new();
                    names_in_expr(cond, &mut names);
                    let by_option = names.iter().any(|it| self.options.contains_key(it));
                    let known = match self.fold(None, cond, None) {
                        Some(super::types::Const::Bool(value)) if !by_option => Some(value),
                        _ => None,
                    };
                    self.unreached(then, reachable && known != Some(false));
                    self.unreached(otherwise, reachable && known != Some(true));
                }
                StmtKind::For { body, .. }
                | StmtKind::ForRange { body, .. }
                | StmtKind::ForRay { body, .. }
                | StmtKind::While { body, .. }
                | StmtKind::Try { body, .. } => self.unreached(body, reachable),
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => reachable = false,
                _ => {}
            }
        }
    }

    /// A kind that no move statement can move: no algorithm that lists moves
    /// ever asks for it, nor for men in general.
    fn warn_still_men(&mut self, file: &File) {
        let mut listing = Vec::new();
        for item in &file.items {
            match &item.kind {
                ItemKind::Algorithm { which: Algorithm::Moves, body } => {
                    names_in(body, &mut listing);
                }
                ItemKind::Routine(routine) => names_in(&routine.body, &mut listing),
                _ => {}
            }
        }
        let moves_men = listing.iter().any(|it| it == " go");
        let in_general = ["mine", "occupied", "kinds", "theirs", "neutral", "empty"];
        let any_man = listing
            .iter()
            .any(|it| in_general[..4].contains(&it.as_str()) || self.player_number(it).is_some());
        if !moves_men || any_man {
            return;
        }
        for (kind, name) in self.kinds.clone().into_iter().enumerate() {
            if self.neutral[kind] || listing.contains(&name) {
                continue;
            }
            let span = self.declared.iter().find(|(it, _, what)| *it == name && *what == "kind");
            let span = span.map(|it| it.1).unwrap_or_default();
            self.report(
                Diagnostic::warning("never-moves", span, format!("a {name} can never move"))
                    .label("no move is listed for it")
                    .help(format!("add to `moves` something like `for a in my {name}`")),
            );
        }
    }
}

/// Every name that statements mention, in order. The name ` go` marks that a
/// man is moved.
pub(crate) fn names_in(stmts: &[Stmt], names: &mut Vec<String>) {
    for stmt in stmts {
        names_in_stmt(stmt, names);
    }
}

fn names_in_stmt(stmt: &Stmt, names: &mut Vec<String>) {
    match &stmt.kind {
        StmtKind::Let { value, .. } | StmtKind::Feature { value, .. } => {
            names_in_expr(value, names);
        }
        StmtKind::Assign { name, value, .. } => {
            names.push(name.text.clone());
            names_in_expr(value, names);
        }
        StmtKind::If { cond, then, otherwise } => {
            names_in_expr(cond, names);
            names_in(then, names);
            names_in(otherwise, names);
        }
        StmtKind::For { over, body, .. } => {
            names_in_expr(over, names);
            names_in(body, names);
        }
        StmtKind::ForRange { lo, hi, body, .. } => {
            names_in_expr(lo, names);
            names_in_expr(hi, names);
            names_in(body, names);
        }
        StmtKind::ForRay { from, along, body, .. } => {
            names_in_expr(from, names);
            names_in_expr(along, names);
            names_in(body, names);
        }
        StmtKind::While { cond, body } => {
            names_in_expr(cond, names);
            names_in(body, names);
        }
        StmtKind::Try { actions, body } => {
            names_in(actions, names);
            names_in(body, names);
        }
        StmtKind::Move { actions, body, weight, .. } => {
            names_in(actions, names);
            names_in(body, names);
            weight.iter().for_each(|it| names_in_expr(it, names));
        }
        StmtKind::Act(action) => names_in_action(action, names),
        StmtKind::Outcome(Outcome::Score(value)) | StmtKind::Call(value) => {
            names_in_expr(value, names);
        }
        StmtKind::Return(value) => value.iter().for_each(|it| names_in_expr(it, names)),
        StmtKind::Outcome(_) | StmtKind::Break | StmtKind::Continue => {}
    }
}

fn names_in_action(action: &Action, names: &mut Vec<String>) {
    match action {
        Action::Go { from, to } => {
            names.push(" go".to_owned());
            names_in_expr(from, names);
            names_in_expr(to, names);
        }
        Action::Take(what) | Action::Next(what) => names_in_expr(what, names),
        Action::Put { man, on } => {
            names_in_man(man, names);
            names_in_expr(on, names);
        }
        Action::Become { at, man } => {
            names_in_expr(at, names);
            names_in_man(man, names);
        }
        Action::Set { cell, value, .. } => {
            names_in_expr(cell, names);
            names_in_expr(value, names);
        }
        Action::Reset(name) => names.push(name.text.clone()),
        Action::Write(parts) => parts.iter().for_each(|it| names_in_expr(it, names)),
        Action::Irreversible | Action::Pass => {}
    }
}

fn names_in_man(man: &Man, names: &mut Vec<String>) {
    if let Some(Owner::Player(player)) = &man.owner {
        names_in_expr(player, names);
    }
    names_in_expr(&man.kind, names);
}

fn names_in_pattern(pattern: &Pattern, names: &mut Vec<String>) {
    if let Some(Owner::Player(player)) = &pattern.owner {
        names_in_expr(player, names);
    }
    pattern.kinds.iter().for_each(|it| names_in_expr(it, names));
}

pub(crate) fn names_in_expr(expr: &Expr, names: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Name(name) => names.push(name.clone()),
        ExprKind::Step(x, y) | ExprKind::Binary(_, x, y) | ExprKind::Index(x, y) => {
            names_in_expr(x, names);
            names_in_expr(y, names);
        }
        ExprKind::List(items) | ExprKind::Set(items) => {
            items.iter().for_each(|it| names_in_expr(it, names));
        }
        ExprKind::Pattern(pattern) => names_in_pattern(pattern, names),
        ExprKind::Unary(_, x) | ExprKind::Member(x, _) => names_in_expr(x, names),
        ExprKind::Is { square, pattern, .. } => {
            names_in_expr(square, names);
            names_in_pattern(pattern, names);
        }
        ExprKind::Call { name, args, as_player } => {
            names.push(name.text.clone());
            args.iter().for_each(|it| names_in_expr(it, names));
            as_player.iter().for_each(|it| names_in_expr(it, names));
        }
        ExprKind::CouldTake { kind, .. } => names.push(kind.text.clone()),
        ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Text(_)
        | ExprKind::NoReply
        | ExprKind::Broken => {}
    }
}

fn names_in_item(item: &ItemKind, names: &mut Vec<String>) {
    use crate::ast::{Board, CellIndex, CellType, NotationLine, PositionField};
    fn start(lines: &[StartLine], names: &mut Vec<String>) {
        for line in lines {
            match &line.kind {
                StartKind::Place { man, on } => {
                    names_in_man(man, names);
                    on.iter().for_each(|it| names_in_expr(it, names));
                }
                StartKind::Set { cell, value } => {
                    names_in_expr(cell, names);
                    names_in_expr(value, names);
                }
                StartKind::Scatter { men, on, seed } => {
                    men.iter().for_each(|it| names_in_man(it, names));
                    names_in_expr(on, names);
                    names_in_expr(seed, names);
                }
                StartKind::Turn(player) => names_in_expr(player, names),
                StartKind::If { cond, then, otherwise } => {
                    names_in_expr(cond, names);
                    start(then, names);
                    start(otherwise, names);
                }
                StartKind::Rows(_) => {}
            }
        }
    }
    match item {
        ItemKind::Board(Board::Square { columns, rows, .. } | Board::Hex { columns, rows }) => {
            names_in_expr(columns, names);
            names_in_expr(rows, names);
        }
        ItemKind::Cell { indices, ty, default, .. } => {
            for index in indices {
                if let CellIndex::Number(count) = index {
                    names_in_expr(count, names);
                }
            }
            if let CellType::Range(lo, hi) = ty {
                names_in_expr(lo, names);
                names_in_expr(hi, names);
            }
            default.iter().for_each(|it| names_in_expr(it, names));
        }
        ItemKind::Counter { limit: value, .. }
        | ItemKind::Const { value, .. }
        | ItemKind::Region { value, .. }
        | ItemKind::Illegal(value)
        | ItemKind::ScoreUpTo(value) => names_in_expr(value, names),
        ItemKind::Map { entries, .. } => {
            for (kind, value) in entries {
                names.push(kind.text.clone());
                names_in_expr(value, names);
            }
        }
        ItemKind::Start(lines) => start(lines, names),
        ItemKind::Routine(routine) => names_in(&routine.body, names),
        ItemKind::Algorithm { body, .. } => names_in(body, names),
        ItemKind::Notation(lines) => {
            for line in lines {
                if let NotationLine::Position(fields, _) = line {
                    for field in fields {
                        match field {
                            PositionField::Cell(cell) => names_in_expr(cell, names),
                            PositionField::Flags(flags, _) => {
                                flags.iter().for_each(|(_, cell)| names_in_expr(cell, names));
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        _ => {}
    }
}
