//! Go on a tiny board, against a plain program: captures by flood, suicide, superko.

use std::collections::BTreeSet;

use ludex_core::laws::{LawsConfig, assert_holds};
use ludex_core::perft::perft_counts;
use ludex_ir::{Func, History, Inst, OperandKind, Program, RoleFunctions, Say, SetBinary, Var};

use super::build::*;
use super::games::{after, game, list_empty, names};
use ludex_core::Game;

/// The group of the man on a square, if it has no liberty; a function of (me, square, code).
fn dead_group() -> Code {
    let mut code = Code::new("dead");
    let (square, man) = (code.param(), code.param());
    let dead = code.set();
    code.returns(Var::Set(dead));
    let (one, four) = (code.number(1), code.number(FOUR));
    let mask = code.mask(man);
    let (men, empty, from) = (code.squares_with(mask), code.squares_with(one), code.single(square));
    let (group, around) = (code.set(), code.set());
    code.inst(Inst::Flood { dst: group, from, within: men, list: four });
    code.inst(Inst::Neighbours { dst: around, src: group, list: four });
    let liberties = code.set_op(SetBinary::Intersection, around, empty);
    let (alive, zero) = (code.any(liberties), code.number(0));
    let gone = code.op(ludex_ir::Binary::Eq, alive, zero);
    code.when(gone, |code| code.inst(Inst::SetCopy { dst: dead, src: group }));
    code
}

fn dead(
    code: &mut Code,
    func: Func,
    square: ludex_ir::Reg,
    man: ludex_ir::Reg,
) -> ludex_ir::SetReg {
    let result = code.set();
    let args = vec![Var::Int(Code::ME), Var::Int(square), Var::Int(man)];
    code.inst(Inst::Call { func, args, result: Some(Var::Set(result)) });
    result
}

/// Put a stone, take what is dead; suicide and repeating a position are illegal.
fn go(columns: usize, rows: usize) -> Program {
    let mut program = square_board(columns, rows, false);
    add_kind(&mut program, "stone", ["X", "O"]);
    program.history = History::Board;
    let dead_group = add(&mut program, dead_group());

    let mut effect = Code::new("put");
    let square = effect.param();
    let (mine, theirs, zero) = (effect.my_man(), effect.their_man(), effect.number(0));
    effect.put(square, mine);
    effect.each_direction(FOUR, |effect, dir| {
        let next = effect.step(square, dir);
        let taken = dead(effect, dead_group, next, theirs);
        effect.inst(Inst::StoreAll { set: taken, value: zero });
    });
    effect.say(Say::Square(square));
    let put = add_statement(&mut program, &[("a", OperandKind::Square)], false, effect);

    let moves = add(&mut program, list_empty(put));
    program.roles = RoleFunctions::of(moves);

    let mut illegal = Code::new("illegal");
    let bad = illegal.int();
    illegal.returns(Var::Int(bad));
    illegal.inst(Inst::Repeats { dst: bad });
    let (mine, one) = (illegal.my_man(), illegal.number(1));
    let mask = illegal.mask(mine);
    let men = illegal.squares_with(mask);
    illegal.each(men, |illegal, square| {
        let dead = dead(illegal, dead_group, square, mine);
        let any = illegal.any(dead);
        illegal.when(any, |illegal| illegal.inst(Inst::Copy { dst: bad, src: one }));
    });
    program.roles.illegal = Some(add(&mut program, illegal));
    program
}

/// The same game, written plainly.
struct Plain {
    columns: i32,
    rows: i32,
}

type Stones = Vec<u8>;

impl Plain {
    fn around(&self, square: usize) -> Vec<usize> {
        let (x, y) = (square as i32 % self.columns, square as i32 / self.columns);
        [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            .into_iter()
            .filter(|&(x, y)| 0 <= x && x < self.columns && 0 <= y && y < self.rows)
            .map(|(x, y)| (y * self.columns + x) as usize)
            .collect()
    }

    fn dead(&self, board: &Stones, square: usize) -> Option<BTreeSet<usize>> {
        let mut group = BTreeSet::from([square]);
        let mut todo = vec![square];
        while let Some(square) = todo.pop() {
            for next in self.around(square) {
                if board[next] == 0 {
                    return None;
                }
                if board[next] == board[square] && group.insert(next) {
                    todo.push(next);
                }
            }
        }
        Some(group)
    }

    fn play(&self, board: &Stones, square: usize, me: u8) -> Option<Stones> {
        let mut board = board.clone();
        if board[square] != 0 {
            return None;
        }
        board[square] = me;
        for next in self.around(square) {
            if board[next] == 3 - me {
                for taken in self.dead(&board, next).unwrap_or_default() {
                    board[taken] = 0;
                }
            }
        }
        if self.dead(&board, square).is_some() { None } else { Some(board) }
    }

    fn count(&self, past: &mut Vec<Stones>, me: u8, depth: usize, counts: &mut [u64]) {
        if depth == counts.len() {
            return;
        }
        for square in 0..(self.columns * self.rows) as usize {
            let board = past.last().expect("there is a start");
            if let Some(next) = self.play(board, square, me).filter(|it| !past.contains(it)) {
                counts[depth] += 1;
                past.push(next);
                self.count(past, 3 - me, depth + 1, counts);
                past.pop();
            }
        }
    }
}

#[track_caller]
fn check(columns: usize, rows: usize, depth: usize) {
    let game = game(go(columns, rows));
    let position = game.start();
    let counts = perft_counts(&game, &position, depth as u32).expect("no fault");
    let plain = Plain { columns: columns as i32, rows: rows as i32 };
    let mut expected = vec![0; depth];
    plain.count(&mut vec![vec![0; columns * rows]], 1, 0, &mut expected);
    assert_eq!(counts, expected);
}

#[test]
fn tiny_go_has_the_counts_of_a_plain_program() {
    check(2, 2, 9);
    check(3, 2, 7);
    check(3, 3, 5);
}

#[test]
fn tiny_go_keeps_the_laws() {
    let report =
        assert_holds(&game(go(3, 3)), &LawsConfig { positions: 300, ..LawsConfig::default() });
    assert!(report.finished > 0, "{report:?}");
    assert_holds(
        &game(go(9, 9)),
        &LawsConfig { positions: 60, every: 20, ..LawsConfig::default() },
    );
}

#[test]
fn a_ko_may_not_be_retaken() {
    let game = game(go(4, 3));
    // White takes in a ko on b2/c2; Black may not take back at once.
    let position = after(&game, "b1 c1 b3 c3 a2 d2 c2");
    assert_eq!(game.write(&position.state), "1XO1/X1XO/1XO1 b");
    let position = {
        let mut position = position;
        let mv = game.named(&position, game.mover(&position.state), "b2").expect("no fault");
        game.apply(&mut position, &[mv.expect("Black takes")]).expect("no fault");
        position
    };
    assert_eq!(game.write(&position.state), "1XO1/XO1O/1XO1 w");
    assert!(!names(&game, &position).contains(&"c2".to_owned()));
    // Without the past there is nothing against it.
    let position = game.position(position.state.clone());
    assert!(names(&game, &position).contains(&"c2".to_owned()));
}
