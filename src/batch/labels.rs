//! Positions that several questions have found, each with the names of the questions.

use table::{Format, RowWriter};

use crate::columns::{Columns, Labels, Questions, RowsWriter};
use crate::database::Database;
use crate::error::Result;
use crate::matches::Detail;
use crate::options::SearchOptions;
use crate::writers::MatchWriter;

/// Writes a row for each position that one of several questions has found, with the names of all that have.
///
/// ```
/// use cqldex::{Columns, Database, Dialect, Format, LabelWriter, Options, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let mut found = Vec::new();
/// for name in ["check", "mate", "initial"] {
///     let options = SearchOptions { collect: true, ..SearchOptions::default() };
///     let matches = database.search(&Query::parse(name, Dialect::Auto)?, options);
///     found.extend(matches.found()?.positions.map(|positions| (name, positions)));
/// }
/// let labels: Vec<_> = found.iter().map(|(name, positions)| (*name, positions)).collect();
/// let columns = Columns::of_labels(["ply", "questions"])?;
/// let mut text = Vec::new();
/// let mut writer = LabelWriter::new(Format::Csv, &mut text, &columns)?;
/// writer.write(&database, "games.db", &labels, SearchOptions::default())?;
/// writer.finish()?;
/// drop(writer);
/// assert_eq!(String::from_utf8(text)?, "ply,questions\r\n0,initial\r\n4,check;mate\r\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LabelWriter<'o> {
    out: Box<dyn RowWriter + 'o>,
    columns: Columns,
}

impl<'o> LabelWriter<'o> {
    /// Writes to `out`; the columns are [those of labels](Columns::of_labels).
    ///
    /// # Errors
    ///
    /// When the beginning of the table can't be written.
    pub fn new(format: Format, out: impl std::io::Write + Send + 'o, columns: &Columns) -> Result<LabelWriter<'o>> {
        Ok(LabelWriter {
            out: format.writer(columns.columns(), out)?,
            columns: columns.clone(),
        })
    }

    /// Writes the positions of a database, which is called `name` in the column `database`. Of the options, those count
    /// that [`Database::list`] names. Returns how many rows were written.
    ///
    /// # Errors
    ///
    /// When they can't be read or written.
    pub fn write(
        &mut self,
        database: &Database,
        name: &str,
        labels: &Labels<'_>,
        options: SearchOptions,
    ) -> Result<u64> {
        let Some(((_, first), others)) = labels.split_first() else {
            return Ok(0);
        };
        let mut all = (*first).clone();
        others.iter().for_each(|(_, positions)| all.add(positions));
        let questions = Questions::new(name, labels);
        let mut rows = RowsWriter::labelled(&mut *self.out, &self.columns, database, questions);
        let options = SearchOptions {
            detail: Detail::Positions,
            ..options
        };
        if !self.columns.need_boards() {
            let written = rows.positions(&all, options.limit, None)?;
            rows.flush()?;
            return Ok(written);
        }
        let mut matches = database.list(&all, options);
        for game in &mut matches {
            rows.game(game?)?;
        }
        rows.flush()?;
        Ok(matches.summary()?.positions)
    }

    /// Writes the end of the table.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    pub fn finish(&mut self) -> Result<()> {
        Ok(self.out.finish()?)
    }
}

impl std::fmt::Debug for LabelWriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabelWriter")
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}
