//! CQL 6.2, asked for what is in a file.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often it is looked whether CQL has come to its end.
const LOOK: Duration = Duration::from_millis(2);

/// What CQL said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CqlAnswer {
    pub(crate) time: Duration,
    /// How many games match, of how many; `None` if it was stopped or failed.
    pub(crate) counts: Option<(u64, u64)>,
}

/// Asks CQL for the answer to a query in a file, on two threads.
pub(crate) fn ask(cql: &Path, pgn: &Path, query: &Path, limit: Duration) -> Result<CqlAnswer, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let said = folder.path().join("said.txt");
    let started = Instant::now();
    let mut child = Command::new(cql)
        .args(["-threads", "2", "-i"])
        .arg(pgn)
        .arg("-o")
        .arg(folder.path().join("answer.pgn"))
        .arg(query)
        .stdin(Stdio::null())
        .stdout(File::create(&said)?)
        .stderr(Stdio::null())
        .spawn()?;
    while child.try_wait()?.is_none() {
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(CqlAnswer {
                time: limit,
                counts: None,
            });
        }
        std::thread::sleep(LOOK);
    }
    let time = started.elapsed();
    let said = String::from_utf8_lossy(&std::fs::read(said)?).into_owned();
    let counts = counts(&said);
    Ok(CqlAnswer { time, counts })
}

/// The numbers in the line `12 matches of 345 games in ...`.
pub(crate) fn counts(said: &str) -> Option<(u64, u64)> {
    let line = said.lines().rev().find(|line| line.contains(" matches of "))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|&word| word == "matches")?;
    let number = |index: usize| words.get(index)?.parse().ok();
    Some((number(at.checked_sub(1)?)?, number(at + 2)?))
}

/// What CQL said of examples, remembered in a file: it takes longest, and does not change. Lines are: name, seconds,
/// matching games, all games; dashes if it was stopped.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    file: Option<PathBuf>,
    known: BTreeMap<String, CqlAnswer>,
}

impl Answers {
    /// Reads the file, if there is one.
    pub(crate) fn read(file: Option<PathBuf>) -> Result<Answers, Box<dyn Error>> {
        let mut known = BTreeMap::new();
        if let Some(file) = file.as_ref().filter(|file| file.exists()) {
            for line in std::fs::read_to_string(file)?.lines() {
                let fields: Vec<&str> = line.split('\t').collect();
                let [name, seconds, found, of] = fields[..] else {
                    return Err(format!("{}: `{line}` has not four fields", file.display()).into());
                };
                let answer = CqlAnswer {
                    time: Duration::from_secs_f64(seconds.parse()?),
                    counts: found.parse().ok().zip(of.parse().ok()),
                };
                known.insert(name.to_owned(), answer);
            }
        }
        Ok(Answers { file, known })
    }

    /// What is known of an example, or else what `ask` finds.
    pub(crate) fn of(
        &mut self,
        name: &str,
        ask: impl FnOnce() -> Result<Option<CqlAnswer>, Box<dyn Error>>,
    ) -> Result<Option<CqlAnswer>, Box<dyn Error>> {
        if let Some(known) = self.known.get(name) {
            return Ok(Some(*known));
        }
        let answer = ask()?;
        if let (Some(answer), Some(file)) = (answer, &self.file) {
            let mut file = File::options().append(true).create(true).open(file)?;
            let count = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
            writeln!(
                file,
                "{name}\t{:.3}\t{}\t{}",
                answer.time.as_secs_f64(),
                count(answer.counts.map(|(found, _)| found)),
                count(answer.counts.map(|(_, of)| of)),
            )?;
        }
        Ok(answer)
    }
}
