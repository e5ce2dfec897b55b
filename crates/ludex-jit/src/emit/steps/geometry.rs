//! Sets moved over the board: by inline code where the directions are known and there is such
//! code, else by a helper.

use cranelift_codegen::ir::Value;
use ludex_ir::{Reg, SetReg};

use crate::emit::frame::Frame;
use crate::emit::sets::Set;
use crate::emit::{Emitter, Written};

impl Emitter<'_, '_> {
    pub(in crate::emit) fn known_dir(&self, frame: &Frame<'_>, dir: Reg) -> Option<u16> {
        let dir = u16::try_from(frame.known(dir)?).ok()?;
        ((dir as usize) < self.unit.program.geometry.directions.len()).then_some(dir)
    }

    fn known_list(&self, frame: &Frame<'_>, list: Reg) -> Option<Vec<u16>> {
        let list = usize::try_from(frame.known(list)?).ok()?;
        self.unit.program.geometry.lists.get(list).cloned()
    }

    pub(super) fn leap_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        src: SetReg,
        dir: Reg,
        count: u16,
    ) -> Written {
        let set = self.set(frame, src);
        let done = self.known_dir(frame, dir).and_then(|dir| self.leap(&set, dir, count));
        let set = match done {
            Some(set) => set,
            None => {
                let (dir, count) = (self.int(frame, dir), self.number(i64::from(count)));
                self.set_helper("leap", &[dir, count], &[&set])?
            }
        };
        self.set_set(frame, dst, &set);
        Ok(())
    }

    pub(super) fn neighbours_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        src: SetReg,
        list: Reg,
    ) -> Written {
        let set = self.set(frame, src);
        let done = self.known_list(frame, list).and_then(|it| self.neighbours(&set, &it));
        let set = match done {
            Some(set) => set,
            None => {
                let list = self.int(frame, list);
                self.set_helper("neighbours", &[list], &[&set])?
            }
        };
        self.set_set(frame, dst, &set);
        Ok(())
    }

    pub(super) fn slide_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        (from, through): (SetReg, SetReg),
        dir: Reg,
    ) -> Written {
        let (set, open) = (self.set(frame, from), self.set(frame, through));
        let done = self.known_dir(frame, dir).and_then(|it| self.slide(&set, &open, it));
        let set = match done {
            Some(set) => set,
            None => {
                let dir = self.int(frame, dir);
                self.set_helper("slide", &[dir], &[&set, &open])?
            }
        };
        self.set_set(frame, dst, &set);
        Ok(())
    }

    pub(super) fn rays_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        (from, through): (Reg, SetReg),
        list: Reg,
    ) -> Written {
        let (from, open) = (self.int(frame, from), self.set(frame, through));
        let done = self.known_list(frame, list).and_then(|it| self.rays(from, &open, &it));
        let set = match done {
            Some(set) => set,
            None => {
                let list = self.int(frame, list);
                self.set_helper("rays", &[from, list], &[&open])?
            }
        };
        self.set_set(frame, dst, &set);
        Ok(())
    }

    pub(super) fn flood_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        (from, within): (SetReg, SetReg),
        list: Reg,
    ) -> Written {
        let (from, within) = (self.set(frame, from), self.set(frame, within));
        let known = self.known_list(frame, list);
        let inline = known.filter(|it| self.neighbours(&from, it).is_some());
        let set = match inline {
            Some(list) => self.flood(&from, &within, |it, set| {
                // It could be done for another set of the same board.
                it.neighbours(set, &list).unwrap_or_else(|| set.clone())
            }),
            None => {
                let list = self.int(frame, list);
                self.set_helper("flood", &[list], &[&from, &within])?
            }
        };
        self.set_set(frame, dst, &set);
        Ok(())
    }

    /// Lets a helper make a set.
    pub(in crate::emit) fn set_helper(
        &mut self,
        name: &'static str,
        numbers: &[Value],
        sets: &[&Set],
    ) -> Written<Set> {
        self.spend(self.words() as i64 * 8);
        let mut args = vec![self.ctx];
        args.extend(numbers);
        for set in sets {
            let at = self.set_slot();
            self.store_set(set, at);
            args.push(at);
        }
        let out = self.set_slot();
        args.push(out);
        self.call_helper(name, &args)?;
        Ok(self.load_set(out))
    }
}
