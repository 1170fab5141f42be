//! The blocks of the posting lists that were unpacked last.

use std::rc::Rc;

use postings::{BLOCK_SIZE, Cursor, Selection};

use crate::boards::Placements;
use crate::lists::LoadedPostings;
use crate::plane::{Plane, ZERO, is_zero, or, shift};

/// The blocks of the posting lists that were unpacked last, by slot. The fields that each look-up reads are stored
/// close together.
#[derive(Debug)]
pub(super) struct UnpackedBlocks<'a> {
    /// How many ids later the lists are read.
    pub(super) offset: i32,
    /// The selected positions, moved by the offset, if some are selected.
    selection: Option<Selection>,
    states: Vec<BlockState>,
    /// By list, the block that was added last without being unpacked.
    added: Vec<Added>,
    cursors: Vec<Cursor<'a>>,
    planes: Vec<Plane>,
    /// At an offset: the block of each list that was read last.
    raw_states: Vec<BlockState>,
    raw_planes: Vec<Plane>,
    /// What the lists of men on squares are read from, if not from themselves, and the block that this was done for last.
    placements: Option<(Rc<Placements<'a>>, u32)>,
}

/// The last block of a list.
#[derive(Clone, Copy, Debug)]
struct BlockState {
    /// Its number in the segment; no block has the highest one.
    block: u32,
    /// Whether it has a position; if not, the plane is undefined.
    any: bool,
}

/// How a list was used without being unpacked.
#[derive(Clone, Copy, Debug)]
struct Added {
    /// The last block; no block has the highest number.
    block: u32,
    /// Whether a block was needed again afterwards: then it is better unpacked.
    again: bool,
}

