//! Running the program.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::Expect;
use serde_json::Value;

/// Where the program is.
pub(crate) const LUDEX: &str = env!("CARGO_BIN_EXE_ludex");

/// What the program did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self {
            code: output.status.code().expect("no signal ended it"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Ran {
    /// Both outputs and the exit code, for a snapshot. Hashes of rules change with every comment
    /// in them and are left out.
    pub(crate) fn all(&self) -> String {
        let shown =
            |line: &str| if line.starts_with("rules: ") { "rules: …\n" } else { line }.to_owned();
        let stdout: String = self.stdout.split_inclusive('\n').map(shown).collect();
        format!("{stdout}---\n{}exit code {}\n", self.stderr, self.code)
    }

    /// Standard output as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Standard output as one JSON document on each line.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let read = |line| serde_json::from_str(line).unwrap_or_else(|it| panic!("{it}: {line}"));
        self.stdout.lines().map(read).collect()
    }
}

/// The program, in a world in which it is always the same time.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(LUDEX);
    command.args(args).env("SOURCE_DATE_EPOCH", "1794841445");
    command
}

/// Runs the program with an empty standard input.
pub(crate) fn ludex(args: &[&str]) -> Ran {
    ludex_reading("", args)
}

/// Runs the program with this standard input.
pub(crate) fn ludex_reading(input: &str, args: &[&str]) -> Ran {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built");
    // A program that does not read its input closes it.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends").into()
}

/// The JSON answer of a run that goes well.
#[track_caller]
pub(crate) fn json(args: &[&str]) -> Value {
    let ran = ludex(&[args, &["--json"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.json()
}

/// Checks both outputs and the exit code.
#[track_caller]
pub(crate) fn check(args: &[&str], expect: Expect) {
    expect.assert_eq(&ludex(args).all());
}

/// A folder of its own for a test, gone when the test is over.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cli-{}-{number}", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("cargo gives a folder to write in");
        Self(path)
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file in it; gives its path.
    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), contents).expect("the folder can be written");
        self.path(name)
    }

    /// Reads a file in it.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file is there")
    }

    /// `text` with the folder's own path left out.
    pub(crate) fn hide(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.0.display()), "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
