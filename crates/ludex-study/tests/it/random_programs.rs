//! Unlikely programs: every construct of the IR in random nests,
//! run labelled and plain, and their reasons put to the mutation test.
//!
//! Rules files use few of the ways in which a condition can get lost; here are
//! the others: hypothetical writes on one side of a branch, addresses that come
//! out of cells, sets changed under the loop that walks over them, early returns
//! out of functions that were called under a condition.

use ludex_core::{Player, Random};
use ludex_interp::{RulesGame, RunLimits};
use ludex_ir::Program;
use ludex_ir::inst::TURN;
use ludex_study::check::{Changes, Checker, ReasonCheck, Tally, Violation};
use ludex_study::{Clause, Study, StudyConfig};

use crate::common::programs::{CLOCK, program};

/// What was looked at, and what was missing.
#[derive(Default)]
struct Found {
    items: u64,
    gone: u64,
    first: Option<String>,
}

/// Runs a program in a few states, plain and labelled, and checks reasons.
fn check(program: Program, config: StudyConfig, random: &mut Random, found: &mut Found) {
    let program = ludex_ir::verify(program).expect("it obeys the rules of programs");
    let limits = RunLimits { steps: 200_000, ..RunLimits::default() };
    let game = RulesGame::new(program).with_limits(limits);
    let study = Study::with(game.program(), config);
    let checker = Checker::new(game.clone());
    for met in &crate::common::scrambled(&game, 3, random) {
        for me in [Player(0), Player(1)] {
            let reason_check = ReasonCheck { checker: &checker, position: met, me, others: &[] };
            let turned = reason_check.for_mover(met);
            let Ok(mut plain) = game.pseudo_moves(&turned, me) else { continue };
            plain.sort_unstable();
            plain.dedup();
            let Ok(moves) = study.moves(met, me) else { continue };
            assert_eq!(plain, moves.iter().map(|it| it.item.mv).collect::<Vec<_>>());
            for explained in moves.iter().take(6) {
                let writes = game.effect_writes(&turned.state, explained.item.mv);
                assert_eq!(writes.as_ref(), Ok(&explained.item.writes));
                found.add(reason_check.check_move(explained, Changes::Drawn(20), random));
            }
            for explained in study.results(met, me).unwrap_or_default() {
                assert_eq!(explained.item.clause, Clause::Result);
                found.add(reason_check.check_result(&explained, Changes::Drawn(20), random));
            }
        }
    }
}

impl Found {
    fn add(&mut self, checked: Result<Tally, Violation>) {
        self.items += 1;
        if let Err(violation) = checked {
            self.gone += 1;
            self.first.get_or_insert_with(|| violation.to_string());
        }
    }
}

#[test]
fn reasons_of_random_programs_are_complete() {
    let mut items = 0;
    for seed in 0..1000 * u64::from(crate::common::scale()) {
        let mut random = Random::stream(31, seed, 0);
        let program = program(&mut random);
        let text = program.to_string();
        let mut found = Found::default();
        check(program, StudyConfig::default(), &mut random, &mut found);
        if let Some(first) = found.first {
            panic!("seed {seed}: {} of {}: {first}\n{text}", found.gone, found.items);
        }
        items += found.items;
    }
    assert!(items > 1000, "only {items} items");
}

#[test]
fn a_plain_slice_is_caught() {
    let mut found = Found::default();
    for seed in 0..200 {
        let mut random = Random::stream(31, seed, 0);
        let program = program(&mut random);
        let config = StudyConfig { relevant_slice: false, ..StudyConfig::default() };
        check(program, config, &mut random, &mut found);
    }
    assert!(found.gone * 50 > found.items, "only {} of {} were caught", found.gone, found.items);
}

/// The turn has a cell of its own, which the frame must keep.
#[test]
fn the_frame_is_as_the_programs_expect() {
    let program = Program::parse(crate::common::FRAME).unwrap_or_else(|err| panic!("{err}"));
    assert_eq!(program.arrays[TURN.0 as usize].base, 9);
    assert_eq!(program.arrays[CLOCK.0 as usize].base, 32);
}
