//! How the leaf travels from the client to the scheduler and the executors.

use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{AggregateUDF, HigherOrderUDF, ScalarUDF, WindowUDF};
use datafusion::physical_expr_common::physical_expr::proto_decode::PhysicalExprDecodeCtx;
use datafusion::physical_expr_common::physical_expr::proto_encode::PhysicalExprEncodeCtx;
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use super::exec::CqlExec;
use crate::shards::Shards;

/// What the bytes of our node begin with.
const MARK: &[u8] = b"cqldex\0";

/// Writes and reads our node, and leaves all others to the engine.
#[derive(Debug)]
pub(crate) struct CqlCodec {
    shards: Option<Arc<Shards>>,
    others: BallistaPhysicalExtensionCodec,
}

impl CqlCodec {
    /// A codec whose nodes search these shards; without any, plans are only passed on.
    pub(crate) fn new(shards: Option<Arc<Shards>>) -> CqlCodec {
        CqlCodec {
            shards,
            others: BallistaPhysicalExtensionCodec::default(),
        }
    }
}

impl PhysicalExtensionCodec for CqlCodec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(ask) = buf.strip_prefix(MARK) else {
            return self.others.try_decode(buf, inputs, ctx, converter);
        };
        let ask = serde_json::from_slice(ask)
            .map_err(|error| DataFusionError::Internal(format!("CqlExec can't be read: {error}")))?;
        let [input] = inputs else {
            return Err(DataFusionError::Internal("CqlExec has one input".to_owned()));
        };
        let exec = CqlExec::new(Arc::new(ask), self.shards.clone(), Arc::clone(input));
        Ok(Arc::new(exec.map_err(|error| error.for_engine())?))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(exec) = node.downcast_ref::<CqlExec>() else {
            return self.others.try_encode(node, buf, converter);
        };
        buf.extend(MARK);
        serde_json::to_writer(buf, exec.ask())
            .map_err(|error| DataFusionError::Internal(format!("CqlExec can't be written: {error}")))
    }

    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        self.others.try_decode_udf(name, buf)
    }

    fn try_encode_udf(&self, node: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode_udf(node, buf)
    }

    fn try_decode_higher_order_function(&self, name: &str, buf: &[u8]) -> Result<Arc<HigherOrderUDF>> {
        self.others.try_decode_higher_order_function(name, buf)
    }

    fn try_encode_higher_order_function(&self, node: &HigherOrderUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode_higher_order_function(node, buf)
    }

    fn try_decode_expr(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn PhysicalExpr>],
        ctx: &PhysicalExprDecodeCtx<'_>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        self.others.try_decode_expr(buf, inputs, ctx)
    }

    fn try_encode_expr(
        &self,
        node: &Arc<dyn PhysicalExpr>,
        buf: &mut Vec<u8>,
        ctx: &PhysicalExprEncodeCtx<'_>,
    ) -> Result<()> {
        self.others.try_encode_expr(node, buf, ctx)
    }

    fn try_decode_udaf(&self, name: &str, buf: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.others.try_decode_udaf(name, buf)
    }

    fn try_encode_udaf(&self, node: &AggregateUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode_udaf(node, buf)
    }

    fn try_decode_udwf(&self, name: &str, buf: &[u8]) -> Result<Arc<WindowUDF>> {
        self.others.try_decode_udwf(name, buf)
    }

    fn try_encode_udwf(&self, node: &WindowUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode_udwf(node, buf)
    }
}
