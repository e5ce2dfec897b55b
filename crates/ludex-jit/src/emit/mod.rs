//! From functions of the intermediate representation to machine code.
//!
//! ```text
//! Unit: one program, its layout, its constant tables, the module being filled
//!   Emitter: one native function being written
//!     Frame: one function of the program put into it (callees may be put in line)
//! ```
//!
//! Every native function takes the context and the block of the state, and
//! gives a status and a number. A status that is not 0 travels up at once.

mod cache;
mod cells;
mod draw;
mod empties;
mod flow;
mod frame;
mod hops;
mod legal_count;
mod moves;
mod numbers;
mod ops;
mod play;
mod playout;
mod sets;
mod steps;
mod trace;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    AbiParam, Block, Function as Native, InstBuilder, Signature, StackSlot, Value,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module, ModuleError};
use ludex_ir::passes::{Optimised, PlayerCode};
use ludex_ir::{ArrayId, Func, Program, Summaries, Var};

use crate::context::{DONE, FUEL};
use crate::error::NativeError;
use crate::helpers::Board;
use crate::layout::Layout;
use crate::pool::Pool;

use cache::Cache;
use legal_count::LegalCount;
use moves::Site;

pub(crate) use playout::{End, Ending};

/// What becomes of the moves that a function lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// They are put into the list.
    List,
    /// They are put into the list with their weights.
    Weigh,
    /// The first one ends the run: there is a move.
    Any,
    /// They are counted.
    Count,
    /// Whole sets of them are kept, to choose from.
    Sample,
    /// Those that are legal for sure are counted, the others put into the list.
    CountLegal,
    /// Nothing: what is asked is something else.
    Off,
}

/// Whether a random game tells its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trace {
    /// They are noted as they are played.
    Kept,
    /// They are forgotten, which is faster.
    Off,
}

/// A native function that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wanted {
    /// A function of the program.
    Function(Func, Mode),
    /// A player plays a move that is given packed.
    Play(usize),
    /// Whether a player has a legal move.
    HasLegal(usize),
    /// Lists the legal moves of a player.
    Legal(usize),
    /// Counts the legal moves of a player.
    CountLegal(usize),
    /// A player tries a listed move on a copy; gives 1 if it is forbidden.
    Forbidden(usize),
    /// A random game to its end.
    Playout(Trace),
}

/// What is being compiled.
pub(crate) struct Unit<'p> {
    /// The program as it was, which says how moves are packed.
    pub(crate) original: &'p Program,
    pub(crate) program: &'p Program,
    pub(crate) players: &'p [PlayerCode],
    pub(crate) layout: Layout,
    pub(crate) pool: Pool,
    pub(crate) board: Arc<Board>,
    pub(crate) module: JITModule,
    pub(crate) summaries: Summaries,
    /// Whether every statement is listed at most once with the same operands.
    pub(crate) distinct: bool,
    /// Whether the n-th bit of a word is found by one instruction.
    pub(crate) deposits: bool,
    /// How many moves may be listed.
    pub(crate) most_moves: u64,
    declared: BTreeMap<Wanted, FuncId>,
    waiting: BTreeSet<Wanted>,
    helpers: BTreeMap<&'static str, FuncId>,
    /// What each array's values add to the hash.
    share_tables: BTreeMap<ArrayId, i64>,
}

impl<'p> Unit<'p> {
    pub(crate) fn new(
        original: &'p Program,
        optimised: &'p Optimised,
        module: JITModule,
        distinct: bool,
    ) -> Self {
        let program = &optimised.program;
        Self {
            original,
            program,
            players: &optimised.players,
            layout: Layout::new(program),
            pool: Pool::default(),
            board: Arc::new(Board::new(program)),
            module,
            summaries: Summaries::of(program),
            distinct,
            deposits: false,
            most_moves: u64::MAX,
            declared: BTreeMap::new(),
            waiting: BTreeSet::new(),
            helpers: BTreeMap::new(),
            share_tables: BTreeMap::new(),
        }
    }

    /// The native function of something wanted, which will be compiled if it was not yet.
    pub(crate) fn want(&mut self, wanted: Wanted) -> Result<FuncId, Box<ModuleError>> {
        if let Some(&id) = self.declared.get(&wanted) {
            return Ok(id);
        }
        let signature = self.signature(wanted);
        let name = format!("{wanted:?}");
        let id = self.module.declare_function(&name, Linkage::Local, &signature)?;
        self.declared.insert(wanted, id);
        self.waiting.insert(wanted);
        Ok(id)
    }

    /// Compiles everything that is wanted, and what that wants; gives the bytes of code.
    pub(crate) fn compile(&mut self) -> Result<usize, NativeError> {
        let mut context = self.module.make_context();
        let mut memory = FunctionBuilderContext::new();
        let mut bytes = 0;
        while let Some(wanted) = self.waiting.pop_first() {
            let id = self.want(wanted)?;
            context.func = Native::with_name_signature(
                cranelift_codegen::ir::UserFuncName::user(0, id.as_u32()),
                self.signature(wanted),
            );
            let config = self.module.target_config();
            let builder = FunctionBuilder::new(&mut context.func, &mut memory);
            let mut emitter = Emitter::new(builder, self);
            emitter.write(wanted)?;
            let Emitter { mut b, .. } = emitter;
            b.seal_all_blocks();
            b.finalize(config);
            fits(slot_bytes(&context.func))?;
            self.module.define_function(id, &mut context).map_err(Box::new)?;
            if let Some(code) = context.compiled_code() {
                fits(code.buffer.frame_layout().map_or(0, |it| it.frame_to_fp_offset))?;
                bytes += code.code_buffer().len();
            }
            self.module.clear_context(&mut context);
        }
        Ok(bytes)
    }

