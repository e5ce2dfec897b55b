//! What a player is threatened with, and what can be done about it.
//!
//! Pitrat's pairs: a threat and the only counter-strokes to it. Every legal move of the defender
//! gets its verdict: it leaves the threat as it is, it is answered by another win of the same shape, or it
//! stops the threat; and then perhaps it loses to a longer series of threats.

use std::rc::Rc;

use ludex_core::{Budget, Clock, Fault, Player};
use ludex_interp::Write;
use ludex_ir::PackedMove;

use super::attack::{Attack, Searched, Stop};
use super::checked::prove_near;
use super::open::{Open, Place, Standing};
use super::proof::{Threat, Win};
use super::shape::Shape;
use super::verify::verify;
use super::widening::{Proof, Proved, Reach, Widened};
use super::zone::Zone;

/// Positions that the answer to one reply may cost, at most.
const NODES_FOR_A_REPLY: u64 = 20_000;

/// Positions that may be spent besides on wins of a higher order than the threat has.
const NODES_FOR_MORE: u64 = 4_000;

/// Direct threats in a row that an answer to a reply may have more than the threat has.
const LONGER: u32 = 2;

/// A threat against the player to move.
#[derive(Clone, Debug)]
pub struct Menace {
    /// What happens if nothing is done about it.
    pub threat: Threat,
    /// The smallest shape that carries it out; nothing where a king is to be taken.
    pub shape: Option<Rc<Shape>>,
    /// The move that would come first.
    pub first: Option<PackedMove>,
    /// What it depends on.
    pub needs: Zone,
    /// What comes of each legal move, in the order of the moves.
    pub replies: Vec<(PackedMove, Verdict)>,
}

/// What comes of a reply to a threat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It leaves all that the threat needs.
    Leaves,
    /// It prevents the threat, and the attacker wins in another way of the same shape.
    Loses(Rc<Win>),
    /// It ends the game in a loss.
    EndsLost,
    /// It ends the game, and not in a loss.
    Ends,
    /// It stops the threat: no win of its shape is left.
    Stops {
        /// Whether all of that shape was tried; if not, the budget ran out and it may lose yet.
        is_sure: bool,
        /// Whether it threatens to win itself.
        counter: bool,
        /// A longer series of threats that wins all the same, if one was found.
        later: Option<Rc<Win>>,
    },
}

impl Menace {
    /// The moves that stop the threat, as far as is known.
    pub fn defences(&self) -> impl Iterator<Item = PackedMove> {
        let helps =
            |it: &&(PackedMove, Verdict)| matches!(it.1, Verdict::Ends | Verdict::Stops { .. });
        self.replies.iter().filter(helps).map(|it| it.0)
    }

    /// What comes of a move.
    pub fn verdict(&self, mv: PackedMove) -> Option<&Verdict> {
        self.replies.iter().find(|it| it.0 == mv).map(|it| &it.1)
    }
}

/// The smallest threat of the attacker at `place`, where it is the defender's turn, with what comes
/// of every reply; `None` if there is none within reach and budget.
pub fn menace<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    reach: Reach,
    budget: Budget<'a>,
) -> Result<Option<Menace>, Fault> {
    let Some((threat, shape)) = smallest(attack, place, reach, budget)? else { return Ok(None) };
    let needs = attack.needs(place, &threat)?;
    let defender = Player(1 - attack.attacker.0);
    let mut moves = Vec::new();
    attack.game.moves(&place.state, &place.trail, defender, &mut moves)?;
    moves.sort_unstable();
    let mut replies = Vec::with_capacity(moves.len());
    for mv in moves {
        let verdict =
            verdict(attack, &place.after(attack.game, mv)?, &threat, shape.as_deref(), budget)?;
        replies.push((mv, verdict));
    }
    let first = match &threat {
        Threat::Danger => None,
        Threat::Win(win, _) => Some(win.mv),
    };
    Ok(Some(Menace { threat, shape, first, needs, replies }))
}

