//! Replacing a game.

use chess::Game;

use crate::{
    batch::SegmentBuilder,
    database::{Database, Slot},
    error::Result,
    record::SegmentRecord,
    unpack::{self, Keep},
};

impl Database {
    /// Replaces the game with this number, counted from 0 over the database. The new game gets the same number. The
    /// segment is indexed again. Returns false if there is no such game, or it was removed.
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
        let written = self.write_segment(&builder.finish(threads)?)?;
        let before = &self.records()[at];
        let mut record = SegmentRecord {
            pgn_bytes: before.pgn_bytes,
            ..written
        };
        record.add_removed(before);
        let mut slots = self.kept_slots();
        slots[at] = Slot::New(record, segment.removed().clone());
        self.apply(slots, &[])?;
        Ok(true)
    }
}
