//! In which format, and where, answers are written.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use cqldex::{Cell, Column, Rows};
use cqldex_cluster::{Error, Result};
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Date32Type, Int64Type};
use tempfile::NamedTempFile;

/// The formats of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned lines, for people
    Table,
    /// A JSON object a line
    Json,
    /// Comma-separated values (RFC 4180)
    Csv,
    /// Apache Parquet
    Parquet,
    /// Apache Arrow: the file format, and on standard output the streaming format
    Arrow,
}

/// Where an answer goes, and in which format.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// The format of the answer; that of the ending of FILE if --output has one, and otherwise table
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Write to this file instead of standard output (-); it is there when all of it is written
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// The file; nothing for standard output.
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Whether the answer goes to a file.
    pub(crate) fn is_file(&self) -> bool {
        self.file().is_some()
    }

    /// The format.
    pub(crate) fn format(&self) -> Result<Format> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let Some(file) = self.file() else {
            return Ok(Format::Table);
        };
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Ok(Format::Csv),
            "json" | "jsonl" | "ndjson" => Ok(Format::Json),
            "parquet" => Ok(Format::Parquet),
            "arrow" | "feather" => Ok(Format::Arrow),
            "txt" => Ok(Format::Table),
            _ => Err(Error::Unsupported(format!(
                "{}: the ending of the name says no format; name one with --format",
                file.display()
            ))),
        }
    }

    /// The same as the library calls it.
    pub(crate) fn table_format(&self) -> Result<cqldex::Format> {
        Ok(match self.format()? {
            Format::Table => cqldex::Format::Text,
            Format::Json => cqldex::Format::Json,
            Format::Csv => cqldex::Format::Csv,
            Format::Parquet => cqldex::Format::Parquet,
            Format::Arrow if self.is_file() => cqldex::Format::Arrow,
            Format::Arrow => cqldex::Format::ArrowStream,
        })
    }

    /// Opens it.
    pub(crate) fn open(&self) -> Result<Output> {
        Output::at(self.output.as_deref().unwrap_or(Path::new("-")))
    }
}

/// Standard output, or a file that is there when all is written.
#[derive(Debug)]
pub(crate) enum Output {
    Stdout(BufWriter<io::Stdout>),
    Special(BufWriter<File>),
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    /// Opens a file; `-` is standard output.
    pub(crate) fn at(path: &Path) -> Result<Output> {
        if path == Path::new("-") {
            return Ok(Output::Stdout(BufWriter::new(io::stdout())));
        }
        let failed = |error| Error::File {
            path: path.to_owned(),
            error,
        };
        if path.exists() && !path.is_file() {
            let file = File::options().write(true).open(path).map_err(failed)?;
            return Ok(Output::Special(BufWriter::new(file)));
        }
        let folder = path
            .parent()
            .filter(|folder| *folder != Path::new(""))
            .unwrap_or(Path::new("."));
        let file = NamedTempFile::new_in(folder).map_err(failed)?;
        Ok(Output::File(BufWriter::new(file), path.to_owned()))
    }

    /// Gives the file its name.
    pub(crate) fn commit(self) -> Result<()> {
        match self {
            Output::Stdout(mut out) => out.flush().map_err(written),
            Output::Special(mut out) => out.flush().map_err(written),
            Output::File(out, path) => {
                let file = out.into_inner().map_err(|error| written(error.into_error()))?;
                let persisted = file.persist(&path);
                persisted.map(drop).map_err(|error| Error::File {
                    path,
                    error: error.error,
                })
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(out) => out.write(bytes),
            Output::Special(out) => out.write(bytes),
            Output::File(out, _) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(out) => out.flush(),
            Output::Special(out) => out.flush(),
            Output::File(out, _) => out.flush(),
        }
    }
}

/// An error of the output.
pub(crate) fn written(error: io::Error) -> Error {
    Error::Library(cqldex::Error::Output(error))
}

/// A batch as rows of the library, given what its columns are.
pub(crate) fn rows_of(batch: &RecordBatch, columns: &[Column]) -> Result<Rows> {
    // Choices are texts here.
    let arrays = batch.columns().iter().map(|array| match array.data_type() {
        DataType::Dictionary(..) => cast(array, &DataType::Utf8),
        _ => Ok(array.clone()),
    });
    let arrays = arrays.collect::<Result<Vec<_>, _>>();
    let arrays = arrays.map_err(|error| Error::Engine(error.to_string()))?;
    let mut rows = Rows::new(columns);
    for row in 0..batch.num_rows() {
        for array in &arrays {
            rows.push(match array.data_type() {
                _ if array.is_null(row) => Cell::Missing,
                DataType::Int64 => Cell::Integer(array.as_primitive::<Int64Type>().value(row)),
                DataType::Date32 => Cell::Date(array.as_primitive::<Date32Type>().value(row)),
                _ => Cell::Text(array.as_string::<i32>().value(row)),
            });
        }
    }
    Ok(rows)
}
