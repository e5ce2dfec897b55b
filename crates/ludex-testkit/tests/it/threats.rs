//! Wins by threats, on the games of the corpus: what is claimed must be so.
//!
//! A claim is checked by playing it out against every defence; and in games that are small enough,
//! by their full solution.
//!
//! ```text
//! LUDEX_THREATS=20 cargo test --release -p ludex-testkit --test it threats::    # twenty times as many
//! ```

#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

use std::rc::Rc;
use std::sync::Arc;

use crate::common::{game, setting};
use ludex_core::{Effort, Game, GameExt, Limits, Player, Position, Random, Turn};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_study::threats::opponent_threat::opponent_threat;
use ludex_study::threats::widening::{Proof, Reach, Widened, prove};
use ludex_study::threats::{
    Attack, Config, GameAnalysis, Searched, Shape, Verdict, forced_win, only_defences, verify,
};
use ludex_testkit::solve::solve;

fn native(name: &str) -> CompiledGame {
    CompiledGame::native(game(name)).expect("native code can be made here")
}

fn read(game: &CompiledGame, text: &str) -> Position {
    game.position(game.read(text).expect("the position is well formed"))
}

/// A position of random play in which the game goes on.
fn random_position(game: &CompiledGame, random: &mut Random) -> Option<(Position, Player)> {
    let mut position = game.start();
    let mut line = Vec::new();
    while let Turn::Of(mover) = game.turn(&position).expect("the rules run") {
        line.push((position.clone(), mover));
        let mv = game.random_move(&position, random).expect("the rules run")?;
        game.apply(&mut position, &[mv]).expect("the rules run");
    }
    random.pick(&line).cloned()
}

/// What a shape claims in random positions, and how much of it is false.
fn claims(name: &str, shape: &Shape, config: Config, positions: u64) -> (u64, u64) {
    let game = native(name);
    let mut random = Random::stream(7, 0, 0);
    let (mut claims, mut wrong) = (0, 0);
    for _ in 0..positions {
        let Some((position, mover)) = random_position(&game, &mut random) else { continue };
        let mut attack = attack(&game, mover, config);
        if let Searched::Found(win) = attack.win(&position, shape).expect("the rules run") {
            claims += 1;
            wrong += u64::from(verified(&game, mover, &position, &Proof::Win(win)).is_err());
        }
    }
    eprintln!("{name} {shape}: {wrong} of {claims} wrong, {positions} positions");
    (claims, wrong)
}

fn attack(game: &CompiledGame, attacker: Player, config: Config) -> Attack<'_, CompiledGame> {
    let budget = Limits::of_nodes(3_000_000);
    Attack::new((game, game.interpreter()), attacker, config, budget)
}

fn verified(game: &CompiledGame, attacker: Player, position: &Position, proof: &Proof) -> Verdict {
    let limits = Limits::default();
    verify(game, attacker, position, proof, limits).expect("the rules run").0
}

fn order_three() -> Shape {
    let two = Rc::new(Shape::sequence(1));
    let four = Rc::new(Shape::new(Rc::clone(&two), Rc::clone(&two)));
    Shape::new(two, four)
}

/// Games on which claims are checked, and how many positions of each.
const GAMES: [(&str, u64); 10] = [
    ("tictactoe", 400),
    ("mnk:4,4,3", 150),
    ("mnk:5,4,4", 60),
    ("connect4:5,4", 150),
    ("breakthrough:4,5", 150),
    ("atarigo:4", 60),
    ("hex:4", 60),
    ("loa:5", 20),
    ("morris3", 60),
    ("clobber:4,3", 40),
];

#[test]
fn claims_of_every_order_are_true() {
    for (name, positions) in GAMES {
        for shape in [Shape::one(), Shape::sequence(1), Shape::sequence(3), order_three()] {
            let positions = positions * setting("LUDEX_THREATS", 1);
            let (claims, wrong) = claims(name, &shape, Config::default(), positions);
            assert_eq!(wrong, 0, "{name} {shape}");
            assert!(claims > 0 || name == "clobber:4,3", "{name} {shape}: nothing was claimed");
        }
    }
}

