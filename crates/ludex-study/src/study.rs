//! [`Study`]: a program, explained.

use std::collections::BTreeMap;

use ludex_core::{Fault, Player, Position};
use ludex_interp::{RunLimits, Write};
use ludex_ir::{OutcomeKind, PackedMove, Program};

use crate::code::Code;
use crate::label::{Allowed, Label, Labels};
use crate::run::{Machine, Said};

/// How reasons are found.
#[derive(Clone, Copy, Debug)]
pub struct StudyConfig {
    /// Whether what a branch *may* have assigned depends on its condition.
    /// Without it reasons are too few: it is here to show that the tests see that.
    pub relevant_slice: bool,
    /// How much one question may cost.
    pub limits: RunLimits,
}

impl Default for StudyConfig {
    fn default() -> Self {
        Self { relevant_slice: true, limits: RunLimits::default() }
    }
}

/// What was asked of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// The cell.
    pub cell: usize,
    /// The values that it may have.
    pub allowed: Allowed,
}

impl Reason {
    /// Whether the cell may have this value. A move that writes one that it may not *touches* the
    /// reason.
    pub fn allows(&self, program: &Program, value: i64) -> bool {
        let raw = u16::try_from(value - program.cell(self.cell).0.lo);
        raw.is_ok_and(|raw| self.allowed.contains(raw))
    }
}

/// Something that the rules produced in a state, and why.
///
/// In every state whose cells satisfy the reasons, with the same player to
/// move and, if `history` is set, the same answer to "how often has this
/// position been there", the rules produce the item as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained<T> {
    /// What was produced.
    pub item: T,
    /// The conditions on cells, in the order of the cells. The player to move goes with them.
    pub reasons: Vec<Reason>,
    /// Whether it depends on the history as well.
    pub history: bool,
    /// The place of the statement that produced it, as a number of the front end; 0 for none.
    pub place: u32,
}

/// A move that `moves` lists, before legality is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The move.
    pub mv: PackedMove,
    /// What it writes, as [`ludex_interp::RulesGame::effect_writes`] tells it.
    pub writes: Vec<Write>,
}

/// Which part of the rules gave a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clause {
    /// `result`.
    Result,
    /// `adjudicate`.
    Adjudicate,
    /// `stuck`.
    Stuck,
}

/// What the rules give a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Given {
    /// What it is.
    pub kind: OutcomeKind,
    /// The score, where there is one.
    pub score: Option<i64>,
    /// Which part of the rules gave it.
    pub clause: Clause,
}

/// A program made ready to be explained.
///
/// Reads the program as the front end made it (not optimised). Moves are those
/// that `moves` lists, before `illegal`: a game with a king is read in its
/// king-capture form.
#[derive(Debug)]
pub struct Study {
    pub(crate) code: Code,
}

impl Study {
    /// Studies a program, which must be one that [`ludex_ir::verify()`] accepts.
    pub fn new(program: &Program) -> Self {
        Self::with(program, StudyConfig::default())
    }

    /// The same, with other settings.
    pub fn with(program: &Program, config: StudyConfig) -> Self {
        Self { code: Code::new(program, config.relevant_slice, config.limits) }
    }

    /// The moves of player `me`, as if it were that player's turn, in order.
    /// Of several ways to list the same move the one with the fewest reasons is given.
    pub fn moves(&self, position: &Position, me: Player) -> Result<Vec<Explained<Listed>>, Fault> {
        let mut machine = Machine::new(&self.code, position, Some(me.index()));
        let mut ways: BTreeMap<PackedMove, Vec<(Label, u32)>> = BTreeMap::new();
        for emission in machine.moves(self.code.program.roles.moves, me.index())? {
            ways.entry(emission.mv).or_default().push((emission.label, emission.place));
        }
        let mut moves = Vec::with_capacity(ways.len());
        for (mv, ways) in ways {
            moves.push(self.whole(&mut machine, me, mv, ways)?);
        }
        Ok(moves)
    }

    /// One of these moves; `None` if the rules do not list it.
    pub fn one_move(
        &self,
        position: &Position,
        me: Player,
        mv: PackedMove,
    ) -> Result<Option<Explained<Listed>>, Fault> {
        let mut machine = Machine::new(&self.code, position, Some(me.index()));
        let emitted = machine.moves(self.code.program.roles.moves, me.index())?;
        let ways: Vec<(Label, u32)> =
            emitted.iter().filter(|it| it.mv == mv).map(|it| (it.label, it.place)).collect();
        if ways.is_empty() {
            return Ok(None);
        }
        self.whole(&mut machine, me, mv, ways).map(Some)
    }

    /// A move that is listed in these ways, with what it does.
    fn whole(
        &self,
        machine: &mut Machine<'_>,
        me: Player,
        mv: PackedMove,
        ways: Vec<(Label, u32)>,
    ) -> Result<Explained<Listed>, Fault> {
        let (writes, done) = machine.effect(me.index(), mv)?;
        let labels = &mut machine.labels;
        let whole = |(label, place)| (labels.union(label, done), place);
        let ways: Vec<(Label, u32)> = ways.into_iter().map(whole).collect();
        Ok(self.explained(labels, Listed { mv, writes }, &ways))
    }

