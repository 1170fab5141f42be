//! What belongs to one process.

use std::mem;
use std::process;

use pyo3::PyResult;

use crate::errors;

/// A value that is of no use in a copy of the process: a database has threads, and `fork` does not copy threads.
pub(crate) struct Local<T> {
    value: Option<T>,
    process: u32,
}

impl<T> Local<T> {
    pub(crate) fn new(value: T) -> Local<T> {
        Local {
            value: Some(value),
            process: process::id(),
        }
    }

    /// The value, in its own process.
    pub(crate) fn get(&self) -> PyResult<&T> {
        let is_here = self.process == process::id();
        self.value.as_ref().filter(|_| is_here).ok_or_else(errors::forked)
    }

    /// The same to change it.
    pub(crate) fn get_mut(&mut self) -> PyResult<&mut T> {
        let is_here = self.process == process::id();
        self.value.as_mut().filter(|_| is_here).ok_or_else(errors::forked)
    }
}

impl<T> Drop for Local<T> {
    /// To close it in another process would mean to wait for threads that are not there.
    fn drop(&mut self) {
        if self.process != process::id() {
            mem::forget(self.value.take());
        }
    }
}
