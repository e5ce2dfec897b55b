//! What a position is worth: a win, a draw or a loss, proved.
//!
//! The value comes of two questions: can the player to move force a win, and can the other? Two
//! failures are a draw. They are asked in turn, in slices that grow, as it is not known beforehand
//! which one is easier. As long as one question has met no draw and no circle, its failure is the
//! other's success, and the other is not asked at all.

use std::fmt;
use std::str::FromStr;

use ludex_core::two_player::opponent;
use ludex_core::{Fault, Game, GameExt, Player, PositionOf};

use super::dfpn::Dfpn;
use super::dfpn_config::DfpnConfig;
use super::pns::{Pns, PnsConfig};
use super::question::{EndValues, Past, ProofRun, ProofStatus, Question, View};
use super::retrograde::{self, RetrogradeSolution, Unsolved};
use super::table::ProofTable;
use super::threats::Memory;
use crate::error::SearchError;

/// How a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Retrograde analysis if there are few positions and the game does not see by itself what is
    /// forced, df-pn otherwise.
    Auto,
    /// Proof-number search.
    Pns,
    /// df-pn.
    Dfpn,
    /// Retrograde analysis.
    Retrograde,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Pns, Self::Dfpn, Self::Retrograde];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Pns => "pns",
            Self::Dfpn => "dfpn",
            Self::Retrograde => "retrograde",
        }
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|it| it.name() == text).ok_or_else(|| {
            format!("there is no method `{text}`; there are auto, pns, dfpn and retrograde")
        })
    }
}

/// How to go about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveConfig {
    /// How the value is found.
    pub method: Method,
    /// What the past counts for. Retrograde analysis always ignores it.
    pub past: Past,
    /// About how many bytes tables, trees and lists may take.
    pub memory: usize,
    /// How many positions are few: up to this many, `auto` lists them all.
    pub few: usize,
    /// Options of df-pn.
    pub dfpn: DfpnConfig,
    /// Whether a leaf of proof-number search starts with the number of its moves.
    pub mobility: bool,
}

impl Default for SolveConfig {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            past: Past::Exact,
            memory: 256 << 20,
            few: 200_000,
            dfpn: DfpnConfig::default(),
            mobility: true,
        }
    }
}

/// A value, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameValue {
    /// The player to move can force a win.
    Win,
    /// Neither can.
    Draw,
    /// The other can.
    Loss,
}

impl fmt::Display for GameValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        })
    }
}

/// What was found.
#[derive(Debug)]
pub struct Solved<G: Game> {
    /// The value, if it is known.
    pub value: Option<GameValue>,
    /// Who is to move.
    pub mover: Player,
    /// The method that was used: never `Auto`.
    pub method: Method,
    /// How many positions can be reached, where all were listed.
    pub states: Option<usize>,
    /// The least that an end which is not drawn is worth to its winner, as far as seen: a win
    /// is worth no less.
    pub least: f64,
    /// In how many plies the game ends, where that is known exactly.
    pub plies: Option<u32>,
    /// What the past counted for.
    pub past: Past,
    pub(super) evidence: Evidence<G>,
    pub(super) root: PositionOf<G>,
}

/// What the value rests on.
#[derive(Debug)]
pub(super) enum Evidence<G: Game> {
    Listed(RetrogradeSolution<G>),
    /// A table, and the question that a win or loss follows from, with its answer.
    Numbers {
        table: ProofTable,
        config: DfpnConfig,
        from: Option<(Question, ProofStatus)>,
    },
}

