//! Reads the text of a query, and parses it before a database is opened.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use cqldex::{Checked, Error, Query, QueryError, QueryOptions, Theme, Themes, Transform};

use super::interrupt;
use crate::color;
use crate::exit::Failure;

/// The dialects of CQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Dialect {
    /// Whatever the text is written in
    Auto,
    /// CQL 6.2
    Cql6,
    /// CQL 5, with `relation`
    Cql5,
    /// CQL 1 to 3 and CQL-S, with `(match (position ...))`
    Cql1,
    /// CQL 6.2 and what is known here of CQLi; the same as cql6
    Cqli,
}

impl From<Dialect> for cqldex::Dialect {
    fn from(dialect: Dialect) -> cqldex::Dialect {
        match dialect {
            Dialect::Auto => cqldex::Dialect::Auto,
            Dialect::Cql6 => cqldex::Dialect::Cql6,
            Dialect::Cql5 => cqldex::Dialect::Cql5,
            Dialect::Cql1 => cqldex::Dialect::Cql1,
            Dialect::Cqli => cqldex::Dialect::Cqli,
        }
    }
}

/// The query of a command line.
#[derive(Debug, clap::Args)]
pub(super) struct QueryArgs {
    /// The filters, with or without a `cql(...)` header; `-` reads them from standard input
    #[arg(value_name = "FILTERS", required_unless_present_any = ["file", "theme"])]
    filters: Option<String>,
    /// Read the query from a file (`-` for standard input)
    #[arg(short, long, value_name = "FILE.cql", conflicts_with = "filters")]
    file: Option<PathBuf>,
    /// Ask a query that has a name, such as boden-mate; `cqldex themes` lists them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["filters", "file"])]
    theme: Option<String>,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// How the text of a query is read.
#[derive(Debug, clap::Args)]
pub(super) struct ReadingArgs {
    /// The dialect that the query is written in
    #[arg(long, value_enum, default_value = "auto")]
    dialect: Dialect,
    /// Wrap the whole query in a transform (flip, shift, flipcolor ...); of several the first is outermost
    #[arg(long, value_name = "TRANSFORM", value_parser = transform_named)]
    transform: Vec<Transform>,
    /// Accept CQL 6.2 only: extensions such as positionset are an error
    #[arg(long)]
    strict: bool,
}

impl ReadingArgs {
    /// Reads the text of a file.
    pub(super) fn read(&self, file: &Path) -> Result<QueryText, Failure> {
        Ok(self.apply(QueryText::of_file(file, self.dialect)?))
    }

    /// The query of a theme.
    pub(super) fn theme(&self, theme: &Theme) -> QueryText {
        let origin = format!("theme {}", theme.name);
        let text = QueryText::in_dialect(theme.query.clone().into_bytes(), origin, self.dialect);
        self.apply(text)
    }

    /// The text, read as these arguments say.
    fn apply(&self, text: QueryText) -> QueryText {
        QueryText {
            options: QueryOptions {
                transforms: self.transform.clone(),
                strict: self.strict,
                ..text.options
            },
            ..text
        }
    }
}

/// The transform with this keyword.
fn transform_named(name: &str) -> Result<Transform, String> {
    Transform::ALL
        .into_iter()
        .find(|transform| transform.keyword() == name)
        .ok_or_else(|| {
            let keywords: Vec<&str> = Transform::ALL.into_iter().map(Transform::keyword).collect();
            format!("it is one of {}", keywords.join(", "))
        })
}

/// The text of a query and what to call it in error messages.
#[derive(Debug)]
pub(super) struct QueryText {
    bytes: Vec<u8>,
    origin: String,
    options: QueryOptions,
}

impl QueryArgs {
    /// A text that the command has read itself.
    pub(super) fn new(filters: Option<String>, file: Option<PathBuf>, dialect: Dialect) -> QueryArgs {
        QueryArgs {
            filters,
            file,
            theme: None,
            reading: ReadingArgs {
                dialect,
                transform: Vec::new(),
                strict: false,
            },
        }
    }

