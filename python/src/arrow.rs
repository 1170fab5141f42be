//! Tables for other programs in the same process: the PyCapsule interface of Arrow, so that nothing is copied.

use std::ffi::CStr;
use std::sync::{Mutex, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::ArrowError;
use cqldex::{Column, Error, Rows};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::{OrRaise, refused};

/// The name that the interface demands.
const NAME: &CStr = c"arrow_array_stream";

/// A reader of batches that another program can take over.
pub(crate) type Reader = Box<dyn RecordBatchReader + Send>;

/// Hands over a reader. If nobody takes it, it is dropped with the capsule.
pub(crate) fn capsule(py: Python<'_>, reader: Reader) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), NAME)
}

/// A reader that can be taken once.
#[pyclass(frozen, module = "cqldex")]
pub(crate) struct Stream {
    reader: Mutex<Option<Reader>>,
}

impl Stream {
    pub(crate) fn new(reader: Reader) -> Stream {
        Stream {
            reader: Mutex::new(Some(reader)),
        }
    }
}

#[pymethods]
impl Stream {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The types of the columns are fixed; whoever asks for others changes them.
        drop(requested_schema);
        match self.reader.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(reader) => capsule(py, reader),
            None => Err(refused(py, "ArgumentError", "the stream was taken before", "taken")),
        }
    }
}

/// Rows that are there.
pub(crate) fn of_rows(py: Python<'_>, columns: &[Column], rows: &[Rows]) -> PyResult<Reader> {
    let schema = cqldex::schema(columns);
    let batches = rows.iter().map(|rows| cqldex::record_batch(&schema, rows));
    let batches: Result<Vec<RecordBatch>, _> = batches.collect();
    let batches = batches.map_err(Error::Output).or_raise(py)?;
    let batches = batches.into_iter().map(Ok::<_, ArrowError>);
    Ok(Box::new(RecordBatchIterator::new(batches, schema)))
}