/// Finds the value of a position.
pub fn solve<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    config: &SolveConfig,
    run: &mut ProofRun<'_>,
) -> Result<Solved<G>, SearchError> {
    let graph = View::new(game, Past::Ignored)?;
    let tries_list = match config.method {
        Method::Auto => {
            !game.has_decisive_prover() && (config.past == Past::Ignored || !game.has_history())
        }
        Method::Retrograde => true,
        Method::Pns | Method::Dfpn => false,
    };
    if tries_list {
        let fits = config.memory / retrograde::bytes_of_position(game);
        let auto = config.method == Method::Auto;
        let most = if auto { fits.min(config.few) } else { fits };
        let root = graph.root(position);
        let mover = mover(graph, &root)?;
        match retrograde::solve(graph, &root, most, run)? {
            Ok(solution) => return Ok(listed(solution, root, mover)),
            Err(Unsolved::TooMany) if auto => {}
            Err(_) => return Ok(undecided(root, mover, Method::Retrograde, config)),
        }
    }
    let view = View::new(game, config.past)?;
    let root = view.root(position);
    let mover = mover(view, &root)?;
    Ok(by_numbers(view, root, mover, config, run)?)
}

fn mover<G: Game>(view: View<'_, G>, position: &PositionOf<G>) -> Result<Player, Fault> {
    view.mover(position)?.ok_or_else(|| Fault {
        code: "solve-over",
        message: "the game is over in this position".to_owned(),
        place: None,
    })
}

fn undecided<G: Game>(
    root: PositionOf<G>,
    mover: Player,
    method: Method,
    config: &SolveConfig,
) -> Solved<G> {
    let evidence = Evidence::Numbers { table: ProofTable::new(0), config: config.dfpn, from: None };
    let past = if method == Method::Retrograde { Past::Ignored } else { config.past };
    let (value, states, plies) = (None, None, None);
    Solved { value, mover, method, states, least: 0.0, plies, past, evidence, root }
}

fn listed<G: Game>(
    solution: RetrogradeSolution<G>,
    root: PositionOf<G>,
    mover: Player,
) -> Solved<G> {
    let forced = solution.forced(&root.state).flatten();
    let value = match forced {
        None => GameValue::Draw,
        Some(it) if it.winner == mover => GameValue::Win,
        Some(_) => GameValue::Loss,
    };
    Solved {
        value: Some(value),
        mover,
        method: Method::Retrograde,
        states: Some(solution.states()),
        least: solution.least,
        plies: forced.map(|it| it.plies),
        past: Past::Ignored,
        evidence: Evidence::Listed(solution),
        root,
    }
}

/// The first slice, in nodes.
const SLICE: u64 = 1 << 14;

/// The two questions and what has come of them.
pub(crate) struct Pair {
    pub(crate) questions: [Question; 2],
    pub(crate) answers: [ProofStatus; 2],
    pub(crate) ends: [EndValues; 2],
    /// The one that is asked alone until it is answered, where it is expected to be proved.
    pub(crate) first: Option<usize>,
}

impl Pair {
    pub(crate) fn new(mover: Player) -> Self {
        Self {
            questions: [Question::wins(mover), Question::wins(opponent(mover))],
            answers: [ProofStatus::Unknown; 2],
            ends: [EndValues::default(); 2],
            first: None,
        }
    }

    /// Whether a question is to be asked now.
    pub(crate) fn is_open(&self, number: usize) -> bool {
        if self.value().is_some() {
            return false;
        }
        let is_unknown = |it: usize| self.answers[it] == ProofStatus::Unknown;
        let waits = match self.first.filter(|&it| is_unknown(it)) {
            Some(first) => number != first,
            // While the first has met no draw its answer will do for both.
            None => number == 1 && is_unknown(0) && !self.ends[0].between,
        };
        is_unknown(number) && !waits
    }

    /// The value, and the question with the answer that it follows from; none for draws.
    pub(crate) fn value(&self) -> Option<(GameValue, Option<(Question, ProofStatus)>)> {
        let from = |number: usize| Some((self.questions[number], self.answers[number]));
        for (number, values) in
            [(0, [GameValue::Win, GameValue::Loss]), (1, [GameValue::Loss, GameValue::Win])]
        {
            match self.answers[number] {
                ProofStatus::Proved => return Some((values[0], from(number))),
                ProofStatus::Disproved if !self.ends[number].between => {
                    return Some((values[1], from(number)));
                }
                _ => {}
            }
        }
        (self.answers == [ProofStatus::Disproved; 2]).then_some((GameValue::Draw, None))
    }
}

