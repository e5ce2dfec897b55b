//! The explanations of operations on sets, held against plain bodies.
//!
//! An operation on sets (is there a square, how many, a flood) has an
//! explanation of its own, smaller than what the run of a loop would give. Here
//! every such operation stands beside a plain program of the same meaning:
//!
//! - both produce the same items in the same states;
//! - the reasons that the operation gives are enough *for the plain program*:
//!   whatever else is changed, it still produces the item;
//! - they are hardly ever more than what the plain program's own labelled run gives.
//!
//! With `--nocapture` the table is printed; `LUDEX_STUDY_SCALE=10` takes ten
//! times as many states.

mod pairs;
mod twins;

use std::collections::BTreeSet;
use std::thread;

use ludex_core::Random;
use ludex_ir::Program;
use ludex_study::StudyConfig;

use pairs::Pair;
use twins::{Compared, Twins};

/// States for each pair.
const STATES: u32 = 200;
/// The share of items for which the operation's reasons are no more than those of the plain body.
const NO_FATTER: f64 = 0.95;

/// What the study knows of sets.
const OPERATIONS: [&str; 19] = [
    "SetConst",
    "SetWhere",
    "SetLoad",
    "SetStore",
    "SetUpdate",
    "SetCopy",
    "SetBinary",
    "SetInsert",
    "Shift",
    "Neighbours",
    "Flood",
    "Line",
    "Axis",
    "Between",
    "Contains",
    "Count",
    "Any",
    "NextMember",
    "StoreAll",
];

/// What the pairs give, in the order of the pairs; every other one on a second thread.
fn each_pair<T: Send>(ask: impl Fn(&'static Pair) -> T + Sync) -> Vec<T> {
    let half = |first: usize| -> Vec<(usize, T)> {
        let pairs = pairs::all().enumerate().skip(first).step_by(2);
        pairs.map(|(number, pair)| (number, ask(pair))).collect()
    };
    let mut all = thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        let mut all = half(0);
        all.extend(odd.join().expect("all pairs agree"));
        all
    });
    all.sort_by_key(|it| it.0);
    all.into_iter().map(|it| it.1).collect()
}

/// The same pair gives the same states and changes every time.
fn stream(pair: &Pair) -> Random {
    let number = pairs::all().position(|it| std::ptr::eq(it, pair)).expect("it is one of them");
    Random::stream(41, number as u64, 0)
}

fn compare(pair: &'static Pair) -> Compared {
    let mut random = stream(pair);
    let twins =
        Twins::new(pair, STATES * crate::common::scale(), StudyConfig::default(), &mut random);
    twins.compare(&mut random)
}

#[test]
fn explanations_of_sets_are_enough_for_plain_bodies_and_no_fatter() {
    let found = each_pair(compare);
    let table: Vec<String> = pairs::all().zip(&found).map(|(pair, it)| row(pair, it)).collect();
    print_table("pair                         items   sets  plain  no fatter", &table);
    for (pair, it) in pairs::all().zip(&found) {
        let name = pair.name;
        if let Some(first) = it.violations.first() {
            panic!("{name}: {} of {} items: {first}", it.violations.len(), it.items);
        }
        assert!(it.items >= u64::from(STATES) / 4, "{name}: only {} items", it.items);
        assert_eq!(it.faults, 0, "{name}: faults in {} changes", it.changes);
        assert!(share(it.no_fatter, it.items) >= NO_FATTER, "{name}: fatter than a plain body");
    }
    let sum = |number: fn(&Compared) -> u64| found.iter().map(number).sum::<u64>();
    let (dropped, caught) = (sum(|it| it.dropped), sum(|it| it.caught));
    let (items, changes) = (sum(|it| it.items), sum(|it| it.changes));
    let title = format!(
        "{items} items, {changes} changes; one reason dropped: {caught} of {dropped} caught"
    );
    print_table(&title, &[]);
    assert!(share(caught, dropped) >= 0.7, "only {caught} of {dropped} were caught");
}

fn share(part: u64, of: u64) -> f64 {
    part as f64 / of.max(1) as f64
}

fn row(pair: &Pair, found: &Compared) -> String {
    let Compared { items, by_sets, plainly, no_fatter, .. } = *found;
    format!(
        "{:28} {items:5} {:6.2} {:6.2} {:6.1} % {:3} gone {:5.1} % of {:3} dropped caught",
        pair.name,
        share(by_sets, items),
        share(plainly, items),
        100.0 * share(no_fatter, items),
        found.violations.len(),
        100.0 * share(found.caught, found.dropped),
        found.dropped,
    )
}

#[expect(clippy::print_stdout, reason = "the figures of the page on reasons come from here")]
fn print_table(head: &str, rows: &[String]) {
    println!("{head}");
    rows.iter().for_each(|row| println!("{row}"));
}

/// The plain bodies need the relevant slice: flags and counters that a branch did *not* change.
#[test]
fn plain_bodies_without_the_relevant_slice_are_caught() {
    let plain_slice = StudyConfig { relevant_slice: false, ..StudyConfig::default() };
    let caught = each_pair(|pair| {
        let mut random = stream(pair);
        let (items, gone) = Twins::new(pair, 40, plain_slice, &mut random).unsound(&mut random);
        (pair.name, share(gone, items))
    });
    let rows: Vec<String> =
        caught.iter().map(|(name, share)| format!("{name:28} {:5.1} %", 100.0 * share)).collect();
    print_table("pair                         gone without the relevant slice", &rows);
    for name in ["no", "count at most", "neighbours, none", "nothing between", "not connected"] {
        let share = caught.iter().find(|it| it.0 == name).expect("there is such a pair").1;
        assert!(share > 0.5, "{name}: only {share:.2} of the items were caught");
    }
}

/// With the relevant slice nothing is caught, so what is caught without it is due to it.
#[test]
fn plain_bodies_with_the_relevant_slice_hold() {
    each_pair(|pair| {
        let mut random = stream(pair);
        let twins = Twins::new(pair, 20, StudyConfig::default(), &mut random);
        assert_eq!(twins.unsound(&mut random).1, 0, "{}", pair.name);
    });
}

/// The names of the instructions of a program that speak of sets.
fn operations(program: &Program) -> BTreeSet<String> {
    let blocks = program.functions.iter().flat_map(|it| &it.blocks);
    let names = blocks.flat_map(|it| &it.insts).map(|(inst, _)| {
        let text = format!("{inst:?}");
        text.split([' ', '(']).next().unwrap_or_default().to_owned()
    });
    names.filter(|it| OPERATIONS.contains(&it.as_str())).collect()
}

#[test]
fn plain_bodies_have_no_sets_and_the_others_have_all_operations() {
    let mut seen = BTreeSet::new();
    for pair in pairs::all() {
        let plain = crate::common::game_of(&pair.plainly());
        let sets: u16 = plain.program().functions.iter().map(|it| it.sets).sum();
        assert_eq!(sets, 0, "{}: {:?}", pair.name, operations(plain.program()));
        let operations = operations(crate::common::game_of(&pair.by_sets()).program());
        assert!(!operations.is_empty(), "{}", pair.name);
        seen.extend(operations);
    }
    let missing: Vec<&&str> = OPERATIONS.iter().filter(|&&it| !seen.contains(it)).collect();
    assert!(missing.is_empty(), "no pair has {missing:?}");
}