/// What is remembered of direct threats changes nothing but the time.
#[test]
fn the_zone_table_changes_nothing() {
    let game = native("gomoku:11");
    let mut random = Random::stream(21, 0, 0);
    let (mut found, mut hits) = (0, 0);
    for _ in 0..40 * setting("LUDEX_THREATS", 1) {
        let Some((position, mover)) = random_position(&game, &mut random) else { continue };
        let claims = [true, false].map(|zone_table| {
            let config = Config { zone_table, ..Config::default() };
            let mut attack = attack(&game, mover, config);
            let claim = attack.win(&position, &Shape::sequence(4)).expect("the rules run");
            hits += attack.zone_hits();
            assert!(zone_table || attack.zone_hits() == 0);
            claim
        });
        assert_eq!(claims[0], claims[1], "{}", game.write(&position.state));
        if let [Searched::Found(win), _] = claims {
            found += 1;
            assert_eq!(verified(&game, mover, &position, &Proof::Win(win)), Ok(()));
        }
    }
    assert!(found > 5 && hits > 5, "{found} wins, {hits} hits");
}

/// Two open twos that cross: a man at j8 makes two threes at once, which cannot both be stopped.
/// It is enough to look at the moves that bring a win nearer; where the rules do not tell which
/// those are, as where six in a row are none, around the men.
#[test]
fn threats_of_threats_win_on_a_large_board() {
    for name in ["gomoku:15", "gomoku:15,exact=yes"] {
        crossing_twos_win(name);
    }
}

fn crossing_twos_win(name: &str) {
    let game = native(name);
    let position = read(&game, "15/O14/15/15/15/9X5/9X5/7XX6/15/15/15/15/15/14O/O13O b");
    let mut looked = Vec::new();
    for around in [Some(2), None] {
        let config = Config { neighbourhood: around, ..Config::default() };
        let mut attack = attack(&game, Player(0), config);
        let reach = Reach { longest_sequence: 4, ..Reach::default() };
        let budget = Limits::of_nodes(3_000_000);
        let widened = prove(&mut attack, &position, reach, budget).expect("the rules run");
        let Widened::Proved(proved) = widened else { panic!("nothing found: {widened:?}") };
        assert_eq!(proved.shape.order(), 3);
        assert_eq!(verified(&game, Player(0), &position, &proved.proof), Ok(()));
        looked.push(attack.nodes());
    }
    assert!(4 * looked[0] < looked[1], "{name}: {looked:?}");
}

/// Without the guards of zones, wins are claimed that are none.
#[test]
fn the_guards_are_needed() {
    let no_ends = Config { ends: false, ..Config::default() };
    let no_moves = Config { moves: false, ..Config::default() };
    let (_, wrong) = claims("tictactoe", &order_three(), no_ends, 2_000);
    assert!(wrong > 0, "the defender's own threats do not matter?");
    let (_, wrong) = claims("breakthrough:4,5", &order_three(), no_moves, 2_000);
    assert!(wrong > 0, "the defender's new moves do not matter?");
}

/// O's pair of men on the last rank wins for O, one of them alone for X; and a man of O's on the
/// second rank lets O put both at once. So X has no time for three men in a row of six.
const PAIRS: &str = "game \"Pairs\"

board square 6 by 3
players X, O
men mark \"X\" \"O\"

moves
  for a in {a1, b1, c1, d1, e1, f1, a2, b2, c2} & empty: move put my mark on a
  if me == O
    for a in {b3, e3} & empty
      if any {a2, b2, c2} & mine and a.east is empty: move put my mark on a, put my mark on a.east

result
  if me == X
    if b3 is theirs
      if c3 is theirs: loss
      else: victory
    if e3 is theirs
      if f3 is theirs: loss
      else: victory
    if count({a1, b1, c1, d1, e1, f1} & mine) >= 3: victory
";

/// A change that would win for the attacker may be half of one that wins for the defender.
#[test]
fn a_win_on_the_way_to_a_loss_is_none() {
    let game = CompiledGame::native(crate::common::game_of(PAIRS, ""))
        .expect("native code can be made here");
    let position = game.start();
    let solution = solve(&game, 100_000).expect("it is small");
    assert_eq!(solution.value(&position.state, Player(0)), -1);
    let mut attack = attack(&game, Player(0), Config::default());
    let widened = prove(&mut attack, &position, Reach::default(), Limits::of_nodes(300_000));
    let widened = widened.expect("the rules run");
    assert!(!matches!(widened, Widened::Proved(_)), "{widened:?}");
}

/// Two of these results contradict each other where O has more men than play can give.
const CONTRADICTED: &str = "game \"Contradicted\"

board square 3 by 4
players X, O
men mark \"X\" \"O\"

