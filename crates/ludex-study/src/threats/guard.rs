//! What a zone needs besides the reasons of the attacker's moves.
//!
//! A threat of a higher order gives the defender moves that it knows nothing of. Each of them leaves
//! the zone as it is, but together they could *win* him the game before the attacker is
//! through, or give him a *move* that he does not have now and that touches the zone. So what such
//! moves could write is tried, as many cells as they can write, and where it would do harm one of
//! the cells becomes part of the zone: a move that writes it is then one that has to be searched.
//!
//! Only what matters is tried. That nobody has won has reasons too, and whatever ends the game
//! changes one of those cells: so these are changed, and then those that matter after that.
//! New moves are looked for only if there is one, in any position, that touches the zone and
//! was not searched. What a move can write is read off the rules (`Foreign`), and
//! rather too much than too little; where that is not known, the zone is everything.

use ludex_core::Player;
use ludex_ir::PackedMove;

use super::Attack;
use super::attack::Stop;
use super::open::{Open, Place, Standing};
use super::zone::{Zone, domain};
use crate::label::Allowed;
use crate::study::Reason;

/// So many cells at once are tried at most.
const MOST_CELLS: usize = 4;

/// So many where nothing says which of them matter.
const MOST_CELLS_BLINDLY: usize = 2;

/// A cell and the raw value that it gets.
type Change = (usize, u16);

