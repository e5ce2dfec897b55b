//! Counterplay: what a zone needs besides the reasons of the attacker's moves.
//!
//! A threat of a higher order gives the defender moves that were not searched. Each of them leaves the
//! zone as it is, but together they could *win* the game before the attacker does, or create a *move*
//! that touches the zone and that the defender does not have now. So the writes that such moves can
//! make are tried, and where they would do harm, one of the cells is added to the zone: a move that
//! writes it then has to be searched.
//!
//! Only relevant cells are tried. That the game is not over has reasons, and whatever ends the game
//! changes one of those cells: these are changed first, then those that matter after that. New moves
//! are looked for only if there is a move, in any position, that touches the zone and was not
//! searched. What a move can write is over-approximated from the rules (`MoveEffects`); if there is no
//! bound, the zone is everything.

use ludex_core::{Player, Position};
use ludex_ir::PackedMove;

use super::Attack;
use super::attack::Stop;
use super::cell_game::{CellGame, Status, changed, status};
use super::zone::{Zone, domain};
use crate::label::Allowed;
use crate::study::Reason;

/// Cells that are changed together, at most.
const MOST_CELLS: usize = 4;

/// The same where it is not known which cells matter.
const MOST_CELLS_UNDIRECTED: usize = 2;

/// A cell and the raw value that it gets.
type Change = (usize, u16);

