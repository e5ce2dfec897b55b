//! An external engine: its process and its protocol together.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::error::{EngineError, shortened};
use super::process::Process;
use super::protocol::{
    Commands, EngineReply, GameSetup, MoveRequest, Protocol, Received, protocol,
};
use super::spec::{EngineSpec, ProtocolKind};

/// The time to exit after the protocol's quit command.
const TIME_TO_QUIT: Duration = Duration::from_millis(500);

/// An external engine.
///
/// Its process is started when a game begins, and again for the next game after an error.
pub struct Engine {
    spec: EngineSpec,
    protocol: ProtocolKind,
    running: Option<Running>,
    /// The name that it reported when it last ran.
    name: Option<String>,
}

/// A running engine.
struct Running {
    process: Process,
    protocol: Box<dyn Protocol>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("spec", &self.spec).finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine that does not run yet. It speaks the protocol of its spec, or else `default`.
    pub fn new(spec: EngineSpec, default: ProtocolKind) -> Self {
        let protocol = spec.protocol.unwrap_or(default);
        Self { spec, protocol, running: None, name: None }
    }

    /// Its spec.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Its protocol.
    pub fn protocol(&self) -> ProtocolKind {
        self.protocol
    }

    /// The name that it reports, after its first start.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Begins a game, after a start if the engine does not run. A raised `stop` interrupts it.
    pub fn begin(&mut self, setup: &GameSetup, stop: &AtomicBool) -> Result<(), EngineError> {
        if self.running.as_ref().is_some_and(|it| !it.protocol.is_reusable()) {
            self.quit();
        }
        let begun = self.try_begin(setup, stop);
        self.or_kill(begun)
    }

    fn try_begin(&mut self, setup: &GameSetup, stop: &AtomicBool) -> Result<(), EngineError> {
        let patience = self.spec.patience;
        if self.running.is_none() {
            let process = Process::start(&self.spec)?;
            let protocol = protocol(self.protocol, &self.spec);
            let running = self.running.insert(Running { process, protocol });
            let commands = running.protocol.handshake();
            running.settle(&commands, patience, stop)?;
            self.name = running.protocol.name().map(shortened);
        }
        let Some(running) = &mut self.running else { return Ok(()) };
        let commands = running.protocol.begin(setup).map_err(EngineError::Refused)?;
        running.settle(&commands, patience, stop)
    }

    /// Requests a move at the engine's turn. A raised `stop` interrupts it.
    pub fn think(
        &mut self,
        request: &MoveRequest<'_>,
        stop: &AtomicBool,
    ) -> Result<EngineReply, EngineError> {
        let request = self.limited(request);
        let Some(running) = &mut self.running else {
            return Err(EngineError::NoStart("no game has begun".to_owned()));
        };
        let reply = running.request_move(&request, self.spec.margin, self.spec.patience, stop);
        self.or_kill(reply)
    }

    /// A request with the limits of the engine's spec as well.
    fn limited<'a>(&self, request: &MoveRequest<'a>) -> MoveRequest<'a> {
        let least = |one: Option<u64>, other: Option<u64>| one.into_iter().chain(other).min();
        // A time of its own replaces the clocks in the request, but its clock runs on.
        let clocks = request.clocks.filter(|_| self.spec.time.is_none());
        let left = request.clocks.map(|it| it[request.mover].left);
        let time = request.time.into_iter().chain(self.spec.time).chain(left).min();
        MoveRequest {
            clocks,
            time: time.filter(|_| clocks.is_none()),
            nodes: least(request.nodes, self.spec.nodes),
            depth: request.depth.into_iter().chain(self.spec.depth).min(),
            ..*request
        }
    }

    /// Ends the game. After a failure of the engine (`failed`) its process is killed.
    pub fn end(&mut self, failed: bool) {
        if failed {
            self.running = None;
        }
        if let Some(running) = &mut self.running {
            let lines = running.protocol.end();
            running.process.send(&lines);
        }
    }

    /// Ends the engine by its quit command, and kills it if it does not exit.
    pub fn quit(&mut self) {
        if let Some(Running { process, protocol }) = self.running.take() {
            process.close(&protocol.quit(), TIME_TO_QUIT);
        }
    }

    /// Kills the engine after an error: its further output would be out of step with the requests.
    fn or_kill<T>(&mut self, done: Result<T, EngineError>) -> Result<T, EngineError> {
        if done.is_err() {
            self.running = None;
        }
        done
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.quit();
    }
}

