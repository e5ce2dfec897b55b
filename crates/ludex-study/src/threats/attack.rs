//! The search for a win by threats.
//!
//! Tristan Cazenave, "A generalized threats search algorithm", 2002, with what the printed listing
//! leaves out: the defender may end the game himself, the reasons of a tree are the union of those of
//! its parts, and a leaf has reasons too.
//!
//! The attacker looks for a move after which he would win if the defender passed; that is a smaller
//! search of its own. That win depends on some cells, its *zone*. The defender's moves that leave the
//! zone as it is change nothing, so only the others are searched. If a rule forbids leaving a king to be
//! captured, a check is such a threat, and every legal move is a defence.

use ludex_core::GameExt;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use ludex_core::{Fault, Limits, Player, Position};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::attacker_moves::AttackerMoves;
use super::cell_game::{CellGame, Status};
use super::defender_replies::Defences;
use super::game_analysis::GameAnalysis;
use super::proof::{Hold, Reply, Threat, Win};
use super::relevance_zone::Near;
use super::shape::Shape;
use super::transposition_table::TranspositionTable;
use super::zone::Zone;
use super::zone_table::ZoneTable;

/// Configuration of the search.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// A line is pruned if the defender has more defences than this, as in Pitrat's program; `None`
    /// prunes nothing.
    pub most_defences: Option<usize>,
    /// Whether zones exclude a win of the defender meanwhile. Without it the search claims wrong wins:
    /// the tests switch it off to show that they notice.
    pub ends: bool,
    /// Whether zones exclude new moves of the defender. The same holds for it.
    pub moves: bool,
    /// Restricts moves and replies to squares within this distance of those that the result depends
    /// on. Only [`prove_verified`](super::prove_verified) honours it, and verifies what it finds.
    pub relevance_zone: Option<u8>,
    /// Restricts the attacker to moves that fulfil part of a winning pattern, if patterns can be read
    /// off the rules, and else to moves within this distance of a man. At worst it misses wins.
    pub neighbourhood: Option<u8>,
    /// Whether the zones of direct threats are cached.
    pub zone_table: bool,
    /// Size limit of the transposition table, in bytes.
    pub memory: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            most_defences: None,
            ends: true,
            moves: true,
            relevance_zone: None,
            neighbourhood: None,
            zone_table: true,
            memory: 1 << 30,
        }
    }
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched<T> {
    /// There is a win.
    Found(T),
    /// There is none of this shape; there may be others.
    Nothing,
    /// The budget was spent before the search was complete.
    Spent,
}

/// Why a search ended early.
#[derive(Debug)]
pub(super) enum Stop {
    Spent,
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Number of a shape.
pub(super) type ShapeId = u16;

/// A shape by the numbers of its parts.
#[derive(Clone, Copy, Debug)]
struct Parts {
    order: u8,
    /// The shapes after a pass and after a reply.
    then: Option<(ShapeId, ShapeId)>,
    /// How many times in a row the same threat is made before it is carried out: more than once in a
    /// threat sequence, at most once in other shapes.
    length: u16,
}

/// Steps between two readings of the clock. The most expensive steps take a good part of a
/// millisecond.
const CLOCK: u64 = 16;

/// Steps between two progress reports: a few reports a second.
const WATCH: u64 = 1 << 16;

/// Natural replies that are tried before the zone of a threat is computed, at most.
const MOST_NATURAL: usize = 12;

/// Length that stands for: no sequence of this threat wins, however long it is.
const ANY_LENGTH: u16 = u16::MAX;

/// Receives progress reports: the number of nodes, and the shape that is being tried.
pub type Watch<'a> = dyn Fn(u64, &Shape) + 'a;

/// Searches for wins of one player, one after the other.
pub struct Attack<'a, G: CellGame> {
    pub(super) game: &'a G,
    pub(super) rules: &'a RulesGame,
    pub(super) analysis: Arc<GameAnalysis>,
    pub(super) attacker: Player,
    pub(super) config: Config,
    limits: Limits<'a>,
    watch: Option<&'a Watch<'a>>,
    /// The shape that is being searched.
    tried: Option<Rc<Shape>>,
    nodes: u64,
    /// Positions made in all searches.
    steps: u64,
    forms: Vec<Parts>,
    numbers: HashMap<Shape, ShapeId>,
    table: TranspositionTable,
    /// Whether a search was cut at the end of a threat sequence: a longer one might have won.
    is_cut: bool,
    /// How often a reply refuted a threat: the history heuristic of the defender.
    pub(super) defender_history: HashMap<PackedMove, u32>,
    /// How often a move won: the history heuristic of the attacker.
    pub(super) attacker_history: HashMap<PackedMove, u32>,
    /// The squares to which moves and replies are restricted, if they are.
    pub(super) relevance_zone: Option<Near>,
    /// Zones of direct threats.
    pub(super) zones: ZoneTable,
    /// Which of the attacker's moves are tried.
    pub(super) attacker_moves: AttackerMoves,
    /// Replies outside the relevance zone that are searched all the same.
    pub(super) extra_replies: HashSet<PackedMove>,
}