moves
  for a in empty
    if a.east is empty: move put my mark on a, put my mark on a.east

result
  if me == X
    if a2 is mine and b2 is mine: loss
    if c2 is mine and a2 is mine: victory
    if c1 is theirs and b2 is theirs and b4 is mine: victory
    if b1 is mine and b4 is mine: loss
    if b1 is mine and b4 is theirs: loss
    if b2 is mine and a3 is theirs and c3 is mine: victory
    if a1 is theirs and a4 is theirs: victory
    if a2 is theirs and b3 is theirs: draw

stuck
  pass
";

/// What is only imagined to guard a zone need not make sense to the rules.
#[test]
fn what_cannot_come_about_is_no_error() {
    let rules = crate::common::game_of(CONTRADICTED, "");
    let game = CompiledGame::native(rules).expect("native code can be made here");
    solve(&game, 100_000).expect("the rules never contradict themselves in play");
    for player in [0, 1].map(Player) {
        let mut attack = attack(&game, player, Config::default());
        let here = read(&game, "1XX/3/3/3 o");
        let widened = prove(&mut attack, &here, Reach::default(), Limits::of_nodes(100_000));
        assert_eq!(widened.map(|_| ()), Ok(()), "{player:?}");
    }
}

/// In small games every claim agrees with the full solution, and no loss is ever claimed of a
/// position that is not lost.
#[test]
fn claims_agree_with_solutions() {
    for name in ["tictactoe", "morris3", "connect4:4,4", "breakthrough:4,4"] {
        let game = native(name);
        let solution = solve(&game, 2_000_000).expect("it is small");
        let mut random = Random::stream(11, 0, 0);
        for _ in 0..200 {
            let Some((position, mover)) = random_position(&game, &mut random) else { continue };
            for attacker in [mover, Player(1 - mover.0)] {
                let budget = Limits::of_nodes(100_000);
                let mut attack = attack(&game, attacker, Config::default());
                let widened = prove(&mut attack, &position, Reach::default(), budget);
                if let Widened::Proved(_) = widened.expect("the rules run") {
                    assert_eq!(solution.value(&position.state, attacker), 1, "{name}");
                }
            }
        }
    }
}

/// What other searches get is true: a forced win is one, and what is no defence loses.
#[test]
fn what_is_forced_agrees_with_solutions() {
    for name in ["tictactoe", "morris3", "connect4:4,4", "breakthrough:4,4"] {
        let game = native(name);
        let analysis = Arc::new(GameAnalysis::new(game.interpreter()));
        let rules = (&game, game.interpreter());
        let solution = solve(&game, 2_000_000).expect("it is small");
        let mut random = Random::stream(12, 0, 0);
        let (mut wins, mut losing) = (0, 0);
        for number in 0..200 * setting("LUDEX_THREATS", 1) {
            let Some((position, mover)) = random_position(&game, &mut random) else { continue };
            let effort = Effort::of_positions(3_000, 1 + (number % 2) as u8);
            let after = |mv| game.after(&position, mv).expect("the rules run").state;
            let forced = forced_win(&analysis, rules, &position, effort).expect("the rules run");
            if let Some(win) = forced.found {
                wins += 1;
                assert_eq!(solution.value(&after(win.mv), mover), 1, "{name}");
            }
            let sought = only_defences(&analysis, rules, &position, effort).expect("the rules run");
            let Some(defences) = sought.found else { continue };
            let mut moves = Vec::new();
            game.moves(&position, mover, &mut moves).expect("the rules run");
            for &mv in moves.iter().filter(|it| !defences.contains(it)) {
                losing += 1;
                assert_eq!(solution.value(&after(mv), mover), -1, "{name}");
            }
        }
        assert!(wins > 10 && losing > 10, "{name}: {wins} wins, {losing} losing moves");
    }
}

const LASKER_THOMAS: &str = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 6 11";

