//! The laws of [`Game`], as code: the suite that every implementation is put through.
//!
//! ```text
//! random games ──> each position met ──> cheap laws
//!                        └─ every n-th ─> costly laws: all moves, all names, all texts
//! ```
//!
//! [`check`] walks random games and puts each position to every law. A law is a
//! small function below that takes a `Site` (the position and how it was reached)
//! and says what is wrong. Where a law needs other positions (moves of elsewhere
//! that must be refused, states with the same hash), a bounded `Memory` of what
//! was met before supplies them.
//!
//! Start reading at [`check`]; the list of laws is in `put_to_the_laws`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::ext::GameExt;
use crate::game::{Fault, Game, Payoff, Player, Turn};
use crate::playout::{Playout, Playouts, payoffs};
use crate::position::{Position, PositionOf};
use crate::random::Random;
use crate::turns::{Choices, NO_MOVE, NO_PLAYER, turn_name};

/// Probabilities may miss a sum of 1 by this much of rounding.
const ROUNDING: f64 = 1e-9;

/// How many states and moves of earlier positions are kept. Beyond it the suite
/// still checks each position by itself.
const MEMORY: usize = 20_000;

/// How many moves from elsewhere are offered to a position, beside an old one, when
/// it is examined thoroughly.
const STRANGERS: usize = 7;

/// How many turns of one position the costly laws play out: joint turns multiply.
const MOST_TURNS: u64 = 2_000;

/// How many turns a copy is played on, to see whether the original notices.
const COPY_PLIES: u32 = 3;

/// How many turns a playout of the game's own may have, and how many of them are played
/// from one position.
const PLAYOUT_PLIES: u32 = 500;
const PLAYOUTS: u64 = 2;

/// How many turns of a playout that tells its moves are played again.
const TOLD_PLIES: u32 = 50;

/// How thorough a check is.
///
/// ```
/// use ludex_core::laws::LawsConfig;
///
/// let quick = LawsConfig { positions: 100, ..LawsConfig::default() };
/// assert_eq!(quick.every, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawsConfig {
    /// How many positions to meet; games are started until they have been.
    pub positions: u64,
    /// Seed of the games.
    pub seed: u64,
    /// A game is left after this number of turns.
    pub max_plies: u32,
    /// The costly laws (play every move, read every name and text back) are put
    /// to every n-th position only. 1 is every position.
    pub every: u64,
}

impl Default for LawsConfig {
    fn default() -> Self {
        Self { positions: 1_000, seed: 0, max_plies: 1_000, every: 1 }
    }
}

/// What was seen while no law was broken. A report of zeros is a warning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LawsReport {
    /// Games begun.
    pub games: u64,
    /// Games that ended before the limit of turns.
    pub finished: u64,
    /// Positions met.
    pub positions: u64,
    /// Positions to which the costly laws were put as well.
    pub thorough: u64,
    /// The most turns that any position offered.
    pub widest: u64,
    /// Moves from elsewhere that were refused, as they should be.
    pub refused: u64,
    /// Positions that were met before, by another way or in another game.
    pub met_again: u64,
}

/// One of the laws of [`Game`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Law {
    /// A player whose turn it is has a choice, and no other player has.
    Progress,
    /// No move and no name is listed twice.
    Distinct,
    /// `play` accepts what is listed and refuses the rest.
    Membership,
    /// Equal questions have equal answers.
    Purity,
    /// What is done to a copy is not seen in the original.
    Independence,
    /// What is written can be read.
    Text,
    /// A hash follows from the state and from nothing else.
    Hash,
    /// Counting, drawing and playing out agree with listing and playing.
    Shortcuts,
    /// Legal play never meets a [`Fault`]. Not a law of the trait, where faults
    /// are errors of a rules file; but a file that has one is not fit for play.
    NoFault,
}

