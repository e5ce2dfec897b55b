//! Calls: the language's own functions, maps, and the file's routines.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::{Binary, Func, Inst, PathOf, Reg, Unary, Var};

use crate::ast::{Expr, ExprKind, Name, Owner, Pattern, Routine, RoutineKind, TypeName};

use super::Compiler;
use super::build::{Builder, Context, Local, Mode};
use super::exprs::Val;
use super::names::{FUNCTION_WORDS, nearest};
use super::types::Type;

/// A mistake was found and has been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// A routine that is used and is still to be lowered.
#[derive(Debug)]
pub(crate) struct Pending {
    routine: Routine,
    mode: Mode,
    func: Func,
    /// Whether its mistakes have been or will be reported elsewhere.
    quiet: bool,
    /// Whether it is a routine of the rules that a player file is compiled with.
    foreign: bool,
}

impl Compiler {
    /// `f(x, y) as p`, as a value.
    pub(crate) fn call(
        &mut self,
        b: &mut Builder,
        name: &Name,
        args: &[Expr],
        as_player: Option<&Expr>,
        span: Span,
    ) -> Val {
        // `White (rook, queen)` reads like a call until one knows that White is a player.
        let is_player = self.player_number(&name.text).is_some()
            || b.local(&name.text).is_some_and(|it| it.ty == Type::Player);
        if is_player && as_player.is_none() {
            let owner = Expr { kind: ExprKind::Name(name.text.clone()), span: name.span };
            let owner = Some(Owner::Player(Box::new(owner)));
            return self.pattern_set(b, &Pattern { owner, kinds: args.to_vec(), span });
        }
        if let Some(map) = self.maps.get(&name.text).cloned() {
            self.refuse_as(name, as_player);
            let Some([kind]) = self.arguments(b, name, args, [Type::Kind]) else {
                return Self::broken(b);
            };
            let table = self.table(&name.text, 1, map.values);
            let dst = b.int();
            b.push(Inst::Lookup { dst, table, i: kind, j: None });
            let ty = if map.to_kind { Type::Kind } else { Type::Int };
            return Val { ty, var: Var::Int(dst) };
        }
        if let Some(routine) = self.routines.get(&name.text).cloned() {
            if routine.kind != RoutineKind::Function {
                self.report(
                    Diagnostic::error(
                        "not-a-function",
                        name.span,
                        format!("`{}` gives no value", name.text),
                    )
                    .label(if routine.kind == RoutineKind::Action {
                        "an action"
                    } else {
                        "a procedure"
                    })
                    .help("only a `function` can be used inside an expression"),
                );
                return Self::broken(b);
            }
            return match self.call_routine(b, &routine, args, as_player, span, Mode::Plain) {
                Ok(Some(val)) => val,
                _ => Self::broken(b),
            };
        }
        self.refuse_as(name, as_player);
        self.builtin(b, name, args).unwrap_or_else(|| Self::broken(b))
    }

    /// `as` after something that does not ask who `me` is: its arguments have been computed by then.
    pub(crate) fn refuse_as(&mut self, name: &Name, as_player: Option<&Expr>) {
        let Some(player) = as_player else { return };
        self.report(
            Diagnostic::error(
                "stray-as",
                player.span,
                format!("`{}` cannot be asked as another player", name.text),
            )
            .label("only functions and actions of this file can")
            .help("write a `function` around it and call that with `as`"),
        );
    }

    /// Number arguments of the given types; reports a wrong number or type.
    fn arguments<const N: usize>(
        &mut self,
        b: &mut Builder,
        name: &Name,
        args: &[Expr],
        types: [Type; N],
    ) -> Option<[Reg; N]> {
        if args.len() != N {
            self.wrong_arity(name, N, args.len());
            return None;
        }
        let mut registers = [b.me; N];
        let mut fine = true;
        for (index, (arg, ty)) in args.iter().zip(types).enumerate() {
            match self.expr_as(b, arg, ty) {
                Some(reg) => registers[index] = reg,
                None => fine = false,
            }
        }
        fine.then_some(registers)
    }

    fn wrong_arity(&mut self, name: &Name, wanted: usize, given: usize) {
        self.report(
            Diagnostic::error(
                "wrong-arguments",
                name.span,
                format!(
                    "`{}` takes {wanted} argument{}",
                    name.text,
                    if wanted == 1 { "" } else { "s" }
                ),
            )
            .label(format!(
                "{} given",
                if given == 0 { "none".to_owned() } else { given.to_string() }
            ))
            .help(self.form_of(&name.text)),
        );
    }

