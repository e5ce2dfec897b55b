//! The native code of a program: made once, called often, freed at the end.
//!
//! **Invariant:** a pointer of [`Code`] is called only with a context that
//! [`Code::with`] prepared and a block of [`Layout::block_words`] words. Then
//! the code touches nothing but that context, its lists, that block, its constant
//! tables and its own stack: every index is compared with its bound before it is
//! used, every loop counts steps, and deep calls look at the stack first.

use std::cell::RefCell;
use std::mem::ManuallyDrop;

use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITMemoryProvider, JITModule};
use cranelift_module::{FuncId, ModuleError, default_libcall_names};
use ludex_ir::passes::{self, Optimised, PlayerCode};
use ludex_ir::{Func, Function, Program, VerifiedProgram};

use crate::context::{Context, DONE};
use crate::deposit::{DEPOSIT, deposit};
use crate::emit::{Mode, Trace, Unit, Wanted};
use crate::error::NativeError;
use crate::helpers::{Board, Helpers, symbols};
use crate::layout::Layout;
use crate::pool::Pool;

/// A status and a number.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    status: i64,
    value: i64,
}

impl Answer {
    /// The number, if the code came to its end.
    pub(crate) fn value(self) -> Option<i64> {
        (self.status == DONE).then_some(self.value)
    }
}

type Asked = unsafe extern "C" fn(*mut Context, *mut u64, i64) -> Answer;
type Told = unsafe extern "C" fn(*mut Context, *mut u64, u64, u64) -> Answer;
type Run = unsafe extern "C" fn(*mut Context, *mut u64) -> Answer;

/// The code of one player's algorithm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Algorithm {
    at: Asked,
    me: i64,
}

/// The code of one player.
#[derive(Clone, Debug)]
pub(crate) struct PlayerEntries {
    /// Counts them.
    pub(crate) count: Algorithm,
    pub(crate) result: Option<Algorithm>,
    pub(crate) adjudicate: Option<Algorithm>,
    pub(crate) stuck: Option<Algorithm>,
    pub(crate) illegal: Option<Algorithm>,
    pub(crate) evaluate: Option<Algorithm>,
    pub(crate) features: Option<Algorithm>,
    pub(crate) candidates: Option<Algorithm>,
    play: Told,
    has_legal: Run,
    legal: Run,
    count_legal: Run,
}

/// Native code and all it needs.
pub(crate) struct Code {
    pub(crate) layout: Layout,
    pub(crate) players: Vec<PlayerEntries>,
    pub(crate) program: VerifiedProgram,
    /// Whether no move is ever listed twice, and no two lead to the same position.
    pub(crate) distinct: bool,
    /// For each player and statement whether a move may be listed twice.
    pub(crate) may_repeat: Vec<Vec<bool>>,
    pub(crate) bytes: usize,
    playout: Run,
    traced_playout: Run,
    pub(crate) helpers: Helpers,
    /// The tables whose addresses are in the code.
    _pool: Pool,
    module: ManuallyDrop<JITModule>,
}

// SAFETY: nothing in it changes after it was made: the code and its tables are only read, and the
// memory of a run is the caller's.
unsafe impl Send for Code {}
// SAFETY: the same.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the module is taken out once, here. The pointers into its memory are private to
        // this value, which is not borrowed any more.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Code({} bytes)", self.bytes)
    }
}

#[allow(clippy::vec_box, reason = "they are large, and taken out and put back at every call")]
type Idle = Vec<Box<Context>>;

thread_local! {
    /// Memory for calls that are not running.
    static IDLE: RefCell<Idle> = const { RefCell::new(Vec::new()) };
}

/// What code is made for.
pub(crate) struct Machine {
    /// Where executable memory comes from; from the system if nothing else is said.
    pub(crate) memory: Option<Box<dyn JITMemoryProvider + Send>>,
    /// Whether the n-th bit of a word is found by one instruction.
    pub(crate) deposits: bool,
}

impl Default for Machine {
    /// The machine that this runs on.
    fn default() -> Self {
        Self { memory: None, deposits: deposit().is_some() }
    }
}