/// Pitrat's figure 3: his program found a mate in eight by checks, in 47 seconds. With castling
/// there is one in seven, which needs it in a side line.
#[test]
fn the_game_of_lasker_and_thomas() {
    let pitrat = "h5h7 g8h7 e4f6 h7h6 e5g4 h6g5 h2h4 g5f4 g2g3 f4f3 d3e2 f3g2 h1h2 g2g1 e1d2";
    let shorter = "h5h7 g8h7 e4f6 h7h6 e5g4 h6g5 f2f4 g5h4 g2g3 h4h3 d3f1 b7g2 g4f2";
    for (name, castling, moves, line) in
        [("chess:castling=no", "-", 8, pitrat), ("chess", "KQ", 7, shorter)]
    {
        let game = native(name);
        let position = read(&game, &LASKER_THOMAS.replace("KQ", castling));
        let mut attack = attack(&game, Player(0), Config::default());
        for threats in 0..moves {
            let found = attack.win(&position, &Shape::sequence(threats)).expect("the rules run");
            assert_eq!(found, Searched::Nothing, "{name}: a mate in {threats}");
        }
        let found = attack.win(&position, &Shape::sequence(moves)).expect("the rules run");
        let Searched::Found(win) = found else { panic!("{name}: no mate in {moves}") };
        assert_eq!(names(&game, &position, &win.line()), line);
        assert_eq!(verified(&game, Player(0), &position, &Proof::Win(win)), Ok(()));
    }
}

fn names(game: &CompiledGame, position: &Position, line: &[ludex_ir::PackedMove]) -> String {
    let mut here = position.clone();
    let mut names = Vec::new();
    for &mv in line {
        names.push(game.name(&here.state, mv));
        here = game.after(&here, mv).expect("the rules run");
    }
    names.join(" ")
}

/// Pitrat's figure 2: three men's morris is won from the centre.
#[test]
fn three_mens_morris_is_won_from_the_centre() {
    let game = native("morris3");
    let position = game.start();
    let centre = game.named(&position, Player(0), "b2").expect("the rules run");
    let after = game.after(&position, centre.expect("it is legal")).expect("the rules run");
    let mut attack = attack(&game, Player(0), Config::default());
    let widened = prove(&mut attack, &after, Reach::default(), Limits::of_nodes(3_000_000));
    let Widened::Proved(proved) = widened.expect("the rules run") else { panic!("not proved") };
    eprintln!("{} nodes, {}", attack.nodes(), proved.shape);
    assert_eq!(verified(&game, Player(0), &after, &proved.proof), Ok(()));
}

/// Both lines of that figure are forced wins at every step, and after the last move printed the
/// game is lost with the next.
#[test]
fn the_printed_lines_of_three_mens_morris_are_accepted() {
    let game = native("morris3");
    for line in ["b2 a1 b3 b1 c1 a3 b2c2", "b2 a2 c3 a1 a3 b3 c3c2"] {
        let mut here = game.start();
        let mut last = None;
        for (ply, name) in line.split(' ').enumerate() {
            let mover = Player((ply % 2) as u8);
            let mv = game.named(&here, mover, name).expect("the rules run");
            here = game.after(&here, mv.expect("it is legal")).expect("the rules run");
            let mut attack = attack(&game, Player(0), Config::default());
            let widened = prove(&mut attack, &here, Reach::default(), Limits::of_nodes(3_000_000));
            let Widened::Proved(proved) = widened.expect("the rules run") else {
                panic!("not won after {name} of {line}")
            };
            assert_eq!(verified(&game, Player(0), &here, &proved.proof), Ok(()));
            last = Some(proved.proof);
        }
        let Some(Proof::Hold(hold)) = last else { panic!("the cross has moved last") };
        assert_eq!(hold.plies(), 2, "{line}");
    }
}

/// A mate that goes round the back of the board: on a cylinder the files a and h are neighbours.
#[test]
fn a_mate_that_needs_the_board_to_wrap() {
    let text = "5k2/8/8/7K/8/4R3/2p5/6B1 w - - 0 1";
    let (flat, round) = (native("chess:castling=no"), native("chess-cylinder"));
    let mut on_flat = attack(&flat, Player(0), Config::default());
    for threats in 0..5 {
        let found = on_flat.win(&read(&flat, text), &Shape::sequence(threats));
        assert_eq!(found.expect("the rules run"), Searched::Nothing, "{threats} checks");
    }
    let here = read(&round, text);
    let mut on_round = attack(&round, Player(0), Config::default());
    let found = on_round.win(&here, &Shape::sequence(2)).expect("the rules run");
    let Searched::Found(win) = found else { panic!("there is a mate in two") };
    assert_eq!(verified(&round, Player(0), &here, &Proof::Win(win)), Ok(()));
}

