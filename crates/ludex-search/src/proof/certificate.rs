//! Certificates: a value with all that is needed to check it by the rules alone.
//!
//! ```text
//! ludex-certificate 1
//! game: tictactoe
//! rules: 5d1b3c2f9ab01234          a hash of the rules' text
//! position: 3/3/3 X
//! past: none                        none, exact or ignored: see below
//! value: draw                       from the view of the player to move
//! plan: X holds                     or wins
//! 3/3/3 X<TAB>a1                    a position of X, and the move to play there
//! …
//! plan: O holds
//! …
//! end
//! ```
//!
//! A *strategy*, `plan` in the text, has a move for every position of its side that can come about
//! by it; what the other side does is not listed, the rules know it. [`Certificate::verify`] plays
//! a strategy out against every reply. It trusts nothing in the file: a position without a move, a
//! move that is not legal, an end that is not as claimed, a strategy to win that comes back to a
//! position, and claims that do not add up to the value are each a [`Refusal`]. Positions are
//! compared as such, not by keys. What the file has too much does no harm.
//!
//! `past: exact` means the rules as they are, of a game that begins in the position;
//! `ignored` that every position was taken as if the game began there, which is the
//! value under the condition that [`question`](super::question) states.

use std::collections::HashMap;
use std::fmt;

use ludex_core::{Fault, Game, GameExt, Player, PositionOf};

use super::question::{Past, ProofRun, View};
use super::strategy::{Strategy, StrategyGoal};
use super::value::GameValue;
use crate::error::SearchError;

/// The first line of a certificate.
pub const FIRST_LINE: &str = "ludex-certificate 1";

/// A value and the strategies that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The game, as it can be typed.
    pub game: String,
    /// A hash of the rules.
    pub rules: u64,
    /// The position, as the game writes it.
    pub position: String,
    /// What the past counts for; nothing where the rules do not ask for it.
    pub past: Option<Past>,
    /// The value, from the view of the player to move.
    pub value: GameValue,
    /// The strategies.
    pub strategies: Vec<WrittenStrategy>,
}

/// A strategy in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenStrategy {
    /// The player's name.
    pub side: String,
    /// Whether to win; otherwise not to lose.
    pub win: bool,
    /// Positions and moves, by name.
    pub moves: Vec<(String, String)>,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong with it.
    pub why: String,
    /// Whether nothing is, as far as it was looked at.
    pub spent: bool,
}

impl Refusal {
    /// Something is wrong.
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), spent: false }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}

fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(why))
}

impl Certificate {
    /// Writes strategies down.
    pub fn new<G: Game>(
        game: &G,
        name: &str,
        rules: u64,
        root: &PositionOf<G>,
        past: Past,
        value: GameValue,
        strategies: &[Strategy<G>],
    ) -> Self {
        let written = |strategy: &Strategy<G>| WrittenStrategy {
            side: game.player_name(strategy.goal.side),
            win: strategy.goal.win,
            moves: strategy
                .moves
                .iter()
                .map(|(state, mv)| (game.write(state), game.name(state, *mv)))
                .collect(),
        };
        Self {
            game: name.to_owned(),
            rules,
            position: game.write(&root.state),
            past: game.has_history().then_some(past),
            value,
            strategies: strategies.iter().map(written).collect(),
        }
    }

