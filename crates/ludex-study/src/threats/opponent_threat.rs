//! A threat of the opponent, and the defences to it.
//!
//! Pitrat's pairs: a threat and the only defences to it. Every legal move of the defender gets a
//! verdict: it leaves the threat as it is, it is answered by another win of the same shape, or it stops
//! the threat; in the last case a longer threat sequence may still win.

use ludex_core::GameExt;
use std::rc::Rc;

use ludex_core::{Fault, Limits, Player, Position};
use ludex_interp::Write;
use ludex_ir::PackedMove;

use super::attack::{Attack, Searched, Stop};
use super::cell_game::{CellGame, Status, status};
use super::proof::{Threat, Win};
use super::shape::Shape;
use super::verified_search::prove_verified;
use super::verify::verify;
use super::widening::{Proof, Proved, Reach, Widened};
use super::zone::Zone;

/// Nodes for the answer to one reply, at most.
const NODES_FOR_A_REPLY: u64 = 20_000;

/// Further nodes for wins of a higher order than that of the threat.
const NODES_FOR_MORE: u64 = 4_000;

/// By how many direct threats the answer to a reply may be longer than the threat.
const LONGER: u32 = 2;

/// A threat against the player to move.
#[derive(Clone, Debug)]
pub struct OpponentThreat {
    /// What the attacker plays if the defender passes.
    pub threat: Threat,
    /// The smallest shape that carries it out; `None` for a check.
    pub shape: Option<Rc<Shape>>,
    /// Its first move.
    pub first: Option<PackedMove>,
    /// The zone on which it depends.
    pub needs: Zone,
    /// The verdict on each legal move, in the order of the moves.
    pub replies: Vec<(PackedMove, Verdict)>,
}

/// The verdict on a reply to a threat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It leaves the zone of the threat as it is.
    Leaves,
    /// It prevents the threat, and the attacker wins in another way of the same shape.
    Loses(Rc<Win>),
    /// It ends the game in a loss.
    EndsLost,
    /// It ends the game, and not in a loss.
    Ends,
    /// It stops the threat: no win of its shape is left.
    Stops {
        /// Whether the search of that shape was complete; if not, the budget ran out and the reply
        /// may still lose.
        is_sure: bool,
        /// Whether it threatens to win in turn.
        is_counter_threat: bool,
        /// A longer threat sequence that still wins, if one was found.
        later: Option<Rc<Win>>,
    },
}

impl OpponentThreat {
    /// The moves that stop the threat, as far as the search shows.
    pub fn defences(&self) -> impl Iterator<Item = PackedMove> {
        let helps =
            |it: &&(PackedMove, Verdict)| matches!(it.1, Verdict::Ends | Verdict::Stops { .. });
        self.replies.iter().filter(helps).map(|it| it.0)
    }

    /// The verdict on a move.
    pub fn verdict(&self, mv: PackedMove) -> Option<&Verdict> {
        self.replies.iter().find(|it| it.0 == mv).map(|it| &it.1)
    }
}

/// The smallest threat of the attacker at `position`, where it is the defender's turn, with a verdict on
/// every reply; `None` if there is none within reach and budget.
pub fn opponent_threat<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    position: &Position,
    reach: Reach,
    limits: Limits<'a>,
) -> Result<Option<OpponentThreat>, Fault> {
    let Some((threat, shape)) = smallest(attack, position, reach, limits)? else { return Ok(None) };
    let needs = attack.needs(position, &threat)?;
    let mut replies = Vec::new();
    for mv in defender_moves(attack, position)? {
        let verdict =
            verdict(attack, &attack.game.after(position, mv)?, &threat, shape.as_deref(), limits)?;
        replies.push((mv, verdict));
    }
    let first = match &threat {
        Threat::Danger => None,
        Threat::Win(win, _) => Some(win.mv),
    };
    Ok(Some(OpponentThreat { threat, shape, first, needs, replies }))
}