/// The same where a goal is about few squares: what is found near to them is checked against every
/// reply, as [`prove_near`] does.
pub fn menace_near<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    reach: Reach,
    (budget, clock): (Budget<'a>, &dyn Clock),
) -> Result<Option<Menace>, Fault> {
    attack.focus(place)?;
    if attack.near.is_none() {
        return menace(attack, place, reach, budget);
    }
    let Some(passed) = place.passed(attack.game) else { return Ok(None) };
    if attack.standing(&passed)? != Standing::Turn(attack.attacker) {
        return Ok(None);
    }
    let Searched::Found(win) = near_win(attack, &passed, reach, (budget, clock))? else {
        return Ok(None);
    };
    let mut moves = Vec::new();
    let defender = Player(1 - attack.attacker.0);
    attack.game.moves(&place.state, &place.trail, defender, &mut moves)?;
    moves.sort_unstable();
    let mut replies = Vec::with_capacity(moves.len());
    for mv in moves {
        let next = place.after(attack.game, mv)?;
        replies.push((mv, verdict_near(attack, &next, &win, reach, (budget, clock))?));
    }
    let shape = Some(Rc::new(win.shape(&attack.last_shape())));
    let (first, threat) = (Some(win.mv), Threat::Win(win, None));
    Ok(Some(Menace { threat, shape, first, needs: Zone::everything(), replies }))
}

/// A win of the attacker, whose turn it is, checked against every reply.
fn near_win<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    reach: Reach,
    limits: (Budget<'a>, &dyn Clock),
) -> Result<Searched<Rc<Win>>, Fault> {
    Ok(match prove_near(attack, place, reach, limits)? {
        Widened::Proved(Proved { proof: Proof::Win(win), .. }) => Searched::Found(win),
        Widened::Spent => Searched::Spent,
        _ => Searched::Nothing,
    })
}

/// What comes of a reply that leads to `next`, where `win` is threatened.
fn verdict_near<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    next: &Place,
    win: &Rc<Win>,
    reach: Reach,
    (budget, clock): (Budget<'a>, &dyn Clock),
) -> Result<Verdict, Fault> {
    match next.standing(attack.game, attack.attacker)? {
        Standing::Won => return Ok(Verdict::EndsLost),
        Standing::Turn(mover) if mover == attack.attacker => {}
        _ => return Ok(Verdict::Ends),
    }
    let same = Proof::Win(Rc::clone(win));
    let check = Budget { nodes: Some(NODES_FOR_A_REPLY), ..budget };
    let (checked, _) = verify(attack.game, attack.attacker, next, &same, (check, clock))?;
    if checked.is_ok() {
        return Ok(Verdict::Leaves);
    }
    // A reply stops the threat if nothing of its order is left. Of higher orders there is no end;
    // some of them are tried all the same.
    let order = win.shape(&attack.last_shape()).order().max(2);
    let alike = Reach { highest_order: order, ..reach };
    let mut is_sure = false;
    for (reach, nodes) in [(alike, NODES_FOR_A_REPLY), (reach, NODES_FOR_MORE)] {
        let nodes = Some(attack.nodes() + budget.nodes.map_or(nodes, |it| it.min(nodes)));
        match near_win(attack, next, reach, (Budget { nodes, ..budget }, clock))? {
            Searched::Found(win) => return Ok(Verdict::Loses(win)),
            found => is_sure |= found == Searched::Nothing,
        }
    }
    Ok(Verdict::Stops { is_sure, counter: attack.is_threatened(next)?, later: None })
}

/// A threat and its shape; none where a king is to be taken.
type Shaped = (Threat, Option<Rc<Shape>>);

/// The smallest threat there is.
fn smallest<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    reach: Reach,
    budget: Budget<'a>,
) -> Result<Option<Shaped>, Fault> {
    for shape in reach.shapes() {
        attack.set_budget(budget);
        match attack.threat(place, &shape)? {
            Searched::Found(Threat::Danger) => return Ok(Some((Threat::Danger, None))),
            Searched::Found(threat) => return Ok(Some((threat, Some(shape)))),
            Searched::Nothing => {}
            Searched::Spent => break,
        }
    }
    Ok(None)
}

