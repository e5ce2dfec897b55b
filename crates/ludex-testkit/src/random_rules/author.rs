//! The author of a random file: its text, what has been declared, and the
//! variables in sight.

use ludex_core::Random;

use super::material::Sheet;

/// The types of values that random statements deal with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Bool,
    Square,
    Direction,
    Directions,
    Kind,
    Player,
    Set,
    Real,
}

impl Type {
    /// How the type is written.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Bool => "bool",
            Self::Square => "square",
            Self::Direction => "direction",
            Self::Directions => "directions",
            Self::Kind => "kind",
            Self::Player => "player",
            Self::Set => "set",
            Self::Real => "real",
        }
    }
}

/// Which block is being written: it decides which statements and questions may stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// `moves` and procedures.
    Moves,
    /// Functions and `illegal`.
    Function,
    /// The block of a move, and actions.
    Action,
    /// `result`, `stuck` and `adjudicate`.
    End,
    /// Evaluations, features, candidates.
    Heuristic,
}

/// A variable in sight.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) of: Type,
    /// Whether statements may give it another value.
    pub(super) assignable: bool,
}

/// A random file while it is being written.
pub(super) struct Author<'r> {
    pub(super) random: &'r mut Random,
    pub(super) text: String,
    pub(super) sheet: Sheet,
    pub(super) within: Section,
    pub(super) scope: Vec<Variable>,
    /// Sets and reals declared before this place of the scope cannot be seen: no move remembers them.
    pub(super) forgotten: usize,
    /// How many loops are open.
    pub(super) loops: u32,
    /// Whether `break` and `continue` may stand here.
    pub(super) in_loop: bool,
    /// Whether reals may be used.
    pub(super) reals: bool,
    indent: usize,
    fresh: u32,
}

impl<'r> Author<'r> {
    pub(super) fn new(random: &'r mut Random) -> Self {
        Self {
            random,
            text: String::new(),
            sheet: Sheet::default(),
            within: Section::Function,
            scope: Vec::new(),
            forgotten: 0,
            loops: 0,
            in_loop: false,
            reals: false,
            indent: 0,
            fresh: 0,
        }
    }

    /// Writes a line at the present indentation.
    pub(super) fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes a header and then, indented, what `body` writes; variables of it are forgotten.
    pub(super) fn block(&mut self, header: &str, body: impl FnOnce(&mut Self)) {
        self.line(header);
        let (seen, looped) = (self.scope.len(), self.in_loop);
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.scope.truncate(seen);
        self.in_loop = looped;
    }

    /// Writes a loop.
    pub(super) fn looped(&mut self, header: &str, body: impl FnOnce(&mut Self)) {
        self.loops += 1;
        self.block(header, |author| {
            author.in_loop = true;
            body(author);
        });
        self.loops -= 1;
    }

    /// Writes a top-level block of some kind.
    pub(super) fn section(&mut self, within: Section, header: &str, body: impl FnOnce(&mut Self)) {
        self.text.push('\n');
        self.within = within;
        self.loops = 0;
        self.in_loop = false;
        self.block(header, body);
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.random.below(bound)
    }

    /// A number of a range, both ends included.
    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.random.below(high - low + 1)
    }

    /// Yes in `chance` cases of a hundred.
    pub(super) fn percent(&mut self, chance: u32) -> bool {
        self.random.below(100) < chance
    }

    /// One of some words.
    pub(super) fn word(&mut self, words: &[&str]) -> String {
        self.random.pick(words).map_or_else(String::new, |it| (*it).to_owned())
    }

    /// One of some names.
    pub(super) fn name(&mut self, names: &[String]) -> Option<String> {
        self.random.pick(names).cloned()
    }

    /// A name that nothing has yet.
    pub(super) fn fresh(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}_{}", self.fresh)
    }

    /// Brings a new variable into sight and gives its name.
    pub(super) fn declare(&mut self, of: Type, assignable: bool) -> String {
        let name = self.fresh("v");
        self.scope.push(Variable { name: name.clone(), of, assignable });
        name
    }

    /// A variable of a type, if one is in sight.
    pub(super) fn variable(&mut self, of: Type) -> Option<String> {
        self.variable_where(|it| it.of == of)
    }

    /// A variable in sight that meets a condition.
    pub(super) fn variable_where(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<String> {
        let forgotten = self.forgotten;
        let visible: Vec<String> = self
            .scope
            .iter()
            .enumerate()
            .filter(|(at, it)| !matches!(it.of, Type::Set | Type::Real) || *at >= forgotten)
            .filter(|(_, it)| fits(it))
            .map(|(_, it)| it.name.clone())
            .collect();
        // The nearest variables are the most interesting ones.
        let near = visible.len().saturating_sub(3);
        self.random.pick(&visible[near..]).cloned()
    }
}
