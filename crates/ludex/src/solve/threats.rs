//! Wins that can be forced by threats alone.

use ludex_core::{Game, GameExt, Limits, Player, Position, Turn};
use ludex_study::threats::certificate::{self, Header};
use ludex_study::threats::widening::{Proof, Proved, Reach, Widened};
use ludex_study::threats::{Attack, Config, Flaw, Shape, last_shape, prove_verified, verify};

use super::report::{Solution, ThreatSearch, Verification};
use super::verification::{VerifyRequest, is_about_something_else};
use super::{Certificate, SolveEvent, SolveRequest, Solved, scaled};
use crate::clock::{RealClock, per_second};
use crate::engine::EngineKind;
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::schema::Schema;

/// A win of one side.
struct Found {
    attacker: Player,
    proved: Proved,
}

/// A search for wins of either side.
#[derive(Default)]
struct Searched {
    nodes: u64,
    zone_hits: u64,
    found: Option<Found>,
    /// Whether a limit was reached before everything was tried.
    is_spent: bool,
}

/// Searches for a win of the player to move, and then for one of the other.
pub(super) fn solve(
    loaded: &LoadedGame,
    request: &SolveRequest,
    limits: Limits<'_>,
    observer: &mut dyn FnMut(SolveEvent<'_>),
) -> Result<Solved> {
    let Turn::Of(mover) = loaded.turn(&request.position)? else {
        return Err(Error::new("it is no player's turn here"));
    };
    if loaded.game.players() != 2 {
        return Err(Error::new("threats are for games of two players"));
    }
    let clock = RealClock::start();
    let limits = scaled(limits, 1, &clock);
    let mut searched = Searched::default();
    for attacker in [mover, Player(1 - mover.0)] {
        search(loaded, request, attacker, limits, (&mut searched, observer))?;
        if searched.found.is_some() {
            break;
        }
    }
    let seconds = clock.seconds();
    let certificate = match &searched.found {
        Some(found) => {
            // A win that is called proved was played out by the rules.
            if found.proved.checked.is_none() {
                check(loaded, &request.position, found, limits)?;
            }
            written(loaded, request, found)?
        }
        None if request.certificate => Certificate::NothingProved,
        None => Certificate::Unwanted,
    };
    let solution = solution(loaded, &request.position, mover, &searched)?;
    let nodes_per_second = per_second(searched.nodes, seconds);
    Ok(Solved { solution: Solution { seconds, nodes_per_second, ..solution }, certificate })
}

/// Searches for a win of one side.
fn search(
    loaded: &LoadedGame,
    request: &SolveRequest,
    attacker: Player,
    limits: Limits<'_>,
    (searched, observer): (&mut Searched, &mut dyn FnMut(SolveEvent<'_>)),
) -> Result<()> {
    let (game, before) = (&loaded.game, searched.nodes);
    observer(SolveEvent::Threats { attacker, nodes: before, shape: None });
    let observer = std::cell::RefCell::new(observer);
    let watch = |nodes: u64, shape: &Shape| {
        let event = SolveEvent::Threats { attacker, nodes: before + nodes, shape: Some(shape) };
        (observer.borrow_mut())(event);
    };
    let config = Config {
        most_defences: request.most_defences,
        relevance_zone: request.near(),
        neighbourhood: request.around(game.board().squares),
        zone_table: request.zone_table,
        memory: request.memory,
        ..Config::default()
    };
    let limits = limits.after(before);
    let highest_order = request.order.unwrap_or(2).saturating_add(1).max(1);
    let reach = Reach { highest_order, ..Reach::default() };
    let rules = (game, game.interpreter());
    let mut attack = Attack::new(rules, attacker, config, limits).watched(&watch);
    let widened = prove_verified(&mut attack, &request.position, reach, limits);
    searched.nodes += attack.nodes();
    searched.zone_hits += attack.zone_hits();
    match widened.map_err(|it| loaded.blame(it))? {
        Widened::Proved(proved) => searched.found = Some(Found { attacker, proved }),
        Widened::Nothing => {}
        Widened::Spent => searched.is_spent = true,
    }
    Ok(())
}

/// Plays a proof out. It is as long as the search has found it, and needs no budget.
fn check(
    loaded: &LoadedGame,
    position: &Position,
    found: &Found,
    limits: Limits<'_>,
) -> Result<()> {
    let limits = Limits { stop: limits.stop, ..Limits::default() };
    let checked = verify(&loaded.game, found.attacker, position, &found.proved.proof, limits);
    match checked.map_err(|it| loaded.blame(it))?.0 {
        Ok(()) => Ok(()),
        Err(Flaw::Spent) => Err(Error::new("the verification of the proof was interrupted")),
        Err(Flaw::Refuted { why, .. }) => {
            let message = format!("the verification of the proof failed: {why}");
            Err(Error::with_help(message, "please report this"))
        }
    }
}

fn written(loaded: &LoadedGame, request: &SolveRequest, found: &Found) -> Result<Certificate> {
    if !request.certificate {
        return Ok(Certificate::Unwanted);
    }
    let game = &loaded.game;
    let header = Header {
        game: loaded.rules().spec(),
        rules: loaded.hash(),
        position: game.write(&request.position.state),
        attacker: game.player_name(found.attacker),
        shape: found.proved.shape.to_string(),
    };
    let position = &request.position;
    let text = certificate::write((game, game.program()), &header, position, &found.proved.proof);
    Ok(Certificate::Written(text.map_err(|it| loaded.blame(it))?))
}

fn solution(
    loaded: &LoadedGame,
    position: &Position,
    mover: Player,
    searched: &Searched,
) -> Result<Solution> {
    let (game, found) = (&loaded.game, searched.found.as_ref());
    let value = match found {
        None => "unknown",
        Some(found) if found.attacker == mover => "win",
        Some(_) => "loss",
    };
    let (line, within) = match found.map(|it| &it.proved.proof) {
        None => (Vec::new(), None),
        Some(Proof::Win(win)) => (win.line(), Some(win.plies())),
        Some(Proof::Hold(hold)) => (hold.line(), Some(hold.plies())),
    };
    Ok(Solution {
        schema: Schema::of("solution"),
        value: value.to_owned(),
        pv: loaded.line_names(position, &line)?,
        nodes: searched.nodes,
        seconds: 0.0,
        nodes_per_second: 0.0,
        method: "threats".to_owned(),
        player: game.player_name(mover),
        plies: None,
        within,
        states: None,
        assumes: None,
        engine: EngineKind::of(game).name().to_owned(),
        threats: Some(ThreatSearch {
            zone_hits: searched.zone_hits,
            shape: found.map(|it| it.proved.shape.to_string()),
            winner: found.map(|it| game.player_name(it.attacker)),
            checked: found.and_then(|it| it.proved.checked),
            exhausted: found.is_none() && !searched.is_spent,
        }),
    })
}

/// Verifies a certificate of threats.
pub(super) fn verify_certificate(
    loaded: &LoadedGame,
    request: &VerifyRequest<'_>,
    limits: Limits<'_>,
) -> Result<Verification> {
    let header = certificate::header(request.text)
        .map_err(|it| Error::new(format!("`{}`: {it}", request.name)))?;
    let about = (&*header.game, header.rules, &*header.position);
    match is_about_something_else(loaded, request, about) {
        Some(reason) => Ok(Verification::refused(reason)),
        None => played_out(loaded, &header, request.text, limits),
    }
}

/// Plays a certificate out.
fn played_out(
    loaded: &LoadedGame,
    header: &Header,
    text: &str,
    limits: Limits<'_>,
) -> Result<Verification> {
    let game = &loaded.game;
    let position = loaded.read(&header.position)?;
    let attacker = loaded.player(&header.attacker)?;
    let proof = match certificate::read(game, &position, text).map_err(|it| loaded.blame(it))? {
        Ok(proof) => proof,
        Err(unreadable) => return Ok(Verification::refused(unreadable)),
    };
    let shape = proof.shape(&last_shape(game.program())).to_string();
    if shape != header.shape {
        let reason = format!("its shape is {shape}, not {}", header.shape);
        return Ok(Verification::refused(reason));
    }
    let checked = verify(game, attacker, &position, &proof, limits);
    let (verdict, positions) = checked.map_err(|it| loaded.blame(it))?;
    Ok(match verdict {
        Ok(()) => {
            let value = if matches!(proof, Proof::Win(_)) { "win" } else { "loss" };
            Verification::verified(value, positions)
        }
        Err(Flaw::Spent) => {
            Verification { spent: true, ..Verification::refused("the limits were reached") }
        }
        Err(Flaw::Refuted { line, why }) => {
            let line = loaded.line_names(&position, &line)?.join(" ");
            let at = if line.is_empty() { String::new() } else { format!(" after `{line}`") };
            Verification::refused(format!("{why}{at}"))
        }
    })
}
