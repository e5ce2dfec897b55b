//! Lines from the keyboard, which may be interrupted by Ctrl-C.
//!
//! A read cannot be broken off, so a thread does the reading and the game waits
//! for the thread or for Ctrl-C, whichever comes first.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::interrupt;

/// How often to look for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// The longest line that is read whole.
const LONGEST_LINE: u64 = 64 << 10;

/// What came from the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A line.
    Line(String),
    /// There is nothing more to come.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// The keyboard.
#[derive(Debug, Default)]
pub(super) struct Console {
    lines: Option<Receiver<String>>,
}

impl Console {
    /// Waits for a line.
    pub(super) fn read(&mut self) -> Typed {
        let lines = self.lines.get_or_insert_with(listen);
        loop {
            if interrupt::take() {
                return Typed::Interrupt;
            }
            match lines.recv_timeout(TICK) {
                Ok(line) => return Typed::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Typed::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn listen() -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || read_lines(&sender));
    receiver
}

/// Sends lines until there are no more, or the receiver is gone.
fn read_lines(sender: &Sender<String>) {
    let mut stdin = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        match stdin.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() => return,
            Ok(_) => {}
        }
    }
}