/// The same in a relevance zone, for goals that depend on few squares. The threat is verified against
/// every reply, as in [`prove_verified`].
pub fn opponent_threat_verified<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    position: &Position,
    reach: Reach,
    limits: Limits<'a>,
) -> Result<Option<OpponentThreat>, Fault> {
    attack.restrict_to_relevance_zone(position)?;
    if attack.relevance_zone.is_none() {
        return opponent_threat(attack, position, reach, limits);
    }
    let Some(passed) = attack.game.after_null_move(position) else { return Ok(None) };
    if attack.status(&passed)? != Status::Turn(attack.attacker) {
        return Ok(None);
    }
    let Searched::Found(win) = verified_win(attack, &passed, reach, limits)? else {
        return Ok(None);
    };
    let mut replies = Vec::new();
    for mv in defender_moves(attack, position)? {
        let next = attack.game.after(position, mv)?;
        replies.push((mv, verdict_verified(attack, &next, &win, reach, limits)?));
    }
    let shape = Some(Rc::new(win.shape(&attack.last_shape())));
    let (first, threat) = (Some(win.mv), Threat::Win(win, None));
    Ok(Some(OpponentThreat { threat, shape, first, needs: Zone::everything(), replies }))
}

/// The moves of the defender, sorted.
fn defender_moves<G: CellGame>(
    attack: &Attack<'_, G>,
    position: &Position,
) -> Result<Vec<PackedMove>, Fault> {
    let mut moves = Vec::new();
    attack.game.moves(position, Player(1 - attack.attacker.0), &mut moves)?;
    moves.sort_unstable();
    Ok(moves)
}

/// A win of the attacker, whose turn it is, verified against every reply.
fn verified_win<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    position: &Position,
    reach: Reach,
    limits: Limits<'a>,
) -> Result<Searched<Rc<Win>>, Fault> {
    Ok(match prove_verified(attack, position, reach, limits)? {
        Widened::Proved(Proved { proof: Proof::Win(win), .. }) => Searched::Found(win),
        Widened::Spent => Searched::Spent,
        _ => Searched::Nothing,
    })
}

/// The verdict on a reply that leads to `next`, where `win` is threatened.
fn verdict_verified<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    next: &Position,
    win: &Rc<Win>,
    reach: Reach,
    limits: Limits<'a>,
) -> Result<Verdict, Fault> {
    match status(attack.game, next, attack.attacker)? {
        Status::Won => return Ok(Verdict::EndsLost),
        Status::Turn(mover) if mover == attack.attacker => {}
        _ => return Ok(Verdict::Ends),
    }
    let same = Proof::Win(Rc::clone(win));
    let check = Limits { nodes: Some(NODES_FOR_A_REPLY), ..limits };
    let (checked, _) = verify(attack.game, attack.attacker, next, &same, check)?;
    if checked.is_ok() {
        return Ok(Verdict::Leaves);
    }
    // A reply stops the threat if no win of its order is left. Higher orders are without number; some
    // of them are tried all the same.
    let order = win.shape(&attack.last_shape()).order().max(2);
    let alike = Reach { highest_order: order, ..reach };
    let mut is_sure = false;
    for (reach, nodes) in [(alike, NODES_FOR_A_REPLY), (reach, NODES_FOR_MORE)] {
        let nodes = Some(attack.nodes() + limits.nodes.map_or(nodes, |it| it.min(nodes)));
        match verified_win(attack, next, reach, Limits { nodes, ..limits })? {
            Searched::Found(win) => return Ok(Verdict::Loses(win)),
            found => is_sure |= found == Searched::Nothing,
        }
    }
    Ok(Verdict::Stops { is_sure, is_counter_threat: attack.is_threatened(next)?, later: None })
}

/// A threat and its shape; no shape for a check.
type Shaped = (Threat, Option<Rc<Shape>>);

/// The smallest threat there is.
fn smallest<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    position: &Position,
    reach: Reach,
    limits: Limits<'a>,
) -> Result<Option<Shaped>, Fault> {
    for shape in reach.shapes() {
        attack.set_limits(limits);
        match attack.threat(position, &shape)? {
            Searched::Found(Threat::Danger) => return Ok(Some((Threat::Danger, None))),
            Searched::Found(threat) => return Ok(Some((threat, Some(shape)))),
            Searched::Nothing => {}
            Searched::Spent => break,
        }
    }
    Ok(None)
}

