//! What is threatened in a position, by whom, and what can be done about it.

use std::collections::BTreeSet;
use std::time::Duration;

use ludex_core::text::nearest;
use ludex_core::{Clock, Game, GameExt, Limits, Player, Position, State};
use ludex_ir::PackedMove;
use ludex_study::threats::opponent_threat::{OpponentThreat, Verdict, opponent_threat_verified};
use ludex_study::threats::widening::{Proof, Proved, Reach, Widened};
use ludex_study::threats::{self, Attack, Config, Win, Zone, prove_verified};

use super::grouped;
use super::report::{Plan, Threat, ThreatsReport, WhyNot, reasons_of};
use crate::board;
use crate::clock::RealClock;
use crate::ending::in_plies;
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::schema::Schema;
use crate::solve::{USUAL_NEAR, usual_around};
use crate::stop::StopToken;

/// The note where a limit was reached.
const MORE_TO_TRY: &str = "there was more to try, see --nodes and --time";

/// The note where the limit of a single reply was reached.
const NOT_ALL: &str = "not everything was tried";

/// The moves of a line that are shown.
const SHOWN_MOVES: usize = 16;

/// A position with what was found.
struct Found<'a> {
    loaded: &'a LoadedGame,
    point: Position,
    mover: Player,
    /// A win of the player to move.
    plan: Option<Proved>,
    /// What the other player threatens.
    opponent_threat: Option<OpponentThreat>,
    /// Whose threats were searched, and whether a limit was reached.
    searched: Vec<(Player, bool)>,
}

/// How threats are searched.
#[derive(Clone, Debug)]
pub struct ThreatsRequest {
    /// Whose threats; both players' if none is named.
    pub side: Option<Player>,
    /// A move whose failure as a defence is to be explained.
    pub why_not: Option<String>,
    /// Whether it is about a goal, and not about winning the game.
    pub has_goal: bool,
    /// The highest order: 1 for direct threats, 2 for threats of these.
    pub order: u8,
    /// Node budget for each side.
    pub nodes: u64,
    /// Time limit for each side.
    pub time: Duration,
    /// Ends the search.
    pub stop: StopToken,
}

impl Default for ThreatsRequest {
    fn default() -> Self {
        Self {
            side: None,
            why_not: None,
            has_goal: false,
            order: 2,
            nodes: 100_000,
            time: Duration::from_secs(5),
            stop: StopToken::new(),
        }
    }
}

/// Explains a position in which the game goes on and `mover` is to move.
pub fn explain_threats(
    loaded: &LoadedGame,
    position: &Position,
    mover: Player,
    request: &ThreatsRequest,
) -> Result<ThreatsReport> {
    if loaded.game.players() != 2 {
        let message = "the game goes on here, and threats are for games of two players";
        return Err(Error::with_help(message, "name a move with --move"));
    }
    let other = Player(1 - mover.0);
    let wanted = |player: Player| request.side.is_none_or(|it| it == player);
    let (mut plan, mut opponent_threat, mut searched) = (None, None, Vec::new());
    if wanted(mover) {
        let (found, is_spent) = find_plan(request, loaded, position, mover)?;
        plan = found;
        searched.push((mover, is_spent));
    }
    if wanted(other) || request.why_not.is_some() {
        let (found, is_spent) = find_threat(request, loaded, position, other)?;
        opponent_threat = found;
        searched.push((other, is_spent));
    }
    let found = Found { loaded, point: position.clone(), mover, plan, opponent_threat, searched };
    let why_not = request.why_not.as_deref().map(|name| found.why_not(name)).transpose()?;
    Ok(ThreatsReport { why_not, ..found.report()? })
}

impl ThreatsRequest {
    /// For a goal, moves near to what it asks about are searched.
    fn config(&self, squares: usize) -> Config {
        Config {
            relevance_zone: self.has_goal.then_some(USUAL_NEAR),
            neighbourhood: usual_around(squares, self.order),
            ..Config::default()
        }
    }

    fn reach(&self) -> Reach {
        Reach { highest_order: self.order.saturating_add(1), ..Reach::default() }
    }

    fn limits<'a>(&'a self, clock: &'a dyn Clock) -> Limits<'a> {
        let (nodes, time) = (Some(self.nodes), Some(self.time));
        Limits { clock, nodes, time, depth: None, stop: Some(self.stop.flag()) }
    }
}

