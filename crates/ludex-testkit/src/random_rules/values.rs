//! Random expressions, by type. `fuel` bounds how deep they nest.

use super::author::{Author, Section, Type};
use super::board::Grid;
use super::material::{Cell, Index};

impl Author<'_> {
    /// An expression of a type.
    pub(super) fn value(&mut self, of: Type, fuel: u32) -> String {
        match of {
            Type::Int => self.int(fuel),
            Type::Bool => self.truth(fuel),
            Type::Square => self.square(fuel),
            Type::Direction => self.direction(),
            Type::Directions => self.directions(),
            Type::Kind => self.kind(),
            Type::Player => self.player(),
            Type::Set => self.set(fuel),
            Type::Real => self.real(fuel),
        }
    }

    /// Whether there is a board to speak of.
    pub(super) fn on_board(&self) -> bool {
        self.sheet.grid != Grid::None
    }

    /// A whole number.
    pub(super) fn int(&mut self, fuel: u32) -> String {
        if fuel == 0 {
            return self.plain_int();
        }
        match self.below(if self.on_board() { 18 } else { 9 }) {
            0..=3 => self.plain_int(),
            4 => self.call(Type::Int, fuel).unwrap_or_else(|| self.plain_int()),
            5 | 6 => {
                let sign = self.word(&["+", "-", "*", "/", "%", "+", "-"]);
                format!("({} {sign} {})", self.int(fuel - 1), self.int(fuel - 1))
            }
            7 => {
                let name = self.word(&["min", "max"]);
                format!("{name}({}, {})", self.int(fuel - 1), self.int(fuel - 1))
            }
            8 => {
                if self.percent(50) {
                    format!("abs({})", self.int(fuel - 1))
                } else {
                    format!("(-{})", self.int(fuel - 1))
                }
            }
            9..=13 => format!("count({})", self.set(fuel - 1)),
            14 if self.sheet.grid != Grid::Graph => {
                let what = self.word(&["rank", "file"]);
                format!("({}).{what}", self.square(fuel - 1))
            }
            15 => format!("distance({}, {})", self.square(fuel - 1), self.square(fuel - 1)),
            16 if !self.sheet.number_maps.is_empty() => format!("worth({})", self.kind()),
            _ => format!("count({})", self.pattern()),
        }
    }

    fn plain_int(&mut self) -> String {
        match self.below(8) {
            0..=2 => self.variable(Type::Int),
            3 | 4 => self.read_cell(Type::Int),
            5 => self.name(&self.sheet.counters.clone()),
            6 if self.sheet.has_history && self.within != Section::Moves => {
                Some("repeats".to_owned())
            }
            6 if self.within == Section::Heuristic => Some("depth".to_owned()),
            6 => self.name(&self.sheet.constants.clone()),
            _ => None,
        }
        .unwrap_or_else(|| self.below(7).to_string())
    }

    /// A truth value.
    pub(super) fn truth(&mut self, fuel: u32) -> String {
        if fuel == 0 {
            return self.plain_truth();
        }
        match self.below(if self.on_board() { 22 } else { 8 }) {
            0 | 1 => {
                let sign = self.word(&["==", "!=", "<", "<=", ">", ">="]);
                format!("{} {sign} {}", self.int(fuel - 1), self.int(fuel - 1))
            }
            2 => {
                let joint = self.word(&["and", "or"]);
                format!("({} {joint} {})", self.truth(fuel - 1), self.truth(fuel - 1))
            }
            3 => format!("not ({})", self.truth(fuel - 1)),
            4 => {
                let sign = self.word(&["==", "!="]);
                format!("{} {sign} {}", self.player(), self.player())
            }
            5 => self.call(Type::Bool, fuel).unwrap_or_else(|| self.plain_truth()),
            6 if self.reals => {
                let sign = self.word(&["<", "<=", "==", ">"]);
                format!("{} {sign} {}", self.real(fuel - 1), self.real(fuel - 1))
            }
            6 if self.within == Section::End && self.percent(40) => "no reply".to_owned(),
            6 | 7 => self.plain_truth(),
            8..=11 => {
                let word = self.word(&["is", "is", "is", "is not"]);
                format!("{} {word} {}", self.square(fuel - 1), self.pattern())
            }
            12 | 13 => {
                let word = self.word(&["in", "in", "not in"]);
                format!("{} {word} ({})", self.square(fuel - 1), self.set(fuel - 1))
            }
            14 | 15 => {
                let word = self.word(&["any", "no"]);
                format!("{word} ({})", self.set(fuel - 1))
            }
            16 => format!("{} == {}", self.square(fuel - 1), self.square(fuel - 1)),
            17 => format!("{} == {}", self.kind(), self.kind()),
            18 => {
                let sign = self.word(&["==", "!="]);
                format!("{} {sign} {}", self.direction(), self.direction())
            }
            19 => {
                let what = self.word(&["exists", "empty", "mine", "theirs", "occupied", "neutral"]);
                format!("({}).{what}", self.square(fuel - 1))
            }
            20 if self.within == Section::End => {
                let who = self.word(&["they", "we"]);
                let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
                format!("{who} could take {kind}")
            }
            _ => self.plain_truth(),
        }
    }

    fn plain_truth(&mut self) -> String {
        match self.below(6) {
            0..=2 => self.variable(Type::Bool),
            3 | 4 => self.read_cell(Type::Bool),
            _ => None,
        }
        .unwrap_or_else(|| match self.below(4) {
            0 => self.word(&["yes", "no"]),
            1 => "me == to_move".to_owned(),
            _ => format!("{} > {}", self.plain_int(), self.below(4)),
        })
    }

    /// A square or none.
    pub(super) fn square(&mut self, fuel: u32) -> String {
        let plain = |author: &mut Self| {
            author.variable(Type::Square).unwrap_or_else(|| author.plain_square())
        };
        if fuel == 0 {
            return plain(self);
        }
        match self.below(14) {
            0..=4 => plain(self),
            5 | 6 => {
                let (from, step) = (self.square(fuel - 1), self.one_word());
                format!("({from}).{step}")
            }
            7 => {
                let (from, one, other) = (plain(self), self.one_word(), self.one_word());
                format!("({from}).{one}.{other}")
            }
            8 | 9 => format!("({} + {})", self.square(fuel - 1), self.direction()),
            10 => {
                let sign = self.word(&["+", "-"]);
                match self.variable(Type::Direction) {
                    Some(way) => {
                        let times = self.int(fuel - 1);
                        format!("({} + {times} * {way})", plain(self))
                    }
                    None => format!("({} {sign} {})", plain(self), self.direction()),
                }
            }
            11 => format!("first({})", self.set(fuel - 1)),
            12 => self.call(Type::Square, fuel).unwrap_or_else(|| plain(self)),
            _ => self.plain_square(),
        }
    }

    fn plain_square(&mut self) -> String {
        match self.below(8) {
            0..=2 => self.read_cell(Type::Square),
            3 if self.sheet.grid != Grid::Graph => {
                Some(format!("at({}, {})", self.int(0), self.int(0)))
            }
            4 => self.name(&self.sheet.places.clone()),
            5 => Some("first(mine & theirs)".to_owned()),
            _ => None,
        }
        .or_else(|| self.name(&self.sheet.squares.clone()))
        .unwrap_or_else(|| "first(mine & theirs)".to_owned())
    }

    /// A direction that has a name.
    pub(super) fn one_word(&mut self) -> String {
        self.name(&self.sheet.directions.clone()).unwrap_or_default()
    }

    /// A direction.
    pub(super) fn direction(&mut self) -> String {
        match self.below(6) {
            0..=2 => self.variable(Type::Direction),
            3 => self.variable(Type::Direction).map(|it| format!("(-{it})")),
            4 => self.call(Type::Direction, 1),
            _ => None,
        }
        .unwrap_or_else(|| format!("({})", self.constant_direction()))
    }

    /// A list of directions.
    pub(super) fn directions(&mut self) -> String {
        match self.below(6) {
            0..=2 => self.variable(Type::Directions),
            3 => Some(format!("[{}]", self.some_directions().join(", "))),
            _ => None,
        }
        .or_else(|| self.name(&self.sheet.lists.clone()))
        .unwrap_or_else(|| "orthogonal".to_owned())
    }

    /// A kind or none.
    pub(super) fn kind(&mut self) -> String {
        match self.below(7) {
            0..=1 => self.variable(Type::Kind),
            2 => self.variable(Type::Square).map(|it| format!("{it}.kind")),
            3 => self.read_cell(Type::Kind),
            4 if !self.sheet.kind_maps.is_empty() => {
                self.variable(Type::Square).map(|it| format!("grown({it}.kind)"))
            }
            _ => None,
        }
        .or_else(|| self.name(&self.sheet.kinds()))
        .unwrap_or_else(|| "none".to_owned())
    }

    /// A player or none.
    pub(super) fn player(&mut self) -> String {
        match self.below(9) {
            0..=1 => self.variable(Type::Player),
            2 => self.variable(Type::Square).map(|it| format!("{it}.owner")),
            3 => self.read_cell(Type::Player),
            4 => Some("to_move".to_owned()),
            5 => Some("opponent".to_owned()),
            6 => Some("next(me)".to_owned()),
            7 if self.within == Section::Heuristic => Some("side".to_owned()),
            8 => self.name(&self.sheet.players.clone()),
            _ => None,
        }
        .unwrap_or_else(|| "me".to_owned())
    }

    /// What may stand on a square.
    pub(super) fn pattern(&mut self) -> String {
        let kinds = self.sheet.kinds();
        let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        match self.below(14) {
            0 | 1 => "empty".to_owned(),
            2 | 3 => "mine".to_owned(),
            4 | 5 => "theirs".to_owned(),
            6 => self.word(&["occupied", "neutral"]),
            7 => format!("my {kind}"),
            8 => format!("their {kind}"),
            9 => self.name(&kinds).unwrap_or(kind),
            10 if self.sheet.owned.len() > 1 => {
                let whose = self.word(&["my ", "their ", ""]);
                format!("{whose}({})", self.sheet.owned[..2].join(", "))
            }
            11 => format!("{} {kind}", self.name(&self.sheet.players.clone()).unwrap_or_default()),
            12 => match (self.variable(Type::Player), self.variable(Type::Kind)) {
                (Some(player), Some(kind)) => format!("{player} {kind}"),
                (None, Some(kind)) => format!("my {kind}"),
                (Some(player), None) => format!("{player} {kind}"),
                (None, None) => "empty".to_owned(),
            },
            _ => self.word(&["mine", "empty"]),
        }
    }

    /// A set of squares.
    pub(super) fn set(&mut self, fuel: u32) -> String {
        if fuel == 0 {
            return self.plain_set();
        }
        match self.below(20) {
            0..=4 => self.plain_set(),
            5..=8 => {
                let sign = self.word(&["|", "&", "&", "-"]);
                format!("({} {sign} {})", self.set(fuel - 1), self.set(fuel - 1))
            }
            9 => format!("~({})", self.set(fuel - 1)),
            10 => format!("shift({}, {})", self.set(fuel - 1), self.direction()),
            11 | 12 => format!("neighbours({}, {})", self.set(fuel - 1), self.directions()),
            13 => format!("neighbours({}, {})", self.square(fuel - 1), self.directions()),
            14 => {
                let (from, within) = (self.set(fuel - 1), self.set(fuel - 1));
                format!("flood({from}, {within}, {})", self.directions())
            }
            15 => {
                let (from, way) = (self.square(fuel - 1), self.direction());
                format!("line({from}, {way}, {})", self.int(0))
            }
            16 => format!("axis({}, {})", self.square(fuel - 1), self.one_word()),
            17 => format!("between({}, {})", self.square(fuel - 1), self.square(fuel - 1)),
            18 => self.call(Type::Set, fuel).unwrap_or_else(|| self.plain_set()),
            _ => format!("{{{}, {}}}", self.square(fuel - 1), self.square(fuel - 1)),
        }
    }

    fn plain_set(&mut self) -> String {
        match self.below(12) {
            0 | 1 => self.variable(Type::Set),
            2 | 3 => self.read_cell(Type::Set),
            4 | 5 => self.name(&self.sheet.regions.clone()),
            6 => Some(self.constant_set(1, self.sheet.has_forward)),
            _ => None,
        }
        .unwrap_or_else(|| self.pattern_set())
    }

    /// The squares that fit a pattern; a kind by itself is one only where a set is wanted.
    fn pattern_set(&mut self) -> String {
        let pattern = self.pattern();
        if self.sheet.kinds().contains(&pattern) {
            format!("({pattern} | {})", self.word(&["mine", "theirs", "empty", "{}"]))
        } else {
            pattern
        }
    }

    /// A real number.
    pub(super) fn real(&mut self, fuel: u32) -> String {
        if fuel == 0 {
            return match self.variable(Type::Real) {
                Some(name) if self.percent(60) => name,
                _ => format!("{}.{}", self.below(4), self.between(1, 9)),
            };
        }
        match self.below(11) {
            0..=2 => {
                let sign = self.word(&["+", "-", "*", "/"]);
                format!("({} {sign} {})", self.real(fuel - 1), self.real(fuel - 1))
            }
            3 => {
                let name = self.word(&["min", "max"]);
                format!("{name}({}, {})", self.real(fuel - 1), self.real(fuel - 1))
            }
            4 => {
                let name = self.word(&["exp", "tanh", "sqrt", "abs"]);
                format!("{name}({})", self.real(fuel - 1))
            }
            5 => format!("(-{})", self.real(fuel - 1)),
            6 => self.call(Type::Real, fuel).unwrap_or_else(|| self.real(0)),
            7 | 8 => format!("real({})", self.int(fuel - 1)),
            _ => self.real(0),
        }
    }

    /// The value of a cell of a type, if there is one.
    pub(super) fn read_cell(&mut self, of: Type) -> Option<String> {
        let fitting: Vec<Cell> =
            self.sheet.cells.iter().filter(|it| it.of == of).cloned().collect();
        let cell = self.random.pick(&fitting)?.clone();
        Some(self.indexed(&cell))
    }

    /// A cell with its indices.
    pub(super) fn indexed(&mut self, cell: &Cell) -> String {
        let name = &cell.name;
        match cell.index {
            Index::None => name.clone(),
            Index::Player => format!("{name}[{}]", self.player()),
            Index::Kind => format!("{name}[{}]", self.kind()),
            Index::PlayerAndKind => format!("{name}[{}][{}]", self.player(), self.kind()),
            Index::Number(_) => format!("{name}[{}]", self.int(0)),
        }
    }

    /// A call of a function that gives a type, now and then for another player.
    fn call(&mut self, gives: Type, fuel: u32) -> Option<String> {
        // Deep in loops a call may cost too much.
        if self.loops > 2 {
            return None;
        }
        let fitting: Vec<_> =
            self.sheet.functions.iter().filter(|it| it.gives == Some(gives)).cloned().collect();
        let routine = self.random.pick(&fitting)?.clone();
        let call = self.invoke(&routine.name, &routine.params, fuel.saturating_sub(1));
        Some(match self.below(5) {
            0 => format!("({call} as opponent)"),
            1 => format!("({call} as {})", self.player()),
            _ => call,
        })
    }

    /// A routine's name and arguments.
    pub(super) fn invoke(&mut self, name: &str, params: &[Type], fuel: u32) -> String {
        let args: Vec<String> = params.iter().map(|&of| self.value(of, fuel.min(1))).collect();
        format!("{name}({})", args.join(", "))
    }
}
