//! The loop that runs a function, and what its instructions do.
//!
//! The meaning of each instruction is its doc comment in [`ludex_ir::inst`]. Arms
//! that are more than a line or two are functions of their own, so that the loop
//! stays small.

use ludex_ir::moves::Packer;
use ludex_ir::moves::Path;
use ludex_ir::{
    ArrayId, Func, Inst, OutcomeKind, PackedMove, PathOf, PathReg, Reg, Say, SetReg, Spread,
    StatementId, Var,
};

use crate::fault::{Halt, fault, step_budget, too_many_moves};
use crate::geometry::lowest;
use crate::machine::{Ctx, Frame, Listing, Machine, Said};
use crate::reals::real;
use crate::scalar::{Exit, Scalar};

impl Machine {
    /// Runs a function whose parameters are in place.
    pub(crate) fn exec(&mut self, ctx: &Ctx<'_>, func: Func, frame: Frame) -> Result<(), Halt> {
        let code = &ctx.tables.codes[func.0 as usize];
        let tries = self.tries.len();
        let mut next = 0;
        loop {
            let mut scalar = Scalar {
                tables: ctx.tables,
                code,
                words: self.cells.words(),
                ints: &mut self.ints[frame.ints..],
                sets: &mut self.sets[frame.sets..],
                next,
                left: self.left,
            };
            let exit = scalar.run();
            (next, self.left) = (scalar.next, scalar.left);
            match exit {
                Exit::Other(number) => {
                    if self.left == 0 {
                        return Err(step_budget(ctx.limits, code.places[next - 1]));
                    }
                    self.step(ctx, frame, &code.others[number as usize], code.places[next - 1])?;
                }
                Exit::Return => break,
                Exit::Spent => return Err(step_budget(ctx.limits, code.places[next])),
            }
        }
        // A `try` that is left by a return is undone like any other.
        while self.tries.len() > tries {
            self.undo_try(ctx);
        }
        Ok(())
    }

    /// Runs an instruction that has no op of its own.
    fn step(&mut self, ctx: &Ctx<'_>, frame: Frame, inst: &Inst, place: u32) -> Result<(), Halt> {
        let tables = ctx.tables;
        match *inst {
            Inst::TestRange { dst, array, index, lo, hi } => {
                let found = self.cell(ctx, frame, array, index).is_some_and(|cell| {
                    let value = i64::from(self.cells.raw(cell)) + tables.slot(array).lo;
                    lo <= value && value <= hi
                });
                self.set_int(frame, dst, i64::from(found));
            }
            Inst::Store { array, index, value } => {
                if let Some(cell) = self.cell(ctx, frame, array, index) {
                    let slot = tables.slot(array);
                    let value = self.int(frame, value);
                    self.store(ctx, cell, value, (slot.lo, slot.hi), place)?;
                }
            }
            Inst::Add { array, index, delta } => {
                if let Some(cell) = self.cell(ctx, frame, array, index) {
                    let slot = tables.slot(array);
                    let delta = self.int(frame, delta);
                    self.add(ctx, cell, delta, (slot.lo, slot.hi), place)?;
                }
            }

            Inst::PathEmpty { dst } => self.set_path(frame, dst, Path::default()),
            Inst::PathCopy { dst, src } => {
                let path = self.path(frame, src);
                self.set_path(frame, dst, path);
            }
            Inst::PathPush { dst, src, item, of } => {
                let (path, item) = (self.path(frame, src), self.int(frame, item));
                let path = pushed(ctx, path, item, of, place)?;
                self.set_path(frame, dst, path);
            }
            Inst::PathLen { dst, path } => {
                let len = self.path(frame, path).len;
                self.set_int(frame, dst, i64::from(len));
            }
            Inst::PathItem { dst, path, index, of } => {
                let index = usize::try_from(self.int(frame, index)).unwrap_or(usize::MAX);
                let (path, shape) = (self.path(frame, path), tables.path(of));
                // A path of the other kind may be longer than this kind can be.
                let inside = index < shape.capacity;
                let item = if inside { path.item(index, shape.bits) } else { None };
                self.set_int(frame, dst, item.unwrap_or(-1));
            }

            Inst::Call { func, ref args, result } => {
                self.call(ctx, frame, func, args, result, place)?;
            }
            Inst::TryBegin => self.tries.push(self.cells.mark()),
            Inst::TryEnd => self.undo_try(ctx),
            Inst::Emit { statement, ref args, weight } => {
                self.emit(ctx, frame, statement, args, weight, place)?;
            }
            Inst::EmitAll { statement, set, ref args } => {
                self.emit_all(ctx, frame, statement, set, args, place)?;
            }
            Inst::Outcome { kind, score } => self.outcome(frame, kind, score, place),
            Inst::Feature { index, value } => {
                let value = real(self.int(frame, value));
                if let Some(feature) = self.features.get_mut(index as usize) {
                    *feature = if value.is_nan() { 0.0 } else { value };
                }
            }
            Inst::Say { piece: ref say } => {
                if self.sink.names && !self.trying() {
                    self.say_piece(ctx, frame, say);
                }
            }
            Inst::Irreversible => {
                if !self.trying() {
                    self.passing.irreversible = true;
                }
            }
            Inst::Next { player } => {
                let player = self.int(frame, player);
                if (player as u64) < tables.players() as u64 && !self.trying() {
                    self.passing.next = Some(player as usize);
                }
            }
            Inst::Repeats { dst } => {
                let repeats = self.repeats(ctx);
                self.set_int(frame, dst, repeats);
            }
            Inst::Reply { dst, player } => {
                let player = self.int(frame, player);
                let found = self.has_reply(ctx, player, place)?;
                self.set_int(frame, dst, i64::from(found));
            }
            Inst::Side { dst } => self.set_int(frame, dst, ctx.side),
            Inst::Depth { dst } => self.set_int(frame, dst, ctx.depth),
            // What is left are operations on sets; all others have ops.
            _ => self.set_step(ctx, frame, inst, place)?,
        }
        Ok(())
    }