    /// Reads what [`Display`](fmt::Display) writes.
    pub fn read(text: &str) -> Result<Self, Refusal> {
        let mut lines = (1_usize..).zip(text.lines());
        if lines.next().is_none_or(|(_, line)| line != FIRST_LINE) {
            return refuse(format!("this is not a certificate: line 1 is not `{FIRST_LINE}`"));
        }
        let mut field = |name: &str| match lines.next() {
            Some((number, line)) => {
                match line.strip_prefix(name).and_then(|it| it.strip_prefix(": ")) {
                    Some(value) => Ok(value.to_owned()),
                    None => refuse(format!(
                        "line {number}: write `{name}: ` and its value, not `{line}`"
                    )),
                }
            }
            None => refuse(format!("the file ends before `{name}: `")),
        };
        let game = field("game")?;
        let rules = field("rules")?;
        let Ok(rules) = u64::from_str_radix(&rules, 16) else {
            return refuse(format!("`{rules}` is not a hash of rules"));
        };
        let position = field("position")?;
        let past = match field("past")?.as_str() {
            "none" => None,
            "exact" => Some(Past::Exact),
            "ignored" => Some(Past::Ignored),
            other => return refuse(format!("`{other}` is not a past: none, exact or ignored is")),
        };
        let value = match field("value")?.as_str() {
            "win" => GameValue::Win,
            "draw" => GameValue::Draw,
            "loss" => GameValue::Loss,
            other => return refuse(format!("`{other}` is not a value: win, draw or loss is")),
        };
        let mut strategies: Vec<WrittenStrategy> = Vec::new();
        for (number, line) in lines.by_ref() {
            if line == "end" {
                return match lines.next() {
                    Some((number, _)) => refuse(format!("line {number}: nothing may follow `end`")),
                    None => Ok(Self { game, rules, position, past, value, strategies }),
                };
            }
            if let Some(strategy) = line.strip_prefix("plan: ") {
                let (side, win) = match strategy.rsplit_once(' ') {
                    Some((side, "wins")) => (side, true),
                    Some((side, "holds")) => (side, false),
                    _ => {
                        return refuse(format!(
                            "line {number}: write `plan: PLAYER wins` or `plan: PLAYER holds`"
                        ));
                    }
                };
                strategies.push(WrittenStrategy { side: side.to_owned(), win, moves: Vec::new() });
            } else {
                let Some(strategy) = strategies.last_mut() else {
                    return refuse(format!(
                        "line {number}: write `plan: PLAYER wins` or `plan: PLAYER holds` first, \
                         not `{line}`"
                    ));
                };
                let Some((position, mv)) = line.split_once('\t') else {
                    return refuse(format!(
                        "line {number}: write a position, a tab and a move, or `end`, not `{line}`"
                    ));
                };
                strategy.moves.push((position.to_owned(), mv.to_owned()));
            }
        }
        refuse("the file ends before `end`")
    }

