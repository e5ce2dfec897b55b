//! The labelled run produces what the plain interpreter produces: the same
//! moves with the same writes, the same results, in states of play and in states
//! with anything in their cells.

use ludex_core::{Player, Random};
use ludex_interp::{RulesGame, Write};
use ludex_ir::{OutcomeKind, PackedMove};
use ludex_study::check::{Checker, ReasonCheck};
use ludex_study::{Clause, Study};

use ludex_core::Position;

#[test]
fn labelled_runs_are_plain_runs() {
    let mut seen = 0;
    for game in crate::common::games() {
        let study = Study::new(game.program());
        let checker = Checker::new(game.clone());
        let mut random = Random::stream(11, 0, 0);
        let mut states = crate::common::met(&game, 5 * crate::common::scale(), 6, &mut random);
        states.extend(crate::common::scrambled(&game, 15 * crate::common::scale(), &mut random));
        for met in &states {
            for me in crate::common::players(&game) {
                same_moves(&checker, &study, met, me);
                same_results(&game, &study, met, me);
            }
            seen += 1;
        }
    }
    assert!(seen > 100, "too few states: do the games compile?");
}

#[track_caller]
fn same_moves(checker: &Checker, study: &Study, met: &Position, me: Player) {
    let game = checker.game();
    let reason_check = ReasonCheck { checker, position: met, me, others: &[] };
    let position = reason_check.for_mover(met);
    let plain = game.pseudo_moves(&position, me).and_then(|mut moves| {
        moves.sort_unstable();
        moves.dedup();
        let with_writes = |mv: PackedMove| Ok((mv, game.effect_writes(&position.state, mv)?));
        moves.into_iter().map(with_writes).collect::<Result<Vec<(PackedMove, Vec<Write>)>, _>>()
    });
    let studied = study
        .moves(met, me)
        .map(|moves| moves.into_iter().map(|it| (it.item.mv, it.item.writes)).collect::<Vec<_>>());
    assert_eq!(plain.is_err(), studied.is_err(), "{}: {plain:?}", game.name_of_game());
    if let (Ok(plain), Ok(studied)) = (plain, studied) {
        assert_eq!(plain, studied, "{}", game.name_of_game());
    }
}

#[track_caller]
fn same_results(game: &RulesGame, study: &Study, met: &Position, me: Player) {
    let result_only = game.clone().with_adjudication(false);
    let Ok(plain) = result_only.outcomes(met, me) else { return };
    let mut plain: Vec<(OutcomeKind, Option<i64>)> =
        plain.into_iter().map(|it| (it.kind, it.score)).collect();
    plain.sort_unstable();
    let studied = study.results(met, me).expect("the plain run had no fault");
    let studied: Vec<(OutcomeKind, Option<i64>)> = studied
        .iter()
        .filter(|it| it.item.clause == Clause::Result)
        .map(|it| (it.item.kind, it.item.score))
        .collect();
    assert_eq!(plain, studied, "{}", game.name_of_game());
}
