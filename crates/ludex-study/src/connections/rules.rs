//! Whether rules are those of a connection game.
//!
//! The passes ([`optimise`]) bring most ways to write such rules to one normal form, and that form is
//! read here: for each player a list of all empty squares, an effect that puts his man there, and a
//! result that is a victory if a flood fill of his men from one set of squares meets another. Rules in
//! another form are not recognised, which costs speed and nothing else.

use std::collections::BTreeMap;

use ludex_ir::inst::{BOARD, Block, End, Func, Inst, OutcomeKind, Reg, SetReg, Spread, Var};
use ludex_ir::passes::{Optimised, PlayerCode, optimise};
use ludex_ir::{
    ArrayRole, Bits, BlockData, History, Program, SetBinary, SetId, Statement, StatementId,
};

use super::{Side, Squares};

/// Whether nothing but men and turns is remembered, and nothing but a result ends the game.
pub(super) fn may_be(program: &Program) -> bool {
    let roles = &program.roles;
    let is_plain = |role: ArrayRole| matches!(role, ArrayRole::Board | ArrayRole::Turn);
    program.players.len() == 2
        && (1..=Squares::BITS as usize).contains(&program.squares)
        && program.history == History::None
        && roles.illegal.is_none()
        && roles.adjudicate.is_none()
        && roles.result.is_some()
        && program.arrays.iter().all(|it| is_plain(it.role))
}

/// The sides that each of two players has to connect, if that is all there is to the game.
pub(super) fn read(program: &Program) -> Option<[Side; 2]> {
    if !may_be(program) {
        return None;
    }
    let optimised = optimise(program);
    let side = |player: usize| side(&optimised, player);
    Some([side(0)?, side(1)?])
}

fn side(optimised: &Optimised, player: usize) -> Option<Side> {
    let (program, code) = (&optimised.program, &optimised.players[player]);
    let man = man_put(program, code, player)?;
    let flood = Reader::new(program, man).result(code.roles.result?)?;
    let steps = steps(program, flood.list)?;
    let man = u16::try_from(man).ok()?;
    Some(Side { man, from: squares(&flood.from)?, to: squares(&flood.to)?, steps })
}

/// The code of the man that every move of a player puts on an empty square, each on one of them.
fn man_put(program: &Program, code: &PlayerCode, player: usize) -> Option<i64> {
    let statement = fills_empty_squares(only_block(program, code.roles.moves)?)?;
    let number = usize::from(statement.0);
    let function = program.function(*code.effects.get(number)?);
    let Statement { operands, .. } = program.statements.get(number)?;
    let [Var::Int(_), Var::Int(square)] = function.params[..] else { return None };
    let man = stored(only_block(program, code.effects[number])?, square)?;
    let owner = program.men.get(usize::try_from(man - 1).ok()?)?.owner;
    (operands.len() == 1 && owner == Some(player as u8)).then_some(man)
}

/// The block of a function that has only one.
fn only_block(program: &Program, func: Func) -> Option<&BlockData> {
    match &program.function(func).blocks[..] {
        [block] if block.end.0 == End::Return => Some(block),
        _ => None,
    }
}

/// The statement of which a move is listed for each empty square, if nothing else is.
fn fills_empty_squares(block: &BlockData) -> Option<StatementId> {
    let mut constants = BTreeMap::new();
    let mut empty = Vec::new();
    let mut listed = None;
    for (inst, _) in &block.insts {
        match inst {
            Inst::Const { dst, value } => _ = constants.insert(*dst, *value),
            Inst::SetWhere { dst, mask } if constants.get(mask) == Some(&1) => empty.push(*dst),
            Inst::EmitAll { statement, set, args }
                if listed.is_none() && empty.contains(set) && args[..] == [Spread::Member] =>
            {
                listed = Some(*statement);
            }
            _ => return None,
        }
    }
    listed
}

/// What is put on a square, if that is all that happens.
fn stored(block: &BlockData, wanted: Reg) -> Option<i64> {
    let mut constants = BTreeMap::new();
    let mut stored = None;
    for (inst, _) in &block.insts {
        match inst {
            Inst::Const { dst, value } if *dst != wanted => _ = constants.insert(*dst, *value),
            Inst::Store { array: BOARD, index: Some(index), value }
                if stored.is_none() && *index == wanted =>
            {
                stored = Some(*constants.get(value)?);
            }
            Inst::Say { .. } | Inst::Irreversible => {}
            _ => return None,
        }
    }
    stored
}

/// What a set is.
#[derive(Clone, Debug)]
enum Known {
    /// All men of the player.
    Mine,
    /// These squares.
    Constant(Bits),
    /// The player's men on these squares.
    MineOn(Bits),
    /// The player's men that are joined to one on these squares.
    Joined { from: Bits, list: i64 },
    /// Those of them that are on other squares.
    Across(Flood),
}

/// A victory by connecting two sides.
#[derive(Clone, Debug)]
struct Flood {
    from: Bits,
    to: Bits,
    list: i64,
}

/// Follows a result function and knows what each register holds.
struct Reader<'p> {
    program: &'p Program,
    /// The man of the player.
    man: i64,
    numbers: BTreeMap<Reg, i64>,
    sets: BTreeMap<SetReg, Known>,
    /// Registers that hold whether the player has connected his sides.
    asked: BTreeMap<Reg, Flood>,
}

