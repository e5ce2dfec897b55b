//! A quick look for what is forced, for searches that have better things to do.
//!
//! Threats to win at once, each of which has to be answered, are what pays most inside another
//! search; those of a higher order are for proofs. Where the game is about joining, connections say more
//! (see [`Joining`](crate::Joining)).

use std::rc::Rc;
use std::sync::Arc;

use ludex_core::two_player::opponent;
use ludex_core::{Effort, Fault, Forced, Player, Sought, Turn};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::attack::{Attack, Config, Searched, Stop};
use super::ground::Ground;
use super::open::{Open, Place, Standing};
use super::proof::Threat;
use super::shape::Shape;
use super::widening::Reach;

/// Direct threats in a row, at most.
const LONGEST_CHAIN: u32 = 16;

/// Moves of the attacker in a shape of a higher order, at most.
const MOST_MOVES: u32 = 11;

/// A win by threats of the player to move, the smallest first, if it is found with so much effort.
pub fn forced_win<G: Open>(
    ground: &Arc<Ground>,
    (game, rules): (&G, &RulesGame),
    place: &Place,
    effort: Effort<'_>,
) -> Result<Sought<Forced<PackedMove>>, Fault> {
    if let Some(joining) = ground.joining(rules.program()) {
        return joining.forced_win((game, rules.program()), place, effort);
    }
    let Turn::Of(mover) = game.turn(&place.state, &place.trail)? else { return Ok(nothing()) };
    let mut attack = attack(ground, (game, rules), mover, effort);
    let mut found = None;
    for shape in shapes(effort.order) {
        match attack.win(place, &shape)? {
            // Where nothing longer can be found either, the next round sees that at once.
            Searched::Nothing => {}
            Searched::Spent => break,
            Searched::Found(win) => {
                found = Some(Forced { mv: win.mv, plies: win.plies() });
                break;
            }
        }
    }
    Ok(Sought { found, positions: attack.nodes() })
}

/// The moves of the player to move that may help against the smallest threat of the opponent, if
/// one is found with so much effort.
pub fn defences<G: Open>(
    ground: &Arc<Ground>,
    (game, rules): (&G, &RulesGame),
    place: &Place,
    effort: Effort<'_>,
) -> Result<Sought<Vec<PackedMove>>, Fault> {
    if let Some(joining) = ground.joining(rules.program()) {
        return joining.defences((game, rules.program()), place, effort);
    }
    let Turn::Of(mover) = game.turn(&place.state, &place.trail)? else { return Ok(nothing()) };
    let mut attack = attack(ground, (game, rules), opponent(mover), effort);
    let mut found = None;
    for shape in shapes(effort.order) {
        match attack.threat(place, &shape)? {
            Searched::Nothing => {}
            // What may not be left to be taken, everybody sees.
            Searched::Spent | Searched::Found(Threat::Danger) => break,
            Searched::Found(threat) => {
                found = attack.helpful(place, &threat)?;
                break;
            }
        }
    }
    Ok(Sought { found, positions: attack.nodes() })
}

fn nothing<T>() -> Sought<T> {
    Sought { found: None, positions: 0 }
}

fn attack<'a, G: Open>(
    ground: &Arc<Ground>,
    game: (&'a G, &'a RulesGame),
    attacker: Player,
    effort: Effort<'a>,
) -> Attack<'a, G> {
    let limits = (effort.budget, effort.clock);
    // What the rules tell of ways to win is known; around men it would have to be looked up anew.
    let config = match ground.patterns(game, attacker, limits) {
        Some(_) => Config { around: Some(0), ..Config::default() },
        None => Config::default(),
    };
    Attack::on(Arc::clone(ground), game, attacker, config, limits)
}

fn shapes(order: u8) -> Vec<Rc<Shape>> {
    let (longest_chain, highest_order) = (LONGEST_CHAIN, order.saturating_add(1));
    Reach { longest_chain, highest_order, most_moves: MOST_MOVES, longest_higher: 0 }.shapes()
}

impl<G: Open> Attack<'_, G> {
    /// The defender's moves that do something about a threat; `None` if the budget was spent.
    fn helpful(
        &mut self,
        place: &Place,
        threat: &Threat,
    ) -> Result<Option<Vec<PackedMove>>, Fault> {
        match self.those_that_help(place, threat) {
            Ok(moves) => Ok(Some(moves)),
            Err(Stop::Spent) => Ok(None),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }

    fn those_that_help(&mut self, place: &Place, threat: &Threat) -> Result<Vec<PackedMove>, Stop> {
        let mut helpful = Vec::new();
        for mv in self.moves(place, opponent(self.attacker))? {
            let next = self.after(place, mv)?;
            let is_lost = match next.standing(self.game, self.attacker)? {
                Standing::Won => true,
                Standing::Turn(mover) if mover == self.attacker => self.leaves(&next, threat)?,
                _ => false,
            };
            if !is_lost {
                helpful.push(mv);
            }
        }
        Ok(helpful)
    }
}