/// A win of the player to move.
fn find_plan(
    request: &ThreatsRequest,
    loaded: &LoadedGame,
    point: &Position,
    mover: Player,
) -> Result<(Option<Proved>, bool)> {
    let (game, clock) = (&loaded.game, RealClock::start());
    let rules = (game, game.interpreter());
    let mut attack =
        Attack::new(rules, mover, request.config(game.board().squares), request.limits(&clock));
    let widened = prove_verified(&mut attack, point, request.reach(), request.limits(&clock));
    Ok(match widened.map_err(|it| loaded.blame(it))? {
        Widened::Proved(proved) => (Some(proved), false),
        Widened::Nothing => (None, false),
        Widened::Spent => (None, true),
    })
}

/// What the player who is not to move threatens.
fn find_threat(
    request: &ThreatsRequest,
    loaded: &LoadedGame,
    point: &Position,
    attacker: Player,
) -> Result<(Option<OpponentThreat>, bool)> {
    let (game, clock) = (&loaded.game, RealClock::start());
    let rules = (game, game.interpreter());
    let mut attack =
        Attack::new(rules, attacker, request.config(game.board().squares), request.limits(&clock));
    let found =
        opponent_threat_verified(&mut attack, point, request.reach(), request.limits(&clock));
    let found = found.map_err(|it| loaded.blame(it))?;
    let is_spent = found.is_none() && attack.is_spent(&request.limits(&clock));
    Ok((found, is_spent))
}

