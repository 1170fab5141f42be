//! One game in the place of another.

use chess::Game;

use crate::{
    batch::SegmentBuilder,
    database::{Database, Slot},
    error::Result,
    record::SegmentRecord,
    unpack::{self, Keep},
};

impl Database {
    /// Puts a game in the place of another, counted from 0 over the database; it has its number from then on. The
    /// segment is indexed anew. False if there is no such game, or it was removed.
    ///
    /// # Errors
    ///
    /// When the database was opened for reading, the segment is damaged, or the disk fails; then nothing is changed.
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
        let before = self.records()[at];
        let record = SegmentRecord {
            pgn_bytes: before.pgn_bytes,
            removed_games: before.removed_games,
            removed_positions: before.removed_positions,
            removed_mainline: before.removed_mainline,
            ..written
        };
        let mut slots: Vec<Slot> = (0..self.segments().len()).map(Slot::Kept).collect();
        slots[at] = Slot::New(record, segment.removed().clone());
        self.apply(slots, &[])?;
        Ok(true)
    }
}