impl<G: CellGame> Attack<'_, G> {
    /// Adds to `zone` why the game is not over at `position`, where it is the attacker's turn and he
    /// has a move.
    pub(super) fn guard_status(
        &mut self,
        position: &Position,
        tempo: usize,
        zone: &mut Zone,
    ) -> Result<(), Stop> {
        let Some(cells) = self.cells_written(tempo, MOST_CELLS, zone) else { return Ok(()) };
        if self.config.ends && !zone.is_everything() {
            self.guard_silence(position, (tempo, cells), zone)?;
        }
        Ok(())
    }

    /// Adds to `zone` what denies the defender, whose turn it is at `position`, more than the search
    /// saw: an end of the game, or a move after which the zone of the threat (`left`) does not hold and
    /// that was not searched or has another effect now.
    pub(super) fn guard_moves(
        &mut self,
        position: &Position,
        (left, searched): (&Zone, &[(PackedMove, Zone)]),
        tempo: usize,
        zone: &mut Zone,
    ) -> Result<(), Stop> {
        self.guard_status(position, tempo, zone)?;
        let known: Vec<PackedMove> = searched.iter().map(|it| it.0).collect();
        let potential =
            self.analysis.defender_effects(self.attacker).touching((left, zone), &known);
        let is_settled = potential.as_ref().is_some_and(Vec::is_empty);
        if zone.is_everything() || (is_settled && self.keeps_a_move(position, tempo)?) {
            return Ok(());
        }
        let Some(cells) = self.cells_written(tempo, MOST_CELLS_UNDIRECTED, zone) else {
            return Ok(());
        };
        let mut changes = Vec::new();
        let what = Wanted { left, searched, potential: potential.as_deref() };
        for count in 1..=cells {
            self.try_changes(position, (count, 0, tempo), &mut changes, zone, &what)?;
        }
        Ok(())
    }

    /// Whether the defender, whose turn it is, still has a move after `tempo` unknown ones, or loses
    /// without one. Of moves whose reasons have no cell in common, a changed cell removes only one.
    fn keeps_a_move(&mut self, position: &Position, tempo: usize) -> Result<bool, Stop> {
        let effects = self.analysis.defender_effects(self.attacker);
        if effects.stuck_is_lost {
            return Ok(true);
        }
        let Some(width) = effects.width else { return Ok(false) };
        let plain = self.interpreted(position);
        let defender = Player(1 - self.attacker.0);
        let moves = self.analysis.study.moves(&plain, defender)?;
        let (mut cells, mut apart) = (Vec::new(), 0);
        for it in moves.iter().filter(|it| !it.history) {
            if it.reasons.iter().all(|reason| !cells.contains(&reason.cell)) {
                cells.extend(it.reasons.iter().map(|reason| reason.cell));
                apart += 1;
            }
            if apart > width * tempo {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The number of cells that unknown moves write; `None`, with everything in the zone, if it is
    /// too large.
    fn cells_written(&self, tempo: usize, most: usize, zone: &mut Zone) -> Option<usize> {
        let cells =
            self.analysis.defender_effects(self.attacker).width.map(|it| it.saturating_mul(tempo));
        let few = cells.filter(|&it| it <= most);
        if few.is_none() {
            *zone = Zone::everything();
        }
        few
    }

    /// Forbids changes that end the game, alone or with further changes.
    fn guard_silence(
        &mut self,
        position: &Position,
        (tempo, cells): (usize, usize),
        zone: &mut Zone,
    ) -> Result<(), Stop> {
        let Some(changes) = self.bad_changes(position, false, (tempo, cells))? else {
            *zone = Zone::everything();
            return Ok(());
        };
        for change in changes {
            if zone.allows(change.0, change.1) {
                let changed = changed(self.game, position, change.0, change.1);
                if self.can_end(&changed, (tempo, cells - 1), zone)? {
                    self.pin(change, zone);
                }
            }
        }
        Ok(())
    }

    /// Whether the game is over, or `cells` changes outside the zone can end it.
    fn can_end(
        &mut self,
        position: &Position,
        (tempo, cells): (usize, usize),
        zone: &Zone,
    ) -> Result<bool, Stop> {
        if cells == 0 {
            self.check_clock()?;
        } else {
            self.count_node()?;
        }
        let is_won = match self.hypothetical_status(position) {
            Status::Ended | Status::Otherwise => return Ok(true),
            // A win of the attacker does no harm, if it stays one.
            Status::Won | Status::Turn(_) if cells == 0 => return Ok(false),
            Status::Won => true,
            Status::Turn(_) => false,
        };
        let changes = self.bad_changes(position, is_won, (tempo, cells))?;
        let Some(changes) = changes else { return Ok(true) };
        for (cell, raw) in changes {
            if zone.allows(cell, raw) {
                let changed = changed(self.game, position, cell, raw);
                if self.can_end(&changed, (tempo, cells - 1), zone)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The changes that could contribute to an end of the game if `cells` cells may be changed; `None`
    /// if they are not known. The last change is simply tried. Before it, only cells matter on which
    /// depends that the game goes on, or that the attacker has won.
    fn bad_changes(
        &mut self,
        position: &Position,
        is_won: bool,
        (tempo, cells): (usize, usize),
    ) -> Result<Option<Vec<Change>>, Stop> {
        if cells <= 1 {
            return Ok(Some(self.all_changes(position, tempo)));
        }
        let matters = if is_won {
            Some(self.zone_of_end(position)?).filter(|it| !it.is_everything())
        } else {
            self.why_it_goes_on(position)?
        };
        Ok(matters.map(|it| self.changes_of(position, &it, tempo)))
    }

    /// All changes that unknown moves can make to one square.
    fn all_changes(&self, position: &Position, tempo: usize) -> Vec<Change> {
        let effects = self.analysis.defender_effects(self.attacker);
        let becomes = effects.all_contents(tempo);
        let changes = |cell: usize| {
            let now = self.game.raw(&position.state, cell);
            becomes[usize::from(now)].iter().map(move |&raw| (cell, raw))
        };
        (0..effects.squares).flat_map(changes).collect()
    }

    /// Why the game is not over, as a zone; `None` if that depends on more than cells.
    fn why_it_goes_on(&mut self, position: &Position) -> Result<Option<Zone>, Stop> {
        let plain = self.interpreted(position);
        let silence = self.analysis.study.silence(&plain)?;
        Ok(silence.map(|it| Zone::of(&it)).filter(|it| !it.is_everything()))
    }

    /// The changes that unknown moves can make to the cells of a zone and that it does not
    /// allow.
    fn changes_of(&self, position: &Position, zone: &Zone, tempo: usize) -> Vec<Change> {
        let mut changes = Vec::new();
        for reason in zone
            .reasons()
            .iter()
            .filter(|it| it.cell < self.analysis.defender_effects(self.attacker).squares)
        {
            let now = self.game.raw(&position.state, reason.cell);
            let new =
                self.analysis.defender_effects(self.attacker).contents(now, tempo).into_iter();
            let bad = new.filter(|&it| !reason.allowed.contains(it));
            changes.extend(bad.map(|raw| (reason.cell, raw)));
        }
        changes
    }

    /// Tries all changes of `count` cells from square number `from` on, after those in `changes`.
    fn try_changes(
        &mut self,
        position: &Position,
        (count, from, tempo): (usize, usize, usize),
        changes: &mut Vec<Change>,
        zone: &mut Zone,
        wanted: &Wanted<'_>,
    ) -> Result<(), Stop> {
        if changes.len() == count {
            self.count_node()?;
            if !self.is_harmless(position, wanted)? {
                self.pin(changes[count - 1], zone);
            }
            return Ok(());
        }
        for cell in from..self.analysis.defender_effects(self.attacker).squares {
            let now = self.game.raw(&position.state, cell);
            for raw in self.analysis.defender_effects(self.attacker).contents(now, tempo) {
                // A change that the zone does not allow is nothing new.
                if !zone.allows(cell, raw) || !changes.iter().all(|it| zone.allows(it.0, it.1)) {
                    continue;
                }
                let changed = changed(self.game, position, cell, raw);
                changes.push((cell, raw));
                self.try_changes(&changed, (count, cell + 1, tempo), changes, zone, wanted)?;
                changes.pop();
            }
        }
        Ok(())
    }

    /// Whether the defender, whose turn it is, has no more than the search saw.
    fn is_harmless(&mut self, position: &Position, wanted: &Wanted<'_>) -> Result<bool, Stop> {
        let defender = Player(1 - self.attacker.0);
        match self.hypothetical_status(position) {
            Status::Turn(mover) if mover == defender => {}
            Status::Won => return Ok(true),
            _ => return Ok(!self.config.ends),
        }
        if !self.config.moves {
            return Ok(true);
        }
        let moves = self.moves(position, defender)?;
        if let Some(potential) = wanted.potential {
            return Ok(!moves.iter().any(|it| potential.contains(it)));
        }
        for mv in moves {
            let next = self.after(position, mv)?;
            let holds = |zone: &Zone| zone.holds(|cell| self.game.raw(&next.state, cell));
            let is_known = wanted.searched.iter().any(|(known, zone)| *known == mv && holds(zone));
            if !is_known && !holds(wanted.left) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The status of a changed position. It need not arise in play, so the rules may contradict
    /// themselves there: that is no win.
    fn hypothetical_status(&self, position: &Position) -> Status {
        status(self.game, position, self.attacker).unwrap_or(Status::Ended)
    }

    /// Forbids a change.
    fn pin(&self, (cell, raw): Change, zone: &mut Zone) {
        let size = domain(self.rules.program(), cell);
        let allowed = match Allowed::anything(size) {
            Allowed::Values(all) => Allowed::Values(all & !(1 << raw)),
            // An interval without one of its values is none.
            Allowed::Range { .. } => return *zone = Zone::everything(),
        };
        zone.add_reason(Reason { cell, allowed });
    }
}

/// What the defender may have without harm.
struct Wanted<'a> {
    /// The zone of the threat: moves that leave it are harmless.
    left: &'a Zone,
    /// The moves that were searched, and the zones of what follows.
    searched: &'a [(PackedMove, Zone)],
    /// The moves that would do harm, if they are known in advance.
    potential: Option<&'a [PackedMove]>,
}