impl Running {
    /// Sends commands and waits until the engine is ready.
    fn settle(
        &mut self,
        commands: &Commands,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<(), EngineError> {
        self.process.begin_exchange();
        self.process.send(&commands.lines);
        if !commands.awaits_reply {
            return Ok(());
        }
        let begun = Instant::now();
        loop {
            let quiet = self.protocol.silence_means_ready();
            let wait = quiet.map_or(patience, |it| it.min(patience));
            let Some(line) = self.process.next_line(begun + wait, stop)? else {
                // A line may have changed the meaning of silence meanwhile.
                if quiet.is_some() {
                    return Ok(());
                }
                return Err(EngineError::Hung(patience, self.process.last_words()));
            };
            match self.protocol.read_line(&line) {
                Received::Nothing | Received::Answer(_) => {}
                Received::Send(lines) => self.process.send(&lines),
                Received::Ready => return Ok(()),
                Received::Refused(text) | Received::Claimed(text) => {
                    return Err(EngineError::Refused(shortened(&text)));
                }
            }
        }
    }

    /// Requests a move.
    fn request_move(
        &mut self,
        request: &MoveRequest<'_>,
        margin: Duration,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<EngineReply, EngineError> {
        // Output since the last answer belongs to no request.
        for line in self.process.pending_lines() {
            self.protocol.read_line(&line);
        }
        let lines = self.protocol.request_move(request).map_err(EngineError::Refused)?;
        let clock = request.clocks.map(|it| it[request.mover].left);
        let time = clock.or(request.time.map(|it| it.max(self.protocol.resolution())));
        let wait = time.map_or(patience, |it| it.saturating_add(margin));
        self.process.begin_exchange();
        let begun = Instant::now();
        self.process.send(&lines);
        loop {
            // A clock of a thousand years overflows: a year will do.
            let until = begun.checked_add(wait).unwrap_or(begun + Duration::from_hours(24 * 365));
            let Some(line) = self.process.next_line(until, stop)? else {
                return Err(match time {
                    Some(_) => EngineError::TimeOverrun(wait),
                    None => EngineError::Hung(wait, self.process.last_words()),
                });
            };
            match self.protocol.read_line(&line) {
                Received::Nothing | Received::Ready => {}
                Received::Send(lines) => self.process.send(&lines),
                Received::Answer(reply) => return Ok(reply),
                Received::Refused(text) => return Err(EngineError::Refused(shortened(&text))),
                Received::Claimed(text) => {
                    let text = format!("claims `{}`, which is not by the rules", shortened(&text));
                    return Err(EngineError::Refused(text));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ludex_search::timing::GameClock;

    use super::*;

    #[test]
    fn limits_of_the_spec_hold_beside_those_of_the_match() {
        let engine =
            Engine::new(EngineSpec::parse("p,time=1s,nodes=50").unwrap(), ProtocolKind::Uci);
        let millis = Duration::from_millis;
        let clock = |left| GameClock::new(millis(left), Duration::ZERO);
        let request = MoveRequest {
            mover: 1,
            clocks: Some([clock(9000), clock(400)]),
            nodes: Some(70),
            depth: Some(3),
            ..MoveRequest::default()
        };
        let limited = engine.limited(&request);
        assert_eq!((limited.clocks, limited.time), (None, Some(millis(400))));
        assert_eq!((limited.nodes, limited.depth), (Some(50), Some(3)));
        let limited =
            engine.limited(&MoveRequest { clocks: None, time: Some(millis(2000)), ..request });
        assert_eq!(limited.time, Some(millis(1000)));
        let engine = Engine::new(EngineSpec::new("p"), ProtocolKind::Uci);
        assert_eq!(engine.limited(&request).clocks, request.clocks);
        assert_eq!(engine.limited(&request).time, None);
    }
}
