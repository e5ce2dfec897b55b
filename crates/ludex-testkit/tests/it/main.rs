//! The tests of this crate as one program, which is built once.

#![allow(clippy::disallowed_methods, reason = "tests read files, clocks and the environment")]

mod agreement;
mod architecture;
mod book;
mod broken;
mod common;
mod compare;
mod connections;
mod corpus;
mod fixtures;
mod flawed;
mod fuzz;
mod goals;
mod info;
mod instructions;
mod laws_of_games;
mod learned;
mod literate;
mod montecarlo;
mod mutations;
mod native;
mod native_fuzz;
mod nested;
mod passes;
mod passes_last_move;
mod passes_sets;
mod passes_walks;
mod phutball;
mod proof;
mod random_rules;
mod records;
mod reference;
mod threats;
mod tutorial;
