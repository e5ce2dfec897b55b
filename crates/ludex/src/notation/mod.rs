//! Moves and positions in the words of others.
//!
//! The rules call a move by its squares (`e2e4`, `P@e4`, `pass`). Programs from outside and files of
//! other programs have words of their own, by protocol and not by game: what a game can be written in
//! is what its notation block says.

pub mod gtp;
pub mod san;
pub mod squares;
pub mod usi;

use ludex_arena::engines::ProtocolKind;
use ludex_core::Game;
use ludex_ir::Look;
use ludex_jit::CompiledGame;
use squares::Square;

/// The option that is komi in half points.
pub const KOMI: &str = "komi";

/// How one protocol speaks of one game.
#[derive(Clone, Debug)]
pub struct ProtocolNotation {
    language: ProtocolKind,
    columns: usize,
    rows: usize,
    /// Letters for the player to move, in the rules' own positions.
    players: Vec<String>,
    notations: Vec<String>,
}

impl ProtocolNotation {
    /// How a protocol speaks of a game.
    pub fn new(language: ProtocolKind, game: &CompiledGame) -> Self {
        let Look { columns, rows, players, notations, .. } = &game.program().look;
        Self {
            language,
            columns: *columns,
            rows: *rows,
            players: players.clone(),
            notations: notations.clone(),
        }
    }

    /// The protocol of a game's engines where none is named.
    pub fn usual(game: &CompiledGame) -> ProtocolKind {
        let notations = &game.program().look.notations;
        let mut spoken = notations.iter().filter_map(|it| ProtocolKind::named(it));
        spoken.next().unwrap_or(ProtocolKind::Ugi)
    }

    /// How many columns and rows the board has.
    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    /// What programs that know several games call this one: mostly what it is called here.
    pub fn variant<'n>(&self, name: &'n str) -> &'n str {
        // The game that is written as chess players write is the usual one.
        if self.language == ProtocolKind::Cecp && self.has("san") { "normal" } else { name }
    }

    fn has(&self, notation: &str) -> bool {
        self.notations.iter().any(|it| it == notation)
    }

    /// What they call a move that the rules call `name`.
    pub fn theirs(&self, name: &str) -> String {
        match self.language {
            ProtocolKind::Ugi | ProtocolKind::Uci | ProtocolKind::Cecp => name.to_owned(),
            ProtocolKind::Gtp => gtp::theirs(name),
            ProtocolKind::Usi => {
                usi::theirs(name, self.columns, self.rows).unwrap_or_else(|| name.to_owned())
            }
            ProtocolKind::Gomocup => self.point(name).unwrap_or_else(|| name.to_owned()),
        }
    }

    /// A column and a row from the upper left corner.
    fn point(&self, name: &str) -> Option<String> {
        let (Square { column, rank }, rest) = Square::split(name)?;
        rest.is_empty().then(|| format!("{column},{}", self.rows.saturating_sub(rank)))
    }

    /// Which of the legal moves they mean; none if that is not clear.
    pub fn ours<'n>(&self, text: &str, position: &str, legal: &'n [String]) -> Option<&'n str> {
        let text = text.trim();
        let same = |name: &&String| self.theirs(name) == text;
        let alike = |name: &&String| self.theirs(name).eq_ignore_ascii_case(text);
        let found = legal.iter().find(same).or_else(|| legal.iter().find(alike));
        if let Some(name) = found {
            return Some(name);
        }
        // Some programs write chess moves as people do.
        if self.has("san")
            && let [only] = san::find(text, position, legal).as_slice()
        {
            return Some(only);
        }
        None
    }

    /// A position to begin with, in their words; why there are none, if so.
    pub fn position(&self, text: &str) -> Result<String, String> {
        match self.language {
            ProtocolKind::Ugi | ProtocolKind::Gtp | ProtocolKind::Gomocup => Ok(text.to_owned()),
            ProtocolKind::Uci | ProtocolKind::Cecp if self.has("uci") => Ok(self.fen(text)),
            ProtocolKind::Usi if self.has("usi") => usi::sfen(text, &self.players)
                .ok_or_else(|| format!("`{text}` cannot be written as SFEN")),
            _ => {
                let name = self.language.name();
                Err(format!(
                    "the game's notation does not say `{name}`: a game with such a program begins at its usual start"
                ))
            }
        }
    }

    /// A position in their words, in ours; nothing if it is none.
    pub fn read_position(&self, text: &str) -> Option<String> {
        match self.language {
            ProtocolKind::Usi => usi::position(text, &self.players),
            ProtocolKind::Uci | ProtocolKind::Cecp if self.has("uci") => Some(self.read_fen(text)),
            _ => Some(text.to_owned()),
        }
    }

    /// A position whose first player may be called white, as the rules call him.
    fn read_fen(&self, text: &str) -> String {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        if let (Some(turn), [first, second]) = (words.get_mut(1), self.players.as_slice()) {
            *turn = match *turn {
                "w" => first,
                "b" => second,
                other => other,
            };
        }
        words.join(" ")
    }

    /// A position whose first player is called white.
    fn fen(&self, text: &str) -> String {
        let mut words: Vec<&str> = text.split(' ').collect();
        if let Some(turn) = words.get_mut(1) {
            let second = self.players.get(1).is_some_and(|it| it == turn);
            *turn = if second { "b" } else { "w" };
        }
        words.join(" ")
    }
}

