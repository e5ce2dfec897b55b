//! Which games a player plays, as far as a game's [`GameInfo`] tells.
//!
//! Each family of players has one of these checks, so that a match can refuse a player before its
//! first move. What only shows in play (a turn of chance in a game that announced none) is a
//! [`Fault`](ludex_core::Fault) of the rules.

use std::fmt;

use ludex_core::info::{Information, Turns};
use ludex_core::two_player::TwoPlayer;
use ludex_core::{Game, GameInfo};

/// Why a player does not play a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// The player is for puzzles.
    OnePlayerOnly,
    /// The player is for puzzles and for games of two.
    OneOrTwoPlayersOnly,
    /// The player is for games of two.
    TwoPlayersOnly,
    /// Several players choose at once.
    SimultaneousMoves,
    /// Chance moves.
    Chance,
    /// Players do not see the whole position.
    HiddenInformation,
    /// One player's gain is not the other's loss.
    NotZeroSum,
    /// It is not the turn of one player in the position to be searched.
    NoSingleTurn,
    /// What a player from elsewhere has to say, as the end of the sentence "this player …".
    Other(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OnePlayerOnly => "plays games of one only",
            Self::OneOrTwoPlayersOnly => "plays games of one or two only",
            Self::TwoPlayersOnly => "plays games of two only",
            Self::SimultaneousMoves => "does not play games with simultaneous moves",
            Self::Chance => "does not play games of chance",
            Self::HiddenInformation => "does not play games with hidden information",
            Self::NotZeroSum => "plays only games in which one player's gain is the other's loss",
            Self::NoSingleTurn => "searches the turns of one player only",
            Self::Other(reason) => reason,
        })
    }
}

impl std::error::Error for Unsupported {}

/// Any game whose position is seen by all.
pub fn perfect_information(info: &GameInfo) -> Result<(), Unsupported> {
    match info.information {
        Information::Perfect => Ok(()),
        Information::Imperfect => Err(Unsupported::HiddenInformation),
    }
}

/// Two opponents who take turns, without chance.
pub fn two_opponents(info: &GameInfo) -> Result<(), Unsupported> {
    perfect_information(info)?;
    if info.players.len() != 2 {
        Err(Unsupported::TwoPlayersOnly)
    } else if info.turns == Turns::Simultaneous {
        Err(Unsupported::SimultaneousMoves)
    } else if info.has_chance {
        Err(Unsupported::Chance)
    } else if !info.zero_sum {
        Err(Unsupported::NotZeroSum)
    } else {
        Ok(())
    }
}

/// A puzzle for one player.
///
/// Chance is allowed here: a search for the best sequence meets it as a turn it cannot choose.
pub fn one_player(info: &GameInfo) -> Result<(), Unsupported> {
    perfect_information(info)?;
    if info.players.len() == 1 { Ok(()) } else { Err(Unsupported::OnePlayerOnly) }
}

/// A puzzle, or a game of two opponents.
pub fn one_or_two_players(info: &GameInfo) -> Result<(), Unsupported> {
    match info.players.len() {
        1 => perfect_information(info),
        2 => two_opponents(info),
        _ => Err(Unsupported::OneOrTwoPlayersOnly),
    }
}

/// The view of a game of two opponents.
pub(crate) fn opponents<G: Game>(game: &G) -> Result<TwoPlayer<'_, G>, Unsupported> {
    two_opponents(game.info())?;
    TwoPlayer::new(game).ok_or(Unsupported::TwoPlayersOnly)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_game_says_decides() {
        let chess = GameInfo::two_players("White", "Black");
        let puzzle = GameInfo::puzzle("Player");
        assert_eq!([two_opponents(&chess), one_or_two_players(&chess)], [Ok(()), Ok(())]);
        assert_eq!([one_player(&puzzle), one_or_two_players(&puzzle)], [Ok(()), Ok(())]);
        assert_eq!(one_player(&chess), Err(Unsupported::OnePlayerOnly));
        assert_eq!(two_opponents(&puzzle), Err(Unsupported::TwoPlayersOnly));
        let trio = GameInfo { players: vec![String::new(); 3], ..chess.clone() };
        assert_eq!(one_or_two_players(&trio), Err(Unsupported::OneOrTwoPlayersOnly));
        assert_eq!(perfect_information(&trio), Ok(()));
        let dice = GameInfo { has_chance: true, ..chess.clone() };
        assert_eq!(two_opponents(&dice), Err(Unsupported::Chance));
        let rps = GameInfo { turns: Turns::Simultaneous, ..chess.clone() };
        assert_eq!(two_opponents(&rps), Err(Unsupported::SimultaneousMoves));
        let trade = GameInfo { zero_sum: false, ..chess.clone() };
        assert_eq!(two_opponents(&trade), Err(Unsupported::NotZeroSum));
        let cards = GameInfo { information: Information::Imperfect, ..chess };
        assert_eq!(two_opponents(&cards), Err(Unsupported::HiddenInformation));
    }
}
