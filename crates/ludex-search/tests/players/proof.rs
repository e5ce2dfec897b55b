//! Proofs over hand-written games: three methods against full solutions and against each other, in
//! graphs with circles and all kinds of rules about them, with tables too small to hold anything.

use crate::colliding::Colliding;
use crate::proofs::{METHODS, agreed, certified, solved, solved_from, within};
use ludex_core::{Game, Limits, Player, Position, PositionOf};
use ludex_search::proof::player::{DfpnPlayer, Wanted};
use ludex_search::proof::{
    Certificate, Dfpn, DfpnConfig, GameValue, Method, Past, ProofStatus, ProofTable, Question,
    SolveConfig, View, solve,
};
use ludex_search::{SearchError, Unsupported};
use ludex_testkit::solve::solve as solve_fully;
use ludex_testkit::{Explicit, Loops, Nim, Node, Pig, Repetition, TicTacToe, Trio};

fn of_utility(utility: f64) -> GameValue {
    if utility > 0.0 {
        GameValue::Win
    } else if utility < 0.0 {
        GameValue::Loss
    } else {
        GameValue::Draw
    }
}

#[test]
fn fixtures_have_their_values() {
    assert_eq!(agreed("tictactoe", &TicTacToe, &METHODS), GameValue::Draw);
    for heaps in [&[1_u8, 2, 3][..], &[3, 4, 5], &[2, 2], &[4, 4, 1]] {
        let nim = Nim::new(heaps);
        let expected =
            if Nim::is_won(&nim.start().state) { GameValue::Win } else { GameValue::Loss };
        assert_eq!(agreed("nim", &nim, &METHODS), expected, "{heaps:?}");
    }
}

#[test]
fn every_position_of_a_small_game_is_right() {
    let solution = solve_fully(&TicTacToe, 10_000).expect("it is small");
    let mut open = vec![TicTacToe.start()];
    let mut seen = std::collections::HashSet::new();
    let config = SolveConfig { method: Method::Dfpn, memory: 1 << 16, ..SolveConfig::default() };
    while let Some(state) = open.pop() {
        let ludex_core::Turn::Of(mover) = TicTacToe.turn(&state).unwrap() else { continue };
        if !seen.insert(state) {
            continue;
        }
        if seen.len() % 7 == 1 {
            let found = solved_from(&TicTacToe, &state.state, &config, 1_000_000).value;
            let expected = of_utility(f64::from(solution.value(&state.state, mover)));
            assert_eq!(found, Some(expected), "{state:?}");
        }
        let mut moves = Vec::new();
        TicTacToe.moves(&state, mover, &mut moves).unwrap();
        for mv in moves {
            let mut next = state;
            TicTacToe.apply(&mut next, &[mv]).unwrap();
            open.push(next);
        }
    }
}

#[test]
fn random_trees_have_their_values() {
    for seed in 0..200 {
        let game = Explicit::random(seed, 6, 3);
        let solution = solve_fully(&game, 10_000).expect("it is small");
        let expected = of_utility(f64::from(solution.value(&0, Player(0))));
        assert_eq!(agreed("a tree", &game, &METHODS), expected, "seed {seed}");
    }
}

/// What the start of a graph is worth to the player to move, by trying everything.
fn truth(game: &Loops, rule: Repetition) -> GameValue {
    if rule == Repetition::GoesOn {
        let solution = solve_fully(game, 10_000).expect("it is small");
        return of_utility(f64::from(solution.value(&0, Player(0))));
    }
    of_utility(game.try_everything(0, &mut vec![0]))
}

