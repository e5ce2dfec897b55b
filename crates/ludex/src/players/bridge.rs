//! From the program of a player file to that of the game it plays, and whether there is a way.
//!
//! A player file is compiled together with the rules, so that its program is that of the game and
//! more. Then both have the same cells, and a state of one is a state of the other. A move is a
//! statement and its choices: they are the same as well, but a program that knows more directions
//! needs more bits for one, so that moves are packed anew on the way out.

use ludex_ir::moves::{Path, Value};
use ludex_ir::{OperandKind, PackedMove, Program};
use ludex_jit::CompiledGame;

/// A way from the moves of a player's program to those of the game.
#[derive(Clone, Debug)]
pub(crate) struct Bridge {
    own: CompiledGame,
    game: CompiledGame,
    /// Whether a move is the same number in both.
    is_level: bool,
}

impl Bridge {
    /// The way from the player's program to the game's; what differs, if there is none.
    pub(crate) fn new(own: &CompiledGame, game: &CompiledGame) -> Result<Self, &'static str> {
        if own.is_native() != game.is_native() {
            return Err("one of the two has no native code");
        }
        let (extended, rules) = (own.program(), game.program());
        same_rules(extended, rules)?;
        let is_level =
            operands(rules).all(|it| extended.operand_bits(it) == rules.operand_bits(it));
        Ok(Self { own: own.clone(), game: game.clone(), is_level })
    }

    /// The game's move that is this move of the player's program.
    pub(crate) fn cross(&self, mv: PackedMove) -> PackedMove {
        if self.is_level {
            return mv;
        }
        repacked(self.own.program(), self.game.program(), mv).unwrap_or(mv)
    }
}

/// Whether `extended` has all that `rules` has, in the same places and with the same meaning.
fn same_rules(extended: &Program, rules: &Program) -> Result<(), &'static str> {
    let same = |yes: bool, what| if yes { Ok(()) } else { Err(what) };
    same(extended.players == rules.players, "the players")?;
    same(extended.squares == rules.squares, "the board")?;
    same(extended.kinds == rules.kinds && extended.men == rules.men, "the men")?;
    same(extended.arrays == rules.arrays && extended.start == rules.start, "the cells")?;
    same(extended.history == rules.history, "the history")?;
    same(extended.score_up_to == rules.score_up_to, "the score")?;
    same(extended.statements.starts_with(&rules.statements), "the moves")?;
    same(extended.functions.starts_with(&rules.functions), "the algorithms")?;
    let roles = |it: &Program| {
        let it = &it.roles;
        (it.moves, it.result, it.stuck, it.adjudicate, it.illegal, it.royal)
    };
    same(roles(extended) == roles(rules), "the algorithms")?;
    // Either may know tables and directions that the other has no use for: what the algorithms of
    // the rules speak of is in both.
    same(agree(&extended.tables, &rules.tables), "the tables")?;
    same(agree(&extended.families, &rules.families), "the tables")?;
    let (ours, theirs) = (&extended.geometry, &rules.geometry);
    same(agree(&ours.directions, &theirs.directions), "the directions")?;
    same(agree(&ours.lists, &theirs.lists), "the directions")?;
    let mut paths = operands(rules).filter(|it| it.is_path());
    let has_room = paths.all(|it| extended.path_capacity(it) >= rules.path_capacity(it));
    same(has_room, "how long a path may be")
}

/// Whether two lists are the same as far as both go.
fn agree<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    one.iter().zip(other).all(|(a, b)| a == b)
}

/// What moves of a program remember.
fn operands(program: &Program) -> impl Iterator<Item = OperandKind> {
    program.statements.iter().flat_map(|it| it.operands.iter().map(|operand| operand.kind))
}

/// The same move in another program.
fn repacked(from: &Program, to: &Program, mv: PackedMove) -> Option<PackedMove> {
    let (id, statement) = from.statement_of(mv)?;
    let kinds = statement.operands.iter().map(|it| it.kind);
    let values: Option<Vec<Value>> = kinds
        .zip(from.unpack(mv))
        .map(|(kind, value)| match value {
            Value::Int(value) => Some(Value::Int(value)),
            Value::Path(path) => repacked_path(from, to, kind, path).map(Value::Path),
        })
        .collect();
    to.pack(id, &values?)
}

