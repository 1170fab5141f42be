//! `cqldex batch`: asks many queries of one database or several.

mod bar;
mod questions;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cqldex::format::{count, duration, grouped};
use cqldex::{
    BatchAnswer, BatchTable, Cancel, Columns, Database, Detail, Error, Found, LabelWriter, MatchWriter, Matches,
    PgnOptions, PgnWriter, PositionSet, Query, SearchOptions, Sorted,
};

use self::bar::Bar;
use self::questions::{Named, Question, database_names};
use super::format::{OutputArgs, table_format_of};
use super::interrupt;
use super::output_file::OutputFile;
use super::query::{SearchArgs, messages, readable, warnings};
use super::text::ReadingArgs;
use crate::exit::{Done, Failure};

/// Arguments of `cqldex batch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex batch games.db queries/
  cqldex batch 2024.db 2025.db queries/ more.cql -o found.csv
  cqldex batch games.db --theme mates --theme knight-fork
  cqldex batch games.db queries/ --pgn-dir found --label positions.parquet --timeout 60

A folder that is a database is searched; of any other folder, all .cql files are asked, those in folders inside it, too. A \
query with an error stops no other one.")]
pub(super) struct Args {
    /// One database or several, and the queries: .cql files, and folders with them
    #[arg(required = true, value_name = "DATABASES AND QUERIES")]
    paths: Vec<PathBuf>,
    /// Ask a query that has a name, such as boden-mate, or all of a group, such as mates, or all; `cqldex themes` lists them
    #[arg(long, value_name = "NAME")]
    theme: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
    /// Write the matching games of each query to a PGN file in this folder, with comments, as CQL 6.2 writes them; of several
    /// databases, in a folder for each
    #[arg(long, value_name = "FOLDER")]
    pgn_dir: Option<PathBuf>,
    /// Write a row for each matching position to this file, with the names of all queries that match there; the ending of
    /// its name says the format
    #[arg(long, value_name = "FILE")]
    label: Option<PathBuf>,
    /// With --label: the columns, separated by commas: database, questions, and those of `cqldex query --columns` but comment
    /// and sort
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "label")]
    columns: Vec<String>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// Asks all questions and writes what they find.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let format = args.output.table_format()?;
    let labels = match &args.label {
        Some(path) => Some((path, table_format_of(path)?, args.label_columns()?)),
        None => None,
    };
    let named = Named::find(&args.paths, &args.theme)?;
    let names = database_names(&named.databases);
    let questions = named.questions(&args.reading);
    let out = args.output.open()?;
    let mut label_file = match &labels {
        Some((path, ..)) => Some(OutputFile::create(path)?),
        None => None,
    };
    let mut label_writer = match (&labels, &mut label_file) {
        (Some((_, format, columns)), Some(file)) => Some(LabelWriter::new(*format, file, columns)?),
        _ => None,
    };
    let mut batch = Batch {
        args,
        questions: &questions,
        names: &names,
        table: BatchTable::new(names.iter().cloned()),
        cancel: interrupt::cancel(),
        bar: Bar::new(questions.len() * names.len()),
        told: Vec::new(),
        labelled: 0,
        games_searched: 0,
        failed: 0,
    };
    batch.tell_unreadable();
    let started = Instant::now();
    let mut result = Ok(());
    for (place, path) in named.databases.iter().enumerate() {
        result = batch.ask((place, path), &mut label_writer);
        if result.is_err() || batch.cancel.is_cancelled() {
            break;
        }
    }
    batch.bar.finish();
    let elapsed = started.elapsed();
    // What was found before an error or an interrupt is written all the same.
    batch.write(out, format, elapsed)?;
    result?;
    if let Some(writer) = &mut label_writer {
        writer.finish()?;
    }
    drop(label_writer);
    if let (Some(file), Some((path, ..))) = (label_file, &labels) {
        file.commit()?;
        batch.tell_labelled(path);
    }
    batch.done()
}

