//! Blocks of move trees: the column that scans and verification read.
//!
//! Sixteen bits a move, little-endian; everything that most games do not have (variations, other starts) stands
//! before the moves, so that these are one plain array.

use std::ops::Range;

use chess::{Board, Branch, Man, MoveTree, PackedMove, Start};
use postings::{
    Damage,
    varint::{self, Reader},
};
use shakmaty::{Color, Piece, Square};

use crate::{error::Error, key::Key};

/// Where the parts of one game are in the bytes of a block.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where the moves begin.
    moves: u32,
    /// How many there are.
    count: u32,
    /// Where the start and the variations begin; 0 for a game that has neither.
    extra: u32,
}

/// The move trees of a few dozen games in a row, unpacked together.
#[derive(Clone, Debug)]
pub struct TreeBlock {
    games: Range<u32>,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Where the block was read, for errors.
    key: Key,
    /// How many bytes it takes on disk.
    pub(crate) stored: usize,
}

/// The extra parts that a game has, in the header of its block.
const HAS_SETUP: u64 = 1;
const HAS_BRANCHES: u64 = 2;

impl TreeBlock {
    /// The numbers of the games in the block, local to the segment.
    pub fn games(&self) -> Range<u32> {
        self.games.clone()
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many bytes it takes on disk.
    pub fn stored_bytes(&self) -> usize {
        self.stored
    }

    /// How many bytes of memory it takes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.len() + size_of_val(self.entries.as_slice()) + size_of::<TreeBlock>()
    }

    /// How many positions the `index`th game of the block has.
    ///
    /// # Panics
    ///
    /// When there is no such game in the block.
    pub fn positions(&self, index: usize) -> u32 {
        self.entries[index].count + 1
    }

    /// Reads the tree of the `index`th game of the block into a tree whose memory is used again.
    ///
    /// # Errors
    ///
    /// When the stored bytes are damaged.
    ///
    /// # Panics
    ///
    /// When there is no such game in the block.
    pub fn tree(&self, index: usize, tree: &mut MoveTree) -> Result<(), Error> {
        self.read(index, tree).map_err(|reason| self.key.corrupt(reason))
    }

    /// Reads the tree of the `index`th game of the block, which has this number of positions in the index.
    ///
    /// # Errors
    ///
    /// When the stored bytes are damaged, or the game has another number of positions.
    ///
    /// # Panics
    ///
    /// When there is no such game in the block.
    pub fn indexed_tree(&self, index: usize, positions: u32, tree: &mut MoveTree) -> Result<(), Error> {
        if self.positions(index) != positions {
            let reason = Damage::Invalid("a game has another number of positions than in the index");
            return Err(self.key.corrupt(reason));
        }
        self.tree(index, tree)
    }

    fn read(&self, index: usize, tree: &mut MoveTree) -> Result<(), Damage> {
        let entry = self.entries[index];
        let end = entry.moves as usize + 2 * entry.count as usize;
        let (pairs, _) = self.bytes[entry.moves as usize..end].as_chunks();
        let mut sound = true;
        tree.moves.clear();
        tree.moves.extend(pairs.iter().map(|pair| {
            let m = PackedMove::from_bits(u16::from_le_bytes(*pair));
            sound &= m.is_some();
            m.unwrap_or(PackedMove::NULL)
        }));
        tree.branches.clear();
        tree.start = Start::Standard;
        if !sound {
            return Err(Damage::Invalid("a move is none"));
        }
        if entry.extra == 0 {
            Ok(())
        } else {
            self.read_extra(entry, tree)
        }
    }

    fn read_extra(&self, entry: Entry, tree: &mut MoveTree) -> Result<(), Damage> {
        let mut reader = Reader::new(&self.bytes[entry.extra as usize..]);
        let flags = reader.varint()?;
        if flags & HAS_SETUP != 0 {
            tree.start = read_setup(&mut reader)?;
        }
        if flags & HAS_BRANCHES != 0 {
            let mut last = 0;
            for _ in 0..reader.count()? {
                let node = last + u64::from(reader.varint32()?) + 1;
                let back = reader.varint()?;
                let parent = node.checked_sub(back).filter(|&parent| parent < node);
                let (Some(parent), true) = (parent, node <= u64::from(entry.count)) else {
                    return Err(Damage::Invalid("a variation is outside of its game"));
                };
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "`node` is up to `entry.count`, and `parent` is below `node`"
                )]
                tree.branches.push(Branch {
                    node: node as u32,
                    parent: parent as u32,
                });
                last = node;
            }
        }
        Ok(())
    }
}