impl<'a> UnpackedBlocks<'a> {
    /// Nothing is read yet.
    pub(super) fn new(
        loaded: &'a LoadedPostings,
        offset: i32,
        selection: Option<Selection>,
        memory: &mut Vec<Vec<Plane>>,
    ) -> UnpackedBlocks<'a> {
        let lists = loaded.len();
        let mut planes = |count: usize| {
            let mut planes = if count == 0 { None } else { memory.pop() }.unwrap_or_default();
            if planes.len() < count {
                planes.resize(count, ZERO);
            }
            planes
        };
        let none = BlockState {
            block: u32::MAX,
            any: false,
        };
        let is_shifted = offset % BLOCK_SIZE.cast_signed() != 0 && selection.is_none();
        let raw = if is_shifted { lists } else { 0 };
        UnpackedBlocks {
            offset,
            selection,
            states: vec![none; lists],
            added: vec![
                Added {
                    block: u32::MAX,
                    again: false
                };
                lists
            ],
            cursors: loaded.lists().map(postings::Postings::cursor).collect(),
            planes: planes(lists),
            raw_states: vec![none; raw],
            raw_planes: planes(raw),
            placements: None,
        }
    }

    /// The same with boards for the lists of men on squares. Only selected positions can be read then.
    pub(super) fn with(mut self, placements: Option<&Rc<Placements<'a>>>) -> UnpackedBlocks<'a> {
        self.placements = placements.map(|placements| (Rc::clone(placements), u32::MAX));
        self
    }

    /// Whether the list has a position in the block, if that is the one that was read last.
    #[inline]
    fn known(&self, slot: usize, block: u32) -> Option<bool> {
        let state = self.states[slot];
        (state.block == block).then_some(state.any)
    }

    /// The plane of the block that was read last, where it has a position.
    #[inline]
    pub(super) fn plane(&self, slot: usize) -> &Plane {
        &self.planes[slot]
    }

    /// Returns the memory of the planes.
    pub(super) fn into_planes(self) -> impl Iterator<Item = Vec<Plane>> {
        [self.raw_planes, self.planes]
            .into_iter()
            .filter(|planes| !planes.is_empty())
    }

    /// Makes the planes of all men on squares from boards, if that was not done for the block; false if lists are read
    /// instead. `selection` has not been moved by the offset.
    fn place_men(&mut self, block: u32, selection: &Selection) -> bool {
        let UnpackedBlocks {
            placements,
            states,
            planes,
            offset,
            ..
        } = self;
        let Some((placements, done)) = placements else {
            return false;
        };
        if *done == block {
            return true;
        }
        *done = block;
        for slot in placements.slots() {
            states[slot] = BlockState { block, any: false };
        }
        let mut positions = (selection.block(block).iter()).map(|position| position.saturating_add_signed(*offset));
        placements.boards.visit(&mut positions, &mut |rank, board| {
            placements.for_each(board, |slot| {
                if !states[slot].any {
                    states[slot].any = true;
                    planes[slot] = ZERO;
                }
                bits::insert(&mut planes[slot], rank);
            });
        });
        true
    }

    /// Reads a block, of the selected positions if some are; false where it has no position.
    fn unpack(&mut self, slot: usize, block: u32, selection: Option<&Selection>) -> bool {
        if let Some(selection) = selection
            && self.place_men(block, selection)
            && let Some(any) = self.known(slot, block)
        {
            return any;
        }
        let added = &mut self.added[slot];
        added.again |= added.block == block;
        let any = match self.selection.as_ref().or(selection) {
            None => self.read(slot, block),
            Some(selection) => self.cursors[slot].read_selected(selection, block, &mut self.planes[slot]),
        };
        self.states[slot] = BlockState { block, any };
        any
    }

    /// Whether a block is unpacked, or the list is one whose blocks are unpacked when they are asked for.
    pub(super) fn is_unpacked(&self, slot: usize, block: u32) -> bool {
        self.added[slot].again || self.states[slot].block == block
    }

    /// Adds the positions of a block to others; false if it has none. The block is unpacked only if the list is needed more
    /// often.
    pub(super) fn add_to(&mut self, slot: usize, block: u32, selection: Option<&Selection>, into: &mut Plane) -> bool {
        if self.note_asked(slot, block, selection) {
            return self.cursors[slot].add_block(block, into);
        }
        let any = self.ensure_unpacked(slot, block, selection);
        if any {
            or(into, &self.planes[slot]);
        }
        any
    }

    /// The same where `into` has nothing yet: it becomes the positions of the block.
    pub(super) fn read_to(&mut self, slot: usize, block: u32, selection: Option<&Selection>, into: &mut Plane) -> bool {
        if self.note_asked(slot, block, selection) {
            return self.cursors[slot].read_block(block, into);
        }
        let any = self.ensure_unpacked(slot, block, selection);
        if any {
            *into = self.planes[slot];
        }
        any
    }

    /// Notes that a list is asked in a block; true if that is the first time, and then the block need not be unpacked.
    #[inline]
    fn note_asked(&mut self, slot: usize, block: u32, selection: Option<&Selection>) -> bool {
        let added = &mut self.added[slot];
        let is_plain = self.offset == 0 && self.selection.is_none() && selection.is_none();
        if !is_plain || added.again || self.states[slot].block == block {
            return false;
        }
        added.again = added.block == block;
        added.block = block;
        !added.again
    }

    /// Unpacks a block, unless that was done; false if it has no position.
    #[inline]
    pub(super) fn ensure_unpacked(&mut self, slot: usize, block: u32, selection: Option<&Selection>) -> bool {
        match self.known(slot, block) {
            Some(any) => any,
            None => self.unpack(slot, block, selection),
        }
    }

    /// Makes the plane of a block at the offset; false where it has no position.
    fn read(&mut self, slot: usize, block: u32) -> bool {
        let UnpackedBlocks {
            offset,
            cursors,
            planes,
            raw_states,
            raw_planes,
            ..
        } = self;
        let (cursor, plane) = (&mut cursors[slot], &mut planes[slot]);
        let size = BLOCK_SIZE.cast_signed();
        let block = block.checked_add_signed(offset.div_euclid(size));
        let distance = offset.rem_euclid(size).unsigned_abs();
        if distance == 0 {
            return block.is_some_and(|block| cursor.read_block(block, plane));
        }
        // Two blocks in a row. The second one is kept: it is the first one of the next call.
        let (known, spare) = (&mut raw_states[slot], &mut raw_planes[slot]);
        let mut read = |block: Option<u32>, into: &mut Plane| match block {
            Some(block) if known.block == block => {
                *into = *spare;
                known.any
            }
            Some(block) => cursor.read_block(block, into),
            None => false,
        };
        let second = match block {
            Some(block) => block.checked_add(1),
            // Before the first block.
            None => Some(0),
        };
        let mut both = [ZERO; 2];
        let [low, high] = &mut both;
        let any = [read(block, low), read(second, high)];
        for (any, plane) in any.iter().zip([low, high]) {
            if !any {
                *plane = ZERO;
            }
        }
        *spare = both[1];
        *known = BlockState {
            block: second.unwrap_or(u32::MAX),
            any: any[1],
        };
        if any == [false; 2] {
            return false;
        }
        shift(&both, distance, plane);
        !is_zero(plane)
    }
}
