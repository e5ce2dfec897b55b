//! The search for a win by threats.
//!
//! Tristan Cazenave, "A generalized threats search algorithm", 2002, with what the printed listing
//! leaves out: that the defender may end the game himself, that reasons are the union of those of all
//! parts, and that a leaf has reasons too.
//!
//! The attacker looks for a move after which he would win if the defender passed; that is a smaller
//! search of its own. What he wins by depends on some cells; the defender's moves that leave them as
//! they are change nothing, so only the others are searched. Where a rule forbids to leave a king to
//! be taken, being in danger of it is such a threat, and every legal move is a counter-stroke.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use ludex_core::{Budget, Clock, Fault, Player};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::counter::Counters;
use super::focus::Focus;
use super::ground::Ground;
use super::memory::Memory;
use super::near::Near;
use super::open::{Open, Place, Standing};
use super::proof::{Hold, Reply, Threat, Win};
use super::shape::Shape;
use super::zone::Zone;
use super::zone_table::ZoneTable;

/// How to look for a win.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// A line is given up where the defender has more counter-strokes than this, as in Pitrat's
    /// program; without a number it never is.
    pub most_counters: Option<usize>,
    /// Whether zones say that the defender must not come to win meanwhile. Without it wins are
    /// claimed that are none: it is here to show that the tests see that.
    pub ends: bool,
    /// Whether zones say that the defender must not get moves that he does not have yet. The same.
    pub moves: bool,
    /// Whether only moves near to what the result asks about are looked at, and how far away
    /// they may be. Only [`prove_near`](super::prove_near) does so, which checks what it finds.
    pub near: Option<u8>,
    /// Whether the attacker looks only at moves that bring him nearer to a win, where the rules
    /// tell which those are, and else only at those that are at most so many steps away from a
    /// man. That costs him wins at worst.
    pub around: Option<u8>,
    /// Whether it is remembered what direct threats depend on.
    pub zone_table: bool,
    /// How many bytes may be taken by what is remembered.
    pub memory: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            most_counters: None,
            ends: true,
            moves: true,
            near: None,
            around: None,
            zone_table: true,
            memory: 1 << 30,
        }
    }
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched<T> {
    /// There is a win.
    Found(T),
    /// There is none of this shape; there may be others.
    Nothing,
    /// The budget was spent before that was known.
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
pub(super) type Form = u16;

/// A shape by the numbers of its parts.
#[derive(Clone, Copy, Debug)]
struct Parts {
    order: u8,
    /// What follows a pass and what follows a reply.
    then: Option<(Form, Form)>,
    /// How many times in a row the same threat is made before what it threatens is carried out:
    /// in a chain more than once, in other shapes once or not at all.
    length: u16,
}

/// The clock is looked at once in so many steps; the dearest of them take a good part of a
/// millisecond.
const CLOCK: u64 = 16;

/// How it goes is told once in so many steps, some times in a second.
const WATCH: u64 = 1 << 16;

/// How many natural replies are tried before it is asked what a threat depends on.
const MOST_NATURAL: usize = 12;

/// That no chain of this threat wins, however long it is.
const FOR_GOOD: u16 = u16::MAX;

/// Is told now and then how a search goes: how many positions had their moves listed, and the
/// shape that is being tried.
pub type Watch<'a> = dyn Fn(u64, &Shape) + 'a;

/// Searches for wins of one player, one after the other.
pub struct Attack<'a, G: Open> {
    pub(super) game: &'a G,
    pub(super) rules: &'a RulesGame,
    pub(super) ground: Arc<Ground>,
    pub(super) attacker: Player,
    pub(super) config: Config,
    budget: Budget<'a>,
    clock: &'a dyn Clock,
    watch: Option<&'a Watch<'a>>,
    /// The shape that is being tried.
    tried: Option<Rc<Shape>>,
    nodes: u64,
    /// Positions made since the beginning.
    steps: u64,
    forms: Vec<Parts>,
    numbers: HashMap<Shape, Form>,
    memory: Memory,
    /// Whether a search has come to the end of a chain: a longer one might have gone on.
    is_cut: bool,
    /// How often a move was the defender's way out: such moves are tried first.
    pub(super) escapes: HashMap<PackedMove, u32>,
    /// How often a move of the attacker has won: the same for him.
    pub(super) strokes: HashMap<PackedMove, u32>,
    /// What is near, if only that is looked at.
    pub(super) near: Option<Near>,
    /// What direct threats depend on, as far as that was asked.
    pub(super) zones: ZoneTable,
    /// Where the attacker looks, if not everywhere.
    pub(super) focus: Focus,
    /// Replies that are looked at though they are far away.
    pub(super) heeded: HashSet<PackedMove>,
}