/// A law that was broken, and how to see it broken again.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Which law.
    pub law: Law,
    /// What was found, in one line.
    pub detail: String,
    /// Seed of the check.
    pub seed: u64,
    /// Number of the game under that seed.
    pub game: u64,
    /// The position it was found in.
    pub position: String,
    /// The turns that led there from the start.
    pub turns: Vec<String>,
    /// The fault, where that is what was found.
    pub fault: Option<Box<Fault>>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the law of {:?} is broken: {}", self.law, self.detail)?;
        writeln!(f, "  position: {}", self.position)?;
        writeln!(f, "  after: {}", self.turns.join(" "))?;
        write!(f, "  seed {}, game {}", self.seed, self.game)
    }
}

impl std::error::Error for Violation {}

/// Plays random games and puts every position met to every law of [`Game`].
pub fn check<G: Game>(game: &G, config: &LawsConfig) -> Result<LawsReport, Violation> {
    let mut report = LawsReport::default();
    let mut memory = Memory::default();
    while report.positions < config.positions {
        let random = Random::stream(config.seed, report.games, 0);
        let mut walk = Walk { game, config, random, turns: Vec::new() };
        walk.game(&mut report, &mut memory)?;
        report.games += 1;
    }
    Ok(report)
}

/// [`check`], for tests: panics with the violation.
#[track_caller]
pub fn assert_holds<G: Game>(game: &G, config: &LawsConfig) -> LawsReport {
    match check(game, config) {
        Ok(report) => report,
        Err(violation) => panic!("{violation}"),
    }
}

/// What a law has to say against a position.
#[derive(Debug)]
struct Complaint {
    law: Law,
    detail: String,
    fault: Option<Box<Fault>>,
}

impl From<Fault> for Complaint {
    fn from(fault: Fault) -> Self {
        // The two faults that `Choices` adds are what the first law is about.
        let progress = matches!(fault.code, NO_MOVE | NO_PLAYER);
        let law = if progress { Law::Progress } else { Law::NoFault };
        Self { law, detail: fault.message.clone(), fault: Some(fault.into()) }
    }
}

/// The outcome of a law.
type Verdict = Result<(), Complaint>;

/// A complaint unless `holds`. The detail is made only when it is needed.
fn ensure(holds: bool, law: Law, detail: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Complaint { law, detail: detail(), fault: None }) }
}

/// One random game in progress.
struct Walk<'a, G: Game> {
    game: &'a G,
    config: &'a LawsConfig,
    random: Random,
    turns: Vec<String>,
}

impl<G: Game> Walk<'_, G> {
    /// Plays one game to its end or limit.
    fn game(&mut self, report: &mut LawsReport, memory: &mut Memory<G>) -> Result<(), Violation> {
        let mut position = self.game.start();
        for _ in 0..=self.config.max_plies {
            let number = report.games;
            let next = self.position(&position, report, memory);
            let Some(next) = next.map_err(|it| self.violation(number, &position.state, it))? else {
                report.finished += 1;
                break;
            };
            position = next;
            if report.positions >= self.config.positions {
                break;
            }
        }
        Ok(())
    }

    /// Checks one position and gives the next, or `None` when the game is over.
    fn position(
        &mut self,
        position: &PositionOf<G>,
        report: &mut LawsReport,
        memory: &mut Memory<G>,
    ) -> Result<Option<PositionOf<G>>, Complaint> {
        let thorough = (report.positions + 1).is_multiple_of(self.config.every.max(1));
        let site = Site::new(self.game, position)?;
        put_to_the_laws(&site, memory, report, thorough)?;
        report.positions += 1;
        report.thorough += u64::from(thorough);
        report.widest = report.widest.max(site.choices.count());
        if site.turn == Turn::Over {
            return Ok(None);
        }
        let mut turn = Vec::new();
        site.choices.draw(&mut self.random, &mut turn);
        let name = turn_name(self.game, &position.state, &turn);
        let next = leads_to_one_state(&site, &turn).map_err(|it| {
            let detail = format!("playing `{name}`: {}", it.detail);
            Complaint { detail, ..it }
        })?;
        self.turns.push(name);
        Ok(Some(next))
    }

    fn violation(&self, game: u64, state: &G::State, complaint: Complaint) -> Violation {
        let Complaint { law, detail, fault } = complaint;
        let position = self.game.write(state);
        let (seed, turns) = (self.config.seed, self.turns.clone());
        Violation { law, detail, seed, game, position, turns, fault }
    }
}

