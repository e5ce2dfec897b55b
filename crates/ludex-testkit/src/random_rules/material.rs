//! What a file declares: players, men, cells, constants, the start.

use super::author::{Author, Type};
use super::board::Grid;

/// What a cell is indexed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    None,
    Player,
    Kind,
    PlayerAndKind,
    Number(u32),
}

/// A cell of the file.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) name: String,
    pub(super) of: Type,
    pub(super) index: Index,
}

/// A routine of the file.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    pub(super) name: String,
    pub(super) params: Vec<Type>,
    /// What a function gives; none for an action or a procedure.
    pub(super) gives: Option<Type>,
}

/// What is declared already.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) grid: Grid,
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) squares: Vec<String>,
    pub(super) places: Vec<String>,
    /// Words for directions, and lists of them.
    pub(super) directions: Vec<String>,
    pub(super) lists: Vec<String>,
    pub(super) players: Vec<String>,
    pub(super) has_forward: bool,
    /// Kinds that players own, and kinds that no player owns.
    pub(super) owned: Vec<String>,
    pub(super) neutral: Vec<String>,
    pub(super) regions: Vec<String>,
    pub(super) constants: Vec<String>,
    pub(super) number_maps: Vec<String>,
    pub(super) kind_maps: Vec<String>,
    pub(super) cells: Vec<Cell>,
    pub(super) counters: Vec<String>,
    pub(super) has_history: bool,
    pub(super) functions: Vec<Routine>,
    pub(super) actions: Vec<Routine>,
    pub(super) procedures: Vec<Routine>,
}

impl Sheet {
    /// All kinds of men.
    pub(super) fn kinds(&self) -> Vec<String> {
        self.owned.iter().chain(&self.neutral).cloned().collect()
    }
}

