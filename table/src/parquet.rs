//! Parquet files.

use std::io::{self, Write};

use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use crate::arrow::{io_error, record_batch, schema};
use crate::column::Column;
use crate::rows::Rows;
use crate::writer::RowWriter;

/// This many rows are held in memory, packed, and then written together.
const ROW_GROUP: usize = 1 << 17;

pub(crate) struct ParquetWriter<W: Write + Send> {
    schema: SchemaRef,
    out: ArrowWriter<W>,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub(crate) fn new(columns: &[Column], out: W) -> io::Result<ParquetWriter<W>> {
        let schema = schema(columns);
        let mut properties = WriterProperties::builder()
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("cqldex ", env!("CARGO_PKG_VERSION")).to_owned());
        for column in columns.iter().filter(|column| column.is_distinct) {
            let path = ColumnPath::new(vec![column.name.clone()]);
            properties = properties.set_column_dictionary_enabled(path, false);
        }
        let out = ArrowWriter::try_new(out, schema.clone(), Some(properties.build())).map_err(parquet_error)?;
        Ok(ParquetWriter { schema, out })
    }
}

impl<W: Write + Send> RowWriter for ParquetWriter<W> {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        self.out
            .write(&record_batch(&self.schema, rows)?)
            .map_err(parquet_error)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.finish().map_err(parquet_error)?;
        self.out.inner_mut().flush()
    }
}

/// The error of the output, if that is what went wrong.
fn parquet_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => match error.downcast::<arrow_schema::ArrowError>() {
                Ok(error) => io_error(*error),
                Err(error) => io::Error::other(error),
            },
        },
        error => io::Error::other(error),
    }
}
