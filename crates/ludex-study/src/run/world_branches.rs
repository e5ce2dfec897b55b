//! Worlds that take the other side of a branch, up to its conjugate.
//!
//! This is Pitrat's forcing: at a test, go on as if it had come out otherwise,
//! up to the test's conjugate; from there on all is as it was, and has been done
//! already. With one addition, for what has *not* become as it was: registers
//! whose labels are broken by the change keep a value for that world.

use ludex_core::Fault;
use ludex_ir::{Block, End, Function, Reg, SetReg, Var};

use super::world_values::{AwayWorld, Value, WorldValues};
use super::worlds::WorldId;
use super::{Frame, Machine};

impl Machine<'_> {
    /// Before the branch at the end of a block is taken: the worlds for which its condition is
    /// another matter run by themselves from here to its conjugate.
    pub(super) fn split(
        &mut self,
        function: &Function,
        frame: &mut Frame,
        block: usize,
    ) -> Result<(), Fault> {
        let End::Branch { cond, .. } = function.blocks[block].end.0 else { return Ok(()) };
        for world in self.parted_by(frame.condition(), frame.int(cond).1) {
            frame.beside.away.extend(self.send_away(function, frame, block, world)?);
        }
        Ok(())
    }

    /// Runs a world from the branch at the end of a block to where the ways meet; `None` if it fails.
    fn send_away(
        &mut self,
        function: &Function,
        frame: &Frame,
        block: usize,
        world: WorldId,
    ) -> Result<Option<AwayWorld>, Fault> {
        let branch = self.code.branch(frame.function, block);
        let had_own = self.worlds.all[world].own.is_some();
        // Inside a `try` the way may lead out of it, which undoes writes.
        if !branch.writes.is_empty() || !self.tries.is_empty() {
            self.set_apart(world);
        }
        let meet = branch.conjugate;
        let mut frame = self.frame_in(frame, &branch.sets, world)?;
        let gone = self.inside(world, |machine| machine.go(function, &mut frame, block, meet))?;
        let keep = had_own || !branch.writes.is_empty();
        let own = self.worlds.all[world].own.take().filter(|_| keep);
        Ok(gone.map(|()| AwayWorld { meet, world, frame, own }))
    }

    /// Takes the branch at the end of a block and goes on to where the ways meet.
    fn go(
        &mut self,
        function: &Function,
        frame: &mut Frame,
        block: usize,
        meet: Option<Block>,
    ) -> Result<(), Fault> {
        let End::Branch { cond, yes, no } = function.blocks[block].end.0 else { return Ok(()) };
        let (value, label) = frame.int(cond);
        self.part(frame, block, label);
        let first = if value != 0 { yes } else { no };
        self.walk(function, frame, first.0 as usize, meet)?;
        if meet.is_none() {
            self.leave(frame);
        }
        Ok(())
    }

    /// An activation as it is in a world. Of its sets only some will be looked at.
    fn frame_in(
        &mut self,
        frame: &Frame,
        wanted: &[SetReg],
        world: WorldId,
    ) -> Result<Frame, Fault> {
        let mut other = Frame {
            function: frame.function,
            ints: frame.ints.clone(),
            sets: frame.sets.clone(),
            paths: frame.paths.clone(),
            counted: Vec::new(),
            control: frame.control.clone(),
            beside: WorldValues::default(),
        };
        for (var, value) in frame.beside.in_world(world) {
            other.hold(var, value.clone());
        }
        for &reg in wanted {
            if let Some(set) = self.set_in(frame, reg, world)? {
                other.sets[reg.0 as usize] = set;
            }
        }
        Ok(other)
    }

    /// Where ways meet: the worlds that come back hold something else in the registers whose labels
    /// they break, and in no others.
    pub(super) fn meet(&mut self, frame: &mut Frame, here: Option<Block>) {
        if frame.beside.away.iter().all(|it| it.meet != here) {
            return;
        }
        let (back, away) =
            std::mem::take(&mut frame.beside.away).into_iter().partition(|it| it.meet == here);
        frame.beside.away = away;
        let back: Vec<AwayWorld> = back;
        for away in back {
            self.come_back(frame, away);
        }
    }

    fn come_back(&mut self, frame: &mut Frame, away: AwayWorld) {
        let AwayWorld { world, frame: other, own, .. } = away;
        let ints = (0..frame.ints.len() as u16).map(|it| Var::Int(Reg(it)));
        let paths = (0..frame.paths.len() as u16).map(|it| Var::Path(ludex_ir::PathReg(it)));
        for var in ints.chain(paths) {
            let label = *frame.value(var).label_mut();
            if self.worlds.breaks(&self.labels, world, label) {
                frame.beside.put(var, world, other.value(var));
            } else {
                frame.beside.remove(var, world);
            }
        }
        for (index, set) in other.sets.into_iter().enumerate() {
            if self.worlds.breaks(&self.labels, world, frame.sets[index].common) {
                frame.beside.put(SetReg(index as u16).into(), world, Value::Set(set));
            }
        }
        self.worlds.all[world].own = own;
    }
}
