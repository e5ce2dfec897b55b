//! The process of an engine with its three pipes.
//!
//! ```text
//! send ──> queue ──> writer ──> stdin │ engine │ stdout ──> reader ──> queue ──> next_line
//!                                     │        │ stderr ──> listener ──> last words
//! ```
//!
//! The engine cannot block us. One thread writes, so that an engine that does not read blocks that
//! thread only. One reads lines into a bounded queue, so that an engine that writes unasked has to
//! wait. One keeps the end of the error output. The length of a line is limited, and so is the output
//! of one exchange; an engine beyond the limit is flooding.
//!
//! The engine leads a process group. It is killed with its group before it is reaped, so that the id
//! of the group cannot have been taken by another process.

mod group;
mod pipes;

use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::error::{EngineError, shortened};
use super::spec::EngineSpec;
use group::Group;
use pipes::{Event, Shared, listen, read_lines, write_lines};

/// The lines of output that wait in the queue.
const QUEUE: usize = 256;

/// The texts that wait to be written: an engine with more of them unread does not read at all.
const UNREAD: usize = 256;

/// How often to poll the stop flag and the exit of the process.
const TICK: Duration = Duration::from_millis(20);

/// The time to exit after the end of the output.
const TIME_TO_EXIT: Duration = Duration::from_millis(300);

/// The running process of an engine.
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
    /// Starts an engine.
    pub fn start(spec: &EngineSpec) -> Result<Self, EngineError> {
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

    /// Sends lines, without waiting for the engine to read them.
    pub fn send(&self, lines: &[String]) {
        let mut text = lines.join("\n");
        if text.is_empty() {
            return;
        }
        text.push('\n');
        if let Some(writer) = &self.writer {
            // A full queue or an exited engine shows by the missing answer.
            let _ = writer.try_send(text);
        }
    }

    /// Begins an exchange: the output limit counts from here.
    pub fn begin_exchange(&self) {
        self.shared.begin_exchange();
    }

    /// The lines in the queue now, without waiting for more.
    pub fn pending_lines(&self) -> Vec<String> {
        let lines = self.lines.iter().flat_map(Receiver::try_iter).take(QUEUE);
        let text = |event| if let Event::Line(line) = event { Some(line) } else { None };
        lines.filter_map(text).collect()
    }

    /// The next line; `None` if none came until `until`.
    pub fn next_line(
        &mut self,
        until: Instant,
        stop: &AtomicBool,
    ) -> Result<Option<String>, EngineError> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(EngineError::Stopped);
            }
            if let Some(what) = self.shared.flooded() {
                return Err(EngineError::Flooded(what));
            }
            let left = until.saturating_duration_since(Instant::now());
            let Some(lines) = &self.lines else { return Err(self.ended()) };
            match lines.recv_timeout(left.min(TICK)) {
                Ok(Event::Line(line)) => return Ok(Some(line)),
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                // Children of an engine that has ended may keep its pipes open.
                Err(RecvTimeoutError::Timeout) if self.has_exited() => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The last line of its error output, as an appendix of a message.
    pub fn last_words(&self) -> String {
        let words = self.shared.last_words();
        let line = words.lines().rev().find(|it| !it.trim().is_empty());
        line.map(|it| format!("; its last words: `{}`", shortened(it))).unwrap_or_default()
    }

    fn has_exited(&mut self) -> bool {
        self.reaped || self.group.has_exited(&mut self.child)
    }

    /// The error after the end of its output.
    fn ended(&mut self) -> EngineError {
        if let Some(what) = self.shared.flooded() {
            return EngineError::Flooded(what);
        }
        let until = Instant::now() + TIME_TO_EXIT;
        while !self.has_exited() && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        if !self.has_exited() {
            return EngineError::Closed(self.last_words());
        }
        let how = self.kill().map_or_else(|| "unknown exit status".to_owned(), |it| it.to_string());
        // Its last words may still be in the pipe: wait for the listener, the last thread.
        while !self.threads.last().is_none_or(JoinHandle::is_finished) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        EngineError::Crashed(format!("{how}{}", self.last_words()))
    }

    /// Kills it with its group and reaps it.
    fn kill(&mut self) -> Option<std::process::ExitStatus> {
        if !self.reaped {
            self.group.kill(&mut self.child);
            self.reaped = true;
        }
        self.child.wait().ok()
    }

    /// Sends the quit command, and kills the process if it still runs after `grace`.
    pub fn close(mut self, quit: &[String], grace: Duration) {
        self.send(quit);
        self.writer = None;
        let until = Instant::now() + grace;
        while !grace.is_zero() && !self.has_exited() && Instant::now() < until {
            // Drain the queue, so that a blocked write does not keep it from its exit.
            let line = self.lines.as_ref().map(|it| it.recv_timeout(Duration::from_millis(2)));
            if !matches!(line, Some(Ok(Event::Line(_)))) {
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

fn cannot_start(spec: &EngineSpec, error: &io::Error) -> EngineError {
    let folder = spec.folder.as_ref().map(|it| format!(" in `{it}`")).unwrap_or_default();
    EngineError::NoStart(format!("`{}`{folder}: {error}", spec.program))
}
