//! A query that is compiled once, and combinations of queries.

use cqldex::{Dialect, Transform};
use pyo3::prelude::*;

use crate::diagnostic::Diagnostic;
use crate::errors::{OrRaise, refused};

/// A query that is compiled once and asked often, of any database.
///
/// `a & b`, `a | b` and `~a` make queries whose text has those of both: the positions that match both, one of the two, or not.
/// Names that both use for variables are kept apart. A header `cql( )` stays if only one has one, or both the same; otherwise,
/// and where it chooses games in `|` and `~`, `ArgumentError` is raised. Either side may be a text.
///
/// Raises `QueryError` if the text is no query.
#[pyclass(frozen, module = "cqldex")]
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) query: cqldex::Query,
    dialect: Dialect,
}

/// What stands for a query in a call.
#[derive(FromPyObject)]
pub(crate) enum QueryLike<'py> {
    Query(PyRef<'py, Query>),
    Text(String),
}

impl QueryLike<'_> {
    /// The query; a text is compiled.
    pub(crate) fn compiled(&self, py: Python<'_>, dialect: &str) -> PyResult<Query> {
        match self {
            QueryLike::Query(query) => Ok((**query).clone()),
            QueryLike::Text(text) => Query::new(py, text, dialect),
        }
    }
}

impl Query {
    fn of(query: cqldex::Query) -> Query {
        Query {
            query,
            dialect: Dialect::Cql6,
        }
    }

    fn with(
        &self,
        py: Python<'_>,
        other: &QueryLike<'_>,
        combine: fn(&cqldex::Query, &cqldex::Query) -> cqldex::Result<cqldex::Query>,
    ) -> PyResult<Query> {
        let other = other.compiled(py, "auto")?;
        combine(&self.query, &other.query).map(Query::of).or_raise(py)
    }

    fn after(
        &self,
        py: Python<'_>,
        other: &QueryLike<'_>,
        combine: fn(&cqldex::Query, &cqldex::Query) -> cqldex::Result<cqldex::Query>,
    ) -> PyResult<Query> {
        let other = other.compiled(py, "auto")?;
        combine(&other.query, &self.query).map(Query::of).or_raise(py)
    }
}

#[pymethods]
impl Query {
    #[new]
    #[pyo3(signature = (text, *, dialect = "auto"))]
    fn new(py: Python<'_>, text: &str, dialect: &str) -> PyResult<Query> {
        let dialect = dialect_named(py, dialect)?;
        let query = py.detach(|| cqldex::Query::parse(text, dialect)).or_raise(py)?;
        Ok(Query { query, dialect })
    }

    /// The text. That of a combination is in CQL 6.2.
    #[getter]
    fn text(&self) -> &str {
        self.query.text()
    }

    /// `cql6`, `cql5`, `cql1` or `cqli`.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.dialect.resolve(self.query.text()).name()
    }

    /// What its last filter gives: `logical`, `set`, `numeric`, `string` or `position`.
    #[getter]
    fn kind(&self) -> String {
        format!("{:?}", self.query.kind()).to_ascii_lowercase()
    }

    /// The names of its sort keys.
    #[getter]
    fn sort_keys(&self) -> Vec<&str> {
        self.query.sort_keys()
    }

    /// The query with a transform around it: `flip`, `rotate90`, `rotate45`, `fliphorizontal`, `flipvertical`, `flipcolor`,
    /// `reversecolor`, `shift`, `shifthorizontal` or `shiftvertical`.
    fn transform(&self, py: Python<'_>, name: &str) -> PyResult<Query> {
        let Some(transform) = Transform::ALL.into_iter().find(|transform| transform.keyword() == name) else {
            let names: Vec<&str> = Transform::ALL.into_iter().map(Transform::keyword).collect();
            let message = format!("there is no transform `{name}`; there are {}", names.join(", "));
            return Err(refused(py, "ArgumentError", &message, "no-such-transform"));
        };
        self.query.transformed(transform).map(Query::of).or_raise(py)
    }

    /// All eight symmetries of the board.
    fn flip(&self, py: Python<'_>) -> PyResult<Query> {
        self.transform(py, "flip")
    }

    /// And with the ranks upside down.
    fn fliphorizontal(&self, py: Python<'_>) -> PyResult<Query> {
        self.transform(py, "fliphorizontal")
    }

    /// And with the files the other way round.
    fn flipvertical(&self, py: Python<'_>) -> PyResult<Query> {
        self.transform(py, "flipvertical")
    }

    /// And the same for the other color.
    fn flipcolor(&self, py: Python<'_>) -> PyResult<Query> {
        self.transform(py, "flipcolor")
    }

    /// And moved to all places of the board.
    fn shift(&self, py: Python<'_>) -> PyResult<Query> {
        self.transform(py, "shift")
    }

    fn __and__(&self, py: Python<'_>, other: QueryLike<'_>) -> PyResult<Query> {
        self.with(py, &other, cqldex::Query::and)
    }

    fn __rand__(&self, py: Python<'_>, other: QueryLike<'_>) -> PyResult<Query> {
        self.after(py, &other, cqldex::Query::and)
    }

    fn __or__(&self, py: Python<'_>, other: QueryLike<'_>) -> PyResult<Query> {
        self.with(py, &other, cqldex::Query::or)
    }

    fn __ror__(&self, py: Python<'_>, other: QueryLike<'_>) -> PyResult<Query> {
        self.after(py, &other, cqldex::Query::or)
    }

    fn __invert__(&self, py: Python<'_>) -> PyResult<Query> {
        self.query.negated().map(Query::of).or_raise(py)
    }

    fn __eq__(&self, other: &Query) -> bool {
        (self.text(), self.dialect()) == (other.text(), other.dialect())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.text(), self.dialect()).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> &str {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Query({:?})", self.text())
    }

    /// For `pickle` and `copy`.
    fn __getnewargs_ex__(&self) -> ((&str,), std::collections::HashMap<&'static str, &'static str>) {
        ((self.text(),), [("dialect", self.dialect())].into())
    }
}

/// The dialect with this name.
pub(crate) fn dialect_named(py: Python<'_>, name: &str) -> PyResult<Dialect> {
    let named = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
    named.ok_or_else(|| {
        let names = Dialect::ALL.map(Dialect::name).join(", ");
        let message = format!("there is no dialect `{name}`; there are {names}");
        refused(py, "ArgumentError", &message, "no-such-dialect")
    })
}

/// Says what is wrong with a text: a list of `Diagnostic`, empty if it is a query.
#[pyfunction]
#[pyo3(signature = (text, *, dialect = "auto"))]
pub(crate) fn check(py: Python<'_>, text: &str, dialect: &str) -> PyResult<Vec<Diagnostic>> {
    let parsed = cqldex::Query::parse(text, dialect_named(py, dialect)?);
    Ok(parsed.map_or_else(|error| Diagnostic::all(&error), |_| Vec::new()))
}