impl<'a, G: CellGame> Attack<'a, G> {
    /// A search for wins of `attacker`; it analyses the rules first.
    pub fn new(
        (game, rules): (&'a G, &'a RulesGame),
        attacker: Player,
        config: Config,
        limits: Limits<'a>,
    ) -> Self {
        Self::on(Arc::new(GameAnalysis::new(rules)), (game, rules), attacker, config, limits)
    }

    /// The same with an analysis made before.
    pub fn on(
        analysis: Arc<GameAnalysis>,
        (game, rules): (&'a G, &'a RulesGame),
        attacker: Player,
        config: Config,
        limits: Limits<'a>,
    ) -> Self {
        let attacker_moves =
            AttackerMoves::new((game, rules), &analysis, attacker, config.neighbourhood, limits);
        Self {
            game,
            rules,
            analysis,
            attacker,
            config,
            limits,
            watch: None,
            tried: None,
            nodes: 0,
            steps: 0,
            forms: Vec::new(),
            numbers: HashMap::new(),
            table: TranspositionTable::new(config.memory),
            is_cut: false,
            defender_history: HashMap::new(),
            attacker_history: HashMap::new(),
            relevance_zone: None,
            zones: ZoneTable::default(),
            attacker_moves,
            extra_replies: HashSet::new(),
        }
    }

    /// Restricts the search to the relevance zone of `position`, if the configuration says so and
    /// there is one.
    pub(super) fn restrict_to_relevance_zone(&mut self, position: &Position) -> Result<(), Fault> {
        if self.config.relevance_zone.is_some() {
            let plain = self.interpreted(position);
            let silence = self.analysis.study.silence(&plain)?;
            self.relevance_zone = silence.and_then(|it| Near::new(self.game, &Zone::of(&it)));
        }
        Ok(())
    }

    /// Searches a reply from now on, wherever it is legal. Returns whether that is new.
    pub(super) fn add_reply(&mut self, mv: PackedMove) -> bool {
        self.table.clear_wins();
        self.extra_replies.insert(mv)
    }

    /// How often the zone of a direct threat was found in the cache.
    pub fn zone_hits(&self) -> u64 {
        self.zones.hits()
    }

    /// How many positions had their moves listed, over all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets the budget, over all searches.
    pub fn set_limits(&mut self, limits: Limits<'a>) {
        self.limits = limits;
    }

    /// Reports progress to `watch`.
    #[must_use]
    pub fn watched(mut self, watch: &'a Watch<'a>) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Sets the shape that progress reports name.
    pub(super) fn set_tried(&mut self, shape: &Rc<Shape>) {
        self.tried = Some(Rc::clone(shape));
    }

    /// The shape of a move that ends the game. If a king decides the game, that is a mate: a threat to
    /// capture him without a defence.
    pub fn last_shape(&self) -> Shape {
        self.analysis.last_shape()
    }

    /// Whether the nodes and the time spent exhaust a budget.
    pub fn is_spent(&self, limits: &Limits<'_>) -> bool {
        limits.is_reached(self.nodes)
    }

    /// Looks for a win of a shape from a position in which it is the attacker's turn.
    pub fn win(&mut self, position: &Position, shape: &Shape) -> Result<Searched<Rc<Win>>, Fault> {
        if self.game.players() != 2 || self.status(position)? != Status::Turn(self.attacker) {
            return Ok(Searched::Nothing);
        }
        let form = self.number(shape);
        searched(self.find_win(position, form))
    }

    /// Looks for a win where it is the defender's turn: of shape `left` if he passes, of shape `right`
    /// after a defence.
    pub fn hold(
        &mut self,
        position: &Position,
        left: &Shape,
        right: &Shape,
    ) -> Result<Searched<Rc<Hold>>, Fault> {
        if self.game.players() != 2 {
            return Ok(Searched::Nothing);
        }
        let parts = (self.number(left), self.number(right));
        searched(self.holds(position, parts))
    }

