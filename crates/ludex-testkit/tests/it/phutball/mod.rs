//! The players of the Berder tournament: what their files list and think, against the same written by
//! hand, on random positions and by both engines. A list of candidates is a sequence here, because a plain search
//! plays the first of equals.

mod listing;

use ludex_core::{Game, GameExt, Limits, Player as Seat, Position, Random, State, Trail};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_rules::compile_player;
use ludex_search::{PlayerOptions, SearchRoot, player};

use listing::{ALL, POINTS, Pitch, Side, Who, best};

const RULES: &str = include_str!("../../../../../games/phutball.game");

fn text(who: Who) -> &'static str {
    match who {
        Who::Platon => include_str!("../../../../../players/phutball/platon.player"),
        Who::LaoTseu => include_str!("../../../../../players/phutball/lao-tseu.player"),
        Who::Socrate => include_str!("../../../../../players/phutball/socrate.player"),
        Who::Kant => include_str!("../../../../../players/phutball/kant.player"),
        Who::KantIntended => include_str!("../../../../../players/phutball/kant-intended.player"),
        Who::Descartes => include_str!("../../../../../players/phutball/descartes.player"),
        Who::Introspect => include_str!("../../../../../players/phutball/introspect.player"),
        Who::Simplet => include_str!("../../../../../players/phutball/simplet.player"),
    }
}

/// The interpreter with the opinions of a player.
fn interpreter(who: Who) -> RulesGame {
    let compiled = compile_player(RULES, "", text(who));
    assert!(!compiled.has_errors(), "{who:?}: {:?}", compiled.diagnostics);
    RulesGame::new(compiled.program.expect("there are no errors"))
}

/// What is on the board of a state.
fn pitch<G: Game<State = State>>(game: &G, state: &State) -> Pitch {
    let mut men = Vec::new();
    game.men(state, &mut men);
    let mut pitch = Pitch { stones: [false; POINTS as usize], ball: -1 };
    for (square, code) in men {
        // The rules name the ball first.
        match code {
            0 => pitch.ball = i32::from(square),
            _ => pitch.stones[usize::from(square)] = true,
        }
    }
    pitch
}

/// Empty points in a row, as text.
fn run(empty: i32) -> String {
    if empty > 0 { empty.to_string() } else { String::new() }
}

/// A position as text.
fn written(pitch: &Pitch, side: Side) -> String {
    let row = |rank: i32| {
        let (mut text, mut empty) = (String::new(), 0);
        for point in rank * 19..(rank + 1) * 19 {
            if pitch.is_empty(point) {
                empty += 1;
                continue;
            }
            text += &run(std::mem::take(&mut empty));
            text.push(if point == pitch.ball { '@' } else { 'o' });
        }
        text + &run(empty)
    };
    let rows: Vec<String> = (0..19).rev().map(row).collect();
    format!("{} {}", rows.join("/"), if side == Side::Left { "l" } else { "r" })
}

/// A ball anywhere but on a goal column, with stones around it and in its row.
fn random_pitch(random: &mut Random) -> Pitch {
    let (x, y) = (random.below(17) as i32 + 1, random.below(19) as i32);
    let mut pitch = Pitch { stones: [false; POINTS as usize], ball: y * 19 + x };
    for _ in 0..random.below(18) {
        let far = |random: &mut Random| random.below(9) as i32 - 4;
        let (x, y) = (x + far(random), y + far(random));
        let point = y * 19 + x;
        if (0..19).contains(&x) && (0..19).contains(&y) && point != pitch.ball {
            pitch.stones[point as usize] = true;
        }
    }
    pitch
}

fn seat(side: Side) -> Seat {
    Seat(u8::from(side == Side::Right))
}

/// The positions after moves, one after the other.
fn reached<G>(game: &G, at: &Position, moves: &[(G::Move, f64)]) -> Vec<Pitch>
where
    G: Game<State = State, Trail = Trail>,
{
    let after = |&(mv, _): &(G::Move, f64)| {
        let next = game.after(at, mv).expect("no fault");
        pitch(game, &next.state)
    };
    moves.iter().map(after).collect()
}

