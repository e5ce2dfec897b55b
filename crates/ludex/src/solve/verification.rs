//! Verifies certificates: a proof is played out by the rules alone.

use ludex_core::{Game, Limits, Position};
use ludex_search::proof::{Certificate, Past, Progress, ProofRun};
use ludex_study::threats::certificate::FIRST_LINE;

use super::proof::ASSUMED;
use super::report::Verification;
use super::{SolveEvent, longest_plan, past, scaled, threats};
use crate::clock::RealClock;
use crate::error::{Error, Result};
use crate::game::LoadedGame;

/// What is to be verified.
#[derive(Clone, Debug)]
pub struct VerifyRequest<'a> {
    /// The text of the certificate.
    pub text: &'a str,
    /// What messages call it: the name of its file.
    pub name: &'a str,
    /// The position that it has to be about; any position if there is none.
    pub position: Option<Position>,
    /// Whether it has to be about a goal.
    pub has_goal: bool,
    /// Bytes for the positions of its plan.
    pub memory: usize,
}

/// Verifies a certificate of a proof or of threats. Progress goes to `observer`; the clock of
/// `limits` is not used.
pub fn verify(
    loaded: &LoadedGame,
    request: &VerifyRequest<'_>,
    limits: Limits<'_>,
    observer: &mut dyn FnMut(SolveEvent<'_>),
) -> Result<Verification> {
    let clock = RealClock::start();
    let limits = scaled(limits, 1, &clock);
    let verification = if request.text.starts_with(FIRST_LINE) {
        threats::verify_certificate(loaded, request, limits)?
    } else {
        verify_proof(loaded, request, limits, observer)?
    };
    Ok(Verification { seconds: clock.seconds(), ..verification })
}

fn verify_proof(
    loaded: &LoadedGame,
    request: &VerifyRequest<'_>,
    limits: Limits<'_>,
    observer: &mut dyn FnMut(SolveEvent<'_>),
) -> Result<Verification> {
    let certificate = Certificate::read(request.text)
        .map_err(|refusal| Error::new(format!("`{}`: {refusal}", request.name)))?;
    let Certificate { game, rules, position, .. } = &certificate;
    if let Some(reason) = is_about_something_else(loaded, request, (game, *rules, position)) {
        return Ok(Verification::refused(reason));
    }
    let is_ignored = certificate.past == Some(Past::Ignored);
    if is_ignored && past(loaded.game.program()) == Past::Exact {
        let reason = "it ignores the past, and the past matters in these rules";
        return Ok(Verification::refused(reason));
    }
    let mut watch = |it: &Progress| observer(SolveEvent::Proof(it));
    let mut run = ProofRun::new(limits, &mut watch);
    let most = longest_plan(request.memory);
    let verified = certificate.verify(&loaded.game, &mut run, most);
    Ok(match verified.map_err(|it| loaded.blame(it))? {
        Ok(positions) => Verification {
            assumes: is_ignored.then(|| ASSUMED.to_owned()),
            ..Verification::verified(&certificate.value.to_string(), positions as u64)
        },
        Err(refusal) => Verification { spent: refusal.spent, ..Verification::refused(&refusal) },
    })
}

/// Why a certificate of this game, by the hash of its rules and its position, is about something
/// else, if it is.
pub(super) fn is_about_something_else(
    loaded: &LoadedGame,
    request: &VerifyRequest<'_>,
    (game, rules, position): (&str, u64, &str),
) -> Option<String> {
    let source = loaded.rules();
    let options = game.rsplit_once(':').map_or("", |it| it.1);
    let ours = source.spec();
    if game == ours && rules != loaded.hash() {
        let goal = if request.has_goal {
            "or of the goal"
        } else {
            "or it was for a goal: say which by --goal"
        };
        return Some(format!("it is about `{ours}` with another text of the rules, {goal}"));
    }
    if rules != loaded.hash() || options != source.options {
        return Some(format!("it is about `{game}`, and these are other rules: `{ours}`"));
    }
    let is_other = |it: &Position| position != loaded.game.write(&it.state);
    let is_other = request.position.as_ref().is_some_and(is_other);
    is_other.then(|| "it is about another position".to_owned())
}
