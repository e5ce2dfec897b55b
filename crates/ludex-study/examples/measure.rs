//! Sizes of reasons, time to find them and what the mutation test says, game by game.
//!
//! ```text
//! measure [on|off] [GAME [OPTIONS]]   off: without the relevant slice
//! measure time FILE.epd               how long reasons take in the chess positions of a file
//! ```
#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![allow(clippy::print_stdout, reason = "it is for reading")]

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use ludex_core::{Game, Random};
use ludex_interp::RulesGame;
use ludex_study::check::{Changes, Checker, ReasonCheck, Tally};
use ludex_study::{Study, StudyConfig};

fn main() {
    let mut args = std::env::args().skip(1).peekable();
    if args.next_if_eq("time").is_some() {
        return time(&args.next().expect("a file"));
    }
    let relevant_slice = args.next().as_deref() != Some("off");
    let only: Option<String> = args.next();
    let options = args.next().unwrap_or_default();
    let games = match &only {
        Some(name) => common::game(name, &options).into_iter().collect(),
        None => common::games(),
    };
    for game in games {
        measure(&game, relevant_slice);
    }
}

/// Medians over the positions of a file: of the time for all moves, and of that for one of them.
fn time(file: &str) {
    let game = common::game("chess", "").expect("chess compiles");
    let study = Study::new(game.program());
    let text = std::fs::read_to_string(file).expect("there is such a file");
    let (mut all, mut ones) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let fen: Vec<&str> = line.split_whitespace().take(4).collect();
        let Ok(state) = game.read(&format!("{} 0 1", fen.join(" "))) else { continue };
        let me = game.mover(&state);
        let position = game.position(state);
        let start = Instant::now();
        let moves = study.moves(&position, me).expect("the rules run");
        all.push(start.elapsed());
        for it in &moves {
            let start = Instant::now();
            let one = study.one_move(&position, me, it.item.mv).expect("the rules run");
            ones.push(start.elapsed());
            assert_eq!(one.as_ref(), Some(it));
        }
    }
    all.sort_unstable();
    ones.sort_unstable();
    println!(
        "{} positions: all moves {:.3} ms, one of {} moves {:.3} ms (medians)",
        all.len(),
        all[all.len() / 2].as_secs_f64() * 1e3,
        ones.len(),
        ones[ones.len() / 2].as_secs_f64() * 1e3,
    );
}

fn measure(game: &RulesGame, relevant_slice: bool) {
    let study =
        Study::with(game.program(), StudyConfig { relevant_slice, ..StudyConfig::default() });
    let checker = Checker::new(game.clone());
    let mut random = Random::stream(1, 0, 0);
    let met = common::met(game, 3 * common::scale(), 6, &mut random);
    let others: Vec<_> = met.iter().map(|it| it.state.clone()).collect();
    let (mut moves, mut results) = (Tally::default(), Tally::default());
    let (mut spent, mut slowest, mut gone) = (Duration::ZERO, Duration::ZERO, 0);
    let mut first = None;
    let began = Instant::now();
    for it in &met {
        for me in common::players(game) {
            let reason_check = ReasonCheck { checker: &checker, position: it, me, others: &others };
            let start = Instant::now();
            let listed = study.moves(it, me);
            spent += start.elapsed();
            slowest = slowest.max(start.elapsed());
            let listed = listed.unwrap_or_else(|fault| panic!("{fault}"));
            for _ in 0..listed.len().min(10) {
                let Some(explained) = random.pick(&listed) else { break };
                match reason_check.check_move(explained, Changes::Drawn(20), &mut random) {
                    Ok(tally) => moves.add(tally),
                    Err(violation) => {
                        gone += 1;
                        first.get_or_insert(violation.to_string());
                    }
                }
            }
            for explained in study.results(it, me).expect("results run") {
                match reason_check.check_result(&explained, Changes::Drawn(20), &mut random) {
                    Ok(tally) => results.add(tally),
                    Err(violation) => {
                        gone += 1;
                        first.get_or_insert(violation.to_string());
                    }
                }
            }
        }
    }
    let runs = met.len() * game.program().players.len();
    println!(
        "{:15} moves {:5} mean {:6.1}  results {:4} mean {:6.1}  gone {:4}  faults {:4}  per run {:8.2?} slowest {:8.2?} total {:.1?}",
        game.name_of_game(),
        moves.items,
        moves.mean_reasons(),
        results.items,
        results.mean_reasons(),
        gone,
        moves.faults + results.faults,
        spent / runs as u32,
        slowest,
        began.elapsed()
    );
    if let Some(first) = first {
        println!("{first}");
    }
}