/// All laws, cheap ones first: a later one may rely on what an earlier one has shown.
fn put_to_the_laws<G: Game>(
    site: &Site<'_, G>,
    memory: &mut Memory<G>,
    report: &mut LawsReport,
    thorough: bool,
) -> Verdict {
    progress_of_players(site)?;
    progress_of_chance(site)?;
    payoffs_are_utilities(site)?;
    moves_are_distinct(site)?;
    lists_are_repeated(site)?;
    report.met_again += u64::from(hashes_tell_states_apart(site, memory)?);
    positions_are_read_back(site)?;
    if thorough {
        answers_are_repeated(site)?;
        report.refused += strangers_are_refused(site, memory)?;
        copies_are_independent(site)?;
        names_are_distinct(site)?;
        names_are_read_back(site)?;
        equal_states_act_alike(site)?;
        listed_moves_are_accepted(site)?;
        turns_are_counted(site)?;
        random_moves_are_listed(site)?;
        playouts_come_to_an_end(site)?;
        told_moves_lead_to_the_end(site)?;
    }
    memory.learn(site);
    Ok(())
}

/// A position under examination, with what it answered when first asked.
struct Site<'a, G: Game> {
    game: &'a G,
    position: &'a PositionOf<G>,
    turn: Turn,
    /// The moves of every player, also of those who are not to move.
    moves: Vec<Vec<G::Move>>,
    choices: Choices<G::Move>,
}

impl<'a, G: Game> Site<'a, G> {
    fn new(game: &'a G, position: &'a PositionOf<G>) -> Result<Self, Complaint> {
        let turn = game.turn(position)?;
        let moves = players(game).map(|player| listed(game, position, player));
        let moves = moves.collect::<Result<_, _>>()?;
        let mut choices = Choices::default();
        let again = choices.fill(game, position)?;
        ensure(again == turn, Law::Purity, || format!("the turn is {turn:?} and then {again:?}"))?;
        Ok(Self { game, position, turn, moves, choices })
    }

    /// The position after `turn`.
    fn after(&self, turn: &[G::Move]) -> Result<PositionOf<G>, Complaint> {
        let mut position = self.position.clone();
        self.game.apply(&mut position, turn)?;
        Ok(position)
    }

    /// Turns for the costly laws: all of them, or evenly spread ones where they are many.
    fn turns(&self) -> impl Iterator<Item = Vec<G::Move>> {
        let count = self.choices.count();
        let step = count.div_ceil(MOST_TURNS).max(1);
        (0..count).step_by(usize::try_from(step).unwrap_or(usize::MAX)).map(|index| {
            let mut turn = Vec::new();
            self.choices.nth(index, &mut turn);
            turn
        })
    }

    fn decides(&self, player: Player) -> bool {
        match self.turn {
            Turn::Of(mover) => mover == player,
            Turn::Joint(players) => players.contains(player),
            Turn::Over | Turn::Chance => false,
        }
    }

    fn name(&self, mv: G::Move) -> String {
        self.game.name(&self.position.state, mv)
    }
}

fn players<G: Game>(game: &G) -> impl Iterator<Item = Player> {
    (0..game.players()).map(|index| Player(index as u8))
}

fn listed<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    player: Player,
) -> Result<Vec<G::Move>, Fault> {
    let mut moves = Vec::new();
    game.moves(position, player, &mut moves)?;
    Ok(moves)
}

/// What was met before: bounded, because a check may run for hours.
struct Memory<G: Game> {
    /// Moves of earlier positions, a ring.
    moves: Vec<G::Move>,
    oldest: usize,
    states: HashMap<u64, G::State>,
}

impl<G: Game> Default for Memory<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), oldest: 0, states: HashMap::new() }
    }
}

impl<G: Game> Memory<G> {
    /// Keeps some moves of this position for the positions to come.
    fn learn(&mut self, site: &Site<'_, G>) {
        for &mv in site.choices.lists().iter().flat_map(|list| list.iter().take(4)) {
            if self.moves.len() < MEMORY {
                self.moves.push(mv);
            } else {
                self.moves[self.oldest] = mv;
                self.oldest = (self.oldest + 1) % MEMORY;
            }
        }
    }