    /// What a call looks like when it is right.
    fn form_of(&self, name: &str) -> String {
        if let Some(routine) = self.routines.get(name) {
            let params: Vec<String> = routine
                .params
                .iter()
                .map(|(param, ty)| match &ty.of {
                    Some(of) => format!("{}: {}({})", param.text, ty.name.text, of.text),
                    None => format!("{}: {}", param.text, ty.name.text),
                })
                .collect();
            return format!("it is declared as `{name}({})`", params.join(", "));
        }
        let form = match name {
            "count" => "count(set)",
            "first" => "first(set)",
            "last" => "last(path)",
            "line" => "line(square, direction, number)",
            "axis" => "axis(square, direction)",
            "between" => "between(square, square)",
            "shift" => "shift(set, direction)",
            "neighbours" => "neighbours(set, directions)",
            "flood" => "flood(from, within, directions)",
            "distance" => "distance(square, square)",
            "at" => "at(column, row)",
            "next" => "next(player)",
            "abs" => "abs(number)",
            "min" => "min(number, number)",
            "max" => "max(number, number)",
            "rank" => "rank(number)",
            "file" => "file(number)",
            "edge" => "edge(direction)",
            "exp" | "tanh" | "sqrt" | "real" => return format!("write `{name}(number)`"),
            _ => return format!("write `{name}(kind)`"),
        };
        format!("write `{form}`")
    }

    fn builtin(&mut self, b: &mut Builder, name: &Name, args: &[Expr]) -> Option<Val> {
        let int = |reg: Reg, ty: Type| Some(Val { ty, var: Var::Int(reg) });
        match name.text.as_str() {
            "count" => self.count(b, name, args),
            "first" => {
                let [arg] = self.one(name, args)?;
                let set = self.set_expr(b, arg)?;
                let after = b.literal(-1);
                let dst = b.int();
                b.push(Inst::NextMember { dst, set, after });
                int(dst, Type::Square)
            }
            "last" => {
                let [arg] = self.one(name, args)?;
                let val = self.expr(b, arg);
                let (Type::Path(of), Var::Path(path)) = (val.ty, val.var) else {
                    self.wrong_type_span(arg.span, "a path", "`first(…)` gives a square of a set");
                    return None;
                };
                let len = b.int();
                b.push(Inst::PathLen { dst: len, path });
                let one = b.literal(1);
                let index = b.binary(Binary::Sub, len, one);
                let dst = b.int();
                b.push(Inst::PathItem { dst, path, index, of });
                int(dst, element_type(of))
            }
            "line" => {
                let [from, dir, count] =
                    self.arguments(b, name, args, [Type::Square, Type::Direction, Type::Int])?;
                let dst = b.set();
                b.push(Inst::Line { dst, from, dir, count });
                Some(Val { ty: Type::Set, var: Var::Set(dst) })
            }
            "axis" => {
                let [from, dir] = self.arguments(b, name, args, [Type::Square, Type::Direction])?;
                let dst = b.set();
                b.push(Inst::Axis { dst, from, dir });
                Some(Val { ty: Type::Set, var: Var::Set(dst) })
            }
            "between" => {
                let [x, y] = self.arguments(b, name, args, [Type::Square, Type::Square])?;
                let dst = b.set();
                b.push(Inst::Between { dst, a: x, b: y });
                Some(Val { ty: Type::Set, var: Var::Set(dst) })
            }
            "shift" => {
                let [set, dir] = self.two(name, args)?;
                let src = self.set_expr(b, set)?;
                let dir = self.expr_as(b, dir, Type::Direction)?;
                let dst = b.set();
                b.push(Inst::Shift { dst, src, dir });
                Some(Val { ty: Type::Set, var: Var::Set(dst) })
            }
            "neighbours" => {
                let [set, list] = self.two(name, args)?;
                let src = self.set_expr(b, set)?;
                let list = self.expr_as(b, list, Type::Directions)?;
                let dst = b.set();
                b.push(Inst::Neighbours { dst, src, list });
                Some(Val { ty: Type::Set, var: Var::Set(dst) })
            }
            "flood" => {
                let [from, within, list] = args else {
                    self.wrong_arity(name, 3, args.len());
                    return None;
                };
                let from = self.set_expr(b, from)?;
                let within = self.set_expr(b, within)?;
                let list = self.expr_as(b, list, Type::Directions)?;
                let dst = b.set();
                b.push(Inst::Flood { dst, from, within, list });
                Some(Val { ty: Type::Set, var: Var::Set(dst) })
            }
            "distance" => {
                let [x, y] = self.arguments(b, name, args, [Type::Square, Type::Square])?;
                int(b.binary(Binary::Distance, x, y), Type::Int)
            }
            "at" => {
                let [column, row] = self.arguments(b, name, args, [Type::Int, Type::Int])?;
                int(self.square_at(b, column, row), Type::Square)
            }
            "next" => {
                let [player] = self.arguments(b, name, args, [Type::Player])?;
                let count = self.players.len().max(1);
                let data = (0..count).map(|it| ((it + 1) % count) as i64).collect();
                let table = self.table("player after", 1, data);
                let dst = b.int();
                b.push(Inst::Lookup { dst, table, i: player, j: None });
                int(dst, Type::Player)
            }
            "abs" | "min" | "max" => self.number_function(b, name, args),
            "exp" | "tanh" | "sqrt" | "real" => {
                let [src] = self.arguments(b, name, args, [Type::Real])?;
                let op = match name.text.as_str() {
                    "exp" => Unary::RExp,
                    "tanh" => Unary::RTanh,
                    "sqrt" => Unary::RSqrt,
                    _ => return int(src, Type::Real),
                };
                let dst = b.int();
                b.push(Inst::Unary { op, dst, src });
                int(dst, Type::Real)
            }
            "rank" | "file" | "edge" => {
                let [arg] = self.one(name, args)?;
                let before = self.diagnostics.len();
                let want = if name.text == "edge" { Type::Direction } else { Type::Int };
                self.expr_as(b, arg, want);
                if self.diagnostics.len() == before {
                    let help = match name.text.as_str() {
                        "edge" => {
                            "ask instead whether the step leads off the board: `not (a + d).exists`"
                                .to_owned()
                        }
                        word => format!("compare instead: `a.{word} == …`"),
                    };
                    self.report(
                        Diagnostic::error(
                            "not-constant",
                            arg.span,
                            format!("`{}` needs a constant", name.text),
                        )
                        .label("known only in play")
                        .help(help),
                    );
                }
                None
            }
            _ => {
                self.unknown_function(name);
                None
            }
        }
    }

