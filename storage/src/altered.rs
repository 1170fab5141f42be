//! Values of a forged database: a fuzzer changes what was read, behind the checksums. With the feature `testing` only;
//! without it, [`alter`] does nothing.

/// A value was read, and its checksum was right.
#[inline]
pub(crate) fn alter(value: &mut Vec<u8>) {
    #[cfg(feature = "testing")]
    set::alter(value);
    #[cfg(not(feature = "testing"))]
    let _ = value;
}

#[cfg(feature = "testing")]
pub use set::alter_values;

#[cfg(feature = "testing")]
mod set {
    use std::sync::OnceLock;

    type Change = Box<dyn Fn(&mut Vec<u8>) + Send + Sync>;

    static CHANGE: OnceLock<Change> = OnceLock::new();

    /// Gives every value that is read from now on to a function, which may change it, before it is decoded. Only the first
    /// call in a process has an effect. Needs the feature `testing`.
    pub fn alter_values(change: impl Fn(&mut Vec<u8>) + Send + Sync + 'static) {
        let _ = CHANGE.set(Box::new(change));
    }

    pub(super) fn alter(value: &mut Vec<u8>) {
        if let Some(change) = CHANGE.get() {
            change(value);
        }
    }
}
