//! Goals beside the rules: the same game, won by something else; and captures proved by threats near
//! by.

use std::fs;

use crate::common::root;
use ludex_core::{Game, GameExt, Limits, Player, Position, Random, Turn};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_rules::{Compiled, compile_goal};
use ludex_study::threats::widening::{Proof, Reach, Widened};
use ludex_study::threats::{Attack, Config, prove_verified};

fn compiled(game: &str, goal: &str) -> Compiled {
    let (name, options) = game.split_once(':').unwrap_or((game, ""));
    let path = root().join("games").join(format!("{name}.game"));
    let rules = fs::read_to_string(path).expect("there is such a game");
    compile_goal(&rules, options, &format!("goal \"Test\" for {name}\n\n{goal}"))
}

fn with_goal(game: &str, goal: &str) -> RulesGame {
    let compiled = compiled(game, goal);
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    RulesGame::new(program)
}

fn after(game: &RulesGame, moves: &str) -> Position {
    let mut position = game.start();
    for name in moves.split_whitespace() {
        let Turn::Of(mover) = game.turn(&position).expect("the rules run") else {
            panic!("the game is over before {name}")
        };
        let mv = game.named(&position, mover, name).expect("the rules run");
        position = game.after(&position, mv.expect("it is legal")).expect("the rules run");
    }
    position
}

/// What the first player gets after some moves; nothing if the game goes on.
fn worth(game: &RulesGame, moves: &str) -> Option<f64> {
    let position = after(game, moves);
    let is_over = game.turn(&position).expect("the rules run") == Turn::Over;
    is_over.then(|| game.payoff(&position, Player(0)).expect("the rules run").utility)
}

#[test]
fn the_goal_decides_and_other_ends_are_draws() {
    let corner = with_goal("tictactoe", "result\n  if c3 in mine: victory\n");
    assert_eq!(worth(&corner, "a1 b1 a2"), None);
    assert_eq!(worth(&corner, "a1 c3"), Some(-1.0));
    assert_eq!(worth(&corner, "a1 b1 c3"), Some(1.0));
    // Three in a row end the game, and are worth nothing by themselves.
    assert_eq!(worth(&corner, "a1 b1 a2 b2 a3"), Some(0.0));
}

#[test]
fn having_no_move_is_a_draw() {
    let never = "result\n  if count(occupied) == 99: draw\n";
    // These rules say that it is a loss.
    assert_eq!(worth(&with_goal("domineering:2", never), "a1a2"), Some(0.0));
    // In these nothing is said, which means the same.
    let silent = "game \"Silent\"\nboard square 2 by 1\nplayers X, O\nmen mark \"X\" \"O\"\n\
                  moves\n  for a in empty: move put my mark on a\n";
    for stuck in ["", "stuck\n  if no empty & mine: return\n  draw\n"] {
        let goal = format!("goal \"Test\" for silent\n\n{never}");
        let compiled = compile_goal(&format!("{silent}{stuck}"), "", &goal);
        let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
        let game = RulesGame::new(program);
        assert_eq!(worth(&game, "a1 b1"), Some(0.0), "{stuck}");
    }
}

#[test]
fn a_pass_instead_of_a_move_stays_one() {
    // In this position of Othello Black cannot move and White can.
    let game = with_goal("othello", "result\n  if me == Black and no White: victory\n");
    let mut random = Random::stream(3, 0, 0);
    let mut passes = 0;
    for _ in 0..20 {
        let mut position = after(&game, "");
        while let Turn::Of(mover) = game.turn(&position).expect("the rules run") {
            let mut moves = Vec::new();
            game.moves(&position, mover, &mut moves).expect("the rules run");
            let mv = *random.pick(&moves).expect("there is a move");
            passes += u32::from(game.name(&position.state, mv) == "pass");
            position = game.after(&position, mv).expect("the rules run");
        }
        let payoff = game.payoff(&position, Player(0)).expect("the rules run");
        let no_white = !game.write(&position.state).contains('O');
        assert_eq!(payoff.utility > 0.5, no_white, "{}", game.write(&position.state));
    }
    assert!(passes > 0, "no game had a pass");
}

#[test]
fn what_is_no_goal_is_told() {
    for (text, code) in [
        ("const n = 3\n", "missing-result"),
        ("moves\n  move pass\n\nresult\n  draw\n", "misplaced"),
        ("evaluate\n  return 1\n\nresult\n  draw\n", "misplaced"),
        ("result\n  if z99 is empty: victory\n", "unknown-name"),
    ] {
        let found = compiled("tictactoe", text);
        assert!(found.program.is_none());
        assert!(found.diagnostics.iter().any(|it| it.code == code), "{:?}", found.diagnostics);
    }
}

