//! Proof searches as players.
//!
//! The player to move asks whether it can win, and whether the other can, until the budget is spent. What
//! the questions have shown of a move is said as proved; of the others the one that is nearest to a proof
//! of a win is tried first. The past counts as the rules say.

use ludex_core::{Fault, Game};

use super::dfpn::{Dfpn, DfpnConfig};
use super::pns::{Pns, PnsConfig};
use super::question::{Bounds, Past, Place, Verdict, View};
use super::table::{Numbers, Table};
use super::value::{Pair, Value, ask_table};
use crate::player::{Limits, Player, Task};
use crate::thought::{Line, Proved, Thought};

/// Nodes where the budget has no limit that would ever end the search.
const ENDLESS: u64 = 1_000_000;

/// A player that thinks by df-pn. It keeps its table from move to move.
#[derive(Debug)]
pub struct DfpnPlayer {
    config: DfpnConfig,
    memory: usize,
    table: Option<Table>,
    /// What the last position is worth, where that is known.
    value: Option<Value>,
}

impl DfpnPlayer {
    /// A player with these options and so many bytes for its table.
    pub fn new(config: DfpnConfig, memory: usize) -> Self {
        Self { config, memory, table: None, value: None }
    }

    /// What the last position is worth to the player to move, where it has been proved.
    pub fn value(&self) -> Option<Value> {
        self.value
    }
}

impl<G: Game> Player<G> for DfpnPlayer {
    fn think(
        &mut self,
        task: Task<'_, G>,
        limits: &mut Limits<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        self.value = None;
        let mut thought = Thought::unjudged(task.game, task.state, task.trail)?;
        if thought.lines.is_empty() {
            return Ok(thought);
        }
        let view = View::new(task.game, Past::Exact)?;
        let root = view.place(task.state, task.trail);
        let Some(mover) = view.mover(&root)? else { return Ok(thought) };
        let mut pair = Pair::new(mover);
        let mut silent = |_: &_| {};
        let mut bounds = bounds(limits, &mut silent);
        let table = self.table.get_or_insert_with(|| Table::new(self.memory));
        ask_table(view, &root, &mut pair, self.config, table, &mut bounds)?;
        let mut seen = Seen { view, root: &root, least: 1.0, numbers: Vec::new() };
        for (number, question) in pair.questions.into_iter().enumerate() {
            let mut search = Dfpn::new(view, question, self.config, table);
            if number == 0 && pair.answers[0] == Verdict::Proved {
                // The table may have lost which move it was; the budget may end this as well.
                search.children(&root, Verdict::Proved, &mut bounds)?;
            }
            let numbers =
                thought.lines.iter().map(|line| Ok(search.known(&seen.after(line.mv)?)?.numbers));
            let numbers = numbers.collect::<Result<Vec<_>, Fault>>()?;
            seen.numbers.push(numbers);
        }
        // Only now: the table has answers from before, and a move may have led to an end that no
        // search has met.
        pair.ends = pair.questions.map(|it| table.ends_of(it));
        seen.least = least(&pair);
        let nodes = bounds.nodes;
        seen.tell(&pair, &mut thought);
        self.value = pair.value().map(|it| it.0);
        Ok(finish(thought, nodes, limits))
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

impl<G: Game> Player<G> for PnsPlayer {
    fn think(
        &mut self,
        task: Task<'_, G>,
        limits: &mut Limits<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        let mut thought = Thought::unjudged(task.game, task.state, task.trail)?;
        if thought.lines.is_empty() {
            return Ok(thought);
        }
        let view = View::new(task.game, Past::Exact)?;
        let root = view.place(task.state, task.trail);
        let Some(mover) = view.mover(&root)? else { return Ok(thought) };
        let mut pair = Pair::new(mover);
        let mut silent = |_: &_| {};
        let mut bounds = bounds(limits, &mut silent);
        let config = PnsConfig { memory: self.config.memory / 2, ..self.config };
        let [first, second] = pair.questions.map(|it| Pns::new(view, it, config, &root));
        let mut trees = [first?, second?];
        super::value::grow(&mut trees, &mut pair, &mut bounds)?;
        let mut seen = Seen { view, root: &root, least: least(&pair), numbers: Vec::new() };
        for tree in &trees {
            let numbers = thought.lines.iter().map(|line| tree.of_move(line.mv));
            seen.numbers.push(numbers.collect());
        }
        let nodes = bounds.nodes;
        seen.tell(&pair, &mut thought);
        Ok(finish(thought, nodes, limits))
    }

    fn describe(&self) -> String {
        format!("proof-number search, mobility {}", self.config.mobility)
    }
}

/// What the limits of a player leave to a proof.
fn bounds<'b, 'l: 'b, M>(
    limits: &'b Limits<'l, M>,
    watch: &'b mut dyn FnMut(&super::question::Progress),
) -> Bounds<'b> {
    let budget = limits.budget;
    let endless = budget.nodes.is_none() && budget.time.is_none() && budget.stop.is_none();
    let nodes = if endless { Some(ENDLESS) } else { budget.nodes };
    Bounds::new(ludex_core::Budget { nodes, ..budget }, limits.clock, watch)
}

