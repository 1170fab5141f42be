//! `sql`: questions in SQL.

use std::io::Write;

use cqldex_cluster::{Error, Result};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::writer::{FileWriter, StreamWriter};
use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::arrow::util::pretty::pretty_format_batches_with_schema;
use datafusion::parquet::arrow::ArrowWriter;

use super::RunArgs;
use super::output::{Format, OutputArgs, written};

/// Arguments of `sql`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The statement; cql('place', 'query') is a table with all columns of `cqldex query --columns`, and
    /// cql('place', 'query', 'game, tag:Round') one with these
    statement: String,
    #[command(flatten)]
    output: OutputArgs,
    /// Say how the statement is run, instead of running it
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    run: RunArgs,
}

/// Asks, and prints the answer.
pub(crate) async fn run(args: &Args) -> Result<bool> {
    let runner = args.run.runner()?;
    let format = args.output.format()?;
    let mut out = args.output.open()?;
    if args.explain {
        let plan = runner.explain(&args.statement).await?;
        out.write_all(plan.as_bytes()).map_err(written)?;
        out.commit()?;
        return Ok(true);
    }
    let (schema, batches) = runner.sql(&args.statement).await?;
    match write(format, args.output.is_file(), (&schema, &batches), &mut out) {
        Ok(()) => {}
        Err(ArrowError::IoError(_, error)) => return Err(written(error)),
        Err(error) => return Err(Error::Engine(error.to_string())),
    }
    out.commit()?;
    Ok(batches.iter().any(|batch| batch.num_rows() > 0))
}

fn write(
    format: Format,
    is_file: bool,
    (schema, batches): (&SchemaRef, &[RecordBatch]),
    out: &mut (impl Write + Send),
) -> Result<(), ArrowError> {
    match format {
        Format::Table => {
            let table = pretty_format_batches_with_schema(schema.clone(), batches)?;
            writeln!(out, "{table}")?;
        }
        Format::Csv => {
            let mut writer = csv::Writer::new(out);
            if batches.is_empty() {
                writer.write(&RecordBatch::new_empty(schema.clone()))?;
            }
            batches.iter().try_for_each(|batch| writer.write(batch))?;
        }
        Format::Json => {
            let mut writer = LineDelimitedWriter::new(out);
            batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()?;
        }
        Format::Arrow if is_file => {
            let mut writer = FileWriter::try_new(out, schema)?;
            batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()?;
        }
        Format::Arrow => {
            let mut writer = StreamWriter::try_new(out, schema)?;
            batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()?;
        }
        Format::Parquet => {
            let mut writer = ArrowWriter::try_new(out, schema.clone(), None)?;
            for batch in batches {
                writer.write(batch)?;
            }
            writer.close()?;
        }
    }
    Ok(())
}
