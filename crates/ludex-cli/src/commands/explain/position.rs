//! What is threatened in a position, by whom, and what can be done about it.

use std::collections::BTreeSet;

use ludex::clock::RealClock;
use ludex::game::LoadedGame;
use ludex::{Error, Result, board};
use ludex_core::text::nearest;
use ludex_core::{Clock, Game, GameExt, Limits, Player, Position, State};
use ludex_ir::PackedMove;
use ludex_study::text::condition_text;
use ludex_study::threats::opponent_threat::{OpponentThreat, Verdict, opponent_threat_verified};
use ludex_study::threats::widening::{Proof, Proved, Reach, Widened};
use ludex_study::threats::{Attack, Config, Threat, Win, Zone, prove_verified};
use serde_json::{Value, json};

use super::{ExplainArgs, grouped};
use crate::commands::solve::{USUAL_NEAR, in_plies, usual_around};
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::output::Out;

/// What is said where the budget ran out.
const MORE_TO_TRY: &str = "there was more to try, see --nodes and --time";

/// What is said where it ran out for a reply; each of them has only so much.
const NOT_ALL: &str = "not everything was tried";

/// So many moves of a line are shown.
const SHOWN_MOVES: usize = 16;

/// A position and what is known of it.
struct Told<'a> {
    loaded: &'a LoadedGame,
    point: Position,
    mover: Player,
    /// A win of the player to move.
    plan: Option<Proved>,
    /// What the other player threatens.
    opponent_threat: Option<OpponentThreat>,
    /// Whose threats were looked for, and whether the budget was spent on them.
    looked: Vec<(Player, bool)>,
}

/// Explains a position in which the game goes on.
pub(super) fn run(
    args: &ExplainArgs,
    loaded: &LoadedGame,
    place: &Position,
    mover: Player,
    side: Option<Player>,
    out: &mut Out,
) -> Done {
    if loaded.game.players() != 2 {
        let message = "the game goes on here, and threats are for games of two players";
        return Err(Error::with_help(message, "name a move with --move"));
    }
    let point = place.clone();
    let other = Player(1 - mover.0);
    let wanted = |player: Player| side.is_none_or(|it| it == player);
    let (mut plan, mut opponent_threat, mut looked) = (None, None, Vec::new());
    if wanted(mover) {
        let (found, is_spent) = find_plan(args, loaded, &point, mover)?;
        plan = found;
        looked.push((mover, is_spent));
    }
    if wanted(other) || args.why_not.is_some() {
        let (found, is_spent) = find_threat(args, loaded, &point, other)?;
        opponent_threat = found;
        looked.push((other, is_spent));
    }
    let told = Told { loaded, point, mover, plan, opponent_threat, looked };
    let why_not = args.why_not.as_deref().map(|name| told.why_not(name)).transpose()?;
    if out.is_json() {
        let mut value = told.as_json()?;
        if let Some((text, verdict)) = why_not {
            value["why_not"] = json!({ "move": args.why_not, "verdict": verdict, "text": text });
        }
        out.json(&value)?;
    } else {
        let mut text = told.text()?;
        if let Some((why, _)) = why_not {
            text = format!("{why}\n");
        }
        out.text(&text)?;
    }
    Ok(Answer::Yes)
}

impl ExplainArgs {
    /// Where a goal is given, what matters is near to what it asks about.
    fn config(&self, squares: usize) -> Config {
        Config {
            relevance_zone: self.goal.is_given().then_some(USUAL_NEAR),
            neighbourhood: usual_around(squares, self.order),
            ..Config::default()
        }
    }

    fn reach(&self) -> Reach {
        Reach { highest_order: self.order.saturating_add(1), ..Reach::default() }
    }

    fn limits<'a>(&self, clock: &'a dyn Clock) -> Limits<'a> {
        Limits {
            clock,
            nodes: Some(self.nodes),
            time: Some(self.time),
            depth: None,
            stop: Some(interrupt::listen()),
        }
    }
}

/// A win of the player to move.
fn find_plan(
    args: &ExplainArgs,
    loaded: &LoadedGame,
    point: &Position,
    mover: Player,
) -> Result<(Option<Proved>, bool)> {
    let (game, clock) = (&loaded.game, RealClock::start());
    let rules = (game, game.interpreter());
    let mut attack =
        Attack::new(rules, mover, args.config(game.board().squares), args.limits(&clock));
    let widened = prove_verified(&mut attack, point, args.reach(), args.limits(&clock));
    Ok(match widened.map_err(|it| loaded.blame(it))? {
        Widened::Proved(proved) => (Some(proved), false),
        Widened::Nothing => (None, false),
        Widened::Spent => (None, true),
    })
}