impl<'a, G: Open> Attack<'a, G> {
    /// For wins of `attacker` in a game, whose rules are read besides.
    pub fn new(
        (game, rules): (&'a G, &'a RulesGame),
        attacker: Player,
        config: Config,
        budget: Budget<'a>,
        clock: &'a dyn Clock,
    ) -> Self {
        Self::on(Arc::new(Ground::new(rules)), (game, rules), attacker, config, (budget, clock))
    }

    /// The same, where the rules have been read before.
    pub fn on(
        ground: Arc<Ground>,
        (game, rules): (&'a G, &'a RulesGame),
        attacker: Player,
        config: Config,
        (budget, clock): (Budget<'a>, &'a dyn Clock),
    ) -> Self {
        let focus = Focus::new((game, rules), &ground, attacker, config.around, (budget, clock));
        Self {
            game,
            rules,
            ground,
            attacker,
            config,
            budget,
            clock,
            watch: None,
            tried: None,
            nodes: 0,
            steps: 0,
            forms: Vec::new(),
            numbers: HashMap::new(),
            memory: Memory::new(config.memory),
            is_cut: false,
            escapes: HashMap::new(),
            strokes: HashMap::new(),
            near: None,
            zones: ZoneTable::default(),
            focus,
            heeded: HashSet::new(),
        }
    }

    /// Lets only moves be looked at that are near to what the result asks about at `place`, if
    /// that is wanted and there is such a thing.
    pub(super) fn focus(&mut self, place: &Place) -> Result<(), Fault> {
        if self.config.near.is_some() {
            let state = self.interpreted(&place.state);
            let silence = self.ground.study.silence(&state, &place.trail)?;
            self.near = silence.and_then(|it| Near::new(self.game, &Zone::of(&it)));
        }
        Ok(())
    }

    /// Looks at a reply from now on, wherever it is possible. Whether that is new.
    pub(super) fn heed(&mut self, mv: PackedMove) -> bool {
        self.memory.forget_wins();
        self.heeded.insert(mv)
    }

    /// How often it was known already what a direct threat depends on.
    pub fn zone_hits(&self) -> u64 {
        self.zones.hits()
    }

    /// How many positions had their moves listed, over all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets what may be spent, over all searches.
    pub fn set_budget(&mut self, budget: Budget<'a>) {
        self.budget = budget;
    }

    /// Lets somebody watch.
    #[must_use]
    pub fn watched(mut self, watch: &'a Watch<'a>) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Says which shape is tried from now on.
    pub(super) fn set_tried(&mut self, shape: &Rc<Shape>) {
        self.tried = Some(Rc::clone(shape));
    }

    /// The shape of a move that ends the game. Where a king is at stake that is a mate: a threat
    /// to take him that nothing helps against.
    pub fn last_shape(&self) -> Shape {
        self.ground.last_shape()
    }

    /// Whether a budget is spent by what was looked at so far.
    pub fn is_spent(&self, budget: &Budget<'_>) -> bool {
        budget.is_spent(self.nodes, self.clock)
    }

    /// Looks for a win of a shape from a position in which it is the attacker's turn.
    pub fn win(&mut self, place: &Place, shape: &Shape) -> Result<Searched<Rc<Win>>, Fault> {
        if self.game.players() != 2 || self.standing(place)? != Standing::Turn(self.attacker) {
            return Ok(Searched::Nothing);
        }
        let form = self.number(shape);
        searched(self.look(place, form))
    }

