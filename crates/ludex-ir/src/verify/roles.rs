//! Rules about move statements and roles: what their functions take, and what
//! they do with all that they call.

use std::collections::BTreeSet;

use super::code::fits;
use super::{At, Errors};
use crate::inst::{Block, Func, Inst, Var};
use crate::moves::{OPERAND_BITS, PATH_LENGTH_BITS};
use crate::program::{Program, Statement};
use crate::summary::{Summaries, Summary};
use crate::try_depth::TryDepth;

pub(super) fn check_signatures(program: &Program, errors: &mut Errors) {
    for (index, statement) in program.statements.iter().enumerate() {
        let name = format!("statement m{index}");
        let paths = statement.operands.iter().rev().skip(1).any(|it| it.kind.is_path());
        errors.part(!paths, &name, "a path must be the last operand");
        let bits = statement_bits(program, statement);
        let message = format!("its operands take {bits} bits, a move has {OPERAND_BITS}");
        errors.part(bits <= OPERAND_BITS, &name, message);
        effect(program, &name, statement, errors);
    }
    for role in roles(program) {
        signature(program, &role, errors);
    }
    let royal = program.roles.royal.is_none_or(|it| (it as usize) < program.kinds.len());
    errors.part(royal, "roles", "the royal kind does not exist");
}

/// The bits of a statement's operands, a path having one element.
fn statement_bits(program: &Program, statement: &Statement) -> u32 {
    let bits = |kind| program.operand_bits(kind);
    let widths = statement.operands.iter().map(|operand| {
        bits(operand.kind) + if operand.kind.is_path() { PATH_LENGTH_BITS } else { 0 }
    });
    widths.fold(0, u32::saturating_add)
}

fn effect(program: &Program, name: &str, statement: &Statement, errors: &mut Errors) {
    let Some(function) = program.functions.get(statement.effect.0 as usize) else {
        return errors.part(false, name, format!("there is no function {}", statement.effect));
    };
    let params = function.params.get(1..).unwrap_or_default();
    let right = params.len() == statement.operands.len()
        && statement.operands.iter().zip(params).all(|(it, &param)| fits(it.kind, param));
    errors.part(right, name, format!("{} does not take `me` and its operands", statement.effect));
}

fn signature(program: &Program, role: &Role, errors: &mut Errors) {
    let Some(function) = program.functions.get(role.func.0 as usize) else {
        return errors.part(false, role.name, format!("there is no function {}", role.func));
    };
    let me = role.operands || matches!(function.params[..], [Var::Int(_)]);
    errors.part(me, role.name, format!("{} does not take exactly `me`", role.func));
    let gives = !role.number || matches!(function.result, Some(Var::Int(_)));
    errors.part(gives, role.name, format!("{} does not give a number", role.func));
}

pub(super) fn check_abilities(program: &Program, errors: &mut Errors) {
    let summaries = Summaries::of(program);
    for role in roles(program) {
        for ability in Ability::ALL {
            let does = ability.is_in(summaries.function(role.func));
            if does && !role.may.contains(&ability) {
                let message = format!("{} may not {}", role.name, ability.phrase());
                Search { program, summaries: &summaries, ability }
                    .report(role.func, &message, errors);
            }
        }
    }
}

/// A thing that not every role may do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ability {
    Act,
    Emit,
    Outcome,
    Feature,
    AskSearch,
}

impl Ability {
    const ALL: [Self; 5] = [Self::Act, Self::Emit, Self::Outcome, Self::Feature, Self::AskSearch];

    fn is_in(self, summary: &Summary) -> bool {
        match self {
            Self::Act => !summary.acts.is_empty(),
            Self::Emit => summary.emits,
            Self::Outcome => summary.outcomes,
            Self::Feature => summary.features,
            Self::AskSearch => summary.asks_search,
        }
    }

    const fn phrase(self) -> &'static str {
        match self {
            Self::Act => "change the position or speak about the move, except in a `try`",
            Self::Emit => "list moves",
            Self::Outcome => "give outcomes",
            Self::Feature => "give features",
            Self::AskSearch => "ask about the search",
        }
    }
}

/// A function that the game runs by itself.
struct Role {
    name: &'static str,
    func: Func,
    /// Whether it takes operands beside `me`; they are checked with its statement.
    operands: bool,
    /// Whether it must give a number.
    number: bool,
    may: &'static [Ability],
}

fn roles(program: &Program) -> Vec<Role> {
    use Ability::{Act, AskSearch, Emit, Feature, Outcome};
    let roles = &program.roles;
    let list: [(&str, Option<Func>, bool, &[Ability]); 8] = [
        ("moves", Some(roles.moves), false, &[Emit]),
        ("result", roles.result, false, &[Outcome]),
        ("stuck", roles.stuck, false, &[Emit, Outcome]),
        ("adjudicate", roles.adjudicate, false, &[Outcome]),
        ("illegal", roles.illegal, true, &[]),
        ("evaluate", roles.evaluate, true, &[AskSearch]),
        ("features", roles.features, false, &[Feature, AskSearch]),
        ("candidates", roles.candidates, false, &[Emit, AskSearch]),
    ];
    let named = list.into_iter().filter_map(|(name, func, number, may)| {
        Some(Role { name, func: func?, operands: false, number, may })
    });
    let effects: BTreeSet<Func> = program.statements.iter().map(|it| it.effect).collect();
    let effects = effects.into_iter().filter(|it| (it.0 as usize) < program.functions.len());
    let effect =
        |func| Role { name: "an effect", func, operands: true, number: false, may: &[Act] };
    named.chain(effects.map(effect)).collect()
}

/// Looks for the instruction by which a function does what it may not.
struct Search<'a> {
    program: &'a Program,
    summaries: &'a Summaries,
    ability: Ability,
}

impl<'a> Search<'a> {
    /// Follows calls down to an instruction that does it itself.
    fn report(&self, func: Func, message: &str, errors: &mut Errors) {
        let mut seen = BTreeSet::new();
        let mut work = vec![func];
        while let Some(func) = work.pop() {
            for (block, inst) in self.culprits(func) {
                if let Inst::Call { func, .. } = *inst {
                    work.extend(seen.insert(func).then_some(func));
                    continue;
                }
                let at = At { func, block: Some(block), inst: Some(inst) };
                return errors.code(self.program, at, message);
            }
        }
        errors.code(self.program, At { func, block: None, inst: None }, message);
    }

    /// The instructions of a function that do it, themselves or by a call.
    fn culprits(&self, func: Func) -> Vec<(Block, &'a Inst)> {
        let function = self.program.function(func);
        let depths = TryDepth::of(function);
        let blocks = (0..function.blocks.len() as u32).map(Block);
        let insts = blocks
            .flat_map(|block| depths.insts(function, block).map(move |(at, it)| (block, at, it)));
        insts
            .filter(|&(_, depth, inst)| {
                let mut does = Summary::default();
                does.add(&self.summaries.inst(self.program, inst), depth);
                self.ability.is_in(&does)
            })
            .map(|(block, _, inst)| (block, inst))
            .collect()
    }
}
