//! A small table in memory: counts in groups, and moves that were played.

use std::fmt::Write as _;
use std::io;

use cqldex::{Cell, Column, Format, RowWriter, Rows};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::arrow::{self, Stream};

/// A small table: counts in groups, or moves that were played. Iteration gives a `dict` for each row, `table["games"]` a
/// column, `print` what the command shows. polars, pyarrow, pandas and DuckDB take it as it is.
#[pyclass(frozen, module = "cqldex")]
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Rows>,
    /// What a command would print.
    text: String,
}

/// Takes rows as they are written.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    rows: Vec<Rows>,
}

impl RowWriter for Kept {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        if !rows.is_empty() {
            self.rows.push(rows.clone());
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Table {
    /// `write` gives the rows to a writer, `print` writes them for people.
    pub(crate) fn new(
        columns: Vec<Column>,
        write: impl FnOnce(&mut dyn RowWriter) -> cqldex::Result<()>,
        print: impl FnOnce(Format, &mut Vec<u8>) -> cqldex::Result<()>,
    ) -> cqldex::Result<Table> {
        let mut kept = Kept::default();
        write(&mut kept)?;
        let mut text = Vec::new();
        print(Format::Text, &mut text)?;
        Ok(Table {
            columns,
            rows: kept.rows,
            text: String::from_utf8_lossy(&text).into_owned(),
        })
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// All values, row by row.
    fn rows(&self) -> impl Iterator<Item = (&Rows, usize)> {
        self.rows
            .iter()
            .flat_map(|rows| (0..rows.len()).map(move |row| (rows, row)))
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// A list for each column, by name.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for column in &self.columns {
            dict.set_item(&column.name, self.__getitem__(py, &column.name)?)?;
        }
        Ok(dict)
    }

    fn __len__(&self) -> usize {
        self.rows.iter().map(Rows::len).sum()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let place = self.place(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        self.rows()
            .map(|(rows, row)| value(py, rows.cell(row, place)))
            .collect()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = PyList::empty(py);
        for (rows, row) in self.rows() {
            let dict = PyDict::new(py);
            for (column, cell) in self.columns.iter().zip(rows.row(row)) {
                dict.set_item(&column.name, value(py, cell)?)?;
            }
            all.append(dict)?;
        }
        Ok(all.try_iter()?.into_any())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The types of the columns are fixed; whoever asks for others changes them.
        drop(requested_schema);
        arrow::capsule(py, arrow::of_rows(py, &self.columns, &self.rows)?)
    }

    /// A `pyarrow.Table`.
    fn arrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "pyarrow")
    }

    /// A `polars.DataFrame`.
    fn pl<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "polars")
    }

    /// A `pandas.DataFrame`.
    fn df<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "pandas")
    }

    fn _repr_html_(&self) -> String {
        let mut html = "<table><thead><tr>".to_owned();
        for column in &self.columns {
            let _ = write!(html, "<th>{}</th>", escaped(&column.name));
        }
        html.push_str("</tr></thead><tbody>");
        for (rows, row) in self.rows().take(SHOWN) {
            html.push_str("<tr>");
            for cell in rows.row(row) {
                html.push_str(&html_cell(cell));
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table>");
        let rows = self.__len__();
        if rows > SHOWN {
            let _ = write!(
                html,
                "<p>the first {SHOWN} of {}</p>",
                cqldex::format::count(rows as u64, "row")
            );
        }
        html
    }

    fn __str__(&self) -> &str {
        self.text.trim_end()
    }

    fn __repr__(&self) -> &str {
        self.__str__()
    }
}

/// A notebook shows this many rows.
const SHOWN: usize = 30;

impl Table {
    fn frame<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
        let take = py.import("cqldex._frames")?.call_method1("taker", (kind,))?;
        take.call1((Stream::new(arrow::of_rows(py, &self.columns, &self.rows)?),))
    }
}

/// A value as Python has it.
fn value<'py>(py: Python<'py>, cell: Cell<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match cell {
        Cell::Missing => py.None().into_bound(py),
        Cell::Integer(number) => number.into_pyobject(py)?.into_any(),
        Cell::Real(number) => number.into_pyobject(py)?.into_any(),
        Cell::Text(text) => text.into_pyobject(py)?.into_any(),
        Cell::Date(days) => {
            let date = py.import("datetime")?.getattr("date")?;
            // Python counts days from the first of January of the year 1.
            date.call_method1("fromordinal", (days + 719_163,))?
        }
    })
}

/// A value as a cell of a table; numbers stand on the right.
fn html_cell(cell: Cell<'_>) -> String {
    let right = "<td style=\"text-align:right\">";
    match cell {
        Cell::Missing => "<td></td>".to_owned(),
        Cell::Integer(number) => format!("{right}{number}</td>"),
        Cell::Real(number) => format!("{right}{number:.1}</td>"),
        Cell::Text(text) => format!("<td style=\"text-align:left\">{}</td>", escaped(text)),
        Cell::Date(days) => format!("<td>{}</td>", cqldex::iso_date(days)),
    }
}

/// A text that has no meaning in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
