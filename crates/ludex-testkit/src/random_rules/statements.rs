//! Random statements, for whatever block is being written.

use super::author::{Author, Section, Type};

impl Author<'_> {
    /// A few statements, at least one.
    pub(super) fn statements(&mut self, fuel: u32) {
        let before = self.text.len();
        for _ in 0..self.between(1, 3) {
            self.statement(fuel);
        }
        if self.text.len() == before {
            self.fill();
        }
    }

    /// Something that can stand alone in the present block.
    fn fill(&mut self) {
        let name = self.declare(Type::Int, true);
        self.line(&format!("let {name} = 1"));
    }

    fn statement(&mut self, fuel: u32) {
        if fuel == 0 {
            return self.simple();
        }
        match self.below(if self.on_board() { 17 } else { 9 }) {
            0 | 1 => self.simple(),
            2 | 3 => self.let_variable(),
            4 => self.assign(),
            5 | 6 => self.branch(fuel),
            7 => self.count_loop(fuel),
            8 => self.while_loop(fuel),
            9..=11 => self.set_loop(fuel),
            12 => self.direction_loop(fuel),
            13 => self.walk(fuel),
            14 => self.list_loop(fuel),
            15 => self.attempt(fuel),
            _ => self.simple(),
        }
    }

    /// A statement without a block of its own.
    fn simple(&mut self) {
        if self.in_loop && self.percent(15) {
            let condition = self.truth(1);
            let word = self.word(&["break", "continue"]);
            return self.line(&format!("if {condition}: {word}"));
        }
        match self.within {
            Section::Moves => self.random_move(),
            Section::Action => {
                let action = self.action();
                self.line(&action);
            }
            Section::End => self.random_outcome(),
            Section::Function | Section::Heuristic => {
                if self.percent(60) {
                    self.assign();
                } else {
                    self.let_variable();
                }
            }
        }
    }

    fn some_type(&mut self) -> Type {
        let types = if self.on_board() {
            &[
                Type::Int,
                Type::Int,
                Type::Bool,
                Type::Square,
                Type::Square,
                Type::Set,
                Type::Set,
                Type::Direction,
                Type::Directions,
                Type::Kind,
                Type::Player,
            ][..]
        } else {
            &[Type::Int, Type::Int, Type::Bool, Type::Player][..]
        };
        if self.reals && self.percent(40) {
            return Type::Real;
        }
        self.random.pick(types).copied().unwrap_or(Type::Int)
    }

    fn let_variable(&mut self) {
        let of = self.some_type();
        let value = self.value(of, 2);
        let name = self.declare(of, true);
        match (of, value.as_str()) {
            // What `none` is can only be told from a place that wants a type.
            (Type::Kind, "none") => self.line(&format!("let {name} = {}", self.sheet.kinds()[0])),
            _ => self.line(&format!("let {name} = {value}")),
        }
    }

    fn assign(&mut self) {
        let of = self.some_type();
        let Some(name) = self.variable_where(|it| it.of == of && it.assignable) else {
            return self.let_variable();
        };
        let value = self.value(of, 2);
        let sign = match of {
            Type::Int | Type::Set | Type::Real => self.word(&["=", "+=", "-="]),
            _ => "=".to_owned(),
        };
        self.line(&format!("{name} {sign} {value}"));
    }

    fn branch(&mut self, fuel: u32) {
        let condition = self.truth(2);
        self.block(&format!("if {condition}"), |it| it.statements(fuel - 1));
        if self.percent(25) {
            let condition = self.truth(1);
            self.block(&format!("elif {condition}"), |it| it.statements(fuel - 1));
        }
        if self.percent(30) {
            self.block("else", |it| it.statements(fuel - 1));
        }
    }

    fn count_loop(&mut self, fuel: u32) {
        let (low, high) = (self.below(3), self.below(5));
        let high = match self.variable(Type::Int) {
            Some(name) if self.percent(25) => format!("min({name}, {high})"),
            _ => high.to_string(),
        };
        let name = self.fresh("n");
        self.looped(&format!("for {name} in {low}..{high}"), |it| {
            it.see(&name, Type::Int);
            it.statements(fuel - 1);
        });
    }

    /// A `while` that nearly always ends: it counts, or it steps along a line.
    fn while_loop(&mut self, fuel: u32) {
        let condition = self.truth(1);
        if self.on_board() && self.percent(60) {
            let (from, way) = (self.square(1), self.direction());
            let name = self.declare(Type::Square, false);
            self.line(&format!("let {name} = {from}"));
            let pattern = self.pattern();
            self.looped(&format!("while {name} is {pattern}"), |it| {
                it.line(&format!("{name} = {name} + {way}"));
                if it.percent(50) {
                    it.statements(fuel - 1);
                }
            });
        } else {
            let name = self.declare(Type::Int, false);
            self.line(&format!("let {name} = 0"));
            self.looped(&format!("while {name} < {} and {condition}", fuel + 2), |it| {
                it.line(&format!("{name} += 1"));
                it.statements(fuel - 1);
            });
        }
    }

    /// Brings a variable with a given name into sight.
    pub(super) fn see(&mut self, name: &str, of: Type) {
        let assignable = self.percent(4);
        self.scope.push(super::author::Variable { name: name.to_owned(), of, assignable });
    }

    fn set_loop(&mut self, fuel: u32) {
        let set = self.set(if self.loops == 0 { 2 } else { 1 });
        let name = self.fresh("a");
        self.looped(&format!("for {name} in {set}"), |it| {
            it.see(&name, Type::Square);
            it.statements(fuel - 1);
        });
    }

    fn direction_loop(&mut self, fuel: u32) {
        let list = self.directions();
        let name = self.fresh("d");
        self.looped(&format!("for {name} in {list}"), |it| {
            it.see(&name, Type::Direction);
            it.statements(fuel - 1);
        });
    }

    fn walk(&mut self, fuel: u32) {
        let (from, way) = (self.square(1), self.direction());
        let name = self.fresh("b");
        self.looped(&format!("for {name} from {from} along {way}"), |it| {
            it.see(&name, Type::Square);
            if it.percent(60) {
                let pattern = it.pattern();
                it.line(&format!("if {name} is not {pattern}: break"));
            }
            it.statements(fuel - 1);
        });
    }

    fn list_loop(&mut self, fuel: u32) {
        let (of, stem, list) = match self.below(5) {
            0 => (Type::Kind, "k", "kinds".to_owned()),
            1 => (Type::Player, "p", "players".to_owned()),
            2 => (Type::Kind, "k", format!("[{}]", self.sheet.owned.join(", "))),
            _ => {
                let squares: Vec<String> = (0..self.between(2, 3))
                    .map(|_| format!("{}.{}", self.base(), self.one_word()))
                    .collect();
                (Type::Square, "c", format!("[{}]", squares.join(", ")))
            }
        };
        let name = self.fresh(stem);
        self.looped(&format!("for {name} in {list}"), |it| {
            it.see(&name, of);
            it.statements(fuel - 1);
        });
    }

    /// A square that a step can be written after.
    fn base(&mut self) -> String {
        self.variable(Type::Square)
            .or_else(|| self.name(&self.sheet.squares.clone()))
            .unwrap_or_else(|| "a1".to_owned())
    }

    fn attempt(&mut self, fuel: u32) {
        if self.within == Section::Action {
            return self.simple();
        }
        let actions: Vec<String> = (0..self.between(1, 2)).map(|_| self.action()).collect();
        self.block(&format!("try {}", actions.join(", ")), |it| it.statements(fuel - 1));
    }

    /// One action, on one line.
    pub(super) fn action(&mut self) -> String {
        match self.below(if self.on_board() { 14 } else { 5 }) {
            0..=2 => self.set_cell(),
            3 => match self.name(&self.sheet.counters.clone()) {
                Some(counter) => format!("reset {counter}"),
                None => self.set_cell(),
            },
            4 => self.set_cell(),
            5..=7 => format!("{} to {}", self.square(1), self.square(1)),
            8 => format!("take {}", self.square(1)),
            9 => format!("take {}", self.set(1)),
            10 | 11 => {
                let (man, squares) = (self.man_to_put(), self.targets());
                format!("put {man} on {squares}")
            }
            12 => {
                let (squares, kind) = (self.square(1), self.kind());
                format!("{squares} becomes {kind}")
            }
            _ => match self.random.pick(&self.sheet.actions).cloned() {
                Some(routine) => self.invoke(&routine.name, &routine.params, 1),
                None => {
                    let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
                    format!("({}) becomes my {kind}", self.set(1))
                }
            },
        }
    }

    fn targets(&mut self) -> String {
        if self.percent(50) { self.square(1) } else { self.set(1) }
    }

    /// A man as `put` wants it.
    pub(super) fn man_to_put(&mut self) -> String {
        let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        match (self.below(7), self.name(&self.sheet.neutral.clone())) {
            (0 | 1, Some(neutral)) => neutral,
            (2, _) => format!("their {kind}"),
            (3, _) => match self.variable(Type::Kind) {
                Some(kind) => format!("my {kind}"),
                None => format!("my {kind}"),
            },
            _ => format!("my {kind}"),
        }
    }

    /// Sets some cell; mostly so that a number stays in its range.
    pub(super) fn set_cell(&mut self) -> String {
        let Some(cell) = self.random.pick(&self.sheet.cells).cloned() else {
            return "pass".to_owned();
        };
        let (target, value) = (self.indexed(&cell), self.value(cell.of, 1));
        let sign = match cell.of {
            Type::Int if self.percent(10) => "=".to_owned(),
            Type::Int => self.word(&["+=", "-="]),
            Type::Set => self.word(&["=", "+=", "-="]),
            _ => "=".to_owned(),
        };
        format!("set {target} {sign} {value}")
    }
}