impl Found<'_> {
    fn name(&self, mv: PackedMove) -> String {
        self.loaded.game.name(&self.point.state, mv)
    }

    fn player(&self, player: Player) -> String {
        self.loaded.game.player_name(player)
    }

    fn attacker(&self) -> Player {
        Player(1 - self.mover.0)
    }

    /// The names of the moves of a line.
    fn line(&self, from: &Position, moves: &[PackedMove]) -> Result<Vec<String>> {
        self.loaded.line_names(from, moves)
    }

    /// How a threat is carried out if nothing is done about it.
    fn carried_out(&self, opponent_threat: &OpponentThreat) -> Result<Vec<String>> {
        let passed = self.loaded.game.after_null_move(&self.point);
        match (&opponent_threat.threat, passed) {
            (threats::Threat::Win(win, _), Some(passed)) => self.line(&passed, &win.line()),
            _ => Ok(Vec::new()),
        }
    }

    fn text(&self) -> Result<String> {
        let mut text = format!("{} is to move\n", self.player(self.mover));
        if let Some(proved) = &self.plan {
            text += &self.plan_text(proved)?;
        }
        if let Some(opponent_threat) = &self.opponent_threat {
            text += &self.threat_text(opponent_threat)?;
        }
        let is_something = self.plan.is_some() || self.opponent_threat.is_some();
        for &(player, is_spent) in &self.searched {
            let is_found = if player == self.mover {
                self.plan.is_some()
            } else {
                self.opponent_threat.is_some()
            };
            // Where something was found, the other player's lack of it is no news, unless unsure.
            if !is_found && (!is_something || is_spent) {
                text += &self.nothing_text(player, is_spent);
            }
        }
        let marked =
            self.opponent_threat.as_ref().map(|it| self.squares(&it.needs)).unwrap_or_default();
        text += &self.board(&marked);
        Ok(text)
    }

    fn nothing_text(&self, player: Player, is_spent: bool) -> String {
        let who = self.player(player);
        let what = if player == self.mover {
            format!("no win of {who} by threats was found")
        } else {
            format!("no threat of {who} was found")
        };
        let limit = if is_spent { format!("; {MORE_TO_TRY}") } else { String::new() };
        format!("{what}{limit}\n")
    }

    fn plan_text(&self, proved: &Proved) -> Result<String> {
        let mover = self.player(self.mover);
        let Proof::Win(win) = &proved.proof else { return Ok(String::new()) };
        let line = self.line(&self.point, &win.line())?;
        Ok(format!(
            "{mover} can win by {} (shape {}, within {})\n  {}\n",
            self.name(win.mv),
            proved.shape,
            in_plies(win.plies()),
            shown(&line),
        ))
    }

    fn threat_text(&self, opponent_threat: &OpponentThreat) -> Result<String> {
        let (mover, other) = (self.player(self.mover), self.player(self.attacker()));
        let mut text = match (&opponent_threat.shape, opponent_threat.first) {
            (Some(shape), Some(_)) => {
                let line = self.carried_out(opponent_threat)?;
                format!("{other} threatens to win by {} (shape {shape})\n", shown(&line))
            }
            _ => format!("{mover} is in danger: {other} could take {}\n", self.kings()),
        };
        text += &self.needs_text(&opponent_threat.needs);
        let defences = self.defences();
        let moves = opponent_threat.replies.len();
        text += &match defences.as_slice() {
            [] => format!("  none of {moves} moves stops it: {mover} loses\n"),
            [one] if moves == 1 => format!("  the only move stops it: {one}\n"),
            all if all.len() == moves => {
                format!("  each of {moves} moves stops it: {}\n", all.join(" "))
            }
            [one] => format!("  only one of {moves} moves stops it: {one}\n"),
            all => format!("  only {} of {moves} moves stop it: {}\n", all.len(), all.join(" ")),
        };
        text += &unsure_text(opponent_threat);
        for (mv, verdict) in &opponent_threat.replies {
            match verdict {
                Verdict::Stops { later: Some(win), .. } => {
                    let line = shown(&self.line(&self.after(*mv)?, &win.line())?);
                    text += &format!("  after {} {other} wins by {line}\n", self.name(*mv));
                }
                Verdict::Stops { is_counter_threat: true, .. } => {
                    text += &format!("  {} is a counter-threat\n", self.name(*mv));
                }
                _ => {}
            }
        }
        Ok(text)
    }

    fn after(&self, mv: PackedMove) -> Result<Position> {
        self.loaded.game.after(&self.point, mv).map_err(|it| self.loaded.blame(it))
    }

    /// The men of the player to move that must not be left to be taken, and where they stand.
    fn kings(&self) -> String {
        let program = self.loaded.game.program();
        let values = self.loaded.game.interpreter().layout().values(&self.state());
        let is_king = |square: &usize| {
            let code = usize::try_from(values[*square]).unwrap_or(0);
            let man = code.checked_sub(1).and_then(|it| program.men.get(it));
            man.is_some_and(|it| {
                it.owner == Some(self.mover.0) && Some(it.kind) == program.roles.royal
            })
        };
        let squares: Vec<String> =
            (0..program.squares).filter(is_king).map(|it| program.cell_name(it)).collect();
        let kind = program.roles.royal.and_then(|it| program.kinds.get(usize::from(it)));
        format!("the {} on {}", kind.map_or("man", String::as_str), squares.join(" and "))
    }

    fn needs_text(&self, needs: &Zone) -> String {
        if needs.is_everything() {
            return "  that may depend on every square\n".to_owned();
        }
        let program = self.loaded.game.program();
        let lines = grouped::lines(program, needs.reasons().iter(), self.attacker());
        let lines = lines.iter().fold(String::new(), |text, line| text + "    " + line + "\n");
        format!("  that needs, as {} sees it\n{lines}", self.player(self.attacker()))
    }

    fn squares(&self, zone: &Zone) -> BTreeSet<usize> {
        let squares = self.loaded.game.program().squares;
        zone.reasons().iter().map(|it| it.cell).filter(|&it| it < squares).collect()
    }

    fn board(&self, marked: &BTreeSet<usize>) -> String {
        let game = &self.loaded.game;
        let values = game.interpreter().layout().values(&self.state());
        board::draw_marked(game.program(), &values, marked)
    }

    /// The position as the interpreter has it.
    fn state(&self) -> State {
        self.loaded.game.to_interpreter(&self.point.state).into_owned()
    }

    /// Why a move is not enough.
    fn why_not(&self, name: &str) -> Result<WhyNot> {
        let (text, verdict) = self.why_not_text(name)?;
        Ok(WhyNot { mv: name.to_owned(), verdict: verdict.to_owned(), text })
    }

    /// The same in words and in a word.
    fn why_not_text(&self, name: &str) -> Result<(String, &'static str)> {
        let Some(mv) = self.named(name)? else {
            return Err(self.unknown(name)?);
        };
        let (mover, other) = (self.player(self.mover), self.player(self.attacker()));
        let Some(opponent_threat) = &self.opponent_threat else {
            return Ok((
                format!("nothing is known against {name}: no threat of {other} was found"),
                "unknown",
            ));
        };
        let next = self.after(mv)?;
        let by = |win: &Win| -> Result<String> {
            let line = shown(&self.line(&next, &win.line())?);
            Ok(format!("{other} wins by {line} within {}", in_plies(win.plies())))
        };
        Ok(match opponent_threat.verdict(mv) {
            Some(Verdict::Leaves) => {
                let line = shown(&self.carried_out(opponent_threat)?);
                let needs = self.needs_text(&opponent_threat.needs);
                let text = if opponent_threat.needs.is_everything() {
                    format!("{name} does not stop the threat: {other} wins by {line}")
                } else {
                    format!(
                        "{name} changes nothing that the threat needs: {other} wins by {line}\n{}",
                        needs.trim_end()
                    )
                };
                (text, "leaves the threat")
            }
            Some(Verdict::Loses(win)) => {
                (format!("{name} prevents the threat, but {}", by(win)?), "loses")
            }
            Some(Verdict::Stops { later: Some(win), .. }) => {
                (format!("{name} stops the threat, but {}", by(win)?), "loses later")
            }
            Some(Verdict::EndsLost) => {
                (format!("{name} ends the game, and {mover} has lost"), "loses")
            }
            Some(Verdict::Ends) => {
                (format!("{name} ends the game, and {mover} has not lost"), "stops the threat")
            }
            Some(Verdict::Stops { is_sure: false, .. }) => {
                let text = format!("{name} stops the threat, as far as was searched: {NOT_ALL}");
                (text, "unknown")
            }
            Some(Verdict::Stops { is_counter_threat: true, .. }) => {
                (format!("{name} stops the threat, and is one itself"), "stops the threat")
            }
            Some(Verdict::Stops { .. }) | None => {
                (format!("{name} stops the threat"), "stops the threat")
            }
        })
    }

    fn named(&self, name: &str) -> Result<Option<PackedMove>> {
        let position = &self.point;
        let found = self.loaded.game.named(position, self.mover, name);
        found.map_err(|it| self.loaded.blame(it))
    }

    fn unknown(&self, name: &str) -> Result<Error> {
        let position = &self.point;
        let mut moves = Vec::new();
        let listed = self.loaded.game.moves(position, self.mover, &mut moves);
        listed.map_err(|it| self.loaded.blame(it))?;
        let names: Vec<String> = moves.into_iter().map(|it| self.name(it)).collect();
        let help = match nearest(name, names.iter().map(String::as_str)) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("`ludex moves {}` lists the legal moves", self.loaded.rules().spec()),
        };
        Ok(Error::with_help(format!("`{name}` is not a legal move here"), help))
    }

    fn report(&self) -> Result<ThreatsReport> {
        let replies = self.opponent_threat.as_ref().map_or(&[][..], |it| &it.replies);
        let named = |wanted: &dyn Fn(&Verdict) -> bool| -> Vec<String> {
            replies.iter().filter(|it| wanted(&it.1)).map(|it| self.name(it.0)).collect()
        };
        let needs = self.opponent_threat.as_ref().map(|it| self.squares(&it.needs));
        Ok(ThreatsReport {
            schema: Schema::of("threats"),
            turn: self.player(self.mover),
            result: None,
            plans: self.plan()?.into_iter().collect(),
            threats: self.threat()?.into_iter().collect(),
            defences: self.defences(),
            unsure: named(&is_unsure),
            refuted_later: named(&|it| matches!(it, Verdict::Stops { later: Some(_), .. })),
            counter_threats: named(&|it| {
                matches!(it, Verdict::Stops { is_counter_threat: true, .. })
            }),
            replies: replies.len(),
            spent: self.searched.iter().any(|it| it.1),
            board: self.board(&needs.unwrap_or_default()),
            why_not: None,
            text: self.text()?,
        })
    }

    fn defences(&self) -> Vec<String> {
        let threat = self.opponent_threat.iter();
        threat.flat_map(OpponentThreat::defences).map(|it| self.name(it)).collect()
    }

    fn plan(&self) -> Result<Option<Plan>> {
        let Some(proved) = &self.plan else { return Ok(None) };
        let Proof::Win(win) = &proved.proof else { return Ok(None) };
        Ok(Some(Plan {
            player: self.player(self.mover),
            mv: self.name(win.mv),
            shape: proved.shape.to_string(),
            pv: self.line(&self.point, &win.line())?,
            within: win.plies(),
        }))
    }

    fn threat(&self) -> Result<Option<Threat>> {
        let Some(found) = &self.opponent_threat else { return Ok(None) };
        let (program, attacker) = (self.loaded.game.program(), self.attacker());
        Ok(Some(Threat {
            player: self.player(attacker),
            mv: found.first.map(|it| self.name(it)),
            shape: found.shape.as_ref().map(ToString::to_string),
            pv: self.carried_out(found)?,
            reasons: reasons_of(program, found.needs.reasons().iter(), attacker),
            everything: found.needs.is_everything(),
            danger: matches!(found.threat, threats::Threat::Danger),
        }))
    }
}

/// The beginning of a line.
fn shown(line: &[String]) -> String {
    let more = if line.len() > SHOWN_MOVES { " …" } else { "" };
    line[..line.len().min(SHOWN_MOVES)].join(" ") + more
}

/// Whether a move is called a defence only because the budget ran out.
fn is_unsure(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Stops { is_sure: false, later: None, .. })
}

/// How many of the moves that stop a threat were not searched to the end.
fn unsure_text(opponent_threat: &OpponentThreat) -> String {
    match opponent_threat.replies.iter().filter(|it| is_unsure(&it.1)).count() {
        0 => String::new(),
        1 => format!("  of one of them that is not sure: {NOT_ALL}\n"),
        count => format!("  of {count} of them that is not sure: {NOT_ALL}\n"),
    }
}
