//! What can be wrong with stored bytes, and with the games that lists are made of.

/// What is wrong with the bytes of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// There is no value although there has to be one.
    #[error("the value is missing")]
    Missing,
    /// The file that holds the value is missing.
    #[error("the file is missing")]
    FileMissing,
    /// The value ends too early.
    #[error("the value is cut short")]
    Truncated,
    /// There is something behind the end of the value.
    #[error("the value is followed by other bytes")]
    TrailingBytes,
    /// The checksum is not that of the bytes.
    #[error("the checksum is wrong")]
    Checksum,
    /// The compressed bytes can't be unpacked.
    #[error("the compressed bytes can't be unpacked")]
    Compression,
    /// A field has a value that it can't have.
    #[error("{0}")]
    Invalid(&'static str),
}

/// The games of a segment have more positions than [`MAX_POSITIONS`](crate::MAX_POSITIONS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more positions than a segment can have")]
pub struct TooManyPositions;
