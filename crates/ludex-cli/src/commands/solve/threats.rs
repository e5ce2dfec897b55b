//! `ludex solve --method threats`: wins that can be forced by threats alone.

use std::path::Path;

use ludex::clock::{RealClock, per_second};
use ludex::files::write_whole;
use ludex::game::LoadedGame;
use ludex::{EngineKind, Error, Result};
use ludex_core::{Game, GameExt, Limits, Player, Position, Turn};
use ludex_study::threats::certificate::{self, Header};
use ludex_study::threats::widening::{Proof, Proved, Reach, Widened};
use ludex_study::threats::{Attack, Config, Flaw, Shape, last_shape, prove_verified, verify};
use serde_json::json;

use super::{NOTHING_PROVED, SolveArgs, in_plies, not_about_this};
use crate::commands::perft::spinner;
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::output::{Out, note};

/// What a search has cost.
struct Report {
    nodes: u64,
    /// How often it was known already what a direct threat depends on.
    zone_hits: u64,
    seconds: f64,
    /// Whether the budget was spent before everything was tried.
    is_spent: bool,
}

/// What was found for one side.
struct Found {
    attacker: Player,
    proved: Proved,
}

/// Looks for a win of the player to move, and then for one of the other.
pub(super) fn run(args: &SolveArgs, loaded: &LoadedGame, place: &Position, out: &mut Out) -> Done {
    let game = &loaded.game;
    let Turn::Of(mover) = loaded.turn(&place)? else {
        return Err(Error::new("it is nobody's turn here"));
    };
    if game.players() != 2 {
        return Err(Error::new("threats are for games of two players"));
    }
    let point = place.clone();
    let clock = RealClock::start();
    let progress = spinner();
    let (mut nodes, mut zone_hits, mut found, mut is_spent) = (0, 0, None, false);
    for attacker in [mover, Player(1 - mover.0)] {
        let who = game.player_name(attacker);
        progress.set_message(format!("threats of {who}"));
        let before = nodes;
        let watch = |nodes: u64, shape: &Shape| {
            let (nodes, seconds) = (before + nodes, clock.seconds());
            let rate = per_second(nodes, seconds);
            progress.set_message(format!(
                "{nodes} nodes, {rate:.0} per second; threats of {who} of the shape {shape}"
            ));
        };
        let config = Config {
            most_defences: args.counters,
            relevance_zone: args.near(),
            neighbourhood: args.around(game.board().squares),
            zone_table: !args.no_zone_table,
            memory: args.think.memory,
            ..Config::default()
        };
        let limits = args.limits(1, &clock).after(nodes);
        let rules = (game, game.interpreter());
        let mut attack = Attack::new(rules, attacker, config, limits).watched(&watch);
        let widened = prove_verified(&mut attack, &point, args.reach(), limits);
        nodes += attack.nodes();
        zone_hits += attack.zone_hits();
        match widened.map_err(|it| loaded.blame(it))? {
            Widened::Proved(proved) => {
                found = Some(Found { attacker, proved });
                break;
            }
            Widened::Nothing => {}
            Widened::Spent => is_spent = true,
        }
    }
    progress.finish_and_clear();
    let seconds = clock.seconds();
    if let Some(found) = &found {
        // What is called proved has been played out by the rules.
        if found.proved.checked.is_none() {
            check(loaded, &point, found)?;
        }
        write(args, loaded, &point, found)?;
    } else if args.certificate.is_some() {
        note(NOTHING_PROVED);
    }
    let told = Report { nodes, zone_hits, seconds, is_spent };
    tell(loaded, &point, mover, found.as_ref(), told, out)?;
    Ok(match found {
        None if is_spent && interrupt::happened() => Answer::Interrupted,
        None => Answer::Undecided,
        Some(found) if found.attacker == mover => Answer::Yes,
        Some(_) => Answer::No,
    })
}

impl SolveArgs {
    /// How far threats are followed.
    fn reach(&self) -> Reach {
        Reach {
            highest_order: self.order.unwrap_or(2).saturating_add(1).max(1),
            ..Reach::default()
        }
    }
}

/// Plays a proof out. It is as long as what the search has found, and needs no budget.
fn check(loaded: &LoadedGame, point: &Position, found: &Found) -> Result<()> {
    let limits = Limits { stop: Some(interrupt::listen()), ..Limits::default() };
    let (game, proof) = (&loaded.game, &found.proved.proof);
    let checked = verify(game, found.attacker, point, proof, limits);
    match checked.map_err(|it| loaded.blame(it))?.0 {
        Ok(()) => Ok(()),
        Err(Flaw::Spent) => Err(Error::new("the check of the proof was interrupted")),
        Err(Flaw::Refuted { why, .. }) => {
            let message = format!("the proof did not stand its check: {why}");
            Err(Error::with_help(message, "please report this"))
        }
    }
}

fn write(args: &SolveArgs, loaded: &LoadedGame, point: &Position, found: &Found) -> Result<()> {
    let Some(path) = &args.certificate else { return Ok(()) };
    let game = &loaded.game;
    let header = Header {
        game: loaded.rules().spec(),
        rules: loaded.hash(),
        position: game.write(&point.state),
        attacker: game.player_name(found.attacker),
        shape: found.proved.shape.to_string(),
    };
    let text = certificate::write((game, game.program()), &header, point, &found.proved.proof);
    write_whole(path, &text.map_err(|it| loaded.blame(it))?)
}

