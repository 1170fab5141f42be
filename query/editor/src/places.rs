//! Places in a text: bytes here, UTF-16 code units in a browser.

use std::ops::Range;

/// Translates between bytes and UTF-16 code units.
#[derive(Debug)]
pub struct Places<'t> {
    text: &'t str,
    /// For each character that is more than a byte: the byte behind it, and the code unit behind it.
    steps: Vec<(usize, usize)>,
}

impl<'t> Places<'t> {
    /// Reads a text.
    pub fn new(text: &'t str) -> Places<'t> {
        let (mut units, mut steps) = (0, Vec::new());
        for (at, letter) in text.char_indices() {
            units += letter.len_utf16();
            if letter.len_utf8() > 1 {
                steps.push((at + letter.len_utf8(), units));
            }
        }
        Places { text, steps }
    }

    /// The code unit at a byte; inside a character, the one behind it.
    pub fn unit(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        let before = self.steps.partition_point(|&(at, _)| at <= byte);
        match before.checked_sub(1).map(|index| self.steps[index]) {
            Some((at, units)) => units + (byte - at),
            None => byte,
        }
    }

    /// The byte at a code unit; inside a character, the one behind it.
    pub fn byte(&self, unit: usize) -> usize {
        let before = self.steps.partition_point(|&(_, units)| units <= unit);
        let byte = match before.checked_sub(1).map(|index| self.steps[index]) {
            Some((at, units)) => at + (unit - units),
            None => unit,
        };
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte += 1;
        }
        byte
    }

    /// The code units of some bytes.
    pub fn range(&self, bytes: Range<usize>) -> Range<usize> {
        self.unit(bytes.start)..self.unit(bytes.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_there_and_back() {
        let text = "K\u{2659}a1 \u{1F600}x \u{e9}";
        let places = Places::new(text);
        let units: Vec<u16> = text.encode_utf16().collect();
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let unit = places.unit(byte);
            assert_eq!(String::from_utf16(&units[..unit]).unwrap(), text[..byte]);
            assert_eq!(places.byte(unit), byte);
        }
        assert_eq!(places.byte(1000), text.len());
        assert_eq!(places.unit(1000), units.len());
    }
}
