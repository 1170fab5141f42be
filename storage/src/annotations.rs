//! Clocks and evaluations: for each block of games a value of each kind of annotation that one of its games has, and a
//! directory of these values for the segment.

use chess::{AnnotationKind, Annotations};
use postings::{
    Damage,
    varint::{self, Reader},
};

use crate::{error::Result, frame::Sealer};

/// The kinds of annotations.
pub(crate) const KINDS: usize = AnnotationKind::ALL.len();

/// The annotations of a kind in a block of games, encoded and in a frame; no bytes if there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sealed {
    pub(crate) bytes: Vec<u8>,
    /// How many positions have one.
    pub(crate) positions: u32,
}

/// What a directory says of the annotations of a kind in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// How many positions have one.
    pub(crate) positions: u32,
    /// How many bytes its value has, with the frame; 0 if there is none.
    pub(crate) bytes: u32,
}

/// What the annotations of a segment are: for each block, each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnnotationDirectory {
    /// No blocks if no game has annotations.
    blocks: Vec<[Entry; KINDS]>,
}

impl AnnotationDirectory {
    /// The directory of these blocks.
    pub(crate) fn of<'a>(blocks: impl Iterator<Item = &'a [Sealed; KINDS]>) -> AnnotationDirectory {
        #[expect(clippy::cast_possible_truncation, reason = "a frame holds up to a gigabyte")]
        let entry = |sealed: &Sealed| Entry {
            positions: sealed.positions,
            bytes: sealed.bytes.len() as u32,
        };
        let blocks: Vec<[Entry; KINDS]> = blocks.map(|kinds| kinds.each_ref().map(entry)).collect();
        let is_empty = blocks.iter().all(|kinds| *kinds == [Entry::default(); KINDS]);
        AnnotationDirectory {
            blocks: if is_empty { Vec::new() } else { blocks },
        }
    }

    /// What it says of a block.
    pub(crate) fn get(&self, block: u32, kind: AnnotationKind) -> Entry {
        self.blocks
            .get(block as usize)
            .map_or_else(Entry::default, |kinds| kinds[kind as usize])
    }

    /// How many positions have an annotation of a kind.
    pub(crate) fn positions(&self, kind: AnnotationKind) -> u64 {
        self.blocks
            .iter()
            .map(|kinds| u64::from(kinds[kind as usize].positions))
            .sum()
    }

    /// How many bytes all values have.
    pub(crate) fn bytes(&self) -> u64 {
        self.blocks.iter().flatten().map(|entry| u64::from(entry.bytes)).sum()
    }

    /// Writes positions and bytes (32 bits each) of each kind in each block; nothing if there are no annotations.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for entry in self.blocks.iter().flatten() {
            out.extend_from_slice(&entry.positions.to_le_bytes());
            out.extend_from_slice(&entry.bytes.to_le_bytes());
        }
        out
    }

    /// Reads what [`AnnotationDirectory::encode`] wrote for a segment with this number of blocks.
    pub(crate) fn decode(bytes: &[u8], blocks: usize) -> Result<AnnotationDirectory, Damage> {
        if bytes.is_empty() {
            return Ok(AnnotationDirectory::default());
        }
        let mut reader = Reader::new(bytes);
        let mut read = Vec::with_capacity(blocks.min(bytes.len()));
        for _ in 0..blocks {
            let mut kinds = [Entry::default(); KINDS];
            for entry in &mut kinds {
                *entry = Entry {
                    positions: reader.u32()?,
                    bytes: reader.u32()?,
                };
            }
            read.push(kinds);
        }
        reader.finish()?;
        Ok(AnnotationDirectory { blocks: read })
    }
}

/// Encodes the annotations of a block of games.
pub(crate) fn seal(games: &[Annotations], sealer: Sealer) -> Result<[Sealed; KINDS]> {
    let mut all: [Sealed; KINDS] = Default::default();
    for (kind, sealed) in AnnotationKind::ALL.into_iter().zip(&mut all) {
        let positions = games.iter().map(|game| game.nodes(kind).len()).sum::<usize>();
        if positions > 0 {
            sealed.positions = u32::try_from(positions).unwrap_or(u32::MAX);
            sealed.bytes = sealer.seal(&encode(games, kind))?;
        }
    }
    Ok(all)
}

/// In which unit the times of a game are whole numbers, in milliseconds, by the number on disk.
const UNITS: [u32; 3] = [1_000, 100, 1];

