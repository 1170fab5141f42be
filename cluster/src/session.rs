//! Plans: of SQL, and of one query.

use std::sync::Arc;

use ballista_core::extension::SessionConfigExt;
use datafusion::error::DataFusionError;
use datafusion::physical_expr::LexOrdering;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::error::Result;
use crate::leaf::{Ask, CqlExec, Shape, order, shard_rows};
use crate::manifest::Manifest;
use crate::shards::Shards;
use crate::table::CqlFunction;

/// The largest message: a batch, or a plan with a long list of shards.
pub(crate) const MESSAGE: usize = 256 << 20;

/// How the engine is set up, in the client and in executors.
pub(crate) fn config() -> SessionConfig {
    // Plans are small, and a shard is a piece of work: there is nothing to adapt.
    SessionConfig::new_with_ballista().with_ballista_adaptive_query_planner(false)
}

/// A session in which `cql` is a function. Without shards its plans can be passed on to a cluster, but not be run here.
pub(crate) fn session(shards: Option<Arc<Shards>>) -> SessionContext {
    let context = SessionContext::new_with_config(config());
    context.register_udtf("cql", Arc::new(CqlFunction::new(shards)));
    context
}

/// The plan of a statement.
///
/// # Errors
///
/// When it is no statement that reads.
pub(crate) async fn plan_sql(context: &SessionContext, statement: &str) -> Result<Arc<dyn ExecutionPlan>> {
    let options = datafusion::execution::context::SQLOptions::new()
        .with_allow_ddl(false)
        .with_allow_dml(false)
        .with_allow_statements(false);
    let frame = context.sql_with_options(statement, options).await?;
    Ok(frame.create_physical_plan().await?)
}

/// The plan that asks all shards of a manifest: a partition for each.
///
/// # Errors
///
/// When the query is none, or there is no such column.
pub(crate) fn plan_query(ask: Ask, manifest: &Manifest, shards: Option<Arc<Shards>>) -> Result<Arc<dyn ExecutionPlan>> {
    let exec = CqlExec::new(Arc::new(ask), shards, shard_rows(&manifest.shards)?)?;
    Ok(Arc::new(exec))
}

/// The plan that makes one answer of those of all shards.
///
/// # Errors
///
/// When they have no order.
pub(crate) fn merged(parts: Arc<dyn ExecutionPlan>, shape: Shape) -> Result<Arc<dyn ExecutionPlan>> {
    if !shape.has_order() {
        return Ok(Arc::new(CoalescePartitionsExec::new(parts)));
    }
    let order = LexOrdering::new(order(&parts.schema())?);
    let order = order.ok_or_else(|| DataFusionError::Internal("an order has a column".to_owned()))?;
    Ok(Arc::new(SortPreservingMergeExec::new(order, parts)))
}
