//! Ends: lines of k, floods, counts, regions, scores; what happens to who is stuck.

use super::author::{Author, Section, Type};
use super::board::Grid;

impl Author<'_> {
    /// Writes `result`, `stuck` and `adjudicate`, or some of them.
    pub(super) fn ends(&mut self) {
        if self.percent(85) {
            self.section(Section::End, "result", |author| {
                for _ in 0..author.between(1, 2) {
                    if author.percent(40) {
                        // Only one player can then have brought it about.
                        author.block("if me != to_move", Self::result);
                    } else {
                        author.result();
                    }
                }
            });
        }
        if self.percent(65) {
            self.section(Section::End, "stuck", Self::stuck);
        }
        if self.percent(40) {
            self.section(Section::End, "adjudicate", Self::adjudicate);
        }
    }

    fn result(&mut self) {
        if !self.on_board() {
            let condition = self.truth(2);
            return self.line(&format!("if me == to_move and {condition}: victory"));
        }
        match self.below(12) {
            0 | 1 => self.line_by_set(),
            2 | 3 => self.line_by_steps(),
            4 => self.line_by_counting(),
            5 | 6 => self.connection(),
            7 => self.region_reached(),
            8 => self.material_left(),
            9 => self.full_board(),
            _ => self.statements(2),
        }
    }

    /// A list of compass directions, some of them only one way.
    pub(super) fn few_directions(&mut self) -> String {
        match self.sheet.grid {
            Grid::Hex => self.word(&["six", "[east, north, northwest]"]),
            _ => self.word(&["eight", "[east, northeast, north, northwest]", "orthogonal"]),
        }
    }

    fn line_by_set(&mut self) {
        let (ways, k) = (self.few_directions(), self.between(3, 5));
        self.block("for a in mine", |author| {
            author.line(&format!(
                "for d in {ways}: if count(line(a, d, {k}) & mine) == {k}: victory"
            ));
        });
    }

    fn line_by_steps(&mut self) {
        let (ways, k) = (self.few_directions(), self.between(3, 5));
        let whose = if self.percent(70) { "mine".to_owned() } else { self.pattern() };
        let steps: Vec<String> =
            (1..k).map(|far| format!("a{} is {whose}", " + d".repeat(far as usize))).collect();
        let what = self.word(&["victory", "loss"]);
        self.block(&format!("for a in mine & ({whose})"), |author| {
            author.line(&format!("for d in {ways}: if {}: {what}", steps.join(" and ")));
        });
    }

    fn line_by_counting(&mut self) {
        let (ways, k) = (self.few_directions(), self.between(3, 5));
        self.block("for a in mine", |author| {
            author.block(&format!("for d in {ways}"), |author| {
                author.line("let n = 1");
                author.line("let b = a + d");
                author.block(&format!("while b is mine and n < {k}"), |author| {
                    author.line("n += 1");
                    author.line("b = b + d");
                });
                author.line(&format!("if n >= {k}: victory"));
            });
        });
    }

    fn connection(&mut self) {
        let (one, other) = (self.constant_set(1, true), self.constant_set(1, true));
        let list = self.directions();
        if self.percent(60) {
            self.line(&format!("if any flood(mine & ({one}), mine, {list}) & ({other}): victory"));
        } else {
            self.line(&format!(
                "if count(mine) > 4 and no (mine - flood(first(mine), mine, {list})): victory"
            ));
        }
    }

    fn region_reached(&mut self) {
        let set =
            if self.sheet.has_forward { "edge(forward)".to_owned() } else { self.literal_set() };
        match self.below(3) {
            0 => self.line(&format!("if any mine & ({set}): victory")),
            1 => self.line(&format!("if count(mine & ({set})) > 2: victory")),
            _ => self.line(&format!("if any mine and no (mine - ({set})): victory")),
        }
    }

    fn material_left(&mut self) {
        let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        match self.below(3) {
            0 => self.line(&format!("if no my {kind}: loss")),
            1 => self.line("if count(theirs) < 1: victory"),
            _ => self.line("if count(mine) < 2 and count(theirs) > 1: loss"),
        }
    }

    fn full_board(&mut self) {
        let list = self.directions();
        self.block("if no empty", |author| {
            if author.percent(50) {
                author.line(&format!("score count(mine) - count(neighbours(theirs, {list}))"));
            } else {
                author.line("if count(mine) > count(theirs): victory");
                author.line("if count(mine) == count(theirs): draw");
            }
        });
    }

    /// One outcome, mostly under a condition that only one player can meet.
    pub(super) fn random_outcome(&mut self) {
        let condition = format!("({}) and ({})", self.truth(1), self.truth(1));
        let side = self.word(&["me == to_move and ", "me != to_move and "]);
        let outcome = match self.below(6) {
            0 => format!("score {}", self.int(1)),
            1 | 2 => "draw".to_owned(),
            3 => "loss".to_owned(),
            _ => "victory".to_owned(),
        };
        self.line(&format!("if {side}({condition}): {outcome}"));
    }

    fn stuck(&mut self) {
        let kind = self.name(&self.sheet.owned.clone());
        match (self.below(7), kind) {
            (0, _) => self.line("draw"),
            (1, _) => {
                self.block("if no reply", |author| {
                    let score = author.int(2);
                    author.line(&format!("score {score}"));
                });
                self.line("else: pass");
            }
            (2, Some(kind)) => {
                self.line(&format!("if they could take {kind}: loss"));
                self.line("else: draw");
            }
            (3, _) => self.line("pass"),
            (4, _) => {
                let (condition, score) = (self.truth(2), self.int(1));
                self.line(&format!("if {condition}: score {score}"));
            }
            (5, _) => self.line("loss"),
            _ => self.statements(1),
        }
    }

    fn adjudicate(&mut self) {
        let counter = self.name(&self.sheet.counters.clone());
        if let Some(counter) = counter {
            let limit = self.between(1, 30);
            self.line(&format!("if {counter} >= {limit}: draw"));
        }
        if self.sheet.has_history {
            self.line("if repeats >= 2: draw");
        }
        if self.percent(30) {
            let condition = self.truth(2);
            self.line(&format!("if {condition}: draw"));
        }
        if self.percent(20) {
            let score = self.value(Type::Int, 2);
            self.line(&format!("if 1 < 0: score {score}"));
        }
        self.line("if 1 < 0: draw");
    }
}