    fn one<'a>(&mut self, name: &Name, args: &'a [Expr]) -> Option<[&'a Expr; 1]> {
        let [arg] = args else {
            self.wrong_arity(name, 1, args.len());
            return None;
        };
        Some([arg])
    }

    fn two<'a>(&mut self, name: &Name, args: &'a [Expr]) -> Option<[&'a Expr; 2]> {
        let [x, y] = args else {
            self.wrong_arity(name, 2, args.len());
            return None;
        };
        Some([x, y])
    }

    fn count(&mut self, b: &mut Builder, name: &Name, args: &[Expr]) -> Option<Val> {
        let [arg] = self.one(name, args)?;
        let dst = b.int();
        if let ExprKind::Name(local) = &arg.kind
            && let Some(Local { var: Var::Path(path), .. }) = b.local(local)
        {
            b.push(Inst::PathLen { dst, path });
        } else {
            let set = self.set_expr(b, arg)?;
            b.push(Inst::Count { dst, set });
        }
        Some(Val { ty: Type::Int, var: Var::Int(dst) })
    }

    /// The square at column and row from 1, looked up in play.
    fn square_at(&mut self, b: &mut Builder, column: Reg, row: Reg) -> Reg {
        let columns = self.board.columns;
        let data = self.board.at.iter().map(|&it| i64::from(it)).collect();
        let table = self.table("square at", columns.max(1), data);
        let one = b.literal(1);
        let i = b.binary(Binary::Sub, row, one);
        let j = b.binary(Binary::Sub, column, one);
        let dst = b.int();
        b.push(Inst::Lookup { dst, table, i, j: Some(j) });
        dst
    }

    fn number_function(&mut self, b: &mut Builder, name: &Name, args: &[Expr]) -> Option<Val> {
        let wanted = if name.text == "abs" { 1 } else { 2 };
        if args.len() != wanted {
            self.wrong_arity(name, wanted, args.len());
            return None;
        }
        let vals: Vec<Val> = args.iter().map(|arg| self.expr(b, arg)).collect();
        let real = vals.iter().any(|it| it.ty == Type::Real);
        let ty = if real { Type::Real } else { Type::Int };
        let mut registers = Vec::new();
        for (val, arg) in vals.into_iter().zip(args) {
            match self.coerce(b, val, ty, arg.span)?.var {
                Var::Int(reg) => registers.push(reg),
                _ => return None,
            }
        }
        let dst = b.int();
        b.push(match (name.text.as_str(), &registers[..]) {
            ("abs", [src]) => {
                Inst::Unary { op: if real { Unary::RAbs } else { Unary::Abs }, dst, src: *src }
            }
            ("min", [x, y]) => Inst::Binary {
                op: if real { Binary::RMin } else { Binary::Min },
                dst,
                a: *x,
                b: *y,
            },
            (_, [x, y]) => Inst::Binary {
                op: if real { Binary::RMax } else { Binary::Max },
                dst,
                a: *x,
                b: *y,
            },
            _ => return None,
        });
        Some(Val { ty, var: Var::Int(dst) })
    }

    /// Reports a call, as a statement, of something that does not exist.
    pub(crate) fn unknown_routine(&mut self, name: &Name, context: Context) {
        let text = &name.text;
        if self.failed.contains(text) {
            return;
        }
        if FUNCTION_WORDS.contains(&text.as_str()) || self.maps.contains_key(text) {
            self.report(
                Diagnostic::error("no-effect", name.span, "the value of this function is lost")
                    .label("a value that is not used")
                    .help("use it in a condition, or keep it: `let x = …`"),
            );
            return;
        }
        let word = if context == Context::Acts { "action" } else { "procedure" };
        let diagnostic = Diagnostic::error(
            "unknown-function",
            name.span,
            format!("there is no {word} called `{text}`"),
        )
        .label("not declared anywhere");
        let help = match nearest(text, self.routines.keys().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare it: `{word} {text}(…)`"),
        };
        self.report(diagnostic.help(help));
    }

    /// Reports a call of something that does not exist.
    pub(crate) fn unknown_function(&mut self, name: &Name) {
        if !self.reports() {
            return;
        }
        if self.failed.contains(&name.text) {
            return;
        }
        let mut known: Vec<&str> = FUNCTION_WORDS.to_vec();
        known.extend(self.routines.keys().map(String::as_str));
        known.extend(self.maps.keys().map(String::as_str));
        let mut diagnostic = Diagnostic::error(
            "unknown-function",
            name.span,
            format!("there is no function called `{}`", name.text),
        )
        .label("not declared anywhere");
        diagnostic = match nearest(&name.text, known) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(format!("declare it: `function {}(…): …`", name.text)),
        };
        self.report(diagnostic);
    }

    /// Calls a routine of the file; `None` where the routine gives no value.
    pub(crate) fn call_routine(
        &mut self,
        b: &mut Builder,
        routine: &Routine,
        args: &[Expr],
        as_player: Option<&Expr>,
        span: Span,
        mode: Mode,
    ) -> Result<Option<Val>, Reported> {
        if routine.params.len() != args.len() {
            self.wrong_arity(
                &Name { text: routine.name.text.clone(), span },
                routine.params.len(),
                args.len(),
            );
            return Err(Reported);
        }
        let me = match as_player {
            Some(player) => self.expr_as(b, player, Type::Player).ok_or(Reported)?,
            None => b.me,
        };
        let mut values = vec![Var::Int(me)];
        let mut fine = true;
        for (arg, (_, ty)) in args.iter().zip(&routine.params) {
            let want = self.type_of(ty);
            match self.expr_to(b, arg, want) {
                Some(val) => values.push(val.var),
                None => fine = false,
            }
        }
        if !fine {
            return Err(Reported);
        }
        let func = self.lower_routine(routine, mode);
        let returns = if matches!(mode, Mode::Takes(_)) {
            Some(Type::Bool)
        } else {
            routine.returns.as_ref().map(|it| self.type_of(it))
        };
        let val = returns.map(|ty| Val { ty, var: b.var(ty) });
        b.call(func, values, val.map(|it| it.var));
        Ok(val)
    }

    /// The type that a type name stands for; an unknown one is reported by [`Compiler::check_type`].
    pub(crate) fn type_of(&self, name: &TypeName) -> Type {
        match (name.name.text.as_str(), name.of.as_ref().map(|it| it.text.as_str())) {
            ("int", None) => Type::Int,
            ("bool", None) => Type::Bool,
            ("square", None) => Type::Square,
            ("direction", None) => Type::Direction,
            ("directions", None) => Type::Directions,
            ("kind", None) => Type::Kind,
            ("player", None) => Type::Player,
            ("set", None) => Type::Set,
            ("real", None) => Type::Real,
            ("path", Some("square")) => Type::Path(PathOf::Squares),
            ("path", Some("direction")) => Type::Path(PathOf::Directions),
            _ => Type::Broken,
        }
    }

    fn check_type(&mut self, name: &TypeName) {
        if self.type_of(name) != Type::Broken {
            return;
        }
        let known = [
            "int",
            "bool",
            "square",
            "direction",
            "directions",
            "kind",
            "player",
            "set",
            "real",
            "path(square)",
            "path(direction)",
        ];
        let near = nearest(&name.name.text, known);
        self.report(
            Diagnostic::error(
                "unknown-type",
                name.name.span,
                format!("there is no type `{}`", name.name.text),
            )
            .label("not a type")
            .help(near.map_or_else(
                || format!("the types are {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            )),
        );
    }

    /// The function of a routine. It is put on a list at its first use, and not
    /// lowered at once: a chain of calls may be longer than the stack is deep.
    pub(crate) fn lower_routine(&mut self, routine: &Routine, mode: Mode) -> Func {
        let key = (routine.name.text.clone(), mode);
        if let Some(&func) = self.lowered.get(&key) {
            return func;
        }
        let func = self.reserve();
        self.lowered.insert(key, func);
        let foreign = self.of_rules.contains(&routine.name.text);
        let routine = routine.clone();
        self.pending.push(Pending { routine, mode, func, quiet: self.quiet, foreign });
        func
    }

    /// Lowers every routine that is used, and those that these use.
    pub(crate) fn lower_pending(&mut self) {
        let outside = (self.quiet, self.foreign);
        while let Some(Pending { routine, mode, func, quiet, foreign }) = self.pending.pop() {
            (self.quiet, self.foreign) = (quiet, foreign);
            self.write_routine(&routine, mode, func);
        }
        (self.quiet, self.foreign) = outside;
    }

    fn write_routine(&mut self, routine: &Routine, mode: Mode, func: Func) {
        let context = match routine.kind {
            RoutineKind::Function => Context::Function,
            RoutineKind::Procedure => Context::Lists,
            RoutineKind::Action => Context::Acts,
        };
        let name = match mode {
            Mode::Plain => routine.name.text.clone(),
            Mode::Takes(kind) => {
                format!("{}.takes.{}", routine.name.text, self.kinds[kind as usize])
            }
        };
        let mut b = Builder::new(&name, mode, context);
        b.heuristic = true;
        for (index, (param, ty)) in routine.params.iter().enumerate() {
            if mode == Mode::Plain
                && routine.params[..index].iter().any(|(it, _)| it.text == param.text)
            {
                self.duplicate(&param.text, param.span);
            }
            self.check_type(ty);
            let ty = self.type_of(ty);
            let var = b.var(ty);
            b.params.push(var);
            b.declare(&param.text, Local { ty, var, exists: false });
        }
        if let Some(returns) = &routine.returns {
            self.check_type(returns);
            let ty = self.type_of(returns);
            self.give_result(&mut b, ty);
        } else if let Mode::Takes(_) = mode {
            self.give_result(&mut b, Type::Bool);
        }
        self.stmts(&mut b, &routine.body);
        self.finish(b, func);
    }

    /// Gives a function a result register that holds something from the start,
    /// so that leaving without `return` is harmless.
    pub(crate) fn give_result(&mut self, b: &mut Builder, ty: Type) {
        let var = match ty {
            Type::Set => Var::Set(self.empty_set(b)),
            Type::Path(_) => {
                let dst = b.path();
                b.push(Inst::PathEmpty { dst });
                Var::Path(dst)
            }
            _ => Var::Int(b.constant(if ty.has_none() { -1 } else { 0 })),
        };
        b.result = Some((ty, var));
    }

    /// Puts a finished function in its place.
    pub(crate) fn finish(&mut self, mut b: Builder, func: Func) {
        b.close(ludex_ir::End::Return);
        if b.too_large() {
            let message = format!("`{}` is too long", b.name);
            let named = self.declared.iter().find(|(name, ..)| *name == b.name);
            let span = named.map(|(_, span, _)| *span).unwrap_or_default();
            self.report(
                Diagnostic::error("too-long", span, message)
                    .label("too many variables and branches for one algorithm")
                    .help("split it into several routines"),
            );
        }
        self.functions[func.0 as usize] = Some(b.finish());
    }
}

/// The type of a path's elements.
pub(crate) fn element_type(of: PathOf) -> Type {
    match of {
        PathOf::Squares => Type::Square,
        PathOf::Directions => Type::Direction,
    }
}
