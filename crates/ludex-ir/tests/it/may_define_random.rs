//! What a branch may assign, compared with runs: from one state at a branch,
//! all ways to the conjugate agree on everything it may not assign.

use crate::common::framed;
use crate::common::random::Choices;
use ludex_ir::{
    ArrayId, Block, BlockData, End, Func, Function, Inst, MayDefine, Reg, Summaries, TryDepth, Var,
};
use proptest::prelude::*;

const REGISTERS: u16 = 4;
const ARRAYS: [ArrayId; 3] = [ArrayId(0), ArrayId(2), ArrayId(4)];

/// A balanced function of random blocks that assign registers, write cells
/// (also by a call of `f2`, which writes array 0) and nest `try`.
fn function(c: &mut Choices<'_>) -> Function {
    let count = 2 + c.below(7);
    let depths: Vec<u32> =
        (0..count).map(|it| if it == 0 { 0 } else { c.below(3) as u32 }).collect();
    let blocks = depths.iter().map(|&depth| block(c, depth, &depths)).collect();
    Function {
        name: "random".to_owned(),
        params: vec![Var::Int(Reg(0))],
        result: None,
        ints: REGISTERS,
        sets: 0,
        paths: 0,
        blocks,
        names: Vec::new(),
    }
}

fn block(c: &mut Choices<'_>, depth: u32, depths: &[u32]) -> BlockData {
    let yes = c.below(depths.len());
    let like: Vec<usize> = (0..depths.len()).filter(|&it| depths[it] == depths[yes]).collect();
    let no = like[c.below(like.len())];
    let (yes_block, no_block) = (Block(yes as u32), Block(no as u32));
    let (end, target) = match c.below(6) {
        0 => (End::Return, 0),
        1 => (End::Jump(yes_block), depths[yes]),
        _ => (End::Branch { cond: Reg(0), yes: yes_block, no: no_block }, depths[yes]),
    };
    let mut insts = Vec::new();
    let mut now = depth;
    for _ in 0..c.below(5) {
        insts.push(inst(c, &mut now));
    }
    while now > target {
        insts.push(Inst::TryEnd);
        now -= 1;
    }
    for _ in now..target {
        insts.extend([Inst::TryBegin, store(c)]);
    }
    BlockData { insts: insts.into_iter().map(|it| (it, 0)).collect(), end: (end, 0) }
}

fn inst(c: &mut Choices<'_>, depth: &mut u32) -> Inst {
    match c.below(8) {
        0 | 1 => {
            *depth += 1;
            Inst::TryBegin
        }
        2 | 3 if *depth > 0 => {
            *depth -= 1;
            Inst::TryEnd
        }
        4 => Inst::Const { dst: Reg(c.below(REGISTERS as usize) as u16), value: 0 },
        5 => Inst::Call { func: Func(2), args: vec![Var::Int(Reg(0))], result: None },
        _ => store(c),
    }
}

fn store(c: &mut Choices<'_>) -> Inst {
    Inst::Store { array: ARRAYS[c.below(3)], index: None, value: Reg(0) }
}

/// Registers and cells; what they hold is the number of the step that wrote it.
#[derive(Clone, Debug, Default)]
struct State {
    registers: [u32; REGISTERS as usize],
    cells: [u32; 5],
    saved: Vec<[u32; 5]>,
}

impl State {
    fn run(&mut self, block: &BlockData, step: &mut u32) {
        for (inst, _) in &block.insts {
            *step += 1;
            match inst {
                Inst::Const { dst, .. } => self.registers[dst.0 as usize] = *step,
                Inst::Store { array, .. } => self.cells[array.0 as usize] = *step,
                Inst::Call { .. } => self.cells[0] = *step,
                Inst::TryBegin => self.saved.push(self.cells),
                Inst::TryEnd => self.cells = self.saved.pop().expect("it is balanced"),
                _ => unreachable!("not made here"),
            }
        }
    }
}

/// Runs on along random sides until `stop` (or the exit) is next; `None` if that takes long.
fn walk(
    function: &Function,
    c: &mut Choices<'_>,
    (from, stop): (Block, Option<Block>),
    state: &State,
    step: &mut u32,
) -> Option<State> {
    let mut state = state.clone();
    let mut at = next(function, from, c);
    for _ in 0..60 {
        if at == stop {
            return Some(state);
        }
        let block = at?;
        state.run(function.block(block), step);
        at = next(function, block, c);
    }
    None
}

fn next(function: &Function, block: Block, c: &mut Choices<'_>) -> Option<Block> {
    let next: Vec<Block> = function.block(block).end.0.successors().collect();
    (!next.is_empty()).then(|| next[c.below(next.len())])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn runs_agree_on_what_may_not_be_assigned(
        bytes in prop::collection::vec(any::<u8>(), 40..160),
        ways in prop::collection::vec(prop::collection::vec(any::<u8>(), 60), 12),
    ) {
        let function = function(&mut Choices(&bytes));
        prop_assert!(TryDepth::of(&function).faults().is_empty());
        let put = "function f2 \"put\" (r0) registers 1 0 0 b0: store a0 r0 return";
        let program = framed(put);
        let may = MayDefine::of(&program, &Summaries::of(&program), &function);

        // Walk from the beginning; at each branch, try ways to its conjugate.
        let mut step = 0;
        let mut state = State::default();
        let mut at = Block(0);
        let mut c = Choices(&bytes);
        for _ in 0..12 {
            state.run(function.block(at), &mut step);
            if let Some(branch) = may.branch(at) {
                let ends: Vec<State> = ways
                    .iter()
                    .filter_map(|way| walk(&function, &mut Choices(way), (at, branch.conjugate), &state, &mut step))
                    .collect();
                for pair in ends.windows(2) {
                    for register in 0..REGISTERS {
                        let index = register as usize;
                        let same = pair[0].registers[index] == pair[1].registers[index];
                        let assigned = branch.vars.contains(&Var::Int(Reg(register)));
                        prop_assert!(same || assigned, "{at}: r{register}\n{function}");
                    }
                    for array in ARRAYS {
                        let index = array.0 as usize;
                        let same = pair[0].cells[index] == pair[1].cells[index];
                        let written = branch.acts.writes.contains(&array);
                        prop_assert!(same || written, "{at}: {array}\n{function}");
                    }
                }
            }
            let Some(then) = next(&function, at, &mut c) else { break };
            at = then;
        }
    }
}