    /// The cell that an instruction means; `None` if it is off.
    #[inline]
    fn cell(
        &self,
        ctx: &Ctx<'_>,
        frame: Frame,
        array: ArrayId,
        index: Option<Reg>,
    ) -> Option<usize> {
        let slot = ctx.tables.slot(array);
        let index = index.map_or(0, |index| self.int(frame, index));
        ((index as u64) < slot.len as u64).then(|| slot.base + index as usize)
    }

    fn path(&self, frame: Frame, reg: PathReg) -> Path {
        self.paths[frame.paths + reg.0 as usize]
    }

    pub(crate) fn set_path(&mut self, frame: Frame, reg: PathReg, path: Path) {
        self.paths[frame.paths + reg.0 as usize] = path;
    }

    fn call(
        &mut self,
        ctx: &Ctx<'_>,
        caller: Frame,
        func: Func,
        args: &[Var],
        result: Option<Var>,
        place: u32,
    ) -> Result<(), Halt> {
        let function = ctx.tables.program.function(func);
        let frame = self.enter(ctx, function, place)?;
        for (&arg, &param) in args.iter().zip(&function.params) {
            self.copy(ctx, (caller, arg), (frame, param));
        }
        self.exec(ctx, func, frame)?;
        if let (Some(to), Some(from)) = (result, function.result) {
            self.copy(ctx, (frame, from), (caller, to));
        }
        self.leave(frame);
        Ok(())
    }

    /// Whether a `try` of the effect itself is open.
    fn trying(&self) -> bool {
        self.tries.len() > self.passing.tries
    }

    fn undo_try(&mut self, ctx: &Ctx<'_>) {
        if let Some(mark) = self.tries.pop() {
            self.cells.back(&ctx.tables.layout, mark);
        }
    }

    fn emit(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        statement: StatementId,
        args: &[Var],
        weight: Option<Reg>,
        place: u32,
    ) -> Result<(), Halt> {
        if self.sink.listing == Listing::Off {
            return Ok(());
        }
        let mut packer = Packer::new(statement);
        for (&arg, &(kind, width)) in args.iter().zip(&ctx.tables.operands[statement.0 as usize]) {
            let packed = match arg {
                Var::Int(reg) => packer.int(kind, width, self.int(frame, reg)),
                Var::Path(reg) => packer.path(width, self.path(frame, reg)),
                Var::Set(_) => Some(()),
            };
            if packed.is_none() {
                return Err(too_large(ctx, statement, self, frame, args, place));
            }
        }
        let weight = weight.map(|reg| real(self.int(frame, reg)));
        self.list(ctx, packer.finish(), weight, place)
    }

    /// Emits a move for each square of a set.
    fn emit_all(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        statement: StatementId,
        set: SetReg,
        args: &[Spread],
        place: u32,
    ) -> Result<(), Halt> {
        if self.sink.listing == Listing::Off {
            return Ok(());
        }
        let at = Self::set_at(ctx, frame, set);
        let members = self.sets[at..at + ctx.tables.board.words].to_vec();
        let mut after = 0;
        while let Some(member) = lowest(&members, after) {
            let mut packer = Packer::new(statement);
            for (arg, &(kind, width)) in args.iter().zip(&ctx.tables.operands[statement.0 as usize])
            {
                let value = match *arg {
                    Spread::Member => member as i64,
                    Spread::Table(table) => {
                        let table = &ctx.tables.program.tables[table.0 as usize];
                        table.data.get(member).copied().unwrap_or(-1)
                    }
                    Spread::Same(reg) => self.int(frame, reg),
                };
                if packer.int(kind, width, value).is_none() {
                    let message = "a move cannot remember so much".to_owned();
                    return Err(fault("number-too-large", message, place).into());
                }
            }
            self.spend(ctx, 2, place)?;
            self.list(ctx, packer.finish(), None, place)?;
            after = member + 1;
        }
        Ok(())
    }

