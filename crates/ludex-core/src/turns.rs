//! Whole turns: who decides next, what each may choose, and what a turn is called.
//!
//! Most callers do not care whether a turn is one player's, several players' at
//! once or chance's. [`Choices`] lists what may be chosen in all three cases and
//! gives whole turns back, ready for [`Game::apply`].

use crate::ext::GameExt;
use crate::game::{Fault, Game, Player, Turn};
use crate::position::PositionOf;
use crate::random::Random;
use crate::text::{TextError, nearest};

/// Code of the [`Fault`] of a game in which a player must choose from nothing.
pub const NO_MOVE: &str = "no-move";

/// Code of the [`Fault`] of a game in which it is the turn of no player.
pub const NO_PLAYER: &str = "no-player";

/// What may be chosen in one position. Meant to be kept and filled again.
///
/// **Invariant:** after [`fill`](Choices::fill) there is a list for each player
/// whose turn it is, lowest player first, and no list is empty. Chance counts as
/// one player here. When the game is over there is no list.
#[derive(Clone, Debug)]
pub struct Choices<M> {
    turn: Turn,
    lists: Vec<Vec<M>>,
    /// How many of `lists` are in use: the others wait with their memory.
    used: usize,
    odds: Vec<(M, f64)>,
}

impl<M> Default for Choices<M> {
    fn default() -> Self {
        Self { turn: Turn::Over, lists: Vec::new(), used: 0, odds: Vec::new() }
    }
}

impl<M: Copy> Choices<M> {
    /// Replaces the choices by those of `state`.
    ///
    /// A game in which a player must choose and has nothing to choose from is at
    /// fault (it breaks the first law), so callers need not look out for it.
    pub fn fill<G: Game<Move = M> + ?Sized>(
        &mut self,
        game: &G,
        position: &PositionOf<G>,
    ) -> Result<Turn, Fault> {
        self.used = 0;
        self.turn = game.turn(position)?;
        match self.turn {
            Turn::Over => {}
            Turn::Of(player) => self.list(game, position, player)?,
            Turn::Joint(players) => {
                for player in players.iter() {
                    self.list(game, position, player)?;
                }
                if players.is_empty() {
                    return Err(fault(NO_PLAYER, "a joint turn of no player"));
                }
            }
            Turn::Chance => self.list_chances(game, position)?,
        }
        Ok(self.turn)
    }

    fn list<G: Game<Move = M> + ?Sized>(
        &mut self,
        game: &G,
        position: &PositionOf<G>,
        player: Player,
    ) -> Result<(), Fault> {
        game.moves(position, player, self.next_list())?;
        if self.lists[self.used - 1].is_empty() {
            let who = game.player_name(player);
            return Err(fault(NO_MOVE, &format!("it is the turn of {who}, who has no move")));
        }
        Ok(())
    }

    fn list_chances<G: Game<Move = M> + ?Sized>(
        &mut self,
        game: &G,
        position: &PositionOf<G>,
    ) -> Result<(), Fault> {
        game.chances(position, &mut self.odds)?;
        if self.odds.is_empty() {
            return Err(fault(NO_MOVE, "it is the turn of chance, which has no move"));
        }
        let Self { lists, odds, .. } = self;
        if lists.is_empty() {
            lists.push(Vec::new());
        }
        lists[0].clear();
        lists[0].extend(odds.iter().map(|&(mv, _)| mv));
        self.used = 1;
        Ok(())
    }

    /// Takes one more list into use.
    fn next_list(&mut self) -> &mut Vec<M> {
        if self.used == self.lists.len() {
            self.lists.push(Vec::new());
        }
        self.used += 1;
        &mut self.lists[self.used - 1]
    }

    /// Who decides.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The moves of each player who decides, lowest player first.
    pub fn lists(&self) -> &[Vec<M>] {
        &self.lists[..self.used]
    }

    /// Chance's moves with their probabilities; nothing where chance does not decide.
    pub fn odds(&self) -> &[(M, f64)] {
        if self.turn == Turn::Chance { &self.odds } else { &[] }
    }

    /// How many different turns can be played: 0 when the game is over.
    pub fn count(&self) -> u64 {
        match self.lists() {
            [] => 0,
            [list] => list.len() as u64,
            lists => lists.iter().fold(1, |all, list| all.saturating_mul(list.len() as u64)),
        }
    }

