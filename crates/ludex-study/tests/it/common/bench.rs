//! Forcing a game, by the study and by brute force.

use std::collections::{BTreeMap, BTreeSet};

use ludex_core::{Game, Player, Random, State};
use ludex_interp::{RulesGame, Write};
use ludex_ir::{ArrayRole, OutcomeKind, PackedMove, Program};
use ludex_study::check::{Changes, Checker, ReasonCheck};
use ludex_study::{
    Allowed, Attainable, Change, Clause, Explained, ForcedItem, Forcing, Forcings, Given, Listed,
    Reason, Study,
};

use ludex_core::Position;

pub const STEPS: u64 = 10_000_000_000;

/// What tells items apart, as text, so that one test does for all.
pub type Items = BTreeSet<String>;
/// Items with what must change for them.
pub type Found = BTreeSet<(Vec<Change>, String)>;
/// Changes, and what the rules give after them; nothing if they meet a fault.
pub type Tried = BTreeMap<Vec<Change>, Option<Items>>;

/// A game to force.
pub struct Bench {
    /// The game.
    pub game: RulesGame,
    /// For reason checks of it.
    pub checker: Checker,
    /// The study of it.
    pub study: Study,
    /// What the moves of any player can write.
    pub attainable: Attainable,
    /// Whether other cells than those of squares are changed.
    pub scalars: bool,
    /// How many steps a question may take.
    pub steps: u64,
}

impl Bench {
    /// Everything is attainable that any player can write.
    pub fn new(game: RulesGame) -> Self {
        let study = Study::new(game.program());
        let players = super::players(&game).map(|it| study.attainable(it));
        let attainable = players.reduce(|a, b| a.or(&b)).expect("there is a player");
        Self {
            checker: Checker::new(game.clone()),
            game,
            study,
            attainable,
            scalars: false,
            steps: STEPS,
        }
    }

    /// A game of `games/`.
    pub fn named(name: &str, options: &str) -> Self {
        Self::new(super::game(name, options).expect("the game compiles"))
    }

    /// One change, or two.
    pub fn forcing(&self, pairs: bool) -> Forcing<'_> {
        Forcing { attainable: &self.attainable, pairs, scalars: self.scalars, steps: self.steps }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.game.program()
    }

    /// All attainable changes of one cell.
    pub fn changes(&self, state: &State) -> Vec<Change> {
        let values = self.game.layout().values(state);
        let squares = |cell: &usize| match self.program().cell(*cell).0.role {
            ArrayRole::Board | ArrayRole::Set => true,
            role => self.scalars && role != ArrayRole::Turn,
        };
        let cells = (0..values.len()).filter(squares);
        let of = |cell: usize| {
            let after = self.attainable.values(self.program(), cell, values[cell]);
            after.into_iter().map(move |value| Change { cell, value })
        };
        cells.flat_map(of).collect()
    }

    /// The state with some changes, and a history in which it stands as often as the state did.
    pub fn changed(&self, met: &Position, changes: &[Change]) -> Position {
        let mut values = self.game.layout().values(&met.state);
        for change in changes {
            values[change.cell] = change.value;
        }
        let state = self.game.layout().state(&values);
        let mut position = Position { state, trail: met.trail.clone() };
        while position.trail.count(position.state.key) < met.trail.count(met.state.key) {
            position.trail.push(position.state.key);
        }
        position
    }
}

/// The moves of a state as the plain interpreter lists them.
pub fn plain_moves(bench: &Bench, met: &Position, me: Player) -> Option<Items> {
    let position = met;
    let reason_check = ReasonCheck { checker: &bench.checker, position, me, others: &[] };
    let turned = reason_check.for_mover(position);
    let moves = bench.game.pseudo_moves(&turned, me).and_then(|moves| {
        let unique: BTreeSet<PackedMove> = moves.into_iter().collect();
        let text_of = |mv| Ok(move_text(mv, &bench.game.effect_writes(&turned.state, mv)?));
        unique.into_iter().map(text_of).collect()
    });
    moves.ok()
}

pub fn move_text(mv: PackedMove, writes: &[Write]) -> String {
    format!("{mv:?} {writes:?}")
}

/// What `result` gives in a state by the plain interpreter, and what `adjudicate` would by the study.
pub fn plain_results(bench: &Bench, met: &Position, me: Player) -> Option<Items> {
    let position = met;
    let result = bench.game.clone().with_adjudication(false);
    let outcomes = result.outcomes(position, me).ok()?;
    let adjudicated = bench.study.results(position, me).unwrap_or_default();
    let outcomes = outcomes.into_iter().map(|it| result_text(it.kind, it.score, Clause::Result));
    let adjudicated = adjudicated.into_iter().filter(|it| it.item.clause == Clause::Adjudicate);
    Some(outcomes.chain(adjudicated.map(|it| given_text(&it.item))).collect())
}

pub fn given_text(given: &Given) -> String {
    result_text(given.kind, given.score, given.clause)
}

pub fn result_text(kind: OutcomeKind, score: Option<i64>, clause: Clause) -> String {
    format!("{kind:?} {score:?} {clause:?}")
}

/// The items of a state, and of all states one change away, or two.
pub fn tried(
    bench: &Bench,
    met: &Position,
    pairs: bool,
    items: &dyn Fn(&Position) -> Option<Items>,
) -> Tried {
    let changes = bench.changes(&met.state);
    let mut sets = vec![Vec::new()];
    sets.extend(changes.iter().map(|&it| vec![it]));
    for (index, &a) in changes.iter().enumerate().filter(|_| pairs) {
        let others = changes[index..].iter().filter(|it| it.cell != a.cell);
        sets.extend(others.map(|&b| vec![a, b]));
    }
    sets.into_iter().map(|it| (it.clone(), items(&bench.changed(met, &it)))).collect()
}

