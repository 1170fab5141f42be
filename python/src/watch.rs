//! Someone who watches the progress of a search or of indexing: a bar of tqdm, or a function.

use pyo3::prelude::*;

/// What `cqldex/_progress.py` makes of the argument `progress`.
pub(crate) struct Watch {
    watcher: Option<Py<PyAny>>,
}

/// How far something is.
pub(crate) struct Step {
    /// Games or bytes that are done.
    pub(crate) done: u64,
    pub(crate) total: Option<u64>,
    pub(crate) games: u64,
    pub(crate) positions: u64,
}

impl Watch {
    /// `unit` is what is counted: games that are searched, or bytes that are read.
    pub(crate) fn new(py: Python<'_>, progress: Option<&Py<PyAny>>, unit: &str) -> PyResult<Watch> {
        let Some(progress) = progress else {
            return Ok(Watch { watcher: None });
        };
        let watcher = py
            .import("cqldex._progress")?
            .call_method1("watcher", (progress, unit))?;
        Ok(Watch {
            watcher: Some(watcher.unbind()).filter(|watcher| !watcher.is_none(py)),
        })
    }

    /// Tells how far it is.
    pub(crate) fn tell(&self, py: Python<'_>, step: &Step) -> PyResult<()> {
        let Some(watcher) = &self.watcher else { return Ok(()) };
        let arguments = (step.done, step.total, step.games, step.positions);
        watcher.call_method1(py, "tell", arguments).map(|_| ())
    }

    /// Tells that it has ended, well or not.
    pub(crate) fn end(&self, py: Python<'_>) -> PyResult<()> {
        let Some(watcher) = &self.watcher else { return Ok(()) };
        watcher.call_method0(py, "end").map(|_| ())
    }
}