fn finish<M: Copy + Ord>(
    mut thought: Thought<M>,
    nodes: u64,
    limits: &mut Limits<'_, M>,
) -> Thought<M> {
    thought.nodes = nodes;
    thought.elapsed = limits.clock.elapsed();
    thought.found = thought.elapsed;
    (limits.watch)(&thought);
    thought
}

fn least(pair: &Pair) -> f64 {
    pair.ends[0].least.min(pair.ends[1].least)
}

/// What the two questions have shown of the moves.
struct Seen<'g, 'r, G: Game> {
    view: View<'g, G>,
    root: &'r Place<G>,
    /// The least that a won end was worth.
    least: f64,
    /// The numbers of each move, for each question.
    numbers: Vec<Vec<Numbers>>,
}

impl<G: Game> Seen<'_, '_, G> {
    fn after(&self, mv: G::Move) -> Result<Place<G>, Fault> {
        let mut next = self.root.clone();
        self.view.follow(self.root, mv, &mut next)?;
        Ok(next)
    }

    /// Says what is known and believed of each move, the best first.
    fn tell(&self, pair: &Pair, thought: &mut Thought<G::Move>) {
        for (at, line) in thought.lines.iter_mut().enumerate() {
            let (mine, yours) = (self.numbers[0][at], self.numbers[1][at]);
            let value = self.value(pair, mine, yours);
            line.proved = value.map(|it| self.proved(it));
            line.value = match value {
                Some(Value::Win) => 1.0,
                Some(Value::Draw) => 0.0,
                Some(Value::Loss) => -1.0,
                None => belief(mine),
            };
        }
        thought.lines.sort_by(|one, other| {
            let key = |line: &Line<G::Move>| (line.value, line.proved.is_some());
            let ((value, proved), (other_value, other_proved)) = (key(one), key(other));
            // Of equals, what is known is better if it is good, and unknown if it is bad.
            other_value
                .total_cmp(&value)
                .then(other_proved.cmp(&proved))
                .then(one.mv.cmp(&other.mv))
        });
    }

    fn value(&self, pair: &Pair, mine: Numbers, yours: Numbers) -> Option<Value> {
        if mine.proof == 0 || (yours.disproof == 0 && !pair.ends[1].between) {
            Some(Value::Win)
        } else if yours.proof == 0 || (mine.disproof == 0 && !pair.ends[0].between) {
            Some(Value::Loss)
        } else {
            (mine.disproof == 0 && yours.disproof == 0).then_some(Value::Draw)
        }
    }

    fn proved(&self, value: Value) -> Proved {
        let exact = self.least >= 1.0;
        match value {
            Value::Win => Proved { utility: self.least, exact, plies: None },
            Value::Draw => Proved::DRAW,
            Value::Loss => Proved { utility: -self.least, exact, plies: None },
        }
    }
}

/// How near to a proof and how far from a disproof, from -1 to 1 and never quite there.
fn belief(numbers: Numbers) -> f64 {
    let (proof, disproof) = (f64::from(numbers.proof), f64::from(numbers.disproof));
    0.98 * (disproof - proof) / (disproof + proof).max(1.0)
}
