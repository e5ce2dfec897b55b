//! Two programs of one meaning, asked the same questions.

use ludex_core::{Player, Position, Random, State};
use ludex_interp::RulesGame;
use ludex_study::check::{Changes, Checker, ReasonCheck, Tally, Violation};
use ludex_study::{Explained, Given, Listed, Reason, Study, StudyConfig};

use super::pairs::Pair;

/// Something that the rules produce in a state, with its reasons.
enum Item {
    Move(Explained<Listed>),
    Result(Explained<Given>),
    Silence(Explained<()>),
}

impl Item {
    /// What a program produces for a player: results and their absence; where it has no `result`, moves.
    fn all(study: &Study, game: &RulesGame, position: &Position, me: Player) -> Vec<Self> {
        if game.program().roles.result.is_none() {
            let moves = study.moves(position, me).expect("the moves run");
            return moves.into_iter().map(Self::Move).collect();
        }
        let results = study.results(position, me).expect("the result runs");
        let silence = study.silence(position).expect("the result runs");
        results.into_iter().map(Self::Result).chain(silence.map(Self::Silence)).collect()
    }

    /// What it is. The order in which a move writes its cells is no part of that.
    fn meaning(&self) -> String {
        match self {
            Self::Move(it) => {
                let mut writes: Vec<String> =
                    it.item.writes.iter().map(|write| format!("{write:?}")).collect();
                writes.sort();
                format!("{:?} {writes:?}", it.item.mv)
            }
            Self::Result(it) => format!("{:?}", it.item),
            Self::Silence(_) => "silence".to_owned(),
        }
    }

    fn reasons(&self) -> &[Reason] {
        match self {
            Self::Move(it) => &it.reasons,
            Self::Result(it) => &it.reasons,
            Self::Silence(it) => &it.reasons,
        }
    }

    /// The same thing for other reasons.
    fn because(&self, reasons: Vec<Reason>) -> Self {
        match self {
            Self::Move(it) => Self::Move(Explained { reasons, ..it.clone() }),
            Self::Result(it) => Self::Result(Explained { reasons, ..it.clone() }),
            Self::Silence(it) => Self::Silence(Explained { reasons, ..it.clone() }),
        }
    }

    fn stays(
        &self,
        reason_check: &ReasonCheck<'_>,
        changes: Changes,
        random: &mut Random,
    ) -> Result<Tally, Violation> {
        match self {
            Self::Move(it) => reason_check.check_move(it, changes, random),
            Self::Result(it) => reason_check.check_result(it, changes, random),
            Self::Silence(it) => reason_check.check_silence(it, changes, random),
        }
    }

    /// Whether it stays whatever else is changed: at random, and each cell for itself.
    fn holds(
        &self,
        reason_check: &ReasonCheck<'_>,
        random: &mut Random,
    ) -> Result<Tally, Violation> {
        let mut tally = self.stays(reason_check, Changes::Drawn(20), random)?;
        tally.add(self.stays(reason_check, Changes::EverySingle, random)?);
        Ok(tally)
    }
}

/// What the comparison of a pair has found.
#[derive(Default)]
pub(crate) struct Compared {
    /// Items whose reasons were checked.
    pub(crate) items: u64,
    /// Reasons given by the operation on sets.
    pub(crate) by_sets: u64,
    /// Reasons given by the plain body's own run.
    pub(crate) plainly: u64,
    /// Items for which the operation gives no more reasons than the plain body.
    pub(crate) no_fatter: u64,
    /// Changed states that were asked about, and those in which the rules met a fault.
    pub(crate) changes: u64,
    pub(crate) faults: u64,
    /// Items that went away in the plain program, with the reasons of the operation.
    pub(crate) violations: Vec<Violation>,
    /// Items checked with one reason dropped, and those that were found out.
    pub(crate) dropped: u64,
    pub(crate) caught: u64,
}

/// A pair, compiled.
pub(crate) struct Twins {
    name: &'static str,
    by_sets: Study,
    plainly: Study,
    checker: Checker,
    states: Vec<(Position, Position)>,
}

