//! Proof searches as players.
//!
//! The player to move asks whether it can win, and whether the other can, until the budget is
//! spent. What the questions have shown of a move is said as proved; of the others the one that is
//! nearest to a proof of a win is tried first. The past counts as the rules say. Where a win is
//! expected, the search may also ask how soon it comes (`soonest`).

use ludex_core::{Clock, Fault, Game, Limits, PositionOf};

use super::dfpn::Dfpn;
use super::dfpn_config::DfpnConfig;
use super::pns::{Pns, PnsConfig};
use super::question::{Past, ProofRun, ProofStatus, View};
use super::soonest::{Soonest, soonest};
use super::table::{Numbers, ProofTable};
use super::value::{GameValue, Pair, Rounds};
use crate::error::SearchError;
use crate::player::{GamePlayer, Observer, SearchRoot};
use crate::result::{Line, Proved, SearchResult};

/// Nodes where the budget has no limit that would ever end the search.
const ENDLESS: u64 = 1_000_000;

/// What is to be found out of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wanted {
    /// Who wins: both questions are asked in turn.
    #[default]
    GameValue,
    /// Whether the player to move wins; the opposite is asked only when that is answered.
    Win,
    /// Whether the player to move loses; the opposite is asked only when that is answered.
    Loss,
    /// Whether the player to move wins and, with most of the budget, how soon.
    QuickWin,
}

/// A player that thinks by df-pn. It keeps its table from move to move.
#[derive(Debug)]
pub struct DfpnPlayer {
    config: DfpnConfig,
    memory: usize,
    table: Option<ProofTable>,
    /// What the last position is worth, where that is known.
    value: Option<GameValue>,
    wanted: Wanted,
}

impl DfpnPlayer {
    /// A player with these options and `memory` bytes for its table.
    pub fn new(config: DfpnConfig, memory: usize) -> Self {
        Self { config, memory, table: None, value: None, wanted: Wanted::GameValue }
    }

    /// From now on this is to be found out.
    pub fn want(&mut self, wanted: Wanted) {
        self.wanted = wanted;
    }

    /// What the last position is worth to the player to move, where it has been proved.
    pub fn value(&self) -> Option<GameValue> {
        self.value
    }
}

impl<G: Game> GamePlayer<G> for DfpnPlayer {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        self.value = None;
        let unsearched = SearchResult::unsearched(root.game, root.position)?;
        if unsearched.lines.is_empty() {
            return Ok(unsearched);
        }
        let view = View::new(root.game, Past::Exact)?;
        let start = view.root(root.position);
        let Some(mover) = view.mover(&start)? else { return Ok(unsearched) };
        let first = match self.wanted {
            Wanted::Win | Wanted::QuickWin => Some(0),
            Wanted::Loss => Some(1),
            Wanted::GameValue => None,
        };
        let pair = Pair { first, ..Pair::new(mover) };
        let table = self.table.get_or_insert_with(|| ProofTable::new(self.memory));
        let config = self.config;
        let mut proof = PositionProof { view, root: start, config, pair, table, unsearched };
        let mut silent = |_: &_| {};
        let mut run = ProofRun::new(limits.or_nodes(ENDLESS), &mut silent);
        let mut rounds = Rounds::new(config, proof.table);
        let (mut win, mut proved) = (None, None);
        if self.wanted == Wanted::QuickWin {
            // Most of the budget is for how soon it comes.
            let all = run.limits;
            run.limits = part(all);
            proof.go_on(&mut rounds, &mut run, observer)?;
            run.limits = all;
            if proof.pair.answers[0] == ProofStatus::Proved {
                // What is asked next may push it out of the table.
                let known = proof.sum_up(&mut run)?;
                observer(&at(known.clone(), run.nodes, limits.clock));
                proved = Some(known);
            }
            // The observer is called now and then, as it may stop the search by its clock.
            let so_far = match &proved {
                Some(known) => known.clone(),
                None => proof.look()?,
            };
            let mut tell = |nodes| observer(&at(so_far.clone(), nodes, limits.clock));
            win = match proof.soonest(&mut run, &mut tell) {
                Err(_) if proved.is_some() => None,
                found => found?,
            };
        }
        let mut result = match proved {
            Some(known) => known,
            None => {
                if win.is_none() {
                    proof.go_on(&mut rounds, &mut run, observer)?;
                }
                proof.sum_up(&mut run)?
            }
        };
        self.value = proof.pair.value().map(|it| it.0);
        if let Some(win) = win {
            self.value = Some(GameValue::Win);
            // It may come by an end that is worth less than those that were met before.
            win.tell(proved_value(GameValue::Win, proof.least()), &mut result);
        }
        result = at(result, run.nodes, limits.clock);
        observer(&result);
        Ok(result)
    }

    fn forget(&mut self) {
        self.table = None;
    }

    fn describe(&self) -> String {
        let DfpnConfig { epsilon, mobility, weak, threats, order } = self.config;
        let forced = match threats {
            None => "threats where they are seen at once".to_owned(),
            Some(0) => "no threats".to_owned(),
            Some(threats) => format!("threats {threats} of order {order}"),
        };
        let mobility = match mobility {
            None => "mobility where nothing is said of threats".to_owned(),
            Some(mobility) => format!("mobility {mobility}"),
        };
        format!("df-pn, epsilon {epsilon}, {mobility}, weak {weak}, {forced}")
    }
}

