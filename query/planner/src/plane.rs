//! Bit planes: one bit for each of 4,096 positions in a row.

/// How many words a plane has. 64 planes of 64 words, a set of squares for every position of a block, are 32 KB, which
/// is what a core's first cache holds.
pub(crate) const WORDS: usize = postings::BLOCK_WORDS;

/// How many words a chunk has.
pub(crate) const CHUNK_WORDS: usize = postings::CHUNK_WORDS;

/// One bit for every position of a block.
pub(crate) type Plane = postings::Block;

/// No position.
pub(crate) const ZERO: Plane = [0; WORDS];
/// Every position.
pub(crate) const ONES: Plane = [u64::MAX; WORDS];

#[inline]
pub(crate) fn and(into: &mut Plane, other: &Plane) {
    for (word, other) in into.iter_mut().zip(other) {
        *word &= other;
    }
}

/// The positions of both.
#[inline]
pub(crate) fn both(a: &Plane, b: &Plane) -> Plane {
    std::array::from_fn(|index| a[index] & b[index])
}

#[inline]
pub(crate) fn or(into: &mut Plane, other: &Plane) {
    for (word, other) in into.iter_mut().zip(other) {
        *word |= other;
    }
}

#[inline]
pub(crate) fn and_not(into: &mut Plane, other: &Plane) {
    for (word, other) in into.iter_mut().zip(other) {
        *word &= !other;
    }
}

#[inline]
pub(crate) fn not(into: &mut Plane) {
    for word in into {
        *word = !*word;
    }
}

/// `into |= a & b`
#[inline]
pub(crate) fn or_and(into: &mut Plane, a: &Plane, b: &Plane) {
    for ((word, a), b) in into.iter_mut().zip(a).zip(b) {
        *word |= a & b;
    }
}

#[inline]
pub(crate) fn is_zero(plane: &Plane) -> bool {
    plane.iter().fold(0, |all, word| all | word) == 0
}

/// Whether a plane has all positions of another.
#[inline]
pub(crate) fn covers(plane: &Plane, other: &Plane) -> bool {
    plane
        .iter()
        .zip(other)
        .fold(0, |all, (word, other)| all | other & !word)
        == 0
}

/// The block that begins `distance` positions behind the beginning of two blocks in a row; it begins in the first of them.
pub(crate) fn shift(both: &[Plane; 2], distance: u32, into: &mut Plane) {
    let (first, shift) = ((distance / 64) as usize, distance % 64);
    let words = &both.as_flattened()[first..];
    for (out, pair) in into.iter_mut().zip(words.windows(2)) {
        *out = pair[0] >> shift | pair[1] << 1 << (63 - shift);
    }
}

#[cfg(test)]
mod tests {
    use postings::BLOCK_SIZE;

    use super::*;

    #[test]
    fn a_shifted_block_begins_in_the_first_of_two() {
        let mut both = [ZERO; 2];
        let mixed = |i: u32| i.wrapping_mul(0x9e37_79b9) >> 20 & 1 != 0;
        for position in (0..2 * BLOCK_SIZE).filter(|&position| mixed(position)) {
            bits::insert(both.as_flattened_mut(), position);
        }
        for distance in [0, 1, 63, 64, 65, 2048, BLOCK_SIZE - 63, BLOCK_SIZE - 1] {
            let mut plane = ZERO;
            shift(&both, distance, &mut plane);
            for position in 0..BLOCK_SIZE {
                assert_eq!(
                    bits::contains(&plane, position),
                    mixed(position + distance),
                    "{distance}"
                );
            }
        }
    }
}
