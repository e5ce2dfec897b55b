//! Reading a whole program. The limits of [`program`](crate::program) hold
//! here already.

use std::collections::BTreeSet;

use super::lex::TokenKind;
use super::parser::{MAX_NUMBERS, ParseError, Parser, Result};
use crate::bits::Bits;
use crate::inst::Func;
use crate::program::{
    Array, Direction, Function, IndexKind, Look, MAX_CELLS, MAX_MEN, MAX_PLAYERS, MAX_SQUARES,
    MAX_STATEMENTS, Man, Operand, PositionField, Program, RoleFunctions, SetFamily, Statement,
    Table,
};

impl Program {
    /// Reads what `Display` prints. Sections may come in another order (`game` first, `squares`
    /// before families, `look` last), and what is empty or unset may be left out. Says nothing about
    /// whether the program makes sense: that is [`verify`](crate::verify()).
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser::new(text)?;
        parser.program()
    }
}

impl Function {
    /// Reads what `Display` prints of one function.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser::new(text)?;
        parser.expect("function")?;
        if matches!(parser.peek(), Some(TokenKind::Word(_))) {
            parser.id::<u16>("f")?;
        }
        let function = parser.function_body()?;
        parser.done()?;
        Ok(function)
    }
}

/// Sections of a program.
impl Parser<'_> {
    fn program(&mut self) -> Result<Program> {
        self.expect("game")?;
        let mut program = Program { title: self.text()?, ..Program::default() };
        let mut seen = BTreeSet::new();
        while self.peek().is_some() {
            let start = self.at;
            let word = self.word()?;
            let many = matches!(
                word,
                "man"
                    | "array"
                    | "statement"
                    | "function"
                    | "direction"
                    | "list"
                    | "table"
                    | "family"
            );
            if !many && !seen.insert(word.to_owned()) {
                self.at = start;
                return self.fail(format!("`{word}` comes twice"));
            }
            if !self.header(&mut program, word)? && !self.data(&mut program, word)? {
                self.at = start;
                return self.wanted("a section of a program");
            }
        }
        Ok(program)
    }

    fn header(&mut self, program: &mut Program, word: &str) -> Result<bool> {
        match word {
            "players" => {
                program.players = self.texts()?;
                self.limit(program.players.len(), MAX_PLAYERS, "players")?;
            }
            "kinds" => program.kinds = self.texts()?,
            "squares" => {
                program.squares = self.number()?;
                self.limit(program.squares, MAX_SQUARES, "squares")?;
            }
            "history" => program.history = self.value()?,
            "features" => program.features = self.texts()?,
            "score_up_to" => program.score_up_to = Some(self.number()?),
            "man" => {
                let owner = if self.eat("none") { None } else { Some(self.number()?) };
                program.men.push(Man { owner, kind: self.number()?, symbol: self.text()? });
                self.limit(program.men.len(), MAX_MEN, "men")?;
            }
            "array" => {
                self.next_id("a", program.arrays.len())?;
                program.arrays.push(self.array()?);
                self.limit(program.arrays.len(), MAX_CELLS, "arrays")?;
            }
            "statement" => {
                self.next_id("m", program.statements.len())?;
                program.statements.push(self.statement()?);
                self.limit(program.statements.len(), MAX_STATEMENTS, "move statements")?;
            }
            "roles" => self.roles(&mut program.roles)?,
            "function" => {
                self.next_id("f", program.functions.len())?;
                program.functions.push(self.function_body()?);
                self.limit(program.functions.len(), u16::MAX as usize + 1, "functions")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn data(&mut self, program: &mut Program, word: &str) -> Result<bool> {
        match word {
            "start" => program.start = self.numbers(MAX_CELLS)?,
            "direction" => {
                self.next_id("d", program.geometry.directions.len())?;
                program.geometry.directions.push(self.direction()?);
            }
            "list" => {
                self.next_id("l", program.geometry.lists.len())?;
                program.geometry.lists.push(self.numbers(u16::MAX as usize)?);
            }
            "table" => {
                self.next_id("t", program.tables.len())?;
                program.tables.push(Table {
                    name: self.text()?,
                    rows: self.number()?,
                    columns: self.number()?,
                    data: self.numbers(MAX_NUMBERS)?,
                });
            }
            "family" => {
                self.next_id("c", program.families.len())?;
                let family = self.family(program.squares)?;
                program.families.push(family);
            }
            "look" => self.look(&mut program.look)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn array(&mut self) -> Result<Array> {
        let name = self.text()?;
        let role = self.value()?;
        self.expect("[")?;
        let mut indices = Vec::new();
        while !self.eat("]") {
            indices.push(if self.eat("player") {
                IndexKind::Player
            } else if self.eat("kind") {
                IndexKind::Kind
            } else {
                IndexKind::Number(self.number()?)
            });
        }
        Ok(Array {
            name,
            role,
            indices,
            base: self.labelled("base")?,
            len: self.labelled("cells")?,
            lo: self.labelled("from")?,
            hi: self.labelled("to")?,
            default: self.labelled("default")?,
        })
    }

    fn labelled<T: TryFrom<i64>>(&mut self, label: &str) -> Result<T> {
        self.expect(label)?;
        self.number()
    }

    fn statement(&mut self) -> Result<Statement> {
        let effect = Func(self.id("f")?);
        let operands =
            self.parenthesised(|it| Ok(Operand { kind: it.value()?, name: it.text()? }))?;
        let (quiet, twins) = (self.eat("quiet"), self.eat("twins"));
        Ok(Statement { operands, effect, quiet, twins, place: self.place()? })
    }

    fn roles(&mut self, roles: &mut RoleFunctions) -> Result<()> {
        loop {
            if self.eat("royal") {
                roles.royal = Some(self.number()?);
            } else if self.eat("evaluate_for_side") {
                roles.evaluate_for_side = true;
            } else if self.eat("candidates_only") {
                roles.candidates_only = true;
            } else if !self.role(roles)? {
                return Ok(());
            }
        }
    }

    /// A role and its function, if that comes next.
    fn role(&mut self, roles: &mut RoleFunctions) -> Result<bool> {
        // Two words: `features "a"` is another section.
        let (Some(&TokenKind::Word(word)), Some(TokenKind::Word(_))) =
            (self.peek(), self.peek_second())
        else {
            return Ok(false);
        };
        let role = match word {
            "result" => &mut roles.result,
            "stuck" => &mut roles.stuck,
            "adjudicate" => &mut roles.adjudicate,
            "illegal" => &mut roles.illegal,
            "evaluate" => &mut roles.evaluate,
            "features" => &mut roles.features,
            "candidates" => &mut roles.candidates,
            "moves" => &mut None,
            _ => return Ok(false),
        };
        self.word()?;
        let func = Func(self.id("f")?);
        *role = Some(func);
        if word == "moves" {
            roles.moves = func;
        }
        Ok(true)
    }

    fn direction(&mut self) -> Result<Direction> {
        let name = self.text()?;
        let compass = self.eat("compass");
        self.expect("opposite")?;
        let opposite = self.id("d")?;
        Ok(Direction { name, compass, opposite, steps: self.numbers(MAX_SQUARES)? })
    }

    fn family(&mut self, squares: usize) -> Result<SetFamily> {
        let name = self.text()?;
        let mut sets = Vec::new();
        loop {
            if self.eat("{") {
                let mut set = Bits::empty(squares);
                let members: Vec<u16> = self.numbers(MAX_SQUARES)?;
                if members.iter().any(|&it| it as usize >= set.words.len() * 64) {
                    return self.fail(format!("the board has only {squares} squares"));
                }
                for &it in &members {
                    set.insert(it as usize);
                }
                self.expect("}")?;
                sets.push(set);
            } else if self.eat("words") {
                self.expect("[")?;
                let words: Vec<i64> = self.numbers(MAX_SQUARES)?;
                self.expect("]")?;
                sets.push(Bits { words: words.iter().map(|&word| word as u64).collect() });
            } else {
                return Ok(SetFamily { name, sets });
            }
        }
    }

    fn look(&mut self, look: &mut Look) -> Result<()> {
        loop {
            if self.eat("grid") {
                look.grid = self.value()?;
                (look.columns, look.rows) = (self.number()?, self.number()?);
            } else if self.eat("at") {
                look.at = self.numbers(MAX_CELLS)?;
            } else if self.eat("edges") {
                look.edges = self.edges()?;
            } else if self.eat("position") {
                look.position = Some(self.position()?);
            } else if self.eat("notations") {
                look.notations = self.texts()?;
            } else if matches!(self.peek_second(), Some(TokenKind::Text(_))) {
                match self.word()? {
                    "squares" => look.squares = self.texts()?,
                    "kinds" => look.kinds = self.texts()?,
                    "players" => look.players = self.texts()?,
                    _ => {
                        self.at -= 1;
                        return Ok(());
                    }
                }
            } else {
                return Ok(());
            }
        }
    }

    fn edges(&mut self) -> Result<Vec<(u16, u16)>> {
        let mut edges = Vec::new();
        while self.eat("(") {
            edges.push((self.number()?, self.number()?));
            self.expect(")")?;
        }
        Ok(edges)
    }

    fn position(&mut self) -> Result<Vec<PositionField>> {
        let mut fields = Vec::new();
        loop {
            fields.push(if self.eat("board") {
                PositionField::Board
            } else if self.eat("turn") {
                PositionField::Turn
            } else if self.eat("flags") {
                self.expect("(")?;
                let mut flags = Vec::new();
                while !self.eat(")") {
                    flags.push((self.text()?, self.number()?));
                }
                PositionField::Flags(flags)
            } else if self.eat("cell") {
                PositionField::Cell(self.number()?)
            } else if self.eat("text") {
                PositionField::Text(self.text()?)
            } else {
                return Ok(fields);
            });
        }
    }
}