/// What comes of a reply that leads to `next`.
fn verdict<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    next: &Place,
    threat: &Threat,
    shape: Option<&Shape>,
    budget: Budget<'a>,
) -> Result<Verdict, Fault> {
    match next.standing(attack.game, attack.attacker)? {
        Standing::Won => return Ok(Verdict::EndsLost),
        Standing::Turn(mover) if mover == attack.attacker => {}
        _ => return Ok(Verdict::Ends),
    }
    attack.set_budget(budget);
    match attack.leaves(next, threat) {
        Ok(true) => return Ok(Verdict::Leaves),
        Ok(false) | Err(Stop::Spent) => {}
        Err(Stop::Fault(fault)) => return Err(fault),
    }
    let known = shape.map_or(0, Shape::depth);
    let own = shape.filter(|it| it.order() > 2).cloned();
    let same = (0..known).map(Shape::chain).filter(|it| shape.is_some_and(|own| it.fits_in(own)));
    let is_sure = match first_of(attack, next, same.chain(own), budget)? {
        Searched::Found(win) => return Ok(Verdict::Loses(win)),
        found => found == Searched::Nothing,
    };
    let longer = (known..=known + LONGER).map(Shape::chain);
    let later = match first_of(attack, next, longer, budget)? {
        Searched::Found(win) => Some(win),
        _ => None,
    };
    attack.set_budget(budget);
    Ok(Verdict::Stops { is_sure, counter: attack.is_threatened(next)?, later })
}

/// A win by the first of some shapes that has one, within what a reply may cost.
fn first_of<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    shapes: impl IntoIterator<Item = Shape>,
    budget: Budget<'a>,
) -> Result<Searched<Rc<Win>>, Fault> {
    let until = attack.nodes() + NODES_FOR_A_REPLY;
    attack.set_budget(Budget { nodes: Some(until), ..budget });
    for shape in shapes {
        match attack.win(place, &shape)? {
            Searched::Nothing => {}
            found => return Ok(found),
        }
    }
    Ok(Searched::Nothing)
}

impl<G: Open> Attack<'_, G> {
    /// What a threat at `place`, where it is the defender's turn, depends on.
    pub fn needs(&mut self, place: &Place, threat: &Threat) -> Result<Zone, Fault> {
        let Some(passed) = place.passed(self.game) else { return Ok(Zone::everything()) };
        let zone = match threat {
            Threat::Danger => self.zone_of_capture(&passed),
            Threat::Win(_, Some(zone)) => return Ok(Zone::clone(zone)),
            Threat::Win(win, None) => self.zone_of_threat(&passed, win),
        };
        match zone {
            Ok(zone) => Ok(zone),
            Err(Stop::Spent) => Ok(Zone::everything()),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }

    /// What the attacker's move depends on that would take a man that may not be left to be
    /// taken: the one with the fewest reasons.
    fn zone_of_capture(&mut self, passed: &Place) -> Result<Zone, Stop> {
        let program = self.rules.program();
        let defender = Some(1 - self.attacker.0);
        let is_king = |cell: usize| {
            let code = usize::from(self.game.raw(&passed.state, cell));
            let man = code.checked_sub(1).and_then(|it| program.men.get(it));
            cell < program.squares
                && man
                    .is_some_and(|it| it.owner == defender && Some(it.kind) == program.roles.royal)
        };
        let state = self.interpreted(&passed.state);
        let moves = self.ground.study.moves(&state, &passed.trail, self.attacker)?;
        let takes = |writes: &[Write]| writes.iter().any(|it| is_king(it.cell()));
        let captures = moves.iter().filter(|it| takes(&it.item.writes));
        let fewest = captures.min_by_key(|it| it.reasons.len());
        Ok(fewest.map_or_else(Zone::everything, Zone::of))
    }

    /// Whether the attacker, whose turn it is, is under a direct threat himself.
    fn is_threatened(&mut self, place: &Place) -> Result<bool, Fault> {
        let (game, attacker) = (self.game, self.attacker);
        let Some(passed) = place.passed(game) else { return Ok(false) };
        if self.ground.has_kings {
            return game.forbids(&passed.state, &passed.trail, attacker);
        }
        let other = Player(1 - attacker.0);
        if passed.standing(game, other)? != Standing::Turn(other) {
            return Ok(false);
        }
        let mut moves = Vec::new();
        game.moves(&passed.state, &passed.trail, other, &mut moves)?;
        for mv in moves {
            if passed.after(game, mv)?.standing(game, other)? == Standing::Won {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