    /// `count` moves of the positions just before and one of long ago.
    fn strangers(&self, count: usize) -> impl Iterator<Item = G::Move> {
        let recent = self.moves.iter().rev().take(count);
        recent.chain(self.moves.first()).copied()
    }
}

/// Law 1, for players: exactly those whose turn it is have moves.
fn progress_of_players<G: Game>(site: &Site<'_, G>) -> Verdict {
    let count = site.game.players();
    let known = match site.turn {
        Turn::Over | Turn::Chance => true,
        Turn::Of(player) => player.index() < count,
        Turn::Joint(players) => players.iter().all(|player| player.index() < count),
    };
    ensure(known, Law::Progress, || format!("{:?} has a player that the game has not", site.turn))?;
    for (player, moves) in players(site.game).zip(&site.moves) {
        ensure(site.decides(player) != moves.is_empty(), Law::Progress, || {
            let name = site.game.player_name(player);
            format!("{name} has {} moves while the turn is {:?}", moves.len(), site.turn)
        })?;
    }
    Ok(())
}

/// Law 4, as far as it costs nothing: the moves were listed twice on the way here.
fn lists_are_repeated<G: Game>(site: &Site<'_, G>) -> Verdict {
    let deciders = players(site.game).filter(|&player| site.decides(player));
    let first: Vec<&Vec<G::Move>> = deciders.map(|it| &site.moves[it.index()]).collect();
    let second: Vec<&Vec<G::Move>> = site.choices.lists().iter().collect();
    ensure(site.turn == Turn::Chance || first == second, Law::Purity, || {
        "the same moves are listed otherwise when asked again".to_owned()
    })
}

/// Law 1, for chance: probabilities are positive and sum to 1.
fn progress_of_chance<G: Game>(site: &Site<'_, G>) -> Verdict {
    if site.turn != Turn::Chance {
        return Ok(());
    }
    let odds = site.choices.odds();
    let sum: f64 = odds.iter().map(|&(_, odd)| odd).sum();
    let positive = odds.iter().all(|&(_, odd)| odd > 0.0);
    ensure(positive && (sum - 1.0).abs() <= ROUNDING, Law::Progress, || {
        format!("the probabilities are not positive numbers that sum to 1: {odds:?}")
    })
}

/// Law 1, for the end: a finished game pays every player something from -1 to 1.
fn payoffs_are_utilities<G: Game>(site: &Site<'_, G>) -> Verdict {
    if site.turn != Turn::Over {
        return Ok(());
    }
    for player in players(site.game) {
        let Payoff { utility, .. } = site.game.payoff(site.position, player)?;
        ensure((-1.0..=1.0).contains(&utility), Law::Progress, || {
            format!("{} earns a utility of {utility}", site.game.player_name(player))
        })?;
    }
    Ok(())
}

/// Law 2, for moves.
fn moves_are_distinct<G: Game>(site: &Site<'_, G>) -> Verdict {
    site.choices.lists().iter().try_for_each(|list| {
        ensure(twin(list.clone()).is_none(), Law::Distinct, || {
            format!("{:?} is listed twice", twin(list.clone()))
        })
    })
}

/// Law 2, for names.
fn names_are_distinct<G: Game>(site: &Site<'_, G>) -> Verdict {
    site.choices.lists().iter().try_for_each(|list| {
        let names = list.iter().map(|&mv| site.name(mv)).collect();
        match twin(names) {
            Some(name) => ensure(false, Law::Distinct, || format!("two moves are called `{name}`")),
            None => Ok(()),
        }
    })
}

/// An item that stands twice in `items`.
fn twin<T: Ord + Clone>(mut items: Vec<T>) -> Option<T> {
    items.sort();
    items.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone())
}

/// Law 3: what is listed is accepted, and `play` does what `apply` does.
///
/// Only where the turn is one player's: `play` is for single moves.
fn listed_moves_are_accepted<G: Game>(site: &Site<'_, G>) -> Verdict {
    let Turn::Of(player) = site.turn else { return Ok(()) };
    for &mv in &site.choices.lists()[0] {
        let mut position = site.position.clone();
        let accepted = site.game.play(&mut position, player, mv)?.is_ok();
        ensure(accepted, Law::Membership, || format!("`{}` is listed and refused", site.name(mv)))?;
        ensure(position == site.after(&[mv])?, Law::Membership, || {
            format!("`{}` played is not `{0}` applied", site.name(mv))
        })?;
    }
    Ok(())
}

