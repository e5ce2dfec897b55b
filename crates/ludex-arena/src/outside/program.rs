//! A program, its protocol and its process together.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::process::Process;
use super::protocol::{Asked, Heard, Protocol, Reply, Say, Setting, protocol};
use super::spec::{Language, Spec};
use super::trouble::{Trouble, shortened};

/// How long a program may take to end when it is told to.
const TIME_TO_QUIT: Duration = Duration::from_millis(500);

/// A question that can be taken back.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What is asked, within the limits of the match.
    pub asked: Asked<'a>,
    /// Somebody wants an end when it is raised.
    pub stop: &'a AtomicBool,
}

/// A program from outside.
///
/// It is started when a game begins, and again for the next game after anything went wrong.
pub struct Program {
    spec: Spec,
    language: Language,
    running: Option<Running>,
    /// What it called itself when it last ran.
    name: Option<String>,
}

/// A program that runs.
struct Running {
    process: Process,
    protocol: Box<dyn Protocol>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("spec", &self.spec).finish_non_exhaustive()
    }
}

impl Program {
    /// A program that does not run yet; it speaks what its spec says, or else `usual`.
    pub fn new(spec: Spec, usual: Language) -> Self {
        let language = spec.language.unwrap_or(usual);
        Self { spec, language, running: None, name: None }
    }

    /// What was asked for.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What it speaks.
    pub fn language(&self) -> Language {
        self.language
    }

    /// What it calls itself, once it has said so.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// A game begins: the program is started if it does not run.
    pub fn begin(&mut self, setting: &Setting, stop: &AtomicBool) -> Result<(), Trouble> {
        if self.running.as_ref().is_some_and(|it| !it.protocol.is_reusable()) {
            self.quit();
        }
        let begun = self.try_begin(setting, stop);
        self.or_kill(begun)
    }

    fn try_begin(&mut self, setting: &Setting, stop: &AtomicBool) -> Result<(), Trouble> {
        let patience = self.spec.patience;
        if self.running.is_none() {
            let process = Process::start(&self.spec)?;
            let protocol = protocol(self.language, &self.spec);
            let running = self.running.insert(Running { process, protocol });
            let hello = running.protocol.hello();
            running.settle(hello, patience, stop)?;
            self.name = running.protocol.name().map(shortened);
        }
        let Some(running) = &mut self.running else { return Ok(()) };
        let say = running.protocol.begin(setting).map_err(Trouble::Refused)?;
        running.settle(say, patience, stop)
    }

    /// It is its turn: what does it play?
    pub fn think(&mut self, question: &Question<'_>) -> Result<Reply, Trouble> {
        let asked = self.limits(&question.asked);
        let Some(running) = &mut self.running else {
            return Err(Trouble::NoStart("no game has begun".to_owned()));
        };
        let reply = running.ask(&asked, self.spec.margin, self.spec.patience, question.stop);
        self.or_kill(reply)
    }

    /// What is asked, within the limits that the program has of its own as well.
    fn limits<'a>(&self, asked: &Asked<'a>) -> Asked<'a> {
        let least = |one: Option<u64>, other: Option<u64>| one.into_iter().chain(other).min();
        // A time of its own is all that it is told, but its clock runs on.
        let clocks = asked.clocks.filter(|_| self.spec.time.is_none());
        let left = asked.clocks.map(|it| it[asked.mover].left);
        let time = asked.time.into_iter().chain(self.spec.time).chain(left).min();
        Asked {
            clocks,
            time: time.filter(|_| clocks.is_none()),
            nodes: least(asked.nodes, self.spec.nodes),
            depth: asked.depth.into_iter().chain(self.spec.depth).min(),
            ..*asked
        }
    }

    /// The game is over; `failed` if that was its own failure. There may be another one.
    pub fn end(&mut self, failed: bool) {
        if failed {
            self.running = None;
        }
        if let Some(running) = &mut self.running {
            let lines = running.protocol.end();
            running.process.say(&lines);
        }
    }

    /// Ends the program; it is told so, and killed if it does not obey.
    pub fn quit(&mut self) {
        if let Some(Running { process, protocol }) = self.running.take() {
            process.close(&protocol.bye(), TIME_TO_QUIT);
        }
    }

    /// After whatever went wrong the program is killed: nobody knows what it would say next.
    fn or_kill<T>(&mut self, done: Result<T, Trouble>) -> Result<T, Trouble> {
        if done.is_err() {
            self.running = None;
        }
        done
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.quit();
    }
}

