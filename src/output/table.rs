//! A table of matches, for people.

use std::io::Write;

use chess::{MoveTree, Outcome};
use evaluator::GameView;
use search::{GameMatch, Summary};
use storage::{Segment, Snapshot, TagColumn};

use super::{Sink, count, duration, grouped, notation, printable};
use crate::exit::Failure;

/// A name is cut to so many characters.
const NAME: usize = 18;

/// Collects rows and writes them aligned, with the totals below.
#[derive(Debug)]
pub(crate) struct Table<'a, W> {
    out: W,
    snapshot: &'a Snapshot,
    rows: Vec<[String; COLUMNS]>,
    shown: u64,
    view: GameView,
    tree: MoveTree,
}

const COLUMNS: usize = 6;
const HEADINGS: [&str; COLUMNS] = ["game", "players", "year", "result", "move", "position"];

impl<'a, W: Write> Table<'a, W> {
    /// Writes to `out`; players and moves come from the snapshot.
    pub(crate) fn new(out: W, snapshot: &'a Snapshot) -> Table<'a, W> {
        Table {
            out,
            snapshot,
            rows: Vec::new(),
            shown: 0,
            view: GameView::default(),
            tree: MoveTree::default(),
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

    fn write_row(&mut self, cells: &[&str], widths: &[usize; COLUMNS]) -> Result<(), Failure> {
        let mut line = String::new();
        for (index, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
            // Numbers stand on the right.
            if index == 0 {
                line.push_str(&gap);
                line.push_str(cell);
            } else {
                line.push_str("  ");
                line.push_str(cell);
                line.push_str(&gap);
            }
        }
        writeln!(self.out, "{}", line.trim_end())?;
        Ok(())
    }
}

impl<W: Write> Sink for Table<'_, W> {
    fn game(&mut self, game: GameMatch) -> Result<(), Failure> {
        let Some((segment, local)) = self.snapshot.locate(game.number - 1) else {
            return Ok(());
        };
        let segment = self.snapshot.segment(segment);
        let (block, index) = segment.block_of(local)?;
        segment.trees(block)?.tree(index, &mut self.tree)?;
        self.view.load(&self.tree, true);
        let mut about = [
            grouped(game.number),
            players(&segment, local)?,
            year(&segment, local)?,
            String::new(),
        ];
        about[3] = result(segment.outcomes()?[local as usize]).to_owned();
        for position in &game.positions {
            let played = notation::last_move(&self.view, position.node, game.fullmoves);
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

    fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        if !self.rows.is_empty() {
            let widths = self.widths();
            self.write_row(&HEADINGS, &widths)?;
            for row in std::mem::take(&mut self.rows) {
                self.write_row(&row.each_ref().map(String::as_str), &widths)?;
            }
            writeln!(self.out)?;
        }
        let matched = match summary.games {
            0 => "no match".to_owned(),
            _ => format!(
                "{} in {}",
                count(summary.positions, "position"),
                count(summary.games, "game")
            ),
        };
        if summary.stopped_at_limit {
            writeln!(
                self.out,
                "{matched}, where the search stopped after {}",
                duration(summary.elapsed)
            )?;
            return self.flush();
        }
        let searched = count(summary.games_searched, "game");
        writeln!(
            self.out,
            "{matched}; {searched} searched in {}",
            duration(summary.elapsed)
        )?;
        if self.shown < summary.positions {
            let shown = grouped(self.shown);
            writeln!(self.out, "the first {shown} are listed; --limit N lists N, --json all")?;
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}

/// `Anderssen - Kieseritzky`: what stands before the comma.
fn players(segment: &Segment, game: u32) -> Result<String, Failure> {
    let name = |column| -> Result<String, Failure> {
        let values = segment.tag_values(column)?;
        let name = values
            .get(game)
            .unwrap_or("?")
            .split(',')
            .next()
            .unwrap_or_default()
            .trim();
        Ok(shortened(&printable(name)))
    };
    Ok(format!("{} - {}", name(TagColumn::White)?, name(TagColumn::Black)?))
}

fn shortened(name: &str) -> String {
    let name = name.replace(['\n', '\t'], " ");
    if name.chars().count() <= NAME {
        return name;
    }
    let start: String = name.chars().take(NAME - 2).collect();
    format!("{}..", start.trim_end())
}

fn year(segment: &Segment, game: u32) -> Result<String, Failure> {
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
        Outcome::White => "1-0",
        Outcome::Black => "0-1",
        Outcome::Draw => "1/2",
        Outcome::Unknown => "*",
    }
}