    /// Puts turn number `index` into `turn`, where `index` is less than [`count`](Choices::count).
    pub fn nth(&self, index: u64, turn: &mut Vec<M>) {
        turn.clear();
        let mut left = index;
        for list in self.lists() {
            let choices = list.len() as u64;
            turn.push(list[(left % choices) as usize]);
            left /= choices;
        }
    }

    /// Puts a random turn into `turn`: every move is equally likely for a player,
    /// and as likely as it should be for chance.
    pub fn draw(&self, random: &mut Random, turn: &mut Vec<M>) {
        turn.clear();
        if self.turn == Turn::Chance {
            turn.extend(random.pick_weighted(&self.odds));
        } else {
            turn.extend(self.lists().iter().filter_map(|list| random.pick(list)));
        }
    }
}

fn fault(code: &'static str, message: &str) -> Fault {
    Fault { code, message: message.to_owned(), place: None }
}

/// What people call a whole turn in `state`.
///
/// One move is called by its name. The moves of a joint turn are joined by `+`;
/// a `+` or a `\` that belongs to one of their names has a `\` before it.
pub fn turn_name<G: Game>(game: &G, state: &G::State, turn: &[G::Move]) -> String {
    match turn {
        [mv] => game.name(state, *mv),
        moves => {
            let names: Vec<String> =
                moves.iter().map(|&mv| escape(&game.name(state, mv))).collect();
            names.join("+")
        }
    }
}

/// Puts the turn that people call `name` into `turn`.
///
/// `choices` must have been filled for this very position. The error names the
/// nearest move that could have been meant.
pub fn named_turn<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    choices: &Choices<G::Move>,
    name: &str,
    turn: &mut Vec<G::Move>,
) -> Result<Result<(), TextError>, Fault> {
    turn.clear();
    let lists = choices.lists();
    let names = if lists.len() == 1 { vec![name.to_owned()] } else { split(name) };
    if names.len() != lists.len() {
        let message = format!("`{name}` has {} moves, not {}", names.len(), lists.len());
        return Ok(Err(TextError::new(message)));
    }
    for (number, name) in names.iter().enumerate() {
        match named(game, position, choices, number, name)? {
            Some(mv) => turn.push(mv),
            None => return Ok(Err(not_legal(game, &position.state, &lists[number], name))),
        }
    }
    Ok(Ok(()))
}

/// The move called `name` of the `number`-th player who decides.
fn named<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    choices: &Choices<G::Move>,
    number: usize,
    name: &str,
) -> Result<Option<G::Move>, Fault> {
    let player = match choices.turn() {
        Turn::Of(player) => Some(player),
        Turn::Joint(players) => players.iter().nth(number),
        Turn::Over | Turn::Chance => None,
    };
    match player {
        Some(player) => game.named(position, player, name),
        None => Ok(choices.lists()[number]
            .iter()
            .copied()
            .find(|&mv| game.name(&position.state, mv) == name)),
    }
}

fn not_legal<G: Game>(game: &G, state: &G::State, list: &[G::Move], name: &str) -> TextError {
    let legal: Vec<String> = list.iter().map(|&mv| game.name(state, mv)).collect();
    let nearest = nearest(name, legal.iter().map(String::as_str)).map(str::to_owned);
    TextError { nearest, ..TextError::new(format!("`{name}` is not a legal move")) }
}

fn escape(name: &str) -> String {
    name.replace('\\', r"\\").replace('+', r"\+")
}

/// The names in a joint turn: the inverse of joining escaped names by `+`.
fn split(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let name = names.last_mut().expect("there is one name from the start");
        match letter {
            '+' => names.push(String::new()),
            '\\' => name.extend(letters.next()),
            other => name.push(other),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn joined_names_come_apart(names in prop::collection::vec(r"[a-c+\\]{0,4}", 1..4)) {
            let joined: Vec<String> = names.iter().map(|it| escape(it)).collect();
            prop_assert_eq!(split(&joined.join("+")), names);
        }
    }

    #[test]
    fn turns_are_numbered_through() {
        let choices = Choices {
            turn: Turn::Joint(crate::PlayerSet::first(2)),
            lists: vec![vec![1, 2, 3], vec![7, 8], vec![9]],
            used: 2,
            odds: Vec::new(),
        };
        let mut turn = Vec::new();
        let mut turns: Vec<Vec<i32>> = Vec::new();
        for index in 0..choices.count() {
            choices.nth(index, &mut turn);
            turns.push(turn.clone());
        }
        assert_eq!(turns, [[1, 7], [2, 7], [3, 7], [1, 8], [2, 8], [3, 8]]);
    }
}
