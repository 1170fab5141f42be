//! What the machine gives the program: cores, memory, files, stack, room on the disk.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;

use cqldex::format::{bytes, count};
use etcetera::BaseStrategy;

use super::Finding;

/// What `cqldex serve` may come to hold: lists in memory (768 MiB), answers (512 MB), and the searches that run (400 MB for
/// questions about half a million games). What one command takes is a quarter of it.
const MEMORY: u64 = 1_700_000_000;

/// 600 bytes are what a game takes in a database of half a million as of ten million games: this is room for 1.6 million.
pub(super) const ROOM: u64 = 1_000_000_000;

/// Files that a program has open beside those of a database: the games that it reads, answers, sets, connections.
const FILES: u64 = 256;

/// What systems give unless they are told otherwise is 8 MiB. Searches have threads of their own, whatever the limit is.
const STACK: u64 = 4 << 20;

/// Looks at the machine.
pub(super) fn look() -> Vec<Finding> {
    let mut findings = vec![program(), cores(), memory()];
    #[cfg(unix)]
    findings.extend(limits());
    findings.push(temporary());
    findings.extend(cache());
    findings
}

fn program() -> Finding {
    let (version, system) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS);
    let mut text = format!("cqldex {version} for {system} on {}", std::env::consts::ARCH);
    if !cfg!(feature = "arrow") {
        text += ", without Arrow and Parquet";
    }
    match crate::serve::has_page() {
        true => Finding::ok("program", text),
        false => Finding::odd("program", format!("{text}; built without the page of `cqldex serve`")),
    }
}

fn cores() -> Finding {
    match available_parallelism() {
        Ok(cores) => Finding::ok("cores", count(cores.get() as u64, "core")),
        Err(error) => Finding::odd("cores", format!("not known ({error}): searches use one")),
    }
}

/// The memory of the machine, or of the container if that is less.
fn memory() -> Finding {
    const SUBJECT: &str = "memory";
    let Some((total, free)) = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| in_meminfo(&text))
    else {
        return Finding::ok(SUBJECT, "not known on this system");
    };
    let limit = crate::memory::limit()
        .map(|limit| limit.bytes)
        .filter(|limit| *limit < total);
    let mut text = format!("{}, {} free", bytes(total), bytes(free));
    if let Some(limit) = limit {
        text += &format!("; this process may take {}", bytes(limit));
    }
    match limit.unwrap_or(free).min(free) < MEMORY {
        true => Finding::odd(SUBJECT, format!("{text}; large databases want {}", bytes(MEMORY))),
        false => Finding::ok(SUBJECT, text),
    }
}

/// How many bytes a machine has, and how many are free or can be.
fn in_meminfo(text: &str) -> Option<(u64, u64)> {
    let of = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: u64 = line.trim_start_matches(':').split_whitespace().next()?.parse().ok()?;
        Some(kilobytes * 1024)
    };
    Some((of("MemTotal")?, of("MemAvailable")?))
}

#[cfg(unix)]
fn limits() -> Vec<Finding> {
    use rustix::process::{Resource, getrlimit};
    let of = |subject, resource, least: u64, written: fn(u64) -> String, why: &str| match getrlimit(resource).current {
        None => Finding::ok(subject, "without limit"),
        Some(limit) if limit < least => Finding::odd(subject, format!("{}: {why}", written(limit))),
        Some(limit) => Finding::ok(subject, written(limit)),
    };
    vec![
        of(
            "open files",
            Resource::Nofile,
            FILES,
            cqldex::format::grouped,
            "too few for a database; `ulimit -n 4096` allows more",
        ),
        of(
            "stack",
            Resource::Stack,
            STACK,
            bytes,
            "deeply nested queries may not fit; `ulimit -s 8192` is usual",
        ),
    ]
}

/// Whether all files of a database may be open at once: a search opens them all, because a writer may remove them meanwhile.
#[cfg(unix)]
pub(super) fn files_of(database: &Path) -> Option<Finding> {
    use rustix::process::{Resource, getrlimit};
    let files = fs::read_dir(database).ok()?.flatten();
    let tables = files.filter(|file| file.path().extension().is_some_and(|ending| ending == "sst"));
    let needed = tables.count() as u64 + FILES;
    let limit = getrlimit(Resource::Nofile).current?;
    (limit < needed).then(|| {
        Finding::odd(
            "files",
            format!(
                "{} may be open, and {} may be needed: `ulimit -n {needed}` allows them",
                cqldex::format::grouped(limit),
                cqldex::format::grouped(needed)
            ),
        )
    })
}

/// Whether all files of a database may be open at once; it is not known here.
#[cfg(not(unix))]
pub(super) fn files_of(_database: &Path) -> Option<Finding> {
    None
}

/// The folder for temporary files.
fn temporary() -> Finding {
    const SUBJECT: &str = "temporary";
    let folder = std::env::temp_dir();
    match tempfile::tempfile() {
        Ok(_) => Finding::ok(SUBJECT, with_room(&folder)),
        Err(error) => Finding::bad(SUBJECT, format!("{}: {error}", folder.display())),
    }
}

/// Where `cqldex cql` keeps the databases that it can't put beside the games.
fn cache() -> Option<Finding> {
    const SUBJECT: &str = "cache";
    let folder = etcetera::choose_base_strategy().ok()?.cache_dir().join("cqldex");
    if !folder.exists() {
        return Some(Finding::ok(SUBJECT, format!("none at {}", folder.display())));
    }
    match tempfile::tempfile_in(&folder) {
        Ok(_) => Some(Finding::ok(SUBJECT, with_room(&folder))),
        Err(error) => Some(Finding::odd(SUBJECT, format!("{}: {error}", folder.display()))),
    }
}

/// A folder, with how much can still be written there.
pub(super) fn with_room(folder: &Path) -> String {
    match room(folder) {
        Some(room) => format!("{}, {} free", folder.display(), bytes(room)),
        None => folder.display().to_string(),
    }
}

/// How many bytes can still be written to a folder.
#[cfg(unix)]
pub(super) fn room(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// How many bytes can still be written to a folder; it is not known here.
#[cfg(not(unix))]
pub(super) fn room(_folder: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linux_says_of_memory_is_read() {
        let text = "MemTotal:       24 kB\nMemFree:         1 kB\nMemAvailable:   23 kB\n";
        assert_eq!(in_meminfo(text), Some((24 * 1024, 23 * 1024)));
        assert_eq!(in_meminfo("MemTotal: many\n"), None);
    }
}
