//! The formats of tables.

use std::io::{self, Write};

use crate::column::Column;
use crate::text::TextWriter;
use crate::writer::RowWriter;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned lines, for people.
    Text,
    /// CSV as RFC 4180 has it, in UTF-8, with a line of names first. What is missing is empty.
    Csv,
    /// A JSON object a line. What is missing is `null`.
    Json,
    /// Arrow's file format.
    #[cfg(feature = "arrow")]
    Arrow,
    /// Arrow's streaming format, for pipes.
    #[cfg(feature = "arrow")]
    ArrowStream,
    /// Parquet, packed with zstd.
    #[cfg(feature = "arrow")]
    Parquet,
}

impl Format {
    /// A writer of rows with these columns.
    ///
    /// # Errors
    ///
    /// When the beginning can't be written.
    pub fn writer<'o>(self, columns: &[Column], out: impl Write + Send + 'o) -> io::Result<Box<dyn RowWriter + 'o>> {
        Ok(match self {
            Format::Text => Box::new(TextWriter::new(columns, out)),
            Format::Csv => Box::new(crate::csv::CsvWriter::new(columns, out)?),
            Format::Json => Box::new(crate::json::JsonWriter::new(columns, out)),
            #[cfg(feature = "arrow")]
            Format::Arrow => Box::new(crate::arrow::FileWriter::new(columns, out)?),
            #[cfg(feature = "arrow")]
            Format::ArrowStream => Box::new(crate::arrow::StreamWriter::new(columns, out)?),
            #[cfg(feature = "arrow")]
            Format::Parquet => Box::new(crate::parquet::ParquetWriter::new(columns, out)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use proptest::prelude::*;

    use super::*;
    use crate::column::Kind;
    use crate::rows::{Cell, Rows};

    fn columns() -> [Column; 5] {
        [
            Column::new("game", Kind::Integer),
            Column::new("score", Kind::Real),
            Column::new("the \"name\",", Kind::Text).distinct(),
            Column::new("date", Kind::Date),
            Column::new("result", Kind::Choice(&["1-0", "0-1", "1/2-1/2", "*"])),
        ]
    }

    /// What is written, a batch for each of the lists.
    fn written(format: Format, batches: &[Vec<[Cell<'_>; 5]>]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = format.writer(&columns(), &mut out).unwrap();
        let mut rows = Rows::new(&columns());
        for batch in batches {
            rows.clear();
            batch.iter().flatten().for_each(|cell| rows.push(*cell));
            writer.write(&rows).unwrap();
        }
        writer.finish().unwrap();
        drop(writer);
        out
    }

    #[test]
    fn csv_is_quoted_where_it_has_to_be() {
        let rows = vec![
            [
                Cell::Integer(1),
                Cell::Real(0.25),
                Cell::Text("a, \"b\"\r\nc"),
                Cell::Date(11_016),
                Cell::Text("1/2-1/2"),
            ],
            [Cell::Missing; 5],
        ];
        assert_eq!(
            String::from_utf8(written(Format::Csv, &[rows])).unwrap(),
            "game,score,\"the \"\"name\"\",\",date,result\r\n\
             1,0.25,\"a, \"\"b\"\"\r\nc\",2000-02-29,1/2-1/2\r\n,,,,\r\n"
        );
    }

    #[test]
    fn json_has_null_for_what_is_missing() {
        let rows = vec![
            [
                Cell::Integer(-1),
                Cell::Real(50.0),
                Cell::Text("\u{1}\""),
                Cell::Date(0),
                Cell::Text("*"),
            ],
            [Cell::Missing; 5],
        ];
        assert_eq!(
            String::from_utf8(written(Format::Json, &[rows])).unwrap(),
            r#"{"game":-1,"score":50.0,"the \"name\",":"\u0001\"","date":"1970-01-01","result":"*"}
{"game":null,"score":null,"the \"name\",":null,"date":null,"result":null}
"#
        );
    }

    fn formats() -> Vec<Format> {
        let mut formats = vec![Format::Text, Format::Csv, Format::Json];
        #[cfg(feature = "arrow")]
        formats.extend([Format::Arrow, Format::ArrowStream, Format::Parquet]);
        formats
    }

    /// Takes this many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(ErrorKind::StorageFull.into());
            }
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_format_gives_the_error_of_the_output() {
        let mut rows = Rows::new(&columns());
        for row in 0..2000 {
            rows.push(Cell::Integer(row));
            (1..5).for_each(|_| rows.push(Cell::Missing));
        }
        for format in formats() {
            for room in [0, 3, 1000, 3000] {
                let write = || {
                    let mut writer = format.writer(&columns(), Full(room))?;
                    writer.write(&rows)?;
                    writer.finish()
                };
                let error: io::Error = write().expect_err("there is no room");
                assert_eq!(error.kind(), ErrorKind::StorageFull, "{format:?} {room}: {error}");
            }
        }
    }

    #[test]
    fn every_format_has_tables_without_rows() {
        for format in formats() {
            let out = written(format, &[]);
            assert_eq!(
                out.is_empty(),
                matches!(format, Format::Text | Format::Json),
                "{format:?}"
            );
        }
    }

    type Row = (Option<i64>, Option<f64>, Option<String>, Option<i32>, Option<usize>);

    const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

    fn cells(row: &Row) -> [Cell<'_>; 5] {
        let (a, b, c, d, e) = row;
        [
            a.map_or(Cell::Missing, Cell::Integer),
            b.map_or(Cell::Missing, Cell::Real),
            c.as_deref().into(),
            d.map_or(Cell::Missing, Cell::Date),
            e.map(|place| RESULTS[place]).into(),
        ]
    }

    fn rows() -> impl Strategy<Value = Vec<Vec<Row>>> {
        let row = (
            any::<Option<i64>>(),
            proptest::option::of(-1e9..1e9),
            any::<Option<String>>(),
            proptest::option::of(-400_000..400_000),
            proptest::option::of(0usize..4),
        );
        proptest::collection::vec(proptest::collection::vec(row, 0..20), 0..4)
    }

    proptest! {
        #[test]
        fn csv_and_json_come_back(batches in rows()) {
            let of_cells: Vec<_> = batches.iter().map(|rows| rows.iter().map(cells).collect()).collect();
            let csv = written(Format::Csv, &of_cells);
            let json = String::from_utf8(written(Format::Json, &of_cells)).unwrap();
            let mut lines = json.lines();
            let mut records = ::csv::Reader::from_reader(&*csv);
            let mut records = records.records();
            for (integer, real, text, _, choice) in batches.iter().flatten() {
                let record = records.next().unwrap().unwrap();
                let line: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
                prop_assert_eq!(&record[0], integer.map_or(String::new(), |number| number.to_string()));
                prop_assert_eq!(record[1].parse().ok(), *real);
                prop_assert_eq!(&record[2], text.as_deref().unwrap_or_default());
                prop_assert_eq!(&record[4], choice.map_or("", |place| RESULTS[place]));
                prop_assert_eq!(line["game"].as_i64(), *integer);
                prop_assert_eq!(line["the \"name\","].as_str(), text.as_deref());
            }
            prop_assert!(records.next().is_none() && lines.next().is_none());
        }
    }

    #[cfg(feature = "arrow")]
    mod of_arrow {
        use arrow_array::cast::AsArray;
        use arrow_array::types::{Date32Type, Float64Type, Int64Type};
        use arrow_array::{Array, RecordBatch, StringArray};
        use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

        use super::*;

        fn read(format: Format, bytes: Vec<u8>) -> Vec<RecordBatch> {
            match format {
                Format::Arrow => {
                    let reader = arrow_ipc::reader::FileReader::try_new(io::Cursor::new(bytes), None).unwrap();
                    reader.map(Result::unwrap).collect()
                }
                Format::ArrowStream => {
                    let reader = arrow_ipc::reader::StreamReader::try_new(&*bytes, None).unwrap();
                    reader.map(Result::unwrap).collect()
                }
                _ => {
                    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
                    reader.build().unwrap().map(Result::unwrap).collect()
                }
            }
        }

        /// The rows of a batch.
        fn values(batch: &RecordBatch) -> Vec<Row> {
            let integers = batch.column(0).as_primitive::<Int64Type>();
            let reals = batch.column(1).as_primitive::<Float64Type>();
            let texts = batch.column(2).as_string::<i32>();
            let dates = batch.column(3).as_primitive::<Date32Type>();
            let choices = batch.column(4).as_any_dictionary();
            let names: &StringArray = choices.values().as_string();
            // Where all are missing, the dictionary may be empty.
            let keys = match names.is_empty() {
                true => Vec::new(),
                false => choices.normalized_keys(),
            };
            let there = |array: &dyn Array, row| array.is_valid(row);
            let row = |row: usize| {
                (
                    there(integers, row).then(|| integers.value(row)),
                    there(reals, row).then(|| reals.value(row)),
                    there(texts, row).then(|| texts.value(row).to_owned()),
                    there(dates, row).then(|| dates.value(row)),
                    there(choices, row)
                        .then(|| RESULTS.iter().position(|name| *name == names.value(keys[row])).unwrap()),
                )
            };
            (0..batch.num_rows()).map(row).collect()
        }

        proptest! {
            #[test]
            fn arrow_and_parquet_come_back(batches in rows()) {
                let of_cells: Vec<_> = batches.iter().map(|rows| rows.iter().map(cells).collect()).collect();
                for format in [Format::Arrow, Format::ArrowStream, Format::Parquet] {
                    let read: Vec<Row> = read(format, written(format, &of_cells)).iter().flat_map(values).collect();
                    prop_assert_eq!(&read, &batches.concat());
                }
            }
        }
    }
}
