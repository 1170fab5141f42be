//! Counts of positions by what the headers of their games say, from columns.

use std::collections::BTreeMap;

use shakmaty::Color;
use storage::{Segment, TagColumn};

use super::positions::PositionSet;
use crate::error::Result;

/// A field of a game's header by which positions are counted; see [`PositionSet::by_header`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderField {
    /// When the game was played: `1999.03.??`; `????.??.??` if it is not known.
    Date,
    /// How it ended: `1-0`.
    Result,
    /// The code of the opening; empty if it is not known.
    Eco,
    /// The mean of both ratings in points; empty if one is not known.
    MeanRating,
}

/// How many games and positions have something in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderCount {
    /// How many games have a position in the set.
    pub games: u64,
    /// How many positions of the set are in these games.
    pub positions: u64,
    /// How many games of the whole database it is, those without a position included.
    pub database_games: u64,
}

impl PositionSet {
    /// Counts the positions by a field of the header of their games. `key` makes a group of a value; it is called once for
    /// each distinct value of a segment, and no game is opened.
    ///
    /// ```
    /// use cqldex::{Database, HeaderField, Options};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Date \"1851.06.21\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Date \"1851.07.??\"]\n\n1. e4 *\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let positions = database.sets().of([(1, 3), (1, 4)])?;
    /// let years = positions.by_header(HeaderField::Date, |date| date[..4].to_owned())?;
    /// let count = years["1851"];
    /// assert_eq!((count.games, count.positions, count.database_games), (1, 2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn by_header<K: Ord>(
        &self,
        field: HeaderField,
        mut key: impl FnMut(&str) -> K,
    ) -> Result<BTreeMap<K, HeaderCount>> {
        let mut all: BTreeMap<K, HeaderCount> = BTreeMap::new();
        for (index, positions) in self.in_segments().enumerate() {
            let segment = self.snapshot().segment(index);
            let (values, codes) = column(&segment, field)?;
            let mut counts = vec![HeaderCount::default(); values.len()];
            for game in (0..segment.meta().games).filter(|&game| !segment.is_removed(game)) {
                counts[codes[game as usize] as usize].database_games += 1;
            }
            for (number, of_game) in positions.counts() {
                let game = usize::try_from(number - positions.first_game).unwrap_or(usize::MAX);
                let count = &mut counts[codes[game] as usize];
                count.games += 1;
                count.positions += u64::from(of_game);
            }
            for (value, count) in values.iter().zip(counts) {
                if count != HeaderCount::default() {
                    let sum = all.entry(key(value)).or_default();
                    sum.games += count.games;
                    sum.positions += count.positions;
                    sum.database_games += count.database_games;
                }
            }
        }
        Ok(all)
    }
}

/// The values of a field in a segment, and for each game which of them it has.
fn column(segment: &Segment, field: HeaderField) -> Result<(Vec<String>, Vec<u32>)> {
    let tag = |column| -> Result<_> {
        let values = segment.tag_values(column)?;
        Ok((values.distinct().to_vec(), values.codes().to_vec()))
    };
    match field {
        HeaderField::Date => tag(TagColumn::Date),
        HeaderField::Eco => tag(TagColumn::Eco),
        HeaderField::Result => {
            let results = segment
                .outcomes()?
                .iter()
                .map(|outcome| outcome.result())
                .collect::<Vec<_>>();
            Ok(coded(results))
        }
        HeaderField::MeanRating => {
            let (white, black) = (segment.ratings(Color::White)?, segment.ratings(Color::Black)?);
            let mean = |(&white, &black): (&u16, &u16)| match white.min(black) {
                0 => 0,
                _ => (u32::from(white) + u32::from(black)) / 2,
            };
            let (values, codes) = coded(white.iter().zip(black.iter()).map(mean).collect::<Vec<_>>());
            let text = |mean: u32| if mean == 0 { String::new() } else { mean.to_string() };
            Ok((values.into_iter().map(text).collect(), codes))
        }
    }
}

/// Each distinct value once, and for each place which of them is there.
fn coded<T: Ord + Copy, S: From<T>>(values: Vec<T>) -> (Vec<S>, Vec<u32>) {
    let mut distinct = values.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let code = |value: &T| distinct.partition_point(|other| other < value);
    let codes = values
        .iter()
        .map(|value| u32::try_from(code(value)).unwrap_or(u32::MAX));
    let codes = codes.collect();
    (distinct.into_iter().map(S::from).collect(), codes)
}