impl Args {
    fn label_columns(&self) -> Result<Columns, Failure> {
        Ok(Columns::of_labels(self.columns.iter().map(|name| name.trim()))?)
    }
}

/// Questions while they are asked.
struct Batch<'a> {
    args: &'a Args,
    questions: &'a [Result<Question, (String, Failure)>],
    /// What the databases are called.
    names: &'a [String],
    table: BatchTable,
    /// Ctrl-C.
    cancel: Cancel,
    bar: Bar,
    /// What was said about the databases, which need not be said for each question.
    told: Vec<String>,
    /// How many rows of labels are written.
    labelled: u64,
    games_searched: u64,
    /// How many questions have failed, those of several databases counted for each.
    failed: usize,
}

impl Batch<'_> {
    /// Says which questions can't be asked.
    fn tell_unreadable(&self) {
        for question in self.questions {
            match question {
                Err((_, failure)) => self.bar.tell(&format!("error: {failure}")),
                Ok(Question {
                    query: Err(Error::Query(error)),
                    text,
                    ..
                }) => self.bar.tell(&super::text::rendered(error, text.origin()).to_string()),
                Ok(_) => {}
            }
        }
    }

    /// Asks all questions about a database.
    fn ask(&mut self, (place, path): (usize, &Path), labels: &mut Option<LabelWriter<'_>>) -> Result<(), Failure> {
        let args = self.args;
        let database = Database::open(path, args.search.on(super::reading(args.search.threads)))?;
        self.games_searched += database.games();
        let options = SearchOptions {
            collect: labels.is_some(),
            timeout: (args.search.timeout > 0).then(|| Duration::from_secs(args.search.timeout)),
            ..args.search.options_until(
                self.cancel.clone(),
                match args.pgn_dir {
                    Some(_) => Detail::Results,
                    None => Detail::Count,
                },
            )
        };
        let queries = self.questions.iter().flatten();
        let queries: Vec<Query> = queries
            .filter_map(|question| question.query.as_ref().ok().cloned())
            .collect();
        let mut answers = database.batch(queries, options.clone());
        let mut found: Vec<(&str, PositionSet)> = Vec::new();
        for question in self.questions {
            let (name, answer) = match question {
                Err((name, failure)) => (name, unasked(failure.to_string())),
                Ok(Question {
                    name,
                    query: Err(error),
                    ..
                }) => (name, BatchAnswer::failed(error, Duration::ZERO)),
                Ok(question) => {
                    let Some(matches) = answers.next() else { break };
                    let started = Instant::now();
                    self.bar.begin(&question.name, matches.progress());
                    let outcome = self.take(question, matches, (place, &database));
                    if self.cancel.is_cancelled() {
                        break;
                    }
                    let answer = match outcome {
                        Ok(mut of_question) => {
                            let positions = of_question.positions.take();
                            found.extend(positions.map(|positions| (question.name.as_str(), positions)));
                            self.tell_results(question, &of_question);
                            BatchAnswer::found(&of_question.summary)
                        }
                        Err(error) => {
                            self.bar.tell(&question.text.failure_among_others(&error));
                            BatchAnswer::failed(&error, started.elapsed())
                        }
                    };
                    (&question.name, answer)
                }
            };
            self.failed += usize::from(answer.error.is_some());
            self.table.add(name, place, answer);
            self.bar.end();
        }
        if let Some(writer) = labels {
            let known: Vec<(&str, &PositionSet)> = found.iter().map(|(name, set)| (*name, set)).collect();
            // What was found until Ctrl-C is written, too.
            let options = SearchOptions {
                cancel: Cancel::default(),
                timeout: None,
                ..options
            };
            self.labelled += writer.write(&database, &self.names[place], &known, options)?;
        }
        Ok(())
    }

    /// Waits for the answer to a question. Its games go to a file, if there is to be one.
    fn take(
        &self,
        question: &Question,
        mut matches: Matches,
        (place, database): (usize, &Database),
    ) -> Result<Found, Error> {
        let (Some(folder), Ok(query)) = (&self.args.pgn_dir, &question.query) else {
            return matches.found();
        };
        let folder = match self.names.len() {
            1 => folder.clone(),
            _ => folder.join(inside(&self.names[place])),
        };
        let mut path = folder.join(inside(&question.name)).into_os_string();
        path.push(".pgn");
        let path = PathBuf::from(path);
        let failed = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let created = path.parent().map_or(Ok(()), fs::create_dir_all);
        let mut file = created.and_then(|()| OutputFile::open(&path)).map_err(failed)?;
        let pgn = PgnWriter::new(&mut file, database, query, PgnOptions::of(query));
        let mut pgn = Sorted::new(readable(pgn, self.args.search.skip_damaged), query, None);
        for game in &mut matches {
            pgn.game(game?)?;
        }
        let found = matches.found()?;
        pgn.finish(&found.summary)?;
        drop(pgn);
        file.persist().map_err(failed)?;
        Ok(found)
    }

    /// Prints what a question says beside its matches. What it says of the database is printed once.
    fn tell_results(&mut self, question: &Question, found: &Found) {
        let summary = &found.summary;
        for line in warnings(summary) {
            if !self.told.contains(&line) {
                self.bar.tell(&line);
                self.told.push(line);
            }
        }
        for line in messages(summary) {
            self.bar.tell(&format!("{}: {line}", question.name));
        }
    }

    /// Writes the table, and below it for people how it went.
    fn write(&self, mut out: OutputFile, format: cqldex::Format, elapsed: Duration) -> Result<(), Failure> {
        self.table.write(format, &mut out)?;
        if format == cqldex::Format::Text {
            let answers = self.table.answers().count();
            let matched = self
                .table
                .answers()
                .filter(|answer| answer.counts.is_some_and(|(games, _)| games > 0));
            if answers > 0 {
                writeln!(out)?;
            }
            let failed = match self.failed {
                0 => String::new(),
                failed => format!(", {} failed", grouped(failed as u64)),
            };
            writeln!(
                out,
                "{}, {} with matches{failed}; {} searched in {}",
                count(answers as u64, "answer"),
                grouped(matched.count() as u64),
                count(self.games_searched, "game"),
                duration(elapsed)
            )?;
        }
        out.commit()
    }

    fn tell_labelled(&self, path: &Path) {
        let positions = count(self.labelled, "position");
        let _ = writeln!(io::stderr(), "{positions} written to {}", path.display());
    }

    /// How it ended.
    fn done(&self) -> Result<Done, Failure> {
        let (answers, all) = (self.table.answers().count(), self.questions.len() * self.names.len());
        if answers < all {
            let (answers, all) = (grouped(answers as u64), grouped(all as u64));
            return Err(Failure::message(format!(
                "interrupted: {answers} of {all} questions are answered; these answers are written"
            )));
        }
        if self.failed > 0 {
            let failed = count(self.failed as u64, "question");
            return Err(Failure::message(format!("{failed} failed; all others are answered")));
        }
        let mut counts = self.table.answers().filter_map(|answer| answer.counts);
        Ok(match counts.any(|(games, _)| games > 0) {
            true => Done::Success,
            false => Done::NothingMatched,
        })
    }
}

/// The answer to a question that can't be read.
fn unasked(error: String) -> BatchAnswer {
    BatchAnswer {
        counts: None,
        elapsed: Duration::ZERO,
        error: Some(error),
    }
}

/// A name as a path that does not lead out of a folder.
fn inside(name: &str) -> PathBuf {
    use std::path::Component;
    let parts = Path::new(name).components().filter_map(|part| match part {
        Component::Normal(part) => Some(part),
        _ => None,
    });
    parts.collect()
}
