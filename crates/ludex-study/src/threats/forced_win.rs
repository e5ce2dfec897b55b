//! A quick search for a forced win and for only defences, made for other searches.
//!
//! Sequences of direct threats, each of which has to be answered, pay best inside another search;
//! threats of a higher order are for proofs. In connection games, virtual connections find more (see
//! [`ConnectionGame`](crate::ConnectionGame)).

use std::rc::Rc;
use std::sync::Arc;

use ludex_core::two_player::opponent;
use ludex_core::{Effort, Fault, Forced, Player, Position, Sought, Turn};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::attack::{Attack, Config, Searched, Stop};
use super::cell_game::{CellGame, Status, status};
use super::game_analysis::GameAnalysis;
use super::proof::Threat;
use super::shape::Shape;
use super::widening::Reach;

/// Direct threats in a row, at most.
const LONGEST_SEQUENCE: u32 = 16;

/// Moves of the attacker in a shape of a higher order, at most.
const MOST_MOVES: u32 = 11;

/// A win by threats of the player to move, the smallest shape first, if it is found within `effort`.
pub fn forced_win<G: CellGame>(
    analysis: &Arc<GameAnalysis>,
    (game, rules): (&G, &RulesGame),
    position: &Position,
    effort: Effort<'_>,
) -> Result<Sought<Forced<PackedMove>>, Fault> {
    let Turn::Of(mover) = game.turn(position)? else { return Ok(nothing()) };
    let mut attack = attack(analysis, (game, rules), mover, effort);
    let mut found = None;
    for shape in shapes(effort.order) {
        match attack.win(position, &shape)? {
            // If no longer sequence can win either, the table says so at once in the next round.
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
/// one is found within `effort`.
pub fn only_defences<G: CellGame>(
    analysis: &Arc<GameAnalysis>,
    (game, rules): (&G, &RulesGame),
    position: &Position,
    effort: Effort<'_>,
) -> Result<Sought<Vec<PackedMove>>, Fault> {
    let Turn::Of(mover) = game.turn(position)? else { return Ok(nothing()) };
    let mut attack = attack(analysis, (game, rules), opponent(mover), effort);
    let mut found = None;
    for shape in shapes(effort.order) {
        match attack.threat(position, &shape)? {
            Searched::Nothing => {}
            // A check needs no search: the legal moves are the defences.
            Searched::Spent | Searched::Found(Threat::Danger) => break,
            Searched::Found(threat) => {
                found = attack.helpful(position, &threat)?;
                break;
            }
        }
    }
    Ok(Sought { found, positions: attack.nodes() })
}

fn nothing<T>() -> Sought<T> {
    Sought { found: None, positions: 0 }
}

fn attack<'a, G: CellGame>(
    analysis: &Arc<GameAnalysis>,
    game: (&'a G, &'a RulesGame),
    attacker: Player,
    effort: Effort<'a>,
) -> Attack<'a, G> {
    let limits = effort.limits;
    // Patterns are computed once per game; a neighbourhood would be computed in each search.
    let config = match analysis.patterns(game, attacker, limits) {
        Some(_) => Config { neighbourhood: Some(0), ..Config::default() },
        None => Config::default(),
    };
    Attack::on(Arc::clone(analysis), game, attacker, config, limits)
}

fn shapes(order: u8) -> Vec<Rc<Shape>> {
    let (longest_sequence, highest_order) = (LONGEST_SEQUENCE, order.saturating_add(1));
    Reach { longest_sequence, highest_order, most_moves: MOST_MOVES, longest_higher: 0 }.shapes()
}

impl<G: CellGame> Attack<'_, G> {
    /// The defender's moves that stop a threat; `None` if the budget was spent.
    fn helpful(
        &mut self,
        position: &Position,
        threat: &Threat,
    ) -> Result<Option<Vec<PackedMove>>, Fault> {
        match self.those_that_help(position, threat) {
            Ok(moves) => Ok(Some(moves)),
            Err(Stop::Spent) => Ok(None),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }

    fn those_that_help(
        &mut self,
        position: &Position,
        threat: &Threat,
    ) -> Result<Vec<PackedMove>, Stop> {
        let mut helpful = Vec::new();
        for mv in self.moves(position, opponent(self.attacker))? {
            let next = self.after(position, mv)?;
            let is_lost = match status(self.game, &next, self.attacker)? {
                Status::Won => true,
                Status::Turn(mover) if mover == self.attacker => self.leaves(&next, threat)?,
                _ => false,
            };
            if !is_lost {
                helpful.push(mv);
            }
        }
        Ok(helpful)
    }
}