/// Law 3: what is not listed is refused, for every player, and nothing changes.
fn strangers_are_refused<G: Game>(
    site: &Site<'_, G>,
    memory: &Memory<G>,
) -> Result<u64, Complaint> {
    let mut refused = 0;
    for (player, moves) in players(site.game).zip(&site.moves) {
        for stranger in memory.strangers(STRANGERS).filter(|mv| !moves.contains(mv)) {
            is_refused(site, player, stranger)?;
            refused += 1;
        }
    }
    Ok(refused)
}

fn is_refused<G: Game>(site: &Site<'_, G>, player: Player, stranger: G::Move) -> Verdict {
    let mut position = site.position.clone();
    let Err(refusal) = site.game.play(&mut position, player, stranger)? else {
        let name = site.game.player_name(player);
        let detail = || format!("{stranger:?} is not a move of {name} and is accepted");
        return ensure(false, Law::Membership, detail);
    };
    let hash = site.game.hash(&site.position.state);
    let unchanged = position.state == site.position.state
        && position.trail == site.position.trail
        && site.game.hash(&position.state) == hash;
    ensure(unchanged, Law::Membership, || {
        format!("{stranger:?} is refused and yet changes the position")
    })?;
    let mut legal = refusal.legal;
    let mut moves = site.moves[player.index()].clone();
    legal.sort();
    moves.sort();
    ensure(refusal.mv == stranger && legal == moves, Law::Membership, || {
        format!("the refusal of {stranger:?} does not name it and the legal moves")
    })
}

/// Law 4: the same question has the same answer, whatever the buffer held before.
fn answers_are_repeated<G: Game>(site: &Site<'_, G>) -> Verdict {
    let Site { game, position, .. } = *site;
    let pure = |same: bool, what: &str| {
        ensure(same, Law::Purity, || format!("asked twice, {what} differ"))
    };
    for (player, moves) in players(game).zip(&site.moves) {
        // A buffer with something in it: its contents must be replaced.
        let mut again = site.choices.lists().concat();
        game.moves(position, player, &mut again)?;
        pure(again == *moves, "the moves")?;
        if site.turn == Turn::Over {
            let (first, second) = (game.payoff(position, player)?, game.payoff(position, player)?);
            pure(first == second, "the payoffs")?;
        }
    }
    if site.turn == Turn::Chance {
        let mut again = site.choices.odds().to_vec();
        game.chances(position, &mut again)?;
        pure(again == site.choices.odds(), "the odds")?;
    }
    pure(game.hash(&position.state) == game.hash(&position.state.clone()), "the hashes")
}

/// Law 4: the same turn leads two copies to the same position and trail, which is
/// given back.
fn leads_to_one_state<G: Game>(
    site: &Site<'_, G>,
    turn: &[G::Move],
) -> Result<PositionOf<G>, Complaint> {
    let (one, other) = (site.after(turn)?, site.after(turn)?);
    let same_hash = site.game.hash(&one.state) == site.game.hash(&other.state);
    ensure(one == other && same_hash, Law::Purity, || {
        "twice the same turn leads to two positions".to_owned()
    })?;
    Ok(one)
}

/// Law 4: nothing that matters hides outside the state. The position read from
/// its text, with the same trail, must act as the one it was written from.
fn equal_states_act_alike<G: Game>(site: &Site<'_, G>) -> Verdict {
    let Ok(state) = site.game.read(&site.game.write(&site.position.state)) else {
        return Ok(());
    };
    let position = Position { state, trail: site.position.trail.clone() };
    let twin = Site::new(site.game, &position)?;
    ensure(twin.turn == site.turn && twin.moves == site.moves, Law::Purity, || {
        "the position read from its text has another turn or other moves".to_owned()
    })?;
    for turn in site.turns() {
        let (ours, theirs) = (site.after(&turn)?, twin.after(&turn)?);
        let same_hash = site.game.hash(&ours.state) == site.game.hash(&theirs.state);
        ensure(ours == theirs && same_hash, Law::Purity, || {
            let name = turn_name(site.game, &site.position.state, &turn);
            format!("`{name}` acts otherwise on the position read from its text")
        })?;
    }
    Ok(())
}