/// Whether the player to move can win at once.
fn wins_at_once(game: &CompiledGame, position: &Position, mover: Player) -> bool {
    let mut moves = Vec::new();
    game.moves(position, mover, &mut moves).expect("the rules run");
    moves.into_iter().any(|mv| {
        let next = game.after(position, mv).expect("the rules run");
        let is_over = game.turn(&next) == Ok(Turn::Over);
        is_over && game.payoff(&next, mover).is_ok_and(|it| it.utility > 0.0)
    })
}

/// The moves after which the opponent cannot win at once, found by trying.
fn safe_moves(
    game: &CompiledGame,
    position: &Position,
    mover: Player,
) -> Vec<ludex_ir::PackedMove> {
    let mut moves = Vec::new();
    game.moves(position, mover, &mut moves).expect("the rules run");
    moves.sort_unstable();
    moves.retain(|&mv| {
        let next = game.after(position, mv).expect("the rules run");
        match game.turn(&next).expect("the rules run") {
            Turn::Over => {
                let payoff = game.payoff(&next, mover);
                payoff.expect("the rules run").utility > -1.0
            }
            _ => !wins_at_once(game, &next, Player(1 - mover.0)),
        }
    });
    moves
}

/// Against an immediate threat the defences are those that trying all moves finds, and against a
/// double one there is none.
#[test]
fn defences_equal_brute_force() {
    for name in ["connect4", "gomoku:9", "mnk:5,5,4", "atarigo:5", "breakthrough:5,5"] {
        let game = native(name);
        let mut random = Random::stream(17, 0, 0);
        let (mut seen, mut none) = (0, 0);
        for _ in 0..3_000 {
            let Some((position, mover)) = random_position(&game, &mut random) else { continue };
            let other = Player(1 - mover.0);
            let passed = game.after_null_move(&position).expect("there are two players");
            let goes_on = game.turn(&passed) == Ok(Turn::Of(other));
            if !goes_on || !wins_at_once(&game, &passed, other) {
                continue;
            }
            let reach = Reach { highest_order: 1, ..Reach::default() };
            let budget = Limits::of_nodes(1_000_000);
            let mut attack = attack(&game, other, Config::default());
            let found =
                opponent_threat(&mut attack, &position, reach, budget).expect("the rules run");
            let found = found.expect("there is a threat");
            let defences: Vec<ludex_ir::PackedMove> = found.defences().collect();
            assert_eq!(defences, safe_moves(&game, &position, mover), "{name}");
            (seen, none) = (seen + 1, none + u32::from(defences.is_empty()));
            if seen == 20 {
                break;
            }
        }
        eprintln!("{name}: {seen} threats, {none} of them without a defence");
        assert!(seen == 20, "{name}: only {seen} threats were met");
    }
}

/// A position in the form of the interpreter.
fn in_rules(game: &CompiledGame, position: &Position) -> Position {
    let state = game.to_interpreter(&position.state).into_owned();
    Position { state, trail: position.trail.clone() }
}

/// Engines agree on what threat search asks of them.
#[test]
fn cells_are_the_same_in_both_engines() {
    use ludex_core::Cells;
    for name in ["chess", "breakthrough", "atarigo:6", "shogi", "morris9"] {
        let native = native(name);
        let rules: &RulesGame = native.interpreter();
        let mut random = Random::stream(3, 0, 0);
        for _ in 0..50 {
            let Some((position, mover)) = random_position(&native, &mut random) else { continue };
            let same = in_rules(&native, &position);
            let cells = rules.program().cells();
            for cell in 0..cells {
                assert_eq!(
                    native.raw(&position.state, cell),
                    rules.raw(&same.state, cell),
                    "{name}"
                );
            }
            let cell = random.below(rules.program().squares as u32) as usize;
            let raw = random.below(rules.program().men.len() as u32 + 1) as u16;
            let changed = native.with_raw(&position.state, cell, raw);
            let expected = rules.with_raw(&same.state, cell, raw);
            assert_eq!(*native.to_interpreter(&changed), expected, "{name}");
            assert_eq!(native.hash(&changed), rules.hash(&expected));
            let passed = native.after_null_move(&position).expect("there are two players");
            let turned = in_rules(&native, &passed);
            let (ours, theirs) = (native.forbids(&passed, mover), rules.forbids(&turned, mover));
            assert_eq!(ours.expect("the rules run"), theirs.expect("the rules run"), "{name}");
            let ours = native.winning_move(&position, mover);
            let theirs = rules.winning_move(&same, mover);
            assert_eq!(ours.expect("the rules run"), theirs.expect("the rules run"), "{name}");
        }
    }
}