impl Running {
    /// Says something and waits until the program is ready.
    fn settle(&mut self, say: Say, patience: Duration, stop: &AtomicBool) -> Result<(), Trouble> {
        self.process.fresh();
        self.process.say(&say.lines);
        if !say.waits {
            return Ok(());
        }
        let begun = Instant::now();
        loop {
            let quiet = self.protocol.silence_means_ready();
            let wait = quiet.map_or(patience, |it| it.min(patience));
            let Some(line) = self.process.next(begun + wait, stop)? else {
                // The protocol may have changed its mind about what silence means.
                if quiet.is_some() {
                    return Ok(());
                }
                return Err(Trouble::Hung(patience, self.process.last_words()));
            };
            match self.protocol.hear(&line) {
                Heard::Nothing | Heard::Answer(_) => {}
                Heard::Say(lines) => self.process.say(&lines),
                Heard::Ready => return Ok(()),
                Heard::Refused(text) | Heard::Claimed(text) => {
                    return Err(Trouble::Refused(shortened(&text)));
                }
            }
        }
    }

    /// Asks for a move.
    fn ask(
        &mut self,
        asked: &Asked<'_>,
        margin: Duration,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<Reply, Trouble> {
        // What was said since the last answer belongs to no question.
        for line in self.process.waiting() {
            self.protocol.hear(&line);
        }
        let lines = self.protocol.ask(asked).map_err(Trouble::Refused)?;
        let clock = asked.clocks.map(|it| it[asked.mover].left);
        let time = clock.or(asked.time.map(|it| it.max(self.protocol.grain())));
        let wait = time.map_or(patience, |it| it.saturating_add(margin));
        self.process.fresh();
        let begun = Instant::now();
        self.process.say(&lines);
        loop {
            // A clock of a thousand years is no clock.
            let until = begun.checked_add(wait).unwrap_or(begun + Duration::from_hours(24 * 365));
            let Some(line) = self.process.next(until, stop)? else {
                return Err(match time {
                    Some(_) => Trouble::Overstepped(wait),
                    None => Trouble::Hung(wait, self.process.last_words()),
                });
            };
            match self.protocol.hear(&line) {
                Heard::Nothing | Heard::Ready => {}
                Heard::Say(lines) => self.process.say(&lines),
                Heard::Answer(reply) => return Ok(reply),
                Heard::Refused(text) => return Err(Trouble::Refused(shortened(&text))),
                Heard::Claimed(text) => {
                    let text = format!("claims `{}`, which the rules do not say", shortened(&text));
                    return Err(Trouble::Refused(text));
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
    fn limits_of_its_own_hold_beside_those_of_the_match() {
        let program = Program::new(Spec::parse("p,time=1s,nodes=50").unwrap(), Language::Uci);
        let millis = Duration::from_millis;
        let clock = |left| GameClock::new(millis(left), Duration::ZERO);
        let question = Asked {
            mover: 1,
            clocks: Some([clock(9000), clock(400)]),
            nodes: Some(70),
            depth: Some(3),
            ..Asked::default()
        };
        let asked = program.limits(&question);
        assert_eq!((asked.clocks, asked.time), (None, Some(millis(400))));
        assert_eq!((asked.nodes, asked.depth), (Some(50), Some(3)));
        let asked = program.limits(&Asked { clocks: None, time: Some(millis(2000)), ..question });
        assert_eq!(asked.time, Some(millis(1000)));
        let program = Program::new(Spec::new("p"), Language::Uci);
        assert_eq!(program.limits(&question).clocks, question.clocks);
        assert_eq!(program.limits(&question).time, None);
    }
}