    /// Looks for a win where it is the defender's turn: `left` if he passes, `right` if he does
    /// something about that.
    pub fn hold(
        &mut self,
        place: &Place,
        left: &Shape,
        right: &Shape,
    ) -> Result<Searched<Rc<Hold>>, Fault> {
        if self.game.players() != 2 {
            return Ok(Searched::Nothing);
        }
        let parts = (self.number(left), self.number(right));
        searched(self.holds(place, parts))
    }

    /// What the attacker threatens where it is the defender's turn, by a shape, if anything.
    pub fn threat(&mut self, place: &Place, shape: &Shape) -> Result<Searched<Threat>, Fault> {
        let form = self.number(shape);
        searched(self.threatens(place, form))
    }

    /// The number of a shape.
    fn number(&mut self, shape: &Shape) -> Form {
        if let Some(&form) = self.numbers.get(shape) {
            return form;
        }
        let then = shape.parts().map(|(left, right)| (self.number(left), self.number(right)));
        let length = then.map_or(0, |(left, right)| {
            let rest = self.forms[usize::from(right)];
            let is_chain = rest.then.is_some_and(|it| it.0 == left);
            if is_chain { rest.length + 1 } else { u16::from(right == left) }
        });
        let form = self.forms.len() as Form;
        self.forms.push(Parts { order: shape.order(), then, length });
        self.numbers.insert(shape.clone(), form);
        form
    }

    /// A win of the attacker, whose turn it is.
    fn look(&mut self, place: &Place, form: Form) -> Result<Option<Rc<Win>>, Stop> {
        let hash = self.game.hash(&place.state);
        if self.is_known_to_fail(hash, form) {
            return Ok(None);
        }
        let key = (hash, form);
        if let Some(win) = self.memory.win(key, &place.state) {
            return Ok(Some(win));
        }
        let was_cut = std::mem::replace(&mut self.is_cut, false);
        let win = self.search(place, form)?;
        match &win {
            None => self.note_failure(hash, form),
            // Where the past counts, the same position may come with another one.
            Some(win) if self.near.is_some() => {
                *self.strokes.entry(win.mv).or_default() += 1;
                self.memory.keep(key, &place.state, win);
            }
            Some(_) if self.game.has_history() => {}
            Some(win) => self.memory.keep(key, &place.state, win),
        }
        self.is_cut |= was_cut;
        Ok(win)
    }

    /// Whether nothing of a shape was found before in a position.
    fn is_known_to_fail(&mut self, hash: u64, form: Form) -> bool {
        let parts = self.forms[usize::from(form)];
        let chain = parts.then.filter(|_| parts.length > 0);
        let Some((threat, _)) = chain else { return self.memory.has_failed((hash, form)) };
        let known = self.memory.longest_failed((hash, threat));
        // What did not come to an end may still be worth more moves.
        self.is_cut |= known != FOR_GOOD;
        known >= parts.length
    }

    /// Remembers that nothing of a shape was found in a position.
    fn note_failure(&mut self, hash: u64, form: Form) {
        let parts = self.forms[usize::from(form)];
        let Some((threat, _)) = parts.then.filter(|_| parts.length > 0) else {
            return self.memory.note_failure((hash, form));
        };
        let length = if self.is_cut { parts.length } else { FOR_GOOD };
        self.memory.note_failed_chain((hash, threat), length);
    }

    fn search(&mut self, place: &Place, form: Form) -> Result<Option<Rc<Win>>, Stop> {
        let Parts { order, then, .. } = self.forms[usize::from(form)];
        if order == 1 && !self.ground.wins_at_once {
            return Ok(None);
        }
        if order == 1 {
            let mv = self.wins_now(place)?;
            return Ok(mv.map(|mv| Rc::new(Win { mv, then: None })));
        }
        let mut open = Vec::new();
        for mv in self.attacks(place, order)? {
            let next = self.after(place, mv)?;
            match self.standing(&next)? {
                Standing::Won => return Ok(Some(Rc::new(Win { mv, then: None }))),
                Standing::Turn(mover) if mover != self.attacker => open.push((mv, next)),
                _ => {}
            }
        }
        let Some(parts) = then else { return Ok(None) };
        if order > 2 || self.near.is_some() {
            return self.one_by_one(open, parts);
        }
        self.fewest_counters_first(open, parts)
    }

