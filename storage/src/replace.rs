//! Replacing a game.

use chess::Game;

use crate::{
    batch::SegmentBuilder,
    database::{Database, Slot},
    error::Result,
    kept::{Part, Transfer, push_span},
    record::SegmentRecord,
    unpack::{self, Keep},
};

impl Database {
    /// Replaces the game with this number, counted from 0 over the database. The new game gets the same number. The
    /// segment is indexed again. Positions of the old game leave all sets. Returns false if there is no such game, or it was removed.
    ///
    /// # Errors
    ///
    /// When the database was opened for reading, the segment is damaged, or the disk fails. Then the database stays as
    /// it was.
    pub fn replace(&mut self, game: u64, with: &Game, threads: usize) -> Result<bool> {
        self.check_writable()?;
        let Some((at, local)) = self.snapshot().locate(game) else {
            return Ok(false);
        };
        let segment = self.segments()[at].clone();
        let mut builder = SegmentBuilder::new();
        for batch in unpack::reindex(&segment, Keep::All, Some((local, with)), threads)?.0 {
            builder.append(batch)?;
        }
        let written = self.write_segment(builder.finish(threads)?)?;
        let before = &self.records()[at];
        let mut record = SegmentRecord {
            pgn_bytes: before.pgn_bytes,
            ..written
        };
        record.add_removed(before);
        let starts = segment.starts()?;
        let (start, end) = (starts[local as usize], starts[local as usize + 1]);
        let behind = segment.meta().positions - end;
        let mut spans = Vec::new();
        push_span(&mut spans, 0..start, 0);
        push_span(&mut spans, end..end + behind, record.positions - behind);
        let transfer = [Transfer::new(&record, vec![Part::of(segment.meta(), spans)])];
        let snapshot = self.snapshot();
        snapshot.answers().carry(&self.keys(), &transfer);
        let _lock = snapshot.sets().carry(&self.keys(), &transfer)?;
        let mut slots = self.kept_slots();
        slots[at] = Slot::New(record, segment.removed().clone());
        self.apply(slots, &[])?;
        Ok(true)
    }
}
