//! The threads at the pipes of an engine.
//!
//! Each ends with its pipe, or within a tenth of a second after `close`: a process that has left the
//! engine's group may hold the pipe open for ever.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// The longest line that is read. The longest lines of real engines are the list of variants and the
/// principal variation, a few thousand characters.
const LONGEST_LINE: usize = 1 << 16;

/// The output limit of an exchange in bytes, and what every second adds to it.
const FLOOD: u64 = 8 << 20;
const FLOOD_PER_SECOND: u64 = 1 << 20;

/// The bytes of the error output that are kept.
const KEPT: usize = 2048;

/// The bytes that a writable pipe takes without blocking.
const AT_ONCE: usize = 4096;

/// An event on the output of an engine.
#[derive(Debug)]
pub(super) enum Event {
    /// A line, without its end.
    Line(String),
    /// The end of the output.
    End,
}

/// The state that the threads of one engine share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    closing: AtomicBool,
    flooded: OnceLock<&'static str>,
    output: Meter,
    errors: Meter,
    words: Mutex<VecDeque<u8>>,
}

impl Shared {
    /// Counts output from 0.
    pub(super) fn begin_exchange(&self) {
        self.output.reset();
        self.errors.reset();
    }

    /// The flooded stream, if there is one.
    pub(super) fn flooded(&self) -> Option<&'static str> {
        self.flooded.get().copied()
    }

    /// The end of the error output.
    pub(super) fn last_words(&self) -> String {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = words.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Ends the threads.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    fn keep(&self, bytes: &[u8]) {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend(&bytes[bytes.len().saturating_sub(KEPT)..]);
        let surplus = words.len().saturating_sub(KEPT);
        words.drain(..surplus);
    }
}

/// Counts the bytes of an exchange.
#[derive(Debug)]
struct Meter {
    bytes: AtomicU64,
    since: Mutex<Instant>,
}

impl Default for Meter {
    fn default() -> Self {
        Self { bytes: AtomicU64::new(0), since: Mutex::new(Instant::now()) }
    }
}

impl Meter {
    fn reset(&self) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Counts bytes; `true` if they pass the limit.
    fn is_flood(&self, count: usize) -> bool {
        let bytes = self.bytes.fetch_add(count as u64, Ordering::Relaxed) + count as u64;
        if bytes <= FLOOD {
            return false;
        }
        let since = *self.since.lock().unwrap_or_else(PoisonError::into_inner);
        bytes > FLOOD + FLOOD_PER_SECOND * since.elapsed().as_secs()
    }
}

/// Sends the lines of an output until it ends.
pub(super) fn read_lines(mut from: ChildStdout, to: &SyncSender<Event>, shared: &Shared) {
    let mut buffer = [0; 8192];
    let mut line = Vec::new();
    while let Some(count) = read_some(&mut from, &mut buffer, shared) {
        if shared.output.is_flood(count) {
            let _ = shared.flooded.set("its output");
            break;
        }
        for &byte in &buffer[..count] {
            if byte != b'\n' {
                line.push(byte);
                continue;
            }
            if to.send(text(&line)).is_err() {
                return;
            }
            line.clear();
        }
        if line.len() > LONGEST_LINE {
            let _ = shared.flooded.set("its output with an endless line");
            break;
        }
    }
    if !line.is_empty() && shared.flooded().is_none() {
        let _ = to.send(text(&line));
    }
    let _ = to.send(Event::End);
}

fn text(line: &[u8]) -> Event {
    Event::Line(String::from_utf8_lossy(line).trim_end().to_owned())
}

/// Keeps the end of an error output until it ends.
pub(super) fn listen(mut from: ChildStderr, shared: &Shared) {
    let mut buffer = [0; 8192];
    while let Some(count) = read_some(&mut from, &mut buffer, shared) {
        shared.keep(&buffer[..count]);
        if shared.errors.is_flood(count) {
            let _ = shared.flooded.set("its error output");
            return;
        }
    }
}

/// Writes texts until there are no more, or the pipe is closed.
pub(super) fn write_lines(mut to: ChildStdin, texts: &Receiver<String>, shared: &Shared) {
    while let Ok(text) = texts.recv() {
        for chunk in text.as_bytes().chunks(AT_ONCE) {
            if !wait_to_write(&to, shared) || to.write_all(chunk).is_err() {
                return;
            }
        }
    }
}

/// Reads a chunk; `None` at the end of the pipe, and after `close`.
fn read_some(from: &mut (impl Read + Pipe), buffer: &mut [u8], shared: &Shared) -> Option<usize> {
    loop {
        if !wait_to_read(from, shared) {
            return None;
        }
        match from.read(buffer) {
            Ok(0) => return None,
            Ok(count) => return Some(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

#[cfg(unix)]
use polled::{Pipe, wait_to_read, wait_to_write};

/// Waiting with a poll of `close`.
#[cfg(unix)]
mod polled {
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    use super::Shared;

    /// How often to poll.
    const TENTH: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

    pub(super) trait Pipe: AsFd {}
    impl<T: AsFd> Pipe for T {}

    pub(super) fn wait_to_read(pipe: &impl Pipe, shared: &Shared) -> bool {
        wait(pipe, PollFlags::IN, shared)
    }

    pub(super) fn wait_to_write(pipe: &impl Pipe, shared: &Shared) -> bool {
        wait(pipe, PollFlags::OUT, shared)
    }

    /// Waits until the pipe is ready; `false` after `close` or an error.
    fn wait(pipe: &impl Pipe, what: PollFlags, shared: &Shared) -> bool {
        while !shared.is_closing() {
            match poll(&mut [PollFd::new(pipe, what)], Some(&TENTH)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return true,
                Err(_) => return false,
            }
        }
        false
    }
}

#[cfg(not(unix))]
use blocking::{Pipe, wait_to_read, wait_to_write};

/// Without `poll` the threads block in their pipes.
#[cfg(not(unix))]
mod blocking {
    use super::Shared;

    pub(super) trait Pipe {}
    impl<T> Pipe for T {}

    pub(super) fn wait_to_read(_: &impl Pipe, shared: &Shared) -> bool {
        !shared.is_closing()
    }

    pub(super) fn wait_to_write(_: &impl Pipe, shared: &Shared) -> bool {
        !shared.is_closing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_the_error_output_is_kept() {
        let shared = Shared::default();
        shared.keep(&[b'x'; 3 * KEPT]);
        shared.keep(b"\nlast");
        let words = shared.last_words();
        assert_eq!(words.len(), KEPT);
        assert!(words.ends_with("x\nlast"));
    }

    #[test]
    fn a_flood_is_output_beyond_the_limit() {
        let meter = Meter::default();
        assert!(!meter.is_flood(FLOOD as usize));
        assert!(meter.is_flood(1));
        meter.reset();
        assert!(!meter.is_flood(1));
    }
}
