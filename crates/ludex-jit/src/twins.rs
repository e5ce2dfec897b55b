//! Moves that are one move: listed twice, or different ways to the same position.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use ludex_ir::PackedMove;
use ludex_ir::moves::Value;

use crate::code::Code;
use crate::context::Context;

/// Leaves one of each kind in the list of the context, in the order they came; whether that
/// went well.
///
/// # Safety
///
/// `state` must be the block of a state of `code` that may be read.
pub(crate) unsafe fn unite(
    code: &Code,
    context: &mut Context,
    state: *const u64,
    player: usize,
) -> bool {
    drop_repeated(context);
    let twins = |mv: &PackedMove| code.program.statement_of(*mv).is_some_and(|(_, it)| it.twins);
    if context.listed().iter().filter(|mv| twins(mv)).nth(1).is_none() {
        return true;
    }
    // SAFETY: the caller's promise.
    let block = unsafe { std::slice::from_raw_parts(state, code.layout.block_words()) }.to_vec();
    let list = context.listed().to_vec();
    let mut reached: HashMap<(u8, Vec<u64>), usize> = HashMap::new();
    let mut kept: Vec<PackedMove> = Vec::new();
    for mv in list {
        if !twins(&mv) {
            kept.push(mv);
            continue;
        }
        let Some(words) = leads_to(code, player, mv, &block) else { return false };
        match reached.entry((mv.0 as u8, words)) {
            Entry::Vacant(place) => {
                place.insert(kept.len());
                kept.push(mv);
            }
            Entry::Occupied(place) => {
                let twin = &mut kept[*place.get()];
                if order(code, mv) < order(code, *twin) {
                    *twin = mv;
                }
            }
        }
    }
    context.len = kept.len() as u64;
    context.listed_mut().copy_from_slice(&kept);
    true
}

/// Drops moves that were listed before.
fn drop_repeated(context: &mut Context) {
    if context.listed().is_sorted_by(|a, b| a < b) {
        return;
    }
    let mut seen = HashSet::new();
    let kept: Vec<PackedMove> =
        context.listed().iter().copied().filter(|mv| seen.insert(*mv)).collect();
    context.len = kept.len() as u64;
    context.listed_mut().copy_from_slice(&kept);
}

/// The words of the state that a move leads to.
pub(crate) fn leads_to(
    code: &Code,
    player: usize,
    mv: PackedMove,
    block: &[u64],
) -> Option<Vec<u64>> {
    const STEPS: i64 = 1 << 20;
    code.with(STEPS, |context| {
        context.block.clear();
        context.block.extend_from_slice(block);
        code.play(player, mv.0, context).value()?;
        context.block.truncate(code.layout.words);
        Some(context.block.clone())
    })
}

/// How twins are ordered: shorter paths first, then by their elements from the first on, then by
/// the rest of the move.
fn order(code: &Code, mv: PackedMove) -> (u8, u128, u128) {
    let (mut len, mut items) = (0, 0);
    let Some((_, statement)) = code.program.statement_of(mv) else { return (0, 0, mv.0) };
    for (operand, value) in statement.operands.iter().zip(code.program.unpack(mv)) {
        if let Value::Path(path) = value {
            let width = code.program.operand_bits(operand.kind);
            len = path.len;
            items = (0..path.len as usize)
                .filter_map(|it| path.item(it, width))
                .fold(0, |items, item| items << width | item as u128);
        }
    }
    (len, items, mv.0)
}
