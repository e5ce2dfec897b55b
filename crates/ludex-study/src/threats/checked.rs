//! Wins that are looked for near by, and checked everywhere.
//!
//! On a large board most of the time goes into replies that have nothing to do with the matter. Where
//! the result asks about a few squares only, the search here looks at moves and replies near to
//! them, see [`near`](super::near). What it finds is then played out against *every* reply, by
//! [`verify`]. If one of them refutes it, that move is looked at as well from now on, and the search
//! begins again. So what is called proved has been proved by the rules, whatever was guessed before.

use std::rc::Rc;

use ludex_core::{Budget, Clock, Fault, Player};
use ludex_ir::PackedMove;

use super::attack::Attack;
use super::open::{Open, Place, Standing};
use super::shape::Shape;
use super::verify::{Flaw, verify};
use super::widening::{Plan, Proved, Reach, Widened, higher_chains, prove, prove_by};

/// Positions for each shape in the first round.
const FIRST_ROUND: u64 = 250;

/// How many positions checks may take for each that the search may.
const CHECKED_FOR_EACH: u64 = 10;

/// Direct threats in a row, at most: a board of 19 by 19 may be crossed twice.
const LONGEST: u32 = 60;

/// How many threats of a higher order there may be in a row.
const LONGEST_HIGHER: u32 = 8;

/// Looks for a win of the attacker, whoever is to move, among moves that are near as the
/// configuration says, and checks it against all replies.
///
/// Checks may take ten times as many positions as the search; if that is not enough, the budget
/// counts as spent.
pub fn prove_near<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    reach: Reach,
    (budget, clock): (Budget<'a>, &dyn Clock),
) -> Result<Widened, Fault> {
    attack.focus(place)?;
    if attack.near.is_none() {
        return prove(attack, place, reach, budget);
    }
    let goes_on = |it: &Shape, than: &Shape| {
        it.order() <= 2 && than.order() <= 2
            || it.parts().map(|it| it.0) == than.parts().map(|it| it.0)
    };
    let mut checked = 0;
    loop {
        let shapes = chains(reach.highest_order);
        let plan = Plan { shapes, is_longer: &goes_on, first_round: FIRST_ROUND };
        let proved = match prove_by(attack, place, plan, budget)? {
            Widened::Proved(proved) => proved,
            other => return Ok(other),
        };
        let most = budget.nodes.map(|it| it.saturating_mul(CHECKED_FOR_EACH));
        let nodes = most.map(|it| it.saturating_sub(checked));
        let limits = (Budget { nodes, ..budget }, clock);
        let proof = &proved.proof;
        let (verdict, positions) = verify(attack.game, attack.attacker, place, proof, limits)?;
        checked += positions;
        match verdict {
            Ok(()) => return Ok(Widened::Proved(Proved { checked: Some(checked), ..proved })),
            Err(Flaw::Spent) => return Ok(Widened::Spent),
            Err(Flaw::Refuted { line, .. }) => {
                if !attack.heed_line(place, &line)? {
                    return Ok(Widened::Spent);
                }
            }
        }
    }
}

/// The shapes that are tried: series of direct threats, and series of threats of such series.
/// What is near is so little that they may be long.
fn chains(highest_order: u8) -> Vec<Rc<Shape>> {
    let mut shapes = vec![Rc::new(Shape::one())];
    if highest_order >= 2 {
        shapes.extend((1..=LONGEST).map(|it| Rc::new(Shape::chain(it))));
    }
    shapes.extend(higher_chains(highest_order, LONGEST_HIGHER));
    shapes.sort_by_key(|it| (it.depth(), it.moves()));
    shapes
}

impl<G: Open> Attack<'_, G> {
    /// Looks at the defender's moves of a line from now on. Whether any of them is new.
    fn heed_line(&mut self, place: &Place, line: &[PackedMove]) -> Result<bool, Fault> {
        let mut here = place.clone();
        let mut is_new = false;
        for &mv in line {
            let turn = self.standing(&here)?;
            if turn == Standing::Turn(Player(1 - self.attacker.0)) {
                is_new |= self.heed(mv);
            }
            here = here.after(self.game, mv)?;
        }
        Ok(is_new)
    }
}
