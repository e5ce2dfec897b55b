//! Moves: idioms of real games with random parts, and random ones.

use super::author::{Author, Section, Type};
use super::board::Grid;

impl Author<'_> {
    /// Writes `moves`, the routines that its idioms need, and what is illegal.
    pub(super) fn moves(&mut self) {
        if !self.on_board() {
            return self.moves_without_board();
        }
        let chains = self.percent(18);
        let groups = self.percent(15);
        if chains {
            self.chain_procedure();
        }
        if groups {
            self.group_action();
        }
        self.section(Section::Moves, "moves", |author| {
            if chains {
                author.chain_call();
            }
            if groups {
                author.line("for a in empty: move put_and_clear(a), write a");
            }
            for _ in 0..author.between(1, 3) {
                author.idiom();
            }
            if author.percent(40) {
                author.drops();
            }
            if author.percent(35) {
                author.statements(3);
            }
            if author.percent(15) {
                author.line("move pass");
            }
        });
        if self.percent(25) {
            self.illegal();
        }
    }

    fn moves_without_board(&mut self) {
        self.section(Section::Moves, "moves", |author| {
            author.looped("for k in 1..3", |author| {
                author.see("k", Type::Int);
                let cell = author.read_cell(Type::Int).unwrap_or_default();
                author.line(&format!("if {cell} >= k: move set {cell} -= k, write k"));
            });
            author.statements(3);
            author.line("move pass");
        });
    }

    fn illegal(&mut self) {
        self.text.push('\n');
        self.within = Section::Function;
        let king = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        match self.below(5) {
            0 => self.line("illegal if count(mine) > 40"),
            4 => self.danger(&king),
            1 if self.sheet.has_history => self.line("illegal if repeats >= 1"),
            1 => {
                let condition = self.truth(1);
                self.line(&format!("illegal if {condition}"));
            }
            _ => self.line(&format!("illegal if they could take {king}")),
        }
    }

    /// What is illegal hangs on a set that is made anew in each round of a loop, or added to.
    fn danger(&mut self, king: &str) {
        let list = self.directions();
        let sign = self.word(&["=", "+="]);
        let men = if self.percent(50) { "mine".to_owned() } else { format!("my {king}") };
        self.section(Section::Function, "function danger(): bool", |author| {
            author.line("let near = {}");
            author.line(&format!("for a in {men}: near {sign} neighbours(a, {list})"));
            author.line("return any near & theirs");
        });
        self.line("illegal if danger()");
    }

    /// A paragraph that lists moves as real games do.
    fn idiom(&mut self) {
        match self.below(17) {
            0 => self.leaper(),
            1 | 2 => self.slider(),
            3 if self.sheet.has_forward && self.sheet.grid == Grid::Square => self.pawn(),
            4 | 5 => self.drops(),
            6 => self.shooter(),
            7 => self.enclosing(),
            8 => self.jumper(),
            9 => self.two_step_line(),
            10 => self.drops_from_hand(),
            11 => self.call_procedure(),
            12 => self.lists_of_squares(),
            13 => self.retreat(),
            14 => self.come_from_afar(),
            15 => self.tried_drops(),
            _ => self.stepper(),
        }
    }

    /// Whose men a loop goes through.
    fn some_men(&mut self) -> String {
        let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        match self.below(5) {
            0 => format!("my {kind}"),
            1 => {
                let set = self.set(1);
                format!("mine & ({set})")
            }
            2 => format!("mine - {}", self.pattern()),
            _ => "mine".to_owned(),
        }
    }

    /// A loop over some of my men, with the variable `a`.
    fn for_men(&mut self, body: impl FnOnce(&mut Self)) {
        let men = self.some_men();
        self.looped(&format!("for a in {men}"), |author| {
            author.see("a", Type::Square);
            body(author);
        });
    }

    /// A loop over directions, with the variable `d`.
    fn for_directions(&mut self, body: impl FnOnce(&mut Self)) {
        let list = self.directions();
        self.looped(&format!("for d in {list}"), |author| {
            author.see("d", Type::Direction);
            body(author);
        });
    }

    /// What a move does besides, each with a comma before it.
    fn besides(&mut self) -> String {
        let forgotten = std::mem::replace(&mut self.forgotten, self.scope.len());
        let mut more = String::new();
        if self.percent(30) {
            more.push_str(&format!(", {}", self.set_cell()));
        }
        if self.percent(15) {
            more.push_str(", irreversible");
        }
        if let Some(counter) = self.name(&self.sheet.counters.clone())
            && self.percent(30)
        {
            more.push_str(&format!(", reset {counter}"));
        }
        if self.percent(8) {
            more.push_str(&format!(", next {}", self.player()));
        }
        if self.percent(10) {
            more.push_str(&format!(", {}", self.action()));
        }
        self.forgotten = forgotten;
        more
    }

    /// A condition that is met by most squares worth going to.
    fn fit(&mut self, square: &str) -> String {
        match self.below(6) {
            0 => format!("{square} is not mine"),
            1 => format!("{square} is theirs"),
            2 => format!("{square} in {}", self.set(1)),
            3 => format!("{square} is empty and {}", self.truth(1)),
            _ => format!("{square} is empty"),
        }
    }

    fn stepper(&mut self) {
        self.for_men(|author| {
            if author.percent(50) {
                let (list, off) =
                    (author.directions(), author.word(&["- mine", "& empty", "- occupied"]));
                author.looped(&format!("for b in neighbours(a, {list}) {off}"), |author| {
                    author.see("b", Type::Square);
                    let more = author.besides();
                    author.line(&format!("move a to b{more}"));
                });
            } else {
                author.for_directions(|author| {
                    author.line("let b = a + d");
                    author.see("b", Type::Square);
                    author.step_moves();
                });
            }
        });
    }

    /// What a man on `a` may do about `b`.
    fn step_moves(&mut self) {
        let (fit, more) = (self.fit("b"), self.besides());
        self.line(&format!("if {fit}: move a to b{more}"));
        if self.percent(40) {
            let more = self.besides();
            self.line(&format!("if b is theirs: move a to b{more}"));
        }
        if self.percent(15) {
            self.promotion();
        }
    }

    fn promotion(&mut self) {
        let kinds = self.sheet.owned.join(", ");
        self.looped(&format!("for k in [{kinds}]"), |author| {
            author.see("k", Type::Kind);
            let more = author.besides();
            author.line(&format!("if b is empty: move a to b, b becomes k{more}"));
        });
    }

    fn leaper(&mut self) {
        self.for_men(|author| {
            author.for_directions(|author| {
                let more = author.besides();
                if author.percent(50) {
                    author.line(&format!("if a + d is not mine: move a to a + d{more}"));
                } else {
                    author.line(&format!("move a to a + d{more}"));
                }
            });
        });
    }

    fn slider(&mut self) {
        self.for_men(|author| {
            author.for_directions(|author| {
                author.looped("for b from a along d", |author| {
                    author.see("b", Type::Square);
                    if author.percent(50) {
                        author.line("if b is not empty: break");
                    } else {
                        author.line("if b is mine: break");
                    }
                    let (quiet, more) = (author.percent(20), author.besides());
                    let word = if quiet { "quiet move" } else { "move" };
                    author.line(&format!("{word} a to b{more}"));
                    if author.percent(60) {
                        author.line("if b is theirs: break");
                    }
                });
            });
        });
    }

    /// Forward steps and diagonal captures, seen from the man.
    fn pawn(&mut self) {
        self.for_men(|author| {
            let more = author.besides();
            author.line("let b = a.forward");
            author.see("b", Type::Square);
            author.line(&format!("if b is empty: move a to b{more}"));
            if author.percent(40) {
                let set = author.set(1);
                author.line(&format!(
                    "if b is empty and a in {set} and b.forward is empty: move a to b.forward"
                ));
            }
            if author.percent(50) {
                author.looped("for c in [b.left, b.right]", |author| {
                    author.see("c", Type::Square);
                    let more = author.besides();
                    author.line(&format!("if c is theirs: move a to c{more}"));
                });
            } else {
                author.line("if a.forward.left is theirs: move a to a.forward.left");
                author.line("if a.forward.right is theirs: move a to a.forward.right");
            }
            if author.percent(25) {
                author.promotion();
            }
        });
    }

    fn drops(&mut self) {
        let set = match self.below(4) {
            0 => "empty & all".to_owned(),
            1 => format!("empty & ({})", self.set(1)),
            2 => format!("empty - neighbours(mine, {})", self.directions()),
            _ => "empty".to_owned(),
        };
        self.looped(&format!("for b in {set}"), |author| {
            author.see("b", Type::Square);
            let (man, more) = (author.man_to_put(), author.besides());
            if author.percent(40) {
                let condition = author.truth(2);
                author.line(&format!("if {condition}: move put {man} on b{more}"));
            } else {
                author.line(&format!("move put {man} on b{more}"));
            }
        });
    }

    /// A man goes somewhere and leaves something elsewhere.
    fn shooter(&mut self) {
        let (one, other, man) = (self.directions(), self.directions(), self.man_to_put());
        self.for_men(|author| {
            author.looped(&format!("for b in neighbours(a, {one}) & empty"), |author| {
                author.see("b", Type::Square);
                author.block("try a to b", |author| {
                    author.in_loop = false;
                    author.looped(&format!("for c in neighbours(b, {other}) & empty"), |author| {
                        author.see("c", Type::Square);
                        author.line(&format!("move a to b, put {man} on c"));
                    });
                });
            });
        });
    }

    /// A man put down turns over the enemies between it and another of mine.
    fn enclosing(&mut self) {
        let list = self.directions();
        let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        self.looped("for a in empty", |author| {
            author.see("a", Type::Square);
            author.line("let turns = no");
            author.looped(&format!("for d in {list}"), |author| {
                author.line("let b = a + d");
                author.line("while b is theirs: b = b + d");
                author.line("if b is mine and (a + d) is theirs: turns = yes");
            });
            author.block("if turns", |author| {
                author.block(&format!("move put my {kind} on a"), |author| {
                    author.block(&format!("for d in {list}"), |author| {
                        author.line("let b = a + d");
                        author.line("while b is theirs: b = b + d");
                        author.line(&format!(
                            "if b is mine: put my {kind} on between(a, b) & theirs"
                        ));
                    });
                    author.line("write a");
                });
            });
        });
    }

    fn jumper(&mut self) {
        self.for_men(|author| {
            author.for_directions(|author| {
                author.line("let c = a + d");
                author.line("let e = c + d");
                author.see("c", Type::Square);
                author.see("e", Type::Square);
                let more = author.besides();
                if author.percent(70) {
                    author
                        .line(&format!("if c is theirs and e is empty: move a to e, take c{more}"));
                } else {
                    author.line(&format!("if c is not empty: move a to e{more}"));
                }
            });
        });
    }

    /// Goes as far along a line as there are men on it.
    fn two_step_line(&mut self) {
        self.for_men(|author| {
            let list = author.few_directions();
            author.looped(&format!("for d in {list}"), |author| {
                author.line("let n = count(axis(a, d) & occupied)");
                author.line("let b = a + n * d");
                author.line("if b is not mine and no (between(a, b) & theirs): move a to b");
            });
        });
    }

    /// Men in hand, where a cell can count them.
    fn drops_from_hand(&mut self) {
        let Some(cell) = self.read_cell(Type::Int) else { return self.drops() };
        let kinds = self.sheet.owned.join(", ");
        self.looped(&format!("for k in [{kinds}]"), |author| {
            author.see("k", Type::Kind);
            author.looped("for b in empty", |author| {
                author.see("b", Type::Square);
                author.line(&format!("if {cell} < 9: quiet move put my k on b, set {cell} += 1"));
            });
        });
    }

    fn call_procedure(&mut self) {
        let Some(routine) = self.random.pick(&self.sheet.procedures).cloned() else {
            return self.slider();
        };
        if self.percent(60) {
            self.for_men(|author| {
                let call = author.invoke(&routine.name, &routine.params, 1);
                author.line(&call);
            });
        } else {
            let call = self.invoke(&routine.name, &routine.params, 2);
            self.line(&call);
        }
    }

    fn lists_of_squares(&mut self) {
        self.for_men(|author| {
            let squares: Vec<String> =
                (0..author.between(2, 4)).map(|_| author.square(1)).collect();
            author.looped(&format!("for b in [{}]", squares.join(", ")), |author| {
                author.see("b", Type::Square);
                author.step_moves();
            });
        });
    }

    /// Men leave the board.
    fn retreat(&mut self) {
        self.for_men(|author| {
            let more = author.besides();
            author.line(&format!("move take a{more}, write a"));
        });
    }

    /// A man from elsewhere, perhaps off the board, goes to where a man is.
    fn come_from_afar(&mut self) {
        self.for_men(|author| {
            author.for_directions(|author| {
                let from = author.word(&["a + d", "a + d + d", "a + d + d + d"]);
                author.line(&format!("let c = {from}"));
                author.see("c", Type::Square);
                author.block("move pass, write \"x\", a, d", |author| {
                    author.in_loop = false;
                    author.line("c to a");
                });
            });
        });
    }

    /// Moves that are listed while something is tried.
    fn tried_drops(&mut self) {
        let action = self.action();
        self.block(&format!("try {action}"), |author| {
            author.in_loop = false;
            author.drops();
        });
    }

    /// Any move, with actions of all sorts.
    pub(super) fn random_move(&mut self) {
        let forgotten = std::mem::replace(&mut self.forgotten, self.scope.len());
        let actions: Vec<String> = (0..self.between(1, 2)).map(|_| self.action()).collect();
        let line = format!("move {}, write {}", actions.join(", "), self.written());
        if self.percent(20) {
            let (within, looped) = (self.within, self.in_loop);
            self.within = Section::Action;
            self.block(&line, |author| {
                author.in_loop = false;
                author.statements(1);
            });
            (self.within, self.in_loop) = (within, looped);
        } else {
            self.line(&line);
        }
        self.forgotten = forgotten;
    }

    /// What `write` may be given.
    fn written(&mut self) -> String {
        match self.below(6) {
            0 => self.variable(Type::Int),
            1 => self.variable(Type::Square),
            2 => self.variable(Type::Direction),
            3 => self.variable(Type::Kind),
            4 => self.variable(Type::Player),
            _ => None,
        }
        .map_or_else(|| "\"x\"".to_owned(), |it| format!("\"x\", {it}"))
    }

    /// Chains of jumps or steps, gathered in a path.
    fn chain_procedure(&mut self) {
        let list = self.directions();
        if self.percent(50) {
            self.jump_chain(&list);
        } else {
            self.walk_chain(&list);
        }
    }

    fn jump_chain(&mut self, list: &str) {
        let header = "procedure chain(a: square, b: square, way: path(direction))";
        self.section(Section::Moves, header, |author| {
            author.block("if count(way) > 0", |author| {
                author.block("move write a, way", |author| {
                    author.line("let p = a");
                    author.block("for d in way", |author| {
                        author.line("take p + d");
                        author.line("p to p + d + d");
                        author.line("p = p + d + d");
                    });
                });
            });
            author.block("if count(way) < 4", |author| {
                author.block(&format!("for d in {list}"), |author| {
                    author.block("if b + d is theirs and b + d + d is empty", |author| {
                        author.line("let e = b + d + d");
                        author.block("try b to e, take b + d", |author| {
                            author.line("chain(a, e, way + d)");
                        });
                    });
                });
            });
        });
    }

    fn walk_chain(&mut self, list: &str) {
        let header = "procedure chain(a: square, b: square, way: path(square))";
        let most = self.between(1, 2);
        self.section(Section::Moves, header, |author| {
            author.block("if count(way) > 0", |author| {
                author.block("move write a, way", |author| {
                    author.line("let last_one = last(way)");
                    author.line("a to last_one");
                    author.line("for s in way: take s & theirs");
                });
            });
            author.block(&format!("if count(way) < {most}"), |author| {
                author.block(&format!("for c in neighbours(b, {list}) - mine"), |author| {
                    author.line("let longer = way");
                    author.line("longer = longer + c");
                    author.line("if c != last(way): chain(a, c, longer)");
                });
            });
        });
    }

    fn chain_call(&mut self) {
        self.for_men(|author| author.line("chain(a, a, [])"));
    }

    /// Puts a man and takes what it leaves without an empty neighbour.
    fn group_action(&mut self) {
        let list = self.directions();
        let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        self.section(Section::Action, "action put_and_clear(a: square)", |author| {
            author.line(&format!("put my {kind} on a"));
            author.block(&format!("for b in neighbours(a, {list}) & theirs"), |author| {
                author.line(&format!("let string = flood(b, theirs, {list})"));
                author.line(&format!("if no neighbours(string, {list}) & empty: take string"));
            });
        });
    }
}
