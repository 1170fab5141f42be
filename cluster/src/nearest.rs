//! Which executor asks which shard: the one that most likely has it.
//!
//! Every executor has a weight for every shard, made of both names. A shard belongs to the executor with the greatest weight
//! (rendezvous hashing), so that it stays with the same one from query to query, and few move when executors come and go. An
//! executor that is idle takes shards of others: to copy a shard takes less time than to wait for ever.
//!
//! A task has several shards, because each task costs the scheduler and the executor more than a light question to a shard does.
//! The first tasks are large and the last ones small, so that nobody has to wait for long at the end.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::execution_plans::{RangeShuffleReaderExec, ShuffleReaderExec};
use ballista_core::serde::protobuf::{AvailableVcores, job_status};
use ballista_core::serde::scheduler::TaskKey;
use ballista_scheduler::cluster::{BoundTask, DistributionPolicy};
use ballista_scheduler::state::execution_graph::{TaskDescription, create_task_info};
use ballista_scheduler::state::execution_stage::RunningStage;
use ballista_scheduler::state::task_manager::JobInfoCache;
use datafusion::arrow::array::{Array, StringArray};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use sha2::{Digest, Sha256};

use crate::leaf::CqlExec;

/// An executor that was not seen for this long has no shards any more.
const FORGOTTEN: Duration = Duration::from_secs(300);

/// Of the shards that are left, a task has as many that each place for a task can have this number of such tasks.
const TASKS_EACH: usize = 2;

/// The beginning of the text of a shard that tells it from others: its id stands there.
const NAME: usize = 48;

/// Hands shards to the executors that have them.
#[derive(Debug, Default)]
pub(crate) struct Nearest {
    /// The executors that were there lately, by their names.
    seen: Mutex<BTreeMap<String, Seen>>,
    /// Who was given what, as long as the job runs: what has failed goes to somebody else, if there is one.
    given: Mutex<HashMap<Piece, String>>,
}

/// An executor that was there.
#[derive(Clone, Copy, Debug)]
struct Seen {
    last: Instant,
    /// How many tasks it can run, as far as it has ever said so.
    tasks: u32,
}

/// The executors that were there lately.
#[derive(Debug)]
struct Known {
    names: Vec<String>,
    /// How many tasks they can run, all together.
    tasks: usize,
}

/// A partition of a stage of a job.
type Piece = (JobId, usize, usize);

#[async_trait]
impl DistributionPolicy for Nearest {
    async fn bind_tasks(
        &self,
        mut budgets: Vec<&mut AvailableVcores>,
        running_jobs: Arc<HashMap<JobId, JobInfoCache>>,
    ) -> datafusion::error::Result<Vec<BoundTask>> {
        let known = self.see(&budgets);
        held(&self.given).retain(|(job, _, _), _| running_jobs.contains_key(job));
        let mut bound = Vec::new();
        for (id, job) in running_jobs.iter() {
            if !matches!(job.status, Some(job_status::Status::Running(_))) {
                continue;
            }
            let mut graph = job.execution_graph.write().await;
            let session = graph.session_id().to_owned();
            let mut done = Vec::new();
            while let Some(stage) = graph.fetch_running_stage(&done) {
                done.push(stage.stage_id);
                let owners = Owners::of(&stage.plan, &known.names);
                while let Some((place, partitions)) = self.next(stage, id, (owners.as_ref(), known.tasks), &mut budgets)
                {
                    let budget = &mut budgets[place];
                    budget.vcores -= 1;
                    bound.push(task(stage, (id, &session), &budget.executor_id, partitions));
                }
            }
        }
        Ok(bound)
    }

    fn name(&self) -> &'static str {
        "nearest"
    }
}

