//! Prints the reasons of all moves of the position after some random moves.
#![allow(clippy::print_stdout, reason = "it is for reading")]
#[path = "../tests/common/mod.rs"]
mod common;
use ludex_core::{Game, Random};
use ludex_study::{Study, text};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game = common::game(&args[1], &args[2]).unwrap();
    let study = Study::new(game.program());
    let mut random = Random::stream(args[3].parse().unwrap(), 0, 0);
    let met = common::met(&game, 1, 3, &mut random);
    for it in &met {
        println!("{}", game.position(&it.state));
        let me = game.mover(&it.state);
        for e in study.moves(&it.state, &it.trail, me).unwrap() {
            let r: Vec<String> = e.reasons.iter().map(|r| text::reason_text(game.program(), r, me)).collect();
            println!("  {} : {} {}", game.name(&it.state, e.item.mv), r.join("; "), if e.history {"history"} else {""});
        }
        for me in common::players(&game) {
        for e in study.results(&it.state, &it.trail, me).unwrap() {
            let r: Vec<String> = e.reasons.iter().map(|r| text::reason_text(game.program(), r, me)).collect();
            println!("  {:?} : {} {}", e.item, r.join("; "), if e.history {"history"} else {""});
        }}
    }
}