impl<'p> Reader<'p> {
    fn new(program: &'p Program, man: i64) -> Self {
        let (numbers, sets, asked) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { program, man, numbers, sets, asked }
    }

    /// The sides that the player has to connect, if the result is a victory then, and nothing otherwise.
    fn result(mut self, func: Func) -> Option<Flood> {
        let blocks = &self.program.function(func).blocks;
        // Without loops a path has no more blocks than there are.
        let mut at = Block(0);
        for _ in 0..blocks.len() {
            let block = &blocks[at.0 as usize];
            for (inst, _) in &block.insts {
                self.follow(inst)?;
            }
            match block.end.0 {
                End::Jump(next) => at = next,
                End::Branch { cond, yes, no } => {
                    let wins = outcomes(blocks, yes)? == [OutcomeKind::Victory];
                    let is_silent = outcomes(blocks, no)?.is_empty();
                    return self.asked.remove(&cond).filter(|_| wins && is_silent);
                }
                End::Return => return None,
            }
        }
        None
    }

    fn follow(&mut self, inst: &Inst) -> Option<()> {
        match inst {
            Inst::Const { dst, value } => {
                self.asked.remove(dst);
                self.numbers.insert(*dst, *value);
            }
            Inst::SetWhere { dst, mask } => {
                let is_mine = *self.numbers.get(mask)? == 1 << self.man;
                self.sets.insert(*dst, is_mine.then_some(Known::Mine)?);
            }
            Inst::SetConst { dst, family, index } => {
                let set = self.constant(*family, *index)?;
                self.sets.insert(*dst, Known::Constant(set));
            }
            Inst::SetCopy { dst, src } => {
                let set = self.sets.get(src)?.clone();
                self.sets.insert(*dst, set);
            }
            Inst::SetBinary { op: SetBinary::Intersection, dst, a, b } => {
                let both = intersection(self.sets.get(a)?, self.sets.get(b)?)?;
                self.sets.insert(*dst, both);
            }
            Inst::Flood { dst, from, within, list } => {
                let (Known::MineOn(from) | Known::Constant(from)) = self.sets.get(from)? else {
                    return None;
                };
                let Known::Mine = self.sets.get(within)? else { return None };
                let joined = Known::Joined { from: from.clone(), list: *self.numbers.get(list)? };
                self.sets.insert(*dst, joined);
            }
            Inst::Any { dst, set } => {
                let Known::Across(flood) = self.sets.get(set)? else { return None };
                self.numbers.remove(dst);
                self.asked.insert(*dst, flood.clone());
            }
            _ => return None,
        }
        Some(())
    }

    fn constant(&self, family: SetId, index: Option<Reg>) -> Option<Bits> {
        let index = index.map_or(Some(0), |it| self.numbers.get(&it).copied())?;
        let sets = &self.program.families.get(usize::from(family.0))?.sets;
        sets.get(usize::try_from(index).ok()?).cloned()
    }
}

fn intersection(one: &Known, other: &Known) -> Option<Known> {
    match (one, other) {
        (Known::Mine, Known::Constant(set)) | (Known::Constant(set), Known::Mine) => {
            Some(Known::MineOn(set.clone()))
        }
        (Known::Joined { from, list }, Known::Constant(to))
        | (Known::Constant(to), Known::Joined { from, list }) => {
            Some(Known::Across(Flood { from: from.clone(), to: to.clone(), list: *list }))
        }
        _ => None,
    }
}

/// What is said on a straight way to the end; `None` if anything else happens.
fn outcomes(blocks: &[BlockData], mut at: Block) -> Option<Vec<OutcomeKind>> {
    let mut said = Vec::new();
    for _ in 0..blocks.len() {
        let block = &blocks[at.0 as usize];
        for (inst, _) in &block.insts {
            match inst {
                Inst::Const { .. } => {}
                Inst::Outcome { kind, .. } => said.push(*kind),
                _ => return None,
            }
        }
        match block.end.0 {
            End::Jump(next) => at = next,
            End::Return => return Some(said),
            End::Branch { .. } => return None,
        }
    }
    None
}

/// The squares one step away from each, by a list of directions that lead back as well.
fn steps(program: &Program, list: i64) -> Option<Vec<Squares>> {
    let list = program.geometry.lists.get(usize::try_from(list).ok()?)?;
    let mut steps = vec![0; program.squares];
    for &number in list {
        let direction = program.geometry.directions.get(usize::from(number))?;
        for (from, &to) in direction.steps.iter().enumerate() {
            if let Ok(to) = usize::try_from(to) {
                *steps.get_mut(from)? |= 1 << to;
            }
        }
    }
    let leads = |from: usize, to: usize| steps[from] >> to & 1 == 1;
    let squares = 0..program.squares;
    let leads_back = |from: usize| squares.clone().all(|to| leads(from, to) == leads(to, from));
    squares.clone().all(leads_back).then_some(steps)
}

/// A set as one word.
fn squares(set: &Bits) -> Option<Squares> {
    set.iter().try_fold(0, |all, square| Some(all | 1_u128.checked_shl(square as u32)?))
}
