//! Goals: the same game, won by something else.
//!
//! ```text
//! result      the goal's own
//! adjudicate  the game's result, then its adjudication, both with draws for all that they say
//! stuck       the game's, with draws
//! ```
//!
//! So the goal is asked first, and where the game ends without it no player has won. What the rules
//! became is kept as it is: these are copies.

use ludex_ir::program::BlockData;
use ludex_ir::{Block, End, Func, Function, Inst, OutcomeKind, Reg, RoleFunctions, Var};

use super::Compiler;

impl Compiler {
    /// Makes every end of the game a draw that the goal has not made something else.
    pub(crate) fn ends_become_draws(&mut self, roles: &mut RoleFunctions) {
        let ends: Vec<Func> = [roles.result.take(), roles.adjudicate.take()]
            .into_iter()
            .flatten()
            .filter_map(|it| self.copied(it, with_draws))
            .collect();
        if !ends.is_empty() {
            let function = one_after_the_other(&ends);
            roles.adjudicate = Some(self.added(function));
        }
        let stuck = roles.stuck.and_then(|it| self.copied(it, stuck_with_draws));
        roles.stuck = Some(stuck.unwrap_or_else(|| self.added(plain_draw())));
    }

    fn copied(&mut self, func: Func, change: fn(Function) -> Function) -> Option<Func> {
        // What is missing was reported.
        let function = self.functions[usize::from(func.0)].clone()?;
        Some(self.added(change(function)))
    }

    fn added(&mut self, function: Function) -> Func {
        let func = self.reserve();
        self.functions[usize::from(func.0)] = Some(function);
        func
    }
}

const DRAW: Inst = Inst::Outcome { kind: OutcomeKind::Draw, score: None };

/// The same function, in which every outcome is a draw.
fn with_draws(mut function: Function) -> Function {
    for (inst, _) in function.blocks.iter_mut().flat_map(|it| &mut it.insts) {
        if matches!(inst, Inst::Outcome { .. }) {
            *inst = DRAW;
        }
    }
    function
}

/// The same for the player who has no move. To say nothing is to lose, so where nothing is said
/// and no move listed it is said that the game is drawn.
fn stuck_with_draws(function: Function) -> Function {
    let mut function = with_draws(function);
    let said = Reg(function.ints);
    function.ints += 1;
    let last = Block(function.blocks.len() as u32);
    let silent = Block(last.0 + 1);
    for block in &mut function.blocks {
        let marks = |it: &Inst| {
            matches!(it, Inst::Outcome { .. } | Inst::Emit { .. } | Inst::EmitAll { .. })
        };
        block.insts = (block.insts.drain(..))
            .flat_map(|(inst, place)| {
                let mark = marks(&inst).then_some((Inst::Const { dst: said, value: 1 }, place));
                [Some((inst, place)), mark].into_iter().flatten()
            })
            .collect();
        if block.end.0 == End::Return {
            block.end.0 = End::Branch { cond: said, yes: last, no: silent };
        }
    }
    let begin = (Inst::Const { dst: said, value: 0 }, 0);
    function.blocks[0].insts.insert(0, begin);
    function.blocks.push(BlockData { insts: Vec::new(), end: (End::Return, 0) });
    function.blocks.push(BlockData { insts: vec![(DRAW, 0)], end: (End::Return, 0) });
    function
}

fn one_after_the_other(funcs: &[Func]) -> Function {
    let me = Var::Int(Reg(0));
    let call = |&func: &Func| (Inst::Call { func, args: vec![me], result: None }, 0);
    of_one_block("ends", funcs.iter().map(call).collect())
}

fn plain_draw() -> Function {
    of_one_block("stuck", vec![(DRAW, 0)])
}

fn of_one_block(name: &str, insts: Vec<(Inst, u32)>) -> Function {
    Function {
        name: name.to_owned(),
        params: vec![Var::Int(Reg(0))],
        result: None,
        ints: 1,
        sets: 0,
        paths: 0,
        blocks: vec![BlockData { insts, end: (End::Return, 0) }],
        names: Vec::new(),
    }
}
