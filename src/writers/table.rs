//! A table of matches, for people.

use std::io::Write;

use chess::Outcome;
use search::{GameMatch, Summary};
use storage::{Segment, Snapshot, TagColumn};
use table::{Align, aligned_line};

use super::MatchWriter;
use crate::database::Database;
use crate::error::Result;
use crate::format::{count, duration, grouped, printable};

/// A name is cut to this many characters.
const NAME: usize = 18;

/// Collects rows and writes them aligned, with the totals below.
///
/// ```
/// use cqldex::{Database, Dialect, MatchWriter, Options, Query, SearchOptions, TableWriter};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[White \"Foe\"]\n[Black \"Friend\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("mate", Dialect::Auto)?;
/// let options = SearchOptions { limit: Some(20), ..SearchOptions::default() };
/// let mut text = Vec::new();
/// TableWriter::new(&mut text, &database).write_matches(database.search(&query, options))?;
/// assert!(String::from_utf8(text)?.contains("Foe - Friend        0-1     2...Qh4#"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableWriter<W> {
    out: W,
    snapshot: Snapshot,
    rows: Vec<[String; COLUMNS]>,
    shown: u64,
}

const COLUMNS: usize = 6;
const HEADINGS: [&str; COLUMNS] = ["game", "players", "year", "result", "move", "position"];

impl<W: Write> TableWriter<W> {
    /// Writes to `out`; players, years and results come from the database that is searched.
    pub fn new(out: W, database: &Database) -> TableWriter<W> {
        TableWriter {
            out,
            snapshot: database.snapshot(),
            rows: Vec::new(),
            shown: 0,
        }
    }

    /// Widths of all columns but the last, which needs none.
    fn widths(&self) -> [usize; COLUMNS] {
        let mut widths = HEADINGS.map(str::len);
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        widths
    }

    fn write_row(&mut self, cells: &[&str], widths: &[usize; COLUMNS]) -> Result<()> {
        // Numbers of games stand on the right.
        let align = |index| if index == 0 { Align::Right } else { Align::Left };
        let columns = widths.iter().enumerate().map(|(index, &width)| (align(index), width));
        let line = aligned_line(cells.iter().copied(), &columns.collect::<Vec<_>>());
        writeln!(self.out, "{line}")?;
        Ok(())
    }
}

impl<W: Write> MatchWriter for TableWriter<W> {
    fn game(&mut self, game: GameMatch) -> Result<()> {
        let Some((segment, local)) = self.snapshot.locate(game.number - 1) else {
            return Ok(());
        };
        let segment = self.snapshot.segment(segment);
        let mut about = [
            grouped(game.number),
            players(&segment, local)?,
            year(&segment, local)?,
            String::new(),
        ];
        about[3] = result(segment.outcomes()?[local as usize]).to_owned();
        for position in &game.positions {
            let played = position.last_move.map(|last| last.numbered_san(&position.board));
            let [number, players, year, result] = about;
            self.rows.push([
                number,
                players,
                year,
                result,
                played.unwrap_or_else(|| "start".to_owned()),
                position.fen(),
            ]);
            // A game is described once.
            about = [const { String::new() }; 4];
            self.shown += 1;
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        if !self.rows.is_empty() {
            let widths = self.widths();
            self.write_row(&HEADINGS, &widths)?;
            for row in std::mem::take(&mut self.rows) {
                self.write_row(&row.each_ref().map(String::as_str), &widths)?;
            }
            writeln!(self.out)?;
        }
        self.out.write_all(totals(summary, Some(self.shown)).as_bytes())?;
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// How much matches, in one line, and in a second one that not all of it is listed, given how many positions are.
///
/// ```
/// use cqldex::{Summary, totals};
///
/// let summary = Summary { games: 87, positions: 2204, games_searched: 1000, ..Summary::default() };
/// let text = totals(&summary, Some(20));
/// assert!(text.starts_with("2,204 positions in 87 games; 1,000 games searched in "));
/// assert!(text.ends_with("the first 20 are listed; --limit N lists N, --json all\n"));
/// ```
pub fn totals(summary: &Summary, shown: Option<u64>) -> String {
    let matched = match summary.games {
        0 => "no match".to_owned(),
        _ => format!(
            "{} in {}",
            count(summary.positions, "position"),
            count(summary.games, "game")
        ),
    };
    let elapsed = duration(summary.elapsed);
    if summary.stopped_at_limit {
        return format!("{matched}, where the search stopped after {elapsed}\n");
    }
    let searched = count(summary.games_searched, "game");
    let mut text = format!("{matched}; {searched} searched in {elapsed}\n");
    if let Some(shown) = shown.filter(|&shown| shown < summary.positions) {
        let shown = grouped(shown);
        text.push_str(&format!(
            "the first {shown} are listed; --limit N lists N, --json all\n"
        ));
    }
    text
}

fn players(segment: &Segment, game: u32) -> Result<String> {
    let (white, black) = (
        segment.tag_values(TagColumn::White)?,
        segment.tag_values(TagColumn::Black)?,
    );
    let name = |name: Option<&str>| name.unwrap_or("?").to_owned();
    Ok(short_players(&name(white.get(game)), &name(black.get(game))))
}

/// `Anderssen - Kieseritzky`: what stands before the comma.
pub(crate) fn short_players(white: &str, black: &str) -> String {
    let short = |name: &str| {
        let name = name.split(',').next().unwrap_or_default().trim();
        shortened(&printable(name))
    };
    format!("{} - {}", short(white), short(black))
}

fn shortened(name: &str) -> String {
    let name = name.replace(['\n', '\t'], " ");
    if name.chars().count() <= NAME {
        return name;
    }
    let start: String = name.chars().take(NAME - 2).collect();
    format!("{}..", start.trim_end())
}

fn year(segment: &Segment, game: u32) -> Result<String> {
    let dates = segment.tag_values(TagColumn::Date)?;
    let year = dates
        .get(game)
        .and_then(|date| date.split('.').next())
        .unwrap_or_default();
    let known = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    Ok(if known { year.to_owned() } else { String::new() })
}

fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Draw => "1/2",
        outcome => outcome.result(),
    }
}