#[test]
fn circles_never_deceive() {
    let (mut known, mut unknown) = (0, 0);
    for seed in 0..400 {
        let size = 6 + (seed % 9) as usize;
        for rule in Repetition::ALL {
            let game = Loops::random(seed, size, rule);
            let truth = truth(&game, rule);
            for method in [Method::Pns, Method::Dfpn] {
                for weak in [false, true] {
                    for memory in [0, 1 << 20] {
                        let dfpn = DfpnConfig { weak, ..DfpnConfig::default() };
                        let config = SolveConfig { method, memory, dfpn, ..SolveConfig::default() };
                        let solved = solved(&game, &config, 20_000);
                        let about = format!("{seed} {rule:?} {} {weak} {memory}", method.name());
                        match solved.value {
                            Some(value) => assert_eq!(value, truth, "{about}"),
                            None => assert!(memory == 0 || method == Method::Pns, "{about}"),
                        }
                        if method == Method::Dfpn {
                            *(if solved.value.is_some() { &mut known } else { &mut unknown }) += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(known > 10 * unknown, "{known} known, {unknown} unknown");
}

#[test]
fn disproofs_that_rest_on_the_path_stay_on_it() {
    let mut unknown = 0;
    for seed in 0..3_000 {
        let game = Loops::random(seed, 10 + (seed % 37) as usize, Repetition::GoesOn);
        let truth = truth(&game, Repetition::GoesOn);
        for memory in [1 << 10, 1 << 20] {
            let config = SolveConfig { method: Method::Dfpn, memory, ..SolveConfig::default() };
            match solved(&game, &config, 50_000).value {
                Some(value) => assert_eq!(value, truth, "seed {seed}"),
                None => unknown += 1,
            }
        }
    }
    assert!(unknown < 100, "{unknown} unknown");
}

#[test]
fn a_circle_does_not_hide_a_win() {
    // Below 2, node 4 leads back to 2 and looks lost as long as 2 is not won. The other way out
    // of 2 takes longer to see through. Then 4 is met again, by way of 14, and is won by way of 2.
    let game = Explicit::new(
        2,
        vec![
            Node::of(0, &[("a", 1)]),
            Node::of(1, &[("a", 2), ("b", 14)]),
            Node::of(0, &[("a", 3), ("b", 6)]),
            Node::of(1, &[("a", 4)]),
            Node::of(0, &[("a", 5)]),
            Node::of(1, &[("a", 2)]),
            Node::of(1, &[("a", 8), ("b", 9), ("c", 10)]),
            Node::end(&[-1.0, 1.0]),
            Node::of(0, &[("a", 11)]),
            Node::of(0, &[("a", 11)]),
            Node::of(0, &[("a", 11)]),
            Node::of(1, &[("a", 12)]),
            Node::of(0, &[("a", 13)]),
            Node::end(&[1.0, -1.0]),
            Node::of(0, &[("a", 15), ("b", 7), ("c", 7), ("d", 7), ("e", 7), ("f", 7)]),
            Node::of(1, &[("a", 4)]),
        ],
    );
    assert_eq!(agreed("a circle", &game, &METHODS), GameValue::Win);
}

#[test]
fn repetition_that_draws_may_be_ignored() {
    for seed in 0..400 {
        let game = Loops::random(seed, 6 + (seed % 9) as usize, Repetition::Draws);
        let truth = truth(&game, Repetition::Draws);
        for method in METHODS {
            let past = Past::Ignored;
            let config = SolveConfig { method, past, memory: 1 << 20, ..SolveConfig::default() };
            let solved = solved(&game, &config, 200_000);
            if method != Method::Pns || solved.value.is_some() {
                assert_eq!(solved.value, Some(truth), "{seed} by {}", method.name());
            }
        }
    }
}

#[test]
fn plans_in_circles_can_be_certified() {
    let (mut written, mut missing) = (0, 0);
    for seed in 0..300 {
        for rule in [Repetition::GoesOn, Repetition::Draws] {
            let game = Loops::random(seed, 6 + (seed % 9) as usize, rule);
            for method in METHODS {
                let past = Past::Ignored;
                let config =
                    SolveConfig { method, past, memory: 1 << 20, ..SolveConfig::default() };
                let mut solved = solved(&game, &config, 200_000);
                if solved.value.is_some() {
                    let text = certified(&game, &mut solved);
                    assert!(text.is_some() || method != Method::Retrograde, "seed {seed}");
                    *(if text.is_some() { &mut written } else { &mut missing }) += 1;
                }
            }
        }
    }
    assert!(written > 50 * missing, "{written} written, {missing} missing");
}

#[test]
fn plans_that_go_in_circles_do_not_win() {
    // The first player can win at once, or go round first.
    let game = Explicit::new(
        2,
        vec![
            Node::of(0, &[("round", 1), ("win", 2)]),
            Node::of(1, &[("back", 0)]),
            Node::end(&[1.0, -1.0]),
        ],
    );
    let text = |mv| {
        format!(
            "ludex-certificate 1\ngame: x\nrules: 0\nposition: node 0\npast: ignored\nvalue: win\n\
             plan: P0 wins\nnode 0\t{mv}\nend\n"
        )
    };
    let verify = |mv| {
        let read = Certificate::read(&text(mv)).unwrap();
        within(u64::MAX, |bounds| read.verify(&game, bounds, 100)).unwrap()
    };
    assert_eq!(verify("win"), Ok(2).map(|it: usize| it - 1));
    assert!(verify("round").unwrap_err().why.contains("comes back"));
}

#[test]
fn what_cannot_be_proved_is_refused() {
    let config = SolveConfig::default();
    let trio = Trio { stones: 5 };
    let position = trio.start();
    let fault = within(100, |it| solve(&trio, &position, &config, it)).unwrap_err();
    assert_eq!(fault, Unsupported::TwoPlayersOnly.into());
    let pig = Pig { goal: 9, faces: 3 };
    let position = pig.start();
    let config = SolveConfig { method: Method::Dfpn, ..config };
    let fault = within(10_000, |it| solve(&pig, &position, &config, it)).unwrap_err();
    assert_eq!(fault, Unsupported::Chance.into());
    // Faults of the rules come back as such.
    let game = Explicit::new(2, vec![Node::of(0, &[("a", 1)]), Node::Fault]);
    for method in METHODS {
        let config = SolveConfig { method, ..SolveConfig::default() };
        let fault = within(100, |it| solve(&game, &Position::of(0), &config, it)).unwrap_err();
        let SearchError::Rules(fault) = fault else { panic!("{fault}") };
        assert_eq!(fault.code, "explicit", "{}", method.name());
    }
}

#[test]
fn scores_have_bounds() {
    // A win worth half: not a full one, and said so.
    let game = Explicit::new(
        2,
        vec![Node::of(0, &[("a", 1), ("b", 2)]), Node::end(&[0.5, -0.5]), Node::end(&[0.0, 0.0])],
    );
    for method in METHODS {
        let config = SolveConfig { method, ..SolveConfig::default() };
        let solved = solved(&game, &config, 100);
        assert_eq!(solved.value, Some(GameValue::Win));
        assert!((solved.least - 0.5).abs() < 1e-9);
    }
    let view = View::new(&game, Past::Exact).unwrap();
    let place = view.root(&Position::of(0));
    for (bound, expected) in [(0.25, true), (0.5, true), (0.75, false), (0.0, true), (-0.5, true)] {
        let (question, yes) = Question::at_least(Player(0), bound);
        let mut table = ProofTable::new(1 << 10);
        let mut search = Dfpn::new(view, question, DfpnConfig::default(), &mut table);
        let verdict = within(100, |it| search.search(&place, it, u64::MAX)).unwrap();
        assert_eq!((verdict == ProofStatus::Proved) == yes, expected, "{bound}");
    }
}

/// The result of a player in a position within limits.
fn result(
    player: &str,
    position: &str,
    nodes: u64,
) -> ludex_search::SearchResult<<TicTacToe as Game>::Move> {
    let mut player =
        ludex_search::player::<TicTacToe>(player, ludex_search::PlayerOptions::default())
            .expect("there is such a player");
    let state = TicTacToe.position(TicTacToe.read(position).expect("it is a position"));
    let task = ludex_search::SearchRoot { game: &TicTacToe, position: &state };
    let mut silent = |_: &_| {};
    let limits = Limits::of_nodes(nodes);
    player.search(task, limits, &mut silent).expect("the rules are right")
}

#[test]
fn players_say_what_they_have_proved() {
    let solution = solve_fully(&TicTacToe, 10_000).expect("it is small");
    for player in ["dfpn", "pns", "dfpn:weak=no,epsilon=0,mobility=no", "pns:mobility=no"] {
        for (position, best) in [("OO1/XX1/3 X", 1.0), ("3/1X1/3 O", 0.0), ("1O1/1X1/3 X", 1.0)] {
            for nodes in [1, 10, 100, 100_000] {
                let result = result(player, position, nodes);
                let state = TicTacToe.position(TicTacToe.read(position).unwrap());
                assert!(result.best().is_some() && result.nodes <= nodes);
                for line in &result.lines {
                    let mut next = state;
                    let ludex_core::Turn::Of(me) = TicTacToe.turn(&state).unwrap() else {
                        panic!("the game goes on")
                    };
                    TicTacToe.apply(&mut next, &[line.mv]).unwrap();
                    let truth = f64::from(solution.value(&next.state, me));
                    let right = line.proved.is_none_or(|it| (it.utility - truth).abs() < 1e-9);
                    assert!(right, "{player} {position} {line:?}");
                }
                if nodes == 100_000 {
                    let proved = result.lines[0].proved.expect("there are nodes enough");
                    assert!(proved.exact && (proved.utility - best).abs() < 1e-9, "{player}");
                }
            }
        }
    }
}

/// What a player who has thought about other positions before says of each move, within no nodes
/// at all and within few.
#[test]
fn what_is_remembered_is_not_overstated() {
    // A win and a draw at once: the search for a win ends before it has seen the draw.
    let game = Explicit::new(
        2,
        vec![
            Node::of(0, &[("win", 1), ("draw", 2), ("on", 3)]),
            Node::end(&[1.0, -1.0]),
            Node::end(&[0.0, 0.0]),
            Node::of(1, &[("draw", 2), ("lose", 1)]),
        ],
    );
    let solution = solve_fully(&game, 100).expect("it is small");
    for name in ["dfpn", "pns"] {
        let mut player =
            ludex_search::player::<Explicit>(name, ludex_search::PlayerOptions::default())
                .expect("there is such a player");
        for nodes in [1, 100, 0, 1] {
            let task = ludex_search::SearchRoot { game: &game, position: &Position::of(0) };
            let limits = Limits::of_nodes(nodes);
            let result = player.search(task, limits, &mut |_| ()).expect("the rules are right");
            for line in &result.lines {
                let mut next = Position::of(0);
                game.apply(&mut next, &[line.mv]).unwrap();
                let truth = solution.value(&next.state, Player(0));
                let right = line.proved.is_none_or(|it| it.utility as i32 == truth);
                assert!(right, "{name} within {nodes}: {line:?}");
            }
        }
    }
}

/// Whether `attacker` can force a win within `plies` plies, by trying everything.
fn wins_within<G: Game>(game: &G, position: &PositionOf<G>, attacker: Player, plies: u32) -> bool {
    let ludex_core::Turn::Of(mover) = game.turn(position).unwrap() else {
        return game.payoff(position, attacker).unwrap().utility > 0.0;
    };
    if plies == 0 {
        return false;
    }
    let mut moves = Vec::new();
    game.moves(position, mover, &mut moves).unwrap();
    let mut wins = moves.into_iter().map(|mv| {
        let mut next = position.clone();
        game.apply(&mut next, &[mv]).unwrap();
        wins_within(game, &next, attacker, plies - 1)
    });
    if mover == attacker { wins.any(|it| it) } else { wins.all(|it| it) }
}

/// Holds what df-pn says of a win that it expects against trying everything; tells whether there is
/// one within `most` plies.
fn soonest_is_right<G: Game>(game: &G, state: &G::State, most: u32, about: &str) -> bool {
    let position = game.position(state.clone());
    let ludex_core::Turn::Of(me) = game.turn(&position).unwrap() else { return false };
    let truth = (1..=most).step_by(2).find(|&it| wins_within(game, &position, me, it));
    // A table that holds nothing may lose everything, but the end.
    for (nodes, memory, is_enough) in
        [(40, 1 << 20, false), (2_000, 0, false), (200_000, 1 << 20, true)]
    {
        let mut player = DfpnPlayer::new(DfpnConfig::default(), memory);
        player.want(Wanted::QuickWin);
        let task = ludex_search::SearchRoot { game, position: &position };
        let limits = Limits::of_nodes(nodes);
        let result =
            ludex_search::GamePlayer::search(&mut player, task, limits, &mut |_| ()).unwrap();
        assert!(result.nodes <= nodes, "{about}");
        let plies = result.lines[0].proved.filter(|it| it.utility > 0.0).and_then(|it| it.plies);
        match truth {
            Some(truth) if is_enough => assert_eq!(plies, Some(truth), "{about}"),
            Some(truth) => assert!(plies.is_none_or(|it| it >= truth), "{about}"),
            None => assert!(plies.is_none_or(|it| it > most), "{about}"),
        }
        if plies.is_some() {
            // The line that is shown can be played, and ends in time.
            let line = &result.lines[0].pv;
            assert!(plies.is_some_and(|it| line.len() <= it as usize), "{about}");
            let mut next = position.clone();
            for &mv in line {
                game.apply(&mut next, &[mv]).unwrap();
            }
        }
    }
    truth.is_some()
}

#[test]
fn the_soonest_win_is_found() {
    let mut wins = 0;
    for seed in 0..150 {
        let tree = Explicit::random(seed, 6, 3);
        wins += u32::from(soonest_is_right(&tree, &0, 7, &format!("tree {seed}")));
        for rule in Repetition::ALL {
            let game = Loops::random(seed, 6 + (seed % 9) as usize, rule);
            wins += u32::from(soonest_is_right(&game, &0, 7, &format!("{seed} {rule:?}")));
        }
    }
    assert!(wins > 100, "{wins}");
    for position in ["OO1/XX1/3 X", "1O1/1X1/3 X", "3/1X1/3 O", "OX1/1X1/3 O"] {
        let state = TicTacToe.position(TicTacToe.read(position).unwrap());
        soonest_is_right(&TicTacToe, &state.state, 7, position);
    }
}

/// A slow win is known from before, and a quick one is worth less: what is said of the quick one is
/// true.
#[test]
fn a_quick_win_is_not_worth_more_than_it_is() {
    let game = Explicit::new(
        2,
        vec![
            Node::of(0, &[("slow", 2), ("quick", 1)]),
            Node::end(&[0.5, -0.5]),
            Node::of(1, &[("on", 3)]),
            Node::of(0, &[("win", 4)]),
            Node::end(&[1.0, -1.0]),
        ],
    );
    let mut player = DfpnPlayer::new(DfpnConfig::default(), 1 << 20);
    for (state, expected, wanted) in
        [(2, GameValue::Loss, Wanted::Loss), (0, GameValue::Win, Wanted::QuickWin)]
    {
        player.want(wanted);
        let task = ludex_search::SearchRoot { game: &game, position: &Position::of(state) };
        let limits = Limits::of_nodes(1_000);
        let result =
            ludex_search::GamePlayer::search(&mut player, task, limits, &mut |_| ()).unwrap();
        assert_eq!(player.value(), Some(expected));
        let proved = result.lines[0].proved.expect("it is small");
        if state == 0 {
            assert_eq!(
                (game.name(&0, result.lines[0].mv).as_str(), proved.plies),
                ("quick", Some(1))
            );
            assert!(proved.utility <= 0.5 && !proved.exact, "{proved:?}");
        }
    }
}

#[test]
fn positions_that_share_a_hash_are_told_apart() {
    let colliding = Colliding { game: TicTacToe, hashes: 5 };
    assert_eq!(agreed("colliding", &colliding, &METHODS[1..]), GameValue::Draw);
    for seed in 0..100 {
        let graph = Loops::random(seed, 6 + (seed % 9) as usize, Repetition::GoesOn);
        let expected = truth(&graph, Repetition::GoesOn);
        let colliding = Colliding { game: graph, hashes: 2 };
        assert_eq!(agreed("colliding", &colliding, &[Method::Dfpn]), expected, "seed {seed}");
    }
}

/// Rules that let a player without a move go on prove nothing.
#[test]
fn a_player_without_moves_is_a_fault() {
    let stuck = Explicit::new(2, vec![Node::of(0, &[("a", 1)]), Node::end(&[0.0, 0.0])]);
    let view = View::new(&stuck, Past::Exact).unwrap();
    // Whose turn it is not has none, as if the rules had forgotten to say what happens then.
    let fault = view.moves(&view.root(&Position::of(0)), Player(1), &mut Vec::new()).unwrap_err();
    assert_eq!(fault.code, "no-move");
}

/// Hostile certificates are refused in no time, and nothing overflows.
#[test]
fn hostile_certificates_are_refused() {
    let nim = Nim::new(&[2, 1]);
    let head = |position: &str| {
        format!(
            "ludex-certificate 1\ngame: x\nrules: 0\nposition: {position}\npast: none\nvalue: win\n"
        )
    };
    let start = nim.write(&nim.start().state);
    let many_plans = head(&start) + &"plan: First wins\n".repeat(100_000) + "end\n";
    let long_line = head(&"9".repeat(1_000_000)) + "end\n";
    let contrary =
        head(&start) + "plan: First wins\n" + &format!("{start}\ta\n{start}\tb\n") + "end\n";
    let empty = head(&start) + "plan:  wins\nend\n";
    for text in [many_plans, long_line, contrary, empty, head(&start) + "end\n", String::new()] {
        let refused = match Certificate::read(&text) {
            Ok(read) => within(1_000, |it| read.verify(&nim, it, 1_000)).unwrap().is_err(),
            Err(_) => true,
        };
        assert!(refused, "{}", &text[..text.len().min(300)]);
    }
}
