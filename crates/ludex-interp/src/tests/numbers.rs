//! Numbers, reals, and how moves are packed.

use ludex_core::Random;
use ludex_ir::moves::{Packer, Path, Value};
use ludex_ir::{Binary, OperandKind, PackedMove, StatementId, Unary};

use super::build::*;
use crate::geometry::Board;
use crate::numbers::{binary, unary};
use crate::operands::{twin_order, unpack};
use crate::reals::{bits, real};
use crate::tables::Tables;

#[test]
fn numbers_never_fail() {
    let board = Board::new(&square_board(3, 3, false));
    let extremes = [i64::MIN, -1, 0, 1, 7, i64::MAX];
    let ops = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Rem, Binary::Distance];
    for (a, b) in extremes.iter().flat_map(|&a| extremes.map(|b| (a, b))) {
        for op in ops {
            binary(&board, op, a, b);
        }
        unary(&board, Unary::Abs, a);
        unary(&board, Unary::Neg, a);
    }
    assert_eq!(binary(&board, Binary::Div, -7, 2), -3);
    assert_eq!(binary(&board, Binary::Rem, -7, 2), -1);
    assert_eq!(binary(&board, Binary::Div, 7, 0), 0);
    assert_eq!(binary(&board, Binary::Rem, 7, 0), 0);
    assert_eq!(binary(&board, Binary::Distance, 0, 8), 2);
    assert_eq!(binary(&board, Binary::Distance, 0, 9), -1);
    assert_eq!(unary(&board, Unary::Opposite, 4), 5);
    assert_eq!(unary(&board, Unary::Opposite, 8), -1);
}

#[test]
fn reals_are_numbers() {
    let board = Board::new(&square_board(3, 3, false));
    let (inf, nan) = (f64::INFINITY.to_bits() as i64, f64::NAN.to_bits() as i64);
    for op in [Binary::RSub, Binary::RDiv, Binary::RAdd, Binary::RMin, Binary::RMax, Binary::RMul] {
        assert!(!real(binary(&board, op, inf, inf)).is_nan(), "{op:?}");
        assert!(!real(binary(&board, op, nan, nan)).is_nan(), "{op:?}");
    }
    let two = unary(&board, Unary::Real, 2);
    assert_eq!(real(binary(&board, Binary::RDiv, two, bits(0.0))).to_bits(), 0);
    assert_eq!(unary(&board, Unary::RSqrt, bits(-4.0)), bits(0.0));
    assert_eq!(real(unary(&board, Unary::RSqrt, bits(4.0))).to_bits(), 2_f64.to_bits());
    assert_eq!(real(unary(&board, Unary::RExp, 0)).to_bits(), 1_f64.to_bits());
}

fn tables() -> Tables {
    let mut program = square_board(5, 4, false);
    add_kind(&mut program, "man", ["M", "m"]);
    let kinds = [
        OperandKind::Bool,
        OperandKind::Square,
        OperandKind::Direction,
        OperandKind::Directions,
        OperandKind::Kind,
        OperandKind::Player,
        OperandKind::Number,
        OperandKind::PathOfSquares,
    ];
    program.roles.moves = add(&mut program, Code::new("moves"));
    let mut effect = Code::new("effect");
    for kind in kinds {
        if kind.is_path() {
            effect.path_param();
        } else {
            effect.param();
        }
    }
    add_statement(&mut program, &kinds.map(|kind| ("x", kind)), false, effect);
    Tables::new(ludex_ir::verify(program).expect("the test builds a right program"))
}

#[test]
fn moves_are_packed_as_the_program_says() {
    let tables = tables();
    let mut random = Random::stream(1, 0, 0);
    for _ in 0..1_000 {
        let mut draw = |below: u32| i64::from(random.below(below));
        let mut path = Path::default();
        for _ in 0..draw(9) {
            path = path.push(draw(20), 5, 16).expect("there is room");
        }
        let ints = [
            draw(2),
            draw(21) - 1,
            draw(9) - 1,
            draw(4) - 1,
            draw(2) - 1,
            draw(3) - 1,
            draw(60_000) - 30_000,
        ];
        let mut values: Vec<Value> = ints.map(Value::Int).to_vec();
        values.push(Value::Path(path));
        let packed = tables.program.pack(StatementId(0), &values).expect("all fit");

        let mut packer = Packer::new(StatementId(0));
        for (value, &(kind, width)) in values.iter().zip(&tables.operands[0]) {
            match *value {
                Value::Int(value) => packer.int(kind, width, value),
                Value::Path(path) => packer.path(width, path),
            }
            .expect("all fit");
        }
        assert_eq!(packer.finish(), packed);
        let mut read = Vec::new();
        unpack(&tables, StatementId(0), packed, |_, value| read.push(value));
        assert_eq!(read, values);
        assert_eq!(tables.program.unpack(packed), values);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let (kind, width) = tables().operands[0][6];
    for value in [i64::MAX, i64::MIN, 32_768, -32_769] {
        assert_eq!(Packer::new(StatementId(0)).int(kind, width, value), None);
    }
    assert!(Packer::new(StatementId(0)).int(kind, width, 32_767).is_some());
}

#[test]
fn garbage_is_read_as_something() {
    let tables = tables();
    let mut random = Random::stream(2, 0, 0);
    for _ in 0..1_000 {
        let bits = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        let mv = PackedMove(bits & !0xff);
        unpack(&tables, StatementId(0), mv, |_, value| {
            if let Value::Path(path) = value {
                assert!(path.item(path.len as usize, 5).is_none());
                assert!((0..path.len as usize).all(|it| path.item(it, 5).is_some()));
            }
        });
        twin_order(&tables, PackedMove(bits));
    }
}
