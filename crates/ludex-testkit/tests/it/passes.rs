//! Optimised programs play the same game: the interpreter on what the passes
//! make of every bundled game, against the interpreter on the game as it is.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use crate::common::{for_all, game, setting, sheets};
use ludex_core::{Fault, Game, GameExt, Player, Position, Random, Turn};
use ludex_interp::RulesGame;
use ludex_ir::passes::{Optimised, optimise, optimise_numbers};
use ludex_ir::{Inst, OutcomeKind, PackedMove, Program, verify};

/// Variants that reach code which the games as they are do not.
const VARIANTS: &[&str] = &["hex:5,swap=yes", "go:9", "loa:6", "morpion:touch=touching"];

/// How long a game is played at most; two tests share the machine.
const PATIENCE: Duration = Duration::from_millis(600);

/// What makes a program fast.
type Passes = fn(&Program) -> Optimised;

/// A game and what the passes make of it.
struct Pair {
    plain: RulesGame,
    fast: RulesGame,
}

impl Pair {
    fn of(name: &str, passes: Passes) -> Self {
        let plain = game(name);
        let optimised = passes(plain.program());
        let program = verify(optimised.program).unwrap_or_else(|it| panic!("{name}: {it:?}"));
        let fast = RulesGame::new(program);
        Self { plain, fast }
    }

    /// Asks both everything about a position and plays one random move; `None` if it is over.
    fn step(&self, place: &mut Position, random: &mut Random) -> Result<Option<()>, String> {
        let at = &*place;
        let turn = same("turn", |it| it.turn(at), self)?;
        for player in (0..self.plain.players() as u8).map(Player) {
            same("outcomes", |it| outcomes(it, at, player), self)?;
            same("payoff", |it| it.payoff(at, player), self)?;
            same("moves before the filter", |it| listed(it, at, player), self)?;
        }
        self.advice(at)?;
        let Turn::Of(player) = turn else { return Ok(None) };
        let moves = same("moves", |it| legal(it, at, player), self)?;
        for &mv in moves.iter().take(40) {
            same("the state after a move", |it| after(it, at, mv), self)?;
        }
        let Some(&mv) = random.pick(&moves) else { return Ok(None) };
        self.plain.apply(place, &[mv]).map_err(|it| it.to_string())?;
        Ok(Some(()))
    }

    /// Evaluation, features and candidates.
    fn advice(&self, place: &Position) -> Result<(), String> {
        same("features", |it| it.features(place), self)?;
        for side in (0..self.plain.players() as u8).map(Player) {
            same("evaluation", |it| it.evaluate(place, side, 1), self)?;
            same("candidates", |it| it.candidates(place, side, 1), self)?;
        }
        Ok(())
    }
}

/// What `result` says for a player; where it stands in the source is not asked.
fn outcomes(
    game: &RulesGame,
    place: &Position,
    player: Player,
) -> Result<Vec<(OutcomeKind, Option<i64>)>, Fault> {
    let outcomes = game.outcomes(place, player)?;
    let mut said: Vec<_> = outcomes.into_iter().map(|it| (it.kind, it.score)).collect();
    said.sort_unstable();
    Ok(said)
}

fn listed(game: &RulesGame, place: &Position, player: Player) -> Result<Vec<PackedMove>, Fault> {
    let mut moves = game.pseudo_moves(place, player)?;
    moves.sort_unstable();
    moves.dedup();
    Ok(moves)
}

fn legal(game: &RulesGame, place: &Position, player: Player) -> Result<Vec<PackedMove>, Fault> {
    let mut moves = Vec::new();
    game.moves(place, player, &mut moves)?;
    moves.sort_unstable();
    Ok(moves)
}

/// The state and trail after a move, hash and key among them.
fn after(game: &RulesGame, place: &Position, mv: PackedMove) -> Result<Position, Fault> {
    let mut position = place.clone();
    game.apply(&mut position, &[mv])?;
    Ok(position)
}

/// What both games answer, if it is the same. Bundled games have no faults.
fn same<T: PartialEq + Debug>(
    what: &str,
    ask: impl Fn(&RulesGame) -> Result<T, Fault>,
    pair: &Pair,
) -> Result<T, String> {
    let (plain, fast) = (ask(&pair.plain), ask(&pair.fast));
    match (plain, fast) {
        (Ok(plain), Ok(fast)) if plain == fast => Ok(plain),
        (plain, fast) => Err(format!("{what}:\n  as it is:  {plain:?}\n  optimised: {fast:?}")),
    }
}

/// Plays random games until this number of states has been looked at, or the time is up.
fn compare(name: &str, passes: Passes, seed: u64, states: u64) -> Result<(), String> {
    let pair = Pair::of(name, passes);
    let started = Instant::now();
    let mut seen = 0;
    for number in 0.. {
        let mut random = Random::stream(seed, number, 0);
        let mut place = pair.plain.start();
        let mut going = true;
        while going {
            seen += 1;
            let step = pair.step(&mut place, &mut random);
            going = step
                .map_err(|it| {
                    let position = pair.plain.write(&place.state);
                    format!("{name}, seed {seed}, game {number}, {position}\n{it}")
                })?
                .is_some();
            if seen >= states || started.elapsed() > PATIENCE {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Compares every game with what the passes make of it.
fn check(passes: Passes) {
    let seed = setting("LUDEX_SEED", 3);
    let states = setting("LUDEX_PASS_STATES", 300);
    let mut names: Vec<String> = sheets().into_iter().map(|(name, _)| name).collect();
    names.extend(VARIANTS.iter().map(|&it| it.to_owned()));
    let wrong = for_all(&names, |_| 1, |name| compare(name, passes, seed, states));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn passes_on_numbers_keep_the_game() {
    check(optimise_numbers);
}

#[test]
fn all_passes_keep_the_game() {
    check(optimise);
}

#[test]
fn a_wrong_pass_is_found() {
    let lazy = |program: &Program| {
        let mut optimised = optimise_numbers(program);
        let moves = optimised.players[0].roles.moves;
        let function = &mut optimised.program.functions[moves.0 as usize];
        let insts = function.blocks.iter_mut().flat_map(|it| &mut it.insts);
        insts.for_each(|(inst, _)| match inst {
            Inst::Const { value, .. } if *value == 2 => *value = 3,
            _ => {}
        });
        optimised
    };
    let found = compare("breakthrough", lazy, 1, 10);
    assert!(found.is_err_and(|it| it.contains("moves")));
}
