//! Groups as a table: for other programs, or for people with bars.

use std::cmp::Reverse;

use shakmaty::Color;
use table::{Cell, Column, Kind, RowWriter, Rows};

use super::Counts;
use super::bars::{bar, results};
use super::by::By;
use super::key::Key;
use super::tally::{GroupCount, percent};
use crate::error::Result;

/// The order of groups in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupOrder {
    /// By what the groups are called: years ascending, names by the alphabet.
    Key,
    /// Those with the most games first.
    Games,
    /// Those with the most positions first.
    Positions,
    /// Those with the highest score first.
    Score,
}

/// What stands for a group whose value is not known, for people.
const UNKNOWN: &str = "unknown";

/// What stands for the next move where there is none.
pub(super) const END: &str = "(end)";

impl Counts {
    /// The order that fits what is counted by: that of the keys for years, results, ratings, moves and squares, and
    /// otherwise that of the games.
    pub fn usual_order(&self) -> GroupOrder {
        match self.by.iter().all(By::is_ordered) {
            true => GroupOrder::Key,
            false => GroupOrder::Games,
        }
    }

    /// Sorts the groups; groups that are equal there come by their keys. Those whose value is not known come last.
    pub fn sort(&mut self, order: GroupOrder) {
        self.groups.sort_by(|a, b| a.0.cmp(&b.0));
        let by = self.by.clone();
        let is_unknown = |keys: &[Key]| keys.contains(&Key::Unknown);
        match order {
            GroupOrder::Key => {}
            GroupOrder::Games => self
                .groups
                .sort_by_key(|(keys, count)| (is_unknown(keys), Reverse(count.games))),
            GroupOrder::Positions => self
                .groups
                .sort_by_key(|(keys, count)| (is_unknown(keys), Reverse(count.positions))),
            GroupOrder::Score => self.groups.sort_by(|(keys, a), (others, b)| {
                let score = |count| score(&by, count).unwrap_or(-1.0);
                let known_first = is_unknown(keys).cmp(&is_unknown(others));
                known_first.then_with(|| score(b).total_cmp(&score(a)))
            }),
        }
    }

    /// Writes the groups as a table, at most `limit` of them: the keys, games, positions, percent of all games, how many of
    /// the games were won by White, drawn and won by Black, the same in percent of those with a result, and the score.
    ///
    /// The score is that of White in percent; of the player, where it is counted by player; and of Black, where it is counted
    /// by the players with black and not by those with white.
    ///
    /// ```
    /// use cqldex::{By, CountOptions, Database, Format, Options};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Date \"1851.06.21\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let positions = database.sets().of([(1, 3), (1, 4)])?;
    /// let counts = database.counts(&positions, &[By::Year], &CountOptions::default())?;
    /// let mut text = Vec::new();
    /// counts.write(Format::Csv, &mut text, None)?;
    /// assert!(String::from_utf8(text)?.ends_with("\r\n1851,1,2,100.0,0,0,1,0.0,0.0,100.0,0.0\r\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it can't be written.
    pub fn write(&self, format: table::Format, out: impl std::io::Write + Send, limit: Option<u64>) -> Result<()> {
        match format {
            table::Format::Text => {
                let columns = self.columns_for_people();
                let mut writer = format.writer(&columns, out)?;
                self.write_rows_as(&columns, true, &mut *writer, limit)
            }
            _ => self.write_rows(&mut *format.writer(&self.columns(), out)?, limit),
        }
    }

    /// Gives the same rows, as other programs want them, to anything that takes rows of [`Counts::columns`].
    ///
    /// # Errors
    ///
    /// When they can't be written.
    pub fn write_rows(&self, out: &mut dyn RowWriter, limit: Option<u64>) -> Result<()> {
        self.write_rows_as(&self.columns(), false, out, limit)
    }

    fn write_rows_as(
        &self,
        columns: &[Column],
        is_for_people: bool,
        writer: &mut dyn RowWriter,
        limit: Option<u64>,
    ) -> Result<()> {
        let limit = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let longest = self
            .groups
            .iter()
            .map(|(_, count)| count.games)
            .max()
            .unwrap_or_default();
        let mut rows = Rows::new(columns);
        for (keys, count) in self.groups.iter().take(limit) {
            match is_for_people {
                true => self.push_for_people(&mut rows, keys, count, longest),
                false => self.push(&mut rows, keys, count),
            }
            if rows.is_full() {
                writer.write(&rows)?;
                rows.clear();
            }
        }
        writer.write(&rows)?;
        Ok(writer.finish()?)
    }

    /// The columns of the groups as other programs want them.
    pub fn columns(&self) -> Vec<Column> {
        let keys = self.by.iter().map(By::column);
        let integer = |name: &str| Column::amount(name);
        let real = |name: &str| Column::new(name, Kind::Real);
        keys.chain([
            integer("games"),
            integer("positions"),
            real("percent"),
            integer("white_wins"),
            integer("draws"),
            integer("black_wins"),
            real("white_percent"),
            real("draw_percent"),
            real("black_percent"),
            real("score"),
        ])
        .collect()
    }

    fn push(&self, rows: &mut Rows, keys: &[Key], count: &GroupCount) {
        keys.iter().for_each(|key| rows.push(key));
        rows.push(count.games);
        rows.push(count.positions);
        rows.push(percent(count.games, self.games).map(Cell::Real));
        let results = [count.white, count.draw, count.black];
        results.iter().for_each(|&number| rows.push(number));
        for number in results {
            rows.push(percent(number, count.finished()).map(Cell::Real));
        }
        rows.push(score(&self.by, count).map(Cell::Real));
    }

    fn columns_for_people(&self) -> Vec<Column> {
        let text = |name: &str| Column::new(name, Kind::Text);
        let real = |name: &str| Column::new(name, Kind::Real);
        let keys = self.by.iter().map(|by| text(&by.name()));
        keys.chain([
            Column::amount("games"),
            text(""),
            Column::amount("positions"),
            real("score"),
            real("white"),
            real("draw"),
            real("black"),
            text(""),
        ])
        .collect()
    }

    fn push_for_people(&self, rows: &mut Rows, keys: &[Key], count: &GroupCount, longest: u64) {
        for (by, key) in self.by.iter().zip(keys) {
            match (key, by) {
                (Key::Number(number), _) => rows.push(&*number.to_string()),
                (Key::Text(text), _) => rows.push(&**text),
                (Key::Unknown, By::Next) => rows.push(END),
                (Key::Unknown, _) => rows.push(UNKNOWN),
            }
        }
        rows.push(count.games);
        rows.push(&*bar(count.games, longest));
        rows.push(count.positions);
        rows.push(score(&self.by, count).map(Cell::Real));
        for number in [count.white, count.draw, count.black] {
            rows.push(percent(number, count.finished()).map(Cell::Real));
        }
        rows.push(&*results(count.white, count.draw, count.black));
    }
}

/// The score of a group, from the view of whom it is about.
fn score(by: &[By], count: &GroupCount) -> Option<f64> {
    let has = |test: fn(&By) -> bool| by.iter().any(test);
    if has(|by| matches!(by, By::Player)) {
        return count.player_score();
    }
    let is_about_black =
        has(|by| matches!(by, By::Name(Color::Black))) && !has(|by| matches!(by, By::Name(Color::White)));
    match is_about_black {
        true => count.score().map(|score| 100.0 - score),
        false => count.score(),
    }
}
