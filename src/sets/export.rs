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
    /// How many games could not be searched when the set was saved, so that their positions are missing.
    pub games_missing: u64,
}

/// How the lists of an export are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// `positions.tsv` and `segments.tsv`: fields with tabs between them.
    #[default]
    Tsv,
    /// `positions.jsonl` and `segments.jsonl`: one JSON object a line.
    JsonLines,
}

impl ExportFormat {
    const ALL: [ExportFormat; 2] = [ExportFormat::Tsv, ExportFormat::JsonLines];

    /// How the names of the lists end.
    fn extension(self) -> &'static str {
        match self {
            ExportFormat::Tsv => "tsv",
            ExportFormat::JsonLines => "jsonl",
        }
    }
}

impl PositionSet {
    /// The same as [`PositionSet::export_as`] with [`ExportFormat::Tsv`].
    ///
    /// # Errors
    ///
    /// When a file can't be written.
    pub fn export(&self, folder: impl AsRef<Path>) -> Result<SetExport> {
        self.export_as(folder, ExportFormat::Tsv)
    }

    /// Writes the set into a folder, which is made if it is not there. Files of an earlier export are replaced or removed;
    /// other files stay.
    ///
    /// - `positions.tsv`: a line for each position, with the number of the game, a tab, and CQL's `positionid`. As JSON
    ///   lines: `{"type":"position","game":12,"position":34}` in `positions.jsonl`.
    /// - `segment-1.roaring`, `segment-2.roaring` ...: the positions of each segment of the database, by their ids in the
    ///   segment, as a bitmap in the portable format of Roaring. The ids in a file stand in the order of the lines of its
    ///   segment in `positions.tsv`.
    /// - `segments.tsv`: a line for each segment, with the name of the file, the number of the first game, how many games
    ///   and positions the segment has, and how many positions are in the set. The first line names the columns. As JSON
    ///   lines: `{"type":"segment","file":"segment-1.roaring","firstGame":1,"games":99,"positions":8500,"inSet":7}` in
    ///   `segments.jsonl`.
    ///
    /// # Errors
    ///
    /// When a file can't be written.
    pub fn export_as(&self, folder: impl AsRef<Path>, format: ExportFormat) -> Result<SetExport> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let list = |name: &str| ListFile::create(folder.join(format!("{name}.{}", format.extension())));
        let (mut list, mut table) = (list("positions")?, list("segments")?);
        let mut done = SetExport {
            games_missing: self.games_missing(),
            ..SetExport::default()
        };
        if format == ExportFormat::Tsv {
            table.line(format_args!("file\tfirst_game\tgames\tpositions\tin_set"))?;
        }
        for segment in self.in_segments() {
            done.segments += 1;
            done.positions += segment.len();
            let name = format!("segment-{}.roaring", done.segments);
            let mut file = ListFile::create(folder.join(&name))?;
            let mut bitmap = segment
                .section
                .map(|section| section.positions.clone())
                .unwrap_or_default();
            bitmap.optimize();
            bitmap.serialize_into(&mut file.out).map_err(failed(&file.path))?;
            file.finish()?;
            let (first, games, positions, len) = (segment.first_game, segment.games, segment.positions, segment.len());
            // Nothing in the name has to be escaped.
            match format {
                ExportFormat::Tsv => {
                    table.line(format_args!("{name}\t{first}\t{games}\t{positions}\t{len}"))?;
                    for (game, position) in segment.iter() {
                        list.line(format_args!("{game}\t{position}"))?;
                    }
                }
                ExportFormat::JsonLines => {
                    table.line(format_args!(
                        r#"{{"type":"segment","file":"{name}","firstGame":{first},"games":{games},"positions":{positions},"inSet":{len}}}"#
                    ))?;
                    for (game, position) in segment.iter() {
                        list.line(format_args!(
                            r#"{{"type":"position","game":{game},"position":{position}}}"#
                        ))?;
                    }
                }
            }
        }
        list.finish()?;
        table.finish()?;
        remove_older(folder, done.segments, format).map_err(failed(folder))?;
        Ok(done)
    }
}

/// Names the file in an error of output.
fn failed(path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
    let path = path.display().to_string();
    move |error| Error::Output(io::Error::new(error.kind(), format!("{path}: {error}")))
}

/// A file of an export that is being written.
struct ListFile {
    path: PathBuf,
    out: BufWriter<fs::File>,
}

impl ListFile {
    fn create(path: PathBuf) -> Result<ListFile> {
        let file = fs::File::create(&path).map_err(failed(&path))?;
        Ok(ListFile {
            path,
            out: BufWriter::new(file),
        })
    }

    fn line(&mut self, line: fmt::Arguments<'_>) -> Result<()> {
        writeln!(self.out, "{line}").map_err(|error| failed(&self.path)(error))
    }

    fn finish(mut self) -> Result<()> {
        self.out.flush().map_err(failed(&self.path))
    }
}

/// Removes the bitmaps of an earlier export that had more segments, and its lists in another format.
fn remove_older(folder: &Path, segments: u64, format: ExportFormat) -> io::Result<()> {
    for other in ExportFormat::ALL.into_iter().filter(|other| *other != format) {
        for list in ["positions", "segments"] {
            match fs::remove_file(folder.join(format!("{list}.{}", other.extension()))) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
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
