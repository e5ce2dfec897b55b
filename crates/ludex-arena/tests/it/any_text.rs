//! Tournament files, files of openings and records may come from anywhere: nothing in them makes the
//! arena panic, and what it accepts it can work with.

use ludex_arena::Points;
use ludex_arena::openings::read_openings;
use ludex_arena::record::{points, read_move};
use ludex_arena::tournament::{Plan, Results, schedule, standings};
use ludex_core::Random;
use ludex_core::record::Record;
use ludex_testkit::tictactoe::TicTacToe;

const WORDS: [&str; 54] = [
    "name",
    "game",
    "player",
    "kind",
    "games",
    "scoring",
    "time",
    "clock",
    "nodes",
    "depth",
    "grace",
    "openings",
    "longest",
    "resign",
    "draw",
    "ponder",
    "concurrency",
    "seed",
    "threads",
    "memory",
    "round-robin",
    "double",
    "gauntlet",
    "swiss",
    "knockout",
    "none",
    "random",
    "balanced",
    "file",
    "yes",
    "never",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "99999999999999999999",
    "1e308",
    "NaN",
    "inf",
    "0.5",
    "5m+1s",
    "1ms",
    "\"",
    "\"a b\"",
    "#",
    "a1",
    "b2",
    ",",
    ":",
    "=",
    "é",
    "\u{0}",
    "position:",
];

fn line(random: &mut Random) -> String {
    let words = (0..random.below(6)).map(|_| *random.pick(&WORDS).expect("there are words"));
    words.collect::<Vec<_>>().join(if random.below(9) == 0 { "" } else { " " })
}

fn text(random: &mut Random) -> String {
    (0..random.below(12)).map(|_| line(random) + "\n").collect()
}

/// A right text with something else in one place.
fn spoiled(good: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = good.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(letters.len() as u32) as usize;
        match random.below(3) {
            0 => drop(letters.remove(at)),
            1 => letters
                .insert(at, *random.pick(&['\n', '"', '#', '9', '{', '%', '\u{2028}']).unwrap()),
            _ => {
                let word = line(random);
                letters.splice(at..at, word.chars());
            }
        }
    }
    letters.into_iter().collect()
}

const PLAN: &str = "game g\nplayer a x\nplayer \"b c\" y\nplayer d\nplayer e\nkind swiss 2\nscoring 2 1 0\n\
                    clock 5m+1s\nopenings balanced 4\nresign 0.9 3\nseed 4\n";

#[test]
fn tournament_files() {
    let mut random = Random::stream(1, 0, 0);
    let mut accepted = 0;
    for round in 0..20_000 {
        let text = if round % 2 == 0 { text(&mut random) } else { spoiled(PLAN, &mut random) };
        match Plan::parse(&text) {
            Err(troubles) => assert!(!troubles.is_empty()),
            Ok(plan) => {
                accepted += 1;
                if plan.expected_games() < 2000 {
                    use_plan(&plan, &mut random);
                }
                let seats = random.below(6) as usize;
                match plan.for_seats(seats) {
                    Ok(plan) if plan.expected_games() < 2000 => use_plan(&plan, &mut random),
                    Ok(_) => {}
                    Err(why) => assert!(!why.is_empty()),
                }
            }
        }
    }
    assert!(accepted > 500, "{accepted} were right: the test has lost its teeth");
}

fn use_plan(plan: &Plan, random: &mut Random) {
    let mut results = Results::new();
    assert!(!plan.lines().is_empty());
    for _ in 0..2 {
        let known = schedule(plan, &results);
        for fixture in known.fixtures() {
            assert!(fixture.entrants.iter().all(|&it| it < plan.players.len()));
            let values: Vec<f64> =
                fixture.entrants.iter().map(|_| f64::from(random.below(3))).collect();
            results.insert(fixture.number, Points::of_values(&values));
        }
        let known = schedule(plan, &results);
        assert_eq!(standings(plan, &known, &results).len(), plan.players.len());
    }
}

#[test]
fn openings() {
    let mut random = Random::stream(2, 0, 0);
    for _ in 0..5_000 {
        let text = text(&mut random);
        let _ = read_openings(&TicTacToe, &text);
        let _ = read_openings(&TicTacToe, &spoiled("b2 a1\nposition: x : a1\n", &mut random));
    }
}

const RECORD: &str = "game: g\nplayers: a, b\nresult: 1, -1\npoints: 1, 0\nend: time\n\n\
                      1. a1 {value=+0.5 told=cp_3 depth=3 nodes=9 time=0.1 clock=5.0} b2 c3\n";

#[test]
fn records() {
    let mut random = Random::stream(3, 0, 0);
    let mut accepted = 0;
    for round in 0..20_000 {
        let text = if round % 4 == 0 { text(&mut random) } else { spoiled(RECORD, &mut random) };
        let Ok(record) = Record::parse(&text) else { continue };
        accepted += 1;
        assert!(
            points(&record).is_none_or(|it| it.all().iter().all(|it| (0.0..=1.0).contains(it)))
        );
        for turn in &record.turns {
            let made = read_move(turn);
            assert!(made.value.is_none_or(f64::is_finite));
        }
    }
    assert!(accepted > 1000, "{accepted} were right: the test has lost its teeth");
}