/// Compares what a file says about a position with what is expected.
fn compare<G>(game: &G, who: Who, start: &Pitch, mover: Side)
where
    G: Game<State = State, Trail = Trail>,
{
    let text = written(start, mover);
    let position = game.position(game.read(&text).expect("it is a position"));
    for side in [Side::Left, Side::Right] {
        let depth = u32::from(side != mover);
        let sign = if side == mover { 1.0 } else { -1.0 };
        let opinion = game.evaluate(&position, seat(side), depth).expect("no fault");
        let expected = f64::from(start.evaluation(who, side));
        assert_eq!(opinion.map(|it| it * sign), Some(expected), "{who:?}, {side:?}: {text}");
        let advice = game.unchecked_candidates(&position, seat(side), depth).expect("no fault");
        let advice = advice.expect("it has candidates");
        assert!(advice.only);
        let mut listed = reached(game, &position, &advice.moves);
        listing::keep_first(&mut listed);
        assert!(listed == start.candidates(who, side, depth), "{who:?}, {side:?}: {text}");
        let legal = legal(game, &position, seat(mover));
        listed.retain(|it| legal.contains(it));
        let checked = game.candidates(&position, seat(side), depth).expect("no fault");
        let checked = reached(game, &position, &checked.expect("it has candidates").moves);
        assert!(checked == listed, "what is legal, {who:?}, {side:?}: {text}");
    }
}

/// The positions after all legal moves.
fn legal<G>(game: &G, position: &Position, mover: Seat) -> Vec<Pitch>
where
    G: Game<State = State, Trail = Trail>,
{
    let mut moves = Vec::new();
    game.moves(position, mover, &mut moves).expect("no fault");
    let moves: Vec<(G::Move, f64)> = moves.into_iter().map(|it| (it, 0.0)).collect();
    reached(game, position, &moves)
}

#[test]
fn files_list_and_think_what_the_paper_prints() {
    for who in ALL {
        let plain = interpreter(who);
        let native = CompiledGame::native(interpreter(who)).expect("there is native code");
        let mut random = Random::stream(1999, 0, 0);
        for number in 0..60 {
            let start = random_pitch(&mut random);
            let mover = if number % 2 == 0 { Side::Left } else { Side::Right };
            compare(&native, who, &start, mover);
            if number < 12 {
                compare(&plain, who, &start, mover);
            }
        }
    }
}

#[test]
fn files_have_no_warnings() {
    let others = [
        include_str!("../../../../../players/phutball/archimedes.player"),
        include_str!("../../../../../players/phutball/template.player"),
    ];
    for text in ALL.map(text).into_iter().chain(others) {
        let compiled = compile_player(RULES, "", text);
        assert!(compiled.diagnostics.is_empty(), "{:?}", compiled.diagnostics);
        let other_rules = "9,7,capture=one,turns=2,removing=yes,handicap=1";
        assert!(!compile_player(RULES, other_rules, text).has_errors());
    }
}

/// The position after the move that a file decides on.
fn reply(game: &CompiledGame, who: Who, start: &Pitch, mover: Side) -> Pitch {
    let position = game.position(game.read(&written(start, mover)).expect("it is a position"));
    let search = text(who).lines().find_map(|it| it.strip_prefix("search alphabeta-plain "));
    let search = search.expect("it names its search").replace(' ', ",");
    let mut thinker =
        player::<CompiledGame>(&format!("alphabeta-plain:{search}"), PlayerOptions::default())
            .expect("it is");
    let mut ignore = |_: &ludex_search::SearchResult<_>| {};
    let limits = Limits::default();
    let task = SearchRoot { game, position: &position };
    let thought = thinker.search(task, limits, &mut ignore).expect("no fault");
    let mv = thought.lines.first().expect("there is a move").mv;
    reached(game, &position, &[(mv, 0.0)])[0]
}

#[test]
fn files_play_what_the_programs_play() {
    for who in ALL {
        let game = CompiledGame::native(interpreter(who)).expect("there is native code");
        let mut random = Random::stream(7, 0, 0);
        let (mut at, mut side) = (Pitch::start(), Side::Left);
        // A game with itself, in which some stones come out of nowhere.
        for ply in 0..8 {
            let (index, _) = best(&at, who, side).expect("there is a move");
            let expected = at.candidates(who, side, 0)[index];
            let text = written(&at, side);
            assert!(reply(&game, who, &at, side) == expected, "{who:?}, ply {ply}: {text}");
            at = expected;
            if at.is_over() {
                break;
            }
            let near = (at.ball + random.below(5) as i32 * 19 - 38 + 2).clamp(0, POINTS - 1);
            if at.is_empty(near) {
                at.stones[near as usize] = true;
            }
            side = if side == Side::Left { Side::Right } else { Side::Left };
        }
    }
}
