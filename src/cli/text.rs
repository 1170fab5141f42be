//! Where the text of a query comes from, and what becomes of it before a database is asked.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use language::hir::{ParsedQuery, Query};
use language::transform::Transform;
use language::{Diagnostic, ParseOptions};

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
}

impl From<Dialect> for language::Dialect {
    fn from(dialect: Dialect) -> language::Dialect {
        match dialect {
            Dialect::Auto => language::Dialect::Auto,
            Dialect::Cql6 => language::Dialect::Cql6,
            Dialect::Cql5 => language::Dialect::Cql5,
            Dialect::Cql1 => language::Dialect::Cql1,
        }
    }
}

/// The query of a command line.
#[derive(Debug, clap::Args)]
pub(super) struct QueryArgs {
    /// The filters, with or without a `cql(...)` header; `-` reads them from standard input
    #[arg(value_name = "FILTERS", required_unless_present = "file")]
    filters: Option<String>,
    /// Read the query from a file (`-` for standard input)
    #[arg(short, long, value_name = "FILE.cql", conflicts_with = "filters")]
    file: Option<PathBuf>,
    /// The dialect that the query is written in
    #[arg(long, value_enum, default_value = "auto")]
    dialect: Dialect,
    /// Wrap the whole query in a transform (flip, shift, flipcolor ...); of several the first is outermost
    #[arg(long, value_name = "TRANSFORM", value_parser = transform_named)]
    transform: Vec<Transform>,
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
    dialect: Dialect,
    options: ParseOptions,
}

/// A query that is ready for a database.
#[derive(Debug)]
pub(super) struct Compiled {
    /// As written: transforms are still in it.
    pub written: ParsedQuery,
    /// With every transform replaced by its variants.
    pub expanded: Query,
    /// How long parsing took, checking of kinds included.
    pub parsing: Duration,
    /// How long the expansion of transforms took.
    pub expanding: Duration,
}

impl QueryArgs {
    /// What a command has read in its own way.
    pub(super) fn new(filters: Option<String>, file: Option<PathBuf>, dialect: Dialect) -> QueryArgs {
        QueryArgs {
            filters,
            file,
            dialect,
            transform: Vec::new(),
        }
    }

    /// Reads the text from wherever it is.
    pub(super) fn read(&self) -> Result<QueryText, Failure> {
        let text = match (&self.file, &self.filters) {
            (Some(file), _) if file.as_os_str() == "-" => QueryText::of_stdin(self.dialect)?,
            (Some(file), _) => QueryText::of_file(file, self.dialect)?,
            (None, Some(filters)) if filters == "-" => QueryText::of_stdin(self.dialect)?,
            (None, Some(filters)) => QueryText::of_argument(filters, self.dialect),
            (None, None) => return Err(Failure::message("no query is given")),
        };
        Ok(QueryText {
            options: ParseOptions {
                transforms: self.transform.clone(),
                ..ParseOptions::default()
            },
            ..text
        })
    }
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::message(format!("standard input cannot be read: {error}"))),
    }
}

impl QueryText {
    /// A text from a file that is called so, in any dialect.
    pub(super) fn new(bytes: Vec<u8>, origin: String, options: ParseOptions) -> QueryText {
        QueryText {
            bytes,
            origin,
            dialect: Dialect::Auto,
            options,
        }
    }

    /// What standard input gives.
    pub(super) fn of_stdin(dialect: Dialect) -> Result<QueryText, Failure> {
        Ok(QueryText::in_dialect(read_stdin()?, "<stdin>".to_owned(), dialect))
    }

    /// What a file holds.
    pub(super) fn of_file(file: &Path, dialect: Dialect) -> Result<QueryText, Failure> {
        let bytes = std::fs::read(file).map_err(|error| Failure::message(format!("{}: {error}", file.display())))?;
        Ok(QueryText::in_dialect(bytes, file.display().to_string(), dialect))
    }

    /// What stands on the command line.
    pub(super) fn of_argument(text: &str, dialect: Dialect) -> QueryText {
        QueryText::in_dialect(text.as_bytes().to_vec(), "query".to_owned(), dialect)
    }

    fn in_dialect(bytes: Vec<u8>, origin: String, dialect: Dialect) -> QueryText {
        QueryText {
            dialect,
            ..QueryText::new(bytes, origin, ParseOptions::default())
        }
    }

    /// The query in CQL 6.2.
    pub(super) fn translate(&self) -> Result<String, Failure> {
        let translated = language::dialect::translate_bytes(&self.bytes, self.dialect.into());
        translated.map_err(|diagnostics| self.failure(&diagnostics))
    }

    /// The text; what is no UTF-8 in it is replaced.
    pub(super) fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Parses, checks and expands the query.
    pub(super) fn compile(&self) -> Result<Compiled, Failure> {
        self.try_compile().map_err(|diagnostics| self.failure(&diagnostics))
    }

    /// Parses and checks the query; its transforms stand as written.
    pub(super) fn parse(&self) -> Result<ParsedQuery, Vec<Diagnostic>> {
        language::dialect::parse_bytes(&self.bytes, self.dialect.into(), &self.options)
    }

    /// Parses, checks and expands the query, with the errors as they are.
    fn try_compile(&self) -> Result<Compiled, Vec<Diagnostic>> {
        let started = Instant::now();
        let written = self.parse()?;
        let parsing = started.elapsed();
        let started = Instant::now();
        let expanded = language::expand(written.clone()).map_err(|error| vec![error.into()])?;
        Ok(Compiled {
            written,
            expanded,
            parsing,
            expanding: started.elapsed(),
        })
    }

    /// Errors in this text, rendered for standard error.
    pub(super) fn failure(&self, diagnostics: &[Diagnostic]) -> Failure {
        rendered(diagnostics, &self.text(), &self.origin)
    }
}

/// Errors in a text, rendered for standard error; `origin` is where the text comes from.
pub(super) fn rendered(diagnostics: &[Diagnostic], text: &str, origin: &str) -> Failure {
    let colored = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let render = |diagnostic: &Diagnostic| {
        if colored {
            diagnostic.render_styled(text, origin)
        } else {
            diagnostic.render(text, origin)
        }
    };
    Failure::Diagnostics(diagnostics.iter().map(render).collect::<Vec<_>>().join("\n\n"))
}