/// The names of all legal moves of the player to move.
pub fn legal_names(
    game: &CompiledGame,
    position: &ludex_core::Position,
    player: ludex_core::Player,
) -> Result<Vec<String>, ludex_core::Fault> {
    let mut moves = Vec::new();
    game.moves(position, player, &mut moves)?;
    Ok(moves.into_iter().map(|it| game.name(&position.state, it)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::game::LoadedGame;

    fn notation(game: &str, language: ProtocolKind) -> ProtocolNotation {
        ProtocolNotation::new(
            language,
            &LoadedGame::load(game, EngineKind::Interpreter).expect("it is bundled").game,
        )
    }

    #[track_caller]
    fn both_ways(game: &str, language: ProtocolKind, pairs: &[(&str, &str)]) {
        let notation = notation(game, language);
        let legal: Vec<String> = pairs.iter().map(|(ours, _)| (*ours).to_owned()).collect();
        for (ours, theirs) in pairs {
            assert_eq!(notation.theirs(ours), *theirs);
            assert_eq!(notation.ours(theirs, "", &legal), Some(*ours));
        }
        for nonsense in ["", "zz99", "\u{fffd}", "e2e4e6", "99,99"] {
            assert_eq!(notation.ours(nonsense, "", &legal), None, "{nonsense}");
        }
    }

    #[test]
    fn moves_go_there_and_back() {
        both_ways("chess", ProtocolKind::Uci, &[("e2e4", "e2e4"), ("e7e8q", "e7e8q")]);
        both_ways("xiangqi", ProtocolKind::Uci, &[("h10g8", "h10g8")]);
        both_ways("go:19", ProtocolKind::Gtp, &[("i9", "J9"), ("pass", "pass")]);
        both_ways("gomoku:15", ProtocolKind::Gomocup, &[("a1", "0,14"), ("o15", "14,0")]);
        let shogi = [("h2g2", "2h3h"), ("P@e5", "P*5e"), ("b7b8+", "8c8b+")];
        both_ways("shogi", ProtocolKind::Usi, &shogi);
    }

    #[test]
    fn chess_moves_may_be_written_as_people_do() {
        let legal = ["e2e4", "g1f3", "e7e8q", "e7e8n"].map(str::to_owned);
        let chess = notation("chess", ProtocolKind::Cecp);
        let position = "8/4P3/8/8/8/8/4P3/6N1 w - - 0 1";
        assert_eq!(chess.ours("Nf3", position, &legal), Some("g1f3"));
        assert_eq!(chess.ours("E7E8Q", position, &legal), Some("e7e8q"));
        assert_eq!(chess.ours("e8", position, &legal), None);
    }

    #[test]
    fn positions_are_told_where_the_notation_allows() {
        let text = "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 r - - 0 1";
        let xiangqi = notation("xiangqi", ProtocolKind::Uci).position(text).unwrap();
        assert!(xiangqi.ends_with("5CB2 w - - 0 1"), "{xiangqi}");
        assert!(notation("breakthrough", ProtocolKind::Uci).position("8/8 w").is_err());
        assert_eq!(notation("hex:5", ProtocolKind::Ugi).position("x").unwrap(), "x");
        let text = "8k/6GR1/9/9/9/9/9/9/K8 b hand.Black=P2L1 hand.White=N1";
        let shogi = notation("shogi", ProtocolKind::Usi).position(text).unwrap();
        assert_eq!(shogi, "8k/6GR1/9/9/9/9/9/9/K8 b L2Pn 1");
        let read = |game: &str, language, text: &str| notation(game, language).read_position(text);
        let back = read("shogi", ProtocolKind::Usi, &shogi).unwrap();
        assert_eq!(back, "8k/6GR1/9/9/9/9/9/9/K8 b hand.Black=L1P2 hand.White=N1");
        let back = read("xiangqi", ProtocolKind::Uci, &xiangqi).unwrap();
        assert!(back.ends_with("5CB2 r - - 0 1"), "{back}");
        assert_eq!(read("hex:5", ProtocolKind::Ugi, "x y").as_deref(), Some("x y"));
        assert_eq!(
            ProtocolNotation::usual(
                &LoadedGame::load("shogi", EngineKind::Interpreter).unwrap().game
            ),
            ProtocolKind::Usi
        );
        assert_eq!(
            ProtocolNotation::usual(
                &LoadedGame::load("chess", EngineKind::Interpreter).unwrap().game
            ),
            ProtocolKind::Uci
        );
        assert_eq!(
            ProtocolNotation::usual(
                &LoadedGame::load("hex", EngineKind::Interpreter).unwrap().game
            ),
            ProtocolKind::Ugi
        );
    }
}
