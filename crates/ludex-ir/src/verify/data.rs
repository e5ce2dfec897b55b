//! Rules about everything that is not code.

use std::collections::BTreeSet;

use super::Errors;
use crate::program::{
    Array, ArrayRole, MAX_CELLS, MAX_DOMAIN, MAX_MEN, MAX_PLAYERS, MAX_SQUARES, MAX_STATEMENTS,
    PositionField, Program,
};

pub(super) fn check(program: &Program, errors: &mut Errors) {
    limits(program, errors);
    men(program, errors);
    first_arrays(program, errors);
    arrays(program, errors);
    start(program, errors);
    constants(program, errors);
    geometry(program, errors);
    look(program, errors);
    drawing(program, errors);
}

fn limits(program: &Program, errors: &mut Errors) {
    let cells = program.arrays.iter().fold(0, |sum: usize, it| sum.saturating_add(it.len));
    let limits = [
        ("squares", program.squares, MAX_SQUARES),
        ("cells", cells, MAX_CELLS),
        ("men", program.men.len(), MAX_MEN),
        ("move statements", program.statements.len(), MAX_STATEMENTS),
        ("players", program.players.len(), MAX_PLAYERS),
    ];
    for (what, count, most) in limits {
        errors.part(count <= most, "limits", format!("{count} {what}, at most {most} are allowed"));
    }
    errors.part(!program.players.is_empty(), "limits", "there is no player");
}

fn men(program: &Program, errors: &mut Errors) {
    let mut seen = BTreeSet::new();
    for (index, man) in program.men.iter().enumerate() {
        let name = format!("man {}", index + 1);
        let owner = man.owner.is_none_or(|it| (it as usize) < program.players.len());
        errors.part(owner, &name, "its owner is no player");
        let kind = (man.kind as usize) < program.kinds.len();
        errors.part(kind, &name, "its kind does not exist");
        errors.part(seen.insert((man.owner, man.kind)), &name, "there is another man like it");
    }
}

fn first_arrays(program: &Program, errors: &mut Errors) {
    for (index, array) in program.arrays.iter().enumerate() {
        let board = array.role == ArrayRole::Board;
        let turn = array.role == ArrayRole::Turn;
        let right = board == (index == 0) && turn == (index == 1);
        errors.part(right, array_name(index, array), "the board is array 0, the turn array 1");
    }
    errors.part(program.arrays.len() >= 2, "arrays", "there must be a board and a turn");
}

fn arrays(program: &Program, errors: &mut Errors) {
    let mut base: usize = 0;
    for (index, array) in program.arrays.iter().enumerate() {
        let name = array_name(index, array);
        let gap = format!("begins at cell {}, should be {base}", array.base);
        errors.part(array.base == base, &name, gap);
        base = base.saturating_add(array.len);
        let len = expected_len(program, array);
        let wrong = format!("has {} cells, its indices make {len}", array.len);
        errors.part(array.len == len, &name, wrong);
        if let Some((lo, hi)) = expected_domain(program, array) {
            let wrong = format!("is {} to {}, should be {lo} to {hi}", array.lo, array.hi);
            errors.part((array.lo, array.hi) == (lo, hi), &name, wrong);
        }
        let values = array.hi.checked_sub(array.lo).and_then(|it| it.checked_add(1));
        let few = values.is_some_and(|it| (1..=MAX_DOMAIN).contains(&it));
        let wrong = format!("is {} to {}, should be 1 to {MAX_DOMAIN} values", array.lo, array.hi);
        errors.part(few, &name, wrong);
        let inside = array.len == 0 || (array.lo..=array.hi).contains(&array.default);
        errors.part(inside, &name, "its default is outside its domain");
    }
}

fn array_name(index: usize, array: &Array) -> String {
    format!("array a{index} {:?}", array.name)
}

fn expected_len(program: &Program, array: &Array) -> usize {
    let each = match array.role {
        ArrayRole::Board | ArrayRole::Set => program.squares,
        _ => 1,
    };
    let sizes = array.indices.iter().map(|&kind| program.index_len(kind));
    sizes.fold(each, usize::saturating_mul)
}

/// The domain that the role of an array fixes.
fn expected_domain(program: &Program, array: &Array) -> Option<(i64, i64)> {
    let up_to = |count: usize| count as i64 - 1;
    match array.role {
        ArrayRole::Board => Some((0, program.men.len() as i64)),
        ArrayRole::Turn => Some((0, up_to(program.players.len()))),
        ArrayRole::Bool | ArrayRole::Set => Some((0, 1)),
        ArrayRole::Square => Some((-1, up_to(program.squares))),
        ArrayRole::Player => Some((-1, up_to(program.players.len()))),
        ArrayRole::Kind => Some((-1, up_to(program.kinds.len()))),
        ArrayRole::Number | ArrayRole::Counter => None,
    }
}

