//! Evaluations that are learned by self-play from rules files.

use ludex_core::{Game, GameExt};
use ludex_jit::CompiledGame;
use ludex_search::alphabeta::Calibration;
use ludex_search::evaluation::{
    AuthorEvaluation, Evaluate, Learned, Mobility, PieceMobility, TrainingConfig,
};

fn native(name: &str) -> CompiledGame {
    CompiledGame::native(crate::common::game(name)).expect("it has native code")
}

/// Where men in a row win, rows win the contest of what was learned.
#[test]
fn rows_are_kept_where_they_win_games() {
    let game = native("gomoku:9");
    let config = TrainingConfig { work: 300_000, ..TrainingConfig::default() };
    let learned = Learned::from_self_play(&game, &config).unwrap();
    assert!(learned.patterns.is_some());
    assert!(learned.fits(&game));
}

/// The rows of a board of eight by eight: 8 ranks, 8 files and 13 diagonals of two squares or more
/// each way, or some of these where the rules never go along the others.
#[test]
fn boards_have_straight_rows() {
    let game = native("othello");
    let rows = &game.board().lines;
    assert_eq!(rows.len(), 8 + 8 + 13 + 13);
    assert!(rows.iter().all(|(_, row)| row.windows(2).all(|it| it[0] != it[1])));
    let squares: usize = rows.iter().map(|it| it.1.len()).sum();
    assert_eq!(squares, 64 + 64 + 62 + 62);
}

/// Men are ranked by their moves as everybody ranks them.
#[test]
fn freedom_ranks_the_men_of_chess() {
    let game = native("chess");
    let freedom = PieceMobility::of(&game, 1).unwrap().expect("men differ and are taken");
    let man = |letter: char| {
        let kind = "PNBRQK".find(letter).expect("it is one of them") as u8;
        Evaluate::<CompiledGame>::man(&freedom, kind).expect("all have values")
    };
    let ranked = [man('P'), man('N').min(man('B')), man('N').max(man('B')), man('R'), man('Q')];
    assert!(ranked.is_sorted() && ranked[0] * 2 < ranked[1], "{ranked:?}");
    assert!(ranked[3] < ranked[4], "{ranked:?}");
}

/// Stones that never move have no freedom.
#[test]
fn freedom_is_for_games_in_which_men_are_taken() {
    for name in ["gomoku:9", "hex:5", "breakthrough"] {
        assert_eq!(PieceMobility::of(&native(name), 1).unwrap(), None, "{name}");
    }
}

/// An author's opinion tells nothing of men by themselves; what they are worth is seen when they are
/// taken.
#[test]
fn what_men_are_worth_is_seen_when_they_are_taken() {
    let game = native("chess");
    let profile = Calibration::of(&game, &AuthorEvaluation, 1, &mut || false)
        .unwrap()
        .expect("it is not stopped");
    let man = |letter: char| {
        let kind = "PNBRQK".find(letter).expect("it is one of them");
        profile.men[kind].expect("it was taken")
    };
    assert!((700..1500).contains(&man('P')), "{profile:?}");
    assert!((2500..4000).contains(&man('N')), "{profile:?}");
    assert!((7500..11_000).contains(&man('Q')), "{profile:?}");
}

/// Where a quiet move wins once in a blue moon, hopeless positions may be given up near the horizon.
#[test]
fn games_are_sudden_where_quiet_moves_win() {
    for (name, sudden) in [("chess", false), ("loa", true), ("breakthrough", true), ("hex:5", true)]
    {
        let game = native(name);
        for seed in 1..4 {
            let profile =
                Calibration::of(&game, &Mobility::default(), seed, &mut || false).unwrap();
            assert_eq!(profile.map(|it| it.sudden), Some(sudden), "{name}, seed {seed}");
        }
    }
}

/// A check is what the rules forbid to leave unanswered. In chess null moves are allowed where the
/// player to move is not in check.
#[test]
fn checks_are_seen_where_there_are_kings() {
    for (name, checks) in [("chess", true), ("shogi", true), ("go:5", false), ("othello", false)] {
        let game = native(name);
        let profile = Calibration::of(&game, &Mobility::default(), 1, &mut || false).unwrap();
        assert_eq!(profile.map(|it| it.checks), Some(checks), "{name}");
    }
    let chess = native("chess");
    let profile = Calibration::of(&chess, &AuthorEvaluation, 1, &mut || false).unwrap();
    assert!(profile.is_some_and(|it| it.may_pass));
    for (position, checked) in [
        ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", true),
        ("4k3/4p3/8/8/8/8/8/4RK2 b - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", false),
    ] {
        let checks = chess.in_check(&chess.position(chess.read(position).unwrap()));
        assert_eq!(checks, Ok(checked), "{position}");
    }
}
