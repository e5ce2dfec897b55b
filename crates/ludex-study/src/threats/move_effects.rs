//! What the moves of a player can write, in any position: a static analysis of the rules.
//!
//! The zone of a threat has to hold against moves that were not searched. What those can write is
//! over-approximated here.

use ludex_core::{Game, GameExt, Player};
use ludex_interp::{RulesGame, Write};
use ludex_ir::moves::Value;
use ludex_ir::summary::Summaries;
use ludex_ir::{
    ArrayRole, Func, History, Inst, OperandKind, OutcomeKind, PackedMove, Program, StatementId,
};

use super::zone::{Zone, domain};
use crate::study::Study;

/// A move and the raw values that it writes, whatever the position is.
type Known = (PackedMove, Vec<(usize, u16)>);

/// What the moves of a player can do to the cells, in any position.
#[derive(Clone, Debug)]
pub(super) struct MoveEffects {
    /// Upper bound on the cells that a move writes; `None` if there is no bound, if it writes other
    /// cells than squares, or if the rules depend on the history.
    pub(super) width: Option<usize>,
    /// Number of squares.
    pub(super) squares: usize,
    /// For each content of a square the contents that moves can make of it.
    becomes: Vec<Vec<u16>>,
    /// All moves that can ever be legal with what they write, sorted; `None` if that depends on the
    /// position.
    all_moves: Option<Vec<Known>>,
    /// Whether a player without a move has lost.
    pub(super) stuck_is_lost: bool,
}

impl MoveEffects {
    /// Analyses the moves of `player`.
    pub(super) fn of(rules: &RulesGame, study: &Study, player: Player) -> Self {
        let program = rules.program();
        let summaries = Summaries::of(program);
        let attainable = study.attainable(player);
        let contents = if program.squares == 0 { 0 } else { domain(program, 0) };
        let raw = |value: i64| u16::try_from(value - program.cell(0).0.lo).ok();
        let becomes = |before: usize| {
            let before = before as i64 + program.cell(0).0.lo;
            attainable.values(program, 0, before).into_iter().filter_map(raw).collect()
        };
        Self {
            width: width(program, &summaries),
            squares: program.squares,
            becomes: (0..contents).map(becomes).collect(),
            all_moves: all_moves(rules, &summaries, player),
            stuck_is_lost: program.roles.stuck.is_none_or(|it| only_losses(program, it)),
        }
    }

    /// The square of each move and what it writes there, if every move writes one square, and no two
    /// moves the same.
    pub(super) fn placements(&self) -> Option<Vec<(usize, u16)>> {
        self.width?;
        let mut placed = Vec::new();
        for (_, writes) in self.all_moves.as_ref()? {
            let [write] = writes.as_slice() else { return None };
            placed.push(*write);
        }
        placed.sort_unstable();
        let is_twice = placed.windows(2).any(|it| it[0].0 == it[1].0);
        (!is_twice).then_some(placed)
    }

    /// Whether a move can change a square from `before` to `after`.
    pub(super) fn can_become(&self, before: u16, after: u16) -> bool {
        self.becomes.get(usize::from(before)).is_some_and(|it| it.contains(&after))
    }

    /// What a square that holds `raw` may hold after this number of moves.
    pub(super) fn contents(&self, raw: u16, moves: usize) -> Vec<u16> {
        let mut reached = vec![raw];
        for _ in 0..moves {
            let more: Vec<u16> =
                reached.iter().flat_map(|&it| self.becomes[usize::from(it)].clone()).collect();
            reached.extend(more);
            reached.sort_unstable();
            reached.dedup();
        }
        reached.retain(|&it| it != raw);
        reached
    }

    /// The same for every content.
    pub(super) fn all_contents(&self, moves: usize) -> Vec<Vec<u16>> {
        (0..self.becomes.len() as u16).map(|raw| self.contents(raw, moves)).collect()
    }

    /// Whether the analysis shows that a move leaves a zone as it is.
    pub(super) fn spares(&self, mv: PackedMove, zone: &Zone) -> bool {
        let Some(all) = self.all_moves.as_ref().filter(|_| self.width.is_some()) else {
            return false;
        };
        let found = all.binary_search_by_key(&mv, |it| it.0);
        found.is_ok_and(|at| all[at].1.iter().all(|it| zone.allows(it.0, it.1)))
    }

