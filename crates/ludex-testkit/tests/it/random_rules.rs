//! What the random rules files are worth: nearly all compile, and together they
//! use every instruction that the front end can make.

use std::collections::BTreeMap;

use ludex_core::Random;
use ludex_ir::{Inst, Program};
use ludex_testkit::random_rules;

const FILES: u64 = 2_000;

/// Every instruction that a file can lead to; the others come from passes only.
const INSTRUCTIONS: &str = "
    Const Copy Lookup Pair Step ListLen ListItem
    Unary:Neg Unary:Not Unary:Abs Unary:Real Unary:RNeg Unary:RAbs Unary:RExp Unary:RTanh
    Unary:RSqrt Unary:Opposite
    Binary:Add Binary:Sub Binary:Mul Binary:Div Binary:Rem Binary:Min Binary:Max Binary:Eq
    Binary:Ne Binary:Lt Binary:Le Binary:Distance Binary:RAdd Binary:RSub Binary:RMul
    Binary:RDiv Binary:RMin Binary:RMax Binary:REq Binary:RLt Binary:RLe
    Load Test TestRange Store Add StoreAll
    SetConst SetWhere SetLoad SetStore SetUpdate:true SetUpdate:false SetCopy SetBinary:Union
    SetBinary:Intersection SetBinary:Difference SetInsert Shift Neighbours Flood Line Axis
    Between Contains Count Any NextMember
    PathEmpty PathCopy PathPush:Squares PathPush:Directions PathLen PathItem:Squares
    PathItem:Directions
    Call TryBegin TryEnd Emit Outcome:Victory Outcome:Loss Outcome:Draw Outcome:Score Feature
    Say:Square Say:Becomes Say:Drops Say:Kind Say:Number Say:Direction Say:Player Say:Text
    Irreversible Next Repeats Reply Side Depth";

#[test]
fn every_instruction_occurs_and_few_files_are_refused() {
    let (mut seen, mut refused) = (BTreeMap::new(), Vec::new());
    for number in 0..FILES {
        let text = random_rules(&mut Random::stream(1, number, 0));
        let compiled = ludex_rules::compile(&text, "");
        match compiled.program {
            Some(program) => count(&program, &mut seen),
            None => refused.push(ludex_diagnostics::render(
                &compiled.diagnostics,
                ludex_diagnostics::SourceText::new(&format!("{number}"), &text),
            )),
        }
    }
    let missing: Vec<&str> =
        INSTRUCTIONS.split_whitespace().filter(|it| !seen.contains_key(*it)).collect();
    assert!(missing.is_empty(), "no file leads to {missing:?}");
    let extra: Vec<&String> =
        seen.keys().filter(|it| !INSTRUCTIONS.split_whitespace().any(|name| name == *it)).collect();
    assert!(extra.is_empty(), "not expected from the front end: {extra:?}");
    let most = FILES as usize / 20;
    assert!(refused.len() < most, "{} refused, the first:\n{}", refused.len(), refused[0]);
}

#[test]
fn a_seed_gives_the_same_file() {
    let text = |number| random_rules(&mut Random::stream(7, number, 0));
    assert_eq!(text(3), text(3));
    assert_ne!(text(3), text(4));
}

fn count(program: &Program, seen: &mut BTreeMap<String, u64>) {
    for function in &program.functions {
        for (inst, _) in function.blocks.iter().flat_map(|block| &block.insts) {
            *seen.entry(label(inst)).or_default() += 1;
        }
    }
}

/// The name of an instruction, with its operation where it has one.
fn label(inst: &Inst) -> String {
    let word = |text: String| text.split([' ', '(']).next().unwrap_or_default().to_owned();
    let name = word(format!("{inst:?}"));
    match inst {
        Inst::Unary { op, .. } => format!("{name}:{op:?}"),
        Inst::Binary { op, .. } => format!("{name}:{op:?}"),
        Inst::SetBinary { op, .. } => format!("{name}:{op:?}"),
        Inst::Outcome { kind, .. } => format!("{name}:{kind:?}"),
        Inst::PathPush { of, .. } | Inst::PathItem { of, .. } => format!("{name}:{of:?}"),
        Inst::Say { piece: say } => format!("{name}:{}", word(format!("{say:?}"))),
        Inst::SetUpdate { add, .. } => format!("{name}:{add}"),
        _ => name,
    }
}
