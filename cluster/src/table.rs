//! The function `cql` of SQL: a query as a table.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use cqldex::Columns;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::ScalarValue;
use datafusion::error::Result as EngineResult;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use tokio::sync::OnceCell;

use crate::error::{Error, Result};
use crate::filter;
use crate::leaf::{Ask, CqlExec, Shape, shard_rows};
use crate::manifest::Manifest;
use crate::place::Place;
use crate::shards::Shards;

/// `cql('place', 'query')`, or `cql('place', 'query', 'columns')` with columns separated by commas.
#[derive(Debug)]
pub(crate) struct CqlFunction {
    shards: Option<Arc<Shards>>,
    /// The manifests of the places that were named, so that all of a statement sees the same shards.
    manifests: Mutex<HashMap<String, Arc<OnceCell<Manifest>>>>,
}

impl CqlFunction {
    /// A function whose tables search these shards; without any, plans are only passed on.
    pub(crate) fn new(shards: Option<Arc<Shards>>) -> CqlFunction {
        CqlFunction {
            shards,
            manifests: Mutex::default(),
        }
    }

    fn table(&self, arguments: &[Expr]) -> Result<CqlTable> {
        let texts = arguments.iter().map(|argument| match argument {
            Expr::Literal(value, _) => ScalarValue::try_as_str(value).flatten(),
            _ => None,
        });
        let texts: Option<Vec<&str>> = texts.collect();
        let (place, query, columns) = match texts.as_deref() {
            Some([place, query]) => (*place, *query, None),
            Some([place, query, columns]) => (*place, *query, Some(*columns)),
            _ => {
                return Err(Error::Unsupported(
                    "cql needs two or three texts: cql('place', 'query', 'columns')".to_owned(),
                ));
            }
        };
        let place = Place::open(place)?;
        let mut manifests = self.manifests.lock().unwrap_or_else(PoisonError::into_inner);
        let manifest = Arc::clone(manifests.entry(place.name().to_owned()).or_default());
        let mut ask = Ask::new(place.name(), query, Shape::Rows);
        let compiled = ask.compile()?;
        ask.columns = match columns {
            Some(names) => names.split(',').map(|name| name.trim().to_owned()).collect(),
            None => Columns::all(&compiled).names().map(str::to_owned).collect(),
        };
        let schema = ask.schema(&compiled)?;
        // `sort` stands for all sort keys.
        ask.columns = schema.fields().iter().map(|field| field.name().clone()).collect();
        Ok(CqlTable {
            ask,
            schema,
            place,
            shards: self.shards.clone(),
            manifest,
        })
    }
}

impl TableFunctionImpl for CqlFunction {
    fn call_with_args(&self, arguments: TableFunctionArgs) -> EngineResult<Arc<dyn TableProvider>> {
        let table = self.table(arguments.exprs());
        Ok(Arc::new(table.map_err(|error| error.for_engine())?))
    }
}

/// What a query finds, as a table.
#[derive(Debug)]
struct CqlTable {
    ask: Ask,
    schema: SchemaRef,
    place: Place,
    shards: Option<Arc<Shards>>,
    manifest: Arc<OnceCell<Manifest>>,
}

#[async_trait]
impl TableProvider for CqlTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> EngineResult<Vec<TableProviderFilterPushDown>> {
        let support = filters.iter().map(|filter| match filter::cql_of(filter) {
            Some(_) => TableProviderFilterPushDown::Inexact,
            None => TableProviderFilterPushDown::Unsupported,
        });
        Ok(support.collect())
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> EngineResult<Arc<dyn ExecutionPlan>> {
        let manifest = self.manifest.get_or_try_init(|| self.place.manifest()).await;
        let manifest = manifest.map_err(|error| error.for_engine())?;
        let mut ask = self.ask.clone();
        if let Some(places) = projection {
            ask.columns = places.iter().map(|&place| self.ask.columns[place].clone()).collect();
        }
        ask.game_filters = filters.iter().filter_map(filter::cql_of).collect();
        ask.limit = limit.map(|limit| limit as u64);
        let exec = shard_rows(&manifest.shards).and_then(|rows| CqlExec::new(Arc::new(ask), self.shards.clone(), rows));
        Ok(Arc::new(exec.map_err(|error| error.for_engine())?))
    }
}
