//! What moves are called.
//!
//! A move says its name while it is played: the effect is run on a copy and the
//! pieces that it says are joined.

use ludex_core::{Fault, Game, Player, Position, State};
use ludex_ir::PackedMove;

use crate::game::RulesGame;
use crate::machine::Sink;

impl RulesGame {
    /// What people call `mv` in `state`.
    pub(crate) fn move_name(&self, state: &State, mv: PackedMove) -> String {
        let name = self.ask_state(state, |machine, ctx| {
            machine.sink = Sink { names: true, ..Sink::default() };
            let me = machine.mover(ctx);
            machine.play(ctx, me, mv)?;
            Ok(std::mem::take(&mut machine.name))
        });
        match name {
            Ok(name) if !name.is_empty() => name,
            Ok(_) if self.program().statement_of(mv).is_some() => "pass".to_owned(),
            // A move that cannot be played has no better name than its bits.
            _ => format!("#{:x}", mv.0),
        }
    }

    /// The legal move of `player` that people call `name`.
    ///
    /// Where several ways lead to the same position, the names of all of them are understood.
    pub(crate) fn move_named(
        &self,
        position: &Position,
        player: Player,
        name: &str,
    ) -> Result<Option<PackedMove>, Fault> {
        let mut legal = Vec::new();
        self.moves(position, player, &mut legal)?;
        if let Some(&mv) = legal.iter().find(|&&mv| self.move_name(&position.state, mv) == name) {
            return Ok(Some(mv));
        }
        if legal.is_empty() || !self.program().statements.iter().any(|it| it.twins) {
            return Ok(None);
        }
        let Some(twin) = self.twin_named(position, player, name)? else { return Ok(None) };
        self.move_like(position, twin, &legal)
    }

    /// An emitted move of a statement with twins that people call `name`.
    fn twin_named(
        &self,
        position: &Position,
        player: Player,
        name: &str,
    ) -> Result<Option<PackedMove>, Fault> {
        let emitted = self.pseudo_moves(position, player)?;
        let program = self.program();
        let twins = |mv: &PackedMove| {
            program.statement_of(*mv).is_some_and(|(_, statement)| statement.twins)
        };
        Ok(emitted
            .into_iter()
            .filter(twins)
            .find(|&mv| self.move_name(&position.state, mv) == name))
    }

    /// The first of `legal` that leads where `mv` does.
    pub(crate) fn move_like(
        &self,
        position: &Position,
        mv: PackedMove,
        legal: &[PackedMove],
    ) -> Result<Option<PackedMove>, Fault> {
        self.ask(position, |machine, ctx| {
            let me = machine.mover(ctx);
            let before = machine.suspend();
            machine.play(ctx, me, mv)?;
            let words = machine.cells.words().to_vec();
            machine.recover(ctx, before);
            for &other in legal {
                if machine.leads_to(ctx, me, other, &words)? {
                    return Ok(Some(other));
                }
            }
            Ok(None)
        })
    }
}
