//! One question about a state and all worlds one change away from it.

use std::collections::{BTreeMap, BTreeSet};

use ludex_core::{Fault, Player};
use ludex_interp::Write;
use ludex_ir::{Func, PackedMove};

use crate::label::Label;
use crate::run::worlds::WorldId;
use crate::run::{Machine, Said};
use crate::study::{Clause, Explained, Given, Listed, Study};

use super::Item;

/// What the rules produce in a state, and what else in worlds near it.
pub(super) struct Round<T: Item> {
    /// The items of the state.
    pub(super) here: Vec<T::Key>,
    /// The wanted items of other worlds that are not items of the state.
    pub(super) there: Vec<(WorldId, Explained<T>)>,
    /// For each world whether anything depends on its change.
    pub(super) touched: Vec<bool>,
}

/// The ways to produce something: why, and where in the source.
type Ways = Vec<(Label, u32)>;

/// The moves of a state with what they do.
type Moves = BTreeMap<PackedMove, Move>;

struct Move {
    ways: Ways,
    writes: Vec<Write>,
    /// What the writes depend on.
    done: Label,
}

impl Study {
    /// The moves of player `me`.
    pub(super) fn round_of_moves(
        &self,
        machine: &mut Machine<'_>,
        me: Player,
        wanted: &dyn Fn(&Listed) -> bool,
    ) -> Result<Round<Listed>, Fault> {
        let moves = self.moves_here(machine, me.index())?;
        let mut there = Vec::new();
        for (world, mv) in moves_in_question(machine, &moves) {
            let Some(explained) = self.move_there(machine, me.index(), &moves, world, mv)? else {
                continue;
            };
            if wanted(&explained.item) {
                there.push((world, explained));
            }
        }
        let item = |(mv, it): (PackedMove, Move)| Listed { mv, writes: it.writes }.key();
        let here = moves.into_iter().map(item).collect();
        Ok(finished(machine, here, there))
    }

    /// The moves of the state. What is listed elsewhere is left with the worlds.
    fn moves_here(&self, machine: &mut Machine<'_>, me: usize) -> Result<Moves, Fault> {
        let list = self.code.program.roles.moves;
        let mut ways: BTreeMap<PackedMove, Ways> = BTreeMap::new();
        for it in machine.everywhere(|machine| machine.moves(list, me))? {
            ways.entry(it.mv).or_default().push((it.label, it.place));
        }
        let mut moves = Moves::new();
        for (mv, ways) in ways {
            let (writes, done) = machine.effect(me, mv)?;
            moves.insert(mv, Move { ways, writes, done });
        }
        Ok(moves)
    }

    /// A move as it is in a world, if it is there and not the same as here.
    fn move_there(
        &self,
        machine: &mut Machine<'_>,
        me: usize,
        moves: &Moves,
        world: WorldId,
        mv: PackedMove,
    ) -> Result<Option<Explained<Listed>>, Fault> {
        let here = moves.get(&mv);
        let ways = move_ways(machine, here, world, mv);
        let same = here.is_some_and(|it| !breaks(machine, world, it.done));
        if ways.is_empty() || same {
            return Ok(None);
        }
        let Some((writes, done)) = machine.inside(world, |machine| machine.effect(me, mv))? else {
            return Ok(None);
        };
        if here.is_some_and(|it| it.writes == writes) {
            return Ok(None);
        }
        let labels = &mut machine.labels;
        let whole = |(label, place)| (labels.union(label, done), place);
        let ways: Ways = ways.into_iter().map(whole).collect();
        Ok(Some(self.explained(labels, Listed { mv, writes }, &ways)))
    }

    /// What player `me` is given.
    pub(super) fn round_of_results(
        &self,
        machine: &mut Machine<'_>,
        me: Player,
        wanted: &dyn Fn(&Given) -> bool,
    ) -> Result<Round<Given>, Fault> {
        let roles = &self.code.program.roles;
        let mut given = Results::new(machine);
        for player in 0..self.code.program.players.len() {
            if let Some(result) = roles.result {
                given.hear(machine, result, player, player == me.index())?;
            }
        }
        let mut adjudicated = Results::new(machine);
        if let Some(adjudicate) = roles.adjudicate.filter(|_| given.any_silent()) {
            adjudicated.hear(machine, adjudicate, me.index(), true)?;
        }
        let in_force = |world: Option<WorldId>| {
            if given.silent(world) {
                (&adjudicated, Clause::Adjudicate)
            } else {
                (&given, Clause::Result)
            }
        };
        let (results, clause) = in_force(None);
        let here: BTreeSet<Given> = results.mine.iter().map(|it| item(it, clause)).collect();
        let mut there = Vec::new();
        for world in 0..machine.worlds.all.len() {
            let (results, clause) = in_force(Some(world));
            let mut ways: BTreeMap<Given, Ways> = BTreeMap::new();
            for it in results.there(machine, world) {
                ways.entry(item(it, clause)).or_default().push((it.label, it.place));
            }
            for (item, ways) in ways {
                if !here.contains(&item) && wanted(&item) {
                    there.push((world, self.explained(&machine.labels, item, &ways)));
                }
            }
        }
        Ok(finished(machine, here.into_iter().collect(), there))
    }
}