/// A player that thinks by proof-number search.
#[derive(Clone, Copy, Debug)]
pub struct PnsPlayer {
    config: PnsConfig,
}

impl PnsPlayer {
    /// A player with these options.
    pub fn new(config: PnsConfig) -> Self {
        Self { config }
    }
}

impl<G: Game> GamePlayer<G> for PnsPlayer {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let mut result = SearchResult::unsearched(root.game, root.position)?;
        if result.lines.is_empty() {
            return Ok(result);
        }
        let view = View::new(root.game, Past::Exact)?;
        let start = view.root(root.position);
        let Some(mover) = view.mover(&start)? else { return Ok(result) };
        let mut pair = Pair::new(mover);
        let mut silent = |_: &_| {};
        let mut run = ProofRun::new(limits.or_nodes(ENDLESS), &mut silent);
        let config = PnsConfig { memory: self.config.memory / 2, ..self.config };
        let [first, second] = pair.questions.map(|it| Pns::new(view, it, config, &start));
        let mut trees = [first?, second?];
        super::value::grow(&mut trees, &mut pair, &mut run)?;
        let of_moves =
            |tree: &Pns<'_, G>| result.lines.iter().map(|it| tree.of_move(it.mv)).collect();
        let numbers = trees.iter().map(of_moves).collect();
        Seen { least: least(&pair), numbers }.tell(&pair, &mut result);
        let result = at(result, run.nodes, limits.clock);
        observer(&result);
        Ok(result)
    }

    fn describe(&self) -> String {
        format!("proof-number search, mobility {}", self.config.mobility)
    }
}

/// The part of the limits that goes into any win, where a quick one is wanted: one in this many.
const ANY_WIN: u32 = 4;

