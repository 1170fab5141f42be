//! What is quickly seen of a database: whether it opens, its format, its size, what is kept beside it.

use std::path::Path;

use cqldex::format::{bytes, count, grouped};
use cqldex::{Database, Stats};

use super::Finding;
use super::machine::{ROOM, files_of, room};

/// A search of many small segments takes longer than one of a few large ones.
const SMALL: u64 = 500_000;

/// Looks at a database.
pub(super) fn look(path: &Path) -> Vec<Finding> {
    let mut findings: Vec<Finding> = files_of(path).into_iter().collect();
    let database = match Database::open(path, crate::cli::reading(None)) {
        Ok(database) => database,
        Err(error) => {
            findings.push(Finding::bad("database", error.to_string()));
            return findings;
        }
    };
    findings.push(format(&database, path));
    match database.stats() {
        Ok(stats) => findings.extend(size(&stats)),
        Err(error) => findings.push(Finding::bad("games", error.to_string())),
    }
    findings.extend(kept(&database));
    findings.extend(disk(path));
    findings
}

fn format(database: &Database, path: &Path) -> Finding {
    let path = path.display();
    match database.is_of_older_format() {
        Ok(false) => Finding::ok("database", format!("{path}, in the newest format")),
        Ok(true) => Finding::odd(
            "database",
            format!("{path}, in an older format: searches are slower; `cqldex rebuild {path} --all` renews it"),
        ),
        Err(error) => Finding::bad("database", error.to_string()),
    }
}

fn size(stats: &Stats) -> Vec<Finding> {
    let (games, positions) = (count(stats.games, "game"), count(stats.positions, "position"));
    let games = format!("{games}, {positions}, {}", bytes(stats.bytes));
    let segments = count(stats.segments, "segment");
    let each = stats.positions / stats.segments.max(1);
    vec![
        match stats.removed {
            0 => Finding::ok("games", games),
            removed => Finding::ok(
                "games",
                format!("{games}; {} removed, until `cqldex compact`", grouped(removed)),
            ),
        },
        match stats.segments > 2 && each < SMALL {
            true => Finding::odd(
                "segments",
                format!(
                    "{segments} of {} positions each; `cqldex compact` joins small ones",
                    grouped(each)
                ),
            ),
            false => Finding::ok("segments", segments),
        },
    ]
}

/// Answers and sets.
fn kept(database: &Database) -> Vec<Finding> {
    let answers = match database.answers() {
        Ok(answers) => Finding::ok(
            "answers",
            format!(
                "{} kept, {}",
                count(answers.count, "answer"),
                crate::cli::answers::size(&answers)
            ),
        ),
        Err(error) => Finding::bad("answers", error.to_string()),
    };
    let sets = match database.sets().list() {
        Err(error) => Finding::bad("sets", error.to_string()),
        Ok(sets) => match sets.iter().find(|set| set.damage.is_some()) {
            Some(set) => Finding::bad(
                "sets",
                format!(
                    "`{}` is damaged: {}",
                    set.name,
                    set.damage.as_deref().unwrap_or_default()
                ),
            ),
            None => Finding::ok("sets", count(sets.len() as u64, "set")),
        },
    };
    vec![answers, sets]
}

/// Whether games can be added.
fn disk(path: &Path) -> Option<Finding> {
    let room = room(path)?;
    let text = format!("{} free", bytes(room));
    Some(match room < ROOM {
        true => Finding::odd("disk", format!("{text}: additions may not fit")),
        false => Finding::ok("disk", text),
    })
}
