//! The bundled games, and the players that there are, as plain data.

use std::fmt;

use ludex_interp::info;
use ludex_jit::CompiledGame;
use ludex_rules::compile::{OptionInfo, OptionKind};
use ludex_rules::{compile, parse};
use ludex_search::PlayerFamily;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::default_player;
use crate::bundled::{GAMES, PLAYERS};
use crate::info::InfoReport;
use crate::players::Registry;

/// A bundled game: an element of `ludex.games/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GameEntry {
    /// Its name, by which it is loaded.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its players.
    pub players: Players,
    /// Its options.
    pub options: Vec<OptionEntry>,
    /// What kind of game it is.
    pub info: Option<InfoReport>,
}

/// The players of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Players {
    /// How many there are.
    pub number: usize,
    /// Their names, in their order.
    pub names: Vec<String>,
}

/// An option of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OptionEntry {
    /// Its name.
    pub name: String,
    /// What kind of value it has.
    #[serde(flatten)]
    pub kind: ValueKind,
    /// Its value where none is given.
    pub default: String,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "range", rename_all = "lowercase")]
pub enum ValueKind {
    /// Numbers from the first to the second.
    Number([i64; 2]),
    /// `yes` or `no`.
    Truth([String; 2]),
    /// One of these words.
    Word(Vec<String>),
}

impl OptionEntry {
    fn new(option: &OptionInfo) -> Self {
        let kind = match &option.kind {
            OptionKind::Number(low, high) => ValueKind::Number([*low, *high]),
            OptionKind::Truth => ValueKind::Truth(["yes", "no"].map(str::to_owned)),
            OptionKind::Words(words) => ValueKind::Word(words.clone()),
        };
        Self { name: option.name.clone(), kind, default: option.default.clone() }
    }
}

/// An option with its default and its range: `n=11 (2..26)`.
impl fmt::Display for OptionEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.default)?;
        match &self.kind {
            ValueKind::Number([low, high]) => write!(f, " ({low}..{high})"),
            ValueKind::Truth(_) => Ok(()),
            ValueKind::Word(words) => write!(f, " ({})", words.join("|")),
        }
    }
}

/// The bundled games, sorted by name.
pub fn games() -> Vec<GameEntry> {
    GAMES.iter().map(|(name, rules)| game(name, rules)).collect()
}

fn game(name: &str, rules: &str) -> GameEntry {
    let compiled = compile(rules, "");
    let names = compiled.program.as_ref().map(|it| it.players.clone()).unwrap_or_default();
    GameEntry {
        name: name.to_owned(),
        title: compiled.title,
        players: Players { number: names.len(), names },
        options: compiled.options.iter().map(OptionEntry::new).collect(),
        info: compiled.program.as_ref().map(|it| InfoReport::from(&info(it))),
    }
}

/// A player: an element of `ludex.players/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerEntry {
    /// Its name, by which it is made.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Whether it plays where no player is named.
    pub default: bool,
    /// The game that it is for, if it is for a single one.
    pub game: Option<String>,
}

/// The searches, and then the bundled player files.
pub fn players() -> Vec<PlayerEntry> {
    let default = default_player();
    let search = |it: &PlayerFamily<CompiledGame>| PlayerEntry {
        name: it.name().to_owned(),
        about: it.summary().to_owned(),
        default: it.name() == default,
        game: None,
    };
    let files = PLAYERS.iter().filter_map(|(name, text)| {
        let header = parse::parse(text).0.header?;
        let (about, game) = (header.title, Some(header.for_game?.text));
        Some(PlayerEntry { name: (*name).to_owned(), about, default: false, game })
    });
    let registry = Registry::standard();
    registry.players().iter().map(search).chain(files).collect()
}
