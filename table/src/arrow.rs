//! Batches of Arrow, and its two formats for files and pipes.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, Date32Array, DictionaryArray, Float64Array, Int8Array, Int64Array, RecordBatch, StringArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::column::{Column, Kind};
use crate::rows::{List, Rows, Values};
use crate::writer::RowWriter;

/// Columns as Arrow has them.
///
/// ```
/// use table::{Column, Kind};
///
/// let schema = table::schema(&[Column::new("game", Kind::Integer)]);
/// assert_eq!(schema.field(0).name(), "game");
/// ```
pub fn schema(columns: &[Column]) -> SchemaRef {
    let fields = columns.iter().map(|column| {
        let kind = match column.kind {
            Kind::Integer => DataType::Int64,
            Kind::Real => DataType::Float64,
            Kind::Text => DataType::Utf8,
            Kind::Date => DataType::Date32,
            Kind::Choice(_) => DataType::Dictionary(DataType::Int8.into(), DataType::Utf8.into()),
        };
        Field::new(&column.name, kind, true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Rows as Arrow has them, in memory; the [schema] is that of their columns.
///
/// ```
/// use table::{Cell, Column, Kind, Rows};
///
/// let columns = [Column::new("game", Kind::Integer)];
/// let mut rows = Rows::new(&columns);
/// rows.push(Cell::Integer(7));
/// let batch = table::record_batch(&table::schema(&columns), &rows)?;
/// assert_eq!((batch.num_rows(), batch.num_columns()), (1, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// When the texts of a column are too long for it.
pub fn record_batch(schema: &SchemaRef, rows: &Rows) -> io::Result<RecordBatch> {
    let arrays = rows.values().iter().map(array).collect::<Result<Vec<_>, _>>();
    let batch = arrays.and_then(|arrays| RecordBatch::try_new(Arc::clone(schema), arrays));
    batch.map_err(io_error)
}

fn array(values: &Values) -> Result<ArrayRef, ArrowError> {
    let nulls = values
        .present
        .contains(&false)
        .then(|| NullBuffer::from(values.present.as_slice()));
    Ok(match &values.list {
        List::Integers(list) => Arc::new(Int64Array::try_new(list.clone().into(), nulls)?),
        List::Reals(list) => Arc::new(Float64Array::try_new(list.clone().into(), nulls)?),
        List::Dates(list) => Arc::new(Date32Array::try_new(list.clone().into(), nulls)?),
        List::Texts(texts, ends) => {
            let offsets = [0].iter().chain(ends).map(|&end| i32::try_from(end));
            let offsets: Vec<i32> = offsets
                .collect::<Result<_, _>>()
                .map_err(|_| ArrowError::OffsetOverflowError(texts.len()))?;
            let bytes = Buffer::from_slice_ref(texts.as_bytes());
            Arc::new(StringArray::try_new(OffsetBuffer::new(offsets.into()), bytes, nulls)?)
        }
        List::Choices(choices, list) => {
            let keys = Int8Array::try_new(list.clone().into(), nulls)?;
            let choices = Arc::new(StringArray::from_iter_values(choices.iter()));
            Arc::new(DictionaryArray::<Int8Type>::try_new(keys, choices)?)
        }
    })
}

/// The error of the output, if that is what went wrong.
pub(crate) fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        ArrowError::ExternalError(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// Arrow's file format.
pub(crate) struct FileWriter<W: Write> {
    schema: SchemaRef,
    out: arrow_ipc::writer::FileWriter<BufWriter<W>>,
}

impl<W: Write> FileWriter<W> {
    pub(crate) fn new(columns: &[Column], out: W) -> io::Result<FileWriter<W>> {
        let schema = schema(columns);
        let out = arrow_ipc::writer::FileWriter::try_new_buffered(out, &schema).map_err(io_error)?;
        Ok(FileWriter { schema, out })
    }
}

impl<W: Write> RowWriter for FileWriter<W> {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        self.out.write(&record_batch(&self.schema, rows)?).map_err(io_error)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.finish().map_err(io_error)?;
        self.out.get_mut().flush()
    }
}

/// Arrow's streaming format.
pub(crate) struct StreamWriter<W: Write> {
    schema: SchemaRef,
    out: arrow_ipc::writer::StreamWriter<BufWriter<W>>,
}

impl<W: Write> StreamWriter<W> {
    pub(crate) fn new(columns: &[Column], out: W) -> io::Result<StreamWriter<W>> {
        let schema = schema(columns);
        let out = arrow_ipc::writer::StreamWriter::try_new_buffered(out, &schema).map_err(io_error)?;
        Ok(StreamWriter { schema, out })
    }
}

impl<W: Write> RowWriter for StreamWriter<W> {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        self.out.write(&record_batch(&self.schema, rows)?).map_err(io_error)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.finish().map_err(io_error)?;
        self.out.get_mut().flush()
    }
}