/// Writes the trees of a block: for each game its number of moves, then what only some games have, then all moves.
pub(crate) fn encode(trees: &[MoveTree]) -> Vec<u8> {
    let mut out = Vec::with_capacity(8 + trees.iter().map(|tree| 2 * tree.len() + 2).sum::<usize>());
    varint::put(&mut out, trees.len() as u64);
    let mut extras = Vec::new();
    for tree in trees {
        let before = extras.len();
        put_extra(&mut extras, tree);
        varint::put(&mut out, tree.moves.len() as u64);
        varint::put(&mut out, (extras.len() - before) as u64);
    }
    out.extend_from_slice(&extras);
    for m in trees.iter().flat_map(|tree| &tree.moves) {
        out.extend_from_slice(&m.to_bits().to_le_bytes());
    }
    out
}

/// Reads what [`encode`] wrote.
pub(crate) fn decode(bytes: Vec<u8>, games: Range<u32>, key: Key) -> Result<TreeBlock, Damage> {
    let mut reader = Reader::new(&bytes);
    let count = reader.count()?;
    if count != games.len() {
        return Err(Damage::Invalid("a block has more or fewer games than it should"));
    }
    let mut sizes = Vec::with_capacity(count);
    for _ in 0..count {
        sizes.push((reader.varint32()?, reader.varint32()?));
    }
    let mut extra = (bytes.len() - reader.len()) as u64;
    let mut moves = extra + sizes.iter().map(|&(_, extra)| u64::from(extra)).sum::<u64>();
    let mut entries = Vec::with_capacity(count);
    for (count, size) in sizes {
        // An entry is kept only if it ends inside `bytes`.
        #[expect(clippy::cast_possible_truncation, reason = "a frame holds up to a gigabyte")]
        let entry = Entry {
            moves: moves as u32,
            count,
            extra: if size == 0 { 0 } else { extra as u32 },
        };
        moves += 2 * u64::from(count);
        extra += u64::from(size);
        if moves > bytes.len() as u64 {
            return Err(Damage::Truncated);
        }
        entries.push(entry);
    }
    if moves != bytes.len() as u64 {
        return Err(Damage::TrailingBytes);
    }
    Ok(TreeBlock {
        games,
        bytes,
        entries,
        key,
        stored: 0,
    })
}

fn put_extra(out: &mut Vec<u8>, tree: &MoveTree) {
    let setup = match &tree.start {
        Start::Standard => None,
        Start::Setup { board, fullmoves } => Some((board, *fullmoves)),
    };
    let flags = if setup.is_some() { HAS_SETUP } else { 0 } | if tree.branches.is_empty() { 0 } else { HAS_BRANCHES };
    if flags == 0 {
        return;
    }
    varint::put(out, flags);
    if let Some((board, fullmoves)) = setup {
        put_setup(out, board, fullmoves);
    }
    if !tree.branches.is_empty() {
        varint::put(out, tree.branches.len() as u64);
        let mut last = 0;
        for branch in &tree.branches {
            varint::put(out, u64::from(branch.node - last - 1));
            varint::put(out, u64::from(branch.node - branch.parent));
            last = branch.node;
        }
    }
}

/// A setup: the men as nibbles, two squares a byte, a1 in the lower half of the first; then the turn and the number
/// of the first move.
fn put_setup(out: &mut Vec<u8>, board: &Board, fullmoves: u32) {
    for pair in 0..32 {
        #[expect(clippy::cast_possible_truncation, reason = "the number of a man is up to 12")]
        let nibble = |square| board.at(Square::new(square)).index() as u8;
        out.push(nibble(2 * pair) | nibble(2 * pair + 1) << 4);
    }
    out.push(u8::from(board.turn().is_white()));
    varint::put(out, u64::from(fullmoves));
}

