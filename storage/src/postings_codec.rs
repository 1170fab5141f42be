//! How a posting list lies on the disk.

use crate::{
    error::{Damage, Result},
    frame::{self, Sealer},
};

/// Wraps the portable serialization of a list.
pub(crate) fn seal(portable: &[u8], sealer: &mut Sealer) -> Result<Vec<u8>> {
    sealer.seal(portable)
}

/// Unwraps what [`seal`] wrapped.
pub(crate) fn open(sealed: &[u8]) -> Result<Vec<u8>, Damage> {
    frame::open(sealed)
}
