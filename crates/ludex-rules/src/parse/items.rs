//! Declarations: the lines of a file that are not indented.

use ludex_diagnostics::{Diagnostic, Span};

use super::words::{DECLARATION_FORMS, DECLARATIONS, nearest};
use super::{Parsed, Parser};
use crate::ast::{
    Algorithm, CellIndex, CellType, Expr, ExprKind, File, Header, Item, ItemKind, ManDecl, Name,
    OptionRange, PlayerDecl, Routine, RoutineKind, TypeName, UnaryOp,
};
use crate::lex::TokenKind;

/// The types of parameters and results.
const TYPES: &[&str] =
    &["bool", "direction", "directions", "int", "kind", "path", "player", "real", "set", "square"];

/// The types of cells that are words.
const CELL_TYPES: &[&str] = &["bool", "kind", "player", "set", "square"];

impl Parser<'_> {
    /// The whole file.
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        let first = self.span();
        while !self.at(TokenKind::End) {
            let start = self.at;
            if self.at(TokenKind::Indent) {
                self.indented_item();
            } else if self.eat(TokenKind::Dedent) {
                // Of a line that was reported.
            } else if self.line_of_file(&mut file).is_err() {
                self.skip_item(start);
            }
        }
        if file.header.is_none() && self.diagnostics.iter().all(|it| it.code != "file-too-large") {
            self.missing_header(first);
        }
        file
    }

    fn line_of_file(&mut self, file: &mut File) -> Parsed<()> {
        let named = self.nth(1).kind == TokenKind::Text;
        self.remember_form(DECLARATION_FORMS);
        let beside = self.at_word("player") || self.at_word("goal");
        if self.at_word("game") || (beside && named) {
            return self.header(file);
        }
        let (first, start) = (self.at, self.span());
        let kind = self.item()?;
        let span = self.since(start);
        file.items.push(Item { kind, span });
        self.end_of_line(first)
    }

    fn header(&mut self, file: &mut File) -> Parsed<()> {
        let first = self.at;
        let start = self.bump().span;
        let is_goal = self.text_of(start) == "goal";
        let beside = is_goal || self.text_of(start) == "player";
        let title = self.text("the title in double quotes");
        let mut for_game = None;
        if beside && title.is_ok() {
            self.expect_word("for", "and the name of a game")?;
            for_game = Some(self.hyphenated("the name of a game")?);
        }
        let span = self.since(start);
        if file.header.is_some() || !file.items.is_empty() {
            let diagnostic = Diagnostic::error(
                "header-not-first",
                span,
                "this line comes first in its file, and only once",
            );
            self.report(if file.header.is_some() {
                diagnostic
                    .label("the file has such a line already")
                    .help("take one of the two away")
            } else {
                diagnostic
                    .label("not the first line")
                    .help("move it to the top, before all other declarations")
            });
        }
        let reported = title.is_err();
        let title = title.unwrap_or_default();
        file.header.get_or_insert(Header { title, for_game, is_goal, span });
        if reported {
            self.skip_item(first);
            return Ok(());
        }
        self.end_of_line(first)
    }

    fn missing_header(&mut self, first: Span) {
        self.report(
            Diagnostic::error("missing-header", first, "the file does not say what it is")
                .label("expected `game` here")
                .help("start the file with a line such as `game \"Chess\"`, or `player \"Anna\" for chess`"),
        );
    }

    /// A declaration that is indented.
    fn indented_item(&mut self) {
        let declares =
            self.nth_word(1).is_some_and(|word| DECLARATIONS.binary_search(&word).is_ok());
        self.unexpected_indent();
        if declares {
            self.bump();
        } else {
            // Statements whose header is missing or broken: one error is enough for all of them.
            self.skip_block();
        }
    }

    fn item(&mut self) -> Parsed<ItemKind> {
        let Some(word) = self.word() else { return self.unknown_declaration() };
        let read: fn(&mut Self) -> Parsed<ItemKind> = match word {
            "option" => Self::option,
            "board" => Self::board,
            "places" => Self::places,
            "players" => Self::players,
            "men" => Self::men,
            "cell" => Self::cell,
            "counter" => Self::counter,
            "history" => Self::history,
            "const" | "region" => Self::constant,
            "map" => Self::map,
            "start" => |p| Ok(ItemKind::Start(p.block("start"))),
            "function" | "procedure" | "action" => Self::routine,
            "moves" | "result" | "stuck" | "adjudicate" | "evaluate" | "features"
            | "candidates" => Self::algorithm,
            "illegal" => Self::illegal,
            "score" => Self::score_up_to,
            "search" => Self::search,
            "notation" => |p| Ok(ItemKind::Notation(p.block("notation"))),
            "expect" => |p| Ok(ItemKind::Expect(p.block("expect"))),
            _ => return self.unknown_declaration(),
        };
        self.bump();
        read(self)
    }

    /// The word that was read last: that of the declaration.
    fn declared(&self) -> &str {
        self.text_of(self.tokens[self.at - 1].span)
    }

    fn option(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the name of an option")?;
        self.expect(TokenKind::Assign, "and the usual value after the option")?;
        let default = self.operand()?;
        if !self.eat_word("in") {
            return Ok(ItemKind::Option { name, default, range: None });
        }
        let range = if self.at(TokenKind::LParen) { self.words()? } else { self.range()? };
        Ok(ItemKind::Option { name, default, range: Some(range) })
    }

    fn words(&mut self) -> Parsed<OptionRange> {
        self.expect(TokenKind::LParen, "before the choices")?;
        let words = self.list(|p| p.name("one of the choices, a word"))?;
        self.expect(TokenKind::RParen, "after the choices")?;
        Ok(OptionRange::Words(words))
    }

    fn range(&mut self) -> Parsed<OptionRange> {
        let lo = self.operand()?;
        self.expect(TokenKind::DotDot, "between the least and the greatest value")?;
        Ok(OptionRange::Numbers(lo, self.operand()?))
    }

    fn places(&mut self) -> Parsed<ItemKind> {
        Ok(ItemKind::Places(self.list(|p| p.name("the name of a place"))?))
    }

    fn players(&mut self) -> Parsed<ItemKind> {
        Ok(ItemKind::Players(self.list(|p| {
            let name = p.name("the name of a player")?;
            let forward = if p.eat_word("forward") {
                Some(p.name("a direction after `forward`")?)
            } else {
                None
            };
            Ok(PlayerDecl { name, forward })
        })?))
    }

    fn men(&mut self) -> Parsed<ItemKind> {
        Ok(ItemKind::Men(self.list(|p| {
            let name = p.name("the name of a kind of men")?;
            let neutral = p.eat_word("neutral");
            let mut symbols = Vec::new();
            while p.at(TokenKind::Text) {
                let span = p.bump().span;
                symbols.push((p.unquoted(span), span));
            }
            Ok(ManDecl { name, neutral, symbols })
        })?))
    }

    fn cell(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the name of a cell")?;
        let mut indices = Vec::new();
        while self.eat(TokenKind::LBracket) {
            indices.push(self.cell_index()?);
            self.expect(TokenKind::RBracket, "after what the cell is indexed by")?;
        }
        self.expect(TokenKind::Colon, "and a type after the cell")?;
        let ty = self.cell_type()?;
        let default = if self.eat(TokenKind::Assign) { Some(self.expr()?) } else { None };
        Ok(ItemKind::Cell { name, indices, ty, default })
    }

    fn cell_index(&mut self) -> Parsed<CellIndex> {
        let closed = self.nth(1).kind == TokenKind::RBracket;
        Ok(match self.word().filter(|_| closed) {
            Some("player") => {
                self.bump();
                CellIndex::Player
            }
            Some("kind") => {
                self.bump();
                CellIndex::Kind
            }
            _ => CellIndex::Number(self.expr()?),
        })
    }

    fn cell_type(&mut self) -> Parsed<CellType> {
        let ty = match self.word().unwrap_or_default() {
            "bool" => CellType::Bool,
            "square" => CellType::Square,
            "player" => CellType::Player,
            "kind" => CellType::Kind,
            "set" => CellType::Set,
            _ => return self.cell_range(),
        };
        self.bump();
        Ok(ty)
    }

    fn cell_range(&mut self) -> Parsed<CellType> {
        let start = self.token();
        let lo = self.operand()?;
        if self.eat(TokenKind::DotDot) {
            return Ok(CellType::Range(lo, self.operand()?));
        }
        let shown = self.text_of(lo.span);
        let diagnostic = Diagnostic::error(
            "unknown-type",
            lo.span,
            format!("a cell cannot be of type `{shown}`"),
        )
        .label("expected `bool`, `square`, `player`, `kind`, `set` or a range such as `0..9`");
        let diagnostic = match (shown, nearest(shown, CELL_TYPES)) {
            _ if start.kind != TokenKind::Name => {
                diagnostic.help(format!("a number has a range: `{shown}..9`"))
            }
            ("int" | "number" | "integer", _) => diagnostic.help("a number says its range: `0..9`"),
            (_, Some(meant)) => diagnostic.help(format!("did you mean `{meant}`?")),
            _ => diagnostic.help("see section 2.3 of the language page for what cells can hold"),
        };
        self.report(diagnostic);
        let broken = Expr::broken(lo.span);
        self.skip_to_line_end();
        Ok(CellType::Range(broken.clone(), broken))
    }

    fn skip_to_line_end(&mut self) {
        while !matches!(self.kind(), TokenKind::Newline | TokenKind::End) {
            self.bump();
        }
    }

    fn counter(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the name of a counter")?;
        self.expect_word("to", "and a limit after the counter")?;
        Ok(ItemKind::Counter { name, limit: self.expr()? })
    }

    fn history(&mut self) -> Parsed<ItemKind> {
        let whole = match self.word() {
            Some("position") => true,
            Some("board") => false,
            _ => {
                return self.unexpected_with(
                    "`position` or `board` after `history`",
                    "`history board` compares the squares only, `history position` also who is to move",
                );
            }
        };
        self.bump();
        Ok(ItemKind::History { whole })
    }

    /// `const` and `region`.
    fn constant(&mut self) -> Parsed<ItemKind> {
        let region = self.declared() == "region";
        let name =
            self.name(if region { "the name of a region" } else { "the name of a constant" })?;
        self.expect(TokenKind::Assign, "and a value after the name")?;
        let value = self.expr()?;
        Ok(if region { ItemKind::Region { name, value } } else { ItemKind::Const { name, value } })
    }

    fn map(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the name of a map")?;
        self.expect(TokenKind::Colon, "after the name of a map")?;
        let entries = self.list(|p| {
            let kind = p.name("a kind of man")?;
            p.expect(TokenKind::Arrow, "and a value after the kind")?;
            Ok((kind, p.expr()?))
        })?;
        Ok(ItemKind::Map { name, entries })
    }

    fn illegal(&mut self) -> Parsed<ItemKind> {
        self.expect_word("if", "after `illegal`")?;
        Ok(ItemKind::Illegal(self.expr()?))
    }

    fn score_up_to(&mut self) -> Parsed<ItemKind> {
        if !(self.eat_word("up") && self.eat_word("to")) {
            return self.unexpected_with(
                "`up to` after `score`",
                "outside of blocks, `score up to 100` says which score counts as 1; `score` as a statement belongs in `result`",
            );
        }
        Ok(ItemKind::ScoreUpTo(self.expr()?))
    }

    fn search(&mut self) -> Parsed<ItemKind> {
        let name = self.hyphenated("the name of a search")?;
        let mut settings = Vec::new();
        while self.at(TokenKind::Name) {
            let key = self.name("a setting of the search")?;
            self.expect(TokenKind::Assign, "and a value after the setting")?;
            settings.push((key, self.setting_value()?));
        }
        Ok(ItemKind::Search { name, settings })
    }

    /// A number, a word or a text: settings are separated by spaces, so their values are short.
    fn setting_value(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat(TokenKind::Minus) {
            let value = self.setting_atom()?;
            return Ok(Expr::new(
                ExprKind::Unary(UnaryOp::Neg, Box::new(value)),
                self.since(start),
            ));
        }
        self.setting_atom()
    }

    fn setting_atom(&mut self) -> Parsed<Expr> {
        let span = self.span();
        match self.kind() {
            TokenKind::Int | TokenKind::Real | TokenKind::Text => self.chain(),
            TokenKind::Name => {
                self.bump();
                let word = self.text_of(span);
                Ok(Expr::new(ExprKind::Name(word.to_owned()), span))
            }
            _ => self.unexpected("a number, a word or a text"),
        }
    }

    /// `moves`, `result` and the like.
    fn algorithm(&mut self) -> Parsed<ItemKind> {
        let word = self.declared().to_owned();
        let which = match word.as_str() {
            "moves" => Algorithm::Moves,
            "result" => Algorithm::Result,
            "stuck" => Algorithm::Stuck,
            "adjudicate" => Algorithm::Adjudicate,
            "features" => Algorithm::Features,
            "evaluate" if self.eat_word("for") => {
                self.expect_word("side", "after `evaluate for`")?;
                Algorithm::EvaluateForSide
            }
            "evaluate" => Algorithm::Evaluate,
            "candidates" if self.eat_word("only") => Algorithm::CandidatesOnly,
            _ => Algorithm::Candidates,
        };
        Ok(ItemKind::Algorithm { which, body: self.block(&word) })
    }

    /// `function`, `procedure`, `action`. After an error in the header the body is still read.
    fn routine(&mut self) -> Parsed<ItemKind> {
        let word = self.declared().to_owned();
        let kind = match word.as_str() {
            "function" => RoutineKind::Function,
            "procedure" => RoutineKind::Procedure,
            _ => RoutineKind::Action,
        };
        let name = self.name(&format!("the name of the {word}"))?;
        let params = self.parameters().unwrap_or_else(|_| {
            self.skip_to_line_end();
            Vec::new()
        });
        let returns = if kind == RoutineKind::Function { self.returns() } else { None };
        self.returns_nothing(&word);
        Ok(ItemKind::Routine(Routine { kind, name, params, returns, body: self.block(&word) }))
    }

    fn parameters(&mut self) -> Parsed<Vec<(Name, TypeName)>> {
        if !self.eat(TokenKind::LParen) {
            return self.unexpected_with(
                "`(` after the name",
                "parameters stand in brackets, `()` if there are none: `action flip()`, `action flip(a: square)`",
            );
        }
        if self.eat(TokenKind::RParen) {
            return Ok(Vec::new());
        }
        let params = self.list(|p| {
            let name = p.name("the name of a parameter")?;
            p.expect(TokenKind::Colon, "and a type after the parameter")?;
            Ok((name, p.type_name()?))
        })?;
        self.expect(TokenKind::RParen, "or `,` after a parameter")?;
        Ok(params)
    }

    fn returns(&mut self) -> Option<TypeName> {
        let typed = self.at(TokenKind::Colon)
            && self.nth_word(1).is_some_and(|word| !super::is_reserved(word));
        if typed {
            self.bump();
            return self.type_name().ok();
        }
        let span = self.span();
        self.report(
            Diagnostic::error("missing-type", span, "this function does not say what it gives")
                .label("expected `:` and a type")
                .help("write the type of the value it returns: `function f(a: square): int`"),
        );
        None
    }

    /// A type after a procedure or an action.
    fn returns_nothing(&mut self, word: &str) {
        let typed = self.at(TokenKind::Colon)
            && self.nth_word(1).is_some_and(|word| TYPES.binary_search(&word).is_ok())
            && self.nth(2).kind == TokenKind::Newline;
        if !typed {
            return;
        }
        let span = self.nth(1).span;
        self.report(
            Diagnostic::error("unexpected-type", span, format!("`{word}` gives no value"))
                .label("a type")
                .help("take the type away, or write `function`"),
        );
        self.bump();
        self.bump();
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        let name = self.name("a type")?;
        if TYPES.binary_search(&name.text.as_str()).is_err() {
            return self.unknown_type(&name);
        }
        let mut of = None;
        if name.text == "path" {
            self.expect(TokenKind::LParen, "and `square` or `direction` after `path`")?;
            of = Some(self.name("`square` or `direction`")?);
            self.expect(TokenKind::RParen, "after what the path is made of")?;
        }
        Ok(TypeName { name, of })
    }

    fn unknown_type<T>(&mut self, name: &Name) -> Parsed<T> {
        let text = &name.text;
        let diagnostic =
            Diagnostic::error("unknown-type", name.span, format!("there is no type `{text}`"))
                .label(format!("expected one of {}", TYPES.join(", ")));
        let meant = match text.as_str() {
            "number" | "integer" => Some("int"),
            "boolean" => Some("bool"),
            "float" | "double" => Some("real"),
            "cell" | "position" => Some("square"),
            "piece" | "man" => Some("kind"),
            other => nearest(other, TYPES),
        };
        self.fail(match meant {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
            None => diagnostic.help("section 3 of the language page lists the types"),
        })
    }
}