fn item(said: &Said, clause: Clause) -> Given {
    Given { kind: said.kind, score: said.score, clause }
}

/// What a part of the rules says, here and in other worlds.
struct Results {
    /// What it says of `me`.
    mine: Vec<Said>,
    /// What it says of `me` in each world that it need not say here.
    elsewhere: Vec<Vec<Said>>,
    /// Whether it gives no player a result.
    silent_here: bool,
    silent: Vec<bool>,
}

impl Results {
    fn new(machine: &Machine<'_>) -> Self {
        let worlds = machine.worlds.all.len();
        Self {
            mine: Vec::new(),
            elsewhere: vec![Vec::new(); worlds],
            silent_here: true,
            silent: vec![true; worlds],
        }
    }

    /// Hears what is said of a player.
    fn hear(
        &mut self,
        machine: &mut Machine<'_>,
        role: Func,
        player: usize,
        is_me: bool,
    ) -> Result<(), Fault> {
        let said = machine.everywhere(|machine| machine.outcomes(role, player))?;
        self.silent_here &= said.is_empty();
        for world in 0..self.silent.len() {
            let there = std::mem::take(&mut machine.worlds.all[world].said);
            let stays = said.iter().any(|it| !breaks(machine, world, it.label));
            self.silent[world] &= there.is_empty() && !stays;
            if is_me {
                self.elsewhere[world] = there;
            }
        }
        if is_me {
            self.mine = said;
        }
        Ok(())
    }

    fn silent(&self, world: Option<WorldId>) -> bool {
        world.map_or(self.silent_here, |it| self.silent[it])
    }

    fn any_silent(&self) -> bool {
        self.silent_here || self.silent.contains(&true)
    }

    /// All that is said of `me` in a world.
    fn there<'a>(
        &'a self,
        machine: &'a Machine<'_>,
        world: WorldId,
    ) -> impl Iterator<Item = &'a Said> {
        let stays = self.mine.iter().filter(move |it| !breaks(machine, world, it.label));
        stays.chain(&self.elsewhere[world])
    }
}

/// The worlds and moves that must be looked at: what is listed there for reasons of its own, and what
/// may do something else there.
fn moves_in_question(machine: &mut Machine<'_>, moves: &Moves) -> BTreeSet<(WorldId, PackedMove)> {
    let mut asked = BTreeSet::new();
    for (id, world) in machine.worlds.all.iter().enumerate() {
        asked.extend(world.emitted.iter().map(|it| (id, it.mv)));
    }
    for (&mv, it) in moves {
        for &world in machine.worlds.broken(&machine.labels, it.done).iter() {
            machine.worlds.all[world].touched = true;
            asked.insert((world, mv));
        }
    }
    asked
}

/// The ways to a move in a world: those that are its own, and those of the state that stay.
fn move_ways(machine: &Machine<'_>, here: Option<&Move>, world: WorldId, mv: PackedMove) -> Ways {
    let own = machine.worlds.all[world].emitted.iter().filter(|it| it.mv == mv);
    let stay = here.into_iter().flat_map(|it| &it.ways).copied();
    let stay = stay.filter(|&(label, _)| !breaks(machine, world, label));
    own.map(|it| (it.label, it.place)).chain(stay).collect()
}

fn breaks(machine: &Machine<'_>, world: WorldId, label: Label) -> bool {
    machine.worlds.breaks(&machine.labels, world, label)
}

/// The round without the worlds in which the rules failed.
fn finished<T: Item>(
    machine: &Machine<'_>,
    here: Vec<T::Key>,
    mut there: Vec<(WorldId, Explained<T>)>,
) -> Round<T> {
    let worlds = &machine.worlds.all;
    there.retain(|it| !worlds[it.0].failed);
    Round { here, there, touched: worlds.iter().map(|it| it.touched).collect() }
}