    /// Threats that take a search to find: each is followed as it is found.
    fn one_by_one(
        &mut self,
        open: Vec<(PackedMove, Place)>,
        parts: (Form, Form),
    ) -> Result<Option<Rc<Win>>, Stop> {
        for (mv, next) in open {
            if let Some(hold) = self.holds(&next, parts)? {
                return Ok(Some(Rc::new(Win { mv, then: Some(hold) })));
            }
        }
        Ok(None)
    }

    /// Direct threats: all are found, and those with few counter-strokes are followed first.
    fn fewest_counters_first(
        &mut self,
        open: Vec<(PackedMove, Place)>,
        (left, right): (Form, Form),
    ) -> Result<Option<Rc<Win>>, Stop> {
        let mut threats = Vec::new();
        for (mv, next) in open {
            let Some(threat) = self.threatens(&next, left)? else { continue };
            let Some(counters) = self.counters(&next, &threat)? else { continue };
            threats.push((mv, next, threat, counters));
        }
        threats.sort_by_key(|it| it.3.list.len());
        for (mv, next, threat, counters) in threats {
            if let Some(hold) = self.answered(&next, threat, counters, right)? {
                return Ok(Some(Rc::new(Win { mv, then: Some(hold) })));
            }
        }
        Ok(None)
    }

    /// Whether the defender, whose turn it is, loses by these parts.
    fn holds(
        &mut self,
        place: &Place,
        (left, right): (Form, Form),
    ) -> Result<Option<Rc<Hold>>, Stop> {
        let Some(threat) = self.menaces(place, left)? else { return Ok(None) };
        if self.near.is_some() {
            return self.answered_near(place, threat, right);
        }
        if self.is_parried(place, &threat, right)? {
            return Ok(None);
        }
        let threat = self.zoned(place, threat)?;
        let Some(counters) = self.counters(place, &threat)? else { return Ok(None) };
        self.answered(place, threat, counters, right)
    }

