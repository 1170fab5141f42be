//! Sets as files that other programs read.

use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::positions::PositionSet;
use crate::error::{Error, Result};

/// What [`PositionSet::export`] has written.
///
/// ```
/// # use cqldex::{Database, Options};
/// # let folder = tempfile::tempdir()?;
/// # let database = Database::create(folder.path().join("games.db"), Options::default())?;
/// let files = folder.path().join("none");
/// let export = database.sets().none().export(&files)?;
/// assert_eq!((export.segments, export.positions), (0, 0));
/// assert!(files.join("positions.tsv").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetExport {
    /// How many segments the database has, and how many bitmaps were written.
    pub segments: u64,
    /// How many positions the set has.
    pub positions: u64,
}

impl PositionSet {
    /// Writes the set into a folder, which is made if it is not there. Files of an earlier export are replaced; other files
    /// stay.
    ///
    /// - `positions.tsv`: a line for each position, with the number of the game, a tab, and CQL's `positionid`.
    /// - `segment-1.roaring`, `segment-2.roaring` ...: the positions of each segment of the database, by their ids in the
    ///   segment, as a bitmap in the portable format of Roaring. The ids in a file stand in the order of the lines of its
    ///   segment in `positions.tsv`.
    /// - `segments.tsv`: a line for each segment, with the name of the file, the number of the first game, how many games
    ///   and positions the segment has, and how many positions are in the set. The first line names the columns.
    ///
    /// # Errors
    ///
    /// When a file can't be written.
    pub fn export(&self, folder: impl AsRef<Path>) -> Result<SetExport> {
        let folder = folder.as_ref();
        let failed = |path: &Path| {
            let path = path.display().to_string();
            move |error: io::Error| Error::Output(io::Error::new(error.kind(), format!("{path}: {error}")))
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let create = |name: &str| -> Result<(PathBuf, BufWriter<fs::File>)> {
            let path = folder.join(name);
            let file = fs::File::create(&path).map_err(failed(&path))?;
            Ok((path, BufWriter::new(file)))
        };
        let (list_path, mut list) = create("positions.tsv")?;
        let (table_path, mut table) = create("segments.tsv")?;
        let line = |file: &mut BufWriter<fs::File>, path: &Path, line: fmt::Arguments<'_>| {
            file.write_fmt(line).map_err(failed(path))
        };
        let mut done = SetExport::default();
        line(
            &mut table,
            &table_path,
            format_args!("file\tfirst_game\tgames\tpositions\tin_set\n"),
        )?;
        for segment in self.in_segments() {
            done.segments += 1;
            done.positions += segment.len();
            let name = format!("segment-{}.roaring", done.segments);
            let (path, mut file) = create(&name)?;
            let mut bitmap = segment
                .section
                .map(|section| section.positions.clone())
                .unwrap_or_default();
            bitmap.optimize();
            let written = bitmap.serialize_into(&mut file).and_then(|()| file.flush());
            written.map_err(failed(&path))?;
            line(
                &mut table,
                &table_path,
                format_args!(
                    "{name}\t{}\t{}\t{}\t{}\n",
                    segment.first_game,
                    segment.games,
                    segment.positions,
                    segment.len()
                ),
            )?;
            for (game, position) in segment.iter() {
                line(&mut list, &list_path, format_args!("{game}\t{position}\n"))?;
            }
        }
        list.flush().map_err(failed(&list_path))?;
        table.flush().map_err(failed(&table_path))?;
        remove_older(folder, done.segments).map_err(failed(folder))?;
        Ok(done)
    }
}

/// Removes the bitmaps of an earlier export that had more segments.
fn remove_older(folder: &Path, segments: u64) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("segment-"));
        let number = number.and_then(|name| name.strip_suffix(".roaring")?.parse::<u64>().ok());
        if number.is_some_and(|number| number > segments) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
