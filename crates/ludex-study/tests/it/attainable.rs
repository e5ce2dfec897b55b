//! What is called attainable covers whatever moves write, and is no more than
//! that where the rules are simple.

use ludex_core::{Player, Random};
use ludex_interp::{RulesGame, RunLimits, Write};
use ludex_ir::verify;
use ludex_study::{Attainable, Listed, Study, StudyConfig};

use crate::common::bench::Bench;
use ludex_core::Position;

/// Every write of every move in random play is one that the summary allows.
#[test]
fn moves_write_what_is_attainable() {
    for game in crate::common::games() {
        let study = Study::new(game.program());
        let attainable: Vec<Attainable> =
            crate::common::players(&game).map(|it| study.attainable(it)).collect();
        let mut random = Random::stream(36, 0, 0);
        let mut states = crate::common::met(&game, 3 * crate::common::scale(), 6, &mut random);
        states.extend(crate::common::scrambled(&game, 3 * crate::common::scale(), &mut random));
        for met in &states {
            for me in crate::common::players(&game) {
                for listed in study.moves(met, me).unwrap_or_default() {
                    writes_allowed(&game, &attainable[me.index()], met, &listed.item);
                }
            }
        }
    }
}

/// The same for unlikely programs.
#[test]
fn random_programs_write_what_is_attainable() {
    for seed in 0..300 * u64::from(crate::common::scale()) {
        let mut random = Random::stream(37, seed, 0);
        let program = crate::common::programs::program(&mut random);
        let game = RulesGame::new(verify(program).expect("it is sound"));
        let limits = RunLimits { steps: 20_000, ..RunLimits::default() };
        let study = Study::with(game.program(), StudyConfig { limits, ..StudyConfig::default() });
        for met in crate::common::scrambled(&game, 3, &mut random) {
            let me = Player(random.below(2) as u8);
            let attainable = study.attainable(me);
            for listed in study.moves(&met, me).unwrap_or_default() {
                writes_allowed(&game, &attainable, &met, &listed.item);
            }
        }
    }
}

#[track_caller]
fn writes_allowed(game: &RulesGame, attainable: &Attainable, met: &Position, listed: &Listed) {
    let before = game.layout().values(&met.state);
    for write in &listed.writes {
        let &Write::Set(cell, after) = write else { continue };
        let program = game.program();
        let allowed = attainable.can_write(program, cell, before[cell], after);
        let name = program.cell_name(cell);
        assert!(allowed, "{}: {name} {} -> {after}", game.name_of_game(), before[cell]);
    }
}

/// What the first player can make of an empty square, of an own man and of an enemy.
#[track_caller]
fn becomes(name: &str, expected: [&[i64]; 3]) {
    let bench = Bench::named(name, "");
    let attainable = bench.study.attainable(Player(0));
    let values = [0, 1, 2].map(|before| attainable.values(bench.program(), 0, before));
    assert_eq!(values.each_ref().map(Vec::as_slice), expected, "{name}");
}

#[test]
fn what_is_attainable_is_known_where_it_is_simple() {
    becomes("gomoku", [&[1], &[], &[]]);
    becomes("connect4", [&[1], &[], &[]]);
    becomes("breakthrough", [&[1], &[0], &[1]]);
    becomes("loa", [&[1], &[0], &[1]]);
    becomes("othello", [&[1], &[], &[1]]);
    becomes("go", [&[1], &[], &[0]]);
}