    /// Checks every claim by playing the strategies out against all replies, and looks at no more
    /// than `most` positions. Gives how many there were.
    pub fn verify<G: Game>(
        &self,
        game: &G,
        run: &mut ProofRun<'_>,
        most: usize,
    ) -> Result<Result<usize, Refusal>, SearchError> {
        let past = match (self.past, game.has_history()) {
            (None, true) => {
                return Ok(refuse(
                    "the rules ask for the past, and the file says that they do not",
                ));
            }
            (past, _) => past.unwrap_or(Past::Exact),
        };
        let view = View::new(game, past)?;
        let state = match game.read(&self.position) {
            Ok(state) => state,
            Err(error) => return Ok(refuse(format!("the position: {}", error.message))),
        };
        let root = view.root(&game.position(state));
        let Some(mover) = view.mover(&root)? else {
            return Ok(refuse("the game is over in the position"));
        };
        let aims = match self.aims(game, mover) {
            Ok(aims) => aims,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut positions = 0;
        for (strategy, goal) in self.strategies.iter().zip(aims) {
            let mut moves = HashMap::new();
            for (position, mv) in &strategy.moves {
                if *moves.entry(position.as_str()).or_insert(mv.as_str()) != mv.as_str() {
                    return Ok(refuse(format!("{}: two moves for `{position}`", strategy.side)));
                }
            }
            let mut check = Check { view, goal, moves, marks: HashMap::new(), positions, most };
            if let Err(refusal) = check.run(&root, run)? {
                let why = format!("{}: {refusal}", strategy.side);
                return Ok(Err(Refusal { why, ..refusal }));
            }
            positions = check.positions;
        }
        Ok(Ok(positions))
    }

    /// What the strategies are for, if they add up to the value.
    fn aims<G: Game>(&self, game: &G, mover: Player) -> Result<Vec<StrategyGoal>, Refusal> {
        let aims: Vec<StrategyGoal> = self
            .strategies
            .iter()
            .map(|strategy| {
                let mut players = (0..game.players() as u8).map(Player);
                match players.find(|&it| game.player_name(it) == strategy.side) {
                    Some(side) => Ok(StrategyGoal { side, win: strategy.win }),
                    None => refuse(format!("there is no player `{}`", strategy.side)),
                }
            })
            .collect::<Result<_, _>>()?;
        let shown = match aims.as_slice() {
            [one] if one.win => {
                Some(if one.side == mover { GameValue::Win } else { GameValue::Loss })
            }
            [one, other] if one.side != other.side && !one.win && !other.win => {
                Some(GameValue::Draw)
            }
            _ => None,
        };
        match shown {
            Some(value) if value == self.value => Ok(aims),
            Some(value) => {
                refuse(format!("the plans show a {value}, and the file claims a {}", self.value))
            }
            None => refuse("a value takes one plan to win, or a plan for each side to hold"),
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let past = match self.past {
            None => "none",
            Some(Past::Exact) => "exact",
            Some(Past::Ignored) => "ignored",
        };
        writeln!(f, "{FIRST_LINE}\ngame: {}\nrules: {:016x}", self.game, self.rules)?;
        writeln!(f, "position: {}\npast: {past}\nvalue: {}", self.position, self.value)?;
        for strategy in &self.strategies {
            writeln!(f, "plan: {} {}", strategy.side, if strategy.win { "wins" } else { "holds" })?;
            for (position, mv) in &strategy.moves {
                writeln!(f, "{position}\t{mv}")?;
            }
        }
        writeln!(f, "end")
    }
}

/// One strategy being played out.
struct Check<'c, 'g, G: Game> {
    view: View<'g, G>,
    goal: StrategyGoal,
    moves: HashMap<&'c str, &'c str>,
    /// Positions met, with their pasts where those count, and whether everything below was seen.
    marks: HashMap<G::State, Vec<(G::Trail, bool)>>,
    positions: usize,
    most: usize,
}

/// A position on the way down, with what is still to be played there.
struct Level<G: Game> {
    position: PositionOf<G>,
    moves: Vec<G::Move>,
}

impl<G: Game> Check<'_, '_, G> {
    fn run(
        &mut self,
        root: &PositionOf<G>,
        run: &mut ProofRun<'_>,
    ) -> Result<Result<(), Refusal>, Fault> {
        let mut stack: Vec<Level<G>> = Vec::new();
        let mut position = Some(root.clone());
        loop {
            if let Some(position) = position.take() {
                match self.enter(position, run)? {
                    Err(refusal) => return Ok(Err(refusal)),
                    Ok(Some(level)) => stack.push(level),
                    Ok(None) => {}
                }
            }
            let Some(level) = stack.last_mut() else { return Ok(Ok(())) };
            if let Some(mv) = level.moves.pop() {
                let mut next = level.position.clone();
                self.view.follow(&level.position, mv, &mut next)?;
                position = Some(next);
            } else if let Some(level) = stack.pop() {
                *self.mark(&level.position) = true;
            }
        }
    }

    /// Whether everything below a position that was met has been seen.
    fn mark(&mut self, position: &PositionOf<G>) -> &mut bool {
        let marks = self.marks.entry(position.state.clone()).or_default();
        let at = match marks.iter().position(|it| it.0 == position.trail) {
            Some(at) => at,
            None => {
                marks.push((position.trail.clone(), false));
                marks.len() - 1
            }
        };
        &mut marks[at].1
    }

    /// Enters a position: what is to be played there, if it is met for the first time.
    fn enter(
        &mut self,
        position: PositionOf<G>,
        run: &mut ProofRun<'_>,
    ) -> Result<Result<Option<Level<G>>, Refusal>, Fault> {
        let shown = || self.view.game().write(&position.state);
        let known = self.marks.get(&position.state);
        match known.and_then(|marks| marks.iter().find(|it| it.0 == position.trail)) {
            Some((_, true)) => return Ok(Ok(None)),
            Some((_, false)) if !self.goal.win => return Ok(Ok(None)),
            Some((_, false)) => {
                return Ok(refuse(format!("the plan comes back to `{}`", shown())));
            }
            None => {}
        }
        if self.positions >= self.most || run.is_over() {
            let why = "the budget ran out before everything was checked".to_owned();
            return Ok(Err(Refusal { why, spent: true }));
        }
        let Some(mover) = self.view.mover(&position)? else {
            let met = self.goal.is_met(self.view, &position)?;
            return Ok(if met {
                Ok(None)
            } else {
                refuse(format!("the end `{}` is not as claimed", shown()))
            });
        };
        let mut moves = Vec::new();
        if mover == self.goal.side {
            let text = shown();
            let Some(name) = self.moves.get(text.as_str()) else {
                return Ok(refuse(format!("there is no move for `{text}`")));
            };
            let Some(mv) = self.view.game().named(&position, mover, name)? else {
                return Ok(refuse(format!("`{name}` is not legal in `{text}`")));
            };
            moves.push(mv);
        } else {
            self.view.moves(&position, mover, &mut moves)?;
        }
        self.positions += 1;
        run.count(|| None);
        *self.mark(&position) = false;
        Ok(Ok(Some(Level { position, moves })))
    }
}
