//! A maze: two opponents move one token along the arrows of a random graph in turn, and coming to
//! a place for the second time is a draw.
//!
//! What a place is worth depends on how one came to it: a table that forgets the way is wrong
//! here first.

use std::sync::LazyLock;

use ludex_core::{Fault, Game, GameInfo, Payoff, Player, Position, Random, TextError, Turn};

use crate::number;

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

static INFO: LazyLock<GameInfo> =
    LazyLock::new(|| GameInfo { has_history: true, ..GameInfo::two_players("First", "Second") });

impl Game for Maze {
    type State = Token;
    type Trail = Vec<Token>;
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Token, Vec<Token>> {
        self.position(Token { place: 0, mover: Player(0) })
    }

    fn position(&self, state: Token) -> Position<Token, Vec<Token>> {
        Position { state, trail: vec![state] }
    }

    fn turn(&self, Position { state, trail }: &Position<Token, Vec<Token>>) -> Result<Turn, Fault> {
        let over = self.is_end(state.place) || repeats(*state, trail);
        Ok(if over { Turn::Over } else { Turn::Of(state.mover) })
    }

    fn moves(
        &self,
        Position { state, trail }: &Position<Token, Vec<Token>>,
        player: Player,
        moves: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        moves.clear();
        if player == state.mover && !repeats(*state, trail) {
            moves.extend_from_slice(&self.arrows[usize::from(state.place)]);
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, trail }: &mut Position<Token, Vec<Token>>,
        moves: &[u8],
    ) -> Result<(), Fault> {
        if let [place] = *moves
            && usize::from(place) < self.arrows.len()
        {
            *state = Token { place, mover: Player(1 - state.mover.0) };
            trail.push(*state);
        }
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, trail }: &Position<Token, Vec<Token>>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        if !self.is_end(state.place) || repeats(*state, trail) {
            return Ok(Payoff::DRAW);
        }
        let first = self.ends[usize::from(state.place)];
        let mine = if player == Player(0) { first } else { -first };
        Ok(Payoff { score: i64::from(mine), utility: f64::from(mine) })
    }

    fn name(&self, _state: &Token, mv: u8) -> String {
        mv.to_string()
    }

    fn write(&self, state: &Token) -> String {
        format!("{} {}", state.place, INFO.player_name(state.mover))
    }

    fn read(&self, text: &str) -> Result<Token, TextError> {
        let [place, mover] = crate::words(text)?;
        let place = number(place, (self.arrows.len() - 1) as u8)?;
        let mover = [Player(0), Player(1)].into_iter().find(|&it| INFO.player_name(it) == mover);
        let unknown = || TextError::new("no such player").or_nearest(text, ["First", "Second"]);
        Ok(Token { place, mover: mover.ok_or_else(unknown)? })
    }
}