    /// Puts a move into the list, or looks whether it is the one that was wanted.
    fn list(
        &mut self,
        ctx: &Ctx<'_>,
        mv: PackedMove,
        weight: Option<f64>,
        place: u32,
    ) -> Result<(), Halt> {
        if self.moves.len() - self.sink.list_start >= ctx.limits.moves {
            return Err(too_many_moves(ctx.limits, place));
        }
        match self.sink.listing {
            Listing::First { me, tries } if tries == self.tries.len() => {
                return if self.allowed(ctx, me, mv)? { Err(Halt::Enough) } else { Ok(()) };
            }
            _ => self.moves.push(mv),
        }
        match self.sink.listing {
            Listing::All { weights: true } => {
                self.weights.push(weight.filter(|it| !it.is_nan()));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn outcome(&mut self, frame: Frame, kind: OutcomeKind, score: Option<Reg>, place: u32) {
        if !self.sink.outcomes {
            return;
        }
        let score = score.map(|reg| self.int(frame, reg));
        // What is said twice is said once; only the first place is of interest.
        if !self.said.iter().any(|it| it.kind == kind && it.score == score) {
            self.said.push(Said { kind, score, place });
        }
    }

    /// Adds a piece to the name of a move.
    fn say_piece(&mut self, ctx: &Ctx<'_>, frame: Frame, say: &Say) {
        let program = &ctx.tables.program;
        let word = |machine: &Self, words: &[String], reg: Reg| {
            let index = usize::try_from(machine.int(frame, reg)).ok();
            index.and_then(|it| words.get(it)).map_or("-", String::as_str).to_owned()
        };
        let piece = match say {
            Say::Square(reg) => word(self, &program.look.squares, *reg),
            Say::Becomes(reg) => word(self, &program.look.kinds, *reg).to_lowercase(),
            Say::Drops(reg) => word(self, &program.look.kinds, *reg).to_uppercase() + "@",
            Say::Kind(reg) => word(self, &program.look.kinds, *reg),
            Say::Number(reg) => self.int(frame, *reg).to_string(),
            Say::Direction(reg) => {
                let dir = program.geometry.directions.get(self.int(frame, *reg) as usize);
                dir.map_or_else(|| "-".to_owned(), |dir| dir.name.clone())
            }
            Say::Player(reg) => word(self, &program.players, *reg),
            Say::Text(text) => text.clone(),
        };
        self.say(&piece);
    }

    /// How many earlier positions had the key of the present state.
    fn repeats(&self, ctx: &Ctx<'_>) -> i64 {
        if self.cut {
            return 0;
        }
        let count = ctx.trail.count(self.cells.key()) as i64;
        let present = !self.hypothetical && self.tries.is_empty();
        (count - i64::from(present)).max(0)
    }
}

fn pushed(ctx: &Ctx<'_>, path: Path, item: i64, of: PathOf, place: u32) -> Result<Path, Halt> {
    let shape = ctx.tables.path(of);
    path.push(item, shape.bits, shape.capacity).ok_or_else(|| {
        if path.len as usize >= shape.capacity {
            let message = format!("a path of more than {} elements", shape.capacity);
            fault("path-too-long", message, place).into()
        } else {
            let what = match of {
                PathOf::Squares => "square",
                PathOf::Directions => "direction",
            };
            let message = format!("a path gets an element that is no {what}");
            fault("out-of-range", message, place).into()
        }
    })
}

/// The fault of a move that remembers a number too large for it.
#[cold]
fn too_large(
    ctx: &Ctx<'_>,
    statement: StatementId,
    machine: &Machine,
    frame: Frame,
    args: &[Var],
    place: u32,
) -> Halt {
    let operands = &ctx.tables.program.statements[statement.0 as usize].operands;
    let kinds = &ctx.tables.operands[statement.0 as usize];
    let mut packer = Packer::new(statement);
    for ((&arg, operand), &(kind, width)) in args.iter().zip(operands).zip(kinds) {
        if let Var::Int(reg) = arg {
            let value = machine.int(frame, reg);
            if packer.int(kind, width, value).is_none() {
                let name = &operand.name;
                let message = format!("a move cannot remember `{name}`, which is {value}");
                return fault("number-too-large", message, place).into();
            }
        }
    }
    let message = "a move cannot remember so much".to_owned();
    fault("number-too-large", message, place).into()
}