    /// What `result` gives player `me`, in order; or, if it gives no player anything, what
    /// `adjudicate` gives.
    ///
    /// Each is explained for itself: that `result` is silent, and that the player to move is not
    /// stuck (which in play comes before `adjudicate`), is no part of the reasons of `adjudicate`.
    pub fn results(&self, position: &Position, me: Player) -> Result<Vec<Explained<Given>>, Fault> {
        let mut machine = Machine::new(&self.code, position, None);
        let roles = &self.code.program.roles;
        for (role, clause) in
            [(roles.result, Clause::Result), (roles.adjudicate, Clause::Adjudicate)]
        {
            let Some(role) = role else { continue };
            let mut silent = true;
            let mut mine = Vec::new();
            for player in 0..self.code.program.players.len() {
                let said = machine.outcomes(role, player)?;
                silent &= said.is_empty();
                if player == me.index() {
                    mine = said;
                }
            }
            if !silent {
                return Ok(self.given(&mut machine.labels, mine, clause, Label::NONE));
            }
        }
        Ok(Vec::new())
    }

    /// The reasons of each victory that `result` gives player `me`, one after the other; a fault
    /// if that takes more than `steps` steps.
    pub fn ways_to_win(
        &self,
        position: &Position,
        me: Player,
        steps: u64,
    ) -> Result<Vec<Explained<()>>, Fault> {
        let Some(role) = self.code.program.roles.result else { return Ok(Vec::new()) };
        let mut machine = Machine::new(&self.code, position, None).with_steps(steps);
        let said = machine.outcomes(role, me.index())?;
        let victories = said.iter().filter(|it| it.kind == OutcomeKind::Victory);
        Ok(victories
            .map(|it| self.explained(&machine.labels, (), &[(it.label, it.place)]))
            .collect())
    }

    /// Why neither `result` nor `adjudicate` gives any player anything: in every state that
    /// satisfies the reasons they give nothing. `None` where they do.
    pub fn silence(&self, position: &Position) -> Result<Option<Explained<()>>, Fault> {
        let mut machine = Machine::new(&self.code, position, None);
        let roles = &self.code.program.roles;
        let mut all = Label::NONE;
        for role in [roles.result, roles.adjudicate].into_iter().flatten() {
            for player in 0..self.code.program.players.len() {
                let Some(label) = machine.silence(role, player)? else { return Ok(None) };
                all = machine.labels.union(all, label);
            }
        }
        Ok(Some(self.explained(&machine.labels, (), &[(all, 0)])))
    }

    /// What `stuck` gives player `me`, who has no legal move; a loss if it says nothing.
    ///
    /// That there is no legal move may depend on every cell, and is said to: sound, and more than
    /// it needs to be. It is the caller's to know that there is none.
    pub fn stuck(&self, position: &Position, me: Player) -> Result<Vec<Explained<Given>>, Fault> {
        let mut machine = Machine::new(&self.code, position, Some(me.index()));
        let everything = machine.everything();
        let said = match self.code.program.roles.stuck {
            Some(stuck) => machine.stuck(stuck, me.index())?,
            None => Some(Vec::new()),
        };
        let loss = Said { kind: OutcomeKind::Loss, score: None, label: Label::NONE, place: 0 };
        let said = match said {
            Some(said) if said.is_empty() => vec![loss],
            Some(said) => said,
            // There are moves after all: a pass.
            None => Vec::new(),
        };
        Ok(self.given(&mut machine.labels, said, Clause::Stuck, everything))
    }

    /// What was said, each thing once, with its fewest reasons and some more.
    fn given(
        &self,
        labels: &mut Labels,
        said: Vec<Said>,
        clause: Clause,
        more: Label,
    ) -> Vec<Explained<Given>> {
        let mut ways: BTreeMap<Given, Vec<(Label, u32)>> = BTreeMap::new();
        for Said { kind, score, label, place } in said {
            let label = labels.union(label, more);
            ways.entry(Given { kind, score, clause }).or_default().push((label, place));
        }
        ways.into_iter().map(|(item, ways)| self.explained(labels, item, &ways)).collect()
    }

    /// An item with the fewest reasons of several.
    pub(crate) fn explained<T>(
        &self,
        labels: &Labels,
        item: T,
        ways: &[(Label, u32)],
    ) -> Explained<T> {
        let fewest = |best: (Label, u32), &way: &(Label, u32)| {
            if labels.prefers(way.0, best.0) { way } else { best }
        };
        let (label, place) = ways.iter().fold(ways[0], fewest);
        let conditions = labels.conditions(label);
        let history = self.code.history_cell();
        let listed = conditions.iter().filter(|it| it.cell as usize != history);
        Explained {
            item,
            reasons: listed
                .map(|it| Reason { cell: it.cell as usize, allowed: it.allowed })
                .collect(),
            history: conditions.last().is_some_and(|it| it.cell as usize == history),
            place,
        }
    }
}
