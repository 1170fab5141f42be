//! Any text as a query whose answer is a table: Arrow and Parquet give the same rows when they are read again, no two columns
//! have one name, and the plan can be told and measured wherever the query has an answer.

#![no_main]

use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use cqldex::{Cell, Column, ColumnKind, Columns, Database, Dialect, Error, Format, MatchWriter, Options, Query};
use cqldex::{Explanation, PlanLine, RowWriter, Rows, RowsWriter, SearchOptions};
use cqldex_fuzz::{folder, make_database};
use libfuzzer_sys::fuzz_target;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// Long queries take time.
const LONGEST: usize = 400;

/// How long a search may take before its answer is given up.
const PATIENCE: Duration = Duration::from_millis(400);

static DATABASE: LazyLock<Database> = LazyLock::new(|| {
    let path = folder().join("db");
    drop(make_database(&path));
    let options = Options {
        threads: std::num::NonZeroUsize::MIN,
        ..Options::default()
    };
    Database::open(&path, options).expect("it was just made")
});

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Missing,
    Integer(i64),
    Real(f64),
    Text(String),
    Date(i32),
}

impl From<Cell<'_>> for Value {
    fn from(cell: Cell<'_>) -> Value {
        match cell {
            Cell::Missing => Value::Missing,
            Cell::Integer(value) => Value::Integer(value),
            Cell::Real(value) => Value::Real(value),
            Cell::Text(value) => Value::Text(value.to_owned()),
            Cell::Date(value) => Value::Date(value),
        }
    }
}

/// Keeps the batches of a table.
#[derive(Clone, Default)]
struct Batches(Arc<Mutex<Vec<Rows>>>);

impl RowWriter for Batches {
    fn write(&mut self, rows: &Rows) -> std::io::Result<()> {
        self.0.lock().expect("nobody panics with it").push(rows.clone());
        Ok(())
    }

    fn finish(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, text)) = data.split_first() else {
        return;
    };
    if text.len() > LONGEST {
        return;
    }
    let Ok(query) = Query::parse(text, Dialect::Auto) else {
        return;
    };
    let columns = match first & 1 {
        0 => Columns::usual(&query),
        _ => Columns::all(&query),
    };
    let mut names: Vec<&str> = columns.names().collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
    let options = SearchOptions {
        variations: (first & 2 != 0).then_some(first & 4 != 0),
        limit: (first & 8 != 0).then_some(u64::from(first >> 4)),
        detail: columns.detail(),
        timeout: Some(PATIENCE),
        kept_answers: None,
        ..SearchOptions::default()
    };
    let batches = Batches::default();
    let found = RowsWriter::to(Box::new(batches.clone()), &columns, &DATABASE)
        .write_matches(DATABASE.search(&query, options.clone()));
    if let Err(Error::TimedOut(_)) = found {
        return;
    }
    match (&found, DATABASE.analyze(&query, options)) {
        (Ok(summary), Ok(told)) => {
            check(&told);
            for run in told.runs.expect("it was run") {
                assert_eq!((run.games, run.positions), (summary.games, summary.positions));
                assert_eq!(run.persistent, summary.persistent);
            }
        }
        (Err(_), Err(_)) | (_, Err(Error::TimedOut(_))) => {}
        (found, told) => panic!("{found:?} and {told:?}"),
    }
    if found.is_ok() {
        let batches = batches.0.lock().expect("nobody panics with it");
        let rows = batches.iter().flat_map(|batch| {
            (0..batch.len()).map(|row| batch.row(row).map(Value::from).collect::<Vec<_>>())
        });
        let rows: Vec<_> = rows.collect();
        for format in [Format::Arrow, Format::ArrowStream, Format::Parquet] {
            let read = read(format, written(format, columns.columns(), &batches));
            let again: Vec<_> = read.iter().flat_map(|batch| values(columns.columns(), batch)).collect();
            assert_eq!(again, rows, "{format:?}");
        }
    }
});

/// An explanation tells filters, and a plan whose lines have counts.
fn check(told: &Explanation) {
    assert!(told.filter_count >= 1 && !told.filters.is_empty() && !told.shares.is_empty());
    assert!(told.transforms.iter().all(|used| used.maps >= 1));
    told.plan.iter().for_each(measured);
}

/// Each line of a plan that was run says how many positions it lets through.
fn measured(line: &PlanLine) {
    assert!(line.actual.is_some() && !line.text.is_empty(), "{line:?}");
    line.children.iter().for_each(measured);
}

fn written(format: Format, columns: &[Column], batches: &[Rows]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = format.writer(columns, &mut out).expect("memory takes everything");
    for batch in batches {
        writer.write(batch).expect("memory takes everything");
    }
    writer.finish().expect("memory takes everything");
    drop(writer);
    out
}

fn read(format: Format, bytes: Vec<u8>) -> Vec<RecordBatch> {
    let own = "it was just written";
    match format {
        Format::Arrow => {
            let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(bytes), None).expect(own);
            reader.map(|batch| batch.expect(own)).collect()
        }
        Format::ArrowStream => {
            let reader = arrow_ipc::reader::StreamReader::try_new(&*bytes, None).expect(own);
            reader.map(|batch| batch.expect(own)).collect()
        }
        _ => {
            let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).expect(own);
            let batches = reader.build().expect(own);
            batches.map(|batch| batch.expect(own)).collect()
        }
    }
}

/// The rows of a batch.
fn values(columns: &[Column], batch: &RecordBatch) -> Vec<Vec<Value>> {
    let row = |row: usize| {
        let cells = columns.iter().zip(batch.columns());
        cells.map(|(column, array)| value(column, array, row)).collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

fn value(column: &Column, array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Missing;
    }
    match column.kind {
        ColumnKind::Integer => Value::Integer(array.as_primitive::<Int64Type>().value(row)),
        ColumnKind::Real => Value::Real(array.as_primitive::<Float64Type>().value(row)),
        ColumnKind::Text => Value::Text(array.as_string::<i32>().value(row).to_owned()),
        ColumnKind::Date => Value::Date(array.as_primitive::<Date32Type>().value(row)),
        ColumnKind::Choice(_) => {
            let choices = array.as_any_dictionary();
            let place = choices.normalized_keys()[row];
            Value::Text(choices.values().as_string::<i32>().value(place).to_owned())
        }
    }
}
