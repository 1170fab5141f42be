//! The tags that queries filter on, one column each, so that no text has to be read.

use std::{collections::HashMap, sync::Arc};

use postings::{
    Damage,
    varint::{self, Reader},
};

/// The tags that are kept as columns of strings, in CQL's normalized spelling (docs/language/pgn.md#tags).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TagColumn {
    /// The player of the white men; `?` if missing.
    White,
    /// The player of the black men; `?` if missing.
    Black,
    /// The event; `?` if missing.
    Event,
    /// The place; `?` if missing.
    Site,
    /// The date of the game, `YYYY.MM.DD` with `?` for what is unknown.
    Date,
    /// The date of the event, `YYYY.MM.DD` with `?` for what is unknown.
    EventDate,
    /// The code of the opening; absent if missing or no such code.
    Eco,
}

impl TagColumn {
    /// All columns, in their order on disk.
    pub const ALL: [TagColumn; 7] = [
        TagColumn::White,
        TagColumn::Black,
        TagColumn::Event,
        TagColumn::Site,
        TagColumn::Date,
        TagColumn::EventDate,
        TagColumn::Eco,
    ];

    /// The name of the PGN tag.
    pub const fn name(self) -> &'static str {
        match self {
            TagColumn::White => "White",
            TagColumn::Black => "Black",
            TagColumn::Event => "Event",
            TagColumn::Site => "Site",
            TagColumn::Date => "Date",
            TagColumn::EventDate => "EventDate",
            TagColumn::Eco => "ECO",
        }
    }
}

/// One column of strings of a segment: each distinct value once, and for each game which of them it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagValues {
    values: Vec<String>,
    codes: Vec<u32>,
}

impl TagValues {
    /// The distinct values, ascending by their bytes; the empty string stands for an absent one.
    pub fn distinct(&self) -> &[String] {
        &self.values
    }

    /// For every game, which of the distinct values it has.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Which of the distinct values a game has.
    ///
    /// # Panics
    ///
    /// When the segment has no such game.
    pub fn code(&self, game: u32) -> u32 {
        self.codes[game as usize]
    }

    /// One of the distinct values; `None` if it is the empty one. CQL's filters fail then.
    ///
    /// # Panics
    ///
    /// When there is no such value.
    pub fn value(&self, code: u32) -> Option<&str> {
        Some(self.values[code as usize].as_str()).filter(|value| !value.is_empty())
    }

    /// The value of a game; `None` if absent or empty. CQL's filters fail then.
    ///
    /// # Panics
    ///
    /// When the segment has no such game.
    pub fn get(&self, game: u32) -> Option<&str> {
        self.value(self.code(game))
    }

    /// Writes the column: the values, each with its length, then a code of 16 or 32 bits a game.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::put(&mut out, self.values.len() as u64);
        for value in &self.values {
            varint::put_str(&mut out, value);
        }
        let short = self.values.len() <= 1 << 16;
        for code in &self.codes {
            let bytes = code.to_le_bytes();
            out.extend_from_slice(if short { &bytes[..2] } else { &bytes });
        }
        out
    }

    /// Reads what [`TagValues::encode`] wrote.
    pub(crate) fn decode(bytes: &[u8], games: u32) -> Result<TagValues, Damage> {
        let mut reader = Reader::new(bytes);
        let count = reader.count()?;
        let values = (0..count)
            .map(|_| Ok(reader.str()?.to_owned()))
            .collect::<Result<Vec<_>, Damage>>()?;
        let codes = if values.len() <= 1 << 16 {
            decode_array(&mut reader, games, |bytes| u32::from(u16::from_le_bytes(bytes)))?
        } else {
            decode_array(&mut reader, games, u32::from_le_bytes)?
        };
        reader.finish()?;
        if codes.iter().any(|&code| code as usize >= values.len()) {
            return Err(Damage::Invalid("a tag has no such value"));
        }
        Ok(TagValues { values, codes })
    }
}

/// Reads one number a game.
pub(crate) fn decode_array<const N: usize, T>(
    reader: &mut Reader<'_>,
    count: u32,
    read: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, Damage> {
    let bytes = reader.bytes(N * count as usize)?;
    Ok(bytes.as_chunks().0.iter().map(|bytes| read(*bytes)).collect())
}

/// A column while games are added to it: values in the order of their first game.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagBuilder {
    numbers: HashMap<Arc<str>, u32>,
    values: Vec<Arc<str>>,
    codes: Vec<u32>,
}

impl TagBuilder {
    fn number(&mut self, value: &str) -> u32 {
        if let Some(&number) = self.numbers.get(value) {
            return number;
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "each value is that of a game, and games have numbers of 32 bits"
        )]
        let number = self.values.len() as u32;
        let value: Arc<str> = value.into();
        self.values.push(Arc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// Adds the value of the next game, which is often that of the last one.
    pub(crate) fn push(&mut self, value: &str) {
        let number = match self.codes.last() {
            Some(&last) if *self.values[last as usize] == *value => last,
            _ => self.number(value),
        };
        self.codes.push(number);
    }

    /// A finished column, to be added to another.
    pub(crate) fn of(column: &TagValues) -> TagBuilder {
        TagBuilder {
            numbers: HashMap::new(),
            values: column.values.iter().map(|value| value.as_str().into()).collect(),
            codes: column.codes.clone(),
        }
    }

    /// Adds the games of another column behind.
    pub(crate) fn append(&mut self, other: &TagBuilder) {
        let numbers: Vec<u32> = other.values.iter().map(|value| self.number(value)).collect();
        self.codes
            .extend(other.codes.iter().map(|&code| numbers[code as usize]));
    }

    /// The column with its values in order.
    pub(crate) fn finish(self) -> TagValues {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "each value is that of a game, and games have numbers of 32 bits"
        )]
        let count = self.values.len() as u32;
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_unstable_by_key(|&number| &self.values[number as usize]);
        let mut ranks = vec![0; order.len()];
        for (rank, &number) in (0..).zip(&order) {
            ranks[number as usize] = rank;
        }
        let values = order
            .iter()
            .map(|&number| String::from(&*self.values[number as usize]))
            .collect();
        TagValues {
            values,
            codes: self.codes.iter().map(|&code| ranks[code as usize]).collect(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "the columns of the tests are short")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn columns_come_back(left: Vec<String>, right: Vec<String>) {
            let (mut builder, mut other) = (TagBuilder::default(), TagBuilder::default());
            left.iter().for_each(|value| builder.push(value));
            right.iter().for_each(|value| other.push(value));
            builder.append(&other);
            let column = builder.finish();
            let games = (left.len() + right.len()) as u32;
            prop_assert_eq!(&TagValues::decode(&column.encode(), games).unwrap(), &column);
            prop_assert!(column.distinct().is_sorted_by(|a, b| a < b));
            for (game, value) in (0..).zip(left.iter().chain(&right)) {
                prop_assert_eq!(column.get(game).unwrap_or(""), value);
            }
        }

        #[test]
        fn damage_never_panics(bytes: Vec<u8>, games in 0u32..20) {
            if let Ok(column) = TagValues::decode(&bytes, games) {
                (0..games).for_each(|game| assert!(column.get(game) != Some("")));
            }
        }
    }
}
