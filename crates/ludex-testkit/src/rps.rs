//! Rock, paper, scissors in several rounds: both players choose at once.
//!
//! From the second round on, who is ahead may also bow out, which draws the game;
//! so the two do not always have the same moves. Each perceives only what the
//! other chose.

use std::sync::LazyLock;

use ludex_core::info::Turns;
use ludex_core::{
    Fault, Game, GameInfo, Payoff, Percept, Player, PlayerSet, Position, TextError, Turn,
};

use crate::number;

/// The rules, with the number of rounds.
#[derive(Clone, Copy, Debug)]
pub struct Rps {
    /// How many rounds are played.
    pub rounds: u8,
}

/// The score, and the last choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// Rounds played.
    pub round: u8,
    /// Rounds won by each player.
    pub won: [u8; 2],
    /// What each player chose last.
    pub last: Option<[Choice; 2]>,
}

/// What can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// Blunts scissors.
    Rock,
    /// Wraps rock.
    Paper,
    /// Cuts paper.
    Scissors,
    /// Ends the game in a draw. Only for who is ahead.
    Bow,
}

use Choice::{Bow, Paper, Rock, Scissors};

const ALL: [Choice; 4] = [Rock, Paper, Scissors, Bow];

impl Choice {
    fn beats(self, other: Self) -> bool {
        matches!((self, other), (Rock, Scissors) | (Paper, Rock) | (Scissors, Paper))
    }

    fn name(self) -> &'static str {
        ["rock", "paper", "scissors", "bow"][self as usize]
    }

    fn read(name: &str) -> Result<Self, TextError> {
        let unknown = || {
            let error = TextError::new(format!("there is no choice `{name}`"));
            error.or_nearest(name, ALL.map(Self::name))
        };
        ALL.into_iter().find(|it| it.name() == name).ok_or_else(unknown)
    }
}

impl Score {
    fn bowed_out(self) -> bool {
        self.last.is_some_and(|last| last.contains(&Bow))
    }

    fn is_over(self, rounds: u8) -> bool {
        self.round >= rounds || self.bowed_out()
    }
}

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo {
    turns: Turns::Simultaneous,
    ..GameInfo::two_players("Left", "Right")
});

impl Game for Rps {
    type State = Score;
    type Trail = ();
    type Move = Choice;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Score, ()> {
        Position::of(Score { round: 0, won: [0, 0], last: None })
    }

    fn position(&self, state: Score) -> Position<Score, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<Score, ()>) -> Result<Turn, Fault> {
        let over = state.is_over(self.rounds);
        Ok(if over { Turn::Over } else { Turn::Joint(PlayerSet::first(2)) })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<Score, ()>,
        player: Player,
        moves: &mut Vec<Choice>,
    ) -> Result<(), Fault> {
        moves.clear();
        if !state.is_over(self.rounds) {
            moves.extend([Rock, Paper, Scissors]);
            let mine = state.won[player.index()];
            moves.extend((mine > state.won[1 - player.index()]).then_some(Bow));
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<Score, ()>,
        moves: &[Choice],
    ) -> Result<(), Fault> {
        let &[left, right] = moves else { return Ok(()) };
        state.won[0] = state.won[0].saturating_add(u8::from(left.beats(right)));
        state.won[1] = state.won[1].saturating_add(u8::from(right.beats(left)));
        state.round = state.round.saturating_add(1);
        state.last = Some([left, right]);
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<Score, ()>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        let [mine, theirs] =
            [player.index(), 1 - player.index()].map(|it| i64::from(state.won[it]));
        let ahead = if state.bowed_out() { 0 } else { (mine - theirs).signum() };
        Ok(Payoff { score: mine, utility: ahead as f64 })
    }

    fn name(&self, _state: &Score, mv: Choice) -> String {
        mv.name().to_owned()
    }

    fn write(&self, state: &Score) -> String {
        let last = match state.last {
            Some([left, right]) => format!("{}+{}", left.name(), right.name()),
            None => "-".to_owned(),
        };
        format!("{} {} {} {last}", state.round, state.won[0], state.won[1])
    }

    fn read(&self, text: &str) -> Result<Score, TextError> {
        let [round, left, right, last] = crate::words(text)?;
        let last = match last.split_once('+') {
            Some((left, right)) => Some([Choice::read(left)?, Choice::read(right)?]),
            None => None,
        };
        let won = [number(left, self.rounds)?, number(right, self.rounds)?];
        Ok(Score { round: number(round, self.rounds)?, won, last })
    }

    fn percept(
        &self,
        Position { state, .. }: &Position<Score, ()>,
        player: Player,
    ) -> Option<Percept> {
        let last = state.last?;
        Some(Percept(last[1 - player.index()].name().to_owned()))
    }
}
