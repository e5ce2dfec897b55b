//! The laws of [`ludex_core::Game`] on every bundled game, over random play.

#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

use crate::common::{for_all, game, setting, sheets};
use ludex_core::laws::{LawsConfig, check};

/// Variants that are put to the laws besides every game as it is.
const VARIANTS: &[&str] = &[
    "go:9",
    "hex:5,swap=yes",
    "loa:6",
    "breakthrough:5,5",
    "atarigo:6,start=crosscut",
    "phutball:19,15",
    "chess:castling=no",
    "morpion:touch=touching",
];

/// The costly laws play every move and read every name back; where there are
/// hundreds of moves they are put to every n-th position.
fn every(name: &str) -> u64 {
    match name.split(':').next().unwrap_or(name) {
        "shogi" | "amazons" => 1000,
        "go" | "phutball" | "gomoku" => 500,
        "xiangqi" | "chess" | "chess-cylinder" | "morpion" | "minishogi" | "samegame" => 100,
        _ => 10,
    }
}

#[test]
fn laws_hold_on_every_game() {
    let positions = setting("LUDEX_LAW_POSITIONS", 20_000);
    let mut names: Vec<String> = sheets().into_iter().map(|(name, _)| name).collect();
    names.extend(VARIANTS.iter().map(|&it| it.to_owned()));
    let broken = for_all(
        &names,
        |it| every(it),
        |name| {
            let started = std::time::Instant::now();
            let config = LawsConfig {
                // A variant shares most of its rules with the game itself.
                positions: if name.contains(':') { positions / 10 } else { positions },
                every: every(name),
                max_plies: 5_000,
                ..LawsConfig::default()
            };
            let report = check(&game(name), &config).map_err(|it| format!("{name}: {it}"))?;
            let seconds = started.elapsed().as_secs_f64();
            eprintln!(
                "{name}: {} games, {} ended, widest {}, {seconds:.1} s",
                report.games, report.finished, report.widest
            );
            if report.finished == 0 {
                return Err(format!("{name}: no game came to an end"));
            }
            Ok(())
        },
    );
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
