//! What many questions have found, as a table.

use std::time::Duration;

use search::Summary;
use table::{Column, Format, Kind, Rows};

use crate::error::{Error, Result};

/// What came of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchAnswer {
    /// How many games and positions match; `None` if the question failed.
    pub counts: Option<(u64, u64)>,
    /// How long it took; see [`Summary::elapsed`].
    pub elapsed: Duration,
    /// Why it failed, in a line.
    pub error: Option<String>,
}

impl BatchAnswer {
    /// What a search has found.
    pub fn found(summary: &Summary) -> BatchAnswer {
        BatchAnswer {
            counts: Some((summary.games, summary.positions)),
            elapsed: summary.elapsed,
            error: None,
        }
    }

    /// Why a question failed, and how long that took.
    pub fn failed(error: &Error, elapsed: Duration) -> BatchAnswer {
        BatchAnswer {
            counts: None,
            elapsed,
            error: Some(match error {
                Error::Query(error) | Error::Evaluation(error) => match error.diagnostics().first() {
                    Some(first) => format!("{}: {}", first.code.text(), first.message),
                    None => error.to_string(),
                },
                error => error.to_string(),
            }),
        }
    }
}

/// What many questions have found in one database or several.
///
/// ```
/// use cqldex::{BatchAnswer, BatchTable, Format, Summary};
///
/// let mut table = BatchTable::new(["old", "new"]);
/// let found = |games, positions| BatchAnswer::found(&Summary { games, positions, ..Summary::default() });
/// table.add("mate", 0, found(7, 7));
/// table.add("mate", 1, found(9, 9));
/// let mut text = Vec::new();
/// table.write(Format::Csv, &mut text)?;
/// assert_eq!(
///     String::from_utf8(text)?,
///     "question,database,games,positions,milliseconds,error\r\nmate,old,7,7,0.0,\r\nmate,new,9,9,0.0,\r\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchTable {
    databases: Vec<String>,
    /// The questions in the order in which they came, with an answer for each database that has one.
    questions: Vec<(String, Vec<Option<BatchAnswer>>)>,
}

impl BatchTable {
    /// No answers yet, about databases that are called like this.
    pub fn new(databases: impl IntoIterator<Item = impl Into<String>>) -> BatchTable {
        BatchTable {
            databases: databases.into_iter().map(Into::into).collect(),
            questions: Vec::new(),
        }
    }

    /// Adds the answer to a question about a database, given by its place.
    ///
    /// # Panics
    ///
    /// When there is no such database.
    pub fn add(&mut self, question: &str, database: usize, answer: BatchAnswer) {
        let known = self.questions.iter().position(|(name, _)| name == question);
        let at = known.unwrap_or_else(|| {
            self.questions
                .push((question.to_owned(), vec![None; self.databases.len()]));
            self.questions.len() - 1
        });
        self.questions[at].1[database] = Some(answer);
    }

    /// All answers.
    pub fn answers(&self) -> impl Iterator<Item = &BatchAnswer> {
        self.questions.iter().flat_map(|(_, answers)| answers).flatten()
    }

    /// Writes the table. For people, there is a row for each question, with the databases side by side; in the other formats,
    /// a row for each question and database.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    pub fn write(&self, format: Format, out: impl std::io::Write + Send) -> Result<()> {
        let is_for_people = format == Format::Text;
        let columns = match is_for_people {
            true => self.columns_for_people(),
            false => columns(),
        };
        let mut writer = format.writer(&columns, out)?;
        let mut rows = Rows::new(&columns);
        for (question, answers) in &self.questions {
            match is_for_people {
                true => self.push_for_people(&mut rows, question, answers),
                false => self.push(&mut rows, question, answers),
            }
            if rows.is_full() {
                writer.write(&rows)?;
                rows.clear();
            }
        }
        writer.write(&rows)?;
        Ok(writer.finish()?)
    }

    fn push(&self, rows: &mut Rows, question: &str, answers: &[Option<BatchAnswer>]) {
        for (database, answer) in self.databases.iter().zip(answers) {
            let Some(answer) = answer else { continue };
            rows.push(question);
            rows.push(&**database);
            rows.push(answer.counts.map(|(games, _)| games));
            rows.push(answer.counts.map(|(_, positions)| positions));
            rows.push(table::Cell::Real(table::format::milliseconds(answer.elapsed)));
            rows.push(answer.error.as_deref());
        }
    }

    /// Whether a question failed, so that there is a column that says why.
    fn has_errors(&self) -> bool {
        self.answers().any(|answer| answer.error.is_some())
    }

    fn columns_for_people(&self) -> Vec<Column> {
        let mut columns = vec![Column::new("question", Kind::Text)];
        for database in &self.databases {
            let named = |what: &str| match self.databases.len() {
                1 => what.to_owned(),
                _ => format!("{database}: {what}"),
            };
            // The name of the database stands over the first of its columns.
            columns.push(Column::amount(named("games")));
            columns.push(Column::amount("positions"));
            columns.push(Column::new("ms", Kind::Real));
        }
        if self.has_errors() {
            columns.push(Column::new("error", Kind::Text));
        }
        columns
    }

    fn push_for_people(&self, rows: &mut Rows, question: &str, answers: &[Option<BatchAnswer>]) {
        rows.push(question);
        let mut errors: Vec<&str> = Vec::new();
        for answer in answers {
            let counts = answer.as_ref().and_then(|answer| answer.counts);
            rows.push(counts.map(|(games, _)| games));
            rows.push(counts.map(|(_, positions)| positions));
            let elapsed = answer
                .as_ref()
                .map(|answer| table::format::milliseconds(answer.elapsed));
            rows.push(elapsed.map(table::Cell::Real));
            errors.extend(answer.as_ref().and_then(|answer| answer.error.as_deref()));
        }
        // Mostly it fails everywhere in the same way.
        errors.dedup();
        if self.has_errors() {
            rows.push(Some(&*errors.join("; ")).filter(|text| !text.is_empty()));
        }
    }
}

fn columns() -> Vec<Column> {
    vec![
        Column::new("question", Kind::Text),
        Column::new("database", Kind::Text),
        Column::new("games", Kind::Integer),
        Column::new("positions", Kind::Integer),
        Column::new("milliseconds", Kind::Real),
        Column::new("error", Kind::Text),
    ]
}