fn start(program: &Program, errors: &mut Errors) {
    let cells = program.arrays.iter().flat_map(|array| {
        // A length out of bounds is reported apart and not walked along.
        (0..array.len.min(MAX_CELLS)).map(move |index| (array, index))
    });
    for ((array, index), &value) in cells.zip(&program.start) {
        let message = format!("{:?}, cell {index}: {value} is outside the domain", array.name);
        errors.part((array.lo..=array.hi).contains(&value), "start", message);
    }
    let cells = program.arrays.iter().fold(0, |sum: usize, it| sum.saturating_add(it.len));
    let message = format!("{} values for {cells} cells", program.start.len());
    errors.part(program.start.len() == cells, "start", message);
}

fn constants(program: &Program, errors: &mut Errors) {
    for (index, table) in program.tables.iter().enumerate() {
        let right = table.rows.checked_mul(table.columns) == Some(table.data.len());
        let name = format!("table t{index} {:?}", table.name);
        errors.part(right, name, "does not have rows times columns entries");
    }
    for (index, family) in program.families.iter().enumerate() {
        let name = format!("family c{index} {:?}", family.name);
        for (number, set) in family.sets.iter().enumerate() {
            let right = set.words.len() == program.squares.div_ceil(64)
                && set.iter().all(|square| square < program.squares);
            errors.part(right, &name, format!("set {number} is not of this board"));
        }
    }
}

fn geometry(program: &Program, errors: &mut Errors) {
    let directions = &program.geometry.directions;
    for (index, direction) in directions.iter().enumerate() {
        let name = format!("direction d{index} {:?}", direction.name);
        let steps = direction.steps.iter().all(|&to| is_square(program, to));
        errors.part(steps, &name, "has a step to no square");
        let all = direction.steps.len() == program.squares;
        errors.part(all, &name, "does not have one step per square");
        let back = directions.get(direction.opposite as usize).map(|it| it.opposite as usize);
        errors.part(back == Some(index), &name, "is not the opposite of its opposite");
    }
    for (index, list) in program.geometry.lists.iter().enumerate() {
        let right = list.iter().all(|&it| (it as usize) < directions.len());
        errors.part(right, format!("list l{index}"), "names a direction that does not exist");
    }
}

/// Whether a number is a square or -1.
fn is_square(program: &Program, square: i16) -> bool {
    square == -1 || usize::try_from(square).is_ok_and(|it| it < program.squares)
}

fn look(program: &Program, errors: &mut Errors) {
    let look = &program.look;
    let names = [
        ("squares", look.squares.len(), program.squares),
        ("kinds", look.kinds.len(), program.kinds.len()),
        ("players", look.players.len(), program.players.len()),
    ];
    for (what, found, wanted) in names {
        let message = format!("{found} names for {wanted} {what}");
        errors.part(found == wanted, "look", message);
    }
}

fn drawing(program: &Program, errors: &mut Errors) {
    let look = &program.look;
    let size = look.columns.checked_mul(look.rows) == Some(look.at.len());
    errors.part(size, "look", "the grid does not have rows times columns places");
    let drawn = look.at.iter().all(|&square| is_square(program, square));
    errors.part(drawn, "look", "the grid shows a square that does not exist");
    let edges = look.edges.iter().all(|&(a, b)| (a.max(b) as usize) < program.squares);
    errors.part(edges, "look", "an edge leads to a square that does not exist");
    let cells = program.start.len();
    let named = look.position.iter().flatten().all(|field| match field {
        PositionField::Cell(cell) => *cell < cells,
        PositionField::Flags(flags) => flags.iter().all(|(_, cell)| *cell < cells),
        PositionField::Board | PositionField::Turn | PositionField::Text(_) => true,
    });
    errors.part(named, "look", "a position field names a cell that does not exist");
    let flags = look.position.iter().flatten().flat_map(|field| match field {
        PositionField::Flags(flags) => flags.as_slice(),
        _ => &[],
    });
    let array = |cell: usize| program.arrays.iter().find(|it| cell < it.base + it.len);
    let mut domains = flags.filter_map(|&(_, cell)| array(cell)).map(|it| (it.lo, it.hi));
    errors.part(domains.all(|it| it == (0, 1)), "look", "a flag is no cell of truth values");
}