impl Nearest {
    /// The next task of a stage: who gets it, by the place in the list, and its partitions.
    fn next(
        &self,
        stage: &mut RunningStage,
        job: &JobId,
        (owners, tasks): (Option<&Owners>, usize),
        budgets: &mut [&mut AvailableVcores],
    ) -> Option<(usize, Vec<usize>)> {
        let most = stage.pending.remaining().div_ceil(TASKS_EACH * tasks.max(1));
        let mut idle: Vec<usize> = (0..budgets.len()).filter(|&place| budgets[place].vcores > 0).collect();
        // The one with the most room comes first, so that all have the same to do.
        idle.sort_by_key(|&place| std::cmp::Reverse(budgets[place].vcores));
        let mut given = held(&self.given);
        // What has failed goes to the one where it did only if there is nobody else.
        for is_picky in [true, false] {
            for &place in &idle {
                let name = name_of(&budgets[place].executor_id);
                let stage_id = stage.stage_id;
                let may = |stage: &RunningStage, partition: usize| {
                    let piece = (job.clone(), stage_id, partition);
                    let was_here = given.get(&piece).is_some_and(|executor| executor == name);
                    !(is_picky && has_failed(stage, partition) && was_here)
                };
                let Some(partitions) = take(stage, (owners, most), name, may) else {
                    continue;
                };
                for &partition in &partitions {
                    given.insert((job.clone(), stage_id, partition), name.to_owned());
                }
                return Some((place, partitions));
            }
        }
        None
    }

    /// Notes the executors that are there, and gives all that were there lately.
    fn see(&self, budgets: &[&mut AvailableVcores]) -> Known {
        let mut seen = held(&self.seen);
        let now = Instant::now();
        for budget in budgets {
            let name = name_of(&budget.executor_id).to_owned();
            let executor = seen.entry(name).or_insert(Seen { last: now, tasks: 1 });
            executor.last = now;
            executor.tasks = executor.tasks.max(budget.vcores);
        }
        seen.retain(|_, executor| now.duration_since(executor.last) < FORGOTTEN);
        Known {
            names: seen.keys().cloned().collect(),
            tasks: seen.values().map(|executor| executor.tasks as usize).sum(),
        }
    }
}

/// What an executor is called whenever it starts: its id without what is new each time.
fn name_of(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(name, _)| name)
}

/// The shards of a stage, and to which executors they belong.
#[derive(Debug)]
struct Owners {
    /// The name and the owner of the shard of each partition.
    shards: Vec<(String, String)>,
}

impl Owners {
    /// Those of a stage that asks shards.
    fn of(plan: &Arc<dyn ExecutionPlan>, executors: &[String]) -> Option<Owners> {
        let leaf = leaf_of(plan)?;
        let source = leaf.children().first()?.downcast_ref::<DataSourceExec>()?;
        let source: &dyn std::any::Any = source.data_source().as_ref();
        let source = source.downcast_ref::<MemorySourceConfig>()?;
        let shards = source.partitions().iter().map(|partition| {
            let column = partition
                .first()?
                .columns()
                .first()?
                .as_any()
                .downcast_ref::<StringArray>()?;
            let text = (!column.is_empty()).then(|| column.value(0))?;
            let name = text.get(..NAME).unwrap_or(text).to_owned();
            let owner = executors.iter().max_by_key(|executor| weight(executor, &name))?;
            Some((name, owner.clone()))
        });
        Some(Owners {
            shards: shards.collect::<Option<_>>()?,
        })
    }

    /// How much an executor should ask a shard: its own come first.
    fn wish(&self, partition: usize, executor: &str) -> (bool, [u8; 8]) {
        match self.shards.get(partition) {
            Some((shard, owner)) => (owner == executor, weight(executor, shard)),
            None => (false, [0; 8]),
        }
    }
}

/// What a lock holds, whether somebody has panicked or not.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn weight(executor: &str, shard: &str) -> [u8; 8] {
    let hash = Sha256::new()
        .chain_update(executor)
        .chain_update([0])
        .chain_update(shard)
        .finalize();
    let mut weight = [0; 8];
    weight.copy_from_slice(&hash[..8]);
    weight
}

/// The node that asks shards, if a stage has one and nothing else to begin with.
fn leaf_of(plan: &Arc<dyn ExecutionPlan>) -> Option<&CqlExec> {
    if let Some(leaf) = plan.downcast_ref::<CqlExec>() {
        return Some(leaf);
    }
    match plan.children().as_slice() {
        [child] => leaf_of(child),
        _ => None,
    }
}