impl Twins {
    /// Compiles a pair, and draws states for both programs.
    pub(crate) fn new(pair: &Pair, states: u32, config: StudyConfig, random: &mut Random) -> Self {
        let (sets, plain) =
            (crate::common::game_of(&pair.by_sets()), crate::common::game_of(&pair.plainly()));
        assert_eq!(sets.program().cells(), plain.program().cells(), "{}", pair.name);
        let draw = |_| {
            let values = draw(&sets, random);
            (
                Position::of(sets.layout().state(&values)),
                Position::of(plain.layout().state(&values)),
            )
        };
        Self {
            name: pair.name,
            states: (0..states).map(draw).collect(),
            by_sets: Study::new(sets.program()),
            plainly: Study::with(plain.program(), config),
            checker: Checker::new(plain),
        }
    }

    /// Asks both programs in all states, and puts the reasons of the first to the second.
    pub(crate) fn compare(&self, random: &mut Random) -> Compared {
        let (others, game) = (self.others(), self.checker.game());
        let mut compared = Compared::default();
        for (index, (state, twin)) in self.states.iter().enumerate() {
            let me = Player((index % 2) as u8);
            let reason_check = self.reason_check(twin, me, &others);
            let by_sets = Item::all(&self.by_sets, game, state, me);
            let plainly = Item::all(&self.plainly, game, twin, me);
            let meanings = |items: &[Item]| items.iter().map(Item::meaning).collect::<Vec<_>>();
            assert_eq!(meanings(&by_sets), meanings(&plainly), "{}", self.name);
            for (ours, theirs) in some(by_sets.iter().zip(&plainly).collect(), random) {
                compared.add(ours.reasons(), theirs, &reason_check, random);
            }
        }
        compared
    }

    /// How many items there are, and how many do not stay with the reasons of the plain program's own run.
    pub(crate) fn unsound(&self, random: &mut Random) -> (u64, u64) {
        let others = self.others();
        let (mut items, mut gone) = (0, 0);
        for (_, twin) in &self.states {
            let reason_check = self.reason_check(twin, Player(0), &others);
            for item in some(Item::all(&self.plainly, self.checker.game(), twin, Player(0)), random)
            {
                items += 1;
                gone += u64::from(item.holds(&reason_check, random).is_err());
            }
        }
        (items, gone)
    }

    fn others(&self) -> Vec<State> {
        self.states.iter().map(|it| it.1.state.clone()).collect()
    }

    fn reason_check<'a>(
        &'a self,
        position: &'a Position,
        me: Player,
        others: &'a [State],
    ) -> ReasonCheck<'a> {
        ReasonCheck { checker: &self.checker, position, me, others }
    }
}

impl Compared {
    fn add(
        &mut self,
        reasons: &[Reason],
        plain: &Item,
        reason_check: &ReasonCheck<'_>,
        random: &mut Random,
    ) {
        self.items += 1;
        self.by_sets += reasons.len() as u64;
        self.plainly += plain.reasons().len() as u64;
        self.no_fatter += u64::from(reasons.len() <= plain.reasons().len());
        match plain.because(reasons.to_vec()).holds(reason_check, random) {
            Ok(tally) => {
                self.changes += tally.changes;
                self.faults += tally.faults;
            }
            Err(violation) => self.violations.push(violation),
        }
        if self.items.is_multiple_of(4) && !reasons.is_empty() {
            let mut fewer = reasons.to_vec();
            fewer.swap_remove(random.below(fewer.len() as u32) as usize);
            self.dropped += 1;
            self.caught += u64::from(plain.because(fewer).holds(reason_check, random).is_err());
        }
    }
}

/// Values for all cells. Squares are filled from a bag of four contents, so that there are states
/// with much of one thing: strings and full lines are rare where everything is as likely.
fn draw(game: &RulesGame, random: &mut Random) -> Vec<i64> {
    let program = game.program();
    let contents = (program.arrays[0].hi + 1) as u32;
    let bag: [i64; 4] = std::array::from_fn(|_| i64::from(random.below(contents)));
    let mut values = Vec::with_capacity(program.cells());
    for array in &program.arrays {
        for _ in 0..array.len {
            let size = (array.hi - array.lo + 1) as u32;
            let any = array.lo + i64::from(random.below(size));
            let square = array.base == 0;
            values.push(if square { bag[random.below(4) as usize] } else { any });
        }
    }
    values
}

/// Two of the items, or as many as there are.
fn some<T>(mut items: Vec<T>, random: &mut Random) -> Vec<T> {
    while items.len() > 2 {
        items.swap_remove(random.below(items.len() as u32) as usize);
    }
    items
}
