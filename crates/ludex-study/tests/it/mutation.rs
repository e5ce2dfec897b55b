//! Reasons are complete: whatever is changed that they do not mention, the item
//! stays. And the test has teeth: without the relevant-slice step it fails.
//!
//! `LUDEX_STUDY_SCALE=100` makes it as thorough as one likes.

use std::thread;

use ludex_core::{Random, State};
use ludex_interp::RulesGame;
use ludex_study::check::{Changes, Checker, ReasonCheck, Tally, Violation};
use ludex_study::{Study, StudyConfig};

const CHANGES: Changes = Changes::Drawn(20);

/// What became of the items of a game.
#[derive(Default)]
struct Found {
    tally: Tally,
    violations: Vec<Violation>,
}

impl Found {
    fn add(&mut self, checked: Result<Tally, Violation>) {
        match checked {
            Ok(tally) => self.tally.add(tally),
            Err(violation) => self.violations.push(violation),
        }
    }
}

/// Checks some moves and all results in states of play and in scrambled ones.
fn check(game: &RulesGame, config: StudyConfig, seed: u64) -> Found {
    let study = Study::with(game.program(), config);
    let checker = Checker::new(game.clone());
    let mut random = Random::stream(seed, 0, 0);
    let mut states = crate::common::met(game, 6 * crate::common::scale(), 4, &mut random);
    states.extend(crate::common::scrambled(game, 10 * crate::common::scale(), &mut random));
    let others: Vec<State> = states.iter().map(|it| it.state.clone()).collect();
    // Large boards take long to change.
    let large = game.program().cells() > 1000;
    let moves_each = if large { 1 } else { 10 };
    let mut found = Found::default();
    for (index, met) in states.iter().enumerate() {
        for me in crate::common::players(game) {
            let position = met;
            let reason_check = ReasonCheck { checker: &checker, position, me, others: &others };
            // In a scrambled state the rules may meet a fault; then there is nothing to check.
            let moves = study.moves(position, me).unwrap_or_default();
            for _ in 0..moves_each.min(moves.len()) {
                let explained = random.pick(&moves).expect("there is a move");
                found.add(reason_check.check_move(explained, CHANGES, &mut random));
            }
            if let Some(explained) = random.pick(&moves).filter(|_| !large && index < 4) {
                found.add(reason_check.check_move(explained, Changes::EverySingle, &mut random));
            }
            for explained in study.results(position, me).unwrap_or_default() {
                found.add(reason_check.check_result(&explained, CHANGES, &mut random));
            }
            if let Ok(Some(explained)) = study.silence(position) {
                found.add(reason_check.check_silence(&explained, CHANGES, &mut random));
            }
        }
    }
    found
}

#[test]
fn items_stay_whatever_else_changes() {
    let games = crate::common::games();
    assert!(games.len() > 5, "too few games: do they compile?");
    thread::scope(|scope| {
        let halves = [0, 1].map(|half| {
            let games = &games;
            scope.spawn(move || games.iter().skip(half).step_by(2).for_each(sound))
        });
        for half in halves {
            half.join().expect("all reasons are complete");
        }
    });
}

fn sound(game: &RulesGame) {
    let Found { tally, violations } = check(game, StudyConfig::default(), 21);
    let name = game.name_of_game();
    if let Some(first) = violations.first() {
        panic!("{name}: {} of {} items: {first}", violations.len(), tally.items);
    }
    assert!(tally.items > 0, "{name}: nothing to check");
    let rare = tally.changes / 10;
    assert!(tally.faults <= rare, "{name}: {} faults in {} changes", tally.faults, tally.changes);
}

/// Without the relevant-slice step at least this share of the items must be caught.
#[track_caller]
fn caught(name: &str, options: &str, share: f64) {
    let Some(game) = crate::common::game(name, options) else { return };
    let plain_slice = StudyConfig { relevant_slice: false, ..StudyConfig::default() };
    let Found { tally, violations } = check(&game, plain_slice, 22);
    let gone = violations.len() as f64 / (violations.len() as u64 + tally.items) as f64;
    assert!(gone >= share, "{name}: only {gone:.2} of the items were caught");
}

#[test]
fn a_plain_slice_is_caught_in_lines_of_action() {
    caught("loa", "6", 0.1);
}

#[test]
fn a_plain_slice_is_caught_in_checkers() {
    caught("checkers", "", 0.6);
}
