//! The player that chooses: what it chooses, that it says so, and that it always has a move.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ludex_core::StoppedClock;
use ludex_core::{Clock, Game, Limits};
use ludex_search::GameProfile;
use ludex_search::{GamePlayer, Line, PlayerOptions, SearchResult, SearchRoot, player};
use ludex_testkit::{Coins, Explicit, Nim, Node, Pig, Pyramid, TicTacToe, Trio};

/// Little to learn and a short trial: the tests are about the choice, not about its quality.
const QUICK: &str = "auto:work=20000,trials=4,trial=20000";

fn chooser<G: Game + 'static>() -> Box<dyn GamePlayer<G>> {
    player(QUICK, PlayerOptions::default()).unwrap()
}

fn search<G: Game + 'static>(
    player: &mut Box<dyn GamePlayer<G>>,
    game: &G,
    budget: Limits<'_>,
    clock: &dyn Clock,
) -> SearchResult<G::Move> {
    let position = game.start();
    let root = SearchRoot { game, position: &position };
    player.search(root, Limits { clock, ..budget }, &mut |_| ()).unwrap()
}

fn chosen<G: Game + 'static>(game: &G) -> String {
    let mut player = chooser();
    let result = search(&mut player, game, Limits::of_nodes(200), &StoppedClock);
    assert!(result.best().is_some());
    player.describe()
}

#[test]
fn one_player_gets_sequences_and_three_get_a_tree() {
    assert_eq!(chosen(&Pyramid::random(1, 5)), "nrpa: one player alone");
    assert_eq!(chosen(&Trio { stones: 20 }), "uct: not two opponents who take turns");
    assert_eq!(chosen(&Pig { goal: 20, faces: 6 }), "uct: not two opponents who take turns");
}

#[test]
fn two_opponents_get_the_winner_of_the_trial() {
    for why in [chosen(&TicTacToe), chosen(&Nim::new(&[3, 4, 5]))] {
        assert!(why.contains("quick games against"), "{why}");
        assert!(why.contains("alpha-beta") && why.contains("Monte-Carlo"), "{why}");
    }
}

#[test]
fn nodes_and_a_seed_give_the_same_choice_and_the_same_thought() {
    let once = || {
        let mut player = chooser();
        let result = search(&mut player, &TicTacToe, Limits::of_nodes(300), &StoppedClock);
        (result, player.describe())
    };
    assert_eq!(once(), once());
}

/// A clock that jumps a millisecond whenever it is read.
struct Jumping(AtomicU64);

impl Clock for Jumping {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn with_a_clock_it_plays_at_once_and_chooses_by_and_by() {
    let mut player = chooser();
    let mut turns = 0;
    while !player.describe().contains("quick games against") {
        let budget = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
        let clock = Jumping(AtomicU64::new(0));
        let result = search(&mut player, &TicTacToe, budget, &clock);
        assert!(result.best().is_some());
        assert!(clock.elapsed() < Duration::from_millis(400), "it takes its time");
        turns += 1;
        assert!(turns < 10_000, "it never chooses: {}", player.describe());
    }
    assert!(turns > 1);
}

#[test]
fn profiles_are_those_of_random_games() {
    let profile = GameProfile::measure(&TicTacToe, 200, 1).unwrap();
    assert_eq!((profile.players, profile.single_turns), (2, true));
    assert!((7.0..8.5).contains(&profile.plies), "{profile:?}");
    assert!((5.0..6.5).contains(&profile.branching), "{profile:?}");
    assert!((0.8..0.95).contains(&profile.decided) && profile.ended > 0.99, "{profile:?}");
    assert!(!GameProfile::measure(&Pig { goal: 20, faces: 6 }, 10, 1).unwrap().single_turns);
    let checks = |share| GameProfile { checks: share, ..profile }.has_checks();
    assert!(!profile.has_checks() && checks(0.05) && !checks(0.5), "{profile:?}");
    assert!(!profile.points && GameProfile::measure(&Coins::random(1, 10), 40, 1).unwrap().points);
    // Where half a point is a quarter of a win, points do not tell who has won.
    let ends = [Node::end(&[0.25, -0.25]), Node::end(&[-0.5, 0.5])];
    let graded = [vec![Node::of(0, &[("a", 1), ("b", 2)])], ends.into()].concat();
    assert!(!GameProfile::measure(&Explicit::new(2, graded), 40, 1).unwrap().points);
}

/// Where it is known who wins, the most is made of it: by how much is known, too.
#[test]
fn when_it_is_known_who_wins_points_count() {
    let mut different = 0;
    for seed in 0..12 {
        let game = Coins::random(seed, 18);
        let state = game.start();
        // Alpha-beta has the game where nothing is tried out.
        let mut player = player("auto:work=20000,trials=0", PlayerOptions::default()).unwrap();
        let result = search(&mut player, &game, Limits::of_nodes(100_000), &StoppedClock);
        assert!(player.describe().ends_with("; points count when it is known who wins"));
        assert!(result.nodes <= 100_000);
        let best = game.best(&state.state);
        let after = |mv| {
            let mut state = state;
            game.apply(&mut state, &[mv]).unwrap();
            -game.best(&state.state)
        };
        let line = &result.lines[0];
        assert_eq!(after(line.mv), best, "row {seed}");
        assert_eq!(line.score, Some(best as f64));
        assert_eq!(line.proved.and_then(|it| it.points), Some(best));
        assert_eq!(line.proved.map(|it| it.utility), Some(best.signum() as f64));
        let other = after(result.lines[1].mv);
        different += u32::from(other.signum() == best.signum() && other != best);
        assert!(result.lines[1].score.is_none_or(|it| it <= best as f64));
        assert!(line.proved.is_some_and(|it| it.plies.is_none()), "soonest is another line");
    }
    assert!(different > 3, "both moves win, by different scores: {different}");
}

/// However little there is to spend, what is said of a win and of points is true, and no win is
/// given up.
#[test]
fn what_is_told_of_points_is_true_whatever_the_budget() {
    let mut told = 0;
    for (seed, threads) in (0..40).zip([1, 2].into_iter().cycle()) {
        let game = Coins::random(seed, 20);
        let options = PlayerOptions { threads, ..PlayerOptions::default() };
        let mut player = player("auto:work=20000,trials=0", options).unwrap();
        let state = game.start();
        for nodes in [1, 30, 200, 1_000, 3_000, 10_000, 40_000] {
            let result = search(&mut player, &game, Limits::of_nodes(nodes), &StoppedClock);
            // Each of several threads may pass it by as many as it counts at once.
            let spare = if threads > 1 { 64 * threads as u64 } else { 0 };
            assert!(result.nodes <= nodes + spare, "{nodes}: {}", result.nodes);
            let is_won = |it: &Line<_>| it.proved.is_some_and(|it| it.utility > 0.0);
            assert!(is_won(&result.lines[0]) || !result.lines.iter().any(is_won));
            for line in &result.lines {
                let mut after = state;
                game.apply(&mut after, &[line.mv]).unwrap();
                let truth = -game.best(&after.state);
                let Some(proved) = line.proved else { continue };
                assert_eq!(proved.utility as i64, truth.signum(), "row {seed}, {nodes}: {line:?}");
                assert!(proved.points.is_none_or(|it| it == truth), "row {seed}: {line:?}");
                told += u32::from(proved.points.is_some());
            }
        }
    }
    assert!(told > 40, "{told}");
}