/// That part of limits of which nothing was spent yet but time.
fn part(limits: Limits<'_>) -> Limits<'_> {
    let nodes = limits.nodes.map(|it| it / u64::from(ANY_WIN));
    Limits { nodes, ..limits.part_of_time(ANY_WIN) }
}

/// A result with the time of now.
fn at<M>(result: SearchResult<M>, nodes: u64, clock: &dyn Clock) -> SearchResult<M> {
    let elapsed = clock.elapsed();
    SearchResult { nodes, elapsed, found: elapsed, ..result }
}

fn least(pair: &Pair) -> f64 {
    pair.ends[0].least.min(pair.ends[1].least)
}

/// What is asked of one position.
struct PositionProof<'t, 'g, G: Game> {
    view: View<'g, G>,
    root: PositionOf<G>,
    config: DfpnConfig,
    pair: Pair,
    table: &'t mut ProofTable,
    /// The moves of the position.
    unsearched: SearchResult<G::Move>,
}

impl<'g, G: Game> PositionProof<'_, 'g, G> {
    /// Asks both questions as far as the limits allow, and tells how that goes.
    fn go_on(
        &mut self,
        rounds: &mut Rounds<G::Move>,
        run: &mut ProofRun<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<(), SearchError> {
        while rounds.go_on(self.view, &self.root, &mut self.pair, self.table, run)? {
            let result = self.look()?;
            observer(&at(result, run.nodes, run.limits.clock));
        }
        Ok(())
    }

    /// How soon the player to move can win, unless it is known that it cannot.
    fn soonest(
        &mut self,
        run: &mut ProofRun<'_>,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Option<Soonest<G::Move>>, Fault> {
        if self.pair.answers[0] == ProofStatus::Disproved {
            return Ok(None);
        }
        let asked = (self.pair.questions[0], self.config);
        soonest(self.view, &self.root, asked, self.table, run, tell)
    }

    /// What has come of it, with the line by which the player to move wins.
    fn sum_up(&mut self, run: &mut ProofRun<'_>) -> Result<SearchResult<G::Move>, SearchError> {
        let root = self.root.clone();
        let is_won = self.pair.answers[0] == ProofStatus::Proved;
        if is_won {
            // The table may have lost which move it was; the budget may end this as well.
            self.search_for_win().children(&root, ProofStatus::Proved, run)?;
        }
        let mut result = self.look()?;
        if is_won && let Some(line) = self.search_for_win().line(&root)? {
            let first = result.lines.iter_mut().find(|it| line.first() == Some(&it.mv));
            first.into_iter().for_each(|it| it.pv.clone_from(&line));
        }
        Ok(result)
    }

    /// The least that a won end was worth of those that were met.
    fn least(&mut self) -> f64 {
        self.pair.ends = self.pair.questions.map(|it| self.table.ends_of(it));
        least(&self.pair)
    }

    /// The search for a win of the player to move.
    fn search_for_win(&mut self) -> Dfpn<'_, 'g, G> {
        Dfpn::new(self.view, self.pair.questions[0], self.config, self.table)
    }

    /// The result by what the table has of the moves. Where a move leads to an end that no search
    /// has met, the pair of questions takes it in.
    fn look(&mut self) -> Result<SearchResult<G::Move>, SearchError> {
        let Self { view, root, config, pair, table, unsearched } = self;
        let mut next = root.clone();
        let mut numbers = Vec::new();
        for question in pair.questions {
            let mut search = Dfpn::new(*view, question, *config, table);
            let of_move = |it: &Line<G::Move>| {
                view.follow(root, it.mv, &mut next)?;
                Ok(search.known(&next, 0)?.numbers)
            };
            numbers.push(unsearched.lines.iter().map(of_move).collect::<Result<_, Fault>>()?);
        }
        pair.ends = pair.questions.map(|it| table.ends_of(it));
        let mut result = unsearched.clone();
        Seen { least: least(pair), numbers }.tell(pair, &mut result);
        Ok(result)
    }
}

/// What the two questions have shown of the moves.
struct Seen {
    /// The least that a won end was worth.
    least: f64,
    /// The numbers of each move, for each question.
    numbers: Vec<Vec<Numbers>>,
}

impl Seen {
    /// Writes the proofs and estimates of all moves into a result, the best first.
    fn tell<M: Copy + Ord>(&self, pair: &Pair, result: &mut SearchResult<M>) {
        for (at, line) in result.lines.iter_mut().enumerate() {
            let (mine, yours) = (self.numbers[0][at], self.numbers[1][at]);
            let value = self.value(pair, mine, yours);
            line.proved = value.map(|it| proved_value(it, self.least));
            line.value = match value {
                Some(GameValue::Win) => 1.0,
                Some(GameValue::Draw) => 0.0,
                Some(GameValue::Loss) => -1.0,
                None => belief(mine),
            };
        }
        result.lines.sort_by(|one, other| {
            let key = |line: &Line<M>| (line.value, line.proved.is_some());
            let ((value, proved), (other_value, other_proved)) = (key(one), key(other));
            // Of equals, what is known is better if it is good, and unknown if it is bad.
            other_value
                .total_cmp(&value)
                .then(other_proved.cmp(&proved))
                .then(one.mv.cmp(&other.mv))
        });
    }

    fn value(&self, pair: &Pair, mine: Numbers, yours: Numbers) -> Option<GameValue> {
        if mine.proof == 0 || (yours.disproof == 0 && !pair.ends[1].between) {
            Some(GameValue::Win)
        } else if yours.proof == 0 || (mine.disproof == 0 && !pair.ends[0].between) {
            Some(GameValue::Loss)
        } else {
            (mine.disproof == 0 && yours.disproof == 0).then_some(GameValue::Draw)
        }
    }
}

/// What a value says where a won end is worth so much at least.
fn proved_value(value: GameValue, least: f64) -> Proved {
    let exact = least >= 1.0;
    match value {
        GameValue::Win => Proved { utility: least, exact, ..Proved::WIN },
        GameValue::Draw => Proved::DRAW,
        GameValue::Loss => Proved { utility: -least, exact, ..Proved::LOSS },
    }
}

/// How near to a proof and how far from a disproof, from -1 to 1 and never quite there.
fn belief(numbers: Numbers) -> f64 {
    let (proof, disproof) = (f64::from(numbers.proof), f64::from(numbers.disproof));
    0.98 * (disproof - proof) / (disproof + proof).max(1.0)
}
