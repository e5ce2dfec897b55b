//! How much memory the program takes.

use std::fs;

/// Bytes in memory now; nothing where the system does not tell in the usual place.
pub(crate) fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(1024 * kilobytes)
}