impl Code {
    /// Compiles a program. A list has at most `most_moves` moves.
    pub(crate) fn new(
        program: &VerifiedProgram,
        most_moves: u64,
        machine: Machine,
    ) -> Result<Self, NativeError> {
        if cfg!(windows) {
            return Err(NativeError::Machine("native code is not made for Windows".to_owned()));
        }
        supported(program)?;
        let optimised = passes::optimise(program);
        let size = optimised.program.functions.iter().map(Function::size).sum::<usize>();
        if size > MOST_SIZE {
            return Err(NativeError::Unsupported(TOO_LARGE));
        }
        let may_repeat = may_repeat(&optimised);
        let distinct = !may_repeat.iter().flatten().any(|&it| it);
        let module = module(machine.memory)?;
        let mut unit = Unit::new(program, &optimised, module, distinct);
        unit.deposits = machine.deposits;
        unit.most_moves = most_moves;
        let wanted = Self::want(&mut unit, &optimised)?;
        let bytes = unit.compile()?;
        unit.module.finalize_definitions().map_err(NativeError::memory)?;
        let Unit { layout, mut pool, module, .. } = unit;
        pool.seal();
        let twins = optimised.program.statements.iter().any(|it| it.twins);
        let players = wanted.players.iter().enumerate();
        let players = players.map(|(me, it)| it.link(&module, me as i64)).collect();
        let playout = link_run(&module, wanted.playout);
        let traced_playout = link_run(&module, wanted.traced_playout);
        Ok(Self {
            layout,
            players,
            distinct: distinct && !twins,
            may_repeat,
            bytes: bytes + pool.bytes(),
            playout,
            traced_playout,
            // The passes have added lists of directions.
            helpers: Helpers { board: Board::new(&optimised.program), most_moves },
            _pool: pool,
            module: ManuallyDrop::new(module),
            program: program.clone(),
        })
    }

    fn want(unit: &mut Unit<'_>, optimised: &Optimised) -> Result<AllWanted, Box<ModuleError>> {
        let mut players = Vec::new();
        for (player, code) in optimised.players.iter().enumerate() {
            let mut ask = |func: Option<Func>, mode: Mode| {
                func.map(|func| unit.want(Wanted::Function(func, mode))).transpose()
            };
            players.push(PlayerWanted {
                count: ask(Some(code.roles.moves), Mode::Count)?,
                result: ask(code.roles.result, Mode::Off)?,
                adjudicate: ask(code.roles.adjudicate, Mode::Off)?,
                stuck: ask(code.roles.stuck, Mode::List)?,
                illegal: ask(code.roles.illegal, Mode::Off)?,
                evaluate: ask(code.roles.evaluate, Mode::Off)?,
                features: ask(code.roles.features, Mode::Off)?,
                candidates: ask(code.roles.candidates, Mode::Weigh)?,
                play: unit.want(Wanted::Play(player))?,
                has_legal: unit.want(Wanted::HasLegal(player))?,
                legal: unit.want(Wanted::Legal(player))?,
                count_legal: unit.want(Wanted::CountLegal(player))?,
            });
        }
        let playout = unit.want(Wanted::Playout(Trace::Off))?;
        let traced_playout = unit.want(Wanted::Playout(Trace::Kept))?;
        Ok(AllWanted { players, playout, traced_playout })
    }

    /// Does something with a context that is ready for a question.
    pub(crate) fn with<T>(&self, steps: i64, act: impl FnOnce(&mut Context) -> T) -> T {
        let idle = IDLE.with(|idle| idle.try_borrow_mut().ok().and_then(|mut it| it.pop()));
        let mut context = idle.unwrap_or_else(|| Box::new(Context::new()));
        context.begin(self, steps);
        let done = act(&mut context);
        IDLE.with(|idle| {
            if let Ok(mut idle) = idle.try_borrow_mut() {
                idle.push(context);
            }
        });
        done
    }

    /// Runs an algorithm on the block of the context.
    pub(crate) fn ask(&self, algorithm: Algorithm, context: &mut Context) -> Answer {
        let block = self.block(context);
        // SAFETY: see the invariant of this module; `block` has checked the block.
        unsafe { (algorithm.at)(context, block, algorithm.me) }
    }

    /// Lets a player play a move on the block of the context.
    pub(crate) fn play(&self, player: usize, mv: u128, context: &mut Context) -> Answer {
        let block = self.block(context);
        let play = self.players[player].play;
        // SAFETY: as in `ask`.
        unsafe { play(context, block, mv as u64, (mv >> 64) as u64) }
    }

    /// Whether a player has a legal move.
    pub(crate) fn has_legal(&self, player: usize, context: &mut Context) -> Answer {
        let block = self.block(context);
        let run = self.players[player].has_legal;
        // SAFETY: as in `ask`.
        unsafe { run(context, block) }
    }

    /// Lists the legal moves of a player.
    pub(crate) fn legal(&self, player: usize, context: &mut Context) -> Answer {
        let block = self.block(context);
        let run = self.players[player].legal;
        // SAFETY: as in `ask`.
        unsafe { run(context, block) }
    }

    /// Counts the legal moves of a player; the list is used on the way.
    pub(crate) fn count_legal(&self, player: usize, context: &mut Context) -> Answer {
        let block = self.block(context);
        let run = self.players[player].count_legal;
        // SAFETY: as in `ask`.
        unsafe { run(context, block) }
    }