/// Writes which nodes of each game have a value, and behind them the values of all games.
pub(crate) fn encode(games: &[Annotations], kind: AnnotationKind) -> Vec<u8> {
    let (mut out, mut values) = (Vec::new(), Vec::new());
    for game in games {
        match kind {
            AnnotationKind::Clock => {
                put_nodes(&mut out, &game.nodes(kind));
                put_times(&mut out, &mut values, &game.clocks, true);
                if !game.clocks.is_empty() {
                    varint::put(&mut out, game.increment.map_or(0, |increment| u64::from(increment) + 1));
                }
            }
            AnnotationKind::Elapsed => {
                put_nodes(&mut out, &game.nodes(kind));
                put_times(&mut out, &mut values, &game.elapsed, false);
            }
            AnnotationKind::Evaluation => {
                put_nodes(&mut out, &game.nodes(kind));
                let mut before = 0;
                for (_, value) in &game.evaluations {
                    let value = i64::from(*value);
                    varint::put(&mut values, zigzag(value - before));
                    before = value;
                }
            }
        }
    }
    out.extend_from_slice(&values);
    out
}

/// Writes runs of consecutive nodes: how many there are; for each, the nodes between it and the run before, and its
/// length less one.
fn put_nodes(out: &mut Vec<u8>, nodes: &[u32]) {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &node in nodes {
        match runs.last_mut() {
            Some((_, end)) if *end == node => *end += 1,
            _ => runs.push((node, node + 1)),
        }
    }
    varint::put(out, runs.len() as u64);
    let mut end = 0;
    for (start, next) in runs {
        varint::put(out, u64::from(start - end));
        varint::put(out, u64::from(next - start - 1));
        end = next;
    }
}

/// Writes the unit, if there are times, and into `values` the times: those of a clock as what went from the time two before,
/// which mostly is that of the same side.
fn put_times(out: &mut Vec<u8>, values: &mut Vec<u8>, times: &[(u32, u32)], is_clock: bool) {
    if times.is_empty() {
        return;
    }
    let fits = |unit: &u32| times.iter().all(|(_, time)| time.is_multiple_of(*unit));
    let unit = UNITS.iter().position(fits).unwrap_or(UNITS.len() - 1);
    out.push([0, 1, 2][unit]);
    let time = |index: usize| i64::from(times[index].1 / UNITS[unit]);
    for index in 0..times.len() {
        let number = match is_clock {
            true => zigzag(if index == 0 { 0 } else { time(index.saturating_sub(2)) } - time(index)),
            false => time(index).cast_unsigned(),
        };
        varint::put(values, number);
    }
}

/// Reads what [`encode`] wrote, for each of some games.
pub(crate) fn decode(bytes: &[u8], kind: AnnotationKind, games: &mut [Annotations]) -> Result<(), Damage> {
    let mut reader = Reader::new(bytes);
    let mut units = Vec::with_capacity(games.len());
    let mut total = 0;
    for game in games.iter_mut() {
        let mut unit = 0;
        match kind {
            AnnotationKind::Clock => {
                game.clocks = read_nodes(&mut reader, &mut total)?;
                if !game.clocks.is_empty() {
                    unit = read_unit(&mut reader)?;
                    let increment = reader.varint()?;
                    let too_large = |_| Damage::Invalid("an increment is too large");
                    game.increment = increment
                        .checked_sub(1)
                        .map(u32::try_from)
                        .transpose()
                        .map_err(too_large)?;
                }
            }
            AnnotationKind::Elapsed => {
                game.elapsed = read_nodes(&mut reader, &mut total)?;
                if !game.elapsed.is_empty() {
                    unit = read_unit(&mut reader)?;
                }
            }
            AnnotationKind::Evaluation => game.evaluations = read_nodes(&mut reader, &mut total)?,
        }
        units.push(unit);
    }
    for (game, unit) in games.iter_mut().zip(units) {
        match kind {
            AnnotationKind::Clock => read_clocks(&mut reader, &mut game.clocks, unit)?,
            AnnotationKind::Elapsed => {
                for (_, time) in &mut game.elapsed {
                    *time = milliseconds(i64::from(reader.varint32()?), unit)?;
                }
            }
            AnnotationKind::Evaluation => {
                let mut value = 0i64;
                for (_, evaluation) in &mut game.evaluations {
                    value += difference(&mut reader)?;
                    *evaluation = i16::try_from(value).map_err(|_| Damage::Invalid("an evaluation is too large"))?;
                }
            }
        }
    }
    reader.finish()
}

/// Reads the nodes of a game that have a value, each with nothing yet, and adds their number to the total. Each value has
/// a byte at least, so that damage never makes us reserve much memory.
fn read_nodes<T: Default>(reader: &mut Reader<'_>, total: &mut usize) -> Result<Vec<(u32, T)>, Damage> {
    let mut nodes = Vec::new();
    let mut next = 0u32;
    for _ in 0..reader.count()? {
        let start = next.checked_add(reader.varint32()?);
        let more = reader.count()?;
        *total += more + 1;
        if *total > reader.len() {
            return Err(Damage::Truncated);
        }
        let end = start.and_then(|start| start.checked_add(u32::try_from(more).ok()?)?.checked_add(1));
        let (Some(start), Some(end)) = (start, end) else {
            return Err(Damage::Invalid("an annotation has no position"));
        };
        nodes.extend((start..end).map(|node| (node, T::default())));
        next = end;
    }
    Ok(nodes)
}