impl Author<'_> {
    /// Writes all declarations before the routines.
    pub(super) fn material(&mut self) {
        self.text.push('\n');
        self.board();
        self.players();
        if self.sheet.grid == Grid::None {
            self.cell(Type::Int);
            self.cell(Type::Int);
        } else {
            self.men();
        }
        self.cells();
        self.constants();
        if self.sheet.grid != Grid::None {
            self.start();
        }
    }

    fn players(&mut self) {
        let count = match self.below(10) {
            0 => 1,
            1 => 3,
            _ => 2,
        };
        let names = ["Ann", "Bob", "Cid"];
        let ways =
            if self.percent(30) { ["east", "west", "north"] } else { ["north", "south", "east"] };
        self.sheet.has_forward = self.sheet.grid != Grid::None && self.percent(75);
        let listed: Vec<String> = (0..count)
            .map(|at| {
                if self.sheet.has_forward {
                    format!("{} forward {}", names[at], ways[at])
                } else {
                    names[at].to_owned()
                }
            })
            .collect();
        self.line(&format!("players {}", listed.join(", ")));
        self.sheet.players = names[..count].iter().map(|&it| it.to_owned()).collect();
        if self.sheet.has_forward {
            let turned = if self.sheet.grid == Grid::Hex {
                &["forward", "back"][..]
            } else {
                &["forward", "back", "left", "right", "forward"][..]
            };
            self.sheet.directions.extend(turned.iter().map(|&it| it.to_owned()));
        } else {
            self.sheet.lists.retain(|it| it != "forwards");
        }
        if count == 1 {
            self.line("score up to 20");
        }
    }

    fn men(&mut self) {
        let owned = self.between(1, 3) as usize;
        let neutral = usize::from(self.percent(30));
        let names = ["pawn", "rook", "king"];
        let symbols = [["A", "B", "C"], ["a", "b", "c"], ["R", "S", "T"]];
        let mut men: Vec<String> = (0..owned)
            .map(|kind| {
                let shown: Vec<String> = (0..self.sheet.players.len())
                    .map(|player| format!("\"{}\"", symbols[player][kind]))
                    .collect();
                format!("{} {}", names[kind], shown.join(" "))
            })
            .collect();
        self.sheet.owned = names[..owned].iter().map(|&it| it.to_owned()).collect();
        if neutral == 1 {
            men.push("wall neutral \"#\"".to_owned());
            self.sheet.neutral.push("wall".to_owned());
        }
        self.line(&format!("men {}", men.join(", ")));
    }

    fn cells(&mut self) {
        let with_board = self.sheet.grid != Grid::None;
        for _ in 0..self.below(4) {
            let of = match self.below(if with_board { 10 } else { 5 }) {
                0..=2 => Type::Int,
                3 => Type::Bool,
                4 => Type::Player,
                5 | 6 => Type::Square,
                7 => Type::Kind,
                _ => Type::Set,
            };
            self.cell(of);
        }
        if self.percent(35) {
            let (name, limit) = (self.fresh("clock"), self.between(1, 40));
            self.line(&format!("counter {name} to {limit}"));
            self.sheet.counters.push(name);
        }
        if self.percent(30) {
            let kind = self.word(&["position", "position", "board"]);
            self.line(&format!("history {kind}"));
            self.sheet.has_history = true;
        }
    }

    fn cell(&mut self, of: Type) {
        let name = self.fresh("cell");
        let index = match self.below(10) {
            0 | 1 => Index::Player,
            2 if self.sheet.grid != Grid::None => Index::Kind,
            3 if self.sheet.grid != Grid::None && of != Type::Set => Index::PlayerAndKind,
            4 => Index::Number(self.between(1, 4)),
            _ => Index::None,
        };
        let brackets = match index {
            Index::None => String::new(),
            Index::Player => "[player]".to_owned(),
            Index::Kind => "[kind]".to_owned(),
            Index::PlayerAndKind => "[player][kind]".to_owned(),
            Index::Number(count) => format!("[{count}]"),
        };
        let range = if of == Type::Int { self.range() } else { of.name().to_owned() };
        let first = if of == Type::Bool && self.percent(30) { " = yes" } else { "" };
        self.line(&format!("cell {name}{brackets}: {range}{first}"));
        self.sheet.cells.push(Cell { name, of, index });
    }

    /// A range of numbers, now and then with negative ones, more than 64, or only one.
    fn range(&mut self) -> String {
        let low = match self.below(8) {
            0 => format!("-{}", self.between(1, 9)),
            1 => "1".to_owned(),
            _ => "0".to_owned(),
        };
        let high = match self.below(10) {
            0 => 1,
            1 => 300,
            _ => self.between(2, 20),
        };
        format!("{low}..{high}")
    }

    fn constants(&mut self) {
        if self.sheet.grid == Grid::None {
            return;
        }
        if self.percent(60) && self.sheet.grid != Grid::Graph {
            let leaps = self.leaps();
            self.line(&format!("const leaps = [{}]", leaps.join(", ")));
            self.sheet.lists.push("leaps".to_owned());
        }
        if self.percent(50) {
            let ways = self.some_directions();
            self.line(&format!("const ways = [{}]", ways.join(", ")));
            self.sheet.lists.push("ways".to_owned());
        }
        if self.percent(30) {
            let value = self.between(0, 6);
            self.line(&format!("const few = {value}"));
            self.sheet.constants.push("few".to_owned());
        }
        for _ in 0..self.below(3) {
            let name = self.fresh("land");
            let set = self.constant_set(2, true);
            self.line(&format!("region {name} = {set}"));
            self.sheet.regions.push(name);
        }
        self.maps();
    }

    fn maps(&mut self) {
        let (Some(some), Some(other)) =
            (self.name(&self.sheet.kinds()), self.name(&self.sheet.owned.clone()))
        else {
            return;
        };
        if self.percent(30) {
            let value = self.between(1, 50);
            self.line(&format!("map worth: {some} -> {value}"));
            self.sheet.number_maps.push("worth".to_owned());
        }
        if self.percent(25) {
            self.line(&format!("map grown: {some} -> {other}"));
            self.sheet.kind_maps.push("grown".to_owned());
        }
    }

    fn leaps(&mut self) -> Vec<String> {
        let mut leaps = Vec::new();
        for _ in 0..self.between(1, 6) {
            let (x, y) = (self.below(7) as i32 - 3, self.below(7) as i32 - 3);
            let leap = format!("({x},{y})");
            if (x, y) != (0, 0) && !leaps.contains(&leap) {
                leaps.push(leap);
            }
        }
        if leaps.is_empty() { vec!["(1,2)".to_owned()] } else { leaps }
    }

    /// A few different constant directions.
    pub(super) fn some_directions(&mut self) -> Vec<String> {
        let mut ways = Vec::new();
        for _ in 0..self.between(1, 4) {
            let way = self.constant_direction();
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways
    }

    /// A direction that is known before the game is played.
    pub(super) fn constant_direction(&mut self) -> String {
        let word = self.name(&self.sheet.directions.clone()).unwrap_or_default();
        match self.below(12) {
            0 => format!("-{word}"),
            1 if self.sheet.grid == Grid::Square => format!("2 * {word}"),
            2 if self.sheet.grid == Grid::Square && self.sheet.has_forward => {
                self.word(&["forward + left", "forward + right", "2 * forward"])
            }
            _ => word,
        }
    }

    /// A set that is known before the game is played, with or without the help of `forward`.
    pub(super) fn constant_set(&mut self, fuel: u32, with_me: bool) -> String {
        let grid = self.sheet.grid == Grid::Square || self.sheet.grid == Grid::Hex;
        match self.below(if fuel > 0 { 12 } else { 8 }) {
            0 => "all".to_owned(),
            1 | 2 if grid => format!("rank({})", self.between(1, self.sheet.rows)),
            3 if grid => format!("file({})", self.between(1, self.sheet.columns)),
            4 if self.sheet.grid == Grid::Square => self.word(&["dark", "light"]),
            5 | 6 => {
                let ways = self.sheet.directions.clone();
                let ways: Vec<String> = ways
                    .into_iter()
                    .filter(|it| with_me || !["forward", "back", "left", "right"].contains(&&**it))
                    .collect();
                format!("edge({})", self.name(&ways).unwrap_or_default())
            }
            8 => format!("~({})", self.constant_set(fuel - 1, with_me)),
            9.. => {
                let (one, sign) =
                    (self.constant_set(fuel - 1, with_me), self.word(&["|", "&", "-"]));
                format!("(({one}) {sign} ({}))", self.constant_set(fuel - 1, with_me))
            }
            _ => self.literal_set(),
        }
    }

    /// Squares by name.
    pub(super) fn literal_set(&mut self) -> String {
        let squares = self.sheet.squares.clone();
        let mut named = Vec::new();
        for _ in 0..self.between(1, 6) {
            named.extend(self.name(&squares));
        }
        named.dedup();
        format!("{{{}}}", named.join(", "))
    }

    fn start(&mut self) {
        if self.percent(15) {
            return;
        }
        self.text.push('\n');
        self.block("start", |author| {
            if author.percent(20) {
                author.scatter();
            }
            for player in author.sheet.players.clone() {
                let kind = author.name(&author.sheet.owned.clone()).unwrap_or_default();
                let set = author.home();
                author.line(&format!("{player} {kind} on {set}"));
            }
            for _ in 0..author.below(4) {
                let (man, set) = (author.man(), author.literal_set());
                author.line(&format!("{man} on {set}"));
            }
            if author.percent(10) {
                let player = author.name(&author.sheet.players.clone()).unwrap_or_default();
                author.line(&format!("turn {player}"));
            }
        });
    }

    /// Where a player's men may stand at first.
    fn home(&mut self) -> String {
        match self.below(6) {
            0 => self.constant_set(1, false),
            1 | 2 if matches!(self.sheet.grid, Grid::Square | Grid::Hex) => {
                format!("rank({})", self.between(1, self.sheet.rows))
            }
            _ => self.literal_set(),
        }
    }

    /// An owner, if there is one, and a kind.
    fn man(&mut self) -> String {
        let owner = self.name(&self.sheet.players.clone()).unwrap_or_default();
        let kind = self.name(&self.sheet.owned.clone()).unwrap_or_default();
        match self.name(&self.sheet.neutral.clone()) {
            Some(neutral) if self.percent(20) => neutral,
            _ => format!("{owner} {kind}"),
        }
    }

    fn scatter(&mut self) {
        let men: Vec<String> = (0..self.between(1, 4)).map(|_| self.man()).collect();
        let (set, seed) = (self.constant_set(1, false), self.below(1000));
        self.line(&format!("scatter {} on {set} seed {seed}", men.join(", ")));
    }
}