/// The verdict on a reply that leads to `next`.
fn verdict<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    next: &Position,
    threat: &Threat,
    shape: Option<&Shape>,
    limits: Limits<'a>,
) -> Result<Verdict, Fault> {
    match status(attack.game, next, attack.attacker)? {
        Status::Won => return Ok(Verdict::EndsLost),
        Status::Turn(mover) if mover == attack.attacker => {}
        _ => return Ok(Verdict::Ends),
    }
    attack.set_limits(limits);
    match attack.leaves(next, threat) {
        Ok(true) => return Ok(Verdict::Leaves),
        Ok(false) | Err(Stop::Spent) => {}
        Err(Stop::Fault(fault)) => return Err(fault),
    }
    let known = shape.map_or(0, Shape::depth);
    let own = shape.filter(|it| it.order() > 2).cloned();
    let same =
        (0..known).map(Shape::sequence).filter(|it| shape.is_some_and(|own| it.fits_in(own)));
    let is_sure = match first_of(attack, next, same.chain(own), limits)? {
        Searched::Found(win) => return Ok(Verdict::Loses(win)),
        found => found == Searched::Nothing,
    };
    let longer = (known..=known + LONGER).map(Shape::sequence);
    let later = match first_of(attack, next, longer, limits)? {
        Searched::Found(win) => Some(win),
        _ => None,
    };
    attack.set_limits(limits);
    Ok(Verdict::Stops { is_sure, is_counter_threat: attack.is_threatened(next)?, later })
}

/// A win by the first of some shapes that has one, within the nodes for a reply.
fn first_of<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    position: &Position,
    shapes: impl IntoIterator<Item = Shape>,
    limits: Limits<'a>,
) -> Result<Searched<Rc<Win>>, Fault> {
    let until = attack.nodes() + NODES_FOR_A_REPLY;
    attack.set_limits(Limits { nodes: Some(until), ..limits });
    for shape in shapes {
        match attack.win(position, &shape)? {
            Searched::Nothing => {}
            found => return Ok(found),
        }
    }
    Ok(Searched::Nothing)
}

impl<G: CellGame> Attack<'_, G> {
    /// The zone of a threat at `position`, where it is the defender's turn.
    pub fn needs(&mut self, position: &Position, threat: &Threat) -> Result<Zone, Fault> {
        let Some(passed) = self.game.after_null_move(position) else {
            return Ok(Zone::everything());
        };
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

    /// The zone of the attacker's capture of a man that may not be left to be captured: of the capture
    /// with the fewest reasons.
    fn zone_of_capture(&mut self, passed: &Position) -> Result<Zone, Stop> {
        let program = self.rules.program();
        let defender = Some(1 - self.attacker.0);
        let is_king = |cell: usize| {
            let code = usize::from(self.game.raw(&passed.state, cell));
            let man = code.checked_sub(1).and_then(|it| program.men.get(it));
            cell < program.squares
                && man
                    .is_some_and(|it| it.owner == defender && Some(it.kind) == program.roles.royal)
        };
        let plain = self.interpreted(passed);
        let moves = self.analysis.study.moves(&plain, self.attacker)?;
        let takes = |writes: &[Write]| writes.iter().any(|it| is_king(it.cell()));
        let captures = moves.iter().filter(|it| takes(&it.item.writes));
        let fewest = captures.min_by_key(|it| it.reasons.len());
        Ok(fewest.map_or_else(Zone::everything, Zone::of))
    }

    /// Whether the attacker, whose turn it is, is under a direct threat himself.
    fn is_threatened(&mut self, position: &Position) -> Result<bool, Fault> {
        let (game, attacker) = (self.game, self.attacker);
        let Some(passed) = game.after_null_move(position) else { return Ok(false) };
        if self.analysis.has_kings {
            return game.forbids(&passed, attacker);
        }
        let other = Player(1 - attacker.0);
        if status(game, &passed, other)? != Status::Turn(other) {
            return Ok(false);
        }
        let mut moves = Vec::new();
        game.moves(&passed, other, &mut moves)?;
        for mv in moves {
            if status(game, &game.after(&passed, mv)?, other)? == Status::Won {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
