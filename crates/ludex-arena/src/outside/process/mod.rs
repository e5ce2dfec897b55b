//! A running program with its three pipes.
//!
//! ```text
//! say ──> queue ──> writer ──> stdin │ program │ stdout ──> reader ──> lines ──> next
//!                                    │         │ stderr ──> listener ──> last words
//! ```
//!
//! Nothing that the program does can block us: one thread writes, so that a program that does
//! not read stops that thread only; one reads lines into a queue of bounded length, so that a program
//! that talks while nobody listens has to wait; one keeps the end of what it says on its error output.
//! Lines have a greatest length, and so has everything that is said between two questions: past it, the
//! program floods.
//!
//! The program is the leader of a process group. It is killed with all of the group, before it is
//! reaped, so that the number of the group cannot have become somebody else's.

mod group;
mod pipes;

use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::spec::Spec;
use super::trouble::{Trouble, shortened};
use group::Group;
use pipes::{Event, Shared, listen, read_lines, write_lines};

/// How many lines wait to be heard.
const QUEUE: usize = 256;

/// How many texts wait to be written: a program that has not read so many does not read at all.
const UNREAD: usize = 256;

/// How often to look for an end that comes from elsewhere.
const TICK: Duration = Duration::from_millis(20);

/// How long a program may take to end when its output has ended.
const LAST_BREATH: Duration = Duration::from_millis(300);

/// A program that runs.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Group,
    lines: Option<Receiver<Event>>,
    writer: Option<SyncSender<String>>,
    threads: Vec<JoinHandle<()>>,
    shared: Arc<Shared>,
    reaped: bool,
}

impl Process {
    /// Starts a program.
    pub fn start(spec: &Spec) -> Result<Self, Trouble> {
        let mut command = Command::new(&spec.program);
        command.args(&spec.args).envs(spec.environment.iter().map(|(key, value)| (key, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        group::lead(&mut command);
        let child = command.spawn().map_err(|error| cannot_start(spec, &error))?;
        Ok(Self::around(child))
    }

    fn around(mut child: Child) -> Self {
        let group = Group::of(&child);
        let shared = Arc::new(Shared::default());
        let (line_sender, lines) = mpsc::sync_channel(QUEUE);
        let (writer, texts) = mpsc::sync_channel(UNREAD);
        let mut threads = Vec::new();
        if let Some(stdin) = child.stdin.take() {
            let shared = shared.clone();
            threads.push(thread::spawn(move || write_lines(stdin, &texts, &shared)));
        }
        if let Some(stdout) = child.stdout.take() {
            let shared = shared.clone();
            threads.push(thread::spawn(move || read_lines(stdout, &line_sender, &shared)));
        }
        if let Some(stderr) = child.stderr.take() {
            let shared = shared.clone();
            threads.push(thread::spawn(move || listen(stderr, &shared)));
        }
        let (lines, writer) = (Some(lines), Some(writer));
        Self { child, group, lines, writer, threads, shared, reaped: false }
    }

    /// Says lines. Whether they are read will be seen by the answer.
    pub fn say(&self, lines: &[String]) {
        let mut text = lines.join("\n");
        if text.is_empty() {
            return;
        }
        text.push('\n');
        if let Some(writer) = &self.writer {
            // Too many unread texts, or a program that has ended: its silence will tell.
            let _ = writer.try_send(text);
        }
    }

    /// What is said from now on belongs to another question.
    pub fn fresh(&self) {
        self.shared.fresh();
    }

    /// The lines that have been said already. Who goes on talking is not waited for.
    pub fn waiting(&self) -> Vec<String> {
        let lines = self.lines.iter().flat_map(Receiver::try_iter).take(QUEUE);
        let text = |event| if let Event::Line(line) = event { Some(line) } else { None };
        lines.filter_map(text).collect()
    }

    /// The next line; `None` if there was none until `until`.
    pub fn next(&mut self, until: Instant, stop: &AtomicBool) -> Result<Option<String>, Trouble> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Trouble::Stopped);
            }
            if let Some(what) = self.shared.flooded() {
                return Err(Trouble::Flooded(what));
            }
            let left = until.saturating_duration_since(Instant::now());
            let Some(lines) = &self.lines else { return Err(self.ended()) };
            match lines.recv_timeout(left.min(TICK)) {
                Ok(Event::Line(line)) => return Ok(Some(line)),
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                // Children of a program that has ended may keep its pipes open.
                Err(RecvTimeoutError::Timeout) if self.has_exited() => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// What it said last on its error output, ready to be put behind a message.
    pub fn last_words(&self) -> String {
        let words = self.shared.last_words();
        let line = words.lines().rev().find(|it| !it.trim().is_empty());
        line.map(|it| format!("; its last words: `{}`", shortened(it))).unwrap_or_default()
    }

    fn has_exited(&mut self) -> bool {
        self.reaped || self.group.has_exited(&mut self.child)
    }

    /// Its output has ended: how did it?
    fn ended(&mut self) -> Trouble {
        if let Some(what) = self.shared.flooded() {
            return Trouble::Flooded(what);
        }
        let until = Instant::now() + LAST_BREATH;
        while !self.has_exited() && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        if !self.has_exited() {
            return Trouble::Closed(self.last_words());
        }
        let how = self.kill().map_or_else(|| "nobody knows how".to_owned(), |it| it.to_string());
        // What it said last may be on its way still; who listens to it ends with it.
        while !self.threads.last().is_none_or(JoinHandle::is_finished) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        Trouble::Crashed(format!("{how}{}", self.last_words()))
    }

    /// Kills it with its group and reaps it.
    fn kill(&mut self) -> Option<std::process::ExitStatus> {
        if !self.reaped {
            self.group.kill(&mut self.child);
            self.reaped = true;
        }
        self.child.wait().ok()
    }

    /// Ends it: it is told so, and killed if it is still there after `grace`.
    pub fn close(mut self, farewell: &[String], grace: Duration) {
        self.say(farewell);
        self.writer = None;
        let until = Instant::now() + grace;
        while !grace.is_zero() && !self.has_exited() && Instant::now() < until {
            // Whatever it has to say still must not keep it from ending.
            let heard = self.lines.as_ref().map(|it| it.recv_timeout(Duration::from_millis(2)));
            if !matches!(heard, Some(Ok(Event::Line(_)))) {
                thread::sleep(Duration::from_millis(2));
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        self.shared.close();
        self.writer = None;
        self.lines = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn cannot_start(spec: &Spec, error: &io::Error) -> Trouble {
    let folder = spec.folder.as_ref().map(|it| format!(" in `{it}`")).unwrap_or_default();
    Trouble::NoStart(format!("`{}`{folder}: {error}", spec.program))
}
