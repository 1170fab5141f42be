//! A whole answer as a file: its format, and how it is written.

use std::io::Write;

use axum::http::StatusCode;
use cqldex::{
    Columns, Database, Detail, Encoding, Error, Format, JsonWriter, MatchWriter, PgnOptions, PgnWriter, Query,
    RowsWriter, SearchOptions, Sorted,
};
use serde::{Deserialize, Serialize};

use super::problem::Problem;

/// Pieces of a file have at most this many bytes.
const PIECE: usize = 1 << 16;

/// The most columns of a table.
const COLUMNS: usize = 100;

/// Takes a piece of a file; returns whether the client still waits for it.
type Give<'a> = dyn FnMut(Vec<u8>) -> bool + Send + 'a;

/// The formats of files.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FileFormat {
    /// The games, with the comments of the query.
    Pgn,
    /// An object for each match and one for the summary, with all that is known of a match.
    Jsonl,
    Csv,
    /// An object a line, whose keys are the columns.
    Json,
    #[cfg(feature = "arrow")]
    Arrow,
    #[cfg(feature = "arrow")]
    Parquet,
}

/// A file that is asked for.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct File {
    format: FileFormat,
    /// The names of the columns of a table; the usual ones if there is none.
    columns: Vec<String>,
}

impl FileFormat {
    /// The media type, and the header that names the file.
    pub(crate) fn headers(self) -> (&'static str, &'static str) {
        match self {
            FileFormat::Pgn => (
                "application/x-chess-pgn; charset=utf-8",
                "attachment; filename=\"matches.pgn\"",
            ),
            FileFormat::Jsonl | FileFormat::Json => ("application/x-ndjson", "attachment; filename=\"matches.jsonl\""),
            FileFormat::Csv => (
                "text/csv; charset=utf-8; header=present",
                "attachment; filename=\"matches.csv\"",
            ),
            #[cfg(feature = "arrow")]
            FileFormat::Arrow => (
                "application/vnd.apache.arrow.file",
                "attachment; filename=\"matches.arrow\"",
            ),
            #[cfg(feature = "arrow")]
            FileFormat::Parquet => (
                "application/vnd.apache.parquet",
                "attachment; filename=\"matches.parquet\"",
            ),
        }
    }

    /// The same as a format of tables, if it is one.
    fn of_table(self) -> Option<Format> {
        match self {
            FileFormat::Pgn | FileFormat::Jsonl => None,
            FileFormat::Csv => Some(Format::Csv),
            FileFormat::Json => Some(Format::Json),
            #[cfg(feature = "arrow")]
            FileFormat::Arrow => Some(Format::Arrow),
            #[cfg(feature = "arrow")]
            FileFormat::Parquet => Some(Format::Parquet),
        }
    }
}

impl File {
    /// A file of what a query finds. `columns` are names between commas.
    ///
    /// # Errors
    ///
    /// When there is no such column, there are too many, or the format has none.
    pub(crate) fn new(format: FileFormat, columns: Option<&str>, query: &Query) -> Result<File, Problem> {
        let names = columns.map(|names| names.split(',').map(|name| name.trim().to_owned()));
        let columns: Vec<String> = names.into_iter().flatten().collect();
        if columns.len() > COLUMNS {
            let message = format!("a table has at most {COLUMNS} columns");
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message));
        }
        if !columns.is_empty() && format.of_table().is_none() {
            let message = "`columns` are of tables, and this format is none";
            return Err(Problem::bad_request(message));
        }
        let file = File { format, columns };
        file.columns(query)?;
        Ok(file)
    }

    fn columns(&self, query: &Query) -> cqldex::Result<Columns> {
        match self.columns.is_empty() {
            true => Ok(Columns::usual(query)),
            false => Columns::named(self.columns.iter().map(String::as_str), query),
        }
    }

    /// Searches, and gives the file in pieces.
    pub(crate) fn write(
        &self,
        database: &Database,
        query: &Query,
        options: SearchOptions,
        give: &mut Give<'_>,
    ) -> Result<(), Problem> {
        let mut pieces = Pieces {
            give,
            bytes: Vec::new(),
        };
        let mut detail = Detail::Results;
        let writer: Box<dyn MatchWriter + '_> = match (self.format.of_table(), self.format) {
            (Some(format), _) => {
                let columns = self.columns(query)?;
                if !query.is_sorted() {
                    detail = columns.detail();
                }
                Box::new(RowsWriter::new(format, &mut pieces, &columns, database)?)
            }
            (None, FileFormat::Pgn) => {
                let pgn = PgnOptions {
                    encoding: Encoding::Utf8,
                    buffer: None,
                    ..PgnOptions::of(query)
                };
                Box::new(PgnWriter::new(&mut pieces, database, query, pgn))
            }
            (None, _) => Box::new(JsonWriter::new(&mut pieces, None)),
        };
        let options = SearchOptions { detail, ..options };
        let mut writer = Sorted::new(writer, query, None);
        writer.write_matches(database.search(query, options))?;
        writer.flush()?;
        drop(writer);
        Ok(pieces.send().map_err(Error::from)?)
    }
}

/// Collects what is written to pieces of a file. The last piece is sent only when all has been written: what fails before
/// the first piece is an answer of its own.
struct Pieces<'a, 'g> {
    give: &'a mut Give<'g>,
    bytes: Vec<u8>,
}

impl Pieces<'_, '_> {
    fn send(&mut self) -> std::io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let piece = std::mem::take(&mut self.bytes);
        match (self.give)(piece) {
            true => Ok(()),
            false => Err(std::io::ErrorKind::BrokenPipe.into()),
        }
    }
}

impl Write for Pieces<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.bytes.len() >= PIECE {
            self.send()?;
        }
        let taken = bytes.len().min(PIECE - self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
