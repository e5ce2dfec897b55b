//! The book is true: every command in it is run, or the page says why not.
//!
//! | fence | the block is |
//! | --- | --- |
//! | `console` | commands after `$`, each followed by what it prints, or by nothing; all succeed |
//! | `console exits N` | the same, and the last command ends with this exit code |
//! | `console not run: REASON` | commands that would take too long or need other programs; their arguments are read |
//! | `game NAME`, `goal NAME`, `player NAME`, `file NAME` | a file that later commands of the page use |
//!
//! Outputs are standard output; of `ludex check`, whose diagnostics are its answer, both outputs. A
//! line `…` in an output stands for any lines, `…` within a line for any text. Times and speeds
//! are not compared. `UPDATE_EXPECT=1` rewrites outputs without `…`.

mod output;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use ludex_testkit::markdown::{Block, blocks, updated};

use crate::run::{Folder, LUDEX, Ran};

/// What the pages may use of the workspace.
const SHARED: [&str; 3] = ["games", "players", "tournaments"];

#[test]
fn every_command_of_the_book_runs() {
    let pages = Mutex::new(pages());
    let wrong = Mutex::new(Vec::new());
    let next = || pages.lock().expect("no page panics").pop();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(page) = next() {
                    wrong.lock().expect("no page panics").extend(check(&page));
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no page panics");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n\n"));
}

/// The workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page of the book, and the texts beside it.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the book is in the workspace") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// Runs a page in a folder of its own; gives what is wrong.
fn check(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a page is text");
    let folder = Folder::new();
    for name in SHARED {
        let target = root().join(name).canonicalize().expect("it is in the workspace");
        std::os::unix::fs::symlink(target, folder.path(name)).expect("the folder can be written");
    }
    let mut wrong = Vec::new();
    let mut updates = Vec::new();
    for block in blocks(&text) {
        match run(&block, &folder) {
            Ok(Some(shown)) if shown != block.text => updates.push((block.line, shown)),
            Ok(_) => {}
            Err(message) => wrong.push(format!("{}:{}: {message}", path.display(), block.line)),
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, updated(&text, &updates)).expect("the page can be written");
    } else {
        wrong.extend(updates.iter().map(|(line, shown)| {
            format!("{}:{line}: should be (UPDATE_EXPECT=1 rewrites it):\n{shown}", path.display())
        }));
    }
    wrong
}

/// Does what a block says; gives its text as it should be.
fn run(block: &Block, folder: &Folder) -> Result<Option<String>, String> {
    let (kind, rest) = block.info.split_once(' ').unwrap_or((&block.info, ""));
    match kind {
        "console" if rest.starts_with("not run: ") => {
            read_arguments(&commands(block)).map(|()| None)
        }
        "console" => run_commands(block, rest, folder).map(Some),
        "game" | "goal" | "player" | "file" if !rest.is_empty() => {
            let name = rest.split(' ').next().unwrap_or(rest);
            folder.write(name, &block.text);
            Ok(None)
        }
        "text" if !commands(block).is_empty() => {
            Err("commands are written in a block `console`, after `$`".to_owned())
        }
        _ => read_arguments(&examples(block)).map(|()| None),
    }
}

/// The commands of ours in a block.
fn commands(block: &Block) -> Vec<String> {
    let text = block.text.replace("\\\n", " ");
    let lines = text.lines().map(|line| line.strip_prefix("$ ").unwrap_or(line));
    let is_command = |line: &&str| line.starts_with("ludex ") && !line.contains("[OPTIONS]");
    lines.filter(is_command).map(str::to_owned).collect()
}

/// The examples of a help text, which are indented.
fn examples(block: &Block) -> Vec<String> {
    let lines = block.text.lines().filter_map(|line| line.strip_prefix("  "));
    lines.filter(|line| line.starts_with("ludex ")).map(str::to_owned).collect()
}

/// The commands of a block `console`, each with what it prints.
fn steps(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let text = text.strip_prefix("$ ").ok_or("a block `console` begins with `$`")?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    Ok(text.split("\n$ ").map(|step| step.split_once('\n').unwrap_or((step, ""))).collect())
}

/// Runs the commands of a block; gives the block with what they print.
fn run_commands(block: &Block, info: &str, folder: &Folder) -> Result<String, String> {
    let last = match info.strip_prefix("exits ") {
        Some(code) => code.parse().map_err(|_| format!("`{code}` is no exit code"))?,
        None if info.is_empty() => 0,
        None => return Err(format!("`console {info}` has no meaning")),
    };
    let steps = steps(&block.text)?;
    let mut shown = String::new();
    for (index, (command, output)) in steps.iter().enumerate() {
        let ran = shell(command, folder);
        let wanted = if index + 1 == steps.len() { last } else { 0 };
        if ran.code != wanted {
            let Ran { code, stdout, stderr } = ran;
            return Err(format!("`{command}` ends with {code}, not {wanted}:\n{stdout}{stderr}"));
        }
        shown += &format!("$ {command}\n{}", output::shown(output, &ran.stdout));
    }
    Ok(shown)
}

/// Runs a command of a shell in which `ludex` is known.
fn shell(command: &str, folder: &Folder) -> Ran {
    let programs = Path::new(LUDEX).parent().expect("the program is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let both = command.starts_with("ludex check ");
    Command::new("sh")
        .args(["-c", &if both { format!("exec 2>&1\n{command}") } else { command.to_owned() }])
        .current_dir(folder.path(""))
        .env("PATH", format!("{}:{path}", programs.display()))
        .env("SOURCE_DATE_EPOCH", "1794841445")
        .output()
        .expect("there is a shell")
        .into()
}

/// Reads the arguments of commands that are not run: the program knows every one of them.
fn read_arguments(commands: &[String]) -> Result<(), String> {
    let folder = Folder::new();
    for command in commands {
        // What follows is another command, a file, or a remark.
        let command = command.split([';', '|', '<', '>', '#']).next().unwrap_or(command);
        let command = command.split("  ").next().unwrap_or(command);
        let ran = shell(&format!("{command} --help"), &folder);
        if ran.code != 0 {
            return Err(format!("`{command}`: {}", ran.stderr));
        }
    }
    Ok(())
}
