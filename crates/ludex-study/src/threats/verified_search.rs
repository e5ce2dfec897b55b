//! Wins searched in a relevance zone and verified everywhere.
//!
//! On a large board most of the time goes into irrelevant replies. If the result depends on a few
//! squares only, this search tries moves and replies near to them, see
//! [`relevance_zone`](super::relevance_zone). The win it finds is then played out against *every*
//! reply, by [`verify`]. If a reply refutes it, that reply is searched from then on, and the search
//! begins again. So a win that is called proved has been proved by the rules, whatever was guessed
//! before.

use ludex_core::GameExt;
use std::rc::Rc;

use ludex_core::{Fault, Limits, Player, Position};
use ludex_ir::PackedMove;

use super::attack::Attack;
use super::cell_game::{CellGame, Status};
use super::shape::Shape;
use super::verify::{Flaw, verify};
use super::widening::{Plan, Proved, Reach, Widened, higher_sequences, prove, prove_by};

/// Positions for each shape in the first round.
const FIRST_ROUND: u64 = 250;

/// Positions that verification may take for each node of the search.
const VERIFIED_PER_NODE: u64 = 10;

/// Direct threats in a row, at most: a board of 19 by 19 may be crossed twice.
const LONGEST: u32 = 60;

/// How many threats of a higher order there may be in a row.
const LONGEST_HIGHER: u32 = 8;

/// Looks for a win of the attacker in the relevance zone, with either player to move, and verifies it
/// against all replies. Without a relevance zone in the configuration it is [`prove`].
///
/// Verification may take ten times as many positions as the search; if that is not enough, the budget
/// counts as spent.
pub fn prove_verified<'a, G: CellGame>(
    attack: &mut Attack<'a, G>,
    position: &Position,
    reach: Reach,
    limits: Limits<'a>,
) -> Result<Widened, Fault> {
    attack.restrict_to_relevance_zone(position)?;
    if attack.relevance_zone.is_none() {
        return prove(attack, position, reach, limits);
    }
    let goes_on = |it: &Shape, than: &Shape| {
        it.order() <= 2 && than.order() <= 2
            || it.parts().map(|it| it.0) == than.parts().map(|it| it.0)
    };
    let mut checked = 0;
    loop {
        let shapes = sequences(reach.highest_order);
        let plan = Plan { shapes, is_longer: &goes_on, first_round: FIRST_ROUND };
        let proved = match prove_by(attack, position, plan, limits)? {
            Widened::Proved(proved) => proved,
            other => return Ok(other),
        };
        let most = limits.nodes.map(|it| it.saturating_mul(VERIFIED_PER_NODE));
        let nodes = most.map(|it| it.saturating_sub(checked));
        let limits = Limits { nodes, ..limits };
        let proof = &proved.proof;
        let (verdict, positions) = verify(attack.game, attack.attacker, position, proof, limits)?;
        checked += positions;
        match verdict {
            Ok(()) => return Ok(Widened::Proved(Proved { checked: Some(checked), ..proved })),
            Err(Flaw::Spent) => return Ok(Widened::Spent),
            Err(Flaw::Refuted { line, .. }) => {
                if !attack.add_replies_of(position, &line)? {
                    return Ok(Widened::Spent);
                }
            }
        }
    }
}

/// The shapes that are tried: sequences of direct threats, and sequences of threats of such sequences.
/// A relevance zone is so small that they may be long.
fn sequences(highest_order: u8) -> Vec<Rc<Shape>> {
    let mut shapes = vec![Rc::new(Shape::one())];
    if highest_order >= 2 {
        shapes.extend((1..=LONGEST).map(|it| Rc::new(Shape::sequence(it))));
    }
    shapes.extend(higher_sequences(highest_order, LONGEST_HIGHER));
    shapes.sort_by_key(|it| (it.depth(), it.moves()));
    shapes
}

impl<G: CellGame> Attack<'_, G> {
    /// Searches the defender's moves of a line from now on. Returns whether any of them is new.
    fn add_replies_of(&mut self, position: &Position, line: &[PackedMove]) -> Result<bool, Fault> {
        let mut here = position.clone();
        let mut is_new = false;
        for &mv in line {
            let turn = self.status(&here)?;
            if turn == Status::Turn(Player(1 - self.attacker.0)) {
                is_new |= self.add_reply(mv);
            }
            here = self.game.after(&here, mv)?;
        }
        Ok(is_new)
    }
}