    /// A threat of the attacker of this shape, where it is the defender's turn, with its zone.
    pub fn threat(
        &mut self,
        position: &Position,
        shape: &Shape,
    ) -> Result<Searched<Threat>, Fault> {
        let form = self.number(shape);
        searched(self.zoned_threat(position, form))
    }

    /// The number of a shape.
    fn number(&mut self, shape: &Shape) -> ShapeId {
        if let Some(&form) = self.numbers.get(shape) {
            return form;
        }
        let then = shape.parts().map(|(left, right)| (self.number(left), self.number(right)));
        let length = then.map_or(0, |(left, right)| {
            let rest = self.forms[usize::from(right)];
            let is_chain = rest.then.is_some_and(|it| it.0 == left);
            if is_chain { rest.length + 1 } else { u16::from(right == left) }
        });
        let form = self.forms.len() as ShapeId;
        self.forms.push(Parts { order: shape.order(), then, length });
        self.numbers.insert(shape.clone(), form);
        form
    }

    /// A win of the attacker, whose turn it is: from the table, or by a search.
    fn find_win(&mut self, position: &Position, form: ShapeId) -> Result<Option<Rc<Win>>, Stop> {
        let hash = self.game.hash(&position.state);
        if self.is_known_to_fail(hash, form) {
            return Ok(None);
        }
        let key = (hash, form);
        if let Some(win) = self.table.probe_win(key, &position.state) {
            return Ok(Some(win));
        }
        let was_cut = std::mem::replace(&mut self.is_cut, false);
        let win = self.search(position, form)?;
        match &win {
            None => self.store_failure(hash, form),
            // If the history matters, equal cells are not the same position, and nothing is stored;
            // what is found in a relevance zone is verified later.
            Some(win) if self.relevance_zone.is_some() => {
                *self.attacker_history.entry(win.mv).or_default() += 1;
                self.table.store_win(key, &position.state, win);
            }
            Some(_) if self.game.has_history() => {}
            Some(win) => self.table.store_win(key, &position.state, win),
        }
        self.is_cut |= was_cut;
        Ok(win)
    }

    /// Whether an earlier search of a shape failed in a position.
    fn is_known_to_fail(&mut self, hash: u64, form: ShapeId) -> bool {
        let parts = self.forms[usize::from(form)];
        let chain = parts.then.filter(|_| parts.length > 0);
        let Some((threat, _)) = chain else { return self.table.has_failed((hash, form)) };
        let known = self.table.longest_failed_sequence((hash, threat));
        // A sequence that was cut might win if it were longer.
        self.is_cut |= known != ANY_LENGTH;
        known >= parts.length
    }

    /// Stores that the search of a shape failed in a position.
    fn store_failure(&mut self, hash: u64, form: ShapeId) {
        let parts = self.forms[usize::from(form)];
        let Some((threat, _)) = parts.then.filter(|_| parts.length > 0) else {
            return self.table.store_failure((hash, form));
        };
        let length = if self.is_cut { parts.length } else { ANY_LENGTH };
        self.table.store_failed_sequence((hash, threat), length);
    }

    fn search(&mut self, position: &Position, form: ShapeId) -> Result<Option<Rc<Win>>, Stop> {
        let Parts { order, then, .. } = self.forms[usize::from(form)];
        if order == 1 && !self.analysis.wins_at_once {
            return Ok(None);
        }
        if order == 1 {
            let mv = self.wins_now(position)?;
            return Ok(mv.map(|mv| Rc::new(Win { mv, then: None })));
        }
        let mut open = Vec::new();
        for mv in self.attacks(position, order)? {
            let next = self.after(position, mv)?;
            match self.status(&next)? {
                Status::Won => return Ok(Some(Rc::new(Win { mv, then: None }))),
                Status::Turn(mover) if mover != self.attacker => open.push((mv, next)),
                _ => {}
            }
        }
        let Some(parts) = then else { return Ok(None) };
        if order > 2 || self.relevance_zone.is_some() {
            return self.one_by_one(open, parts);
        }
        self.fewest_defences_first(open, parts)
    }