/// What brute force finds with changes of which none can be left out.
pub fn brute(tried: &Tried) -> Found {
    let gives = |set: &[Change], item: &String| {
        tried[set].as_ref().is_some_and(|items| items.contains(item))
    };
    let mut found = Found::new();
    for (set, items) in tried {
        let fewer: Vec<Vec<Change>> = match set[..] {
            [] => continue,
            [_] => vec![vec![]],
            _ => std::iter::once(vec![]).chain(set.iter().map(|&it| vec![it])).collect(),
        };
        let new = |item: &&String| !fewer.iter().any(|it| gives(it, item));
        let items = items.iter().flatten().filter(new);
        found.extend(items.map(|it| (set.clone(), it.clone())));
    }
    found
}

/// What the study finds, and what it costs.
pub fn forced_moves(bench: &Bench, met: &Position, me: Player, pairs: bool) -> Forcings<Listed> {
    let forcing = bench.forcing(pairs);
    bench.study.forced_moves(met, me, &forcing, &|_| true).expect("no fault")
}

pub fn forced_results(bench: &Bench, met: &Position, me: Player, pairs: bool) -> Forcings<Given> {
    let forcing = bench.forcing(pairs);
    bench.study.forced_results(met, me, &forcing, &|_| true).expect("no fault")
}

/// Items with their changes; no item comes twice with the same changes.
#[track_caller]
pub fn found<T>(forcings: &Forcings<T>, text: impl Fn(&T) -> String) -> Found {
    let text_of = |it: &ForcedItem<T>| (it.changes.clone(), text(&it.item));
    let found: Found = forcings.items.iter().map(text_of).collect();
    assert_eq!(found.len(), forcings.items.len(), "an item comes twice");
    found
}

/// Holds what was found against brute force; gives how much it was.
#[track_caller]
pub fn same(bench: &Bench, met: &Position, what: &str, tried: &Tried, found: &Found) -> usize {
    let brute = brute(tried);
    let show = |(changes, item): &(Vec<Change>, String)| {
        let name = |it: &Change| format!("{}={}", bench.program().cell_name(it.cell), it.value);
        format!("{item} after {:?}", changes.iter().map(name).collect::<Vec<_>>())
    };
    // Where the interpreter meets a fault, as it has fewer steps, nothing is said.
    let silent = |it: &&(Vec<Change>, String)| tried[&it.0].is_none();
    let missed: Vec<String> = brute.difference(found).map(show).collect();
    let spurious: Vec<String> =
        found.difference(&brute).filter(|it| !silent(it)).map(show).collect();
    assert!(
        missed.is_empty() && spurious.is_empty(),
        "{} {}\n{what}: {} missed, {} spurious of {}\n{missed:#?}\n{spurious:#?}",
        bench.game.name_of_game(),
        bench.game.write(&met.state),
        missed.len(),
        spurious.len(),
        brute.len(),
    );
    brute.len()
}

/// Forces all that can be forced in a state, by brute force and by the study; gives how much it was.
#[track_caller]
pub fn exact_in(bench: &Bench, met: &Position, me: Player, pairs: bool) -> usize {
    let mut items = 0;
    let moves = tried(bench, met, pairs, &|it| plain_moves(bench, it, me));
    if moves[&vec![]].is_some() {
        let text = |it: &Listed| move_text(it.mv, &it.writes);
        let forced = forced_moves(bench, met, me, pairs);
        if forced.complete {
            items += same(bench, met, "moves", &moves, &found(&forced, text));
        }
    }
    let results = tried(bench, met, pairs, &|it| plain_results(bench, it, me));
    if results[&vec![]].is_some() {
        let forced = forced_results(bench, met, me, pairs);
        if forced.complete {
            items += same(bench, met, "results", &results, &found(&forced, given_text));
        }
    }
    items
}

/// What is forced, explained in the changed state.
pub fn there<T: Clone>(bench: &Bench, forced: &ForcedItem<T>) -> Explained<T> {
    let exactly = |change: &Change| {
        let (array, _) = bench.program().cell(change.cell);
        let size = (array.hi - array.lo + 1) as usize;
        let allowed = Allowed::exactly((change.value - array.lo) as u16, size);
        Reason { cell: change.cell, allowed }
    };
    let mut reasons = forced.reasons.clone();
    reasons.extend(forced.changes.iter().map(exactly));
    reasons.sort_unstable();
    let (item, history, place) = (forced.item.clone(), forced.history, forced.place);
    Explained { item, reasons, history, place }
}

/// What is forced keeps the promise of reasons: wherever they hold and the changes are made, it is
/// there. Looks at some moves and all results of a state; gives how many it looked at.
#[track_caller]
pub fn promises_kept(bench: &Bench, met: &Position, me: Player, random: &mut Random) -> u64 {
    let mut checked = 0;
    let moves = forced_moves(bench, met, me, false).items;
    for _ in 0..10.min(moves.len()) {
        let forced = random.pick(&moves).expect("there is one");
        let position = &bench.changed(met, &forced.changes);
        let reason_check = ReasonCheck { checker: &bench.checker, position, me, others: &[] };
        let tally = reason_check.check_move(&there(bench, forced), Changes::Drawn(20), random);
        checked += tally.unwrap_or_else(|violation| panic!("{violation}")).items;
    }
    for forced in &forced_results(bench, met, me, false).items {
        let position = &bench.changed(met, &forced.changes);
        let reason_check = ReasonCheck { checker: &bench.checker, position, me, others: &[] };
        let tally = reason_check.check_result(&there(bench, forced), Changes::Drawn(20), random);
        checked += tally.unwrap_or_else(|violation| panic!("{violation}")).items;
    }
    checked
}