fn tell(
    loaded: &LoadedGame,
    point: &Position,
    mover: Player,
    found: Option<&Found>,
    Report { nodes, zone_hits, seconds, is_spent }: Report,
    out: &mut Out,
) -> Result<()> {
    let game = &loaded.game;
    let value = match found {
        None => "unknown",
        Some(found) if found.attacker == mover => "win",
        Some(_) => "loss",
    };
    let (line, plies) = match found.map(|it| &it.proved.proof) {
        None => (Vec::new(), None),
        Some(Proof::Win(win)) => (win.line(), Some(win.plies())),
        Some(Proof::Hold(hold)) => (hold.line(), Some(hold.plies())),
    };
    let pv = names(loaded, point, &line)?;
    let shape = found.map(|it| it.proved.shape.to_string());
    if out.is_json() {
        out.json(&json!({
            "value": value,
            "pv": pv,
            "nodes": nodes,
            "zone_hits": zone_hits,
            "seconds": seconds,
            "nodes_per_second": per_second(nodes, seconds),
            "method": "threats",
            "player": game.player_name(mover),
            "shape": shape,
            "within": plies,
            "checked": found.and_then(|it| it.proved.checked),
            "exhausted": found.is_none() && !is_spent,
            "engine": EngineKind::of(game).name(),
        }))?;
        return Ok(());
    }
    out.line(format_args!("{value} for {}, who is to move", game.player_name(mover)))?;
    match (found, shape) {
        (Some(found), Some(shape)) => {
            let who = game.player_name(found.attacker);
            out.line(format_args!("{who} wins by threats of the shape {shape}"))?;
        }
        _ if is_spent => out.line("the budget ran out before all threats were tried")?,
        _ => out.line("no threats within reach win; that says nothing about other wins")?,
    }
    if !pv.is_empty() {
        out.line(format_args!("line: {}", pv.join(" ")))?;
    }
    if let Some(plies) = plies {
        out.line(format_args!("the game ends within {}", in_plies(plies)))?;
    }
    if let Some(checked) = found.and_then(|it| it.proved.checked) {
        out.line(format_args!("checked against every reply: {checked} positions"))?;
    }
    let (rate, engine) = (per_second(nodes, seconds), EngineKind::of(game).name());
    out.line(format_args!(
        "{nodes} nodes in {seconds:.3} s, {rate:.0} per second, threats, {engine}"
    ))?;
    Ok(())
}

fn names(
    loaded: &LoadedGame,
    point: &Position,
    line: &[ludex_ir::PackedMove],
) -> Result<Vec<String>> {
    let mut here = point.clone();
    let mut names = Vec::new();
    for &mv in line {
        names.push(loaded.game.name(&here.state, mv));
        here = loaded.game.after(&here, mv).map_err(|it| loaded.blame(it))?;
    }
    Ok(names)
}

/// Checks a certificate of threats.
pub(super) fn verify_file(
    args: &SolveArgs,
    loaded: &LoadedGame,
    place: &Position,
    (path, text): (&Path, &str),
    out: &mut Out,
) -> Done {
    let clock = RealClock::start();
    let header = certificate::header(text)
        .map_err(|it| Error::new(format!("`{}`: {it}", path.display())))?;
    let about = (&*header.game, header.rules, &*header.position);
    let outcome = match not_about_this(args, loaded, place, about) {
        Some(why) => Checked::Refused(why),
        None => followed(args, loaded, &header, text, &clock)?,
    };
    let seconds = clock.seconds();
    let answer = match outcome {
        Checked::Stands(..) => Answer::Yes,
        Checked::Refused(_) => Answer::No,
        Checked::Spent if interrupt::happened() => Answer::Interrupted,
        Checked::Spent => Answer::Undecided,
    };
    let (value, positions, why) = match outcome {
        Checked::Stands(value, positions) => (value, Some(positions), None),
        Checked::Refused(why) => ("unknown", None, Some(why)),
        Checked::Spent => ("unknown", None, Some("the budget was spent".to_owned())),
    };
    if out.is_json() {
        out.json(&json!({
            "verified": why.is_none(), "value": value, "positions": positions, "reason": why,
            "seconds": seconds,
        }))?;
    } else if let Some(why) = why {
        out.line(format_args!("refused: {why}"))?;
    } else {
        let positions = positions.unwrap_or(0);
        out.line(format_args!("verified: {value}, {positions} positions in {seconds:.3} s"))?;
    }
    Ok(answer)
}

/// What came of checking a certificate.
enum Checked {
    /// The value that it shows, and the number of positions played out.
    Stands(&'static str, u64),
    /// Why it shows nothing.
    Refused(String),
    Spent,
}

/// Plays a certificate out.
fn followed(
    args: &SolveArgs,
    loaded: &LoadedGame,
    header: &Header,
    text: &str,
    clock: &RealClock,
) -> Result<Checked> {
    let game = &loaded.game;
    let place = loaded.read(&header.position)?;
    let point = place;
    let attacker = loaded.player(&header.attacker)?;
    let proof = match certificate::read(game, &point, text).map_err(|it| loaded.blame(it))? {
        Ok(proof) => proof,
        Err(unreadable) => return Ok(Checked::Refused(unreadable.to_string())),
    };
    let shape = proof.shape(&last_shape(game.program())).to_string();
    if shape != header.shape {
        return Ok(Checked::Refused(format!("its shape is {shape}, not {}", header.shape)));
    }
    let checked = verify(game, attacker, &point, &proof, args.limits(1, clock));
    let (verdict, positions) = checked.map_err(|it| loaded.blame(it))?;
    Ok(match verdict {
        Ok(()) if matches!(proof, Proof::Win(_)) => Checked::Stands("win", positions),
        Ok(()) => Checked::Stands("loss", positions),
        Err(Flaw::Spent) => Checked::Spent,
        Err(Flaw::Refuted { line, why }) => {
            let line = names(loaded, &point, &line)?.join(" ");
            let place = if line.is_empty() { String::new() } else { format!(" after `{line}`") };
            Checked::Refused(format!("{why}{place}"))
        }
    })
}
