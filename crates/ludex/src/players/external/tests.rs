//! Games with real programs, where they are installed: `stockfish`, `fairy-stockfish`, `gnuchess`,
//! `phalanx`, `gnugo`, `gtp-rhino`, `gpsusi` (packages of Debian).

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludex_arena::adjudication::Adjudication;
use ludex_arena::{Conditions, Opening, Termination, TimeControl, play_game};
use ludex_core::{GameExt, Random};
use ludex_search::PlayerOptions;
use ludex_search::timing::GameClock;

use super::*;
use crate::engine::EngineKind;
use crate::game::LoadedGame;
use crate::players::Entrant;

/// Whether a program is here; if not, that is said, past whatever captures the output of tests.
fn is_here(program: &str) -> bool {
    let here = find(program).is_ok();
    if !here {
        let _ = writeln!(io::stderr(), "skipped: {program} is not installed");
    }
    here
}

/// A few random moves, so that no two games are the same.
fn opening(
    game: &CompiledGame,
    start: Option<&str>,
    plies: usize,
    seed: u64,
) -> Opening<CompiledGame> {
    let mut opening = match start {
        Some(text) => Opening::from_position(game, text).expect("it is a position"),
        None => Opening::none(game),
    };
    let mut random = Random::stream(seed, 0, 0);
    for _ in 0..plies {
        let mv = game.random_move(&opening.position, &mut random).expect("no fault");
        opening.play(game, mv.expect("the game goes on")).expect("no fault");
    }
    opening
}

/// Plays with a program against random moves, once on each side; gives how the games ended and how
/// many of the program's moves came with an opinion.
fn games(
    game: &str,
    spec: &str,
    start: Option<&str>,
    time_control: TimeControl,
    longest: u32,
) -> (Vec<Termination>, usize) {
    let loaded = LoadedGame::load(game, EngineKind::Interpreter).expect("it is bundled");
    let [program, random] =
        [spec, "random"].map(|it| Entrant::read(it, &loaded).expect("it can be read"));
    let mut seated =
        program.seat(&loaded, PlayerOptions::default(), &time_control).expect("it can be seated");
    let mut other =
        random.seat(&loaded, PlayerOptions::default(), &time_control).expect("it can be seated");
    let stop = AtomicBool::new(false);
    let (adjudication, ponder) = (Adjudication::default(), false);
    let conditions =
        Conditions { game: &loaded.game, time_control, longest, adjudication, ponder, stop: &stop };
    let mut ends = Vec::new();
    let mut opinions = 0;
    for side in 0..2 {
        let opening = opening(&loaded.game, start, 2, side);
        let mut seats: [&mut dyn Contestant<CompiledGame>; 2] =
            if side == 0 { [&mut *seated, &mut *other] } else { [&mut *other, &mut *seated] };
        let played =
            play_game(&conditions, &opening, &mut seats, side).expect("the rules have no fault");
        let own = played.moves.iter().filter(|it| it.seat == Some(side as usize));
        opinions += own.filter(|it| it.value.is_some()).count();
        assert!(!played.moves.is_empty(), "{spec}: {:?}", played.end);
        ends.push(played.end);
    }
    (ends, opinions)
}

fn is_sound(end: &Termination) -> bool {
    matches!(end, Termination::Rules | Termination::MoveLimit)
}

/// A program plays this game by the rules.
#[track_caller]
fn plays(game: &str, spec: &str, longest: u32) -> usize {
    let time_control =
        TimeControl { per_move: Some(Duration::from_secs(5)), ..TimeControl::default() };
    let (ends, opinions) = games(game, spec, None, time_control, longest);
    assert!(ends.iter().all(is_sound), "{game}, {spec}: {ends:?}");
    opinions
}