    /// Reads the text from the command line, a file or standard input.
    pub(super) fn read(&self) -> Result<QueryText, Failure> {
        let dialect = self.reading.dialect;
        if let Some(name) = &self.theme {
            return Ok(self.reading.theme(Themes::built_in().get(name)?));
        }
        let text = match (&self.file, &self.filters) {
            (Some(file), _) if file.as_os_str() == "-" => QueryText::of_stdin(dialect)?,
            (Some(file), _) => QueryText::of_file(file, dialect)?,
            (None, Some(filters)) if filters == "-" => QueryText::of_stdin(dialect)?,
            (None, Some(filters)) if is_query_file(filters) => {
                return Err(Failure::message(format!(
                    "{filters} is a file; to ask the query in it, write -f {filters}"
                )));
            }
            (None, Some(filters)) => QueryText::of_argument(filters, dialect),
            (None, None) => return Err(Failure::message("no query is given")),
        };
        Ok(self.reading.apply(text))
    }
}

/// Whether what should be a query names a file with one; no query ends like that.
fn is_query_file(text: &str) -> bool {
    Path::new(text).extension().is_some_and(|extension| extension == "cql") && Path::new(text).is_file()
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::message(format!("standard input cannot be read: {error}"))),
    }
}

impl QueryText {
    /// A text with what a command line adds to it; `origin` is what messages call it.
    pub(super) fn new(bytes: Vec<u8>, origin: String, options: QueryOptions) -> QueryText {
        QueryText { bytes, origin, options }
    }

    /// The text of standard input.
    pub(super) fn of_stdin(dialect: Dialect) -> Result<QueryText, Failure> {
        Ok(QueryText::in_dialect(read_stdin()?, "<stdin>".to_owned(), dialect))
    }

    /// The text of a file.
    pub(super) fn of_file(file: &Path, dialect: Dialect) -> Result<QueryText, Failure> {
        let bytes = std::fs::read(file).map_err(|error| Failure::message(format!("{}: {error}", file.display())))?;
        Ok(QueryText::in_dialect(bytes, file.display().to_string(), dialect))
    }

    /// The text on the command line.
    pub(super) fn of_argument(text: &str, dialect: Dialect) -> QueryText {
        QueryText::in_dialect(text.as_bytes().to_vec(), "query".to_owned(), dialect)
    }

    fn in_dialect(bytes: Vec<u8>, origin: String, dialect: Dialect) -> QueryText {
        let options = QueryOptions {
            dialect: dialect.into(),
            ..QueryOptions::default()
        };
        QueryText::new(bytes, origin, options)
    }

    /// The query in CQL 6.2.
    pub(super) fn translate(&self) -> Result<String, Failure> {
        let translated = cqldex::translate(&self.bytes, self.options.dialect);
        translated.map_err(|error| rendered(&error, &self.origin))
    }

    /// The text; bytes that are not UTF-8 are replaced.
    pub(super) fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// What messages call it.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Parses, checks and expands the query.
    pub(super) fn compile(&self) -> Result<Query, Failure> {
        self.parse().map_err(|error| rendered(&error, &self.origin))
    }

    /// The same, with the errors not yet rendered.
    pub(super) fn parse(&self) -> Result<Query, QueryError> {
        Query::parse_with(&self.bytes, &self.options)
    }

    /// Tells all errors, or warnings if there is none.
    pub(super) fn check(&self) -> Checked {
        cqldex::check(&self.bytes, &self.options)
    }

    /// What a check found, for standard error.
    pub(super) fn rendered(&self, checked: &Checked) -> String {
        match color::on_stderr() {
            true => checked.render_styled(&self.origin),
            false => checked.render(&self.origin),
        }
    }

    /// Why a search of this query failed among others, for the user.
    pub(super) fn failure_among_others(&self, error: &Error) -> String {
        match error {
            Error::Query(error) | Error::Evaluation(error) => rendered(error, &self.origin).to_string(),
            Error::TimedOut(_) => format!("error: {}: {}", self.origin, timed_out(error)),
            error => format!("error: {}: {error}", self.origin),
        }
    }

    /// Why a search of this query failed, for the user.
    pub(super) fn failure(&self, error: Error) -> Failure {
        match error {
            Error::Query(error) | Error::Evaluation(error) => rendered(&error, &self.origin),
            Error::TimedOut(_) => Failure::message(timed_out(&error)),
            Error::Cancelled => Failure::message(interrupt::reason()),
            Error::NoFolder => {
                Failure::message("`similarposition` reads its file only below a folder named with --files")
            }
            error => error.into(),
        }
    }
}

/// That the time of a search was over, for the user.
fn timed_out(error: &Error) -> String {
    format!("{error}; --timeout SECONDS gives it more, 0 all it needs")
}

/// Errors in a text, rendered for standard error; `origin` is where the text comes from.
pub(super) fn rendered(error: &QueryError, origin: &str) -> Failure {
    Failure::Diagnostics(match color::on_stderr() {
        true => error.render_styled(origin),
        false => error.render(origin),
    })
}
