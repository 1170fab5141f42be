//! In which format, and where, a command writes a table.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::output_file::OutputFile;
use crate::exit::Failure;

/// The formats of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
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
    /// The matching games, with comments; only `query` and `diff` write it
    Pgn,
}

/// Where a table goes, and in which format.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// The format of the answer; that of the ending of FILE if --output has one, and otherwise table
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Write to this file instead of standard output (-); it is there when all of it is written
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The endings of names of files, and what is in them.
const ENDINGS: [(&str, Format); 9] = [
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("jsonl", Format::Json),
    ("ndjson", Format::Json),
    ("parquet", Format::Parquet),
    ("arrow", Format::Arrow),
    ("feather", Format::Arrow),
    ("pgn", Format::Pgn),
    ("txt", Format::Table),
];

impl Format {
    /// The format that the ending of a file's name says.
    ///
    /// # Errors
    ///
    /// When it says none; the endings that there are, without that of games unless these can be written.
    fn of(path: &Path, with_games: bool) -> Result<Format, String> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.map(str::to_ascii_lowercase).unwrap_or_default();
        let known = ENDINGS.iter().find(|(known, _)| *known == ending);
        known.map(|(_, format)| *format).ok_or_else(|| {
            let possible = ENDINGS
                .iter()
                .filter(|(_, format)| with_games || *format != Format::Pgn);
            let endings: Vec<&str> = possible.map(|(ending, _)| *ending).collect();
            endings.join(", ")
        })
    }

    /// The same as a format of tables, in a file or on standard output.
    ///
    /// # Errors
    ///
    /// When it is PGN, or this program does not have it.
    fn of_table(self, is_file: bool) -> Result<cqldex::Format, Failure> {
        Ok(match self {
            Format::Table => cqldex::Format::Text,
            Format::Csv => cqldex::Format::Csv,
            Format::Json => cqldex::Format::Json,
            Format::Pgn => return Err(Failure::message("this answer is a table: PGN can't hold it")),
            #[cfg(feature = "arrow")]
            Format::Parquet => cqldex::Format::Parquet,
            #[cfg(feature = "arrow")]
            Format::Arrow if is_file => cqldex::Format::Arrow,
            #[cfg(feature = "arrow")]
            Format::Arrow => cqldex::Format::ArrowStream,
            #[cfg(not(feature = "arrow"))]
            Format::Parquet | Format::Arrow => {
                let _ = is_file;
                return Err(Failure::message("this program was built without Arrow and Parquet"));
            }
        })
    }
}

/// The format of a table in a file, by the ending of its name.
///
/// # Errors
///
/// When the ending says none, or one that is not for tables.
pub(super) fn table_format_of(path: &Path) -> Result<cqldex::Format, Failure> {
    let format = Format::of(path, false).map_err(|endings| {
        Failure::message(format!(
            "{}: the ending of the name says no format; end it in {endings}",
            path.display()
        ))
    })?;
    format.of_table(true)
}

impl OutputArgs {
    /// Whether neither a format nor a file is named.
    pub(super) fn is_usual(&self) -> bool {
        self.format.is_none() && self.output.is_none()
    }

    /// The file; `-` for standard output.
    pub(super) fn path(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("-"))
    }

    /// Whether the answer goes to a file.
    pub(super) fn is_file(&self) -> bool {
        self.path() != Path::new("-")
    }

    /// The format of an answer that may be games.
    ///
    /// # Errors
    ///
    /// When a file is named whose ending says nothing, and no format.
    pub(super) fn format(&self) -> Result<Format, Failure> {
        self.named_format(true)
    }

    fn named_format(&self, with_games: bool) -> Result<Format, Failure> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        if !self.is_file() {
            return Ok(Format::Table);
        }
        Format::of(self.path(), with_games).map_err(|endings| {
            Failure::message(format!(
                "{}: the ending of the name says no format; name one with --format, or end it in {endings}",
                self.path().display()
            ))
        })
    }

    /// The format of a table that has no games.
    ///
    /// # Errors
    ///
    /// When it is PGN, or this program does not have it.
    pub(super) fn table_format(&self) -> Result<cqldex::Format, Failure> {
        self.named_format(false)?.of_table(self.is_file())
    }

    /// Opens the file, or standard output.
    ///
    /// # Errors
    ///
    /// When it can't be created.
    pub(super) fn open(&self) -> Result<OutputFile, Failure> {
        OutputFile::create(self.path())
    }
}