fn read_unit(reader: &mut Reader<'_>) -> Result<u32, Damage> {
    let unit = UNITS.get(usize::from(reader.u8()?)).copied();
    unit.ok_or(Damage::Invalid("an unknown unit of time"))
}

fn read_clocks(reader: &mut Reader<'_>, clocks: &mut [(u32, u32)], unit: u32) -> Result<(), Damage> {
    let mut before = [0i64; 2];
    for (index, (_, clock)) in clocks.iter_mut().enumerate() {
        let time = before[0] - difference(reader)?;
        *clock = milliseconds(time, unit)?;
        before = match index {
            0 => [time; 2],
            _ => [before[1], time],
        };
    }
    Ok(())
}

fn milliseconds(time: i64, unit: u32) -> Result<u32, Damage> {
    let whole = time
        .checked_mul(i64::from(unit))
        .and_then(|time| u32::try_from(time).ok());
    whole.ok_or(Damage::Invalid("a time is too long"))
}

/// A number with its sign in the lowest bit.
fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63).cast_unsigned()
}

/// What [`zigzag`] made, of up to 33 bits.
fn difference(reader: &mut Reader<'_>) -> Result<i64, Damage> {
    let number = reader.varint()?;
    if number >> 34 != 0 {
        return Err(Damage::Invalid("a number is too large"));
    }
    Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ascending<T: Clone + std::fmt::Debug>(
        values: impl Strategy<Value = T> + 'static,
    ) -> impl Strategy<Value = Vec<(u32, T)>> {
        let gaps = prop_oneof![8 => Just(1u32), 1 => 1u32..9];
        prop::collection::vec((gaps, values), 0..40).prop_map(|list| {
            let mut node = 0;
            let place = |(gap, value)| {
                node += gap;
                (node - 1, value)
            };
            list.into_iter().map(place).collect()
        })
    }

    fn any_annotations() -> impl Strategy<Value = Annotations> {
        let times = || {
            let unit = prop_oneof![Just(1_000u32), Just(100), Just(1)];
            (unit, ascending(prop_oneof![0u32..4_000, any::<u32>()])).prop_map(|(unit, mut times)| {
                times.iter_mut().for_each(|(_, time)| *time -= *time % unit);
                times
            })
        };
        let increment = prop::option::of(prop_oneof![0u32..60, any::<u32>().prop_map(|n| n / 2)]);
        (times(), times(), ascending(any::<i16>()), increment).prop_map(|(clocks, elapsed, evaluations, increment)| {
            Annotations {
                increment: increment.filter(|_| !clocks.is_empty()),
                clocks,
                elapsed,
                evaluations,
            }
        })
    }

    fn decoded(games: &[Annotations], change: impl Fn(&mut Vec<u8>)) -> Result<Vec<Annotations>, Damage> {
        let mut read = vec![Annotations::default(); games.len()];
        for kind in AnnotationKind::ALL {
            let mut bytes = encode(games, kind);
            change(&mut bytes);
            decode(&bytes, kind, &mut read)?;
        }
        Ok(read)
    }

    proptest! {
        #[test]
        fn annotations_come_back(games in prop::collection::vec(any_annotations(), 0..6)) {
            prop_assert_eq!(decoded(&games, |_| {}).unwrap(), games);
        }

        #[test]
        fn damage_never_panics(games in prop::collection::vec(any_annotations(), 1..4), at: usize, value: u8, cut: usize) {
            let _ = decoded(&games, |bytes| {
                let at = at % bytes.len();
                bytes[at] = value;
            });
            let _ = decoded(&games, |bytes| bytes.truncate(cut % bytes.len()));
        }

        #[test]
        fn directories_come_back(entries in prop::collection::vec(any::<[(u32, u32); KINDS]>(), 1..9)) {
            let entry = |(positions, bytes)| Entry { positions, bytes };
            let directory = AnnotationDirectory { blocks: entries.iter().map(|kinds| kinds.map(entry)).collect() };
            let read = AnnotationDirectory::decode(&directory.encode(), entries.len());
            prop_assert_eq!(read.unwrap(), directory);
            prop_assert!(AnnotationDirectory::decode(&[0; 23], entries.len()).is_err());
        }
    }

    #[test]
    fn no_annotations_take_no_bytes() {
        let none = seal(&vec![Annotations::default(); 9], Sealer::new(3)).unwrap();
        assert!(none.iter().all(|sealed| sealed.bytes.is_empty()));
        let directory = AnnotationDirectory::of([&none, &none].into_iter());
        assert_eq!(directory.encode(), []);
        assert_eq!(AnnotationDirectory::decode(&[], 2).unwrap(), directory);
    }
}