fn read_setup(reader: &mut Reader<'_>) -> Result<Start, Damage> {
    let nibbles: [u8; 32] = reader.array()?;
    let mut pieces: Vec<(Square, Piece)> = Vec::with_capacity(64);
    for (square, nibble) in Square::ALL
        .into_iter()
        .zip(nibbles.iter().flat_map(|byte| [byte & 15, byte >> 4]))
    {
        let man = Man::from_index(nibble).ok_or(Damage::Invalid("a man is none"))?;
        pieces.extend(man.piece().map(|piece| (square, piece)));
    }
    let turn = match reader.u8()? {
        0 => Color::Black,
        1 => Color::White,
        _ => return Err(Damage::Invalid("neither side is to move")),
    };
    let fullmoves = reader.varint32()?;
    Ok(Start::Setup {
        board: Box::new(Board::from_pieces(pieces, turn)),
        fullmoves,
    })
}

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the trees of the tests are few and small"
)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::{Layout, SegmentId};

    fn key() -> Key {
        Key::trees(SegmentId::new(1, Layout::Columns), 2)
    }

    fn any_setup() -> impl Strategy<Value = Start> {
        let men = prop::collection::vec(prop_oneof![2 => Just(12u8), 1 => 0u8..12], 64);
        (men, any::<bool>(), any::<u32>()).prop_map(|(men, white, fullmoves)| {
            let pieces = Square::ALL
                .into_iter()
                .zip(men)
                .filter_map(|(square, man)| Some((square, Man::from_index(man)?.piece()?)));
            let board = Board::from_pieces(pieces, Color::from_white(white));
            Start::Setup {
                board: Box::new(board),
                fullmoves,
            }
        })
    }

    /// Trees of any shape; their moves need make no sense on the board.
    pub(crate) fn any_tree() -> impl Strategy<Value = MoveTree> {
        let start = prop_oneof![2 => Just(Start::Standard), 1 => any_setup()];
        let m = any::<u16>().prop_filter_map("a move", PackedMove::from_bits);
        (
            start,
            prop::collection::vec((m, prop::option::weighted(0.1, any::<prop::sample::Index>())), 0..120),
        )
            .prop_map(|(start, steps)| {
                let branches = steps.iter().zip(1u32..).filter_map(|((_, parent), node)| {
                    Some(Branch {
                        node,
                        parent: parent.as_ref()?.index(node as usize) as u32,
                    })
                });
                MoveTree {
                    start,
                    branches: branches.collect(),
                    moves: steps.iter().map(|(m, _)| *m).collect(),
                }
            })
    }

    proptest! {
        #[test]
        fn trees_come_back(trees in prop::collection::vec(any_tree(), 0..9)) {
            let count = trees.len() as u32;
            let block = decode(encode(&trees), 5..5 + count, key()).unwrap();
            let mut back = MoveTree::default();
            for (index, tree) in trees.iter().enumerate() {
                block.tree(index, &mut back).unwrap();
                prop_assert_eq!(&back, tree);
                let positions = block.positions(index);
                prop_assert_eq!(positions as usize, tree.len());
                prop_assert!(block.indexed_tree(index, positions, &mut back).is_ok());
                prop_assert!(block.indexed_tree(index, positions + 1, &mut back).is_err());
            }
            prop_assert_eq!(block.games(), 5..5 + count);
        }

        #[test]
        fn damage_never_panics(trees in prop::collection::vec(any_tree(), 1..5), at: usize, value: u8, cut: usize) {
            let mut bytes = encode(&trees);
            let games = 0..trees.len() as u32;
            prop_assert!(decode(bytes[..cut % bytes.len()].to_vec(), games.clone(), key()).is_err());
            let at = at % bytes.len();
            bytes[at] = value;
            if let Ok(block) = decode(bytes, games, key()) {
                let mut tree = MoveTree::default();
                for index in 0..block.len() {
                    let _ = block.tree(index, &mut tree);
                    let mut board = tree.start.board();
                    tree.moves.iter().for_each(|&m| board.play(m));
                }
            }
        }
    }
}
