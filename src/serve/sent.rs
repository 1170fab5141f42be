//! What of a file has been sent, for a search that begins again.

use crc32fast::Hasher;

/// The bytes that a client has. A search that begins again gives them a second time; then they are left out, and compared.
/// A process of its own opens the database anew, and that may have changed.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    bytes: u64,
    checksum: Hasher,
    /// How many bytes the search has given since it began, and their checksum.
    given: u64,
    given_checksum: Hasher,
}

/// The search has given other bytes than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changed;

impl Sent {
    /// The search begins.
    pub(crate) fn begin(&mut self) {
        self.given = 0;
        self.given_checksum = Hasher::new();
    }

    /// What has not been sent of the next piece; it counts as sent.
    pub(crate) fn rest(&mut self, mut piece: Vec<u8>) -> Result<Vec<u8>, Changed> {
        let known = usize::try_from(self.bytes - self.given).map_or(piece.len(), |known| known.min(piece.len()));
        let rest = piece.split_off(known);
        self.give(&piece);
        if !rest.is_empty() {
            self.end()?;
            self.give(&rest);
            self.bytes = self.given;
            self.checksum = self.given_checksum.clone();
        }
        Ok(rest)
    }

    /// The search is over: it has given all that was sent.
    pub(crate) fn end(&self) -> Result<(), Changed> {
        let is_same =
            self.given == self.bytes && self.checksum.clone().finalize() == self.given_checksum.clone().finalize();
        if is_same { Ok(()) } else { Err(Changed) }
    }

    fn give(&mut self, bytes: &[u8]) {
        self.given += bytes.len() as u64;
        self.given_checksum.update(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(pieces: &[&str]) -> Sent {
        let mut sent = Sent::default();
        sent.begin();
        for piece in pieces {
            assert_eq!(sent.rest(piece.as_bytes().to_vec()).as_deref(), Ok(piece.as_bytes()));
        }
        sent.begin();
        sent
    }

    #[test]
    fn what_was_sent_is_left_out_however_it_is_cut() {
        let mut again = sent(&["one, ", "two, "]);
        assert_eq!(again.rest(b"on".to_vec()), Ok(Vec::new()));
        assert_eq!(again.end(), Err(Changed), "not all has been given again");
        assert_eq!(again.rest(b"e, two, three".to_vec()).as_deref(), Ok(&b"three"[..]));
        assert_eq!(again.rest(b", four".to_vec()).as_deref(), Ok(&b", four"[..]));
        assert_eq!(again.end(), Ok(()));
        again.begin();
        assert_eq!(again.rest(b"one, two, three, four".to_vec()), Ok(Vec::new()));
        assert_eq!(again.end(), Ok(()));
    }

    #[test]
    fn other_bytes_than_before_are_seen() {
        assert_eq!(sent(&["one, "]).rest(b"six, two".to_vec()), Err(Changed));
        let mut again = sent(&["one, "]);
        assert_eq!(again.rest(b"six, ".to_vec()), Ok(Vec::new()));
        assert_eq!(again.end(), Err(Changed));
    }
}