    /// A random game from the block of the context on.
    pub(crate) fn playout(&self, trace: Trace, context: &mut Context) -> Answer {
        let block = self.block(context);
        let run = match trace {
            Trace::Kept => self.traced_playout,
            Trace::Off => self.playout,
        };
        // SAFETY: as in `ask`.
        unsafe { run(context, block) }
    }

    /// The block, which must have the size that the code relies on.
    fn block(&self, context: &mut Context) -> *mut u64 {
        assert_eq!(context.block.len(), self.layout.block_words(), "the block of another game");
        context.block.as_mut_ptr()
    }
}

/// For each player and statement whether a move may be listed twice, by `moves` or by `stuck`.
fn may_repeat(optimised: &Optimised) -> Vec<Vec<bool>> {
    let repeated = |code: &PlayerCode| {
        let mut all = vec![false; optimised.program.statements.len()];
        for list in std::iter::once(code.roles.moves).chain(code.roles.stuck) {
            let distinct = passes::distinct::distinct(&optimised.program, list);
            all.iter_mut().zip(distinct).for_each(|(any, distinct)| *any |= !distinct);
        }
        all
    };
    optimised.players.iter().map(repeated).collect()
}

/// Rules of more instructions are not compiled, those for each player counted: the interpreter is
/// ready sooner. The bundled games have up to 1,100.
const MOST_SIZE_GIVEN: usize = 20_000;
/// The same when the passes have been over them, which may write them out; the bundled games come to
/// 2,000.
const MOST_SIZE: usize = 30_000;

const TOO_LARGE: &str = "rules of that size";

/// What native code cannot hold.
fn supported(program: &Program) -> Result<(), NativeError> {
    let counters = program.arrays.iter().filter(|it| it.role == ludex_ir::ArrayRole::Counter);
    if counters.map(|it| it.len).sum::<usize>() > 64 {
        return Err(NativeError::Unsupported("more than 64 counters"));
    }
    // Every player has a copy of its own.
    let size: usize = program.functions.iter().map(Function::size).sum();
    if size * program.players.len() > MOST_SIZE_GIVEN {
        return Err(NativeError::Unsupported(TOO_LARGE));
    }
    Ok(())
}

fn module(memory: Option<Box<dyn JITMemoryProvider + Send>>) -> Result<JITModule, NativeError> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // A large frame must not step over the page that guards the end of the stack.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        // The tests look at all that is made; users should not wait for it.
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
    ] {
        flags.set(name, value).map_err(NativeError::machine)?;
    }
    let isa = cranelift_native::builder().map_err(NativeError::machine)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(NativeError::machine)?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.symbols(symbols());
    if let Some(deposit) = deposit() {
        builder.symbol(DEPOSIT, deposit as *const u8);
    }
    if let Some(memory) = memory {
        builder.memory_provider(memory);
    }
    Ok(JITModule::new(builder))
}

struct AllWanted {
    players: Vec<PlayerWanted>,
    playout: FuncId,
    traced_playout: FuncId,
}

struct PlayerWanted {
    count: Option<FuncId>,
    result: Option<FuncId>,
    adjudicate: Option<FuncId>,
    stuck: Option<FuncId>,
    illegal: Option<FuncId>,
    evaluate: Option<FuncId>,
    features: Option<FuncId>,
    candidates: Option<FuncId>,
    play: FuncId,
    has_legal: FuncId,
    legal: FuncId,
    count_legal: FuncId,
}

impl PlayerWanted {
    fn link(&self, module: &JITModule, me: i64) -> PlayerEntries {
        let asked = |id: FuncId| {
            let at = module.get_finalized_function(id);
            // SAFETY: a function of the program that takes `me` was declared with these
            // parameters and results: see `Unit::signature`.
            Algorithm { at: unsafe { std::mem::transmute::<*const u8, Asked>(at) }, me }
        };
        let told = |id: FuncId| {
            let at = module.get_finalized_function(id);
            // SAFETY: the same for code that is told a move.
            unsafe { std::mem::transmute::<*const u8, Told>(at) }
        };
        PlayerEntries {
            count: asked(self.count.expect("every player has moves")),
            result: self.result.map(asked),
            adjudicate: self.adjudicate.map(asked),
            stuck: self.stuck.map(asked),
            illegal: self.illegal.map(asked),
            evaluate: self.evaluate.map(asked),
            features: self.features.map(asked),
            candidates: self.candidates.map(asked),
            play: told(self.play),
            has_legal: link_run(module, self.has_legal),
            legal: link_run(module, self.legal),
            count_legal: link_run(module, self.count_legal),
        }
    }
}

fn link_run(module: &JITModule, id: FuncId) -> Run {
    let at = module.get_finalized_function(id);
    // SAFETY: declared with these parameters and results: see `Unit::signature`.
    unsafe { std::mem::transmute::<*const u8, Run>(at) }
}