fn by_numbers<G: Game>(
    view: View<'_, G>,
    root: PositionOf<G>,
    mover: Player,
    config: &SolveConfig,
    run: &mut ProofRun<'_>,
) -> Result<Solved<G>, Fault> {
    let mut pair = Pair::new(mover);
    let method = if config.method == Method::Pns { Method::Pns } else { Method::Dfpn };
    let table = if method == Method::Pns {
        ask_trees(view, &root, &mut pair, config, run)?
    } else {
        let mut table = ProofTable::new(config.memory);
        let mut rounds = Rounds::new(config.dfpn, &table);
        while rounds.go_on(view, &root, &mut pair, &mut table, run)? {}
        table
    };
    let found = pair.value();
    let from = found.and_then(|it| it.1);
    Ok(Solved {
        value: found.map(|it| it.0),
        mover,
        method,
        states: None,
        least: pair.ends[0].least.min(pair.ends[1].least),
        plies: None,
        past: config.past,
        evidence: Evidence::Numbers { table, config: config.dfpn, from },
        root,
    })
}

/// Asks both questions by df-pn, in turn, for longer every time.
pub(crate) struct Rounds<M> {
    config: DfpnConfig,
    slice: u64,
    /// Forced wins are the same for both questions.
    forced: Memory<M>,
}

impl<M: Copy> Rounds<M> {
    /// Beside this table.
    pub(crate) fn new(config: DfpnConfig, table: &ProofTable) -> Self {
        Self { config, slice: SLICE, forced: Memory::beside(table.bytes()) }
    }

    /// One round more; false where the questions have given a value or the limits are reached.
    pub(crate) fn go_on<G: Game<Move = M>>(
        &mut self,
        view: View<'_, G>,
        root: &PositionOf<G>,
        pair: &mut Pair,
        table: &mut ProofTable,
        run: &mut ProofRun<'_>,
    ) -> Result<bool, Fault> {
        for number in [0, 1] {
            let question = pair.questions[number];
            pair.ends[number] = table.ends_of(question);
            if !run.is_over() && pair.is_open(number) {
                let mut search = Dfpn::new(view, question, self.config, table);
                std::mem::swap(&mut search.forced, &mut self.forced);
                pair.answers[number] = search.search(root, run, self.slice)?;
                std::mem::swap(&mut search.forced, &mut self.forced);
                pair.ends[number] = table.ends_of(question);
            }
        }
        self.slice *= 2;
        Ok(pair.value().is_none() && !run.is_over())
    }
}

/// The same by two trees. Gives a table of what the trees that decide have shown.
fn ask_trees<G: Game>(
    view: View<'_, G>,
    root: &PositionOf<G>,
    pair: &mut Pair,
    config: &SolveConfig,
    run: &mut ProofRun<'_>,
) -> Result<ProofTable, Fault> {
    let half = PnsConfig { memory: config.memory / 2, mobility: config.mobility };
    let [first, second] = pair.questions.map(|it| Pns::new(view, it, half, root));
    let mut trees = [first?, second?];
    grow(&mut trees, pair, run)?;
    let mut table = ProofTable::new(config.memory / 4);
    for (number, tree) in trees.iter().enumerate() {
        let mut search = Dfpn::new(view, pair.questions[number], config.dfpn, &mut table);
        tree.teach(&mut search)?;
        table.ends[pair.questions[number].attacker.index().min(1)] = tree.ends;
    }
    Ok(table)
}

/// Grows the trees of both questions in turn.
pub(crate) fn grow<G: Game>(
    trees: &mut [Pns<'_, G>; 2],
    pair: &mut Pair,
    run: &mut ProofRun<'_>,
) -> Result<(), Fault> {
    let mut slice = SLICE;
    while pair.value().is_none() && !run.is_over() {
        let mut stuck = true;
        for number in [0, 1] {
            if pair.is_open(number) && !trees[number].is_full() {
                stuck = false;
                pair.answers[number] = trees[number].search(run, slice)?;
                pair.ends[number] = trees[number].ends;
            }
        }
        if stuck {
            break;
        }
        slice *= 2;
    }
    Ok(())
}