fn repacked_path(from: &Program, to: &Program, kind: OperandKind, path: Path) -> Option<Path> {
    let (before, after) = (from.operand_bits(kind), to.operand_bits(kind));
    let capacity = to.path_capacity(kind);
    (0..usize::from(path.len)).try_fold(Path::default(), |longer, index| {
        longer.push(path.item(index, before)?, after, capacity)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ludex_core::{Game, GameExt, Random, Turn};
    use ludex_rules::{compile, compile_player};

    use super::*;
    use crate::bundled::{GAMES, PLAYERS};
    use crate::engine::EngineKind;
    use crate::game::LoadedGame;
    use crate::source::Source;

    /// An evaluation with steps that no game has, so that directions need more bits.
    const LEAPS: &str = "\
evaluate
  let n = 0
  for a in mine
    for d in [(1,4), (4,1), (-1,4), (4,-1), (1,-4), (-4,1), (-1,-4), (-4,-1), (3,5), (5,3)]
      if a + d is empty: n += 1
  return n
";

    fn engine(name: &str, player: Option<&str>, kind: EngineKind) -> Option<CompiledGame> {
        let source = Source::find(name).expect("it is bundled");
        let compiled = match player {
            Some(text) => compile_player(&source.text, "", text),
            None => compile(&source.text, ""),
        };
        (!compiled.has_errors())
            .then(|| LoadedGame::build(source, compiled, kind).expect("it compiles").game)
    }

    /// Plays at random with both and compares what they say.
    fn agree_in_play(name: &str, own: &CompiledGame, game: &CompiledGame, bridge: &Bridge) {
        let mut random = Random::stream(7, 0, 0);
        let mut position = game.start();
        assert_eq!(own.start(), position, "{name}");
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            let turn = game.turn(&position).expect("no fault");
            assert_eq!(own.turn(&position), Ok(turn), "{name}");
            let Turn::Of(player) = turn else { return };
            own.moves(&position, player, &mut ours).expect("no fault");
            game.moves(&position, player, &mut theirs).expect("no fault");
            let pick = ours[random.below(ours.len() as u32) as usize];
            let crossed: BTreeSet<PackedMove> = ours.iter().map(|it| bridge.cross(*it)).collect();
            assert_eq!(crossed, theirs.iter().copied().collect(), "{name}");
            let mv = bridge.cross(pick);
            assert_eq!(own.name(&position.state, pick), game.name(&position.state, mv), "{name}");
            let mut other = position.clone();
            own.apply(&mut other, &[pick]).expect("no fault");
            game.apply(&mut position, &[mv]).expect("no fault");
            assert_eq!(other, position, "{name}");
            assert_eq!(own.hash(&other.state), game.hash(&position.state), "{name}");
        }
    }

    fn check(name: &str, player: &str, kind: EngineKind) -> Option<bool> {
        let own = engine(name, Some(player), kind)?;
        let game = engine(name, None, kind).expect("bundled games compile");
        match Bridge::new(&own, &game) {
            Ok(bridge) => {
                agree_in_play(name, &own, &game, &bridge);
                Some(bridge.is_level)
            }
            Err(what) => {
                assert_eq!(what, "how long a path may be", "{name}");
                None
            }
        }
    }

    #[test]
    fn players_and_games_understand_each_other() {
        let mut levels = Vec::new();
        for (name, _) in GAMES {
            let text = format!("player \"P\" for {name}\n{LEAPS}");
            levels.extend(check(name, &text, EngineKind::Interpreter));
        }
        assert!(levels.len() > 20 && levels.contains(&false), "{levels:?}");
        let text = format!("player \"P\" for checkers\n{LEAPS}");
        assert!(check("checkers", &text, EngineKind::Native).is_some());
    }

    #[test]
    fn shipped_players_understand_their_games() {
        for (name, text) in PLAYERS {
            let game = name.split('/').next().expect("it has a folder");
            for kind in [EngineKind::Interpreter, EngineKind::Native] {
                assert!(check(game, text, kind).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn other_rules_are_told_apart() {
        let one = engine("hex", None, EngineKind::Interpreter).expect("it compiles");
        let other = engine("gomoku", None, EngineKind::Interpreter).expect("it compiles");
        assert!(Bridge::new(&one, &other).is_err());
        assert!(Bridge::new(&one, &one).is_ok_and(|it| it.is_level));
        let native = engine("hex", None, EngineKind::Native).expect("it compiles");
        assert!(Bridge::new(&one, &native).is_err(), "their states are different");
    }
}