/// What the player who is not to move threatens.
fn find_threat(
    args: &ExplainArgs,
    loaded: &LoadedGame,
    point: &Position,
    attacker: Player,
) -> Result<(Option<OpponentThreat>, bool)> {
    let (game, clock) = (&loaded.game, RealClock::start());
    let rules = (game, game.interpreter());
    let mut attack =
        Attack::new(rules, attacker, args.config(game.board().squares), args.limits(&clock));
    let found = opponent_threat_verified(&mut attack, point, args.reach(), args.limits(&clock));
    let found = found.map_err(|it| loaded.blame(it))?;
    let is_spent = found.is_none() && attack.is_spent(&args.limits(&clock));
    Ok((found, is_spent))
}

impl Told<'_> {
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
        let mut here = from.clone();
        let mut names = Vec::new();
        for &mv in moves {
            names.push(self.loaded.game.name(&here.state, mv));
            here = self.loaded.game.after(&here, mv).map_err(|it| self.loaded.blame(it))?;
        }
        Ok(names)
    }

    /// How a threat is carried out if nothing is done about it.
    fn carried_out(&self, opponent_threat: &OpponentThreat) -> Result<Vec<String>> {
        let passed = self.loaded.game.after_null_move(&self.point);
        match (&opponent_threat.threat, passed) {
            (Threat::Win(win, _), Some(passed)) => self.line(&passed, &win.line()),
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
        for &(player, is_spent) in &self.looked {
            let is_found = if player == self.mover {
                self.plan.is_some()
            } else {
                self.opponent_threat.is_some()
            };
            // Where something was found, nobody asks for what was not, unless it might be there.
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
        let defences: Vec<String> = opponent_threat.defences().map(|it| self.name(it)).collect();
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

    /// Why a move is not enough, in words and in a word.
    fn why_not(&self, name: &str) -> Result<(String, &'static str)> {
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
                let text = format!("{name} stops the threat, as far as was looked: {NOT_ALL}");
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

    fn as_json(&self) -> Result<Value> {
        let mut plans = Vec::new();
        if let Some((Proof::Win(win), proved)) = self.plan.as_ref().map(|it| (&it.proof, it)) {
            plans.push(json!({
                "player": self.player(self.mover),
                "move": self.name(win.mv),
                "shape": proved.shape.to_string(),
                "pv": self.line(&self.point, &win.line())?,
                "within": win.plies(),
            }));
        }
        let mut threats = Vec::new();
        let (mut defences, mut refuted, mut counters) = (Vec::new(), Vec::new(), Vec::new());
        let (mut unsure, mut replies) = (Vec::new(), 0);
        if let Some(opponent_threat) = &self.opponent_threat {
            threats.push(json!({
                "player": self.player(self.attacker()),
                "move": opponent_threat.first.map(|it| self.name(it)),
                "shape": opponent_threat.shape.as_ref().map(ToString::to_string),
                "pv": self.carried_out(opponent_threat)?,
                "reasons": self.reasons_json(&opponent_threat.needs),
                "everything": opponent_threat.needs.is_everything(),
                "danger": matches!(opponent_threat.threat, Threat::Danger),
            }));
            defences = opponent_threat.defences().map(|it| self.name(it)).collect();
            let named = |wanted: &dyn Fn(&Verdict) -> bool| -> Vec<String> {
                let some = opponent_threat.replies.iter().filter(|it| wanted(&it.1));
                some.map(|it| self.name(it.0)).collect()
            };
            refuted = named(&|it| matches!(it, Verdict::Stops { later: Some(_), .. }));
            counters = named(&|it| matches!(it, Verdict::Stops { is_counter_threat: true, .. }));
            unsure = named(&is_unsure);
            replies = opponent_threat.replies.len();
        }
        let marked =
            self.opponent_threat.as_ref().map(|it| self.squares(&it.needs)).unwrap_or_default();
        Ok(json!({
            "turn": self.player(self.mover),
            "result": Value::Null,
            "plans": plans,
            "threats": threats,
            "defences": defences,
            "unsure": unsure,
            "refuted_later": refuted,
            "counter_threats": counters,
            "replies": replies,
            "spent": self.looked.iter().any(|it| it.1),
            "board": self.board(&marked),
        }))
    }

    fn reasons_json(&self, zone: &Zone) -> Vec<Value> {
        let program = self.loaded.game.program();
        let condition = |cell, allowed| condition_text(program, cell, allowed, self.attacker());
        let one = |it: &ludex_study::Reason| json!({ "cell": program.cell_name(it.cell), "condition": condition(it.cell, it.allowed) });
        zone.reasons().iter().map(one).collect()
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

/// How many of the moves that stop a threat were not looked into to the end.
fn unsure_text(opponent_threat: &OpponentThreat) -> String {
    match opponent_threat.replies.iter().filter(|it| is_unsure(&it.1)).count() {
        0 => String::new(),
        1 => format!("  of one of them that is not sure: {NOT_ALL}\n"),
        count => format!("  of {count} of them that is not sure: {NOT_ALL}\n"),
    }
}
