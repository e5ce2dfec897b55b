//! The two shapes of conditions that have a better local test than looking at
//! each changed square in turn: a number in a line, and two regions joined.

use super::products::{Factor, Planes, Product, at, inverse};
use super::symbols::{Node, Symbols};
use crate::bits::Bits;
use crate::inst::{Inst, SetBinary};
use crate::program::{Direction, Program};

/// `count` squares in a row along a direction that all hold one of `mask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The direction.
    pub(super) direction: u16,
    /// The direction that undoes it.
    pub(super) opposite: u16,
    /// How many squares.
    pub(super) count: usize,
    /// The codes.
    pub(super) mask: u64,
}

/// The line that a product asks for, wherever one fits on the board.
pub(super) fn line(program: &Program, product: &Product) -> Option<Line> {
    let mask = product.factors.first()?.mask;
    let alike = product.factors.iter().all(|it| it.inside && it.mask == mask);
    let domain = product.domain();
    let sample = domain.iter().next()?;
    if !alike || product.factors.len() < 2 {
        return None;
    }
    let directions = &program.geometry.directions;
    (0..directions.len()).find_map(|number| {
        let direction = &directions[number];
        let opposite = directions.get(direction.opposite as usize)?;
        let undone = inverse(&direction.steps)? == opposite.steps;
        let chain =
            if undone { chain(product, direction, opposite, sample)? } else { return None };
        is_everywhere(direction, &chain, &domain).then_some(Line {
            direction: number as u16,
            opposite: direction.opposite,
            count: chain.len(),
            mask,
        })
    })
}

/// The factors in the order in which their cells follow each other along a direction.
fn chain<'a>(
    product: &'a Product,
    direction: &Direction,
    opposite: &Direction,
    sample: usize,
) -> Option<Vec<&'a Factor>> {
    let looks_at = |square: i16| product.factors.iter().find(|it| it.origin[sample] == square);
    let is_first = |it: &&Factor| {
        let before = at(&opposite.steps, it.origin[sample]);
        before < 0 || looks_at(before).is_none()
    };
    let mut chain = vec![product.factors.iter().find(is_first)?];
    while chain.len() < product.factors.len() {
        let next = at(&direction.steps, chain.last()?.origin[sample]);
        chain.push(if next < 0 { return None } else { looks_at(next)? });
    }
    Some(chain)
}

/// Whether the cells follow each other for every square, and every place on the board where such
/// a line fits belongs to a square.
fn is_everywhere(direction: &Direction, chain: &[&Factor], domain: &Bits) -> bool {
    let follows = chain.windows(2).all(|pair| {
        domain.iter().all(|it| pair[1].origin[it] == at(&direction.steps, pair[0].origin[it]))
    });
    let fits = (0..direction.steps.len() as i16).filter(|&square| {
        (1..chain.len())
            .try_fold(square, |at_, _| {
                let next = at(&direction.steps, at_);
                (next >= 0).then_some(next)
            })
            .is_some()
    });
    let mut begins: Vec<i16> = domain.iter().map(|it| chain[0].origin[it]).collect();
    begins.sort_unstable();
    follows && fits.eq(begins)
}

/// Two constant sets that squares with one of `mask` join by steps of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Join {
    /// The codes.
    pub(super) mask: u64,
    /// The list of directions.
    pub(super) list: usize,
    /// One of the sets.
    pub(super) from: Bits,
    /// The other.
    pub(super) to: Bits,
}

/// The sets that a set, by having a member, says to be joined.
pub(super) fn join(
    program: &Program,
    symbols: &Symbols,
    planes: &mut Planes<'_>,
    set: Node,
) -> Option<Join> {
    let (Inst::SetBinary { op: SetBinary::Intersection, .. }, args, _) = symbols.applied(set)?
    else {
        return None;
    };
    let (flood, other) = match symbols.applied(args[0]) {
        Some((Inst::Flood { .. }, ..)) => (args[0], args[1]),
        _ => (args[1], args[0]),
    };
    let (Inst::Flood { .. }, parts, _) = symbols.applied(flood)? else { return None };
    let list = usize::try_from(symbols.constant(parts[2])?).ok()?;
    let [within] = &planes.of(symbols, parts[1])?[..] else { return None };
    let [from] = &planes.of(symbols, parts[0])?[..] else { return None };
    let [to] = &planes.of(symbols, other)?[..] else { return None };
    let [plane] = &within.factors[..] else { return None };
    let whole = within.within == Bits::full(program.squares) && plane.origin == *planes.same();
    // It may begin at squares of the plane only, and need not say so again.
    let begins = from.factors.iter().all(|it| it == plane);
    let ends = to.factors.is_empty();
    let right = whole && plane.inside && begins && ends && is_mutual(program, list);
    right.then(|| Join { mask: plane.mask, list, from: from.within.clone(), to: to.within.clone() })
}

/// Whether a square is always one step of a list from those that are one step from it.
fn is_mutual(program: &Program, list: usize) -> bool {
    let Some(list) = program.geometry.lists.get(list) else { return false };
    let steps: Vec<&[i16]> = list
        .iter()
        .filter_map(|&it| program.geometry.directions.get(it as usize))
        .map(|it| &it.steps[..])
        .collect();
    let back = |from: usize, to: i16| steps.iter().any(|it| at(it, to) == from as i16);
    steps.iter().all(|it| it.iter().enumerate().all(|(from, &to)| to < 0 || back(from, to)))
}

/// For each set of directions of a list, as the bits of a number: 0 if the squares one step from
/// a square in these directions are joined by steps among themselves whatever the square, else 1.
pub(super) fn apart(program: &Program, list: usize) -> Vec<i64> {
    let directions = &program.geometry.directions;
    let steps: Vec<&[i16]> =
        program.geometry.lists[list].iter().map(|&it| &directions[it as usize].steps[..]).collect();
    let beside = |a: usize, b: usize| {
        (0..program.squares).all(|square| {
            let (to, next) = (steps[a][square], steps[b][square]);
            to < 0 || next < 0 || steps.iter().any(|it| at(it, to) == next)
        })
    };
    let near: Vec<u32> = (0..steps.len())
        .map(|a| (0..steps.len()).filter(|&b| beside(a, b)).fold(0, |set, b| set | 1 << b))
        .collect();
    (0..1u32 << steps.len()).map(|set| i64::from(!is_joined(&near, set))).collect()
}

fn is_joined(near: &[u32], set: u32) -> bool {
    let mut reached = set & set.wrapping_neg();
    loop {
        let next = (0..near.len())
            .filter(|&it| reached >> it & 1 == 1)
            .fold(reached, |all, it| all | near[it] & set);
        if next == reached {
            return reached == set;
        }
        reached = next;
    }
}
