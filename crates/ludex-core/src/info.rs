//! What kind of game a game is.

use std::fmt;

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
    /// A number that only the same rules with the same options have; what is measured of a game is
    /// kept under it. Nothing is kept where there is none.
    pub identity: Option<u64>,
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
            identity: None,
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

/// In a line: `2 players, alternating, perfect information, zero-sum, win/draw/loss`.
impl fmt::Display for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = match self.turns {
            Turns::Single => "",
            Turns::Alternating => ", alternating",
            Turns::Several => ", several moves a turn",
            Turns::Simultaneous => ", simultaneous moves",
        };
        match self.players.len() {
            1 => write!(f, "1 player{turns}")?,
            players => write!(f, "{players} players{turns}")?,
        }
        if self.has_chance {
            f.write_str(", chance")?;
        }
        f.write_str(match self.information {
            Information::Perfect => ", perfect information",
            Information::Imperfect => ", imperfect information",
        })?;
        if self.zero_sum {
            f.write_str(", zero-sum")?;
        }
        f.write_str(match self.results {
            Results::WinLoss => ", win/loss",
            Results::WinDrawLoss => ", win/draw/loss",
            Results::Points => ", points",
        })?;
        if self.has_history {
            f.write_str(", repetition counts")?;
        }
        match self.longest {
            Some(turns) => write!(f, ", at most {turns} turns"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_described_in_a_line() {
        let info = GameInfo { longest: Some(361), ..GameInfo::two_players("Black", "White") };
        let line = "2 players, alternating, perfect information, zero-sum, win/draw/loss, at most \
                    361 turns";
        assert_eq!(info.to_string(), line);
        let puzzle = GameInfo { results: Results::Points, ..GameInfo::puzzle("Player") };
        assert_eq!(puzzle.to_string(), "1 player, perfect information, points");
    }
}