    /// The moves that touch the zone of a threat (`left`) and may be legal where `zone` holds, except
    /// some; `None` if they are not known.
    pub(super) fn touching(
        &self,
        (left, zone): (&Zone, &Zone),
        but: &[PackedMove],
    ) -> Option<Vec<PackedMove>> {
        let touches = |writes: &[(usize, u16)]| writes.iter().any(|it| !left.allows(it.0, it.1));
        let moves = self.all_moves.as_ref()?.iter();
        let wanted = moves.filter(|(mv, writes)| {
            touches(writes) && !but.contains(mv) && self.can_write(writes, zone)
        });
        Some(wanted.map(|it| it.0).collect())
    }

    /// Whether a move may make its changes in some position where `zone` holds.
    fn can_write(&self, writes: &[(usize, u16)], zone: &Zone) -> bool {
        let becomes = |before: u16, after: u16| {
            before == after || self.becomes[usize::from(before)].contains(&after)
        };
        writes.iter().all(|&(cell, after)| {
            let mut before = (0..self.becomes.len() as u16).filter(|&it| zone.allows(cell, it));
            before.any(|it| becomes(it, after))
        })
    }
}

/// How many squares a move writes at most, if it writes nothing else.
fn width(program: &Program, summaries: &Summaries) -> Option<usize> {
    let is_counter = |it: &ludex_ir::Array| it.role == ArrayRole::Counter;
    if program.history != History::None || program.arrays.iter().any(is_counter) {
        return None;
    }
    let mut widest = 0;
    for statement in &program.statements {
        let acts = &summaries.function(statement.effect).acts;
        let is_board =
            |it: &ludex_ir::ArrayId| program.arrays[usize::from(it.0)].role == ArrayRole::Board;
        if acts.next || !acts.writes.iter().all(is_board) {
            return None;
        }
        widest = widest.max(stores(program, statement.effect)?);
    }
    Some(widest)
}

/// How many single cells a function writes at most.
fn stores(program: &Program, func: Func) -> Option<usize> {
    let mut stores = 0;
    for (block, data) in program.function(func).blocks.iter().enumerate() {
        // A jump to an earlier block may be a loop.
        if data.end.0.successors().any(|to| to.0 as usize <= block) {
            return None;
        }
        for (inst, _) in &data.insts {
            match inst {
                Inst::Store { .. } | Inst::Add { .. } => stores += 1,
                Inst::StoreAll { .. } | Inst::Call { .. } => return None,
                _ => {}
            }
        }
    }
    Some(stores)
}

/// Whether a function gives losses and nothing else, and lists no move.
fn only_losses(program: &Program, func: Func) -> bool {
    let insts = program.function(func).blocks.iter().flat_map(|it| &it.insts);
    insts.into_iter().all(|(inst, _)| match inst {
        Inst::Outcome { kind, .. } => *kind == OutcomeKind::Loss,
        Inst::Call { .. } | Inst::Emit { .. } | Inst::EmitAll { .. } => false,
        _ => true,
    })
}

/// Every move of a player that can ever be listed, if each is determined by one square and writes the
/// same in every position.
fn all_moves(rules: &RulesGame, summaries: &Summaries, player: Player) -> Option<Vec<Known>> {
    let program = rules.program();
    let mut state = rules.start().state;
    while rules.mover(&state) != player {
        state = rules.null_move(&state)?;
    }
    let mut all = Vec::new();
    for (id, statement) in program.statements.iter().enumerate() {
        let [operand] = statement.operands.as_slice() else { return None };
        if operand.kind != OperandKind::Square
            || !summaries.function(statement.effect).reads.is_empty()
        {
            return None;
        }
        for square in 0..program.squares as i64 {
            let mv = program.pack(StatementId(id as u16), &[Value::Int(square)])?;
            let writes = rules.effect_writes(&state, mv).ok()?;
            let on_board = writes.iter().filter(|it| it.cell() < program.squares);
            let set = |it: &Write| match *it {
                Write::Set(cell, value) => {
                    Some((cell, u16::try_from(value - program.cell(cell).0.lo).ok()?))
                }
                Write::Add(..) => None,
            };
            all.push((mv, on_board.map(set).collect::<Option<Vec<_>>>()?));
        }
    }
    all.sort_unstable_by_key(|it| it.0);
    Some(all)
}
