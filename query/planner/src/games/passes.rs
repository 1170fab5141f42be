//! One pass over the bits of some games for each kind of condition.

use std::ops::Range;

use super::bits::Bits;
use super::lines::Frame;

impl Bits {
    /// The positions of whose next one this is true.
    pub(super) fn next(&self, frame: &Frame) -> Bits {
        let mut out = frame.last.clone();
        let words = self.words();
        for (index, word) in out.words_mut().iter_mut().enumerate() {
            let beyond = words.get(index + 1).copied().unwrap_or(0);
            *word = (words[index] >> 1 | beyond << 63) & !*word;
        }
        out
    }

    /// The positions of whose previous one this is true.
    pub(super) fn previous(&self, frame: &Frame) -> Bits {
        let mut out = frame.first.clone();
        let mut before = 0;
        for (word, &bits) in out.words_mut().iter_mut().zip(self.words()) {
            *word = (bits << 1 | before >> 63) & !*word;
            before = bits;
        }
        out
    }

    /// Where `self` is true, or `through` is and the result is at the next position: a carry that runs down from the
    /// higher ids, word by word.
    pub(super) fn until(&self, through: &Bits, frame: &Frame) -> Bits {
        let mut out = self.clone();
        let mut carry = false;
        for (index, word) in out.words_mut().iter_mut().enumerate().rev() {
            let begin = word.reverse_bits();
            let pass = (through.words()[index] & !frame.last.words()[index]).reverse_bits();
            let result;
            (result, carry) = ripple(begin, pass, carry);
            *word = result.reverse_bits();
        }
        out
    }

    /// The same toward the higher ids.
    pub(super) fn since(&self, through: &Bits, frame: &Frame) -> Bits {
        let mut out = self.clone();
        let mut carry = false;
        for (index, word) in out.words_mut().iter_mut().enumerate() {
            let pass = through.words()[index] & !frame.first.words()[index];
            (*word, carry) = ripple(*word, pass, carry);
        }
        out
    }

    /// As [`Bits::until`], looking so many plies ahead.
    pub(super) fn until_by(&self, through: &Bits, stride: u32, frame: &Frame) -> Bits {
        let mut out = self.clone();
        for game in &frame.games {
            for (first, word) in through.words_in(game.clone()).rev() {
                for bit in bits::ones(word).rev() {
                    let id = first + bit;
                    if id + stride < game.end && out.contains(id + stride) {
                        out.insert(id);
                    }
                }
            }
        }
        out
    }

    /// As [`Bits::since`], looking so many plies back.
    pub(super) fn since_by(&self, through: &Bits, stride: u32, frame: &Frame) -> Bits {
        let mut out = self.clone();
        for game in &frame.games {
            for (first, word) in through.words_in(game.clone()) {
                for bit in bits::ones(word) {
                    let id = first + bit;
                    if id >= game.start + stride && out.contains(id - stride) {
                        out.insert(id);
                    }
                }
            }
        }
        out
    }

    /// Where so many positions in a row begin.
    pub(super) fn run(&self, count: u32, frame: &Frame) -> Bits {
        let mut out = self.clone();
        for _ in 1..count {
            let next = out.next(frame);
            for ((word, &own), &next) in out.words_mut().iter_mut().zip(self.words()).zip(next.words()) {
                *word = own & next;
            }
        }
        out
    }

    /// All positions of the games that have one.
    pub(super) fn whole_games(&self, frame: &Frame) -> Bits {
        self.for_each_game(frame, |game, bits, out| {
            if bits.first_in(game.clone()).is_some() {
                out.set_range(game.clone(), true);
            }
        })
    }

    /// The positions from which on, the last included, there are so many.
    pub(super) fn count_ahead(&self, min: u32, max: u32, frame: &Frame) -> Bits {
        self.for_each_game(frame, |game, bits, out| {
            let total = bits.count_in(game.clone());
            // With `n` to come the position is at most the n-th from behind, and after the one before that.
            let end = match min {
                0 => game.end,
                _ if min > total => return,
                _ => bits.nth(game, total - min) + 1,
            };
            let start = match total.checked_sub(max) {
                None | Some(0) => game.start,
                Some(beyond) => bits.nth(game, beyond - 1) + 1,
            };
            if start < end {
                out.set_range(start..end, true);
            }
        })
    }

    /// The positions up to which, this one included, there are so many.
    pub(super) fn count_behind(&self, min: u32, max: u32, frame: &Frame) -> Bits {
        self.for_each_game(frame, |game, bits, out| {
            let total = bits.count_in(game.clone());
            let start = match min {
                0 => game.start,
                _ if min > total => return,
                _ => bits.nth(game, min - 1),
            };
            let end = if max >= total { game.end } else { bits.nth(game, max) };
            if start < end {
                out.set_range(start..end, true);
            }
        })
    }

    /// The n-th position of a game, from 0; it must be there.
    fn nth(&self, game: &Range<u32>, mut n: u32) -> u32 {
        for (first, word) in self.words_in(game.clone()) {
            match bits::ones(word).nth(n as usize) {
                Some(bit) => return first + bit,
                None => n -= word.count_ones(),
            }
        }
        game.end
    }

    fn for_each_game(&self, frame: &Frame, mut f: impl FnMut(&Range<u32>, &Bits, &mut Bits)) -> Bits {
        let mut out = self.clone();
        out.words_mut().fill(0);
        for game in &frame.games {
            f(game, self, &mut out);
        }
        out
    }
}

/// `result[i] = begin[i] | pass[i] & result[i - 1]`, which is how carries go through an adder; with the carry into the
/// word and out of it.
fn ripple(begin: u64, pass: u64, carry: bool) -> (u64, bool) {
    if begin == 0 && !(carry && pass & 1 != 0) {
        return (0, false);
    }
    let either = begin | pass;
    let (sum, over) = either.overflowing_add(begin);
    let (sum, over_again) = sum.overflowing_add(u64::from(carry));
    let carried = sum ^ either ^ begin;
    (begin | pass & carried, over | over_again)
}