#[test]
fn chess_by_uci() {
    if is_here("stockfish") {
        assert!(plays("chess", "cmd:stockfish,option.Hash=1,nodes=100", 60) > 5);
        let position = "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1";
        let (ends, _) =
            games("chess", "cmd:stockfish,nodes=200", Some(position), TimeControl::of_nodes(1), 40);
        assert!(ends.iter().all(is_sound), "{ends:?}");
        let clock = GameClock::new(Duration::from_secs(2), Duration::ZERO);
        let time_control = TimeControl { clock: Some(clock), ..TimeControl::default() };
        let (ends, _) = games("chess", "cmd:stockfish", None, time_control, 12);
        assert!(ends.iter().all(is_sound), "{ends:?}");
    }
    if is_here("gnuchess") {
        plays("chess", "cmd:gnuchess --uci,depth=2", 30);
    }
}

#[test]
fn chess_by_cecp() {
    if is_here("phalanx") {
        let clock = GameClock::new(Duration::from_secs(3), Duration::ZERO);
        let time_control = TimeControl { clock: Some(clock), ..TimeControl::default() };
        let (ends, _) = games("chess", "cmd:phalanx,protocol=xboard", None, time_control, 12);
        assert!(ends.iter().all(is_sound), "{ends:?}");
        let position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let (ends, opinions) =
            games("chess", "cmd:phalanx,protocol=cecp", Some(position), time_control, 10);
        assert!(ends.iter().all(is_sound) && opinions > 1, "{ends:?}, {opinions}");
    }
}

#[test]
fn relatives_of_chess_by_uci() {
    if is_here("fairy-stockfish") {
        plays("breakthrough", "cmd:fairy-stockfish,protocol=uci,nodes=100", 60);
        plays("xiangqi", "cmd:fairy-stockfish,nodes=100", 40);
        plays("minishogi", "cmd:fairy-stockfish,protocol=uci,nodes=100", 40);
        plays("minishogi", "cmd:fairy-stockfish,protocol=usi,nodes=100", 40);
    }
}

#[test]
fn go_and_othello_by_gtp() {
    if is_here("gnugo") {
        plays("go:5", "cmd:gnugo --mode gtp --level 1 --positional-superko", 16);
    }
    if is_here("gtp-rhino") {
        plays("othello", "cmd:gtp-rhino -l 1,protocol=gtp", 100);
    }
}

#[test]
fn shogi_by_usi() {
    if is_here("gpsusi") {
        plays("shogi", "cmd:gpsusi,option.LimitDepth=4", 8);
    }
}

#[test]
fn what_cannot_be_played_loses_and_is_told() {
    if is_here("stockfish") {
        let time_control = TimeControl::of_nodes(10);
        let loaded = LoadedGame::load("chess", EngineKind::Interpreter).expect("it is bundled");
        let entrant = Entrant::read("cmd:stockfish,option.Hsh=1", &loaded).expect("it can be read");
        let mut seat = entrant
            .seat(&loaded, PlayerOptions::default(), &time_control)
            .expect("it can be seated");
        let opening = Opening::none(&loaded.game);
        let stop = AtomicBool::new(false);
        let view = GameView {
            game: &loaded.game,
            position: &opening.position,
            start: None,
            start_state: &opening.start_state,
            moves: &[],
            names: &[],
            stop: &stop,
        };
        let failure = seat.begin(&view, Player(0), 0).expect_err("there is no such option");
        assert_eq!(failure.kind, FailureKind::Protocol);
        assert!(failure.reason.contains("did you mean `Hash`?"), "{failure}");
    }
}

#[test]
fn programs_that_are_not_there_are_named() {
    let loaded = LoadedGame::load("chess", EngineKind::Interpreter).expect("it is bundled");
    let error = |spec: &str| ExternalEngine::read(spec, &loaded).expect_err(spec).to_string();
    assert_eq!(error("cmd:./no/such"), "there is no program `./no/such`");
    assert_eq!(error("cmd:"), "there is no program after `cmd:`");
    assert!(error("cmd:sh,protocol=usb").contains("`usb`"));
}
