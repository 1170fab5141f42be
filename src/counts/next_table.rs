//! Moves that were played as a table: for other programs, or for people with bars.

use shakmaty::Color;
use table::{Cell, Column, Format, Kind, RowWriter, Rows};

use super::bars::results;
use super::group_table::END;
use super::next::{NextMove, NextMoves};
use super::tally::percent;
use crate::columns::{SIDES, side};
use crate::error::Result;
use crate::game::GameReader;
use crate::writers::short_players;

impl NextMoves {
    /// Writes the moves as a table, at most `limit` of them, and at most `limit` replies to each. The rows of replies follow
    /// that of their move.
    ///
    /// The columns are `depth`; `line`, all moves from the position on; `move`, missing where a line ends; `side`; `games`,
    /// `positions`, and `percent` of the games with the position or the move before; `white_wins`, `draws`, `black_wins`;
    /// `score` in percent, `rating` and `performance` of the side that plays the move; `last_year`; and the number of an
    /// `example` with its players. Players come from `reader`.
    ///
    /// ```
    /// use cqldex::{CountOptions, Database, Format, Options};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[White \"Foe\"]\n[Black \"Friend\"]\n[Date \"1851.06.21\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let positions = database.sets().of([(1, 3)])?;
    /// let next = database.next_moves(&positions, 1, &CountOptions::default())?;
    /// let mut text = Vec::new();
    /// next.write(Format::Text, &mut text, None, &database.reader())?;
    /// assert!(String::from_utf8(text)?.ends_with("1851  Foe - Friend (game 1)\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it can't be written, or the players can't be read.
    pub fn write(
        &self,
        format: Format,
        out: impl std::io::Write + Send,
        limit: Option<u64>,
        reader: &GameReader,
    ) -> Result<()> {
        match format {
            Format::Text => {
                let columns = columns_for_people();
                let mut writer = format.writer(&columns, out)?;
                self.write_rows_as(&columns, true, &mut *writer, (limit, reader))
            }
            _ => self.write_rows(&mut *format.writer(&NextMoves::columns(), out)?, limit, reader),
        }
    }

    /// Gives the same rows, as other programs want them, to anything that takes rows of [`NextMoves::columns`].
    ///
    /// # Errors
    ///
    /// As [`NextMoves::write`].
    pub fn write_rows(&self, out: &mut dyn RowWriter, limit: Option<u64>, reader: &GameReader) -> Result<()> {
        self.write_rows_as(&NextMoves::columns(), false, out, (limit, reader))
    }

    fn write_rows_as(
        &self,
        columns: &[Column],
        is_for_people: bool,
        writer: &mut dyn RowWriter,
        (limit, reader): (Option<u64>, &GameReader),
    ) -> Result<()> {
        let mut table = Table {
            rows: Rows::new(columns),
            limit: limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            reader,
            is_for_people,
            line: Vec::new(),
        };
        table.push_all(&self.moves, self.games, writer)?;
        writer.write(&table.rows)?;
        Ok(writer.finish()?)
    }

    /// The columns of the moves as other programs want them.
    pub fn columns() -> Vec<Column> {
        columns()
    }
}

/// Rows that are being made.
struct Table<'t> {
    rows: Rows,
    limit: usize,
    reader: &'t GameReader,
    is_for_people: bool,
    /// The moves that lead to the next ones.
    line: Vec<String>,
}

impl Table<'_> {
    /// Adds moves and the replies to them. `games` have the position before.
    fn push_all(&mut self, moves: &[NextMove], games: u64, writer: &mut dyn RowWriter) -> Result<()> {
        for next in moves.iter().take(self.limit) {
            match self.is_for_people {
                true => self.push_for_people(next, games)?,
                false => self.push(next, games)?,
            }
            if self.rows.is_full() {
                writer.write(&self.rows)?;
                self.rows.clear();
            }
            self.line.extend(next.san.clone());
            self.push_all(&next.replies, next.count.games, writer)?;
            self.line.truncate(self.line.len() - usize::from(next.san.is_some()));
        }
        Ok(())
    }

    fn push(&mut self, next: &NextMove, games: u64) -> Result<()> {
        let line: Vec<&str> = self
            .line
            .iter()
            .map(String::as_str)
            .chain(next.san.as_deref())
            .collect();
        let header = self.reader.header(next.example)?;
        let rows = &mut self.rows;
        rows.push(self.line.len() as u64 + 1);
        rows.push(&*line.join(" "));
        rows.push(next.san.as_deref());
        rows.push(side(next.side));
        rows.push(next.count.games);
        rows.push(next.count.positions);
        rows.push(percent(next.count.games, games).map(Cell::Real));
        for number in [next.count.white, next.count.draw, next.count.black] {
            rows.push(number);
        }
        for number in [next.count.player_score(), next.rating, next.performance] {
            rows.push(number.map(Cell::Real));
        }
        rows.push(next.last_year.map(u32::from));
        rows.push(next.example);
        rows.push(header.as_ref().map(|header| header.white.as_str()));
        rows.push(header.as_ref().map(|header| header.black.as_str()));
        Ok(())
    }

    fn push_for_people(&mut self, next: &NextMove, games: u64) -> Result<()> {
        let example = match self.reader.header(next.example)? {
            Some(header) => {
                let players = short_players(&header.white, &header.black);
                format!("{players} (game {})", next.example)
            }
            None => String::new(),
        };
        let indent = "  ".repeat(self.line.len());
        let san = match (&next.san, next.side) {
            (Some(san), Color::White) => san.clone(),
            (Some(san), Color::Black) => format!("...{san}"),
            (None, _) => END.to_owned(),
        };
        let rows = &mut self.rows;
        rows.push(&*format!("{indent}{san}"));
        rows.push(next.count.games);
        rows.push(percent(next.count.games, games).map(Cell::Real));
        rows.push(&*results(next.count.white, next.count.draw, next.count.black));
        rows.push(next.count.player_score().map(Cell::Real));
        for number in [next.rating, next.performance] {
            rows.push(number.map(crate::format::rounded));
        }
        rows.push(next.last_year.map(u32::from));
        rows.push(&*example);
        Ok(())
    }
}

fn columns() -> Vec<Column> {
    let integer = |name: &str| Column::new(name, Kind::Integer);
    let real = |name: &str| Column::new(name, Kind::Real);
    let text = |name: &str| Column::new(name, Kind::Text);
    vec![
        integer("depth"),
        text("line"),
        text("move"),
        Column::new("side", Kind::Choice(&SIDES)),
        integer("games"),
        integer("positions"),
        real("percent"),
        integer("white_wins"),
        integer("draws"),
        integer("black_wins"),
        real("score"),
        real("rating"),
        real("performance"),
        integer("last_year"),
        integer("example"),
        text("example_white"),
        text("example_black"),
    ]
}

fn columns_for_people() -> Vec<Column> {
    vec![
        Column::new("move", Kind::Text),
        Column::amount("games"),
        Column::new("%", Kind::Real),
        Column::new("white-draw-black", Kind::Text),
        Column::new("score", Kind::Real),
        Column::new("rating", Kind::Integer),
        Column::new("perf", Kind::Integer),
        Column::new("last", Kind::Integer),
        Column::new("example", Kind::Text),
    ]
}