    /// Whether one of the moves that the threat itself is made of helps against it. Those are the
    /// natural replies; and what a threat depends on takes longer to find than a reply.
    fn is_parried(&mut self, place: &Place, threat: &Threat, right: Form) -> Result<bool, Stop> {
        let Threat::Win(win, _) = threat else { return Ok(false) };
        if win.then.is_none() {
            return Ok(false);
        }
        let mut natural = Vec::new();
        win.add_moves(&mut natural);
        natural.sort_unstable();
        natural.dedup();
        let mut replies = self.listed(place, Player(1 - self.attacker.0))?;
        replies.retain(|it| natural.binary_search(it).is_ok());
        replies.sort_by_key(|it| (Reverse(self.escapes.get(it).copied().unwrap_or(0)), *it));
        for mv in replies.into_iter().take(MOST_NATURAL) {
            let next = self.after(place, mv)?;
            let helps = match self.standing(&next)? {
                Standing::Won => false,
                Standing::Turn(mover) if mover == self.attacker => {
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

    /// What the attacker does if the defender, whose turn it is, passes, and what that depends
    /// on.
    fn threatens(&mut self, place: &Place, form: Form) -> Result<Option<Threat>, Stop> {
        let Some(threat) = self.menaces(place, form)? else { return Ok(None) };
        self.zoned(place, threat).map(Some)
    }

    /// A threat with what it depends on, where that is not seen at once.
    fn zoned(&mut self, place: &Place, threat: Threat) -> Result<Threat, Stop> {
        let (Threat::Win(win, None), Some(passed)) = (&threat, place.passed(self.game)) else {
            return Ok(threat);
        };
        if win.then.is_none() || self.near.is_some() {
            return Ok(threat);
        }
        let zone = self.zone_of_threat(&passed, win)?;
        Ok(Threat::Win(Rc::clone(win), Some(Rc::new(zone))))
    }

    /// What the attacker does if the defender, whose turn it is, passes.
    fn menaces(&mut self, place: &Place, form: Form) -> Result<Option<Threat>, Stop> {
        let Some(passed) = place.passed(self.game) else { return Ok(None) };
        let defender = Player(1 - self.attacker.0);
        if self.ground.has_kings && self.game.forbids(&passed.state, &passed.trail, defender)? {
            return Ok(Some(Threat::Danger));
        }
        if self.standing(&passed) != Ok(Standing::Turn(self.attacker)) {
            return Ok(None);
        }
        // A threat is the same however long the chain is that makes it.
        let was_cut = self.is_cut;
        let win = self.look(&passed, form);
        self.is_cut = was_cut;
        match win {
            // Play does not come to what follows a pass, so the rules may contradict themselves.
            Err(Stop::Fault(_)) => Ok(None),
            win => Ok(win?.map(|win| Threat::Win(win, None))),
        }
    }

    /// Searches all counter-strokes.
    fn answered(
        &mut self,
        place: &Place,
        threat: Threat,
        counters: Counters,
        right: Form,
    ) -> Result<Option<Rc<Hold>>, Stop> {
        let Counters { mut list, checked, unchecked } = counters;
        list.sort_by_key(|it| Reverse(self.escapes.get(&it.mv).copied().unwrap_or(0)));
        let mut replies = Vec::with_capacity(list.len());
        for counter in list {
            if counter.ends {
                replies.push((counter.mv, Reply::Ends));
                continue;
            }
            let Some(win) = self.refutes(&counter.place, counter.mv, right)? else {
                return Ok(None);
            };
            replies.push((counter.mv, Reply::Win(win)));
        }
        // Most threats fail before this matters.
        let Some(ends) = self.ends_among(place, &unchecked)? else { return Ok(None) };
        let others = checked.len() + unchecked.len() - ends.len();
        let other = checked.into_iter().chain(unchecked).find(|it| !ends.contains(it));
        replies.extend(ends.into_iter().map(|mv| (mv, Reply::Ends)));
        replies.sort_by_key(|it| it.0);
        Ok(Some(Rc::new(Hold { threat, replies, others, other })))
    }

    /// What wins after a reply that does something about a threat; if nothing does, the reply is
    /// remembered as a way out.
    pub(super) fn refutes(
        &mut self,
        place: &Place,
        reply: PackedMove,
        right: Form,
    ) -> Result<Option<Rc<Win>>, Stop> {
        let is_end = self.forms[usize::from(right)].length == 0;
        let win = self.look(place, right)?;
        if win.is_none() {
            self.is_cut |= is_end;
            *self.escapes.entry(reply).or_default() += 1;
        }
        Ok(win)
    }

    /// The legal moves of a player. This is what counts as a node.
    pub(super) fn moves(&mut self, place: &Place, who: Player) -> Result<Vec<PackedMove>, Stop> {
        let mut moves = self.listed(place, who)?;
        moves.sort_unstable();
        Ok(moves)
    }

    /// The same in any order.
    pub(super) fn listed(&mut self, place: &Place, who: Player) -> Result<Vec<PackedMove>, Stop> {
        self.count()?;
        let mut moves = Vec::new();
        self.game.moves(&place.state, &place.trail, who, &mut moves)?;
        Ok(moves)
    }

    /// The position after a move.
    pub(super) fn after(&mut self, place: &Place, mv: PackedMove) -> Result<Place, Stop> {
        self.look_up()?;
        Ok(place.after(self.game, mv)?)
    }

    /// Counts a node.
    pub(super) fn count(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.budget.nodes.is_some_and(|it| it <= self.nodes) {
            return Err(Stop::Spent);
        }
        self.look_up()
    }

    /// Looks at the clock now and then, and tells how it goes.
    pub(super) fn look_up(&mut self) -> Result<(), Stop> {
        self.steps = self.steps.wrapping_add(1);
        let is_time = self.steps.is_multiple_of(CLOCK);
        let is_told = self.steps.is_multiple_of(WATCH);
        if let (true, Some(watch), Some(shape)) = (is_told, self.watch, &self.tried) {
            watch(self.nodes, shape);
        }
        if is_time && self.budget.is_spent(self.nodes, self.clock) {
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

impl<G: Open> std::fmt::Debug for Attack<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attack").field("attacker", &self.attacker).finish_non_exhaustive()
    }
}
