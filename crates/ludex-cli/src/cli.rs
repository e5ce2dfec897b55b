//! The subcommands.

use clap::{Parser, Subcommand};

use crate::commands::{
    analyse, bench, check, engine, explain, export, fmt, games, ir, matches, moves, perft, play,
    players, rate, replay, show, solve, suite, tournament,
};
use crate::failure::Done;
use crate::output::Out;

/// Plays, checks and explains games given by their rules.
#[derive(Debug, Parser)]
#[command(name = "ludex", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Answer in JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ludex games                       what can be played
  ludex play connect4               a game against the computer
  ludex analyse chess --time 10s    the best moves, and why
  ludex moves chess --moves 'e2e4'  the legal moves after 1. e4
  ludex check my.game               is this rules file right?
  ludex match hex:7 auto uct        who is stronger?
  ludex tournament club.txt         a tournament, which can resume

Exit codes: 0 done or yes; 1 no; 2 wrong usage or bad input; 3 undecided; 130 interrupted.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the bundled games
    Games(games::GamesArgs),
    /// Check rules files and player files, and play random games with them
    Check(check::CheckArgs),
    /// Format rules files and player files
    Fmt(fmt::FmtArgs),
    /// Show a position
    Show(show::ShowArgs),
    /// List the legal moves of a position
    Moves(moves::MovesArgs),
    /// Count the sequences of moves of a given length
    Perft(perft::PerftArgs),
    /// Measure how fast random games are played
    Bench(bench::BenchArgs),
    /// Check the record of a game, move by move
    Replay(replay::ReplayArgs),
    /// Export records of games: PGN, SGF
    Export(export::ExportArgs),
    /// Explain why a move is possible, how a game ended, or what is threatened
    Explain(explain::ExplainArgs),
    /// Play a game, against the computer or others
    Play(play::PlayArgs),
    /// Search a position, and show the best lines
    Analyse(analyse::AnalyseArgs),
    /// Play games between players
    Match(matches::MatchArgs),
    /// Play a tournament, or resume one
    Tournament(tournament::TournamentArgs),
    /// Rate players by the records of their games
    Rate(rate::RateArgs),
    /// Run public test sets
    Suite(suite::SuiteArgs),
    /// Run a player as an engine for other programs: UGI, UCI, USI, CECP, GTP, Gomocup
    Engine(engine::EngineCommandArgs),
    /// List the players
    Players(players::PlayersArgs),
    /// Prove what a position is worth, or check a proof
    Solve(solve::SolveArgs),
    /// Print the intermediate representation of a rules file
    Ir(ir::IrArgs),
}

impl Command {
    /// Does it.
    pub(crate) fn run(&self, out: &mut Out) -> Done {
        match self {
            Self::Games(args) => games::run(args, out),
            Self::Check(args) => check::run(args, out),
            Self::Fmt(args) => fmt::run(args, out),
            Self::Show(args) => show::run(args, out),
            Self::Moves(args) => moves::run(args, out),
            Self::Perft(args) => perft::run(args, out),
            Self::Bench(args) => bench::run(args, out),
            Self::Replay(args) => replay::run(args, out),
            Self::Export(args) => export::run(args, out),
            Self::Explain(args) => explain::run(args, out),
            Self::Play(args) => play::run(args, out),
            Self::Analyse(args) => analyse::run(args, out),
            Self::Match(args) => matches::run(args, out),
            Self::Tournament(args) => tournament::run(args, out),
            Self::Rate(args) => rate::run(args, out),
            Self::Suite(args) => suite::run(args, out),
            Self::Engine(args) => engine::run(args, out),
            Self::Players(args) => players::run(args, out),
            Self::Solve(args) => solve::run(args, out),
            Self::Ir(args) => ir::run(args, out),
        }
    }
}
