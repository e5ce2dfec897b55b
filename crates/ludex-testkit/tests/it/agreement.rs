//! Alpha-beta gives the answer of plain minimax, on random positions of many games.
//!
//! Every option that only saves time is held against minimax, which has nothing to get wrong. What
//! the other options call proved is held against full solutions.
//!
//! `LUDEX_AGREEMENT=5000` takes that number of positions of each game.

#[path = "../../../ludex-search/tests/common/agreement.rs"]
mod contenders;
use crate::common::{for_all, game, setting};
use contenders::{Contenders, random_position};
use ludex_jit::CompiledGame;
use ludex_testkit::solve::solve;

/// Games, with how deep all of minimax is looked at and how far into a game positions lie.
const GAMES: [(&str, u32, u32); 12] = [
    ("breakthrough:5,4", 3, 40),
    ("connect4", 3, 30),
    ("othello", 2, 50),
    ("loa", 1, 40),
    ("checkers", 3, 60),
    ("chess", 1, 40),
    ("morris3", 4, 12),
    ("hex:4", 3, 8),
    ("clobber", 2, 20),
    ("nim-matches", 6, 8),
    ("go:5", 2, 30),
    ("zugzwang", 3, 20),
];

/// One position in eight is looked at a ply deeper.
const DEEPER: u64 = 8;

#[test]
fn exact_options_agree_with_minimax_in_bundled_games() {
    let count = setting("LUDEX_AGREEMENT", 500);
    let wrong = for_all(
        &GAMES,
        |_| 1,
        |&(name, depth, most)| {
            let native = CompiledGame::native(game(name)).expect("it compiles");
            let mut contenders = Contenders::exact();
            for seed in 0..count {
                let position = random_position(&native, seed, most);
                let usual = 1 + (seed % u64::from(depth)) as u32;
                let depth = if seed % DEEPER == 0 { depth + 1 } else { usual };
                contenders.agree(&native, name, &position, depth);
            }
            Ok(())
        },
    );
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn what_is_proved_is_true() {
    let count = setting("LUDEX_AGREEMENT", 500) / 4;
    for (name, most) in
        [("breakthrough:4,4", 12), ("nim-matches", 10), ("domineering:4", 5), ("connect4:4,4", 10)]
    {
        let native = CompiledGame::native(game(name)).expect("it compiles");
        let solution = solve(&native, 2_000_000).unwrap();
        let mut contenders = [1, 2].map(Contenders::selective);
        let mut proofs = 0;
        for seed in 0..count {
            let position = random_position(&native, seed, most);
            let contenders = &mut contenders[(seed % 2) as usize];
            proofs += contenders.prove_truth(&native, name, &solution, &position);
        }
        assert!(u64::from(proofs) > count / 4, "{name}: only {proofs} proofs");
    }
}