fn capture(game: &str, square: &str, prey: &str, hunter: &str) -> CompiledGame {
    let goal = format!("result\n  if me == {hunter} and {square} is not {prey} stone: victory\n");
    CompiledGame::native(with_goal(game, &goal)).expect("native code can be made here")
}

/// A proof that `attacker` reaches his goal from a position, by moves near by.
fn prove(game: &CompiledGame, position: &Position, attacker: Player, near: u8) -> Option<Proof> {
    let config = Config { relevance_zone: Some(near), ..Config::default() };
    let budget = Limits::of_nodes(10_000);
    let rules = game.interpreter();
    let mut attack = Attack::new((game, rules), attacker, config, budget);
    let reach = Reach::default();
    match prove_verified(&mut attack, position, reach, budget).expect("the rules run") {
        Widened::Proved(proved) => Some(proved.proof),
        _ => None,
    }
}

fn read(game: &CompiledGame, position: &str) -> Position {
    game.position(game.read(position).expect("it is well formed"))
}

#[test]
fn a_ladder_is_followed_and_its_breaker_seen() {
    let game = capture("go:9", "c3", "White", "Black");
    //  . . . . . . . . .      White on c3 has two liberties, c4 and d3.
    //  . X . . . . . . .
    //  . X O . . . . . .      row 3
    //  . . X . . . . . .
    let ladder = "9/9/9/9/9/1X7/1XO6/2X6/9 b";
    assert!(prove(&game, &read(&game, ladder), Player(0), 3).is_some());
    // A white stone on the way breaks it. Another capture is still looked for, and there is none.
    let broken = "9/9/9/5O3/4O4/1X7/1XO6/2X6/9 b";
    assert_eq!(prove(&game, &read(&game, broken), Player(0), 3), None);
    // Moving first, White gets away; nothing is claimed.
    let saved = "9/9/9/9/9/1X7/1XO6/2X6/9 w";
    assert_eq!(prove(&game, &read(&game, saved), Player(0), 3), None);
    // In atari in the corner there is nothing to be done about it: White may not play a1.
    let game = capture("go:9", "a2", "White", "Black");
    let lost = read(&game, "9/9/9/9/9/9/X8/OX7/1X7 w");
    assert!(matches!(prove(&game, &lost, Player(0), 3), Some(Proof::Hold(_))));
}

/// Whether `attacker` can win within `plies`: every move and every reply, by the rules alone.
fn wins_within(game: &RulesGame, position: &Position, attacker: Player, plies: u32) -> bool {
    let mover = match game.turn(position).expect("the rules run") {
        Turn::Of(mover) if plies > 0 => mover,
        Turn::Over => {
            return game.payoff(position, attacker).expect("the rules run").utility > 0.5;
        }
        _ => return false,
    };
    let mut moves = Vec::new();
    game.moves(position, mover, &mut moves).expect("the rules run");
    let mut wins = moves.into_iter().map(|mv| {
        let next = game.after(position, mv).expect("the rules run");
        wins_within(game, &next, attacker, plies - 1)
    });
    if mover == attacker { wins.any(|it| it) } else { wins.all(|it| it) }
}

/// Longer wins take brute force too long.
const LONGEST: u32 = 5;

/// Whatever is claimed is won against every reply, also where so little is looked at that guesses are
/// often wrong. Brute force knows neither threats nor what is near.
#[test]
fn claims_stand() {
    let plain = crate::common::game("go:4");
    let mut random = Random::stream(11, 0, 0);
    let (mut claims, mut deep) = (0, 0);
    for round in 0..150_u32 {
        let mut position = plain.start();
        for _ in 0..6 + round % 6 {
            let Ok(Some(mv)) = plain.random_move(&position, &mut random) else { break };
            plain.apply(&mut position, &[mv]).expect("the rules run");
        }
        let text = plain.write(&position.state);
        let first = text.split(['/', ' ']).nth(1).and_then(|row| row.chars().next());
        let (prey, hunter, attacker) = match first {
            Some('X') => ("Black", "White", Player(1)),
            Some('O') => ("White", "Black", Player(0)),
            _ => continue,
        };
        let game = capture("go:4", "a3", prey, hunter);
        let position = read(&game, &text);
        for near in [1, 3] {
            let Some(proof) = prove(&game, &position, attacker, near) else { continue };
            let plies = match &proof {
                Proof::Win(win) => win.plies(),
                Proof::Hold(hold) => hold.plies(),
            };
            if plies > LONGEST {
                continue;
            }
            let slow = game.interpreter();
            let position = Position {
                state: game.to_interpreter(&position.state).into_owned(),
                trail: position.trail.clone(),
            };
            assert!(wins_within(slow, &position, attacker, plies), "{text}, {plies} plies");
            claims += 1;
            deep += u32::from(plies > 1);
        }
    }
    assert!(claims >= 40 && deep >= 10, "only {claims} claims, {deep} of more than a move");
}
