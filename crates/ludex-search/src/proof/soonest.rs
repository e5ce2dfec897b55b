//! How soon a win can be forced.
//!
//! df-pn finds a win by whatever way has few replies, however long that is. Here it is asked
//! whether there is one within 1 ply, 3, 5 and so on. Which of these is the first with an answer
//! "yes" is not known, and "no" may take long to find out; so all of them are searched in turn, a
//! little longer every time. A win within some plies ends the search for slower ones, a refutation
//! that for quicker ones.

use ludex_core::{Fault, Game, PositionOf};

use super::dfpn::Dfpn;
use super::dfpn_config::DfpnConfig;
use super::question::{ProofRun, ProofStatus, Question, View};
use super::table::ProofTable;
use crate::result::{Proved, SearchResult};

/// No slower wins are looked for.
const LONGEST: u32 = 31;

/// No line is shown further than this: where it does not matter how long a win takes, one can go
/// round in circles.
const SHOWN: usize = 40;

/// The first slice, in nodes.
const SLICE: u64 = 256;

/// A win that can be forced within some plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Soonest<M> {
    pub(crate) plies: u32,
    /// How it goes, as far as the table has it; a move at least.
    pub(crate) line: Vec<M>,
}

impl<M: Copy + Ord> Soonest<M> {
    /// Says what is proved of its first move, and puts that first.
    pub(crate) fn tell(&self, proved: Proved, result: &mut SearchResult<M>) {
        let Some(at) = result.lines.iter().position(|it| self.line.first() == Some(&it.mv)) else {
            return;
        };
        let mut line = result.lines.remove(at);
        line.proved = Some(proved.within(self.plies));
        line.value = 1.0;
        line.pv.clone_from(&self.line);
        result.lines.insert(0, line);
    }
}

/// The quickest win of the attacker, who is to move, that is found within the limits. `tell` hears
/// after each slice how many nodes there were.
pub(crate) fn soonest<G: Game>(
    view: View<'_, G>,
    root: &PositionOf<G>,
    (question, config): (Question, DfpnConfig),
    table: &mut ProofTable,
    run: &mut ProofRun<'_>,
    tell: &mut dyn FnMut(u64),
) -> Result<Option<Soonest<G::Move>>, Fault> {
    let mut open: Vec<u32> = (1..=LONGEST).step_by(2).collect();
    let (mut best, mut most) = (None, u32::MAX);
    let mut slice = SLICE;
    while !open.is_empty() && !run.is_over() {
        let mut refuted = 0;
        for &plies in &open {
            let mut search = Dfpn::new(view, question, config, table).within(plies);
            let answer = match search.search(root, run, slice) {
                // What is known is not lost where the rules are at fault elsewhere.
                Err(_) if best.is_some() => return Ok(best),
                answer => answer?,
            };
            tell(run.nodes);
            match answer {
                ProofStatus::Proved => {
                    most = plies;
                    if let Some(line) = how(view, root, (question, config), plies, table, run)? {
                        best = Some(Soonest { plies, line });
                    }
                    break;
                }
                ProofStatus::Disproved => refuted = plies,
                ProofStatus::Unknown => {}
            }
        }
        open.retain(|&it| it > refuted && it < most);
        slice = slice.saturating_mul(2);
    }
    Ok(best)
}

/// How a win goes that was proved within a number of plies. The table may have lost which move it
/// was, and the limits may end the search for it.
fn how<G: Game>(
    view: View<'_, G>,
    root: &PositionOf<G>,
    (question, config): (Question, DfpnConfig),
    plies: u32,
    table: &mut ProofTable,
    run: &mut ProofRun<'_>,
) -> Result<Option<Vec<G::Move>>, Fault> {
    let mut search = Dfpn::new(view, question, config, table).within(plies);
    if let Some(line) = search.line(root)? {
        return Ok(Some(line));
    }
    Dfpn::new(view, question, config, table).within(plies - 1).children(
        root,
        ProofStatus::Proved,
        run,
    )?;
    Dfpn::new(view, question, config, table).within(plies).line(root)
}

impl<G: Game> Dfpn<'_, '_, G> {
    /// How the attacker, who is to move, wins: the defender's moves are those of which the table
    /// knows that they lose. Nothing where it has lost even the first move.
    pub(super) fn line(&mut self, root: &PositionOf<G>) -> Result<Option<Vec<G::Move>>, Fault> {
        let (mut position, mut next) = (root.clone(), root.clone());
        let (mut line, mut moves) = (Vec::new(), Vec::new());
        while line.len() < SHOWN
            && let Some(mover) = self.view.mover(&position)?
        {
            self.view.moves(&position, mover, &mut moves)?;
            let depth = line.len() as u32 + 1;
            let mut found = None;
            for &mv in &moves {
                self.view.follow(&position, mv, &mut next)?;
                if self.is_proved(&next, depth)? {
                    found = Some(mv);
                    break;
                }
            }
            let Some(mv) = found else { break };
            line.push(mv);
            position.clone_from(&next);
        }
        Ok((!line.is_empty()).then_some(line))
    }
}
