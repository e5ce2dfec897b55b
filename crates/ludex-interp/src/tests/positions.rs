//! Hashes that follow from the cells, and texts that come back as they were.

use ludex_core::{Game, Random};
use ludex_ir::{ArrayRole, IndexKind, Inst, PositionField, Program, RoleFunctions, Var};

use super::build::*;
use super::games::game;
use crate::RulesGame;
use crate::cells::raw;

/// A board with holes and places, and one cell of every kind.
fn cluttered() -> Program {
    let mut program = square_board(5, 4, false);
    // The middle of the grid is no square: its number goes to a place beside the board.
    program.look.at[7] = -1;
    program.look.squares[7] = "left".to_owned();
    add_kind(&mut program, "pawn", ["P", "p"]);
    add_kind(&mut program, "tokin", ["+P", "+p"]);
    add_kind(&mut program, "gold", ["G", "g"]);
    add_neutral(&mut program, "stone", "*");
    add_cells(&mut program, "ep", ArrayRole::Square, &[], (-1, 19));
    add_cells(&mut program, "phase", ArrayRole::Number, &[], (-2, 3));
    add_cells(&mut program, "castle", ArrayRole::Bool, &[IndexKind::Player], (0, 1));
    let hand = [IndexKind::Player, IndexKind::Kind];
    add_cells(&mut program, "hand", ArrayRole::Number, &hand, (0, 18));
    add_cells(&mut program, "used", ArrayRole::Set, &[IndexKind::Number(3)], (0, 1));
    add_cells(&mut program, "seen", ArrayRole::Set, &[], (0, 1));
    add_cells(&mut program, "winner", ArrayRole::Player, &[], (-1, 1));
    add_cells(&mut program, "last", ArrayRole::Kind, &[IndexKind::Player], (-1, 3));
    add_cells(&mut program, "clock", ArrayRole::Counter, &[], (0, 100));
    // Castling is allowed unless a position says otherwise.
    program.arrays[4].default = 1;
    finish(&mut program);
    nothing_to_do(&mut program);
    program
}

fn nothing_to_do(program: &mut Program) {
    program.functions.clear();
    let mut moves = Code::new("moves");
    let zero = moves.number(0);
    moves.inst(Inst::Copy { dst: zero, src: Code::ME });
    let moves = add(program, moves);
    program.roles = RoleFunctions::of(moves);
    let mut features = Code::new("features");
    features.returns(Var::Int(Code::ME));
    add(program, features);
}

fn laid_out() -> Program {
    let mut program = cluttered();
    let cell = |name: &str| {
        let array = program.arrays.iter().find(|it| it.name == name);
        array.expect("the array is there").base
    };
    let castle = cell("castle");
    let flags = vec![("K".to_owned(), castle), ("k".to_owned(), castle + 1)];
    program.look.position = Some(vec![
        PositionField::Board,
        PositionField::Turn,
        PositionField::Flags(flags),
        PositionField::Cell(cell("ep")),
        PositionField::Cell(cell("clock")),
        PositionField::Text("1".to_owned()),
    ]);
    program
}

/// Values drawn at random, often the default.
fn random_values(program: &Program, random: &mut Random) -> Vec<i64> {
    let mut values = Vec::new();
    for array in &program.arrays {
        for _ in 0..array.len {
            let other = array.lo + i64::from(random.below((array.hi - array.lo + 1) as u32));
            values.push(if random.below(3) == 0 { other } else { array.default });
        }
    }
    values
}

#[track_caller]
fn round_trips(game: &RulesGame) {
    let mut random = Random::stream(3, 0, 0);
    for _ in 0..500 {
        let state = game.layout().state(&random_values(game.program(), &mut random));
        let text = game.write(&state);
        let read = game.read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(game.layout().values(&read), game.layout().values(&state), "{text}");
        assert_eq!((read.hash, read.key), (state.hash, state.key));
        assert!(!game.draw(&state).is_empty());
    }
}

#[test]
fn positions_come_back() {
    round_trips(&game(cluttered()));
    round_trips(&game(laid_out()));
}

#[test]
fn positions_look_as_people_write_them() {
    let game = game(cluttered());
    let text = "P+P3/5/1p3/*3g b left=G ep=c3 phase=2 castle.White=no hand.White=P2G1 \
                hand.Black=+P10 used.1=a1,b2 seen=e4 winner=White last.Black=gold clock=7";
    let state = game.read(text).expect("a position");
    assert_eq!(game.write(&state), text);
    let start = game.start().state;
    assert_eq!(game.write(&start), "5/5/5/5 w");
}

#[test]
fn layouts_put_cells_in_places() {
    let game = game(laid_out());
    let text = "5/5/5/5 w Kk e4 12 1 hand.White=G3";
    let state = game.read(text).expect("a position");
    assert_eq!(game.write(&state), text);
    // Fields at the end may be left out, what follows may be anything ignored.
    for (short, whole) in [
        ("5/5/5/5", "5/5/5/5 w Kk - 0 1"),
        ("5/5/5/5 b", "5/5/5/5 b Kk - 0 1"),
        ("5/5/5/5 b k", "5/5/5/5 b k - 0 1"),
        ("5/5/5/5 b k e4", "5/5/5/5 b k e4 0 1"),
        ("5/5/5/5 b - - 250 37", "5/5/5/5 b - - 100 1"),
        ("5/5/5/5 b phase=2", "5/5/5/5 b Kk - 0 1 phase=2"),
    ] {
        let state = game.read(short).expect("a position");
        assert_eq!(game.write(&state), whole);
    }
}

#[test]
fn drawings_show_everything() {
    let game = game(cluttered());
    let text = "P+P3/5/1p3/*3g b left=G ep=c3 hand.White=P2";
    let state = game.read(text).expect("a position");
    assert_eq!(
        game.draw(&state),
        "4  P +P  .  .  .\n3  .  .  .  .  .\n2  .  p     .  .\n1  *  .  .  .  g\n   a  b  c  d  e\n\
         left: G\nep: c3\nhand.White: P2\nBlack to move\n"
    );
}

#[test]
fn hashes_follow_from_the_cells() {
    let program = cluttered();
    for history in [ludex_ir::History::None, ludex_ir::History::Board, ludex_ir::History::Position]
    {
        let program = Program { history, ..program.clone() };
        let layout = crate::cells::Layout::new(&program);
        let mut random = Random::stream(4, 0, 0);
        let state = layout.state(&program.start);
        let mut cells = crate::cells::Cells::default();
        cells.load(&layout, &state);
        let mut marks = vec![cells.mark()];
        for _ in 0..2_000 {
            let cell = random.below(program.cells() as u32) as usize;
            let (array, _) = program.cell(cell);
            let value = random.below((array.hi - array.lo + 1) as u32) as u16;
            cells.write(&layout, cell, value);
            match random.below(20) {
                0 => marks.push(cells.mark()),
                1 => cells.back(&layout, marks.pop().unwrap_or(cells.mark())),
                _ => {}
            }
            assert_eq!((cells.hash(), cells.key()), layout.hashes(cells.words()));
            for square in 0..program.squares {
                let code = raw(cells.words(), square) as usize;
                let holding = cells.holding(&layout, code);
                assert!(crate::geometry::contains(holding, square));
            }
        }
        while let Some(mark) = marks.pop() {
            cells.back(&layout, mark);
        }
        let mut back = state.clone();
        cells.save(&mut back);
        // The first mark may have been used up on the way; then a later state is the last.
        assert_eq!((back.hash, back.key), layout.hashes(&back.words));
    }
}
