//! What kind of game a game is.

use crate::game::Player;

/// What kind of game a game is: what its rules say before the first move.
///
/// Players read it to see whether they can play the game at all, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// What the rules call the players, in their order.
    pub players: Vec<String>,
    /// Who moves when.
    pub turns: Turns,
    /// Whether chance moves.
    pub has_chance: bool,
    /// What players see of the position.
    pub information: Information,
    /// Whether the players' utilities always sum to zero.
    pub zero_sum: bool,
    /// What a game's end gives the players.
    pub results: Results,
    /// Whether earlier positions can change what follows: false only where the trail is never
    /// read.
    pub has_history: bool,
    /// A number of turns after which every game is over, if one is known.
    pub longest: Option<u32>,
}

/// Who moves when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turns {
    /// A single player makes every move.
    Single,
    /// One player after the other, one move each.
    Alternating,
    /// One player at a time, and a player may move several times running.
    Several,
    /// Several players may choose at once.
    Simultaneous,
}

/// What players see of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Information {
    /// Everything.
    Perfect,
    /// Not everything: [`Game::percept`](crate::Game::percept) tells what.
    Imperfect,
}

/// What a game's end gives the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Results {
    /// A win or a loss.
    WinLoss,
    /// A win, a draw or a loss.
    WinDrawLoss,
    /// Points, which are compared.
    Points,
}

impl GameInfo {
    /// A game of two opponents of these names who move in turn, see everything, and win, draw or
    /// lose; what differs is changed by its author.
    pub fn two_players(first: &str, second: &str) -> Self {
        Self {
            players: vec![first.to_owned(), second.to_owned()],
            turns: Turns::Alternating,
            has_chance: false,
            information: Information::Perfect,
            zero_sum: true,
            results: Results::WinDrawLoss,
            has_history: false,
            longest: None,
        }
    }

    /// A puzzle: a single player, who wins, draws or loses.
    pub fn puzzle(player: &str) -> Self {
        Self {
            players: vec![player.to_owned()],
            turns: Turns::Single,
            zero_sum: false,
            ..Self::two_players("", "")
        }
    }

    /// What the rules call `player`.
    pub fn player_name(&self, player: Player) -> &str {
        self.players.get(player.index()).map_or("", String::as_str)
    }
}