    /// Threats that take a search to find: each is followed up as it is found.
    fn one_by_one(
        &mut self,
        open: Vec<(PackedMove, Position)>,
        parts: (ShapeId, ShapeId),
    ) -> Result<Option<Rc<Win>>, Stop> {
        for (mv, next) in open {
            if let Some(hold) = self.holds(&next, parts)? {
                return Ok(Some(Rc::new(Win { mv, then: Some(hold) })));
            }
        }
        Ok(None)
    }

    /// Direct threats: all are found, and those with few defences are followed up first.
    fn fewest_defences_first(
        &mut self,
        open: Vec<(PackedMove, Position)>,
        (left, right): (ShapeId, ShapeId),
    ) -> Result<Option<Rc<Win>>, Stop> {
        let mut threats = Vec::new();
        for (mv, next) in open {
            let Some(threat) = self.zoned_threat(&next, left)? else { continue };
            let Some(defences) = self.defences(&next, &threat)? else { continue };
            threats.push((mv, next, threat, defences));
        }
        threats.sort_by_key(|it| it.3.list.len());
        for (mv, next, threat, defences) in threats {
            if let Some(hold) = self.answered(&next, threat, defences, right)? {
                return Ok(Some(Rc::new(Win { mv, then: Some(hold) })));
            }
        }
        Ok(None)
    }

    /// Whether the defender, whose turn it is, loses by these shapes.
    fn holds(
        &mut self,
        position: &Position,
        (left, right): (ShapeId, ShapeId),
    ) -> Result<Option<Rc<Hold>>, Stop> {
        let Some(threat) = self.threat_after_pass(position, left)? else { return Ok(None) };
        if self.relevance_zone.is_some() {
            return self.answered_in_relevance_zone(position, threat, right);
        }
        if self.is_parried(position, &threat, right)? {
            return Ok(None);
        }
        let threat = self.zoned(position, threat)?;
        let Some(defences) = self.defences(position, &threat)? else { return Ok(None) };
        self.answered(position, threat, defences, right)
    }

