//! A maze: two opponents move one token along the arrows of a random graph in turn, and coming to
//! a place for the second time is a draw.
//!
//! What a place is worth depends on how one came to it: a table that forgets the way is wrong
//! here first.

use ludex_core::{Fault, Game, Payoff, Player, Random, TextError, Turn};

use crate::{hash_words, number};

/// The rules: where arrows lead, and what ends are worth to the first player.
#[derive(Clone, Debug)]
pub struct Maze {
    arrows: Vec<Vec<u8>>,
    /// 1, 0 or -1 at places without arrows.
    ends: Vec<i8>,
}

/// Where the token is, and who is to move it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// The place.
    pub place: u8,
    /// Who is to move.
    pub mover: Player,
}

impl Maze {
    /// A random maze of `places` places, at most 255, from which up to `width` arrows lead away.
    pub fn random(seed: u64, places: u8, width: u32) -> Self {
        let mut random = Random::stream(seed, 0, 0);
        let mut maze = Self { arrows: Vec::new(), ends: Vec::new() };
        for place in 0..places {
            let is_end = place > 0 && random.below(10) == 0;
            let count = if is_end { 0 } else { 1 + random.below(width) };
            let mut arrows: Vec<u8> =
                (0..count).map(|_| random.below(u32::from(places)) as u8).collect();
            arrows.sort_unstable();
            arrows.dedup();
            maze.arrows.push(arrows);
            maze.ends.push(random.below(3) as i8 - 1);
        }
        maze
    }

    fn is_end(&self, place: u8) -> bool {
        self.arrows[usize::from(place)].is_empty()
    }
}

/// Whether the last position of a game has been there before.
fn repeats(state: Token, trail: &[Token]) -> bool {
    trail.iter().filter(|&&it| it == state).count() > 1
}

impl Game for Maze {
    type State = Token;
    type Trail = Vec<Token>;
    type Move = u8;

    fn players(&self) -> usize {
        2
    }

    fn player_name(&self, player: Player) -> String {
        ["First", "Second"][player.index()].to_owned()
    }

    fn start(&self) -> (Token, Vec<Token>) {
        let token = Token { place: 0, mover: Player(0) };
        (token, vec![token])
    }

    fn trail_from(&self, state: &Token) -> Vec<Token> {
        vec![*state]
    }

    fn turn(&self, state: &Token, trail: &Vec<Token>) -> Result<Turn, Fault> {
        let over = self.is_end(state.place) || repeats(*state, trail);
        Ok(if over { Turn::Over } else { Turn::Of(state.mover) })
    }

    fn moves(
        &self,
        state: &Token,
        trail: &Vec<Token>,
        player: Player,
        moves: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        moves.clear();
        if player == state.mover && !repeats(*state, trail) {
            moves.extend_from_slice(&self.arrows[usize::from(state.place)]);
        }
        Ok(())
    }

    fn apply(&self, state: &mut Token, trail: &mut Vec<Token>, moves: &[u8]) -> Result<(), Fault> {
        if let [place] = *moves
            && usize::from(place) < self.arrows.len()
        {
            *state = Token { place, mover: Player(1 - state.mover.0) };
            trail.push(*state);
        }
        Ok(())
    }

    fn payoff(&self, state: &Token, trail: &Vec<Token>, player: Player) -> Result<Payoff, Fault> {
        if !self.is_end(state.place) || repeats(*state, trail) {
            return Ok(Payoff::DRAW);
        }
        let first = self.ends[usize::from(state.place)];
        let mine = if player == Player(0) { first } else { -first };
        Ok(Payoff { score: i64::from(mine), utility: f64::from(mine) })
    }

    fn hash(&self, state: &Token) -> u64 {
        hash_words([u64::from(state.place), u64::from(state.mover.0)])
    }

    fn name(&self, _state: &Token, mv: u8) -> String {
        mv.to_string()
    }

    fn position(&self, state: &Token) -> String {
        format!("{} {}", state.place, self.player_name(state.mover))
    }

    fn read_position(&self, text: &str) -> Result<Token, TextError> {
        let [place, mover] = crate::words(text)?;
        let place = number(place, (self.arrows.len() - 1) as u8)?;
        let mover = [Player(0), Player(1)].into_iter().find(|&it| self.player_name(it) == mover);
        let unknown = || TextError::new("no such player").or_nearest(text, ["First", "Second"]);
        Ok(Token { place, mover: mover.ok_or_else(unknown)? })
    }
}