/// Whether a partition has failed before.
fn has_failed(stage: &RunningStage, partition: usize) -> bool {
    stage
        .task_failure_numbers
        .get(partition)
        .is_some_and(|&failures| failures > 0)
}

/// Takes the partitions of the next task for an executor from those that are left and that it may have: at most so many of its
/// own shards, or else one. What has failed before is a task of its own, so that nothing else fails with it.
fn take(
    stage: &mut RunningStage,
    (owners, most): (Option<&Owners>, usize),
    executor: &str,
    may: impl Fn(&RunningStage, usize) -> bool,
) -> Option<Vec<usize>> {
    let mut left = stage.pending.next_slice(usize::MAX);
    let mut allowed: Vec<usize> = left
        .iter()
        .copied()
        .filter(|&partition| may(stage, partition))
        .collect();
    let mut taken = Vec::new();
    if is_collapsing(&stage.plan) {
        if allowed.len() == left.len() {
            taken = allowed;
        }
    } else if let Some(owners) = owners {
        allowed.sort_by_cached_key(|&partition| std::cmp::Reverse(owners.wish(partition, executor)));
        let goes_together = |&partition: &usize| owners.wish(partition, executor).0 && !has_failed(stage, partition);
        let together = allowed.iter().copied().take_while(goes_together);
        taken.extend(together.take(most.max(1)));
        if taken.is_empty() {
            taken.extend(allowed.first());
        }
    } else {
        taken.extend(allowed.iter().min());
    }
    left.retain(|partition| !taken.contains(partition));
    stage.pending.reschedule(left);
    (!taken.is_empty()).then_some(taken)
}

/// Whether a task of a stage needs all partitions at once: something in it makes one of them. The engine has the same rule.
fn is_collapsing(stage: &Arc<dyn ExecutionPlan>) -> bool {
    fn walk(node: &Arc<dyn ExecutionPlan>) -> bool {
        if node.is::<ShuffleReaderExec>() || node.is::<RangeShuffleReaderExec>() {
            return false;
        }
        if node.output_partitioning().partition_count() == 1 {
            return true;
        }
        match node.children().as_slice() {
            [child] => walk(child),
            _ => false,
        }
    }
    match stage.children().as_slice() {
        [child] => walk(child),
        _ => false,
    }
}

/// Notes a task in its stage.
fn task(stage: &mut RunningStage, (job, session): (&JobId, &str), executor: &str, partitions: Vec<usize>) -> BoundTask {
    let id = stage.task_infos.len();
    let attempts = partitions
        .iter()
        .filter_map(|&partition| stage.task_failure_numbers.get(partition));
    let attempt = attempts.max().copied().unwrap_or(0);
    let mut info = create_task_info(executor.to_owned(), id);
    info.global_input_partition_ids.clone_from(&partitions);
    info.vcores_consumed = 1;
    stage.task_infos.push(info);
    let description = TaskDescription {
        session_id: session.to_owned(),
        key: TaskKey {
            job_id: job.clone(),
            stage_id: stage.stage_id,
            task_id: id,
        },
        stage_attempt_num: stage.stage_attempt_num,
        task_attempt: attempt,
        global_input_partition_ids: partitions,
        vcores_consumed: 1,
        plan: Arc::clone(&stage.plan),
        session_config: Arc::clone(&stage.session_config),
    };
    (executor.to_owned(), description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_shards_move_when_an_executor_goes() {
        let executors: Vec<String> = (0..5).map(|number| format!("10.0.0.{number}-50051")).collect();
        let owner = |executors: &[String], shard: &str| {
            let owner = executors.iter().max_by_key(|executor| weight(executor, shard));
            owner.cloned().unwrap_or_default()
        };
        let mut counts = BTreeMap::new();
        for shard in 0..1000 {
            let shard = format!("shard {shard}");
            let before = owner(&executors, &shard);
            let after = owner(&executors[..4], &shard);
            assert!(before == after || before == executors[4]);
            *counts.entry(before).or_insert(0) += 1;
        }
        assert!(counts.values().all(|count| (150..250).contains(count)), "{counts:?}");
    }

    #[test]
    fn an_executor_keeps_its_name() {
        assert_eq!(name_of("host-50051-1234"), "host-50051");
    }
}
