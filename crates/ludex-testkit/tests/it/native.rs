//! Native code against the interpreter, in every bundled game and some of its
//! variants: at least 10,000 states each, reached by random play.
//!
//! By hand:
//!
//! ```text
//! LUDEX_NATIVE_STATES=100000 LUDEX_SEED=7 cargo test --release -p ludex-testkit --test it native::
//! LUDEX_GAME=chess cargo test -p ludex-testkit --test it native::
//! ```

#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

use std::time::Instant;

use crate::common::{for_all, game, setting, sheets};
use crate::compare::{Plan, compare};
use ludex_core::{Game, GameExt};
use ludex_jit::CompiledGame;

/// Variants that differ in their size: odd and even sides, one word and several.
const VARIANTS: &[&str] = &[
    "amazons:6",
    "atarigo:6",
    "breakthrough:6,6",
    "breakthrough:9,12",
    "clobber:5,6",
    "connect4:5,4",
    "domineering:5",
    "go:5",
    "go:9",
    "gomoku:20",
    "hex:5",
    "hex:19",
    "hex:4,swap=yes",
    "loa:6",
    "othello:6",
    "othello:10",
];

fn plan() -> Plan {
    Plan {
        states: setting("LUDEX_NATIVE_STATES", 10_000) as usize,
        plies: 1200,
        children: 1,
        more_children: (50, 40),
        ask_turn: false,
        playouts: 10,
        followed: 100,
        wild: false,
    }
}

fn names() -> Vec<String> {
    match std::env::var("LUDEX_GAME") {
        Ok(name) => vec![name],
        Err(_) => sheets()
            .into_iter()
            .map(|(name, _)| name)
            .chain(VARIANTS.iter().map(|&it| it.to_owned()))
            .collect(),
    }
}

/// The slow ones first, so that no core waits for one of them at the end.
fn cost(name: &str) -> u64 {
    let slow = ["shogi", "phutball", "go", "morpion", "xiangqi", "chess", "amazons", "samegame"];
    u64::from(slow.iter().any(|it| name.starts_with(it)))
}

#[test]
fn native_code_answers_as_the_interpreter_does() {
    let (seed, plan) = (setting("LUDEX_SEED", 1), plan());
    let wrong = for_all(
        &names(),
        |name| cost(name),
        |name| {
            let (reference, started) = (game(name), Instant::now());
            let native =
                CompiledGame::native(reference.clone()).map_err(|it| format!("{name}: {it}"))?;
            let tally =
                compare(&reference, &native, seed, &plan).map_err(|it| format!("{name}: {it}"))?;
            eprintln!("{name}: {:.1} s, seed {seed}, {tally:?}", started.elapsed().as_secs_f64());
            if tally.states < plan.states {
                Err(format!("{name}: only {} states", tally.states))
            } else if tally.traced == 0 {
                Err(format!("{name}: random games do not tell their moves"))
            } else {
                Ok(())
            }
        },
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Steps are counted the same way every time, and more of them where every move has to be tried.
#[test]
fn steps_of_listing_tell_what_it_costs() {
    let steps = |name: &str| {
        let game = CompiledGame::native(game(name)).expect("it compiles");
        let position = game.start();
        let [once, again] = [(); 2].map(|()| game.listing_steps(&position));
        assert_eq!(once, again, "{name}");
        once.expect("native code counts its steps")
    };
    assert!(steps("connect4") < 1_000);
    assert!(steps("go:9") > 5 * steps("connect4"));
    assert!(steps("go:19") > 5 * steps("go:9"));
}