    fn signature(&self, wanted: Wanted) -> Signature {
        let mut signature = self.module.make_signature();
        let params = 2 + match wanted {
            Wanted::Function(func, _) => {
                let function = self.program.function(func);
                let params = function.params.iter().map(|&it| params_of(it)).sum::<usize>();
                params + usize::from(matches!(function.result, Some(Var::Set(_) | Var::Path(_))))
            }
            Wanted::Play(_) | Wanted::Forbidden(_) => 2,
            Wanted::HasLegal(_) | Wanted::Legal(_) | Wanted::CountLegal(_) | Wanted::Playout(_) => {
                0
            }
        };
        signature.params.extend(std::iter::repeat_n(AbiParam::new(I64), params));
        signature.returns.extend([AbiParam::new(I64), AbiParam::new(I64)]);
        signature
    }

    /// A function of this crate that native code calls by name; all words.
    fn helper(&mut self, name: &'static str, params: usize) -> Result<FuncId, Box<ModuleError>> {
        if let Some(&id) = self.helpers.get(name) {
            return Ok(id);
        }
        let mut signature = self.module.make_signature();
        signature.params.extend(std::iter::repeat_n(AbiParam::new(I64), params));
        signature.returns.push(AbiParam::new(I64));
        let id = self.module.declare_function(name, Linkage::Import, &signature)?;
        self.helpers.insert(name, id);
        Ok(id)
    }
}

/// How many bytes of the stack one native function may take. As many frames as come between two looks
/// at the stack (four: a random game, its list of legal moves, one that is tried, what it does)
/// take half of what a call may take.
pub(crate) const MOST_FRAME_BYTES: u32 = 64 << 10;

/// Whether a number of bytes of the stack is small enough for one function.
fn fits(bytes: u32) -> Result<(), NativeError> {
    if bytes > MOST_FRAME_BYTES {
        return Err(NativeError::Unsupported("a state of that size inside that number of `try`"));
    }
    Ok(())
}

/// What a function asks of the stack by name; what registers are spilled to is not known yet.
fn slot_bytes(native: &Native) -> u32 {
    native.sized_stack_slots.values().fold(0, |sum: u32, slot| sum.saturating_add(slot.size))
}

/// How many words a parameter is passed in: a set by its address.
fn params_of(var: Var) -> usize {
    match var {
        Var::Int(_) | Var::Set(_) => 1,
        Var::Path(_) => 3,
    }
}

/// Nothing, or why there is no native code.
pub(crate) type Written<T = ()> = Result<T, NativeError>;

/// One native function being written.
pub(crate) struct Emitter<'a, 'p> {
    pub(crate) b: FunctionBuilder<'a>,
    pub(crate) unit: &'a mut Unit<'p>,
    /// The context.
    ctx: Value,
    /// The block of the state.
    state: Value,
    /// Leaves with the status that is its parameter.
    stop: Block,
    /// Steps that are left.
    fuel: Variable,
    /// The sets that moves are listed for, where they are kept.
    sites: Vec<Site>,
    /// How many of them have been filled.
    filled: usize,
    /// What tells legal moves from doubtful ones, where they are counted apart.
    legal_count: Option<LegalCount>,
    /// What the playout loop keeps in registers.
    cache: Cache,
    /// Where the states are saved that each `try` inside another changes.
    saved: Vec<StackSlot>,
    /// Where the state is saved while replies are asked for.
    reply_slot: Option<StackSlot>,
}

impl<'a, 'p> Emitter<'a, 'p> {
    fn new(mut b: FunctionBuilder<'a>, unit: &'a mut Unit<'p>) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let (ctx, state) = (b.block_params(entry)[0], b.block_params(entry)[1]);
        let stop = b.create_block();
        b.append_block_param(stop, I64);
        let fuel = b.declare_var(I64);
        let mut emitter = Self {
            b,
            unit,
            ctx,
            state,
            stop,
            fuel,
            sites: Vec::new(),
            filled: 0,
            legal_count: None,
            cache: Cache::default(),
            saved: Vec::new(),
            reply_slot: None,
        };
        let left = emitter.load(ctx, FUEL);
        emitter.b.def_var(fuel, left);
        emitter
    }

    /// Words of a set.
    #[allow(clippy::misnamed_getters, reason = "all words here are those of sets")]
    pub(super) fn words(&self) -> usize {
        self.unit.layout.set_words
    }

    /// Writes the whole function.
    fn write(&mut self, wanted: Wanted) -> Written {
        let entry = self.b.current_block();
        let args: Vec<Value> =
            entry.map_or_else(Vec::new, |it| self.b.block_params(it)[2..].to_vec());
        let answer = match wanted {
            Wanted::Function(func, mode) => self.function(func, mode, &args)?,
            Wanted::Play(player) => self.play_packed(player, args[0], args[1])?,
            Wanted::HasLegal(player) => self.has_legal(player)?,
            Wanted::Legal(player) => self.legal(player)?,
            Wanted::CountLegal(player) => self.count_legal(player)?,
            Wanted::Forbidden(player) => self.forbidden(player, args[0], args[1])?,
            Wanted::Playout(trace) => self.playout(trace)?,
        };
        self.leave(answer);
        let stop = self.stop;
        self.go_on_in(stop);
        let status = self.b.block_params(stop)[0];
        let zero = self.number(0);
        self.b.ins().return_(&[status, zero]);
        Ok(())
    }

    /// Returns with a number.
    fn leave(&mut self, answer: Value) {
        let left = self.b.use_var(self.fuel);
        self.store(left, self.ctx, FUEL);
        let done = self.number(DONE);
        self.b.ins().return_(&[done, answer]);
    }
}