/// Law 5: a copy is played on for a few turns, and the original looks as before.
fn copies_are_independent<G: Game>(site: &Site<'_, G>) -> Verdict {
    let Site { game, position, .. } = *site;
    let look = || {
        (game.write(&position.state), game.hash(&position.state), format!("{:?}", position.trail))
    };
    let before = look();
    let mut random = Random::stream(before.1, 0, 0);
    let mut playouts = Playouts::default();
    let mut copy = position.clone();
    playouts.run(game, &mut copy, &mut random, COPY_PLIES)?;
    let again = Site::new(game, position)?;
    let same = look() == before && again.turn == site.turn && again.moves == site.moves;
    ensure(same, Law::Independence, || {
        format!("playing on a copy changed the original to {}", game.write(&position.state))
    })
}

/// Law 6, for positions; and law 7, for what is read back.
fn positions_are_read_back<G: Game>(site: &Site<'_, G>) -> Verdict {
    let text = site.game.write(&site.position.state);
    match site.game.read(&text) {
        Ok(read) => {
            ensure(read == site.position.state, Law::Text, || {
                format!("read back, the position is {}", site.game.write(&read))
            })?;
            let (kept, fresh) = (site.game.hash(&site.position.state), site.game.hash(&read));
            ensure(kept == fresh, Law::Hash, || {
                format!("the hash kept is {kept:016x}, that of the text is {fresh:016x}")
            })?;
            ensure(std_hash(&read) == std_hash(&site.position.state), Law::Hash, || {
                "equal states differ in their `Hash`".to_owned()
            })
        }
        Err(error) => {
            ensure(false, Law::Text, || format!("the position is not read back: {error}"))
        }
    }
}