impl<G: Open> Attack<'_, G> {
    /// Adds to `zone` what keeps the game from being over at `place`, where it is the attacker's
    /// turn and he has a move.
    pub(super) fn guard_standing(
        &mut self,
        place: &Place,
        tempo: usize,
        zone: &mut Zone,
    ) -> Result<(), Stop> {
        let Some(cells) = self.cells_written(tempo, MOST_CELLS, zone) else { return Ok(()) };
        if self.config.ends && !zone.is_everything() {
            self.guard_silence(place, (tempo, cells), zone)?;
        }
        Ok(())
    }

    /// Adds to `zone` what keeps the defender, whose turn it is at `place`, from having more than
    /// he was seen to have: an end of the game, or a move after which the zone of the threat
    /// (`left`) does not hold and that was not searched or leads elsewhere now.
    pub(super) fn guard_moves(
        &mut self,
        place: &Place,
        (left, searched): (&Zone, &[(PackedMove, Zone)]),
        tempo: usize,
        zone: &mut Zone,
    ) -> Result<(), Stop> {
        self.guard_standing(place, tempo, zone)?;
        let known: Vec<PackedMove> = searched.iter().map(|it| it.0).collect();
        let potential = self.ground.foreign(self.attacker).touching((left, zone), &known);
        let is_settled = potential.as_ref().is_some_and(Vec::is_empty);
        if zone.is_everything() || (is_settled && self.keeps_a_move(place, tempo)?) {
            return Ok(());
        }
        let Some(cells) = self.cells_written(tempo, MOST_CELLS_BLINDLY, zone) else {
            return Ok(());
        };
        let mut changes = Vec::new();
        let what = Wanted { left, searched, potential: potential.as_deref() };
        for count in 1..=cells {
            self.try_changes(place, (count, 0, tempo), &mut changes, zone, &what)?;
        }
        Ok(())
    }

    /// Whether the defender, whose turn it is, still has a move after so many unknown ones, or
    /// has lost where he has none. A changed cell can take away one of several moves that have
    /// no cell in common among their reasons.
    fn keeps_a_move(&mut self, place: &Place, tempo: usize) -> Result<bool, Stop> {
        let foreign = self.ground.foreign(self.attacker);
        if foreign.stuck_is_lost {
            return Ok(true);
        }
        let Some(width) = foreign.width else { return Ok(false) };
        let state = self.interpreted(&place.state);
        let defender = Player(1 - self.attacker.0);
        let moves = self.ground.study.moves(&state, &place.trail, defender)?;
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

    /// How many cells unknown moves write; `None`, with everything in the zone, if that is
    /// too many.
    fn cells_written(&self, tempo: usize, most: usize, zone: &mut Zone) -> Option<usize> {
        let cells = self.ground.foreign(self.attacker).width.map(|it| it.saturating_mul(tempo));
        let few = cells.filter(|&it| it <= most);
        if few.is_none() {
            *zone = Zone::everything();
        }
        few
    }

    /// Forbids changes that end the game, or begin something that does.
    fn guard_silence(
        &mut self,
        place: &Place,
        (tempo, cells): (usize, usize),
        zone: &mut Zone,
    ) -> Result<(), Stop> {
        let Some(changes) = self.bad_changes(place, false, (tempo, cells))? else {
            *zone = Zone::everything();
            return Ok(());
        };
        for change in changes {
            if zone.allows(change.0, change.1) {
                let changed = place.changed(self.game, change.0, change.1);
                if self.can_end(&changed, (tempo, cells - 1), zone)? {
                    self.pin(change, zone);
                }
            }
        }
        Ok(())
    }

    /// Whether the game is over, or so many changes outside the zone can end it.
    fn can_end(
        &mut self,
        place: &Place,
        (tempo, cells): (usize, usize),
        zone: &Zone,
    ) -> Result<bool, Stop> {
        if cells == 0 {
            self.look_up()?;
        } else {
            self.count()?;
        }
        let is_won = match self.imagined(place) {
            Standing::Ended | Standing::Otherwise => return Ok(true),
            // The attacker may have won; that does no harm, if it stays so.
            Standing::Won | Standing::Turn(_) if cells == 0 => return Ok(false),
            Standing::Won => true,
            Standing::Turn(_) => false,
        };
        let changes = self.bad_changes(place, is_won, (tempo, cells))?;
        let Some(changes) = changes else { return Ok(true) };
        for (cell, raw) in changes {
            if zone.allows(cell, raw) {
                let changed = place.changed(self.game, cell, raw);
                if self.can_end(&changed, (tempo, cells - 1), zone)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The changes that could have to do with the end of the game, where so many cells may be
    /// changed; `None` if that cannot be told. The last of them ends it or does not, which is seen
    /// sooner than told; before that, only cells matter that the going on depends on, or that the
    /// attacker has won.
    fn bad_changes(
        &mut self,
        place: &Place,
        is_won: bool,
        (tempo, cells): (usize, usize),
    ) -> Result<Option<Vec<Change>>, Stop> {
        if cells <= 1 {
            return Ok(Some(self.all_changes(place, tempo)));
        }
        let matters = if is_won {
            Some(self.zone_of_end(place)?).filter(|it| !it.is_everything())
        } else {
            self.why_it_goes_on(place)?
        };
        Ok(matters.map(|it| self.changes_of(place, &it, tempo)))
    }

    /// All changes that unknown moves can make to one square.
    fn all_changes(&self, place: &Place, tempo: usize) -> Vec<Change> {
        let foreign = self.ground.foreign(self.attacker);
        let becomes = foreign.all_contents(tempo);
        let changes = |cell: usize| {
            let now = self.game.raw(&place.state, cell);
            becomes[usize::from(now)].iter().map(move |&raw| (cell, raw))
        };
        (0..foreign.squares).flat_map(changes).collect()
    }

    /// What it depends on that the game is not over; `None` if that is more than cells.
    fn why_it_goes_on(&mut self, place: &Place) -> Result<Option<Zone>, Stop> {
        let state = self.interpreted(&place.state);
        let silence = self.ground.study.silence(&state, &place.trail)?;
        Ok(silence.map(|it| Zone::of(&it)).filter(|it| !it.is_everything()))
    }

    /// The changes that unknown moves can make to the cells of a zone and that it does not
    /// allow.
    fn changes_of(&self, place: &Place, zone: &Zone, tempo: usize) -> Vec<Change> {
        let mut changes = Vec::new();
        for reason in
            zone.reasons().iter().filter(|it| it.cell < self.ground.foreign(self.attacker).squares)
        {
            let now = self.game.raw(&place.state, reason.cell);
            let new = self.ground.foreign(self.attacker).contents(now, tempo).into_iter();
            let bad = new.filter(|&it| !reason.allowed.contains(it));
            changes.extend(bad.map(|raw| (reason.cell, raw)));
        }
        changes
    }

    /// Tries all changes of `count` cells from square number `from` on, besides those made.
    fn try_changes(
        &mut self,
        place: &Place,
        (count, from, tempo): (usize, usize, usize),
        changes: &mut Vec<Change>,
        zone: &mut Zone,
        wanted: &Wanted<'_>,
    ) -> Result<(), Stop> {
        if changes.len() == count {
            self.count()?;
            if !self.is_harmless(place, wanted)? {
                self.pin(changes[count - 1], zone);
            }
            return Ok(());
        }
        for cell in from..self.ground.foreign(self.attacker).squares {
            let now = self.game.raw(&place.state, cell);
            for raw in self.ground.foreign(self.attacker).contents(now, tempo) {
                // A change that the zone does not allow is nothing new.
                if !zone.allows(cell, raw) || !changes.iter().all(|it| zone.allows(it.0, it.1)) {
                    continue;
                }
                let changed = place.changed(self.game, cell, raw);
                changes.push((cell, raw));
                self.try_changes(&changed, (count, cell + 1, tempo), changes, zone, wanted)?;
                changes.pop();
            }
        }
        Ok(())
    }

    /// Whether the defender, whose turn it is, has no more than he was seen to have.
    fn is_harmless(&mut self, place: &Place, wanted: &Wanted<'_>) -> Result<bool, Stop> {
        let defender = Player(1 - self.attacker.0);
        match self.imagined(place) {
            Standing::Turn(mover) if mover == defender => {}
            Standing::Won => return Ok(true),
            _ => return Ok(!self.config.ends),
        }
        if !self.config.moves {
            return Ok(true);
        }
        let moves = self.moves(place, defender)?;
        if let Some(potential) = wanted.potential {
            return Ok(!moves.iter().any(|it| potential.contains(it)));
        }
        for mv in moves {
            let next = self.after(place, mv)?;
            let holds = |zone: &Zone| zone.holds(|cell| self.game.raw(&next.state, cell));
            let is_known = wanted.searched.iter().any(|(known, zone)| *known == mv && holds(zone));
            if !is_known && !holds(wanted.left) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How a changed position stands. It need not be one that play comes to, so the rules may
    /// contradict themselves there: that is no win.
    fn imagined(&self, place: &Place) -> Standing {
        place.standing(self.game, self.attacker).unwrap_or(Standing::Ended)
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

/// What the defender may have.
struct Wanted<'a> {
    /// The zone of the threat: moves that leave it are harmless.
    left: &'a Zone,
    /// The moves that were searched, and the zones of what follows.
    searched: &'a [(PackedMove, Zone)],
    /// The moves that would do harm, if they are known beforehand.
    potential: Option<&'a [PackedMove]>,
}