    /// Whether one of the moves of the threat itself refutes it. Those are the natural replies, and
    /// trying them is quicker than computing the zone of the threat.
    fn is_parried(
        &mut self,
        position: &Position,
        threat: &Threat,
        right: ShapeId,
    ) -> Result<bool, Stop> {
        let Threat::Win(win, _) = threat else { return Ok(false) };
        if win.then.is_none() {
            return Ok(false);
        }
        let mut natural = Vec::new();
        win.add_moves(&mut natural);
        natural.sort_unstable();
        natural.dedup();
        let mut replies = self.listed(position, Player(1 - self.attacker.0))?;
        replies.retain(|it| natural.binary_search(it).is_ok());
        replies
            .sort_by_key(|it| (Reverse(self.defender_history.get(it).copied().unwrap_or(0)), *it));
        for mv in replies.into_iter().take(MOST_NATURAL) {
            let next = self.after(position, mv)?;
            let helps = match self.status(&next)? {
                Status::Won => false,
                Status::Turn(mover) if mover == self.attacker => {
                    self.refutes(&next, mv, right)?.is_none()
                }
                _ => true,
            };
            if helps {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The threat that the attacker carries out if the defender, whose turn it is, passes, with its
    /// zone.
    fn zoned_threat(&mut self, position: &Position, form: ShapeId) -> Result<Option<Threat>, Stop> {
        let Some(threat) = self.threat_after_pass(position, form)? else { return Ok(None) };
        self.zoned(position, threat).map(Some)
    }

    /// A threat with its zone, unless it is direct.
    fn zoned(&mut self, position: &Position, threat: Threat) -> Result<Threat, Stop> {
        let (Threat::Win(win, None), Some(passed)) = (&threat, self.game.after_null_move(position))
        else {
            return Ok(threat);
        };
        if win.then.is_none() || self.relevance_zone.is_some() {
            return Ok(threat);
        }
        let zone = self.zone_of_threat(&passed, win)?;
        Ok(Threat::Win(Rc::clone(win), Some(Rc::new(zone))))
    }

    /// The threat that the attacker carries out if the defender, whose turn it is, passes.
    fn threat_after_pass(
        &mut self,
        position: &Position,
        form: ShapeId,
    ) -> Result<Option<Threat>, Stop> {
        let Some(passed) = self.game.after_null_move(position) else { return Ok(None) };
        let defender = Player(1 - self.attacker.0);
        if self.analysis.has_kings && self.game.forbids(&passed, defender)? {
            return Ok(Some(Threat::Danger));
        }
        if self.status(&passed) != Ok(Status::Turn(self.attacker)) {
            return Ok(None);
        }
        // Whether the threat itself was cut says nothing of the sequence around it.
        let was_cut = self.is_cut;
        let win = self.find_win(&passed, form);
        self.is_cut = was_cut;
        match win {
            // The position after a pass cannot arise in play, so the rules may contradict themselves.
            Err(Stop::Fault(_)) => Ok(None),
            win => Ok(win?.map(|win| Threat::Win(win, None))),
        }
    }

    /// Searches all defences.
    fn answered(
        &mut self,
        position: &Position,
        threat: Threat,
        defences: Defences,
        right: ShapeId,
    ) -> Result<Option<Rc<Hold>>, Stop> {
        let Defences { mut list, checked, unchecked } = defences;
        list.sort_by_key(|it| Reverse(self.defender_history.get(&it.mv).copied().unwrap_or(0)));
        let mut replies = Vec::with_capacity(list.len());
        for defence in list {
            if defence.ends {
                replies.push((defence.mv, Reply::Ends));
                continue;
            }
            let Some(win) = self.refutes(&defence.position, defence.mv, right)? else {
                return Ok(None);
            };
            replies.push((defence.mv, Reply::Win(win)));
        }
        // Most threats fail before this point, so this test comes last.
        let Some(ends) = self.ends_among(position, &unchecked)? else { return Ok(None) };
        let others = checked.len() + unchecked.len() - ends.len();
        let other = checked.into_iter().chain(unchecked).find(|it| !ends.contains(it));
        replies.extend(ends.into_iter().map(|mv| (mv, Reply::Ends)));
        replies.sort_by_key(|it| it.0);
        Ok(Some(Rc::new(Hold { threat, replies, others, other })))
    }

    /// The win after a defence; if there is none, the history heuristic records the defence.
    pub(super) fn refutes(
        &mut self,
        position: &Position,
        reply: PackedMove,
        right: ShapeId,
    ) -> Result<Option<Rc<Win>>, Stop> {
        let is_end = self.forms[usize::from(right)].length == 0;
        let win = self.find_win(position, right)?;
        if win.is_none() {
            self.is_cut |= is_end;
            *self.defender_history.entry(reply).or_default() += 1;
        }
        Ok(win)
    }

    /// The legal moves of a player, sorted. Each call counts as a node.
    pub(super) fn moves(
        &mut self,
        position: &Position,
        who: Player,
    ) -> Result<Vec<PackedMove>, Stop> {
        let mut moves = self.listed(position, who)?;
        moves.sort_unstable();
        Ok(moves)
    }

    /// The same in any order.
    pub(super) fn listed(
        &mut self,
        position: &Position,
        who: Player,
    ) -> Result<Vec<PackedMove>, Stop> {
        self.count_node()?;
        let mut moves = Vec::new();
        self.game.moves(position, who, &mut moves)?;
        Ok(moves)
    }

    /// The position after a move.
    pub(super) fn after(&mut self, position: &Position, mv: PackedMove) -> Result<Position, Stop> {
        self.check_clock()?;
        Ok(self.game.after(position, mv)?)
    }

    /// Counts a node.
    pub(super) fn count_node(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.limits.nodes.is_some_and(|it| it <= self.nodes) {
            return Err(Stop::Spent);
        }
        self.check_clock()
    }

    /// Reads the clock and reports progress, each once in a number of steps.
    pub(super) fn check_clock(&mut self) -> Result<(), Stop> {
        self.steps = self.steps.wrapping_add(1);
        let is_time = self.steps.is_multiple_of(CLOCK);
        let is_report_due = self.steps.is_multiple_of(WATCH);
        if let (true, Some(watch), Some(shape)) = (is_report_due, self.watch, &self.tried) {
            watch(self.nodes, shape);
        }
        if is_time && self.limits.is_reached(self.nodes) {
            return Err(Stop::Spent);
        }
        Ok(())
    }
}

fn searched<T>(found: Result<Option<T>, Stop>) -> Result<Searched<T>, Fault> {
    match found {
        Ok(Some(found)) => Ok(Searched::Found(found)),
        Ok(None) => Ok(Searched::Nothing),
        Err(Stop::Spent) => Ok(Searched::Spent),
        Err(Stop::Fault(fault)) => Err(fault),
    }
}

impl<G: CellGame> std::fmt::Debug for Attack<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attack").field("attacker", &self.attacker).finish_non_exhaustive()
    }
}