fn std_hash(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Law 6, for names.
fn names_are_read_back<G: Game>(site: &Site<'_, G>) -> Verdict {
    for (player, moves) in players(site.game).zip(&site.moves) {
        for &mv in moves {
            let name = site.name(mv);
            let read = site.game.named(site.position, player, &name)?;
            ensure(read == Some(mv), Law::Text, || {
                format!("`{name}` is the name of {mv:?} and is read as {read:?}")
            })?;
        }
    }
    Ok(())
}

/// Law 7: one hash, one state. Two states could share a hash by accident, but
/// among thousands of 64-bit hashes that is an accident of the game's making.
///
/// Whether the state was met before. That one state has one hash, whatever way
/// led to it, follows from reading it back: each way's hash is that of the text.
fn hashes_tell_states_apart<G: Game>(
    site: &Site<'_, G>,
    memory: &mut Memory<G>,
) -> Result<bool, Complaint> {
    let room = memory.states.len() < MEMORY;
    match memory.states.entry(site.game.hash(&site.position.state)) {
        Entry::Occupied(known) => {
            ensure(*known.get() == site.position.state, Law::Hash, || {
                format!("it has the hash of {}", site.game.write(known.get()))
            })?;
            Ok(true)
        }
        Entry::Vacant(vacant) => {
            if room {
                vacant.insert(site.position.state.clone());
            }
            Ok(false)
        }
    }
}

/// Law 8, for counting.
fn turns_are_counted<G: Game>(site: &Site<'_, G>) -> Verdict {
    let (counted, listed) = (site.game.count_moves(site.position)?, site.choices.count());
    ensure(counted == listed, Law::Shortcuts, || {
        format!("{counted} turns are counted and {listed} listed")
    })
}

/// Law 8, for random moves.
fn random_moves_are_listed<G: Game>(site: &Site<'_, G>) -> Verdict {
    let mut random = Random::stream(site.game.hash(&site.position.state), 1, 0);
    let drawn = site.game.random_move(site.position, &mut random)?;
    let lists = site.choices.lists();
    let fits = match site.turn {
        Turn::Of(_) | Turn::Chance => drawn.is_some_and(|mv| lists[0].contains(&mv)),
        Turn::Over | Turn::Joint(_) => drawn.is_none(),
    };
    ensure(fits, Law::Shortcuts, || {
        format!("the random move {drawn:?} is not listed while the turn is {:?}", site.turn)
    })
}

/// Law 8, for playouts of the game's own: they stop at the end or at the limit, in a position
/// that is one, and pay what that position pays.
fn playouts_come_to_an_end<G: Game>(site: &Site<'_, G>) -> Verdict {
    let game = site.game;
    for number in 0..PLAYOUTS {
        let mut position = site.position.clone();
        let mut random = Random::stream(game.hash(&site.position.state), 2, number);
        let limit = if number == 0 { PLAYOUT_PLIES } else { COPY_PLIES };
        let Some(played) = game.playout(&mut position, &mut random, limit) else {
            return Ok(());
        };
        let Playout { plies, payoffs: paid, .. } = played?;
        let last = || game.write(&position.state);
        let over = game.turn(&position)? == Turn::Over;
        let stops = plies <= limit && (over || plies == limit) && over == paid.is_some();
        ensure(stops, Law::Shortcuts, || {
            format!("a playout of at most {limit} turns stops after {plies} at {}", last())
        })?;
        let began_over = site.turn == Turn::Over;
        ensure(!began_over || plies == 0, Law::Shortcuts, || {
            format!("a playout plays {plies} turns after the end")
        })?;
        let earned = if over { Some(payoffs(game, &position)?) } else { None };
        ensure(paid == earned, Law::Shortcuts, || {
            format!("a playout pays {paid:?} where {} pays {earned:?}", last())
        })?;
        let read = game.read(&last());
        let same = read
            .is_ok_and(|it| it == position.state && game.hash(&it) == game.hash(&position.state));
        ensure(same, Law::Shortcuts, || {
            format!("a playout leaves a position or a hash that is none at {}", last())
        })?;
    }
    Ok(())
}

/// Law 8, for playouts that tell their moves: it is the playout that equal generators give where
/// no moves are wanted, and the moves, each listed in its turn, lead to its end.
fn told_moves_lead_to_the_end<G: Game>(site: &Site<'_, G>) -> Verdict {
    let game = site.game;
    let mut position = site.position.clone();
    let mut random = Random::stream(game.hash(&site.position.state), 3, 0);
    let mut again = random.clone();
    // A buffer with something in it: its contents must be replaced.
    let mut moves = site.choices.lists().concat();
    let played = game.traced_playout(&mut position, &mut random, TOLD_PLIES, &mut moves);
    let Some(played) = played else { return Ok(()) };
    let played = played?;
    ensure(moves.len() == played.plies as usize, Law::Shortcuts, || {
        format!("a playout of {} turns tells {} moves", played.plies, moves.len())
    })?;
    let end = follow(site, &moves)?;
    let same = end == position;
    ensure(same, Law::Shortcuts, || {
        format!(
            "a playout ends at {}, its moves at {}",
            game.write(&position.state),
            game.write(&end.state)
        )
    })?;
    let mut end = site.position.clone();
    let untold = game.playout(&mut end, &mut again, TOLD_PLIES);
    let Some(untold) = untold.transpose()? else { return Ok(()) };
    let same = untold == played && (&end, &again) == (&position, &random);
    ensure(same, Law::Shortcuts, || "a playout with its moves is another one".to_owned())
}

/// Where moves lead, each of which must be listed in its turn.
fn follow<G: Game>(site: &Site<'_, G>, moves: &[G::Move]) -> Result<PositionOf<G>, Complaint> {
    let game = site.game;
    let mut position = site.position.clone();
    for &mv in moves {
        let listed = match game.turn(&position)? {
            Turn::Of(player) => listed(game, &position, player)?.contains(&mv),
            Turn::Over | Turn::Joint(_) | Turn::Chance => false,
        };
        ensure(listed, Law::Shortcuts, || {
            format!(
                "a playout tells {mv:?}, which is not listed at {}",
                game.write(&position.state)
            )
        })?;
        game.apply(&mut position, &[mv])?;
    }
    Ok(position)
}
